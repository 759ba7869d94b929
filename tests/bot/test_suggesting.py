"""Questions that the bot offers: made from the corpus, answered before they are offered, and for everybody to read."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.answering import Live
from bot.suggesting import Suggestions, answered_ones, candidates
from core.conversation import Audience, Question, Thread
from core.ingest.document import Block, Document
from core.plan import Intent
from tests.doubles.pages import NAMES, Pages, ports_over

ALL = Audience("T1")


def document(name: str, *headings: str, title: str = "", **known: Any) -> Document:
    """Return a document with these headings."""
    text = "\n".join(headings)
    starts = [text.index(heading) for heading in headings]
    blocks = tuple(
        Block("heading", start, start + len(said), depth=2) for start, said in zip(starts, headings, strict=True)
    )
    return Document(name, title or name, text, blocks, **known)


class Nobody:
    """Threads that fail the test when a suggestion is stored in one."""

    async def open(self, question: Question) -> Thread:
        raise AssertionError(question)

    async def close(self, *given: object) -> None:
        raise AssertionError(given)


def live(
    *documents: Document,
    examples: tuple[str, ...] = (),
    number: int = 1,
    pages: Pages | None = None,
    others: tuple[str, ...] = (),
) -> Live:
    """Return a generation of these documents that declares these examples, and others of a second kind."""
    loaded: Any = SimpleNamespace(
        documents={one.id: one for one in documents},
        domain=SimpleNamespace(intents=(Intent("X", "any", examples), Intent("Y", "any", others))),
        registry=NAMES,
    )
    return Live(number, ports_over(pages or Pages(), Nobody(), lambda _: ()), loaded)  # type: ignore[arg-type]


def texts(*documents: Document, declared: tuple[str, ...] = ()) -> list[str]:
    """Return what may be asked of the documents."""
    return [each.text for each in candidates(documents, declared)]


def test_headings_that_ask_come_first_then_examples_then_sections() -> None:
    """A section is asked for in the language of its heading, with the title of its page."""
    faq = document("faq.md", "How do I get in?", "Badges", title="Office")
    leave = document("leave.md", "Сколько дней", title="Отпуск")

    assert [
        "How do I get in?",
        "Who leads Beacon?",
        "Что сказано в «Отпуск» про «Сколько дней»?",
        "What does “Office” say about “Badges”?",
    ] == texts(faq, leave, declared=("Who leads Beacon?",))


def test_pages_take_turns_and_nothing_comes_twice() -> None:
    """The latest page first, two of each at most; a heading that many pages share, or that repeats the title, once."""
    old = document("a.md", "Why?", "When?", "Where?", "Duties", title="A", updated="2024-01-01")
    new = document("b.md", "Who?", "Duties", "B", title="B", updated="2026-01-01")
    gone = document("c.md", "Whose?", title="C", superseded=True)

    assert ["Who?", "Why?", "When?", "What does “B” say about “Duties”?"] == texts(old, new, gone)


@pytest.mark.parametrize("asked", ["Who leads Beacon?", "Кто ведёт Маяк?"])
async def test_only_what_is_answered_is_offered(asked: str) -> None:
    """Not what nothing answers, not an example that names nothing, and not what another page than its own answers."""
    moons = document("mars.md", "How many moons has Mars?")
    other = document("other.md", "Who leads Lantern?")

    assert (asked,) == await answered_ones(live(moons, other, examples=("What is project?", asked)), ALL)


async def test_one_example_of_each_kind_comes_before_a_second() -> None:
    """Four are shown at once: four ways to ask the same would tell nobody what else there is."""
    found = await answered_ones(
        live(examples=("Who leads Beacon?", "Who is Beacon led by?"), others=("Кто ведёт Маяк?",)), ALL
    )

    assert ("Who leads Beacon?", "Кто ведёт Маяк?") == found[:2]


async def test_what_not_all_may_read_is_asked_for_by_nobody() -> None:
    """Neither are its headings told, nor is it searched for anybody but the workspace as a whole."""
    secret = document("pay.md", "Who leads Beacon?", readers=frozenset({"people-team"}))
    pages = Pages()

    assert () == await answered_ones(live(secret, pages=pages), ALL)
    await answered_ones(live(examples=("Who leads Beacon?",), pages=pages), ALL)
    assert {ALL} == set(pages.audiences)


async def test_questions_are_tried_once_for_a_generation_and_a_workspace() -> None:
    """A new index, or another workspace, is another set."""
    suggestions, pages = Suggestions(), Pages()
    first = live(examples=("Who leads Beacon?",), pages=pages)
    told = [await suggestions.of(first, ALL) for _ in range(2)]
    searched = len(pages.audiences)
    await suggestions.of(first, Audience("T2"))
    later = await suggestions.of(live(number=2, pages=pages), ALL)

    assert [("Who leads Beacon?",)] * 2 == told
    assert searched < len(pages.audiences)
    assert () == later
