"""Markdown becomes readable text in blocks."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ingest.document import Block
from core.ingest.markdown import parse, pieces_of

Shape = tuple[str, str]


def shapes(markdown: str, title: str | None = None) -> list[Shape]:
    """Return the kind and text of each block."""
    text, blocks = parse(markdown, title)
    return [(block.kind, text[block.start : block.end]) for block in blocks]


def blocks_of(markdown: str) -> tuple[Block, ...]:
    """Return the blocks alone."""
    return parse(markdown)[1]


@pytest.mark.parametrize(
    ("markdown", "readable"),
    [
        ("*one* **two** ***three*** _four_", "one two three four"),
        ("[label](https://example.org 'hint')", "label"),
        ("![a *small* picture](a.png) here", "a small picture here"),
        ("run `make  test` now", "run make test now"),
        ("~~old~~ price", "price"),
        ("old ~~price", "old ~~price"),
        ("Лимит ~~100~~ <del>150 **МБ**</del> 250 МБ", "Лимит 250 МБ"),
        ("<s>open", "open"),
        ("40 m<sup>2</sup>, 10<sup>5</sup>, 1<sup>st</sup>, H<sub>2</sub>O", "40 m², 10⁵, 1st, H2O"),
        ("a fee of **$25**<sup>2</sup>", "a fee of $25"),
        ("сноска<sup>[1](#n1)</sup>", "сноска"),
        ("`10<sup>5</sup>` and ~~`x`~~", "10<sup>5</sup> and"),
        ("<p>10<sup>5</sup> at $49<sup>7</sup>, <s>9</s></p>", "10⁵ at $49,"),
        ("[[Учебный отпуск|отпуск]] и [[VPN]]", "отпуск и VPN"),
        ("see ![[plan.png]]", "see plan.png"),
        ("![see [[Page|p]][^1] now](a.png)", "see p now"),
        ("Fact[^1] and more[^примечание].", "Fact and more."),
        ("a <b>bold</b> <kbd>Ctrl</kbd> word<!-- hidden -->", "a bold Ctrl word"),
        ("one<br>two<br/>three", "one two three"),
        ("wrapped\nline  \nand\\\nmore", "wrapped line and more"),
        ("5 &lt; 6 &amp; \\*not emphasis\\*", "5 < 6 & *not emphasis*"),
        ("<https://example.org/a>", "https://example.org/a"),
        ("zero\u200bwidth &#8203;space", "zerowidth space"),
        ("Привет 🙂 мир", "Привет 🙂 мир"),
        ("[^note](https://example.org)", "^note"),
    ],
)
def test_inline_markup_is_not_text(markdown: str, readable: str) -> None:
    """A reader sees labels and words, not marks, targets or comments."""
    assert shapes(markdown) == [("paragraph", readable)]


def test_headings_become_paths() -> None:
    """A block knows the section titles above it; the title of the document is left out."""
    text, blocks = parse("# Отпуск\n\n## Дни\n\n28 дней.\n\n### Перенос\n\nДо марта.\n\nEnd\n---\n\nlast")

    assert [(text[block.start : block.end], block.headings) for block in blocks] == [
        ("Дни", ()),
        ("28 дней.", ("Дни",)),
        ("Перенос", ("Дни",)),
        ("До марта.", ("Дни", "Перенос")),
        ("End", ()),
        ("last", ("End",)),
    ]


def test_heading_levels_are_depths() -> None:
    """A heading's depth is its level."""
    assert [block.depth for block in blocks_of("## a\n#### b\n")] == [2, 4]


def test_numbers_of_items_are_not_text() -> None:
    """Bullets and ordinals stay out of the text."""
    assert shapes("3. third\n4. fourth\n\n- fifth") == [
        ("item", "third"),
        ("item", "fourth"),
        ("item", "fifth"),
    ]


def test_a_task_keeps_its_tick() -> None:
    """Whether a task is done is half of what a list of tasks says, and its box stands in the text as one sign."""
    assert shapes("- [x] Акт подписан\n- [ ] Refund policy approved\n- [X] [Lease](a.md) ended\n- [ ]\n- [y] no") == [
        ("item", "☑ Акт подписан"),
        ("item", "☐ Refund policy approved"),
        ("item", "☑ Lease ended"),
        ("item", "[ ]"),
        ("item", "[y] no"),
    ]
    text, (block,) = parse("- [x] [Lease](a.md) ended")
    assert [link.span.within(text) for link in block.links] == ["Lease"]


