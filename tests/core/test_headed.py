"""Lists as wholes: what stands under what is asked is the answer, item by item."""

from dataclasses import replace
from typing import Any

import pytest

from core.context import AnswerContext
from core.entities import name_term
from core.facts import Fact, Sought
from core.headed import lists_the_counted
from core.ingest.addresses import title_key
from core.quoting import draft_quotes
from core.text import terms
from tests.core.scenes import context, facts_of

LAB = """# Laboratory

The laboratory has rooms for twelve people, and its rules are old.

## Rules

- Gloves are worn.
- The rules of the fire brigade hold.
- Nobody eats here.

## What we buy

- oil
- glass

## What we do not buy

- sugar
- paint

## Safety

Talk of safety first. In a fire the guide takes:

- the list of names;
- the red bag.
"""
LAB_RU = """# Лаборатория

В лаборатории двенадцать мест, её правила старые.

## Правила

- Перчатки надевают все.
- Правила пожарных действуют и здесь.
- Здесь не едят.

## Что покупаем

- масло
- стекло

## Что не покупаем

- сахар
- краску

## Безопасность

О безопасности говорят сначала. При пожаре берут с собой:

- список людей;
- красную сумку.
"""


def told(question: str, *facts: Fact, near: str = "", lists: bool = True, **known: Any) -> list[str]:
    """Return what is told, where all is a little near to the question and what holds some words is nearer."""
    return [claim.text for claim in draft_quotes(weighed(question, *facts, near=near, lists=lists, **known)).claims]


def weighed(question: str, *facts: Fact, near: str = "", **known: Any) -> AnswerContext:
    """Return the context of a question to which all is a little near, and what holds some words is nearer."""
    found = []
    for fact in facts:
        parts = [replace(part, similarity=_near(fact, part.span, near)) for part in fact.parts]
        above = " ".join((fact.source.title, *fact.place.headings))
        found.append(replace(fact, score=0.5, parts=tuple(parts), around=fact.around.union(terms(above))))
    weights = tuple((term, 1.0) for term in dict.fromkeys(terms(question)))
    return context(*found, question=question, **{"weights": weights, **known})


def _near(fact: Fact, span: Any, near: str) -> float:
    return 0.9 if near and near in fact.words(span) else 0.3


EN, RU = facts_of("lab.md", LAB), facts_of("lab-ru.md", LAB_RU)


@pytest.mark.parametrize(
    ("question", "facts", "near", "first", "count"),
    [
        ("What are the rules of the laboratory?", EN, "The laboratory has", "Gloves are worn.", 3),
        ("Какие правила в лаборатории?", RU, "В лаборатории", "Перчатки надевают все.", 3),
    ],
)
def test_the_list_under_the_heading_that_is_said_is_told_whole(
    question: str, facts: tuple[Fact, ...], near: str, first: str, count: int
) -> None:
    """Neither a sentence that repeats the question nor the item that holds a word of it stands for the list."""
    said = told(question, *facts, near=near)

    assert (first, count) == (said[0], len(said))


@pytest.mark.parametrize(
    ("question", "facts", "expected"),
    [
        ("Which things do we buy for the laboratory?", EN, ["oil", "glass"]),
        ("Which things do we not buy for the laboratory?", EN, ["sugar", "paint"]),
        ("Какие вещи покупаем для лаборатории?", RU, ["масло", "стекло"]),
        ("Какие вещи не покупаем для лаборатории?", RU, ["сахар", "краску"]),
    ],
)
def test_a_heading_that_denies_is_another(question: str, facts: tuple[Fact, ...], expected: list[str]) -> None:
    """What is not bought is no answer to what is bought."""
    assert expected == told(question, *facts)


@pytest.mark.parametrize(
    ("question", "facts", "expected"),
    [
        ("Which things does the guide take in a fire?", EN, ["the list of names;", "the red bag."]),
        ("Какие вещи берут при пожаре?", RU, ["список людей;", "красную сумку."]),
    ],
)
def test_what_introduces_a_list_heads_it(question: str, facts: tuple[Fact, ...], expected: list[str]) -> None:
    """The last sentence before a list says what it is of, also where the heading says something else."""
    assert expected == told(question, *facts)


@pytest.mark.parametrize(("question", "facts"), [("Rules?", EN), ("Правила?", RU)])
def test_all_that_is_asked_may_head_a_list(question: str, facts: tuple[Fact, ...]) -> None:
    """No word for a list is needed where nothing else speaks more."""
    assert 3 == len(told(question, *facts, near="worn" if facts is EN else "надевают", lists=False))


def test_a_sentence_that_says_more_than_a_heading_answers() -> None:
    """A question that asks for no list is answered by what is nearest to it."""
    said = told("How are the rules for twelve people?", *EN, near="twelve", lists=False)

    assert ["The laboratory has rooms for twelve people, and its rules are old."] == said


