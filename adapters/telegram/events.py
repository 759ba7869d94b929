"""What an update means for us, as a neutral value: a question, an edit, a press, a moment for a hint, or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from telegram import CallbackQuery, Message, MessageEntity, Update
from telegram.constants import ChatType, MessageEntityType

from adapters.telegram.words import HintKind
from core.conversation import Command, MessageRef
from core.text import Language, language_of

# Eight times what Telegram takes of a person, as much as it takes of a bot (core.telegram.org/bots/api, rich messages).
LONGEST_TEXT = 32_768
# Edits within one second are told apart by their updates' numbers.
EDITS = 1_000_000


@dataclass(frozen=True, slots=True)
class Me:
    """Who the bot is."""

    id: int
    username: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for us; `root` is its topic, `answers` the message that it replies to, `version` grows with edits."""

    ref: MessageRef
    text: str
    asker: str
    asked_at: datetime
    private: bool
    root: str | None = None
    answers: MessageRef | None = None
    version: int = 0


@dataclass(frozen=True, slots=True)
class Overheard:
    """What a person said in a group to nobody in particular; `to_others`: it calls or answers somebody else."""

    asked: Asked
    to_others: bool


@dataclass(frozen=True, slots=True)
class Commanded:
    """A person tells us to do something, in a message of their own; `root` is its topic."""

    ref: MessageRef
    root: str | None
    command: Command


@dataclass(frozen=True, slots=True)
class Edited:
    """A message as it reads now; `addressed`: new, it would be a question for us."""

    asked: Asked
    addressed: bool


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press of the button on one of our messages; `query` is what Telegram wants to be answered.

    `root` is the topic that the message stands in.
    """

    query: str
    button: str
    message: MessageRef
    person: str
    language: Language
    root: str | None = None


@dataclass(frozen=True, slots=True)
class Hinted:
    """Something that calls for a sentence about how to ask; `key` is the same for all pictures of one album."""

    ref: MessageRef
    root: str | None
    key: str
    kind: HintKind
    language: Language


Event = Asked | Overheard | Commanded | Edited | Pressed | Hinted


def event_of(update: Update, me: Me) -> Event | None:
    """Return what people want of us; None for what is to be left alone. Raises on what no Telegram would send."""
    if update.callback_query is not None:
        return _pressed(update.callback_query)
    if update.edited_message is not None:
        return _edited(update.edited_message, update.update_id, me)
    return _new(update.message, me) if update.message is not None else None


@dataclass(frozen=True, slots=True)
class _Said:
    """A text as read: its leading command and whom that is for, who is mentioned, and the words themselves."""

    command: str
    addressee: str
    mentioned: bool
    calls_others: bool
    words: str


def _new(message: Message, me: Me) -> Asked | Overheard | Commanded | Hinted | None:
    if message.text is not None and len(message.text) > LONGEST_TEXT:
        raise ValueError("no message is as long")
    if not _is_from_a_person(message):
        return None
    if (command := _commanded(message, me)) is not None:
        return command
    match message.chat.type:
        case ChatType.PRIVATE:
            return _direct(message, me)
        case ChatType.GROUP | ChatType.SUPERGROUP:
            return _in_group(message, me)
    return None


def _commanded(message: Message, me: Me) -> Commanded | None:
    """Return what somebody tells us to do by a command of ours, which nobody else's words can be."""
    if message.text is None or message.forward_origin is not None or message.via_bot is not None:
        return None
    said, is_direct = _said(message, message.text, me), message.chat.type == ChatType.PRIVATE
    if said.command not in ("why", "mode") or said.addressee not in ("", me.username.lower()):
        return None
    if not (is_direct or message.chat.type in (ChatType.GROUP, ChatType.SUPERGROUP)):
        return None
    ref, target, author = _ref(message.chat.id, message.message_id), _target(message), message.from_user
    # An anonymous admin is nobody in particular.
    person = f"telegram:{author.id}" if author and message.sender_chat is None and not author.is_bot else ""
    command = Command(
        verb="why" if said.command == "why" else "mode",
        platform="telegram",
        place=ref.place,
        asker=_asker(message),
        person=person,
        words=" ".join(message.text.split()[1:]),
        about=_ref(message.chat.id, target.message_id) if target else None,
        thread=f"telegram:{ref.place}" if is_direct else None,
        is_direct=is_direct,
        language="ru" if author and (author.language_code or "").startswith("ru") else "en",
    )
    return Commanded(ref, _topic(message), command)


