"""The benchmark of switching runs to its end: nobody sees two generations at once, and what is saved is found."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import switching
from benchmarks.switching import Library, asked_meanwhile, saved, scene_in
from bot.answering import Bot
from bot.wiring import make_model
from tests.adapters.search.shelf import Letters


async def test_questions_during_index_runs_see_one_generation_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While marks change in several pages at once, each question is told one of them, and newer ones as they come."""
    monkeypatch.setattr(switching, "_BETWEEN", 0.05)
    monkeypatch.setattr(switching, "_LEAST", 1)
    library = Library(tmp_path / "pages")
    library.make(6)
    async with scene_in(tmp_path / "data", library) as opened:
        stores = replace(opened.stores, embedder=Letters())
        scene = replace(opened, stores=stores, bot=Bot(stores, make_model(opened.settings), opened.settings))
        begun = await scene.begun()
        figures = await asked_meanwhile(scene, 40)
        found = await saved(scene, 1)

    assert begun["index s"] > 0
    kept = ("mixtures", "without a mark", "an older mark after a newer", "failures")
    assert dict.fromkeys(kept, 0) == {name: figures[name] for name in kept}, figures
    assert (True, True) == (figures["asked"] >= 40, figures["generations"] >= 1)
    assert "not found" not in found
