"""What a web page says to those who visit it by themselves: where it leads, and whether it wants to be found.

Only the few tags that say so are looked for, in time that grows with the page alone: a parser of the whole page
(html.parser of Python 3.11.7) takes minutes for 100 kB that were made to keep it busy.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import islice
from typing import Final

# Menus and heads stand at the top; longer pages are tables of data.
SEARCHED_BYTES: Final = 5_000_000
LINKS: Final = 5_000
TAGS: Final = 50_000
_ATTRIBUTES: Final = 50

_TAG = re.compile(
    r"<(?:(?P<comment>!--)|(?P<raw>script|style|textarea|title|xmp)(?=[\s/>])"
    r"|(?P<name>a|area|base|link|meta|frame|iframe)(?=[\s/>]))",
    re.IGNORECASE,
)
_ENDS = {
    name: re.compile(rf"</{name}[\s/>]", re.IGNORECASE) for name in ("script", "style", "textarea", "title", "xmp")
} | {"comment": re.compile(r"--!?>")}
_ATTRIBUTE = re.compile(
    r"[\s/]*(?P<name>[^\s\"'<>/=]{1,100})"
    r"(?:\s{0,100}=\s{0,100}(?:\"(?P<double>[^\"]{0,5000})\"|'(?P<single>[^']{0,5000})'|(?P<bare>[^\s\"'>][^\s>]{0,5000})))?"
)
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([A-Za-z0-9_-]{1,40})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Tag:
    name: str
    attributes: Mapping[str, str]

    def says(self, name: str) -> str:
        return self.attributes.get(name, "").strip()


@dataclass(frozen=True, slots=True)
class Signs:
    """Addresses are as written, to be joined to `base` and that to the page's own.

    `hidden`: it asks not to be found (noindex); `closed`: it asks that its links be left alone (nofollow).
    """

    links: tuple[str, ...] = ()
    base: str = ""
    canonical: str | None = None
    hidden: bool = False
    closed: bool = False


def signs_of(data: bytes, charset: str | None, product: str) -> Signs:
    """Return what the page says to a visitor of this name."""
    tags = tuple(islice(_tags(_decoded(data[:SEARCHED_BYTES], charset)), TAGS))
    orders = _orders(tags, product)
    return Signs(
        links=tuple(_links(tags))[:LINKS],
        base=next((tag.says("href") for tag in tags if tag.name == "base" and tag.says("href")), ""),
        canonical=_canonical(tags),
        hidden=bool(orders & {"noindex", "none"}),
        closed=bool(orders & {"nofollow", "none"}),
    )


def orders_in(headers: Iterable[str], product: str) -> frozenset[str]:
    """Return the orders of the headers X-Robots-Tag that concern a visitor of this name, such as `noindex`."""
    found: set[str] = set()
    for header in headers:
        agent, colon, rest = header.partition(":")
        named = agent.strip().lower() if colon and "," not in agent else ""
        if named in ("", product.lower()):
            found |= _words(rest if named else header)
        elif named in ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"):
            found |= _words(header)
    return frozenset(found)


def _decoded(data: bytes, charset: str | None) -> str:
    named = _CHARSET.search(data[:4_096])
    for encoding in filter(None, (charset, named and named[1].decode("ascii"))):
        try:
            return data.decode(encoding, "replace")
        except (LookupError, ValueError):
            continue
    return data.decode("utf-8-sig", "replace")


def _tags(html: str) -> Iterator[_Tag]:
    """Yield the tags that say something, outside of comments and scripts."""
    place = 0
    while found := _TAG.search(html, place):
        if found["name"]:
            attributes, place = _attributes(html, found.end())
            yield _Tag(found["name"].lower(), attributes)
            continue
        end = _ENDS[(found["raw"] or "comment").lower()].search(html, found.end())
        if end is None:
            return
        place = end.end()


def _attributes(html: str, place: int) -> tuple[Mapping[str, str], int]:
    """Return the attributes that stand here, the first of each name, and where they end."""
    attributes: dict[str, str] = {}
    for _ in range(_ATTRIBUTES):
        found = _ATTRIBUTE.match(html, place)
        if found is None:
            break
        value = found["double"] or found["single"] or found["bare"] or ""
        attributes.setdefault(found["name"].lower(), unescape(value))
        place = found.end()
    return attributes, place


def _words(orders: str) -> set[str]:
    return {word.strip().lower() for word in orders.split(",")}


def _orders(tags: Sequence[_Tag], product: str) -> set[str]:
    names = ("robots", product.lower())
    concern = (tag for tag in tags if tag.name == "meta" and tag.says("name").lower() in names)
    return {word for tag in concern for word in _words(tag.says("content"))}


def _canonical(tags: Sequence[_Tag]) -> str | None:
    named = (tag for tag in tags if tag.name == "link" and "canonical" in tag.says("rel").lower().split())
    return next((tag.says("href") for tag in named if tag.says("href")), None)


def _links(tags: Sequence[_Tag]) -> Iterable[str]:
    return filter(None, map(_link, tags))


def _link(tag: _Tag) -> str:
    """Return where the tag leads, if anywhere."""
    match tag.name:
        case "a" | "area" if "nofollow" not in tag.says("rel").lower().split():
            return tag.says("href")
        case "frame" | "iframe":
            return tag.says("src")
        case "meta" if tag.says("http-equiv").lower() == "refresh":
            return tag.says("content").partition("=")[2].strip(" '\"")
    return ""
