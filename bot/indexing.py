"""Indexing a folder: see what changed, build a generation beside the live one out of that, switch over at once."""

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from adapters.loaders.corpus import DOMAIN, Corpus, load_corpus
from adapters.loaders.formats import KNOWN
from adapters.search.lance import LanceIndex
from adapters.storage.catalog import SqlCatalog
from core.entities import Registry, make_registry
from core.errors import ConfigError, IndexingStopped, IngestError, PortError
from core.ingest.chunk import Chunk
from core.ingest.document import Document
from core.ingest.domain import Domain, read_domain
from core.ingest.generation import Generation, Holding, Make, Tables
from core.ingest.graph import entities_of, with_names
from core.ingest.rows import chunk_row, in_parts, passage_row, to_embed
from core.ingest.sync import Changes, compare
from core.ports import Embedder

# What the rows of a generation are made by: a change of it makes every index stale.
ANALYZER = "en-ru-snowball-names/4"
_EMBED_AT_ONCE = 256
# A build that nobody has touched for so long was cut short, and is taken up by whoever comes next.
ABANDONED_AFTER = timedelta(seconds=60)

FORMATS = ", ".join(KNOWN)

Progress = Callable[[str, int, int], None]

BUSY = (
    "another index run is under way: wait for it, watch it with footnote reindex --status, or stop it with "
    "footnote reindex --cancel"
)


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an index run did.

    `counts`: documents, chunks and passages; `problems`: documents that could not be read, the rest is indexed.
    `embedded`: passages whose vectors had to be made.
    """

    title: str
    counts: Mapping[str, int]
    changes: Changes
    problems: tuple[IngestError, ...]
    rebuilt: bool
    embedded: int = 0


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder as it is now. `documents` carry no names but their own."""

    documents: Mapping[str, Document]
    domain: Domain
    make: Make
    problems: tuple[IngestError, ...]

    @property
    def digests(self) -> dict[str, str]:
        return {id_: document.digest for id_, document in self.documents.items()}


@dataclass
class _Build:
    """A generation under way: where its rows lie, what it holds, and what it has cost."""

    number: int
    tables: Tables
    held: dict[str, str]
    # Where vectors may be taken from instead of being made: the live generation's tables, if the embedder is the same.
    known: Tables | None
    resumed: bool = False
    total: int = 0
    done: int = 0
    embedded: int = 0
    progress: dict[str, Any] = field(default_factory=dict)


