"""How often may be asked within an hour."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.rates import HOUR, Hourly, TooOften, buckets_of, keys_of, too_often
from tests.adapters.storage.turns import ask

NOW = 1_000_000.0
ASKED = ask("Сколько дней отпуска?", asker="77")


def admitted(most: int, gaps: list[float]) -> list[float]:
    """Return when a question was let in, of a person who asks again after each of the gaps."""
    now, used, found = NOW, dict[str, float](), list[float]()
    buckets = buckets_of(ASKED, Hourly(person=most))
    for gap in gaps:
        now += gap
        if too_often(buckets, used, now) is None:
            found.append(now)
            used = {one.key: max(used.get(one.key, 0.0), now) + one.seconds for one in buckets}
    return found


@settings(derandomize=True, max_examples=200)
@given(st.integers(1, 20), st.lists(st.floats(0.0, 2000.0), max_size=60))
def test_there_are_never_more_than_a_bucket_and_what_came_back_into_it(most: int, gaps: list[float]) -> None:
    """In any hour at most twice the number, all at once at most the number, and slow askers are never refused."""
    found = admitted(most, gaps)

    for first, at in enumerate(found):
        inside = [one for one in found[first:] if one - at < HOUR]
        assert len(inside) <= most + (inside[-1] - at) * most / HOUR + 1e-3
    assert len(gaps) == len(admitted(most, [gap + HOUR / most for gap in gaps]))


def test_whoever_is_refused_hears_when_to_come_back() -> None:
    """The bucket that fills up last counts, and in just so long there is a place in it."""
    buckets = buckets_of(ASKED, Hourly(person=60, place=6))
    used = {buckets[0].key: NOW + HOUR, buckets[1].key: NOW + HOUR}

    assert TooOften("place", 600.0) == too_often(buckets, used, NOW)
    assert too_often(buckets, used, NOW + 600.0) is None


@pytest.mark.parametrize("asker", ["77", ""])
def test_what_is_counted(asker: str) -> None:
    """A person by workspace and number, never by a name; 0 limits nothing; what is overheard is nobody's in person."""
    question = replace(ASKED, asker=asker)
    kinds = [one.kind for one in buckets_of(question, Hourly(1, 1, 1))]

    assert (["person"] if asker else []) + ["place", "workspace"] == kinds
    assert () == buckets_of(question, Hourly())
    assert ["place"] == [one.kind for one in buckets_of(replace(question, overheard=True), Hourly(1, 1))]
    assert len(set(keys_of(question).values())) == len(keys_of(question))
