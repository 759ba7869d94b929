"""How the server reads a text: size, formatting, budgets, and what it drops in silence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from .errors import Refusal, bad_request
from .model import Entity, RichText, utf16_length, utf16_slice
from .params import Params
from .tdlib import FOUND_TYPES, KNOWN_TYPES, find_entities, parse_markup, settle_entities

MAX_TEXT = 4096
MAX_RAW_BYTES = 32_768
MAX_ENTITIES = 100
MAX_ENTITY_BYTES = 9_500

Warn = Callable[[str], None]
_Kind = TypeVar("_Kind")

_FIRST_TO_GO = frozenset({"bold", "italic", "underline", "strikethrough", "spoiler"})
_OPAQUE = frozenset({"code", "pre", "text_link", "text_mention", "custom_emoji"})
_FAMILY = {
    "blockquote": "quote",
    "expandable_blockquote": "quote",
    "text_link": "link",
    "text_mention": "link",
}
_SCHEMES = ("http://", "https://", "tg://", "ton://", "tonsite://")
_BLANK = " \n"
_JSON_NAMES: dict[type, str] = {int: "Number", str: "String", dict: "Object"}


def read_text(params: Params, warn: Warn) -> RichText:
    """Return the text of a send or an edit as the chat will show it, or refuse."""
    raw = params.text("text")
    if not raw:
        raise bad_request("Message text is empty")
    return read_rich(raw, params.text("parse_mode"), _entity_list(params, warn), warn)


def read_rich(raw: str, parse_mode: str, entities: object, warn: Warn) -> RichText:
    """Return the text as shown; each thing the server drops in silence goes to `warn`."""
    if len(raw.encode()) > MAX_RAW_BYTES:
        raise bad_request("Text is too long")
    if raw and parse_mode and parse_mode.lower() != "none":
        submitted = parse_markup(raw, parse_mode)
    else:
        submitted = RichText(raw, _read_entities(entities))
    return _settle(submitted, warn)


def _entity_list(params: Params, warn: Warn) -> object:
    try:
        return params.structure("entities", "entities")
    except Refusal:
        warn("entities are not JSON: the server ignores them")
        return None


def _read_entities(raw: object) -> tuple[Entity, ...]:
    if not isinstance(raw, list):
        return ()
    read = (_read_entity(each) for each in raw)
    return tuple(each for each in read if each.type not in FOUND_TYPES)


def _read_entity(raw: object) -> Entity:
    if not isinstance(raw, dict):
        raise bad_request("Can't parse MessageEntity: expected an Object")
    kind = _field(raw, "type", str)
    if kind not in KNOWN_TYPES:
        raise bad_request("Can't parse MessageEntity: Unsupported type specified")
    entity = Entity(_field(raw, "offset", int), _field(raw, "length", int), kind)
    match kind:
        case "text_link":
            return replace(entity, url=_field(raw, "url", str))
        case "pre":
            return replace(entity, language=str(raw.get("language") or ""))
        case "text_mention":
            user = _field(raw, "user", dict)
            return replace(entity, user_id=_field(user, "id", int))
        case "custom_emoji":
            return replace(entity, custom_emoji_id=str(raw.get("custom_emoji_id") or "0"))
    return entity


def _field(raw: dict[str, object], name: str, kind: type[_Kind]) -> _Kind:
    value = raw.get(name)
    if value is None:
        raise bad_request(f"Can't parse MessageEntity: Can't find field \"{name}\"")
    if not isinstance(value, kind):
        reason = f'Field "{name}" must be of type {_JSON_NAMES[kind]}'
        raise bad_request(f"Can't parse MessageEntity: {reason}")
    return value


def _settle(submitted: RichText, warn: Warn) -> RichText:
    if len(submitted.text.replace("\r", "").strip(_BLANK)) > MAX_TEXT:
        raise bad_request("Message is too long")
    settled = settle_entities(submitted)
    if not settled.text.strip(_BLANK):
        raise bad_request("Text must be non-empty")
    _report_losses(submitted, settled, warn)
    trimmed = _trim(settled)
    kept = _within_count(trimmed.entities, warn)
    _check_bytes(kept)
    return RichText(trimmed.text, _with_found(trimmed.text, kept))


def _report_losses(submitted: RichText, settled: RichText, warn: Warn) -> None:
    for index, each in enumerate(submitted.entities):
        place = f"{each.type} at {each.offset}+{each.length}"
        if each.type == "text_link" and not each.url.lower().startswith(_SCHEMES):
            warn(f"{place}: address {each.url!r} has no scheme, the server guesses http")
        swallowed = any(_collide(each, earlier) for earlier in submitted.entities[:index])
        if each.length > 0 and (swallowed or not _survives(_moved(each, submitted, settled), settled)):
            warn(f"{place}: dropped by the server")


def _moved(entity: Entity, submitted: RichText, settled: RichText) -> Entity:
    """Return the entity where its text stands once the server has struck out what it takes in no message."""
    if len(settled.text) == len(submitted.text):
        return entity
    # The full stop keeps the blanks in front of the entity.
    before = settle_entities(RichText(utf16_slice(submitted.text, 0, entity.offset) + "."))
    return replace(entity, offset=utf16_length(before.text) - 1)


def _collide(entity: Entity, earlier: Entity) -> bool:
    """Tell whether two quotes or two links share text: only one of them can stay."""
    families = (_FAMILY.get(entity.type), _FAMILY.get(earlier.type))
    return families[0] is not None and families[0] == families[1] and entity.overlaps(earlier)


def _survives(entity: Entity, settled: RichText) -> bool:
    mention = entity.type == "text_link" and entity.url.startswith("tg://user")
    kind = "text_mention" if mention else entity.type
    return any(each.type == kind and each.overlaps(entity) for each in settled.entities)


def _trim(rich: RichText) -> RichText:
    """Return the text without blank ends; the front is cut only up to the first entity."""
    right = rich.text.rstrip(_BLANK)
    limit = utf16_length(right)
    cut = [_cut(each, limit) for each in rich.entities if each.offset < limit]
    blank = len(right) - len(right.lstrip(_BLANK))
    start = min([blank, *(each.offset for each in cut)])
    moved = tuple(replace(each, offset=each.offset - start) for each in cut)
    return RichText(right[start:], moved)


def _cut(entity: Entity, limit: int) -> Entity:
    return replace(entity, length=min(entity.length, limit - entity.offset))


def _within_count(entities: tuple[Entity, ...], warn: Warn) -> tuple[Entity, ...]:
    surplus = len(entities) - MAX_ENTITIES
    if surplus <= 0:
        return entities
    warn(f"{surplus} of {len(entities)} entities: dropped by the server, it keeps {MAX_ENTITIES}")
    last_first = sorted(
        range(len(entities)),
        key=lambda index: (entities[index].type not in _FIRST_TO_GO, -index),
    )
    gone = set(last_first[:surplus])
    return tuple(each for index, each in enumerate(entities) if index not in gone)


def _check_bytes(entities: tuple[Entity, ...]) -> None:
    if sum(map(_entity_bytes, entities)) > MAX_ENTITY_BYTES:
        raise bad_request("ENTITIES_TOO_LONG")


def _entity_bytes(entity: Entity) -> int:
    """Return the wire size: constructor, offset, length and the text the entity carries."""
    carried = (entity.url or entity.language).encode()
    if not carried:
        return 20 if entity.type in {"custom_emoji", "text_mention"} else 12
    header = 1 if len(carried) < 254 else 4
    return 12 + (header + len(carried) + 3) // 4 * 4


def _with_found(text: str, entities: tuple[Entity, ...]) -> tuple[Entity, ...]:
    opaque = [each for each in entities if each.type in _OPAQUE]
    found = (each for each in find_entities(text) if not any(map(each.overlaps, opaque)))
    together = [*entities, *found]
    return tuple(sorted(together, key=lambda each: (each.offset, -each.length)))
