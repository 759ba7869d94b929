"""What an explained search comes to: one or two sentences that somebody can act on."""

from collections.abc import Iterable, Iterator

from core.ingest.document import Document
from core.plan import GraphQuery
from core.standing import Candidate, Standing, Why

# Words that are named one by one.
_TOLD = 4


def conclusion(why: Why) -> str:
    """Return in one or two sentences whether the document is found for the question, why, and what may be done."""
    if why.document is None:
        return _overall(why)
    facts = why.payload.facts
    places = [n for n, fact in enumerate(facts, 1) if fact.source.doc_id == why.document.id]
    if not _may_read(why.document, why.groups):
        readers = " and ".join(sorted(why.document.readers))
        asked = f"a member of {', '.join(sorted(why.groups))}" if why.groups else "somebody of no group"
        return f"Not found: only {readers} may read it, and the question was asked by {asked}. Try --group."
    if places:
        because = _because(why, structural=facts[places[0] - 1].structural)
        return f"Found: {ordinal(places[0])} of {len(facts)} facts, {because}."
    return f"Not found: {_why_not(why, why.document)}"


def _overall(why: Why) -> str:
    facts = why.payload.facts
    if not facts:
        return f"Nothing is found. {_nowhere(why) or 'No document is near the question.'}"
    pages = list(dict.fromkeys(fact.source.title for fact in facts))
    more = f" and {len(pages) - 1} more documents" if len(pages) > 1 else ""
    return f"Found: {len(facts)} facts, the first in {pages[0]!r}{more}. {_nowhere(why)}".rstrip()


def _may_read(document: Document, groups: frozenset[str]) -> bool:
    return not document.readers or bool(document.readers & groups)


def _because(why: Why, *, structural: bool) -> str:
    if structural:
        return f"from the graph, which was asked for {_looked_up(why)}"
    if not why.standing.own:
        return "with the section or list around what was found"
    best = why.standing.own[0]
    ways = []
    if best.by_words and best.by_words.rank:
        ways.append(f"{ordinal(best.by_words.rank)} by words ({_named(sorted(best.terms), why)})")
    if best.by_meaning and best.by_meaning.rank:
        ways.append(f"{ordinal(best.by_meaning.rank)} by meaning (likeness {best.by_meaning.score:.2f})")
    return f"because its best passage is {' and '.join(ways)}" if ways else "with the list or section around it"


def _why_not(why: Why, document: Document) -> str:
    standing, query = why.standing, why.standing.query
    if not any(run.tool == "document_search" for run in why.payload.runs):
        return (
            f"the question was taken for {_looked_up(why)}, which the graph answered from other documents, so the "
            f"documents were not searched. If it means something else, name that in the question."
        )
    if query.doc_types and document.kind not in query.doc_types:
        kinds = ", ".join(query.doc_types)
        return f"the plan looks only in documents of the kind {kinds}, and this one is of the kind {document.kind}."
    if not standing.own:
        return "it has no passage that could be found."
    best = standing.own[0]
    if best.fused:
        far = f"its best passage is {ordinal(best.fused.rank)} of {standing.fused} candidates, and only the best "
        return f"{far}{query.top_k} become facts, with what stands around them.{_missing(best, why)}"
    return f"{'; '.join(_too_far(best, standing))}.{_missing(best, why)}"


def _too_far(best: Candidate, standing: Standing) -> Iterator[str]:
    if best.by_words is None:
        yield "no passage of it holds a word of the question"
    else:
        yield (
            f"by words its best passage scores {best.by_words.score:.2f}, and the {ordinal(standing.by_words.count)} "
            f"best of all scores {standing.by_words.last:.2f}"
        )
    if best.by_meaning:
        yield (
            f"by meaning its likeness is {best.by_meaning.score:.2f}, and that of the last candidate "
            f"{standing.by_meaning.last:.2f}"
        )


def _missing(best: Candidate, why: Why) -> str:
    """Return which words of the question the passage lacks, the rarest first, and what may be done."""
    ordered = sorted(why.standing.terms, key=lambda term: -term.weight)
    lacked = [term.term for term in ordered if term.held and term.term not in best.terms]
    advice = f" It lacks {_named(lacked, why)}: say it in these words, or name them in its aliases." if lacked else ""
    return f"{advice} {_nowhere(why)}".rstrip()


def _nowhere(why: Why) -> str:
    lost = [term.term for term in why.standing.terms if not term.held]
    return f"No document says {_named(lost, why)}." if lost else ""


def _looked_up(why: Why) -> str:
    calls = [call for call in why.planned.plan.tool_calls if isinstance(call, GraphQuery)]
    return " and ".join(f"{call.intent} of {call.entity_id}" for call in calls) or "nothing in it"


def _named(found: Iterable[str], why: Why) -> str:
    """Return the terms in the words of the question."""
    asked = {term: word.words for word in why.asked for term in word.terms}
    words = dict.fromkeys(asked.get(term, term.removeprefix("§")) for term in found)
    shown = [f"“{word}”" for word in words]
    more = f" and {len(shown) - _TOLD} more" if len(shown) > _TOLD else ""
    return ", ".join(shown[:_TOLD]) + more


def ordinal(number: int | None) -> str:
    """Return a place as a person says it: 1st, 2nd, 23rd."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get((number or 0) % 10, "th")
    return f"{number}{'th' if (number or 0) % 100 in (11, 12, 13) else ending}"
