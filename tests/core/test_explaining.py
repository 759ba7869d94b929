"""An explanation is told from the record, for a person: no ids, no scores, nothing that is not theirs to read."""

import re
from typing import Any

import pytest

from core.explaining import explanation
from core.phrases import phrase
from core.render import text_of
from core.text import language_of


def record(**changes: Any) -> dict[str, Any]:
    """Return the result contract of a question that the graph and a search answered."""
    fact = {"doc_id": "projects/lantern.md", "title": "Project Lantern"}
    return {
        "question": "Which technologies does Lantern use in Porto?",
        "citations": [{"doc_id": "projects/lantern.md"}],
        "is_refusal": False,
        "raw_context_used": [fact, fact, {"doc_id": "policies/salary.md", "title": "Salary bands"}],
        "follow_up": {"decision": "standalone", "because": "it names all that it is about"},
        "plan": {"planned_by": "examples"},
        "facts": {
            "tools": [
                {
                    "tool": "graph_query",
                    "arguments": {"intent": "TECH_STACK", "entity_id": "lantern", "also": "porto"},
                    "found": 0,
                    "fallback": False,
                },
                {"tool": "document_search", "arguments": {"query": "Lantern in Porto"}, "found": 3, "fallback": True},
            ]
        },
        "rejected_claims": [{"claim": "It uses Go.", "reason": "the quote is not in the fact"}],
        "timings_ms": {"understand": 0.4, "plan": 1_250.0, "search": 31.0},
        "legend": {
            "recognised": ["Project Lantern", "Porto office"],
            "names": {"lantern": "Project Lantern", "porto": "Porto office"},
            "finds": {"TECH_STACK": {"find": "section", "headings": ["Technologies"]}},
            "missing": ["Go"],
            "statements": 2,
        },
    } | changes


def test_everything_is_told_in_words() -> None:
    """What was understood, where it was looked for with what success, what was missing, and what came of it."""
    assert text_of(explanation(record())).splitlines() == [
        "What I understood:",
        "• It is a new question: it names all that it is about.",
        "• Names I know in it: Project Lantern, Porto office.",
        "Where I looked:",
        "• Answers to questions like this have a set place in the documents, so I looked there.",
        "• “Technologies” on the page of Project Lantern, as far as Porto office is concerned: nothing found.",
        "• A search for “Lantern in Porto”, because that was too little (passages found: 3).",
        "• Passages read: Project Lantern × 2, Salary bands × 1.",
        "• Nowhere in what I read: “Go”.",
        "What came of it:",
        "• Statements confirmed word for word: 2; documents that prove them: 1.",
        "• Statements left out because nothing confirmed them: 1.",
        "• It took 1.3 s (planning 1.2 s, looking 31 ms, the rest hardly any).",
    ]


@pytest.mark.parametrize(
    ("question", "form", "told"),
    [
        ("All but Lantern?", {"exclude": ["lantern"]}, "• To be left out: Project Lantern."),
        ("Что без Лантерна?", {"without": ["lantern"]}, "• Ищу то, что не связано с этим: Project Lantern."),
        (
            "In 2025?",
            {"period": {"since": "2025-01-01", "until": "2025-12-31"}},
            "1 January 2025 to 31 December 2025.",
        ),
        ("Вчера?", {"period": {"since": "2025-01-01", "until": "2025-01-01"}}, "• Он об одном дне: 1 января 2025."),
        ("Since May?", {"period": {"since": "2025-05-01", "until": None}}, "the days from 1 May 2025 on."),
        ("До мая?", {"period": {"since": None, "until": "2025-04-30"}}, "• Он о днях по 30 апреля 2025 включительно."),
    ],
)
def test_what_the_form_of_the_question_says_is_told(question: str, form: dict[str, Any], told: str) -> None:
    """What is left out, what is not to be there, and which days the time words stand for."""
    plan = {"planned_by": "examples", "exclude": [], "without": [], "period": None} | form

    assert told in text_of(explanation(record(question=question, plan=plan)))


SEARCH = {"tool": "document_search", "arguments": {"query": "Redis"}, "found": 3, "fallback": False}
LOOKUP = {
    "tool": "graph_query",
    "arguments": {"intent": "TECH_STACK", "entity_id": "lantern"},
    "found": 1,
    "fallback": False,
}


@pytest.mark.parametrize(
    ("question", "tools", "told"),
    [
        ("Where?", [SEARCH], "have no set place, so I searched."),
        ("Where?", [LOOKUP], "The words of the question say where to look first."),
        ("Где?", [SEARCH], "нет своего места в документах, поэтому я просто искал."),
        ("Где?", [LOOKUP, SEARCH], "Где смотреть сначала, подсказали слова вопроса."),
        ("Где?", [SEARCH, LOOKUP | {"fallback": True}], "нет своего места в документах, поэтому я просто искал."),
    ],
)
def test_without_a_plan_for_such_questions_it_is_told_what_was_done(
    question: str, tools: list[dict[str, Any]], told: str
) -> None:
    """A search is said to be all only where the structure was not looked up at first."""
    kept = record(question=question, plan={"planned_by": "default"}, facts={"tools": tools})

    assert told in text_of(explanation(kept))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who?", "• A search for “Redis” among documents of these kinds: person, policy (passages found: 3)."),
        ("Кто?", "• Поиск среди документов таких видов (человек, политика): «Redis» (найдено отрывков: 3)."),
    ],
)
def test_a_search_among_some_documents_is_not_told_as_one_of_all(question: str, told: str) -> None:
    """The kinds that it is narrowed to stand beside its words."""
    search = SEARCH | {"arguments": {"query": "Redis", "doc_types": "('person', 'policy')"}}

    assert told in text_of(explanation(record(question=question, facts={"tools": [search]})))


