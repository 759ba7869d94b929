"""The command line: index, ask, chat, demo, run, migrate, doctor."""

import asyncio
import io
import json
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from core.errors import BotError

app = typer.Typer(
    name="footnote",
    help="Answers from your own documents, with the passages that prove them: here, in Slack and in Telegram.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

T = TypeVar("T")

# The status of a command that could not do what was asked, after it has said why.
FAILED = 1


def main() -> None:
    """Run the command line; what goes wrong is one sentence on standard error and status 1."""
    _accept_any_characters()
    try:
        app(prog_name="footnote")
    except BotError as error:
        print(f"footnote: {error}", file=sys.stderr)
        raise SystemExit(FAILED) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def _accept_any_characters() -> None:
    """Let a character that the terminal's encoding lacks, or a byte that is none, read as "?" instead of ending all."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@app.command()
def index(
    folder: Annotated[
        Path, typer.Argument(help="The folder of documents: Markdown, PDF, Office, mail, data and more.")
    ],
    plan: Annotated[bool, typer.Option("--plan", help="Only say what would change.")] = False,
) -> None:
    """Read a folder of documents and make it what Footnote answers from; what did not change is not made anew."""
    from bot.commands import index_command

    _run(index_command(folder, plan=plan))


@app.command()
def reindex(
    status: Annotated[bool, typer.Option("--status", help="Say how far an index run is.")] = False,
    cancel: Annotated[bool, typer.Option("--cancel", help="Stop it; the next run goes on from there.")] = False,
    rollback: Annotated[bool, typer.Option("--rollback", help="Answer from the index before the live one.")] = False,
) -> None:
    """Watch or stop an index run, or go back to the index before. Without an option: the status."""
    from bot.reindex import cancel_command, rollback_command, status_command

    if sum((status, cancel, rollback)) > 1:
        raise typer.BadParameter("give one of --status, --cancel and --rollback")
    _run(cancel_command() if cancel else rollback_command() if rollback else status_command())


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="The question, in quotes.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole result as JSON.")] = False,
    hierarchical: Annotated[
        bool, typer.Option("-H", "--hierarchical", help="Read the whole section around each passage that is found.")
    ] = False,
    group: Annotated[
        list[str] | None, typer.Option("--group", help="Ask as a member of this group; may be given several times.")
    ] = None,
) -> None:
    """Ask one question and print the answer with its evidence."""
    from bot.commands import ask_command

    result = _run(ask_command(question, frozenset(group or ()), hierarchical=hierarchical, show=not as_json))
    if as_json:
        print(json.dumps(result, ensure_ascii=False, indent=2))


@app.command()
def chat(
    group: Annotated[
        list[str] | None, typer.Option("--group", help="Ask as a member of this group; may be given several times.")
    ] = None,
) -> None:
    """Hold a conversation in the terminal; /why tells how the last question was understood."""
    from bot.chat import chat_command

    _run(chat_command(frozenset(group or ())))


@app.command()
def demo() -> None:
    """Index the example handbook, hold a short conversation, and show each reply as Slack and Telegram would."""
    from bot.demo import demo_command

    _run(demo_command())


@app.command()
def run() -> None:
    """Answer in Slack and Telegram, wherever the tokens are set, until stopped."""
    from bot.runtime import run_command

    _run(run_command())


@app.command()
def migrate(
    to: Annotated[
        str | None, typer.Option("--to", help="Go back to this schema, as 0001; base is an empty database.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before something is removed.")] = False,
) -> None:
    """Bring the database to the newest schema, as every start does; or take it back before an older version."""
    from bot.migrate import migrate_command

    _run(migrate_command(to, sure=yes))


@app.command()
def doctor() -> None:
    """Say what is configured, what is missing and how to fix it."""
    from bot.doctor import doctor_command

    if not _run(doctor_command()):
        raise typer.Exit(FAILED)


def _run(command: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(command)
