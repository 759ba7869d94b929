"""A document as it was understood, for a terminal: what it is, its chunks, the names in it, its edges."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TypeVar

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.text import Text

from core.errors import IngestError
from core.facts import Span
from core.ingest.chunk import Chunk, passages_in
from core.ingest.document import Document
from core.ingest.portrait import Portrait, Resolved, Tie, Way
from core.ingest.proposals import PROPOSED
from core.ingest.statements import HAS
from core.phrases import tongue
from core.text import clean

# What is shown without being asked for all of it.
_ENTRIES, _CHARACTERS, _OPENING = 10, 2_000, 120

T = TypeVar("T")


def head_shown(one: Portrait, origin: str) -> RenderableType:
    """Return what the document is: its title, then its facts in a few lines; `origin` says where they are from."""
    known = one.document
    about = [known.kind, tongue(one.language).name, f"{len(known.text):,} characters"]
    about += [f"updated {known.updated}"] if known.updated else []
    about += ["superseded"] if known.superseded else []
    lines: list[RenderableType] = [
        Text(clean(known.title), style=Style(bold=True, link=known.link)),
        Text(f"{known.id} · {' · '.join(about)}"),
        Text(_readers(known)),
    ]
    lines += [Text(known.link, style="dim")] if known.link else []
    others = [clean(name) for name in known.aliases if name != known.title]
    lines += [Text(f"also called {', '.join(others)}")] if others else []
    lines += [Text(f"labelled {', '.join(sorted(known.labels))}")] if known.labels else []
    return Group(*lines, Text(origin, style="dim"))


def _readers(known: Document) -> str:
    if not known.readers:
        return "everybody may read it"
    return f"only {' and '.join(sorted(known.readers))} may read it"


def chunks_shown(one: Portrait, *, whole: bool = False) -> RenderableType:
    """Return the chunks: heading path, span, sentences and the first words of each."""
    title = f"Chunks ({len(one.chunks)}), with {_count(one.passages, 'sentence')}"
    return _section(title, one.chunks, lambda chunk: _chunk(chunk, one.document), whole=whole)


def _chunk(chunk: Chunk, document: Document) -> RenderableType:
    head = Text(f"{chunk.n + 1}  ", style="cyan")
    head.append(" › ".join(map(clean, chunk.headings)) or "(no heading)", style="bold")
    size = f"{chunk.end - chunk.start} characters"
    head.append(
        f" · {_at(Span(chunk.start, chunk.end))}, {size}, {_count(len(passages_in(chunk, document)), 'sentence')}",
        style="dim",
    )
    return Group(head, _quoted(document.text[chunk.start : chunk.end]))


def entities_shown(one: Portrait, *, whole: bool = False) -> RenderableType:
    """Return the names: what each stands for, how often, how it was matched and how sure that is."""
    return _section(f"Entities ({len(one.named)})", one.named, _entity, whole=whole)


def _entity(named: Resolved) -> RenderableType:
    head = Text(clean(named.entity.name), style="bold")
    about = f" · {named.entity.type} · {_count(len(named.places), 'time')} · {named.how} ({named.confidence:g})"
    head.append(about, style="dim")
    words = ", ".join(f"“{clean(words)}”" for words in named.words[:_ENTRIES])
    return Group(head, _indented(Text(f"{words}, first at {_at(named.places[0])}")))


def edges_shown(one: Portrait, *, whole: bool = False) -> RenderableType:
    """Return the edges, the text that proves each with its place, and the links that lead to no document."""
    edges = _section(f"Edges ({len(one.ties)})", one.ties, _edge, whole=whole)
    if not one.ways:
        return edges
    return Group(edges, _section(f"Other links ({len(one.ways)})", one.ways, _way, whole=whole))


def _way(way: Way) -> RenderableType:
    end = ", which is no document of the index" if way.lost else ""
    words = clean(" ".join(way.words.split()))
    return Text.assemble(f"“{_short(words)}” → {clean(way.target)}{end} ", (_at(way.span), "dim"))


def _edge(tie: Tie) -> RenderableType:
    edge = tie.edge
    head = Text(_short(tie.subject), style="bold")
    column = f" {clean(edge.label)}" if edge.relation == HAS else ""
    head.append(f" – {edge.relation}{column} – ", style="cyan").append(_short(tie.object), style="bold")
    headings = " › ".join(map(clean, edge.headings))
    place = f"{f'{headings}, ' if headings else ''}{_at(edge.span)}"
    place += f", {PROPOSED}" if edge.label == PROPOSED else ""
    # An item is what it says, and needs no proof in the same words.
    return Group(head, _indented(Text(place, style="dim")) if tie.proof == tie.object else _quoted(tie.proof, place))


def text_shown(one: Portrait, *, whole: bool = False) -> RenderableType:
    """Return the stored text as a reader of the document sees it, or its beginning."""
    text = one.document.text
    shown = text if whole else text[:_CHARACTERS]
    left = len(text) - len(shown)
    more = [_more(f"{left:,} more characters")] if left else []
    return Group(_title(f"Text ({len(text):,} characters)"), Text(clean(shown)), *more)


def problems_shown(problems: Sequence[IngestError]) -> RenderableType:
    """Return what could not be read of the document or around it."""
    return Group(_title("Problems at the last index run"), *(Text(clean(str(one))) for one in problems))


def _section(title: str, found: Sequence[T], shown: Callable[[T], RenderableType], *, whole: bool) -> RenderableType:
    first = list(found if whole else islice(found, _ENTRIES))
    more = [_more(f"{len(found) - len(first)} more")] if len(found) > len(first) else []
    return Group(_title(title), *map(shown, first), *more)


def _title(words: str) -> RenderableType:
    return Text.assemble("\n", (words, "bold underline"))


def _more(words: str) -> RenderableType:
    return Text(f"… {words}; --all shows them", style="dim")


def _quoted(text: str, place: str = "") -> RenderableType:
    """Return the first words of a text on one line, with the place that they stand at."""
    quote = Text(f"“{_short(text)}”", style="italic")
    if place:
        quote.append(f" {place}", style="not italic dim")
    return _indented(quote)


def _indented(text: Text) -> RenderableType:
    return Padding(text, (0, 0, 0, 3), expand=False)


def _short(text: str) -> str:
    line = " ".join(clean(text).split())
    return line if len(line) <= _OPENING else f"{line[:_OPENING].rstrip()}…"


def _at(span: Span) -> str:
    return f"{span.start}–{span.end}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
