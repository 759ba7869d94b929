"""What models proposed as edges, kept by chunk, so that none is asked about twice."""

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import delete, exists, select

from adapters.storage.database import Database
from adapters.storage.index_tables import documents, proposals
from core.ingest.document import Proposal

# Names in one statement; a database takes no more than some thousands.
_AT_ONCE = 500


class SqlProposals:
    """The proposals in a database; everything raises StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def known(self, asker: str, doc_ids: Sequence[str]) -> dict[str, tuple[Proposal, ...]]:
        """Return what was proposed for chunks of these documents, by the ids of the chunks."""
        found: dict[str, tuple[Proposal, ...]] = {}
        query = select(proposals.c.chunk, proposals.c.edges).where(proposals.c.asker == asker)
        async with self._database.reading() as connection:
            for part in _in_parts(doc_ids):
                rows = (await connection.execute(query.where(proposals.c.doc_id.in_(part)))).all()
                found |= {row.chunk: tuple(Proposal(*edge) for edge in row.edges) for row in rows}
        return found

    async def keep(self, asker: str, doc_id: str, replies: Mapping[str, Sequence[Proposal]]) -> None:
        """Store what was proposed for chunks of a document, in place of what was before."""
        new = self._database.insert(proposals)
        new = new.on_conflict_do_update(
            index_elements=["doc_id", "chunk", "asker"], set_={"edges": new.excluded["edges"]}
        )
        rows = [
            {"doc_id": doc_id, "chunk": chunk, "asker": asker, "edges": [_edge(one) for one in edges]}
            for chunk, edges in replies.items()
        ]
        if rows:
            async with self._database.writing() as connection:
                await connection.execute(new, rows)

    async def forget(self) -> None:
        """Forget what was proposed for documents that no generation holds any more."""
        held = exists().where(documents.c.doc_id == proposals.c.doc_id)
        async with self._database.writing() as connection:
            await connection.execute(delete(proposals).where(~held))


def _edge(one: Proposal) -> list[str]:
    return [one.subject, one.relation, one.object, one.quote]


def _in_parts(names: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), _AT_ONCE):
        yield names[start : start + _AT_ONCE]
