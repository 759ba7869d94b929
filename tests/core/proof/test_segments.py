"""Sentences in parts that each say one thing of one subject, and who stands on which side of a limit."""

import pytest

from core.proof.backing import Backing
from core.proof.segments import segments
from core.proof.subjects import fault_of_roles
from core.proof.words import read

APPROVAL = "Owen Park approves claims up to £500, and Helga Stein approves claims above that amount."
SUMS_RU = "Отчёты до 50 000 рублей утверждает Олег Паршин, отчёты выше этой суммы — Галина Штольц."


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        (APPROVAL, ["below", "beyond"]),
        (SUMS_RU, ["below", "beyond"]),
        ("It weighs no more than 5 kg.", ["below"]),
        ("Он весит не более 5 кг.", ["below"]),
        ("It weighs 5 kg.", [""]),
        ("From below 5 to above 7 kg.", [""]),
    ],
)
def test_which_side_of_a_limit_a_part_speaks_of(text: str, sides: list[str]) -> None:
    """“No more than” lies below it; what speaks of both sides speaks of neither."""
    assert sides == [one.side for one in segments(read(text))]


@pytest.mark.parametrize(
    ("quote", "claim", "holds"),
    [
        (APPROVAL, "Owen Park approves claims of up to £500.", True),
        (APPROVAL, "Claims above £500 go to Helga Stein.", True),
        (APPROVAL, "Helga Stein approves claims up to £500.", False),
        (APPROVAL, "Claims of more than £500 go to Owen Park.", False),
        (SUMS_RU, "Отчёты выше 50 000 рублей утверждает Галина Штольц.", True),
        (SUMS_RU, "Отчёты до 50 000 рублей утверждает Олег Паршин.", True),
        (SUMS_RU, "Отчёты до 50 000 рублей утверждает Галина Штольц.", False),
        (SUMS_RU, "С отчётом больше 50 000 рублей идут к Олегу Паршину.", False),
    ],
)
def test_nobody_is_put_on_the_other_side_of_a_limit(quote: str, claim: str, holds: bool) -> None:  # noqa: FBT001
    """Two approvers share one sum: whose it is up to, and whose above."""
    assert holds == (fault_of_roles(claim, Backing(quote, "", "")) is None)
