"""Text with marks on it, and how Telegram counts both."""

import unicodedata
from dataclasses import dataclass, replace
from itertools import accumulate

from telegram import MessageEntity

_SEPARATORS = {0x2028: "\n", 0x2029: "\n", 0x09: "    "}
_STRUCK_OUT = frozenset("\u030a\u0333\u033f")
# What one entity weighs on the wire: constructor, offset and length, then the address with its own header.
_ENTITY_BYTES, _ADDRESS_BYTES = 12, 8


@dataclass(frozen=True, slots=True)
class Mark:
    """One formatted range; `start` and `end` count characters."""

    start: int
    end: int
    kind: str
    url: str | None = None

    @property
    def weight(self) -> int:
        """The bytes this mark takes of a message's budget for entities, rounded up."""
        return _ENTITY_BYTES + (_ADDRESS_BYTES + len(self.url.encode()) if self.url else 0)


@dataclass(frozen=True, slots=True)
class Rich:
    """Text and its marks."""

    text: str = ""
    marks: tuple[Mark, ...] = ()

    def __add__(self, other: "Rich") -> "Rich":
        return Rich(self.text + other.text, (*self.marks, *other.marks_at(len(self.text))))

    def marks_at(self, place: int) -> tuple[Mark, ...]:
        """Return the marks as they are when the text begins at `place`."""
        return tuple(replace(mark, start=mark.start + place, end=mark.end + place) for mark in self.marks)

    def slice(self, start: int, end: int) -> "Rich":
        """Return the range with the marks cut to it."""
        inside = (mark for mark in self.marks if mark.start < end and start < mark.end)
        cut = (replace(mark, start=max(mark.start, start), end=min(mark.end, end)) for mark in inside)
        return Rich(self.text[start:end], Rich("", tuple(cut)).marks_at(-start))


@dataclass(frozen=True, slots=True)
class Part:
    """One message as it is sent."""

    text: str
    entities: tuple[MessageEntity, ...] = ()


def utf16_positions(text: str) -> list[int]:
    """Return for each character, and for the end, how many UTF-16 units come before it."""
    if max(text, default="") <= "\uffff":
        return list(range(len(text) + 1))
    return list(accumulate((2 if char > "\uffff" else 1 for char in text), initial=0))


def whole(text: str) -> str:
    """Return the text without halves of surrogate pairs, which no message can carry.

    Telegram strikes out a few characters (tdlib, clean_input_string): marks that stand after their letter, so that "å"
    in two characters would lose its ring and becomes one; separators, where lines would run into each other; and all
    of a tab but one blank, by which code would lose its shape.
    """
    text = text.translate(_SEPARATORS)
    if not _STRUCK_OUT.isdisjoint(text):
        text = unicodedata.normalize("NFC", text)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def part(rich: Rich) -> Part:
    """Return the message for the text: offsets in UTF-16 units, no mark on blank ends."""
    positions = utf16_positions(rich.text)
    marks = [tight for mark in rich.marks if (tight := _tight(rich.text, mark))]
    ordered = sorted(marks, key=lambda mark: (mark.start, -mark.end))
    return Part(rich.text, tuple(_entity(mark, positions) for mark in ordered))


def _entity(mark: Mark, positions: list[int]) -> MessageEntity:
    start, end = positions[mark.start], positions[mark.end]
    return MessageEntity(mark.kind, start, end - start, url=mark.url)


def _tight(text: str, mark: Mark) -> Mark | None:
    """Return the mark without the blanks at its ends; Telegram drops a mark on nothing but blanks."""
    covered = text[mark.start : mark.end]
    start = mark.start + len(covered) - len(covered.lstrip())
    end = mark.start + len(covered.rstrip())
    return replace(mark, start=start, end=end) if start < end else None
