"""Attempts to say who may read a document: what looks like one and is not understood closes it."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final
from unicodedata import normalize

from core.errors import IngestError

READERS: Final = "readers"
LABELS: Final = "labels"
_AS: Final = "write readers: [group] on a line of its own between two lines of ---, at the very top"
_CLOSED: Final = "Until then nobody may read it"
# Letters of other alphabets that look like those of the word, with the ones that they look like.
_ALIKE: Final = str.maketrans("аαɑеєёεԁѕгр", "aaaeeeedsrp")
_INVISIBLE: Final = re.compile(r"[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
_AROUND: Final = " \t*_`'\"“”«»[](){}<>-•·,"
# Two letters stand elsewhere when they are swapped.
_SWAPPED: Final = 2
_RUSSIAN: Final = frozenset(("читатели", "читатель", "читателям", "читают"))
# What others call it. Their values are theirs: only those that plainly open leave the page open.
_OTHER: Final = frozenset(
    (
        *("access", "access_level", "access_groups", "acl", "permission", "permissions", "visibility", "visible_to"),
        *("viewers", "restricted", "restricted_to", "restrict_to", "confidential", "private", "secret", "only_for"),
        *("allowed_groups", "allowed_readers", "allowed_users", "readable_by", "read_access", "read_by", "may_read"),
        *("who_may_read", "can_read", "who_can_read"),
        *("доступ", "права_доступа", "уровень_доступа", "видимость", "только_для", "приватно", "конфиденциально"),
        *("секретно", "кто_может_читать", "кому_можно_читать", "ограничение_доступа", "группы_доступа"),
    )
)
_OPEN: Final = frozenset(
    (
        *(
            "",
            "public",
            "open",
            "everyone",
            "everybody",
            "all",
            "any",
            "anyone",
            "anybody",
            "world",
            "published",
            "free",
        ),
        *("visible", "default", "false", "no", "none", "off", "0", "нет", "все", "всем", "для всех", "всё", "открыто"),
        *("открыт", "открытый", "открытая", "общий", "общая", "публичный", "публичная", "публично", "свободный"),
    )
)
_DEEPEST: Final = 8
# How many of the first lines, and characters, belong to what stands above a text.
_HEAD, _LONGEST = 60, 20_000
_FENCE: Final = re.compile(r"\s{0,3}(?:[-–—−‐+=~*_;.]{3,}|`{3,}\s*\w*)\s*")
_CODE: Final = ("```", "~~~")
_TITLE: Final = re.compile(r"\s{0,3}#{1,6}\s")
_UNDERLINE: Final = re.compile(r"\s{0,3}(?:=+|-+)\s*")
_BETWEEN: Final = re.compile(r"\s+[·|•]\s+")
_SAID: Final = re.compile(r"(?P<key>[^:：=#]{1,60}?)\s*(?:[:：]|:?=)\s*(?P<value>.*)")
_NAMES: Final = re.compile(r"\[?[\w@.:+\"'-]{1,80}(?:\s*[,;]\s*[\w@.:+\"'-]{1,80}){0,40}\]?[\s.;,]*")
_LETTER: Final = re.compile(r"[^\W\d_]")


def check_said(found: Mapping[Any, object], path: str, where: str = "", *, others: bool = False) -> None:
    """Raise IngestError when who may read it is said, but not understood: then nobody may.

    With `others` also when it is said in the words of other programs, such as `access: hr`.
    """
    for key, value in found.items():
        name = key_of(str(key))
        if name == READERS and not _names_somebody(value):
            raise IngestError(path, f"{where}readers must be names of groups, such as [people-team]")
        if name != READERS and means_readers(str(key)):
            raise IngestError(path, f"{where}there is no {name!r}: did you mean readers? {_CLOSED}")
        if others and _closes_otherwise(str(key), value):
            raise IngestError(path, f"{where}{name!r} is not understood: write readers: [group]. {_CLOSED}")
    for value in found.values():
        if inner := _inner(value, set(), 0):
            raise IngestError(path, f"{where}{inner!r} lies too deep: write readers: [group] at the top. {_CLOSED}")


def check_lines(source: str, known: Iterable[Any], path: str) -> None:
    """Raise IngestError for a line of front matter on readers that was read as something else, or when two are."""
    named, told = {key_of(str(key)) for key in known}, 0
    for line in source.splitlines():
        said = None if line[:1].isspace() else _said(line)
        if said is None or not means_readers(said[0]):
            continue
        told += 1
        if told > 1:
            raise IngestError(path, f"front matter: readers stands twice: leave one of the two. {_CLOSED}")
        if key_of(said[0]) not in named:
            raise IngestError(path, f"front matter: {line.strip()!r} is not understood: {_AS}. {_CLOSED}")


def check_head(text: str, path: str, *, is_read: bool = False) -> None:
    """Raise IngestError when the first lines of a text say who may read it, in a place where that is not read.

    So between lines that are no front matter, such as ----, and where the first line, or the first one below the title,
    is nothing but readers and their names, unless such lines are read (`is_read`). Running text says what it likes.
    """
    lines = [plain(line) for line in text[:_LONGEST].splitlines()[:_HEAD]]
    first = _content(lines, 0)
    for start in (first, _content(lines, _below_title(lines, first))):
        is_fenced = start < len(lines) and _FENCE.fullmatch(lines[start]) is not None
        found = _between(lines[start], lines[start + 1 :]) if is_fenced else None if is_read else _named(lines[start:])
        if found:
            raise IngestError(path, f"{found!r} is not understood: {_AS}. {_CLOSED}")


def check_fields(fields: Mapping[str, str], path: str) -> None:
    """Raise IngestError for a field at the head of a text that is likely meant for its readers."""
    for key, value in fields.items():
        if key_of(key) != READERS and is_slip(key) and _are_names(value):
            raise IngestError(path, f"there is no {key!r}: did you mean readers? {_CLOSED}")


def is_slip(key: str) -> bool:
    """Return whether it is meant for `readers`; not what speaks of one reader, as a review of a book does."""
    return means_readers(key) and key_of(key).translate(_ALIKE) != "reader" and key_of(key) != "читатель"


def means_readers(name: str) -> bool:
    """Return whether a key is the word `readers`, with a slip, in letters that look like its own, or in Russian."""
    latin = key_of(plain(name).strip(_AROUND)).translate(_ALIKE)
    return latin == READERS or _is_meant_for(latin, READERS) or key_of(plain(name).strip(_AROUND)) in _RUSSIAN


def key_of(name: str) -> str:
    """Return the name of a field in lower case with underscores; the hyphen of "e-mail" stays."""
    return re.sub(r"\s+|(?<=\w\w)-", "_", name.strip().casefold())


def means_labels(key: str) -> bool:
    """Return whether a key is the word `labels`, one of them, or that with a slip: a label only closes."""
    name = key_of(plain(key)).translate(_ALIKE)
    return name == LABELS or _is_meant_for(name, LABELS) or key_of(key) in ("метки", "метка")


def plain(text: str) -> str:
    """Return the text without what cannot be seen, and with wide letters and signs as plain ones."""
    return normalize("NFKC", _INVISIBLE.sub("", text))


def _content(lines: list[str], place: int) -> int:
    """Return where the first line stands that is neither empty nor a comment."""
    in_comment = False
    for number in range(place, len(lines)):
        line = lines[number].strip()
        in_comment = in_comment or line.startswith("<!--")
        if line and not in_comment:
            return number
        in_comment = in_comment and "-->" not in line
    return len(lines)


def _below_title(lines: list[str], place: int) -> int:
    if place + 1 < len(lines) and _UNDERLINE.fullmatch(lines[place + 1]):
        return place + 2
    return place + 1 if place < len(lines) and _TITLE.match(lines[place]) else place


def _between(fence: str, lines: list[str]) -> str | None:
    """Return the line that says who may read, up to the next line of signs or an empty one; code may count readers."""
    is_code = fence.lstrip().startswith(_CODE)
    for line in lines:
        if not line.strip() or _FENCE.fullmatch(line):
            return None
        said = _said(line)
        if said is None or not (means_readers(said[0]) or _closes_otherwise(*said)):
            continue
        if _are_names(said[1]) or (means_readers(said[0]) and not is_code):
            return line.strip()
    return None


def _named(lines: list[str]) -> str | None:
    """Return the line among the first, all of which say one thing each, that holds readers and nothing but names."""
    for line in lines:
        said = [_said(part) for part in _BETWEEN.split(line)]
        for one in said:
            if one and is_slip(one[0]) and _are_names(one[1]):
                return line.strip()
        if None in said:
            return None
    return None


def _are_names(value: str) -> bool:
    """Return whether it is a list of single words, such as groups have for names, that does not plainly open."""
    names = {name.strip(_AROUND).casefold() for name in re.split("[,;]", value)}
    return bool(_NAMES.fullmatch(value) and _LETTER.search(value)) and not _OPEN.issuperset(names)


def _said(line: str) -> tuple[str, str] | None:
    """Return what stands before the first sign that gives a value, and the value; None for a comment and for prose."""
    found = _SAID.match(plain(line).strip(" \t*_>{").removeprefix("- "))
    return (found["key"].strip(_AROUND), found["value"].strip(" \t*_")) if found else None


def _closes_otherwise(key: str, value: object) -> bool:
    """Return whether another program's word for it stands there with anything but a word that opens."""
    if key_of(plain(key).strip(_AROUND)) not in _OTHER or isinstance(value, Mapping):
        return False
    said = value if isinstance(value, list | tuple) else str(value).strip("[]").split(",")
    return not _OPEN.issuperset(plain(str(one)).strip(_AROUND).casefold() for one in said)


def _inner(value: object, seen: set[int], depth: int) -> str | None:
    """Return the key deeper down that names readers; each part is looked at once, however often aliases name it."""
    if not isinstance(value, Mapping | list) or id(value) in seen or depth > _DEEPEST:
        return None
    seen.add(id(value))
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if means_readers(str(key)) and not isinstance(inner, Mapping) and _LETTER.search(str(inner)):
                return str(key)
    return next(filter(None, (_inner(one, seen, depth + 1) for one in _parts(value))), None)


def _parts(value: "Mapping[Any, object] | list[object]") -> Iterable[object]:
    return value.values() if isinstance(value, Mapping) else value


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
