"""Going through a source: what it holds now against what is known of it, reading only what may have changed."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from adapters.loaders import LOADER_VERSION, Workers, digest_of, link_base_of, shown
from bot.index_processes import Processes
from bot.index_understood import Found, Rules, is_plain, stamp, understood_in
from core.errors import Gone, IngestError, Unread
from core.ingest.access import access_of
from core.ingest.chunk import CHUNKER_VERSION
from core.ingest.generation import Holding, KnownItem, ReadItem, Understood
from core.ingest.identity import is_unread
from core.ingest.source import Collection, Item, Offer, Signed, Source

Progress = Callable[[str, int, int], None]
READING = "Reading"
# What is read together and then stored: so many items or bytes. So many bytes may wait to be stored.
_ITEMS, _BYTES = 100, 4_000_000
_MOST_BYTES = 2 * _BYTES
# In place of the digest of an item that could not be had: the next run reads it again.
_UNREAD = "unread"
_TWICE = "another document has the same path: rename or remove one of them"


# An item as it is now, with the documents in it; None for these: they are to stay as they are.
_Look = tuple[KnownItem, tuple[Understood, ...] | None]


class _Read(NamedTuple):
    """An item that is not what it was, or was not known."""

    offer: Offer
    item: Item
    digest: str


@dataclass
class Known:
    """What a generation holds: the items it was made from, and each document's digest and item."""

    items: dict[str, KnownItem] = field(default_factory=dict)
    held: dict[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, items: dict[str, KnownItem], holdings: Sequence[Holding]) -> "Known":
        """Return what a generation holds as it is stored."""
        return cls(items, {one.doc_id: (one.digest, one.item) for one in holdings if one.digest})

    @property
    def digests(self) -> dict[str, str]:
        """The digests of the documents, by their ids."""
        return {id_: digest for id_, (digest, _) in self.held.items()}

    def with_problems(self, problems: Sequence[IngestError]) -> list[KnownItem]:
        """Note what is wrong with documents that it holds, and return the items that they are in."""
        concerned = []
        for problem in problems:
            item = self.items[self.held[problem.path][1]]
            self.items[item.name] = replace(item, problems=(*item.problems, problem))
            concerned.append(item.name)
        return [self.items[name] for name in dict.fromkeys(concerned)]

    def copy(self) -> "Known":
        """Return it as it is now."""
        return Known(dict(self.items), dict(self.held))


