"""What people do in the chats, and what of it the bot gets to see."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .markup import button_data
from .model import BotStatus, Chat, Json, Message, Quote, RichText, User
from .replies import Place, place_in
from .shapes import callback_json, chat_json, message_json, reaction_json, status_json
from .store import World, now
from .tdlib import find_entities, find_quote

UPDATED = "message"
EDITED = "edited_message"


@dataclass(frozen=True)
class Utterance:
    """A person's message before it has a place in the chat."""

    text: str
    reply_to: int | None = None
    quote: str | None = None
    thread: int | None = None
    anonymous: bool = False


def speak(world: World, user_id: int, chat_id: int, said: Utterance) -> Message:
    """Return the person's message, now in the chat; the bot gets it if it may see it."""
    user, chat = _participant(world, user_id, chat_id)
    place = _place(world, chat, said)
    message = Message(
        chat_id=chat.id,
        message_id=world.next_message_id(chat),
        sender=user,
        date=now(),
        body=RichText(said.text, find_entities(said.text)),
        reply_to=place.reply_to,
        quote=place.quote,
        thread_id=place.thread_id,
        topic=place.topic,
        anonymous=said.anonymous,
    )
    chat.started = True
    return show(world, world.put(message), UPDATED)


def edit(world: World, chat_id: int, message_id: int, text: str) -> Message:
    """Return the edited message; the same text again is an edit too, as on the platform."""
    message = existing(world, chat_id, message_id)
    if message.sender == world.bot:
        raise ValueError(f"message {message_id} belongs to the bot, no person can edit it")
    body = RichText(text, find_entities(text))
    return show(world, world.rewrite(message, body, message.keyboard), EDITED)


def press(world: World, user_id: int, chat_id: int, message_id: int, data: str) -> str:
    """Return the id of the callback query of a pressed button that stands in the message."""
    user, _ = _participant(world, user_id, chat_id)
    message = existing(world, chat_id, message_id)
    offered = button_data(message.keyboard)
    if data not in offered:
        raise ValueError(f"no button {data!r} under message {message_id}: {offered}")
    query = world.new_callback(user_id, data)
    content = callback_json(world, message, query.id, user, data)
    world.updates.add("callback_query", content)
    return query.id


def stop_draft(world: World, user_id: int, draft_id: int) -> None:
    """Press the Stop button of a draft in a private chat, which then goes; the bot is told if it asked for that."""
    if (user_id, draft_id) not in world.stoppable:
        raise ValueError(f"no draft {draft_id} with a button in chat {user_id}: {list(world.stoppable)}")
    topic = world.stoppable.pop((user_id, draft_id))
    del world.drafts[user_id, draft_id]
    content: Json = {"chat": chat_json(world, world.chats[user_id]), "draft_id": draft_id}
    world.updates.add("stopped_message_generation", content | ({"message_thread_id": topic} if topic else {}))


def react(world: World, user_id: int, chat_id: int, message_id: int, emoji: str) -> None:
    """Set a person's reaction; in groups only an administrator bot learns of it."""
    user, chat = _participant(world, user_id, chat_id)
    message = existing(world, chat_id, message_id)
    before = dict(message.reactions)
    after = before | {user_id: emoji}
    changed = replace(message, reactions=tuple((who, what) for who, what in after.items() if what))
    world.put(changed)
    if chat.kind == "private" or chat.bot_status == "administrator":
        content = reaction_json(world, changed, user, before.get(user_id, ""), emoji)
        world.updates.add("message_reaction", content)


def change_bot_status(world: World, actor_id: int, chat_id: int, status: BotStatus) -> None:
    """Let a person block, remove, promote or bring back the bot; the bot is told."""
    chat, actor = world.chats[chat_id], world.users[actor_id]
    before, chat.bot_status = chat.bot_status, status
    content = status_json(world, chat, actor, before, status)
    world.updates.add("my_chat_member", content)


