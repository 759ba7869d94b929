"""`footnote demo`: the example handbook, a short conversation, and each reply as Slack and Telegram would show it."""

import os
import secrets
import shutil
import sys
from pathlib import Path

from rich.console import Console
from rich.rule import Rule

import bot
from bot.answering import Bot
from bot.chat import converse
from bot.commands import console_question, progress_on, ready_bot
from bot.doctor import mode_line
from bot.explain import explained
from bot.index_report import report_lines
from bot.indexing import index_folder
from bot.preview import slack_preview, telegram_preview
from bot.settings import read_settings
from bot.wiring import Stores
from core.errors import ConfigError
from core.turn import TurnRecord

# A fact, a follow-up that leans on it, a row of a table, a list, and a question that the handbook does not answer.
CONVERSATION = (
    "How many vacation days do I get?",
    "And how many of them can I carry over?",
    "What is the hotel limit in Berlin?",
    "What were the results of Project Lantern?",
    "Who won the football world cup in 1998?",
)


async def demo_command() -> None:
    """Hold the conversation, then give the prompt to the reader if there is a terminal."""
    console = Console()
    settings = read_settings()
    console.print(mode_line(settings), style="bold", highlight=False, soft_wrap=True)
    settings = settings.model_copy(update={"data_dir": settings.data_dir / "demo"})
    async with ready_bot(settings) as (answering, stores):
        await _indexed(stores, console)
        thread = f"console:{secrets.token_hex(8)}"
        for question in CONVERSATION:
            await _shown(answering, question, thread, console)
        if sys.stdin.isatty():
            console.print(Rule("Your turn: /why explains, /quit ends"))
            await converse(answering, console, frozenset(), thread)
    console.print(_next_step(), highlight=False, markup=False, soft_wrap=True)


def _next_step() -> str:
    """Return what to type for one's own documents; after `make demo` the shell does not know the command yet."""
    enter = "" if shutil.which("footnote") else f". {os.path.relpath(Path(sys.prefix, 'bin', 'activate'))}, then "
    return f"Your own documents: {enter}footnote index FOLDER, then footnote chat."


def example_folder() -> Path:
    """Return the example handbook: in the installed package, or beside it in a checkout."""
    package = Path(bot.__file__).parent
    for folder in (package / "example", package.parent / "examples" / "handbook"):
        if folder.is_dir():
            return folder
    raise ConfigError("the example handbook is not installed here; index your own folder with: footnote index FOLDER")


async def _indexed(stores: Stores, console: Console) -> None:
    with progress_on(console) as progress:
        report = await index_folder(example_folder(), stores.catalog, stores.index, stores.embedder, progress)
    console.print("\n".join(report_lines(report)), highlight=False, markup=False, soft_wrap=True)


async def _shown(answering: Bot, question: str, thread: str, console: Console) -> None:
    record = await answering.explain(console_question(question, thread, frozenset()))
    assert isinstance(record, TurnRecord), "each question of the demo is new"
    console.print(Rule(question, align="left"))
    # How it was understood: the line under the first heading.
    console.print(explained(record).splitlines()[1], style="dim", highlight=False, markup=False)
    console.print(slack_preview(question, record.reply))
    console.print(telegram_preview(question, record.reply))
