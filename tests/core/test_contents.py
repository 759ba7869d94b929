"""What belongs to a thing is the list of its page."""

from dataclasses import replace

import pytest

from core.contents import contents_of
from core.entities import name_term
from core.evidence import ranked_units
from core.text import terms
from tests.core.scenes import context, facts_of

RELEASE = "# Loom 4\n\nOut since May.\n\n## All changes\n\n1. New dials.\n2. A quieter belt.\n"
RELEASE_RU = "# Станок 4\n\nВышел в мае.\n\n## Все изменения\n\n1. Новые ручки.\n2. Тихий ремень.\n"
MORE = "\n## Known faults\n\n- The lamp flickers.\n- The lid sticks.\n"
NAME = name_term("loom")


def told(question: str, page: str, *beside: str) -> list[str]:
    """Return what belongs to the thing that the question names, by the page of that name."""
    facts = [replace(fact, score=0.5, around=fact.around | {NAME}) for fact in facts_of("a.md", page)]
    weights = ((NAME, 1.0), *((term, 1.0) for word in beside for term in terms(word)))
    asked = context(*facts, question=question, weights=weights)
    return [unit.words for unit in contents_of(ranked_units(asked), asked)]


@pytest.mark.parametrize(
    ("question", "verb", "page", "items"),
    [
        ("What came with Loom 4?", "came", RELEASE, ["New dials.", "A quieter belt."]),
        ("What is new in Loom 4?", "new", RELEASE, ["New dials.", "A quieter belt."]),
        ("Что вошло в Станок 4?", "вошло", RELEASE_RU, ["Новые ручки.", "Тихий ремень."]),
    ],
)
def test_the_only_list_of_a_page_is_what_belongs_to_it(question: str, verb: str, page: str, items: list[str]) -> None:
    """Whatever its heading says."""
    assert items == told(question, page, verb)


@pytest.mark.parametrize(
    ("question", "beside", "page"),
    [
        ("What came with Loom 4?", ("came",), RELEASE + MORE),
        ("What licence came with Loom 4?", ("licence", "came"), RELEASE),
        ("Does Loom 4 include a lamp?", ("include",), RELEASE),
        ("What does Loom 4 weigh?", ("weigh",), RELEASE),
        ("Что вошло в Станок 4?", ("вошло",), RELEASE_RU + MORE),
        ("Что из мебели вошло в Станок 4?", ("мебели", "вошло"), RELEASE_RU),
    ],
)
def test_no_list_is_told_where_it_may_be_another(question: str, beside: tuple[str, ...], page: str) -> None:
    """Of two lists either may be meant, and what says more than that asks for something of its own."""
    assert [] == told(question, page, *beside)
