"""Lists in lists: an item that is asked for is told with what stands under it."""

import pytest

from core.answer import DraftClaim
from core.facts import Fact
from core.nested import children_of
from core.quoting import draft_quotes
from tests.core.scenes import facts_of
from tests.core.test_quoting import asked

DUTIES = """# Kitchen

- Daily duties
  - wipe the counters
  - empty the bins
- Weekly duties, in pairs
  - clean the oven
  - thaw the freezer
    - on Mondays only
- Monthly duties
  - check the alarm
"""
DUTIES_RU = """# Кухня

- Ежедневно
  - протереть столы
- Еженедельно
  - помыть духовку
  - разморозить морозильник
- Ежемесячно
  - проверить сигнализацию
"""
EN, RU = facts_of("duties.md", DUTIES), facts_of("duties-ru.md", DUTIES_RU)


def told(question: str, facts: tuple[Fact, ...], near: str) -> list[tuple[str | None, str]]:
    """Return what is quoted, each with its group."""
    claims: tuple[DraftClaim, ...] = draft_quotes(asked(question, *facts, near=near)).claims
    return [(claim.group, claim.text) for claim in claims]


@pytest.mark.parametrize(
    ("question", "facts", "near", "group", "items"),
    [
        ("List the daily duties", EN, "Daily", "Daily duties", ["wipe the counters", "empty the bins"]),
        ("Что делать еженедельно?", RU, "Еженедельно", "Еженедельно", ["помыть духовку", "разморозить морозильник"]),
    ],
)
def test_an_item_that_is_asked_for_heads_what_is_under_it(
    question: str, facts: tuple[Fact, ...], near: str, group: str, items: list[str]
) -> None:
    """By itself it would give the question back."""
    assert [(group, item) for item in items] == told(question, facts, near)


def test_an_item_that_says_more_is_told_with_what_is_under_it() -> None:
    """“In pairs” is an answer too."""
    found = [words for _, words in told("What are the weekly duties?", EN, "Weekly")]

    assert ["Weekly duties, in pairs", "clean the oven", "thaw the freezer", "on Mondays only"] == found


@pytest.mark.parametrize("question", ["Are there weekly duties?", "How many weekly duties are there?"])
def test_what_asks_for_no_list_is_answered_by_the_item(question: str) -> None:
    """A yes, a no or a number stands in the item itself or nowhere."""
    assert "clean the oven" not in [words for _, words in told(question, EN, "Weekly")]


def test_a_list_that_is_told_whole_stays_one_list() -> None:
    """Whoever asks for the duties of the kitchen is given its kinds of duties first."""
    found = [words for _, words in told("What are the duties?", EN, "duties")]

    assert ["Daily duties", "Weekly duties, in pairs", "Monthly duties"] == found


def test_what_stands_under_an_item_ends_where_its_list_goes_on() -> None:
    """The last item's end with the lists; another list behind a paragraph is not its own."""
    [fact] = facts_of("a.md", DUTIES + "\nBesides:\n\n- be kind\n")
    words = {str(fact.words(part.span)): part for part in fact.parts}
    under = {name: [str(fact.words(one.span)) for one in children_of(part, fact.parts)] for name, part in words.items()}

    assert ["wipe the counters", "empty the bins"] == under["Daily duties"]
    assert ["on Mondays only"] == under["thaw the freezer"]
    assert ["check the alarm"] == under["Monthly duties"]
    assert [] == under["empty the bins"] == under["be kind"] == under["Besides:"]
