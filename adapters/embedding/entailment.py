"""Pairs of texts judged for entailment by a cross-encoder in a folder, run by onnxruntime on this machine."""

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from adapters.embedding.batches import Limits, by_length
from adapters.embedding.cross_encoder import readable
from adapters.embedding.model_folder import MODEL, check_files, fingerprint, read_entailment
from adapters.embedding.onnx_model import OnnxModel
from core.errors import ConfigError, PortError

_BATCH = 8
_CHARACTERS_A_TOKEN = 12


class OnnxEntailment:
    """A folder {model.onnx, tokenizer.json, entailment.json}; its files are checked and loaded at first use."""

    def __init__(self, folder: Path, threads: int = 2) -> None:
        self._folder, self._threads = folder, threads
        self._description = read_entailment(folder)
        self.id = f"{self._description.id}/{fingerprint(self._description)}"
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="entailment")
        self._loading = threading.Lock()
        self._model: OnnxModel | None = None

    async def prepare(self) -> None:
        """Load the model now, in a thread. Raises PortError when the folder is not as described."""
        await self.entailed([("ready", "ready")])

    async def entailed(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return how likely each premise entails its hypothesis, computed in a worker thread. Raises PortError.

        Of a pair that is too long the longer text is cut. When this is cancelled no further batch begins.
        """
        longest = self._description.max_tokens * _CHARACTERS_A_TOKEN
        given = [(readable(premise[:longest]), readable(hypothesis[:longest])) for premise, hypothesis in pairs]
        loop, made = asyncio.get_running_loop(), dict[int, float]()
        lengths = [premise + hypothesis for premise, hypothesis in given]
        try:
            for places in by_length(lengths, Limits(_BATCH, 2 * _BATCH * longest)):
                batch = [given[place] for place in places]
                made.update(zip(places, await loop.run_in_executor(self._pool, self._judged, batch), strict=True))
        except ConfigError as error:
            raise PortError("entailment", str(error)) from None
        return [made[place] for place in range(len(given))]

    def _judged(self, batch: list[tuple[str, str]]) -> list[float]:
        output, _ = self._loaded().run(batch)
        return self._chances(output)

    def _chances(self, output: Any) -> list[float]:
        """Return the chance of entailment for each pair. Raises ConfigError when these are no numbers."""
        import numpy as np

        if not np.isfinite(output).all():
            raise ConfigError(f"{self._folder / MODEL} gives no numbers for some texts: export it with 32 bits")
        powers = np.exp(output - output.max(axis=1, keepdims=True))
        chances: list[float] = (powers[:, self._description.entailment] / powers.sum(axis=1)).tolist()
        return chances

    def _loaded(self) -> OnnxModel:
        with self._loading:
            if self._model is None:
                check_files(self._folder, self._description)
                model, labels = OnnxModel(self._folder, self._description.max_tokens, self._threads), self._labels
                output, _ = model.run([("ready", "ready")])
                if output.shape != (1, len(labels)):
                    raise ConfigError(
                        f"{self._folder / MODEL}: its first output for a pair of texts has the shape {output.shape}; "
                        f"there are {len(labels)} labels: {', '.join(labels)}"
                    )
                self._model = model
        return self._model

    @property
    def _labels(self) -> tuple[str, ...]:
        return self._description.labels
