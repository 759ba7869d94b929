"""With personal data masked for models, contacts are still answered, and no provider sees them."""

import json
import re

import pytest

from core.masking import MaskedModel
from core.personal import personal_in
from core.ports import ModelRequest
from tests.corpora import Company, shown
from tests.doubles.models import ScriptedModel

pytestmark = pytest.mark.asyncio(loop_scope="session")

CASES = [
    ("portfolio", "Контакты Дмитрия", "dmitry@sokolov.example"),
    ("portfolio", "How can I contact Dmitry?", "dmitry@sokolov.example"),
]


def copying(request: ModelRequest) -> str:
    """Write, as a well-behaved model, one claim for every line of the facts that holds a mask, in the line's words."""
    claims = []
    for line in request.user.split("\n"):
        if not line.startswith('{"fact"'):
            continue
        fact = json.loads(line)
        for quote in fact["text"].split("\n"):
            if re.search(r"⟨[A-Z]+_\d+⟩", quote):
                words = quote.lstrip("-•* ").strip()
                claims.append({"text": words, "evidence": [{"fact": fact["fact"], "quote": words}]})
    return json.dumps({"claims": claims[:20], "abstain": not claims}, ensure_ascii=False)


@pytest.mark.parametrize(("corpus", "question", "words"), CASES)
async def test_contacts_are_answered_behind_masks(corpus: str, question: str, words: str, portfolio: Company) -> None:
    """The model copies tokens; the reader gets the address, proven by its quote; the flag says what it is."""
    model = ScriptedModel(copying, roles=("answer",))
    record = await portfolio.ask(question, model=MaskedModel(model))
    asked = "\n".join(request.user for request in model.requests)

    assert corpus
    assert words in shown(record)
    assert "⟨" not in shown(record)
    assert record.answer.model == "scripted"
    assert "pii_referenced" in record.answer.flags
    assert () == personal_in(asked.replace("\\n", "\n"))
    assert words not in asked


async def test_the_rules_keep_every_byte(portfolio: Company) -> None:
    """What providers keep in their cache is the same with masks and without."""
    plain, behind = ScriptedModel(copying, roles=("answer",)), ScriptedModel(copying, roles=("answer",))
    await portfolio.ask("Контакты Дмитрия", model=plain)
    await portfolio.ask("Контакты Дмитрия", model=MaskedModel(behind))

    assert {one.system for one in plain.requests} == {one.system for one in behind.requests}


async def test_a_question_that_holds_personal_data_is_masked_too(handbook: Company) -> None:
    """Whoever types a number gets an answer about it, and the provider does not get the number."""
    model = ScriptedModel(lambda _: '{"claims": [], "abstain": true}', roles=("answer",))
    await handbook.ask("Whose phone is +31 6 5550 1101, and who approves travel?", model=MaskedModel(model))

    assert model.requests
    assert not any("5550 1101" in request.user for request in model.requests)
