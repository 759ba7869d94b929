"""Where documents come from: a folder, a web site, a repository, a channel; each gives items, one after the other."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from core.errors import IngestError


@dataclass(frozen=True, slots=True)
class Item:
    """A file or page as it came, and what its source knows of it.

    `name` is its path within the source, with forward slashes and the suffix of its format; it becomes the document's
    id. `updated` is a date as YYYY-MM-DD. `kind` is what sort of page it is; nothing: the name of its folder.
    `readers` are the groups that may read it; nobody in particular: everybody.
    What the item says of itself in its front matter stands above `title`, `updated`, `link` and `kind`; of `readers`
    both must agree, so that no document can open what its source keeps closed.
    """

    name: str
    data: bytes
    link: str | None = None
    title: str | None = None
    updated: str | None = None
    readers: frozenset[str] = frozenset()
    kind: str | None = None


class Source(Protocol):
    """Somewhere that documents come from. `name` says where in words, for a person; nothing secret stands in it."""

    name: str

    def items(self) -> AsyncIterator[Item | IngestError]:
        """Yield every item, or why one could not be had; the rest goes on.

        What is there and could not be had this time is an `Unread`, so that nobody takes it for removed. What is
        not there any more though something leads to it may be a `Gone`; all else that is not given is taken for removed
        unless an `Unread` keeps it.

        Raises ConfigError when the source as a whole cannot be used, in words that say how to put that right.
        """


@dataclass(frozen=True, slots=True)
class Offer:
    """An item that a source has, not read yet. `sign`: as long as it stays the same, so do the bytes.

    An empty sign says nothing: the item may change without one. `read` blocks, and raises IngestError. `size`: bytes.
    """

    name: str
    sign: str
    read: Callable[[], Item]
    size: int = 0


@runtime_checkable
class Signed(Protocol):
    """A source that can tell by a sign what did not change, so that nobody has to read it."""

    name: str

    def offers(self) -> Sequence[Offer | IngestError]:
        """Return every item in the order of `items`, or why one cannot be had. Blocks; raises as `items` does."""


@dataclass(frozen=True, slots=True)
class Collection:
    """What is indexed as one: where the documents come from, and what is declared of them (as in `domain.yaml`).

    `identity` tells it from every other collection: an index of one is never taken for an index of another. `may_open`:
    other rules than those of the live index may open to everybody what these closed.
    """

    identity: str
    source: Source
    domain: Mapping[str, Any] = field(default_factory=dict)
    may_open: bool = False
