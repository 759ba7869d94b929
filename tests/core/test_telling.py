"""What is seen until there is an answer, in both languages."""

from typing import Any

import pytest

from core.phrases import phrase
from core.plan import Style
from core.render import text_of
from core.reply import Note, Paragraph, Tasks
from core.telling import Checking, Looking, Proven, Reading, Step, Understanding, after, shown, words_of_step
from core.text import Language
from tests.core.scenes import drafted, judged

RECEIPT = judged(
    drafted("A receipt is attached for every item above €15.", "Attach a receipt for every item above €15")
)


@pytest.mark.parametrize(
    ("step", "english", "russian"),
    [
        (Understanding(), "Reading the question…", "Читаю вопрос…"),
        (Looking(), "Looking through the documents…", "Смотрю в документах…"),
        (Reading(6, ("Leave",)), "Reading “Leave” (passages: 6)…", "Читаю «Leave» (отрывков: 6)…"),
        (
            Reading(6, ("Отпуск", "b", "c")),
            "Reading “Отпуск” and 2 more (passages: 6)…",
            "Читаю «Отпуск» и ещё 2 документа (отрывков: 6)…",
        ),
        (
            Checking(2),
            "Checking again what was not proven (statements: 2)…",
            "Ещё раз проверяю, что не подтвердилось (утверждений: 2)…",
        ),
    ],
)
def test_each_step_has_its_words(step: Step, english: str, russian: str) -> None:
    """In the language of the question."""
    assert (english, russian) == (words_of_step(step, "en"), words_of_step(step, "ru"))


@pytest.mark.parametrize(
    "title", ["", " ", "<!channel> read this", "[click](https://evil.example)", "@here", "see [1]"]
)
def test_a_title_that_is_none_is_not_said(title: str) -> None:
    """A document cannot ping, link or speak by its title; the next one is named, or none."""
    assert phrase("tell_reading", "en", count=3) == words_of_step(Reading(3, (title,)), "en")
    assert "“Leave” and one more" in words_of_step(Reading(3, (title, "Leave")), "en")


def test_a_long_title_is_cut() -> None:
    """It is one line on a phone."""
    assert len(words_of_step(Reading(3, ("Положение " * 50,)), "ru")) < 100


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("style", list(Style))
def test_proven_statements_stand_above_what_is_being_done(language: Language, style: Style) -> None:
    """Without footnotes, as their evidence is not there yet, and with nothing to press."""
    reply = shown((Proven(RECEIPT.claims, style), Checking(1)), language)
    *nodes, tasks = reply.nodes
    lines: list[Any] = [node.line if isinstance(node, Paragraph) else node.items[0] for node in nodes]  # type: ignore[union-attr]

    assert ["A receipt is attached for every item above €15.", words_of_step(Checking(1), language)] == [
        said.removeprefix("• ") for said in text_of(reply).splitlines()
    ]
    assert isinstance(tasks, Tasks)
    assert not any(isinstance(part, Note) for line in lines for part in line)
    assert ((), ()) == (reply.evidence, reply.actions)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ["Reading the question", "Looking through the documents", "Reading “Leave” (passages: 6)"]),
        ("ru", ["Читаю вопрос", "Смотрю в документах", "Читаю «Leave» (отрывков: 6)"]),
    ],
)
def test_what_was_done_stays_with_what_is_done(language: Language, told: list[str]) -> None:
    """One task for each step, all but the last done; a step of the same kind takes the place of the one before it."""
    steps: tuple[Step, ...] = ()
    one_claim, style = RECEIPT.claims[:1], Style.SHORT
    for step in (Understanding(), Looking(), Reading(6, ("Leave",)), Proven((), style), Proven(one_claim, style)):
        steps = after(steps, step)
    *_, tasks = shown(steps, language).nodes

    assert isinstance(tasks, Tasks)
    assert [*told, phrase("tell_writing", language)] == [task.title for task in tasks.tasks]
    assert ["done", "done", "done", "doing"] == [task.state for task in tasks.tasks]
    assert phrase("tell_confirmed", language, count=1) == tasks.tasks[-1].detail
    assert words_of_step(steps[-1], language) == tasks.line
