"""The result contract (R-21): one answered question as plain data, for `--json`, storage and audit."""

from collections.abc import Mapping
from typing import Any

from core.answer import Citation
from core.facts import Fact, FactsPayload
from core.followup import FollowUp, FollowUpDecision, Standalone
from core.render import numbered, place_of, text_of
from core.turn import TurnRecord


def result_of(record: TurnRecord) -> dict[str, Any]:
    """Return the result as JSON-able data: R-21, and the question, what was nearest, rejected, timed."""
    answer, numbers = record.answer, numbered(record.answer)
    return {
        "question": record.question.text,
        "answer": text_of(record.reply),
        "citations": [_citation(citation, numbers[citation]) for citation in numbers if citation not in answer.nearest],
        "confidence": round(answer.confidence, 3),
        "confidence_level": answer.level,
        "policy_flags": sorted(answer.flags),
        "is_refusal": answer.is_refusal,
        "raw_context_used": [_fact(fact) for fact in record.payload.facts],
        "model_used": answer.model,
        "tokens_used": answer.tokens,
        "latency_ms": round(record.seconds * 1000),
        "follow_up": _decision(record.decision),
        "plan": record.plan.model_dump(mode="json") | {"planned_by": record.planned_by},
        "facts": _payload(record.payload),
        "nearest": [_citation(citation, numbers[citation]) for citation in answer.nearest],
        "rejected_claims": [{"claim": one.claim, "reason": one.reason} for one in answer.rejected],
        "timings_ms": {name: round(seconds * 1000, 1) for name, seconds in record.timings},
    }


def _citation(citation: Citation, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "doc_id": citation.source.doc_id,
        "chunk_id": citation.chunk_id,
        "title": citation.source.title,
        "place": place_of(citation.place),
        "link": citation.source.link,
        "text_snippet": str(citation.quote),
        "start": citation.span.start,
        "end": citation.span.end,
    }


def _fact(fact: Fact) -> dict[str, Any]:
    return {
        "doc_id": fact.source.doc_id,
        "chunk_id": fact.chunk_id,
        "title": fact.source.title,
        "place": place_of(fact.place),
        "text": str(fact.text),
    }


def _payload(payload: FactsPayload) -> dict[str, Any]:
    return {
        "found": payload.found,
        "items": len(payload.facts),
        "groups": sorted({fact.group for fact in payload.facts if fact.group}),
        "meta": {"coverage": round(payload.coverage, 3)},
        "sources": sorted({fact.source.doc_id for fact in payload.facts}),
        "tools": [
            {"tool": run.tool, "arguments": dict(run.arguments), "found": run.found, "fallback": run.fallback}
            for run in payload.runs
        ],
    }


def _decision(decision: FollowUpDecision) -> Mapping[str, Any]:
    match decision:
        case Standalone(question, because):
            return {"decision": "standalone", "question": question, "because": because}
        case FollowUp(question, carried, because):
            return {"decision": "follow_up", "question": question, "because": because, "carried": carried.question}
        case _:
            options = list(decision.options)
            return {
                "decision": "unclear",
                "question": decision.question,
                "because": decision.because,
                "options": options,
            }
