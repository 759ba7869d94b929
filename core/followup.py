"""The strict follow-up gate: a clear follow-up carries what came before, a doubtful one is a new question.

Signs are weighed, as each alone misleads: half of all follow-ups hold no word that stands for something said earlier,
and openings such as "and" or "а" stand at the head of new questions, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core.at_all import asks_of_all
from core.conversation import Clarification, Thread, Turn
from core.entities import EntityMatch
from core.leaning import Signs, asks_by_itself, is_general, points_back, signs_of, without_turn
from core.phrases import DEFAULT, phrase
from core.plan import NO_KIND
from core.selecting import says_no
from core.shortening import in_short, is_name
from core.text import Language, language_of, terms

# A thread that has been silent for this long starts afresh; after a while already one rather asks something new.
MEMORY = timedelta(hours=12)
_WHILE = timedelta(hours=1)
_MAX_CARRIED = 300

# The latest turns are what a message leans on.
_RECENT = 4

# The log odds that each sign gives, rounded: logistic regression over 765 turns of TREC CAsT 2019 and 2020 and the
# turns of work chats in tests/suites/followup.jsonl, a topic switch weighing three times. Neither has replies to a
# message enough, nor pauses: what these two give is set by hand. Held out by conversation in ten folds, three shuffles
# (python -m benchmarks.gate): balanced accuracy 0.81 on CAsT with 2 to 3 % of the topic switches carried over, 0.89
# and 1 to 2 % on the work chats. Weighing a switch twice instead, 6 % of CAsT's were carried over.
WEIGHTS: Mapping[str, float] = {
    "opens": 2.25,
    "stands": 4.4,
    "stands_after": 2.85,
    "names": -0.6,
    "bare": 1.3,
    "no_subject": 1.5,
    "defines": -1.5,
    "definite": 1.15,
    "hangs": 2.25,
    "brief": 2.0,
    "asks_nothing": 0.65,
    "specific": -1.15,
    "replies": 2.0,
    "waited": -0.5,
}
SET_BY_HAND = frozenset({"replies", "waited"})
_MAX_SPECIFIC = 6
NEAR = 2.85
BASE = 0.2
# What a model's reading gives, set by hand: a small model finds no subject but the message's own in many follow-ups, so
# that it says less when it reads a message as one that stands alone. With a model of 1.5 billion parameters, 82 turns
# of CAsT: balanced accuracy 0.876, with -2.0 instead of -1.0 0.859, without a model 0.805.
_READ_CARRIES, _READ_ALONE = 3.0, -1.0
# Beyond these odds nothing that can still be learnt is likely to matter.
SURELY_ALONE, _SURELY_CARRIES = -NEAR, 3.0
# Log odds as near to 0 as these hardly tell: at most 62 to 38.
EVEN = 0.5


@dataclass(frozen=True, slots=True)
class Carried:
    """What a follow-up takes from the turn that it leans on: its question and its entities, never words of an answer.

    `told`: the entities that each statement of its answer names, by which alone a word that points back is understood.
    """

    question: str
    entities: tuple[str, ...]
    told: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Standalone:
    """The question says all by itself. `means`: the entities that its names stand for, where that was not certain.

    `rival` is the other decision, where the signs hardly tell which it is. `unplanned`: it holds somebody else's words,
    which no model that plans may read.
    """

    question: str
    because: str
    means: tuple[str, ...] = ()
    rival: "FollowUp | None" = None
    unplanned: bool = False


@dataclass(frozen=True, slots=True)
class FollowUp:
    """The question leans on an earlier one; `question` is what is asked in full. `rival` is as in Standalone.

    `instead` is the earlier question with the new name in it, when the message is nothing but that name. `own`: the
    question without the words of somebody else that it leans on, where it does; `question` is then for search alone.
    `again`: nothing new is asked, but for the answer to the earlier question once more. `typed`: the asker's own words,
    where a name that the answer told has been put into the question: a model that plans reads these.
    """

    question: str
    carried: Carried
    because: str
    instead: str | None = None
    rival: Standalone | None = None
    own: str | None = None
    again: bool = False
    typed: str | None = None


@dataclass(frozen=True, slots=True)
class Unclear:
    """Two readings have different answers, so the asker is asked which one is meant."""

    question: str
    clarification: Clarification
    because: str

    @property
    def options(self) -> tuple[str, ...]:
        """What the readings are called."""
        return tuple(reading.label for reading in self.clarification.readings)


FollowUpDecision = Standalone | FollowUp | Unclear


@dataclass(frozen=True, slots=True)
class Rewriting:
    """How a model reads a message, proven: in full, and on which turn it leans; on none, it stands alone."""

    question: str
    turn: Turn | None


@dataclass(frozen=True, slots=True)
class Doubt:
    """The words alone do not tell: it takes a look at how near the turns are, and whether documents know the question.

    `odds` are the log odds of a follow-up by the words alone; `carries` is what it is then. `points_back`: a word of it
    does, so that it does not matter what documents know. `asks_by_itself`: it but opens as what goes on, and is a whole
    question without a name behind that, so that it does matter. `language`: in which its reasons are told. `titles`: it
    names nothing but pages, by common words.
    """

    odds: float
    points_back: bool
    stands_alone: Standalone
    carries: FollowUp
    asks_by_itself: bool = False
    language: Language = DEFAULT
    titles: bool = False

    @property
    def may_be_known(self) -> bool:
        """Whether it is a new question where a place in the documents is headed by all that it asks for."""
        return self.asks_by_itself or not self.points_back

    @property
    def is_certain(self) -> bool:
        """Whether nothing that could still be learnt would change it, but for a place that is headed by it."""
        return self.odds >= _SURELY_CARRIES


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision, whether a model was asked for it, and what failed on the way without hindering it."""

    decision: FollowUpDecision
    model_was_asked: bool = False
    problem: str | None = None

    @property
    def problems(self) -> tuple[str, ...]:
        """What failed, if anything did."""
        return (self.problem,) if self.problem else ()

    @property
    def tries_left(self) -> int:
        """How often a plan may be asked for: a question costs four calls at most, two of them for its answer."""
        return 1 if self.model_was_asked else 2


