"""How a question was understood and answered, in words that a person reads: no ids, no scores."""

from core.facts import ToolRun
from core.followup import FollowUp, Standalone, Unclear
from core.turn import TurnRecord

_BY = {
    "model": "The planning model chose what to look up.",
    "examples": "The question is like one that the documents' owner declared, so their structure was looked up.",
    "default": "No declared kind of question fits, so all documents were searched.",
}


def explained(record: TurnRecord) -> list[str]:
    """Return the decision, the plan, what was found and how long it took, a line each."""
    return [
        _decision(record),
        _BY[record.planned_by],
        *(_run(run) for run in record.payload.runs),
        _outcome(record),
        "Time: " + ", ".join(f"{_STEPS.get(name, name)} {seconds * 1000:.0f} ms" for name, seconds in record.timings),
    ]


def _decision(record: TurnRecord) -> str:
    match record.decision:
        case Standalone(_, because):
            return f"Read as a new question: {because}."
        case FollowUp(_, carried, because):
            return f"Read as a follow-up of “{carried.question}”: {because}."
        case Unclear(_, options, because):
            return f"Not clear: {because}. It could be: {' / '.join(options)}."


def _run(run: ToolRun) -> str:
    how = "Looked up in the documents' structure" if run.tool == "graph_query" else "Searched all documents"
    again = " because too little was found" if run.fallback else ""
    about = f" for “{run.arguments['query']}”" if "query" in run.arguments else ""
    return f"{how}{about}{again}: {run.found} found."


def _outcome(record: TurnRecord) -> str:
    answer = record.answer
    if answer.is_refusal:
        return "Nothing found says enough to answer, so no answer was given."
    sources = len({citation.source.doc_id for claim in answer.claims for citation in claim.citations})
    dropped = f" What could not be confirmed was left out: {len(answer.rejected)}." if answer.rejected else ""
    return f"{_count(len(answer.claims), 'statement')} from {_count(sources, 'document')}, with the exact words.{dropped}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


_STEPS = {
    "understand": "thread and follow-up",
    "plan": "plan",
    "search": "search",
    "draft": "answer",
    "verify": "check",
    "render": "layout",
}
