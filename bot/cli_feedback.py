"""The command line of what people say: `footnote feedback` and `footnote pins`."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

feedback = typer.Typer(help="Say what people think of the answers.", add_completion=False)
pins = typer.Typer(help="List the answers that an admin has checked, or forget one.", add_completion=False)

_AS_JSON = typer.Option("--json", help="Print them as JSON.")


@feedback.callback(invoke_without_command=True)
def listed(
    context: typer.Context,
    limit: Annotated[int, typer.Option("--limit", min=1, help="So many of the latest.")] = 20,
    as_json: Annotated[bool, _AS_JSON] = False,
) -> None:
    """Say what people think of the answers: the latest judgements with their reasons, and how many this week."""
    from bot.feedback import feedback_command

    if context.invoked_subcommand is None:
        asyncio.run(feedback_command(limit, as_json=as_json))


@feedback.command()
def cases(
    file: Annotated[
        Path | None, typer.Argument(help="Where to write them; left out: they are printed.", show_default=False)
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DAY", help="Only what was said from this day on: 2026-03-01.")
    ] = None,
) -> None:
    """Write what did not help as cases for footnote evaluate answers; a person reviews them first."""
    from bot.feedback import cases_command

    asyncio.run(cases_command(file, since))


@pins.callback(invoke_without_command=True)
def kept(context: typer.Context, as_json: Annotated[bool, _AS_JSON] = False) -> None:
    """List the answers that an admin has checked, and which of them have fallen because a source changed."""
    from bot.pins import pins_command

    if context.invoked_subcommand is None:
        asyncio.run(pins_command(as_json=as_json))


@pins.command()
def remove(number: Annotated[int, typer.Argument(help="Its number in the list.")]) -> None:
    """Forget a checked answer: its question is answered anew from now on."""
    from bot.pins import remove_command

    asyncio.run(remove_command(number))
