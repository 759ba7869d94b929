"""The JSON of the Bot API for each thing in the world."""

from __future__ import annotations

from .model import ANONYMOUS_ADMIN, Chat, Entity, Json, Message, User
from .store import World, now

_ADMIN_RIGHTS = (
    "can_be_edited",
    "is_anonymous",
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
)
_PERMISSIONS = (
    "can_send_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_change_info",
    "can_invite_users",
    "can_pin_messages",
    "can_manage_topics",
)
_GIFTS = (
    "unlimited_gifts",
    "limited_gifts",
    "unique_gifts",
    "premium_subscription",
    "gifts_from_channels",
)
_ANONYMOUS = User(ANONYMOUS_ADMIN, "Group", username="GroupAnonymousBot", is_bot=True)


def user_json(user: User) -> Json:
    """Return a `User`."""
    shape: Json = {"id": user.id, "is_bot": user.is_bot, "first_name": user.first_name}
    optional = {"username": user.username, "language_code": user.language_code}
    return shape | {name: value for name, value in optional.items() if value}


def me_json(world: World) -> Json:
    """Return the `User` of getMe, with what the bot may do."""
    return user_json(world.bot) | {
        "can_join_groups": True,
        "can_read_all_group_messages": not world.privacy_mode,
        "supports_inline_queries": world.inline_mode,
        "supports_guest_queries": world.guest_mode,
        "has_main_web_app": False,
    }


def chat_json(world: World, chat: Chat) -> Json:
    """Return a `Chat`; a private one carries the names of its person."""
    if chat.kind != "private":
        shape: Json = {"id": chat.id, "type": chat.kind, "title": chat.title}
        return shape | ({"is_forum": True} if chat.is_forum else {})
    person = world.users[chat.id]
    shape = {"id": chat.id, "type": "private", "first_name": person.first_name}
    return shape | ({"username": person.username} if person.username else {})


def full_chat_json(world: World, chat: Chat) -> Json:
    """Return the `ChatFullInfo` of getChat."""
    gifts = dict.fromkeys(_GIFTS, False)
    extra: Json = {"accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": gifts}
    if chat.kind != "private":
        extra["permissions"] = dict.fromkeys(_PERMISSIONS, chat.members_may_write)
    return chat_json(world, chat) | extra


def member_json(user: User, status: str) -> Json:
    """Return a `ChatMember` with the rights its status brings."""
    shape: Json = {"user": user_json(user), "status": status}
    match status:
        case "administrator":
            return shape | dict.fromkeys(_ADMIN_RIGHTS, True) | {"is_anonymous": False}
        case "creator":
            return shape | {"is_anonymous": False}
        case "kicked":
            return shape | {"until_date": 0}
    return shape


def entity_json(world: World, entity: Entity) -> Json:
    """Return a `MessageEntity`."""
    shape: Json = {"type": entity.type, "offset": entity.offset, "length": entity.length}
    if entity.user_id:
        shape["user"] = user_json(world.users[entity.user_id])
    optional = {
        "url": entity.url,
        "language": entity.language,
        "custom_emoji_id": entity.custom_emoji_id,
    }
    return shape | {name: value for name, value in optional.items() if value}


def message_json(world: World, message: Message, *, nested: bool = True) -> Json:
    """Return a `Message`; the message it answers is included once, never deeper."""
    chat = world.chats[message.chat_id]
    shape: Json = {
        "message_id": message.message_id,
        "date": message.date,
        "chat": chat_json(world, chat),
        **_sender(world, message, chat),
        **dict(message.service),
    }
    if message.rich:
        return shape | {"rich_message": message.rich} | _extras(message)
    if message.text:
        shape["text"] = message.text
    if message.entities:
        shape["entities"] = [entity_json(world, each) for each in message.entities]
    return shape | _extras(message) | (_answered(world, message, chat) if nested else {})


def callback_json(world: World, message: Message, query_id: str, user: User, data: str) -> Json:
    """Return a `CallbackQuery` for a pressed button."""
    return {
        "id": query_id,
        "from": user_json(user),
        "chat_instance": str(message.chat_id),
        "message": message_json(world, message),
        "data": data,
    }


def status_json(world: World, chat: Chat, actor: User, old: str, new: str) -> Json:
    """Return the `ChatMemberUpdated` that tells the bot its own new status."""
    return {
        "chat": chat_json(world, chat),
        "from": user_json(actor),
        "date": now(),
        "old_chat_member": member_json(world.bot, old),
        "new_chat_member": member_json(world.bot, new),
    }


def reaction_json(world: World, message: Message, user: User, old: str, new: str) -> Json:
    """Return a `MessageReactionUpdated`; an empty emoji stands for no reaction."""
    return {
        "chat": chat_json(world, world.chats[message.chat_id]),
        "message_id": message.message_id,
        "user": user_json(user),
        "date": now(),
        "old_reaction": _emoji(old),
        "new_reaction": _emoji(new),
    }


def _emoji(emoji: str) -> list[Json]:
    return [{"type": "emoji", "emoji": emoji}] if emoji else []


def _sender(world: World, message: Message, chat: Chat) -> Json:
    if message.anonymous:
        return {"from": user_json(_ANONYMOUS), "sender_chat": chat_json(world, chat)}
    return {"from": user_json(message.sender)}


def _extras(message: Message) -> Json:
    extras: Json = {
        "edit_date": message.edit_date,
        "message_thread_id": message.thread_id,
        "is_topic_message": message.topic or None,
        "reply_markup": message.keyboard,
        "link_preview_options": message.link_preview,
    }
    if message.quote is not None:
        quote: Json = {"text": message.quote.text, "position": message.quote.position}
        extras["quote"] = quote | {"is_manual": True}
    return {name: value for name, value in extras.items() if value is not None}


def _answered(world: World, message: Message, chat: Chat) -> Json:
    """Return the answered message; in a topic a plain message "answers" the topic's first one."""
    target = message.reply_to or (message.thread_id if message.topic else None)
    found = world.find(chat, target) if target and target != message.message_id else None
    if found is None:
        return {}
    return {"reply_to_message": message_json(world, found, nested=False)}
