"""What an update means for us, as a neutral value: a question, an edit, a press, a moment for a hint, or nothing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from telegram import (
    CallbackQuery,
    InlineQuery,
    Message,
    MessageReactionUpdated,
    ReactionType,
    ReactionTypeEmoji,
    Update,
)
from telegram.constants import ChatType, MessageEntityType

from adapters.telegram.happenings import (
    Asked,
    Commanded,
    Edited,
    Event,
    Forwarded,
    Guest,
    Hinted,
    Inline,
    Me,
    Moved,
    Opened,
    Overheard,
    Pairing,
    Pressed,
)
from adapters.telegram.held import is_unread
from adapters.telegram.seams import without
from adapters.telegram.slashes import unmarked
from adapters.telegram.tongues import told_by
from adapters.telegram.words import HintKind
from core.commands import HELP, verb_in
from core.conversation import Command, MessageRef, Target
from core.feedback import SIGNS, Reaction, Verdict
from core.remarks import Remark
from core.summons import has_a_question
from core.text import tells_language

__all__ = [
    "Asked",
    "Commanded",
    "Edited",
    "Event",
    "Forwarded",
    "Guest",
    "Hinted",
    "Inline",
    "Me",
    "Moved",
    "Opened",
    "Overheard",
    "Pairing",
    "Pressed",
    "conversation",
    "event_of",
]

# Eight times what Telegram takes of a person, as much as it takes of a bot (core.telegram.org/bots/api, rich messages).
LONGEST_TEXT = 32_768
# What Telegram takes of a person in inline mode (core.telegram.org/bots/api#inlinequery).
LONGEST_INLINE = 256
# Edits within one second are told apart by their updates' numbers.
EDITS = 1_000_000
# What Telegram sends for a person who follows a link to us (core.telegram.org/bots/features, "Deep linking").
_BY_LINK = re.compile(r"/start (?P<payload>[A-Za-z0-9_-]{1,64})")
_THUMBS: dict[str, Verdict] = {sign: verdict for verdict, sign in SIGNS.items()}


def event_of(update: Update, me: Me) -> Event | None:
    """Return what people want of us; None for what is to be left alone. Raises on what no Telegram would send."""
    if update.callback_query is not None:
        return _pressed(update.callback_query)
    if update.inline_query is not None:
        return _inline(update.inline_query)
    if update.guest_message is not None:
        return _guest(update.guest_message, me)
    if update.edited_message is not None:
        return _edited(update.edited_message, update.update_id, me)
    if update.message_reaction is not None:
        return _reacted(update.message_reaction, update.update_id)
    return _new(update.message, me) if update.message is not None else None


def _guest(message: Message, me: Me) -> Guest | None:
    """Return what a person asks of us where we are a guest, if they put it into words of their own."""
    text, author = _text(message), message.from_user
    if not message.guest_query_id or text is None or author is None or author.is_bot or message.sender_chat is not None:
        return None
    words = _said(message, text, me).words[:LONGEST_INLINE]
    return Guest(message.guest_query_id, str(int(author.id)), words, told_by(author, text))


@dataclass(frozen=True, slots=True)
class _Said:
    """A text as read: its leading command and whom that is for, who is mentioned, and the words themselves."""

    command: str
    addressee: str
    mentioned: bool
    calls_others: bool
    words: str


def _new(
    message: Message, me: Me
) -> Asked | Overheard | Commanded | Hinted | Forwarded | Moved | Pairing | Opened | None:
    if len(_text(message) or "") > LONGEST_TEXT:
        raise ValueError("no message is as long")
    if message.migrate_to_chat_id:
        return Moved(str(int(message.chat.id)), str(int(message.migrate_to_chat_id)))
    if not _is_from_a_person(message) or (message.via_bot is not None and message.via_bot.id == me.id):
        return None
    if (command := _pairing(message, me) or _commanded(message, me)) is not None:
        return command
    match message.chat.type:
        case ChatType.PRIVATE:
            return _direct(message, me)
        case ChatType.GROUP | ChatType.SUPERGROUP:
            return _in_group(message, me)
    return None


def _pairing(message: Message, me: Me) -> Pairing | None:
    """Return whom somebody wants to be let in, by a command in words of their own."""
    if message.text is None or message.forward_origin is not None or message.via_bot is not None:
        return None
    said = _said(message, message.text, me)
    if said.command != "pair" or said.addressee not in ("", me.username.lower()):
        return None
    author, is_direct = message.from_user, message.chat.type == ChatType.PRIVATE
    person = str(author.id) if author and message.sender_chat is None and not author.is_bot else ""
    ref, code = _ref(message.chat.id, message.message_id), "".join(message.text.split()[1:2])
    return Pairing(ref, _topic(message), person, code, is_direct, told_by(author, None))


def _commanded(message: Message, me: Me) -> Commanded | None:
    """Return what somebody tells us to do by a command of ours, which nobody else's words can be."""
    if message.text is None or message.forward_origin is not None or message.via_bot is not None:
        return None
    said, is_direct = _said(message, message.text, me), message.chat.type == ChatType.PRIVATE
    if said.addressee not in ("", me.username.lower()):
        return None
    if not (is_direct or message.chat.type in (ChatType.GROUP, ChatType.SUPERGROUP)):
        return None
    found = _verb(message, said, me)
    if found is None:
        return None
    verb, words = found
    ref, target, author = _ref(message.chat.id, message.message_id), _target(message), message.from_user
    # An anonymous admin is nobody in particular.
    person = f"telegram:{author.id}" if author and message.sender_chat is None and not author.is_bot else ""
    command = Command(
        verb=verb,
        platform="telegram",
        place=ref.place,
        asker=_asker(message),
        person=person,
        words=words,
        about=_ref(message.chat.id, target.message_id) if target else None,
        thread=conversation(ref.place, _topic(message)) if is_direct else None,
        is_direct=is_direct,
        language=told_by(author, words),
    )
    return Commanded(ref, _topic(message), command)


