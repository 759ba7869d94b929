"""How many chunks hold each term, in every version of the chunks that is kept."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import islice
from typing import Any

from adapters.search.lance_filter import one_of
from adapters.search.lance_store import LanceStore

_NAMED = 500  # terms that one filter names
# Files of a ledger, each a change that was noted, from which on it is looked through; and how long its old files stay.
_MOST_FILES, _GRACE = 40, timedelta(hours=1)


class Ledger:
    """The table `terms_gN`: each change appends what it adds to the count of a term or takes from it.

    An entry carries the version of the chunks from which it holds, so that the entries up to a version add up to the
    counts of that version. Entries are never changed; a weight is a look-up.
    """

    def __init__(self, store: LanceStore, base: int) -> None:
        self._store = store
        self._name = f"terms_g{base}"

    async def is_there(self) -> bool:
        """Return whether terms are counted for this base."""
        try:
            await self._store.newest(self._name)
        except ValueError:
            return False
        return True

    async def begin(self, held: Mapping[str, int], version: int) -> None:
        """Count from this version on, beginning with these counts."""
        from lancedb.index import BTree

        table = await self._store.create(self._name, _schema())
        await _add(table, held, version)
        await table.create_index("term", config=BTree())

    async def note(self, delta: Mapping[str, int], version: int) -> None:
        """Add to the counts from this version on."""
        if any(delta.values()):
            await _add(await self._store.newest(self._name), delta, version)

    async def take_back(self, after: int, version: int) -> None:
        """Undo from this version on what was noted between it and an older one."""
        table = await self._store.newest(self._name)
        undone = _sums(await table.query().where(f"version > {after} AND version < {version}").to_arrow())
        await self.note({term: -count for term, count in undone.items()}, version)

    async def held(self, terms: Iterable[str], version: int) -> Counter[str]:
        """Return how many chunks of the version hold each of the terms."""
        found: Counter[str] = Counter()
        table = await self._store.newest(self._name)
        for part in _parts(sorted(set(terms))):
            query = table.query().where(f"{one_of('term', part)} AND version <= {version}")
            found.update(_sums(await query.select(["term", "held"]).to_arrow()))
        return found

    async def fold(self, version: int) -> None:
        """Write one entry for each term in place of its many up to a version, once that halves the ledger.

        Older versions cannot be counted any more. It is looked through only when much was noted.
        """
        from lancedb.index import BTree

        table = await self._store.newest(self._name)
        if (await table.stats())["fragment_stats"]["num_fragments"] <= _MOST_FILES:
            return
        rows = await table.to_arrow()
        old = Counter[str]()
        later = []
        for row in rows.to_pylist():
            if row["version"] > version:
                later.append(row)
            else:
                old[row["term"]] += row["held"]
        entries = [{"term": term, "held": held, "version": version} for term, held in old.items() if held]
        if 2 * (len(entries) + len(later)) < rows.num_rows:
            await table.add(_table([*entries, *later]), mode="overwrite")
            await table.create_index("term", config=BTree())
        # One file instead of many; what was written over is removed once nobody reads it any more.
        await table.optimize(cleanup_older_than=_GRACE)

    async def drop(self) -> None:
        """Remove the ledger, if it is there."""
        await self._store.drop(self._name)


def holders(tokens: Iterable[str]) -> Counter[str]:
    """Return how many of the chunks hold each term; each chunk's terms stand in one string."""
    return Counter(term for line in tokens for term in set(line.split()))


async def _add(table: Any, held: Mapping[str, int], version: int) -> None:
    entries = [{"term": term, "held": count, "version": version} for term, count in sorted(held.items()) if count]
    if entries:
        await table.add(_table(entries))


def _sums(rows: Any) -> Counter[str]:
    sums = rows.group_by("term").aggregate([("held", "sum")])
    return Counter(dict(zip(sums["term"].to_pylist(), sums["held_sum"].to_pylist(), strict=True)))


def _parts(names: Sequence[str]) -> Iterator[list[str]]:
    rest = iter(names)
    while part := list(islice(rest, _NAMED)):
        yield part


def _table(entries: Sequence[Mapping[str, Any]]) -> Any:
    import pyarrow as pa

    return pa.Table.from_pylist(list(entries), schema=_schema())


def _schema() -> Any:
    import pyarrow as pa

    return pa.schema([("term", pa.string()), ("held", pa.int32()), ("version", pa.int64())])
