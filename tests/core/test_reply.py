"""The neutral tree: words as they are, footnote marks as superscript digits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.reply import Line, Note, Text, mark, plain, separated, words_of
from core.text import Untrusted, clean


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ((), ""),
        ((Text("27 days"), Note(1)), "27 days¹"),
        ((Text("28 дней"), Note(1), Note(12)), "28 дней¹,¹²"),
        ((Note(1), Text(" и "), Note(2)), "¹ и ²"),
        ((Text("a", "strong"), Text("b", "code")), "ab"),
    ],
)
def test_a_line_is_read_with_its_marks(line: Line, expected: str) -> None:
    """A comma parts two marks that stand side by side, and nothing else."""
    assert expected == words_of(line)


def test_each_part_comes_with_what_stands_before_it() -> None:
    """A platform can style the parts and still place the commas."""
    assert [("", "Да"), ("", "¹"), (",", "²")] == list(separated((Text("Да"), Note(1), Note(2))))


@given(st.integers(0, 10**6))
def test_a_mark_is_its_number(number: int) -> None:
    """The superscript digits say the number."""
    assert number == int("".join(str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(digit)) for digit in mark(number)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*bold* _не курсив_ <b> & `code`", "*bold* _не курсив_ <b> & `code`"),
        ("за\u200bгадка\u202e", "загадка"),
        ("line\nend\t👍🏽", "line\nend\t👍🏽"),
    ],
)
def test_document_text_loses_only_what_cannot_be_seen(text: str, expected: str) -> None:
    """Control and invisible characters go; markup is for the platform to escape."""
    assert expected == plain(Untrusted(text))


@given(st.text())
def test_plain_text_stays_plain(text: str) -> None:
    """Made fit once, text is not changed again."""
    assert clean(plain(Untrusted(text))) == plain(Untrusted(text))
