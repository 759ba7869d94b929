"""Forwarded words, and questions of names alone, over the example documents and without a model."""

import secrets
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.conversation import Audience, Question
from core.phrases import phrase
from core.pipeline import answer_question
from core.remarks import Around
from core.render import text_of
from core.text import Untrusted
from core.turn import TurnRecord
from tests.corpora import Company, new_thread

pytestmark = pytest.mark.asyncio(loop_scope="session")

WHETHER = {"en": phrase("is_it_true", "en"), "ru": phrase("is_it_true", "ru")}
WHAT = {"en": phrase("about_this", "en"), "ru": phrase("about_this", "ru")}


def _question(text: str) -> Question:
    identity = f"console:{secrets.token_hex(8)}"
    return Question(identity, "console", new_thread(), text, "U1", Audience("local"), datetime.now(UTC))


async def _answered(company: Company, question: Question) -> TurnRecord:
    ports = await company.bot.ports()
    assert ports is not None
    record = await answer_question(question, ports)
    assert isinstance(record, TurnRecord)
    return record


async def _beside(company: Company, text: str, words: str) -> TurnRecord:
    return await _answered(company, replace(_question(text), around=Around((), brought=Untrusted(words))))


@pytest.mark.parametrize(
    ("text", "words", "says"),
    [
        (WHAT["en"], "How many vacation days do we have?", "27 working days"),
        (WHETHER["en"], "How many vacation days do we have?", "27 working days"),
        (WHETHER["en"], "Everyone gets 28 days of vacation a year.", "27 working days"),
        ("Is this true??", "A full-time employee gets 27 working days of vacation", "27 working days"),
    ],
)
async def test_forwarded_words_in_english_are_held_against_the_pages(
    handbook: Company, text: str, words: str, says: str
) -> None:
    """The words that ask whether they hold are none of what is looked for."""
    record = await _beside(handbook, text, words)

    assert says in text_of(record.reply)
    assert not record.answer.is_refusal


@pytest.mark.parametrize(
    ("text", "words", "says"),
    [
        (WHAT["ru"], "Где сейчас работает Дмитрий?", "Aston"),
        (WHETHER["ru"], "Где сейчас работает Дмитрий?", "Aston"),
        ("Это правда?", "RAG применён в Лоцмане", "В Лоцмане применён RAG"),
    ],
)
async def test_forwarded_words_in_russian_are_held_against_the_pages(
    portfolio: Company, text: str, words: str, says: str
) -> None:
    """As in English."""
    record = await _beside(portfolio, text, words)

    assert says in text_of(record.reply)
    assert not record.answer.is_refusal


@pytest.mark.parametrize(
    ("text", "words"),
    [(WHETHER["en"], "We pay bonuses in bananas"), (WHAT["en"], "Who won the football world cup in 1998?")],
)
async def test_of_what_no_page_says_nothing_is_quoted(handbook: Company, text: str, words: str) -> None:
    """It is refused as if it had been typed."""
    assert (await _beside(handbook, text, words)).answer.is_refusal


@pytest.mark.parametrize(("reads", "language"), [("ru", "ru"), ("en", "en"), (None, "en")])
@pytest.mark.parametrize("text", ["AI-Portfolio", "RAG?", "Kubernetes 9.9"])
async def test_names_alone_are_answered_in_what_their_asker_reads(
    portfolio: Company, text: str, reads: str | None, language: str
) -> None:
    """Headings, the names of buttons, what a refusal says, and the reasons under `Why?`."""
    record = await _answered(portfolio, replace(_question(text), reads=reads))
    reply = record.reply

    assert language == reply.language == record.answer.language
    assert phrase("because_first", language) == record.decision.because
    assert (phrase("refusal", language) in text_of(reply)) is record.answer.is_refusal
