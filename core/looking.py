"""Looking things up for a question: what it needs of the outside, and what answers each reading of a doubtful one."""

from typing import Protocol

from core.asked import read_question
from core.asking import asking_terms
from core.calling import Tools
from core.clarify import Looked, answers_of, doubtful, settled
from core.context import build_context
from core.conversation import Question, Reading, Thread
from core.entities import Entity, EntityMatch
from core.executor import run_plan
from core.followup import Carried, FollowUp, FollowUpDecision, Standalone, in_own_words, recent
from core.leaning import asks_by_itself, is_general, opening_of, signs_of
from core.phrases import phrase
from core.plan import GraphQuery
from core.planning import Planning, PlanOptions, names_in, names_said, names_unknown, nearest_plan, nearest_reading
from core.ports import Embedder, Graph, Search, SearchQuery
from core.proof.backing import Held
from core.proof.words import read
from core.quoting import draft_quotes
from core.shortening import is_name
from core.text import terms

_AROUND = " \t\n?!.,…"


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
    if _may_be_new(question, own, matches) and await _only_answered_alone(question, own, matches, ports):
        because = phrase("because_answered", question.language)
        return Standalone(question.text, because)
    doubt = doubtful(question, own, matches, thread, ports.knowledge)
    if doubt is None:
        return decision
    readings = doubt.clarification.readings
    # A single reading is the one that is meant, whatever answers it.
    looked = [await _looked(one, question, ports) for one in readings] if len(readings) > 1 else [Looked(frozenset())]
    found = settled(own, doubt, answers_of(looked))
    return decision if found is own else found


def _may_be_new(question: Question, decision: FollowUpDecision, matches: tuple[EntityMatch, ...]) -> bool:
    """Return whether the message may be a question of its own: a known name, or whole behind an "and".

    What shares a word with the question before goes on with it: "And where did he work before?".
    """
    if not isinstance(decision, FollowUp) or decision.again or decision.own is not None or question.pressed:
        return False
    named = {one.entity.id for one in matches}
    if len(named) == 1 and not opening_of(question.text) and is_name(question.text):
        return True
    if not set(terms(question.text)).isdisjoint(terms(decision.carried.question)):
        return False
    signs = signs_of(question.text, [question.text[one.start : one.end] for one in matches])
    return asks_by_itself(signs, of_a_thing=bool(decision.carried.entities))


async def _only_answered_alone(
    question: Question, decision: FollowUpDecision, matches: tuple[EntityMatch, ...], ports: Looking
) -> bool:
    """Return whether the documents have nothing on the question as it goes on, and something on its words alone.

    Of a message that is a name and nothing else, what neither says that, nor stands on its page, is nothing on it.
    """
    whole = (decision.instead if isinstance(decision, FollowUp) else None) or decision.question
    entities = decision.carried.entities if isinstance(decision, FollowUp) else ()
    going_on = (await _looked(Reading(whole, "", entities), question, ports, question.text)).evidence
    name = matches[0].entity if matches and _is_all(matches[0], question.text) else None
    if any(name is None or _tells_of(name, doc_id, quote, ports) for doc_id, quote in going_on):
        return False
    return bool((await _looked(Reading(question.text, ""), question, ports)).evidence)


def _is_all(match: EntityMatch, text: str) -> bool:
    """Return whether the message is the name and nothing else: "without Kafka?" is told by what does not say it."""
    return text[match.start : match.end] == text.strip(_AROUND)


def _tells_of(name: Entity, doc_id: str, quote: str, ports: Looking) -> bool:
    return doc_id == name.page or any(match.entity.id == name.id for match in names_said(quote, ports.knowledge))


async def is_told_where_it_was(question: Question, carries: FollowUp, thread: Thread, ports: Looking) -> bool:
    """Return whether a page that the answer before quoted says all words of the question itself, as it goes on."""
    last = thread.answers or thread.last
    reading = Reading(carries.question, "", carries.carried.entities)
    looked = await _looked(reading, question, ports, question.text)
    known = asking_terms(question.text)
    added = [word for word in read(question.text).content if not (is_general(word.stem) or word.stem in known)]
    there = (quote for doc_id, quote in looked.evidence if last and doc_id in last.sources)
    return bool(added) and any(all(map(Held(read(quote).stems).holds, added)) for quote in there)


async def is_looked_up_there(question: Question, carries: FollowUp, ports: Looking) -> bool:
    """Return whether the structure answers the question of just what was spoken of: «Какой стек?» of that project.

    Only a look-up that the declared examples are near to counts, of a thing that the earlier question names.
    """
    named = {one.entity.id for one in names_said(carries.carried.question, ports.knowledge)}
    if not named or carries.own is not None:
        return False
    _, planned = await nearest_reading(carries, ports, question.asked_at)
    calls = [one for one in planned.plan.tool_calls if isinstance(one, GraphQuery) and one.entity_id in named]
    if planned.by != "examples" or not calls:
        return False
    payload = await run_plan(planned.plan, carries.question, tools_for(question, (), ports))
    return any(run.found > 0 for run in payload.runs if run.tool == "graph_query" and not run.fallback)


async def _looked(reading: Reading, question: Question, ports: Looking, typed: str = "") -> Looked:
    """Return which words of which documents answer the reading; none when nothing is near enough.

    `typed`: the words of it that were, where it goes on from a question before.
    """
    named = names_in(Standalone(reading.question, "", means=reading.entities), ports.knowledge)
    planned = await nearest_plan(read_question(reading.question, named, question.asked_at), ports)
    payload = await run_plan(planned.plan, reading.question, tools_for(question, named, ports))
    going_on = FollowUp(reading.question, Carried("", reading.entities), "")
    unknown = [names_unknown(going_on, typed, names_said(typed, ports.knowledge), ports.knowledge)] if typed else []
    context = build_context(reading.question, typed or reading.question, payload, planned.plan, *unknown)
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
