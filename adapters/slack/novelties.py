"""What only the newest Slack takes, the same in a form that every Slack takes, and the workspaces that refused it."""

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, cast

from adapters.slack import rich_text
from adapters.slack.plan import in_lines
from adapters.slack.rich_text import Json

# Kinds of elements and blocks: citations of sources, plans of tasks.
Novelty = Literal["citation", "plan"]
# Seconds for which a workspace that refused one is believed to take none.
BELIEVED = 6 * 3600.0

_log = logging.getLogger("footnote")


def _number(citation: Json) -> Json:
    """Return the bare number of a citation: its link stands beside it."""
    return rich_text.text(str(citation["text"]))[0]


_FAMILIAR: Mapping[Novelty, Callable[[Json], Json]] = {"citation": _number, "plan": in_lines}
_INSTEAD: Mapping[Novelty, tuple[str, str]] = {
    "citation": ("citations", "sources are links there"),
    "plan": ("plans of tasks", "they are lines there"),
}
ALL: frozenset[Novelty] = frozenset(_FAMILIAR)


class Novelties:
    """Which workspaces take what is new: all but those that lately took the same message only without it.

    `elapsed` gives seconds on a clock that never goes back.
    """

    def __init__(self, elapsed: Callable[[], float]) -> None:
        self._elapsed = elapsed
        self._until: dict[tuple[str, Novelty], float] = {}

    def refused_in(self, workspace: str) -> frozenset[Novelty]:
        """Return what the workspace is not to be sent now."""
        now = self._elapsed()
        self._until = {which: until for which, until in self._until.items() if now < until}
        return frozenset(novelty for novelty in ALL if (workspace, novelty) in self._until)

    def were_refused_in(self, workspace: str, novelties: Collection[Novelty]) -> None:
        """Send the workspace none of these for a while."""
        for novelty in novelties:
            hours = BELIEVED / 3600
            _log.info("Slack: workspace %s takes no %s: %s for %g hours", workspace, *_INSTEAD[novelty], hours)
            self._until[workspace, novelty] = self._elapsed() + BELIEVED


def novelties_in(blocks: Sequence[Json]) -> frozenset[Novelty]:
    """Return what of the new there is in the blocks."""
    return frozenset(_found(blocks))


def without(blocks: Sequence[Json], novelties: Collection[Novelty] = ALL) -> list[Json]:
    """Return the blocks with the familiar form in place of each of these."""
    return [_without(block, novelties) for block in blocks]


def _found(value: Any) -> Iterator[Novelty]:
    match value:
        case {"type": "citation" | "plan" as novelty}:
            yield cast("Novelty", novelty)
        case dict():
            for part in value.values():
                yield from _found(part)
        case list() | tuple():
            for part in value:
                yield from _found(part)


def _without(value: Any, novelties: Collection[Novelty]) -> Any:
    match value:
        case {"type": "citation" | "plan" as novelty} if novelty in novelties:
            return _FAMILIAR[cast("Novelty", novelty)](value)
        case dict():
            return {name: _without(part, novelties) for name, part in value.items()}
        case list():
            return [_without(part, novelties) for part in value]
        case _:
            return value
