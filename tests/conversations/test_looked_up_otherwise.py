"""A planner that looks up the wrong thing costs no answer: what would be looked up without it is quoted then."""

import json

import pytest

from core.answer import Answer
from core.otherwise import taking_over
from core.ports import ModelRequest
from core.render import text_of
from tests.corpora import Company
from tests.doubles.models import ScriptedModel

NOTHING = json.dumps({"claims": [], "abstain": True, "nearest": []})
ENGLISH = ("Where does Dmitry Sokolov work now?", "EXPERIENCE_SUMMARY", "Aston")
RUSSIAN = ("Где сейчас работает Дмитрий?", "TECHNOLOGY_OVERVIEW", "Aston")


def off_the_mark(question: str, intent: str) -> ScriptedModel:
    """Return a model that looks up something else, of few kinds of pages, and finds no answer in what that brings."""
    plan = {
        "intents": [intent],
        "tool_calls": [
            {"tool": "graph_query", "intent": intent, "entity_id": "dmitry"},
            {"tool": "document_search", "query": question, "doc_types": ["person"], "top_k": 5},
        ],
        "confidence": 0.9,
    }

    def reply(request: ModelRequest) -> str:
        return json.dumps(plan) if request.role == "planner" else NOTHING

    return ScriptedModel(reply)


@pytest.mark.parametrize(("question", "intent", "words"), [ENGLISH, RUSSIAN])
async def test_what_the_plan_did_not_bring_is_quoted(
    portfolio: Company, question: str, intent: str, words: str
) -> None:
    """No model is asked for that; the record tells the plan that brought it, and the tools of both."""
    model = off_the_mark(question, intent)
    record = await portfolio.ask(question, model=model)

    assert not record.answer.is_refusal
    assert words in text_of(record.reply)
    assert "quotes" == record.answer.model
    assert "examples" == record.planned_by
    assert {"document_search", "graph_query"} == {run.tool for run in record.payload.runs}
    assert len(model.requests) <= 4


@pytest.mark.parametrize("question", ["Who won the cup in 1998?", "Кто выиграл кубок в 1998 году?"])
async def test_what_no_plan_brings_stays_unanswered(portfolio: Company, question: str) -> None:
    """Neither does: the planner's own plan is told."""
    record = await portfolio.ask(question, model=off_the_mark(question, "CONTACTS"))

    assert record.answer.is_refusal


def test_what_the_answer_noted_before_is_kept() -> None:
    """How much a model was not shown, and what failed, are told of the quotes that stand in for it, too."""
    held = Answer((), "ru", is_refusal=True, unread=2, problem="a")
    told = taking_over(Answer((), "ru", problem="b"), held)

    assert (2, "a; b", False) == (told.unread, told.problem, told.is_refusal)
