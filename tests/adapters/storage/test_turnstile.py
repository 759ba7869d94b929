"""Who may write, and when."""

import asyncio

import pytest

from adapters.storage.turnstile import Turnstile


async def _pass(gate: Turnstile, name: str, passed: list[str], *, first: bool = False) -> None:
    async with gate.passing(first=first):
        passed.append(name)
        await asyncio.sleep(0)


async def test_one_at_a_time_and_the_impatient_first() -> None:
    """In the order of arrival, but whoever somebody waits for passes those for whom nobody does."""
    gate, passed = Turnstile(), list[str]()
    names = [("a", False), ("b", False), ("c", True), ("d", False), ("e", True)]
    await asyncio.gather(*(_pass(gate, name, passed, first=first) for name, first in names))

    assert passed == ["a", "c", "e", "b", "d"]


async def test_who_leaves_the_line_holds_nobody_up() -> None:
    """A writer that is cancelled while it waits, even as its turn comes, lets the next one in."""
    gate, passed = Turnstile(), list[str]()
    async with gate.passing(first=False):
        waiting = [asyncio.create_task(_pass(gate, name, passed)) for name in "abc"]
        await asyncio.sleep(0)
        waiting[0].cancel()
    waiting[1].cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    await _pass(gate, "d", passed)

    assert passed == ["c", "d"]


async def test_an_error_inside_lets_the_next_one_in() -> None:
    """A transaction that fails ends its turn."""
    gate, passed = Turnstile(), list[str]()
    with pytest.raises(ValueError, match="no"):
        async with gate.passing(first=True):
            raise ValueError("no")
    await _pass(gate, "a", passed)

    assert passed == ["a"]
