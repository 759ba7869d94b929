"""Formats are told by suffixes."""

import pytest

from core.ingest.formats import BETTER, READ, suffix_of


@pytest.mark.parametrize(("name", "suffix"), [("docs/Отчёт.PDF", ".pdf"), ("a.b/README", ""), (".md", "")])
def test_the_suffix_says_the_format(name: str, suffix: str) -> None:
    """Capitals make no difference, and neither does a dot in a folder's name."""
    assert suffix == suffix_of(name)


def test_what_is_advised_is_read() -> None:
    """Nobody is told to save a document as something that is not read either, nor one that is read."""
    assert {better for words in BETTER.values() for better in words.split(" or ")} <= READ
    assert frozenset() == READ & BETTER.keys()
