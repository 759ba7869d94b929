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
    """Words, shown literally; code of several lines is a block of its own.

    `about`: whom or what they name, as `slack:T0TEAM:U0PERSON`, `slack:T0TEAM:C0CHANNEL` or a web address: a platform
    that draws such a thing itself shows that in their place. Never taken from a document.
    """

    text: str
    style: Literal["plain", "strong", "code", "quiet"] = "plain"
    about: str = ""


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


TaskState = Literal["waiting", "doing", "done"]


@dataclass(frozen=True, slots=True)
class Task:
    """One step of something that is being done, how it stands, and how far it is if that can be said."""

    title: str
    state: TaskState
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Tasks:
    """What is being done, step by step, and what there is to say of it besides.

    `line` says all of it in words, for where there is no list of tasks.
    """

    title: str
    tasks: tuple[Task, ...]
    line: str
    note: str = ""


Node = Paragraph | Bullets | Table | Tasks


@dataclass(frozen=True, slots=True)
class Evidence:
    """One footnote: a place in a document, and its exact words that prove something above, a line each.

    `code`: where in the words code begins and ends. `leads`: words of the quote that are a link in the document, each
    with the address behind them; whoever wrote the document chose it, so it is shown as words and never as a link.
    """

    number: int
    title: str
    place: str
    quote: str
    link: str | None = None
    updated: str | None = None
    remark: str | None = None
    code: tuple[tuple[int, int], ...] = ()
    leads: tuple[tuple[str, str], ...] = ()

    @property
    def runs(self) -> Iterator[tuple[str, bool]]:
        """The words in runs, each with whether it is code; the ends of lines between them are left out."""
        at = 0
        for start, end in (*self.code, (len(self.quote), len(self.quote))):
            if said := self.quote[at:start].strip("\n" if self.code else ""):
                yield said, False
            if start < end:
                yield self.quote[start:end], True
            at = end


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
