"""One message, ten steps: from a question to a reply that shows nothing unproven.

open_turn → resolve_entities → decide_follow_up → make_plan → run_plan → build_context → draft_answer → verify →
apply_policy → render; then the turn is closed. The core's only `except PortError` stands here.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from core.answer import Abstain, Answer, Draft, Rejection
from core.answering import draft_with_model
from core.context import AnswerContext, build_context
from core.conversation import AlreadyAnswered, Question, Thread
from core.delivery import Part
from core.entities import EntityMatch, resolve_entities, unknown_names
from core.errors import PortError
from core.executor import Tools, run_plan
from core.followup import Doubt, FollowUp, FollowUpDecision, decide_follow_up, read_as, settle
from core.phrases import phrase
from core.planner import IntentIndex, Planned, PlanRules, mask, plan_by_examples, plan_with_model
from core.policy import apply_policy
from core.ports import Clock, Embedder, Graph, Knowledge, LanguageModel, Search, SearchQuery, Threads
from core.prompts import NamedEntity, PlannerInput
from core.quoting import draft_quotes, nearest_facts
from core.render import render, say
from core.reply import RenderedReply
from core.rewriting import Rewriting, rewrite
from core.text import language_of
from core.turn import TurnRecord
from core.verify import verify, with_confidence

# Longer questions are pasted documents; Slack takes messages of up to 40,000 characters, Telegram 4,096.
MAX_QUESTION = 4_000
_MIN_LETTERS = 2

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Options:
    """The settings that shape an answer (R-28)."""

    plan_confidence: float = 0.5
    max_tool_calls: int = 5
    planner_max_tokens: int = 600
    factual_max_tokens: int = 500
    summary_max_tokens: int = 1_000
    hierarchical: bool = False


@dataclass(frozen=True, slots=True)
class Ports:
    """The outside, as one question needs it."""

    threads: Threads
    search: Search
    graph: Graph
    model: LanguageModel
    embedder: Embedder
    clock: Clock
    new_marker: Callable[[], str]
    knowledge: Knowledge
    intents: Callable[[], Awaitable[IntentIndex]]
    options: Options = Options()
    # The messages in which the reply will be seen; nothing is to be sent where it is printed.
    parts: Callable[[RenderedReply], tuple[Part, ...]] = lambda _: ()


async def answer_question(question: Question, ports: Ports) -> TurnRecord | AlreadyAnswered:
    """Return the record of the answered question. Raises PortError when not even quotes can be had."""
    watch = Stopwatch(ports.clock)
    thread = await open_turn(question, ports)
    if isinstance(thread, AlreadyAnswered):
        return thread
    matches = resolve_entities(question.text, ports.knowledge.registry)
    decision, model_was_asked = await decide(question, matches, thread, ports)
    watch.lap("understand")
    planned = await make_plan(decision, matches, ports, tries=1 if model_was_asked else 2)
    watch.lap("plan")
    payload = await run_plan(planned.plan, decision.question, _tools(question, ports))
    watch.lap("search")
    names = unknown_names(question.text, matches)
    context = build_context(decision.question, question.text, payload, planned.plan, names)
    draft = await draft_answer(context, ports)
    watch.lap("draft")
    verified = with_confidence(await verify_answer(draft, context, ports), payload.coverage)
    answer = apply_policy(verified, found=payload.found)
    watch.lap("verify")
    reply = render(answer, planned.plan.render_style)
    watch.lap("render")
    record = TurnRecord(
        question=question,
        decision=decision,
        plan=planned.plan,
        planned_by=planned.by,
        payload=payload,
        answer=replace(answer, tokens=answer.tokens + planned.tokens),
        reply=reply,
        seconds=watch.total(),
        finished_at=ports.clock.now(),
        timings=tuple(watch.laps),
        problems=tuple(filter(None, (planned.problem, answer.problem))),
    )
    return await close_turn(record, ports)


async def reply_to(
    question: Question, ports: Ports, reference: Callable[[PortError], str], note: Callable[[str], None]
) -> None:
    """Store the one visible reply to a question, whatever fails. Raises PortError when it cannot be stored.

    `note` is told what failed on the way without hindering an answer.
    """
    if (remark := unanswerable(question.text)) is not None:
        return await ports.threads.close(question, ports.parts(remark))
    outcome = await or_failure(answer_question(question, ports))
    match outcome:
        case TurnRecord():
            for problem in outcome.problems:
                note(problem)
        case PortError():
            await ports.threads.close(question, ports.parts(failed(question, reference(outcome))))
    return None


def failed(question: Question, reference: str) -> RenderedReply:
    """Return the sentence that there is no answer this time, with the reference under which the log says why."""
    language = language_of(question.text)
    return say(phrase("failed", language, reference=reference), language)


async def or_failure(step: Awaitable[T]) -> T | PortError:
    """Return the step's result, or as a value why the outside failed."""
    try:
        return await step
    except PortError as failure:
        return failure


