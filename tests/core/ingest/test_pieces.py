"""Pieces become one text with blocks."""

import pytest

from core.facts import Link, Span
from core.ingest.document import BlockKind
from core.ingest.pieces import LONG_PARAGRAPH, LONG_PIECE, Piece, lay_out, one_line, same_title, title_of


def test_blocks_stand_one_under_the_other() -> None:
    """Each block's text is the text at its span; a line end parts two blocks."""
    text, blocks = lay_out((Piece("paragraph", "Первый."), Piece("item", "Second 🙂", series=0)))

    assert text == "Первый.\nSecond 🙂"
    assert [text[block.start : block.end] for block in blocks] == ["Первый.", "Second 🙂"]


def test_the_title_heading_is_left_out() -> None:
    """The level-1 heading that equals the title is neither text nor part of a path."""
    text, blocks = lay_out((Piece("heading", "Отпуск", 1), Piece("heading", "Дни", 2), Piece("paragraph", "28.")))

    assert text == "Дни\n28."
    assert [block.headings for block in blocks] == [(), ("Дни",)]


def test_a_lone_first_heading_is_not_in_the_paths() -> None:
    """A level-1 heading that differs from the stated title stays text, but no path repeats it."""
    pieces = (Piece("heading", "Leave (2025)", 1), Piece("heading", "Days", 2), Piece("paragraph", "28."))

    text, blocks = lay_out(pieces, title="Leave")

    assert text == "Leave (2025)\nDays\n28."
    assert blocks[-1].headings == ("Days",)


def test_several_first_level_headings_are_sections() -> None:
    """Where level 1 is used for sections, each is in the paths of its own section."""
    pieces = (Piece("heading", "A", 1), Piece("paragraph", "one"), Piece("heading", "B", 1), Piece("paragraph", "two"))

    _, blocks = lay_out(pieces, title="Handbook")

    assert [block.headings for block in blocks] == [(), ("A",), (), ("B",)]


def test_a_level_may_be_skipped() -> None:
    """A path holds the headings above a block, whatever levels are missing between them."""
    pieces = (Piece("heading", "A", 2), Piece("heading", "B", 5), Piece("heading", "C", 3), Piece("paragraph", "x"))

    assert lay_out(pieces)[1][-1].headings == ("A", "C")


def test_a_very_long_paragraph_is_cut_at_sentence_ends() -> None:
    """No paragraph is longer than a fact may be, unless one sentence is."""
    sentence = "This sentence stands here to fill the page with words. "
    text, blocks = lay_out((Piece("paragraph", (sentence * 100).strip()),))

    assert all(block.end - block.start <= LONG_PARAGRAPH for block in blocks)
    assert " ".join(text.split("\n")) == (sentence * 100).strip()


def test_a_very_long_sentence_stays_whole() -> None:
    """A sentence is not cut while it can be one."""
    words = "word " * 1_000
    text, blocks = lay_out((Piece("paragraph", f"It begins. Many {words}end. It stops."),))

    assert text == f"It begins.\nMany {words}end.\nIt stops."
    assert len(blocks) == 3


@pytest.mark.parametrize("kind", ["paragraph", "item", "row", "code", "quote", "field"])
@pytest.mark.parametrize("word", ["слово ", "word\n", "文" * 18_000 + " "])
def test_nothing_is_longer_than_a_prompt(kind: BlockKind, word: str) -> None:
    """The lines of a log, code without end, a row of a million signs: all of it is kept, in parts that can be used."""
    written = (word * (80_000 // len(word))).strip()
    labels, series = (("a",), 1) if kind == "row" else ((), None)
    text, blocks = lay_out((Piece(kind, written, series=series, labels=labels),))

    assert max(block.end - block.start for block in blocks) <= LONG_PIECE
    assert "".join(text.split()) == "".join(written.split())
    assert blocks[0].kind == kind
    assert all(block.kind in (kind, "paragraph") and block.labels in (labels, ()) for block in blocks)
    assert kind != "code" or text == written or " " in word


def test_links_of_a_long_piece_stay_in_their_places() -> None:
    """Cutting a piece takes each link along with its words; time grows with the length alone."""
    written = "страница " * 30_000
    links = tuple(Link(f"{n}.md", Span(9 * n, 9 * n + 8)) for n in range(30_000))
    text, blocks = lay_out((Piece("item", written, links=links),))

    found = [(link.target, link.span.within(text)) for block in blocks for link in block.links]
    assert found == [(link.target, "страница") for link in links]


def test_pieces_without_text_are_left_out() -> None:
    """White space is no block."""
    assert lay_out((Piece("paragraph", " \n "), Piece("code", ""))) == ("", ())


def test_titles_are_compared_as_they_read() -> None:
    """Case, white space and invisible characters make no difference between titles."""
    assert same_title("Учебный  отпуск", "учебный\u200b отпуск")
    assert not same_title("Leave", "Leaves")


def test_one_line() -> None:
    """Every run of white space is one space."""
    assert one_line(" a\n\tb\u00a0 c\u200b ") == "a b c"


def test_no_first_level_heading_is_no_title() -> None:
    """A section heading is not a title."""
    assert title_of((Piece("heading", "Section", 2),)) is None
