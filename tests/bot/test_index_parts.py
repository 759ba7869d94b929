"""An index run over several copies: they share the work, and whoever dies, it is done once and as by one alone."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from adapters.search.lance_store import library
from adapters.storage.index_parts import SqlParts
from adapters.storage.replicas import SqlGuest
from bot import index_parts, index_run, replica
from bot.indexing import IndexReport
from bot.wiring import SharedIndex
from core.errors import ConfigError, IndexingStopped, ModelError, StorageError
from core.ingest import rows as ingest_rows
from tests.bot.copies import Copy, Office, Watched, rows, write_pages
from tests.object_store import ObjectStore
from tests.postgres import Postgres

PATIENCE = 60.0
PAGES = 10


@pytest.fixture
def office(
    postgres: Postgres, object_store: ObjectStore, bucket: str, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> Office:
    """Return an empty office in which nobody waits for long and parts are small."""
    monkeypatch.setattr(replica, "BEAT", 0.1)
    for name, value in (("_LOOK_EVERY", 0.05), ("_IDLE", 0.2), ("_CHECK_EVERY", 0.1), ("_AFTER_FAILURE", 0.3)):
        monkeypatch.setattr(index_parts, name, value)
    monkeypatch.setattr(index_run, "_LOOK_EVERY", 0.1)
    monkeypatch.setattr(index_run, "_WAIT", 0.1)
    monkeypatch.setattr(ingest_rows, "CHUNKS_AT_ONCE", 2)
    library()
    url = postgres.emptied().render_as_string(hide_password=False)
    known = {"database_url": url, "index_url": f"{bucket}/index"}
    write_pages(elsewhere / "pages", PAGES)
    return Office(elsewhere, known | {"aws_endpoint_url": object_store.variables["AWS_ENDPOINT_URL"]})


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await holds():
            await asyncio.sleep(0.05)


async def test_copies_share_the_parts(office: Office) -> None:
    """Each passage is embedded by one of them, nothing stays staged, and the index is that of one process alone."""
    async with office.copy() as leader, office.copy() as helper:
        helper.start()
        leader.embedder.hold.clear()
        leading = asyncio.create_task(leader.index(office.folder / "pages"))
        await _soon(helper.embedder.called)
        await _soon(leader.embedder.called)
        leader.embedder.hold.set()
        report = await _over(leading)
        texts = leader.embedder.texts + helper.embedder.texts

        assert (PAGES, len(set(texts)), True) == (report.counts["documents"], len(texts), bool(helper.embedder.texts))
        assert report.counts["passages"] == report.embedded == len(texts)
        assert set() == await leader.shared.staging.names() == await leader.shared.parts.names()
        assert await rows(leader.stores) == await rows(helper.stores) == await _alone(office)


async def test_a_copy_that_dies_leaves_its_parts_to_the_others(office: Office) -> None:
    """They are made again; no other part is."""
    async with office.copy() as leader, office.copy() as helper, office.copy() as third:
        helper.start()
        helper.embedder.hold.clear()
        leader.embedder.hold.clear()
        leading = asyncio.create_task(leader.index(office.folder / "pages"))
        await _soon(helper.embedder.called)
        await helper.die()
        await third.buries(helper.shared.replicas.me)
        leader.embedder.hold.set()
        report = await _over(leading)

        assert [] == helper.embedder.texts
        assert PAGES == report.counts["documents"]
        assert len(leader.embedder.texts) == report.counts["passages"]


async def test_a_run_whose_leader_dies_goes_on_in_another_copy(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its folder, and what was made is not made again; one that was not dead after all writes nothing more."""
    led: list[SharedIndex] = []
    make = index_run.shared_index
    monkeypatch.setattr(index_run, "shared_index", lambda *known, **more: led.append(make(*known, **more)) or led[-1])
    async with office.copy() as leader, office.copy() as helper:
        leader.embedder.hold.clear()
        leading = asyncio.create_task(leader.index(office.folder / "pages"))
        await _soon(leader.embedder.called)
        helper.start()
        await until(lambda: _has_made(helper, 4))
        led[0].parts.take = _nothing  # type: ignore[method-assign]
        await helper.buries(led[0].replicas.me)
        shutil.rmtree(office.folder / "pages")
        await until(lambda: _is_live(helper))
        leader.embedder.hold.set()
        with pytest.raises(StorageError, match="goes on in another copy"):
            await _over(leading)

        write_pages(office.folder / "pages", PAGES)
        texts = helper.embedder.texts
        assert len(set(texts)) == len(texts)
        assert await rows(helper.stores) == await _alone(office)


async def _soon(event: asyncio.Event) -> None:
    async with asyncio.timeout(PATIENCE):
        await event.wait()


async def _over(leading: "asyncio.Task[IndexReport]") -> IndexReport:
    async with asyncio.timeout(PATIENCE):
        return await leading


async def _has_made(copy: Copy, texts: int) -> bool:
    return len(copy.embedder.texts) >= texts


async def _nothing(*_: object) -> None:
    pass


async def _is_live(copy: Copy) -> bool:
    return await copy.stores.catalog.live() is not None


