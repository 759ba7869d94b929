"""A message as Telegram draws it: text with its entities and its keyboard as HTML, in which text is only ever text."""

from html import escape
from typing import Any

from tests.platforms.telegram import Message
from tests.platforms.telegram.model import Entity, utf16_length

_TAGS = {
    "bold": "b",
    "italic": "i",
    "underline": "u",
    "strikethrough": "s",
    "code": "code",
    "pre": "pre",
    "text_link": "a",
    "url": "a",
    "email": "a",
    "blockquote": "blockquote",
    "expandable_blockquote": "blockquote",
    "mention": "a",
    "bot_command": "a",
    "hashtag": "a",
    "phone_number": "a",
}
_PARAGRAPHS = ("blockquote", "pre")


def message(shown: Message, *, ours: bool, who: str, replied: str | None) -> str:
    """Return the message in its bubble, with the beginning of what it replies to, and its buttons below."""
    head = f'<div class="replied">{escape(replied)}</div>' if replied else ""
    edited = '<span class="quiet">edited</span>' if shown.edit_date else ""
    bubble = f'<div class="bubble"><div class="who">{escape(who)}</div>{head}{_formatted(shown)}{edited}</div>'
    side = "ours" if ours else "theirs"
    return f'<div class="message {side}">{bubble}{_keyboard(shown)}</div>'


def _formatted(shown: Message) -> str:
    """Return the text with a tag where an entity begins or ends; outer ones open first and close last."""
    entities = sorted(shown.entities, key=lambda each: (each.offset, -each.length, _tag(each) not in _PARAGRAPHS))
    told, at, open_now = list[str](), 0, list[Entity]()
    for char in shown.text:
        ended = _closed(open_now, at)
        told += ended
        for entity in entities:
            if entity.offset == at:
                open_now.append(entity)
                told.append(_opening(entity))
        # A quote ends its line by itself.
        if char != "\n" or not ended or ended[-1].strip("</>") not in _PARAGRAPHS:
            told.append(escape(char))
        at += utf16_length(char)
    return f'<div class="text">{"".join([*told, *_closed(open_now, at)])}</div>'


def _closed(open_now: list[Entity], at: int) -> list[str]:
    """Return the tags that end here, and take them from those that are open."""
    ended = [entity for entity in reversed(open_now) if entity.end <= at]
    open_now[:] = [entity for entity in open_now if entity.end > at]
    return [f"</{_tag(entity)}>" for entity in ended]


def _opening(entity: Entity) -> str:
    kind = ' class="folded"' if entity.type == "expandable_blockquote" else ""
    return f"<{_tag(entity)}{kind}>"


def _tag(entity: Entity) -> str:
    return _TAGS.get(entity.type, "mark")


def _keyboard(shown: Message) -> str:
    rows: Any = (shown.keyboard or {}).get("inline_keyboard", ())
    return "".join(f'<div class="keys">{"".join(map(_key, row))}</div>' for row in rows)


def _key(key: dict[str, Any]) -> str:
    return f"<span>{escape(key['text'])}</span>"
