"""A copy among others: it shows that it lives, and takes over from those that do not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from bot import replica
from bot.replica import CAREFUL_AFTER, DEAD_AFTER, Replica
from core.errors import StorageError
from core.work import LEFT

PATIENCE = 10.0
# Seconds between two beats; a binary fraction, so that sums of it are exact.
STEP = 2.0


@dataclass
class Copies:
    """Satisfies `Replicas`: the others' counts are what the test says; `away` lets the database not answer.

    `holders` have questions, messages or leases, `working` have runs.
    """

    me: str = "me"
    counts: dict[str, int] = field(default_factory=dict)
    away: bool = False
    beats: int = 0
    left: bool = False
    events: list[str] = field(default_factory=list)
    dies_before_burial: bool = False
    holders: set[str] = field(default_factory=set)
    working: set[str] = field(default_factory=set)

    async def beat(self, count: int) -> dict[str, int]:
        self.beats += 1
        if self.away:
            raise StorageError("the database did not do it", retry=True)
        return self.counts | {self.me: count}

    async def leave(self) -> None:
        self.left = True

    async def bury(self, replica: str) -> None:
        if self.dies_before_burial:
            raise StorageError("the database did not do it", retry=True)
        self.events.append(f"buried {replica}")
        self.counts.pop(replica, None)
        self.holders.discard(replica)
        self.working.discard(replica)

    async def lease(self, name: str) -> bool:
        return True

    async def release(self, name: str) -> None:
        pass

    async def strangers(self) -> set[str]:
        return self.holders - self.counts.keys()

    async def workers(self) -> set[str]:
        return set(self.working)

    async def take_over(self, other: str) -> None:
        self.events.append(f"took over {other}")


@dataclass
class Watch:
    """A clock that stands still between beats; after `passes` one more beat has been made at the new time."""

    copies: Copies
    now: float = 100.0

    def elapsed(self) -> float:
        return self.now

    async def passes(self, seconds: float) -> None:
        """Let time pass beat by beat."""
        end = self.now + seconds
        while self.now + STEP < end:
            await self.jumps(STEP)
        await self.jumps(end - self.now)

    async def jumps(self, seconds: float) -> None:
        """Let time pass without a beat meanwhile, as when the machine stands still."""
        self.now += seconds
        seen = self.copies.beats
        async with asyncio.timeout(PATIENCE):
            # A look for strangers makes one, too: the third comes only after all of the first one's work is done.
            while self.copies.beats < seen + 3:
                await asyncio.sleep(0)


@asynccontextmanager
async def beating(copies: Copies) -> AsyncIterator[tuple[Replica, Watch]]:
    """Give a registered copy that beats without a pause, after its first look at the others."""
    watch = Watch(copies)
    one = Replica(copies, copies.take_over, copies.workers, watch.elapsed)
    await one.register(alone=False)
    task = asyncio.create_task(one.run())
    try:
        await watch.passes(0)
        yield one, watch
    finally:
        task.cancel()
        await asyncio.wait([task])


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beat without waiting: the clock is the test's."""
    monkeypatch.setattr(replica, "BEAT", 0.0)


async def test_a_silent_copy_is_buried_when_its_time_is_up_and_not_before() -> None:
    """A count that has stood still for DEAD_AFTER seconds is a dead copy's; its work is taken over, once."""
    copies = Copies(counts={"other": 7})
    async with beating(copies) as (_, watch):
        await watch.passes(DEAD_AFTER - 0.5)
        before = list(copies.events)
        await watch.passes(0.5)
        await watch.passes(DEAD_AFTER)

    assert before == []
    assert copies.events == ["took over other", "buried other"]


async def test_who_is_alive_is_counted() -> None:
    """Those that come count from the next beat on, and those that stopped or are dead no more; we always do."""
    copies = Copies(counts={"other": 7, "stopped": LEFT})
    async with beating(copies) as (one, watch):
        counted = [one.copies()]
        copies.counts["new"] = 1
        await watch.passes(0)
        counted.append(one.copies())
        await watch.passes(DEAD_AFTER + STEP)
        counted.append(one.copies())
    alone = Replica(Copies(counts={"other": 7}), copies.take_over, copies.workers)
    await alone.register(alone=True)

    assert counted == [2, 3, 1]
    assert alone.copies() == 1


