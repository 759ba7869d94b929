"""Everything outside fails in its turn, and people change their minds: still one answer to each question."""

import pytest

from tests.faults.every import OTHERS, hold
from tests.faults.runner import Runner

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_told_again(playing: Runner) -> None:
    """What the platform tells of twice, or a device sends twice, is one question."""
    await hold(playing, "repeats")


async def test_reconnects(playing: Runner) -> None:
    """No event is lost with its connection."""
    await hold(playing, "reconnects", OTHERS)


async def test_limits(playing: Runner) -> None:
    """When the platform asks for a pause, messages wait."""
    await hold(playing, "limits")


async def test_refusals(playing: Runner) -> None:
    """When the platform fails, messages are tried again."""
    await hold(playing, "refusals", OTHERS)


async def test_look_ups(playing: Runner) -> None:
    """While it is not told who asks, questions wait; who may not ask hears nothing that others see."""
    await hold(playing, "lookups", (("sqlite", "slack"), ("postgresql", "slack")))
    await hold(playing, "lookups", (("sqlite", "slack"),), seed=3)


async def test_losses(playing: Runner) -> None:
    """A call of unknown fate is looked into before it is made again; where nobody can look, a person is asked."""
    await hold(playing, "losses")


async def test_answers_in_the_making(playing: Runner) -> None:
    """What is told on the way may be lost; the answer is not, and comes last."""
    await hold(playing, "telling")
    await hold(playing, "telling", OTHERS, seed=2)


async def test_models(playing: Runner) -> None:
    """Without a model the answer is the documents' own words."""
    await hold(playing, "models")


async def test_database_gone(playing: Runner) -> None:
    """While the database is away everything waits."""
    await hold(playing, "database", OTHERS)


async def test_commits_that_are_not_heard_of(playing: Runner) -> None:
    """What is done and not heard of is neither done twice nor waited for in vain."""
    await hold(playing, "unheard", (("sqlite", "slack"), ("postgresql", "slack")), seed=2)


async def test_disk_full(playing: Runner) -> None:
    """While the disk is full everything waits."""
    await hold(playing, "disk", (("sqlite", "slack"), ("sqlite", "telegram")))


async def test_edits(playing: Runner) -> None:
    """An answer follows the words of its question, in its place."""
    await hold(playing, "edits", OTHERS)


async def test_deletions(playing: Runner) -> None:
    """Nothing is seen of an answer to a question that is gone."""
    await hold(playing, "deletions", (("sqlite", "slack"), ("postgresql", "slack")))


async def test_early_deletions(playing: Runner) -> None:
    """Nor when the bot hears of the deletion before it hears of the question."""
    await hold(playing, "early", (("sqlite", "slack"),))


async def test_deletions_before_a_death(playing: Runner) -> None:
    """Nor is what was said for the next question paid for again when it has nothing to carry over any more."""
    await hold(playing, "withdrawing", (("sqlite", "slack"), ("postgresql", "slack")))


async def test_stops(playing: Runner) -> None:
    """What its asker stops is stopped or answered, whoever dies: never both, and never passed over in silence."""
    await hold(playing, "halts", (("sqlite", "telegram"), ("postgresql", "telegram")))
    await hold(playing, "halts", (("sqlite", "telegram"),), seed=2)


async def test_a_busy_channel(playing: Runner) -> None:
    """Who asks much at once does not hold up another channel."""
    await hold(playing, "busy")
