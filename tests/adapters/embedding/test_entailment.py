"""A cross-encoder in a folder that tells what follows from a text, and what every `Entailment` keeps."""

import asyncio
import json
import re
from collections.abc import Sequence
from math import exp, inf
from pathlib import Path

import numpy as np
import pytest

from adapters.embedding.describe import main
from adapters.embedding.entailment import OnnxEntailment
from core.errors import ConfigError, PortError
from tests.adapters.embedding.tiny import entailment_folder, reranker_folder

TWO = ("entailment", "not_entailment")
THREE = ("contradiction", "ENTAILMENT", "neutral")


def chance(letters: int, labels: Sequence[str]) -> float:
    """Return what the tiny model makes of so many letters `a`."""
    return 1 / (1 + (len(labels) - 1) * exp(-letters))


@pytest.mark.parametrize("labels", [TWO, THREE, THREE[::-1], THREE[1:] + THREE[:1]])
async def test_chances_of_entailment_stand_in_the_order_of_the_pairs(tmp_path: Path, labels: Sequence[str]) -> None:
    """Wherever the model has its entailment, each pair gets its chance, in any number and of any length."""
    model = OnnxEntailment(entailment_folder(tmp_path, labels))
    pairs = [
        ("aaa", "a"),
        ("", ""),
        ("RAG в Лоцмане", "да"),
        ("x" * 900, "a"),
        *[("a" * (n % 3), "no") for n in range(30)],
    ]

    chances = await model.entailed(pairs)

    expected = [chance((premise + hypothesis).count("a"), labels) for premise, hypothesis in pairs]
    assert expected == pytest.approx(chances, abs=1e-6)
    assert [] == await model.entailed([])


@pytest.mark.parametrize("text", ["", "\x00", "я" * 100_000, "half \ud83d"])
async def test_any_pair_can_be_judged(tmp_path: Path, text: str) -> None:
    """Long, empty and broken text ends in a number between 0 and 1."""
    model = OnnxEntailment(entailment_folder(tmp_path, THREE, max_tokens=32))

    chances = await model.entailed([(text, "so"), ("так", text), (text, text)])

    assert 3 == len(chances)
    assert all(0 <= one <= 1 for one in chances)


async def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    """A file that is not the described one is named, at the start and by whoever asks."""
    folder = entailment_folder(tmp_path, THREE)
    (folder / "tokenizer.json").write_bytes(b"{}")
    model = OnnxEntailment(folder)

    for asked in (model.prepare(), model.entailed([("a", "b")])):
        with pytest.raises(PortError, match=r"entailment: .*tokenizer\.json is not the file"):
            await asked


async def test_a_model_with_other_outputs_is_refused(tmp_path: Path) -> None:
    """One that has not a number for each label was described by another model's configuration."""
    folder = reranker_folder(tmp_path)
    (folder / "config.json").write_text(json.dumps({"id2label": dict(enumerate(THREE))}))
    assert 0 == main([str(folder), "--entailment"])

    with pytest.raises(PortError, match=r"shape \(1, 1\).* 3 labels: contradiction, ENTAILMENT, neutral"):
        await OnnxEntailment(folder).prepare()


async def test_what_is_no_number_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It neither proves nor refuses anything."""
    model = OnnxEntailment(entailment_folder(tmp_path, THREE))
    await model.prepare()
    monkeypatch.setattr("adapters.embedding.onnx_model.OnnxModel.run", lambda *_: (np.array([[inf, 0, 0]]), None))

    with pytest.raises(PortError, match="no numbers"):
        await model.entailed([("a", "b")])


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (None, r"config\.json cannot be read .*take it from where the model is from"),
        ("{", r"config\.json is not JSON"),
        ("[]", r"config\.json: "),
        ({"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}, "one of LABEL_0, LABEL_1 must be called entailment"),
        ({"id2label": {"0": "entailment", "2": "neutral"}}, "from 0 to 1"),
        ({"id2label": {"0": "entailment"}}, "at least 2"),
        ({"id2label": {str(n): f"entailment{n}"[: 10 + n] for n in range(4)}}, "at most 3"),
    ],
)
def test_a_configuration_that_does_not_say_what_entails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], config: object, words: str
) -> None:
    """It is not described, with the reason: guessing an order would turn every judgement round."""
    folder = reranker_folder(tmp_path)
    if config is not None:
        (folder / "config.json").write_text(config if isinstance(config, str) else json.dumps(config))

    assert 1 == main([str(folder), "--entailment"])
    assert re.search(words, capsys.readouterr().err)
    assert not (folder / "entailment.json").exists()


def test_a_folder_without_a_description(tmp_path: Path) -> None:
    """What is missing is named, with how to write it."""
    with pytest.raises(ConfigError, match=r"entailment.json .*adapters.embedding.describe"):
        OnnxEntailment(tmp_path)


async def test_cancelling_stops_before_the_next_batch(tmp_path: Path) -> None:
    """Who waits no longer leaves no task behind, and the next one is served."""
    model = OnnxEntailment(entailment_folder(tmp_path, THREE))
    await model.prepare()
    before = asyncio.all_tasks()
    call = asyncio.create_task(model.entailed([("a" * 200, "b")] * 5_000))
    await asyncio.sleep(0.01)

    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call

    assert asyncio.all_tasks() == before
    assert 1 == len(await asyncio.wait_for(model.entailed([("a", "b")]), 10))
