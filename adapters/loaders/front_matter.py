"""The YAML front matter of a document, as text."""

import re
from collections.abc import Mapping
from typing import Any

import yaml

from core.errors import IngestError

# Front matter as written: a list stays a list, every other value is its text.
Meta = Mapping[str, str | tuple[str, ...]]

LIMIT = 64_000
_FENCE = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_BLANK = re.compile(r"\A(?:[ \t]*\n)+")
_READERS = "readers"
# Two letters stand elsewhere when they are swapped.
_SWAPPED = 2
_KEY = re.compile(r"[\w -]+:(?:\s|$)")


def split(text: str, path: str) -> tuple[Meta, str]:
    """Return the front matter and the text under it. A rule at the top of a text without keys is not front matter.

    Blank lines above it do not hide it: what it says of the readers must never be missed.
    """
    text = _BLANK.sub("", text)
    opening = _FENCE.match(text)
    if not opening or opening[0].strip() != "---":
        return {}, text
    closing = _FENCE.search(text, opening.end() + 1)
    if closing is None:
        if _KEY.match(text, opening.end() + 1):
            raise IngestError(path, "front matter opened on line 1 is not closed: add a line with --- under it")
        return {}, text
    meta = _parsed(text[opening.end() : closing.start()], path)
    return (meta, text[closing.end() :]) if meta is not None else ({}, text)


def _parsed(source: str, path: str) -> Meta | None:
    if len(source) > LIMIT:
        raise IngestError(path, f"front matter is longer than {LIMIT:,} characters: move text under the closing ---")
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
    check_readers(found, path, "front matter: ")
    return _bounded(meta_of(found), path)


def _bounded(meta: Meta, path: str) -> Meta:
    """Return the fields; raises IngestError when aliases make them many times as long as they are written."""
    if (
        sum(map(len, (text for value in meta.values() for text in ((value,) if isinstance(value, str) else value))))
        > LIMIT
    ):
        raise IngestError(path, f"front matter grows beyond {LIMIT:,} characters: write out what its aliases stand for")
    return meta


def check_readers(found: Mapping[Any, object], path: str, where: str = "") -> None:
    """Raise IngestError when who may read it is said, but not understood: then nobody may."""
    for key, value in found.items():
        name = key_of(str(key))
        if name == _READERS and not _names_somebody(value):
            raise IngestError(path, f"{where}readers must be names of groups, such as [people-team]")
        if name != _READERS and _is_meant_for(name, _READERS):
            raise IngestError(path, f"{where}there is no {name!r}: did you mean readers? Until then nobody may read it")


def _names_somebody(value: object) -> bool:
    """Return whether somebody is named; an empty list looks closed, and would be open to everybody."""
    names = value.split(",") if isinstance(value, str) else value
    return isinstance(names, list) and bool(names) and all(isinstance(one, str) and one.strip() for one in names)


def _is_meant_for(name: str, word: str) -> bool:
    """Return whether a key is the word with a slip: a letter left out, doubled or swapped with its neighbour."""
    if name[:1] != word[0] or abs(len(name) - len(word)) > 1:
        return False
    if len(name) == len(word):
        return sorted(name) == sorted(word) and sum(a != b for a, b in zip(name, word, strict=True)) == _SWAPPED
    longer, shorter = sorted((name, word), key=len, reverse=True)
    return any(longer[:n] + longer[n + 1 :] == shorter for n in range(len(longer)))


def meta_of(found: Mapping[Any, object]) -> Meta:
    """Return the scalars and lists of scalars of a mapping as text, with keys like `replaced_by`."""
    texts = {key_of(str(key)): _value(value) for key, value in found.items()}
    return {key: value for key, value in texts.items() if key and value}


def key_of(name: str) -> str:
    """Return the name of a field in lower case with underscores; the hyphen of "e-mail" stays."""
    return re.sub(r"\s+|(?<=\w\w)-", "_", name.strip().casefold())


def _value(value: object) -> str | tuple[str, ...]:
    if isinstance(value, list):
        return tuple(text for item in value if isinstance(item, str) and (text := " ".join(item.split())))
    return " ".join(value.split()) if isinstance(value, str) else ""
