"""Which corpus an index was made of, and what of it stays when a source could not be read."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ingest.identity import Identity, identity_of, is_unread, still_same

SITE = Identity({"docs": "https://docs.example.com/", "кадры": "/srv/кадры"})
WORDS = st.text(st.characters(blacklist_categories=["Cs"]), max_size=20)


@given(st.dictionaries(WORDS, WORDS, max_size=4), st.none() | WORDS, st.none() | WORDS)
@settings(derandomize=True, max_examples=100)
def test_what_is_stored_is_read_again(parts: dict[str, str], file: str | None, rules: str | None) -> None:
    """Every identity is found again by its text."""
    one = Identity(parts, file, rules)
    if list(parts) == [""] and file is None and rules is None and parts[""].startswith("{"):
        return

    assert one == identity_of(str(one))


def test_a_source_by_itself_is_stored_as_it_is_typed() -> None:
    """An index of a folder names the folder, as it always did, and shows it."""
    assert "/srv/handbook" == str(Identity({"": "/srv/handbook"})) == identity_of("/srv/handbook").shown


@pytest.mark.parametrize("text", ["", "{", "{}", '{"parts": 3}', "[1]", "{не json"])
def test_a_text_of_no_known_form_is_a_source(text: str) -> None:
    """Nothing that is stored can break the reading of it."""
    assert Identity({"": text}) == identity_of(text)


@pytest.mark.parametrize(
    ("name", "unread", "stays"),
    [
        ("docs/b.html", ["docs"], True),
        ("docs/b.html", ["docs/b.html"], True),
        ("docs/a.zip/b.md", ["docs/a.zip"], True),
        ("docsy/b.html", ["docs"], False),
        ("кадры/отпуск.md", ["docs", "кадры"], True),
        ("b.html", [""], True),
        ("b.html", [], False),
    ],
)
def test_what_could_not_be_read_stays(name: str, unread: list[str], *, stays: bool) -> None:
    """An item stays when it, or a folder that it lies in, could not be had."""
    assert stays == is_unread(name, unread)


def test_a_part_that_is_the_same_is_found() -> None:
    """Other sources may have come or gone beside it."""
    less = str(Identity({"кадры": "/srv/кадры"}))

    assert ["кадры/отпуск.md", "кадры"] == still_same(less, str(SITE), ["docs", "кадры/отпуск.md", "кадры"])
    assert [""] == still_same("https://x/", "https://x/", [""])


@pytest.mark.parametrize(
    "before",
    [
        "/srv/handbook",
        str(Identity({"docs": "https://other.example.com/"})),
        str(Identity({"docs": "1f"}, "/srv/footnote.yaml")),
    ],
)
def test_a_source_that_is_another_keeps_nothing(before: str) -> None:
    """What was indexed of another place, or for other readers, is not shown in its stead."""
    assert [] == still_same(before, str(SITE), ["docs"]) == still_same(str(SITE), before, ["docs"])