async def test_a_leader_that_still_shows_itself_does_not_end_the_run(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was given up for dead and touches its generation while another copy takes it: that one goes on anyway."""
    async with office.copy() as leader, office.copy() as helper:
        await _left_behind(leader, office)
        building = helper.stores.catalog.building

        async def touched() -> object:
            found = await building()
            if found and found.builder == old:
                await leader.stores.catalog.leave(found.number)
            return found

        left = await leader.stores.catalog.building()
        assert left
        old = left.builder
        monkeypatch.setattr(helper.stores.catalog, "building", touched)
        helper.start()
        await until(lambda: _is_live(helper))

        assert await rows(helper.stores) == await _alone(office)


async def test_what_a_dead_run_ordered_is_not_taken_for_the_next_one(office: Office) -> None:
    """A run that begins anew, and dies while it reads, is not finished by others: they would publish half of it."""
    async with office.copy() as leader, office.copy() as helper:
        await _left_behind(leader, office)
        async with index_run.leading(leader.stores, leader.settings):
            left = await helper.stores.catalog.building()
            assert left
            assert not await helper.shared.parts.is_under_way(left.number)

        assert (await leader.index(office.folder / "pages")).rebuilt


async def test_a_lead_that_could_not_be_given_back_is_given_back_later(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database was away when a copy had finished another's run: nobody is kept from indexing by that for ever."""
    async with office.copy() as leader, office.copy() as helper:
        await _left_behind(leader, office)
        withdraw, refused = helper.shared.parts.withdraw, [StorageError("away", retry=True)]

        async def away(lease: str) -> bool:
            if refused:
                raise refused.pop()
            return await withdraw(lease)

        monkeypatch.setattr(helper.shared.parts, "withdraw", away)
        helper.start()
        await until(lambda: _is_live(helper))
        await until(lambda: _is_free(helper))

        assert not refused


async def _left_behind(leader: Copy, office: Office) -> None:
    """Begin a run that has ordered parts, and let its leader be gone as by kill -9, with nothing taken back."""
    order, ordered = SqlParts.order, asyncio.Event()

    async def noted(self: SqlParts, *known: Any) -> Any:
        found = await order(self, *known)
        ordered.set()
        return found

    with pytest.MonkeyPatch.context() as gone:
        gone.setattr(SqlParts, "order", noted)
        for kind, name in ((SqlParts, "withdraw"), (SqlParts, "give_back"), (SqlGuest, "leave")):
            gone.setattr(kind, name, _nothing)
        leader.embedder.hold.clear()
        leading = asyncio.create_task(leader.index(office.folder / "pages"))
        await _soon(ordered)
        leading.cancel()
        await asyncio.gather(leading, return_exceptions=True)
    leader.embedder.hold.set()
    holder = await leader.shared.replicas.holder(index_run.LEADS)
    assert holder
    await leader.shared.parts.take_over(holder[0])
    await leader.shared.replicas.bury(holder[0])


async def _is_free(copy: Copy) -> bool:
    return await copy.shared.replicas.holder(index_run.LEADS) is None


async def test_a_run_that_is_stopped_stops_in_all_copies(office: Office) -> None:
    """What was staged is kept for the next run, which makes the rest."""
    async with office.copy() as leader, office.copy() as helper:
        helper.start()
        leader.embedder.hold.clear()
        leading = asyncio.create_task(leader.index(office.folder / "pages"))
        await until(lambda: _has_staged(helper))
        assert await leader.stores.catalog.stop()
        with pytest.raises(IndexingStopped):
            await _over(leading)
        kept = await leader.shared.parts.names()
        leader.embedder.hold.set()
        report = await leader.index(office.folder / "pages")

        assert (PAGES, True) == (report.counts["documents"], bool(kept))
        assert report.embedded < report.counts["passages"]


async def _has_staged(copy: Copy) -> bool:
    building = await copy.stores.catalog.building()
    return building is not None and bool(await copy.shared.parts.made_of(building.number))


async def test_a_copy_with_another_encoder_makes_no_part(office: Office) -> None:
    """Its vectors would not fit the others."""
    async with office.copy() as leader, office.copy(Watched("other")) as stranger:
        stranger.start()
        report = await leader.index(office.folder / "pages")

        assert ([], report.embedded) == (stranger.embedder.texts, len(leader.embedder.texts))


async def test_what_a_copy_cannot_make_is_made_by_another(office: Office) -> None:
    """The leader's own failure ends the run and is told; the next run makes only what is missing."""
    failure = ModelError("the encoder does not answer")
    async with office.copy() as leader, office.copy() as helper:
        helper.start()
        helper.embedder.failure = failure
        report = await leader.index(office.folder / "pages")
        assert PAGES == report.counts["documents"]

        write_pages(office.folder / "pages", PAGES, "cards")
        leader.embedder.failure = failure
        with pytest.raises(ModelError, match="does not answer"):
            await leader.index(office.folder / "pages")
        leader.embedder.failure = None
        assert (await leader.index(office.folder / "pages")).rebuilt


async def test_two_runs_at_once_are_one(office: Office) -> None:
    """Who comes second is told at once; the first one goes on."""
    async with office.copy() as leader, office.copy() as second:
        leader.embedder.hold.clear()
        leading = asyncio.create_task(leader.index(office.folder / "pages"))
        await _soon(leader.embedder.called)
        with pytest.raises(ConfigError, match="another index run"):
            await second.index(office.folder / "pages")
        leader.embedder.hold.set()

        assert (await _over(leading)).rebuilt


async def _alone(office: Office) -> object:
    """Return the rows that one process makes of the same pages."""
    known = {name: value for name, value in office.known.items() if name == "aws_endpoint_url"}
    async with Office(office.folder, known).copy() as alone:
        await alone.index(office.folder / "pages")
        return await rows(alone.stores)
