"""The strict follow-up gate: a clear follow-up carries what came before, a doubtful one is a new question."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.conversation import Thread, Turn
from core.entities import EntityMatch
from core.phrases import phrase
from core.text import language_of, normalise, terms

# A thread that has been silent for this long starts afresh.
MEMORY = timedelta(hours=12)
_MAX_CARRIED = 300
_MAX_ELLIPSIS_TERMS = 5

# Signs that a sentence leans on the one before it: how it opens, and words that stand for something said earlier.
_OPENING = re.compile(r"(and|but|also|or|then|what about|how about|а|ну а|и|но|или|также|тогда|как насчет)\b[\s,]")
_ANAPHOR = re.compile(
    r"\b(it|they|them|he|she|him|her|there|that one|those|these|the same|the former|the latter|"
    r"он|она|оно|они|его|ее|их|ему|ей|им|ним|ней|нем|там|туда|оттуда|этого|этой|этом|этот|эта|эти|этих|этим|тот|той|те|тех)\b"
)
# "Do employees get their laptops?" has its owner before it; "What is their budget?" has not.
_POSSESSIVE = re.compile(r"\b(its|their|his)\b")
# "Is there a dress code?", "It is Friday", "Is it allowed to …", "тот, кто …": they stand for nothing said earlier.
_EXPLETIVE = re.compile(
    r"\b(?:is|are|was|were|be|been) there\b|\bthere(?:['’]s| (?:is|are|was|were|be|been|will|has|have))\b"
    r"|^it(?:['’]s| is| was)\b|\bit (?:\w+ ){1,2}to (?=\w)"
    r"|\b(?:those|they) who\b|\b(?:тот|та|те|тех|того),? (?:кто|котор)"
)
# Read before anything is folded: IT is a department, "it" is not.
_ACRONYM = re.compile(r"\b[A-ZА-ЯЁ]{2,}\b")


@dataclass(frozen=True, slots=True)
class Carried:
    """What a follow-up takes from the turn before: its question and its entities, never an answer."""

    question: str
    entities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Standalone:
    """The question says all by itself."""

    question: str
    because: str


@dataclass(frozen=True, slots=True)
class FollowUp:
    """The question leans on the one before; `question` is what is asked in full."""

    question: str
    carried: Carried
    because: str


@dataclass(frozen=True, slots=True)
class Unclear:
    """Two readings are possible; the options are the questions it may mean."""

    question: str
    options: tuple[str, ...]
    because: str


FollowUpDecision = Standalone | FollowUp | Unclear


def decide_follow_up(
    question: str, matches: tuple[EntityMatch, ...], thread: Thread, now: datetime
) -> FollowUpDecision:
    """Return how the question relates to the thread, with the evidence for it in the question's language."""
    last, language = thread.last, language_of(question)
    if last is None:
        return Standalone(question, phrase("because_first", language))
    if now - last.asked_at > MEMORY:
        return Standalone(question, phrase("because_over", language))
    if sign := _leaning(question, matches):
        return FollowUp(_in_full(question, last), Carried(last.standalone[:_MAX_CARRIED], last.entities), sign)
    return Standalone(question, phrase("because_whole", language))


def _leaning(question: str, matches: tuple[EntityMatch, ...]) -> str | None:
    names = [] if question.isupper() else _ACRONYM.findall(question)
    folded = normalise(_ACRONYM.sub("", question) if names else question).strip()
    content = terms(question)
    if not (content or names or matches):
        return phrase("because_empty", language_of(question))
    if len(content) > _MAX_ELLIPSIS_TERMS:
        return None
    if opening := _OPENING.match(folded):
        return phrase("because_opens", language_of(question), word=opening.group(1))
    anaphor = _anaphor(folded)
    if anaphor and not (names or matches):
        return phrase("because_stands", language_of(question), word=anaphor)
    return None


def _anaphor(folded: str) -> str | None:
    """Return the word that stands for something earlier; not what stands for nothing, or for this sentence's own."""
    said = _EXPLETIVE.sub(" ", folded)
    if found := _ANAPHOR.search(said):
        return found.group(1)
    possessive = _POSSESSIVE.search(said)
    return possessive.group(1) if possessive and not terms(said[: possessive.start()]) else None


def _in_full(question: str, last: Turn) -> str:
    return f"{question.strip()} ({last.standalone[:_MAX_CARRIED]})"
