"""A person's data: `footnote forget` and `footnote export`, and what stands behind `/forget`."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.prompt import Confirm

from bot.handing_out import written_as_lines
from bot.settings import read_settings
from bot.wiring import Stores, opened, persons_of, work_engine, work_url
from core.audited import Forgotten
from core.errors import StorageError
from core.people import read_person

log = logging.getLogger("footnote")

_LOSS = (
    "Everything that is stored of {person} goes: questions, answers, opinions, and what the audit log says of them. "
    "Messages in chats stay; delete them there. Whoever was let in has to be let in again. Go on?"
)


async def forgotten(
    stores: Stores,
    person: str,
    stop: Callable[[str, int | None], Awaitable[None]] | None = None,
    *,
    work: str | None = None,
) -> Forgotten:
    """Remove everything that is stored of a person; return how much that was.

    `person` is written slack:T0TEAM:U0PERSON or telegram:123456. `stop` ends the work on a question that was under way;
    without it that goes on in vain: nothing of it is stored or shown. `work` is the address of what durable work has
    recorded. Raises ConfigError and StorageError.
    """
    gone = await persons_of(stores.database).forget(read_person(person), datetime.now(UTC))
    if stop:
        for question_id in gone.cancelled:
            await stop(question_id, None)
    if work:
        await asyncio.to_thread(_unrecord, work, gone.ids)
    return gone


def _unrecord(work: str, ids: Sequence[str]) -> None:
    """Remove what durable work has recorded; where that cannot be done now, it goes with what is old, within hours."""
    from bot.unrecorded import erase_runs

    engine = work_engine(work)
    try:
        erase_runs(engine, ids)
    except StorageError as error:
        log.warning("What work on %d forgotten questions has recorded goes later: %s", len(ids), error)
    finally:
        engine.dispose()


async def forget_command(person: str, *, sure: bool) -> None:
    """Forget a person, once that is sure. Raises BotError."""
    console = Console()
    name = str(read_person(person))
    if not sure and not Confirm.ask(_LOSS.format(person=name), console=console, default=False):
        console.print("Nothing was changed.")
        return
    settings = read_settings()
    async with opened(settings) as stores:
        gone = await forgotten(stores, name, work=work_url(settings, stores.database))
    console.print(in_words(name, gone), highlight=False, soft_wrap=True)


def in_words(person: str, gone: Forgotten) -> str:
    """Return what was forgotten, in words."""
    if not gone.anything:
        return f"Nothing is stored of {person}."
    cancelled = f" ({len(gone.cancelled)} of them not answered yet)" if gone.cancelled else ""
    let_in = " They will have to be let in again." if gone.let_in else ""
    return (
        f"Forgotten of {person}: {gone.questions:,} questions{cancelled}, {gone.opinions:,} opinions, "
        f"{gone.entries:,} contents of the audit log.{let_in}"
    )


async def export_command(person: str, file: Path) -> None:
    """Write everything that is stored of a person to a new file, as JSON lines. Raises BotError."""
    known = read_person(person)
    async with opened(read_settings()) as stores:
        written = await written_as_lines(persons_of(stores.database).data_of(known), file)
    print(f"{written:,} records of {known} stand in {file}.")
