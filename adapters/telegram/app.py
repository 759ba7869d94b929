"""Telegram as a place where people ask."""

import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from functools import partial

from telegram import Bot, BotCommandScopeChat
from telegram.error import TelegramError

from adapters.telegram import notices, send
from adapters.telegram.arrivals import Arrivals
from adapters.telegram.body import after, parts_of, stoppable, with_button
from adapters.telegram.client import TelegramSettings, connected
from adapters.telegram.errands import Errands
from adapters.telegram.events import Me
from adapters.telegram.failures import in_words
from adapters.telegram.inline import InlineAnswers
from adapters.telegram.links import Links
from adapters.telegram.members import TelegramMembers
from adapters.telegram.pace import Pace
from adapters.telegram.polling import PATIENCE, Take, poll, updates_for
from adapters.telegram.pulse import Pulse
from adapters.telegram.tell import Teller
from adapters.telegram.typing import typing
from adapters.telegram.watch import Watch
from adapters.telegram.webhook import Webhook, secret_of
from adapters.telegram.words import commands
from core.conversation import PlatformName, Question
from core.delivery import Body, CannotTell, Health, Later, Outcome, Outgoing, Part, Seen
from core.errors import DeliveryError
from core.pacing import Tally
from core.phrases import DEFAULT, TONGUES
from core.reply import RenderedReply, Tasks
from core.running import Intake
from core.text import Language

__all__ = ["TelegramPlatform", "TelegramSettings"]

log = logging.getLogger(__name__)

# Whoever connects will be done or give up within this.
CONNECTING_SECONDS = 5.0

Ready = Callable[[str], Awaitable[None]]


class TelegramPlatform:
    """The port `Platform` over the Bot API: polling, or a webhook when its address is set.

    `elapsed` gives seconds on a clock that never goes back; messages are paced by it.
    """

    name: PlatformName = "telegram"
    shows_sign: bool = False  # "typing" is the sign

    def __init__(self, settings: TelegramSettings, elapsed: Callable[[], float] = time.monotonic) -> None:
        if settings.webhook_url:
            secret_of(settings)
        self.alone: bool = not settings.webhook_url  # Telegram lets one program poll
        self._settings = settings
        self._pace = Pace(elapsed)
        self._teller = Teller(self._pace, stops=settings.stop)
        self._newer = send.Newer(rich=settings.rich)
        self._pulse = Pulse(elapsed)
        self._line: tuple[Bot, Me] | None = None
        self.members = TelegramMembers()

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Hold the connection while inside. Raises ConfigError for what a person must change, DeliveryError else."""
        async with connected(self._settings) as (bot, me):
            errands = Errands()
            errands.start(partial(_offer_commands, bot, self._settings.admins, pairs=self._settings.pairs), "")
            self._line = (bot, me)
            try:
                yield
            finally:
                self._line = None
                await errands.close()

    async def run(self, intake: Intake, ready: Ready) -> None:
        """Bring in what people do until cancelled, inside `connected`. Raises as `connected` does."""
        if self._line is None:
            raise DeliveryError("Telegram is not connected", retry=True)
        bot, me = self._line
        errands = Errands()
        inline = InlineAnswers(bot, intake, errands)
        links = Links(self._settings.token, me.username)
        arrivals = Arrivals(bot, me, intake, errands, partial(notices.give, show=self.show), inline, links)
        try:
            await self._receive(bot, me, arrivals.take, ready)
        finally:
            self._pulse.end()
            await errands.close()

    def share(self, copies: Callable[[], int], tally: Tally | None = None) -> None:
        """Keep to what Telegram takes of so many copies from now on, which count together what each chat gets."""
        self._pace.copies, self._pace.tally = copies, tally

    def parts(self, reply: RenderedReply) -> tuple[Part, ...]:
        """Return the reply in Telegram's messages. Raises ValueError when it has no words."""
        return parts_of(reply, rich=self._settings.rich)

    def button(self, said: str | Tasks, button: str, label: str) -> Body:
        """Return a message of one sentence with one button, which brings at most 64 bytes."""
        return with_button(said, button, label)

    def stoppable(self, body: Body, button: str, label: str) -> Body:
        """Return what stands for an answer, or tells how it goes, with a button that stops that."""
        return stoppable(body, button, label)

    def after(self, body: Body, button: str) -> Body:
        """Return a message once a button of it was pressed: others of its kind are gone, and a choice is named."""
        return after(body, button)

    def working(self, question: Question) -> AbstractAsyncContextManager[None]:
        """Show "typing" in the chat while inside."""
        return typing(self._line[0], self._pace, question) if self._line else nullcontext()

    async def show(self, message: Outgoing) -> Outcome:
        """Post, change or remove the message, once; Later when not connected, or when Telegram wants a pause."""
        if self._line is None:
            return Later(CONNECTING_SECONDS, "not connected", whole_place=True, ours_alone=True)
        return await send.show(self._line[0], self._pace, message, self._newer)

    async def tell(self, message: Outgoing) -> Outcome:
        """Let it be seen how an answer goes: in the message that stands for it, or as a draft in a private chat."""
        if self._line is None:
            return Later(CONNECTING_SECONDS, "not connected")
        return await self._teller.tell(self._line[0], message)

    async def find(self, message: Outgoing) -> Seen:  # noqa: ARG002 - bots may not read a chat
        """Return that nobody can tell: Telegram lets no bot look."""
        return CannotTell()

    def health(self) -> Health:
        """Return whether messages reach us, and how long ago the last sign of it was."""
        return self._pulse.health()

    async def _receive(self, bot: Bot, me: Me, take: Take, ready: Ready) -> None:
        if url := self._settings.webhook_url:
            self._pulse.begin("webhook")
            webhook = Webhook(self._settings, take, self._pulse)
            async with _listening(webhook, bot):
                await ready(f"Telegram: connected as @{me.username} (webhook)")
                await Watch(bot, webhook, url, self._pulse).run()
        else:
            await _leave_webhook(bot)
            self._pulse.begin("polling", PATIENCE)
            await ready(f"Telegram: connected as @{me.username} (polling)")
            await poll(bot, take, self._pulse, updates_for(self._settings))


@asynccontextmanager
async def _listening(webhook: Webhook, bot: Bot) -> AsyncIterator[None]:
    try:
        await webhook.open(bot)
        yield
    finally:
        await webhook.close()


async def _leave_webhook(bot: Bot) -> None:
    """Let updates be polled for, also after a time with a webhook; what waits there is kept."""
    try:
        await bot.delete_webhook(drop_pending_updates=False)
    except TelegramError as error:
        raise DeliveryError(f"Telegram did not switch to polling: {in_words(error, bot)}", retry=True) from None


async def _offer_commands(bot: Bot, admins: Sequence[int], *, pairs: bool) -> None:
    """Put the commands in Telegram's menu, and those of admins in their private chats; it is no matter without."""
    places = [None, *(BotCommandScopeChat(admin) for admin in admins)]
    for scope in places:
        try:
            for language, code in _menus():
                offered = commands(language, admin=scope is not None, pairs=pairs)
                await bot.set_my_commands(offered, scope=scope, language_code=code)
        except TelegramError as error:
            # An admin who has never written to the bot has no private chat with it.
            log.info("Telegram: a command menu was not set: %s", in_words(error, bot))


def _menus() -> Iterator[tuple[Language, str | None]]:
    """Yield whose menu is in which language: the one in English is for everybody without a menu of their own."""
    for language, told in TONGUES.items():
        yield from ((language, code) for code in ((None,) if language == DEFAULT else told.locales))
