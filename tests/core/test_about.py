"""Which source a reply to a message of evidence asks about."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.about import Entry, entries_of, source_asked
from core.conversation import SourceAsked

LEAVE = Entry(1, "hr/leave", "Leave policy")
TRAVEL = Entry(2, "hr/travel", "Командировки 😀")
AGAIN = Entry(3, "hr/leave", "Leave policy")
ENTRIES = (LEAVE, TRAVEL, AGAIN)
SHOWN = (
    "Sources\n\n1. Leave policy\nVacation · updated 2026-01-02\n😀 28 days\n1. and a numbered line\n\n"
    "2. Командировки 😀\nБилеты\nКупите билет 😀 сами\n\n3. Leave policy\nSick leave\n10 days"
)


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def span_of(words: str, shown: str = SHOWN) -> tuple[int, int]:
    """Return where the words stand, as Telegram counts."""
    start = units(shown[: shown.index(words)])
    return start, start + units(words)


@pytest.mark.parametrize(
    ("quoted", "asked"),
    [
        ("28 days", LEAVE),
        ("1. and a numbered line", LEAVE),
        ("Купите билет 😀", TRAVEL),
        ("сами", TRAVEL),
        ("2. Командировки", TRAVEL),
        ("10 days", LEAVE),
    ],
)
def test_the_quoted_words_tell_which_source_is_meant(quoted: str, asked: Entry) -> None:
    """Emoji count as two, as in Telegram's own offsets; numbered lines of a quote are no entries."""
    assert SourceAsked(asked.doc_id, asked.title) == source_asked(SHOWN, ENTRIES, span_of(quoted))


def test_without_a_quote_several_sources_are_no_single_one() -> None:
    """A reply to a message with one source asks about that one, also when it is quoted twice."""
    alone = "2. Командировки 😀\nБилеты\nКупите билет"

    assert source_asked(SHOWN, ENTRIES) is None
    assert SourceAsked("hr/travel", TRAVEL.title) == source_asked("Источники\n\n" + alone, (TRAVEL,))
    assert SourceAsked("hr/leave", "Leave policy") == source_asked("1. Leave policy\nx\n\n3. Leave policy\ny", (LEAVE,))


def test_a_quote_across_two_sources_is_about_neither() -> None:
    """Nobody can tell which one is meant."""
    start, _ = span_of("28 days")
    _, end = span_of("Купите билет")

    assert source_asked(SHOWN, ENTRIES, (start, end)) is None


def test_a_message_that_begins_within_an_entry_goes_on_with_it() -> None:
    """A long quote may go over the end of its message."""
    shown = "and the rest of the leave policy\n\n2. Командировки 😀\nКупите билет"

    assert SourceAsked("hr/leave", "Leave policy") == source_asked(shown, ENTRIES, span_of("the rest", shown))
    assert SourceAsked("hr/travel", TRAVEL.title) == source_asked(shown, ENTRIES, span_of("билет", shown))


def test_the_entries_of_a_stored_answer_come_in_order() -> None:
    """Those of claims, of older pages and of what was nearest."""
    one, two, three = ({"number": n, "doc_id": f"d{n}", "title": f"T{n}"} for n in (1, 2, 3))

    result = {"citations": [two, one], "nearest": [three], "asked": date.min}
    assert (Entry(1, "d1", "T1"), Entry(2, "d2", "T2"), Entry(3, "d3", "T3")) == entries_of(result)
    assert () == entries_of({})


@settings(derandomize=True, deadline=None)
@given(st.text(max_size=80), st.tuples(st.integers(-5, 200), st.integers(-5, 200)) | st.none())
def test_whatever_is_shown_some_known_source_or_none_is_meant(shown: str, span: tuple[int, int] | None) -> None:
    """Offsets come from outside."""
    asked = source_asked(f"1. Leave policy\n{shown}", ENTRIES, span)

    assert asked is None or asked.doc_id in {entry.doc_id for entry in ENTRIES}
