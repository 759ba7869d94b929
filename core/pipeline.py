"""One message, ten steps: from a question to a reply that shows nothing unproven.

open_turn → resolve_entities → decide_follow_up → make_plan → run_plan → build_context → draft_answer → verify →
apply_policy → render; then the turn is closed. The core's only `except PortError` stands here.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeVar

from core.about import narrowed, said_where
from core.answer import Answer, Draft, Rejection
from core.answering import draft_with_model, room_for
from core.around import asking, brought, held_apart, sought, with_remarks
from core.at_all import asks_of_all
from core.bounded import bounded
from core.calling import AskedOnce
from core.clarify import chosen, in_full, said_at_once
from core.context import AnswerContext, build_context
from core.conversation import AlreadyAnswered, Listed, Question, SourceAsked, Thread, in_its_language, readable
from core.disputed import naming_dispute
from core.entailing import entailed
from core.entities import EntityMatch
from core.errors import PortError
from core.exchange import as_asked_again, of_exchange, said_again
from core.executor import run_plan
from core.explaining import legend_of
from core.feedback import with_buttons
from core.followup import (
    Decided,
    Doubt,
    FollowUp,
    FollowUpDecision,
    Standalone,
    decide_follow_up,
    in_own_words,
    is_unplanned,
    settle,
)
from core.in_time import said_of_time
from core.instead import with_new_name
from core.listing import carried_on, completed, going_on, with_rest
from core.looking import clarified, is_known, is_looked_up_there, is_told_where_it_was, nearness_of, tools_for
from core.meant import with_names_meant
from core.metering import Metered, Stopwatch
from core.of_them import of_the_list
from core.one_of_them import meant_item
from core.otherwise import Looked, both, taking_over, tells_more
from core.outside import Ports
from core.phrases import phrase
from core.planner import Planned, plan_with_model, with_evidence
from core.planning import (
    Planning,
    names_said,
    names_unknown,
    nearest_reading,
    plan_rules,
    planner_input,
    taken_up,
    unread,
)
from core.policy import apply_policy
from core.ports import Hear
from core.quoting import draft_quotes
from core.recall import NoPins, Recall
from core.referring import told_in
from core.relevance import of_what_is_named, to_the_point
from core.render import render
from core.rewriting import rewrite
from core.searched import with_searched
from core.selecting import looks_like_a_number
from core.streaming import Stream, holding
from core.telling import Checking, Looking, Understanding, nobody, reading
from core.turn import TurnRecord
from core.unanswered import failed, unanswerable
from core.unlooked import unlooked
from core.unread import as_read, quoted_alone, with_unread
from core.verify import left_out, verify, with_confidence, with_older, without_twins

T = TypeVar("T")


async def answer_question(question: Question, ports: Ports) -> TurnRecord | AlreadyAnswered:
    """Return the record of the answered question. Raises PortError when not even quotes can be had."""
    watch, meter, known = Stopwatch(ports.clock), Metered(ports.model), ports.knowledge.seen_by(question.audience)
    ports = replace(ports, model=meter, search=AskedOnce(ports.search), knowledge=known)
    if isinstance(thread := await open_turn(question, ports), AlreadyAnswered):
        return thread
    ports.tell(Understanding())
    question = _read_in(thread, question, ports)
    before = going_on(question.text, thread, question.more_of)
    matches = names_said(asked := before.asked if before else sought(question), ports.knowledge)
    decided, ports = await decide(question, matches, thread, before, ports), within(ports, thread.about)
    decision = decided.decision
    watch.lap("understand")
    if (remark := said_at_once(question, decision, before, thread)) is not None:
        return await close_turn(unlooked(question, decision, remark, watch, meter, problems=decided.problems), ports)
    if (kept := await ports.pins.find(question, decision) or ports.recall.find(question, decision)) is not None:
        again = replace(kept, seconds=watch.total(), finished_at=watch.now(), timings=tuple(watch.laps))
        return await close_turn(again, ports)
    asked, matches = taken_up(decision, asked, matches, ports.knowledge)
    planned = Planned(before.plan, "list") if before else await _planned(question, decided, matches, ports)
    watch.lap("plan")
    ports.tell(Looking())
    seen, unknown = frozenset(before.seen if before else ()), names_unknown(decision, asked, matches, ports.knowledge)
    build = partial(build_context, seen=seen, known=known.registry, language=replace(question, text=asked).language)

    async def look(planned: Planned) -> Looked:
        payload = await run_plan(planned.plan, decision.question, tools_for(question, matches, ports))
        context = build(decision.question, asked, payload, planned.plan, unknown)
        return Looked(planned, payload, as_asked_again(held_apart(context, question, decision), question, thread))

    found = await look(planned)
    watch.lap("search")
    draft = await draft_answer(found.context, ports)
    watch.lap("draft")
    found, held = await _or_otherwise(found, await verify_answer(draft, found.context, ports), look, ports)
    planned, payload, context = found
    told = said_again(_told(held, found, question, thread, ports), question, thread)
    answer, listed = with_rest(told, context, planned.plan, asked, before)
    watch.lap("verify")
    reply = render(answer, planned.plan.render_style, listed)
    watch.lap("render")
    record = TurnRecord(
        question=question,
        decision=in_own_words(decision),
        plan=planned.plan,
        planned_by=planned.by,
        payload=payload,
        answer=answer,
        reply=reply,
        seconds=watch.total(),
        finished_at=watch.now(),
        timings=tuple(watch.laps),
        problems=tuple(filter(None, (*decided.problems, planned.problem, *payload.problems, answer.problem))),
        legend=legend_of(planned.plan, matches, ports.knowledge),
        spent=meter.spent,
        listed=listed,
        told=told_in(answer, known),
    )
    ports.recall.keep(record)
    return await close_turn(record, ports)


async def reply_to(
    question: Question, ports: Ports, reference: Callable[[PortError], str], note: Callable[[str], None]
) -> None:
    """Store the one visible reply to a question, whatever fails. Raises PortError when it cannot be stored.

    `note` is told what failed on the way without hindering an answer.
    """
    remark = unanswerable(question.text, question.language)
    if remark is not None and not await _chooses(question, ports):
        return await ports.threads.close(question, ports.parts(remark))
    outcome = await or_failure(answer_question(question, ports))
    match outcome:
        case TurnRecord():
            for problem in outcome.problems:
                note(problem)
        case PortError():
            await ports.threads.close(question, ports.parts(failed(question, reference(outcome))))
    return None


async def _chooses(question: Question, ports: Ports) -> bool:
    """Return whether a message that is no question is the number of an option that we have just offered."""
    if not looks_like_a_number(question.text):
        return False
    thread = await or_failure(open_turn(question, ports))
    return isinstance(thread, Thread) and in_full(question, thread) is not question


async def or_failure(step: Awaitable[T]) -> T | PortError:
    """Return the step's result, or as a value why the outside failed."""
    try:
        return await step
    except PortError as failure:
        return failure


