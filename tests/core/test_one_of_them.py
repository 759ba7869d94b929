"""A message about one item of the list before it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from core.conversation import Listed, Thread, Turn
from core.facts import Fact
from core.followup import FollowUp
from core.one_of_them import about_item, one_of_them
from core.plan import default_plan
from core.ports import Knowledge
from core.quoting import Item, items_of
from core.text import language_of
from tests.core.corpus import NAMES, NOON
from tests.core.scenes import context, facts_of

KNOWN = Knowledge(NAMES, (), "")
ASKED = "Which sites are there?"
SITES = "# Sites\n\n- North Hide, on the lagoon\n- «Salt House» — a museum\n- the mill\n"
TOOLS = "# Стек\n\n- RAG — ответы\n- Kafka 2.8 — шина\n"


def listing(*keys: str, asked: str = ASKED) -> Turn:
    """Return a turn whose answer was a list of these items."""
    listed = Listed("k", asked, asked, default_plan(asked), keys, 0)
    return Turn(asked, asked, (), answered=True, asked_at=NOON, listed=listed)


def said(text: str) -> Turn:
    """Return a turn with an answer that was no list."""
    return Turn(text, text, (), answered=True, asked_at=NOON + timedelta(minutes=1))


def meant(text: str, *turns: Turn) -> tuple[str, str, bool] | None:
    """Return the item that is meant, the words by which, and whether nothing else is said."""
    one = one_of_them(text, Thread("t", turns or (listing("a", "b", "c"),)))
    return one and (one.key, text[one.start : one.end], one.is_all)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the first one", ("a", "the first one", True)),
        ("And the second?", ("b", "the second", True)),
        ("Tell me about the third one, please", ("c", "the third one", True)),
        ("What about the last of them?", ("c", "the last of them", True)),
        ("Who leads the second one?", ("b", "the second one", False)),
        ("Первая?", ("a", "Первая", True)),
        ("А вторую?", ("b", "вторую", True)),
        ("Расскажи подробнее про третью", ("c", "третью", True)),
        ("что насчёт последнего", ("c", "последнего", True)),
        ("Сколько стоит вторая из них?", ("b", "вторая из них", False)),
        ("А у третьего какой стек?", ("c", "третьего", False)),
        ("Какой стек у первого?", ("a", "первого", False)),
    ],
)
def test_words_for_a_place_mean_the_item_that_stood_there(text: str, expected: tuple[str, str, bool]) -> None:
    """By themselves, behind "tell me about", or within a question that says that they stand for one of several."""
    assert expected == meant(text)


@pytest.mark.parametrize(
    "text",
    [
        "the fourth one",
        "Who was the first one?",
        "What happened on the first day?",
        "In the first place, why?",
        "Кто был первым?",
        "Какая была первая из них?",
        "Какой этаж первый?",
        "На первом этаже что?",
        "one of them",
        "Which of them?",
    ],
)
def test_other_words_mean_no_item(text: str) -> None:
    """One too many, what asks who came first, and what goes on with a noun."""
    assert meant(text) is None


def test_the_list_is_the_latest_one_but_for_questions_about_its_items() -> None:
    """After "the first one", "and the second?" is of the same list; an answer that is none ends it."""
    first = listing("x", asked="Tell me about the first one")

    assert ("b", "the second", True) == meant("and the second?", listing("a", "b"), first)
    assert meant("the second one", listing("a", "b"), said("Why is that?")) is None
    assert meant("the first one", listing("a")) is None
    old = replace(listing("x", "y"), asked_at=NOON - timedelta(days=1))
    replied = Thread("t", (old, listing("a", "b")), answers=old)
    assert "x" == getattr(one_of_them("the first one", replied), "key", None)


def asked(text: str, *facts: Fact) -> FollowUp | None:
    """Return the question about an item of the list of the facts."""
    found = context(*facts, question=ASKED, lists=True)
    facts = tuple(replace(fact, structural=True) for fact in found.facts)
    items: tuple[Item, ...] = items_of(replace(found, facts=facts))
    one = one_of_them(text, Thread("t", (listing(*(item.keys[0] for item in items)),)))
    assert one
    return about_item(one, text, items, KNOWN, language_of(text))


@pytest.mark.parametrize(
    ("text", "page", "question", "entities", "own"),
    [
        ("the first one", TOOLS, "Tell me about RAG", ("rag",), False),
        ("Первая?", TOOLS, "Расскажи про RAG", ("rag",), False),
        ("Where was the first one used?", TOOLS, "Where was RAG used?", ("rag",), False),
        ("А у первой какие проекты?", TOOLS, "А какие проекты? (RAG)", ("rag",), False),
        ("Какие проекты у первой?", TOOLS, "Какие проекты? (RAG)", ("rag",), False),
        ("the first one", SITES, "Tell me about North Hide", (), True),
        ("the second one", "# Стек\n\n- RAG: answers\n- bus, for RAG\n", "Tell me about bus", (), True),
        ("What does the second one cost?", SITES, "What does Salt House cost?", (), True),
        ("Сколько стоит третья из них?", SITES, "Сколько стоит the mill?", (), True),
    ],
)
def test_the_item_is_asked_about_by_what_it_begins_with(
    text: str,
    page: str,
    question: str,
    entities: tuple[str, ...],
    own: bool,  # noqa: FBT001 - a value of the table
) -> None:
    """A known thing by its listed name; else the documents' words are looked for, and no later question holds them."""
    found = asked(text, *facts_of("a.md", page))

    assert found
    assert (question, entities) == (found.question, found.carried.entities)
    assert (text if own else None) == found.own
    assert found.again


def test_of_items_of_several_pages_each_is_its_page() -> None:
    """Whatever its words name: they tell of the page."""
    both = (*facts_of("a.md", "# Here\n\n- RAG is used\n"), *facts_of("b.md", "# There\n\n- RAG was used once\n"))
    found = asked("the first one", *both)

    assert found
    assert () == found.carried.entities


def test_an_item_that_is_gone_is_nobodys() -> None:
    """The documents have changed since: then the message is read as any other."""
    one = one_of_them("the first one", Thread("t", (listing("a", "b"),)))

    assert one
    assert about_item(one, "the first one", (), KNOWN, "en") is None