class Sweep:
    """One pass over a collection. Afterwards `known` is what it holds; nothing is stored.

    `same`: items that are to be known otherwise than before while their documents stay; `gone`: those that are not
    there any more; `problems`: all that could not be read, in the order of the source; `done` of `total` items so far.
    """

    def __init__(
        self, collection: Collection, known: Known, progress: Progress, processes: Processes | None = None
    ) -> None:
        self.known = known
        self.same: list[KnownItem] = []
        self.gone: list[str] = []
        self.unread: list[str] = []
        self._left: set[str] = set()
        self.done = 0
        self.total = len(known.items)
        self._source = collection.source
        self.rules = Rules(link_base_of(collection.domain), access_of(collection.domain))
        self._progress = progress
        self._workers = Workers()
        self._processes = processes or Processes(0)
        # The places of the items in the source, and what could not be read at each.
        self._ranks: dict[str, int] = {}
        self._problems: dict[int, tuple[IngestError, ...]] = {}
        self._of: dict[str, set[str]] = {}
        for id_, (_, item) in known.held.items():
            self._of.setdefault(item, set()).add(id_)

    @property
    def problems(self) -> tuple[IngestError, ...]:
        """What could not be read."""
        return tuple(one for rank in sorted(self._problems) for one in self._problems[rank])

    async def changes(self) -> AsyncGenerator[list[ReadItem], None]:
        """Yield the items whose documents are not what they were, a few at a time. Raises ConfigError."""
        try:
            async for read in self._changes():
                yield read
        finally:
            self._workers.close()

    async def _changes(self) -> AsyncIterator[list[ReadItem]]:
        """Yield what was read, in order; some more is being read meanwhile."""
        under_way: deque[tuple[asyncio.Task[list[_Look]], int]] = deque()
        try:
            async for offers in self._unknown():
                seen = await asyncio.to_thread(self._seen, offers)
                under_way.append((asyncio.create_task(self._looks(seen)), sum(one.size for one in offers)))
                while len(under_way) > self._processes.at_once or sum(size for _, size in under_way) > _MOST_BYTES:
                    yield self._all_taken(await under_way.popleft()[0])
            while under_way:
                yield self._all_taken(await under_way.popleft()[0])
        except asyncio.CancelledError:
            # A thread cannot be ended, but what it waits for can.
            self._workers.close()
            raise
        finally:
            for reading, _ in under_way:
                reading.cancel()
            await asyncio.gather(*(reading for reading, _ in under_way), return_exceptions=True)
        self.gone = [name for name in self.known.items if name not in self._ranks and not self.stays(name, self.unread)]
        for name in self.gone:
            self._hold(name, {})
            del self.known.items[name]

    async def _unknown(self) -> AsyncIterator[list[Offer]]:
        """Yield what may have changed, a few items at a time."""
        waiting: list[Offer] = []
        async for offer in self._offers():
            if self._is_known(offer):
                continue
            waiting.append(offer)
            if len(waiting) >= _ITEMS or sum(one.size for one in waiting) >= _BYTES:
                yield waiting
                waiting = []
        yield waiting

    async def _offers(self) -> AsyncIterator[Offer]:
        """Yield what the source offers, each name once; what cannot be had becomes a problem."""
        async for one in _offers(self._source):
            rank = self.done
            self.done, self.total = self.done + 1, max(self.total, self.done + 1)
            if isinstance(one, IngestError):
                self._problems[rank] = (one,)
                self.unread += [one.keeps] if isinstance(one, Unread) else []
                self._left |= {one.name} if isinstance(one, Gone) else set()
            elif one.name in self._ranks:
                self._problems[rank] = (IngestError(shown(one.name), _TWICE),)
            else:
                self._ranks[one.name] = rank
                yield one
            if self.done % _ITEMS == 0:
                self._progress(READING, self.done, self.total)

    def was_given(self, name: str) -> bool:
        """Return whether the source gave an item of that name, which could be had."""
        return name in self._ranks and name not in self.unread

    def stays(self, name: str, unread: Sequence[str]) -> bool:
        """Return whether an item that was not given stays, since it is one of those that could not be had."""
        return is_unread(name, unread) and name not in self._left

    def take_over(self, read: Sequence[ReadItem]) -> None:
        """Let items that were not given this time be known as they were."""
        for one in read:
            self.known.items[one.item.name] = one.item
            self._hold(one.item.name, {one_of.document.id: one_of.document.digest for one_of in one.documents})

    def _is_known(self, offer: Offer) -> bool:
        known = self.known.items.get(offer.name)
        if known is None or not offer.sign or known.sign != _sign(offer):
            return False
        self._note(known)
        return True

    def _all_taken(self, looks: Sequence[_Look]) -> list[ReadItem]:
        self._progress(READING, self.done, self.total)
        return [changed for item, documents in looks if (changed := self._taken(item, documents))]

    def _seen(self, offers: Sequence[Offer]) -> list[_Read | _Look]:
        """Return the bytes of each item with their digest, or what is told of it without: one after the other."""
        return [self._had(offer) for offer in offers if not self._workers.closed]

    def _had(self, offer: Offer) -> _Read | _Look:
        try:
            item = offer.read()
        except Unread as error:
            return self._as_it_was(offer.name, (error,)), None
        except IngestError as error:
            return KnownItem(offer.name, "", "", (error,)), ()
        digest = stamp(digest_of(item), self.rules.link_base)
        known = self.known.items.get(offer.name)
        if known and known.digest == digest:
            return replace(known, sign=_sign(offer)), None
        return _Read(offer, item, digest)

    async def _looks(self, seen: Sequence[_Read | _Look]) -> list[_Look]:
        """Return the items as they are now; those that are to be parsed in this process or in another one."""
        items = [one.item for one in seen if isinstance(one, _Read)]
        if all(map(is_plain, items)):
            found = iter(await self._processes.run(understood_in, items, self.rules) if items else ())
        else:
            found = iter(await asyncio.to_thread(understood_in, items, self.rules, self._workers))
        return [self._look(one, next(found)) if isinstance(one, _Read) else one for one in seen]

    def _look(self, read: _Read, found: Found) -> _Look:
        documents, problems = found
        unread = any(isinstance(one, Unread) for one in problems)
        name, sign, digest = read.offer.name, _sign(read.offer), read.digest
        if unread and (name in self.known.items or not documents):
            return self._as_it_was(name, problems), None
        return KnownItem(name, "" if unread else sign, _UNREAD if unread else digest, problems), documents

    def _as_it_was(self, name: str, problems: tuple[IngestError, ...]) -> KnownItem:
        """Return an item that could not be had this time: the next run reads it, whatever its sign."""
        known = self.known.items.get(name) or KnownItem(name, "", "")
        return replace(known, sign="", digest=_UNREAD, problems=problems)

    def _taken(self, item: KnownItem, documents: Sequence[Understood] | None) -> ReadItem | None:
        """Return the item if its documents are not what they were; `known` is put right in any case."""
        mine = [one for one in documents or () if not self._stands_before(item.name, one.document.id)]
        if documents and len(mine) < len(documents):
            # Nothing but reading both again tells when the other one goes.
            refused = [IngestError(one.document.id, _TWICE) for one in documents if one not in mine]
            item = KnownItem(item.name, "", "", (*item.problems, *refused))
        known = self.known.items.get(item.name)
        if documents is None and known is None:
            # It could not be had, and nothing is known of it here: the live index may know more.
            self.unread.append(item.name)
            self._note(item)
            return None
        if documents is None and known and not known.digest and item.digest != _UNREAD:
            return None  # it has lost a document to one that was looked at together with it
        self.known.items[item.name] = item
        self._note(item)
        if documents is not None and self._hold(item.name, {one.document.id: one.document.digest for one in mine}):
            return ReadItem(item, tuple(mine))
        if known != item:
            self.same.append(item)
        return None

    def _stands_before(self, item: str, id_: str) -> bool:
        """Return whether a document of that id comes from an item that stands before this one."""
        _, owner = self.known.held.get(id_, ("", item))
        return owner != item and self._ranks.get(owner, self.done) < self._ranks[item]

    def _hold(self, item: str, documents: dict[str, str]) -> bool:
        """Let an item have these documents, and return whether it had others."""
        before = {id_: self.known.held[id_][0] for id_ in self._of.get(item, ())}
        for id_ in before:
            del self.known.held[id_]
        for id_, digest in documents.items():
            _, owner = self.known.held.get(id_, ("", item))
            if owner != item:
                self._lose(owner, id_)
            self.known.held[id_] = (digest, item)
        self._of[item] = set(documents)
        return before != documents

    def _lose(self, item: str, id_: str) -> None:
        """Take a document from an item that stands further on: it is read again, the next time at the latest."""
        self._of[item].discard(id_)
        self.known.items[item] = replace(self.known.items[item], sign="", digest="")
        self.same.append(self.known.items[item])

    def _note(self, item: KnownItem) -> None:
        if item.problems:
            self._problems[self._ranks[item.name]] = item.problems


async def _offers(source: Source) -> AsyncIterator[Offer | IngestError]:
    """Yield what a source offers; where it has no signs, each item as it came."""
    if isinstance(source, Signed):
        for offer in await asyncio.to_thread(source.offers):
            yield offer
        return
    async for item in source.items():
        yield item if isinstance(item, IngestError) else Offer(item.name, "", partial(_had, item), len(item.data))


def _had(item: Item) -> Item:
    return item


def _sign(offer: Offer) -> str:
    """Return the sign as it is kept: what would be made of the same bytes otherwise today has another one."""
    return f"{LOADER_VERSION}/{CHUNKER_VERSION}/{offer.sign}" if offer.sign else ""
