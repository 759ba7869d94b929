"""Forwarded words in a private chat: asked about by themselves, or together with the comment that they came with.

They never become words of the question: they go beside it, as what somebody else wrote.
"""

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from core.around import BESIDE, asks
from core.conversation import MessageRef, Question
from core.phrases import TONGUES, phrase
from core.remarks import Around
from core.summons import has_a_question
from core.text import Untrusted

# Telegram sends a comment and what is forwarded with it as two messages, one right after the other.
TOGETHER = timedelta(seconds=1)
# A pair comes within a second; in that time few bots are written to by more people.
REMEMBERED = 1_000
# What is longer is cut at a word.
LONGEST = 3_000


# What Telegram's own programs let people forward at once; an edit has a far higher version.
MOST_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class _Said:
    """A person's latest question in a chat, what it comments on, and the last message that belongs to it.

    `brought` is None where it was about something that nobody knows any more.
    """

    question: Question
    last: int
    at: datetime
    brought: tuple[str, ...] | None = ()


@dataclass(frozen=True, slots=True)
class Forwards:
    """Remembers the latest question of each private chat, for as long as a forward may belong to it.

    The version of a question says how many forwards have joined it, so that one that comes again is no news, and
    whoever remembers nothing can be told by what is stored.
    """

    _latest: OrderedDict[str, _Said] = field(default_factory=OrderedDict)

    def said(self, question: Question) -> None:
        """A person has asked in their own words."""
        self._keep(_Said(question, int(question.message), question.asked_at))

    def alone(self, forward: Question) -> Question:
        """Return the question whether forwarded words hold."""
        words = _cut(forward.text)
        self._keep(_Said(replace(forward, text=""), int(forward.message), forward.asked_at, (words,)))
        return _about(forward, words)

    def stored(self, question: Question, *, is_done: bool) -> None:
        """Another copy, or this one before it began anew, has asked this last; once done, it keeps no brought words."""
        joined = question.version
        if joined > MOST_AT_ONCE:
            # It was edited since.
            return
        words = question.around.brought if question.around and not is_done else None
        unasked = [phrase(name, language) for name in BESIDE for language in TONGUES]
        was_about_some = joined > 0 or question.text in unasked
        last, at = int(question.message) + joined, question.asked_at + joined * TOGETHER
        self._keep(_Said(question, last, at, None if is_done and was_about_some else (words,) if words else ()))

    def joined(self, forward: Question) -> Question | None:
        """Return the question right before, as it reads with the forwarded words; None when these stand alone."""
        before = self._latest.get(forward.place)
        number = int(forward.message)
        if before is None or forward.asked_at - before.at > TOGETHER:
            return None
        if not int(before.question.message) < number <= before.last + 1:
            return None
        # The same update may come twice, also after later ones.
        if number > before.last:
            if before.brought is None:
                return None
            before = replace(before, last=number, at=forward.asked_at, brought=(*before.brought, _cut(forward.text)))
            self._keep(before)
        changed = replace(before.question, version=before.last - int(before.question.message))
        return _about(changed, _cut("\n".join(before.brought or ())), before.question.text.strip())

    def _keep(self, said: _Said) -> None:
        self._latest[said.question.place] = said
        self._latest.move_to_end(said.question.place)
        while len(self._latest) > REMEMBERED:
            self._latest.popitem(last=False)


def may_belong_to(forward: Question) -> list[MessageRef]:
    """Return the messages that began what a forward may belong to, itself among them."""
    number = int(forward.message)
    return [
        MessageRef(forward.platform, forward.place, str(n)) for n in range(max(number - MOST_AT_ONCE, 1), number + 1)
    ]


def _about(question: Question, words: str, comment: str = "") -> Question:
    """Return the question about somebody else's words: the comment that they came with, or whether they hold."""
    own = replace(question, text=words).language
    asked = phrase("about_this" if asks(words) else "is_it_true", own)
    text = comment if has_a_question(comment) else asked
    return replace(question, text=text, around=Around((), brought=Untrusted(words)))


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text.strip()
    return text[:LONGEST].rsplit(None, 1)[0].strip() + "…"
