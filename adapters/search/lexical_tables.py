"""Numbers for words: tables that only grow, shared by all snapshots of a lexical index, and filters over them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from adapters.search.lexical_port import Row, Where

Value = TypeVar("Value")
# The lines of `Segment.attributes`.
DOC, KIND, LANGUAGE, READERS, DATE = range(5)


class Codes(dict[Value, int]):
    """A number for each value, in order of arrival: `codes[value]` gives a new one to a value it does not know."""

    def __missing__(self, value: Value) -> int:
        self[value] = len(self)
        return self[value]


@dataclass(frozen=True, slots=True)
class Tables:
    """The numbers of terms and attributes. Readers need no lock: a number once given never changes."""

    terms: Codes[str] = field(default_factory=Codes)
    docs: Codes[str] = field(default_factory=Codes)
    kinds: Codes[str] = field(default_factory=Codes)
    languages: Codes[str] = field(default_factory=Codes)
    readers: Codes[frozenset[str]] = field(default_factory=Codes)
    named: list[str] = field(default_factory=list)
    # The sets of readers by each group in them (None: by none at all), as far as they have been looked through.
    sets_of: dict[str | None, list[int]] = field(default_factory=dict)
    looked: list[frozenset[str]] = field(default_factory=list)
    lock: Any = field(default_factory=Lock)

    def terms_of(self, rows: Sequence[Row], count: int) -> NDArray[np.int32]:
        """Return the numbers of all `count` terms of the rows, one row after the other."""
        with self.lock:
            words = chain.from_iterable(row.terms for row in rows)
            return np.fromiter(map(self.terms.__getitem__, words), np.int32, count)

    def attributes_of(self, rows: Sequence[Row]) -> NDArray[np.int32]:
        """Return one line for each attribute, one column for each row; a date as its ordinal, 0 without one."""
        with self.lock:
            lines = [
                [self.docs[row.doc_id] for row in rows],
                [self.kinds[row.kind] for row in rows],
                [self.languages[row.language] for row in rows],
                [self.readers[frozenset(row.readers)] for row in rows],
                [row.dated.toordinal() if row.dated else 0 for row in rows],
            ]
        return np.array(lines, dtype=np.int32).reshape(5, len(rows))

    def doc_named(self, code: int) -> str:
        """Return the document that has this number."""
        if code >= len(self.named):
            with self.lock:
                self.named.extend(islice(self.docs, len(self.named), None))
        return self.named[code]

    def open_to(self, groups: Collection[str]) -> NDArray[np.bool_]:
        """Return for each set of readers whether one of them is among the groups, or it is open to everybody.

        Costs what the groups have, not what there is: a thousand groups with a hundred thousand rows are many sets.
        """
        with self.lock:
            for names in islice(self.readers, len(self.looked), None):
                for name in names or (None,):
                    self.sets_of.setdefault(name, []).append(len(self.looked))
                self.looked.append(names)
            own = chain.from_iterable(self.sets_of.get(name, ()) for name in (None, *groups))
            found = np.zeros(len(self.looked), dtype=np.bool_)
            found[np.fromiter(own, np.intp)] = True
        return found

    def listed(self) -> "Listed":
        """Return every value, in order of its number."""
        with self.lock:
            return Listed(list(self.terms), list(self.docs), list(self.kinds), list(self.languages), list(self.readers))


@dataclass(frozen=True, slots=True)
class Listed:
    """The values of tables, each at the place of its number."""

    terms: list[str]
    docs: list[str]
    kinds: list[str]
    languages: list[str]
    readers: list[frozenset[str]]

    def tables(self) -> Tables:
        """Return the tables that give these numbers."""
        terms, docs, kinds, languages, readers = (
            Codes(zip(values, range(len(values)), strict=True)) for values in self.lines()
        )
        return Tables(terms, docs, kinds, languages, readers)

    def lines(self) -> tuple[list[Any], ...]:
        """Return the lists in the order of the fields."""
        return self.terms, self.docs, self.kinds, self.languages, self.readers


def fits(where: Where, tables: Tables, attributes: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return for each column whether the row is one that the filter lets through."""
    mask: NDArray[np.bool_] = tables.open_to(where.groups)[attributes[READERS]]
    for line, wanted, codes in (
        (KIND, where.kinds, tables.kinds),
        (DOC, where.doc_ids, tables.docs),
        (LANGUAGE, where.languages, tables.languages),
    ):
        if wanted:
            mask &= _named(wanted, codes, tables.lock)[attributes[line]]
    if where.since or where.until:
        mask &= attributes[DATE] > 0
    if where.since:
        mask &= attributes[DATE] >= where.since.toordinal()
    if where.until:
        mask &= attributes[DATE] <= where.until.toordinal()
    return mask


def _named(wanted: Collection[str], codes: Codes[str], lock: Any) -> NDArray[np.bool_]:
    with lock:
        named = np.zeros(len(codes), dtype=np.bool_)
        named[[codes[value] for value in wanted if value in codes]] = True
    return named
