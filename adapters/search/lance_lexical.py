"""Lexical search in LanceDB's full text, over our own terms: for corpora that one process should not hold."""

import asyncio
import math
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import islice
from typing import Any, TypeVar

from adapters.search.lexical_port import Row, Where
from core.errors import SearchError

T = TypeVar("T")
Record = dict[str, Any]
_BATCH = 4_000
_NAMED = 500  # ids or terms that one filter names
_ASKED = 200  # terms that one search asks for
_GAP = "\u2423"  # stands for white space inside a term: the tokenizer parts terms at white space
_ODD = re.compile(r"[\s\ud800-\udfff]")
_OPEN = "*"  # stands among the readers of what everybody may read; the names of groups begin with another sign
_KEPT = timedelta(hours=1)  # a version younger than this may still be read by somebody


class LanceLexical:
    """The tables `lexical_NAME` (terms and attributes of each chunk) and `lexical_NAME_terms` (how often each is held).

    The second is a ledger: a change appends what it adds to the count of each term or takes from it, so that a weight
    is a look-up; one that is cut off in between leaves weights a little off until the next build. One writer at a time.
    With `versions` (of both tables) that state is read, whatever is written later.
    """

    def __init__(self, address: str, name: str, versions: tuple[int, int] | None = None) -> None:
        self._address = address
        self._chunks, self._ledger = f"lexical_{name}", f"lexical_{name}_terms"
        self._versions = dict(zip((self._chunks, self._ledger), versions, strict=True)) if versions else {}
        self._connection: Any = None
        self._tables: dict[str, Any] = {}

    async def build(self, rows: Iterable[Row]) -> None:
        """Write both tables anew. Raises ValueError when two rows have the same id, and SearchError."""
        known: set[str] = set()
        held: Counter[str] = Counter()
        await self._create()
        for batch in _batches(rows):
            _refuse_twice(batch, known)
            records, counts = await asyncio.to_thread(_prepared, batch)
            held.update(counts)
            await self._add(records)
        await self._count(held)
        await self._make_indices()

    async def change(self, removed_ids: Iterable[str], added_rows: Iterable[Row]) -> None:
        """Remove rows and add others, those with an id that is both replaced at once; unknown ids are passed over.

        Raises ValueError when an added id is there twice, or is there already and not removed; and SearchError.
        """
        removed, added = frozenset(removed_ids), list(added_rows)
        coming = {row.id for row in added}
        _refuse_twice(added, set())
        there = await self._tokens(removed | coming)
        if clash := sorted((coming & there.keys()) - removed):
            raise ValueError(f"chunk {clash[0]!r} is in the index already: remove it in the same change to replace it")
        records, delta = await asyncio.to_thread(_prepared, added)
        delta.subtract(term for tokens in there.values() for term in _distinct(tokens))
        await self._replace(there.keys() - coming, records)
        await self._count(delta)

    async def find(self, terms: Sequence[str], limit: int, where: Where | None) -> dict[str, float]:
        """Return the best chunks that hold any of the terms, best first, ties by id, with their scores.

        At most the first 200 distinct terms are asked for. Raises SearchError.
        """
        wanted = " ".join(list(dict.fromkeys(filter(None, map(_token, terms))))[:_ASKED])
        if not wanted or limit <= 0:
            return {}
        from lancedb import query as asking

        match: Any = asking.MatchQuery  # mypy does not see its defaults
        with _failing("read"):
            query = (await self._table(self._chunks)).query().nearest_to_text(match(wanted, "tokens"))
            if where is not None:
                query = query.where(_clauses(where))
            rows = await query.select(["id", "_score"]).limit(limit).to_list()
        best = sorted((-float(row["_score"]), str(row["id"])) for row in rows)
        return {id_: -score for score, id_ in best}

    async def weights(self, terms: Sequence[str]) -> dict[str, float]:
        """Return how rare each term is (BM25's smoothed idf), most for one in no chunk. Raises SearchError."""
        tokens = {term: _token(term) for term in terms}
        held: Counter[str] = Counter()
        with _failing("read"):
            size = max(await (await self._table(self._chunks)).count_rows(), 1)
            ledger = await self._table(self._ledger)
            for part in _batches(sorted(set(tokens.values())), _NAMED):
                rows = await ledger.query().where(f"term IN ({_quoted(part)})").select(["term", "held"]).to_list()
                for row in rows:
                    held[row["term"]] += row["held"]
        counts = {term: min(max(held[token], 1), size) for term, token in tokens.items()}
        return {term: math.log(1 + (size - n + 0.5) / (n + 0.5)) for term, n in counts.items()}

    async def terms_in(self, id_: str, terms: Collection[str]) -> frozenset[str]:
        """Return those of the terms that the chunk holds; none when there is no such chunk. Raises SearchError."""
        held = _distinct((await self._tokens([id_])).get(id_, ""))
        return frozenset(term for term in terms if _token(term) in held)

    async def versions(self) -> tuple[int, int]:
        """Return which state of both tables is read now. Raises SearchError."""
        with _failing("read"):
            chunks, ledger = await self._table(self._chunks), await self._table(self._ledger)
            return await chunks.version(), await ledger.version()

    async def tidy(self) -> None:
        """Take what was changed into the full-text index and forget old versions: minutes of work, for a worker.

        Raises SearchError.
        """
        with _failing("written"):
            await self._fold_ledger()
            for name in (self._chunks, self._ledger):
                await (await self._table(name)).optimize(cleanup_older_than=_KEPT)

    async def drop(self) -> None:
        """Remove both tables, if they are there. Raises SearchError."""
        with _failing("removed"):
            for name in (self._chunks, self._ledger):
                await (await self._open()).drop_table(name, ignore_missing=True)
                self._tables.pop(name, None)

    async def _create(self) -> None:
        with _failing("written"):
            for name, schema in ((self._chunks, _chunk_schema()), (self._ledger, _ledger_schema())):
                self._tables[name] = await (await self._open()).create_table(name, schema=schema, mode="overwrite")
            # Without it two writers that insert the same new id both succeed (LanceDB 0.40).
            await self._tables[self._chunks].set_unenforced_primary_key("id")

    async def _add(self, records: Sequence[Record]) -> None:
        with _failing("written"):
            table = await asyncio.to_thread(_table_of, records, _chunk_schema())
            await self._tables[self._chunks].add(table)

    async def _replace(self, gone: Collection[str], records: Sequence[Record]) -> None:
        with _failing("written"):
            chunks = await self._table(self._chunks)
            if records:
                coming = await asyncio.to_thread(_table_of, records, _chunk_schema())
                await chunks.merge_insert("id").when_matched_update_all().when_not_matched_insert_all().execute(coming)
            for ids in _batches(sorted(gone), _NAMED):
                await chunks.delete(f"id IN ({_quoted(ids)})")

    async def _count(self, delta: Mapping[str, int]) -> None:
        entries = [{"term": term, "held": count} for term, count in sorted(delta.items()) if count]
        if entries:
            with _failing("written"):
                await (await self._table(self._ledger)).add(_table_of(entries, _ledger_schema()))

    async def _fold_ledger(self) -> None:
        """Write one entry for each term in place of its many, once that halves the ledger."""
        from lancedb.index import BTree

        ledger = await self._table(self._ledger)
        sums = (await ledger.to_arrow()).group_by("term").aggregate([("held", "sum")]).to_pylist()
        entries = [{"term": row["term"], "held": row["held_sum"]} for row in sums if row["held_sum"]]
        if 2 * len(entries) < await ledger.count_rows():
            await ledger.add(_table_of(entries, _ledger_schema()), mode="overwrite")
            await ledger.create_index("term", config=BTree())

    async def _make_indices(self) -> None:
        from lancedb.index import FTS, Bitmap, BTree, LabelList

        whole = FTS(
            base_tokenizer="whitespace",
            stem=False,
            lower_case=False,
            ascii_folding=False,
            remove_stop_words=False,
            max_token_length=None,  # by default a term of more than 40 bytes is not found
        )
        with _failing("written"):
            chunks = self._tables[self._chunks]
            await chunks.create_index("tokens", config=whole)
            for column in ("id", "doc_id", "day"):
                await chunks.create_index(column, config=BTree())
            for column in ("kind", "language"):
                await chunks.create_index(column, config=Bitmap())
            # With it and the bitmaps a filter costs nothing; without, 45 ms at 100,000 chunks (a query takes 5).
            await chunks.create_index("readers", config=LabelList())
            await self._tables[self._ledger].create_index("term", config=BTree())

    async def _tokens(self, ids: Collection[str]) -> dict[str, str]:
        """Return the terms of those chunks that are there."""
        found: dict[str, str] = {}
        with _failing("read"):
            chunks = await self._table(self._chunks)
            for part in _batches(sorted(ids), _NAMED):
                rows = await chunks.query().where(f"id IN ({_quoted(part)})").select(["id", "tokens"]).to_list()
                found |= {row["id"]: row["tokens"] for row in rows}
        return found

    async def _table(self, name: str) -> Any:
        if name not in self._tables:
            table = await (await self._open()).open_table(name)
            if name in self._versions:
                await table.checkout(self._versions[name])
            self._tables[name] = table
        return self._tables[name]

    async def _open(self) -> Any:
        if self._connection is None:
            os.environ.setdefault("LANCEDB_LOG", "error")  # its writer warns of every new table
            import lancedb

            self._connection = await lancedb.connect_async(self._address)
        return self._connection


