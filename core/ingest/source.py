"""Where documents come from: a folder, a web site, a repository, a channel; each gives items, one after the other."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from core.errors import IngestError


@dataclass(frozen=True, slots=True)
class Item:
    """A file or page as it came, and what its source knows of it.

    `name` is its path within the source, with forward slashes and the suffix of its format; it becomes the document's
    id. `updated` is a date as YYYY-MM-DD. `readers` are the groups that may read it; nobody in particular: everybody.
    What the item says of itself in its front matter stands above `title`, `updated` and `link`; of `readers` both must
    agree, so that no document can open what its source keeps closed.
    """

    name: str
    data: bytes
    link: str | None = None
    title: str | None = None
    updated: str | None = None
    readers: frozenset[str] = frozenset()


class Source(Protocol):
    """Somewhere that documents come from. `name` says where in words, for a person; nothing secret stands in it."""

    name: str

    def items(self) -> AsyncIterator[Item | IngestError]:
        """Yield every item, or why one could not be had; the rest goes on.

        Raises ConfigError when the source as a whole cannot be used, in words that say how to put that right.
        """