def _verb(message: Message, said: _Said, me: Me) -> tuple[str, str] | None:
    """Return which command it is, and the words after it; what nobody knows is a call for help in private."""
    is_direct, rest = message.chat.type == ChatType.PRIVATE, " ".join((message.text or "").split()[1:])
    if said.command in ("", "ask", "start"):
        return None
    found = verb_in(f"{said.command} {rest}")
    if found is None:
        return (HELP.name, f"/{said.command}") if is_direct and not rest else None
    verb, words = found
    meant = is_direct or said.addressee or _answers(message, me)
    return (verb.name, "" if verb is HELP else words) if meant or not verb.common else None


def _edited(message: Message, update_id: int, me: Me) -> Edited | None:
    """Return a message's words also when they do not address us now: it may have been a question before."""
    event = _new(message, me)
    asked = event.asked if isinstance(event, Overheard | Forwarded) else event or _talk(message, me)
    if not isinstance(asked, Asked):
        return None
    changed = int((message.edit_date or message.date).timestamp())
    addressed = event is asked
    calls = not addressed and _said(message, _text(message) or "", me).calls_others
    return Edited(replace(asked, version=changed * EDITS + update_id % EDITS), addressed, to_others=calls)


def _talk(message: Message, me: Me) -> Asked | None:
    """Return a person's words in a group as if they were for us."""
    text = _text(message)
    if text is None or not message.chat.type.endswith("group") or not _is_from_a_person(message):
        return None
    said = _said(message, text, me)
    return _question(message, said) if said.words and not said.command else None


def _pressed(query: CallbackQuery) -> Pressed | None:
    """Return the press of a button that brings words; Telegram knows other buttons, and messages of nobody's chat."""
    if query.data is None or query.message is None:
        return None
    chat, number = query.message.chat.id, query.message.message_id
    stands = query.message if isinstance(query.message, Message) else None
    language, root = told_by(query.from_user, stands.text if stands else None), _topic(stands) if stands else None
    button = query.data.replace("\0", "")  # PostgreSQL takes no NUL, and no button of ours has one
    return Pressed(str(query.id), button, _ref(chat, number), str(query.from_user.id), language, root)


def _inline(query: InlineQuery) -> Inline | None:
    if query.from_user.is_bot or len(query.query) > LONGEST_INLINE:
        return None
    words = query.query.replace("\0", "").strip()
    return Inline(str(query.id), str(int(query.from_user.id)), words, told_by(query.from_user, words))


def _reacted(changed: MessageReactionUpdated, update_id: int) -> Reaction | None:
    """Return what a person's thumb on a message says of it, or takes back; nobody knows who an anonymous admin is."""
    if changed.user is None or changed.user.is_bot:
        return None
    before, now = _thumbs(changed.old_reaction), _thumbs(changed.new_reaction)
    verdict = next(iter([each for each in now if each not in before] or now or before), None)
    if verdict is None or before == now:
        return None
    ref = _ref(changed.chat.id, changed.message_id)
    return Reaction(ref, f"telegram:{changed.user.id}", f"reaction {update_id}", verdict, given=verdict in now)


def _thumbs(reactions: Sequence[ReactionType]) -> list[Verdict]:
    return [_THUMBS[each.emoji] for each in reactions if isinstance(each, ReactionTypeEmoji) and each.emoji in _THUMBS]


def _is_from_a_person(message: Message) -> bool:
    """Return whether somebody wrote this here: an anonymous admin did, a bot or a linked channel did not."""
    if message.is_automatic_forward or message.from_user is None:
        return False
    return message.sender_chat is not None or not message.from_user.is_bot


def _direct(message: Message, me: Me) -> Asked | Hinted | Forwarded | Opened | None:
    text = _text(message)
    if text is None:
        return _hinted(message, "only_text") if is_unread(message) else None
    said = _said(message, text, me)
    if message.forward_origin is None and (link := _BY_LINK.fullmatch(text)):
        return _opened(message, link["payload"])
    if said.command == "start" or (said.command not in ("", "ask") and len(text.split()) == 1):
        return _hinted(message, "help")
    if message.forward_origin is not None:
        return Forwarded(_question(message, replace(said, words=text.strip())))
    return _asked(message, said)


