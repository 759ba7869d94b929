"""Lists that lie spread over pages: one label, one folder, many pages."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from core.calling import Tools
from core.conversation import Audience
from core.executor import run_plan
from core.facts import Fact
from core.plan import Fallback, GraphQuery, Intent, QueryPlan, Shape, default_plan
from core.ports import Found, SearchQuery
from core.quoting import draft_quotes
from core.spread import wider_search
from core.text import terms
from tests.core.corpus import EVERYBODY
from tests.core.scenes import context, facts_of

ROOMS = {"Chess Club": "Annexe", "Choir": "Music hall", "Robotics Club": "Workshop 2"}
ROOMS_RU = {"Кружок шахмат": "пристройка", "Хор": "зал музыки", "Кружок роботов": "мастерская"}


def club(title: str, label: str, room: str, folder: str = "clubs", *, superseded: bool = False) -> Fact:
    """Return the one fact of a club's page."""
    [fact] = facts_of(f"{folder}/{title}.md", f"# {title}\n\n- {label}: {room}\n- Day: Monday\n")
    source = replace(fact.source, superseded=superseded)
    return replace(fact, source=source, score=0.5, around=frozenset(terms(title)))


EN = [club(title, "Room", room) for title, room in ROOMS.items()]
DRAMA = club("Drama Club", "Room", "Stage")
RU = [club(title, "Комната", room, "кружки") for title, room in ROOMS_RU.items()]


def told(question: str, facts: Sequence[Fact], *, lists: bool = True) -> list[str]:
    """Return what is told."""
    weights = tuple((term, 1.0) for term in dict.fromkeys(terms(question)))
    made = context(*facts, question=question, weights=weights, lists=lists)
    return [claim.text for claim in draft_quotes(made).claims]


@pytest.mark.parametrize(
    ("question", "facts", "expected"),
    [
        ("In which rooms do the clubs meet?", EN, ["Room: Annexe", "Room: Music hall", "Room: Workshop 2"]),
        (
            "В каких комнатах собираются кружки?",
            RU,
            ["Комната: мастерская", "Комната: пристройка", "Комната: зал музыки"],
        ),
    ],
)
def test_what_each_page_says_under_the_label_is_one_list(question: str, facts: list[Fact], expected: list[str]) -> None:
    """The folder says what they all are, where a title does not; titles decide the order."""
    assert expected == told(question, facts)


@pytest.mark.parametrize("question", ["Who leads the clubs?", "Кто руководит: leader of the clubs?"])
def test_who_asks_of_all_that_say_it(question: str) -> None:
    """A label need not be the very word: who leads is told by who is the leader."""
    facts = [club(title, "Leader", "Ann Pell") for title in ROOMS]

    assert ["Leader: Ann Pell"] * 3 == told(question, facts, lists=False)


def test_a_page_that_holds_more_of_the_question_is_asked_for_alone() -> None:
    """The room of one club is no list."""
    assert "Room: Music hall" not in told("Which rooms does the chess club have?", EN)


def test_other_pages_and_replaced_ones_are_left_out() -> None:
    """What lies in another folder is of another kind, and who has been replaced says nothing."""
    others = [club("Old Club", "Room", "Cellar", superseded=True), club("Club of staff", "Room", "Bar", "staff")]

    assert 3 == len(told("In which rooms do the clubs meet?", [*EN, *others]))


@pytest.mark.parametrize(
    ("question", "facts"),
    [
        ("In which rooms do the clubs meet?", EN[:1]),
        ("In which rooms do the wards of the old hospital lie?", [*EN, DRAMA]),
        ("How many rooms do the clubs have?", [*EN, DRAMA]),
    ],
)
def test_what_is_no_such_list_is_not_told_as_one(question: str, facts: list[Fact]) -> None:
    """One page is not several; what pages are not called is not asked of them; and a number is no label."""
    assert len(told(question, facts)) < 4


LISTED = default_plan("In which rooms do the clubs meet?").model_copy(update={"shape": Shape.LIST})


class Shelf:
    """A search that finds two clubs, and all there are when it is asked for rooms of clubs."""

    def __init__(self, more: Iterable[Fact]) -> None:
        self.asked: list[SearchQuery] = []
        self._more = tuple(more)

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        self.asked.append(query)
        return Found(self._more if len(self.asked) > 1 else (EN[0], EN[2]), {"room": 1.0, "club": 1.0})

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        return ()


async def test_more_pages_are_looked_for_by_what_the_found_ones_share() -> None:
    """The label and the words of all titles find the others; what they say besides does not count."""
    near = replace(EN[1], score=1.0, parts=tuple(replace(part, similarity=0.9) for part in EN[1].parts))
    shelf = Shelf([EN[0], near, facts_of("clubs/x.md", "# X Club\n\nNo room.\n")[0]])

    payload = await run_plan(LISTED, "In which rooms do the clubs meet?", Tools(shelf, shelf, {}, EVERYBODY))

    assert [("In which rooms do the clubs meet?", 8), ("room Club", 20)] == [(q.text, q.limit) for q in shelf.asked]
    assert "spread" == payload.runs[-1].because
    assert [EN[0].chunk_id, EN[2].chunk_id, EN[0].chunk_id, EN[1].chunk_id] == [one.chunk_id for one in payload.facts]
    assert {0.25, 0.0} == {payload.facts[-1].score, *(part.similarity for part in payload.facts[-1].parts)}


@pytest.mark.parametrize(
    "plan",
    [
        default_plan("In which rooms do the clubs meet?"),
        LISTED.model_copy(update={"fallback": Fallback(enabled=False)}),
        LISTED.model_copy(update={"entities": ("chess",)}),
    ],
)
def test_nothing_wider_is_looked_for_without_need(plan: QueryPlan) -> None:
    """Not where no list is asked for, not where nothing may help out, and not of one name."""
    assert wider_search("In which rooms do the clubs meet?", plan, EN) is None


def test_one_page_shares_nothing() -> None:
    """With nothing in common there is nothing to look for."""
    structural = [replace(one, structural=True) for one in EN]

    assert wider_search("In which rooms do the clubs meet?", LISTED, [EN[0], *structural]) is None
    assert wider_search("Which days?", LISTED, []) is None


@pytest.mark.parametrize(
    ("question", "facts", "count"),
    [("In which rooms are the clubs located?", EN, 3), ("В каких комнатах находятся кружки?", RU, 3)],
)
def test_that_something_is_somewhere_weighs_nothing(question: str, facts: list[Fact], count: int) -> None:
    """Rare as the word is, the label says all that is asked of the things."""
    weights = tuple((term, 9.0 if term in terms("located находятся") else 1.0) for term in terms(question))
    made = context(*facts, question=question, weights=weights, lists=True)

    assert count == len(draft_quotes(made).claims)
