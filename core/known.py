"""Which names an audience knows: those that a document gives which it may read, and no others."""

from collections import ChainMap, OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from core.conversation import Audience
from core.entities import Entity, Registry, make_registry
from core.ingest.corpus import entities_of_pages
from core.ingest.names import Named, registry_of
from core.ingest.namings import named_in
from core.ingest.slips import Slips
from core.namesakes import Namesakes, View

# Views that are kept: most channels of a workspace may read one of a few sets of documents.
_MOST_VIEWS = 64
_Readers = frozenset[str]
_K = TypeVar("_K")
_V = TypeVar("_V")


@dataclass(frozen=True)
class Names:
    """The names of a corpus by who may know them.

    `whole` is all of them, `open` what the documents for everybody give, `closed` what the others give, by their
    readers. A name that a closed document gives to something open is known to its readers alone.
    """

    whole: View
    open: Registry
    closed: Mapping[_Readers, tuple[Named, ...]] = field(default_factory=dict)
    declared: tuple[Entity, ...] = ()
    _views: OrderedDict[tuple[_Readers, ...], View] = field(default_factory=OrderedDict, repr=False, compare=False)

    def seen_by(self, audience: Audience) -> View:
        """Return what the audience knows; it does not depend on any document that it may not read.

        The cost of the first time grows with the names of closed documents that it may read, not with all names.
        """
        readable = tuple(readers for readers in self.closed if audience.may_read(readers))
        if len(readable) == len(self.closed):
            return self.whole
        view = self._views.get(readable)
        if view is None:
            view = self._views[readable] = self._view(readable)
            if len(self._views) > _MOST_VIEWS:
                self._views.popitem(last=False)
        else:
            self._views.move_to_end(readable)
        return view

    def _view(self, readable: Sequence[_Readers]) -> View:
        own = sorted((one for readers in readable for one in self.closed[readers]), key=lambda one: one.page.id)
        pages = {one.page.id for one in own}
        declared = [one for one in self.declared if one.page in pages]
        titles = make_registry((*declared, *entities_of_pages((one.page for one in own), self.declared)))
        known = layered(titles, self.open)
        terms = make_registry(named_in((one.namings for one in own), known))
        registry = layered(titles, self.open, terms) if own else self.open
        return View(registry, _of_these(self.whole.namesakes, registry))


def names_of(
    corpus: Iterable[tuple[Named, _Readers]], declared: Sequence[Entity], registry: Registry, namesakes: Namesakes
) -> Names:
    """Return the names of a corpus, given what each document adds and who may read it; `registry` holds all of them."""
    given = list(corpus)
    closed: dict[_Readers, list[Named]] = {}
    for one, readers in given:
        if readers:
            closed.setdefault(readers, []).append(one)
    whole = View(registry, namesakes)
    if not closed:
        return Names(whole, registry)
    hidden = {one.page.id for those in closed.values() for one in those}
    public = [one for one in declared if one.page not in hidden]
    own = registry_of((one for one, readers in given if not readers), public)
    kept = {readers: tuple(those) for readers, those in sorted(closed.items(), key=lambda each: sorted(each[0]))}
    return Names(whole, own, kept, tuple(declared))


def layered(*layers: Registry) -> Registry:
    """Return the names of all layers, the first of which keeps a name that several have; nothing is copied."""
    above = [layer for layer in layers if layer.entities or layer.by_stems or layer.acronyms]
    if len(above) == 1:
        return above[0]
    return Registry(
        _chain([layer.entities for layer in above]),
        _chain([layer.by_stems for layer in above]),
        _chain([layer.by_sound for layer in above]),
        _chain([layer.acronyms for layer in above]),
        _Longest([layer.openings for layer in above]),
        _Guarded(above),
        _Slips([layer.slips for layer in above]),
    )


def _chain(maps: Sequence[Mapping[_K, _V]]) -> Mapping[_K, _V]:
    # A ChainMap is typed for maps that can be written to; nobody writes to a registry.
    return ChainMap(*maps)  # type: ignore[arg-type]


class _Longest(Mapping[str, int]):
    """The greatest of each value."""

    def __init__(self, layers: Sequence[Mapping[str, int]]) -> None:
        self._layers = layers

    def __getitem__(self, key: str) -> int:
        found = [layer[key] for layer in self._layers if key in layer]
        if not found:
            raise KeyError(key)
        return max(found)

    def __contains__(self, key: object) -> bool:
        return any(key in layer for layer in self._layers)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(key for layer in self._layers for key in layer))

    def __len__(self) -> int:
        return len(list(iter(self)))


class _Guarded(Mapping[tuple[str, ...], bool]):
    """The names that are everyday words wherever they are names at all."""

    def __init__(self, layers: Sequence[Registry]) -> None:
        self._layers = layers

    def __getitem__(self, key: tuple[str, ...]) -> bool:
        having = [layer for layer in self._layers if key in layer.by_stems]
        if not having or not all(key in layer.guarded for layer in having):
            raise KeyError(key)
        return all(layer.guarded[key] for layer in having)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (key for key in dict.fromkeys(key for layer in self._layers for key in layer.guarded) if key in self)

    def __len__(self) -> int:
        return len(list(iter(self)))


class _Slips(Slips):
    """The words of several registries."""

    def __init__(self, layers: Sequence[Slips]) -> None:
        super().__init__()
        self._layers = layers

    def near(self, rest: str) -> Sequence[tuple[str, str]]:
        """Return the words of all of them that read so without one of their letters or as they are."""
        return tuple(dict.fromkeys(word for layer in self._layers for word in layer.near(rest)))


class _Shared(Mapping[str, tuple[str, ...]]):
    """Who goes by a shared name, of those who are known."""

    def __init__(self, ids: Mapping[str, tuple[str, ...]], known: Mapping[str, Entity]) -> None:
        self._ids = ids
        self._known = known

    def __getitem__(self, name: str) -> tuple[str, ...]:
        return tuple(id_ for id_ in self._ids[name] if id_ in self._known)

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def _of_these(namesakes: Namesakes, registry: Registry) -> Namesakes:
    return replace(namesakes, ids=_Shared(namesakes.ids, registry.entities)) if namesakes.ids else namesakes
