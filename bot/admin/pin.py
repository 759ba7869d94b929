"""`/pin`: an admin keeps an answer as a checked one, as a thumb of theirs does, or lets it go again."""

from dataclasses import dataclass
from typing import Protocol

from bot.admin.status import tenant_of
from bot.commanding import Duty, duty, form_of
from bot.pinning import Answers, Pinning
from core.commands import PIN, PinWish
from core.conversation import Command
from core.phrases import phrase
from core.render import say
from core.reply import RenderedReply
from core.work import Place


class Latest(Protocol):
    """What was answered last; everything raises StorageError."""

    async def answered_last(self, place: Place, thread: str | None, asker: str) -> tuple[str, int] | None:
        """Return the question, and its version, that was answered last in a thread, or of all that somebody asked."""


@dataclass(frozen=True, slots=True)
class PinDuty:
    """Keeps the answer that the command replies to, the last one of its thread, or the person's own latest."""

    pinning: Pinning
    answers: Answers
    latest: Latest

    def duty(self) -> Duty:
        """Return the command with what is done for it."""
        return duty(PIN, self._done)

    async def _done(self, command: Command, wish: PinWish) -> RenderedReply:
        typed = form_of(PIN, command.platform)
        return say(phrase(await self._said(command, wish), command.language, command=typed), command.language)

    async def _said(self, command: Command, wish: PinWish) -> str:
        found = await self._meant(command)
        if found is None:
            # Slack takes no slash command in a thread, where it would be about the thread's answer.
            return "pin_none_threaded" if command.platform == "slack" and not command.thread else "pin_none"
        if wish == "off":
            return "unpinned" if await self.pinning.unpin(*found) else "pin_no_pin"
        pin = await self.pinning.pin(*found, tenant_of(command), command.person)
        return "pinned" if pin else "pin_not"

    async def _meant(self, command: Command) -> tuple[str, int] | None:
        if command.about:
            return await self.answers.answer_in(command.about)
        return await self.latest.answered_last((command.platform, command.place), command.thread, command.asker)
