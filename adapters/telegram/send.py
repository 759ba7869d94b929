"""One message shown, changed or removed: one attempt, and what is known of it afterwards."""

import logging
from dataclasses import dataclass, replace
from typing import Any

from telegram import Bot, LinkPreviewOptions, Message, ReplyParameters
from telegram.error import (
    BadRequest,
    ChatMigrated,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    RetryAfter,
    TelegramError,
)

from adapters.telegram.body import entities_of, in_chat, keyboard_of, unformatted
from adapters.telegram.failures import UNREADABLE, did_nothing, in_words, never_left, seconds_of
from adapters.telegram.pace import Pace
from core.conversation import MessageRef
from core.delivery import FIRST, Body, Doubtful, Later, Outcome, Outgoing, Refused, Shown
from core.errors import whereabouts
from core.work import NOTE

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
# A revoked token is replaced by a person.
TOKEN_SECONDS = 60.0
# An edit may become a post, in a chat that has moved, as text, without its formatting: no attempt is ever more calls.
MAX_CALLS = 5

_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)

# What Telegram says of a message that is not there, or is no longer ours to change (tdlib, MessagesManager.cpp).
_NOT_EDITABLE = ("message to edit not found", "message can't be edited", "message_id_invalid")
_NOT_THERE = ("message to delete not found", "message_id_invalid")
# What no other words would change (tdlib, DialogManager.cpp, ForumTopicManager.cpp; telegram-bot-api, Client.cpp).
_NEVER = (
    "not enough rights",
    "have no rights",
    "chat_write_forbidden",
    "topic_closed",
    "topic_deleted",
    "message thread not found",
    "chat not found",
    "user is deactivated",
    "chat_restricted",
)
_NO_TARGET = ("message to be replied not found", "reply message not found")
_NOT_MODIFIED = "message is not modified"
# Buttons that Telegram does not take (td, ReplyMarkup.cpp, and the servers' own words) cost only themselves.
_BUTTONS = ("button_", "inline keyboard", "reply_markup", "reply markup")


@dataclass(slots=True)
class Newer:
    """What the server takes of what is newer than the library, as far as is known: `rich` messages."""

    rich: bool = False


@dataclass(frozen=True, slots=True)
class _Call:
    """One call: a post, or of the message `shown` an edit or, without a body, its deletion."""

    chat: int
    body: Body | None
    shown: int | None = None
    reply_to: int | None = None
    topic: int | None = None


async def show(bot: Bot, pace: Pace, message: Outgoing, newer: Newer) -> Outcome:
    """Return what became of the message. It is tried once; only what surely was refused is said again, otherwise."""
    if message.shown is None and message.body is None:
        return Shown(None)
    call, moved = _call(message), None
    for number in range(MAX_CALLS):
        call = call if newer.rich else _in_text(call)
        if pace.wait(call.chat) or await pace.turn(call.chat):
            return _too_fast(pace, call.chat, calls=number + 1)
        try:
            return Shown(await _make(bot, call), moved)
        except UNREADABLE as error:
            return _unread(call, error, is_note=message.part == NOTE)
        except TelegramError as error:
            if _refuses_rich(call, error):
                newer.rich = False
                log.warning("Telegram takes no rich messages here, so tables go as text: %s", in_words(error, bot))
                continue
            moved = str(error.new_chat_id) if isinstance(error, ChatMigrated) else moved
            after = _after(call, error, bot, pace)
        if not isinstance(after, _Call):
            return _known(after, moved, anew=message.shown is not None and call.shown is None)
        call = after
    return Refused("there was another reason each time")


def _unread(call: _Call, error: Exception, *, is_note: bool) -> Outcome:
    """Return what became of a message that Telegram took, though what it said of it cannot be read."""
    reason = f"Telegram's answer cannot be read: {whereabouts(error)}"
    log.warning("%s", reason)
    if call.shown is not None:
        return Shown(_standing(call))
    # What only offers a message is said again while it is in doubt, and this would be in doubt each time.
    return Refused(reason) if is_note else Doubtful(reason)


def _known(outcome: Outcome, moved: str | None, *, anew: bool) -> Outcome:
    """Return what became of the message with what came to light on the way."""
    match outcome:
        case Shown():
            return replace(outcome, moved=moved)
        case Doubtful():
            return replace(outcome, anew=anew)
    return outcome


def _too_fast(pace: Pace, chat: int, calls: int) -> Later:
    """Return that we have to wait; other copies need not when it is only our share of what all chats get."""
    ours = pace.copies() > 1 and not pace.wait_of_chat(chat, calls)
    seconds, reason = pace.wait(chat, calls), "as fast as Telegram allows"
    return Later(seconds, reason, whole_place=True, expected=True, ours_alone=ours)


def _call(message: Outgoing) -> _Call:
    """Return the call that shows the message: where its reply stands, should the chat have moved since the question."""
    place = (message.shown or message.first or message.asked).place
    target = _target(message)
    return _Call(
        chat=int(place),
        body=message.body,
        shown=int(message.shown.message) if message.shown else None,
        # A chat that has moved since has no message of that number: then the number is left out.
        reply_to=int(target.message) if target and target.message and target.place == place else None,
        topic=int(message.root) if message.root and message.asked.place == place else None,
    )


def _target(message: Outgoing) -> MessageRef | None:
    """Return what the message replies to: the question, or the answer; the answer's further parts just follow."""
    if message.is_evidence:
        return message.first or message.asked
    return message.asked if message.part == FIRST or not message.part.startswith("answer") else None


async def _make(bot: Bot, call: _Call) -> MessageRef | None:
    if call.body is not None:
        return await (_post(bot, call, call.body) if call.shown is None else _edit(bot, call, call.body))
    await bot.delete_message(call.chat, call.shown or 0)
    return None


