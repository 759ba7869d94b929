"""Web pages are read as a reader sees them."""

from time import process_time

import pytest

from adapters.loaders.html import read_html, reading_of
from core.errors import IngestError
from tests.adapters.loaders.made import inside

PAGE = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>Отпуск | Портал</title>
<meta name="owner" content="Анна Петрова"><meta name="viewport" content="width=1"><meta name="og:title" content="x">
<meta name="Updated" content="2025-03-31"><style>p{color:red}</style></head><body>
<header><nav><a href="/">Домой</a></nav><h1>Отпуск</h1></header><div class="menu"><a href="/a">Меню</a></div>
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


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<p>The plan costs $49<sup>1</sup> a month, not <del>$79</del>.</p><p><sup>1</sup> Plus VAT.</p>",
            ["The plan costs $49 a month, not .", "Plus VAT."],
        ),
        ("<p>It costs $<b>19</b><sup>99</sup> per seat.</p>", ["It costs $19.99 per seat."]),
        ("<p>Абонемент — 24 000<sup>1</sup> ₽, зал 85 м<sup>2</sup>.</p>", ["Абонемент — 24 000 ₽, зал 85 м²."]),
        (
            "<p>10<sup>5</sup> cells, H<sub>2</sub>O, 1<sup>st</sup> of 101<sub>2</sub></p>",
            ["10⁵ cells, H2O, 1st of 101₂"],
        ),
        ('<p>Так<a href="#n1"><sup>1</sup></a> и так<sup class="r"><a href="#n2">[2]</a></sup>.</p>', ["Так и так."]),
        ('<p>10<span style="vertical-align: super">5</span> cells</p>', ["10⁵ cells"]),
        ("<p>a<sup>1<sup>2</sup></sup></p>", ["a¹²"]),
    ],
)
def test_raised_marks(html: str, expected: list[str]) -> None:
    """No raised digit melts into the number before it, and the mark of a note is none of the words."""
    assert [text for _, text in shapes(html)] == expected


def test_struck_out() -> None:
    """What is struck out is no longer said."""
    page = '<p>Стрижка <s>1500</s> 1200 рублей, <span style="text-decoration:line-through">9</span> 8 to 18</p>'

    assert shapes(page) == [("paragraph", "Стрижка 1200 рублей, 8 to 18")]


def test_what_is_hidden_by_its_style() -> None:
    """However the style is written, what it hides is not read."""
    page = (
        '<p style="color: red; display: none">a</p><p style="VISIBILITY:hidden">b</p><p aria-hidden="true">c</p>'
        '<div style="display: none"><p style="display:none"><s>d</s></p></div><p style="display: block">Видно</p>'
    )

    assert shapes(page) == [("paragraph", "Видно")]


def test_what_asks_first() -> None:
    """A banner about cookies is no part of the page; a page about biscuits is."""
    page = (
        '<div class="cookie-bar"><div id="cookie-text">We use cookies <button>OK</button></div></div>'
        '<div role="dialog"><p>Подпишитесь</p></div>'
        '<div class="cookies"><h1>Oat cookies</h1><p>Bake for 10 minutes.</p><button>Print</button></div>'
        '<div class="cookies"><p>Остудить.</p></div>'
    )

    assert [text for _, text in shapes(page)] == ["Oat cookies", "Bake for 10 minutes.", "Остудить."]


def test_menus_of_links_and_menus_of_dishes() -> None:
    """What is called a menu is left out when it leads elsewhere, and read when it says something."""
    page = (
        '<div class="menu"><a href="/">Home</a> | <a href="/a">About us</a></div>'
        '<div class="menu"><h2>Monday</h2><p>Lentil curry</p></div><div id="sidebar"><p>Обед с 12:00</p></div>'
    )

    assert [text for _, text in shapes(page)] == ["Monday", "Lentil curry", "Обед с 12:00"]


def test_lists_and_captions_of_tables() -> None:
    """A list in a cell is one line, and the caption of a table stands above its rows."""
    page = (
        "<table><caption>Размеры</caption><tr><td>Small</td><td>20 cm</td></tr><tr><td>Large</td><td><ul><li>40 cm</li>"
        "<li>50 см <ol><li>round</li></ol></li></ul></td></tr></table>"
    )

    assert shapes(page) == [
        ("paragraph", "Размеры"),
        ("row", "Small | 20 cm"),
        ("row", "Large | 40 cm; 50 см round"),
    ]


def test_names_that_are_inferred() -> None:
    """Where nothing says what names the columns, the first row does when it is none like the others."""
    form = "<table><tr><td>Employee<td>Anna Kelly<tr><td>Оклад<td>£31,500</table>"
    people = "<table><tr><td>{0}Имя{1}<td>{0}Город{1}<tr><td>Анна<td>Рим<tr><td>Bob<td>Bonn</table>".format
    halves = (
        "<table><tr><td rowspan=2>Регион<td colspan=2>2024<tr><td>H1<td>H2<tr><td>North<td>1<td>2</table>"
        "<table><thead><tr><th>A<th>B<tbody><tr><td>c<td>d</table>"
    )

    def read(html: str) -> list[tuple[tuple[str, ...], str]]:
        return [(piece.labels, piece.text) for piece in reading_of(html, "a", infers_names=True).pieces]

    assert read(form) == [((), "Employee | Anna Kelly"), ((), "Оклад | £31,500")]
    assert read(people("", ""))[0] == ((), "Имя | Город")
    assert read(people("<b>", "</b>"))[0] == (("Имя", "Город"), "Анна | Рим")
    assert read(halves) == [(("Регион", "2024 H1", "2024 H2"), "North | 1 | 2"), (("A", "B"), "c | d")]


@pytest.mark.parametrize(
    "page",
    [
        "слово<sup>1</sup> " * 8_000,
        "<table><tr><td><ul>" + "<li>x" * 10_000 + "</ul><td>я</table>",
        '<div class="cookie menu">' * 150 + "<p>слово</p>" * 5_000,
    ],
)
def test_time_grows_with_the_length(page: str) -> None:
    """Marks, lists in cells and what may be a menu cost no more than their number."""
    began = process_time()
    inside("a.html", page)

    assert process_time() - began < 10
