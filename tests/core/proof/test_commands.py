"""What is typed is told to the letter: another command than the documents' is never shown."""

import pytest

from core.checks import fault_of
from core.proof.backing import Backing
from core.proof.commands import doubt_of_commands, fault_of_commands

ROLLBACK = "To roll back, run deploy rollback --to <version> as root. Its log is in /var/log/deploy."


@pytest.mark.parametrize(
    ("claim", "quote", "kept"),
    [
        ("To roll back, run `deploy rollback --to <version>`.", ROLLBACK, True),
        ("Run deploy rollback --to <version>, it logs to /var/log/deploy.", ROLLBACK, True),
        ("To roll back, run `rm -rf / --to <version>`.", ROLLBACK, False),
        ("To roll back, run rm -rf everything.", ROLLBACK, False),
        ("To roll back, run `deploy rollback --force --to <version>`.", ROLLBACK, False),
        ("To roll back, run `deploy rollback --from <version>`.", ROLLBACK, False),
        ("To roll back, run `deploy rollback -t`.", ROLLBACK, False),
        ("To roll back, run `deploy delete`.", ROLLBACK, False),
        ("Its log is in /var/log/delete.", ROLLBACK, False),
        ("Set LIMIT=4 before the start.", "Set LIMIT=4 before the start, or call reset().", True),
        ("Set LIMIT=8 before the start.", "Set LIMIT=4 before the start, or call reset().", False),
        ("Call drop() before the start.", "Set LIMIT=4 before the start, or call reset().", False),
        (
            "Чтобы откатить, выполните `deploy rollback`.",
            "Чтобы откатить, выполните deploy rollback --to <версия>.",
            True,
        ),
        (
            "Чтобы откатить, выполните `deploy delete`.",
            "Чтобы откатить, выполните deploy rollback --to <версия>.",
            False,
        ),
        ("Для отката нужен ключ --force.", "Для отката нужен ключ --to.", False),
        (
            "Скорость 5 км/ч и/или -5 °C; ставка — 10 руб./час.",
            "Скорость 5 км/ч и/или -5 °C; ставка — 10 руб./час.",
            True,
        ),
        ("It costs $12 and/or €5 at 24/7.", "It costs $12 and/or €5 at 24/7.", True),
    ],
)
def test_a_command_stands_in_the_quotes_to_the_letter(claim: str, quote: str, *, kept: bool) -> None:
    """Options, paths, calls and what stands in backticks are those of the document."""
    assert kept == (fault_of_commands(claim, Backing(quote, "", "")) is None)


def test_what_was_asked_is_no_command() -> None:
    """That somebody asks for an option does not make it one of the document's."""
    backing = Backing(ROLLBACK, "", "Can I run deploy rollback --force to roll back?")

    assert "--force" in (fault_of("To roll back, run deploy rollback --force.", backing) or "")


@pytest.mark.parametrize(
    ("claim", "kept"),
    [
        ("Run deploy rollback --to <version>.", True),
        ("Run deploy delete --to <version>.", False),
        ("Roll back with it as root.", True),
        ("Откат: deploy delete --to <version>.", False),
    ],
)
def test_an_option_belongs_to_its_command(claim: str, *, kept: bool) -> None:
    """The same option of another command does something else."""
    assert kept == (doubt_of_commands(claim, Backing(ROLLBACK, "", "")) is None)
