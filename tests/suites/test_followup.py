"""The gate on 605 turns of work chats, half of them Russian: by its own signs, and with a capable model's readings.

The replies in `followup.jsonl` were written by hand, as what a capable model says to this prompt; some are honestly
wrong: an answer instead of a question, words that nobody said, a new question taken for the old one.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from adapters.embedding.universal import UniversalEmbedder
from bot.evaluate_followup import Judged, Recorded, judge, scores_of
from bot.followup_cases import Case, read_cases
from core.rewriting import Said
from core.text import all_terms

CASES, PROBLEMS = read_cases(Path(__file__).with_name("followup.jsonl"))


def mistakes(judged: Sequence[Judged]) -> list[str]:
    """Return what the gate got wrong, to be read when a share is too small."""
    return [f"{one.case.kind}: {one.case.question}" for one in judged if not one.is_right]


def test_the_suite_is_what_it_says() -> None:
    """At least 400 turns, half of them Russian, three in ten a switch of the topic, each told once."""
    kinds = Counter(case.kind for case in CASES)
    russian = sum(case.language == "ru" for case in CASES)

    assert [] == PROBLEMS
    assert len(CASES) == len({case.id for case in CASES}) >= 400
    assert 0.45 <= russian / len(CASES) <= 0.55
    assert kinds["topic_switch"] / len(CASES) >= 0.3


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_is_to_be_carried_was_said(case: Case) -> None:
    """Every word that a follow-up needs stands in an earlier question, and each recorded reply fits the schema."""
    earlier = {term for turn in case.thread.turns for term in all_terms(turn.standalone)}

    assert Said.model_validate_json(case.recorded or "")
    assert [] == [words for words in case.wanted if not set(all_terms(words)) <= earlier]
    assert bool(case.wanted) == (case.label == "follow_up")


@pytest.mark.parametrize(("language", "floor"), [("en", 0.86), ("ru", 0.89)])
async def test_the_signs_alone(language: str, floor: float, embedder: UniversalEmbedder) -> None:
    """Without a model and without documents: measured 0.890 and 0.912, and 0.5 % of the switches carried over."""
    judged = [await judge(case, embedder) for case in CASES if case.language == language]
    scores = scores_of(judged)

    assert scores.balanced >= floor, mistakes(judged)
    assert scores.switches <= 0.02, mistakes(judged)


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_with_the_readings_of_a_capable_model(language: str, embedder: UniversalEmbedder) -> None:
    """At least 0.95, with one topic switch in a hundred carried over at most."""
    of = [case for case in CASES if case.language == language]
    judged = [await judge(case, embedder, Recorded(case.recorded or "")) for case in of]
    scores = scores_of(judged)

    assert scores.balanced >= 0.95, mistakes(judged)
    assert scores.switches <= 0.011, mistakes(judged)
    assert scores.model_calls < 0.6 * len(of)


async def test_a_follow_up_is_asked_with_the_words_it_needs(embedder: UniversalEmbedder) -> None:
    """In four of five that are found, the question in full holds every one of them."""
    judged = [await judge(case, embedder, Recorded(case.recorded or "")) for case in CASES if case.wanted]
    found = [one for one in judged if one.is_follow_up]
    whole = [one for one in found if _needed(one.case) <= set(all_terms(one.question))]

    assert len(whole) / len(found) >= 0.8


def _needed(case: Case) -> set[str]:
    return {term for words in case.wanted for term in all_terms(words)}
