"""Updates by long polling: confirmed only after each has been taken."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from telegram import Bot
from telegram.error import Conflict, EndPointNotFound, InvalidToken, RetryAfter, TelegramError

from adapters.telegram.client import TelegramSettings
from adapters.telegram.drafts import HALTED
from adapters.telegram.failures import in_words, seconds_of, token_refused
from adapters.telegram.pulse import Pulse
from core.errors import ConfigError, PortError

log = logging.getLogger(__name__)

# Named, because Telegram keeps the last list it was given.
ALLOWED_UPDATES = ("message", "edited_message", "callback_query", "message_reaction")
INLINE_UPDATES = ("inline_query",)
GUEST_UPDATES = ("guest_message",)
# Bot API 10.3, newer than the library; an older server passes over the name.
STOP_UPDATES = (HALTED,)
POLL_SECONDS = 30  # the server holds a poll up to 50 (telegram-bot-api, Client.h)
# The library's own time-outs count from the last byte, so a connection that drips would never end by them.
HANGS_AFTER = POLL_SECONDS + 15.0
# The messages reach us when the last poll was answered no longer ago.
PATIENCE = POLL_SECONDS + 30.0
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
# A copy that is being replaced polls until it has stopped; whoever polls longer stays.
RIVAL_PAUSE, RIVAL_SECONDS = 5.0, 30.0
# A poll as long as this without a conflict was not contested.
RIVAL_GONE = 2.0 * POLL_SECONDS

Take = Callable[[object], Awaitable[None]]

_TAKEN_AWAY = (
    "TELEGRAM_BOT_TOKEN is in use elsewhere: another program receives this bot's messages, or has set a webhook. "
    "Stop the other one, or give this one a bot of its own (@BotFather, /newbot)"
)


def updates_for(settings: TelegramSettings) -> tuple[str, ...]:
    """Return the kinds of updates that are wanted."""
    wanted = ALLOWED_UPDATES + INLINE_UPDATES * settings.inline + GUEST_UPDATES * settings.guest
    return wanted + STOP_UPDATES * settings.stop


async def poll(bot: Bot, take: Take, pulse: Pulse, kinds: Sequence[str] = ALLOWED_UPDATES) -> None:
    """Hand over every update, for ever; one that could not be taken comes again, and nothing after it is confirmed.

    Raises ConfigError when the token is refused, or when another program goes on polling with it.
    """
    await _Poller(bot, take, pulse, kinds).run()


class _Poller:
    """Where polling stands."""

    def __init__(self, bot: Bot, take: Take, pulse: Pulse, kinds: Sequence[str]) -> None:
        self._bot = bot
        self._kinds = list(kinds)
        self._take = take
        self._pulse = pulse
        self._offset = 0
        self._pause = FIRST_PAUSE
        self._rival_since = self._rival_seen = float("-inf")

    async def run(self) -> None:
        while True:
            try:
                await self._turn()
                self._pause = FIRST_PAUSE
                continue
            except Conflict as error:
                wait = self._contested(error)
            except (InvalidToken, EndPointNotFound):
                raise token_refused() from None
            except (TelegramError, PortError, TimeoutError) as error:
                wait = self._interrupted(error)
            await asyncio.sleep(wait)

    async def _turn(self) -> None:
        """Fetch the waiting updates and take them; a fetch confirms what was taken before it."""
        updates = await self._fetch()
        self._pulse.beat()
        # Ids may start anew, and lower, after a quiet week: once all is confirmed, no offset is the right one.
        self._offset = self._offset if updates else 0
        for update in updates:
            await self._take(update)
            number = update.get("update_id") if isinstance(update, dict) else None
            self._offset = number + 1 if isinstance(number, int) else self._offset

    async def _fetch(self) -> list[object]:
        """Return the waiting updates as they are, so that one the library cannot read does not hold up the others."""
        arguments = {"offset": self._offset, "timeout": POLL_SECONDS, "allowed_updates": self._kinds}
        async with asyncio.timeout(HANGS_AFTER):
            found: object = await self._bot.do_api_request(
                "get__updates",  # sent as getUpdates; spelt so, the library does not insist on parsing what comes back
                api_kwargs=arguments,
                read_timeout=POLL_SECONDS + 10,
            )
        if not isinstance(found, list):
            raise TelegramError("Invalid server response")
        return found

    def _contested(self, error: Conflict) -> float:
        """Return the pause before the next try. Raises ConfigError when the other program does not go away."""
        now = self._pulse.elapsed()
        if now - self._rival_seen > RIVAL_GONE:
            self._rival_since = now
        self._rival_seen = now
        if now - self._rival_since >= RIVAL_SECONDS:
            raise ConfigError(_TAKEN_AWAY) from None
        words = "another program receives this bot's messages; if it does not stop, this one will"
        self._pulse.troubled(words, cut_off=True)
        log.warning("Telegram: %s, next try in %g s: %s", words, RIVAL_PAUSE, in_words(error, self._bot))
        return RIVAL_PAUSE

    def _interrupted(self, error: TelegramError | PortError | TimeoutError) -> float:
        """Return the pause before the next try: longer each time, and as long as Telegram says."""
        told = seconds_of(error) if isinstance(error, RetryAfter) else 0.0
        wait = max(self._pause, told)
        is_ours = isinstance(error, PortError)
        what = "messages cannot be stored" if is_ours else "no messages arrive"
        hung = f"the poll hung for {HANGS_AFTER:g} s"
        words = f"{what}: {hung if isinstance(error, TimeoutError) else in_words(error, self._bot)}"
        # The poll was answered, so its age would say that all is well.
        self._pulse.troubled(words, cut_off=is_ours)
        log.warning("Telegram: %s; next try in %g s", words, wait)
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        return wait
