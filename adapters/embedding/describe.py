"""`python -m adapters.embedding.describe FOLDER`: write down what model a folder holds, and the hashes of its files."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from adapters.embedding.model_folder import (
    CONFIG,
    DESCRIPTIONS,
    Description,
    EmbedderDescription,
    EntailmentDescription,
    RerankerDescription,
    hashes,
    made_of,
    read_labels,
)
from adapters.embedding.onnx import pooled
from adapters.embedding.onnx_model import OnnxModel
from core.errors import ConfigError


def describe_embedder(folder: Path, **said: Any) -> Path:
    """Write `embedder.json`, with the dimension that the model turns out to have. Raises ConfigError."""
    guess = EmbedderDescription(dimension=1, sha256=hashes(folder), **said)
    output, mask = OnnxModel(folder, guess.max_tokens, threads=1).run(["ready"])
    return _write(folder, "embedder", guess.model_copy(update={"dimension": pooled(output, mask, guess).shape[-1]}))


def describe_reranker(folder: Path, **said: Any) -> Path:
    """Write `reranker.json`. Raises ConfigError."""
    return _write(folder, "reranker", RerankerDescription(sha256=hashes(folder), **said))


def describe_entailment(folder: Path, **said: Any) -> Path:
    """Write `entailment.json`, with the labels that `config.json` has. Raises ConfigError."""
    wanted = {**said, "labels": read_labels(folder), "sha256": hashes(folder)}
    return _write(folder, "entailment", made_of(folder / CONFIG, EntailmentDescription, wanted))


def main(arguments: Sequence[str] | None = None) -> int:
    """Describe the folder that the command line names; return 1, with the reason, when that cannot be done."""
    asked = vars(_parser().parse_args(arguments))
    folder: Path = asked.pop("folder")
    said = {"id": asked["id"] or folder.resolve().name, "max_tokens": asked["max_tokens"]}
    prefixes = {"query": asked["query_prefix"], "passage": asked["passage_prefix"]}
    try:
        if asked["reranker"]:
            written = describe_reranker(folder, **said)
        elif asked["entailment"]:
            written = describe_entailment(folder, **said)
        else:
            written = describe_embedder(folder, **said, pooling=asked["pooling"], prefixes=prefixes)
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Written: {written}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds model.onnx and tokenizer.json")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--reranker", action="store_true", help="a cross-encoder that judges pairs of texts")
    kind.add_argument("--entailment", action="store_true", help="one that tells what follows from a text (NLI)")
    parser.add_argument("--id", default="", help="the model's name; the folder's name when left out")
    parser.add_argument("--pooling", choices=["mean", "cls"], default="mean", help="as the model's card says")
    parser.add_argument("--query-prefix", default="", help='what stands before a question, as "query: "')
    parser.add_argument("--passage-prefix", default="", help='what stands before a passage, as "passage: "')
    parser.add_argument("--max-tokens", type=int, default=256, help="longer texts are cut")
    return parser


def _write(folder: Path, kind: str, description: Description) -> Path:
    path = folder / DESCRIPTIONS[kind]
    path.write_text(json.dumps(description.model_dump(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    sys.exit(main())
