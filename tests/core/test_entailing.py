"""A second opinion on claims: an entailment model takes claims away that the rules let through, and never adds one."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from core import entailing
from core.answer import Answer
from core.errors import PortError
from core.facts import Fact
from core.outside import Ports
from core.pipeline import draft_answer, verify_answer
from core.telling import Proven, Reading, Step
from tests.core.scenes import ENGLISH, RUSSIAN, context, holding
from tests.core.test_pipeline import TRUE, ask, claimed, ports, question
from tests.core.test_streaming import claim, written
from tests.doubles.models import ScriptedModel, WritingModel

RECEIPT = ("A receipt is attached for every item above €15.", "Attach a receipt for every item above €15")
RECEIPT_QUOTE = "Attach a receipt for every item above €15; a card statement is not a receipt."
SIGNS = ("The gateway is signed off on Tuesday.", "Hanneke Vroomans signs the gateway off on Tuesday.")
SIGNS_QUOTE = "Hanneke Vroomans signs the gateway off on Tuesday."
DAYS = (
    "В год сотрудник получает 28 календарных дней отпуска.",
    "Сотрудник получает 28 календарных дней отпуска в год.",
)
DAYS_QUOTE = "Сотрудник получает 28 календарных дней отпуска в год."
EVERYTHING = context(*ENGLISH, *RUSSIAN)


@dataclass
class Reader:
    """An entailment model that holds for entailed whatever has none of these words; `asked` is what it was asked."""

    refusing: tuple[str, ...] = ()
    chance: float = 0.1
    failure: PortError | None = None
    seconds: float = 0.0
    asked: list[tuple[str, str]] = field(default_factory=list)
    id: str = "reader"

    async def prepare(self) -> None:
        """Be ready."""

    async def entailed(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return its chance for what it refuses, else 0.9."""
        self.asked += pairs
        await asyncio.sleep(self.seconds)
        if self.failure:
            raise self.failure
        return [self.chance if any(word in said for word in self.refusing) else 0.9 for _, said in pairs]


async def judged(reader: Reader | None, *pairs: tuple[str, str], lead: str | None = None, **options: Any) -> Answer:
    """Return what becomes of these claims and quotes, written by a model, when the reader is asked as well."""
    model = ScriptedModel([written([claim(one) for one in pairs], lead=lead), written([])])
    outside = replace(ports(model=model, **options), entailment=reader)
    return await verify_answer(await draft_answer(EVERYTHING, outside), EVERYTHING, outside)


def shown(answer: Answer) -> list[tuple[str, str]]:
    """Return what an answer says, and whether in its own words."""
    return [(one.text, one.verdict) for one in answer.claims]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("€15", [(RECEIPT_QUOTE, "quoted"), (SIGNS[0], "supported"), (DAYS[0], "supported")]),
        ("28", [(RECEIPT[0], "supported"), (SIGNS[0], "supported"), (DAYS_QUOTE, "quoted")]),
        ("nothing", [(one[0], "supported") for one in (RECEIPT, SIGNS, DAYS)]),
    ],
)
async def test_a_claim_that_does_not_follow_gives_way_to_its_quote(word: str, expected: list[tuple[str, str]]) -> None:
    """In either language and in its place; the others stay as they are, and it is counted."""
    answer = await judged(Reader((word,)), RECEIPT, SIGNS, DAYS)

    assert expected == shown(answer)
    assert [] == list(answer.rejected)
    assert sum(verdict == "quoted" for _, verdict in expected) == answer.not_entailed
    assert 3 - answer.not_entailed == answer.citing.supported == answer.citing.needed


@pytest.mark.parametrize(
    ("pair", "above", "quote"),
    [
        (RECEIPT, "Expenses policy — General rules", RECEIPT_QUOTE),
        (DAYS, "Правила отпуска — Сроки", DAYS_QUOTE),
    ],
)
async def test_what_stands_behind_a_claim_is_what_it_must_follow_from(
    pair: tuple[str, str], above: str, quote: str
) -> None:
    """Its whole quote, under the title and the headings that say what it is about."""
    reader = Reader()
    await judged(reader, pair)

    assert [(f"{above}\n{quote}", pair[0])] == reader.asked


async def test_a_yes_before_a_claim_is_not_to_follow() -> None:
    """It answers the question, of which the premise knows nothing, and is proven apart; it is shown as before."""
    reader, asked = Reader(), replace(EVERYTHING, question="Does Hanneke Vroomans sign the gateway off on Tuesday?")
    text = "Yes, the gateway is signed off by Hanneke Vroomans on Tuesday."
    outside = replace(ports(model=ScriptedModel([written([claim((text, SIGNS[1]))])])), entailment=reader)
    answer = await verify_answer(await draft_answer(asked, outside), asked, outside)

    assert [text] == [one.text for one in answer.claims]
    assert ["The gateway is signed off by Hanneke Vroomans on Tuesday."] == [said for _, said in reader.asked]


async def test_words_of_a_document_are_not_judged() -> None:
    """A sentence of its quote, and a quote in the place of a claim, prove themselves."""
    reader = Reader((" ",))
    wrong = claim(("A receipt is attached above €50 on Tuesday.", RECEIPT[1]))
    wrong["evidence"] += claim(SIGNS)["evidence"]
    model = ScriptedModel([written([claim((DAYS_QUOTE, DAYS[1])), wrong]), written([])])
    outside = replace(ports(model=model), entailment=reader)
    answer = await verify_answer(await draft_answer(EVERYTHING, outside), EVERYTHING, outside)

    assert [DAYS_QUOTE, f"{RECEIPT_QUOTE} {SIGNS_QUOTE}"] == [one.text for one in answer.claims]
    assert [] == reader.asked


