"""Methods that say something: messages, edits, deletions, drafts, reactions, button answers."""

from __future__ import annotations

import re
from dataclasses import replace

from telegram.constants import ChatAction

from .errors import MESSAGE_NOT_MODIFIED, QUERY_TOO_OLD, Refusal, bad_request, describe
from .markup import read_keyboard, read_preview, read_reaction
from .model import Chat, Entity, Json, Message, RichText
from .params import Params
from .replies import read_place
from .rich import read_message
from .richtext import read_text
from .shapes import message_json
from .store import World, now

MAX_CALLBACK_ANSWER = 200

_ACTIONS = frozenset(each.value for each in ChatAction)


async def send_message(world: World, params: Params) -> Json:
    """Return the sent message."""
    return _sent(world, params, _known_people(world, read_text(params, world.warnings.append)))


async def send_rich_message(world: World, params: Params) -> Json:
    """Return the sent rich message; a server older than those does not know the method."""
    if not world.knows_rich:
        raise Refusal(404, describe(404))
    body, rich = read_message(params)
    return _sent(world, params, body, rich)


def _sent(world: World, params: Params, body: RichText, rich: Json | None = None) -> Json:
    keyboard, preview = read_keyboard(params), read_preview(params)
    chat = world.writable_chat(params.text("chat_id"))
    if not chat.members_may_write and chat.bot_status == "member":
        raise bad_request("not enough rights to send text messages to the chat")
    place = read_place(world, chat, params)
    message = Message(
        chat_id=chat.id,
        message_id=world.next_message_id(chat),
        sender=world.bot,
        date=now(),
        body=body,
        reply_to=place.reply_to,
        quote=place.quote,
        thread_id=place.thread_id,
        topic=place.topic,
        keyboard=keyboard,
        link_preview=preview,
        rich=rich,
    )
    return message_json(world, world.put(message))


async def edit_message_text(world: World, params: Params) -> Json:
    """Return the message with its new text; a keyboard not sent again disappears."""
    rich: Json | None = None
    if "rich_message" in params and world.knows_rich:
        body, rich = read_message(params)
    else:
        body = _known_people(world, read_text(params, world.warnings.append))
    keyboard, preview = read_keyboard(params), read_preview(params)
    message = _own_message(world, params)
    if (message.body, message.keyboard, message.rich) == (body, keyboard, rich):
        raise bad_request(MESSAGE_NOT_MODIFIED)
    edited = world.rewrite(replace(message, link_preview=preview, rich=rich), body, keyboard)
    return message_json(world, edited)


async def edit_message_reply_markup(world: World, params: Params) -> Json:
    """Return the message with its new keyboard, its text untouched."""
    keyboard = read_keyboard(params)
    message = _own_message(world, params)
    if message.keyboard == keyboard:
        raise bad_request(MESSAGE_NOT_MODIFIED)
    edited = world.put(replace(message, keyboard=keyboard, edit_date=now()))
    return message_json(world, edited)


async def delete_message(world: World, params: Params) -> bool:
    """Take a message out of the chat; in groups a plain member removes only its own."""
    chat = world.writable_chat(params.text("chat_id"))
    message = _message(world, chat, params, "message to delete not found")
    allowed = chat.kind == "private" or chat.bot_status == "administrator"
    if message.service or (message.sender != world.bot and not allowed):
        raise bad_request("message can't be deleted")
    world.remove(message)
    return True


async def send_chat_action(world: World, params: Params) -> bool:
    """Show what the bot is doing."""
    action = params.text("action")
    if action not in _ACTIONS:
        raise bad_request("wrong parameter action in request")
    chat = world.writable_chat(params.text("chat_id"))
    read_place(world, chat, params)
    world.actions.append((chat.id, action))
    return True


async def send_message_draft(world: World, params: Params) -> bool:
    """Show a preview that never becomes a message; an empty text means "thinking"."""
    chat = world.writable_chat(params.text("chat_id"))
    draft = params.integer("draft_id")
    if chat.kind != "private":
        raise bad_request("TEXTDRAFT_PEER_INVALID")
    if draft == 0:
        raise bad_request("RANDOM_ID_INVALID")
    body = read_text(params, world.warnings.append) if "text" in params else RichText("")
    world.drafts[chat.id, draft] = body.text
    world.stoppable.pop((chat.id, draft), None)
    if params.flag("can_stop") and world.knows_stops:
        world.stoppable[chat.id, draft] = params.integer("message_thread_id") or None
    world.changes.announce()
    return True


async def set_message_reaction(world: World, params: Params) -> bool:
    """Replace the bot's reaction to a message."""
    emoji = read_reaction(params)
    chat = world.writable_chat(params.text("chat_id"))
    message = _message(world, chat, params, "message to react not found")
    others = [each for each in message.reactions if each[0] != world.bot.id]
    mine = [(world.bot.id, emoji)] if emoji else []
    world.put(replace(message, reactions=(*others, *mine)))
    return True


async def answer_callback_query(world: World, params: Params) -> bool:
    """Answer a pressed button, once."""
    query = world.callbacks.get(params.text("callback_query_id"))
    if query is None or query.answer is not None:
        raise bad_request(QUERY_TOO_OLD)
    text = params.text("text")
    if len(text) > MAX_CALLBACK_ANSWER:
        raise bad_request("MESSAGE_TOO_LONG")
    query.answer = {"text": text, "show_alert": params.flag("show_alert")}
    if url := params.text("url"):
        # Without a game it may only be a link that opens this very bot (Bot API, answerCallbackQuery).
        if not re.fullmatch(rf"https?://t\.me/{world.bot.username}\?start=[A-Za-z0-9_-]{{1,64}}", url):
            raise bad_request("URL_INVALID")
        query.answer["url"] = url
    world.changes.announce()
    return True


def _own_message(world: World, params: Params) -> Message:
    chat = world.writable_chat(params.text("chat_id"))
    message = _message(world, chat, params, "message to edit not found")
    if message.sender != world.bot:
        raise bad_request("message can't be edited")
    return message


def _message(world: World, chat: Chat, params: Params, missing: str) -> Message:
    if "message_id" not in params:
        raise bad_request("message identifier is not specified")
    message = world.find(chat, params.integer("message_id"))
    if message is None:
        raise bad_request(missing)
    return message


def _known_people(world: World, body: RichText) -> RichText:
    """Return the text without mentions of people the bot has never met."""
    kept = tuple(each for each in body.entities if _is_known(world, each))
    return replace(body, entities=kept)


def _is_known(world: World, entity: Entity) -> bool:
    if entity.type != "text_mention" or entity.user_id in world.users:
        return True
    place = f"{entity.type} at {entity.offset}+{entity.length}"
    world.warnings.append(f"{place}: user {entity.user_id} is unknown, dropped by the server")
    return False