@contextmanager
def _failing(done: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        raise SearchError(
            f"the lexical index could not be {done} ({type(error).__name__}); build it again with: footnote index"
        ) from error


def _refuse_twice(rows: Iterable[Row], known: set[str]) -> None:
    for row in rows:
        if row.id in known:
            raise ValueError(f"two chunks have the id {row.id!r}: give each chunk an id of its own")
        known.add(row.id)


def _prepared(rows: Sequence[Row]) -> tuple[list[Record], Counter[str]]:
    """Return the rows as they are stored, and how many of them hold each term."""
    records = [_record(row) for row in rows]
    return records, Counter(term for record in records for term in _distinct(record["tokens"]))


def _distinct(tokens: str) -> set[str]:
    return set(tokens.split(" ")) - {""}


def _token(term: str) -> str:
    """Return the term as the tokenizer and UTF-8 take it."""
    if not _ODD.search(term):
        return term
    return _GAP.join(re.split(r"\s", term)).encode("utf-8", "replace").decode("utf-8")


def _record(row: Row) -> Record:
    return {
        "id": row.id,
        "doc_id": row.doc_id,
        "kind": row.kind,
        "readers": _labels(row.readers) or [_OPEN],
        "language": row.language,
        "day": row.dated.toordinal() if row.dated else 0,
        "tokens": " ".join(filter(None, map(_token, row.terms))),
    }


def _clauses(where: Where) -> str:
    clauses = [f"array_has_any(readers, [{_quoted([*_labels(where.groups), _OPEN])}])"]
    for column, names in (("kind", where.kinds), ("doc_id", where.doc_ids), ("language", where.languages)):
        clauses += [f"{column} IN ({_quoted(sorted(names))})"] if names else []
    clauses += ["day > 0"] if where.since or where.until else []
    clauses += [f"day >= {where.since.toordinal()}"] if where.since else []
    clauses += [f"day <= {where.until.toordinal()}"] if where.until else []
    return " AND ".join(clauses)


def _labels(groups: Iterable[str]) -> list[str]:
    return [f"={group}" for group in sorted(groups)]


def _quoted(names: Iterable[str]) -> str:
    """Return the names for a filter; a quotation mark in one is doubled, so that none can end its string early."""
    return ", ".join("'" + name.replace("'", "''") + "'" for name in names)


def _batches(rows: Iterable[T], size: int = _BATCH) -> Iterator[list[T]]:
    rest = iter(rows)
    while batch := list(islice(rest, size)):
        yield batch


def _chunk_schema() -> Any:
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("id", pa.string(), nullable=False),
            *((name, pa.string()) for name in ("doc_id", "kind", "language", "tokens")),
            ("readers", pa.list_(pa.string())),
            ("day", pa.int32()),
        ]
    )


def _ledger_schema() -> Any:
    import pyarrow as pa

    return pa.schema([("term", pa.string()), ("held", pa.int32())])


def _table_of(records: Sequence[Record], schema: Any) -> Any:
    import pyarrow as pa

    return pa.Table.from_pylist(records, schema=schema)
