"""A quote that was copied with marks, with a gap or under another number leads to the words that it is made of."""

import pytest

from core.answer import Pointer
from core.pointing import pointed
from core.proof.quotes import find_quote
from tests.core.scenes import context, facts_of

FEES = "# Fees\n\nThe fee is 20 euros a day for staff — and 25 euros for visitors.\n"
SROKI = "# Сроки\n\nСрок возврата — 14 дней для билетов, купленных онлайн.\n"
FACTS = (*facts_of("fees.md", FEES), *facts_of("sroki.md", SROKI))
GIVEN = context(*FACTS)


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        ("The fee is 20 euros a day for staff.", "The fee is 20 euros a day for staff"),
        ("“The fee is 20 euros a day for staff.”", "The fee is 20 euros a day for staff"),
        ('"The fee is 20 euros"', "The fee is 20 euros"),
        ("...20 euros a day for staff…", "20 euros a day for staff"),
        ("[…] 20 euros a day [...]", "20 euros a day"),
        ("**The fee** is `20 euros`", "The fee is 20 euros"),
        ("> The fee is 20 euros", "The fee is 20 euros"),
        ("for staff -- and 25 euros", "for staff — and 25 euros"),
        ("for staff &mdash; and 25 euros", "for staff — and 25 euros"),
        ("«Срок возврата — 14 дней»", "Срок возврата — 14 дней"),
        ("Срок возврата – 14 дней.", "Срок возврата — 14 дней"),
        ("Cрок возврата — 14 дней", "Срок возврата — 14 дней"),
        ("_Срок возврата_ — 14 дней…", "Срок возврата — 14 дней"),
        ("The fee is 20 euros a day for the staff", None),
        ("The fee is 25 euros", None),
        ("…", None),
        ("«»", None),
        ("**", None),
    ],
)
def test_the_marks_of_a_copy_are_not_looked_for(quote: str, words: str | None) -> None:
    """What stands around a quote and in it as marks may be there; another word may not."""
    found = [span.within(fact.text) for fact in FACTS if (span := find_quote(quote, fact.text))]

    assert ([words] if words else []) == found


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        (Pointer(1, "The fee is 20 euros … for visitors"), [(1, "The fee is 20 euros"), (1, "for visitors")]),
        (Pointer(1, "The fee is [...] 25 euros."), [(1, "The fee is"), (1, "25 euros")]),
        (Pointer(1, "Срок возврата — 14 дней."), [(2, "Срок возврата — 14 дней")]),
        (Pointer(2, "The fee is 20 euros a day."), [(1, "The fee is 20 euros a day")]),
        (Pointer(1, "for visitors … The fee is"), [(1, "for visitors … The fee is")]),
        (Pointer(1, "The fee is … 30 euros"), [(1, "The fee is … 30 euros")]),
        (Pointer(2, "20 euros"), [(2, "20 euros")]),
        (Pointer(99, "The fee is 20 euros a day"), [(99, "The fee is 20 euros a day")]),
    ],
)
def test_a_quote_leads_to_its_words(pointer: Pointer, expected: list[tuple[int, str]]) -> None:
    """To both of its pieces in their order, or to the only fact that has it; else it stays as it is."""
    assert expected == [(one.fact, one.quote) for one in pointed([pointer], GIVEN)]


def test_words_that_stand_in_two_facts_lead_to_neither() -> None:
    """Where two others have them nobody knows which was meant."""
    twice = context(*FACTS, *facts_of("again.md", SROKI))
    pointer = Pointer(1, "Срок возврата — 14 дней")

    assert (pointer,) == pointed([pointer], twice)
