"""The commands for who may read what, and who may ask."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

groups = typer.Typer(help="Say who is in which group, for documents that are not for everybody.", add_completion=False)
telegram = typer.Typer(help="Say who may ask the bot on Telegram.", no_args_is_help=True, add_completion=False)
FAILED = 1


@groups.callback(invoke_without_command=True)
def list_groups(
    context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="Print them as JSON.")] = False
) -> None:
    """Say who is in which group, and which names on pages nobody goes by."""
    from bot.groups import groups_command

    if context.invoked_subcommand is None:
        asyncio.run(groups_command(as_json=as_json))


@groups.command("import")
def import_groups(
    file: Annotated[Path, typer.Argument(help="SCIM users and groups as JSON, or CSV lines of group,member.")],
    workspace: Annotated[
        str | None, typer.Option("--workspace", help="The Slack workspace whose e-mail addresses these are: T024BE7LD.")
    ] = None,
) -> None:
    """Take groups from a file; they stand in place of those that came from a file of this name before."""
    from bot.groups import import_command

    asyncio.run(import_command(file, workspace))


def may(
    who: Annotated[str, typer.Argument(help="slack:T0TEAM:U0PERSON, slack:T0TEAM:C0CHANNEL, telegram:123 or a group.")],
    document: Annotated[str, typer.Argument(help="A document: its path or its title.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Say whether a person, or everybody in a channel, may read a document, and why; status 1 when not."""
    from bot.groups import may_command

    if not asyncio.run(may_command(who, document, as_json=as_json)):
        raise typer.Exit(FAILED)


@telegram.command("pair")
def telegram_pair(code: Annotated[str, typer.Argument(help="The code that the bot gave to the new person.")]) -> None:
    """Let in the person who has the code."""
    from bot.telegram import pair_command

    asyncio.run(pair_command(code))


@telegram.command("people")
def telegram_people(
    as_json: Annotated[bool, typer.Option("--json", help="Print them as JSON.")] = False,
) -> None:
    """Show who may ask: who is set, and who was let in since."""
    from bot.telegram import people_command

    asyncio.run(people_command(as_json=as_json))


@telegram.command("remove", context_settings={"ignore_unknown_options": True})
def telegram_remove(
    number: Annotated[str, typer.Argument(help="The person's number, or the group's, which begins with a minus.")],
) -> None:
    """Let somebody who was let in by a code, or a group, in no longer; it holds at once."""
    from bot.telegram import remove_command

    asyncio.run(remove_command(number))
