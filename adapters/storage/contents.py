"""What generations hold: items of their source, the documents made of them, and which of these lie in the tables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, Select, delete, func, insert, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database
from adapters.storage.index_tables import documents, generations, holdings, items
from core.errors import IngestError, StorageError
from core.ingest.document import Document
from core.ingest.generation import Holding, KnownItem, ReadItem, Tables, Understood
from core.ingest.names import Named

# Names in one statement; a database takes no more than some thousands.
_AT_ONCE = 500
# The digest of a document whose rows are to go.
_NONE = ""
_HELD = (documents.c.doc_id == holdings.c.doc_id) & (documents.c.digest == holdings.c.digest)
_T = TypeVar("_T")


class SqlContents:
    """What the generations in a database hold; everything raises StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def documents(self, generation: int, ids: Sequence[str] | None = None) -> tuple[Document, ...]:
        """Return the generation's documents, or those of them with these ids, by their ids in order."""
        bodies = await self._held(select(documents.c.body), generation, ids)
        found = [_documents().validate_python(body) for (body,) in bodies]
        return tuple(sorted(found, key=lambda one: one.id))

    async def names(self, generation: int, ids: Sequence[str] | None = None) -> tuple[Named, ...]:
        """Return what the generation's documents, or those with these ids, add to the names of their corpus."""
        rows = await self._held(select(documents.c.names), generation, ids)
        found = [_names().validate_python(row) for (row,) in rows]
        return tuple(sorted(found, key=lambda one: one.page.id))

    async def holdings(self, generation: int) -> tuple[Holding, ...]:
        """Return what the generation is to hold, and what is still to go, by the ids of the documents in order."""
        query = select(holdings.c.doc_id, holdings.c.digest, holdings.c.item, holdings.c.written)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query.where(holdings.c.generation == generation))).all()
        return tuple(sorted((Holding(*row) for row in rows), key=lambda one: one.doc_id))

    async def items(self, generation: int) -> dict[str, KnownItem]:
        """Return the items that the generation was made from, by name; one made by an older version knows none."""
        query = select(items.c.name, items.c.sign, items.c.digest, items.c.problems)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query.where(items.c.generation == generation))).all()
        return {row.name: KnownItem(row.name, row.sign, row.digest, _problems(row.problems)) for row in rows}

    async def to_write(self, generation: int) -> tuple[tuple[str, int, bool], ...]:
        """Return the documents whose rows are still to be written, by their ids in order.

        Each with its chunks, and whether the tables have older rows of it; those whose rows are to go have no chunks.
        """
        count = func.coalesce(documents.c.chunks, 0)
        query = select(holdings.c.doc_id, count, holdings.c.written.is_not(None))
        query = query.join_from(holdings, documents, _HELD, isouter=True)
        stale = holdings.c.written.is_distinct_from(holdings.c.digest)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query.where(holdings.c.generation == generation, stale))).all()
        return tuple(sorted((id_, chunks, bool(written)) for id_, chunks, written in rows))

    async def take_in(
        self,
        generation: int,
        read: Sequence[ReadItem],
        gone: Sequence[str],
        progress: Mapping[str, Any],
        builder: str | None = None,
    ) -> bool:
        """Store that the generation is to hold what these items hold now, and nothing of items with the names `gone`.

        The tables stay as they are; `wrote` says when they have followed. Returns False when the build is to stop;
        raises StorageError when the generation is not being built any more, or by another than the builder.
        """
        mine = holdings.c.generation == generation
        async with self._database.writing(slow=True) as connection:
            for names in _in_parts([*(one.item.name for one in read), *gone]):
                await connection.execute(update(holdings).where(mine, holdings.c.item.in_(names)).values(digest=_NONE))
            await _forget(connection, generation, gone)
            await self._keep(connection, generation, [(one, found.item) for found in read for one in found.documents])
            await self._know(connection, generation, [found.item for found in read])
            await connection.execute(
                delete(holdings).where(mine, holdings.c.digest == _NONE, holdings.c.written.is_(None))
            )
            return await touched(connection, generation, progress, builder)

    async def wrote(
        self,
        generation: int,
        ids: Sequence[str],
        tables: Tables,
        progress: Mapping[str, Any],
        builder: str | None = None,
    ) -> bool:
        """Store at once that the rows of these documents are as they are to be, in the tables as they are.

        Returns and raises as `take_in`.
        """
        mine = holdings.c.generation == generation
        async with self._database.writing(slow=True) as connection:
            for part in _in_parts(ids):
                those = (mine, holdings.c.doc_id.in_(part))
                await connection.execute(delete(holdings).where(*those, holdings.c.digest == _NONE))
                await connection.execute(update(holdings).where(*those).values(written=holdings.c.digest))
            return await touched(connection, generation, progress, builder, **versions_of(tables))

    async def know(self, generation: int, known: Sequence[KnownItem], gone: Sequence[str] = ()) -> None:
        """Store what is known of items whose documents stay as they are, and forget items without documents."""
        async with self._database.writing(slow=True) as connection:
            await self._know(connection, generation, known)
            await _forget(connection, generation, gone)

    async def _held(self, query: Select[Any], generation: int, ids: Sequence[str] | None) -> list[Any]:
        query = query.join_from(holdings, documents, _HELD).where(holdings.c.generation == generation)
        queries = [query] if ids is None else [query.where(holdings.c.doc_id.in_(part)) for part in _in_parts(ids)]
        async with self._database.reading() as connection:
            return [row for one in queries for row in (await connection.execute(one)).all()]

    async def _keep(
        self, connection: AsyncConnection, generation: int, found: Sequence[tuple[Understood, KnownItem]]
    ) -> None:
        body, held = self._database.insert(documents), self._database.insert(holdings)
        new = {name: body.excluded[name] for name in ("names", "chunks")}
        body = body.on_conflict_do_update(index_elements=["doc_id", "digest"], set_=new)
        new = {name: held.excluded[name] for name in ("digest", "item")}
        held = held.on_conflict_do_update(index_elements=["generation", "doc_id"], set_=new)
        for part in _in_parts(found):
            await connection.execute(body, [_body(one) for one, _ in part])
            await connection.execute(held, [_holding(generation, one.document, item) for one, item in part])

    async def _know(self, connection: AsyncConnection, generation: int, known: Sequence[KnownItem]) -> None:
        item = self._database.insert(items)
        new = {name: item.excluded[name] for name in ("sign", "digest", "problems")}
        item = item.on_conflict_do_update(index_elements=["generation", "name"], set_=new)
        for part in _in_parts(known):
            await connection.execute(item, [_item(generation, one) for one in part])


