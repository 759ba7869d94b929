"""A corpus of any size for measuring searches: Zipf words in two languages, vectors in clusters, planted answers."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.ingest.chunk import chunks_of
from core.ingest.document import Block, Document
from core.ports import SearchQuery

PER_DOCUMENT = 10
WORDS = 120  # of a chunk, on average
TYPES = 120_000  # distinct words; how often each occurs follows Zipf and Mandelbrot
TOPICS = 1_000
# Meaning has fewer directions than vectors have numbers: vectors lie near a space of so many dimensions.
LATENT = 48
KINDS = ("page", "policy", "how-to")
REMEMBERED = 20_000


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its vector and the text that it was made from, which is the best answer."""

    query: SearchQuery
    vector: NDArray[np.float32]
    answer: str


class Documents(Mapping[str, Document]):
    """Documents `d0`, `d1`, … made when they are asked for, the same each time; some are remembered.

    One in seven is for one of three groups alone, every second one is Russian.
    """

    def __init__(self, chunks: int, dimension: int) -> None:
        self._count = chunks // PER_DOCUMENT
        weights = 1 / (np.arange(TYPES) + 2.7)
        self._upto = np.cumsum(weights / weights.sum())
        random = np.random.default_rng(0)
        self._places = random.standard_normal((LATENT, dimension)).astype(np.float32) / np.sqrt(LATENT)
        self._topics = random.standard_normal((TOPICS, LATENT)).astype(np.float32)
        self._made: OrderedDict[str, Document] = OrderedDict()

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        return (f"d{number}" for number in range(self._count))

    def __getitem__(self, id_: str) -> Document:
        if id_ not in self._made:
            self._made[id_] = self._document(int(id_[1:]))
            if len(self._made) > REMEMBERED:
                self._made.popitem(last=False)
        return self._made[id_]

    def vectors(self, number: int) -> NDArray[np.float32]:
        """Return the unit vectors of a document's chunks: near its topic, near each other, each by itself."""
        random = np.random.default_rng(number + 1_000_003)
        own = 0.75 * self._topics[number % TOPICS] + 0.5 * random.standard_normal(LATENT)
        return self._up(own + 0.45 * random.standard_normal((PER_DOCUMENT, LATENT)), random)

    def asked(self, count: int) -> list[Asked]:
        """Return questions: three to six words of a chunk, frequent ones too, and a vector in its neighbourhood."""
        random = np.random.default_rng(7)
        return [self._asked(random) for _ in range(count)]

    def rows(self, ids: Sequence[str]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Return the rows of the documents' passages, one a chunk, and of their chunks."""
        passages, chunks = [], []
        for id_ in ids:
            document = self[id_]
            known = {
                "doc_id": id_,
                "kind": document.kind,
                "readers": sorted(document.readers),
                "language": "ru" if int(id_[1:]) % 2 else "en",
                "day": 0,
            }
            for chunk, vector in zip(chunks_of(document), self.vectors(int(id_[1:])), strict=True):
                place = {"chunk_id": chunk.id, "start": chunk.start, "end": chunk.end, "key": chunk.id}
                passages.append({**known, **place, "vector": vector})
                tokens = document.text[chunk.start : chunk.end]
                chunks.append({**known, "id": chunk.id, "n": chunk.n, "tokens": tokens})
        return passages, chunks

    def _document(self, number: int) -> Document:
        random = np.random.default_rng(number)
        word = "слово" if number % 2 else "word"
        texts = []
        for length in np.maximum(random.normal(WORDS, 30, PER_DOCUMENT), 100).astype(int):
            places = np.minimum(np.searchsorted(self._upto, random.random(length)), TYPES - 1)
            texts.append(" ".join(f"{word}{place}" for place in places.tolist()))
        ends = np.cumsum([len(text) + 1 for text in texts]).tolist()
        blocks = [Block("paragraph", end - 1 - len(text), end - 1) for text, end in zip(texts, ends, strict=True)]
        readers = frozenset([f"group{number % 3}"]) if number % 7 == 0 else frozenset[str]()
        return Document(
            f"d{number}", f"Page {number}", "\n".join(texts), tuple(blocks), KINDS[number % 3], readers=readers
        )

    def _asked(self, random: np.random.Generator) -> Asked:
        number = int(random.integers(self._count))
        while number % 7 == 0:  # an answer that everybody may read
            number = int(random.integers(self._count))
        place = int(random.integers(PER_DOCUMENT))
        document = self[f"d{number}"]
        block = document.blocks[place]
        distinct = sorted(set(document.text[block.start : block.end].split()))
        words = random.choice(distinct, int(random.integers(3, 7)), replace=False).tolist()
        near = self.vectors(number)[place] + 1.2 * self._up(random.standard_normal((1, LATENT)), random)[0]
        return Asked(SearchQuery(" ".join(words)), near / np.linalg.norm(near), chunks_of(document)[place].id)

    def _up(self, latent: NDArray[Any], random: np.random.Generator) -> NDArray[np.float32]:
        made = latent.astype(np.float32) @ self._places
        made += 0.15 * random.standard_normal(made.shape, dtype=np.float32)
        unit: NDArray[np.float32] = made / np.linalg.norm(made, axis=1, keepdims=True)
        return unit
