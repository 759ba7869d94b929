"""Text with links in it: every change to the text moves their places along."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from core.facts import Link, Span
from core.text import clean, hidden_in

_ADDRESS = re.compile(r"https?://\w[^\s<>\"|«»“”]{0,2000}", re.IGNORECASE)
# Ends a sentence, a bracket or a quotation around the address, and no address.
_AFTER = ".,;:!?…'’*"


@dataclass(frozen=True, slots=True)
class Linked:
    """A text and the links in it, in reading order; each span counts the text's characters."""

    text: str
    links: tuple[Link, ...] = ()


class LinkedText(str):
    """A text that knows the links in it, for where plain ones pass as well, such as the cells of a table."""

    __slots__ = ("links",)

    links: tuple[Link, ...]

    def __new__(cls, text: str, links: Iterable[Link]) -> Self:
        """Return the text; each span counts its characters."""
        made = super().__new__(cls, text)
        made.links = tuple(links)
        return made


def led(text: str, target: str) -> LinkedText:
    """Return a text that leads there as a whole."""
    return LinkedText(text, (Link(target, Span(0, len(text))),))


def as_linked(text: str) -> Linked:
    """Return the text and the links that it knows of."""
    return Linked(str(text), text.links if isinstance(text, LinkedText) else ())


def with_addresses(text: Linked) -> Linked:
    """Return the text with a link for each web address that is written out in it and in no other link."""
    if "://" not in text.text:
        return text
    written = [link for link in _addresses(text.text) if not any(_meet(link.span, known.span) for known in text.links)]
    return Linked(text.text, tuple(sorted((*text.links, *written), key=lambda link: link.span.start)))


def _addresses(text: str) -> Iterator[Link]:
    for found in _ADDRESS.finditer(text):
        address = found[0].rstrip(_AFTER)
        while address.endswith((")", "]")) and address.count(address[-1]) > address.count("(["[address[-1] == "]"]):
            address = address[:-1].rstrip(_AFTER)
        yield Link(address, Span(found.start(), found.start() + len(address)))


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


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
