"""How a question was understood and answered, told from its record in words that a person reads: no ids, no scores."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from core.entities import EntityMatch
from core.kinds import word_for
from core.phrases import number, phrase
from core.plan import ALL_PAGES, GraphQuery, QueryPlan
from core.ports import Knowledge
from core.reply import Bullets, Line, Node, RenderedReply, Text
from core.text import Language, clean, language_of, words
from core.turn import Legend

_MAX_DOCUMENTS = 5
_MAX_WORDS = 8
_MAX_TITLE = 100
# Steps that took less are told together; seconds are told from this many milliseconds on.
_SHORT_MS, _SECOND_MS = 10.0, 1000.0

Record = Mapping[str, Any]


def legend_of(plan: QueryPlan, matches: Sequence[EntityMatch], knowledge: Knowledge) -> Legend:
    """Return what the ids of the plan stand for, and which names the question holds."""
    known = knowledge.registry.entities
    asked = [
        id_
        for call in plan.tool_calls
        if isinstance(call, GraphQuery)
        for id_ in (call.entity_id, call.also)
        if id_ is not None
    ]
    return Legend(
        recognised=tuple(dict.fromkeys(match.entity.name for match in matches)),
        names={id_: known[id_].name for id_ in (*plan.entities, *plan.exclude, *plan.without, *asked) if id_ in known},
        intents=tuple(intent for intent in knowledge.intents if intent.name in plan.intents),
        generation=knowledge.generation,
    )


def explanation(record: Record, is_readable: Callable[[str], bool] = lambda _: True) -> RenderedReply:
    """Return how the question of a result contract (`core.result`) was understood and answered, in its language.

    Documents for whose id `is_readable` is false are counted and not named.
    """
    language = record.get("language") or language_of(record["question"])
    groups = (
        ("why_understood", _understood(record, language)),
        ("why_looked", _looked(record, language, is_readable)),
        ("why_came", _came(record, language)),
    )
    nodes: tuple[Node, ...] = tuple(
        Bullets(lines, heading=(Text(phrase(name, language), "strong"),))
        for name, told in groups
        if (lines := tuple(_line(words) for words in told))
    )
    return RenderedReply(nodes, (), language)


def _line(words: str) -> Line:
    return (Text(clean(words)),)


def _understood(record: Record, language: Language) -> Iterator[str]:
    """Yield what the question was read as, why, and which names it holds."""
    read = record["follow_up"]
    because = read["because"]
    match read["decision"]:
        case "standalone":
            yield phrase("why_standalone", language, because=because)
        case "follow_up":
            carried = _shortened(read["carried"])
            yield phrase("why_follow_up", language, question=carried, because=because)
        case _:
            yield phrase("why_unclear", language, because=because, options=" / ".join(read["options"]))
    if names := record.get("legend", {}).get("recognised"):
        yield phrase("why_names", language, names=_listed(names, language))
    if record["plan"] is not None:
        yield from _form(record, language)


def _form(record: Record, language: Language) -> Iterator[str]:
    """Yield what the question's form says: what is left out or not to be there, and the days that it speaks of."""
    plan, names = record["plan"], record.get("legend", {}).get("names", {})
    for name, key in (("why_left_out", "exclude"), ("why_without", "without")):
        if known := [names[id_] for id_ in plan.get(key) or () if id_ in names]:
            yield phrase(name, language, names=_listed(known, language))
    if period := plan.get("period"):
        since, until = period.get("since"), period.get("until")
        name = "why_day" if since == until else "why_days" if since and until else "why_since" if since else "why_until"
        yield phrase(name, language, since=_day(since, language), until=_day(until, language))


def _day(stated: str | None, language: Language) -> str:
    """Return the day as a person writes it: "31 December 2025", «31 декабря 2025»."""
    if not stated:
        return ""
    day = date.fromisoformat(stated)
    return f"{day.day} {phrase('months', language).split()[day.month - 1]} {day.year}"


def _looked(record: Record, language: Language, is_readable: Callable[[str], bool]) -> Iterator[str]:
    """Yield the plan, each look with what it found, what was read, and what was missing; nothing without a plan."""
    if record["plan"] is None:
        return
    yield phrase(f"by_{_planned_by(record)}", language)
    for run in record["facts"]["tools"]:
        yield _run(run, record, language)
    yield from _read(record, language, is_readable)
    if unread := record.get("legend", {}).get("unread"):
        yield phrase("why_unread", language, count=unread)
    if missing := record.get("legend", {}).get("missing"):
        yield phrase("why_missing", language, words=_listed([_quoted(word, language) for word in missing], language))


def _planned_by(record: Record) -> str:
    """Return who has chosen where to look; without a plan for such a question, its words where they led to a place."""
    by: str = record["plan"]["planned_by"]
    looked_up = any(run["tool"] == "graph_query" and not run["fallback"] for run in record["facts"]["tools"])
    return "words" if by == "default" and looked_up else by


