"""How a question was understood and answered, in words that a person reads: no ids, no scores."""

import json
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Console

from bot.commands import NOTHING_INDEXED, console_question, ready_bot
from bot.settings import read_settings
from core.errors import ConfigError
from core.executor import held_terms
from core.facts import FactsPayload, ToolRun
from core.followup import FollowUp, Standalone, Unclear
from core.phrases import phrase
from core.pipeline import unanswerable
from core.render import text_of
from core.result import result_of
from core.text import Language, clean, terms, words
from core.turn import TurnRecord

_MAX_DOCUMENTS = 5


async def explain_command(question: str, after: Sequence[str], groups: frozenset[str], *, as_json: bool) -> None:
    """Ask the question, after those before it in one thread, and print how it was understood and answered.

    Raises BotError.
    """
    if (remark := unanswerable(question)) is not None:
        raise ConfigError(text_of(remark))
    thread = f"console:{secrets.token_hex(8)}"
    async with ready_bot(read_settings()) as (bot, _):
        record = None
        for text in (*after, question):
            record = await bot.explain(console_question(text, thread, groups))
    if not isinstance(record, TurnRecord):
        raise ConfigError(NOTHING_INDEXED)
    if as_json:
        print(json.dumps(result_of(record), ensure_ascii=False, indent=2))
        return
    Console().print("\n".join(explained(record)), highlight=False, markup=False, soft_wrap=True)


def explained(record: TurnRecord) -> list[str]:
    """Return the decision, the plan, what was found and how long it took, a line each, in the reply's language."""
    language = record.reply.language
    steps = (f"{phrase(f'step_{name}', language)} {seconds * 1000:.0f} ms" for name, seconds in record.timings)
    return [
        _decision(record, language),
        phrase(f"by_{record.planned_by}", language),
        *(_run(run, language) for run in record.payload.runs),
        *_read(record.payload, language),
        *_missing(record, language),
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


def _read(payload: FactsPayload, language: Language) -> Iterator[str]:
    """Yield which documents were read, and how many passages of each."""
    counts = Counter(clean(fact.source.title) for fact in payload.facts)
    told = [phrase("why_passages", language, title=title, count=n) for title, n in counts.most_common(_MAX_DOCUMENTS)]
    if more := len(counts) - len(told):
        told.append(phrase("why_more", language, count=more))
    if told:
        yield phrase("why_read", language, documents=", ".join(told))


def _missing(record: TurnRecord, language: Language) -> Iterator[str]:
    """Yield which words of the question stand nowhere in what was read."""
    missing = record.payload.weights.keys() - held_terms(record.payload.facts)
    asked = dict.fromkeys(word for word in words(record.question.text) if not missing.isdisjoint(terms(word)))
    if asked:
        said = ", ".join(phrase("why_quoted", language, word=word) for word in asked)
        yield phrase("why_missing", language, words=said)


def _outcome(record: TurnRecord, language: Language) -> str:
    answer = record.answer
    if answer.is_refusal:
        return phrase("why_refused", language)
    sources = len({citation.source.doc_id for claim in answer.claims for citation in claim.citations})
    told = phrase("why_answered", language, claims=len(answer.claims), sources=sources)
    dropped = phrase("why_dropped", language, count=len(answer.rejected)) if answer.rejected else ""
    return f"{told} {dropped}".rstrip()