class Indexer:
    """Makes generations out of folders. `alone`: nobody else can be building one, whatever the catalogue says."""

    def __init__(
        self, catalog: SqlCatalog, index: LanceIndex, embedder: Embedder, progress: Progress, *, alone: bool = False
    ) -> None:
        self._catalog = catalog
        self._index = index
        self._embedder = embedder
        self._progress = progress
        self._alone = alone

    async def run(self, folder: Path) -> IndexReport:
        """Return what was done to make the folder the live generation; nothing is built when nothing changed.

        Raises ConfigError when the folder is missing, holds no readable document, declares a wrong domain, or another
        run is under way; and IndexingStopped.
        """
        self._progress("Reading", 0, 1)
        await self._embedder.prepare()
        now = await self._read(folder)
        live = await self._catalog.live()
        whole = live is not None and await self._index.holds(live.tables)
        parent = live if live and whole and live.make == now.make else None
        changes = await self._changes(live, now)
        if parent and not changes.any:
            return IndexReport(now.domain.title, parent.counts, changes, now.problems, rebuilt=False)
        known = live.tables if live and whole and _embeds_alike(live.make, now.make) else None
        build = await self._begun(now, parent, known)
        try:
            counts = await self._built(build, now, parent)
            await self._catalog.publish(build.number, counts)
        except BaseException:
            # The next run may go on at once; should the database be away, it waits a minute.
            with suppress(PortError):
                await asyncio.shield(self._catalog.leave(build.number))
            raise
        await self._forget_older()
        return IndexReport(now.domain.title, counts, changes, now.problems, rebuilt=True, embedded=build.embedded)

    async def plan(self, folder: Path) -> tuple[Changes, tuple[IngestError, ...]]:
        """Return what a run would change, and what could not be read. Raises ConfigError."""
        now = await self._read(folder)
        return await self._changes(await self._catalog.live(), now), now.problems

    async def _read(self, folder: Path) -> _Folder:
        corpus = await asyncio.to_thread(load_corpus, folder)
        _check_domain_was_read(corpus.problems)
        domain = read_domain(corpus.domain)
        if not corpus.documents:
            raise ConfigError(_nothing_readable(folder, corpus.problems))
        source = os.path.realpath(folder)  # noqa: ASYNC240 — one look at a local folder
        make = Make(source, self._embedder.id, self._embedder.dimension, ANALYZER, dict(corpus.domain))
        return _Folder({one.id: one for one in _stamped(corpus)}, domain, make, corpus.problems)

    async def _changes(self, live: Generation | None, now: _Folder) -> Changes:
        held = await self._held(live.number) if live else {}
        return compare(held, now.digests)

    async def _held(self, generation: int) -> dict[str, str]:
        return {held.doc_id: held.digest for held in await self._catalog.holdings(generation)}

    async def _begun(self, now: _Folder, parent: Generation | None, known: Tables | None) -> _Build:
        """Return the build to go on with: one that was cut short, if it was to become the same, else a new one."""
        unfinished = await self._catalog.building()
        if unfinished and not await self._is_ours(unfinished):
            raise ConfigError(BUSY)
        resumed = bool(unfinished and _becomes(unfinished, now, parent) and await self._index.holds(unfinished.tables))
        if unfinished and resumed:
            number, tables = unfinished.number, await self._index.restore(unfinished.tables)
        else:
            if unfinished:
                await self._dropped(unfinished)
            begun = await self._catalog.begin(now.make, now.domain.title, parent=parent)
            if begun is None:
                raise ConfigError(BUSY)
            number = begun.number
            tables = await self._tables(number, parent)
        build = _Build(number, tables, await self._held(number), known, resumed)
        await self._note(build, "Comparing")
        return build

    async def _is_ours(self, unfinished: Generation) -> bool:
        touched = unfinished.touched_at
        is_abandoned = touched is None or datetime.now(UTC) - touched > ABANDONED_AFTER
        return (self._alone or is_abandoned) and await self._catalog.take(unfinished)

    async def _tables(self, number: int, parent: Generation | None) -> Tables:
        if parent:
            return await self._index.restore(parent.tables)
        return await self._index.create(number, self._embedder.dimension)

    async def _built(self, build: _Build, now: _Folder, parent: Generation | None) -> dict[str, int]:
        """Return the counts of the build once it holds what the folder does."""
        named = with_names(now.documents.values(), now.domain.entities)
        registry = await asyncio.to_thread(make_registry, tuple(entities_of(named, now.domain.entities)))
        changes = compare(build.held, now.digests)
        await self._take_out(build, changes.removed)
        new = [document for document in named if document.id in {*changes.added, *changes.changed}]
        parts = list(in_parts(new))
        build.total = sum(len(chunks) for _, chunks in parts)
        for documents, chunks in parts:
            await self._put_in(build, now, documents, chunks, registry)
        if build.resumed or (parent and await self._has_other_names(parent, now, named)):
            mine = {document.id for document in new}
            await self._tell_names(build, [one for one in named if one.id not in mine], registry)
        chunk_count, passage_count = await self._index.counts(build.tables)
        return {"documents": len(build.held), "chunks": chunk_count, "passages": passage_count}

    async def _take_out(self, build: _Build, ids: Sequence[str]) -> None:
        if ids:
            build.tables = await self._index.change(build.tables, ids, (), ())
            await self._store(build, (), ids)

    async def _put_in(
        self,
        build: _Build,
        now: _Folder,
        documents: Sequence[Document],
        chunks: Sequence[tuple[Document, Chunk]],
        registry: Registry,
    ) -> None:
        ids = [document.id for document in documents]
        known = await self._index.vectors(build.known, ids) if build.known else {}
        passages = await self._embedded(build, chunks, known)
        rows = await asyncio.to_thread(_chunk_rows, chunks, registry)
        build.tables = await self._index.change(build.tables, ids, passages, rows)
        kept = [now.documents[id_] for id_ in ids]
        await self._store(build, [(one, Holding(one.id, one.digest, one.id, one.digest)) for one in kept], ())

    async def _embedded(
        self, build: _Build, chunks: Sequence[tuple[Document, Chunk]], known: Mapping[str, list[float]]
    ) -> list[dict[str, Any]]:
        spots = [(document, chunk, span) for document, chunk in chunks for span in chunk.passages]
        rows = [passage_row(*spot) for spot in spots]
        vectors = dict(known)
        missing = {row["key"]: to_embed(*spot) for row, spot in zip(rows, spots, strict=True)}
        missing = {key: text for key, text in missing.items() if key not in vectors}
        for start in range(0, len(missing), _EMBED_AT_ONCE):
            keys = list(missing)[start : start + _EMBED_AT_ONCE]
            made = await self._embedder.embed([missing[key] for key in keys])
            vectors |= zip(keys, made, strict=True)
            build.embedded += len(keys)
            await self._note(build, "Embedding")
        build.done += len(chunks)
        return [row | {"vector": vectors[row["key"]]} for row in rows]

    async def _has_other_names(self, parent: Generation, now: _Folder, named: Sequence[Document]) -> bool:
        """Return whether the documents that changed since the parent go by other names than before."""
        changes = compare(await self._held(parent.number), now.digests)
        declared = now.domain.entities
        before = await self._catalog.documents(parent.number, [*changes.changed, *changes.removed])
        touched = {*changes.added, *changes.changed}
        after = [document for document in named if document.id in touched]
        return list(entities_of(with_names(before, declared), declared)) != list(entities_of(after, declared))

    async def _tell_names(self, build: _Build, documents: Sequence[Document], registry: Registry) -> None:
        """Put names that appeared or vanished into the rows of documents that did not change otherwise."""
        there = {row["id"]: row["tokens"] for row in await self._index.chunks(build.tables)}
        for _, chunks in in_parts(documents):
            rows = await asyncio.to_thread(_chunk_rows, chunks, registry)
            stale = {row["doc_id"] for row in rows if there.get(row["id"]) != row["tokens"]}
            if stale:
                fresh = [row for row in rows if row["doc_id"] in stale]
                build.tables = await self._index.replace_chunks(build.tables, stale, fresh)
            await self._store(build, (), ())

    async def _store(self, build: _Build, kept: Sequence[tuple[Document, Holding]], removed: Sequence[str]) -> None:
        build.progress = {"stage": "Embedding", "done": build.done, "total": build.total}
        goes_on = await self._catalog.store(build.number, kept, removed, build.tables, build.progress)
        build.held |= {holding.doc_id: holding.digest for _, holding in kept}
        for id_ in removed:
            build.held.pop(id_, None)
        self._progress("Embedding", build.done, build.total)
        if not goes_on:
            raise IndexingStopped

    async def _note(self, build: _Build, stage: str) -> None:
        build.progress = {"stage": stage, "done": build.done, "total": build.total}
        self._progress(stage, build.done, build.total)
        if not await self._catalog.note(build.number, build.progress):
            raise IndexingStopped

    async def _forget_older(self) -> None:
        """Drop all generations but the live one and the one before it, and the tables that none of these needs."""
        kept = await self._catalog.all()
        retired = [one for one in kept if one.state == "retired"]
        needed = {one.tables.base for one in kept if one not in retired} | {one.tables.base for one in retired[-1:]}
        for one in retired[:-1]:
            await self._catalog.drop(one.number)
            if one.tables.base not in needed:
                await self._index.drop(one.tables.base)

    async def _dropped(self, unfinished: Generation) -> None:
        await self._catalog.drop(unfinished.number)
        if unfinished.tables.base == unfinished.number:
            await self._index.drop(unfinished.number)


