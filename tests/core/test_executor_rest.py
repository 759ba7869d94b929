"""What else a looked-up page says, and what counts itself: found by a search where the look-up fell short."""

import pytest

from core.calling import Tools
from core.entities import Entity
from core.executor import run_plan
from core.facts import Fact, FactsPayload, Part, Place, Span
from core.plan import ALL_PAGES, Fallback, GraphQuery, Intent, QueryPlan, Shape
from core.text import Untrusted, terms
from tests.core.corpus import EVERYBODY, fact, intent
from tests.core.test_executor import Shelf

MARA = Entity("mara", "Mara Quint", "person", ("Мара Квинт",), page="a.md")
OPENING = fact("Mara runs the mill.", structural=True)
OVERVIEW = GraphQuery(intent="OVERVIEW", entity_id="mara")


def passage(text: str, heading: str = "More", start: int = 50) -> Fact:
    """Return a passage of the looked-up page under a heading."""
    part = Part(Span(start, start + len(text)), "paragraph", terms=frozenset(terms(text)))
    return fact(text, span=part.span, parts=(part,), place=Place((Untrusted(heading),)))


async def asked(question: str, *passages: Fact) -> list[str]:
    """Return what is found where the opening of a page was looked up."""
    shelf = Shelf([OPENING], passages, **dict.fromkeys(terms(question), 1.0))
    tools = Tools(shelf, shelf, {"OVERVIEW": intent("OVERVIEW", "overview")}, EVERYBODY, entities={"mara": MARA})
    known = QueryPlan(intents=("OVERVIEW",), tool_calls=(OVERVIEW,), fallback=Fallback())
    return [str(one.text) for one in (await run_plan(known, question, tools)).facts]


@pytest.mark.parametrize(
    ("question", "said", "heading"),
    [
        ("Who is the deputy of Mara Quint?", "Her deputy is Lev Orr.", "More"),
        ("Кто заместитель Мары Квинт?", "Её заместитель — Лев Орр.", "Ещё"),
        ("What actions followed for Mara Quint?", "A new belt.", "Action items"),
        ("Какие меры приняла Мара Квинт?", "Новый ремень.", "Перечень мер"),
    ],
)
async def test_another_place_of_the_page_answers_what_its_opening_does_not_say(
    question: str, said: str, heading: str
) -> None:
    """Where it holds the words that are asked beside the name, or stands under a heading of them."""
    assert [said] == await asked(question, passage(said, heading))


@pytest.mark.parametrize("question", ["Who is Mara Quint?", "Tell me about Mara Quint", "Кто такая Мара Квинт?"])
async def test_who_somebody_is_stays_told_by_the_opening(question: str) -> None:
    """Nothing else is asked."""
    assert [str(OPENING.text)] == (await asked(question, passage("Her deputy is Lev Orr.")))[:1]


async def counted(question: str, *passages: Fact) -> FactsPayload:
    """Return what is found where pages of people were counted, and one person has no page."""
    people = [fact(f"{name} spins.", doc=f"people/{name}.md", structural=True, kind="person") for name in ("Ann", "Bo")]
    shelf = Shelf(people, passages, **dict.fromkeys(terms(question), 1.0))
    known = {"ann": Entity("ann", "Ann", "person", page="people/Ann.md"), "cy": Entity("cy", "Cy", "person")}
    every = Intent(ALL_PAGES, "all pages", find="pages")
    tools = Tools(shelf, shelf, {ALL_PAGES: every}, EVERYBODY, entities=known)
    call = GraphQuery(intent=ALL_PAGES, entity_id="")
    plan = QueryPlan(intents=(ALL_PAGES,), tool_calls=(call,), fallback=Fallback(), shape=Shape.COUNT, among="person")
    return await run_plan(plan, question, tools)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many employees are there?", "There are 172 employees."),
        ("Сколько всего сотрудников?", "Всего 172 сотрудника."),
    ],
)
async def test_a_number_that_is_stated_goes_before_pages_counted(question: str, said: str) -> None:
    """Where not everyone has a page, pages do not tell how many there are."""
    stated, silent = [await counted(question, passage(one)) for one in (said, "Each has a locker.")]

    assert [said] == [str(one.text) for one in stated.facts]
    assert (False, False) == (stated.by_page, stated.at_least)
    assert (True, True) == (silent.by_page, silent.at_least)
