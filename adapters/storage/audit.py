"""The audit log: every finished turn and what people said of it, in one chain that shows whatever is done to it."""

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from secrets import token_hex
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Insert,
    Row,
    Select,
    Text,
    Update,
    and_,
    bindparam,
    cast,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database, insert_in
from adapters.storage.tables import audit, audit_end
from core.audited import AuditEntry, Illegible, Kept, Kind, Wanted
from core.chain import SALT, START, Link, commitment_of, linked
from core.conversation import Question
from core.feedback import Deed, Said
from core.text import normalise
from core.turn import TurnRecord

# What a search shows: what came of questions, and what people said of it.
_SHOWN: tuple[Kind, ...] = ("answer", "passed", "feedback")
# What stands in the name of an entry between the question and who judged its answer.
_JUDGED = "!judged "
_AT_ONCE = 500


class SqlAudit:
    """The log in a database, with the search for admins; its entries are put there as turns are closed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def search(self, wanted: Wanted, limit: int) -> Sequence[AuditEntry]:
        """Return the latest entries of questions that are wanted, newest first; none that is erased."""
        here = (audit.c.kind.in_(_SHOWN), audit.c.erased_at.is_(None), *_conditions(wanted))
        query, found, last = select(audit).where(*here).order_by(audit.c.id.desc()), list[AuditEntry](), None
        while len(found) < limit:
            # Of what is found by its words, some may have them in the answer alone.
            at_once = max(limit, _AT_ONCE) if wanted.asked is not None else limit - len(found)
            older = query if last is None else query.where(audit.c.id < last)
            async with self._database.reading() as connection:
                rows = (await connection.execute(older.limit(at_once))).all()
            found += [entry for entry in map(_entry, rows) if wanted.is_asked(entry)]
            if len(rows) < at_once:
                break
            last = rows[-1].id
        return tuple(found[:limit])

    async def entry(self, number: int) -> AuditEntry | None:
        """Return the entry with this number, of whatever kind."""
        async with self._database.reading() as connection:
            row = (await connection.execute(select(audit).where(audit.c.id == number))).one_or_none()
        return _entry(row) if row else None

    async def kept(self, after: int | None = None) -> AsyncIterator[Kept]:
        """Yield every entry after a number, or all, in the order of the chain, some hundreds read at a time.

        Raises Illegible for one that nobody can read: it was written by hand.
        """
        number, at_once = after, _AT_ONCE
        while True:
            try:
                rows = await self._after(number, at_once)
            except (ValueError, TypeError) as error:
                if at_once == 1:
                    raise Illegible(await self._next_number(number)) from error
                at_once = 1
                continue
            for row in rows:
                yield _kept(row)
            if not rows:
                return
            number = rows[-1].id

    async def _after(self, number: int | None, limit: int) -> Sequence[Row[Any]]:
        # The first is 1; what was slipped in before it is found like anything else.
        query = select(audit).where(*_later(number)).order_by(audit.c.id).limit(limit)
        async with self._database.reading() as connection:
            return (await connection.execute(query)).all()

    async def _next_number(self, number: int | None) -> int:
        query = select(audit.c.id).where(*_later(number)).order_by(audit.c.id).limit(1)
        async with self._database.reading() as connection:
            return int(await connection.scalar(query) or number or 0)

    async def has_after(self, number: int) -> bool:
        """Return whether there is an entry after this number."""
        async with self._database.reading() as connection:
            return await connection.scalar(select(audit.c.id).where(audit.c.id > number).limit(1)) is not None

    async def end(self) -> tuple[int, str]:
        """Return the number and the digest of the last entry, as they were noted apart from it; (0, "") for none."""
        async with self._database.reading() as connection:
            row = (await connection.execute(select(audit_end.c.number, audit_end.c.digest))).one_or_none()
        return (row.number, row.digest) if row else (0, START)


async def put_entry(
    database: Database, connection: AsyncConnection, record: TurnRecord, result: Mapping[str, Any]
) -> None:
    """Append one finished turn with its result contract; for a version that is logged already nothing changes."""
    question = record.question
    entry = AuditEntry(question.id, question.audience.tenant, question.asker, record.finished_at, result)
    await _append(database, connection, entry, question.version)


async def put_passed(database: Database, connection: AsyncConnection, question: Question, because: str) -> None:
    """Append that a message was overheard and is not for us; its words are nobody's to keep."""
    record = {"question": "", "answer": "", "passed_over": because}
    tenant, at = question.audience.tenant, datetime.now(UTC)
    entry = AuditEntry(question.id, tenant, question.asker, at, record, kind="passed")
    await _append(database, connection, entry, question.version)


