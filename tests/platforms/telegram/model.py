"""What exists in a Telegram world: users, chats, topics, messages, entities."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

ChatKind = Literal["private", "group", "supergroup"]
BotStatus = Literal["member", "administrator", "left", "kicked"]
Json = dict[str, object]

GENERAL_TOPIC = 1
ANONYMOUS_ADMIN = 1087968824


@dataclass(frozen=True)
class User:
    """A person or a bot."""

    id: int
    first_name: str
    username: str | None = None
    language_code: str | None = None
    is_bot: bool = False


@dataclass
class Chat:
    """A conversation; a private chat has the id of its person.

    `bot_status` is `kicked` in a private chat when the person blocked the bot. Where `members_may_write` is not set,
    only administrators of a group may.
    """

    id: int
    kind: ChatKind
    title: str | None = None
    is_forum: bool = False
    members: set[int] = field(default_factory=set)
    admins: set[int] = field(default_factory=set)
    bot_status: BotStatus = "member"
    started: bool = True
    members_may_write: bool = True
    migrated_to: int | None = None
    topics: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, order=True)
class Entity:
    """A formatted range; offset and length count UTF-16 code units."""

    offset: int
    length: int
    type: str
    url: str = ""
    language: str = ""
    user_id: int = 0
    custom_emoji_id: str = ""

    @property
    def end(self) -> int:
        """Return the first code unit after the range."""
        return self.offset + self.length

    def overlaps(self, other: Entity) -> bool:
        """Tell whether both ranges share a code unit."""
        return self.offset < other.end and other.offset < self.end


@dataclass(frozen=True)
class RichText:
    """Text with its entities."""

    text: str
    entities: tuple[Entity, ...] = ()


@dataclass(frozen=True)
class Quote:
    """The passage of the answered message that a reply shows."""

    text: str
    position: int


@dataclass(frozen=True)
class Message:
    """A message as it stands now; `history` holds what it said before each edit, oldest first."""

    chat_id: int
    message_id: int
    sender: User
    date: int
    body: RichText
    reply_to: int | None = None
    quote: Quote | None = None
    thread_id: int | None = None
    topic: bool = False
    anonymous: bool = False
    keyboard: Json | None = None
    link_preview: Json | None = None
    rich: Json | None = None
    edit_date: int | None = None
    history: tuple[RichText, ...] = ()
    reactions: tuple[tuple[int, str], ...] = ()
    service: tuple[tuple[str, object], ...] = ()

    @property
    def text(self) -> str:
        """Return the text that stands in the chat."""
        return self.body.text

    @property
    def entities(self) -> tuple[Entity, ...]:
        """Return the formatting that stands in the chat."""
        return self.body.entities


def utf16_length(text: str) -> int:
    """Return the number of UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


def utf16_slice(text: str, offset: int, length: int) -> str:
    """Return the range a Telegram entity points at."""
    units = text.encode("utf-16-le")[2 * offset : 2 * (offset + length)]
    return units.decode("utf-16-le")


def visible_text(message: Message) -> str:
    """Return what a reader sees, without any formatting."""
    return message.text


def entity_texts(message: Message) -> list[tuple[str, str, str | None]]:
    """Return `(type, covered text, url)` for each entity, in order."""
    return [
        (each.type, utf16_slice(message.text, each.offset, each.length), each.url or None) for each in message.entities
    ]
