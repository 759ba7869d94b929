"""What the bot says of its health, and to whom it says so."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from sqlalchemy import select, text

from adapters.storage import database as storage
from adapters.storage import probe
from adapters.storage.database import open_database
from adapters.storage.probe import SqlProbe
from adapters.storage.tables import rates
from bot import health
from bot.health import Watched, health_on
from core.delivery import Health
from core.errors import ConfigError, StorageError
from tests.adapters.storage.test_outages import fill
from tests.bot.service import free_port
from tests.doubles.stage import Stage

WORK = {"waiting": 3, "working": 1, "unsent": 2}
HOST = "127.0.0.1"


class Deaf(Stage):
    """A platform from which nothing arrives any more."""

    def health(self) -> Health:
        return Health(alive=False, words="Socket Mode, silent for 95 s", silent=95.0)


async def counts() -> Mapping[str, float]:
    return WORK


NOTHING = Watched((), {}, counts)


async def asked(
    *platforms: Stage,
    work: health.Counts = counts,
    path: str = "/health",
    standing_by: Mapping[str, Health] | None = None,
) -> tuple[int, Mapping[str, Any]]:
    """Return the status and the JSON that somebody who asks gets."""
    port, watched = free_port(), Watched(platforms, standing_by or {}, work)
    url = f"http://{HOST}:{port}{path}"
    async with health_on(HOST, port, watched), aiohttp.ClientSession() as session, session.get(url) as answer:
        return answer.status, await answer.json()


async def test_all_is_well() -> None:
    """Messages arrive everywhere and the database answers: 200, with how much is to be done."""
    status, body = await asked(Stage(), Stage(name="telegram"))

    alive = {"alive": True, "state": "on stage", "silent_seconds": 0.0}
    platforms = {"slack": alive, "telegram": alive}
    assert status == 200
    assert body == {"status": "ok", "database": "ok", "platforms": platforms, "work": WORK}


async def test_a_platform_from_which_nothing_arrives() -> None:
    """One deaf platform is enough for 503, and the answer says which one it is and since when."""
    status, body = await asked(Stage(), Deaf(name="telegram"))

    assert (status, body["status"], body["database"]) == (503, "failing", "ok")
    assert {name: state["alive"] for name, state in body["platforms"].items()} == {"slack": True, "telegram": False}
    assert body["platforms"]["telegram"]["silent_seconds"] == 95.0


async def test_a_platform_that_another_copy_serves() -> None:
    """Who stands by is as well as who polls: nothing has to be done about it."""
    status, body = await asked(Stage(), Deaf(name="telegram"), standing_by={"telegram": health.ELSEWHERE})

    served = {"alive": True, "state": "another copy receives its messages", "silent_seconds": None}
    assert (status, body["status"], body["platforms"]["telegram"]) == (200, "ok", served)


async def test_a_platform_that_waits_for_the_database() -> None:
    """Nobody is known to receive its messages, which is told of it, and not that another copy does."""
    status, body = await asked(Stage(), Stage(name="telegram"), standing_by={"telegram": health.WAITING})

    waits = {"alive": False, "state": "waits for the database", "silent_seconds": None}
    assert (status, body["status"], body["platforms"]["telegram"]) == (503, "failing", waits)


async def _fails() -> Mapping[str, float]:
    raise StorageError("the database did not do it", retry=True)


async def _hangs() -> Mapping[str, float]:
    await asyncio.Event().wait()
    return {}


@pytest.mark.parametrize("work", [_fails, _hangs])
async def test_a_database_that_does_not_answer(work: health.Counts, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it refuses or says nothing for too long: 503, at once or soon, and never an error of ours."""
    monkeypatch.setattr(health, "_PATIENCE", 0.02)
    status, body = await asked(Stage(), work=work)

    assert (status, body["status"], body["database"]) == (503, "failing", "does not answer")
    assert (body["platforms"]["slack"]["alive"], body["work"]) == (True, {})


async def test_the_process_lives_even_when_nothing_is_well() -> None:
    """`/live` asks nobody: a restart would mend neither Slack nor the database."""
    status, body = await asked(Deaf(), work=_fails, path="/live")

    assert (status, body) == (200, {"status": "ok"})


async def test_nothing_else_is_there() -> None:
    """The port answers two paths."""
    port = free_port()
    url = f"http://{HOST}:{port}/"
    async with health_on(HOST, port, NOTHING), aiohttp.ClientSession() as session, session.get(url) as answer:
        status = answer.status

    assert status == 404


async def test_a_port_that_is_taken() -> None:
    """Who cannot listen says which variables to change."""
    port = free_port()
    async with health_on(HOST, port, NOTHING):
        with pytest.raises(ConfigError, match=f"HEALTH_HOST, HEALTH_PORT: cannot listen on {HOST}:{port}"):
            async with health_on(HOST, port, NOTHING):
                pass


async def test_without_a_port_nothing_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who set no port opens none."""
    monkeypatch.setattr("aiohttp.web.TCPSite.start", lambda _: pytest.fail("it listens"))
    async with health_on(HOST, None, NOTHING):
        pass


async def test_the_port_is_free_afterwards() -> None:
    """A restart finds its port again."""
    port = free_port()
    for _ in range(2):
        async with health_on(HOST, port, NOTHING):
            pass


async def test_a_database_that_answers_and_stores_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is full: what is counted comes as ever, and 503 says why nothing can be stored; with room all is well."""
    monkeypatch.setattr(probe, "_KEPT", 0.0)
    database = open_database(tmp_path / "footnote.db")
    await database.prepare()
    store = SqlProbe(database).store
    states = [await health.report(Watched((), {}, counts, store)) for _ in range(2)]
    async with database.reading() as connection:
        pages = await connection.scalar(text("PRAGMA page_count"))
        kept = await connection.scalar(text("SELECT count(*) FROM rates"))
    await database.close()
    monkeypatch.setattr(storage, "_PRAGMAS", (*storage._PRAGMAS, f"PRAGMA max_page_count={pages}"))
    full = open_database(tmp_path / "footnote.db")
    await fill(full)
    states.append(await health.report(Watched((), {}, counts, SqlProbe(full).store)))
    await full.close()

    assert 1 == kept
    assert [True, True, False] == [one.well for one in states]
    assert ["ok", "ok"] == [one.body["database"] for one in states[:2]]
    assert (
        "stores nothing: storage: the database did not do it (OperationalError, SQLITE_FULL)"
        == states[2].body["database"]
    )
    assert WORK == states[2].body["work"]


async def test_whether_anything_can_be_stored_is_tried_once_a_second(tmp_path: Path) -> None:
    """Whoever asks again and again keeps the database from nothing."""
    database = open_database(tmp_path / "footnote.db")
    await database.prepare()
    store = SqlProbe(database).store
    await store()
    async with database.reading() as connection:
        first = await connection.scalar(select(rates.c.key))
    await store()
    async with database.reading() as connection:
        second = await connection.scalar(select(rates.c.key))
    await database.close()

    assert first == second


async def test_a_database_that_stores_too_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the answer longer than for anything else."""
    monkeypatch.setattr(health, "_PATIENCE", 0.05)
    found = await health.report(Watched((), {}, counts, asyncio.Event().wait))  # type: ignore[arg-type]

    assert (False, "stores nothing within 0.05 s") == (found.well, found.body["database"])
