"""`footnote index` and `footnote ask`."""

import asyncio
import secrets
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar

from bot.answering import Bot
from bot.indexing import BUSY, Indexer, IndexReport, Progress
from bot.locks import locked
from bot.settings import Settings, read_settings
from bot.wiring import Stores, make_model, opened
from core.conversation import Audience, Question
from core.errors import ConfigError, IngestError
from core.ingest.sync import Changes
from core.pipeline import or_failure, unanswerable
from core.render import text_of
from core.result import result_of
from core.turn import TurnRecord

_MAX_SHOWN = 20


async def index_command(folder: Path, *, plan: bool = False) -> None:
    """Index the folder, or with `plan` only look; say what changes and what could not be read."""
    settings = read_settings()
    console = Console(stderr=False)
    with alone_in(settings) as alone:
        async with opened(settings) as stores:
            with progress_on(console) as progress:
                indexer = Indexer(stores.catalog, stores.index, stores.embedder, progress, alone=alone)
                if plan:
                    changes, problems = await indexer.plan(folder)
                    lines = [*plan_lines(changes), *problem_lines(problems)]
                else:
                    lines = report_lines(await indexer.run(folder))
    console.print("\n".join(lines), highlight=False, markup=False, soft_wrap=True)


@contextmanager
def alone_in(settings: Settings) -> Iterator[bool]:
    """Give whether nobody else can be indexing, which a lock in the data folder says where the database is in it.

    Raises ConfigError when somebody else is.
    """
    if settings.database_url:
        yield False
        return
    with locked(settings, "index.lock", BUSY):
        yield True


async def ask_command(text: str, groups: frozenset[str], *, hierarchical: bool, show: bool) -> dict[str, Any]:
    """Return the result of one question; with `show` it is printed for a person too. Raises BotError."""
    if (remark := unanswerable(text)) is not None:
        raise ConfigError(text_of(remark))
    settings = read_settings()
    async with ready_bot(settings) as (bot, _):
        record = await bot.explain(
            console_question(text, f"console:{secrets.token_hex(8)}", groups), hierarchical=hierarchical
        )
    if not isinstance(record, TurnRecord):
        raise ConfigError(NOTHING_INDEXED)
    if show:
        show_reply(Console(), record)
    for problem in record.problems:
        print(f"footnote: {problem}", file=sys.stderr)
    return result_of(record)


NOTHING_INDEXED = (
    "nothing is indexed yet: run footnote index FOLDER first, for example footnote index examples/handbook"
)


@asynccontextmanager
async def ready_bot(settings: Settings) -> AsyncIterator[tuple[Bot, Stores]]:
    """Give the bot over the live generation, its heavy parts loading side by side meanwhile."""
    async with opened(settings) as stores:
        model = make_model(settings)
        warming = [
            asyncio.create_task(or_failure(stores.embedder.prepare())),
            asyncio.create_task(asyncio.to_thread(stores.index.warm)),
            asyncio.create_task(model.warm()),
        ]
        try:
            yield Bot(stores, model, settings), stores
        finally:
            await asyncio.gather(*warming)
            await model.aclose()


def console_question(text: str, thread: str, groups: frozenset[str]) -> Question:
    """Return a question asked in the terminal, whose bytes that are no text, which nothing can store, become "?"."""
    return Question(
        id=f"console:{secrets.token_hex(8)}",
        platform="console",
        thread=thread,
        text=text.encode(errors="replace").decode(),
        asker="console",
        audience=Audience("local", groups),
        asked_at=datetime.now(UTC),
    )


def show_reply(console: Console, record: TurnRecord) -> None:
    """Print a reply and its evidence for a person."""
    from adapters.console.format import answer_shown, evidence_shown

    console.print(answer_shown(record.reply))
    if record.reply.evidence:
        console.print()
        console.print(evidence_shown(record.reply))


@contextmanager
def progress_on(console: Console) -> Iterator[Progress]:
    """Give a function that is told stage, done and total: a bar in a terminal, nothing elsewhere."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Reading", total=None)
        yield lambda stage, done, total: bar.update(task, description=stage, completed=done, total=total)


def report_lines(report: IndexReport) -> list[str]:
    """Return an index run in words."""
    changes = report.changes
    counts = report.counts
    made = (
        f"{report.title}: {counts['documents']} documents, {counts['chunks']} passages, {counts['passages']} sentences."
    )
    changed = (
        f"Added {len(changes.added)}, changed {len(changes.changed)}, removed {len(changes.removed)}, "
        f"unchanged {len(changes.unchanged)}."
    )
    lines = [made, changed if report.rebuilt else "Nothing has changed since the last time."]
    return [*lines, *problem_lines(report.problems)]


def problem_lines(problems: Sequence[IngestError]) -> list[str]:
    """Return in words what could not be read."""
    if not problems:
        return []
    lines = [f"Could not be read ({len(problems)}), the rest is indexed:"]
    lines += [f"  {problem}" for problem in problems[:_MAX_SHOWN]]
    return lines + ([f"  …and {len(problems) - _MAX_SHOWN} more"] if len(problems) > _MAX_SHOWN else [])


def plan_lines(changes: Changes) -> list[str]:
    """Return in words what an index run would do."""
    if not changes.any:
        return [f"Nothing has changed: {len(changes.unchanged)} documents are as they were."]
    lines = []
    for words, ids in (("Added", changes.added), ("Changed", changes.changed), ("Removed", changes.removed)):
        lines += [f"{words} ({len(ids)}):", *(f"  {id_}" for id_ in ids[:_MAX_SHOWN])] if ids else []
        lines += [f"  …and {len(ids) - _MAX_SHOWN} more"] if len(ids) > _MAX_SHOWN else []
    return [*lines, f"Unchanged: {len(changes.unchanged)}. Nothing was done: run it without --plan."]
