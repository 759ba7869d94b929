"""Whether the first row of a table names its columns, told from how it differs from the rows under it."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

LONGEST_LABEL: Final = 80
_VALUE = re.compile(r"[\d\s.,:/%€$£₽¥()+\-–—]*\d[\d\s.,:/%€$£₽¥()+\-–—]*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_KINDS: Final = (
    ("money", re.compile(r"(?=.*\d)(?:.*[€$£₽¥]|.*\d\s?(?:руб|р\.|EUR\b|USD\b|GBP\b|RUB\b))", re.IGNORECASE)),
    ("percent", re.compile(r"[\d\s.,+–-]*\d\s?%")),
    ("date", re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[ T]\d.*)?|\d{1,2}(?:st|nd|rd|th)? \w{3,9}\.? \d{4}.*")),
    ("time", re.compile(r"\d{1,2}[:.]\d{2}(?:\s?[–-]\s?\d{1,2}[:.]\d{2})?")),
    ("address", re.compile(r"\S+@\S+|\w+://\S+|www\.\S+")),
    # As long as a telephone number or an account, with no thousands parted: not how many there are of something.
    ("code", re.compile(r"\+[\d\s()-]+|\d{7,}|[^\d\s]*[^\W\d_][^\s]*\d\S*|[A-ZА-ЯЁ]{2,}[\s-]?\d[\d\s-]*")),
    ("number", re.compile(r"[<>≤≥~±+–-]?\s?\d[\d\s.,]*")),
    ("amount", re.compile(r"[<>≤≥~±+–-]?\s?\d.*")),
)
_NAME = re.compile(r"[A-ZА-ЯЁ][\w.'’-]*(?:\s+(?:[a-zа-яё]{1,3}\s+)?[«\"“(]?[A-ZА-ЯЁ][\w.'’-]*[»\"”)]?)+")
_PERSONAL: Final = frozenset(("date", "name", "money", "code"))
# In a form the right side holds a sum here and a name there; a column holds the like, but for one cell in three.
_ALIKE: Final = 2 / 3
_AS_ONE: Final = {"name": "words", "amount": "number"}
_FEW: Final = 3
# A form of more lines is rare, and a list of fewer is not.
_FORM_LINES: Final = 12
_LONG: Final = 20

Row = Sequence[str]


def names_columns(rows: Sequence[Row], *, likely: bool = True, marked: bool = False) -> bool:
    """Return whether the first of the rows names the columns: it is no row like the others.

    A table of two columns is as often a form ("Position | Nurse"), whose first line is one like the others: there
    something must speak for it, or the first row stays one, unless it is `likely`: lists have such a row, letters do
    not. `marked`: the row is set like a heading.
    """
    if len(rows) <= 1 or not is_header(rows[0]):
        return False
    if marked or any(list(row) == list(rows[0]) for row in rows[1:]):
        return True
    columns = [[row[place].strip() for row in rows[1:] if place < len(row)] for place in range(len(rows[0]))]
    body = [[cell for cell in column if cell] for column in columns]
    known = [(name.strip(), cells) for name, cells in zip(rows[0], body, strict=True) if name.strip() and cells]
    weight = sum(_contrast(name, cells) for name, cells in known)
    if sum(map(bool, rows[0])) != 2 or len(known) != 2:  # noqa: PLR2004 - the two columns of a form
        return weight >= 0
    weight += _as_form(*known) + (len(rows) > _FORM_LINES)
    return weight > 0 or (weight == 0 and likely)


def is_form(rows: Sequence[Row]) -> bool:
    """Return whether rows under names of columns are a form whose first line is set like them, for want of another way.

    So Markdown has a form: its first line must be the head of the table. Told by a value in it ("Start | 1 May 2025"),
    or by a name over values of different kinds.
    """
    if len(rows) <= 1 or any(len(row) != 2 for row in rows) or not all(map(str.strip, rows[0])):  # noqa: PLR2004
        return False
    left, right = (cell.strip() for cell in rows[0])
    body = [row[1].strip() for row in rows[1:] if row[1].strip()]
    if (
        not body
        or _kind(left) not in ("words", "name")
        or any(_kind(row[0].strip()) not in ("words", "name") for row in rows)
    ):
        return False
    if is_value(right) and not _YEAR.fullmatch(right):
        return _kind(right) in ("date", "address", "money", "time") or len(set(map(_kind, body))) > 1
    mixed = Counter(_AS_ONE.get(kind := _kind(cell), kind) for cell in body)
    if _kind(right) != "name" or _kind(left) == "name" or max(mixed.values()) >= _ALIKE * len(body):
        return False
    # In English the name of a column may be written like a person's: then dates and the like must stand under it.
    return not right.isascii() or bool(_PERSONAL & set(map(_kind, body)))


def is_header(row: Row) -> bool:
    """Return whether the cells read like the names of columns: different short words, and years at most."""
    names = [cell.casefold() for cell in row if cell]
    if len(names) < max(2, len(row) / 2) or len(set(names)) < len(names):
        return False
    words = [name for name in names if not _YEAR.fullmatch(name)]
    return bool(words) and not any(_VALUE.fullmatch(name) or len(name) > LONGEST_LABEL for name in words)


def joined_head(rows: Sequence[Row]) -> tuple[str, ...] | None:
    """Return the names of columns that are printed in two rows as one: "2024" over "H1" and "H2" is "2024 H1".

    None unless the first row has a cell over several others and the second has words under all of these and nothing
    of its own elsewhere.
    """
    if len(rows) <= 2 or len(rows[0]) != len(rows[1]) or sum(map(bool, rows[0])) <= 1:  # noqa: PLR2004
        return None
    names: list[str] = []
    over, spans = "", False
    for place, (above, below) in enumerate(zip(rows[0], rows[1], strict=True)):
        follows = list(rows[0][place + 1 : place + 2]) == [""] and bool(rows[1][place + 1])
        over = above or over
        if below and below != above and not ((not above or follows) and over):
            return None
        spans = spans or not above
        names.append(f"{over} {below}" if below and below != above else above)
    return tuple(names) if spans and is_header(names) and len(set(names)) == len(names) else None


def _contrast(name: str, cells: Sequence[str]) -> int:
    """Return how much speaks for the name as that of the column, or below zero for a cell of it."""
    kinds = Counter(map(_kind, cells))
    kind, most = kinds.most_common(1)[0]
    alike = most >= _ALIKE * len(cells)
    if name.casefold() in {cell.casefold() for cell in cells}:
        return -3
    if _kind(name) not in ("words", "name"):
        return -2 if alike and _kind(name) == kind else 0
    if alike and kind == "name":
        return -2 if _kind(name) == "name" else int(len(cells) > 1)
    if alike and kind != "words":
        return 1 + (kinds["words"] + kinds["name"] == 0)
    length = sum(map(len, cells)) / len(cells)
    return int(length >= max(_LONG, 2 * len(name)) or len(set(cells)) <= len(cells) / 2)


def _as_form(left: tuple[str, Sequence[str]], right: tuple[str, Sequence[str]]) -> int:
    """Return what two columns say: below zero where the right one holds a sum here and a name there."""
    kinds = Counter(_AS_ONE.get(kind := _kind(cell), kind) for cell in right[1])
    kind, most = kinds.most_common(1)[0]
    if most < _ALIKE * len(right[1]) or (len(kinds) > 1 and len(right[1]) <= _FEW):
        return -4
    if _kind(right[0]) == "name" != _kind(left[0]):
        return -2
    return -2 if len(right[1]) == 1 and kind != "words" else 0


def is_value(cell: str) -> bool:
    """Return whether the cell holds a number, a date, an address and the like: no words and no name."""
    return _kind(cell.strip()) not in ("words", "name")


def _kind(cell: str) -> str:
    shape = next((kind for kind, pattern in _KINDS if pattern.fullmatch(cell)), None)
    return shape or ("name" if _NAME.fullmatch(cell) else "words")
