"""A logged answer can be looked at again: what it was based on, and whether that still proves it."""

import json
from dataclasses import replace
from typing import Any

import pytest

from adapters.storage.audit import SqlAudit
from bot.replay import Replay, in_words, replayed
from core.audited import Wanted
from core.result import result_of
from tests.corpora import Company

pytestmark = pytest.mark.asyncio(loop_scope="session")

QUESTION = "How many vacation days do I get?"


async def logged(company: Company, question: str) -> dict[str, Any]:
    """Return what the log holds of the answer."""
    record = await company.ask(question)
    [entry] = await SqlAudit(company.stores.database).search(Wanted(), 1)
    data: dict[str, Any] = json.loads(json.dumps(dict(entry.record)))
    assert json.loads(json.dumps(result_of(record))) == data
    return data


async def test_an_answer_stands_on_its_own_index(handbook: Company) -> None:
    """Every quote stands at its place in the index that was answered from, and proves what was said."""
    record = await logged(handbook, QUESTION)
    replay = await replayed(record, handbook.stores)

    assert replay.holds
    assert record["generation"] == replay.generation == replay.over
    assert replay.evidence
    assert all(claim.fault is None for claim in replay.claims)
    assert "word for word" in in_words(replay)


async def test_a_russian_answer_too(portfolio: Company) -> None:
    """The same for a list in Russian."""
    record = await logged(portfolio, "Где применял RAG?")
    replay = await replayed(record, portfolio.stores)

    assert replay.holds
    assert len(replay.claims) > 1


async def test_an_index_that_is_gone_is_said(handbook: Company) -> None:
    """Then the live one is looked into, and the answer says so."""
    record = await logged(handbook, QUESTION) | {"generation": 999}
    replay = await replayed(record, handbook.stores)

    assert replay.holds
    assert (999, record["generation"]) == (replay.generation, 999)
    assert "is gone; this is what the live one" in in_words(replay)


@pytest.mark.parametrize(
    ("change", "fate", "words"),
    [
        ({"text_snippet": "99 working days"}, "changed", "does not stand in the document any more"),
        ({"doc_id": "gone.md"}, "gone", "the document is gone"),
        ({"start": 0, "end": 5}, "moved", "at another place"),
    ],
)
async def test_what_has_become_of_a_quote_is_said(
    handbook: Company, change: dict[str, Any], fate: str, words: str
) -> None:
    """A quote that is not there any more proves nothing."""
    record = await logged(handbook, QUESTION)
    record["citations"] = [one | change for one in record["citations"]]
    replay = await replayed(record, handbook.stores)

    assert not replay.holds
    assert fate in {one.fate for one in replay.evidence}
    assert words in in_words(replay)
    if fate != "moved":
        assert all(claim.fault for claim in replay.claims)


async def test_a_statement_that_its_quote_does_not_prove_is_named(handbook: Company) -> None:
    """The checks of every answer are made again, without a model."""
    record = await logged(handbook, QUESTION)
    record["claims"] = [
        one | {"text": "Everybody gets 99 days in Rome.", "verdict": "supported"} for one in record["claims"]
    ]
    replay = await replayed(record, handbook.stores)

    assert not replay.holds
    assert "does not hold: Everybody gets 99 days in Rome." in in_words(replay)


async def test_without_any_index_nothing_can_be_looked_up() -> None:
    """That is said in so many words."""
    replay = Replay("Где?", "Там.", 3, None, (), ())

    assert "No index is there any more" in in_words(replay)
    assert not replace(replay, claims=()).evidence