def unanswerable(text: str) -> RenderedReply | None:
    """Return what to say to an empty or an endless message, or None for a question."""
    language = language_of(text)
    if sum(char.isalpha() for char in text) < _MIN_LETTERS:
        return say(phrase("empty", language), language)
    if len(text) > MAX_QUESTION:
        return say(phrase("too_long", language, length=len(text), limit=MAX_QUESTION), language)
    return None


async def open_turn(question: Question, ports: Ports) -> Thread | AlreadyAnswered:
    """Return the thread's earlier turns, or that this question has been dealt with."""
    return await ports.threads.open(question)


async def decide(
    question: Question, matches: tuple[EntityMatch, ...], thread: Thread, ports: Ports
) -> tuple[FollowUpDecision, bool]:
    """Return whether the question leans on the thread, and whether a model was asked for that.

    Where its words do not tell, the documents do, or the model's reading if it holds, or how near it is to the thread.
    """
    decision = decide_follow_up(question.text, matches, thread, question.asked_at)
    if not isinstance(decision, Doubt):
        return decision, False
    if await _is_known(question, ports):
        return settle(decision, nearness=0.0, is_known=True), False
    asks = ports.model.offers("planner")
    read = await or_failure(rewrite(question.text, thread, ports.model)) if asks else None
    if isinstance(read, Rewriting):
        return read_as(decision, read.question if read.carried else None), True
    return settle(decision, nearness=await nearness_of(question.text, thread, ports.embedder), is_known=False), asks


async def nearness_of(question: str, thread: Thread, embedder: Embedder) -> float:
    """Return the cosine between the question and the nearest of the earlier ones."""
    own, *earlier = await embedder.embed([question, *(turn.question for turn in thread.turns)], "query")
    return max(sum(a * b for a, b in zip(own, other, strict=True)) for other in earlier)


async def _is_known(question: Question, ports: Ports) -> bool:
    """Return whether just one document has a place that is headed by all that the question asks for."""
    found = await ports.search.find(SearchQuery(question.text), question.audience)
    asked = {term for term, weight in found.weights.items() if weight > 0}
    return bool(asked) and 1 == len({fact.source.doc_id for fact in found.facts if asked <= fact.around})


async def make_plan(
    decision: FollowUpDecision, matches: tuple[EntityMatch, ...], ports: Ports, *, tries: int = 2
) -> Planned:
    """Return a valid plan: the model's in so many tries, else that of the nearest declared example, else the default.

    A question costs four calls at most: one for its reading or for a second plan, and two for its answer.
    """
    failure: PortError | None = None
    if ports.model.offers("planner"):
        planned = await or_failure(
            plan_with_model(_planner_input(decision, matches, ports), _rules(ports), ports.model, tries)
        )
        if isinstance(planned, Planned):
            return planned
        failure = planned
    planned = await _plan_by_examples(decision, ports)
    return replace(planned, problem=str(failure)) if failure else planned


async def _plan_by_examples(decision: FollowUpDecision, ports: Ports) -> Planned:
    named = resolve_entities(decision.question, ports.knowledge.registry)
    [vector] = await ports.embedder.embed([mask(decision.question, named)], "query")
    return plan_by_examples(decision.question, named, vector, await ports.intents())


async def draft_answer(context: AnswerContext, ports: Ports) -> Draft:
    """Return the model's draft; without a model, or when it fails, one of the documents' own words."""
    if not context.facts or not ports.model.offers("answer"):
        return draft_quotes(context)
    draft = await or_failure(_written(context, ports))
    if isinstance(draft, PortError):
        return replace(draft_quotes(context), failure=str(draft))
    if draft.abstain and not draft.abstain.nearest:
        return replace(draft, abstain=Abstain(nearest_facts(context)))
    return draft


