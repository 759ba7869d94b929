"""What others wrote is read as far as it can be: sitemaps, the heads of pages, days, types."""

import gzip
import zlib
from datetime import UTC, date, datetime
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.sources.dates import day_of
from adapters.sources.formats import suffix_for
from adapters.sources.signs import LINKS, orders_in, signs_of
from adapters.sources.sitemap import SITEMAP_BYTES, Listed, Sitemap, sitemap_of

NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/image/1.1"'


def test_a_sitemap() -> None:
    """Addresses and days come in their order; what belongs to pictures is not a page."""
    text = f"""<?xml version="1.0" encoding="UTF-8"?><urlset {NAMESPACE}>
      <url><loc> https://acme.example/a?x=1&amp;y=2 </loc><lastmod>2025-03</lastmod></url>
      <url><lastmod>2025-03-31T12:00:00Z</lastmod><loc><![CDATA[https://acme.example/страница]]></loc>
      <image:image><image:loc>https://acme.example/a.png</image:loc></image:image></url>
      <url><lastmod>2025-01-01</lastmod></url></urlset>"""

    assert Sitemap(
        (Listed("https://acme.example/a?x=1&y=2"), Listed("https://acme.example/страница", "2025-03-31"))
    ) == sitemap_of(text.encode())


def test_lines() -> None:
    """A sitemap may be one address a line."""
    assert Sitemap((Listed("https://a.example/1"), Listed("https://a.example/дом"))) == sitemap_of(
        "\ufeffhttps://a.example/1\r\nhttps://a.example/дом\n".encode()
    )


@pytest.mark.parametrize(
    "data", [b"", b"no addresses here", b"<html><body>404</body></html>", b"<?xml", b"\x1f\x8bjunk"]
)
def test_no_sitemap(data: bytes) -> None:
    """Anything else is none."""
    assert sitemap_of(data) is None


def test_a_bomb_of_entities() -> None:
    """Entities, a few of which fill the memory, are refused as soon as they are declared."""
    entities = '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">'
    bomb = f"<!DOCTYPE x [{entities}]><urlset><url><loc>&b;</loc></url></urlset>"

    assert sitemap_of(bomb.encode()) is None