async def _forget(connection: AsyncConnection, generation: int, gone: Sequence[str]) -> None:
    for part in _in_parts(gone):
        await connection.execute(delete(items).where(items.c.generation == generation, items.c.name.in_(part)))


async def touched(
    connection: AsyncConnection,
    generation: int,
    progress: Mapping[str, Any],
    builder: str | None,
    **versions: int | None,
) -> bool:
    """Return whether the build goes on, having noted its progress and where its rows lie.

    Raises StorageError when the generation is not being built any more, or by another than the builder.
    """
    changed = {"progress": dict(progress), "touched_at": datetime.now(UTC), **versions}
    noted = update(generations).where(*built(generation, builder)).values(changed).returning(generations.c.stopping)
    stopping: bool | None = await connection.scalar(noted)
    if stopping is None:
        raise taken_from_us(generation)
    return not stopping


def built(generation: int, builder: str | None) -> tuple[ColumnElement[bool], ...]:
    """Return what holds while the generation is being built by this builder; None: by whomever."""
    mine = (generations.c.number == generation, generations.c.state == "building")
    return mine if builder is None else (*mine, generations.c.builder == builder)


def taken_from_us(generation: int) -> StorageError:
    """Return the error for a run that is not the builder of the generation any more."""
    return StorageError(
        f"generation {generation} is not built by this run any more: another one took its place and goes on with it; "
        "see how it goes with: footnote reindex --status"
    )


async def inherit(connection: AsyncConnection, generation: int, parent: int) -> None:
    """Let the generation hold what its parent holds."""
    for table in (holdings, items):
        kept = [column for column in table.c if column.name != "generation"]
        theirs = select(literal(generation), *kept).where(table.c.generation == parent)
        await connection.execute(insert(table).from_select(["generation", *(one.name for one in kept)], theirs))


def versions_of(tables: Tables) -> dict[str, int | None]:
    """Return where the rows lie, as the columns of a generation."""
    return {"passages_version": tables.passages, "chunks_version": tables.chunks}


def _in_parts(those: Iterable[_T]) -> Iterator[list[_T]]:
    known = list(those)
    for start in range(0, len(known), _AT_ONCE):
        yield known[start : start + _AT_ONCE]


@lru_cache(maxsize=1)
def _documents() -> TypeAdapter[Document]:
    return TypeAdapter(Document)


@lru_cache(maxsize=1)
def _names() -> TypeAdapter[Named]:
    return TypeAdapter(Named)


def _body(one: Understood) -> dict[str, Any]:
    return {
        "doc_id": one.document.id,
        "digest": one.document.digest,
        "body": _documents().dump_python(one.document, mode="json", exclude_defaults=True),
        "names": _names().dump_python(one.names, mode="json", exclude_defaults=True),
        "chunks": one.chunks,
    }


def _holding(generation: int, document: Document, item: KnownItem) -> dict[str, Any]:
    return {"generation": generation, "doc_id": document.id, "digest": document.digest, "item": item.name}


def _item(generation: int, item: KnownItem) -> dict[str, Any]:
    problems = [[problem.path, problem.reason] for problem in item.problems]
    return {
        "generation": generation,
        "name": item.name,
        "sign": item.sign,
        "digest": item.digest,
        "problems": problems,
    }


def _problems(stored: Sequence[Sequence[str]]) -> tuple[IngestError, ...]:
    return tuple(IngestError(path, reason) for path, reason in stored)
