"""Which entailment model the settings name, who gets it, and what the doctor says of it."""

from pathlib import Path

import pytest

from adapters.embedding.entailment import OnnxEntailment
from bot.answering import Bot
from bot.doctor import _entailment
from bot.wiring import make_entailment, opened
from core.errors import ConfigError
from tests.adapters.embedding.tiny import entailment_folder
from tests.bot.terminal import footnote
from tests.bot.test_embedders import settings
from tests.doubles.models import ScriptedModel
from tests.doubles.shelves import Shelves

THREE = ("contradiction", "entailment", "neutral")


def test_without_a_setting_nothing_judges() -> None:
    """The rules alone count, and nothing is loaded."""
    assert make_entailment(settings()) is None


def test_a_folder_that_holds_no_such_model_is_refused(tmp_path: Path) -> None:
    """In a sentence, before anybody asks."""
    with pytest.raises(ConfigError, match=r"entailment\.json"):
        make_entailment(settings(entailment_folder=tmp_path))


async def test_questions_get_the_model_of_the_folder(tmp_path: Path) -> None:
    """It is opened with the rest, known by its description."""
    folder = entailment_folder(tmp_path / "model", THREE)
    async with opened(settings(FOOTNOTE_DATA_DIR=tmp_path, entailment_folder=folder)) as stores:
        assert isinstance(stores.entailment, OnnxEntailment)
        assert stores.entailment.id.startswith("tiny-reader/")


async def test_questions_are_asked_with_it_and_its_threshold(tmp_path: Path) -> None:
    """Over every generation it is the same one."""
    model = OnnxEntailment(entailment_folder(tmp_path, THREE))
    shelves = Shelves(entailment=model)
    await shelves.publish([])
    ports = await Bot(shelves, ScriptedModel(), settings(entailment_threshold=0.7)).ports()  # type: ignore[arg-type]

    assert ports is not None
    assert (model, 0.7) == (ports.entailment, ports.options.entailment_threshold)


async def test_the_doctor_tries_it_out(tmp_path: Path) -> None:
    """What is on, what judges nothing, and what is wrong each have their line; what is not set has none."""
    folder = entailment_folder(tmp_path, THREE)
    on = settings(entailment_folder=folder, answer_model=("openai/x",))
    idle = settings(entailment_folder=folder)
    [[works], [waits]] = [await _entailment(on), await _entailment(idle)]
    (folder / "model.onnx").write_bytes(b"another")
    [broken] = await _entailment(on)

    assert [] == await _entailment(settings())
    assert ["ok", "off", "wrong"] == [one.state for one in (works, waits, broken)]
    assert works.words.startswith("ENTAILMENT_FOLDER: tiny-reader/")
    assert "no ANSWER_MODEL writes" in waits.words
    assert f"{folder / 'model.onnx'} is not the file that was described" in broken.words


def test_the_doctor_names_a_wrong_folder_once(folder: Path, tmp_path: Path) -> None:
    """The data is well all the same, and the status says that something is wrong."""
    footnote("index", str(folder))
    outcome = footnote("doctor", ENTAILMENT_FOLDER=str(tmp_path / "nowhere"))

    assert 1 == outcome.status
    assert 1 == outcome.out.count("entailment.json")
    assert "✗ ENTAILMENT_FOLDER: " in outcome.out
    assert "✓ Data: " in outcome.out
