"""A model folder at work: texts in, the model's numbers out. The one place that loads onnxruntime and tokenizers."""

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from adapters.embedding.model_folder import MODEL, TOKENIZER
from core.errors import ConfigError

_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})


class OnnxModel:
    """A loaded model and its tokenizer. Everything blocks: call it in a worker thread."""

    def __init__(self, folder: Path, max_tokens: int, threads: int) -> None:
        self._numpy = importlib.import_module("numpy")
        self._folder = folder
        self._tokenizer = _tokenizer(folder, max_tokens)
        self._session = _session(folder, threads)
        self._inputs = [each.name for each in self._session.get_inputs()]
        if not set(self._inputs) <= _INPUTS:
            strange = ", ".join(sorted(set(self._inputs) - _INPUTS))
            raise ConfigError(
                f"{folder / MODEL} wants {strange}: export a text encoder that takes {', '.join(sorted(_INPUTS))}"
            )

    def run(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> tuple[Any, Any]:
        """Return the model's first output for a batch, in 32-bit numbers, and the mask of what is not padding."""
        encoded = self._tokenizer.encode_batch(list(texts))
        fed = {name: self._array(encoded, name) for name in _INPUTS}
        try:
            [output] = self._session.run(
                [self._session.get_outputs()[0].name], {name: fed[name] for name in self._inputs}
            )
        except Exception as error:  # noqa: BLE001 - onnxruntime raises whatever its own code does
            raise ConfigError(
                f"{self._folder / MODEL} cannot be run on what {TOKENIZER} makes of a text "
                f"({type(error).__name__}): see that both belong to one model"
            ) from None
        return output.astype("float32"), fed["attention_mask"]

    def _array(self, encoded: Sequence[Any], name: str) -> Any:
        field = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}[name]
        return self._numpy.array([getattr(each, field) for each in encoded], dtype="int64")


def _tokenizer(folder: Path, max_tokens: int) -> Any:
    tokenizers = _library("tokenizers")
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(folder / TOKENIZER))
    except Exception as error:  # noqa: BLE001 - tokenizers raises nothing narrower
        raise ConfigError(f"{folder / TOKENIZER} cannot be read by tokenizers: {error}") from None
    tokenizer.enable_truncation(max_tokens)
    padding = tokenizer.padding or {}
    tokenizer.enable_padding(**{key: padding[key] for key in ("pad_id", "pad_token", "pad_type_id") if key in padding})
    return tokenizer


def _session(folder: Path, threads: int) -> Any:
    onnxruntime = _library("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Threads that spin while they wait take the cores from everything else.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(
            str(folder / MODEL), sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # noqa: BLE001 - onnxruntime raises whatever its own code does
        raise ConfigError(
            f"{folder / MODEL} cannot be loaded by onnxruntime ({type(error).__name__}): export it again"
        ) from None


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ConfigError(f"A model folder needs {name}: pip install '.[onnx]' in Footnote's folder") from None
