"""Lists under headings that say a part of the question, the rest of which their page says where it opens."""

import pytest

from core.asked import SHOWS
from core.evidence import Unit
from core.headed import openings
from core.text import terms
from tests.core.scenes import facts_of
from tests.core.test_headed import told

BARN = """# Barn

Forty cows stand here, and one bull.

The milk goes to town.

## Feed

- hay
- silage

## Yard

The gate is shut at night.
"""
BARN_RU = """# Коровник

Здесь стоят сорок коров и один бык.

## Рацион

- сено
- силос

## Двор

На ночь ворота закрывают.
"""
CENTRE = """# Centre

The centre is open to visitors.

## Getting here

- bus 41
- the dyke

## What you get

- lunch
"""


@pytest.mark.parametrize(
    ("question", "page", "expected"),
    [
        ("What belongs to the feed of the cows?", BARN, ["hay", "silage"]),
        ("Что входит в рацион коров?", BARN_RU, ["сено", "силос"]),
    ],
)
def test_what_the_page_opens_with_stands_over_its_lists(question: str, page: str, expected: list[str]) -> None:
    """Whose feed it is the page says in its first sentence alone."""
    assert expected == told(question, *facts_of("a.md", page), lists=False)


def test_a_page_opens_with_what_stands_first_over_all_of_its_headings() -> None:
    """Neither its second paragraph nor what stands under a heading is how it opens."""
    facts = facts_of("a.md", BARN)
    units = [Unit(1, fact, part, 0.0, 0.0, 0.0) for fact in facts for part in fact.parts]

    assert {"a.md": "Forty cows stand here, and one bull."} == openings(units)
    assert openings(units) == openings(units[::-1])
    assert {} == openings([unit for unit in units if unit.fact.place.headings])


GALLERY = "# Textile Gallery\n\nGallery 7 holds looms.\n\n## Highlights\n\n- a dress\n- a tapestry\n"
FARM_RU = "# Экскурсии на ферме\n\nПо субботам.\n\n## Чего нельзя делать\n\n- курить\n- кормить\n"


@pytest.mark.parametrize(
    ("question", "page", "expected"),
    [
        ("What can be seen in the Textile Gallery?", GALLERY, ["a dress", "a tapestry"]),
        ("Что запрещено на ферме?", FARM_RU, ["курить", "кормить"]),
    ],
)
def test_what_a_heading_says_in_another_word_is_held_by_its_page(question: str, page: str, expected: list[str]) -> None:
    """The word of the question weighs most, and stands nowhere."""
    weights = tuple((term, 9.0 if term in terms("seen запрещено") else 1.0) for term in terms(question))

    assert expected == told(question, *facts_of("a.md", page), lists=False, weights=weights)


def test_small_words_say_a_heading_only_where_all_else_stands_over_it() -> None:
    """What they get in winter may be something else than what they get."""
    question = "What do visitors of the centre get in winter?"

    assert ["lunch"] != told(question, *facts_of("a.md", CENTRE), near="open to visitors", lists=False)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How do I get to the centre?", ["bus 41", "the dyke"]),
        ("What do visitors of the centre get?", ["lunch"]),
    ],
)
def test_a_heading_of_small_words_goes_before_what_names_the_thing(question: str, expected: list[str]) -> None:
    """Nothing that is searched for tells what is asked of it, and the heading does."""
    assert expected == told(question, *facts_of("a.md", CENTRE), near="open to visitors", lists=False)


@pytest.mark.parametrize(
    ("question", "heading", "items"),
    [("List the tours", "Tours", ["Dawn", "Dusk"]), ("Перечисли экскурсии", "Экскурсии", ["Заря", "Закат"])],
)
def test_a_word_that_only_asks_to_list_weighs_nothing(question: str, heading: str, items: list[str]) -> None:
    """It stands nowhere, and the list is headed by all the rest."""
    page = f"# Spit\n\n## {heading}\n\n- {items[0]}\n- {items[1]}\n"
    weights = tuple((term, 9.0 if term in SHOWS else 1.0) for term in terms(question))

    assert items == told(question, *facts_of("a.md", page), near="nothing", weights=weights)
