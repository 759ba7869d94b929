"""`footnote reindex`: how an index run goes, stopping it, and going back to the index before."""

from rich.console import Console

from bot.commands import progress_on
from bot.counting import counted
from bot.index_build import EMBEDDING
from bot.index_sweep import READING
from bot.progress import Ended, is_abandoned, progress_of
from bot.settings import read_settings
from bot.wiring import Stores, opened
from core.errors import ConfigError
from core.ingest.generation import Generation

_ENDED = {
    "published": "The index run is done: answers come from the new index",
    "unchanged": "The index run found nothing that had changed",
    "stopped": "The index run was stopped",
    "failed": "The index run failed",
}


async def status_command() -> None:
    """Say which index answers, which one can be gone back to, and how far the next one is."""
    async with opened(read_settings()) as stores:
        _say(*await status_lines(stores))


async def follow_command() -> None:
    """Show how the index run under way goes until it has ended, as a bar; a line for each stage in a log."""
    console = Console()
    async with opened(read_settings()) as stores:
        ended: Ended | None = None
        with progress_on(console) as show:
            stage = ""
            async for one in progress_of(stores.catalog):
                if isinstance(one, Ended):
                    ended = one
                    continue
                show(one.stage, one.done, one.total)
                if one.stage != stage and not console.is_terminal:
                    _say(f"{one.stage}, {one.done} of {one.total}")
                stage = one.stage
        if ended:
            _say(_ENDED[ended.outcome] + (f": {ended.why}" if ended.why else "."))
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
    if before:
        whole = await stores.index.holds(before.tables)
        back = "footnote reindex --rollback goes back to it" if whole else "it is not whole any more"
        lines.append(f"Before it: {_described(before)}; {back}.")
    return [*lines, _progress(building) if building else "No index run is under way."]


def _described(generation: Generation) -> str:
    counts = generation.counts
    day = f"{generation.published_at:%Y-%m-%d %H:%M} UTC" if generation.published_at else "never"
    return (
        f"{generation.title} (number {generation.number}), {counted(counts.get('documents', 0), 'document')}, "
        f"{counted(counts.get('chunks', 0), 'passage')}, indexed {day}"
    )


def _progress(building: Generation) -> str:
    if is_abandoned(building):
        why = building.progress.get("ended") or "it was cut short"
        return f"The last index run did not end: {why}. The next one goes on from there: footnote index FOLDER"
    known = building.progress
    stage = str(known.get("stage", READING))
    of = "passages" if stage == EMBEDDING else "documents"
    words = f"Under way: {stage}, {known.get('done', 0)} of {known.get('total', 0)} {of}"
    return f"{words}; it was asked to stop." if building.stopping else f"{words}; footnote reindex --cancel stops it."


def _say(*lines: str) -> None:
    Console().print("\n".join(lines), highlight=False, markup=False, soft_wrap=True)