def _edited(message: Message, update_id: int, me: Me) -> Edited | None:
    """Return a message's words also when they do not address us now: it may have been a question before."""
    event = _new(message, me)
    asked = event.asked if isinstance(event, Overheard) else event or _talk(message, me)
    if not isinstance(asked, Asked):
        return None
    changed = int((message.edit_date or message.date).timestamp())
    return Edited(replace(asked, version=changed * EDITS + update_id % EDITS), addressed=event is asked)


def _talk(message: Message, me: Me) -> Asked | None:
    """Return a person's words in a group as if they were for us."""
    if message.text is None or not message.chat.type.endswith("group") or not _is_from_a_person(message):
        return None
    said = _said(message, message.text, me)
    return _question(message, said) if said.words and not said.command else None


def _pressed(query: CallbackQuery) -> Pressed | None:
    """Return the press of a button that brings words; Telegram knows other buttons, and messages of nobody's chat."""
    if query.data is None or query.message is None:
        return None
    chat, number = query.message.chat.id, query.message.message_id
    language: Language = "ru" if (query.from_user.language_code or "").startswith("ru") else "en"
    root = _topic(query.message) if isinstance(query.message, Message) else None
    return Pressed(str(query.id), query.data, _ref(chat, number), str(query.from_user.id), language, root)


def _is_from_a_person(message: Message) -> bool:
    """Return whether somebody wrote this here: an anonymous admin did, a bot or a linked channel did not."""
    if message.is_automatic_forward or message.from_user is None:
        return False
    return message.sender_chat is not None or not message.from_user.is_bot


def _direct(message: Message, me: Me) -> Asked | Hinted | None:
    if message.text is None:
        return _hinted(message, "only_text") if message.effective_attachment else None
    said = _said(message, message.text, me)
    if said.command in ("start", "help") or (said.command not in ("", "ask") and len(message.text.split()) == 1):
        return _hinted(message, "help")
    return _asked(message, said)


def _in_group(message: Message, me: Me) -> Asked | Overheard | Hinted | None:
    if message.text is None or message.forward_origin is not None:
        return None
    said = _said(message, message.text, me)
    addressed = said.addressee == me.username.lower()
    if said.command in ("start", "help") and addressed:
        return _hinted(message, "help")
    if said.command:
        return _asked(message, said) if said.command == "ask" and (addressed or not said.addressee) else None
    return _asked(message, said) if said.mentioned or _answers(message, me) else _overheard(message, said)


def _overheard(message: Message, said: _Said) -> Overheard | None:
    """Return what was said to nobody in particular, if a person put it into words."""
    if not said.words or message.via_bot is not None:
        return None
    return Overheard(_question(message, said), to_others=said.calls_others or _target(message) is not None)


def _asked(message: Message, said: _Said) -> Asked | Hinted:
    return _question(message, said) if said.words else _hinted(message, "empty")


def _question(message: Message, said: _Said) -> Asked:
    target = _target(message)
    return Asked(
        ref=_ref(message.chat.id, message.message_id),
        text=said.words.replace("\0", ""),  # databases refuse it
        asker=_asker(message),
        asked_at=message.date,
        private=message.chat.type == ChatType.PRIVATE,
        root=_topic(message),
        answers=_ref(message.chat.id, target.message_id) if target else None,
    )


def _hinted(message: Message, kind: HintKind) -> Hinted:
    key = message.media_group_id or f"{message.chat.id}:{message.message_id}"
    code = (message.from_user and message.from_user.language_code) or ""
    language: Language = "ru" if code.startswith("ru") else language_of(message.text or "")
    return Hinted(_ref(message.chat.id, message.message_id), _topic(message), f"{kind}:{key}", kind, language)


def _ref(chat: int, message: int) -> MessageRef:
    """Return the message's name. Raises TypeError for ids that are none, which the library lets through."""
    if type(chat) is not int or type(message) is not int:
        raise TypeError("an id is a number")
    return MessageRef("telegram", str(chat), str(message))


def _topic(message: Message) -> str | None:
    """Return where the reply goes; outside topics Telegram's thread id only names the root of a reply chain."""
    return str(int(message.message_thread_id)) if message.is_topic_message and message.message_thread_id else None


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
    named = message.parse_entities([MessageEntityType.TEXT_MENTION])
    first = next((word for entity, word in found.items() if entity.offset == 0 and word.startswith("/")), "")
    command, _, addressee = first.removeprefix("/").lower().partition("@")
    mentions = [entity for entity, word in found.items() if word.lower() == f"@{me.username}".lower()]
    removed = [entity for entity in found if entity.offset == 0 and command == "ask"] + mentions
    others = bool(named) or any(word.startswith("@") for entity, word in found.items() if entity not in mentions)
    words = _without(text, sorted(removed, key=lambda entity: entity.offset))
    return _Said(command, addressee, bool(mentions), others, words)


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
