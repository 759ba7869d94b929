"""Telegram's own text rules, asked of TDLib without a network.

TDLib is the library inside the Bot API server, so its verdicts and error texts are the server's.
"""

from __future__ import annotations

import json
from functools import cache
from types import ModuleType

from .errors import bad_request
from .model import Entity, Json, RichText

_STYLES = {
    "bold": "Bold",
    "italic": "Italic",
    "underline": "Underline",
    "strikethrough": "Strikethrough",
    "spoiler": "Spoiler",
    "code": "Code",
    "blockquote": "BlockQuote",
    "expandable_blockquote": "ExpandableBlockQuote",
}
_FOUND = {
    "mention": "Mention",
    "hashtag": "Hashtag",
    "cashtag": "Cashtag",
    "bot_command": "BotCommand",
    "url": "Url",
    "email": "EmailAddress",
    "phone_number": "PhoneNumber",
    "bank_card_number": "BankCardNumber",
}
_FROM_TDLIB = {name: ours for ours, name in (_STYLES | _FOUND).items()} | {
    "Pre": "pre",
    "PreCode": "pre",
    "TextUrl": "text_link",
    "MentionName": "text_mention",
    "CustomEmoji": "custom_emoji",
}
_TYPE_PREFIX = "textEntityType"

FOUND_TYPES = frozenset(_FOUND)
KNOWN_TYPES = frozenset(_FROM_TDLIB.values())
PARSE_MODES: dict[str, Json] = {
    "markdown": {"@type": "textParseModeMarkdown", "version": 1},
    "markdownv2": {"@type": "textParseModeMarkdown", "version": 2},
    "html": {"@type": "textParseModeHTML"},
}

# `parseMarkdown` settles entities as sending does, but reads these marks too: they are hidden
# behind private-use characters (one UTF-16 unit each, like the marks) while it works.
_MARKS = "*_~|`[]()"
_HIDE = {ord(mark): chr(0xF8E0 + index) for index, mark in enumerate(_MARKS)}
_SHOW = {0xF8E0 + index: mark for index, mark in enumerate(_MARKS)}


def parse_markup(text: str, parse_mode: str) -> RichText:
    """Return the text and entities that `parse_mode` stands for, or refuse as the server does."""
    mode = PARSE_MODES.get(parse_mode.lower())
    if mode is None:
        raise bad_request("Unsupported parse_mode")
    return _rich(_execute("parseTextEntities", text=text, parse_mode=mode))


def settle_entities(rich: RichText) -> RichText:
    """Return the cleaned text and the entities that survive, or refuse as the server does.

    Checks offsets, lengths, surrogate pairs and link addresses; drops what may not nest.
    """
    hidden = RichText(rich.text.translate(_HIDE), rich.entities)
    settled = _rich(_execute("parseMarkdown", text=_formatted(hidden)))
    return RichText(settled.text.translate(_SHOW), settled.entities)


def find_entities(text: str) -> tuple[Entity, ...]:
    """Return the mentions, commands, links and tags Telegram finds by itself."""
    answer = _execute("getTextEntities", text=text)
    return _entities(answer["entities"])


def find_quote(rich: RichText, quote: RichText, position: int) -> int | None:
    """Return where the quote stands in the text, in UTF-16 units; None when it does not."""
    request = {
        "@type": "searchQuote",
        "text": _formatted(rich),
        "quote": _formatted(quote),
        "quote_position": position,
    }
    answer = _ask(request)
    return None if answer["@type"] == "error" else int(str(answer["position"]))


def _execute(function: str, **arguments: object) -> Json:
    answer = _ask({"@type": function, **arguments})
    if answer["@type"] == "error":
        raise bad_request(str(answer["message"]))
    return answer


def _ask(request: Json) -> Json:
    answer: Json = json.loads(_library().td_execute(json.dumps(request).encode()))
    return answer


@cache
def _library() -> ModuleType:
    try:
        import tdjson
    except ImportError as missing:
        raise RuntimeError(
            "The Telegram stand-in judges text with TDLib: `pip install tdjson` "
            "(wheels exist for Linux, macOS on arm64 and Windows)."
        ) from missing
    tdjson.td_execute(b'{"@type":"setLogVerbosityLevel","new_verbosity_level":0}')
    module: ModuleType = tdjson
    return module


def _formatted(rich: RichText) -> Json:
    entities = [_to_tdlib(each) for each in rich.entities]
    return {"@type": "formattedText", "text": rich.text, "entities": entities}


def _to_tdlib(entity: Entity) -> Json:
    name, details = _tdlib_type(entity)
    kind: Json = {"@type": _TYPE_PREFIX + name, **details}
    return {"@type": "textEntity", "offset": entity.offset, "length": entity.length, "type": kind}


def _tdlib_type(entity: Entity) -> tuple[str, Json]:
    match entity.type:
        case "pre":
            return ("PreCode", {"language": entity.language}) if entity.language else ("Pre", {})
        case "text_link":
            return "TextUrl", {"url": entity.url}
        case "text_mention":
            return "MentionName", {"user_id": entity.user_id}
        case "custom_emoji":
            return "CustomEmoji", {"custom_emoji_id": entity.custom_emoji_id}
    return (_STYLES | _FOUND)[entity.type], {}


def _rich(answer: Json) -> RichText:
    return RichText(str(answer["text"]), _entities(answer["entities"]))


def _entities(found: object) -> tuple[Entity, ...]:
    assert isinstance(found, list)
    known = (_from_tdlib(each) for each in found)
    return tuple(each for each in known if each is not None)


def _from_tdlib(raw: dict[str, object]) -> Entity | None:
    kind = raw["type"]
    assert isinstance(kind, dict)
    name = _FROM_TDLIB.get(str(kind["@type"]).removeprefix(_TYPE_PREFIX))
    if name is None:
        return None
    return Entity(
        offset=int(str(raw["offset"])),
        length=int(str(raw["length"])),
        type=name,
        url=kind.get("url", ""),
        language=kind.get("language", ""),
        user_id=kind.get("user_id", 0),
        custom_emoji_id=kind.get("custom_emoji_id", ""),
    )