async def open_turn(question: Question, ports: Ports) -> Thread | AlreadyAnswered:
    """Return the earlier turns that all who read here now may read, or that this question has been dealt with."""
    thread = await ports.threads.open(question)
    if isinstance(thread, AlreadyAnswered):
        return thread
    told = readable(thread, lambda turn: ports.knowledge.may_read(turn.sources, question.audience))
    return with_remarks(told, question, ports.knowledge.registry)


async def decide(
    question: Question, matches: tuple[EntityMatch, ...], thread: Thread, before: Listed | None, ports: Ports
) -> Decided:
    """Return whether the question leans on the thread, or Unclear when the documents answer its readings differently.

    `before` is the list that it asks for the rest of; then, and where a button asked it, nothing is to be guessed.
    """
    certain = _certain(question, thread, before) or await meant_item(question, thread, ports)
    if certain is not None:
        return Decided(certain)
    decided = await _weighed(question, matches, thread, ports)
    if isinstance(decided.decision, FollowUp):
        renamed = with_new_name(decided.decision, question, matches, ports.knowledge)
        decided = replace(decided, decision=of_the_list(renamed, question.text, ports.knowledge))
    decision = await or_failure(clarified(question, decided.decision, matches, thread, ports))
    if isinstance(decision, PortError):
        return replace(decided, problem=decided.problem or str(decision))
    return replace(decided, decision=decision)


