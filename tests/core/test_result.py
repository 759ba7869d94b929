"""The result contract: one answered question as plain data, complete and JSON-able (R-21)."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core.answer import Answer, Rejection
from core.conversation import Clarification, Question, Reading
from core.facts import Fact, FactsPayload, Place, ToolRun
from core.followup import Carried, FollowUp, FollowUpDecision, Standalone, Unclear
from core.plan import Style, default_plan
from core.render import render
from core.result import result_of
from core.text import Untrusted
from core.turn import Spent, TurnRecord
from tests.core.corpus import EVERYBODY, NOON, fact
from tests.core.scenes import answered, cited, stated

SURE = answered(
    stated("28 дней", cited("28 дней", "hr.md", start=7, link="https://hr.example")), flags=frozenset({"confidential"})
)

SPAN = {"start": 0, "end": 3}


def result(
    answer: Answer = SURE, *facts: Fact, decision: FollowUpDecision | None = None, **known: Any
) -> dict[str, Any]:
    """Return the result of a question that was answered so."""
    record = TurnRecord(
        question=Question("1", "console", "console:1", "Сколько дней?", "me", EVERYBODY, NOON),
        decision=decision or Standalone("Сколько дней?", "first"),
        plan=default_plan("Сколько дней?"),
        planned_by="default",
        payload=FactsPayload(facts, 0.66666),
        answer=answer,
        reply=render(answer, Style.BULLETS),
        seconds=1.23456,
        finished_at=NOON + timedelta(seconds=1),
    )
    return result_of(replace(record, **known))


def test_the_contract_has_exactly_its_fields() -> None:
    """Whoever reads the JSON can rely on these names; the data is nothing but JSON."""
    found = result()

    assert [
        *(
            "question",
            "language",
            "answer",
            "citations",
            "confidence",
            "confidence_level",
            "policy_flags",
            "is_refusal",
        ),
        *("raw_context_used", "model_used", "tokens_used", "model_calls", "cost_usd", "latency_ms"),
        *("follow_up", "actions", "plan", "facts"),
        *("remaining", "lead", "claims", "pin", "older", "list", "nearest", "rejected_claims", "timings_ms", "legend"),
        "generation",
    ] == list(found)
    assert found == json.loads(json.dumps(found, ensure_ascii=False))


def test_the_answer_is_what_was_shown() -> None:
    """The text, its confidence, its flags and its cost stand as they were."""
    found = result(replace(SURE, confidence=0.98765, model="m"), spent=Spent(2, 9, 0.25))

    assert ("Сколько дней?", "• 28 дней¹", False) == (found["question"], found["answer"], found["is_refusal"])
    assert (0.988, "high", ["confidential"]) == (
        found["confidence"],
        found["confidence_level"],
        found["policy_flags"],
    )
    assert ("m", 9, 1235) == (found["model_used"], found["tokens_used"], found["latency_ms"])
    assert (2, 0.25) == (found["model_calls"], found["cost_usd"])


def test_a_citation_names_document_place_and_exact_words() -> None:
    """Offsets and snippet belong together; the link is the document's."""
    place = Place((Untrusted("Сроки"),), 2)

    [citation] = result(answered(stated("28", cited("28 дней", "hr.md", start=7, place=place, link="l"))))["citations"]

    assert {
        "number": 1,
        "doc_id": "hr.md",
        "chunk_id": "hr.md-0",
        "title": "hr.md",
        "place": "Сроки › page 2",
        "headings": ["Сроки"],
        "page": 2,
        "link": "l",
        "text_snippet": "28 дней",
        "links": [],
        "start": 7,
        "end": 14,
    } == citation


def test_a_span_cited_twice_is_listed_once() -> None:
    """Two claims on the same words have one citation; other words have another."""
    once = cited("28 дней", "hr.md")
    claims = (stated("28", once), stated("Дней 28", once), stated("5", cited("5 days", "en.md")))

    assert ["28 дней", "5 days"] == [one["text_snippet"] for one in result(answered(*claims))["citations"]]


