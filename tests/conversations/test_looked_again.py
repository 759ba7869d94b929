"""A model that finds no answer among many facts looks once more at what would be quoted, and is then believed."""

import json
from typing import Any

import pytest

from core.ports import ModelRequest
from core.render import text_of
from tests.corpora import Company
from tests.doubles.models import ScriptedModel, json_values

NOTHING = json.dumps({"claims": [], "abstain": True, "nearest": []})
ENGLISH = (
    "How many vacation days do I get?",
    "A full-time employee gets 27 working days of paid vacation.",
    "27 working days",
)
RUSSIAN = (
    "Как быстро Дмитрий отвечает в Telegram?",
    "На сообщения в Telegram ответ приходит обычно в течение трёх часов.",
    "обычно в течение трёх часов",
)


@pytest.fixture(params=[ENGLISH, RUSSIAN])
def scene(request: pytest.FixtureRequest) -> tuple[str, str, str]:
    """Give a question, a claim that answers it, and the words that prove it."""
    given: tuple[str, str, str] = request.param
    return given


@pytest.fixture
def asked_of(scene: tuple[str, str, str], handbook: Company, portfolio: Company) -> Company:
    """Give whose documents answer the question."""
    return handbook if scene is ENGLISH else portfolio


def shown(request: ModelRequest) -> list[dict[str, Any]]:
    """Return the facts of a request."""
    return [one for one in json_values(request.user) if isinstance(one, dict) and "fact" in one]


def short_of_attention(claim: str, quote: str) -> ScriptedModel:
    """Return a model that finds nothing in what it is asked of first, and then says this of the words it quotes."""
    asked: list[ModelRequest] = []

    def reply(request: ModelRequest) -> str:
        asked.append(request)
        if len(asked) == 1:
            return NOTHING
        number = next(one["fact"] for one in shown(request) if quote in one["text"])
        return json.dumps({"claims": [{"text": claim, "evidence": [{"fact": number, "quote": quote}]}]})

    return ScriptedModel(reply, roles=("answer",))


async def test_what_is_found_at_the_second_look_is_told(scene: tuple[str, str, str], asked_of: Company) -> None:
    """The second request holds fewer facts, under the numbers that they had, and its claims are proven like any."""
    question, claim, quote = scene
    model = short_of_attention(claim, quote)
    record = await asked_of.ask(question, model=model)
    first, second = (shown(request) for request in model.requests)

    assert [claim] == [one.text for one in record.answer.claims]
    assert len(second) < len(first)
    assert all(one in first for one in second)


async def test_a_wrong_claim_of_the_second_look_gives_way_to_its_quote(
    scene: tuple[str, str, str], asked_of: Company
) -> None:
    """Nobody is asked a third time: a question costs four calls at most."""
    question, claim, quote = scene
    model = short_of_attention(claim.replace("27", "29").replace("трёх", "двух"), quote)
    record = await asked_of.ask(question, model=model)

    assert (2, ["quoted"]) == (len(model.requests), [one.verdict for one in record.answer.claims])
    assert quote in text_of(record.reply)


async def test_who_finds_nothing_twice_is_believed(scene: tuple[str, str, str], asked_of: Company) -> None:
    """What would be quoted is then offered as what is nearest, with its words."""
    question, claim, quote = scene
    model = ScriptedModel([NOTHING, NOTHING], roles=("answer",))
    record = await asked_of.ask(question, model=model)

    assert record.answer.is_refusal
    assert quote in text_of(record.reply)
    assert claim not in text_of(record.reply)


@pytest.mark.parametrize("question", ["Who won the cup in 1998?", "Кто выиграл кубок в 1998 году?"])
async def test_where_nothing_would_be_quoted_nobody_is_asked_again(handbook: Company, question: str) -> None:
    """The first word stands."""
    model = ScriptedModel([NOTHING], roles=("answer",))
    record = await handbook.ask(question, model=model)

    assert record.answer.is_refusal
    assert 1 == len(model.requests)
