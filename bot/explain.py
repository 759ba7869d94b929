"""How a question was understood and answered, in words that a person reads: no ids, no scores."""

from core.facts import ToolRun
from core.followup import FollowUp, Standalone, Unclear
from core.phrases import phrase
from core.text import Language
from core.turn import TurnRecord


def explained(record: TurnRecord) -> list[str]:
    """Return the decision, the plan, what was found and how long it took, a line each, in the reply's language."""
    language = record.reply.language
    steps = (f"{phrase(f'step_{name}', language)} {seconds * 1000:.0f} ms" for name, seconds in record.timings)
    return [
        _decision(record, language),
        phrase(f"by_{record.planned_by}", language),
        *(_run(run, language) for run in record.payload.runs),
        _outcome(record, language),
        phrase("why_time", language, steps=", ".join(steps)),
    ]


def _decision(record: TurnRecord, language: Language) -> str:
    match record.decision:
        case Standalone(_, because):
            return phrase("why_standalone", language, because=because)
        case FollowUp(_, carried, because):
            return phrase("why_follow_up", language, question=carried.question, because=because)
        case Unclear(_, options, because):
            return phrase("why_unclear", language, because=because, options=" / ".join(options))


def _run(run: ToolRun, language: Language) -> str:
    about = phrase("tool_about", language, query=run.arguments["query"]) if "query" in run.arguments else ""
    again = phrase("tool_again", language) if run.fallback else ""
    return phrase("tool_found", language, what=f"{phrase(f'tool_{run.tool}', language)}{about}{again}", count=run.found)


def _outcome(record: TurnRecord, language: Language) -> str:
    answer = record.answer
    if answer.is_refusal:
        return phrase("why_refused", language)
    sources = len({citation.source.doc_id for claim in answer.claims for citation in claim.citations})
    told = phrase("why_answered", language, claims=len(answer.claims), sources=sources)
    dropped = phrase("why_dropped", language, count=len(answer.rejected)) if answer.rejected else ""
    return f"{told} {dropped}".rstrip()