def test_one_item_answers_what_asks_for_no_list() -> None:
    """Beyond its heading a question may ask for what one item says."""
    facts = facts_of("lab.md", LAB.replace("fire brigade", "112 brigade"))

    assert ["The rules of the 112 brigade hold."] == told("Rules of the 112 brigade?", *facts, lists=False)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which trips are there in 2026?", ["Bath 2026", "York 2026"]),
        ("Which trips are there to the sea?", ["Deal by the sea", "Hove by the sea"]),
        ("Which trips are there to York?", ["York 2026"]),
        ("Which trips cost much?", ["Bath 2026", "York 2026", "Deal by the sea", "Hove by the sea", "Cork at a cost"]),
    ],
)
def test_items_that_alone_hold_the_rest_stand_for_all(question: str, expected: list[str]) -> None:
    """A name or a number may single out one; a common word that one item happens to hold singles out none."""
    page = "# Plans\n\n## Trips\n\n- Bath 2026\n- York 2026\n- Deal by the sea\n- Hove by the sea\n- Cork at a cost\n"
    names = ("York",) if "York" in question else ()

    assert expected == told(question, *facts_of("plans.md", page), near="20", names=names)


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("What do the horses have for rations?", "# Barn\n\n## Rations\n\n- hay\n- oats\n"),
        ("Какой рацион у лошадей?", "# Коровник\n\n## Рацион\n\n- сено\n- овёс\n"),
    ],
)
def test_a_heading_does_not_outweigh_a_word_that_stands_nowhere(question: str, page: str) -> None:
    """What the cows eat is no answer about the horses."""
    assert [] == told(question, *facts_of("barn.md", page))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many rules has the laboratory?", 3),
        ("How many rooms for guests has the laboratory?", 0),
        ("Is there a list of rules in the laboratory?", 0),
    ],
)
def test_a_count_is_of_what_the_list_is_headed_by(question: str, expected: int) -> None:
    """Rules are no rooms, and a yes or a no is no list."""
    listed = [one for one in told(question, *EN) if one in ("Gloves are worn.", "Nobody eats here.")]

    assert bool(expected) == bool(listed)


CAKE = "# Lemon cake\n\nBakes for one hour.\n\n## Ingredients\n\n- 2 lemons\n- 200 g of flour\n- 3 eggs\n- some salt\n"
CAKE_RU = "# Лимонный пирог\n\nПечётся один час.\n\n## Продукты\n\n- 2 лимона\n- 200 г муки\n- 3 яйца\n- соль\n"


@pytest.mark.parametrize(
    ("question", "page", "expected"),
    [
        ("How many lemons are in the lemon cake?", CAKE, ["2 lemons"]),
        ("Сколько лимонов в лимонном пироге?", CAKE_RU, ["2 лимона"]),
    ],
)
def test_an_item_that_counts_the_thing_answers_how_many(question: str, page: str, expected: list[str]) -> None:
    """The title says what the list is of; how many there are of its parts, the part says itself."""
    assert expected == told(question, *facts_of("cake.md", page))


@pytest.mark.parametrize(
    ("question", "page", "expected"),
    [
        ("How many lemons are in the lemon cake?", CAKE.replace("- 2 lemons\n", ""), False),
        ("Сколько лимонов в лимонном пироге?", CAKE_RU.replace("- 2 лимона\n", ""), False),
        ("How many ingredients has the lemon cake?", CAKE, True),
        ("Сколько продуктов в лимонном пироге?", CAKE_RU, True),
        ("How many lemons are in the lemon cake?", CAKE, False),
    ],
)
def test_a_word_that_qualifies_a_title_heads_no_list(question: str, page: str, *, expected: bool) -> None:
    """What a lemon cake lists are not lemons, and so their number is not the number of lemons."""
    [*facts] = facts_of("cake.md", page)
    [listed] = [fact for fact in facts if any(part.kind == "item" for part in fact.parts)]

    assert expected == lists_the_counted(listed, question)


def test_who_is_told_by_a_list_that_all_of_the_question_heads() -> None:
    """Whom a list is of need not be called by name; a list about something else needs somebody in it."""
    page = "# Surgery\n\nThe queue is by date. Without waiting we operate on:\n\n- children;\n- the pregnant.\n"

    assert ["children;", "the pregnant."] == told("On whom do we operate without waiting?", *facts_of("s.md", page))
    assert "Gloves are worn." not in told("Who makes the rules of the laboratory?", *EN)


@pytest.mark.parametrize("question", ["Чего добились в Лоцмане?", "What did Lotsman bring?"])
def test_a_declared_heading_heads_what_is_asked(question: str) -> None:
    """What the corpus declares for an intent needs no word in common with the question, in whatever language."""
    page = "# Лоцман\n\n## Роль\n\n- разработчик\n- ведущий\n\n## Достижения\n\n- Быстрее вдвое.\n- Дешевле втрое.\n"
    facts = [replace(one, around=frozenset({name_term("lotsman")})) for one in facts_of("lotsman.md", page)]
    sought = (Sought(name_term("lotsman"), frozenset({title_key("Достижения")})),)
    other = (Sought(name_term("echolot"), frozenset({title_key("Достижения")})),)

    assert ["Быстрее вдвое.", "Дешевле втрое."] == told(question, *facts, sought=sought, lists=False)
    assert [] == told(question, *facts, sought=other, lists=False)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who owns the lag runbook?", True),
        ("Who owns the kitchen runbook?", False),
        ("Who wrote the lag runbook?", False),
    ],
)
def test_the_field_of_who_does_it_answers_who(question: str, *, expected: bool) -> None:
    """An owner owns; of another runbook, or of what else was done with it, the field says nothing."""
    page = "# Lag runbook\n\n**Owner:** Platform team\n**Severity:** 1\n\n## Steps\n\n1. Call the manager of the lag.\n"

    assert expected == (["Owner: Platform team"] == told(question, *facts_of("r.md", page), lists=False))


def test_a_russian_field_of_who_it_is_answers_who() -> None:
    """The label may be the very word of the question."""
    page = "# Пекарня\n\n**Владелец:** Пётр Ильин\n**Номер:** 4\n\n## Порядок\n\n1. Позвать управляющего пекарни.\n"

    assert ["Владелец: Пётр Ильин"] == told("Кто владелец пекарни?", *facts_of("b.md", page), lists=False)