async def test_a_copy_whose_count_moves_is_never_buried() -> None:
    """However slowly it counts up, and even when it begins anew: a count that moves is life."""
    copies = Copies(counts={"other": 7})
    async with beating(copies) as (_, watch):
        for count in (8, 9, 1, 2, 3):
            await watch.passes(DEAD_AFTER - 1)
            copies.counts["other"] = count
            await watch.passes(0)

    assert copies.events == []


async def test_who_said_goodbye_is_buried_at_once() -> None:
    """What a copy left behind when it stopped needs no waiting."""
    copies = Copies(counts={"gone": LEFT, "alive": 3})
    async with beating(copies):
        pass

    assert copies.events == ["took over gone", "buried gone"]


@pytest.mark.parametrize("alone", [True, False])
async def test_where_no_other_can_be_all_left_behind_is_taken_over_at_the_start(
    alone: bool,  # noqa: FBT001
) -> None:
    """In a folder of its own a copy need not wait until the last one is dead; over a shared database it must."""
    copies = Copies(counts={"last": 40, "before": 3})
    await Replica(copies, copies.take_over).register(alone=alone)

    expected = ["took over last", "buried last", "took over before", "buried before"]
    assert copies.events == (expected if alone else [])


async def test_what_was_once_forgotten_is_taken_over_at_the_next_start() -> None:
    """A copy that is alone finds runs of which nobody knows any more, though their copy was buried long ago."""
    copies = Copies(counts={"last": 40}, working={"forgotten", "me"})
    await Replica(copies, copies.take_over, copies.workers).register(alone=True)

    assert copies.events == ["took over last", "buried last", "took over forgotten", "buried forgotten"]


async def test_our_own_outage_makes_nobody_else_look_dead() -> None:
    """While we could not look, silence means nothing: after it the others get their whole time again."""
    copies = Copies(counts={"other": 7})
    async with beating(copies) as (_, watch):
        copies.away = True
        await watch.passes(5 * DEAD_AFTER)
        copies.away = False
        await watch.passes(0)
        await watch.passes(DEAD_AFTER - 0.5)
        before = list(copies.events)
        await watch.passes(0.5)

    assert before == []
    assert copies.events == ["took over other", "buried other"]


async def test_a_machine_that_stands_still_makes_nobody_look_dead() -> None:
    """After a pause of our own the others get their whole time again: they may have been paused with us."""
    copies = Copies(counts={"other": 7})
    async with beating(copies) as (_, watch):
        await watch.jumps(5 * DEAD_AFTER)
        await watch.passes(DEAD_AFTER - 0.5)
        before = list(copies.events)
        await watch.passes(0.5)

    assert before == []
    assert copies.events == ["took over other", "buried other"]


async def test_who_cannot_beat_is_not_to_be_trusted_until_it_can() -> None:
    """Without a beat for CAREFUL_AFTER seconds others may think us dead, so we send nothing; a beat ends that."""
    copies = Copies()
    async with beating(copies) as (one, watch):
        copies.away = True
        await watch.passes(CAREFUL_AFTER - 0.5)
        trusted = [one.is_trusted()]
        await watch.passes(0.5)
        trusted.append(one.is_trusted())
        copies.away = False
        await watch.passes(0)
        trusted.append(one.is_trusted())

    assert trusted == [True, False, True]


async def test_what_was_ours_before_a_silence_is_not_surely_ours_after_it() -> None:
    """A term lasts while the beats come in time; whoever stood still, or could not beat, begins another."""
    copies = Copies()
    async with beating(copies) as (one, watch):
        terms = [one.term()]
        await watch.passes(3 * DEAD_AFTER)
        terms.append(one.term())
        watch.now += DEAD_AFTER
        terms.append(one.term())
        await watch.passes(0)
        terms.append(one.term())

    assert terms == [0, 0, None, 1]


