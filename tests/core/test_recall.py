"""The memory of written answers: the same question of the same audience on the same day, and nothing else."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core.answer import Rejection
from core.conversation import Audience, Question
from core.followup import Carried, FollowUp, FollowUpDecision, Standalone
from core.recall import Recall
from core.turn import Spent, TurnRecord
from tests.adapters.storage.turns import ask, finish

TEXT = "Где применял RAG в 2024?"


def record(text: str = TEXT, **known: Any) -> TurnRecord:
    """Return the record of a question that a model answered."""
    made = finish(ask(text))
    sound = replace(made, answer=replace(made.answer, model="m"), decision=Standalone(text, ""), spent=Spent(2, 9, 0.5))
    return replace(sound, **known)


def again(text: str = TEXT, **changed: Any) -> Question:
    """Return the question as somebody else asks it in another thread."""
    return replace(ask(text, minute=7, thread="telegram:8", asker="U2"), **changed)


def found(recall: Recall, question: Question, decision: FollowUpDecision | None = None) -> TurnRecord | None:
    """Return what is remembered of a question."""
    return recall.find(question, decision or Standalone(question.text, "it is new"))


@pytest.mark.parametrize("text", [TEXT, f"  {TEXT}\n", TEXT.replace(" ", "  "), "How does RAG work?"])
def test_the_same_question_is_answered_again_at_no_cost(text: str) -> None:
    """Whoever asks, in whatever thread, but for white space; question and decision are the new ones."""
    recall, question = Recall(), again(text)
    recall.keep(record(" ".join(text.split())))

    known = found(recall, question)

    assert known is not None
    assert (question, "it is new", Spent()) == (known.question, known.decision.because, known.spent)
    assert "m" == known.answer.model


@pytest.mark.parametrize(
    "question",
    [
        again("где применял rag в 2024?"),
        again("Где применял RAG в 2025?"),
        again(audience=Audience("other")),
        again(audience=Audience("acme", frozenset({"people"}))),
        again(asked_at=ask(TEXT).asked_at + timedelta(days=1)),
    ],
    ids=["case", "words", "workspace", "groups", "day"],
)
def test_another_question_is_not(question: Question) -> None:
    """Other words, other readers or another day make another question."""
    recall = Recall()
    recall.keep(record())

    assert found(recall, question) is None


def test_names_alone_are_remembered_for_those_who_read_the_same_language() -> None:
    """The answer to them is in the language of who asked, not in that of their words."""
    recall, asked = Recall(), again("RAG 2024", reads="ru")
    recall.keep(record("RAG 2024", question=replace(ask("RAG 2024"), reads="ru")))

    assert found(recall, replace(asked, reads="en")) is None
    assert found(recall, asked) is not None


def test_what_leans_on_a_thread_is_not_remembered_and_not_recalled() -> None:
    """Neither the answer to a follow-up, nor one of a whole question for it."""
    decision = FollowUp(f"{TEXT} (Aston)", Carried("Aston?", ()), "")
    recall = Recall()
    recall.keep(record(decision=decision))
    assert found(recall, again()) is None

    recall.keep(record())
    assert found(recall, again(), decision) is None


@pytest.mark.parametrize(
    "known",
    [
        {"problems": ("model: it is down",)},
        {"answer": replace(record().answer, model="quotes")},
        {"answer": replace(record().answer, rejected=(Rejection("He won", "no quote says so"),))},
        {"answer": replace(record().answer, claims=(), is_refusal=True)},
    ],
    ids=["problem", "quotes", "rejected", "refused"],
)
def test_what_did_not_go_well_is_made_anew(known: dict[str, Any]) -> None:
    """A model that was down may be there now; quotes cost nothing; a claim that failed may hold next time."""
    recall = Recall()
    recall.keep(record(**known))

    assert found(recall, again()) is None


def test_only_so_many_are_kept() -> None:
    """The least recently used goes first."""
    recall = Recall(2)
    recall.keep(record("Раз?"))
    recall.keep(record("Two?"))
    found(recall, again("Раз?"))
    recall.keep(record("Три?"))

    assert [True, False, True] == [found(recall, again(text)) is not None for text in ("Раз?", "Two?", "Три?")]


def test_a_name_that_stood_for_one_of_several_is_made_anew() -> None:
    """Whom "Dmitry" means is told by the thread."""
    recall = Recall()
    recall.keep(record(decision=Standalone(TEXT, "", means=("petrov",))))

    assert found(recall, again()) is None
