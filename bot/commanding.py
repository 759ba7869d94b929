"""What people tell the bot to do in a chat: say how it came to an answer, and whom it is to hear in a channel."""

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Protocol

from bot.explain import Explainer
from core.conversation import MODES, Command, Mode
from core.phrases import phrase
from core.render import say
from core.reply import RenderedReply
from core.work import Place


class ChannelModes(Protocol):
    """Who is heard in each channel and chat, as somebody has set it."""

    async def mode(self, platform: str, place: str) -> Mode:
        """Return who is heard there."""

    async def set_mode(self, place: Place, mode: Mode, *, changed_by: str, at: datetime) -> None:
        """Let from now on be heard there whom the mode says."""


class Commanding:
    """Does what a command says; `admins` are the persons who may set something."""

    def __init__(
        self, explainer: Explainer, modes: ChannelModes, admins: Collection[str], now: Callable[[], datetime]
    ) -> None:
        self._explainer = explainer
        self._modes = modes
        self._admins = frozenset(admins)
        self._now = now

    async def done(self, command: Command) -> RenderedReply:
        """Return what is said to the person alone, once it is done. Raises StorageError."""
        if command.verb == "mode":
            return say(await self._mode(command), command.language)
        if command.about:
            return await self._explainer.why(command.about, command.person)
        if command.thread:
            return await self._explainer.why_last(command.thread, command.language)
        return await self._explainer.why_latest((command.platform, command.place), command.asker, command.language)

    async def _mode(self, command: Command) -> str:
        language, place = command.language, (command.platform, command.place)
        if command.is_direct:
            return phrase("mode_direct", language)
        wanted = command.words.strip().lower()
        if not wanted:
            mode = await self._modes.mode(*place)
            return phrase("mode_is", language, who=phrase(f"mode_{mode}", language))
        if command.person not in self._admins:
            return phrase("mode_refused", language, person=command.person or phrase("mode_nobody", language))
        for mode in MODES:
            if mode == wanted:
                await self._modes.set_mode(place, mode, changed_by=command.person, at=self._now())
                return phrase("mode_set", language, who=phrase(f"mode_{mode}", language))
        return phrase("mode_unknown", language, modes=", ".join(MODES))
