"""Looking things up for a question: what it needs of the outside, and what answers each reading of a doubtful one."""

from typing import Protocol

from core.asked import read_question
from core.calling import Tools
from core.clarify import Looked, answers_of, doubtful, settled
from core.context import build_context
from core.conversation import Question, Reading, Thread
from core.entities import EntityMatch
from core.executor import run_plan
from core.followup import FollowUpDecision, Standalone, in_own_words, recent
from core.planning import Planning, PlanOptions, names_in, nearest_plan
from core.ports import Embedder, Graph, Search, SearchQuery
from core.quoting import draft_quotes


class LookOptions(PlanOptions, Protocol):
    """The settings that shape a plan, and how it is run."""

    @property
    def tool_seconds(self) -> float:
        """The most seconds that the calls of a plan may take."""

    @property
    def hierarchical(self) -> bool:
        """Whether a search looks for documents first."""


class Looking(Planning, Protocol):
    """What planning needs of the outside, and running the plan."""

    @property
    def graph(self) -> Graph:
        """The documents' structure."""

    @property
    def search(self) -> Search:
        """The documents' words."""

    @property
    def options(self) -> LookOptions:
        """The settings."""


def tools_for(question: Question, matches: tuple[EntityMatch, ...], ports: Looking) -> Tools:
    """Return what a plan may call, for those who read the reply."""
    options = ports.options
    return Tools(
        ports.graph,
        ports.search,
        {intent.name: intent for intent in ports.knowledge.intents},
        question.audience,
        hierarchical=options.hierarchical,
        entities=ports.knowledge.registry.entities,
        named=frozenset(match.entity.id for match in matches),
        max_calls=options.max_tool_calls,
        seconds=options.tool_seconds,
    )


async def clarified(
    question: Question, decision: FollowUpDecision, matches: tuple[EntityMatch, ...], thread: Thread, ports: Looking
) -> FollowUpDecision:
    """Return the decision, or Unclear when the question can be read in ways that the documents answer differently.

    No model is asked for that: the readings are compared by the documents' own words. Raises PortError.
    """
    own = in_own_words(decision)
    doubt = doubtful(question, own, matches, thread, ports.knowledge)
    if doubt is None:
        return decision
    readings = doubt.clarification.readings
    # A single reading is the one that is meant, whatever answers it.
    looked = [await _looked(one, question, ports) for one in readings] if len(readings) > 1 else [Looked(frozenset())]
    found = settled(own, doubt, answers_of(looked))
    return decision if found is own else found


async def _looked(reading: Reading, question: Question, ports: Looking) -> Looked:
    """Return which words of which documents answer the reading; none when nothing is near enough."""
    named = names_in(Standalone(reading.question, "", means=reading.entities), ports.knowledge)
    planned = await nearest_plan(read_question(reading.question, named, question.asked_at), ports)
    payload = await run_plan(planned.plan, reading.question, tools_for(question, named, ports))
    context = build_context(reading.question, reading.question, payload, planned.plan)
    pointers = [pointer for claim in draft_quotes(context).claims for pointer in claim.evidence]
    quoted = ((context.numbered(one.fact), one.quote) for one in pointers)
    evidence = frozenset((fact.source.doc_id, quote) for fact, quote in quoted if fact)
    own = [run.found > 0 for run in payload.runs if run.tool == "graph_query" and not run.fallback]
    return Looked(evidence, any(own) if own else None)


async def is_known(question: Question, thread: Thread, search: Search) -> bool:
    """Return whether just one document has a place that is headed by all that the question asks for.

    Or several have, and the answer before it came from none of these: then it is not asked of that one.
    """
    found = await search.find(SearchQuery(question.text), question.audience)
    asked = {term for term, weight in found.weights.items() if weight > 0}
    headed = {fact.source.doc_id for fact in found.facts if asked <= fact.around} if asked else set()
    last = thread.answers or thread.last
    return len(headed) == 1 or (bool(headed and last) and headed.isdisjoint(last.sources if last else ()))


async def nearness_of(question: str, thread: Thread, embedder: Embedder) -> float:
    """Return the cosine between the question and the nearest of the latest earlier ones."""
    earlier = [turn.standalone for turn in recent(thread).turns]
    own, *others = await embedder.embed([question, *earlier], "query")
    return max(sum(a * b for a, b in zip(own, other, strict=True)) for other in others)