async def verify_answer(draft: Draft, context: AnswerContext, ports: Ports) -> Answer:
    """Return what holds of the draft: failing claims are written again once, then replaced by their quotes or dropped.

    When nothing that was written holds, the documents' own words answer.
    """
    answer = verify(draft, context, last=False)
    written = any(not claim.verbatim for claim in draft.claims)
    if written and answer.rejected:
        answer = await _repaired(draft, answer, context, ports)
    if written and answer.is_refusal:
        quotes = verify(draft_quotes(context), context)
        answer = replace(quotes, tokens=answer.tokens, rejected=answer.rejected)
    if draft.failure:
        answer = replace(answer, notice=phrase("quotes_only", context.language), problem=draft.failure)
    return answer


async def close_turn(record: TurnRecord, ports: Ports) -> TurnRecord:
    """Return the record once the turn, its audit entry and the messages to send are stored."""
    await ports.threads.close(record.question, ports.parts(record.reply), record)
    return record


async def _repaired(draft: Draft, answer: Answer, context: AnswerContext, ports: Ports) -> Answer:
    """Return the answer after one more try at its failing claims; what still fails becomes its quote or is dropped."""
    failing = {one.claim for one in answer.rejected}
    first = replace(draft, claims=tuple(claim for claim in draft.claims if claim.text in failing))
    again = await or_failure(_written(context, ports, answer.rejected))
    second = None if isinstance(again, PortError) or not again.claims else verify(again, context)
    repaired = second if second and not second.is_refusal else verify(first, context)
    settled = len(repaired.claims) + len(repaired.rejected)
    known = {claim.text for claim in answer.claims}
    claims = (*answer.claims, *(claim for claim in repaired.claims if claim.text not in known))
    tokens = answer.tokens + (0 if isinstance(again, PortError) else again.tokens)
    return replace(
        answer,
        claims=claims,
        rejected=(*repaired.rejected, *answer.rejected[settled:]),
        is_refusal=not claims,
        tokens=tokens,
    )


async def _written(context: AnswerContext, ports: Ports, rejected: tuple[Rejection, ...] = ()) -> Draft:
    options = ports.options
    max_tokens = options.summary_max_tokens if context.kind == "summary" else options.factual_max_tokens
    return await draft_with_model(context, ports.model, ports.new_marker, max_tokens, rejected)


def _planner_input(decision: FollowUpDecision, matches: tuple[EntityMatch, ...], ports: Ports) -> PlannerInput:
    earlier = decision.carried if isinstance(decision, FollowUp) else None
    registry = ports.knowledge.registry
    carried = earlier.entities if earlier else ()
    named = [match.entity for match in matches]
    named += [registry.entities[id_] for id_ in carried if id_ in registry.entities]
    return PlannerInput(
        question=decision.question,
        entities=tuple(dict.fromkeys(NamedEntity(e.id, e.name, e.type) for e in named)),
        earlier_question=earlier.question if earlier else None,
        intents=ports.knowledge.intents,
        doc_types=ports.knowledge.doc_types,
        max_tool_calls=ports.options.max_tool_calls,
    )


def _rules(ports: Ports) -> PlanRules:
    options = ports.options
    return PlanRules(
        ports.knowledge.intents,
        ports.knowledge.registry,
        options.plan_confidence,
        options.max_tool_calls,
        options.planner_max_tokens,
    )


def _tools(question: Question, ports: Ports) -> Tools:
    intents = {intent.name: intent for intent in ports.knowledge.intents}
    return Tools(ports.graph, ports.search, intents, question.audience, hierarchical=ports.options.hierarchical)


class Stopwatch:
    """How long each step took."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.laps: list[tuple[str, float]] = []
        self._start = self._last = clock.elapsed()

    def lap(self, name: str) -> None:
        """Note the time since the last lap under a step's name."""
        now = self._clock.elapsed()
        self.laps.append((name, now - self._last))
        self._last = now

    def total(self) -> float:
        """Return the seconds since the start."""
        return self._clock.elapsed() - self._start
