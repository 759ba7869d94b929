"""What is left of a list: of passages that could be quoted beside a model's answer nothing is."""

from dataclasses import replace

import pytest

from core.answer import Answer
from core.listing import with_rest
from core.plan import default_plan
from core.quoting import draft_quotes
from core.verify import verify
from tests.core.scenes import facts_of
from tests.core.test_quoting import asked

LEAVE = "# Leave\n\nYou get 24 days of annual leave a year.\n\n## Carrying over\n\nOf annual leave, 5 days are kept."
LEAVE_RU = "# Отпуск\n\nВ год положено 24 дня отпуска.\n\n## Перенос\n\nИз отпуска 5 дней переносят."
CLUBS = "# Кружки\n\nШкола открыла кружки:\n\n- шахматы\n- хор\n- танцы\n- лыжи"


def rest(text: str, question: str, near: str, model: str, told: int) -> int:
    """Return how much is left when somebody has told so many of what could be quoted."""
    context = asked(question, *facts_of("a.md", text), near=near)
    answer: Answer = replace(verify(draft_quotes(context), context), model=model)
    assert told < len(answer.claims)
    answer, _ = with_rest(replace(answer, claims=answer.claims[:told]), context, default_plan(question), question)
    return answer.remaining


@pytest.mark.parametrize(("model", "left"), [("scripted", 0), ("quotes", 1)])
def test_passages_beside_a_written_answer_are_no_rest(model: str, left: int) -> None:
    """A model that gives the one number that was asked for has left nothing out."""
    assert left == rest(LEAVE, "How many days of annual leave do I get?", "annual leave", model, 1)


@pytest.mark.parametrize(
    ("text", "question", "near", "beside"),
    [
        (LEAVE, "How many days of annual leave do I get?", "annual leave", "Of annual leave, 5 days are kept."),
        (
            LEAVE_RU,
            "Сколько дней отпуска в год положено и сколько дней отпуска переносят?",
            "отпуска",
            "Из отпуска 5 дней переносят.",
        ),
    ],
)
def test_what_is_beside_the_point_is_no_rest(text: str, question: str, near: str, beside: str) -> None:
    """What was left out as an answer to another question is promised to nobody."""
    context = asked(question, *facts_of("a.md", text), near=near)
    answer = replace(verify(draft_quotes(context), context), model="quotes")
    kept = [claim for claim in answer.claims if claim.text != beside]
    assert len(kept) == len(answer.claims) - 1
    told, listed = with_rest(
        replace(answer, claims=tuple(kept), beside=(beside,)), context, default_plan(question), question
    )

    assert 0 == told.remaining
    assert listed is None or not listed.remaining


def test_the_items_of_one_list_are() -> None:
    """Of a list that stands in a page it is told how much is left, whoever told of it."""
    assert 2 == rest(CLUBS, "Какие кружки открыла школа?", "кружки", "scripted", 2)


@pytest.mark.parametrize(("lists", "left"), [(True, 4), (False, 0)])
def test_the_rest_of_a_list_that_is_asked_for_can_be_had_however_little_was_told(lists: bool, left: int) -> None:  # noqa: FBT001
    """Of what the documents' structure lists, one item of five is no whole list, and does not pass for one."""
    items = "\n".join(f"- круг {number}" for number in range(1, 6))
    facts = [replace(fact, structural=True) for fact in facts_of("a.md", f"# Кружки\n\n{items}\n")]
    context = replace(asked("Перечисли кружки", *facts, near="круг"), lists=lists)
    told = replace(verify(draft_quotes(context), context), model="scripted")
    answer, _ = with_rest(replace(told, claims=told.claims[:1]), context, default_plan("Перечисли кружки"), "")

    assert left == answer.remaining
