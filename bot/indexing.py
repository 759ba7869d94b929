"""Indexing: see what changed in a collection, build a generation beside the live one out of that, switch at once."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from adapters.loaders import collection_of
from adapters.loaders.formats import KNOWN
from adapters.search.lance import LanceIndex
from adapters.storage.catalog import SqlCatalog
from bot.index_build import Build
from bot.index_processes import Processes
from bot.index_reading import Start, changed_items, heard
from bot.index_rows import LocalMaker
from bot.index_rules import Ruling
from bot.index_sweep import READING, Known, Progress, Sweep
from bot.proposing import Proposer
from core.entities import Registry, changed_forms
from core.errors import ConfigError, IngestError, PortError, whereabouts
from core.ingest.domain import Domain, read_domain
from core.ingest.generation import Generation, Make, Tables
from core.ingest.names import Named, digest_of, registry_of
from core.ingest.parts import CorpusNames, Maker
from core.ingest.rows import ANALYZER
from core.ingest.source import Collection
from core.ingest.sync import Changes, compare
from core.ports import Embedder

__all__ = [
    "ABANDONED_AFTER", "BUSY", "IndexReport", "Indexer", "Progress", "collection_of", "index_folder",
]  # fmt: skip

# A build that nobody has touched for so long was cut short, and is taken up by whoever comes next.
ABANDONED_AFTER = timedelta(seconds=60)

FORMATS = ", ".join(KNOWN)
# In place of the digest of names while some rows of a build are made with other names than the rest.
_SEVERAL = "several"

BUSY = (
    "another index run is under way: wait for it, watch it with footnote reindex --status, or stop it with "
    "footnote reindex --cancel"
)


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an index run did.

    `counts`: documents, chunks and passages; `problems`: documents that could not be read, the rest is indexed.
    `embedded`: passages whose vectors had to be made. `remarks`: what else is to be said of it, in words.
    """

    title: str
    counts: Mapping[str, int]
    changes: Changes
    problems: tuple[IngestError, ...]
    rebuilt: bool
    embedded: int = 0
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lead:
    """The right to write indexes while others lend a hand: `maker` has the rows made. Nobody else can be writing."""

    maker: Maker


@dataclass(frozen=True, slots=True)
class _Memory:
    """What a run leaves for the next one of the same process: all that is known of the generation that it published."""

    generation: int
    known: Known
    corpus: Mapping[str, Named]
    registry: Registry


