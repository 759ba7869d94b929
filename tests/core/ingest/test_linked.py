"""Links keep their places: the text at a link's span is what a reader sees of it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.facts import Link, Span
from core.ingest.document import Block
from core.ingest.linked import Linked, cut, joined, on_one_line, with_bars_closed
from core.ingest.markdown import parse
from core.ingest.pieces import LONG_PARAGRAPH, Piece, lay_out, one_line


def links_of(markdown: str, title: str | None = None) -> list[tuple[str, str]]:
    """Return the label and the target of every link of a document."""
    text, blocks = parse(markdown, title)
    return [(link.span.within(text), link.target) for block in blocks for link in block.links]


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("See [the plan](plan.md 'Plan').", [("the plan", "plan.md")]),
        ("См. [план](я.md#о) и [[Отпуск]].", [("план", "%D1%8F.md#%D0%BE"), ("Отпуск", "Отпуск")]),
        ("[[Leave#Rules|the rules]]", [("the rules", "Leave#Rules")]),
        ("[*bold*  and\n`code`](a.md)", [("bold and code", "a.md")]),
        ("- [x] [done](a.md), [ ](b.md)", [("done", "a.md")]),
        ("> [!NOTE]\n> read [this](a.md)", [("this", "a.md")]),
        ("## On [leave](a.md)", [("leave", "a.md")]),
        ("| A | [b \\| c](b.md) |\n|---|---|\n| x | [d \\| e](d.md) [f](f.md) |", [("d|e", "d.md"), ("f", "f.md")]),
        ("<https://example.org>", [("https://example.org", "https://example.org")]),
        ("[ref][r]\n\n[r]: target.md", [("ref", "target.md")]),
        ("![picture](a.png)", []),
        ("Term\n: see [it](a.md)", [("it", "a.md")]),
        ("[javascript](javascript:alert(1))", []),
        ('См. <a class="x" href=\'план.md#о\'>наш <b>план</b></a>.', [("наш план", "план.md#о")]),
        ("Read <a href=a.md>this</a>, <a name=x>not</a> <a href=''>that</a>", [("this", "a.md")]),
        ('[one](a.md) <A HREF="b.md?x=1&amp;y=2">two</A> [three <a href="c.md">four](d.md)',
         [("one", "a.md"), ("two", "b.md?x=1&y=2"), ("three four", "d.md")]),
        ('<div>\n<a href="a.md"><p>One</p>\n<p> Two &amp; three </p></a> <a href="b.md">four\n</div>',
         [("One", "a.md"), ("Two & three", "a.md"), ("four", "b.md")]),
        ('<table><tr><td><a href="отпуск.md">Отпуск</a></td><td>and</td></tr></table>', [("Отпуск", "отпуск.md")]),
        ("<!-- <a href='a.md'>hidden</a> --><script><a href='b.md'>x</a></script>", []),
        ("[[Leave policy|leave]], [[policies/leave#Rules]] ![[Plan\\|the plan]]",
         [("leave", "Leave policy"), ("policies/leave#Rules", "policies/leave#Rules"), ("the plan", "Plan")]),
    ],
)  # fmt: skip
def test_a_link_is_its_label_and_its_target(markdown: str, expected: list[tuple[str, str]]) -> None:
    """Markdown links, wiki links, links in headings, lists, tables, quotations and definitions."""
    assert expected == links_of(markdown)


def test_a_link_in_a_nested_item_counts_in_the_whole_text() -> None:
    """Spans count the characters of the document, wherever the block stands."""
    assert [("b", "b.md"), ("в", "c.md")] == links_of("# T\n\ntext\n\n- a\n  - see [b](b.md)\n\n  и [в](c.md)")


def test_a_long_paragraph_is_cut_with_its_links() -> None:
    """Each part of a long paragraph keeps the links in it."""
    sentence = "A sentence of some words to fill the page up. "
    text = sentence * (LONG_PARAGRAPH // len(sentence) + 5) + "The end is here."
    start = text.index("end")

    shown, blocks = lay_out((Piece("paragraph", text, links=(Link("x", Span(start, start + 3)),)),))

    assert ["end"] == [link.span.within(shown) for block in blocks for link in block.links]
    assert len(blocks) > 1


words = st.text("ab вг\u00ad\u200b|\t.*[]", max_size=8)
label = st.text("abвг\u00adё .|", min_size=1, max_size=12)


@st.composite
def linked(draw: st.DrawFn) -> Linked:
    """Return a text with a link in it."""
    parts = draw(st.lists(words, min_size=3, max_size=3))
    start, end = len(parts[0]), len(parts[0]) + len(parts[1])
    return Linked("".join(parts), (Link("x", Span(start, end)),) if parts[1] else ())


@given(linked(), linked())
def test_whatever_is_done_to_a_text_its_links_stay_on_their_words(first: Linked, second: Linked) -> None:
    """On one line, with bars closed, cut and joined, the text is that without links, and the label is the label."""
    both = joined((first, second), " | ")
    for known in (first, second, both):
        for done, plain in (
            (on_one_line(known), one_line(known.text)),
            (with_bars_closed(known), known.text.replace(" | ", "|")),
            (cut(known, 2), known.text[2:]),
        ):
            assert plain == done.text
            for link in done.links:
                assert link.span.within(done.text).strip() == link.span.within(done.text) != ""
        for link in on_one_line(known).links:
            labels = {one_line(one.span.within(known.text)) for one in known.links}
            assert link.span.within(one_line(known.text)) in labels


@given(st.lists(st.tuples(words, label), min_size=1, max_size=4), st.sampled_from(["", "- ", "> ", "## ", "| a | "]))
@settings(max_examples=200, deadline=None)
def test_links_of_markdown_are_their_labels(parts: list[tuple[str, str]], mark: str) -> None:
    """Every wiki link that survives reading is found at its span, in any kind of block."""
    text, blocks = parse(mark + " ".join(f"{around}[[page {n}|{shown}]]" for n, (around, shown) in enumerate(parts)))

    labels = {one_line(shown).replace(" | ", "|") for _, shown in parts} | {f"page {n}" for n in range(len(parts))}
    for link in (link for block in blocks for link in block.links):
        assert link.span.within(text)
        if link.target.startswith("page ") and "|" not in link.span.within(text):
            assert link.span.within(text) in labels


@given(st.text("[]()!|*`_<>#- \n\\abё:", max_size=80))
@settings(max_examples=300, deadline=None)
def test_any_markdown_has_links_inside_their_blocks(markdown: str) -> None:
    """Whatever is written, a link lies in its block, is not blank and has a target."""
    text, blocks = parse(markdown)

    for block in blocks:
        assert 0 <= block.term <= block.end - block.start
        for link in block.links:
            assert block.start <= link.span.start < link.span.end <= block.end
            assert link.target
            assert link.span.within(text).strip() == link.span.within(text)


def test_a_block_without_links_has_none() -> None:
    """Links are told for each block."""
    assert (Block("paragraph", 0, 1),) == parse("a")[1]


@pytest.mark.parametrize(
    ("markdown", "term"),
    [
        ("**Buddy**: a colleague", "Buddy"), ("**Бадди** — коллега", "Бадди"), ("**Note:** read it", "Note"),
        ("- **a** - b", "a"), ("**bold** word", ""), ("word **bold**: x", ""), ("Term\n: what it means", "Term"),
        ("**[FLG](f.md)**: box", "FLG"), ("****: x", ""), ("**a", ""),
    ],
)  # fmt: skip
def test_a_term_is_what_the_rest_explains(markdown: str, term: str) -> None:
    """Bold words at the beginning with a colon or dash after them, and the terms of a definition list."""
    text, blocks = parse(markdown)

    assert term == text[: blocks[0].term]


def test_a_definition_list_is_a_list() -> None:
    """Each meaning is an item with its term; a line between two of them goes on with the meaning before it."""
    text, blocks = parse("Words:\nRAG\n: search, then\nanswer\nБот\n: программа\n: робот")

    items = ["RAG: search, then answer", "Бот: программа", "Бот: робот"]
    assert [("paragraph", "Words:"), *(("item", one) for one in items)] == [
        (block.kind, block.span.within(text)) for block in blocks
    ]
