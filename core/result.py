"""The result contract (R-21): one answered question as plain data, for `--json`, storage and audit."""

from collections.abc import Mapping
from typing import Any

from core.answer import Citation, Claim
from core.facts import Fact, FactsPayload, ToolRun, held_terms
from core.followup import FollowUp, FollowUpDecision, Standalone
from core.leaning import is_general
from core.listing import listed_as_data
from core.render import numbered, place_of, text_of
from core.text import terms, words
from core.turn import TurnRecord

# Passages of the raw context that are kept; how many there were is told among the facts.
_MOST_KEPT = 200


def result_of(record: TurnRecord) -> dict[str, Any]:
    """Return the result as JSON-able data: R-21, and the question, what was nearest, rejected, timed."""
    answer, numbers = record.answer, numbered(record.answer)
    beside = {*answer.nearest, *answer.older}
    shown = {citation: at for at, citation in enumerate(one for one in numbers if one not in beside)}
    return {
        "question": record.question.text,
        "language": answer.language,
        "answer": text_of(record.reply),
        "citations": [_citation(citation, numbers[citation]) for citation in numbers if citation not in beside],
        "confidence": round(answer.confidence, 3),
        "confidence_level": answer.level,
        "policy_flags": sorted(answer.flags),
        "is_refusal": answer.is_refusal,
        "raw_context_used": [_fact(fact) for fact in record.payload.facts[:_MOST_KEPT]],
        "model_used": answer.model,
        "tokens_used": record.spent.tokens,
        "model_calls": record.spent.calls,
        "cost_usd": round(record.spent.cost, 6),
        "latency_ms": round(record.seconds * 1000),
        "follow_up": _decision(record.decision),
        "actions": [{"kind": one.kind, "label": one.label, "value": one.value} for one in record.reply.actions],
        "plan": _plan(record),
        "facts": _payload(record.payload),
        "remaining": answer.remaining,
        "lead": answer.lead,
        "claims": [_claim(claim, shown) for claim in answer.claims],
        "pin": record.pin,
        "older": [_citation(citation, numbers[citation]) for citation in answer.older if citation in numbers],
        "list": listed_as_data(record.listed) if record.listed else None,
        "nearest": [_citation(citation, numbers[citation]) for citation in answer.nearest],
        "rejected_claims": [{"claim": one.claim, "reason": one.reason} for one in answer.rejected],
        "timings_ms": {name: round(seconds * 1000, 1) for name, seconds in record.timings},
        "legend": _legend(record),
        "generation": record.legend.generation,
    }


def _plan(record: TurnRecord) -> Mapping[str, Any] | None:
    """Return the plan and who made it; None when nothing was looked up."""
    if record.planned_by == "nobody":
        return None
    return record.plan.model_dump(mode="json") | {"planned_by": record.planned_by}


def _legend(record: TurnRecord) -> dict[str, Any]:
    """Return what an explanation says beside the rest: names for ids, the words that were missing, counts."""
    legend = record.legend
    return {
        "recognised": list(legend.recognised),
        "names": dict(legend.names),
        "finds": {one.name: {"find": one.find, "headings": list(one.headings)} for one in legend.intents},
        "missing": missing_words(record.question.text, record.payload),
        "statements": len(record.answer.claims),
        "not_entailed": record.answer.not_entailed,
        "unread": record.answer.unread,
        "beside": list(record.answer.beside),
    }


def missing_words(question: str, payload: FactsPayload) -> list[str]:
    """Return which words of the question that say of what it is stand nowhere in what was read, as they were typed."""
    held = held_terms(payload.facts)
    missing = {term for term in payload.weights if term not in held and not is_general(term)}
    return list(dict.fromkeys(word for word in words(question) if not missing.isdisjoint(terms(word))))


def _claim(claim: Claim, shown: Mapping[Citation, int]) -> dict[str, Any]:
    """Return a statement with its verdict; its citations are places in the list of all."""
    return {
        "text": claim.text,
        "group": claim.group,
        "verdict": claim.verdict,
        "columns": list(claim.columns),
        "citations": [shown[citation] for citation in claim.citations if citation in shown],
    }


def _citation(citation: Citation, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "doc_id": citation.source.doc_id,
        "chunk_id": citation.chunk_id,
        "title": citation.source.title,
        "place": place_of(citation.place),
        "headings": [str(heading) for heading in citation.place.headings],
        "page": citation.place.page,
        "link": citation.source.link,
        "text_snippet": str(citation.quote),
        "links": [{"text": words, "address": address} for words, address in citation.leads],
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
        "start": fact.span.start,
        "end": fact.span.end,
    }


def _payload(payload: FactsPayload) -> dict[str, Any]:
    return {
        "found": payload.found,
        "items": len(payload.facts),
        "groups": sorted({fact.group for fact in payload.facts if fact.group}),
        "meta": {"coverage": round(payload.coverage, 3), "missing": list(payload.missing)},
        "sources": sorted({fact.source.doc_id for fact in payload.facts}),
        "tools": [_run(run) for run in payload.runs],
    }


def _run(run: ToolRun) -> dict[str, Any]:
    return {
        "tool": run.tool,
        "arguments": dict(run.arguments),
        "found": run.found,
        "fallback": run.fallback,
        "because": run.because,
        "problem": run.problem,
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