async def put_judged(database: Database, connection: AsyncConnection, deed: Deed, said: Said) -> None:
    """Append what a person says of an answer from now on, in place of what before."""
    now = said.now
    told = {"of": said.question, "version": said.version, "person": deed.by, "verdict": now.verdict}
    told |= {"reason": now.reason, "before": said.before.verdict}
    name = f"{said.question}{_JUDGED}{deed.by} {deed.id or deed.at.isoformat()}"
    record = {"question": "", "answer": "", "feedback": told}
    entry = AuditEntry(name, said.tenant, deed.by, deed.at, record, kind="feedback")
    await _append(database, connection, entry, said.version)


async def erase(
    database: Database, connection: AsyncConnection, which: ColumnElement[bool], because: str, limit: int
) -> int:
    """Erase the content of some entries, and append that this was done and why; return how many they were.

    What stays is their place in the chain and their moment. Who erases by hand cannot be told from
    who tampers: the chain holds only where an entry says that these were erased.
    """
    chosen = select(audit.c.id).where(which, audit.c.erased_at.is_(None), audit.c.kind != "erasure")
    numbers = sorted(await connection.scalars(chosen.order_by(audit.c.at, audit.c.id).limit(limit)))
    if numbers:
        now = datetime.now(UTC)
        await connection.execute(_erasing(), [{"its_number": number, "now": now} for number in numbers])
        record = {"erased": ranges_of(numbers), "because": because}
        entry = AuditEntry(f"erasure:{numbers[0]}:{token_hex(SALT)}", "", "", now, record, kind="erasure")
        await _append(database, connection, entry, 0)
    return len(numbers)


def _later(number: int | None) -> tuple[ColumnElement[bool], ...]:
    return () if number is None else (audit.c.id > number,)