def test_lines_with_names_are_fields() -> None:
    """Lines of "**Name:** value" one under the other are a part each: the page's own above its first section."""
    head = "# Сбой\n\n**Duration:** 47 minutes\n**Lead**: [Yuki](y.md)\n  Tanaka\n**Severity:** 1\n\nИтог: 3.\n\n"
    below = "## Контакты\n\nДиректор: Лариса Тихонова\\\nЗавуч: Андрей Лапин<br>Медсестра: кабинет 105\n"
    text, blocks = parse(head + below)

    assert [(block.kind, text[block.start : block.end]) for block in blocks] == [
        ("field", "Duration: 47 minutes"),
        ("field", "Lead: Yuki Tanaka"),
        ("field", "Severity: 1"),
        ("paragraph", "Итог: 3."),
        ("heading", "Контакты"),
        ("item", "Директор: Лариса Тихонова"),
        ("item", "Завуч: Андрей Лапин"),
        ("item", "Медсестра: кабинет 105"),
    ]
    assert [link.span.within(text) for link in blocks[1].links] == ["Yuki"]
    assert blocks[0].series == blocks[1].series == blocks[2].series != blocks[5].series == blocks[6].series


@pytest.mark.parametrize(
    "prose",
    [
        "**Note:** one line alone",
        "We must say:\nAnna: yes",
        "First: this\nand so on",
        "At 10:30\nNow: at 11:00",
        "**bold** and\n**bold** again",
        "**Alone:**\n**Name:**",
    ],
)
def test_other_lines_are_running_text(prose: str) -> None:
    """Lines that only begin so by chance, and a single one, stay the paragraph that they are."""
    assert [kind for kind, _ in shapes(prose)] == ["paragraph"]


def test_fields_of_several_things_are_lists() -> None:
    """A name that comes again speaks of several things; none of them is a field of the page."""
    assert shapes("Name: Anna\nRoom: 4\n\nName: Tom\nRoom: 5") == [
        ("item", "Name: Anna"),
        ("item", "Room: 4"),
        ("item", "Name: Tom"),
        ("item", "Room: 5"),
    ]


def test_tables_in_html_have_rows() -> None:
    """A table in HTML reads as one in Markdown does: cells apart, columns named, merged cells in each of their rows."""
    table = (
        "Plans:\n\n<table><caption>Our plans</caption><tr><th>Plan</th><th>Users</th><th>Price</th></tr>\n\n"
        '<tr><td rowspan="2">Gold</td><td>50</td><td><a href="p.md">$99</a> | net</td></tr>\n'
        "<tr><td>80<td>$120\n<tr><td colspan=2>Всем</td><td></td></tr><tr><td></td></tr><tr></tr></table>\nafter\n"
    )
    text, blocks = parse(table)

    assert [(block.kind, text[block.start : block.end]) for block in blocks] == [
        ("paragraph", "Plans:"),
        ("paragraph", "Our plans"),
        ("row", "Gold | 50 | $99|net"),
        ("row", "Gold | 80 | $120"),
        ("row", "Всем | Всем | "),
        ("paragraph", "after"),
    ]
    assert {block.labels for block in blocks if block.kind == "row"} == {("Plan", "Users", "Price")}
    assert [link.span.within(text) for block in blocks for link in block.links] == ["$99"]


def test_a_table_that_only_places_things_is_text() -> None:
    """With one column a table in HTML is no table; without names of columns every row is one."""
    assert shapes("<table><tr><td>One</td></tr><tr><td>Two</td></tr></table>") == [
        ("paragraph", "One"),
        ("paragraph", "Two"),
    ]
    assert shapes("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>") == [
        ("row", "a | b"),
        ("row", "c | d"),
    ]


def test_nested_lists_are_series_of_their_own() -> None:
    """Items of one list share a series; a list inside an item has its own and one more depth."""
    blocks = blocks_of("- a\n  1. b\n  2. c\n- d\n\npause\n\n* e")

    assert [(block.series, block.depth) for block in blocks if block.kind == "item"] == [
        (0, 0),
        (1, 1),
        (1, 1),
        (0, 0),
        (2, 0),
    ]


def test_paragraphs_of_an_item_belong_to_it() -> None:
    """Paragraphs at the start of an item are the item; what follows a code block stays inside the list."""
    markdown = (
        "1. **Stop** the service\n\n   It takes a minute.\n\n   ```\n   stop\n   ```\n\n   Then wait.\n2. Start it"
    )

    assert shapes(markdown) == [
        ("item", "Stop the service\nIt takes a minute."),
        ("code", "stop"),
        ("paragraph", "Then wait."),
        ("item", "Start it"),
    ]
    assert [block.depth for block in blocks_of(markdown)] == [0, 1, 1, 0]


