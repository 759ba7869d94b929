"""Pieces become one text with blocks."""

from core.ingest.pieces import LONG_PARAGRAPH, Piece, lay_out, one_line, same_title, title_of


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
    """A sentence is never cut, however long."""
    words = "word " * 1_000
    text, blocks = lay_out((Piece("paragraph", f"It begins. Many {words}end. It stops."),))

    assert text == f"It begins.\nMany {words}end.\nIt stops."
    assert len(blocks) == 3


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