def decide_follow_up(
    question: str,
    matches: tuple[EntityMatch, ...],
    thread: Thread,
    now: datetime,
    language: Language | None = None,
) -> FollowUpDecision | Doubt:
    """Return how the question relates to the thread, with the evidence for it in the language, else in its own."""
    last, language = thread.answers or thread.last, language or language_of(question)
    if last is None:
        return Standalone(question, phrase("because_first", language))
    if not thread.answers and now - last.asked_at > MEMORY:
        return Standalone(question, phrase("because_over", language))
    signs = signs_of(question, [question[match.start : match.end] for match in matches])
    stands_alone = Standalone(question, phrase("because_whole", language))
    if signs.turns_away:
        return Standalone(without_turn(question), phrase("because_turned", language))
    titles = bool(matches) and all(_is_a_title(match, question) for match in matches)
    if matches and not (titles or _points_back(signs) or thread.answers):
        return stands_alone
    turn = thread.answers or _leaned_on(question, signs, thread)
    odds = BASE + sum(WEIGHTS[name] * value for name, value in evidence_of(signs, thread, now).items())
    because, own, earlier = _because(signs, thread, language), _own(question, turn), in_short(question, turn.standalone)
    carried = Carried(earlier[:_MAX_CARRIED], turn.entities, turn.told)
    carries = FollowUp(in_full(question, earlier), carried, because, own=own)
    if odds <= SURELY_ALONE and not _only_corrects(question):
        return Standalone(question, phrase("because_own", language))
    stands_alone = Standalone(question, phrase("because_doubtful", language))
    asks = asks_by_itself(signs, of_a_thing=bool(turn.entities))
    doubt = Doubt(odds, _points_back(signs), stands_alone, carries, asks, language, titles)
    is_certain = doubt.is_certain and (thread.answers or not doubt.may_be_known)
    return carries if is_certain or _only_corrects(question) else doubt


def in_own_words(decision: FollowUpDecision) -> FollowUpDecision:
    """Return the decision without the words of somebody else that its question, or its rival's, leans on."""
    match decision:
        case FollowUp() if decision.own is not None:
            return replace(decision, question=decision.own, instead=None, own=None)
        case Standalone() if decision.rival and decision.rival.own is not None:
            return replace(decision, rival=replace(decision.rival, question=decision.rival.own, own=None))
        case _:
            return decision


def recent(thread: Thread) -> Thread:
    """Return the thread with its latest turns alone, and the one whose answer the message replies to as the last."""
    turns = thread.turns[-_RECENT:]
    if thread.answers:
        turns = (*(turn for turn in turns if turn != thread.answers), thread.answers)[-_RECENT:]
    return replace(thread, turns=turns)


def is_unplanned(decision: FollowUpDecision) -> bool:
    """Return whether no model may plan it."""
    match decision:
        case Standalone():
            return decision.unplanned
        case FollowUp():
            return decision.own is not None
        case Unclear():
            return False


