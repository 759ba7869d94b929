"""Text with links in it: every change to the text moves their places along."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.facts import Link, Span
from core.text import clean, hidden_in


@dataclass(frozen=True, slots=True)
class Linked:
    """A text and the links in it, in reading order; each span counts the text's characters."""

    text: str
    links: tuple[Link, ...] = ()


def moved(links: Iterable[Link], by: int) -> tuple[Link, ...]:
    """Return the links as they stand in a text with so many more characters before them."""
    return tuple(replace(link, span=Span(link.span.start + by, link.span.end + by)) for link in links)


def joined(parts: Iterable[Linked], between: str) -> Linked:
    """Return the parts as one text."""
    texts: list[str] = []
    links: list[Link] = []
    length = 0
    for part in parts:
        links += moved(part.links, length)
        texts.append(part.text)
        length += len(part.text) + len(between)
    return Linked(between.join(texts), tuple(links))


def cut(linked: Linked, start: int, end: int | None = None) -> Linked:
    """Return a part of the text; a link across its border keeps what is left of it inside."""
    end = len(linked.text) if end is None else end
    if not linked.links:
        return Linked(linked.text[start:end])
    return _kept(linked, range(start, end), linked.text)


def on_one_line(linked: Linked) -> Linked:
    """Return the text as `one_line` does: no invisible characters, each run of white space one space."""
    if not linked.links:
        return Linked(" ".join(clean(linked.text).split()))
    hidden = hidden_in(linked.text)
    seen = [place for place, char in enumerate(linked.text) if char.isspace() or place not in hidden]
    plain = "".join(" " if char.isspace() else char for char in linked.text)
    kept = [place for n, place in enumerate(seen) if plain[place] != " " or (n and plain[seen[n - 1]] != " ")]
    if kept and plain[kept[-1]] == " ":
        kept.pop()
    return _kept(linked, kept, plain)


def with_bars_closed(linked: Linked) -> Linked:
    """Return the text with no spaces around the bars in it."""
    if not linked.links:
        return Linked(linked.text.replace(" | ", "|"))
    lost: set[int] = set()
    place = linked.text.find(" | ")
    while place >= 0:
        lost |= {place, place + 2}
        place = linked.text.find(" | ", place + 3)
    return _kept(linked, [place for place in range(len(linked.text)) if place not in lost], linked.text)


def _kept(linked: Linked, places: Sequence[int], text: str) -> Linked:
    """Return the characters at these places; a link of which nothing is left goes, and none begins or ends blank."""
    short = "".join(text[place] for place in places)
    links = []
    for link in linked.links:
        start, end = bisect_left(places, link.span.start), bisect_left(places, link.span.end)
        label = short[start:end]
        if label.strip():
            start, end = start + len(label) - len(label.lstrip()), end - len(label) + len(label.rstrip())
            links.append(replace(link, span=Span(start, end)))
    return Linked(short, tuple(links))