def ranges_of(numbers: Sequence[int]) -> list[list[int]]:
    """Return ascending numbers as the first and the last of each unbroken run."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return runs


def of_person(person: str) -> ColumnElement[bool]:
    """Return which entries a person made, by the platform with their number there, or by that number alone."""
    platform, *rest = person.split(":")
    if not rest:
        return audit.c.asker == person
    tenant = (audit.c.tenant == rest[0],) if len(rest) > 1 else ()
    here = audit.c.question_id.startswith(f"{platform}:", autoescape=True)
    return and_(audit.c.asker.in_((rest[-1], person)), here, *tenant)


async def _append(database: Database, connection: AsyncConnection, entry: AuditEntry, version: int) -> None:
    """Put an entry at the end of the chain.

    All that end at once wait for each other here, until the one before has been stored: so this comes late in a
    transaction (`benchmarks/audit.py` says what it costs).
    """
    salt = token_hex(SALT)
    row = {"question_id": entry.question_id, "version": version, "tenant": entry.tenant, "asker": entry.asker}
    row |= {"kind": entry.kind, "at": entry.at, "record": entry.record}
    # The long hash is made before anybody waits for us.
    commitment = commitment_of(_content(row), salt)
    words = _words(row)
    number, before = await _held_end(database, connection)
    link = linked(before, number + 1, entry.at, commitment)
    row |= {"id": link.number, "words": words, "salt": salt, "commitment": commitment, "digest": link.digest}
    if await connection.scalar(_new(database.dialect), row) is not None:
        await connection.execute(_ended(), {"its_number": link.number, "its_digest": link.digest})


async def _held_end(database: Database, connection: AsyncConnection) -> tuple[int, str]:
    """Return the number and the digest of the last entry, and hold them; an end that is lost is found again."""
    row = (await connection.execute(_end())).one_or_none()
    if row is None:
        await connection.execute(_found_end(database.dialect))
        row = (await connection.execute(_end())).one()
    return row.number, row.digest


@cache
def _end() -> Select[int, str]:
    return select(audit_end.c.number, audit_end.c.digest).where(audit_end.c.id == 1).with_for_update()


@cache
def _found_end(dialect: str) -> Insert:
    last = select(func.coalesce(func.max(audit.c.id), 0)).scalar_subquery()
    digest = select(audit.c.digest).order_by(audit.c.id.desc()).limit(1).scalar_subquery()
    new = insert_in(dialect, audit_end).values(id=1, number=last, digest=func.coalesce(digest, START))
    return new.on_conflict_do_nothing()


@cache
def _new(dialect: str) -> Any:
    row = insert_in(dialect, audit).on_conflict_do_nothing(index_elements=["question_id", "version"])
    return row.returning(audit.c.id)


@cache
def _ended() -> Update:
    return update(audit_end).values(number=bindparam("its_number", type_=BigInteger), digest=bindparam("its_digest"))


@cache
def _erasing() -> Update:
    name = literal("erased:") + cast(audit.c.id, Text)
    gone = {"question_id": name, "tenant": "", "asker": "", "words": "", "record": {}, "salt": None}
    number = bindparam("its_number", type_=BigInteger)
    return update(audit).where(audit.c.id == number).values(gone | {"erased_at": bindparam("now")})


def _conditions(wanted: Wanted) -> list[ColumnElement[bool]]:
    texts = filter(None, (wanted.text, wanted.asked))
    conditions = [audit.c.words.contains(normalise(text), autoescape=True) for text in texts]
    if wanted.since is not None:
        conditions.append(audit.c.at >= wanted.since)
    if wanted.person is not None:
        conditions.append(of_person(wanted.person))
    if wanted.refused:
        conditions.append(audit.c.record["is_refusal"].as_boolean())
    if wanted.tenant is not None:
        conditions.append(audit.c.tenant == wanted.tenant)
    return conditions


def _content(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an entry's commitment is made of."""
    names = ("kind", "question_id", "version", "tenant", "asker", "record")
    at = row["at"].astimezone(UTC).isoformat(timespec="microseconds")
    return {name: row[name] for name in names} | {"at": at}


def _words(row: Mapping[str, Any]) -> str:
    """Return what an entry is found by, folded here: SQLite ignores case in Latin letters alone."""
    record = row["record"]
    match row["kind"]:
        case "erasure":
            said: tuple[Any, ...] = ()
        case "passed":
            said = (row["question_id"], row["asker"], record["passed_over"])
        case "feedback":
            judged = record["feedback"]
            said = (judged["of"], row["asker"], judged["verdict"], judged["reason"])
        case _:
            said = (row["question_id"], row["asker"], record["question"], record["answer"])
    return normalise("\n".join(str(one) for one in said if one))


def _is_found(row: Mapping[str, Any]) -> bool:
    """Return whether a search finds the entry as it should; what the very first versions logged says too little.

    Its words are folded again, as an older version may have folded otherwise.
    """
    try:
        return row["erased_at"] is None and normalise(row["words"]) == _words(row)
    except (KeyError, TypeError):
        return True


def _is_blank(row: Mapping[str, Any]) -> bool:
    """Return whether nothing stands where the content was erased: no hash would speak for it."""
    left = (row["tenant"], row["asker"], row["words"], row["record"])
    return not any(left) and row["erased_at"] is not None and row["question_id"] == f"erased:{row['id']}"


def _entry(row: Row[Any]) -> AuditEntry:
    erased = row.erased_at is not None
    return AuditEntry(row.question_id, row.tenant, row.asker, row.at, row.record, row.id, row.kind, erased)


def _kept(row: Row[Any]) -> Kept:
    whole = dict(row._mapping)  # noqa: SLF001 - SQLAlchemy's own way to a mapping
    link = Link(row.id, row.at, row.commitment, row.digest)
    if row.salt is None:
        return Kept(link, None, None, row.kind, _is_blank(whole))
    return Kept(link, _content(whole), row.salt, row.kind, _is_found(whole))
