"""The signs that an answer is being written: in groups a look at the question, then a writing hand; and “typing”."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

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
# Seconds after which the look becomes this one, until the answer is there: a message would be noise for all the group,
# and “typing” is gone as soon as one looks away.
WRITING = ReactionEmoji.WRITING_HAND
WRITING_AFTER = 8.0
# Seconds until the next look whether the group has room for it.
SOON = 1.0
# Seconds that the way back may take, which the answer waits for.
BACK_WITHIN = 1.0


@asynccontextmanager
async def typing(bot: Bot, pace: Pace, question: Question) -> AsyncIterator[None]:
    """Show in the chat that an answer is being written, as long as the block runs; that it was seen stays."""
    looks = question.place.startswith("-") and question.pressed is None and not question.overheard
    signals = [asyncio.create_task(_signal(bot, pace, question, looks=looks))]
    if looks:
        signals.append(asyncio.create_task(_write(bot, pace, int(question.place), int(question.message))))
    try:
        yield
    finally:
        for signal in signals:
            signal.cancel()
        await asyncio.wait(signals)


async def _write(bot: Bot, pace: Pace, chat: int, message: int) -> None:
    """Let the look become a hand that writes where an answer takes long, and a look again once it is over."""
    await asyncio.sleep(WRITING_AFTER)
    while True:
        if pace.spares(chat):
            break
        await asyncio.sleep(SOON)
    try:
        await _react(bot, pace, chat, message, WRITING)
        await asyncio.Event().wait()
    finally:
        # A hand that goes on writing would be untrue, so this is more than a courtesy.
        if not pace.wait(chat):
            with suppress(TimeoutError):
                async with asyncio.timeout(BACK_WITHIN):
                    await _react(bot, pace, chat, message, SEEN)


async def _signal(bot: Bot, pace: Pace, question: Question, *, looks: bool) -> None:
    """Send the signal until it is refused: it is a courtesy, so any failure ends it, and messages go first."""
    chat, topic = int(question.place), int(question.root) if question.root else None
    try:
        if looks:
            await asyncio.sleep(SEEN_AFTER)
            if pace.spares(chat):
                await _react(bot, pace, chat, int(question.message), SEEN)
        while True:
            if pace.spares(chat) and not await pace.turn(chat):
                await bot.send_chat_action(chat, ChatAction.TYPING, message_thread_id=topic)
            await asyncio.sleep(TYPING_SECONDS)
    except TelegramError as error:
        _heed(error, pace, chat)
        log.debug("Telegram: no typing signal in %s: %s", chat, in_words(error, bot))


async def _react(bot: Bot, pace: Pace, chat: int, message: int, sign: ReactionEmoji) -> None:
    """Put the sign on a question in place of the one before, where the group takes that and has room for it."""
    if await pace.turn(chat):
        return
    try:
        await bot.set_message_reaction(chat, message, sign)
    except TelegramError as error:
        _heed(error, pace, chat)
        log.debug("Telegram: no sign on a question in %s: %s", chat, in_words(error, bot))


def _heed(error: TelegramError, pace: Pace, chat: int) -> None:
    if isinstance(error, RetryAfter):
        pace.penalize(chat, seconds_of(error))
