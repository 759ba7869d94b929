"""Unit vectors from an embedding model in a folder, run by onnxruntime on this machine."""

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

from adapters.embedding.batches import Limits, encode_all
from adapters.embedding.model_folder import MODEL, EmbedderDescription, check_files, fingerprint, read_embedder
from adapters.embedding.onnx_model import OnnxModel
from core.errors import ConfigError

# Batches of 8 are as fast as batches of 32 on a CPU and take a quarter of the memory.
_BATCH = 8
# A token has about four characters, rarely more than ten; what cannot fit is not worth being taken apart.
_CHARACTERS_A_TOKEN = 12


class OnnxEmbedder:
    """A folder {model.onnx, tokenizer.json, embedder.json}; its files are checked and loaded at first use.

    `id` holds a fingerprint of the files and of how they are used, so that another model is never taken for this one.
    """

    def __init__(self, folder: Path, threads: int = 2) -> None:
        self._folder, self._threads = folder, threads
        self._description = read_embedder(folder)
        self.id = f"{self._description.id}/{fingerprint(self._description)}"
        self.dimension = self._description.dimension
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="embedding")
        self._loading = threading.Lock()
        self._model: OnnxModel | None = None

    async def prepare(self) -> None:
        """Load the model now, in a thread. Raises ConfigError when the folder is not as described."""
        await asyncio.to_thread(self._encode, ["ready"])

    async def embed(self, texts: Sequence[str], purpose: Literal["passage", "query"] = "passage") -> list[list[float]]:
        """Return one unit vector for each text, computed in a worker thread. Raises ConfigError, as `prepare`."""
        prefix = getattr(self._description.prefixes, purpose)
        longest = self._description.max_tokens * _CHARACTERS_A_TOKEN
        given = [prefix + text[:longest].encode("utf-8", "replace").decode() for text in texts]
        return await encode_all(given, self._encode, self._pool, Limits(_BATCH, _BATCH * longest))

    def _encode(self, texts: list[str]) -> list[list[float]]:
        output, mask = self._loaded().run(texts)
        rows = pooled(output, mask, self._description)
        if self._description.normalise:
            rows /= ((rows**2).sum(axis=1, keepdims=True) ** 0.5).clip(min=1e-12)
        vectors: list[list[float]] = rows.tolist()
        return vectors

    def _loaded(self) -> OnnxModel:
        with self._loading:
            if self._model is None:
                check_files(self._folder, self._description)
                model = OnnxModel(self._folder, self._description.max_tokens, self._threads)
                _try_out(model, self._description, self._folder)
                self._model = model
        return self._model


def pooled(output: Any, mask: Any, description: EmbedderDescription) -> Any:
    """Return one row for each text, from a row for each token unless the model has pooled them itself."""
    if output.ndim == 2:  # noqa: PLR2004 - texts and numbers
        return output
    if description.pooling == "cls":
        return output[:, 0]
    weights = mask[:, :, None].astype(output.dtype)
    counts = weights.sum(axis=1)
    return (output * weights).sum(axis=1) / counts.clip(min=1)


def _try_out(model: OnnxModel, description: EmbedderDescription, folder: Path) -> None:
    output, mask = model.run(["ready"])
    if output.ndim not in {2, 3}:
        raise ConfigError(f"{folder / MODEL}: its first output has {output.ndim} axes; a text encoder's has 2 or 3")
    [row] = pooled(output, mask, description)
    if len(row) != description.dimension:
        raise ConfigError(
            f"{folder / MODEL} makes {len(row)} numbers of a text, and embedder.json says {description.dimension}: "
            "correct `dimension` there"
        )
    length = float((row**2).sum() ** 0.5)
    if not description.normalise and abs(length - 1) > 1e-3:  # noqa: PLR2004 - what 16-bit models leave
        raise ConfigError(
            f"{folder / MODEL}: its vectors are not of length 1; set `normalise` in embedder.json to true"
        )
