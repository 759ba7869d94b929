"""Passages judged against a question by a cross-encoder in a folder, run by onnxruntime on this machine."""

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from adapters.embedding.batches import Limits, encode_all
from adapters.embedding.model_folder import MODEL, check_files, fingerprint, read_reranker
from adapters.embedding.onnx_model import OnnxModel
from core.errors import ConfigError

_BATCH = 8
_CHARACTERS_A_TOKEN = 12
# A question leaves most of the room to the passage.
_MAX_QUERY_CHARACTERS = 500


class OnnxReranker:
    """A folder {model.onnx, tokenizer.json, reranker.json}; its files are checked and loaded at first use."""

    def __init__(self, folder: Path, threads: int = 2) -> None:
        self._folder, self._threads = folder, threads
        self._description = read_reranker(folder)
        self.id = f"{self._description.id}/{fingerprint(self._description)}"
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="reranking")
        self._loading = threading.Lock()
        self._model: OnnxModel | None = None

    async def prepare(self) -> None:
        """Load the model now, in a thread. Raises ConfigError when the folder is not as described."""
        await asyncio.to_thread(self._loaded)

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text answers, from 0 to 1, in order, computed in a worker thread. Raises ConfigError."""
        longest = self._description.max_tokens * _CHARACTERS_A_TOKEN
        question = readable(query[:_MAX_QUERY_CHARACTERS])
        given = [readable(text[:longest]) for text in texts]

        def judge(batch: list[str]) -> list[float]:
            output, _ = self._loaded().run([(question, text) for text in batch])
            scores: list[float] = likelihoods(output).tolist()
            return scores

        return await encode_all(given, judge, self._pool, Limits(_BATCH, _BATCH * longest))

    def _loaded(self) -> OnnxModel:
        with self._loading:
            if self._model is None:
                check_files(self._folder, self._description)
                model = OnnxModel(self._folder, self._description.max_tokens, self._threads)
                output, _ = model.run([("ready", "ready")])
                if output.ndim != 2 or output.shape[1] > 2:  # noqa: PLR2004 - texts, and one number or no and yes
                    raise ConfigError(
                        f"{self._folder / MODEL}: its first output has the shape {output.shape}; a cross-encoder gives "
                        "one number for each pair of texts, or two"
                    )
                self._model = model
        return self._model


def likelihoods(logits: Any) -> Any:
    """Return the chance that each pair belongs together: the sigmoid of one number, or of yes minus no."""
    import numpy as np

    raw = logits[:, -1] - (logits[:, 0] if logits.shape[1] > 1 else 0)
    return 1 / (1 + np.exp(-raw.clip(-60, 60)))


def readable(text: str) -> str:
    """Return the text as a tokenizer takes it: half of a pair of surrogates is a "?"."""
    return text.encode("utf-8", "replace").decode()
