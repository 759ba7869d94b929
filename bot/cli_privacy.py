"""The commands for what is kept of people: audit, retention, forget, export."""

import asyncio
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

audit = typer.Typer(
    help="Search the log of every answer, verify it, and look at what an answer was based on.", add_completion=False
)

AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]
Person = Annotated[str, typer.Argument(help="slack:T0TEAM:U0PERSON or telegram:123456.")]
FAILED = 1
# The part of --help that these commands stand in.
PEOPLE = "People, and what is kept of them"


def add_privacy(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(audit, name="audit", rich_help_panel=PEOPLE)
    for command in (retention, forget, export):
        app.command(rich_help_panel=PEOPLE)(command)


@audit.callback(invoke_without_command=True)
def audit_latest(context: typer.Context) -> None:
    """Search the log of every answer, verify it, and look at what an answer was based on. Alone: the latest."""
    if context.invoked_subcommand is None:
        audit_search()


def _day(written: str) -> datetime:
    try:
        return datetime.strptime(written, "%Y-%m-%d")  # noqa: DTZ007 - a day of UTC, as below
    except ValueError:
        raise typer.BadParameter(f"{written!r} is no day: write one as 2026-03-01") from None


def _digest(written: str) -> str:
    """Return a hash as the log has it; what is none would be no check at all, as an empty variable of a script."""
    if not re.fullmatch(r"[0-9a-f]{64}", said := written.strip().lower()):
        raise typer.BadParameter(f"{written!r} is no hash: give the 64 letters and digits that verify ended with")
    return said


@audit.command("search")
def audit_search(
    words: Annotated[list[str] | None, typer.Argument(help="Words of the question or the answer.")] = None,
    since: Annotated[
        datetime | None, typer.Option("--since", parser=_day, metavar="DAY", help="A day, 2026-03-01.")
    ] = None,
    person: Annotated[str | None, typer.Option("--person", help="slack:T0TEAM:U0PERSON or telegram:123456.")] = None,
    refused: Annotated[bool, typer.Option("--refused", help="Only what was not answered.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the latest questions and answers, those with these words, that person, or from that day on."""
    from bot.audit import search_command
    from core.audited import Wanted

    day = since.replace(tzinfo=UTC) if since else None
    wanted = Wanted(" ".join(words) if words else None, day, person, refused)
    asyncio.run(search_command(wanted, as_json=as_json))


@audit.command("verify")
def audit_verify(
    through: Annotated[
        str | None,
        typer.Option(
            "--through", parser=_digest, metavar="HASH", help="A hash that it ended with earlier, noted somewhere else."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say whether anything in the log was changed, removed or slipped in."""
    from bot.audit import verify_command

    if not asyncio.run(verify_command(through, as_json=as_json)):
        raise typer.Exit(FAILED)


@audit.command("export")
def audit_export(file: Annotated[Path, typer.Argument(help="A new file.")]) -> None:
    """Write the whole log to a file, an entry a line of JSON, with all that it takes to verify it."""
    from bot.audit import export_command

    asyncio.run(export_command(file))


@audit.command("replay")
def audit_replay(
    number: Annotated[int, typer.Argument(min=1, help="The number of the entry, as the search shows it.")],
    as_json: AsJson = False,
) -> None:
    """Show what an answer was based on, and whether those documents still say so."""
    from bot.replay import replay_command

    if not asyncio.run(replay_command(number, as_json=as_json)):
        raise typer.Exit(FAILED)


def retention(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
) -> None:
    """Remove what is kept for longer than RETENTION now; a running bot does so every day."""
    from bot.retention import retention_command

    asyncio.run(retention_command(dry_run=dry_run))


def forget(
    person: Person,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before it is removed.")] = False,
) -> None:
    """Remove everything that is stored of a person."""
    from bot.forgetting import forget_command

    asyncio.run(forget_command(person, sure=yes))


def export(person: Person, file: Annotated[Path, typer.Argument(help="A new file.")]) -> None:
    """Write everything that is stored of a person to a file, a record a line of JSON."""
    from bot.forgetting import export_command

    asyncio.run(export_command(person, file))
