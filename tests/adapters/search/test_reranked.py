"""A reranker decides the order of the best chunks, and is missed by nobody when it fails."""

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path

import pytest

from adapters.search import hybrid
from adapters.search.hybrid import HybridSearch
from core.errors import ModelTimeout
from core.ports import SearchQuery
from tests.adapters.search.shelf import shelve
from tests.core.corpus import EVERYBODY, page

PAGES = [
    page("one.md", "The gateway is reset with a key.", "Gateway"),
    page("two.md", "The gateway is old.", "Age"),
    page("три.md", "Шлюз gateway сбрасывают ключом.", "Шлюз"),
]
QUESTION = "How is the gateway reset?"


class Stub:
    """Puts the text with a word first; `fails` is raised instead."""

    id = "stub"

    def __init__(self, word: str, fails: Exception | None = None, seconds: float = 0.0) -> None:
        self.word, self.fails, self.seconds = word, fails, seconds
        self.asked: list[Sequence[str]] = []

    async def prepare(self) -> None:
        pass

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        self.asked.append(texts)
        await asyncio.sleep(self.seconds)
        if self.fails:
            raise self.fails
        return [5.0 if self.word in text else -1.0 for text in texts]


@pytest.fixture
async def search(tmp_path: Path) -> HybridSearch:
    """Give a search over three pages without a reranker."""
    return await shelve(tmp_path, PAGES)


async def found(search: HybridSearch, limit: int = 8) -> list[tuple[str, float]]:
    """Return the documents and scores of what is found."""
    facts = (await search.find(SearchQuery(QUESTION, limit=limit), EVERYBODY)).facts
    return [(fact.source.doc_id, fact.score) for fact in facts]


@pytest.mark.parametrize(("word", "first"), [("old", "two.md"), ("сбрасывают", "три.md")])
async def test_the_reranker_puts_the_best_first(search: HybridSearch, word: str, first: str) -> None:
    """What it likes best comes first, even where only one is wanted; scores stay those of the search."""
    plain = await found(search)
    search.reranker = Stub(word)

    ranked = await found(search)

    assert [first] == [doc for doc, _ in await found(search, limit=1)]
    assert first == ranked[0][0]
    assert [score for _, score in plain] == [score for _, score in ranked]


async def test_it_reads_the_text_with_what_stands_above(search: HybridSearch) -> None:
    """Title and headings are read with each chunk."""
    search.reranker = stub = Stub("x")

    await found(search)

    assert {f"{one.title}\n{one.text.splitlines()[-1]}" for one in PAGES} == {*stub.asked[0]}


@pytest.mark.parametrize("how", ["fails", "slow"])
async def test_the_order_stays_when_it_fails(
    search: HybridSearch, how: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A reranker that fails or takes too long changes nothing but the log."""
    monkeypatch.setattr(hybrid, "_JUDGING", 0.05)
    plain = await found(search)
    search.reranker = Stub("old", ModelTimeout("no answer")) if how == "fails" else Stub("old", seconds=30)

    with caplog.at_level(logging.WARNING, "footnote"):
        assert plain == await found(search)

    assert "Reranking failed" in caplog.text
