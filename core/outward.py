"""Where a document's own links lead: the addresses that evidence tells beside its quotes, as words and never live."""

import re
from collections.abc import Iterable

from core.facts import Link, Span
from core.text import Untrusted, clean, normalise

# Web pages, letters and calls. A path is told by nobody: it means something only where the document lies.
_OUTWARD = re.compile(r"https?://[^/\s]|(?P<plain>mailto:(?=[^@]+@)|tel:(?=\+?\d))", re.IGNORECASE)
# By the first letters of an address. «Address» and «number» are asked of much that is no link.
_ASKED_FOR = {"http": "link url ссылка", "mail": "email почта", "tel:": "phone телефон"}
# Of letters: their subject and the like.
_ASKED = re.compile(r"\?.*", re.DOTALL)
# A longer address cannot be read off and typed, nor has it a place on a phone.
LONGEST = 1_000
# What a link stands on may be a whole paragraph.
_LONGEST_LABEL = 60
_SAID_OTHERWISE = re.compile(r"^https?://(?:www\.)?|[\s()/-]+|\W+$")


def outward(links: Iterable[Link], span: Span) -> tuple[Link, ...]:
    """Return the links in a span of the document that lead out of the documents, to an address that can be told."""
    return tuple(
        link for link in links if link.span.start < span.end and span.start < link.span.end and address_of(link)
    )


def words_for(links: Iterable[Link], span: Span) -> str:
    """Return in both languages what the links in a span of the document are asked for by, though no text says it."""
    schemes = {link.target.strip()[:4].casefold() for link in outward(links, span)}
    return " ".join(words for scheme, words in _ASKED_FOR.items() if scheme in schemes)


def address_of(link: Link) -> str | None:
    """Return where the link leads as a person writes it, None for what is no address or too long for one."""
    target = clean(link.target).strip()
    found = _OUTWARD.match(target)
    if found is None or len(target) > LONGEST or any(char.isspace() for char in target):
        return None
    return _ASKED.sub("", target[found.end() :]) if found["plain"] else target


def told(links: Iterable[tuple[Link, Untrusted]]) -> tuple[tuple[str, str], ...]:
    """Return the words of each link with its address, once each; those that are their address already are left out."""
    found: dict[tuple[str, str], None] = {}
    for link, words in links:
        address, label = address_of(link), " ".join(clean(words).split())
        if address and _bare(address) not in _bare(label):
            found[_short(label), address] = None
    return tuple(found)


def _bare(text: str) -> str:
    """Return the text for a comparison: without the beginning of an address, and the signs in numbers."""
    return _SAID_OTHERWISE.sub("", normalise(text).strip())


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1].rstrip() + "…"