def test_a_packed_bomb() -> None:
    """What unpacks to more than a sitemap may have is not unpacked further."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = b"".join(packer.compress(b" " * 1_000_000) for _ in range(SITEMAP_BYTES // 1_000_000 + 2)) + packer.flush()

    found = sitemap_of(packed)

    assert found is not None
    assert "unpacks to more than" in (found.problem or "")


def test_a_packed_half() -> None:
    """Of a packed sitemap that was cut off, what came is read."""
    lines = b"".join(b"<url><loc>https://a.example/%d</loc></url>" % number for number in range(5_000))
    packed = gzip.compress(b"<urlset>" + lines)

    found = sitemap_of(packed[: len(packed) // 2])

    assert found is not None
    assert 100 < len(found.pages) < 5_000
    assert found.problem


@settings(deadline=None, derandomize=True, max_examples=100)
@given(st.binary(max_size=200), st.sampled_from([b"", b"<urlset><url><loc>http://a/", b"<html>", b"\x1f\x8b\x08"]))
def test_any_bytes(data: bytes, begin: bytes) -> None:
    """No bytes break a reader."""
    sitemap_of(begin + data)
    signs_of(begin + data, "utf-8", "Footnote")


def test_signs() -> None:
    """Links, frames and forwarding count, except those marked nofollow; the base is the first."""
    html = """<base href="/docs/"><base href="/x/"><a href=" a.html ">A</a><a rel="NoFollow external" href="b">B</a>
      <map><area href="c#d"></map><iframe src="frame.html"></iframe><meta http-equiv="Refresh" content="0; URL='next'">
      <a name="top"></a><a href="">self</a><link rel="alternate canonical" href="/canonical"><!-- <a href="no">-->"""

    found = signs_of(html.encode(), None, "Footnote")

    assert ("a.html", "c#d", "frame.html", "next") == found.links
    assert ("/docs/", "/canonical") == (found.base, found.canonical)


@pytest.mark.parametrize(
    ("name", "content", "hidden", "closed"),
    [
        ("robots", "noindex", True, False),
        ("ROBOTS", "NOFOLLOW , noarchive", False, True),
        ("robots", "none", True, True),
        ("footnote", "noindex", True, False),
        ("googlebot", "none", False, False),
        ("robots", "index, follow", False, False),
    ],
)
def test_orders_of_a_page(name: str, content: str, hidden: bool, closed: bool) -> None:  # noqa: FBT001 - a table
    """A page gives orders to all visitors or to one by its name."""
    found = signs_of(f'<meta name="{name}" content="{content}">'.encode(), None, "Footnote")

    assert (hidden, closed) == (found.hidden, found.closed)


def test_orders_in_headers() -> None:
    """Headers give orders as well, each to all or to one visitor."""
    headers = ["noarchive", "googlebot: noindex", "footnote: nofollow", "unavailable_after: 25 Jun 2010, nosnippet"]

    assert {"noarchive", "nofollow"} == orders_in(headers, "Footnote") - {"unavailable_after: 25 jun 2010", "nosnippet"}


HOSTILE = (
    "<a href=",
    "<a href='x'>",
    "<a href='",
    '<a href="',
    "<!--",
    "<!",
    "<a ",
    "<a x=\"'",
    "<script>",
    "<meta " + " " * 99,
)


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_page_that_keeps_busy(unit: str) -> None:
    """Whatever a page repeats, twice as much of it takes about twice as long: 2 MB are through in two seconds or so."""
    began = process_time()
    signs_of((unit * (2_000_000 // len(unit))).encode(), None, "Footnote")

    assert process_time() - began < 5


def test_a_page_of_links() -> None:
    """A page without end has so many links and no more."""
    assert LINKS == len(signs_of(b"<a href='x'>" * 100_000, None, "Footnote").links)


@pytest.mark.parametrize(
    ("given_", "day"),
    [
        ("2025-03-31", "2025-03-31"),
        ("2025-03-31T23:59:59+03:00", "2025-03-31"),
        ("Wed, 21 Oct 2015 07:28:00 GMT", "2015-10-21"),
        (datetime(2025, 3, 31, tzinfo=UTC), "2025-03-31"),
        (date(2025, 3, 31), "2025-03-31"),
        (1_743_379_200, "2025-03-31"),
        (1_743_379_200_000.0, "2025-03-31"),
        ("2025-02-30", None),
        ("31 марта", None),
        ("", None),
        (None, None),
        (True, None),
        (float("nan"), None),
        (10**30, None),
        (date(1, 1, 1), None),
    ],
)
def test_days(given_: object, day: str | None) -> None:
    """A day is told from whichever form it has; what is none is none."""
    assert day == day_of(given_)


@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.one_of(st.text(max_size=40), st.floats(), st.integers(), st.datetimes(), st.dates()))
def test_any_day(value: object) -> None:
    """A day is four digits, two and two, whatever it was told from."""
    found = day_of(value)

    assert found is None or date.fromisoformat(found).strftime("%Y-%m-%d").endswith(found[-6:])


@pytest.mark.parametrize(
    ("kind", "path", "suffix"),
    [
        ("text/html; charset=utf-8", "/a.php", ".html"),
        ("TEXT/HTML", "/", ".html"),
        ("application/pdf", "/get", ".pdf"),
        ("text/plain", "/README.md", ".md"),
        ("text/plain", "/script.py", ".txt"),
        ("", "/отчёт.docx", ".docx"),
        ("application/octet-stream", "/setup", None),
        ("image/png", "/a.pdf", None),
        ("", "/a.xlsm", ".xlsm"),
        ("text/plain", "/a.jsonl", ".jsonl"),
        ("text/plain; charset=utf-8", "/введение.mdx", ".mdx"),
        ("application/json", "/a.ipynb", ".ipynb"),
        ("application/json", "/a.md", ".json"),
        ("application/x-ndjson", "/a", ".jsonl"),
        ("application/xhtml+xml", "/a.xhtml", ".html"),
    ],
)
def test_types(kind: str, path: str, suffix: str | None) -> None:
    """The server's word stands above the name; where it has none, the name tells."""
    assert suffix == suffix_for(kind, path)
