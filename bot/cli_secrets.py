"""The commands for the keys that seal stored tokens."""

import asyncio

import typer

secrets = typer.Typer(
    help="Make a key that seals stored tokens, or seal them all anew.", no_args_is_help=True, add_completion=False
)
FAILED = 1


@secrets.command("new")
def secrets_new() -> None:
    """Print a new key for FOOTNOTE_SECRET_KEYS."""
    from bot.secrets import new_command

    new_command()


@secrets.command("rotate")
def secrets_rotate() -> None:
    """Seal all that is stored with the first key of FOOTNOTE_SECRET_KEYS, so that the others may go."""
    from bot.secrets import rotate_command

    if not asyncio.run(rotate_command()):
        raise typer.Exit(FAILED)
