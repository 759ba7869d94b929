"""Spans and facts."""

from core.facts import FactsPayload, Span
from core.text import Untrusted
from tests.core.corpus import fact


def test_a_span_counts_characters() -> None:
    """A span cuts the text that it counts in; its end is excluded."""
    assert "Лоцман" == Span(2, 8).within("В Лоцмане")


def test_a_span_holds_what_lies_inside_it() -> None:
    """A span contains itself and what is inside, not what reaches out."""
    assert [True, True, False, False] == [
        Span(2, 8).contains(other) for other in (Span(2, 8), Span(3, 4), Span(1, 4), Span(7, 9))
    ]


def test_a_facts_words_are_those_of_the_document() -> None:
    """A span of the document is found in the fact, wherever the fact begins, and stays untrusted."""
    known = fact("RAG at Aston", span=Span(100, 112))

    assert "Aston" == known.words(Span(107, 112))
    assert isinstance(known.words(Span(107, 112)), Untrusted)


def test_found_is_having_a_fact() -> None:
    """A payload without facts found nothing."""
    assert [False, True] == [FactsPayload(facts).found for facts in ((), (fact("да"),))]
