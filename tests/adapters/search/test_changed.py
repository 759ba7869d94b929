"""A search over the next generation that takes over what is loaded (R-27)."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from adapters.search.hybrid import HybridSearch
from core.ingest.document import Document
from core.ports import Found, SearchQuery
from tests.adapters.search.shelf import rows_of, shelve
from tests.core.corpus import EVERYBODY, page

GATEWAY = page("gateway.md", "The gateway needs a reset.\n\nAsk Anna first.", "Gateway")
LEAVE = page("отпуск.md", "Каждому положено 28 дней отпуска.", "Отпуск")
ROUTER = page("router.md", "The router hums at night.", "Router")
LONGER = page("отпуск.md", "Каждому положено 31 день отпуска. Шлюз закрыт.", "Отпуск")
PRINTER = page("printer.md", "The printer hums by day. Принтер гудит.", "Printer")
QUESTIONS = ("gateway reset", "сколько дней отпуска", "what hums", "шлюз", "принтер", "Anna", "router")
BEFORE, AFTER = (GATEWAY, LEAVE, ROUTER), (GATEWAY, LONGER, PRINTER)
DIFFERENT = ("отпуск.md", "router.md", "printer.md")


async def moved(search: HybridSearch, ids: Sequence[str], now: Sequence[Document]) -> HybridSearch:
    """Return the search after the documents `ids` have become what they are now, or have gone."""
    coming = [document for document in now if document.id in ids]
    passages, chunks = await rows_of(coming, search.registry)
    tables = await search.index.change(search.tables, ids, passages, chunks)
    return search.changed(tables, {one.id: one for one in now}, search.registry, ids)


async def answers(search: HybridSearch) -> list[list[tuple[str, str, float]]]:
    """Return what is found for each question, each fact with its score."""
    return [told(await search.find(SearchQuery(question), EVERYBODY)) for question in QUESTIONS]


def told(found: Found) -> list[tuple[str, str, float]]:
    """Return the facts in one order, as ties may come in any."""
    return sorted((fact.source.doc_id, str(fact.text), round(fact.score, 9)) for fact in found.facts)


@pytest.mark.parametrize("loaded", [True, False])
async def test_a_changed_search_finds_what_one_made_anew_does(tmp_path: Path, *, loaded: bool) -> None:
    """What came is found, what went is not, whether or not the search before had been asked anything."""
    search = await shelve(tmp_path / "one", BEFORE)
    if loaded:
        await search.warm()
    anew = await shelve(tmp_path / "other", AFTER)
    anew.registry = search.registry

    changed = await moved(search, DIFFERENT, AFTER)

    assert await answers(anew) == await answers(changed)


async def test_the_search_before_goes_on_as_it_was(tmp_path: Path) -> None:
    """Questions that are being answered over the old generation see nothing of the new one."""
    search = await shelve(tmp_path, BEFORE)
    before = await answers(search)

    changed = await moved(search, DIFFERENT, AFTER)
    await changed.warm()
    again = await moved(changed, ["gateway.md"], [LONGER, PRINTER])
    await again.warm()

    assert before == await answers(search)
    assert before != await answers(changed) != await answers(again)


async def test_only_what_changed_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading a changed search reads the rows of the documents that differ and no others."""
    search = await shelve(tmp_path, BEFORE)
    await search.warm()
    changed = await moved(search, DIFFERENT, AFTER)
    read = changed.index.chunks
    asked: list[object] = []

    async def noted(tables: object, doc_ids: object = None) -> list[dict[str, object]]:
        asked.append(doc_ids)
        return await read(tables, doc_ids)  # type: ignore[arg-type]

    monkeypatch.setattr(changed.index, "chunks", noted)
    await changed.warm()

    assert [frozenset(DIFFERENT)] == asked
