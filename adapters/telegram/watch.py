"""Whether Telegram still calls our webhook: asked now and then, as nothing comes here when it does not."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from typing import NoReturn

from telegram import Bot, WebhookInfo
from telegram.error import InvalidToken, TelegramError

from adapters.telegram.failures import LONGEST_WORDS, UNREADABLE, in_words, token_refused
from adapters.telegram.pulse import Pulse
from adapters.telegram.webhook import Webhook
from core.errors import BotError, ConfigError

log = logging.getLogger(__name__)

LOOK_SECONDS = 60.0
# Once the webhook was taken away we look more often; whoever takes it again within this time stays.
RIVAL_PAUSE, RIVAL_SECONDS = 5.0, 30.0
HANGS_AFTER = 45.0

_TAKEN_AWAY = (
    "TELEGRAM_BOT_TOKEN is in use elsewhere: another program has removed this bot's webhook or set another address, "
    "twice. Stop the other one, or give this one a bot of its own (@BotFather, /newbot)"
)


class Watch:
    """Looks at the webhook from Telegram's side; it is at `url` as long as all is well."""

    def __init__(self, bot: Bot, webhook: Webhook, url: str, pulse: Pulse) -> None:
        self._bot = bot
        self._webhook = webhook
        self._url = url
        self._pulse = pulse
        self._back_since = float("-inf")
        self._told = ""

    async def run(self) -> NoReturn:
        """Tell the pulse what is wrong, and set the webhook again when it was taken away.

        Raises ConfigError when the token is refused, or the webhook is taken away again at once.
        """
        wait = LOOK_SECONDS
        while True:
            await asyncio.sleep(wait)
            try:
                async with asyncio.timeout(HANGS_AFTER):
                    info = await self._bot.get_webhook_info()
            except InvalidToken:
                raise token_refused() from None
            except (TelegramError, TimeoutError, *UNREADABLE) as error:
                log.warning("Telegram: the webhook could not be looked at: %s", in_words(error, self._bot))
                continue
            wait = await self._seen(info)

    async def _seen(self, info: WebhookInfo) -> float:
        """Return the seconds until the next look."""
        if info.url != self._url:
            return await self._taken_away(info)
        if words := failing(info, datetime.now(UTC) - timedelta(seconds=self._pulse.silence())):
            # One failure may be a moment's; where nothing has come until the next look, nothing comes.
            self._tell(words, cut_off=bool(self._told))
        elif self._told:
            self._pulse.mended(self._told)
            self._told = ""
        return RIVAL_PAUSE if self._pulse.elapsed() - self._back_since < RIVAL_SECONDS else LOOK_SECONDS

    async def _taken_away(self, info: WebhookInfo) -> float:
        if self._pulse.elapsed() - self._back_since < RIVAL_SECONDS:
            raise ConfigError(_TAKEN_AWAY)
        found = "set another address for this bot's messages" if info.url else "removed this bot's webhook"
        words = f"no messages arrive: another program has {found}"
        self._tell(words, cut_off=True)
        try:
            await self._webhook.announce(self._bot)
        except BotError as error:
            log.warning("Telegram: next try in %g s: %s", RIVAL_PAUSE, error)
        else:
            self._back_since = self._pulse.elapsed()
            log.warning("Telegram: the webhook is set again; taken away once more at once, this program stops")
        return RIVAL_PAUSE

    def _tell(self, words: str, *, cut_off: bool) -> None:
        self._told = words
        self._pulse.troubled(words, cut_off=cut_off)
        log.warning("Telegram: %s", words)


def failing(info: WebhookInfo, heard_of: datetime) -> str:
    """Return why Telegram's calls fail; nothing when none waits, or the last failure was before we `heard_of` it."""
    if not info.pending_update_count or not info.last_error_date or info.last_error_date < heard_of:
        return ""
    said = (info.last_error_message or "no reason given")[:LONGEST_WORDS]
    return f"Telegram's calls fail ({info.pending_update_count} wait): {said}"
