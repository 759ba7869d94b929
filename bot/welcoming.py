"""How a question is welcomed: with a sign that it has arrived, or with a polite refusal where too many wait."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bot.stopping import stoppable
from core.conversation import Mode, Question
from core.delivery import FIRST, Part
from core.phrases import phrase
from core.rates import TOLD, Hourly, buckets_of, keys_of, too_often
from core.render import say
from core.reply import RenderedReply
from core.running import Platform
from core.text import Language
from core.work import Waiting, Welcome


@dataclass(frozen=True, slots=True)
class Limits:
    """How many questions may wait: of one person, of one channel or chat, and of all; `soon` wait without a word.

    `hourly`: how many may be asked in an hour, whether or not they are answered by then.
    """

    person: int
    place: int
    all: int
    soon: int
    hourly: Hourly = field(default_factory=Hourly)
    clock: Callable[[], float] = time.time


def hello(mode: Mode, language: Language) -> RenderedReply:
    """Return what is said to a channel that we have been let into: what we do, whom we answer, and how to ask more."""
    heard = phrase("mode_is", language, who=phrase(f"mode_{mode}", language))
    return say(f"{phrase('hello', language)} {heard} {phrase('hello_help', language)}", language)


@dataclass(frozen=True, slots=True)
class Welcomes:
    """Decides by the limits, in the form of each platform."""

    platforms: Mapping[str, Platform]
    limits: Limits

    def of(self, question: Question, line: Waiting, *, has_reply: bool = False) -> Welcome:
        """Return what becomes of a question on its arrival; `has_reply`: there is one already, which stands there."""
        if refusal := self._refusal(question, line):
            return self._declined(question, line, refusal, has_reply=has_reply)
        buckets = buckets_of(question, self.limits.hourly)
        if late := too_often(buckets, line.used, self.limits.clock()):
            words = self._said(question, f"too_often_{late.kind}", minutes=math.ceil(late.seconds / 60))
            return self._declined(question, line, words, has_reply=has_reply)
        uses = {one.key: one.seconds for one in buckets}
        return Welcome(None if question.overheard else self.sign(question, line), uses=uses)

    def _declined(self, question: Question, line: Waiting, words: tuple[Part, ...], *, has_reply: bool) -> Welcome:
        """Say so, once a minute to each: whoever floods us is not to hold up what others there are waiting for."""
        key = keys_of(question)["told"]
        told = line.used.get(key, 0.0) > self.limits.clock()
        # What is said in place of a reply that stands there is no further message, and a private one has no other.
        aloud = has_reply or question.private or not told
        if question.overheard or not aloud:
            return Welcome(silence=True)
        return Welcome(refusal=words, uses={key: TOLD})

    def _refusal(self, question: Question, line: Waiting) -> tuple[Part, ...]:
        if line.of_asker >= self.limits.person:
            return self._said(question, "too_many_of_yours", count=line.of_asker)
        if line.of_place >= self.limits.place:
            return self._said(question, "too_many_here", count=line.of_place)
        if line.waiting >= self.limits.all:
            return self._said(question, "too_many", count=line.waiting)
        return ()

    def sign(self, question: Question, line: Waiting) -> Part | None:
        """Return what shows that the question has arrived, and its place in a long line; None where nothing does."""
        if line.waiting >= self.limits.soon:
            busy = self._said(question, "busy", number=line.waiting + 1)[:1]
            return stoppable(busy, question, self.platforms[question.platform])[0]
        if self.platforms[question.platform].shows_sign and not question.private:
            return self._said(question, "looking")[0]
        return None

    def _said(self, question: Question, name: str, **values: object) -> tuple[Part, ...]:
        language = question.language
        parts = self.platforms[question.platform].parts(say(phrase(name, language, **values), language))
        assert parts[0].name == FIRST
        return parts
