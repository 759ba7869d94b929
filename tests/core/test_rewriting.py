"""A model's reading of a message in its thread, which is checked word by word."""

import json

import pytest

from core.errors import BadModelOutput, ModelError, ModelTimeout
from core.rewriting import Rewriting, holds, rewrite
from tests.core.corpus import thread
from tests.doubles.models import ScriptedModel

LEAVE = thread("How many vacation days do I get?", "When does parental leave begin?")
LEAVE_RU = thread("Сколько дней отпуска мне положено?")


def reading(question: str, *carried: str) -> Rewriting:
    """Return what a model said."""
    return Rewriting(carried=carried, question=question)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("What are the main conditions?", reading("What are the main conditions of parental leave?", "parental leave")),
        ("What are the main conditions?", reading("What are the main conditions for vacation days?", "vacation days")),
        ("What are the main conditions?", reading("What are the main conditions?")),
    ],
)
def test_words_of_earlier_questions_may_be_carried(message: str, said: Rewriting) -> None:
    """Of any of them; and nothing need be."""
    assert holds(said, message, LEAVE)


def test_words_may_be_carried_in_russian() -> None:
    """The same holds in Russian, in whatever form the words then stand."""
    assert holds(reading("Какие условия отпуска?", "отпуска"), "Какие условия?", LEAVE_RU)
    assert not holds(reading("Какие условия командировки?", "командировки"), "Какие условия?", LEAVE_RU)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (reading("What are the main conditions of sick leave?", "sick leave"), "nobody asked about sick leave"),
        (reading("What are the main conditions of the pension?", "parental leave"), "the words are not in it"),
        (reading("What are the conditions of parental leave in Porto?", "parental leave"), "nobody named Porto"),
        (reading("When does parental leave begin?", "parental leave"), "it asks something else"),
        (reading("What are the main penalties?", "main penalties"), "they are the message's own words"),
        (reading("What are the main penalties of parent leave?", "parent"), "half a word is none"),
    ],
)
def test_a_reading_that_is_not_made_of_what_was_said_does_not_hold(said: Rewriting, why: str) -> None:
    """Whatever a model adds, drops or makes up, the reading is not used."""
    assert not holds(said, "What are the main penalties?", LEAVE), why


async def test_the_model_sees_questions_and_nothing_else() -> None:
    """Its prompt is the earlier questions and the message; the part before is the same for every one."""
    model = ScriptedModel([json.dumps({"carried": [], "question": "Why?"})] * 2)
    await rewrite("What are the main conditions?", LEAVE, model)
    await rewrite("Какие условия?", LEAVE_RU, model)

    first, second = model.requests
    assert first.system == second.system
    assert {"earlier": [turn.standalone for turn in LEAVE.turns], "message": "What are the main conditions?"} == (
        json.loads(first.user)
    )


@pytest.mark.parametrize(
    "said",
    ["", "no JSON", "[]", '{"carried": "leave", "question": "Why?"}', '{"carried": [], "question": ""}',
     '{"carried": [], "question": "Why?", "label": "followup"}'],
)  # fmt: skip
async def test_what_cannot_be_read_is_no_reading(said: str) -> None:
    """Another form, another type, more or less than asked for."""
    assert await rewrite("Why?", LEAVE, ScriptedModel([said])) is None


@pytest.mark.parametrize("failure", [ModelTimeout("no reply"), BadModelOutput("no JSON")])
async def test_a_model_that_is_away_or_babbles_is_said_to(failure: ModelError) -> None:
    """It is for the caller to decide without it."""
    with pytest.raises(type(failure)):
        await rewrite("Why?", LEAVE, ScriptedModel([failure]))