async def test_a_beat_that_stood_still_on_its_way_is_as_old_as_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others saw it when it was sent, and may have taken us for dead before we heard that it was counted."""
    copies = Copies(counts={"other": 7})
    watch = Watch(copies)
    one = Replica(copies, copies.take_over, copies.workers, watch.elapsed)
    await one.register(alone=False)
    beat = copies.beat

    async def slow(count: int) -> dict[str, int]:
        counts = await beat(count)
        watch.now += 5 * DEAD_AFTER
        return counts

    monkeypatch.setattr(copies, "beat", slow)
    gone = await one._look()
    trusted = one.is_trusted()
    monkeypatch.setattr(copies, "beat", beat)
    gone += await one._look()

    assert not trusted
    assert one.term()
    assert gone == []


async def test_nobody_is_forgotten_before_the_work_is_taken_over() -> None:
    """Who dies between the two leaves the dead copy on the list, and the next one takes over again."""
    copies = Copies(counts={"gone": LEFT}, dies_before_burial=True)
    async with beating(copies):
        pass
    during, copies.events[:] = list(copies.events), []
    copies.dies_before_burial = False
    async with beating(copies):
        pass

    assert set(during) == {"took over gone"}
    assert copies.events == ["took over gone", "buried gone"]


async def test_a_work_that_cannot_be_taken_over_now_is_taken_over_later() -> None:
    """A failure while taking over buries nobody; the next beat tries again."""
    copies, tries = Copies(counts={"gone": LEFT}), 0

    async def take_over(other: str) -> None:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise StorageError("the database did not do it", retry=True)
        await copies.take_over(other)

    one = Replica(copies, take_over, elapsed=lambda: 0.0)
    task = asyncio.create_task(one.run())
    async with asyncio.timeout(PATIENCE):
        while "buried gone" not in copies.events:
            await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])

    assert (tries, copies.events) == (3, ["took over gone", "buried gone"])


async def test_work_that_is_held_by_nobody_who_is_known_is_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that was buried while it still worked may hold work ever after; whoever is known keeps what is theirs."""
    monkeypatch.setattr(replica, "_LOOK_EVERY", 1)
    copies = Copies(counts={"other": 7}, holders={"ghost", "other"}, working={"phantom", "other", "me"})
    async with beating(copies) as (_, watch):
        await watch.passes(1)

    assert sorted(copies.events) == ["buried ghost", "buried phantom", "took over ghost", "took over phantom"]


async def test_who_comes_while_we_look_is_no_stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that registers and begins to work in the middle of a look is alive."""
    monkeypatch.setattr(replica, "_LOOK_EVERY", 1)
    copies = Copies()
    workers = copies.workers

    async def come() -> set[str]:
        copies.counts.setdefault("new", 1)
        copies.working.add("new")
        return await workers()

    monkeypatch.setattr(copies, "workers", come)
    async with beating(copies):
        pass

    assert copies.events == []


async def test_a_goodbye_is_said() -> None:
    """Who stops says so."""
    copies = Copies()
    await Replica(copies, copies.take_over).leave()

    assert copies.left


async def test_who_waits_for_what_a_gone_copy_holds_shows_that_it_lives() -> None:
    """A copy that froze within a transaction may hold its own row: the wait for that is no silence."""

    @dataclass
    class Held(Copies):
        """The row of whoever is buried is held until `free`."""

        free: asyncio.Event = field(default_factory=asyncio.Event)

        async def bury(self, replica: str) -> None:
            await self.free.wait()
            await super().bury(replica)

    copies = Held(counts={"other": 7})
    async with beating(copies) as (one, watch):
        await watch.passes(DEAD_AFTER + 3 * CAREFUL_AFTER)
        trusted, begun = one.is_trusted(), list(copies.events)
        copies.free.set()
        await watch.passes(STEP)

    assert trusted
    assert ["took over other"] == begun
    assert ["took over other", "buried other"] == copies.events