def test_each_statement_stands_with_its_verdict_and_its_citations() -> None:
    """The citations are places in the list of all, so that a reader can tell which of them proves what."""
    once, twice = cited("28 дней", "hr.md"), cited("5 days", "en.md")
    found = result(replace(answered(stated("28", once), stated("5", once, twice)), lead="Вот что сказано:"))

    assert [[0], [0, 1]] == [claim["citations"] for claim in found["claims"]]
    assert ["supported", "supported"] == [claim["verdict"] for claim in found["claims"]]
    assert ("Вот что сказано:", None) == (found["lead"], found["pin"])


def test_a_refusal_cites_nothing() -> None:
    """What is offered instead proves no claim."""
    found = result(Answer((), "ru", is_refusal=True, nearest=(cited("Рядом"),)))

    assert (True, [], ["Рядом"]) == (
        found["is_refusal"],
        found["citations"],
        [one["text_snippet"] for one in found["nearest"]],
    )


def test_what_was_found_is_kept() -> None:
    """The facts in order, their groups and documents sorted, the tools as they were called."""
    facts = (fact("Два", doc="b.md", group="Полынь"), fact("One", doc="a.md", group="Alor"), fact("Три", doc="b.md"))
    run = ToolRun("document_search", {"query": "дни"}, 3, fallback=True, because="missing", problem="it was slow")

    found = result(SURE, payload=FactsPayload(facts, 0.66666, (run,), missing=("rag",)))

    assert ["Два", "One", "Три"] == [one["text"] for one in found["raw_context_used"]]
    assert {
        "doc_id": "b.md",
        "chunk_id": "b.md-0",
        "title": "b.md",
        "place": "",
        "text": "Два",
        "start": 0,
        "end": 3,
    } == found["raw_context_used"][0]
    assert {
        "found": True,
        "items": 3,
        "groups": ["Alor", "Полынь"],
        "meta": {"coverage": 0.667, "missing": ["rag"]},
        "sources": ["a.md", "b.md"],
        "tools": [
            {
                "tool": "document_search",
                "arguments": {"query": "дни"},
                "found": 3,
                "fallback": True,
                "because": "missing",
                "problem": "it was slow",
            }
        ],
    } == found["facts"]


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        (Standalone("Q?", "first"), {"decision": "standalone", "question": "Q?", "because": "first"}),
        (
            FollowUp("А в Астоне? (Где RAG?)", Carried("Где RAG?", ("rag",)), "«а»"),
            {"decision": "follow_up", "question": "А в Астоне? (Где RAG?)", "because": "«а»", "carried": "Где RAG?"},
        ),
        (
            Unclear("Port?", Clarification("port", (Reading("Porto?", "Porto?"), Reading("Порт?", "Порт?"))), "two"),
            {"decision": "unclear", "question": "Port?", "because": "two", "options": ["Porto?", "Порт?"]},
        ),
    ],
)
def test_the_follow_up_decision_is_told_with_its_reason(decision: FollowUpDecision, expected: dict[str, Any]) -> None:
    """Each decision says what was understood and why; a follow-up also what it carried."""
    assert expected == result(decision=decision)["follow_up"]


def test_the_plan_says_who_made_it() -> None:
    """The plan as data, with its maker."""
    plan = result()["plan"]

    assert ("default", ["GENERAL_UNSTRUCTURED"]) == (plan["planned_by"], plan["intents"])
    assert ["document_search"] == [call["tool"] for call in plan["tool_calls"]]


def test_a_question_that_we_ask_back_about_has_no_plan_but_options() -> None:
    """Nothing was looked up for it: the result says what was offered, and that there is no plan and no claim."""
    unclear = Unclear("Port?", Clarification("port", (Reading("Porto?", "Porto"), Reading("Порт?", "Порт"))), "two")
    found = result(decision=unclear, planned_by="nobody")

    assert (None, ["Porto", "Порт"]) == (found["plan"], found["follow_up"]["options"])


def test_rejected_claims_and_times_are_kept_for_the_audit() -> None:
    """Why a claim was left out, and how long each step took in thousandths of a second."""
    found = result(replace(SURE, rejected=(Rejection("29 дней", "no"),)), timings=(("plan", 0.01234), ("draft", 1.0)))

    assert [{"claim": "29 дней", "reason": "no"}] == found["rejected_claims"]
    assert {"plan": 12.3, "draft": 1000.0} == found["timings_ms"]
