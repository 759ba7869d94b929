"""Collections with judgements, read whatever they look like."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from core.beir import Collection, Lines, Record, read_collection

CORPUS = ['{"_id": "leave", "title": "Leave", "text": "27 days."}', '{"_id": "отпуск", "text": "28 дней."}']
QUERIES = ['{"_id": "q1", "text": "How many days?"}', '{"_id": "q2", "text": "Сколько дней?", "metadata": {}}']
QRELS = ["query-id\tcorpus-id\tscore", "q1\tleave\t1", "q2\tотпуск\t2", "q2\tleave\t0"]


def read(corpus: list[str] = CORPUS, queries: list[str] = QUERIES, qrels: list[str] = QRELS) -> Collection:
    """Return what is read from these lines."""
    files = zip(("corpus.jsonl", "queries.jsonl", "test.tsv"), (corpus, queries, qrels), strict=True)
    return read_collection(*(Lines(name, [line.encode() for line in lines]) for name, lines in files))


def told(collection: Collection) -> list[str]:
    """Return the problems in words."""
    return [str(problem) for problem in collection.problems]


def test_three_files_make_a_collection() -> None:
    """Documents, questions and grades, under their ids, in both languages."""
    found = read()

    assert {"leave": Record("leave", "27 days.", "Leave"), "отпуск": Record("отпуск", "28 дней.")} == found.documents
    assert ["How many days?", "Сколько дней?"] == [question.text for question in found.questions.values()]
    assert {"q1": {"leave": 1}, "q2": {"отпуск": 2, "leave": 0}} == found.grades
    assert () == found.problems


def test_numbers_are_ids_and_a_byte_order_mark_is_nothing() -> None:
    """Ids may be numbers, empty lines separate nothing, and a file may begin as Windows begins files."""
    found = read(['\ufeff{"_id": 7, "text": "seven"}', "", "  "], ['{"_id": 1, "text": "?"}'], ["1\t7\t1"])

    assert ({"7"}, {"1": {"7": 1}}, []) == (set(found.documents), found.grades, told(found))


def test_a_line_that_cannot_be_used_is_named_and_the_rest_goes_on() -> None:
    """Each bad line is told with its file and number; the lines around it are there."""
    bad = [
        "{",
        "[1]",
        '{"text": "no id"}',
        '{"_id": "x"}',
        '{"_id": true, "text": "x"}',
        '{"_id": "leave", "text": "2"}',
    ]

    found = read([CORPUS[0], *bad, CORPUS[1]], qrels=[*QRELS, "q1 leave 1", "q1\tleave\tmuch", "q1\tleave\t3"])

    assert {"leave", "отпуск"} == found.documents.keys()
    assert "27 days." == found.documents["leave"].text
    assert {"leave": 1} == found.grades["q1"]
    places = [f"corpus.jsonl, line {number}:" for number in range(2, 8)]
    places += [f"test.tsv, line {number}:" for number in range(5, 8)]
    assert places == [problem[: len(place)] for problem, place in zip(told(found), places, strict=True)]


def test_ids_that_lead_nowhere_are_told() -> None:
    """A document that is not there counts as not found; a question that is not there is not asked."""
    found = read(qrels=["q1\tlost\t1", "q1\tleave\t1", "q2\tотпуск\t1", "q9\tleave\t1"])

    assert {"q1": {"lost": 1, "leave": 1}, "q2": {"отпуск": 1}} == found.grades
    assert ["judges the question 'q9'", "judges the document 'lost'"] == [
        problem.removeprefix("test.tsv: ").split(",")[0] for problem in told(found)
    ]


def test_a_question_that_nothing_is_relevant_for_is_told_and_not_counted() -> None:
    """Neither a question without judgements nor one with nothing but zeros says anything of the search."""
    found = read(qrels=["q1\tleave\t0"])

    assert {} == found.questions == found.grades
    assert ["queries.jsonl: no relevant document is named for question"] * 2 == [
        problem.split(" 'q")[0] for problem in told(found)
    ]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["_id", "text", "title", "метка"]), inner),
    max_leaves=8,
)
_LINES = st.lists(
    st.binary(max_size=40)
    | _JSON.map(lambda value: json.dumps(value).encode())
    | st.sampled_from([line.encode() for line in (*CORPUS, *QUERIES, *QRELS)]),
    max_size=12,
)


@settings(derandomize=True, max_examples=200)
@given(_LINES, _LINES, _LINES)
def test_whatever_stands_there_is_read_or_told(corpus: list[bytes], queries: list[bytes], qrels: list[bytes]) -> None:
    """No line raises; what is left can be written to files, asked and judged."""
    found = read_collection(Lines("c", corpus), Lines("q", queries), Lines("j", qrels))

    assert found.questions.keys() == found.grades.keys()
    for id_, record in (*found.documents.items(), *found.questions.items()):
        assert id_ == record.id == id_.strip() != ""
        assert (record.title + record.text).encode().strip()
    assert all(any(grade > 0 for grade in given.values()) for given in found.grades.values())


def test_deep_nesting_is_a_bad_line() -> None:
    """A line that nests without end is told like any other."""
    assert ["q1", "q2"] == list(read([*CORPUS, "[" * 100_000]).questions)
