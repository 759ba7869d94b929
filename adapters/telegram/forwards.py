"""Forwarded words in a private chat: asked about by themselves, or together with the comment that they came with.

They never become words of the question: they go beside it, as what somebody else wrote.
"""

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from core.conversation import Question
from core.phrases import phrase
from core.remarks import Around
from core.text import Untrusted, language_of

# Telegram sends a comment and what is forwarded with it as two messages, one right after the other.
TOGETHER = timedelta(seconds=1)
# A pair comes within a second; in that time few bots are written to by more people.
REMEMBERED = 1_000
# What is longer is cut at a word.
LONGEST = 3_000


@dataclass(frozen=True, slots=True)
class _Said:
    """A person's latest question in a chat, what it comments on, and the last message that belongs to it."""

    question: Question
    last: int
    at: datetime
    brought: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Forwards:
    """Remembers the latest question of each private chat, for as long as a forward may belong to it."""

    _latest: OrderedDict[str, _Said] = field(default_factory=OrderedDict)

    def said(self, question: Question) -> None:
        """A person has asked in their own words."""
        self._keep(_Said(question, int(question.message), question.asked_at))

    def alone(self, forward: Question) -> Question:
        """Return the question whether forwarded words hold."""
        words = _cut(forward.text)
        self._keep(_Said(replace(forward, text=""), int(forward.message), forward.asked_at, (words,)))
        return _about(forward, words)

    def joined(self, forward: Question) -> Question | None:
        """Return the question right before, as it reads with the forwarded words; None when these stand alone."""
        before = self._latest.get(forward.place)
        number = int(forward.message)
        if before is None or before.question.id == forward.id or forward.asked_at - before.at > TOGETHER:
            return None
        if number not in (before.last, before.last + 1):
            return None
        # The same update may come twice.
        brought = before.brought if number == before.last else (*before.brought, _cut(forward.text))
        self._keep(replace(before, last=number, at=forward.asked_at, brought=brought))
        changed = replace(before.question, version=before.question.version + len(brought))
        return _about(changed, _cut("\n".join(brought)), before.question.text.strip())

    def _keep(self, said: _Said) -> None:
        self._latest[said.question.place] = said
        self._latest.move_to_end(said.question.place)
        while len(self._latest) > REMEMBERED:
            self._latest.popitem(last=False)


def _about(question: Question, words: str, comment: str = "") -> Question:
    """Return the question about somebody else's words: the comment that they came with, or whether they hold."""
    text = comment or phrase("is_it_true", language_of(words))
    return replace(question, text=text, around=Around((), brought=Untrusted(words)))


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text.strip()
    return text[:LONGEST].rsplit(None, 1)[0].strip() + "…"
