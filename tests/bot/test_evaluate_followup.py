"""`footnote evaluate followup`: labelled turns in, shares out."""

import json
from pathlib import Path
from typing import Any

import pytest

from adapters.embedding.universal import UniversalEmbedder
from bot.evaluate_followup import Case, Judged, judge, read_cases, scores_of
from core.errors import ConfigError


def case(label: str, message: str = "And in Porto?", *history: str, kind: str = "") -> Case:
    """Return a labelled turn."""
    said = [{"role": "user", "text": text} for text in history or ("Who leads the Leeds office?",)]
    return Case.model_validate({"id": "1", "history": said, "message": message, "label": label, "kind": kind})


def line(**changed: Any) -> str:
    """Return a line of a file of labelled turns."""
    said = [{"role": "user", "text": "Кто ведёт «Альфу»?"}, {"role": "assistant", "text": "Анна."}]
    return json.dumps({"id": "1", "history": said, "message": "А «Вегу»?", "label": "followup"} | changed)


@pytest.mark.parametrize(
    ("message", "before", "expected"),
    [
        ("And in Porto?", "Who leads the Leeds office?", "carried over"),
        ("What are the main advantages?", "Tell me about the pension plan of the firm", "carried over"),
        ("Where is the badge printer on the third floor?", "Who leads the Leeds office?", "new"),
        ("А в Порту?", "Кто руководит офисом в Лидсе?", "carried over"),
        ("Какие основные преимущества?", "Расскажи о пенсионном плане фирмы", "carried over"),
        ("Где стоит принтер для пропусков на третьем этаже?", "Кто руководит офисом в Лидсе?", "new"),
    ],
)
async def test_a_turn_is_judged_by_the_gate(message: str, before: str, expected: str) -> None:
    """The same gate decides that answers questions, with what the words and their nearness tell."""
    found = await judge(case("followup", message, before), UniversalEmbedder(1))

    assert ("carried over" == expected) == found.is_follow_up


def test_both_labels_weigh_alike() -> None:
    """Four follow-ups of which one is found, and one new question: the mean of 1/4 and 1."""
    judged = [Judged(case("followup", kind="plain"), found, "") for found in (True, False, False, False)]
    scores = scores_of([*judged, Judged(case("independent"), False, "")])

    assert 0.625 == scores.balanced
    assert {"followup": 0.25, "independent": 1.0} == scores.by_label
    assert {"plain": 0.25} == scores.by_kind
    assert {"followup": 4, "independent": 1, "plain": 4} == scores.counts


def test_a_line_that_is_no_case_is_named_and_the_rest_is_judged(tmp_path: Path) -> None:
    """Its number and what is wrong are told."""
    file = tmp_path / "turns.jsonl"
    file.write_text("\n".join([line(), "", "{", line(label="maybe"), line(id="2")]), "utf-8")

    cases, problems = read_cases(file)

    assert ["1", "2"] == [one.id for one in cases]
    assert ("Кто ведёт «Альфу»?",) == cases[0].asked
    assert ["turns.jsonl:3", "turns.jsonl:4"] == [problem.split(": ")[0] for problem in problems]
    assert "label" in problems[1]


@pytest.mark.parametrize("content", [b"", b"{}\n", b"\xff\xfe\x00"])
def test_a_file_without_a_case_is_refused(tmp_path: Path, content: bytes) -> None:
    """It says what a line must hold, or that it is no text."""
    file = tmp_path / "turns.jsonl"
    file.write_bytes(content)

    with pytest.raises(ConfigError, match=r"labelled turn|UTF-8"):
        read_cases(file)
