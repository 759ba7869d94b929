"""What an index run will change."""

from hypothesis import given
from hypothesis import strategies as st

from core.ingest.sync import Changes, compare

DIGESTS = st.dictionaries(st.sampled_from(["a.md", "отпуск.md", "c.md", "d.md"]), st.sampled_from("12"))


def test_each_document_is_told_by_what_happens_to_it() -> None:
    """New, changed, as it was, or gone."""
    live = {"same.md": "1", "правка.md": "1", "gone.md": "1"}

    assert Changes(("new.md",), ("правка.md",), ("same.md",), ("gone.md",)) == compare(
        live, {"same.md": "1", "правка.md": "2", "new.md": "1"}
    )


def test_an_unchanged_folder_needs_nothing() -> None:
    """Nothing is to do when every document is as it was."""
    assert not compare({"a.md": "1"}, {"a.md": "1"}).any


@given(DIGESTS, DIGESTS)
def test_every_document_is_counted_once(live: dict[str, str], now: dict[str, str]) -> None:
    """Each document, old or new, is in exactly one list; there is something to do exactly when the two differ."""
    changes = compare(live, now)

    told = [*changes.added, *changes.changed, *changes.unchanged, *changes.removed]
    assert sorted({*live, *now}) == sorted(told)
    assert (live != now) == changes.any