class Indexer:
    """Makes generations out of collections. `alone`: nobody else can be building one, whatever the catalogue says.

    `maker`: who makes the rows; this process, unless another is given. `proposer`: who asks a model for edges, if any.
    One run at a time.
    """

    def __init__(  # noqa: PLR0913 - the parts that an index run is put together from
        self,
        catalog: SqlCatalog,
        index: LanceIndex,
        embedder: Embedder,
        progress: Progress,
        *,
        alone: bool = False,
        maker: Maker | None = None,
        proposer: Proposer | None = None,
    ) -> None:
        self._catalog = catalog
        self._index = index
        self._embedder = embedder
        self._progress = progress
        self._alone = alone
        self._processes = Processes()
        self._maker = maker or LocalMaker(catalog, index, embedder, self._processes)
        self._memory: _Memory | None = None
        self._proposer = proposer

    async def run(self, collection: Collection, lead: Lead | None = None) -> IndexReport:
        """Return what was done to make the collection the live generation; nothing is built when nothing changed.

        Raises ConfigError when the source cannot be used or holds no readable document, the domain is wrong, or another
        run is under way; ModelError and SearchError when no rows can be made; and IndexingStopped.
        """
        self._take(lead)
        async with self._processes:
            return await self._run(collection)

    async def _run(self, collection: Collection) -> IndexReport:
        domain = read_domain(collection.domain)
        start = await self._start(collection)
        sweep = Sweep(collection, start.known, self._progress, self._processes)
        ruling = Ruling(self._catalog, start.live, collection)
        build = self._build(start, start.unfinished) if start.unfinished else None
        try:
            changed = changed_items(self._catalog, sweep, start, ruling)
            async with aclosing(heard(changed, self._embedder.prepare)) as reading:
                async for read in reading:
                    build = build or self._build(start, await self._begun(start, domain))
                    await build.take_in(read, (), sweep.done, sweep.total, len(sweep.problems))
            changes = compare(start.before, start.known.digests)
            _check_holds_something(collection, start.known, sweep.problems)
            opened, unused = ruling.outcome(start.known.digests, sweep.problems, whole=start.parent is None)
            if start.parent and not changes.any:
                await self._leave_as_it_is(start, build, sweep)
                remarks, counts = await self._proposed(start.parent.number, domain), start.parent.counts
                return IndexReport(domain.title, counts, changes, (*sweep.problems, *unused), False, remarks=remarks)
            build = build or self._build(start, await self._begun(start, domain))
            await build.take_in((), sweep.gone, sweep.done, sweep.total, len(sweep.problems))
            await self._catalog.know(build.number, sweep.same)
            counts = await self._written(build, start, domain, changes)
            remarks = (*opened, *await build.meanwhile(self._proposed(build.number, domain)))
            await self._catalog.publish(build.number, counts, build.builder)
        except BaseException as error:
            if build:
                # The next run may go on at once; should the database be away, it waits a minute.
                with suppress(PortError):
                    why = whereabouts(error) if isinstance(error, Exception) else ""
                    await asyncio.shield(self._catalog.leave(build.number, why, build.builder))
            raise
        remarks += await self._forgot_older()
        problems = (*sweep.problems, *build.refused, *unused)
        return IndexReport(domain.title, counts, changes, problems, True, build.embedded, remarks)

    def _take(self, lead: Lead | None) -> None:
        if lead:
            self._alone, self._maker = True, lead.maker

    async def finish(self, lead: Lead | None = None) -> IndexReport | None:
        """Write and publish what a run left that had stored all that it needs; None when nothing is being built.

        The source is not looked at. Raises ModelError and SearchError when no rows can be made; and IndexingStopped.
        """
        self._take(lead)
        async with self._processes:
            return await self._finish()

    async def _finish(self) -> IndexReport | None:
        found, live = await self._catalog.building(), await self._catalog.live()
        found = await self._taken(found) if found and not found.stopping else None
        if found is None:
            return None
        domain, known = read_domain(found.make.domain), await self._known(found)
        whole = live is not None and await self._index.holds(live.tables)
        vectors = live.tables if live and whole and _embeds_alike(live.make, found.make) else None
        parent = live if live and live.number == found.parent else None
        before = (await self._known(live)).digests if live else {}
        start = Start(found.make, live, before, parent, found, known, vectors)
        changes = compare(before, known.digests)
        build = self._build(start, found)
        counts = await self._written(build, start, domain, changes)
        await build.meanwhile(self._proposed(build.number, domain))
        await self._catalog.publish(build.number, counts, build.builder)
        remarks = await self._forgot_older()
        seen = tuple(problem for item in known.items.values() for problem in item.problems)
        problems = (*seen, *build.refused)
        return IndexReport(domain.title, counts, changes, problems, True, build.embedded, remarks)

    async def plan(self, collection: Collection) -> tuple[Changes, tuple[IngestError, ...], tuple[str, ...]]:
        """Return what a run would change, what could not be read, and what opens. Raises ConfigError, as `run`."""
        read_domain(collection.domain)
        start = await self._start(collection, looking=True)
        sweep = Sweep(collection, start.known, self._progress, self._processes)
        ruling = Ruling(self._catalog, start.live, collection)
        async with self._processes:
            async for _ in changed_items(self._catalog, sweep, start, ruling):
                pass
        _check_holds_something(collection, start.known, sweep.problems)
        opened, unused = ruling.outcome(start.known.digests, sweep.problems, whole=start.parent is None)
        return compare(start.before, start.known.digests), (*sweep.problems, *unused), opened

    async def remember(self) -> None:
        """Load what is known of the live generation now, so that the next run need not; each run leaves it behind."""
        live = await self._catalog.live()
        if live is None or (self._memory and self._memory.generation == live.number):
            return
        corpus = {one.page.id: one for one in await self._catalog.names(live.number)}
        declared = read_domain(live.make.domain).entities
        registry = await asyncio.to_thread(registry_of, corpus.values(), declared)
        self._memory = _Memory(live.number, await self._known(live), corpus, registry)

    async def _start(self, collection: Collection, *, looking: bool = False) -> Start:
        """Return where to start. Raises ConfigError when another run is under way, unless this one is only looking."""
        self._progress(READING, 0, 1)
        live = await self._catalog.live()
        make = await self._make(collection, live)
        whole = live is not None and await self._index.holds(live.tables)
        vectors = live.tables if live and whole and _embeds_alike(live.make, make) else None
        known = await self._known(live) if live else Known()
        before = known.digests
        # An older version did not note the items: its documents are read again.
        ready = live is not None and whole and await self._index.ready(live.tables)
        parent = live if live and ready and live.make == make and known.items else None
        unfinished = None if looking else await self._unfinished(make, parent)
        if unfinished:
            known = await self._known(unfinished)
        elif parent is None:
            known = Known()
        return Start(make, live, before, parent, unfinished, known, vectors)

    async def _make(self, collection: Collection, live: Generation | None) -> Make:
        """Return by what a generation is made; the encoder is loaded only if nobody else knows its dimension."""
        dimension = self._embedder.dimension
        if not dimension and live and live.make.embedder == self._embedder.id:
            dimension = live.make.dimension
        elif not dimension:
            await self._embedder.prepare()
            dimension = self._embedder.dimension
        return Make(collection.identity, self._embedder.id, dimension, ANALYZER, dict(collection.domain))

    async def _unfinished(self, make: Make, parent: Generation | None) -> Generation | None:
        """Return the build that was cut short if it can be gone on with; another one is dropped."""
        building = await self._catalog.building()
        if building is None:
            return None
        found = await self._taken(building)
        if found is None:
            raise ConfigError(BUSY)
        becomes = found.make == make and found.parent == (parent.number if parent else None)
        if becomes and (found.tables == Tables(found.number) or await self._index.holds(found.tables)):
            return found
        await self._dropped(found)
        return None

    async def _taken(self, unfinished: Generation) -> Generation | None:
        """Return the build as ours; None when another run may be at it. Who leads knows that nobody else may be."""
        touched = unfinished.touched_at
        is_abandoned = touched is None or datetime.now(UTC) - touched > ABANDONED_AFTER
        if not (self._alone or is_abandoned):
            return None
        return await self._catalog.take(unfinished, anyway=self._alone)

    async def _known(self, base: Generation) -> Known:
        if self._memory and self._memory.generation == base.number:
            return self._memory.known.copy()
        return Known.of(await self._catalog.items(base.number), await self._catalog.holdings(base.number))

    async def _begun(self, start: Start, domain: Domain) -> Generation:
        begun = await self._catalog.begin(start.make, domain.title, parent=start.parent)
        if begun is None:
            raise ConfigError(BUSY)
        return begun

    def _build(self, start: Start, generation: Generation) -> Build:
        return Build((self._catalog, self._index), generation, self._maker, start.vectors, self._progress)

    async def _leave_as_it_is(self, start: Start, build: Build | None, sweep: Sweep) -> None:
        """Note what was seen when the live generation is what is wanted; what was begun meanwhile is dropped."""
        if build and (found := await self._catalog.generation(build.number)):
            await self._dropped(replace(found, builder=build.builder))
        if start.live and (sweep.same or sweep.gone):
            await self._catalog.know(start.live.number, sweep.same, sweep.gone)
            if self._memory and not start.unfinished:
                self._memory = replace(self._memory, known=start.known)

    async def _proposed(self, generation: int, domain: Domain) -> tuple[str, ...]:
        """Return in words what came of asking a model for edges; nothing where none is to be asked."""
        return tuple((await self._proposer.propose(generation, domain.relations)).lines()) if self._proposer else ()

    async def _written(self, build: Build, start: Start, domain: Domain, changes: Changes) -> dict[str, int]:
        """Return the counts of the build once its rows are what they are to be."""
        corpus = await self._corpus(build, start, changes)
        registry = await self._registry(corpus, start, domain, changes)
        names = CorpusNames(domain.entities, registry)
        is_old = self._memory is not None and registry is self._memory.registry
        digest = (start.parent.names if is_old and start.parent else None) or digest_of(corpus.values())
        made_with = start.unfinished.names if start.unfinished else None
        others = made_with not in (None, digest)
        await self._catalog.name(build.number, _SEVERAL if others else digest, build.builder)
        await build.write(names, start.make.dimension, start.known)
        if others:
            await build.rename(names, sorted(corpus), None)
            await self._catalog.name(build.number, digest, build.builder)
        elif start.parent and start.parent.names != digest:
            old = registry_of(await self._catalog.names(start.parent.number), domain.entities)
            await build.rename(names, changes.unchanged, changed_forms(old, registry))
        # To settle takes the most memory of a run, and nothing of theirs.
        await self._processes.end()
        await build.settle()
        chunk_count, passage_count = await self._index.counts(build.tables)
        self._memory = _Memory(build.number, start.known, corpus, registry)
        return {"documents": len(corpus), "chunks": chunk_count, "passages": passage_count}

    async def _corpus(self, build: Build, start: Start, changes: Changes) -> Mapping[str, Named]:
        """Return what each document adds to the names of the corpus; only what changed is read if the rest is known."""
        if not (self._memory and start.parent and self._memory.generation == start.parent.number):
            return {one.page.id: one for one in await self._catalog.names(build.number)}
        fresh = await self._catalog.names(build.number, [*changes.added, *changes.changed])
        kept = {id_: self._memory.corpus[id_] for id_ in changes.unchanged}
        return kept | {one.page.id: one for one in fresh}

    async def _registry(self, corpus: Mapping[str, Named], start: Start, domain: Domain, changes: Changes) -> Registry:
        """Return the registry of the corpus: the one before, if no name came or went."""
        memory = self._memory
        if memory and start.parent and memory.generation == start.parent.number:
            touched = (*changes.added, *changes.changed, *changes.removed)
            if all(memory.corpus.get(id_) == corpus.get(id_) for id_ in touched):
                return memory.registry
        return await asyncio.to_thread(registry_of, corpus.values(), domain.entities)

    async def _forgot_older(self) -> tuple[str, ...]:
        """Return in words why what is not needed any more could not be removed: the new index is live all the same."""
        try:
            await self._forget_older()
        except PortError as error:
            return (f"Older indexes could not be removed now, the next run tries again: {error}",)
        return ()

    async def _forget_older(self) -> None:
        """Drop all generations but the live one and the one before it, and what none of these needs of the tables."""
        all_ = await self._catalog.all()
        older = [one for one in all_ if one.state == "retired"][:-1]
        kept = [one.tables for one in all_ if one not in older]
        bases = {tables.base for tables in kept}
        for one in older:
            # What the catalogue does not know any more nobody would ever remove.
            if one.tables.base not in bases:
                await self._index.drop(one.tables.base)
            await self._catalog.drop(one.number)
        # Of the generation before, the tables may have been lost.
        there = [tables for tables in kept if await self._index.holds(tables)]
        for base in {tables.base for tables in there}:
            await self._index.forget_versions(base, there)

    async def _dropped(self, unfinished: Generation) -> None:
        # Raises when another run goes on with it.
        await self._catalog.note(unfinished.number, unfinished.progress, unfinished.builder)
        if unfinished.tables.base == unfinished.number:
            await self._index.drop(unfinished.number)
        await self._catalog.drop(unfinished.number, unfinished.builder)


async def index_folder(
    folder: Path, catalog: SqlCatalog, index: LanceIndex, embedder: Embedder, progress: Progress
) -> IndexReport:
    """Return what was done to make the folder the live generation. Raises as `Indexer.run`."""
    return await Indexer(catalog, index, embedder, progress).run(collection_of(folder))


def _embeds_alike(one: Make, other: Make) -> bool:
    return (one.embedder, one.dimension) == (other.embedder, other.dimension)


def _check_holds_something(collection: Collection, known: Known, problems: Sequence[IngestError]) -> None:
    """Raise ConfigError when there is no document: an index of nothing must not take the place of one."""
    if not known.held:
        first = f" The first problem: {problems[0]}." if problems else ""
        raise ConfigError(
            f"{collection.source.name} holds no document that can be read.{first} Footnote reads {FORMATS}."
        )
