"""The fuzzing of each entry from outside: a short round here, hours of it by `benchmarks/fuzz.py`."""

import pytest
from hypothesis import strategies as st

from benchmarks import fuzz


@pytest.mark.parametrize("entry", sorted(fuzz.ENTRIES))
def test_no_entry_crashes_or_hangs(entry: str) -> None:
    """Whatever comes from outside is read, passed over, or ends in one of our own errors, within a second."""
    fed = fuzz.fuzz([entry], 0, examples=15)[entry]

    assert () == fed.where
    assert (0, 0) == (fed.crashes, fed.hangs)
    assert fed.inputs >= 10


def test_what_crashes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect is counted, with its place and its input."""

    def broken(value: int) -> None:
        raise ZeroDivisionError(str(value))

    monkeypatch.setitem(fuzz.ENTRIES, "broken", (st.integers(7, 9), broken))
    fed = fuzz.fuzz(["broken"], 0, examples=5)["broken"]

    assert fed.inputs == fed.crashes > 0
    assert "ZeroDivisionError at broken" in fed.where[0]
