"""`footnote evaluate retrieval`: a small collection in both languages, through the real encoder and index."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from bot.evaluate import table_of
from bot.retrieval import Findings, best_of_each, percentile, write_documents
from core.beir import Record
from core.measures import MEASURES
from tests.bot.terminal import Outcome, footnote

DOCUMENTS = [
    {"_id": "leave", "title": "Leave", "text": "Everyone gets 27 working days of paid vacation per calendar year."},
    {"_id": "vpn/access", "title": "", "text": "To reach the network from home, install the client and sign in."},
    {"_id": "отпуск", "title": "Отпуск", "text": "Каждому положено 28 календарных дней отпуска в год."},
    {"_id": 4, "title": "Закупки", "text": "Заявку на закупку согласует руководитель отдела.\n\nСрок: три дня."},
    {"_id": "mugs", "title": "Kitchen", "text": "Mugs go into the dishwasher.\n" * 200},
]
QUESTIONS = [
    {"_id": "q1", "text": "How many vacation days do I get?"},
    {"_id": "q2", "text": "How do I connect from home?"},
    {"_id": "q3", "text": "Сколько дней отпуска мне положено?"},
    {"_id": "q4", "text": "Кто согласует закупки?"},
    {"_id": "q5", "text": "Nobody judged this."},
]
QRELS = "query-id\tcorpus-id\tscore\nq1\tleave\t1\nq2\tvpn/access\t1\nq3\tотпуск\t2\nq4\t4\t1\nq4\tlost\t1\n"


@pytest.fixture
def files(elsewhere: Path) -> dict[str, Path]:
    """Return the three files of a small collection by their options."""
    found = {name: elsewhere / f"{name}.txt" for name in ("corpus", "queries", "qrels")}
    for name, records in (("corpus", DOCUMENTS), ("queries", QUESTIONS)):
        lines = (json.dumps(record, ensure_ascii=False) for record in records)
        found[name].write_text("\n".join(lines), encoding="utf-8")
    found["qrels"].write_text(QRELS, encoding="utf-8")
    return found


def evaluated(files: dict[str, Path], *more: str) -> Outcome:
    """Return what the command does with the files."""
    options = [part for name, path in files.items() for part in (f"--{name}", str(path))]
    return footnote("evaluate", "retrieval", *options, *more)


def test_the_figures_as_json(files: dict[str, Path], elsewhere: Path) -> None:
    """Every measure for each engine and both, milliseconds, and what was left out; nothing of the live index is made.

    Every question but one with a document that is not there finds all of its documents first.
    """
    outcome = evaluated(files, "--json")

    found = json.loads(outcome.out)
    assert (0, "") == (outcome.status, outcome.err)
    assert {"documents": 5, "questions": 4} == {name: found["counts"][name] for name in ("documents", "questions")}
    assert found["counts"]["chunks"] > 5
    assert ["meaning", "words", "fused"] == list(found["engines"])
    assert {tuple(MEASURES)} == {tuple(measures) for measures in found["engines"].values()}
    assert (0.875, 1.0) == (found["engines"]["fused"]["recall@1"], found["engines"]["fused"]["MRR@10"])
    assert ["embedding", "search"] == list(found["milliseconds"])
    assert all(0 < each["p50"] <= each["p95"] for each in found["milliseconds"].values())
    assert found["problems"] == {
        "count": 2,
        "first": [
            "qrels.txt: judges the document 'lost', which is not in the corpus: it counts as not found",
            "queries.txt: no relevant document is named for question 'q5', so it is not counted",
        ],
    }
    assert not (elsewhere / "data").exists()


def test_the_figures_for_people(files: dict[str, Path]) -> None:
    """A bad line is told after the table, and the rest is measured."""
    with files["corpus"].open("a", encoding="utf-8") as file:
        file.write('\n{"_id": "broken"')
    outcome = evaluated(files)

    assert (0, "") == (outcome.status, outcome.err)
    assert "4 questions on 5 documents" in outcome.text
    assert "both, fused 0.875" in outcome.text
    assert "Left out (3), the rest was measured: corpus.txt, line 6: is no JSON object" in outcome.text


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("corpus", "", "no document could be read"),
        ("queries", "{}", "queries.txt, line 1: has no _id: give it one"),
        ("qrels", "q1\tleave\t0", "no question has a document that is relevant"),
    ],
)
def test_what_measures_nothing_is_an_error(files: dict[str, Path], name: str, text: str, told: str) -> None:
    """Without a document, or a question that is judged, the command says what it found in the files."""
    files[name].write_text(text, encoding="utf-8")
    outcome = evaluated(files, "--json")

    assert (1, "") == (outcome.status, outcome.out)
    assert told in outcome.err


def test_a_file_that_is_not_there_is_named_by_its_option(files: dict[str, Path]) -> None:
    """The option tells which of the three is meant; a folder is no file."""
    for name in ("corpus", "queries", "qrels"):
        outcome = evaluated(files | {name: files[name].parent})
        assert (1, f"footnote: --{name}: there is no file {files[name].parent}\n") == (outcome.status, outcome.err)


def test_a_document_is_as_good_as_its_best_chunk() -> None:
    """Several chunks of one document collapse to the best, even below nothing."""
    homes = {"a1": "a", "a2": "a", "б1": "б"}

    assert {"a": 0.7, "б": -0.5} == best_of_each({"a1": 0.2, "б1": -0.5, "a2": 0.7}, homes)


def test_percentiles_are_numbers_that_were_there() -> None:
    """The nearest rank: half, and 95 of a hundred, are not above it."""
    assert [2, 4, 1] == [percentile([3, 1, 4, 2], 50), percentile([3, 1, 4, 2], 95), percentile([1], 50)]


def test_a_document_is_written_with_its_title(tmp_path: Path) -> None:
    """Whatever the ids are, each document has a file; one without a title goes by how it begins."""
    names = write_documents(
        {"../x\n": Record("../x\n", "Текст."), "y": Record("y", "Text", " Two\nlines ")}, tmp_path / "d"
    )

    assert {"0.txt": "../x\n", "1.txt": "y"} == names
    assert ["Текст.\n======\n\nТекст.", "Two lines\n=========\n\nText"] == [
        (tmp_path / "d" / name).read_text("utf-8") for name in names
    ]


def test_the_table_fits_a_terminal() -> None:
    """However large the collection, no line is wider than 80 columns."""
    counts = {"documents": 8_841_823, "chunks": 12_345_678, "questions": 101_093}
    findings = Findings(
        counts, {"fused": dict.fromkeys(MEASURES, 1.0)}, {"search": {"p50": 12345.6, "p95": 12345.6}}, ()
    )

    console = Console(width=80, file=io.StringIO())
    console.print(*table_of(findings), sep="\n")
    lines = console.file.getvalue().splitlines()
    assert ["101,093", "found", "both,", "milliseconds", "search"] == [
        line.split()[0] for line in lines if line.strip()
    ]
    assert "12345.6" in lines[-1]
