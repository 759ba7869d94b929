"""What is declared of documents beside the documents that an index run has seen: what opens, and what fits nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from hashlib import sha256
from itertools import accumulate
from typing import Any, Final, Protocol

from bot.rules import OPEN
from core.errors import ConfigError, IngestError, Pageless, Unread, Unused
from core.ingest.access import ACCESS, Access, access_of, fits_pattern, label_key
from core.ingest.document import Document
from core.ingest.domain import read_domain
from core.ingest.generation import Generation, ReadItem
from core.ingest.identity import identity_of
from core.ingest.source import Collection

_SHOWN: Final = 5


class Documents(Protocol):
    """What is stored of the documents of a generation."""

    async def documents(self, number: int, ids: Sequence[str] | None = None) -> tuple[Document, ...]:
        """Return them, or those with these ids. Raises StorageError."""


class Ruling:
    """Sees the documents of a run as the rules have them, and compares them with those of the live index."""

    def __init__(self, catalog: Documents, live: Generation | None, collection: Collection) -> None:
        self._catalog = catalog
        # Without rules nothing is closed but by its own page, which its author may open.
        self._live = live if live and ACCESS in live.make.domain else None
        self._is_later = live is not None
        self._access = access_of(collection.domain)
        self._domain = collection.domain
        self._now = identity_of(collection.identity)
        self._before = identity_of(live.make.source) if live else self._now
        self._may_open = collection.may_open
        self._labels = set[str]()
        self._opened = list[str]()
        self._closed: frozenset[str] | None = None

    async def see(self, read: Sequence[ReadItem]) -> None:
        """Note what was read. Raises StorageError."""
        await self._see([one.document for item in read for one in item.documents])

    async def see_stored(self, generation: int) -> None:
        """Note what a build holds that was cut short. Raises StorageError."""
        await self._see(await self._catalog.documents(generation))

    async def _see(self, documents: Sequence[Document]) -> None:
        self._labels.update(label_key(label) for document in documents for label in document.labels)
        open_ = [document for document in documents if not document.readers]
        if self._live is None or not open_:
            return
        before = await self._catalog.documents(self._live.number, [one.id for one in open_])
        closed = {one.id for one in before if one.readers}
        if not self._is_where_it_was:
            # Its path may be another now, which no rule fits: its words tell that it is the same.
            words = await self._closed_words(self._live.number)
            closed |= {one.id for one in open_ if _words_of(one) in words}
        self._opened += sorted(closed.difference(self._opened))

    async def _closed_words(self, generation: int) -> frozenset[str]:
        if self._closed is None:
            documents = await self._catalog.documents(generation)
            self._closed = frozenset(_words_of(one) for one in documents if one.readers)
        return self._closed

    @property
    def _is_where_it_was(self) -> bool:
        """Whether the sources are those of the live index, or stand in the same file."""
        file, parts = self._now.file, self._now.parts
        return file == self._before.file and (file is not None or parts == self._before.parts)

    def outcome(
        self, ids: Iterable[str], problems: Sequence[IngestError], *, whole: bool
    ) -> tuple[tuple[str, ...], tuple[IngestError, ...]]:
        """Return in words what opens, and what fits nothing. Raises ConfigError as `check` and `unused` do."""
        return self.check(), self.unused(ids, problems, whole=whole)

    def check(self) -> tuple[str, ...]:
        """Return in words what opens. Raises ConfigError when it does though nobody changed the rules themselves.

        So by another file than that of the live index, or for other sources, in which the paths are others.
        """
        if not self._opened:
            return ()
        count, before, now = len(self._opened), self._before.rules, self._now.rules
        shown = ", ".join(self._opened[:_SHOWN]) + (", …" if count > _SHOWN else "")
        if self._may_open or (before == now and self._is_where_it_was):
            return (f"Open to everybody now, closed until now ({count}): {shown}.",)
        by = f"{before} closed them, {now} does not" if before != now and before else f"no rule of {now} fits them now"
        raise ConfigError(
            f"documents would open to everybody ({count}): {shown}; {by}. Nothing was changed. Correct that, or index "
            f"with {OPEN} if it is meant"
        )

    def unused(self, ids: Iterable[str], problems: Sequence[IngestError], *, whole: bool) -> tuple[IngestError, ...]:
        """Return the rules that fit none of the documents, of labels only if the `whole` corpus was seen, and names.

        Of these each whose page is none of the documents.

        Raises ConfigError when a first index would leave open what such a rule is likely to close.
        """
        documents = list(ids)
        if not self._is_later and not self._may_open:
            self._check_first(documents, problems)
        found: list[IngestError] = [_unused_folder(one, documents) for one in unused_folders(self._access, documents)]
        if whole and self._now.rules:
            odd = [name for name in self._access.labels if label_key(name) not in self._labels]
            found += [_unused("label", name, get_close_matches(label_key(name), self._labels, 1)) for name in odd]
        return (*found, *pageless(self._domain, documents))

    def _check_first(self, ids: Sequence[str], problems: Sequence[IngestError]) -> None:
        """Raise ConfigError when a first index would leave open what a rule with a slip in it is to close.

        Later such a rule is only named: what it closed before cannot open without being told. A label that no page has
        yet is no slip unless one is like it, and a source that could not be read may hold what a rule is for.
        """
        if any(isinstance(one, Unread) for one in problems):
            return
        paths = [*ids, *(one.path for one in problems)]
        closing = [one for one in unused_folders(self._access, paths) if self._access.folders[one].closes]
        found = [_unused_folder(one, paths) for one in closing]
        labels = [name for name in self._access.labels if label_key(name) not in self._labels]
        near = {name: get_close_matches(label_key(name), self._labels, 1) for name in labels}
        found += [_unused("label", name, one) for name, one in near.items() if one]
        if found:
            shown = "; ".join(one.reason for one in found[:_SHOWN])
            raise ConfigError(f"{shown}. Nothing was indexed. Correct that, or index with {OPEN} if it is meant")


def pageless(domain: Mapping[str, Any], documents: Sequence[str]) -> Iterator[Pageless]:
    """Yield what is wrong with each declared name whose page is none of the documents, with the nearest that there is.

    The nearest is one of the same file name, else one that is spelt much alike.
    """
    files = {id_.rpartition("/")[2].casefold(): id_ for id_ in reversed(documents)}
    known = set(documents)
    for entity in read_domain(domain).entities:
        if entity.page is None or entity.page in known:
            continue
        same = files.get(entity.page.rpartition("/")[2].casefold())
        near = [same] if same else get_close_matches(entity.page, documents, 1)
        meant = f": did you mean {near[0]!r}?" if near else ""
        yield Pageless("domain.yaml", f"{entity.name!r} has the page {entity.page!r}, which is no document{meant}")


def _words_of(document: Document) -> str:
    return sha256(document.text.encode()).hexdigest()


def unused_folders(access: Access, documents: Sequence[str]) -> list[str]:
    """Return the patterns of folders that no document's path fits."""
    return [one for one in access.folders if not any(fits_pattern(one, id_) for id_ in documents)]


def _unused_folder(pattern: str, documents: Iterable[str]) -> Unused:
    folders = {above for id_ in documents for above in accumulate(id_.split("/")[:-1], "{}/{}".format)}
    return _unused("folder", pattern, get_close_matches(pattern.strip("/"), sorted(folders), 1))


def _unused(kind: str, name: str, near: Sequence[str]) -> Unused:
    meant = f": did you mean {near[0]!r}?" if near else ""
    return Unused("permissions.yaml", f"no document fits the {kind} {name!r}, so that its rule closes nothing{meant}")
