"""Why a search finds a document or not, for a terminal: the question word by word, the plan, the engines' ranks."""

from collections.abc import Iterable, Iterator, Mapping

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from core.conclusion import conclusion
from core.ingest.document import Document
from core.ingest.portrait import how_matched
from core.plan import GraphQuery
from core.standing import AskedWord, Candidate, Listed, Placed, Standing, Term, Why
from core.text import clean

_BEST = 5


def why_shown(why: Why, documents: Mapping[str, Document]) -> RenderableType:
    """Return the whole explanation, its conclusion last, where the eye ends up."""
    parts = [_title("The question"), *map(Text, _words(why)), _title("The plan"), *map(Text, _plan(why))]
    if why.standing.own:
        parts += [_title("This document in the search"), _table(why.standing.own, why.standing, documents)]
    parts += [_title("Best of all documents"), _table(why.standing.best[:_BEST], why.standing, documents)]
    parts += [Text(line, style="dim") for line in _engines(why.standing)]
    return Group(*parts, Text.assemble("\n", (conclusion(why), "bold")))


def _words(why: Why) -> Iterator[str]:
    """Yield each word of the question with what became of it."""
    terms = {term.term: term for term in why.standing.terms}
    for word in why.asked:
        yield f"  {clean(word.words)} → {_meaning(word, terms, why.standing)}"


def _meaning(word: AskedWord, terms: Mapping[str, Term], standing: Standing) -> str:
    if word.match:
        entity = word.match.entity
        how = how_matched(word.match, word.words)
        named = f"the name of {clean(entity.name)} ({entity.type}, {how}, {word.match.confidence:g}), "
        return named + _held(terms.get(word.terms[0]), standing)
    if not word.terms:
        return "passed over, it says nothing of the topic"
    told = (f"{term} ({_held(terms.get(term), standing)})" for term in word.terms)
    return ", ".join(told)


def _held(term: Term | None, standing: Standing) -> str:
    if term is None:
        return "not looked for"
    if not term.held:
        return "in no document"
    rare = "rare: " if term.is_rare(standing.chunks) else ""
    return f"{rare}in {term.held} of {standing.chunks} chunks"


def _plan(why: Why) -> Iterator[str]:
    plan = why.planned.plan
    by = {"model": "made by the model", "examples": "by the nearest example", "default": "the default"}[why.planned.by]
    yield f"  {', '.join(plan.intents)}, {by}"
    for call in plan.tool_calls:
        if isinstance(call, GraphQuery):
            also = f", only what concerns {call.also}" if call.also else ""
            yield f"  the graph: {call.intent} of {call.entity_id}{also}"
        else:
            kinds = f", only documents of the kind {', '.join(call.doc_types)}" if call.doc_types else ""
            yield f"  search: {clean(call.query)}{kinds}, the best {call.top_k}"
    for run in why.payload.runs:
        again = ", because that was too little" if run.fallback else ""
        yield f"  → {run.tool} brought {run.found} facts{again}"


def _table(found: Iterable[Candidate], standing: Standing, documents: Mapping[str, Document]) -> RenderableType:
    """Return the candidates with their places in each list."""
    grid = Table(show_edge=False, pad_edge=False, box=None)
    grid.add_column("fused", justify="right")
    grid.add_column("words", justify="right")
    grid.add_column("meaning", justify="right")
    grid.add_column("passage", ratio=1)
    for one in found:
        document = documents[one.doc_id]
        place = " › ".join(map(clean, (document.title, *one.headings)))
        text = Text(place, style="bold")
        text.append(f" {' '.join(clean(one.span.within(document.text)).split())[:80]}…", style="italic")
        lost = [term.term for term in standing.terms if term.term not in one.terms]
        text.append(f" lacks {', '.join(term.removeprefix('§') for term in lost)}" if lost else "", style="dim")
        grid.add_row(_place(one.fused), _place(one.by_words), _place(one.by_meaning), text)
    return Padding(grid, (0, 0, 0, 2), expand=False)


def _place(placed: Placed | None) -> str:
    if placed is None:
        return "–"
    return f"{placed.rank or '–'} ({placed.score:.2f})"


def _engines(standing: Standing) -> Iterator[str]:
    found = [_found(by, known) for by, known in (("words", standing.by_words), ("meaning", standing.by_meaning))]
    yield f"{', '.join(found)}; {standing.fused} chunks in all.".capitalize()
    if standing.matched:
        yield f"The best by words holds {standing.matched:.0%} of the question's rare words: so much do words count."
    else:
        yield "No chunk holds a rare word of the question, so meaning alone counts."


def _found(by: str, known: Listed) -> str:
    return f"by {by} {known.count}, the last with {known.last:.2f}" if known.count else f"by {by} none"


def _title(words: str) -> RenderableType:
    return Text.assemble("\n", (words, "bold underline"))
