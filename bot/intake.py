"""The intake: what people do on a platform is stored before anybody says that it has arrived."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from weakref import WeakValueDictionary

from core.conversation import MessageRef, Question
from core.delivery import FIRST, Part
from core.phrases import phrase
from core.ports import Conversations, Inbox, Outbox, Platform
from core.render import say
from core.text import language_of
from core.work import Place, Waiting, Welcome

SHOW = "show:"


@dataclass(frozen=True, slots=True)
class Limits:
    """How many questions may wait: of one person, of one channel or chat, and of all; `soon` wait without a word."""

    person: int
    place: int
    all: int
    soon: int


class Reception:
    """Satisfies `Intake` over the database.

    `work` and `deliver` are called when there is something to do; `stop` ends the work on a question, except on the
    version given.
    """

    def __init__(  # noqa: PLR0913 - its parts, each given by name
        self,
        *,
        inbox: Inbox,
        outbox: Outbox,
        conversations: Conversations,
        platforms: Mapping[str, Platform],
        limits: Limits,
        work: Callable[[], None],
        deliver: Callable[[Place], None],
        stop: Callable[[str, int | None], Awaitable[None]],
    ) -> None:
        self._inbox = inbox
        self._outbox = outbox
        self._conversations = conversations
        self._platforms = platforms
        self._limits = limits
        self._work = work
        self._deliver = deliver
        self._stop = stop
        # One lock for each thread in which something is being stored right now.
        self._doors: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def asked(self, question: Question) -> None:
        """Store a new question with the sign that it has arrived; where too many wait, with a polite refusal.

        The questions of a thread are stored in the order in which they are brought. What is edited already, and
        turns out to be known, is taken as the edit that it is.
        """
        async with self._doors.setdefault(question.thread, asyncio.Lock()):
            new = await self._inbox.record(question, lambda line: self._welcome(question, line))
        if new:
            self._deliver((question.platform, question.place))
            self._work()
        elif question.version:
            await self.edited(question)

    async def edited(self, question: Question) -> bool:
        """Let a question that is known read so from now on; work on what it said before ends."""
        change = await self._inbox.edit(question)
        if change == "changed":
            await self._stop(question.id, question.version)
            self._work()
        return change != "unknown"

    async def withdrawn(self, message: MessageRef, question: Question | None = None) -> None:
        """Take the answer back to a question whose message is gone, or never answer it, should it come only now."""
        if await self._inbox.withdraw(message, question):
            await self._stop(str(message), None)
            self._deliver((message.platform, message.place))
            self._work()

    async def pressed(self, button: str, message: MessageRef) -> bool:
        """Show an answer that may have been lost, in place of the message that offered it."""
        if not button.startswith(SHOW):
            return False
        shown = await self._outbox.show_again(button.removeprefix(SHOW), message)
        if shown:
            self._deliver((message.platform, message.place))
        return shown

    async def thread_of(self, message: MessageRef) -> str | None:
        """Return the thread that a message belongs to."""
        return await self._conversations.thread_of(message)

    async def knows(self, thread: str) -> bool:
        """Return whether the thread is a conversation with us."""
        return await self._conversations.knows(thread)

    def _welcome(self, question: Question, line: Waiting) -> Welcome:
        refusal = self._refusal(question, line)
        return Welcome(refusal=refusal) if refusal else Welcome(self._sign(question, line))

    def _refusal(self, question: Question, line: Waiting) -> tuple[Part, ...]:
        if line.of_asker >= self._limits.person:
            return self._said(question, "too_many_of_yours", count=line.of_asker)
        if line.of_place >= self._limits.place:
            return self._said(question, "too_many_here", count=line.of_place)
        if line.waiting >= self._limits.all:
            return self._said(question, "too_many", count=line.waiting)
        return ()

    def _sign(self, question: Question, line: Waiting) -> Part | None:
        if line.waiting >= self._limits.soon:
            return self._said(question, "busy", number=line.waiting + 1)[0]
        if self._platforms[question.platform].shows_sign:
            return self._said(question, "looking")[0]
        return None

    def _said(self, question: Question, name: str, **values: object) -> tuple[Part, ...]:
        language = language_of(question.text)
        parts = self._platforms[question.platform].parts(say(phrase(name, language, **values), language))
        assert parts[0].name == FIRST
        return parts
