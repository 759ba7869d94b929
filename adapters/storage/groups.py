"""The groups that were imported: who belongs to each, by where it comes from."""

from collections.abc import Collection, Mapping

from sqlalchemy import delete, select

from adapters.storage.database import Database
from adapters.storage.tables import group_members

# Rows of one statement: SQLite takes 32,766 values in one.
_AT_ONCE = 5_000


class SqlGroups:
    """The port `GroupBook` over a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def members(self) -> Mapping[str, frozenset[str]]:
        """Return who belongs to each group, whatever it comes from. Raises StorageError."""
        found: dict[str, set[str]] = {}
        query = select(group_members.c.group_name, group_members.c.member)
        async with self._database.reading() as connection:
            for row in (await connection.execute(query)).all():
                found.setdefault(row.group_name, set()).add(row.member)
        return {name: frozenset(found[name]) for name in sorted(found)}

    async def replace(self, origin: str, groups: Mapping[str, Collection[str]]) -> None:
        """Let these be all the groups of that origin, at once; those of others stay. Raises StorageError."""
        rows = [
            {"origin": origin, "group_name": name, "member": member}
            for name in sorted(groups)
            for member in sorted(set(groups[name]))
        ]
        async with self._database.writing() as connection:
            await connection.execute(delete(group_members).where(group_members.c.origin == origin))
            for start in range(0, len(rows), _AT_ONCE):
                await connection.execute(group_members.insert(), rows[start : start + _AT_ONCE])

    async def origins(self) -> tuple[str, ...]:
        """Return where groups were imported from, in order. Raises StorageError."""
        query = select(group_members.c.origin).distinct().order_by(group_members.c.origin)
        async with self._database.reading() as connection:
            return tuple((await connection.scalars(query)).all())