def _certain(question: Question, thread: Thread, before: Listed | None) -> FollowUpDecision | None:
    if before:
        return carried_on(before, replace(question, text=before.asked).language)
    if brought(question):
        return Standalone(sought(question), phrase("because_brought", question.language), unplanned=True)
    if question.more_of:
        return Standalone(question.text, phrase("because_gone", question.language))
    return of_exchange(question, thread) or chosen(question, thread)


async def _weighed(question: Question, matches: tuple[EntityMatch, ...], thread: Thread, ports: Ports) -> Decided:
    """Return whether the question leans on the thread.

    Where its words do not tell, the documents do, or how near it is to the thread and how a model reads it.
    """
    decision = decide_follow_up(question.text, matches, thread, question.asked_at, question.language)
    if not isinstance(decision, Doubt):
        return Decided(decision)
    if not decision.points_back and asks_of_all(question.text):
        return Decided(settle(decision, nearness=0.0, is_known=True))
    if decision.may_be_known and (decision.titles or await is_known(question, thread, ports.search)):
        told = decision.asks_by_itself and await is_told_where_it_was(question, decision.carries, thread, ports)
        if told or await is_looked_up_there(question, decision.carries, ports):
            return Decided(decision.carries)
        return Decided(settle(decision, nearness=0.0, is_known=True))
    if decision.is_certain:
        return Decided(decision.carries)
    # Of what was overheard, a model may have been asked already whether it is for us.
    asks = ports.model.offers("planner") and not question.overheard
    read = await or_failure(rewrite(question.text, thread, ports.model)) if asks else None
    failure = str(read) if isinstance(read, PortError) else None
    reading = None if isinstance(read, PortError) else read
    nearness = await nearness_of(question.text, thread, ports.embedder)
    return Decided(settle(decision, nearness=nearness, is_known=False, reading=reading), asks, failure)


def within(ports: Ports, about: SourceAsked | None) -> Ports:
    """Return the ports as they see one source alone, where the question replies to one; nothing is recalled then."""
    search, graph = narrowed(ports.search, ports.graph, about)
    return replace(ports, search=search, graph=graph, recall=Recall(), pins=NoPins()) if about else ports


async def make_plan(
    decision: FollowUpDecision,
    matches: tuple[EntityMatch, ...],
    ports: Planning,
    asked_at: datetime,
    *,
    tries: int = 2,
) -> Planned:
    """Return a valid plan: the model's in so many tries, else that of the nearest declared example, else the default.

    The model's is held to what the question itself shows. A question costs four calls at most: one for its reading or
    for a second plan, and two for its answer.
    """
    read = await or_failure(nearest_reading(decision, ports, asked_at))
    if isinstance(read, PortError) and not ports.model.offers("planner"):
        raise read
    asked, near = unread(decision, ports, asked_at) if isinstance(read, PortError) else read
    if is_unplanned(decision) or not ports.model.offers("planner"):
        return near
    rules = plan_rules(ports)
    planned = await or_failure(plan_with_model(planner_input(decision, matches, ports), rules, ports.model, tries))
    if isinstance(planned, PortError):
        return replace(near, problem=str(planned))
    earlier = decision.carried.entities if isinstance(decision, FollowUp) else ()
    held = with_evidence(planned, asked, near, rules, earlier)
    return replace(held, otherwise=near if near.plan.tool_calls != held.plan.tool_calls else None)


async def draft_answer(context: AnswerContext, ports: Ports) -> Draft:
    """Return the model's draft; without a model, or when it fails, one of the documents' own words.

    One that finds no answer is asked once more, about what would be quoted alone, and then believed.

    The rest of a list is the documents' own words, too: it is exact to the end. So is what is told by its absence, of
    which a model could read nothing.
    """
    if not context.facts or context.seen or context.verbatim or context.by_absence or not ports.model.offers("answer"):
        return draft_quotes(context)
    ports.tell(reading(context))
    # What an entailment model may yet refuse is not told early.
    stream = Stream(context, nobody if ports.entailment else ports.tell)
    draft = await or_failure(_written(context, ports, hear=stream.hear))
    if isinstance(draft, Draft) and not stream.claims and (only := quoted_alone(draft, context)):
        again = await or_failure(_written(context, ports, only=only, hear=stream.hear))
        draft = replace(again, again=True) if isinstance(again, Draft) and not again.abstain else draft
    if isinstance(draft, PortError):
        draft = replace(draft_quotes(context), failure=str(draft))
    elif draft.abstain:
        draft = as_read(draft, context)
    elif context.lists:
        draft = completed(draft, context)
    return replace(draft, told=stream.claims)


