"""Markdown becomes readable text in blocks."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ingest.document import Block
from core.ingest.markdown import parse

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
        ("old ~~price~~", "old price"),
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
    """Bullets, ordinals and task marks stay out of the text."""
    assert shapes("3. third\n4. fourth\n\n- [x] done\n- [ ] open") == [
        ("item", "third"),
        ("item", "fourth"),
        ("item", "done"),
        ("item", "open"),
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