def _opened(message: Message, payload: str) -> Opened:
    ref, language = _ref(message.chat.id, message.message_id), told_by(message.from_user, None)
    return Opened(ref, _topic(message), _asker(message), message.date, payload, language)


def _in_group(message: Message, me: Me) -> Asked | Overheard | Hinted | None:
    if message.forward_origin is not None:
        return None
    text = _text(message)
    if text is None:
        return _hinted(message, "only_text") if is_unread(message) and _answers(message, me) else None
    said = _said(message, text, me)
    addressed = said.addressee == me.username.lower()
    if said.command == "start" and addressed:
        return _hinted(message, "help")
    if said.command:
        return _asked(message, said) if said.command == "ask" and (addressed or not said.addressee) else None
    for_us = said.mentioned or (_answers(message, me) and not (said.calls_others and said.words[:1] == "@"))
    return _asked(message, said) if for_us else _overheard(message, said)


def _overheard(message: Message, said: _Said) -> Overheard | None:
    """Return what was said to nobody in particular, if a person put it into words."""
    if not said.words or message.via_bot is not None or message.text is None:
        return None
    target = _target(message)
    # A comment replies to the channel's post, which is nobody in the group.
    to_others = said.calls_others or (target is not None and not target.is_automatic_forward)
    return Overheard(_question(message, said), to_others)


def _asked(message: Message, said: _Said) -> Asked | Hinted:
    """Return the question, which is that of the message replied to where we are but called under it."""
    before = _before(_target(message))
    asks = said.words or (before and has_a_question(before.text))
    return _question(message, said) if asks else _hinted(message, "empty")


def _question(message: Message, said: _Said) -> Asked:
    target = _target(message)
    return Asked(
        ref=_ref(message.chat.id, message.message_id),
        text=said.words.replace("\0", ""),  # databases refuse it
        asker=_asker(message),
        asked_at=message.date,
        private=message.chat.type == ChatType.PRIVATE,
        root=_topic(message),
        answers=Target(_ref(message.chat.id, target.message_id), _quoted(message)) if target else None,
        media=_album(message) if message.text is None else None,
        before=_before(target),
        brought=_quoted_elsewhere(message),
        reads=None if tells_language(said.words) else told_by(message.from_user, None),
    )


def _quoted_elsewhere(message: Message) -> str | None:
    """Return the words of another chat that are quoted, which nothing else says."""
    quote = message.quote if message.external_reply else None
    return quote.text if quote and isinstance(quote.text, str) else None


def _before(target: Message | None) -> Remark | None:
    """Return what a person had said in the message replied to; what a bot says is none of people's talk."""
    if target is None or target.from_user is None or target.from_user.is_bot:
        return None
    said = _text(target)
    return Remark(said, target.date) if isinstance(said, str) else None


def _quoted(message: Message) -> tuple[int, int] | None:
    """Return which part of the other message's text is quoted, in UTF-16 units."""
    quote = message.quote
    if quote is None or type(quote.position) is not int or not isinstance(quote.text, str):
        return None
    return quote.position, quote.position + len(quote.text.encode("utf-16-le", "surrogatepass")) // 2


def _hinted(message: Message, kind: HintKind) -> Hinted:
    ref, key = _ref(message.chat.id, message.message_id), f"{kind}:{_album(message)}"
    return Hinted(ref, _topic(message), key, kind, told_by(message.from_user, _text(message)), _asker(message))


def _album(message: Message) -> str:
    return message.media_group_id or f"{message.chat.id}:{message.message_id}"


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


def _text(message: Message) -> str | None:
    """Return what a person has written: a text, or the caption of a picture or a file."""
    return message.text if message.text is not None else message.caption or None


def conversation(place: str, topic: str | None) -> str:
    """Return the one conversation of a private chat, or of a topic."""
    return f"telegram:{place}/{topic}" if topic else f"telegram:{place}"


def _said(message: Message, text: str, me: Me) -> _Said:
    parse = message.parse_entities if message.text is not None else message.parse_caption_entities
    found = parse([MessageEntityType.BOT_COMMAND, MessageEntityType.MENTION])
    named = parse([MessageEntityType.TEXT_MENTION])
    first = next((word for entity, word in found.items() if entity.offset == 0 and word.startswith("/")), "")
    first = first or unmarked(text)
    command, _, addressee = first.removeprefix("/").lower().partition("@")
    mentions = [entity for entity, word in found.items() if word.lower() == f"@{me.username}".lower()]
    removed = [entity for entity in found if entity.offset == 0 and command == "ask"] + mentions
    others = bool(named) or any(word.startswith("@") for entity, word in found.items() if entity not in mentions)
    words = without(text, sorted(removed, key=lambda entity: entity.offset))
    return _Said(command, addressee, bool(mentions), others, words)
