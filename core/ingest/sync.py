"""What an index run will change: the documents of a folder against those of the live generation."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Changes:
    """The ids of documents by what happens to them."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]

    @property
    def any(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.added or self.changed or self.removed)


def compare(live: Mapping[str, str], now: Mapping[str, str]) -> Changes:
    """Return what changed between the digests of the live documents and those of the documents as they are now."""
    return Changes(
        added=tuple(id_ for id_ in now if id_ not in live),
        changed=tuple(id_ for id_, digest in now.items() if id_ in live and live[id_] != digest),
        unchanged=tuple(id_ for id_, digest in now.items() if live.get(id_) == digest),
        removed=tuple(id_ for id_ in live if id_ not in now),
    )