def settle(doubt: Doubt, *, nearness: float, is_known: bool, reading: Rewriting | None = None) -> FollowUpDecision:
    """Return the decision, given the cosine to the nearest earlier question, and whether documents know this one.

    `is_known`: one place in the documents is headed by what it asks for, so that it needs no other subject. `reading`
    is one more sign, a strong one: the other signs may still be stronger. What a word of it shows to be a follow-up has
    no rival.
    """
    odds = doubt.odds + NEAR * nearness
    if reading is not None:
        odds += _READ_CARRIES if reading.turn else _READ_ALONE
    # A message that points back by itself is a follow-up, and nobody is asked about it.
    even = not (is_known or doubt.points_back) and abs(odds) < EVEN
    carries = _as_read(doubt, reading) if reading else doubt.carries
    if odds <= 0 or (is_known and doubt.may_be_known):
        own = doubt.stands_alone
        return replace(own, because=_why_alone(doubt, reading, is_known=is_known), rival=carries if even else None)
    return replace(carries, rival=doubt.stands_alone if even and not doubt.points_back else None)


def _why_alone(doubt: Doubt, reading: Rewriting | None, *, is_known: bool) -> str:
    own, language = doubt.stands_alone, doubt.language
    if is_known:
        return phrase("because_counts" if asks_of_all(own.question) else "because_known", language)
    return phrase("because_read_alone", language) if reading and reading.turn is None else own.because


def _as_read(doubt: Doubt, reading: Rewriting) -> FollowUp:
    if reading.turn is None:
        return doubt.carries
    because = phrase("because_read", doubt.language)
    return replace(doubt.carries, question=reading.question, carried=_carried(reading.turn), because=because, own=None)


def evidence_of(signs: Signs, thread: Thread, now: datetime) -> dict[str, float]:
    """Return what is weighed: 1 for each sign that there is, else 0, and how many words name a subject of their own."""
    last = thread.last
    return {
        "opens": bool(signs.opens),
        "stands": bool(signs.stands),
        "stands_after": bool(signs.stands_after),
        "names": signs.names,
        "bare": signs.bare,
        "no_subject": _has_no_subject(signs),
        "defines": signs.defines,
        "definite": signs.definite,
        "hangs": signs.hangs,
        "brief": signs.brief,
        "asks_nothing": not signs.asks,
        "specific": min(signs.specific, _MAX_SPECIFIC),
        "replies": thread.answers is not None,
        "waited": thread.answers is None and last is not None and now - last.asked_at > _WHILE,
    }


def _leaned_on(question: str, signs: Signs, thread: Thread) -> Turn:
    """Return the turn that shares most words with the question, of several the latest; the last one if none does.

    What goes on from the turn before ("and …", "а …", "without Kafka?") leans on that one, unless a word of it points
    elsewhere.
    """
    if (signs.opens or signs.hangs or signs.bare) and not (signs.stands or signs.stands_after):
        return thread.turns[-1]
    asked = {term for term in terms(question) if not (is_general(term) or points_back(term))}
    return max(reversed(recent(thread).turns), key=lambda turn: len(asked.intersection(terms(turn.standalone))))


def _is_a_title(match: EntityMatch, question: str) -> bool:
    """Return whether the name is but what a page is called, in a common word: «стек», of whatever it is asked."""
    return match.entity.type == NO_KIND and question[match.start : match.end].islower()


def _only_corrects(question: str) -> bool:
    """Return whether the message says no to what was understood, and nothing but a name that is meant instead."""
    return says_no(question) and is_name(question)


def _has_no_subject(signs: Signs) -> bool:
    return signs.specific == 0 and not signs.names


def _points_back(signs: Signs) -> bool:
    """Return whether the question itself points back or is but a piece of one, whatever the documents know."""
    return bool(signs.opens or signs.stands or signs.stands_after or signs.bare or signs.hangs)


def _because(signs: Signs, thread: Thread, language: Language) -> str:
    if word := signs.stands or signs.stands_after or signs.opens:
        stands = signs.stands or signs.stands_after
        return phrase("because_stands" if stands else "because_opens", language, word=word)
    if thread.answers:
        return phrase("because_replies", language)
    if signs.bare or signs.hangs:
        return phrase("because_piece", language)
    if _has_no_subject(signs):
        return phrase("because_lacks", language, word=signs.lacks) if signs.lacks else phrase("because_empty", language)
    # Without any of the other signs only its nearness can have made it one.
    told = {"definite": signs.definite, "brief": signs.brief, "asks_nothing": not signs.asks, "near": True}
    return phrase(f"because_{next(name for name, shows in told.items() if shows)}", language)


def _carried(turn: Turn) -> Carried:
    return Carried(turn.standalone[:_MAX_CARRIED], turn.entities, turn.told)


def _own(question: str, turn: Turn) -> str | None:
    if turn.names is None:
        return None
    return in_full(question, ", ".join(turn.names)) if turn.names else question


def in_full(question: str, about: str) -> str:
    """Return the question with what it is about, when nobody has put that into its words."""
    return f"{question.strip()} ({about[:_MAX_CARRIED]})"
