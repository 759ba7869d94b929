"""What an index run makes quick to search is what is published: questions are asked of nothing else."""

from pathlib import Path

import pytest

from adapters.search import lance_settle
from adapters.search.lance import LanceIndex
from adapters.storage.catalog import SqlCatalog
from adapters.storage.database import Database
from bot.indexing import Indexer, collection_of
from core.ingest.generation import Tables
from tests.adapters.search.shelf import Letters
from tests.bot.terminal import footnote

_PAGES = {
    f"{n}.md": f"# Page {n}\n\nThe gateway {n} is in Berlin.\n\n## Отпуск\n\nВ отделе {n} дней.\n" for n in range(9)
}


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Return a folder of pages in both languages."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, text in _PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


async def test_what_is_published_is_settled(
    database: Database, tmp_path: Path, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The live generation's own versions have the indices, and a run that changed little goes on from these."""
    monkeypatch.setattr(lance_settle, "INDEXED_FROM", 1)
    catalog, index = SqlCatalog(database), LanceIndex(str(tmp_path / "index"), full_text=True)
    indexer = Indexer(catalog, index, Letters(), lambda *_: None, alone=True)
    seen = []
    for day in range(2):
        (pages / "1.md").write_text(f"# Page 1\n\nThe gateway is in Rome. Day {day}.\n", encoding="utf-8")
        await indexer.run(collection_of(pages))
        live = await catalog.live()
        assert live
        seen.append((live.tables.base, await index.ready(live.tables), await vector_indices(index, live.tables)))

    assert seen == [(1, True, 1), (1, True, 1)]


async def vector_indices(index: LanceIndex, tables: Tables) -> int:
    """Return how many indices over vectors a generation's passages have."""
    passages = await index._store.table(f"passages_g{tables.base}", tables.passages)
    return sum("vector" in found.columns for found in await passages.list_indices())


def test_words_are_found_where_they_lie(tmp_path: Path, pages: Path) -> None:
    """With `LEXICAL_ENGINE=lance` an index is made, asked in both languages, changed and asked again."""
    data = str(tmp_path / "data")

    def run(*arguments: str) -> str:
        done = footnote(*arguments, FOOTNOTE_DATA_DIR=data, LEXICAL_ENGINE="lance")
        assert done.err == ""
        return done.text

    run("index", str(pages))
    assert "The gateway 3 is in Berlin" in run("ask", "Where is gateway 3?")
    (pages / "3.md").write_text("# Page 3\n\nThe gateway 3 is in Rome.\n", encoding="utf-8")
    run("index", str(pages))
    assert "The gateway 3 is in Rome" in run("ask", "Where is gateway 3?")
    assert "В отделе 5 дней" in run("ask", "Сколько дней в отделе 5?")
