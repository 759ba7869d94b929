"""What an update means for us, as a neutral value: a question, a moment for a hint, or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from telegram import Message, MessageEntity, Update
from telegram.constants import ChatType, MessageEntityType

from adapters.telegram.words import HintKind
from core.conversation import MessageRef
from core.text import Language, language_of


@dataclass(frozen=True, slots=True)
class Me:
    """Who the bot is."""

    id: int
    username: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is said: a chat, perhaps one of its topics, perhaps in reply to a message."""

    chat: int
    topic: int | None = None
    reply_to: int | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for us; `place` is under its message, `answers` the message that it replies to."""

    place: Place
    message: int
    text: str
    asker: str
    asked_at: datetime
    private: bool
    answers: int | None = None

    @property
    def ref(self) -> MessageRef:
        """The message itself; as text, the question's id."""
        return MessageRef("telegram", str(self.place.chat), str(self.message))


@dataclass(frozen=True, slots=True)
class Hinted:
    """Something that calls for a sentence about how to ask; `key` is the same for all pictures of one album."""

    place: Place
    key: str
    kind: HintKind
    language: Language


Event = Asked | Hinted


def event_of(update: Update, me: Me) -> Event | None:
    """Return what a new message of a person asks of us; None for everything that is to be left alone."""
    message = update.message
    if message is None or not _is_from_a_person(message):
        return None
    match message.chat.type:
        case ChatType.PRIVATE:
            return _direct(message, me)
        case ChatType.GROUP | ChatType.SUPERGROUP:
            return _in_group(message, me)
    return None


@dataclass(frozen=True, slots=True)
class _Said:
    """A text as read: its leading command and whom that is for, whether we are mentioned, and the words themselves."""

    command: str
    addressee: str
    mentioned: bool
    words: str


def _is_from_a_person(message: Message) -> bool:
    """Return whether somebody wrote this here: an anonymous admin did, a bot or a linked channel did not."""
    if message.is_automatic_forward or message.from_user is None:
        return False
    return message.sender_chat is not None or not message.from_user.is_bot


def _direct(message: Message, me: Me) -> Event | None:
    if message.text is None:
        return _hinted(message, "only_text") if message.effective_attachment else None
    said = _said(message, message.text, me)
    if said.command in ("start", "help") or (said.command not in ("", "ask") and len(message.text.split()) == 1):
        return _hinted(message, "help")
    return _asked(message, said)


def _in_group(message: Message, me: Me) -> Event | None:
    if message.text is None or message.forward_origin is not None:
        return None
    said = _said(message, message.text, me)
    addressed = said.addressee == me.username.lower()
    if said.command in ("start", "help") and addressed:
        return _hinted(message, "help")
    if said.command:
        return _asked(message, said) if said.command == "ask" and (addressed or not said.addressee) else None
    return _asked(message, said) if said.mentioned or _answers(message, me) else None


def _asked(message: Message, said: _Said) -> Event:
    if not said.words:
        return _hinted(message, "empty")
    target = _target(message)
    return Asked(
        place=_place(message),
        message=message.message_id,
        text=said.words,
        asker=_asker(message),
        asked_at=message.date,
        private=message.chat.type == ChatType.PRIVATE,
        answers=target.message_id if target else None,
    )


def _hinted(message: Message, kind: HintKind) -> Hinted:
    key = message.media_group_id or f"{message.chat.id}:{message.message_id}"
    code = (message.from_user and message.from_user.language_code) or ""
    language: Language = "ru" if code.startswith("ru") else language_of(message.text or "")
    return Hinted(_place(message), f"{kind}:{key}", kind, language)


def _place(message: Message) -> Place:
    """Return where the reply goes; outside topics Telegram's thread id only names the root of a reply chain."""
    topic = message.message_thread_id if message.is_topic_message else None
    return Place(message.chat.id, topic, message.message_id)


def _asker(message: Message) -> str:
    sender = message.sender_chat or message.from_user
    return str(sender.id) if sender else ""


def _answers(message: Message, me: Me) -> bool:
    target = _target(message)
    return target is not None and target.from_user is not None and target.from_user.id == me.id


def _target(message: Message) -> Message | None:
    """Return the message replied to; in a topic, a plain message seems to reply to the topic's first one."""
    target = message.reply_to_message
    if target is not None and message.is_topic_message and target.message_id == message.message_thread_id:
        return None
    return target


def _said(message: Message, text: str, me: Me) -> _Said:
    found = message.parse_entities([MessageEntityType.BOT_COMMAND, MessageEntityType.MENTION])
    first = next((word for entity, word in found.items() if entity.offset == 0 and word.startswith("/")), "")
    command, _, addressee = first.removeprefix("/").lower().partition("@")
    mentions = [entity for entity, word in found.items() if word.lower() == f"@{me.username}".lower()]
    removed = [entity for entity in found if entity.offset == 0 and command == "ask"] + mentions
    return _Said(command, addressee, bool(mentions), _without(text, sorted(removed, key=lambda entity: entity.offset)))


def _without(text: str, removed: Sequence[MessageEntity]) -> str:
    """Return the words without the ranges, which count UTF-16 units, and without the seams they leave."""
    units, kept, start = text.encode("utf-16-le"), "", 0
    for entity in removed:
        kept = _seamless(kept, units[2 * start : 2 * entity.offset].decode("utf-16-le"))
        start = entity.offset + entity.length
    return _seamless(kept, units[2 * start :].decode("utf-16-le")).strip()


def _seamless(before: str, after: str) -> str:
    """Return both sides of a removed range as one text: "@bot, where?" leaves "where?"."""
    if not before.strip():
        return after.lstrip(" ,:\n")
    if after[:1] in ("", *_CLOSING):
        return before.rstrip(" ,") + after
    return f"{before.rstrip(' ')} {after.lstrip(' ')}"


_CLOSING = "\n.,:;!?…)»”"
