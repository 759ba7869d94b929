"""A model drafts: what it is asked, how its reply is read, and what of a reply in another form counts."""

import json
from typing import Any

import pytest

from core.answer import Abstain, Draft, DraftClaim, Pointer, Rejection
from core.answering import draft_schema, draft_with_model
from core.errors import BadModelOutput, ModelTimeout
from tests.core.scenes import ENGLISH, RUSSIAN, context
from tests.doubles.models import ScriptedModel


async def drafted_by(*lines: Any, rejected: tuple[Rejection, ...] = ()) -> tuple[Draft, ScriptedModel]:
    """Return the draft of a model that replies with these lines, and the model."""
    model = ScriptedModel([line if isinstance(line, (str, Exception)) else json.dumps(line) for line in lines])
    asked = context(*ENGLISH, *RUSSIAN, question="Сколько дней отпуска?")
    return await draft_with_model(asked, model, lambda: "MARK", 500, rejected), model


def claim(**known: Any) -> dict[str, Any]:
    """Return a claim as a model writes it."""
    return {"text": "28 дней", "group": None, "evidence": [{"fact": 12, "quote": "28 календарных дней"}]} | known


async def test_claims_are_read_with_their_evidence() -> None:
    """Fact numbers, quotes, groups, the lead and the model come through as written."""
    draft, _ = await drafted_by({"lead": "Вот:", "claims": [claim(group="Сроки"), claim(text="27 days", evidence=[])]})

    first = DraftClaim("28 дней", (Pointer(12, "28 календарных дней"),), "Сроки")
    assert (first, DraftClaim("27 days", ())) == draft.claims
    assert ("Вот:", None, "scripted") == (draft.lead, draft.abstain, draft.model)


@pytest.mark.parametrize(
    ("reply", "nearest"),
    [
        ({"abstain": True, "nearest": [2, 1]}, (2, 1)),
        ({"abstain": True, "claims": [claim()]}, ()),
        ({"claims": [], "lead": "Nothing."}, ()),
        ({}, ()),
    ],
)
async def test_no_claims_are_an_abstention(reply: dict[str, Any], nearest: tuple[int, ...]) -> None:
    """A model that abstains claims nothing, and one that claims nothing abstains."""
    draft, _ = await drafted_by(reply)

    assert ((), Abstain(nearest)) == (draft.claims, draft.abstain)


@pytest.mark.parametrize(
    "reply",
    [
        "The answer is 28 days.",
        "",
        "[]",
        '{"claims": "28 дней"}',
        {"claims": [claim(text="д" * 601)]},
        {"claims": [claim(evidence=[{"fact": "first", "quote": "28"}])]},
        {"claims": [claim(evidence=[{"fact": 1}])]},
        {"claims": [{}], "abstain": "yes"},
    ],
)
async def test_another_form_is_no_draft(reply: Any) -> None:
    """A reply that holds claims, and none in the asked form, is a failure of the model that names it."""
    with pytest.raises(BadModelOutput, match="the answer of scripted is not in the asked form"):
        await drafted_by(reply)


@pytest.mark.parametrize(
    ("reply", "claims"),
    [
        ({"claims": [claim()] * 61}, 60),
        ({"claims": [claim(evidence=[{"fact": 1, "quote": "28"}] * 5)]}, 1),
        ({"claims": [claim(), {"evidence": []}, claim(text="д" * 601), "28", None, claim(text="\ud800")]}, 1),
        ({"claims": [claim(evidence=None)], "lead": "я" * 301, "nearest": None, "abstain": None}, 1),
        ({"claims": [claim()], "lead": 5, "nearest": ["2"]}, 1),
        ({"claims": [claim(), {"evidence": []}], "abstain": True}, 0),
        ({"claims": None, "abstain": True}, 0),
    ],
)
async def test_a_fault_of_form_costs_what_it_stands_in(reply: dict[str, Any], claims: int) -> None:
    """What is too long, too much or of another type goes, and the rest of the reply counts."""
    draft, _ = await drafted_by(reply)

    assert claims == len(draft.claims)
    assert (draft.lead is None) == (reply.get("lead") != "Вот:")
    assert all(len(one.evidence) <= 4 for one in draft.claims)


@pytest.mark.parametrize(("given", "left"), [([1, 2, 3, 4], (1, 2, 3)), (None, ()), ([3, "x"], ()), (7, ())])
async def test_an_abstention_is_one_whatever_is_nearest(given: Any, left: tuple[int, ...]) -> None:
    """That the facts hold no answer is not lost over a list that is too long."""
    draft, _ = await drafted_by({"abstain": True, "nearest": given})

    assert Abstain(left) == draft.abstain


async def test_a_model_that_fails_fails() -> None:
    """The model's own failure is passed on."""
    with pytest.raises(ModelTimeout):
        await drafted_by(ModelTimeout("late"))


async def test_the_model_is_asked_for_an_answer_in_the_form_of_the_schema() -> None:
    """One call in the role of the answer model, within its tokens, with the schema that the reply is read by."""
    _, model = await drafted_by({})

    [request] = model.requests
    assert ("answer", 500, draft_schema()) == (request.role, request.max_tokens, request.schema)
    assert {"lead", "claims", "abstain", "nearest"} == set(draft_schema()["properties"])
    assert "Question: Сколько дней отпуска?" in request.user
    assert "<<MARK" in request.user


async def test_a_repair_tells_what_was_wrong() -> None:
    """Each refused claim is sent back with its reason."""
    rejected = (Rejection("29 дней", "the number 29 does not stand in its quotes"), Rejection("x", "it says nothing"))

    _, model = await drafted_by({"claims": [claim()]}, rejected=rejected)

    assert "'29 дней': the number 29 does not stand in its quotes" in model.requests[0].user
    assert "'x': it says nothing" in model.requests[0].user
