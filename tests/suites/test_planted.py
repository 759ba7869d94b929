"""Planted errors are caught and true claims kept: floors for planted.jsonl, on the half that was held out at first."""

from collections import Counter
from functools import cache

import pytest

from benchmarks.verification import Trial, cases_of, tried
from tests.suites import plant

# A little below what was measured (python -m benchmarks.verification). Goals not reached yet: 0.99 for names, 0.97 for
# negation and quantity, 0.9 for free paraphrase, of which fresh texts are kept less (docs/decisions/0010-proof.md).
FLOORS = {
    "number": {"en": 0.98, "ru": 0.98},
    "date": {"en": 0.98, "ru": 0.98},
    "foreign": {"en": 0.99, "ru": 0.99},
    "name": {"en": 0.92, "ru": 0.96},
    "unit": {"en": 0.98, "ru": 0.98},
    "negation": {"en": 0.94, "ru": 0.91},
    "quantity": {"en": 0.93, "ru": 0.78},
    "swapped": {"en": 0.73, "ru": 0.94},
    "condition": {"en": 0.72, "ru": 0.9},
    "time": {"en": 0.88, "ru": 0.7},
    "tense": {"en": 0.75, "ru": 0.75},
    "reply": {"en": 0.9, "ru": 0.9},
    "answered": {"en": 0.6, "ru": 0.9},
    "backed": {"en": 0.98, "ru": 0.98},
    "free": {"en": 0.87, "ru": 0.84},
}


# The same where the question asks whether the claim is true. A free paraphrase then gives way to its quote.
ASKED = {
    "number": 0.99,
    "date": 0.99,
    "foreign": 0.99,
    "name": 0.97,
    "unit": 0.98,
    "negation": 0.96,
    "quantity": 0.95,
    "swapped": 0.83,
    "condition": 0.85,
    "time": 0.82,
    "tense": 0.95,
    "backed": 0.98,
    "free": 0.15,
}


@cache
def trials(*, asked: bool = False) -> tuple[Trial, ...]:
    """Return every claim of the held-out half with its verdict."""
    return tuple(tried(cases_of("held-out"), asked=asked))


@pytest.mark.parametrize("kind", FLOORS)
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_what_is_wrong_is_caught_and_what_is_true_is_kept(kind: str, lang: str) -> None:
    """Of each kind of error, and of each kind of true claim, no smaller share is judged right than was measured."""
    judged = [(trial.fault is None) == trial.good for trial in trials() if (trial.kind, trial.lang) == (kind, lang)]

    assert FLOORS[kind][lang] <= sum(judged) / len(judged)


@pytest.mark.parametrize("kind", ASKED)
def test_what_is_wrong_is_caught_although_it_was_asked_for(kind: str) -> None:
    """That the question holds a claim word for word proves nothing of it."""
    judged = [(trial.fault is None) == trial.good for trial in trials(asked=True) if trial.kind == kind]

    assert ASKED[kind] <= sum(judged) / len(judged)


def test_the_suite_is_what_is_planted() -> None:
    """planted.jsonl is written by plant.py from the two files of base sentences, and by nothing else."""
    assert plant.lines() == (plant.HERE / "planted.jsonl").read_text("utf-8").splitlines()


def test_the_suite_is_large_and_in_both_languages() -> None:
    """Two thousand errors and seven hundred true claims on 350 sentences, half of each in Russian."""
    cases = cases_of("all")
    errors = Counter(case["lang"] for case in cases for _ in case["planted"])

    assert 350 <= len({case["quote"] for case in cases})
    assert 700 <= sum(len(case["good"]) for case in cases)
    assert 2_000 <= errors.total()
    assert 1_000 <= errors["ru"]


def test_what_is_planted_differs_from_what_is_true() -> None:
    """No planted error is a true claim of its sentence, or the sentence itself."""
    for case in cases_of("all"):
        assert not {claim for _, claim in case["planted"]} & {case["quote"], *case["good"].values()}, case["id"]