def test_rows_carry_their_column_names() -> None:
    """A table gives one block a body row; its header is the labels of each."""
    text, blocks = parse("| План | Цена |\n|---|---|\n| Базовый | `10` € |\n| Про | |\n")

    assert [text[block.start : block.end] for block in blocks] == ["Базовый | 10 €", "Про | "]
    assert {block.labels for block in blocks} == {("План", "Цена")}
    assert {block.series for block in blocks} == {0}


def test_a_bar_in_a_cell_does_not_part_it() -> None:
    """Only borders of cells read " | "."""
    assert shapes("| a | b |\n|-|-|\n| x \\| y | z |") == [("row", "x|y | z")]


def test_a_table_without_rows_or_header() -> None:
    """A header alone is a row; an empty header names nothing; empty rows are left out."""
    assert shapes("| a | b |\n|-|-|") == [("row", "a | b")]
    assert [block.labels for block in blocks_of("| | |\n|-|-|\n| x | y |\n| | |")] == [()]


def test_code_is_verbatim() -> None:
    """Code keeps its lines, indents and marks."""
    code = "def f():\n    return '*x*'\n\n# done"

    assert shapes(f"```python\n{code}\n```") == [("code", code)]
    assert shapes("text\n\n    a\n      b") == [("paragraph", "text"), ("code", "a\n  b")]


def test_quotes() -> None:
    """Paragraphs and headings of a quotation are quotes; its lists stay lists; an alert's mark is not text."""
    assert shapes("> # Big\n> word\n>\n> - item\n\n> [!NOTE]\n> Mind the gap") == [
        ("quote", "Big"),
        ("quote", "word"),
        ("item", "item"),
        ("quote", "Mind the gap"),
    ]


def test_comments_and_blocks_of_html() -> None:
    """Comments, scripts and styles are dropped, the words between other tags stay."""
    markdown = (
        "<!-- hidden\n\nstill hidden -->\n\n"
        "<details><summary>More</summary>\none <i>two</i> &amp;<br>three\n</details>\n\n"
        "<script>alert(1)</script>\n\n<div>a</div>\n"
    )

    assert shapes(markdown) == [("paragraph", "More"), ("paragraph", "one two & three"), ("paragraph", "a")]


def test_an_open_comment_hides_the_rest() -> None:
    """A comment that never ends is not shown, as in a browser."""
    assert shapes("seen\n\n<!-- unseen\n\nunseen too") == [("paragraph", "seen")]


def test_footnotes_are_paragraphs() -> None:
    """The text of a footnote stays; its mark does not."""
    assert shapes("Fact[^1].\n\n[^1]: From the *report*\n    of May.\n[^2]: Other\n\n    [^3]: code") == [
        ("paragraph", "Fact."),
        ("paragraph", "From the report of May."),
        ("paragraph", "Other"),
        ("code", "[^3]: code"),
    ]


def test_windows_line_ends() -> None:
    """Line ends of any system make the same blocks."""
    assert shapes("a\r\n\r\n- b\r\n- c") == shapes("a\n\n- b\n- c") == shapes("a\r\r- b\r- c")


def test_the_introduction_of_a_list_stays_a_paragraph() -> None:
    """The sentence before a list is a paragraph of its own."""
    assert shapes("Нужно:\n- паспорт\n- СНИЛС")[0] == ("paragraph", "Нужно:")


@pytest.mark.parametrize(
    "markdown",
    [
        pytest.param(">" * 1_000 + " deep", id="quotes"),
        pytest.param("\n".join("> " * depth + "deep" for depth in range(1_000)), id="growing quotes"),
        pytest.param("- " * 1_000 + "deep", id="lists"),
        pytest.param("\n".join("  " * depth + "- deep" for depth in range(1_000)), id="growing lists"),
        pytest.param("\n".join("#" * (1 + depth % 6) + " deep" for depth in range(1_000)), id="headings"),
        pytest.param("|a|b|\n|-|-|\n" + "| deep | x |\n" * 10_000, id="table"),
        pytest.param("[" * 3_000 + "deep", id="brackets"),
        pytest.param("![[" * 3_000 + "deep", id="wiki links"),
        pytest.param("[^" * 3_000 + "deep", id="footnotes"),
        pytest.param("<div " * 10_000 + "deep", id="tags"),
        pytest.param("*a _" * 10_000 + "deep", id="emphasis"),
        pytest.param("A. " * 50_000 + "deep", id="abbreviations"),
    ],
)
def test_hostile_input_is_read_in_time_and_not_lost(markdown: str) -> None:
    """Whatever is nested or repeated, reading ends soon and the words are still there."""
    begin = time.process_time()
    text, _ = parse(markdown, title="")

    assert "deep" in text
    assert time.process_time() - begin < 10


