"""Two copies of the bot over one database: an ordered index run is done once, shown once, and never left undone."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.storage.orders import SqlOrders
from adapters.storage.outbox import SqlOutbox
from adapters.storage.replicas import SqlReplicas
from bot.admin import index_orders
from bot.admin.index_orders import IndexOrders
from bot.courier import Courier
from bot.indexing import Indexer, collection_of
from bot.refreshing import Refresher
from bot.settings import Settings
from bot.wiring import Stores, opened
from tests.bot.copies import Watched
from tests.doubles.stage import Stage
from tests.platforms.slack.waiting import until
from tests.postgres import Postgres

PATIENCE = 20.0


@dataclass
class Copy:
    """What one copy has for ordered index runs: it shows messages on the stage that all share."""

    stores: Stores
    embedder: Watched
    replicas: SqlReplicas
    runs: IndexOrders
    courier: Courier
    tasks: list["asyncio.Task[None]"]

    async def stop(self) -> None:
        """Stop as on SIGTERM: what is under way is left to others."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.courier.finish(1.0)
        await self.replicas.leave()


@asynccontextmanager
async def copy(name: str, known: dict[str, str], folder: Path, stage: Stage) -> AsyncIterator[Copy]:
    """Give a copy at work, whose encoder waits until it is let go."""
    settings = Settings(FOOTNOTE_DATA_DIR=folder, **known)  # type: ignore[call-arg, arg-type]
    async with opened(settings) as fresh:
        embedder = Watched()
        stores = replace(fresh, embedder=embedder)
        replicas, outbox = SqlReplicas(stores.database, name), SqlOutbox(stores.database, name)
        courier = Courier(outbox, {"slack": stage})

        async def take_up() -> None:
            pass

        runs = IndexOrders(
            orders=SqlOrders(stores.database),
            stores=stores,
            replicas=replicas,
            index=Refresher(stores, settings, replicas, take_up).ordered,
            platforms={"slack": stage},
            deliver=courier.wake,
        )
        made = Copy(stores, embedder, replicas, runs, courier, [])
        yield made
        await made.stop()


async def until_shown(stage: Stage, holds: Callable[[str], bool]) -> None:
    """Return once the message of the order says so."""
    await until(lambda: any(map(holds, stage.visible())), lambda: f"{stage.visible()}", PATIENCE)


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_one_does_it_and_the_other_goes_on_with_it(
    folder: Path, elsewhere: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """Each message is shown by whoever is free, in one place; when the one that indexes stops, the other ends it."""
    monkeypatch.setattr(index_orders, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(index_orders, "EDIT_EVERY", {"slack": 0.1})
    done = {"en": "Done: answers come from the new index.", "ru": "Готово: отвечаю по новому индексу."}[language]
    stage = Stage()
    with postgres.database() as url:
        known = {"database_url": url.render_as_string(hide_password=False)}
        async with (
            copy("one", known, elsewhere / "data", stage) as one,
            copy("two", known, elsewhere / "data", stage) as two,
        ):
            await Indexer(one.stores.catalog, one.stores.index, one.embedder, lambda *_: None).run(
                collection_of(folder)
            )
            (folder / "cake.md").write_text("# Cake\n\nCake is at five.\n", "utf-8")
            for each in (one, two):
                each.embedder.called.clear()
                each.embedder.hold.clear()
                each.tasks.append(asyncio.create_task(each.runs.run()))
                each.tasks.append(asyncio.create_task(each.courier.run()))
            where = ("slack", "T1:U1")
            orders = SqlOrders(two.stores.database)
            order, is_new = await orders.place("slack:T1:U1", where, language, datetime.now(UTC))  # type: ignore[call-arg, arg-type]
            again = await orders.place("telegram:1", ("telegram", "1"), "en", datetime.now(UTC))
            await until_shown(stage, lambda text: "░" in text)
            await until(lambda: one.embedder.called.is_set() or two.embedder.called.is_set(), lambda: "", PATIENCE)
            await asyncio.sleep(0.3)
            working, waiting = (one, two) if one.embedder.called.is_set() else (two, one)
            assert not waiting.embedder.called.is_set()
            await working.stop()
            waiting.embedder.hold.set()
            await until_shown(stage, lambda text: done in text)
            live = await waiting.stores.catalog.live()

    assert is_new
    assert (order, False) == (replace(again[0], before=order.before), again[1])
    assert live
    assert 3 == live.counts["documents"]
    assert 1 == len(stage.visible())
    assert "cake.md" in stage.visible()[0]
