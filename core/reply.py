"""The neutral tree of a reply: what is said, before any platform's dialect."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from core.text import Language, Untrusted, clean

ActionKind = Literal["choose", "more", "why", "judge", "reason", "forget", "share", "person", "alone"]
# With its kind it fits into the 64 bytes that a button of Telegram brings.
MAX_VALUE_BYTES = 40


@dataclass(frozen=True, slots=True)
class Text:
    """Words, shown literally."""

    text: str
    style: Literal["plain", "strong", "code", "quiet"] = "plain"


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote mark: the number of an evidence entry."""

    number: int


Inline = Text | Note
Line = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    line: Line


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list; with a heading it is one group of a grouped list."""

    items: tuple[Line, ...]
    heading: Line | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under column names."""

    header: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]


Node = Paragraph | Bullets | Table


@dataclass(frozen=True, slots=True)
class Evidence:
    """One footnote: a place in a document, and its exact words that prove something above, a line each."""

    number: int
    title: str
    place: str
    quote: str
    link: str | None = None
    updated: str | None = None
    remark: str | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """What the reader can do next with one press: choose a reading, see more, ask why, judge it, say what is wrong.

    `label` says it in the reader's language; `value` is what the press needs to know besides.
    """

    kind: ActionKind
    label: str
    value: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError for a value that not every platform could bring back."""
        if len(self.value.encode()) > MAX_VALUE_BYTES:
            raise ValueError(f"an action's value takes at most {MAX_VALUE_BYTES} bytes, not {self.value!r}")


@dataclass(frozen=True, slots=True)
class RenderedReply:
    """An answer, the evidence that goes under it, and what can be done with it; `is_refusal`: it is none.

    `checks`: how it was checked, a sentence each; they stand under the evidence, never in the answer.
    """

    nodes: tuple[Node, ...]
    evidence: tuple[Evidence, ...]
    language: Language
    actions: tuple[Action, ...] = ()
    checks: tuple[str, ...] = ()
    is_refusal: bool = False


def plain(text: Untrusted) -> str:
    """Return document text made fit to be shown: control and invisible characters removed, nothing else changed."""
    return clean(text)


def words_of(line: Line) -> str:
    """Return the line as a person reads it, footnote marks as superscript digits."""
    return "".join(f"{separator}{words}" for separator, words in separated(line))


def separated(line: Line) -> Iterator[tuple[str, str]]:
    """Yield each part's words with what stands before them: a comma between two footnote marks, else nothing."""
    before: Inline | None = None
    for part in line:
        joined = isinstance(part, Note) and isinstance(before, Note)
        yield ("," if joined else ""), (mark(part.number) if isinstance(part, Note) else part.text)
        before = part


def mark(number: int) -> str:
    """Return a footnote number as superscript digits."""
    return str(number).translate(_SUPERSCRIPT)


_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
