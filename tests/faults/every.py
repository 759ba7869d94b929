"""Rounds as a test plays them: some of a kind side by side, and the whole story when one of them fails."""

import asyncio
from typing import Any

from tests.faults.rounds import Case, Result
from tests.faults.runner import Runner

# Each kind meets both databases and both platforms.
CROSSED = (("sqlite", "slack"), ("postgresql", "telegram"))
OTHERS = (("sqlite", "telegram"), ("postgresql", "slack"))


async def hold(playing: Runner, kind: str, places: tuple[tuple[Any, Any], ...] = CROSSED, seed: int = 1) -> None:
    """Check that every rule holds in a round of the kind in each place."""
    cases = [Case(kind, database, platform, 1, seed) for database, platform in places]
    broken = [result.told() for result in await results(playing, *cases) if result.findings]

    assert broken == [], "\n".join(broken)


async def results(playing: Runner, *cases: Case, **order: Any) -> list[Result]:
    """Return what the rounds showed, played at the same time."""
    for case in cases:
        await playing.prepare(case)
    return await asyncio.gather(*(playing.play(case, each=2, **order) for case in cases))