def _in_text(call: _Call) -> _Call:
    """Return the call without what only a rich message would show."""
    if call.body is None or "rich" not in call.body:
        return call
    return replace(call, body={name: value for name, value in call.body.items() if name != "rich"})


def _refuses_rich(call: _Call, error: TelegramError) -> bool:
    """Return whether the server does not know rich messages, or objects to this one for a reason that text has not."""
    if call.body is None or "rich" not in call.body:
        return False
    reasons = (*_NOT_EDITABLE, *_NEVER, *_NO_TARGET, *_BUTTONS, _NOT_MODIFIED)
    unlike_text = isinstance(error, BadRequest) and not _names(reasons, error.message)
    return unlike_text or isinstance(error, EndPointNotFound)


async def _post(bot: Bot, call: _Call, body: Body) -> MessageRef:
    """Return the message as sent: never a preview, and never lost because the question was deleted."""
    body = in_chat(body, call.chat)
    replied = ReplyParameters(call.reply_to, allow_sending_without_reply=True) if call.reply_to else None
    if "rich" in body:
        given = {"chat_id": call.chat, "message_thread_id": call.topic, "reply_parameters": replied}
        sent = await _with_rich("send_rich_message", body, given, bot)
        return MessageRef("telegram", str(sent.chat_id), str(sent.message_id))
    sent = await bot.send_message(
        call.chat,
        body["text"],
        entities=entities_of(body, bot) or None,
        reply_markup=keyboard_of(body, bot),
        message_thread_id=call.topic,
        reply_parameters=replied,
        link_preview_options=_NO_PREVIEW,
    )
    return MessageRef("telegram", str(sent.chat_id), str(sent.message_id))


async def _with_rich(method: str, body: Body, given: dict[str, Any], bot: Bot) -> Message:
    """Return the message that is made or changed by a method which the library does not know in this form."""
    given |= {"rich_message": body["rich"], "reply_markup": keyboard_of(body, bot)}
    known = {name: value for name, value in given.items() if value is not None}
    sent: Message = await bot.do_api_request(method, known, return_type=Message)
    return sent


async def _edit(bot: Bot, call: _Call, body: Body) -> MessageRef | None:
    body = in_chat(body, call.chat)
    if "rich" in body:
        # Spelt so, the library does not insist on a method of its own, which would want a text.
        await _with_rich("edit__message__text", body, {"chat_id": call.chat, "message_id": call.shown}, bot)
        return _standing(call)
    await bot.edit_message_text(
        body["text"],
        call.chat,
        call.shown,
        entities=entities_of(body, bot) or None,
        reply_markup=keyboard_of(body, bot),
        link_preview_options=_NO_PREVIEW,
    )
    return _standing(call)


def _standing(call: _Call) -> MessageRef | None:
    return MessageRef("telegram", str(call.chat), str(call.shown)) if call.body else None


def _after(call: _Call, error: TelegramError, bot: Bot, pace: Pace) -> _Call | Outcome:
    """Return the call to make instead, or what became of the message."""
    reason = in_words(error, bot)
    match error:
        case RetryAfter():
            pace.penalize(call.chat, seconds_of(error))
            return Later(seconds_of(error), reason, whole_place=True)
        case ChatMigrated():
            return _moved(call, error.new_chat_id)
        case BadRequest():
            return _objected(call, reason)
        case Forbidden():
            return Refused(reason, shut=reason)
    return _failed(call, error, reason)


def _failed(call: _Call, error: TelegramError, reason: str) -> Outcome:
    """Return what became of a message that Telegram, or the network, said nothing about; an edit may be repeated."""
    if isinstance(error, InvalidToken):
        return Later(TOKEN_SECONDS, "the token was refused", whole_place=True)
    if never_left(error):
        return Later(RETRY_SECONDS, reason, whole_place=True)
    if call.shown is not None or did_nothing(error):
        return Later(RETRY_SECONDS, reason)
    return Doubtful(reason)


def _moved(call: _Call, chat: int) -> _Call | Outcome:
    """Return the message as a new one of the new chat, where the numbers of the old one name other messages."""
    if call.body is None:
        return Shown(None)
    return replace(call, chat=chat, shown=None, reply_to=None, topic=None)


def _objected(call: _Call, reason: str) -> _Call | Outcome:
    """Return how to say it so that Telegram takes it; there is no way for what stays refused."""
    if call.body is None:
        return Shown(None) if _names(_NOT_THERE, reason) else Refused(reason)
    if call.shown is not None and _names((_NOT_MODIFIED,), reason):
        return Shown(_standing(call))
    if call.shown is not None and _names(_NOT_EDITABLE, reason):
        return replace(call, shown=None)
    return _said_otherwise(call, call.body, reason)


def _said_otherwise(call: _Call, body: Body, reason: str) -> _Call | Outcome:
    """Return the message without what was refused: its target, its buttons, else its formatting; some nothing helps."""
    if call.reply_to and _names(_NO_TARGET, reason):
        return replace(call, reply_to=None)
    if body.get("keyboard") and _names(_BUTTONS, reason):
        log.warning("Telegram refused the buttons of a message, so it goes without: %s", reason)
        return replace(call, body={name: value for name, value in body.items() if name != "keyboard"})
    if body["entities"] and not _names(_NEVER, reason):
        log.warning("Telegram refused the formatting of a message, so it goes without: %s", reason)
        return replace(call, body=unformatted(body))
    return Refused(reason, shut=reason if _names(_NEVER, reason) else "")


def _names(known: tuple[str, ...], reason: str) -> bool:
    return any(each in reason.lower() for each in known)
