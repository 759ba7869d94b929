"""The injection suite is as large and as even as it says."""

from tests.injection.cases import PLACES, own_cases, sample


def test_the_suite_is_whole() -> None:
    """At least 629 cases, half of them Russian, every kind in every place; the sample has all of each."""
    every, few = own_cases(), sample()
    kinds = {case.kind for case in every}

    assert len(every) >= 629
    assert 2 * sum(case.lang == "ru" for case in every) == len(every)
    assert {(kind, place) for kind in kinds for place in PLACES} == {(case.kind, case.place) for case in every}
    assert (kinds, set(PLACES)) == ({case.kind for case in few}, {case.place for case in few})
    assert len(every) == len({case.code for case in every})
