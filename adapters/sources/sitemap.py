"""Sitemaps (sitemaps.org/protocol.html): XML or lines of text, packed or not, of pages or of other sitemaps."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from adapters.sources.dates import day_of

# The protocol's own limit, unpacked.
SITEMAP_BYTES: Final = 52_428_800
_PACKED = b"\x1f\x8b"
_GZIP = 31
_LONGEST_ADDRESS = 2_048


@dataclass(frozen=True, slots=True)
class Listed:
    """A page that a sitemap names, and the day it says that the page changed."""

    address: str
    updated: str | None = None


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The pages and the sitemaps that a sitemap names; `problem` is why the rest of it could not be read."""

    pages: tuple[Listed, ...] = ()
    maps: tuple[str, ...] = ()
    problem: str | None = None


def sitemap_of(data: bytes) -> Sitemap | None:
    """Return what a sitemap names, in its order; None when the data is none. Never raises."""
    plain = _unpacked(data)
    if plain is None:
        return Sitemap(problem=f"unpacks to more than {SITEMAP_BYTES:,} bytes: split it")
    if plain.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return _Reader().read(plain)
    lines = plain.decode("utf-8-sig", "replace").split()
    pages = tuple(Listed(line) for line in lines if line.startswith(("http://", "https://")))
    return Sitemap(pages) if pages and len(pages) == len(lines) else None


def _unpacked(data: bytes) -> bytes | None:
    if not data.startswith(_PACKED):
        return data
    unpacking = zlib.decompressobj(_GZIP)
    try:
        plain = unpacking.decompress(data, SITEMAP_BYTES)
    except zlib.error:
        return b""
    return None if unpacking.unconsumed_tail else plain


class _Refused(Exception):
    """The document declares entities, which no sitemap needs and a few of which fill the memory."""


@dataclass(slots=True)
class _Reader:
    """Reads the XML as it comes; what stood before a break in it counts."""

    pages: list[Listed] = field(default_factory=list)
    maps: list[str] = field(default_factory=list)
    path: list[str] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)
    is_sitemap: bool = False

    def read(self, data: bytes) -> Sitemap | None:
        problem = None
        try:
            self._parser()(data, True)
        except expat.ExpatError as error:
            problem = f"is not well-formed XML from line {error.lineno} on: generate it anew"
        except _Refused:
            problem = "declares entities, which sitemaps have no use for: generate it without them"
        return Sitemap(tuple(self.pages), tuple(self.maps), problem) if self.is_sitemap else None

    def _parser(self) -> Callable[[bytes, bool], int]:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = _refuse
        return parser.Parse

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        self.path.append(name.rpartition(" ")[2])
        self.is_sitemap = self.is_sitemap or self.path in (["urlset"], ["sitemapindex"])
        if self.path[-1] in ("url", "sitemap"):
            self.said = {}

    def _text(self, text: str) -> None:
        match self.path:
            case ["urlset", "url", name] | ["sitemapindex", "sitemap", name] if name in ("loc", "lastmod"):
                self.said[name] = (self.said.get(name, "") + text)[:_LONGEST_ADDRESS]

    def _end(self, _name: str) -> None:
        address = self.said.get("loc", "").strip()
        match self.path:
            case ["urlset", "url"] if address:
                self.pages.append(Listed(address, day_of(self.said.get("lastmod", ""))))
            case ["sitemapindex", "sitemap"] if address:
                self.maps.append(address)
        self.path.pop()


def _refuse(*_declared: object) -> None:
    raise _Refused
