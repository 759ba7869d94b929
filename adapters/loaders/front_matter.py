"""The front matter of a document, in YAML, TOML or JSON, as text."""

import json
import re
from collections.abc import Mapping
from textwrap import dedent
from typing import Any

import yaml

from adapters.loaders.closing import check_head, check_lines, check_said, key_of
from adapters.loaders.toml_matter import toml_of
from core.errors import IngestError

# Front matter as written: a list stays a list, every other value is its text.
Meta = Mapping[str, str | tuple[str, ...]]

LIMIT = 64_000
_FENCE = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_INDENTED = re.compile(r"^[ \t]*(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
# As Hugo and Zola part what they read as TOML.
_PLUSES = re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE)
_BLANK = re.compile(r"\A(?:[ \t]*\n)+")
# What may stand above it, unseen: blanks, signs without width, and a comment; and how far in a page it begins.
_SEEN = re.compile(r"[^\s\u00ad\u180e\u200b-\u200f\u2060-\u206f\ufeff]")
_OPENING = re.compile(r"(?P<indent>[ \t]{0,3})(?P<fence>---|\+\+\+)[ \t]*$", re.MULTILINE)
_COMMENT, _END_OF_COMMENT = "<!--", "-->"
_KEY = re.compile(r"[\w -]+:(?:\s|$)")
_TOML_KEY = re.compile(r"\s*(?:#[^\n]*\n\s*)*(?:\[[\w .\"'-]+\]|[\w.\"'-]+\s*=)")
# What a JSON object at the very top says of its page, when it is front matter and no sample of data.
_OWN = frozenset(("title", "readers", "labels", "aliases", "updated", "date", "draft", "authority", "description"))


def split(text: str, path: str, *, is_headed: bool = False) -> tuple[Meta, str]:
    """Return the front matter and the text under it: YAML, or the TOML and JSON of Hugo.

    A rule at the top of a text without keys is not front matter. Blank lines, comments and what cannot be seen do not
    hide it: what it says of the readers must never be missed. Raises IngestError for what is said of them and not
    understood. `is_headed`: what the first lines of the text say is read, too.
    """
    found = _json(text, path)
    if found is None and (opening := _opening(text)):
        found = _toml(text, opening, path) if opening["fence"] == "+++" else _yaml(text, opening, path)
    meta, below = found or ({}, _BLANK.sub("", text))
    check_head(below, path, is_read=is_headed)
    return meta, below


def _opening(text: str) -> re.Match[str] | None:
    """Return the line that opens front matter, if nothing but what a reader does not see stands above it."""
    place = 0
    while True:
        place = _seen(text, place)
        if not text.startswith(_COMMENT, place):
            break
        end = text.find(_END_OF_COMMENT, place)
        if end < 0:
            return None
        place = end + len(_END_OF_COMMENT)
    start = text.rfind("\n", 0, place) + 1
    return _OPENING.match(text, start if not text[start:place].strip(" \t") else place)


def _seen(text: str, place: int) -> int:
    """Return where the first character stands from a place on that a reader sees."""
    found = _SEEN.search(text, place)
    return found.start() if found else len(text)


def _yaml(text: str, opening: re.Match[str], path: str) -> tuple[Meta, str] | None:
    is_indented = bool(opening["indent"])
    closing = (_INDENTED if is_indented else _FENCE).search(text, opening.end() + 1)
    if closing is None:
        if _KEY.match(text, opening.end() + 1):
            raise IngestError(path, "front matter opened on line 1 is not closed: add a line with --- under it")
        return None
    source = text[opening.end() : closing.start()]
    meta = _parsed(dedent(source) if is_indented else source, path)
    return None if meta is None else (meta, text[closing.end() :])


def _toml(text: str, opening: re.Match[str], path: str) -> tuple[Meta, str] | None:
    """Return what stands between lines of +++, if it begins like TOML."""
    closing = _PLUSES.search(text, opening.end() + 1)
    if not _TOML_KEY.match(text, opening.end() + 1) and (
        closing is None or text[opening.end() : closing.start()].strip()
    ):
        return None
    if closing is None:
        raise IngestError(path, "front matter opened on line 1 is not closed: add a line with +++ under it")
    source = text[opening.end() : closing.start()]
    _check_length(source, path)
    return _checked(toml_of(source, path), source, path), text[closing.end() :]


def _json(text: str, path: str) -> tuple[Meta, str] | None:
    """Return the object that a page begins with, when it says something of the page."""
    start = _seen(text, 0)
    if not text.startswith("{", start):
        return None
    try:
        found, end = json.JSONDecoder(parse_float=str).raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not any(key_of(key) in _OWN and not isinstance(found[key], int) for key in found):
        return None
    _check_length(text[start:end], path)
    return _checked(_as_text(found), "", path), text[end:]


def _as_text(value: Any) -> Any:
    """Return plain data with every value as its text, yes as true."""
    match value:
        case dict():
            return {key: _as_text(inner) for key, inner in value.items()}
        case list():
            return [_as_text(inner) for inner in value]
        case bool():
            return str(value).lower()
    return "" if value is None else str(value)


def _check_length(source: str, path: str) -> None:
    if len(source) > LIMIT:
        raise IngestError(path, f"front matter is longer than {LIMIT:,} characters: move text under the closing ---")


def _parsed(source: str, path: str) -> Meta | None:
    _check_length(source, path)
    try:
        # BaseLoader makes no types: 1.10 stays 1.10, `no` stays no, dates stay as written.
        found = yaml.load(source, Loader=yaml.BaseLoader)  # noqa: S506 - it builds nothing but text
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise IngestError(path, f"front matter, line {line}: {error.problem or error.context}") from error
    except RecursionError as error:
        raise IngestError(path, "front matter is nested too deeply: make it flatter") from error
    except yaml.YAMLError as error:
        raise IngestError(path, f"front matter is not YAML: {error}") from error
    if found is None or found == "":
        return {}
    if not isinstance(found, dict):
        return None
    return _checked(found, source, path)


def _checked(found: Mapping[Any, object], source: str, path: str) -> Meta:
    """Return the fields. Raises IngestError when it says who may read the page, and is not understood."""
    check_said(found, path, "front matter: ", others=True)
    check_lines(source, found, path)
    return _bounded(meta_of(found), path)


def _bounded(meta: Meta, path: str) -> Meta:
    """Return the fields; raises IngestError when aliases make them many times as long as they are written."""
    if (
        sum(map(len, (text for value in meta.values() for text in ((value,) if isinstance(value, str) else value))))
        > LIMIT
    ):
        raise IngestError(path, f"front matter grows beyond {LIMIT:,} characters: write out what its aliases stand for")
    return meta


def meta_of(found: Mapping[Any, object]) -> Meta:
    """Return the scalars and lists of scalars of a mapping as text, with keys like `replaced_by`."""
    texts = {key_of(str(key)): _value(value) for key, value in found.items()}
    return {key: value for key, value in texts.items() if key and value}


def _value(value: object) -> str | tuple[str, ...]:
    if isinstance(value, list):
        return tuple(text for item in value if isinstance(item, str) and (text := " ".join(item.split())))
    return " ".join(value.split()) if isinstance(value, str) else ""
