"""A folder with a model: what its description says of it, and that its files are the ones described."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from core.errors import ConfigError

MODEL = "model.onnx"
TOKENIZER = "tokenizer.json"
CONFIG = "config.json"
DESCRIPTIONS = {"embedder": "embedder.json", "reranker": "reranker.json", "entailment": "entailment.json"}

_MAX_DESCRIPTION_BYTES = 65_536
_Name = Annotated[str, Field(pattern=r"^\w[\w.-]*$")]
_Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
_ENTAILMENT = "entailment"
_HOW = (
    "write it anew with python -m adapters.embedding.describe FOLDER, for a reranker with --reranker, for an "
    "entailment model with --entailment"
)


class Description(BaseModel):
    """What a description file says; `sha256` holds every file that the model is made of."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1, max_length=200)
    max_tokens: int = Field(default=256, ge=8, le=8192)
    sha256: Mapping[_Name, _Hash]


class Prefixes(BaseModel):
    """What stands before a text, by what the text is for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    query: str = ""
    passage: str = ""


class EmbedderDescription(Description):
    """What `embedder.json` says."""

    dimension: int = Field(ge=1, le=65_536)
    pooling: Literal["mean", "cls"] = "mean"
    prefixes: Prefixes = Prefixes()
    normalise: bool = True


class RerankerDescription(Description):
    """What `reranker.json` says."""


class EntailmentDescription(Description):
    """What `entailment.json` says; `labels` are what the model tells apart, in the order of its outputs."""

    labels: tuple[str, ...] = Field(min_length=2, max_length=3)

    @field_validator("labels")
    @classmethod
    def _with_one_entailment(cls, labels: tuple[str, ...]) -> tuple[str, ...]:
        if [label.casefold() for label in labels].count(_ENTAILMENT) != 1:
            raise ValueError(f"one of {', '.join(labels)} must be called {_ENTAILMENT}, as the model's card has it")
        return labels

    @property
    def entailment(self) -> int:
        """The place of the output that stands for entailment."""
        return [label.casefold() for label in self.labels].index(_ENTAILMENT)


class _Config(BaseModel):
    """What of `config.json`, which comes with a model, says what its outputs are."""

    id2label: Mapping[int, str]


D = TypeVar("D", bound=BaseModel)


def read_embedder(folder: Path) -> EmbedderDescription:
    """Return what `embedder.json` says. Raises ConfigError."""
    return _described(folder / DESCRIPTIONS["embedder"], EmbedderDescription)


def read_reranker(folder: Path) -> RerankerDescription:
    """Return what `reranker.json` says. Raises ConfigError."""
    return _described(folder / DESCRIPTIONS["reranker"], RerankerDescription)


def read_entailment(folder: Path) -> EntailmentDescription:
    """Return what `entailment.json` says. Raises ConfigError."""
    return _described(folder / DESCRIPTIONS["entailment"], EntailmentDescription)


def read_labels(folder: Path) -> tuple[str, ...]:
    """Return the labels of the model's outputs in their order, as `config.json` says. Raises ConfigError."""
    found = _described(folder / CONFIG, _Config, "take it from where the model is from").id2label
    if sorted(found) != list(range(len(found))):
        raise ConfigError(f"{folder / CONFIG}: id2label must number the outputs from 0 to {len(found) - 1}")
    return tuple(found[place] for place in sorted(found))


def check_files(folder: Path, description: Description) -> None:
    """Raise ConfigError that names the first file which has not the described hash, and both hashes."""
    for name in sorted(_weights(folder) | {MODEL, TOKENIZER} | set(description.sha256)):
        _check(folder / name, description.sha256.get(name))


def fingerprint(description: Description) -> str:
    """Return a short hash of the whole description, with the hashes of the files in it."""
    return hashlib.sha256(description.model_dump_json().encode()).hexdigest()[:12]


def hashes(folder: Path) -> dict[str, str]:
    """Return the hash of every file that a model in this folder is made of. Raises ConfigError when one is missing."""
    return {name: _hash(folder / name) for name in sorted(_weights(folder) | {MODEL, TOKENIZER})}


def made_of(path: Path, kind: type[D], said: object) -> D:
    """Return what was said in the file as this kind of value. Raises ConfigError that names what is wrong."""
    try:
        return kind.model_validate(said)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise ConfigError(f"{path}: {wrong}") from None


def _described(path: Path, kind: type[D], how: str = _HOW) -> D:
    try:
        with path.open("rb") as file:
            said = json.loads(file.read(_MAX_DESCRIPTION_BYTES))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror}): correct the folder, or {how}") from None
    except (ValueError, RecursionError):
        raise ConfigError(f"{path} is not JSON: {how}") from None
    return made_of(path, kind, said)


def _weights(folder: Path) -> set[str]:
    """Return the files in which large models keep their numbers beside the model file."""
    return {path.name for path in folder.glob("*[._]data") if path.is_file()}


def _check(path: Path, expected: str | None) -> None:
    if expected is None:
        raise ConfigError(f"{path} has no hash in the description beside it: {_HOW}, if you trust the file")
    found = _hash(path)
    if found != expected:
        raise ConfigError(
            f"{path} is not the file that was described: its sha256 is {found}, and {expected} was expected. "
            "Put the described file back, or describe the new one and index anew"
        )


def _hash(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read ({error.strerror}): a model folder holds {MODEL}, {TOKENIZER}"
        ) from None
