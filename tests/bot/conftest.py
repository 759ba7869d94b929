"""Fixtures for the tests of the program."""

import asyncio
import shutil
from pathlib import Path

import pytest

from adapters.embedding.universal import UniversalEmbedder
from bot import wiring
from tests.bot.terminal import VARIABLES
from tests.corpora import Indexes


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, embedder: UniversalEmbedder) -> Path:
    """Return an empty working folder, with nothing set but a data folder in it, and the encoder loaded once for all."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("FOOTNOTE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(wiring, "UniversalEmbedder", lambda _: embedder)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def indexed_handbook(indexes: Indexes) -> Path:
    """Return a data folder with the indexed handbook, to be copied."""
    return asyncio.run(indexes.copy("handbook"))


@pytest.fixture
def handbook_data(indexed_handbook: Path, elsewhere: Path) -> Path:
    """Return the data folder, in which the handbook is indexed."""
    return Path(shutil.copytree(indexed_handbook, elsewhere / "data"))


@pytest.fixture
def folder(elsewhere: Path) -> Path:
    """Return a folder of two documents that are quick to index."""
    place = elsewhere / "documents"
    place.mkdir()
    (place / "tea.md").write_text("# Tea\n\nTea is served at four o'clock in the garden.\n", "utf-8")
    (place / "чай.md").write_text("# Кофе\n\nКофе подают в восемь утра в зале.\n", "utf-8")
    return place
