"""A reply to one source of the evidence is answered from that source alone, and says so."""

from dataclasses import replace

import pytest

from core.conversation import SourceAsked, Thread
from core.recall import Recall
from core.reply import words_of
from tests.core.test_pipeline import (
    IN_LOTSMAN,
    IN_SUFLER,
    TRUE,
    Memory,
    Shelf,
    ask,
    claimed,
    planned,
    ports,
    question,
)
from tests.doubles.models import ScriptedModel

SUFLER = SourceAsked("b.md", "Sufler")


def about(source: SourceAsked | None) -> Memory:
    return Memory(thread=Thread("console:1", (), about=source))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Where is RAG used?", "You asked about “Sufler”, so I looked only there."),
        ("Где применяется RAG?", "Вы спросили о «Sufler», поэтому я искал только там."),
    ],
)
async def test_only_the_source_is_looked_at(text: str, said: str) -> None:
    """The graph and the search both; the answer says why it leaves the others out."""
    shelf = Shelf([IN_LOTSMAN, IN_SUFLER], [IN_SUFLER])
    record = await ask(ports(shelf, memory=about(SUFLER)), question(text))

    assert {"b.md"} == {fact.source.doc_id for fact in record.payload.facts}
    assert said in [words_of(node.line) for node in record.reply.nodes if hasattr(node, "line")]


async def test_the_search_keeps_to_the_source_whatever_the_plan_asks() -> None:
    """Kinds of documents do not shut it out."""
    shelf = Shelf([], [IN_SUFLER])
    await ask(ports(shelf, memory=about(SUFLER)))

    assert shelf.searched
    assert {(("b.md",), ())} == {(query.doc_ids, query.doc_types) for query, _ in shelf.searched}


async def test_an_answer_from_one_source_is_not_recalled_for_all() -> None:
    """Nor is one from all of them recalled for a single source."""
    model = ScriptedModel([planned(), claimed(TRUE)] * 2)
    given = ports(Shelf([IN_LOTSMAN], [IN_LOTSMAN]), model, about(replace(SUFLER, doc_id=IN_LOTSMAN.source.doc_id)))
    given = replace(given, recall=Recall())
    await ask(given)
    second = await ask(replace(given, threads=Memory()), question(number=2))

    assert second.answer.notice is None
