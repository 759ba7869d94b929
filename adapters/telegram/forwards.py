"""Forwarded words in a private chat: asked about by themselves, or together with the comment that they came with."""

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from core.conversation import Question
from core.phrases import phrase
from core.text import language_of

# Telegram sends a comment and what is forwarded with it as two messages, one right after the other.
TOGETHER = timedelta(seconds=1)
# A pair comes within a second; in that time few bots are written to by more people.
REMEMBERED = 1_000
# With a comment the whole stays a question (core/pipeline.py, MAX_QUESTION); what is longer is cut at a word.
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
        language = language_of(forward.text)
        words = _cut(forward.text)
        self._keep(_Said(replace(forward, text=""), int(forward.message), forward.asked_at, (words,)))
        return replace(forward, text=phrase("is_it_true", language, words=words))

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
        words, comment = _cut("\n".join(brought)), before.question.text.strip()
        language = language_of(comment or words)
        told = phrase("comment_on", language, comment=comment, words=words)
        text = told if comment else phrase("is_it_true", language, words=words)
        return replace(before.question, text=text, version=before.question.version + len(brought))

    def _keep(self, said: _Said) -> None:
        self._latest[said.question.place] = said
        self._latest.move_to_end(said.question.place)
        while len(self._latest) > REMEMBERED:
            self._latest.popitem(last=False)


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text.strip()
    return text[:LONGEST].rsplit(None, 1)[0].strip() + "…"
