"""Questions that hold a value themselves, and what says otherwise of it."""

from collections.abc import Iterable, Sequence

from core.asking import asked_for, parted
from core.facts import Fact
from core.merging import disputes
from core.proof.numbers import is_number_word
from core.proof.words import read
from core.text import sentences


def supposes(question: str) -> bool:
    """Return whether the question holds the value itself: “Is it 500 euros?”."""
    asked = parted(question)[0]
    return asked_for(asked) is None and any(
        word.kind == "number" or is_number_word(word.low) for word in read(asked).words
    )


def differ(one: str, other: str) -> bool:
    """Return whether a sentence of the one says with other numbers what one of the other says."""
    mine, theirs = ([text[start:end] for start, end in sentences(text)] for text in (one, other))
    return any(disputes(left, right) for left in mine for right in theirs)


def saying_otherwise(facts: Iterable[Fact], near: Sequence[Fact]) -> list[Fact]:
    """Return the facts that say of a value something else than the best of those that are near."""
    pages = {fact.source.doc_id for fact in near}
    return [
        fact for fact in facts if fact.source.doc_id not in pages and any(differ(fact.text, one.text) for one in near)
    ]
