"""Delivery: every message once, in order, whatever Telegram answers."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from telegram import Bot, LinkPreviewOptions, Message, ReplyParameters
from telegram.constants import ChatAction
from telegram.error import BadRequest, ChatMigrated, NetworkError, RetryAfter, TelegramError

from adapters.telegram.events import Place
from adapters.telegram.failures import in_words
from adapters.telegram.polling import seconds
from adapters.telegram.richtext import Part
from core.conversation import MessageRef
from core.errors import DeliveryError

log = logging.getLogger(__name__)

TYPING_SECONDS = 4.0  # the signal lasts 5 seconds at most (core.telegram.org/bots/api#sendchataction)
MAX_TRIES = 4
# 14 to 35 seconds are common; hours are told to bots that go on sending inside a ban.
LONGEST_WAIT = 120.0
RETRY_PAUSE = 1.0

# Without entities a mention in a document would ping somebody: a word joiner after the sign keeps it text.
_NO_MENTION = "@\u2060"
_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
# httpx failures before anything left this machine.
_NEVER_SENT = ("ConnectError", "ConnectTimeout", "PoolTimeout")


@asynccontextmanager
async def typing(bot: Bot, place: Place) -> AsyncIterator[None]:
    """Show in the chat that an answer is being written, as long as the block runs."""
    signals = asyncio.create_task(_signal(bot, place))
    try:
        yield
    finally:
        signals.cancel()
        await asyncio.wait([signals])


async def deliver(
    bot: Bot, place: Place, answer: Sequence[Part], evidence: Sequence[Part]
) -> AsyncIterator[MessageRef]:
    """Yield each message once it stands in the chat: the answer under the question, the evidence under the answer.

    Raises DeliveryError at the first part that Telegram will not take; what came before stays.
    """
    first: MessageRef | None = None
    for number, part in enumerate(answer):
        sent = await post(bot, place if number == 0 else replace(place, reply_to=None), part)
        if sent:
            yield sent
            first = first or sent
    under = replace(place, chat=int(first.place), reply_to=int(first.message)) if first else place
    for part in evidence:
        if sent := await post(bot, under, part):
            yield sent


async def post(bot: Bot, place: Place, part: Part) -> MessageRef | None:
    """Return the message that now stands in the chat, None when nobody can tell whether it does.

    A part is sent again only when Telegram surely refused it: after a flood limit's wait, after an error of its own,
    or without formatting when that was not accepted. Raises DeliveryError when it will not be taken.
    """
    reason = ""
    for _ in range(MAX_TRIES):
        try:
            return _ref(await _send(bot, place, part))
        except TelegramError as error:
            reason = in_words(error, bot)
            match error:
                case RetryAfter():
                    await asyncio.sleep(_patience(error))
                case ChatMigrated():
                    place = replace(place, chat=error.new_chat_id)
                case BadRequest() if part.entities:
                    log.warning("Telegram refused the formatting of a message, so it goes without: %s", reason)
                    part = Part(part.text.replace("@", _NO_MENTION))
                case NetworkError() if _surely_refused(error):
                    await asyncio.sleep(RETRY_PAUSE)
                case NetworkError() if not isinstance(error, BadRequest):
                    log.warning("Telegram: nobody knows whether a message to %s arrived: %s", place.chat, reason)
                    return None
                case _:
                    raise DeliveryError(f"chat {place.chat} did not take a message: {reason}") from None
    raise DeliveryError(f"chat {place.chat} did not take a message in {MAX_TRIES} tries: {reason}")


async def _send(bot: Bot, place: Place, part: Part) -> Message:
    """Return the message as sent: never a preview, and never lost because the question was deleted."""
    replied = ReplyParameters(place.reply_to, allow_sending_without_reply=True) if place.reply_to else None
    return await bot.send_message(
        place.chat,
        part.text,
        entities=part.entities or None,
        message_thread_id=place.topic,
        reply_parameters=replied,
        link_preview_options=_NO_PREVIEW,
    )


def _ref(message: Message) -> MessageRef:
    return MessageRef("telegram", str(message.chat_id), str(message.message_id))


def _patience(limit: RetryAfter) -> float:
    """Return how long to wait. Raises DeliveryError when that is longer than anybody waits for an answer."""
    wait = seconds(limit)
    if wait > LONGEST_WAIT:
        raise DeliveryError(f"Telegram's flood limit asks for {wait:g} seconds, so the answer is given up")
    return wait


def _surely_refused(error: NetworkError) -> bool:
    """Return whether nothing can have been sent.

    A 500 in the Bot API's own words did nothing, unless it restarts; a gateway's error may hide a sent message.
    """
    if type(error.__cause__).__name__ in _NEVER_SENT:
        return True
    return error.message.startswith("Internal Server Error") and "restart" not in error.message


async def _signal(bot: Bot, place: Place) -> None:
    """Send the signal until it is refused: it is a courtesy, so any failure ends it."""
    try:
        while True:
            await bot.send_chat_action(place.chat, ChatAction.TYPING, message_thread_id=place.topic)
            await asyncio.sleep(TYPING_SECONDS)
    except TelegramError as error:
        log.debug("Telegram: no typing signal in %s: %s", place.chat, in_words(error, bot))
