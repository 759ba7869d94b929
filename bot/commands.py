"""`footnote index` and `footnote ask`."""

import asyncio
import json
import secrets
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task, TextColumn
from rich.progress import Progress as Bar
from rich.text import Text

from bot.allocator import share_what_is_freed
from bot.answering import Bot
from bot.asking_as import asked_as
from bot.index_report import of_plan, of_run
from bot.index_run import indexed, indexer_of
from bot.index_sweep import READING
from bot.indexing import BUSY, Progress
from bot.locks import locked
from bot.onscreen import told_on
from bot.settings import Settings, names_given, read_settings
from bot.several import Tell
from bot.sources import collection_of
from bot.wiring import Stores, make_model, opened
from core.conversation import Audience, Question
from core.errors import ConfigError
from core.pipeline import or_failure
from core.render import text_of
from core.result import result_of
from core.text import language_of
from core.turn import TurnRecord
from core.unanswered import unanswerable


async def index_command(
    wheres: Sequence[str], *, plan: bool = False, as_json: bool = False, strict: bool = False, may_open: bool = False
) -> bool:
    """Index what is named, or declared, or was indexed last, or with `plan` only look; say what came of it.

    With `may_open` other rules than those of the live index, or none, may open what these closed. Returns whether all
    went well, which with `strict` it did only if everything could be read and every rule fits something.
    """
    settings = read_settings()
    share_what_is_freed(names_given())
    console = Console(stderr=False)
    with alone_in(settings):
        async with opened(settings) as stores:
            live = await stores.catalog.live()
            with reading_on(console, hidden=as_json) as (progress, tell):
                before = live.make.source if live else None
                make = live.make if live else None
                collection = collection_of(wheres, settings, make, tell, may_open=may_open)
                indexer = indexer_of(stores, settings, progress)
                if plan:
                    outcome = of_plan(await indexer.plan(collection), collection.identity, before)
                else:
                    outcome = of_run(await indexed(collection, indexer, stores, settings), collection.identity, before)
    if as_json:
        print(json.dumps(outcome.data, ensure_ascii=False, indent=2))
    else:
        console.print("\n".join(outcome.lines), highlight=False, markup=False, soft_wrap=True)
    return not (strict and outcome.problems)


@contextmanager
def alone_in(settings: Settings) -> Iterator[None]:
    """Hold the data folder where the database is in it, so that nobody else is indexing; else the database sees to it.

    Raises ConfigError when somebody else is.
    """
    if settings.database_url:
        yield
        return
    with locked(settings, "index.lock", BUSY):
        yield


async def ask_command(text: str, groups: frozenset[str], *, hierarchical: bool, show: bool) -> dict[str, Any]:
    """Return the result of one question; with `show` it is printed for a person too. Raises BotError."""
    if (remark := unanswerable(text)) is not None:
        raise ConfigError(text_of(remark))
    settings = read_settings()
    async with ready_bot(settings) as (bot, stores):
        groups = await asked_as(groups, stores)
        question = console_question(text, f"console:{secrets.token_hex(8)}", groups)
        with told_on(Console(stderr=True, quiet=not show), language_of(text)) as tell:
            record = await bot.explain(question, hierarchical=hierarchical, tell=tell)
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
        if stores.entailment and settings.writes:
            warming.append(asyncio.create_task(or_failure(stores.entailment.prepare())))
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
    with reading_on(console) as (progress, _):
        yield progress


@contextmanager
def reading_on(console: Console, *, hidden: bool = False) -> Iterator[tuple[Progress, Tell]]:
    """Give what is told the stages of a run, and what is told how many items of a source have come."""
    columns = (TextColumn("{task.description}"), BarColumn(), _Count())
    with Bar(*columns, console=console, transient=True, disable=hidden or not console.is_terminal) as bar:
        task = bar.add_task(READING, total=None)
        named: list[str] = []

        def stage(name: str, done: int, total: int) -> None:
            # While a source tells how far it is itself, its name says more.
            if not (name == READING and named):
                bar.update(task, description=name, completed=done, total=total)

        def source(name: str, count: int) -> None:
            named[:] = [name]
            bar.update(task, description=f"{READING} {name}", completed=count, total=None)

        yield stage, source


class _Count(ProgressColumn):
    """How much is done, of how much where that is known."""

    def render(self, task: Task) -> Text:
        done, total = int(task.completed), task.total
        return Text(f"{done:,}" if total is None else f"{done:,}/{int(total):,}")