WORDS = st.lists(st.text(alphabet="abzабяё🙂👩🏽日", min_size=1, max_size=8), min_size=1, max_size=5).map(" ".join)
LINES = st.lists(WORDS, min_size=1, max_size=4)
# Each part of a document is its Markdown and the words a reader sees.
PART = st.one_of(
    WORDS.map(lambda words: (words, words)),
    WORDS.map(lambda words: (f"## {words}", words)),
    WORDS.map(lambda words: (f"> {words}", words)),
    WORDS.map(lambda words: (f"```\n{words}\n```", words)),
    LINES.map(lambda lines: ("\n".join(f"- {line}" for line in lines), " ".join(lines))),
    LINES.map(lambda lines: ("\n".join(f"1. {line}" for line in lines), " ".join(lines))),
    LINES.map(
        lambda lines: ("\n".join(f"{'  ' * depth}* {line}" for depth, line in enumerate(lines)), " ".join(lines))
    ),
    LINES.map(lambda lines: ("|h|\n|-|\n" + "\n".join(f"| {line} |" for line in lines), " ".join(lines))),
)


def assert_covered(text: str, blocks: tuple[Block, ...]) -> None:
    """Assert that the blocks are in order, apart, not empty, and hold all of the text but white space."""
    end = 0
    for block in blocks:
        assert text[end : block.start].strip() == ""
        assert end <= block.start < block.end <= len(text)
        assert text[block.start : block.end].strip()
        end = block.end
    assert text[end:].strip() == ""


@given(st.lists(PART, max_size=8))
def test_every_word_survives_in_order(parts: list[tuple[str, str]]) -> None:
    """Reading drops marks, never words."""
    text, blocks = parse("\n\n".join(markdown for markdown, _ in parts), title="")

    assert_covered(text, blocks)
    assert text.split() == " ".join(words for _, words in parts).split()


@settings(max_examples=300)
@given(st.text(alphabet="ab я🙂#*_`~->|[]()!^:<>/\\&;=1. \n\t\r\u00a0\u200b\u2028\x85\x1c", max_size=120))
def test_any_text_at_all_gives_sound_blocks(markdown: str) -> None:
    """No input breaks the parser or the order of the blocks; the same input gives the same blocks."""
    text, blocks = parse(markdown)

    assert_covered(text, blocks)
    assert parse(markdown) == (text, blocks)


def test_notes_that_begin_with_their_mark() -> None:
    """A raised mark that a note of the document has is none of the words; the note loses its own."""
    text = (
        "4 часа<sup>1</sup>, 5 minutes<sup>a</sup>, 6<sup>3</sup>\n\n<sup>1</sup> Кроме выходных.\n\n"
        "<p><sup>a</sup> By phone.</p>"
    )

    assert [text for _, text in shapes(text)] == ["4 часа, 5 minutes, 6³", "Кроме выходных.", "By phone."]


def test_forms() -> None:
    """The first line of a form is a row, whether Markdown makes it a head or HTML does not say."""
    form = "| ФИО | Анна Петрова |\n|---|---|\n| Дата приёма | 12.05.2024 |\n| Кабинет | 14 |"
    raw = "<table><tr><td>Name</td><td>Anna Petrova</td></tr><tr><td>Room</td><td>14</td></tr></table>"

    assert [piece.text for piece in pieces_of(form)] == [
        "ФИО | Анна Петрова",
        "Дата приёма | 12.05.2024",
        "Кабинет | 14",
    ]
    assert [(piece.text, piece.labels) for piece in pieces_of(raw)] == [("Name | Anna Petrova", ()), ("Room | 14", ())]


def test_the_first_row_of_raw_html() -> None:
    """Words over values name the columns also where no cell says so, and an empty corner is no cell of the rows."""
    rows = "<tr><td>Товар</td><td>Цена</td></tr><tr><td>Ручка</td><td>100</td></tr><tr><td>Тетрадь</td><td>30</td></tr>"
    corner = "<tr><td></td><th>2024</th></tr><tr><th>North</th><td>1</td></tr>"

    assert {piece.labels for piece in pieces_of(f"<table>{rows}</table>")} == {("Товар", "Цена")}
    assert [(piece.text, piece.labels) for piece in pieces_of(f"<table>{corner}</table>")] == [
        ("North | 1", ("", "2024"))
    ]


def test_a_term_of_several_meanings() -> None:
    """Each meaning is an item of its own, with its term."""
    assert [
        (piece.text, piece.term) for piece in pieces_of("Apple\n: A fruit.\n: A company\nof old.\n\nPear\n: A fruit.")
    ] == [
        ("Apple: A fruit.", 5),
        ("Apple: A company of old.", 5),
        ("Pear: A fruit.", 4),
    ]
