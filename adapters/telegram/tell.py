"""How an answer goes: in the message that stands for it, or in a private chat as a draft that never becomes one."""

import logging

from telegram import Bot, LinkPreviewOptions
from telegram.error import BadRequest, Forbidden, InvalidToken, RetryAfter, TelegramError

from adapters.telegram.body import entities_of, keyboard_of
from adapters.telegram.failures import UNREADABLE, in_words, never_left, seconds_of
from adapters.telegram.pace import Pace
from core.delivery import Body, Doubtful, Later, Outcome, Outgoing, Refused, Shown
from core.errors import whereabouts

log = logging.getLogger(__name__)

# Seconds until the next look whether a chat has room for a courtesy.
SOON = 1.0
_NOT_MODIFIED = "message is not modified"


class Teller:
    """Tells within the budgets of messages, which go first; remembers whether the server knows of drafts.

    `stops`: whether drafts of what can be stopped have a button for it, as long as the server takes that.
    """

    def __init__(self, pace: Pace, *, stops: bool = False) -> None:
        self._pace = pace
        self._drafts = True
        self._stops = stops

    async def tell(self, bot: Bot, message: Outgoing) -> Outcome:
        """Return what became of one change of the sign, or of one draft. Never raises, except when cancelled."""
        place = (message.shown or message.asked).place
        chat = int(place)
        if message.body is None or (message.shown is None and (chat < 0 or not self._drafts)):
            return Refused("the chat has no sign for it but typing")
        if not self._pace.spares(chat) or await self._pace.turn(chat):
            return Later(SOON, "messages go first", expected=True)
        try:
            if message.shown is None:
                await self._draft(bot, chat, message, message.body)
            else:
                await _edit(bot, chat, int(message.shown.message), message.body)
        except TelegramError as error:
            return self._failed(bot, chat, message, error)
        except UNREADABLE as error:
            return Doubtful(f"Telegram's answer cannot be read: {whereabouts(error)}")
        return Shown(message.shown)

    async def _draft(self, bot: Bot, chat: int, message: Outgoing, body: Body) -> None:
        """Show the draft, without its button where the server refuses that; it is then never tried again."""
        can_stop = self._stops and "keyboard" in body
        try:
            await _draft(bot, chat, message, body, can_stop=can_stop)
        except BadRequest as error:
            if not can_stop or await self._pace.turn(chat):
                raise
            await _draft(bot, chat, message, body, can_stop=False)
            self._stops = False
            log.info("Telegram: this server takes no Stop button under drafts: %s", in_words(error, bot))

    def _failed(self, bot: Bot, chat: int, message: Outgoing, error: TelegramError) -> Outcome:
        reason = in_words(error, bot)
        match error:
            case RetryAfter():
                self._pace.penalize(chat, seconds_of(error))
            case BadRequest() if _NOT_MODIFIED in reason.lower():
                return Shown(message.shown)
            case InvalidToken() if message.shown is None:
                # The library says so of a method that the server does not know.
                self._drafts = False
                log.info("Telegram: this server knows no drafts, so typing is the only sign")
            case _ if not isinstance(error, BadRequest | Forbidden | InvalidToken) and not never_left(error):
                return Doubtful(reason)
        return Refused(reason)


async def _draft(bot: Bot, chat: int, message: Outgoing, body: Body, *, can_stop: bool) -> None:
    topic = int(message.root) if message.root else None
    # The same number each time: what has changed is shown as it grows.
    number = int(message.asked.message)
    entities = entities_of(body, bot) or None
    # A field of Bot API 10.3, newer than the library: a server that does not know it shows no button.
    newer = {"can_stop": True} if can_stop else None
    await bot.send_message_draft(
        chat, number, body["text"], message_thread_id=topic, entities=entities, api_kwargs=newer
    )


async def _edit(bot: Bot, chat: int, number: int, body: Body) -> None:
    preview, keyboard = LinkPreviewOptions(is_disabled=True), keyboard_of(body, bot)
    entities = entities_of(body, bot) or None
    await bot.edit_message_text(
        body["text"], chat, number, entities=entities, reply_markup=keyboard, link_preview_options=preview
    )