async def verify_answer(draft: Draft, context: AnswerContext, ports: Ports) -> Answer:
    """Return what holds of the draft: failing claims are written again once, then replaced by their quotes or dropped.

    When nothing written holds, or answers, the documents' own words do. What was told already stays.
    """
    answer = verify(draft, context, last=draft.again)
    written = any(not claim.verbatim for claim in draft.claims)
    if written and answer.rejected and not draft.again:
        ports.tell(Checking(len(answer.rejected)))
        answer = await _repaired(draft, answer, context, ports)
    if written and ports.entailment:
        held = await or_failure(entailed(answer, context, ports.entailment, ports.options.entailment_threshold))
        answer = held if isinstance(held, Answer) else replace(answer, problem=f"{held}; the rules alone counted")
    answer = holding(to_the_point(answer, context) if written else of_what_is_named(answer, context), draft.told)
    answer = bounded(without_twins(answer), context, draft.told) if written else answer
    answer = naming_dispute(answer, context)
    if draft.failure:
        answer = replace(answer, notice=phrase("quotes_only", context.language), problem=draft.failure)
    return with_unread(answer, draft, context)


def _read_in(thread: Thread, question: Question, ports: Ports) -> Question:
    """Return the question in its language and in full, with its time where days are told."""
    at = question.asked_at.astimezone(ports.options.zone)
    return asking(in_full(replace(in_its_language(question, thread), asked_at=at), thread))


async def _planned(question: Question, decided: Decided, matches: tuple[EntityMatch, ...], ports: Ports) -> Planned:
    tries = decided.tries_left - question.overheard
    return await make_plan(decided.decision, matches, ports, question.asked_at, tries=tries)


async def _or_otherwise(
    found: Looked, held: Answer, look: Callable[[Planned], Awaitable[Looked]], ports: Ports
) -> tuple[Looked, Answer]:
    """Return the answer; for a refusal the quotes of what is looked up without a model, if they answer.

    With words, that is, which the model that found no answer did not see.
    """
    otherwise = found.planned.otherwise
    again = await or_failure(look(otherwise)) if held.is_refusal and otherwise else None
    if again is None or isinstance(again, PortError):
        return found, held
    quotes = await verify_answer(draft_quotes(again.context), again.context, ports)
    return (both(found, again), taking_over(quotes, held)) if tells_more(quotes, found.context) else (found, held)


def _told(held: Answer, found: Looked, question: Question, thread: Thread, ports: Ports) -> Answer:
    """Return the answer with how sure it is, what is to be masked, and what was looked at for it."""
    _, payload, context = found
    held = with_older(with_confidence(held, payload.coverage), context)
    told = said_of_time(said_where(apply_policy(held, found=payload.found), thread.about), context)
    return told if thread.about else with_searched(told, payload, ports.knowledge, question.audience)


async def close_turn(record: TurnRecord, ports: Ports) -> TurnRecord:
    """Return the record once the turn, its audit entry and the messages to send are stored, with their buttons."""
    record = with_names_meant(replace(record, reply=with_buttons(record)), ports.knowledge)
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
    told = tuple(claim for claim in repaired.claims if claim.text in known and claim.verdict == "quoted")
    claims = (*answer.claims, *(claim for claim in repaired.claims if claim.text not in known))
    return replace(
        answer,
        claims=claims,
        rejected=(*repaired.rejected, *answer.rejected[settled:], *map(left_out, told)),
        is_refusal=not claims,
        citing=answer.citing + second.citing if second else answer.citing,
    )


async def _written(
    context: AnswerContext,
    ports: Ports,
    rejected: tuple[Rejection, ...] = (),
    *,
    only: frozenset[int] | None = None,
    hear: Hear | None = None,
) -> Draft:
    max_tokens = room_for(context, ports.options.factual_max_tokens, ports.options.summary_max_tokens)
    return await draft_with_model(context, ports.model, ports.new_marker, max_tokens, rejected, only=only, hear=hear)
