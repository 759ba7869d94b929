"""The channel gate: what nobody addressed to the bot is taken only when words and documents both say so."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.addressed import Evidence, evidence_in, is_small_talk, judged, may_be_for_us, odds_of, passed_over
from core.conversation import Aside, Audience, Question
from core.errors import ModelTimeout, PortError, SearchError
from core.facts import Fact, Part, Source, Span
from core.ports import Completion, Found, ModelRequest, SearchQuery
from core.text import Untrusted, terms
from tests.core.corpus import EVERYBODY, NOON

KNOWN, UNKNOWN = Evidence(1.0, 0.6, 1), Evidence(0.0, 0.1)


def question(text: str) -> Question:
    """Return the message as the question that it may be."""
    return Question("slack:T1:C1:1", "slack", "slack:T1:C1:1", text, "U1", EVERYBODY, NOON, overheard=True)


@pytest.mark.parametrize(
    "text",
    [
        "How many days of leave do we get?",
        "does anyone know who leads Project Lantern",
        "Hi all, where do I find the travel policy?",
        "Сколько дней отпуска нам положено?",
        "Коллеги, подскажите, кто руководит проектом Лоцман?",
        "Есть ли у Дмитрия опыт с Kafka?",
    ],
)
def test_a_question_to_everybody_that_documents_know_is_taken(text: str) -> None:
    """It needs no mention; where the documents know nothing of it, it is left alone all the same."""
    assert may_be_for_us(Aside(question(text)))
    assert ("taken", "passed") == (judged(text, KNOWN), judged(text, UNKNOWN))


@pytest.mark.parametrize(
    "text",
    [
        "Thanks a lot!",
        "Tomasz, how many days do you have left?",
        "Can you send me the travel policy?",
        "who wants to lead Project Lantern tomorrow?",
        "Why is it always the gateway?",
        "I asked HR, and five days carry over",
        "Спасибо большое!",
        "Дима, сколько дней у тебя осталось?",
        "ты видел новый стек Лоцмана?",
        "Ну и кто так делает?",
        "Заказчик спрашивает, когда отдадим отчёт",
        "🎉🎉🎉",
        "?",
        "",
    ],
)
def test_talk_among_people_is_left_alone(text: str) -> None:
    """Thanks, calls to one person, plans, sighs and reports, even where the documents hold every word."""
    assert not may_be_for_us(Aside(question(text)))
    assert "passed" == judged(text, KNOWN)


@pytest.mark.parametrize("text", ["How many days of leave do we get?", "Сколько дней отпуска нам положено?"])
def test_what_stands_between_people_is_theirs(text: str) -> None:
    """A reply to somebody and a mention of somebody else, whatever they ask."""
    assert not may_be_for_us(Aside(question(text), calls_others=True))
    assert not may_be_for_us(Aside(question(text), in_thread=True))
    assert not may_be_for_us(Aside(question(f"{text} " + "и ещё вот что " * 40)))


@pytest.mark.parametrize(
    ("text", "small"),
    [
        ("Thanks!", True),
        ("ok, got it", True),
        ("Спасибо большое!", True),
        ("понятно", True),
        ("👍", True),
        ("And in Leeds?", False),
        ("А в Лидсе сколько?", False),
        ("Thanks! And who approves it?", False),
        ("Why?", False),
        ("And how many do they get", False),
        ("what about them?", False),
        ("Почему?", False),
        ("а сколько", False),
        ("How are you?", True),
        ("А ты?", True),
        ("?", True),
    ],
)
def test_small_talk_asks_nothing(text: str, *, small: bool) -> None:
    """Only what is nothing but thanks, a greeting or a sign of having understood."""
    assert small is is_small_talk(text)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.text(max_size=400))
def test_any_text_is_judged(text: str) -> None:
    """Whatever people write has odds, and more proof never makes less of it."""
    assert isinstance(odds_of(text), float)
    order = ("passed", "doubtful", "taken")
    assert order.index(judged(text, UNKNOWN)) <= order.index(judged(text, KNOWN))


def found(text: str, *, weights: Mapping[str, float], similarity: float = 0.5, doc_id: str = "a.md") -> Fact:
    """Return a passage that a search found."""
    part = Part(Span(0, len(text)), "paragraph", similarity=similarity, terms=frozenset(terms(text)) & weights.keys())
    return Fact(Untrusted(text), Source(doc_id, "A"), Span(0, len(text)), f"{doc_id}#1", parts=(part,))


def test_evidence_is_what_one_document_holds() -> None:
    """Two documents with half of the words each are no proof of a question; a name counts besides."""
    weights = {"leav": 2.0, "leed": 1.0, "§leeds": 1.0}
    first = found("leave", weights=weights, similarity=0.3)
    second = found("Leeds", weights=weights, doc_id="b.md")

    assert Evidence(0.5, 0.5) == evidence_in(Found((first, second), weights))
    assert Evidence(0.0, 0.0) == evidence_in(Found())


@dataclass
class Shelf:
    """A search that finds the same facts for everybody, or fails."""

    finds: Found | PortError

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        if isinstance(self.finds, PortError):
            raise self.finds
        return self.finds


@dataclass
class Judge:
    """A model that says the same of every message, fails, or is not there."""

    says: str | PortError | None
    asked: list[ModelRequest] = field(default_factory=list)

    def offers(self, role: Literal["planner", "answer"]) -> bool:
        return self.says is not None

    async def complete(self, request: ModelRequest) -> Completion:
        self.asked.append(request)
        if isinstance(self.says, PortError):
            raise self.says
        assert self.says is not None
        return Completion(self.says, "judge")


DOUBTFUL = "How many days of leave do we get?"
SHARED = dict.fromkeys(terms(DOUBTFUL), 1.0)
HALF = Found((found("leave", weights=SHARED, similarity=0.3),), SHARED)
WHOLE = Found((found(DOUBTFUL, weights=SHARED, similarity=0.6),), SHARED)


def said(**changes: bool) -> str:
    """Return what a model says of a question to everybody, with changes."""
    return json.dumps({"to_everybody": True, "asks_for_facts": True} | changes)


def test_the_suite_has_a_doubtful_message() -> None:
    """What the tests below rest on."""
    assert ("doubtful", "taken") == (judged(DOUBTFUL, evidence_in(HALF)), judged(DOUBTFUL, evidence_in(WHOLE)))


@pytest.mark.parametrize(
    ("says", "because"),
    [
        (said(), None),
        (said(to_everybody=False), "doubtful"),
        (said(asks_for_facts=False), "doubtful"),
        ("yes", "doubtful"),
        (json.dumps({"to_everybody": "true", "asks_for_facts": True}), "doubtful"),
        (json.dumps({"to_everybody": True, "asks_for_facts": True, "answer": "28"}), "doubtful"),
        (ModelTimeout("too slow"), "doubtful"),
        (None, "doubtful"),
    ],
)
async def test_in_doubt_a_model_decides_and_its_silence_is_a_no(
    says: str | PortError | None, because: str | None
) -> None:
    """Only a clear yes takes the message: no model, a failure and any other form are a no."""
    assert because == await passed_over(question(DOUBTFUL), Shelf(HALF), Judge(says))


async def test_what_is_certain_asks_no_model() -> None:
    """Neither a sure question nor sure chatter costs a call, and the model never reads a document."""
    model = Judge(said())
    taken = await passed_over(question(DOUBTFUL), Shelf(WHOLE), model)
    left = await passed_over(question("See you on Monday"), Shelf(WHOLE), model)

    assert (None, "not for us", []) == (taken, left, model.asked)
    await passed_over(question(DOUBTFUL), Shelf(HALF), model)
    assert {"message": DOUBTFUL} == json.loads(model.asked[0].user)


async def test_a_search_that_fails_is_a_no() -> None:
    """Trouble is nobody's business in a channel."""
    assert "trouble" == await passed_over(question(DOUBTFUL), Shelf(SearchError("gone", retry=True)), Judge(said()))
