"""Lists are complete (R-14): every item of sets written by hand, each once, from the graph and by search alone."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from adapters.loaders.corpus import load_corpus
from core.context import AnswerContext, build_context
from core.conversation import Audience, Question
from core.facts import Fact, FactsPayload
from core.ingest.corpus import CorpusGraph
from core.ingest.domain import read_domain
from core.ingest.graph import query_graph
from core.listing import with_rest
from core.merging import as_written
from core.outside import Ports
from core.pipeline import answer_question
from core.plan import GraphQuery, Intent, Limits, QueryPlan
from core.quoting import draft_quotes
from core.turn import TurnRecord
from core.verify import verify
from tests.core.corpus import NOON, intent
from tests.corpora import EXAMPLES, Company, new_thread
from tests.golden.test_lists import graph_of

pytestmark = pytest.mark.asyncio(loop_scope="session")

# Nobody presses "more" more often than that for the lists of the examples.
_MOST_PAGES = 12
# The share of all items that search alone must find.
_BY_SEARCH = 0.95


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for a list, and the items that answer it; `intent` is what the corpus declares for it, if anything."""

    id: str
    corpus: str
    lang: str
    question: str
    document: str
    heading: str
    intent: str | None
    entity: str | None
    items: tuple[str, ...]

    def __str__(self) -> str:
        return self.id

    def missing_in(self, said: Sequence[str]) -> list[str]:
        """Return the items that are not among what was said."""
        told = {_bare(one) for one in said}
        return [item for item in self.items if _bare(item) not in told]


def _bare(text: str) -> str:
    return as_written(text).rstrip(".;, ")


def _asked() -> list[Asked]:
    lines = Path(__file__).with_name("lists.jsonl").read_text("utf-8").splitlines()
    return [Asked(**{**one, "items": tuple(one["items"])}) for one in map(json.loads, lines)]


LISTS = _asked()


@cache
def known(corpus: str) -> tuple[CorpusGraph, dict[str, Intent]]:
    """Return the graph of an example and the intents that it declares."""
    declared = read_domain(load_corpus(EXAMPLES / corpus).domain)
    return graph_of(corpus), {one.name: one for one in declared.intents}


def looked_up(asked: Asked) -> tuple[Fact, ...]:
    """Return what the graph holds: by the declared intent, else the section of the page of the entity it is about."""
    graph, intents = known(asked.corpus)
    names = (id_ for id_, entity in graph.registry.entities.items() if entity.page == asked.document)
    entity = asked.entity or next(names, None)
    kind = intents[asked.intent] if asked.intent else intent("LISTED", "section", headings=(asked.heading,))
    if entity is None:
        return ()
    return query_graph(graph, GraphQuery(intent=kind.name, entity_id=entity), kind, Audience("local"))


def page_of(asked: Asked, facts: Sequence[Fact], seen: frozenset[str], limit: int) -> tuple[AnswerContext, QueryPlan]:
    """Return the context of one page of the list."""
    call = GraphQuery(intent=asked.intent or "LISTED", entity_id="x")
    plan = QueryPlan(intents=(call.intent,), tool_calls=(call,), limits=Limits(max_items=limit))
    return build_context(asked.question, asked.question, FactsPayload(tuple(facts)), plan, seen=seen), plan


@pytest.mark.parametrize("limit", [4, 10])
@pytest.mark.parametrize("asked", LISTS, ids=str)
async def test_what_the_graph_holds_is_listed_to_the_end(asked: Asked, limit: int) -> None:
    """Each page is full up to the limit, says exactly what is left, and the pages are the list: all of it, in order."""
    facts = looked_up(asked)
    said: list[str] = []
    seen: frozenset[str] = frozenset()
    before = None
    for _ in range(len(asked.items)):
        context, plan = page_of(asked, facts, seen, limit)
        answer, before = with_rest(verify(draft_quotes(context), context), context, plan, asked.question, before)
        said += [claim.text for claim in answer.claims]

        assert min(limit, len(asked.items) - len(seen)) == len(answer.claims)
        assert len(asked.items) - len(said) == answer.remaining
        if not answer.remaining:
            break
        assert before is not None
        seen = frozenset(before.seen)

    assert list(asked.items) == said


class NoGraph:
    """A graph that holds nothing."""

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        return ()


async def told(company: Company, text: str, thread: str, number: int) -> TurnRecord:
    """Return the record of a question that is answered by search alone."""
    ports = await company.bot.ports()
    assert ports is not None
    given: Ports = replace(ports, graph=NoGraph())
    asked = Question(f"{thread}:{number}", "console", thread, text, "U1", Audience("local"), NOON)
    record = await answer_question(asked, given)
    assert isinstance(record, TurnRecord)
    return record


async def by_search(company: Company, asked: Asked) -> list[str]:
    """Return all that is listed by search alone, asking for more until there is no more."""
    thread, said = new_thread(), []
    record = await told(company, asked.question, thread, 0)
    for number in range(1, _MOST_PAGES):
        said += [claim.text for claim in record.answer.claims]
        if not record.answer.remaining:
            break
        left = record.answer.remaining
        record = await told(company, "ещё" if asked.lang == "ru" else "show the rest", thread, number)
        assert left == record.answer.remaining + len(record.answer.claims)
    return said


async def test_search_alone_finds_the_lists(portfolio: Company, handbook: Company) -> None:
    """With the graph switched off most items are told, nothing is told twice, and what is left is counted exactly."""
    found, wanted, gaps = 0, 0, []
    for asked in LISTS:
        said = await by_search(portfolio if asked.corpus == "portfolio" else handbook, asked)
        missing = asked.missing_in(said)
        found, wanted = found + len(asked.items) - len(missing), wanted + len(asked.items)
        gaps += [f"{asked.id} {asked.question}: {len(missing)} of {len(asked.items)}"] if missing else []

        assert len(set(map(_bare, said))) == len(said), asked.question

    assert found >= _BY_SEARCH * wanted, "\n".join([f"{found} of {wanted}", *gaps])
