"""`footnote reindex`: how an index run goes, stopping it, and going back to the index before."""

from datetime import UTC, datetime

from rich.console import Console

from bot.indexing import ABANDONED_AFTER
from bot.settings import read_settings
from bot.wiring import Stores, opened
from core.errors import ConfigError
from core.ingest.generation import Generation


async def status_command() -> None:
    """Say which index answers, which one can be gone back to, and how far the next one is."""
    async with opened(read_settings()) as stores:
        _say(*await status_lines(stores))


async def cancel_command() -> None:
    """Ask the index run under way to stop. Raises ConfigError when there is none."""
    async with opened(read_settings()) as stores:
        if not await stores.catalog.stop():
            raise ConfigError("no index run is under way, so there is nothing to stop")
    _say("The index run stops after the passages that it works on. Answers come from the index as it was.")


async def rollback_command() -> None:
    """Let the index before the live one answer again. Raises ConfigError when there is none, or it is lost."""
    async with opened(read_settings()) as stores:
        before = await stores.catalog.retired()
        if before is None:
            raise ConfigError("there is no index to go back to: only the one before the live one is kept")
        if not await stores.index.holds(before.tables):
            raise ConfigError("the index before is not whole any more; index again with: footnote index FOLDER")
        await stores.catalog.publish(before.number)
        _say(f"Answers come from {_described(before)} again.", "To go forward again, run this once more, or index.")


async def status_lines(stores: Stores) -> list[str]:
    """Return how things stand, in words."""
    live, before = await stores.catalog.live(), await stores.catalog.retired()
    building = await stores.catalog.building()
    lines = [f"Live: {_described(live)}." if live else "Live: nothing is indexed yet."]
    lines += [f"Before it: {_described(before)}; footnote reindex --rollback goes back to it."] if before else []
    return [*lines, _progress(building) if building else "No index run is under way."]


def _described(generation: Generation) -> str:
    counts = generation.counts
    day = f"{generation.published_at:%Y-%m-%d %H:%M} UTC" if generation.published_at else "never"
    return (
        f"{generation.title} (number {generation.number}), {counts.get('documents', 0)} documents, "
        f"{counts.get('chunks', 0)} passages, indexed {day}"
    )


def _progress(building: Generation) -> str:
    touched = building.touched_at
    if touched is None or datetime.now(UTC) - touched > ABANDONED_AFTER:
        return "An index run was cut short; the next one goes on from there: footnote index FOLDER"
    known = building.progress
    words = f"Under way: {known.get('stage', 'Reading')}, {known.get('done', 0)} of {known.get('total', 0)} passages"
    return f"{words}; it was asked to stop." if building.stopping else f"{words}; footnote reindex --cancel stops it."


def _say(*lines: str) -> None:
    Console().print("\n".join(lines), highlight=False, markup=False, soft_wrap=True)
