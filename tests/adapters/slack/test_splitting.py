"""Long text is cut where a reader would cut it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.splitting import is_boundary, pieces

# Knows Unicode's rules for visible characters; comes with other packages, not a dependency.
regex: Any = pytest.importorskip("regex")

# What visible characters are made of: letters with accents, flags, families, skin tones, Hangul, line ends.
PARTS = st.sampled_from(
    [*"aжé 한,.\n", "\u0301", "\ufe0f", "\u20e3", "👍", "🏽", "👩\u200d👩\u200d👧", "🇷🇺", "🇬", "\r\n", "ᄒ", "ᅡ"]
)


@given(st.lists(PARTS, max_size=60).map("".join), st.integers(12, 40))
def test_nothing_is_lost_or_torn(text: str, limit: int) -> None:
    """Joined, the pieces are the text; each fits; none begins inside a visible character that fits."""
    found = pieces(text, limit)

    assert "".join(found) == text
    assert all(0 < len(piece) <= limit for piece in found)
    if max((len(cluster) for cluster in regex.findall(r"\X", text)), default=0) <= limit // 2:
        starts = {match.start() for match in regex.finditer(r"\X", text)} | {len(text)}
        ends = [sum(map(len, found[: number + 1])) for number in range(len(found))]
        assert set(ends) <= starts


@given(st.lists(PARTS, max_size=30).map("".join))
def test_a_boundary_is_one_of_unicode(text: str) -> None:
    """Wherever a cut is allowed, a visible character begins by Unicode's own rules."""
    starts = {match.start() for match in regex.finditer(r"\X", text)} | {0, len(text)}

    assert {at for at in range(len(text) + 1) if is_boundary(text, at)} <= starts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One two. Three four.", ["One two. ", "Three four."]),
        ("One two three\nfour five", ["One two three\n", "four five"]),
        ("abcdefghijklmnopqrstuv", ["abcdefghijklmno", "pqrstuv"]),
        ("", []),
    ],
)
def test_where_it_is_cut(text: str, found: list[str]) -> None:
    """After a line, else a sentence, else a word, else anywhere."""
    assert pieces(text, 15) == found


def test_bytes_can_be_counted() -> None:
    """The limit may be of something else than characters."""
    assert pieces("жжжж", 4, lambda char: len(char.encode())) == ["жж", "жж"]
