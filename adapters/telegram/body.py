"""A reply's messages as JSON, and back as the library sends them."""

import json
from collections.abc import Sequence
from typing import Any

from telegram import Bot, InlineKeyboardMarkup, MessageEntity

from adapters.telegram import richtext
from adapters.telegram.format import answer_parts, evidence_parts, said
from adapters.telegram.split import MAX_TEXT
from core.delivery import Body, Part
from core.reply import RenderedReply

MAX_CALLBACK_BYTES = 64  # core.telegram.org/bots/api#inlinekeyboardbutton

# Without entities a mention in a document would ping somebody: a word joiner after the sign keeps it text, and where
# that makes the message too long, the wide sign, which Telegram does not read.
_NO_MENTION, _NO_MENTION_SHORT = "@\u2060", "\uff20"


def parts_of(reply: RenderedReply) -> tuple[Part, ...]:
    """Return the reply's messages: `answer-1` and on, `evidence-1` and on. Raises ValueError without words."""
    answer = answer_parts(reply)
    if not answer:
        raise ValueError("the reply has no words")
    return (*_named("answer", answer), *_named("evidence", evidence_parts(reply)))


def with_button(text: str, button: str, label: str) -> Body:
    """Return a message with one button under it."""
    assert 1 <= len(button.encode()) <= MAX_CALLBACK_BYTES
    keyboard = {"inline_keyboard": [[{"text": label, "callback_data": button}]]}
    return {**_body(richtext.part(said(text))), "keyboard": keyboard}


def entities_of(body: Body, bot: Bot) -> tuple[MessageEntity, ...]:
    """Return the formatting of a message."""
    return MessageEntity.de_list([dict(entity) for entity in body["entities"]], bot)


def keyboard_of(body: Body, bot: Bot) -> InlineKeyboardMarkup | None:
    """Return the buttons of a message."""
    keyboard = body.get("keyboard")
    return InlineKeyboardMarkup.de_json(dict(keyboard), bot) if keyboard else None


def unformatted(body: Body) -> Body:
    """Return the same words without formatting; a mention among them still pings nobody."""
    text = body["text"].replace("@", _NO_MENTION)
    if len(text.encode("utf-16-le")) // 2 > MAX_TEXT:
        text = body["text"].replace("@", _NO_MENTION_SHORT)
    return {**body, "text": text, "entities": []}


def _named(kind: str, parts: Sequence[richtext.Part]) -> list[Part]:
    return [Part(f"{kind}-{number}", _body(part)) for number, part in enumerate(parts, 1)]


def _body(part: richtext.Part) -> dict[str, Any]:
    return {"text": part.text, "entities": [json.loads(entity.to_json()) for entity in part.entities]}
