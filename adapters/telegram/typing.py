"""The signs that an answer is being written: in groups a look at the question, and everywhere “typing”."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from telegram import Bot
from telegram.constants import ChatAction, ReactionEmoji
from telegram.error import RetryAfter, TelegramError

from adapters.telegram.failures import in_words, seconds_of
from adapters.telegram.pace import Pace
from core.conversation import Question

log = logging.getLogger(__name__)

TYPING_SECONDS = 4.0  # the signal lasts 5 seconds at most (core.telegram.org/bots/api#sendchataction)
# In a group drafts are refused, and that somebody types says nothing of whose question is meant.
SEEN = ReactionEmoji.EYES
# Seconds after which a question is looked at: an answer that is there by then is sign enough.
SEEN_AFTER = 0.5


@asynccontextmanager
async def typing(bot: Bot, pace: Pace, question: Question) -> AsyncIterator[None]:
    """Show in the chat that an answer is being written, as long as the block runs; that it was seen stays."""
    signals = asyncio.create_task(_signal(bot, pace, question))
    try:
        yield
    finally:
        signals.cancel()
        await asyncio.wait([signals])


async def _signal(bot: Bot, pace: Pace, question: Question) -> None:
    """Send the signal until it is refused: it is a courtesy, so any failure ends it, and messages go first."""
    chat, topic = int(question.place), int(question.root) if question.root else None
    try:
        if chat < 0 and question.pressed is None and not question.overheard:
            await asyncio.sleep(SEEN_AFTER)
            await _see(bot, pace, chat, int(question.message))
        while True:
            if pace.spares(chat):
                pace.take(chat)
                await bot.send_chat_action(chat, ChatAction.TYPING, message_thread_id=topic)
            await asyncio.sleep(TYPING_SECONDS)
    except TelegramError as error:
        _heed(error, pace, chat)
        log.debug("Telegram: no typing signal in %s: %s", chat, in_words(error, bot))


async def _see(bot: Bot, pace: Pace, chat: int, message: int) -> None:
    """Look at a question, where the group takes that and has room for it."""
    if not pace.spares(chat):
        return
    pace.take(chat)
    try:
        await bot.set_message_reaction(chat, message, SEEN)
    except TelegramError as error:
        _heed(error, pace, chat)
        log.debug("Telegram: no look at a question in %s: %s", chat, in_words(error, bot))


def _heed(error: TelegramError, pace: Pace, chat: int) -> None:
    if isinstance(error, RetryAfter):
        pace.penalize(chat, seconds_of(error))