def _run(run: Record, record: Record, language: Language) -> str:
    if run["tool"] == "graph_query":
        what = _lookup(run["arguments"], record.get("legend", {}), language)
    else:
        kinds = ", ".join(word_for(one, language) for one in words(run["arguments"].get("doc_types", "")))
        query = _shortened(run["arguments"].get("query", ""))
        what = phrase("tool_search_kinds" if kinds else "tool_document_search", language, query=query, kinds=kinds)
    again = phrase(f"again_{run.get('because') or 'little'}", language) if run["fallback"] else ""
    found = "tool_trouble" if run.get("problem") else "tool_found" if run["found"] else "tool_nothing"
    return phrase(found, language, what=what, again=again, count=run["found"])


def _lookup(arguments: Record, legend: Record, language: Language) -> str:
    """Return in words what was looked up in the documents' structure."""
    names, declared = legend.get("names", {}), legend.get("finds", {}).get(arguments.get("intent"), {})
    name, also = names.get(arguments.get("entity_id")), names.get(arguments.get("also"))
    if arguments.get("intent") == ALL_PAGES:
        what = phrase("find_pages", language)
        return what + "".join(phrase("find_also", language, of=one) for one in (name, also) if one)
    if name is None:
        return phrase("tool_graph_query", language)
    headings = declared.get("headings") or ()
    find = declared.get("find", "overview")
    known = f"find_{find}" if find in ("mentions", "overview", "field") or headings else "find_overview"
    what = phrase(known, language, of=name, heading=headings[0] if headings else "")
    return what + (phrase("find_also", language, of=also) if also else "")


def _read(record: Record, language: Language, is_readable: Callable[[str], bool]) -> Iterator[str]:
    """Yield which documents were read, and how many passages of each."""
    facts = record["raw_context_used"]
    if not facts:
        return
    counts = Counter(fact["doc_id"] for fact in facts)
    titles = {fact["doc_id"]: fact["title"] for fact in facts}
    named = [id_ for id_, _ in counts.most_common() if is_readable(id_)][:_MAX_DOCUMENTS]
    told = [phrase("why_passages", language, title=_shortened(titles[id_]), count=counts[id_]) for id_ in named]
    more = len(counts) - len(named)
    if not told:
        yield phrase("why_other", language, count=more)
        return
    rest = [phrase("why_more", language, count=more)] if more else []
    yield phrase("why_read", language, documents=", ".join((*told, *rest)))


def _came(record: Record, language: Language) -> Iterator[str]:
    """Yield what was confirmed, what was left out, and how long it all took."""
    left_out = len(record["rejected_claims"])
    if record["plan"] is None:
        yield phrase("why_asked_back" if record["follow_up"]["decision"] == "unclear" else "why_at_once", language)
    elif record["is_refusal"]:
        yield phrase("why_refused", language)
    else:
        sources = len({citation["doc_id"] for citation in record["citations"]})
        claims = record.get("legend", {}).get("statements", len(record["citations"]))
        yield phrase("why_answered", language, claims=claims, sources=sources)
        if level := record.get("confidence_level"):
            yield phrase("why_sure", language, level=phrase(f"level_{level}", language))
    if left_out:
        yield phrase("why_dropped", language, count=left_out)
    if refused := record.get("legend", {}).get("not_entailed"):
        yield phrase("why_not_entailed", language, count=refused)
    if beside := record.get("legend", {}).get("beside"):
        yield phrase("why_beside", language, count=len(beside))
    yield _time(record["timings_ms"], language)


def _time(timings: Mapping[str, float], language: Language) -> str:
    """Return how long the question took, and each step that took long enough to matter."""
    took = [(name, ms) for name, ms in timings.items() if ms > _SHORT_MS]
    long = [f"{phrase(f'step_{name}', language)} {_took(ms, language)}" for name, ms in took]
    if len(long) < len(timings) and long:
        long.append(phrase("why_rest", language))
    total = _took(sum(timings.values()), language)
    return phrase("why_time", language, total=total, steps=f" ({', '.join(long)})" if long else "")


def _took(ms: float, language: Language) -> str:
    if ms >= _SECOND_MS:
        return phrase("seconds", language, count=number(f"{ms / 1000:.1f}", language))
    return phrase("milliseconds", language, count=max(1, round(ms)))


def _listed(named: Sequence[str], language: Language) -> str:
    shown = ", ".join(_shortened(one) for one in named[:_MAX_WORDS])
    more = len(named) - _MAX_WORDS
    return shown + (phrase("why_and_more", language, count=more) if more > 0 else "")


def _quoted(word: str, language: Language) -> str:
    return phrase("why_quoted", language, word=word)


def _shortened(text: str) -> str:
    flat = " ".join(clean(text).split())
    return flat if len(flat) <= _MAX_TITLE else f"{flat[: _MAX_TITLE - 1]}…"
