"""What a refusal says of what was searched: how many documents its readers may read, and what came nearest."""

from typing import Any

import pytest

from core.answer import Answer
from core.conversation import Audience
from core.facts import FactsPayload
from core.phrases import phrase
from core.ports import Knowledge
from core.searched import with_searched
from core.text import terms
from tests.core.corpus import fact, registry
from tests.core.test_addressed import found
from tests.core.test_render import cited

ALL, ADA = Audience("T1"), Audience("T1", frozenset({"slack:T1:U1"}))
KNOWN = Knowledge(registry(), (), "Handbook", closed={"d": frozenset({"slack:T1:U1"})}, size=14)
ASKED = dict.fromkeys(terms("leave on Mars"), 1.0)
NEAR = FactsPayload((found("leave", weights=ASKED),), weights=ASKED)


def refused(language: Any = "en", **known: Any) -> Answer:
    """Return a refusal."""
    return Answer((), language, is_refusal=True, **known)


@pytest.mark.parametrize(("audience", "count"), [(ALL, "13"), (ADA, "14")])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_it_counts_what_its_readers_may_read(audience: Audience, count: str, language: Any) -> None:
    """Nobody learns by the number that there is more."""
    said = with_searched(refused(language), FactsPayload(), KNOWN, audience).notice

    assert phrase("searched", language, count=count) == said


@pytest.mark.parametrize("language", ["en", "ru"])
def test_it_names_what_came_nearest(language: Any) -> None:
    """By its title, once; what shares no word with the question is not near it."""
    far = FactsPayload((fact("Bonus"),), weights=ASKED)
    twice = FactsPayload((*NEAR.facts, *NEAR.facts), weights=ASKED)
    title = phrase("searched_title", language, title=NEAR.facts[0].source.title)
    said = [with_searched(refused(language), one, KNOWN, ALL).notice for one in (NEAR, twice, far)]

    near = phrase("searched_nearest", language, count="13", titles=title)
    assert [near, near, phrase("searched", language, count="13")] == said


def test_a_passage_that_is_shown_says_itself_what_came_nearest() -> None:
    """Its title stands in the evidence."""
    said = with_searched(refused(nearest=(cited("Hire in March"),)), NEAR, KNOWN, ALL).notice

    assert phrase("searched", "en", count="13") == said


def test_an_answer_says_nothing_of_it() -> None:
    """Nor where nothing is indexed that its readers may read."""
    assert with_searched(Answer((), "en"), NEAR, KNOWN, ALL).notice is None
    assert with_searched(refused(), NEAR, Knowledge(registry(), (), "Handbook"), ALL).notice is None


def test_it_stands_behind_what_is_said_anyway() -> None:
    """As that no model could write the answer."""
    said = with_searched(refused(notice="Quotes only."), FactsPayload(), KNOWN, ALL).notice

    assert f"Quotes only. {phrase('searched', 'en', count='13')}" == said
