"""Lists that go on: who asks for the rest, and that the rest is exact."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.answer import Draft, DraftClaim, Pointer
from core.context import build_context
from core.conversation import Listed, Thread, Turn
from core.facts import Fact, FactsPayload
from core.listing import asks_for_more, completed, going_on, listed_as_data, read_listed
from core.phrases import phrase
from core.plan import Limits, default_plan
from core.render import text_of
from core.reply import Action
from core.turn import TurnRecord
from tests.core.corpus import NOON
from tests.core.test_pipeline import Memory, Shelf, ask, ports, question, told

MORE = (
    "more", "More!", "show more", "show me the rest", "the rest, please", "and the others?", "10 more", "what else?",
    "next", "ещё", "Ещё!", "еще 5", "остальные", "А остальные?", "покажи остальные", "Покажите ещё", "дальше",
    "что ещё?", "продолжай, пожалуйста",
)  # fmt: skip
NOT_MORE = (
    "more about RAG", "What about the rest of the team?", "Who else works at Aston?", "next release of Canopy",
    "ещё про RAG", "остальные проекты в Aston", "Какие ещё технологии?", "дальше по карьере Дмитрия", "", "а?",
)  # fmt: skip


@pytest.mark.parametrize("text", MORE)
def test_the_rest_is_asked_for_in_a_few_words(text: str) -> None:
    """A message that says nothing but "more" asks for more, in both languages."""
    assert asks_for_more(text)


@pytest.mark.parametrize("text", NOT_MORE)
def test_what_names_a_subject_asks_for_something_else(text: str) -> None:
    """A message with a subject of its own is a question, whatever word it begins with."""
    assert not asks_for_more(text)


PLAN = default_plan("RAG?").model_copy(update={"limits": Limits(max_items=3)})
LISTED = Listed("k1", "RAG?", "Where is RAG used?", PLAN, ("a", "b"), 4)


def thread(*lists: Listed | None) -> Thread:
    """Return a thread whose turns hold these lists."""
    turns = tuple(Turn("q", "q", (), answered=True, asked_at=NOON, listed=one) for one in lists)
    return Thread("console:1", turns)


def test_only_the_last_reply_goes_on_by_asking() -> None:
    """After another answer, or at the end of a list, "more" is no certain word any more."""
    done = replace(LISTED, remaining=0)

    assert LISTED == going_on("ещё", thread(None, LISTED))
    assert [None] * 3 == [going_on("more", known) for known in (thread(LISTED, None), thread(done), thread())]


def test_a_reply_to_a_list_goes_on_with_that_list() -> None:
    """Whoever answers to a message means that one, whatever was said since."""
    known = thread(LISTED, None)

    further = replace(LISTED, seen=("a", "b", "c"), remaining=3)

    assert LISTED == going_on("ещё", replace(known, answers=known.turns[0]))
    assert further == going_on("more", replace(thread(LISTED, further, None), answers=known.turns[0]))
    assert going_on("more", replace(thread(None, LISTED), answers=known.turns[1])) is None


def test_a_list_before_the_window_goes_on_by_its_button_alone() -> None:
    """Where later turns are read, "more" is about these; where none are, the last one that is known is meant."""
    known = thread(LISTED)

    assert LISTED == going_on("Show 3 more", replace(thread(None), before=known.turns), "k1")
    assert going_on("more", replace(thread(None), before=known.turns)) is None
    assert LISTED == going_on("ещё", replace(thread(), before=known.turns))


def test_a_button_finds_its_list() -> None:
    """A press goes on with the list that it stood under, as far as that was shown since; an unknown one with none."""
    further = replace(LISTED, seen=("a", "b", "c"), remaining=3)
    known = thread(LISTED, further, None)

    assert further == going_on("Show 3 more", known, "k1")
    assert going_on("Show 3 more", known, "k2") is None


def test_what_is_stored_of_a_list_comes_back() -> None:
    """A list survives as JSON; what cannot be read is no list."""
    data = listed_as_data(LISTED)

    assert LISTED == read_listed(data)
    assert [None] * 3 == [read_listed(bad) for bad in (None, {}, {**data, "plan": {"intents": []}})]


def items(count: int, language: str = "en") -> list[Fact]:
    """Return facts of the graph, each a sentence of its own."""
    word = "Depot number" if language == "en" else "Склад номер"
    return [told(f"{word} {number} is with RAG.", doc=f"{number}.md") for number in range(count)]


async def pages(memory: Memory, shelves: Sequence[Shelf], more: str = "more") -> list[TurnRecord]:
    """Return the records of a list and of asking for more, each over the shelf of its turn."""
    first = question()
    asked = [first, *(question(more, number) for number in range(2, len(shelves) + 1))]
    return [await ask(ports(shelf, memory=memory), one) for shelf, one in zip(shelves, asked, strict=True)]


def said(records: Sequence[TurnRecord]) -> list[str]:
    """Return everything that was listed."""
    return [claim.text for record in records for claim in record.answer.claims]


@pytest.mark.parametrize("count", [1, 9, 10, 11, 20, 34])
@pytest.mark.parametrize("language", ["en", "ru"])
async def test_the_pages_are_the_list(count: int, language: str) -> None:
    """However long a list is, its pages hold all of it in order, nothing twice, and each says what is left."""
    known = items(count, language)
    turns = -(-count // 10)
    records = await pages(Memory(), [Shelf(known)] * turns, "ещё" if language == "ru" else "the rest")

    assert sorted(str(one.text) for one in known) == sorted(said(records))
    assert 0 == records[-1].answer.remaining
    for place, record in enumerate(records):
        assert count - len(said(records[: place + 1])) == record.answer.remaining


async def test_the_rest_needs_no_model_and_no_new_plan() -> None:
    """The same look-up goes on; the decision says why, and the button of the reply says how many come."""
    first, second = await pages(Memory(), [Shelf(items(12))] * 2)

    assert first.listed is not None
    assert "list" == second.planned_by
    assert first.plan == second.plan
    assert phrase("because_list", "en") == second.decision.because
    count = min(first.answer.remaining, first.plan.limits.max_items)
    assert Action("more", phrase("show_more", "en", count=count), first.listed.key) == first.reply.actions[0]
    assert "more" not in {action.kind for action in second.reply.actions}


async def test_documents_that_change_meanwhile_are_told_of() -> None:
    """When the list has changed since, the reply says so, repeats nothing and leaves out nothing that is new."""
    before = items(12)
    new = told("Depot Nova is with RAG.", doc="nova.md")
    records = await pages(Memory(), [Shelf(before), Shelf([new, *before[1:]])])

    assert phrase("list_changed", "en") == records[1].answer.notice
    assert str(new.text) in said(records[1:])
    assert len(said(records)) == len(set(said(records)))


async def test_a_list_that_is_gone_has_an_end() -> None:
    """When nothing that was not shown is left, that is said instead of a refusal."""
    before = items(12)
    first = Memory()
    shown = said(await pages(first, [Shelf(before)]))
    left = [one for one in before if str(one.text) in shown]
    [_, last] = await pages(Memory(), [Shelf(before), Shelf(left)])

    assert (False, phrase("list_done", "en")) == (last.answer.is_refusal, text_of(last.reply))


LATENCY = [
    told("Latency fell to 95 ms.", doc="1.md"),
    told("Costs fell by 37%.", doc="2.md"),
    told("Ошибок 4.", doc="3.md"),
]


def drafted(*numbers: int) -> Draft:
    """Return a model's draft of a claim on each of these facts."""
    made = (DraftClaim(f"claim {n}", (Pointer(n, str(LATENCY[n - 1].text)),)) for n in numbers)
    return Draft(tuple(made), model="scripted")


