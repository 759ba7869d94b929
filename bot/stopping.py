"""Stopping an answer in the making: whoever asked ends the work on it, and what stands for it says so."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from core.conversation import Command, Question
from core.delivery import Part
from core.phrases import phrase
from core.press import HALT, Heard, Press
from core.render import say
from core.reply import RenderedReply
from core.running import Conversations, Inbox, Platform, Stoppable, Turns
from core.work import Place


class Stored(Turns, Conversations, Protocol):
    """The stored conversations, as a stop needs them."""


@dataclass(frozen=True, slots=True)
class Stopping:
    """Takes what people stop; `stop` ends the work on the versions of a question before the one given."""

    inbox: Inbox
    threads: Stored
    platforms: Mapping[str, Platform]
    stop: Callable[[str, int | None], Awaitable[None]]
    deliver: Callable[[Place], None]
    work: Callable[[], None]

    async def pressed(self, press: Press) -> Heard:
        """End the work on what the presser asked by the message that the button names, if it still wants an answer.

        Of the answer and the sentence that it was stopped the first to be stored is seen, and the other one never is.
        Raises StorageError.
        """
        _, _, number = press.button.partition(":")
        here = await self.inbox.unanswered((press.message.platform, press.message.place))
        found = [question for question in here if question.message == number]
        theirs = [question for question in found if question.asker == press.person]
        for question in theirs:
            await self._end(question)
        if theirs or not found:
            return Heard()
        language = found[0].language
        return Heard(say(phrase("stop_theirs", language), language))

    async def commanded(self, command: Command, _: None) -> RenderedReply:
        """End the work on what its giver asked: what the command replies to, else all in its thread, else all there.

        Nothing is said besides where something is stopped. Raises StorageError.
        """
        here = await self.inbox.unanswered((command.platform, command.place))
        thread = await self.threads.thread_of(command.about) if command.about else command.thread
        theirs = [one for one in here if one.asker == command.asker and (thread is None or one.thread == thread)]
        for question in theirs:
            await self._end(question)
        language = command.language
        return RenderedReply((), (), language) if theirs else say(phrase("stop_nothing", language), language)

    async def _end(self, question: Question) -> None:
        language = question.language
        said = say(phrase("stopped", language), language)
        # Without a record: it is no turn that others could go on from.
        await self.threads.close(question, self.platforms[question.platform].parts(said))
        await self.stop(question.id, question.version + 1)
        self.deliver((question.platform, question.place))
        self.work()


def stoppable(parts: Sequence[Part], question: Question, platform: Platform) -> tuple[Part, ...]:
    """Return what stands for the answer meanwhile, with a button under it that stops that if the platform has one."""
    if not isinstance(platform, Stoppable) or not parts:
        return tuple(parts)
    button, label = f"{HALT}:{question.message}", phrase("stop_button", question.language)
    *before, last = parts
    return (*before, replace(last, body=platform.stoppable(last.body, button, label)))
