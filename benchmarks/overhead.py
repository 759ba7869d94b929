"""What a question costs beside its model: the whole pipeline over 10,000 chunks by step, and checking twelve claims.

python -m benchmarks.overhead [--documents 1670] [--questions 200] [--json]

A folder of made-up pages (benchmarks/index_corpus) is indexed as always and asked in quoting mode, half in Russian,
each question in a thread of its own, nothing stored. The vectors are hashed words: the encoder is a model and is timed
apart, as `encoder`. `cpu`: of all threads. The steps are those of core/pipeline.py, `draft` with the context before it.
"""

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from zlib import crc32

import numpy as np

from benchmarks.figures import Figures, percentile, told
from benchmarks.index_corpus import page, write_corpus
from benchmarks.verification import taken as verified
from bot.answering import Bot
from bot.commands import console_question
from bot.indexing import index_folder
from bot.settings import read_settings
from bot.wiring import make_model, opened
from core.conversation import AlreadyAnswered, Question, Thread
from core.delivery import Part
from core.outside import Ports
from core.pipeline import answer_question
from core.ports import Embedder
from core.text import terms
from core.turn import TurnRecord

# The first questions of a process load what all others find loaded.
WARMING = 20
_FRAMES = {
    "en": ("Who {}?", "When do we see to the {}?", "What does the page on {} say?", "How many {} are there?"),
    "ru": ("Кто {}?", "Когда мы занимаемся тем, что {}?", "Что сказано про {}?", "Сколько {}?"),
}
_GOALS = {"whole pipeline p95 ms, goal": 40.0, "12 claims ms, goal": 5.0}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=1_670, help="six chunks each")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = asyncio.run(measured(options.documents, options.questions))
    figures |= {"12 claims, ms of CPU": verified(), **_GOALS}
    print(json.dumps(figures) if options.json else "\n".join(told(figures)))


@dataclass
class Hashed:
    """An embedder of hashed word stems: what shares words is near, and it costs next to nothing."""

    id: str = "hashed"
    dimension: int = 512

    async def prepare(self) -> None:
        """Do nothing."""

    async def embed(self, texts: Sequence[str], purpose: str = "passage") -> list[list[float]]:
        """Return unit vectors."""
        del purpose
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        vector = np.full(self.dimension, 1e-3)
        for term in terms(text):
            vector[crc32(term.encode()) % self.dimension] += 1.0
        return list(map(float, vector / np.linalg.norm(vector)))


class Unstored:
    """The port `Threads`, which knows nothing and keeps nothing."""

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        """Return an empty thread."""
        return Thread(question.thread, ())

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        """Keep nothing."""


async def measured(documents: int, questions: int) -> Figures:
    """Return the figures of one corpus."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "pages"
        write_corpus(folder, documents)
        alone = {"data_dir": Path(place), "database_url": None, "index_url": None}
        settings = read_settings().model_copy(update={**alone, "answer_model": (), "planner_model": ()})
        texts = asked(documents, questions + WARMING)
        async with opened(settings) as own:
            encoder, stores = own.embedder, replace(own, embedder=Hashed())
            await index_folder(folder, stores.catalog, stores.index, stores.embedder, lambda *_: None)
            bot = Bot(stores, make_model(settings), settings)
            await bot.warm()
            live = await bot.live()
            if live is None:
                raise SystemExit("Nothing was indexed.")
            figures = await _questions(replace(live.ports, threads=Unstored()), texts)
            return figures | {"encoder": await _encoding(encoder, texts)}


def asked(documents: int, count: int) -> list[str]:
    """Return questions, each with words of one sentence, every second one in Russian."""
    chance = random.Random(11)  # noqa: S311 - the same every time, and nothing secret
    found = []
    for place in range(count):
        language = ("en", "ru")[place % 2]
        number = chance.randrange(documents // 2) * 2 + place % 2
        body = [line for line in page(number).split("\n") if len(line.split()) > len(_FRAMES)]
        words = chance.choice(body).split(". ")[0].rstrip(".").split()
        found.append(_FRAMES[language][place // 2 % 4].format(" ".join(words[1:5]).lower()))
    return found


async def _questions(ports: Ports, texts: Sequence[str]) -> Figures:
    steps: dict[str, list[float]] = defaultdict(list)
    answered = 0
    for place, text in enumerate(texts):
        question = console_question(text, f"console:{place}", frozenset())
        begun, cpu = time.perf_counter(), time.process_time()
        record = await answer_question(question, ports)
        wall, worked = time.perf_counter() - begun, time.process_time() - cpu
        if place < WARMING or not isinstance(record, TurnRecord):
            continue
        answered += not record.answer.is_refusal
        steps["whole pipeline"].append(wall)
        steps["whole pipeline, cpu"].append(worked)
        for name, seconds in record.timings:
            steps[name].append(seconds)
    return {"answered": answered, "of": len(texts) - WARMING, **{name: _spread(all_) for name, all_ in steps.items()}}


async def _encoding(encoder: Embedder, texts: Sequence[str]) -> Figures:
    times = []
    for text in texts:
        begun = time.perf_counter()
        await encoder.embed([text], "query")
        times.append(time.perf_counter() - begun)
    return _spread(times[WARMING:])


def _spread(seconds: Sequence[float]) -> Figures:
    return {"p50 ms": 1e3 * percentile(seconds, 0.5), "p95 ms": 1e3 * percentile(seconds, 0.95)}


if __name__ == "__main__":
    main()