async def test_it_proves_nothing_that_the_rules_refuse() -> None:
    """However sure it is: a claim with another number is not even put to it."""
    reader = Reader(chance=1.0)
    answer = await judged(reader, SIGNS, ("A receipt is attached for every item above €50.", RECEIPT[1]))

    assert [SIGNS[0]] == [said for _, said in reader.asked]
    assert [SIGNS[0], RECEIPT_QUOTE] == [one.text for one in answer.claims]


def about_receipts(fact: Fact) -> Fact:
    """Return the fact as one of which only what is said of receipts bears on the question."""
    near = [0.95 if "Attach a receipt" in fact.words(part.span) else 0.0 for part in fact.parts]
    parts = (replace(part, similarity=one) for part, one in zip(fact.parts, near, strict=True))
    return replace(fact, parts=tuple(parts))


@pytest.mark.parametrize(
    ("pairs", "expected", "left_out"),
    [((RECEIPT, SIGNS), RECEIPT[0], [SIGNS[0]]), ((SIGNS,), RECEIPT_QUOTE, [SIGNS[0]])],
)
async def test_a_claim_whose_quote_does_not_bear_on_the_question_is_dropped(
    pairs: tuple[tuple[str, str], ...], expected: str, left_out: list[str]
) -> None:
    """What was left out is told, and the lead that introduced it goes; with nothing left the documents answer."""
    facts = tuple(map(about_receipts, (one for one in ENGLISH if "Tuesday" in one.text or "receipt" in one.text)))
    asked = context(*facts, question="What do you do with receipts?")
    evidence = [{**claim(one), "evidence": [{"fact": holding(one[1], facts), "quote": one[1]}]} for one in pairs]
    model = ScriptedModel([written(evidence, lead="Here is what the documents say:")])
    outside = replace(ports(model=model), entailment=Reader(("Tuesday",)))
    answer = await verify_answer(await draft_answer(asked, outside), asked, outside)

    [told] = answer.claims
    assert expected in told.text
    assert SIGNS_QUOTE not in told.text
    assert left_out == [one.claim for one in answer.rejected]
    assert {"what it says does not follow from its quotes"} == {one.reason for one in answer.rejected}
    assert (None, 1) == (answer.lead, answer.not_entailed)


@pytest.mark.parametrize(("threshold", "expected"), [(0.5, SIGNS_QUOTE), (0.3, SIGNS[0]), (0.31, SIGNS_QUOTE)])
async def test_the_threshold_is_a_setting(threshold: float, expected: str) -> None:
    """A claim holds at it, and not below."""
    answer = await judged(Reader(("Tuesday",), chance=0.3), SIGNS, entailment_threshold=threshold)

    assert [expected] == [one.text for one in answer.claims]


@pytest.mark.parametrize(
    ("reader", "words"),
    [
        (Reader(("",), failure=PortError("entailment", "the file is gone")), "entailment: the file is gone"),
        (Reader(("",), seconds=30), "entailment: it took over 0.05 s"),
    ],
)
async def test_when_it_fails_or_is_slow_the_rules_alone_count(
    monkeypatch: pytest.MonkeyPatch, reader: Reader, words: str
) -> None:
    """The answer is the one without it, and the record says so."""
    monkeypatch.setattr(entailing, "SECONDS", 0.05)
    outside = replace(ports(model=ScriptedModel([claimed(TRUE)], roles=("answer",))), entailment=reader)
    record = await ask(outside)

    assert [TRUE[0]] == [one.text for one in record.answer.claims]
    assert (f"{words}; the rules alone counted",) == record.problems


async def test_when_nothing_that_was_written_follows_the_documents_answer() -> None:
    """As when the rules refuse it all: in their own words, or not at all."""
    outside = replace(ports(model=ScriptedModel([claimed(TRUE)], roles=("answer",))), entailment=Reader(("RAG",)))
    record = await ask(outside)

    assert [("Lotsman answers support questions with RAG.", "quoted")] == shown(record.answer)
    assert (1, ()) == (record.answer.not_entailed, record.problems)


@pytest.mark.parametrize(("reader", "expected"), [(None, [Reading, Proven]), (Reader(), [Reading])])
async def test_nothing_is_told_early_that_may_yet_be_refused(reader: Reader | None, expected: list[type[Step]]) -> None:
    """With such a model statements come with the answer alone."""
    told: list[Step] = []
    outside: Ports = replace(ports(model=WritingModel([written([claim(DAYS)])])), tell=told.append, entailment=reader)
    draft = await draft_answer(EVERYTHING, outside)
    answer = await verify_answer(draft, EVERYTHING, outside)

    assert expected == [type(step) for step in told]
    assert [DAYS[0]] == [one.text for one in answer.claims]


async def test_without_a_claim_it_is_not_asked() -> None:
    """Quotes cost nothing."""
    reader = Reader(("",))
    await ask(replace(ports(), entailment=reader), question("Где применяли RAG?"))

    assert [] == reader.asked


@pytest.mark.parametrize(
    ("pair", "quote", "over"),
    [
        (
            ("Parking tickets and fines.", "fines and parking tickets"),
            "fines and parking tickets",
            "What we do not pay",
        ),
        (("Парковка и штрафы.", "штрафы и парковка"), "штрафы и парковка", "Что не оплачивается"),
    ],
)
async def test_a_quote_in_the_place_of_a_claim_keeps_its_heading(pair: tuple[str, str], quote: str, over: str) -> None:
    """Without it the words would say the contrary of what they say on their page."""
    answer = await judged(Reader(("P", "П")), pair)

    [told] = answer.claims
    assert (1, "quoted") == (answer.not_entailed, told.verdict)
    assert quote in told.text
    assert over in (told.group or "")
