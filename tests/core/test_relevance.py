"""What a model writes must answer what is asked: a proven sentence beside the point gives way to one that does."""

import json
from dataclasses import replace

import pytest

from core.answer import Answer, Draft, DraftClaim, Pointer
from core.context import AnswerContext
from core.pipeline import draft_answer, verify_answer
from core.relevance import answers, to_the_point
from core.streaming import Stream
from core.telling import Proven, Step
from core.text import Untrusted
from core.verify import verify
from tests.core.scenes import facts_of
from tests.core.test_headed import weighed
from tests.core.test_pipeline import ports
from tests.core.test_specific import BAKERY, PEKARNYA
from tests.doubles.models import ScriptedModel

_TRUE = "Moving house brings one free day."
_BESIDE = "The breakfast allowance is £6."


def asked(question: str) -> AnswerContext:
    """Return what the bakery's pages give for a question, in its language."""
    page = BAKERY if question.isascii() else PEKARNYA
    return weighed(question, *facts_of("bakery.md", page))


def drafted(context: AnswerContext, *quotes: str) -> Draft:
    """Return a draft that says each of the quotes as it stands."""
    found = [(next(n for n, fact in enumerate(context.facts, 1) if quote in fact.text), quote) for quote in quotes]
    return Draft(tuple(DraftClaim(quote, (Pointer(number, quote),)) for number, quote in found), model="scripted")


def proven(context: AnswerContext, *quotes: str) -> Answer:
    """Return the verified answer that says each of the quotes as it stands."""
    answer = verify(drafted(context, *quotes), context)
    assert len(quotes) == len(answer.claims)
    return answer


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("What is the dinner allowance?", _BESIDE),
        ("How much does a lost jacket cost?", "A lost apron costs £18."),
        ("Who repaired the mixer?", "The mixer is cleaned every evening."),
        ("What is the telephone number of the caretaker?", "Keys are handed out by the caretaker."),
        ("When was the big oven repaired in 2017?", "The big oven was repaired in 2021 by a firm from Leeds."),
        ("До какой суммы оплачивают ужин?", "Завтрак оплачивают до 200 рублей."),
        ("Сколько стоит потерянная куртка?", "Потерянный фартук стоит 900 рублей."),
        ("Какой номер телефона у коменданта?", "Ключи выдаёт комендант."),
        ("Кто чертил большую печь?", "Большую печь починили в 2021 году."),
    ],
)
def test_a_true_sentence_beside_the_point_is_no_answer(question: str, quote: str) -> None:
    """It is what was found nearest, and the reply says so."""
    context = asked(question)
    answer = to_the_point(proven(context, quote), context)

    assert answer.is_refusal
    [nearest] = answer.nearest
    assert quote in nearest.quote
    assert ((quote,), ()) == (answer.beside, answer.rejected)


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("What does moving house bring?", _TRUE),
        ("How much is the breakfast allowance?", _BESIDE),
        ("Who hands out the keys?", "Keys are handed out by the caretaker."),
        ("How often is the mixer cleaned?", "The mixer is cleaned every evening."),
        ("What should I wash before baking?", "wash your hands"),
        ("Что положено при переезде?", "На переезд дают один свободный день."),
        ("До какой суммы оплачивают завтрак?", "Завтрак оплачивают до 200 рублей."),
        ("Как часто моют тестомес?", "Тестомес моют каждый вечер."),
        ("Что вымыть перед выпечкой?", "вымыть руки"),
    ],
)
def test_what_answers_stays_as_it_is(question: str, quote: str) -> None:
    """A statement that holds what is asked is left alone."""
    context = asked(question)
    answer = proven(context, quote)

    assert to_the_point(answer, context) is answer


@pytest.mark.parametrize(
    ("question", "beside", "quote"),
    [
        ("How much is the breakfast allowance?", "Keys are handed out by the caretaker.", _BESIDE),
        (
            "До какой суммы оплачивают завтрак?",
            "Ключи выдаёт комендант.",
            "Завтрак оплачивают до 200 рублей.",
        ),
    ],
)
def test_the_documents_answer_where_a_model_answered_something_else(question: str, beside: str, quote: str) -> None:
    """What it wrote is left out, and is not counted as unconfirmed: it is true."""
    context = asked(question)
    answer = to_the_point(proven(context, beside), context)

    assert not answer.is_refusal
    assert any(quote in claim.text for claim in answer.claims)
    assert all(beside not in claim.text or quote in claim.text for claim in answer.claims)
    assert ((beside,), (), ()) == (answer.beside, answer.nearest, answer.rejected)


REPORT = (
    "# Fire of 4 May\n\n## Course\n\nThe fire of 4 May burned two ovens.\n\n## Root cause\n\nA cloth lay on the hob.\n"
)
OTCHET = "# Пожар 4 мая\n\n## Ход\n\nПожар 4 мая сжёг две печи.\n\n## Причина\n\nНа плите лежало полотенце.\n"


