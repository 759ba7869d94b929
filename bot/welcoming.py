"""How a question is welcomed: with a sign that it has arrived, or with a polite refusal where too many wait."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bot.stopping import stoppable
from core.around import language_for
from core.conversation import Question
from core.delivery import FIRST, Part
from core.phrases import phrase
from core.rates import TOLD, Hourly, TooOften, buckets_of, keys_of, too_often
from core.render import say
from core.running import Platform
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


@dataclass(frozen=True, slots=True)
class Welcomes:
    """Decides by the limits, in the form of each platform."""

    platforms: Mapping[str, Platform]
    limits: Limits

    def of(self, question: Question, line: Waiting, *, has_reply: bool = False) -> Welcome:
        """Return what becomes of a question on its arrival; `has_reply`: there is one already, which stands there."""
        if refusal := self._refusal(question, line):
            return Welcome(silence=True) if question.overheard else Welcome(refusal=refusal)
        buckets, now = buckets_of(question, self.limits.hourly), self.limits.clock()
        if late := too_often(buckets, line.used, now):
            told = line.used.get(keys_of(question)["told"], 0.0) > now
            # What is said in place of a reply that stands there is no further message.
            return self._too_often(question, late, told=told and not has_reply)
        uses = {one.key: one.seconds for one in buckets}
        return Welcome(None if question.overheard else self.sign(question, line), uses=uses)

    def _too_often(self, question: Question, late: TooOften, *, told: bool) -> Welcome:
        """Say so, once a minute to each: whoever floods us is not to flood others with our words."""
        if question.overheard or (told and not question.private):
            return Welcome(silence=True)
        words = self._said(question, f"too_often_{late.kind}", minutes=math.ceil(late.seconds / 60))
        return Welcome(refusal=words, uses={keys_of(question)["told"]: TOLD})

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
        language = language_for(question)
        parts = self.platforms[question.platform].parts(say(phrase(name, language, **values), language))
        assert parts[0].name == FIRST
        return parts