def test_a_russian_question_is_explained_in_russian() -> None:
    """Every sentence, the numbers too."""
    carried = {"decision": "follow_up", "because": "он начинается с «а»", "carried": "Где применялся RAG?"}
    told = text_of(explanation(record(question="А в Астоне?", follow_up=carried, is_refusal=True, citations=[])))

    assert "• Он продолжает вопрос «Где применялся RAG?»: он начинается с «а»." in told
    assert "Найденного мало для ответа" in told
    assert "Это заняло 1,3 с (план 1,2 с, поиск 31 мс" in told
    assert not re.search(r"\b(?:What|Read|looked|took|passages)\b", told)


def test_a_document_that_is_not_for_the_place_is_not_named() -> None:
    """It was readable when the question was answered, and is not any more: it counts, and has no title."""
    told = text_of(explanation(record(), lambda doc_id: doc_id != "policies/salary.md"))
    nothing = text_of(explanation(record(), lambda _: False))

    assert "• Passages read: Project Lantern × 2, and one more." in told
    assert "Salary" not in told
    assert "• Documents that I read and may not name here: 2." in nothing


@pytest.mark.parametrize("find", ["section", "mentions", "overview", "field", "search"])
def test_every_way_to_look_has_its_words(find: str) -> None:
    """Also where the plan's ids mean nothing any more, or the record was written before it had a legend."""
    known = record()
    known["legend"]["finds"]["TECH_STACK"] = {"find": find, "headings": []}
    without = {key: value for key, value in record().items() if key != "legend"}

    assert "Project Lantern" in text_of(explanation(known))
    for told in (text_of(explanation(known)), text_of(explanation(without))):
        assert not re.search(r"lantern|TECH_STACK|\.md|graph_query|0\.\d", told)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who uses Go?", "Statements that a second check refused, though their words fit their quotes: 2."),
        ("Кто пишет на Go?", "Утверждений, которые вторая проверка отклонила, хотя их слова сходятся с цитатами: 2."),
    ],
)
def test_what_an_entailment_model_refused_is_counted(question: str, told: str) -> None:
    """In a line of its own, and only where it refused something."""
    legend = record()["legend"]
    refused = record(question=question, legend={**legend, "not_entailed": 2})
    none = record(question=question, legend={**legend, "not_entailed": 0})

    assert told in text_of(explanation(refused))
    assert len(text_of(explanation(none)).splitlines()) + 1 == len(text_of(explanation(refused)).splitlines())


def test_what_is_endless_is_cut() -> None:
    """A title, a query and the list of missing words take a line each at most."""
    endless = record(question="Why " + "so long " * 400)
    endless["raw_context_used"] = [{"doc_id": str(n), "title": "T" * 500} for n in range(50)]
    endless["legend"]["missing"] = [f"word{n}" for n in range(200)]
    told = text_of(explanation(endless))

    assert "and 45 more." in told
    assert "and 192 more" in told
    assert len(told) < 3_000


@pytest.mark.parametrize(
    ("because", "words"),
    [
        (None, "because that was too little"),
        ("little", "because that was too little"),
        ("nothing", "because that gave nothing"),
        ("missing", "because something that was asked for was still missing"),
    ],
)
def test_why_it_looked_again_is_told(because: str | None, words: str) -> None:
    """With what failed on the way, and without the program's own words for it."""
    known = record()
    known["facts"]["tools"][1] |= {"because": because, "problem": "SearchError: lance 0x1"}
    told = text_of(explanation(known))

    assert f"{words}: it did not work in full (passages found: 3)." in told
    assert "lance" not in told


@pytest.mark.parametrize(
    ("question", "because", "asked_back"),
    [
        ("Who is Dmitry?", "it can be read in several ways", "I asked which one is meant"),
        ("Кто такой Дмитрий?", "его можно понять по-разному", "я спросил, что имеется в виду"),
    ],
)
def test_a_question_that_we_asked_back_about_is_explained(question: str, because: str, asked_back: str) -> None:
    """What it could mean, why that is unclear, and that nothing was looked up: no empty heading, no plan."""
    read = {"decision": "unclear", "question": question, "because": because, "options": ["D. Orlov", "D. Petrov"]}
    told = text_of(explanation(record(question=question, follow_up=read, plan=None, citations=[], rejected_claims=[])))

    assert because in told
    assert "D. Orlov / D. Petrov" in told
    assert asked_back in told
    assert phrase("why_looked", language_of(question)) not in told
