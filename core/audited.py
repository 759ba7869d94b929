"""What the audit log gives back, and what else is kept of people, as the program asks for it."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from core.chain import Link
from core.text import normalise

Kind = Literal["answer", "passed", "feedback", "erasure"]


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One line of the log; `record` is the turn's result contract, empty when it has been `erased`.

    `question_id` names what it is about; `asker` is the person who did it, as the platform numbers people.
    """

    question_id: str
    tenant: str
    asker: str
    at: datetime
    record: Mapping[str, Any]
    number: int = 0
    kind: Kind = "answer"
    erased: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry as the chain holds it: its link, and what its commitment was made of as long as it is not erased.

    `is_found`: a search finds it by the words of its content, as it should; an erased one by nothing.
    """

    link: Link
    content: Mapping[str, Any] | None
    salt: str | None
    kind: Kind
    is_found: bool = True


class Illegible(Exception):
    """An entry cannot be read at all: its content is no JSON, or its moment is none."""

    def __init__(self, number: int) -> None:
        super().__init__(f"entry {number} cannot be read")
        self.number = number


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which entries: with this text in question, answer, asker or id; since then; of a person; only refusals.

    `asked`: questions that hold this text themselves, or were asked by whoever has it as their number. `tenant` is the
    workspace in which it was asked. `person` is written slack:T0TEAM:U0PERSON, telegram:123, or as the platform numbers
    the person.
    """

    text: str | None = None
    since: datetime | None = None
    person: str | None = None
    refused: bool = False
    tenant: str | None = None
    asked: str | None = None

    def is_asked(self, entry: AuditEntry) -> bool:
        """Return whether the entry is of a question that holds the text, as far as one is wanted that does."""
        if self.asked is None:
            return True
        is_theirs = self.asked.strip().lower() == entry.asker.rpartition(":")[2].lower()
        said = normalise(str(entry.record.get("question", "")))
        return entry.kind != "feedback" and (is_theirs or normalise(self.asked) in said)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How much of a person is gone: questions, those of them that were under way (their ids), opinions, log entries.

    `let_in`: they had been let in, and would have to be again. `ids`: those of all their questions.
    """

    questions: int = 0
    cancelled: tuple[str, ...] = ()
    opinions: int = 0
    entries: int = 0
    let_in: bool = False
    ids: tuple[str, ...] = ()

    @property
    def anything(self) -> bool:
        """Whether there was anything."""
        return bool(self.questions or self.opinions or self.entries or self.let_in)


class AuditLog(Protocol):
    """The log of every answer; everything raises StorageError."""

    async def search(self, wanted: Wanted, limit: int) -> Sequence[AuditEntry]:
        """Return what came of the latest questions that are wanted, newest first; none that is erased."""

    async def entry(self, number: int) -> AuditEntry | None:
        """Return the entry with this number, of whatever kind."""

    def kept(self, after: int | None = None) -> AsyncIterator[Kept]:
        """Yield every entry after a number, or all, in the order of the chain. Raises Illegible."""

    async def has_after(self, number: int) -> bool:
        """Return whether there is an entry after this number."""

    async def end(self) -> tuple[int, str]:
        """Return the number and the digest of the last entry, as they were noted apart from it."""


class Retention(Protocol):
    """Removes what is older than a moment; None: nothing is too old. Everything raises StorageError."""

    async def due(self, before: datetime | None, now: datetime) -> Mapping[str, int]:
        """Return how many rows of each kind are too old."""

    async def sweep(self, before: datetime | None, now: datetime) -> Mapping[str, int]:
        """Remove a batch of each kind; return how many rows that were, all 0 when nothing is left to be removed."""
