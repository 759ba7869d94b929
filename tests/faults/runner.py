"""Rounds one after the other over one crew: what is made once for all of them."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.faults import kinds
from tests.faults.crew import Crew, crew
from tests.faults.databases import Databases
from tests.faults.rounds import Case, Kind, Result, play
from tests.postgres import Postgres


@dataclass
class Runner:
    """Plays rounds; what a round without trouble passes is found out once for each platform and database."""

    crew: Crew
    databases: Databases
    _passed: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict)

    async def play(self, case: Case, kind: Kind | None = None, **order: Any) -> Result:
        """Return what the round showed."""
        await self.prepare(case)
        passed = self._passed[case.database, case.platform] if case.kind == "boundary" else {}
        return await play(case, kind or kinds.KINDS[case.kind], self.crew, self.databases, passed, **order)

    async def prepare(self, case: Case) -> None:
        """Make what the case needs and is not there yet."""
        if case.database not in self.databases.templates:
            await self._dry(replace(case, kind="template", replicas=1, seed=0), kinds.template)
        where = (case.database, case.platform)
        if case.kind == "boundary" and where not in self._passed:
            result = await self._dry(replace(case, kind="plain", replicas=1, seed=0), kinds.plain)
            self._passed[where] = result.passed

    async def _dry(self, case: Case, kind: Kind) -> Result:
        result = await play(case, kind, self.crew, self.databases, {})
        if result.findings:
            raise AssertionError(f"without any trouble: {result.told()}")
        return result


@asynccontextmanager
async def runner(folder: Path, server: Postgres | None = None) -> AsyncIterator[Runner]:
    """Give a runner that works in the folder, and over the server where a case asks for PostgreSQL."""
    databases = Databases(folder, server)
    # A stand-in's server would tell of each request that a death cut short.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    async with crew() as started:
        try:
            yield Runner(started, databases)
        finally:
            databases.close()
