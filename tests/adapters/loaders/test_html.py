"""Web pages are read as a reader sees them."""

from time import process_time

import pytest

from adapters.loaders.html import read_html, reading_of
from core.errors import IngestError
from tests.adapters.loaders.made import inside

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


def test_merged_cells() -> None:
    """A cell over several rows is in each of them, one over several columns leaves the next empty: none is shifted."""
    page = (
        "<table><tr><th>Регион<th>План<th>Fact<tr><td rowspan=2>North<td>1<td>2<tr><td>3<td rowspan=9>4"
        "<tr><td colspan=2>нет</table>"
    )

    assert [(piece.labels, piece.text) for piece in reading_of(page, "a.html").pieces] == [
        (("Регион", "План", "Fact"), "North | 1 | 2"),
        (("Регион", "План", "Fact"), "North | 3 | 4"),
        (("Регион", "План", "Fact"), "нет |  | 4"),
    ]


def test_tables_that_only_place_things() -> None:
    """Pages and mails laid out by tables are text, and the table of figures in them is one."""
    page = (
        "<table><tr><td><table><tr><td><p>Здравствуйте!</p><p>The figures | 2025:</p></td></tr></table>"
        "<table><tr><th>A<th>B<tr><td>1<td>2</table></td><td>Foot</td></tr></table>"
    )

    assert shapes(page) == [
        ("paragraph", "Здравствуйте!"),
        ("paragraph", "The figures | 2025:"),
        ("row", "1 | 2"),
        ("paragraph", "Foot"),
    ]


def test_a_page_inside_a_form() -> None:
    """Some servers put the whole page into a form: its words are read, what one can press or fill in is not."""
    page = "<form><h1>Отпуск</h1><p>28 days</p><button>Send</button><select><option>x</select></form>"

    assert shapes(page) == [("heading", "Отпуск"), ("paragraph", "28 days")]


def test_the_head_of_an_article() -> None:
    """What an article begins with is kept whole; of the page's own head the title is."""
    page = (
        "<header><p>Портал</p><h1>Title</h1></header>"
        "<article><header><h2>Дни</h2><p>Lead</p></header>x<aside>y</aside></article>"
    )

    assert shapes(page) == [
        ("heading", "Title"),
        ("heading", "Дни"),
        ("paragraph", "Lead"),
        ("paragraph", "x"),
        ("paragraph", "y"),
    ]


@pytest.mark.parametrize(
    "page",
    [
        "<table><tr>" + "<td rowspan=1000>слово" * 5_000 + "<tr><td>" * 1_000,
        "<table><tr><td rowspan=1000>" + "x" * 9_000 + "<td>y" + "<tr><td>" * 1_000,
    ],
)
def test_merged_cells_without_measure(page: str) -> None:
    """A page that asks for millions of cells is named."""
    with pytest.raises(IngestError, match="split its tables"):
        reading_of(page, "a.html")


def test_very_wide_cells() -> None:
    """A cell over a thousand columns takes no more than the page has room for."""
    assert len(shapes("<table><tr><th>a<th>b" + "<tr><td colspan=1000>я<td>1" * 100)[1][1]) < 200


@pytest.mark.parametrize(
    "mark", ["<a href=", "<!--", "<![CDATA[", "</", "<script>", "&#1;", "<p class='a", "<b", "<dt>"]
)
def test_markup_that_never_ends(mark: str) -> None:
    """Whatever is left open costs no more than its length: 100 kB of it are read, or named, within seconds."""
    began = process_time()
    inside("a.html", f"<p>Отпуск</p>{mark * (100_000 // len(mark))}")

    assert process_time() - began < 10


def test_what_stands_before_broken_markup() -> None:
    """A tag that never ends hides what is after it, as in a browser, and nothing before it."""
    assert shapes("<p>28 дней</p><a href=" * 2)[0] == ("paragraph", "28 дней")


@pytest.mark.parametrize("mark", ["<div>", "<dl><dt>a<dd>", "<ul><li>", "<table><tr><td>", "<b>"])
def test_endless_nesting_is_refused(mark: str) -> None:
    """A page made to break the reader is named, with the remedy."""
    with pytest.raises(IngestError, match="nested too deeply"):
        reading_of(mark * 5_000 + "x", "a.html")


def test_deep_nesting_is_read() -> None:
    """No page made by people is nested too deeply."""
    assert shapes("<div>" * 150 + "слово" + "</div>" * 150 + "<p>after") == [
        ("paragraph", "слово"),
        ("paragraph", "after"),
    ]
