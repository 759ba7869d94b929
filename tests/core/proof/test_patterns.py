"""Patterns of many words, grouped by their first letters, find what they found before."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.proof.patterns import compiled, grouped

# Each with an order that matters, an ending that may be left out, a choice at its beginning, or what is captured.
PATTERNS = [
    r"\b(?:claim(?:s|ed)?|alleg(?:es?|ed)|believ(?:es?|ed)|thinks?|thought|argue[sd]?|says?)\b",
    r"\b(?:no|not|no more|no more than|not (?:more|less)(?: than)?|never|none)\b",
    r"\b(?:(?:no|not|never) (?:more|less)|not only|nothing|(?:a )?few|at most|as many as|n\w+)\b",
    r"\b(?:(?P<few>few|fewer|some|several|a few|a|an)|(?P<all>all|every|each|everyone|everybody|any))\b",
    r"(?<!not )\b(?:over|above|beyond|before|below|or(?: more)?|(?:in )?order)(?= than| the|$)",
    r"\b(?:все|всех|всем|вся|всю|весь|кажд(?:ый|ая)|кое-кто|люб(?:ой|ая)|не (?:более|менее)(?: чем)?|нет)\b",
]
WORDS = (
    "no not never none more less than only nothing few fewer some several a an all every everyone any claim claimed"
    " alleges believes think thinks thought argued say says over above beyond before below or order in the at most"
    " as many не более менее чем нет все всех вся каждый любая кое-кто"
).split()


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_the_same_is_found(text: str) -> None:
    """Each match begins and ends where it did, and captures what it did."""
    for pattern in PATTERNS:
        plain, quick = re.compile(pattern), compiled(pattern)

        assert [(one.span(), one.groupdict()) for one in plain.finditer(text)] == [
            (one.span(), one.groupdict()) for one in quick.finditer(text)
        ]


@pytest.mark.parametrize(
    ("alternatives", "told"),
    [
        ("over|under|below|beyond", "over|under|b(?:elow|eyond)"),
        ("no|no more|not", "n(?:o(?:| more|t))"),
        ("a|b", "a|b"),
        ("says?|said|sent", "s(?:a(?:ys?|id)|ent)"),
        (r"more|\d+|most", r"more|\d+|most"),
    ],
)
def test_words_are_grouped_by_their_letters(alternatives: str, told: str) -> None:
    """What begins alike stands together, in its order; what may begin otherwise stays where it is."""
    assert told == grouped(alternatives)
