"""A reply to one source of an answer's evidence: which source it asks about, and looking only there."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.answer import Answer
from core.conversation import Audience, SourceAsked
from core.facts import Fact
from core.phrases import phrase
from core.plan import GraphQuery, Intent
from core.ports import Found, Graph, Search, SearchQuery
from core.reply import plain
from core.text import Untrusted

# Where Telegram's text of an evidence entry begins: its number and a dot, at the head of a line.
_HEAD = re.compile(r"^(\d{1,4})\. ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of an answer's evidence: its number, and the document that it proves."""

    number: int
    doc_id: str
    title: str


def entries_of(result: Mapping[str, Any]) -> tuple[Entry, ...]:
    """Return the evidence of a stored answer, in order."""
    kept = [one for name in ("citations", "older", "nearest") for one in result.get(name, ())]
    found = {one["number"]: Entry(one["number"], one["doc_id"], one["title"]) for one in kept}
    return tuple(found[number] for number in sorted(found))


def source_asked(shown: str, entries: Sequence[Entry], span: tuple[int, int] | None = None) -> SourceAsked | None:
    """Return the one document that a reply to a message of evidence asks about, or None when it may be several.

    `shown` is the message's text, `span` the part of it that the reply quotes, in UTF-16 units. Text above the
    message's first entry goes on the entry before that one.
    """
    heads = _heads(shown, entries)
    if span is not None:
        start, end = (_characters(shown, units) for units in span)
        first = max((place for place, _ in heads if place <= start), default=None)
        heads = [] if first is None else [head for head in heads if first <= head[0] < max(end, start + 1)]
    documents = {entry.doc_id: entry.title for _, entry in heads}
    return SourceAsked(*next(iter(documents.items()))) if len(documents) == 1 else None


def _heads(shown: str, entries: Sequence[Entry]) -> list[tuple[int, Entry]]:
    """Return where each entry of the message begins, and which one goes on at its very start."""
    known = {entry.number: entry for entry in entries}
    heads: list[tuple[int, Entry]] = []
    for match in _HEAD.finditer(shown):
        entry = known.get(int(match[1]))
        # A numbered line of a quote is no entry: entries follow each other, and begin with their title.
        follows = entry and (not heads or entry.number == heads[-1][1].number + 1)
        if entry and follows and shown.startswith(plain(Untrusted(entry.title)).strip()[:20], match.end()):
            heads.append((match.start(), entry))
    before = known.get(heads[0][1].number - 1) if heads and heads[0][1].number > 1 else None
    return [(0, before), *heads] if before else heads


def _characters(text: str, units: int) -> int:
    """Return how many characters so many UTF-16 units are."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * max(units, 0)].decode("utf-16-le", "ignore"))


def narrowed(search: Search, graph: Graph, about: SourceAsked | None) -> tuple[Search, Graph]:
    """Return both as they see the one source; as they are, when it is none."""
    return (SearchIn(search, about.doc_id), GraphIn(graph, about.doc_id)) if about else (search, graph)


@dataclass(frozen=True, slots=True)
class SearchIn:
    """A search that finds only what stands in one document."""

    search: Search
    doc_id: str

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        """Return what is found there, whatever kinds of documents are asked for. Raises SearchError."""
        return await self.search.find(replace(query, doc_ids=(self.doc_id,), doc_types=()), audience)


@dataclass(frozen=True, slots=True)
class GraphIn:
    """The documents' structure, as far as one document tells it."""

    graph: Graph
    doc_id: str

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        """Return the facts that stand in the document."""
        return _of(self.doc_id, await self.graph.query(call, intent, audience))


def _of(doc_id: str, facts: Iterable[Fact]) -> list[Fact]:
    return [fact for fact in facts if fact.source.doc_id == doc_id]


def said_where(answer: Answer, about: SourceAsked | None) -> Answer:
    """Return the answer, with the remark that only the source was searched which the question replies to."""
    if about is None:
        return answer
    said = phrase("about_source", answer.language, title=plain(Untrusted(about.title)))
    return replace(answer, notice=f"{said} {answer.notice}" if answer.notice else said)
