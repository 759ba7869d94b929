"""The signal that an answer is being written."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from telegram import Bot
from telegram.constants import ChatAction
from telegram.error import RetryAfter, TelegramError

from adapters.telegram.failures import in_words, seconds_of
from adapters.telegram.pace import Pace
from core.conversation import Question

log = logging.getLogger(__name__)

TYPING_SECONDS = 4.0  # the signal lasts 5 seconds at most (core.telegram.org/bots/api#sendchataction)


@asynccontextmanager
async def typing(bot: Bot, pace: Pace, question: Question) -> AsyncIterator[None]:
    """Show in the chat that an answer is being written, as long as the block runs."""
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
        while True:
            if pace.spares(chat):
                pace.take(chat)
                await bot.send_chat_action(chat, ChatAction.TYPING, message_thread_id=topic)
            await asyncio.sleep(TYPING_SECONDS)
    except TelegramError as error:
        if isinstance(error, RetryAfter):
            pace.penalize(chat, seconds_of(error))
        log.debug("Telegram: no typing signal in %s: %s", chat, in_words(error, bot))
