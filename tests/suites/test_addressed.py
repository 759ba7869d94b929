"""The channel gate on realistic chatter: every second message of the suite, which nothing was fitted on.

Offline, over each example's documents; a message is taken when either corpus takes it.
"""

import json
from pathlib import Path

import pytest

from bot.evaluate_addressed import Case, Judged, judge, read_cases, scores_of
from tests.corpora import Company

pytestmark = pytest.mark.asyncio(loop_scope="session")

SUITE = Path(__file__).with_name("addressed.jsonl")


async def test_the_suite_is_what_it_says() -> None:
    """At least 200 messages, half of them Russian, at most a third for the bot, each of them once."""
    cases, problems = read_cases(SUITE)
    russian = sum(case.language == "ru" for case in cases)

    assert ([], len(cases)) == (problems, len({case.text for case in cases}))
    assert len(cases) >= 200
    assert 0.45 <= russian / len(cases) <= 0.55
    assert sum(case.label == "bot" for case in cases) <= len(cases) / 3


async def test_what_is_taken_is_for_the_bot(handbook: Company, portfolio: Company) -> None:
    """Nearly all that is taken, and most of what is for it, in each language."""
    judged = [await _judged(case, handbook, portfolio) for case in read_cases(SUITE)[0][1::2]]
    scores = scores_of(judged)
    wrong = json.dumps([one.case.text for one in judged if not one.is_right], ensure_ascii=False)

    assert (scores.precision >= 0.97, scores.recall >= 0.65) == (True, True), f"{scores} {wrong}"
    for language in ("en", "ru"):
        assert scores_of([one for one in judged if one.case.language == language]).precision >= 0.95, wrong


async def _judged(case: Case, *companies: Company) -> Judged:
    found = []
    for company in companies:
        ports = await company.bot.ports()
        assert ports is not None
        found.append(await judge(case, ports.search, ports.model))
    return next((one for one in found if one.because is None), found[0])
