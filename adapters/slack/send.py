"""One question, one visible answer: a sign at once, the answer in its place, the evidence under it."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from adapters.slack.format import answer_messages, evidence_messages
from adapters.slack.outbox import Outbox
from adapters.slack.packing import SlackMessage
from adapters.slack.refusals import Refusal
from core.conversation import Question
from core.errors import BotError, DeliveryError
from core.phrases import phrase
from core.render import say
from core.reply import RenderedReply
from core.text import language_of

# Seconds to say that an answer was cut short by a stop.
FAREWELL = 2.0

# The message is not as Slack wants it: the same words as plain text still arrive.
_UNSHOWABLE = ("msg_too_long", "invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "invalid_attachments")

_log = logging.getLogger(__name__)

Ask = Callable[[Question], Awaitable[RenderedReply | None]]


@dataclass(frozen=True, slots=True)
class _Shown:
    """What is to be seen, in messages."""

    answer: tuple[SlackMessage, ...]
    evidence: tuple[SlackMessage, ...] = ()
    is_failure: bool = False


async def deliver(question: Question, outbox: Outbox, ask: Ask) -> list[str]:
    """Answer the question in its thread; return the ts of the messages that carry the answer, none after a failure.

    Never raises, except when cancelled; what cannot be delivered is logged.
    """
    try:
        sign = await _show_sign(question, outbox)
        shown = await _answered(question, outbox, sign, ask)
        sent = await _show(shown, outbox, sign or await _lost_sign(outbox))
    except DeliveryError as error:
        _log.error("The answer to %s could not be delivered. %s", question.id, error)
        return []
    return [] if shown is None or shown.is_failure else sent


async def _show_sign(question: Question, outbox: Outbox) -> str | None:
    """Say that the question has arrived; None when that failed for now and the answer may still get through."""
    try:
        return await outbox.post(None, phrase("looking", language_of(question.text)))
    except Refusal:
        raise
    except DeliveryError as error:
        _log.warning("No sign could be shown for %s. %s", question.id, error)
        return None


async def _lost_sign(outbox: Outbox) -> str | None:
    """Return the sign after all, if it was posted although Slack did not say so."""
    try:
        return await outbox.find(None)
    except DeliveryError:
        return None


async def _answered(question: Question, outbox: Outbox, sign: str | None, ask: Ask) -> _Shown | None:
    """Return what to show: the answer, a sentence when answering failed, or None when nothing is to be said."""
    try:
        reply = await ask(question)
        return _shown(reply) if reply else None
    except asyncio.CancelledError:
        await _take_leave(question, outbox, sign)
        raise
    except Exception as error:  # noqa: BLE001 - whatever goes wrong, the asker is told
        return _failure(question, describe(error))


def _shown(reply: RenderedReply) -> _Shown:
    answer = answer_messages(reply)
    if not answer:
        raise ValueError("the reply has nothing to see in it")
    return _Shown(answer, evidence_messages(reply))


async def _take_leave(question: Question, outbox: Outbox, sign: str | None) -> None:
    """Let the sign say that there will be no answer."""
    try:
        async with asyncio.timeout(FAREWELL):
            await _show(_failure(question, "stopped before the answer was ready"), outbox, sign)
    except (DeliveryError, TimeoutError) as error:
        _log.error("The end of %s could not be told (%s)", question.id, type(error).__name__)


def _failure(question: Question, reason: str) -> _Shown:
    """Return the sentence for the asker, and log the reason under the same reference, without anybody's words."""
    reference = secrets.token_hex(4)
    _log.error("No answer to %s (reference %s): %s", question.id, reference, reason)
    language = language_of(question.text)
    sentence = say(phrase("failed", language, reference=reference), language)
    return _Shown(answer_messages(sentence), is_failure=True)


def describe(error: BaseException) -> str:
    """Return what an error of ours says, or the kind of another and where it arose: its text may quote people."""
    if isinstance(error, BotError):
        return str(error)
    trace, places = error.__traceback__, [type(error).__name__]
    while trace is not None:
        code = trace.tb_frame.f_code
        places.insert(1, f"{code.co_filename}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return " < ".join(places[:4])


async def _show(shown: _Shown | None, outbox: Outbox, sign: str | None) -> list[str]:
    """Show the answer in place of the sign and the evidence under it; return the ts of each message."""
    if shown is None:
        if sign:
            await outbox.delete(sign)
        return []
    first, *rest = shown.answer
    sent = await _put(first, outbox, sign, "answer-1")
    parts = [(f"answer-{number}", message) for number, message in enumerate(rest, 2)]
    parts += [(f"evidence-{number}", message) for number, message in enumerate(shown.evidence, 1)]
    try:
        for part, message in parts:
            sent += await _put(message, outbox, None, part)
    except DeliveryError as error:
        _log.error("Part of the answer to %s could not be delivered. %s", outbox.question, error)
    return sent


async def _put(message: SlackMessage, outbox: Outbox, sign: str | None, part: str) -> list[str]:
    """Show a message, in place of the sign if there is one; as plain text if Slack does not take its blocks."""
    try:
        if sign:
            return [await outbox.replace(sign, part, message.notification, message.blocks)]
        return [await outbox.post(part, message.notification, message.blocks)]
    except Refusal as refusal:
        if refusal.code not in _UNSHOWABLE:
            raise
        _log.error("Part of the answer to %s goes as plain text. %s", outbox.question, refusal)
    first, *rest = message.texts()
    shown = outbox.replace(sign, part, first) if sign else outbox.post(part, first)
    return [await shown, *[await outbox.post(f"{part}-{number}", text) for number, text in enumerate(rest, 2)]]
