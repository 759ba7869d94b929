"""A process dies, and what it left is taken up: each question is answered once, in order, and paid for once."""

import pytest

from tests.faults.every import OTHERS, hold, results
from tests.faults.kinds import dies_at, dies_in_a_stop
from tests.faults.rounds import Case
from tests.faults.runner import Runner

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_death_at_a_boundary(playing: Runner) -> None:
    """A process may die before or after any call that leaves a trace."""
    await hold(playing, "boundary")


async def test_death_at_any_moment(playing: Runner) -> None:
    """A process may die at any time, also the one that took its place."""
    await hold(playing, "moment", OTHERS)


async def test_death_of_the_heir(playing: Runner) -> None:
    """What a process left is still found when the one that takes it over dies between two steps of that."""
    await hold(playing, "inheriting")


async def test_a_stop(playing: Runner) -> None:
    """A process that is asked to stop leaves what it has not done to the next one."""
    await hold(playing, "stop")


async def test_one_of_two_dies(playing: Runner) -> None:
    """Of two that share a PostgreSQL the one that is left does the work of both."""
    cases = (Case("boundary", "postgresql", "telegram", 2, 1), Case("moment", "postgresql", "slack", 2, 1))
    broken = [result.told() for result in await results(playing, *cases) if result.findings]

    assert broken == [], "\n".join(broken)


@pytest.mark.parametrize("at", ["inbox.unanswered", "threads.close", "runs.cancel"])
async def test_death_between_a_press_and_its_effect(playing: Runner, at: str) -> None:
    """Whoever pressed Stop finds the answer or the sentence that it was stopped, wherever in between a process died."""
    case = Case("dies_in_a_stop", "sqlite", "telegram", 1, 1)
    played = [await playing.play(case, dies_in_a_stop(at, when), each=2) for when in ("before", "after")]
    broken = [result.told() for result in played if result.findings]

    assert broken == [], "\n".join(broken)


async def test_one_of_two_stands_still(playing: Runner) -> None:
    """A copy whose machine froze, or is gone, holds its locks until the server undoes what it began."""
    cases = (Case("frozen", "postgresql", "telegram", 2, 1), Case("frozen", "postgresql", "slack", 2, 2))
    broken = [result.told() for result in await results(playing, *cases) if result.findings]

    assert broken == [], "\n".join(broken)


async def test_the_suite_sees_what_is_paid_twice(playing: Runner) -> None:
    """Without checkpoints a call is made again after a death: the suite can fail."""
    result = await _told_without(playing, "checkpoints", "threads.close")

    assert "paid twice" in result


async def test_the_suite_sees_what_is_answered_twice(playing: Runner) -> None:
    """Who forgets that a message may have been sent posts it again: the suite can fail."""
    result = await _told_without(playing, "doubt", "telegram.show")

    assert "answered twice" in result


async def test_the_suite_sees_what_is_never_answered(playing: Runner) -> None:
    """Who does not take over what a dead process had begun leaves it for ever: the suite can fail."""
    result = await _told_without(playing, "recovery", "runs.start")

    assert "unanswered" in result


async def test_the_suite_sees_what_waits_for_a_copy_that_stands_still(playing: Runner) -> None:
    """A server without limits keeps the locks of a frozen copy for ever: the suite can fail."""
    case = Case("dies_at", "postgresql", "telegram", 2, 1)
    kept = await playing.play(case, dies_at("inbox.take", "inside", seconds=20.0), each=2)
    result = await playing.play(case, dies_at("inbox.take", "inside"), broken="limits", each=2)

    assert not kept.findings, kept.told()
    assert "unanswered" in result.told()


async def _told_without(playing: Runner, what: str, at: str) -> str:
    """Return what is found when something that keeps the promise is taken away, and a process dies around a call."""
    when, platform = ("after", "telegram") if at == "telegram.show" else ("before", "slack")
    case = Case("dies_at", "sqlite", platform, 1, 1)  # type: ignore[arg-type]
    result = await playing.play(case, dies_at(at, when), broken=what, each=2)
    return result.told()