@pytest.mark.parametrize(
    ("question", "page", "beside", "quote"),
    [
        ("What was the cause of the fire of 4 May?", REPORT, "The fire of 4 May burned two ovens.", "A cloth lay"),
        ("Какова причина пожара 4 мая?", OTCHET, "Пожар 4 мая сжёг две печи.", "лежало полотенце"),
    ],
)
def test_what_stands_under_a_heading_of_its_cause_tells_why(question: str, page: str, beside: str, quote: str) -> None:
    """A model that tells what happened has not told why."""
    context = weighed(question, *facts_of("fire.md", page))
    [claim] = to_the_point(proven(context, beside), context).claims

    assert quote in claim.text


def test_a_remark_beside_what_answers_is_kept() -> None:
    """What stands beside the answer is the model's to choose."""
    context = asked("What does moving house bring?")

    assert answers(proven(context, _BESIDE, _TRUE).claims, context)
    assert not answers(proven(context, _BESIDE).claims, context)


@pytest.mark.parametrize(
    ("question", "quote", "expected"),
    [
        ("I moved last week and have lots of boxes. What does moving house bring?", _TRUE, True),
        ("I am new here and like your ovens. What is the dinner allowance?", _BESIDE, False),
        ("Я недавно переехал, коробок много. Что положено при переезде?", "На переезд дают один свободный день.", True),
        ("Я тут новенький. До какой суммы оплачивают ужин?", "Завтрак оплачивают до 200 рублей.", False),
    ],
)
def test_what_is_told_around_a_question_asks_nothing(question: str, quote: str, *, expected: bool) -> None:
    """Why somebody asks need not stand in the answer, and is not answered by itself."""
    context = asked(question)

    assert expected is answers(proven(context, quote).claims, context)


def test_somebody_elses_message_is_not_judged_by_the_words_of_the_question() -> None:
    """“Is this true?” shares no word with what proves it."""
    context = replace(asked("Is this true?"), brought=Untrusted("Dinner is paid up to £6."))

    assert answers(proven(context, _BESIDE).claims, context)


@pytest.mark.parametrize(
    ("question", "beside", "true"),
    [
        ("What does moving house bring?", _BESIDE, _TRUE),
        ("Что положено при переезде?", "Премию платят 12 числа.", "На переезд дают один свободный день."),
    ],
)
def test_nothing_beside_the_point_is_told_early(question: str, beside: str, true: str) -> None:
    """What has been told cannot be taken back, so that it is told only with what answers."""
    context, heard = asked(question), list[Step]()
    stream = Stream(context, heard.append)
    assert stream.hear is not None
    drafts = drafted(context, beside, true).claims
    claims = [
        {"evidence": [{"fact": one.evidence[0].fact, "quote": one.evidence[0].quote}], "text": one.text}
        for one in drafts
    ]
    stream.hear(json.dumps({"lead": None, "claims": claims[:1]}))
    assert [] == heard

    stream.hear(json.dumps({"lead": None, "claims": claims}))
    [told] = heard
    assert isinstance(told, Proven)
    assert true in [claim.text for claim in told.claims]


async def test_a_refusal_shows_what_the_model_quoted_as_the_nearest() -> None:
    """From the model's reply to the answer: nothing is claimed, and the passage is still offered."""
    context = asked("What is the dinner allowance?")
    [claim] = drafted(context, _BESIDE).claims
    pointer = {"fact": claim.evidence[0].fact, "quote": claim.evidence[0].quote}
    model = ScriptedModel([json.dumps({"claims": [{"evidence": [pointer], "text": _BESIDE}]})], roles=("answer",))
    outside = ports(model=model)

    answer = await verify_answer(await draft_answer(context, outside), context, outside)

    assert (True, (_BESIDE,)) == (answer.is_refusal, answer.beside)
    assert [_BESIDE in citation.quote for citation in answer.nearest] == [True]


@pytest.mark.parametrize(
    ("question", "items", "expected"),
    [
        ("When will Beacon 5.0 be released?", "- Beacon: our mobile app\n- Beacon is led by Grace\n", False),
        ("When will Beacon 5.0 be released?", "- Beacon 5.0: released on 4 May 2027\n- Beacon is led by Grace\n", True),
        ("Сколько стоит Маяк?", "- Маяк: приложение для смотрителей\n- Маяк ведёт Ольга\n", False),
        ("Сколько стоит Маяк?", "- Маяк: цена 900 рублей\n- Маяк ведёт Ольга\n", True),
        ("What is there of Beacon?", "- Beacon: our mobile app\n- Beacon is led by Grace\n", True),
    ],
)
def test_a_look_up_without_the_value_that_is_asked_for_is_no_answer(
    question: str, items: str, *, expected: bool
) -> None:
    """A plan may look up all that names a thing, and none of that says when it comes out or what it costs."""
    facts = [replace(fact, structural=True) for fact in facts_of("a.md", f"# Beacon, Маяк\n\n{items}")]
    context = weighed(question, *facts)
    first = items.split("\n", maxsplit=1)[0].removeprefix("- ")

    assert expected is answers(proven(context, first).claims, context)
    assert expected is not to_the_point(proven(context, first), context).is_refusal
