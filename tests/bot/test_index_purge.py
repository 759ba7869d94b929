"""What is purged is in no file any more, and what answers stays as it was."""

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.search.lance import LanceIndex
from adapters.storage.catalog import SqlCatalog
from adapters.storage.database import Database
from bot.index_purge import purged
from bot.indexing import Indexer, collection_of
from core.errors import ConfigError, SearchError
from core.ingest.generation import Tables
from tests.adapters.search.shelf import Letters
from tests.bot.terminal import Outcome, footnote, refused

# Words that nothing else in the data folder has.
_SECRETS = ("quibblezorp", "зюзюблик")
_QUESTIONS = ("Where is the gateway?", "Сколько дней отпуска?")
_PAGES = {
    "vpn.md": "# VPN\n\nThe gateway is in Berlin.\n",
    "отпуск.md": "# Отпуск\n\nПоложено 27 дней отпуска.\n",
    "secret.md": f"# Secret\n\nThe password is {_SECRETS[0]}.\n",
    "тайна.md": f"# Тайна\n\nПароль {_SECRETS[1]}.\n",
}


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Return a folder of pages, two of which are to go."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, text in _PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def told_in(data: Path) -> list[str]:
    """Return the files in which one of the secrets stands."""
    words = [secret.encode() for secret in _SECRETS]
    files = [path for path in data.rglob("*") if path.is_file() and any(word in path.read_bytes() for word in words)]
    return [path.relative_to(data).as_posix() for path in files]


@pytest.mark.parametrize("engine", ["memory", "lance"])
def test_nothing_of_a_removed_page_stays(engine: str, tmp_path: Path, pages: Path) -> None:
    """A removed page stays in old files, and in no file at all once that is asked for; the rest answers as before."""
    data = tmp_path / "data"

    def run(*arguments: str) -> Outcome:
        return footnote(*arguments, FOOTNOTE_DATA_DIR=str(data), LEXICAL_ENGINE=engine)

    run("index", str(pages))
    for name in ("secret.md", "тайна.md"):
        (pages / name).unlink()
    for day in (1, 2):
        (pages / "vpn.md").write_text(f"# VPN\n\nThe gateway is in Berlin. Day {day}.\n", encoding="utf-8")
        run("index", str(pages))
    before = [run("ask", question).out for question in _QUESTIONS]
    held = told_in(data)
    purged = run("reindex", "--purge")
    after = [run("ask", question).out for question in _QUESTIONS]

    assert any(name.startswith("index/") for name in held)
    assert purged.status == 0, purged.err
    assert "2 documents" in purged.out
    assert "nothing is left" in purged.out
    assert told_in(data) == []
    assert before == after
    assert ["Berlin" in before[0], "27 дней" in before[1]] == [True, True]
    assert "no index to go back to" in refused(run("reindex", "--rollback"))
    assert "Nothing has changed" in run("index", str(pages)).out


async def test_the_live_index_is_the_same_in_tables_of_its_own(database: Database, tmp_path: Path, pages: Path) -> None:
    """Over either database one generation is left, with the same rows and nothing embedded, and the next run knows it.

    An index run that was cut short is refused: what it has stored would stay.
    """
    catalog, index = SqlCatalog(database), LanceIndex(str(tmp_path / "index"))
    embedder = Letters()
    indexer = Indexer(catalog, index, embedder, lambda *_: None)
    stores: Any = SimpleNamespace(catalog=catalog, index=index, embedder=embedder, database=database)
    await indexer.run(collection_of(pages))
    (pages / "secret.md").unlink()
    await indexer.run(collection_of(pages))
    before = await catalog.live()
    assert before
    rows = [row["tokens"] for row in await index.chunks(before.tables)]

    report = await purged(stores, indexer)

    (live,) = await catalog.all()
    assert (live.state, live.tables.base, report.embedded) == ("live", live.number, 0)
    assert [row["tokens"] for row in await index.chunks(live.tables)] == rows
    assert [path.name for path in sorted((tmp_path / "index").iterdir())] == [
        f"{name}_g{live.number}.lance" for name in ("chunks", "passages")
    ]
    assert not (await indexer.run(collection_of(pages))).changes.any
    assert await catalog.begin(live.make, live.title)
    with pytest.raises(ConfigError, match="another index run is under way"):
        await purged(stores, indexer)


async def test_a_purge_that_fails_leaves_the_index_as_it_was(
    database: Database, tmp_path: Path, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The live index answers on, and the next index run clears away what was begun."""
    catalog, index, embedder = SqlCatalog(database), LanceIndex(str(tmp_path / "index")), Letters()
    indexer = Indexer(catalog, index, embedder, lambda *_: None)
    stores: Any = SimpleNamespace(catalog=catalog, index=index, embedder=embedder, database=database)
    await indexer.run(collection_of(pages))

    async def full(*_: object) -> Tables:
        raise SearchError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(index, "settle", full)
        with pytest.raises(SearchError, match="full"):
            await purged(stores, indexer)

    with pytest.raises(ConfigError, match="did not end"):
        await purged(stores, indexer)
    live = await catalog.live()
    assert live
    assert len(await index.chunks(live.tables)) == len(_PAGES)
    assert not (await indexer.run(collection_of(pages))).changes.any
    assert [one.state for one in await catalog.all()] == ["live"]
    assert (await purged(stores, indexer)).counts["documents"] == len(_PAGES)


def test_what_cannot_be_purged_is_said(tmp_path: Path, pages: Path) -> None:
    """Without an index, and with one whose tables are lost, there is nothing to purge; two orders are refused."""
    data = tmp_path / "data"

    def run(*arguments: str) -> Outcome:
        return footnote(*arguments, FOOTNOTE_DATA_DIR=str(data))

    assert "nothing is indexed yet" in refused(run("reindex", "--purge"))
    assert "give one of" in run("reindex", "--purge", "--rollback").err
    run("index", str(pages))
    shutil.rmtree(data / "index")
    assert run("reindex", "--purge").status == 0
    assert "Berlin" in run("ask", "Where is the gateway?").out