async def index_folder(
    folder: Path, catalog: SqlCatalog, index: LanceIndex, embedder: Embedder, progress: Progress
) -> IndexReport:
    """Return what was done to make the folder the live generation. Raises as `Indexer.run`."""
    return await Indexer(catalog, index, embedder, progress).run(folder)


def _chunk_rows(chunks: Sequence[tuple[Document, Chunk]], registry: Registry) -> list[dict[str, Any]]:
    return [chunk_row(document, chunk, registry) for document, chunk in chunks]


def _becomes(unfinished: Generation, now: _Folder, parent: Generation | None) -> bool:
    return unfinished.make == now.make and unfinished.parent == (parent.number if parent else None)


def _embeds_alike(one: Make, other: Make) -> bool:
    return (one.embedder, one.dimension) == (other.embedder, other.dimension)


def _stamped(corpus: Corpus) -> Iterator[Document]:
    """Yield the documents with digests that tell of all that they are made from: their links, too."""
    base = str(corpus.domain.get("link_base") or "")
    for document in corpus.documents:
        yield replace(document, digest=sha256(f"{document.digest}\0{base}".encode()).hexdigest())


def _check_domain_was_read(problems: Sequence[IngestError]) -> None:
    """Raise ConfigError when the domain could not be read: without it the new index would know less than the old."""
    for problem in problems:
        if problem.path == DOMAIN:
            raise ConfigError(f"{' '.join(str(problem).split())}. Correct that and index again.")


def _nothing_readable(folder: Path, problems: Sequence[IngestError]) -> str:
    first = f" The first problem: {problems[0]}." if problems else ""
    return f"{folder} holds no document that can be read.{first} Footnote reads {FORMATS}."
