"""Models of a few kilobytes, made on the spot: each byte of a text is a token."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

from adapters.embedding.describe import describe_embedder, describe_entailment, describe_reranker

DIMENSION = 16
PAD, START, END = "[PAD]", "[CLS]", "[SEP]"


def embedder_folder(folder: Path, **said: object) -> Path:
    """Return the folder, with an embedding model in it whose vector of a token depends on the token alone."""
    folder.mkdir(parents=True, exist_ok=True)
    table = np.random.default_rng(7).standard_normal((300, DIMENSION)).astype("float32")
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    _save(folder, nodes, {"table": table}, ("last_hidden_state", ["texts", "tokens", DIMENSION]))
    describe_embedder(folder, **{"id": "tiny", **said})
    return folder


def reranker_folder(folder: Path, outputs: int = 1, **said: object) -> Path:
    """Return the folder, with a cross-encoder in it that counts the letters `a` of both texts.

    With two outputs, no and yes, the first is always 0.
    """
    folder.mkdir(parents=True, exist_ok=True)
    table = np.zeros((300, outputs), dtype="float32")
    table[_bytes().token_to_id("a"), -1] = 1
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["worth"]),
        helper.make_node("ReduceSum", ["worth", "axis"], ["logits"], keepdims=0),
    ]
    _save(folder, nodes, {"table": table, "axis": np.array([1])}, ("logits", ["texts", outputs]))
    describe_reranker(folder, **{"id": "tiny-judge", **said})
    return folder


def entailment_folder(folder: Path, labels: Sequence[str], **said: object) -> Path:
    """Return the folder, with a model in it for which each letter `a` of both texts speaks for entailment."""
    folder.mkdir(parents=True, exist_ok=True)
    table = np.zeros((300, len(labels)), dtype="float32")
    table[_bytes().token_to_id("a"), [label.casefold() == "entailment" for label in labels]] = 1
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["worth"]),
        helper.make_node("ReduceSum", ["worth", "axis"], ["logits"], keepdims=0),
    ]
    _save(folder, nodes, {"table": table, "axis": np.array([1])}, ("logits", ["texts", len(labels)]))
    config = {"id2label": {str(place): label for place, label in enumerate(labels)}}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    describe_entailment(folder, **{"id": "tiny-reader", **said})
    return folder


def _save(
    folder: Path, nodes: list[onnx.NodeProto], known: dict[str, np.ndarray], output: tuple[str, list[str | int]]
) -> None:
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    outputs = [helper.make_tensor_value_info(output[0], TensorProto.FLOAT, output[1])]
    numbers = [numpy_helper.from_array(array, name) for name, array in known.items()]
    graph = helper.make_graph(nodes, "tiny", inputs, outputs, numbers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    _bytes().save(str(folder / "tokenizer.json"))


def _bytes() -> Tokenizer:
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {piece: number for number, piece in enumerate([PAD, START, END, *letters])}
    tokenizer = Tokenizer(models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{START} $A {END}",
        pair=f"{START} $A {END} $B:1 {END}:1",
        special_tokens=[(START, 1), (END, 2)],
    )
    tokenizer.enable_padding(pad_id=0, pad_token=PAD)
    return tokenizer