def open_topic(world: World, user_id: int, chat_id: int, name: str) -> int:
    """Return the thread id of a new forum topic: the id of its first, service message."""
    user, chat = _participant(world, user_id, chat_id)
    if not chat.is_forum:
        raise ValueError(f"chat {chat_id} is no forum")
    opening: Json = {"forum_topic_created": {"name": name, "icon_color": 7322096}}
    message = _announce(world, user, chat, opening, thread=True)
    chat.topics[message.message_id] = name
    return message.message_id


def migrate(world: World, chat_id: int, new: Chat) -> Chat:
    """Return the supergroup a basic group has become; both chats say so."""
    old = world.chats[chat_id]
    new.members, new.admins = old.members, old.admins
    world.add_chat(new)
    actor = world.users[min(old.members)]
    _announce(world, actor, old, {"migrate_to_chat_id": new.id})
    old.migrated_to = new.id
    _announce(world, actor, new, {"migrate_from_chat_id": old.id})
    return new


def existing(world: World, chat_id: int, message_id: int) -> Message:
    """Return a message that stands in the chat."""
    message = world.find(world.chats[chat_id], message_id)
    if message is None:
        raise ValueError(f"no message {message_id} in chat {chat_id}")
    return message


def show(world: World, message: Message, kind: str) -> Message:
    """Return the message after the bot got an update about it, if it may see it."""
    if bot_sees(world, message):
        world.updates.add(kind, message_json(world, message))
    return message


def bot_sees(world: World, message: Message) -> bool:
    """Tell whether a message reaches the bot.

    In a group with privacy mode a plain member gets commands (without a name or with its own) and
    replies to its messages. A bare @mention does not reach it.
    """
    chat = world.chats[message.chat_id]
    if message.sender.is_bot or chat.bot_status in {"left", "kicked"}:
        return False
    if chat.kind == "private" or chat.bot_status == "administrator" or not world.privacy_mode:
        return True
    return bool(message.service) or _commands(world, message) or _answers_bot(world, message)


def _commands(world: World, message: Message) -> bool:
    if not any(each.type == "bot_command" and each.offset == 0 for each in message.entities):
        return False
    _, at, name = message.text.split(maxsplit=1)[0].partition("@")
    return not at or name.lower() == str(world.bot.username).lower()


def _answers_bot(world: World, message: Message) -> bool:
    target = world.messages[message.chat_id].get(message.reply_to or 0)
    return target is not None and target.sender == world.bot


def _participant(world: World, user_id: int, chat_id: int) -> tuple[User, Chat]:
    user, chat = world.users[user_id], world.chats[chat_id]
    present = chat.id == user_id if chat.kind == "private" else user_id in chat.members
    if not present:
        raise ValueError(f"user {user_id} is not in chat {chat_id}")
    return user, chat


def _place(world: World, chat: Chat, said: Utterance) -> Place:
    target = existing(world, chat.id, said.reply_to) if said.reply_to else None
    if said.thread is not None and said.thread not in chat.topics:
        raise ValueError(f"no topic {said.thread} in chat {chat.id}")
    return place_in(chat, target, said.thread, _quote(target, said.quote))


def _quote(target: Message | None, text: str | None) -> Quote | None:
    if target is None or text is None:
        return None
    position = find_quote(RichText(target.text), RichText(text), 0)
    if position is None:
        raise ValueError(f"{text!r} does not stand in message {target.message_id}")
    return Quote(text, position)


def _announce(world: World, user: User, chat: Chat, service: Json, *, thread: bool = False) -> Message:
    message_id = world.next_message_id(chat)
    message = Message(
        chat_id=chat.id,
        message_id=message_id,
        sender=user,
        date=now(),
        body=RichText(""),
        thread_id=message_id if thread else None,
        topic=thread,
        service=tuple(service.items()),
    )
    return show(world, world.put(message), UPDATED)
