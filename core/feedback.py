"""What people say of an answer: that it helped or did not, and why not. Everybody's latest word counts, once each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, get_args

from core.conversation import MessageRef
from core.phrases import phrase
from core.reply import Action, RenderedReply
from core.text import Language
from core.turn import TurnRecord

Verdict = Literal["up", "down"]
Reason = Literal["wrong", "incomplete", "outdated", "not_asked", "no_source"]
REASONS: tuple[Reason, ...] = get_args(Reason)
# `press` says it, or takes it back when it was said before; `reason` adds why not; an emoji is `given` or `taken`.
Way = Literal["press", "reason", "given", "taken"]

SIGNS: dict[Verdict, str] = {"up": "👍", "down": "👎"}
# Eighteen digits: the version of a question is at most a time in microseconds, or seconds and an update's number.
_VALUE = re.compile(r"([a-z_]{1,20})\.([0-9]{1,18})")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What somebody says of an answer; without a verdict nothing, or nothing any more. `reason`: why it did not help.

    A reason is one of `REASONS`, or somebody's own words.
    """

    verdict: Verdict | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Deed:
    """What a person does to judge the answer that a message shows.

    `by` is the person with their platform and workspace; `id` is the same when one deed is told of twice, "" when
    nobody can tell. `version` is that of the question which was answered; None: as it stands there now.
    """

    message: MessageRef
    by: str
    id: str
    way: Way
    verdict: Verdict
    at: datetime
    reason: str | None = None
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Reaction:
    """An emoji that a person put on a message (`given`), or took off again.

    `reads`: the language that they have chosen on the platform, if they have.
    """

    message: MessageRef
    by: str
    id: str
    verdict: Verdict
    given: bool
    reads: Language | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """What came of a deed: the judgement `before` and `now` of the answer to a question, in one of its versions.

    `text` is the question, `given_from` the number of the pinned answer that it was answered with.
    """

    question: str
    version: int
    tenant: str
    text: str
    before: Judgement
    now: Judgement
    given_from: int | None = None

    @property
    def is_news(self) -> bool:
        """Whether anything is otherwise than before."""
        return self.before != self.now


def judged(before: Judgement, deed: Deed) -> Judgement:
    """Return what the person says of the answer from now on."""
    match deed.way:
        case "press":
            return Judgement() if before.verdict == deed.verdict else Judgement(deed.verdict, deed.reason)
        case "reason":
            return Judgement("down", deed.reason)
        case "given":
            return before if before.verdict == deed.verdict else Judgement(deed.verdict)
        case "taken":
            return Judgement() if before.verdict == deed.verdict else before


def read_deed(kind: Literal["judge", "reason"], value: str) -> tuple[Verdict, str | None, int] | None:
    """Return the verdict, the reason and the version that a button's value names, or None for no value of ours."""
    found = _VALUE.fullmatch(value)
    if found is None:
        return None
    said, version = found[1], int(found[2])
    if kind == "judge":
        verdict = next((each for each in get_args(Verdict) if each == said), None)
        return (verdict, None, version) if verdict else None
    return ("down", said, version) if said in REASONS else None


def with_buttons(record: TurnRecord) -> RenderedReply:
    """Return the record's reply with the buttons that judge it and ask why, where something was looked up for it."""
    reply = record.reply
    if record.planned_by == "nobody":
        return reply
    why = Action("why", phrase("why_button", reply.language))
    return replace(reply, actions=(*reply.actions, *_judging(record.question.version), why))


def reasons(version: int, language: Language) -> tuple[Action, ...]:
    """Return the reasons that can be chosen for why an answer did not help."""
    return tuple(Action("reason", phrase(f"reason_{one}", language), f"{one}.{version}") for one in REASONS)


def reason_in_words(reason: str, language: Language) -> str:
    """Return a stored reason as a person reads it: a chosen one in the language, own words as they are."""
    return phrase(f"reason_{reason}", language) if reason in REASONS else reason


def _judging(version: int) -> Iterator[Action]:
    for verdict, sign in SIGNS.items():
        yield Action("judge", sign, f"{verdict}.{version}")
