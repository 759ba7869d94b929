"""`footnote evaluate answers`: a folder in both languages, asked what it holds and what it does not."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.answers_report import page_of
from bot.evaluate_answers import _as_data, read_cases
from core.answer import Citing
from core.errors import ConfigError
from core.judging import Case, Judged, scores_of
from tests.bot.terminal import footnote

LEAVE = "# Annual leave\n\nEveryone gets 27 working days of paid vacation per calendar year.\n"
TRAVEL = "# Командировки\n\nСуточные в командировке составляют 1500 рублей в день.\n"
CASES: list[dict[str, Any]] = [
    {"id": "1", "question": "How many vacation days do I get?", "must_contain": ["27 working"], "documents": ["a.md"]},
    {"id": "2", "question": "Какие суточные в командировке?", "must_contain": ["1500 рублей"], "kind": "fact"},
    {"id": "3", "question": "How many vacation days do I get?", "must_contain": ["35 days"], "kind": "fact"},
    {"id": "4", "question": "Кто директор зоопарка в Сиднее?", "answerable": False},
]


@pytest.fixture
def suite(elsewhere: Path) -> list[str]:
    """Return the command's arguments for a file of cases and a folder of two pages."""
    folder = elsewhere / "pages"
    folder.mkdir()
    (folder / "a.md").write_text(LEAVE, encoding="utf-8")
    (folder / "b.md").write_text(TRAVEL, encoding="utf-8")
    file = elsewhere / "cases.jsonl"
    file.write_text("\n".join(json.dumps(case, ensure_ascii=False) for case in CASES) + "\nnot a case\n", "utf-8")
    return ["evaluate", "answers", str(file), "--folder", str(folder)]


def test_the_figures_as_json(suite: list[str], elsewhere: Path) -> None:
    """Outcomes, shares and every answer; the line that is no case is named; no index is made but for this."""
    outcome = footnote(*suite, "--json")

    found = json.loads(outcome.out)
    assert (0, "") == (outcome.status, outcome.err)
    assert ["right", "right", "wrong", "refused"] == [one["outcome"] for one in found["answers"]]
    assert (0.6667, 1.0, 0) == (found["all"]["right"], found["all"]["refused_rightly"], found["all"]["quotes_astray"])
    assert {"en", "ru"} == set(found["by_language"])
    assert ["fact"] == list(found["by_kind"])
    assert ["cases.jsonl:5: line: Invalid JSON: expected ident at line 1 column 2"] == found["problems"]
    assert not list(elsewhere.glob("**/footnote.db"))


def test_how_a_models_drafts_cited_is_told() -> None:
    """In a sentence and as data; quoting mode drafts nothing, and says nothing of it."""
    case = Case(id="1", question="Сколько дней отпуска?")
    drafted = Judged(case, "right", "ru", "27 дней", citing=Citing(4, 3, 5, 2, 1))
    told = (
        "4 claims were proven by what they cite (recall), 40.0% of 5 citations were needed for that (precision), 1 led"
    )

    assert f"75.0% of {told} nowhere" in page_of([drafted], "a model")
    assert {"claims": 4, "proven": 3, "pointers": 5, "needed": 2, "dangling": 1, "recall": 0.75, "precision": 0.4} == (
        _as_data(scores_of([drafted]))["drafted"]
    )
    quoted = replace(drafted, citing=Citing())
    assert "Drafts" not in page_of([quoted], "quoting mode")
    assert _as_data(scores_of([quoted]))["drafted"] is None


def test_what_a_person_reads(suite: list[str], elsewhere: Path) -> None:
    """A table, sentences, what went wrong with what was said, and a page with plots that needs nothing else."""
    page = elsewhere / "report.html"

    outcome = footnote(*suite, "--wrong", "--report", str(page))

    assert (0, "") == (outcome.status, outcome.err)
    assert "4 questions, answered by quoting mode, no model" in outcome.out
    assert "Right: 66.7% of the questions that have an answer" in outcome.out
    assert "27 working days" in outcome.out.split("wrong     3", 1)[1]
    written = page.read_text("utf-8")
    assert written.startswith("<!doctype html>")
    assert 5 < written.count("<rect")
    assert "Суточные" in written
    assert "http" not in written


def test_the_page_shows_answers_as_text() -> None:
    """Markup in a question or in an answer is shown, not obeyed."""
    case = Case(id="1", question="<script>alert(1)</script>", must_contain=("<b>",))

    page = page_of([Judged(case, "wrong", "en", "<img src=x>")], "<i>m</i>")

    assert "<script>" not in page
    assert "<img" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize("text", ["", "{}\n", '{"id": "1"}\n', "[1, 2]\n", "ничего\n"])
def test_a_file_without_a_question_is_refused(text: str, tmp_path: Path) -> None:
    """It says what a line must be."""
    file = tmp_path / "cases.jsonl"
    file.write_text(text, "utf-8")

    with pytest.raises(ConfigError, match="each line must be JSON with id and question"):
        read_cases(file)


def test_the_same_id_twice_is_named(tmp_path: Path) -> None:
    """The first counts."""
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(json.dumps({"id": "1", "question": text}) for text in ("One?", "Два?")), "utf-8")

    cases, problems = read_cases(file)

    assert ["One?"] == [case.question for case in cases]
    assert ["cases.jsonl: id: 1 stands on an earlier line, too: Два?"] == problems


def test_without_an_index_it_says_what_to_do(suite: list[str]) -> None:
    """Nothing to ask is not a table of zeros."""
    outcome = footnote(*suite[:3])

    assert 0 != outcome.status
    assert "nothing is indexed yet" in outcome.err