@pytest.mark.parametrize(("numbers", "expected"), [((1, 3), [1, 2, 3]), ((1,), [1]), ((), [])])
def test_a_model_that_tells_most_of_a_list_is_completed(numbers: tuple[int, ...], expected: list[int]) -> None:
    """What a model left out of a list stands in the documents' own words in its place; a choice stays a choice."""
    known = build_context("Results?", "Results?", FactsPayload(tuple(LATENCY)), default_plan("Results?"))

    assert expected == [one.evidence[0].fact for one in completed(drafted(*numbers), known).claims]


@pytest.mark.parametrize(
    ("own", "expected"), [(None, ["INC-1", "INC-2", "INC-3"]), ("Mine", ["Mine", "INC-2", "Mine"])]
)
def test_what_a_model_told_stands_under_the_headings_of_the_rest(own: str | None, expected: list[str]) -> None:
    """Of a list with headings none of its items stands without one, because a model wrote it; its own heading stays."""
    facts = tuple(replace(fact, group=f"INC-{n}") for n, fact in enumerate(LATENCY, 1))
    known = build_context("Results?", "Results?", FactsPayload(facts), default_plan("Results?"))
    draft = drafted(1, 3)
    draft = replace(draft, claims=tuple(replace(one, group=own) for one in draft.claims))

    assert expected == [one.group for one in completed(draft, known).claims]
