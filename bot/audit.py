"""`footnote audit`: the log searched, verified, written to a file, and an answer looked at again."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bot.handing_out import written_as_lines
from bot.settings import read_settings
from bot.wiring import audit_of, opened
from core.audited import AuditEntry, AuditLog, Illegible, Kept, Wanted
from core.chain import START, Link, commitment_of, fault_of_link
from core.text import clean

# Entries that a search shows.
MOST = 50
_SHORT = 100


@dataclass(frozen=True, slots=True)
class Sound:
    """The chain holds: so many entries, of which so many are erased, up to this digest."""

    entries: int
    erased: int
    digest: str


@dataclass(frozen=True, slots=True)
class Broken:
    """The chain does not hold from this entry on; `at` is when it says that it was made."""

    number: int
    at: datetime | None
    reason: str


async def verified(log: AuditLog, noted: str | None = None) -> Sound | Broken:
    """Return whether nothing in the log was changed, removed or slipped in. Raises StorageError.

    Only a digest that was `noted` elsewhere before shows whether a whole end of the chain was made anew.
    """
    walk = _Walk(noted)
    try:
        return await _walked(walk, log)
    except Illegible as error:
        return Broken(error.number, None, "it cannot be read: its content or its moment was changed")


async def _walked(walk: "_Walk", log: AuditLog) -> Sound | Broken:
    while True:
        async for kept in log.kept(walk.number or None):
            if (fault := walk.fault_of(kept)) is not None:
                return Broken(kept.link.number, kept.link.at, fault)
        number, digest = await log.end()
        if number <= walk.number:
            break
        if not await log.has_after(walk.number):
            return Broken(walk.number + 1, None, f"it and all after it are gone: the log had entries up to {number}")
    if (number, digest) != (walk.number, walk.digest):
        return Broken(walk.number, None, "the log says that it ends otherwise: its last entries were made anew")
    return walk.outcome()


def _is_committed(content: Mapping[str, Any], salt: str, link: Link) -> bool:
    try:
        return commitment_of(content, salt) == link.commitment
    except ValueError:
        # A number that JSON cannot say: nobody logged it.
        return False


class _Walk:
    """What has been seen of a chain so far."""

    def __init__(self, noted: str | None) -> None:
        self.number, self.digest = 0, START
        self._entries = 0
        self._noted = noted
        # The numbers whose content is gone, those where something else stands in its place, for which no hash speaks,
        # and those that an entry says were erased.
        self._gone: set[int] = set()
        self._filled: set[int] = set()
        self._said: set[int] = set()

    def fault_of(self, kept: Kept) -> str | None:
        """Return what is wrong with the next entry, or None."""
        if (fault := fault_of_link(self.digest, kept.link)) is not None:
            return fault
        if kept.content is None or kept.salt is None:
            (self._gone if kept.is_found else self._filled).add(kept.link.number)
        elif not _is_committed(kept.content, kept.salt, kept.link):
            return "its content was changed"
        elif not kept.is_found:
            return "it was hidden from the search"
        elif kept.kind == "erasure":
            self._said.update(
                number for first, last in kept.content["record"]["erased"] for number in range(first, last + 1)
            )
        self.number, self.digest = kept.link.number, kept.link.digest
        self._entries += 1
        if self._noted == self.digest:
            self._noted = None
        return None

    def outcome(self) -> Sound | Broken:
        """Return what has come out at the end."""
        if unsaid := (self._gone | self._filled) - self._said:
            return Broken(min(unsaid), None, "its content is gone, and no entry says that it was erased")
        if self._filled:
            return Broken(min(self._filled), None, "its content was erased, and something else stands in its place")
        if self._noted:
            return Broken(self.number, None, f"the chain does not go through {self._noted}: it was made anew")
        return Sound(self._entries, len(self._gone), self.digest)


async def verify_command(noted: str | None, *, as_json: bool) -> bool:
    """Say whether the log is what it was, and return that. Raises BotError."""
    async with opened(read_settings()) as stores:
        outcome = await verified(audit_of(stores.database), noted)
    if as_json:
        print(json.dumps(_outcome_as_data(outcome), indent=2))
    else:
        print(_in_words(outcome))
    return isinstance(outcome, Sound)


def _in_words(outcome: Sound | Broken) -> str:
    match outcome:
        case Sound(0):
            return "The audit log is empty."
        case Sound(entries, erased, digest):
            gone = f", {erased:,} of them erased since" if erased else ""
            return (
                f"The audit log is sound: {entries:,} entries{gone}.\n"
                f"It ends with {digest}\n"
                "Keep that line somewhere else: with --through it shows later that nothing up to here was made anew."
            )
        case Broken(number, at, reason):
            when = f" of {_moment(at)}" if at else ""
            return f"The audit log is broken from entry {number}{when} on: {reason}."


def _outcome_as_data(outcome: Sound | Broken) -> dict[str, Any]:
    match outcome:
        case Sound(entries, erased, digest):
            return {"sound": True, "entries": entries, "erased": erased, "digest": digest}
        case Broken(number, at, reason):
            return {"sound": False, "number": number, "at": at.isoformat() if at else None, "reason": reason}


async def search_command(wanted: Wanted, *, as_json: bool) -> None:
    """Print the latest entries that are wanted. Raises BotError."""
    async with opened(read_settings()) as stores:
        found = await audit_of(stores.database).search(wanted, MOST)
    if as_json:
        print(json.dumps([_entry_as_data(one) for one in found], ensure_ascii=False, indent=2))
        return
    # People's words are no markup, and none of them moves a cursor.
    console = Console(markup=False)
    if not found:
        console.print("Nothing of the kind stands in the audit log.")
        return
    table = Table("number", "when (UTC)", "who", "question", "answer", box=None, header_style="bold")
    for one in found:
        table.add_row(str(one.number), _moment(one.at), clean(one.asker), *map(_short, _told(one)))
    console.print(table)
    console.print("What an answer was based on: footnote audit replay NUMBER", highlight=False)


def _told(entry: AuditEntry) -> Sequence[str]:
    record = entry.record
    if because := record.get("passed_over"):
        return "", f"(overheard, not for us: {because})"
    if said := record.get("feedback"):
        return f"(of {said.get('of')})", f"{said.get('verdict') or 'taken back'} {said.get('reason') or ''}"
    refused = "(refused) " if record.get("is_refusal") else ""
    return str(record.get("question", "")), f"{refused}{record.get('answer', '')}"


def _short(text: str) -> str:
    line = " ".join(clean(text).split())
    return line if len(line) <= _SHORT else f"{line[: _SHORT - 1]}…"


def _moment(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def _entry_as_data(entry: AuditEntry) -> dict[str, Any]:
    return {
        "number": entry.number,
        "kind": entry.kind,
        "at": entry.at.isoformat(),
        "question_id": entry.question_id,
        "tenant": entry.tenant,
        "asker": entry.asker,
        "record": entry.record,
    }


async def export_command(file: Path) -> None:
    """Write the whole chain to a file, an entry a line, with all that it takes to verify it. Raises BotError."""
    async with opened(read_settings()) as stores:
        written = await exported(audit_of(stores.database).kept(), file)
    print(f"{written:,} entries of the audit log stand in {file}.")


async def exported(chain: AsyncIterator[Kept], file: Path) -> int:
    """Write the entries to a file that is not there yet, as JSON lines; return how many. Raises ConfigError."""

    async def rows() -> AsyncIterator[Mapping[str, Any]]:
        async for kept in chain:
            yield _kept_as_data(kept)

    return await written_as_lines(rows(), file)


def _kept_as_data(kept: Kept) -> dict[str, Any]:
    return {
        "number": kept.link.number,
        "at": kept.link.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "kind": kept.kind,
        "commitment": kept.link.commitment,
        "digest": kept.link.digest,
        "salt": kept.salt,
        "content": kept.content,
        "erased": kept.content is None,
    }
