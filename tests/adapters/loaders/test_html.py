"""Web pages are read as a reader sees them."""

import pytest

from adapters.loaders.html import read_html, reading_of
from core.errors import IngestError

PAGE = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>Отпуск | Портал</title>
<meta name="owner" content="Анна Петрова"><meta name="viewport" content="width=1"><meta name="og:title" content="x">
<meta name="Updated" content="2025-03-31"><style>p{color:red}</style></head><body>
<header><nav><a href="/">Домой</a></nav><h1>Отпуск</h1></header><div class="menu">Меню</div>
<script>alert(1)</script><p hidden>тайно</p><p style="display:none">тайно</p>
<p>Каждому &mdash; <b>28</b> дней,<br>не меньше. 1. *звезда* [[x]] &lt;тег&gt;</p>
<ul><li>раз<ul><li>два</li></ul></li></ul>
<table><tr><th>Стаж</th><th>Дни</th></tr><tr><td>год</td><td>28 | 30</td></tr></table>
<dl><dt>RETRY</dt><dd>Число попыток.</dd><dt>EMPTY</dt><dd>a</dd><dd>b</dd><dt>LAST</dt></dl>
<pre><code>run  *it*
  now</code></pre><blockquote><p>Цитата</p></blockquote><img src="a.png" alt="Схема">
<footer>Подвал</footer></body></html>"""


def shapes(html: str) -> list[tuple[str, str]]:
    """Return kind and text of each piece."""
    return [(piece.kind, piece.text) for piece in reading_of(html, "a.html").pieces]


def test_a_page() -> None:
    """Menus, scripts, hidden words and markup are left out; all that is shown stays, as it is shown."""
    assert shapes(PAGE) == [
        ("heading", "Отпуск"),
        ("paragraph", "Каждому — 28 дней, не меньше. 1. *звезда* [[x]] <тег>"),
        ("item", "раз"),
        ("item", "два"),
        ("row", "год | 28|30"),
        ("item", "RETRY: Число попыток."),
        ("item", "EMPTY: a"),
        ("item", "b"),
        ("item", "LAST"),
        ("code", "run  *it*\n  now"),
        ("quote", "Цитата"),
        ("paragraph", "Схема"),
    ]


def test_what_the_page_says_about_itself() -> None:
    """Meta fields for readers are front matter; of a title with the site's name the heading is the title."""
    assert reading_of(PAGE, "a.html").meta == {"title": "Отпуск", "owner": "Анна Петрова", "updated": "2025-03-31"}


def test_a_title_of_its_own() -> None:
    """A title that does not hold the heading stays as it is."""
    assert reading_of("<title>Leave</title><h1>Annual leave</h1>", "a.html").meta == {"title": "Leave"}


def test_only_the_main_part() -> None:
    """Where a page marks its main part, the rest is furniture."""
    assert shapes("<body><p>around</p><main><p>inside</p></main></body>") == [("paragraph", "inside")]


@pytest.mark.parametrize(
    "html",
    ["Отпуск", '<?xml version="1.0"?><doc>Отпуск</doc>', '<?xml version="1.0"?>\n<html><body>Отпуск</body></html>'],
)
def test_pages_that_are_hardly_html(html: str) -> None:
    """Bare text and XML are read as what they show."""
    assert shapes(html) == [("paragraph", "Отпуск")]


def test_a_bare_address() -> None:
    """An address is text, not something to fetch."""
    assert shapes("https://example.org/a") == [("paragraph", "https://example.org/a")]


def test_text_that_looks_like_markup() -> None:
    """Words that would be Markdown are words."""
    assert shapes("<p># no heading</p><p>1. no item</p><p>- no item</p><p>a | b</p><p>[^1] _x_</p>") == [
        ("paragraph", "# no heading"),
        ("paragraph", "1. no item"),
        ("paragraph", "- no item"),
        ("paragraph", "a | b"),
        ("paragraph", "[^1] _x_"),
    ]


def test_a_declared_encoding() -> None:
    """The encoding that a page declares is believed."""
    page = '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r"><p>Отпуск</p>'

    assert read_html(page.encode("koi8-r"), "a.html").pieces[0].text == "Отпуск"


def test_endless_nesting_is_refused() -> None:
    """A page made to break the reader is named, with the remedy."""
    with pytest.raises(IngestError, match="nested too deeply"):
        reading_of("<div>" * 5_000 + "x", "a.html")
