"""When two readings of a question have different answers: which one is meant, asked once, and the choice understood."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2s
from itertools import combinations

from core.conversation import Clarification, Listed, Pressed, Question, Reading, Thread
from core.entities import EntityMatch
from core.exchange import said_of_exchange
from core.followup import MEMORY, Carried, FollowUp, FollowUpDecision, Standalone, Unclear
from core.listing import asks_for_more
from core.phrases import DEFAULT, phrase
from core.ports import Knowledge
from core.press import Offer
from core.readings import reading_of_all, readings_of_a_name, readings_of_a_pronoun, readings_of_a_turn
from core.referring import reading_of_the_only_person, readings_of_what_was_told
from core.render import say
from core.reply import Action, Node, Paragraph, RenderedReply, Text
from core.selecting import corrects as _corrects
from core.selecting import selected, takes_the_other
from core.text import Language
from core.turn import TurnRecord

# Options that a person takes in at a glance; with more, typing the name in full is quicker.
MOST_OPTIONS = 4
_DIGEST_BYTES = 4

# The words of documents that answer a reading, each with its document.
Evidence = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Looked:
    """What answers a reading. `found`: whether the documents' structure has what it asks for; None: not asked there."""

    evidence: Evidence
    found: bool | None = None


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A question with several readings. `only`: where a single one has an answer, that one is meant.

    So it is with names; whether a question leans on the turn before is not told by where there are documents.
    `because`: the phrase that says why the only one is meant, in the `language`.
    """

    clarification: Clarification
    only: bool
    because: str = "because_meant"
    language: Language = DEFAULT


def doubtful(
    question: Question, decision: FollowUpDecision, matches: tuple[EntityMatch, ...], thread: Thread, known: Knowledge
) -> Doubtful | None:
    """Return the readings of the question if there are several, or the single one that its thread or its words choose.

    None for a question that is clear, that a button asked, or about which this thread was asked back before; but a name
    of which nobody has said then who is meant is all who go by it.
    """
    if question.pressed or isinstance(decision, Unclear):
        return None
    named = readings_of_a_name(decision, thread, known)
    named = named or readings_of_a_pronoun(question.text, decision, matches, known)
    told = None if named else readings_of_what_was_told(question.text, decision, matches, known)
    if told and len(told.readings) == 1:
        return Doubtful(told, only=True, because="because_told", language=question.language)
    if not (named or told) and (person := reading_of_the_only_person(question.text, decision, matches, known)):
        return Doubtful(person, only=True, because="because_only", language=question.language)
    named = named or told
    found = named or readings_of_a_turn(decision, question.language)
    if found is None:
        return None
    if len(found.readings) > 1 and _was_asked(found, thread):
        everyone = reading_of_all(decision, found, known)
        return _of_all(found, everyone, question) if everyone else None
    # Two that are called alike could not be told apart by their buttons either.
    told_apart = len({reading.label for reading in found.readings}) == len(found.readings)
    because = "because_single" if len(found.readings) == 1 else "because_meant"
    return Doubtful(found, only=named is not None, because=because, language=question.language) if told_apart else None


def _of_all(found: Clarification, everyone: Reading, question: Question) -> Doubtful:
    return Doubtful(replace(found, readings=(everyone,)), only=True, because="because_all", language=question.language)


def _was_asked(found: Clarification, thread: Thread) -> bool:
    return any(turn.unclear and turn.unclear.about == found.about for turn in thread.offered)


def settled(decision: FollowUpDecision, doubt: Doubtful, answers: Sequence[Evidence]) -> FollowUpDecision:
    """Return the decision, given what answers each reading: Unclear where two of them have different answers."""
    readings = doubt.clarification.readings
    answered = [(reading, answer) for reading, answer in zip(readings, answers, strict=True) if answer]
    if doubt.only and (len(answered) == 1 or len(readings) == 1):
        return _meaning(decision, answered[0][0] if answered else readings[0], doubt)
    if not any(differ(one, other) for (_, one), (_, other) in combinations(answered, 2)):
        return decision
    offered = replace(doubt.clarification, readings=tuple(reading for reading, _ in answered[:MOST_OPTIONS]))
    return Unclear(decision.question, offered, phrase("because_unclear", doubt.language))


def answers_of(looked: Sequence[Looked]) -> list[Evidence]:
    """Return what answers each reading: nothing for one that the structure lacks, where it has another.

    A search always brings something; it is no rival to what stands where it was looked for.
    """
    is_there = any(one.found for one in looked)
    return [frozenset() if is_there and one.found is False else one.evidence for one in looked]


def differ(one: Evidence, other: Evidence) -> bool:
    """Return whether two answers say different things: less than half of the shorter one is in both."""
    return 2 * len(one & other) < min(len(one), len(other))


def said_at_once(
    question: Question, decision: FollowUpDecision, before: Listed | None, thread: Thread
) -> RenderedReply | None:
    """Return what is said without a look: which one is meant, that a list is gone or was all, or a word on the rest."""
    language = question.language
    if isinstance(decision, Unclear):
        return ask_back(question, decision)
    if question.more_of and before is None:
        return say(phrase("list_gone", language), language)
    return None if before else said_of_exchange(question, thread)


def ask_back(question: Question, unclear: Unclear) -> RenderedReply:
    """Return the short question with a button for each reading; the values of these are of this version alone."""
    language = question.language
    readings = unclear.clarification.readings
    known = f"{question.id}#{question.version}#{unclear.clarification.about}"
    mark = blake2s(known.encode(), digest_size=_DIGEST_BYTES).hexdigest()
    said: tuple[Node, ...] = (Paragraph((Text(phrase("which_one", language)),)),)
    actions = tuple(Action("choose", reading.label, f"{n}.{mark}") for n, reading in enumerate(readings, 1))
    return RenderedReply(said, (), language, actions)


def in_full(question: Question, thread: Thread) -> Question:
    """Return the question, or when it answers what we have asked back, the reading that it chooses, in full.

    Right after a choice it may also take it back: "no, the other one".
    """
    last = thread.answers or next(reversed(thread.offered), None)
    if question.pressed or last is None or question.asked_at - last.asked_at > MEMORY:
        return question
    if last.unclear:
        number = selected(question.text, [reading.label for reading in last.unclear.readings])
        return question if number is None else _reading(question, last.unclear, number)
    before = next((turn for turn in reversed(thread.offered) if turn.unclear and turn.asked_at <= last.asked_at), None)
    readings = before.unclear.readings if before and before.unclear else ()
    taken = next((n for n, one in enumerate(readings) if one.question == last.standalone), None)
    if before is None or before.unclear is None or taken is None:
        return question
    others = [n for n in range(len(readings)) if n != taken]
    if len(others) == 1 and takes_the_other(question.text):
        return _reading(question, before.unclear, others[0])
    number = selected(question.text, [reading.label for reading in readings]) if _corrects(question.text) else None
    return question if number is None else _reading(question, before.unclear, number)


def _reading(question: Question, unclear: Clarification, number: int) -> Question:
    reading = unclear.readings[number]
    chosen = Pressed("choose", str(number + 1), question="", entities=reading.entities)
    return replace(question, text=reading.question, pressed=chosen)


def typed(text: str, reply: RenderedReply) -> Action | None:
    """Return the action of the reply that the words choose, where there are no buttons to press."""
    choices = [action for action in reply.actions if action.kind == "choose"]
    number = selected(text, [action.label for action in choices])
    if number is not None:
        return choices[number]
    more = (action for action in reply.actions if action.kind == "more")
    return next((action for action in more if asks_for_more(text) or text.strip() == action.label), None)


def pressed_by(action: Action, before: TurnRecord, question: Question) -> Question:
    """Return the question that the action of an earlier reply asks, in place of the words that chose it."""
    asked, unclear = before.question, before.decision
    back = unclear.clarification if isinstance(unclear, Unclear) else None
    offer = Offer(asked.id, asked.thread, asked.root, asked.text, before.reply.actions, back)
    text, pressed = offer.asked_by(action)
    return replace(question, text=text, pressed=pressed)


def chosen(question: Question, thread: Thread) -> FollowUp | Standalone | None:
    """Return the decision for a question that a choice, or the opening of a source, asked in full; None for others."""
    if question.pressed and question.pressed.kind == "open":
        return Standalone(question.text, phrase("because_whole", question.language))
    if question.pressed is None or question.pressed.kind != "choose":
        return None
    asked = next((turn.standalone for turn in reversed(thread.offered) if turn.unclear), question.text)
    because = phrase("because_chosen", question.language)
    return FollowUp(question.text, Carried(asked, question.pressed.entities), because)


def meant_by(decision: FollowUpDecision) -> tuple[str, ...]:
    """Return the ids of the entities that are meant where a name may stand for several."""
    match decision:
        case Standalone():
            return decision.means
        case FollowUp():
            return decision.carried.entities
        case Unclear():
            return ()


def _meaning(decision: FollowUpDecision, reading: Reading, doubt: Doubtful) -> FollowUpDecision:
    """Return the decision with the one reading that it can only have."""
    because = phrase(doubt.because, doubt.language, label=reading.label)
    match decision:
        case FollowUp():
            carried = Carried(decision.carried.question, reading.entities)
            typed = decision.question if doubt.because == "because_told" else None
            return FollowUp(reading.question, carried, because, typed=typed)
        case _:
            return Standalone(reading.question, because, means=reading.entities)
