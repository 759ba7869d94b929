"""Where several pages answer otherwise, what somebody gave authority is told first, and the others are named."""

from dataclasses import replace

import pytest

from core.facts import Fact
from tests.core.scenes import facts_of
from tests.core.test_headed import told


def page(name: str, title: str, words: str, authority: int = 0) -> Fact:
    """Return the one fact of a page."""
    (fact,) = facts_of(name, f"# {title}\n\n{words}\n")
    return replace(fact, source=replace(fact.source, authority=authority))


@pytest.mark.parametrize(
    ("question", "policy", "note"),
    [
        (
            "How far ahead are flights booked?",
            ("Travel policy", "Flights are booked 14 days ahead."),
            ("Notes", "The travel policy says that flights are booked 2 days ahead."),
        ),
        (
            "За сколько дней бронируют билеты?",
            ("Правила поездок", "Билеты бронируют за 14 дней."),
            ("Заметки", "В правилах поездок сказано, что билеты бронируют за 2 дня."),
        ),
    ],
)
@pytest.mark.parametrize("authority", [0, 5])
def test_what_has_authority_is_told_first(
    question: str, policy: tuple[str, str], note: tuple[str, str], authority: int
) -> None:
    """A note that lies about a page stands before it by itself; both are told."""
    facts = (page("note.md", *note), page("policy.md", *policy, authority=authority))
    said = told(question, *facts)

    assert {policy[1], note[1]} == set(said)
    assert (policy[1] == said[0]) == (authority > 0)
