"""The bot at work: questions come in, are answered in turn, and the answers go out, whatever dies on the way."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from bot.admin.index_orders import IndexOrders
from bot.answering import Bot
from bot.audiences import Audiences
from bot.author import Author
from bot.beyond import Beyond
from bot.courier import Courier
from bot.door import Door
from bot.durable import Workflows
from bot.elsewhere import Elsewhere
from bot.glance import tried
from bot.index_place import is_shared
from bot.index_run import Hand
from bot.installing import departures_of
from bot.intake import Reception
from bot.jobs import run_prefix
from bot.late import LateLook
from bot.leaving import left_forgotten
from bot.line import Line
from bot.receiving import Running, reception_of
from bot.refreshing import Refresher
from bot.replica import Replica
from bot.retention import LEASE as RETENTION
from bot.retention import bounded
from bot.rules import remembered_by
from bot.settings import Settings
from bot.succession import Succession
from bot.upkeep import steadily, upkeep
from bot.wiring import (
    SharedIndex,
    Stores,
    cases_of,
    groups_of,
    index_orders_of,
    outbox_and_replicas,
    rests,
    retention_of,
    shared_index,
    tally_of,
    work_url,
)
from core.conversation import Question
from core.delivery import Health
from core.errors import PortError, StorageError
from core.ingest.generation import Make
from core.running import Outbox, Peopled, Platform, Replicas, Sharing, Wary

log = logging.getLogger("footnote")

# What answers under way get when the bot is stopped; then they are left to be taken up again.
GRACE = 5.0
# Seconds between looks for records that are not needed any more.
_TIDY_EVERY = 600.0
# Seconds between looks whether what only one copy may do is ours.
LEASE_EVERY = 2.0


@dataclass(frozen=True, slots=True)
class Service:
    """Everything that runs beside the platforms; `standing_by`: what is said of those that receive nothing here."""

    stores: Stores
    replicas: Replicas
    reception: Reception
    outbox: Outbox
    courier: Courier
    line: Line
    replica: Replica
    workflows: Workflows
    door: Door
    upkeep: Sequence[Callable[[], Awaitable[None]]] = ()
    hand: Hand | None = None
    standing_by: dict[str, Health] = field(default_factory=dict)

    async def run(self) -> None:
        """Do what there is to do until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.courier.run())
            tasks.create_task(self.line.run(self.workflows))
            tasks.create_task(self.replica.run())
            tasks.create_task(self._tidy())
            for each in self.upkeep:
                tasks.create_task(steadily(each))
            if self.hand:
                tasks.create_task(self.hand.run())

    async def hand_over(self) -> None:
        """Give what is under way a few seconds, then leave the rest to be taken up again."""
        # Who falls silent sends nothing, and an answer that is made in these seconds is to be seen.
        beating = asyncio.create_task(self.replica.hold_on())
        try:
            await self.door.close()
            left = await self.line.finish(GRACE)
            await self.courier.finish(GRACE)
            if left:
                log.info("%d unfinished answers are taken up again by another copy, or at the next start", left)
            # Before the goodbye: else this engine could take up again what it has just left to others.
            await self.workflows.close()
        finally:
            # A beat after the goodbye would take it back.
            beating.cancel()
            await asyncio.gather(beating, return_exceptions=True)
        with suppress(PortError):
            await self.replica.leave()

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(_TIDY_EVERY)
            try:
                await self.workflows.forget_old()
            except StorageError as error:
                log.warning("Old records of work could not be removed now: %s", error)


@asynccontextmanager
async def service_for(
    bot: Bot, stores: Stores, settings: Settings, platforms: Sequence[Platform]
) -> AsyncIterator[Service]:
    """Give the service, ready to run, with what was left by a process that is gone in its hands."""
    live = await stores.catalog.live()
    by_name: dict[str, Platform] = {platform.name: platform for platform in platforms}
    service = _made(bot, stores, settings, by_name, live.make if live else None)
    await service.workflows.launch()
    try:
        await service.replica.register(alone=not stores.database.is_shared)
        yield service
    except BaseException:
        await service.workflows.close()
        raise


def _audiences(bot: Bot, stores: Stores, platforms: Mapping[str, Platform], begun: Make | None) -> Audiences:
    """Return who tells whom replies are for, heeded by the bot; what is wrong in the permissions is said now."""
    memberships = {name: one.members for name, one in platforms.items() if isinstance(one, Peopled)}

    def remembered() -> Path | None:
        return remembered_by(bot.make or begun)

    audiences = Audiences(groups_of(stores.database), memberships, remembered=remembered)
    audiences.permissions()
    bot.heed(audiences)
    return audiences


def _made(
    bot: Bot, stores: Stores, settings: Settings, platforms: Mapping[str, Platform], begun: Make | None
) -> Service:
    me = secrets.token_hex(8)
    outbox, replicas = outbox_and_replicas(stores.database, me)
    shared = shared_index(stores, settings, me) if is_shared(settings) else None
    audiences = _audiences(bot, stores, platforms, begun)
    refresher = Refresher(stores, settings, replicas, bot.take_up)

    async def take_over(other: str) -> None:
        await succession.take_over(other)
        line.wake()

    replica = Replica(replicas, take_over, lambda: workflows.replicas())  # noqa: PLW0108 - made further down
    for one in platforms.values():
        if isinstance(one, Sharing):
            one.share(replica.copies, tally_of(stores.database))
        if isinstance(one, Wary):
            one.heed(replica.term)
    look = LateLook(stores.threads, bot, audiences, platforms).may_show
    elsewhere = Elsewhere(stores.threads, platforms).shown
    courier = Courier(outbox, platforms, replica.term, look, elsewhere)
    author = Author(
        bot=bot,
        threads=stores.threads,
        platforms=platforms,
        inbox=stores.inbox,
        people=settings.handoff_channel,
        show=courier.tell if settings.streaming == "on" else None,
    )
    door = Door(stores.inbox, platforms, courier.wake)
    line = Line(
        inbox=stores.inbox,
        platforms=platforms,
        replica=me,
        parallel=settings.max_parallel_answers,
        answer=author.answer,
        fail=author.fail,
        generation=bot.generation,
        done=lambda question: _answered(question, courier, beyond),
        door=door.opened,
        rests=partial(rests, stores.database),
    )
    beyond = _beyond(bot, stores, platforms, audiences=audiences, courier=courier, line=line)
    ordered = _ordered(stores, platforms, replicas, refresher, courier)
    ours = tuple(run_prefix(name) for name in platforms)
    workflows = Workflows(work_url(settings, stores.database), me, line.answered, ours)
    rest = (outbox.take_over, *((shared.parts.take_over,) if shared else ()))
    succession = Succession(me, workflows, stores.inbox, rest)
    standing_by: dict[str, Health] = {}
    running = Running(
        *(bot, stores, settings, platforms, outbox, courier, line, workflows, audiences, ordered, beyond, standing_by),
        door,
    )
    courier.moved = (reception := reception_of(running)).moved
    kept = (*upkeep(bot, settings, refresher), ordered.run, beyond.run, *_forgetting(stores, settings, replicas))
    hand = _hand(stores, shared, line, replica) if shared else None
    return Service(
        stores, replicas, reception, outbox, courier, line, replica, workflows, door, kept, hand, standing_by
    )


def _ordered(
    stores: Stores, platforms: Mapping[str, Platform], replicas: Replicas, refresher: Refresher, courier: Courier
) -> IndexOrders:
    return IndexOrders(
        orders=index_orders_of(stores.database),
        stores=stores,
        replicas=replicas,
        index=refresher.ordered,
        platforms=platforms,
        deliver=courier.wake,
    )


def _beyond(  # noqa: PLR0913 - what it works with
    bot: Bot, stores: Stores, platforms: Mapping[str, Platform], *, audiences: Audiences, courier: Courier, line: Line
) -> Beyond:
    return Beyond(
        knowledge=bot.knowledge,
        audiences=audiences,
        tried=partial(tried, bot),
        cases=cases_of(stores.database),
        inbox=stores.inbox,
        platforms=platforms,
        deliver=courier.wake,
        work=line.wake,
        is_free=lambda: line.working == 0,
    )


def _answered(question: Question, courier: Courier, beyond: Beyond) -> None:
    courier.wake((question.platform, question.place))
    beyond.heed(question)


def _forgetting(stores: Stores, settings: Settings, replicas: Replicas) -> Iterator[Callable[[], Awaitable[None]]]:
    """Yield what removes what is kept too long, by one of all copies, and what is left of workspaces that left."""
    yield partial(bounded, retention_of(stores.database), settings.retention, partial(replicas.lease, RETENTION))
    yield partial(left_forgotten, departures_of(stores.database), settings.retention)


def _hand(stores: Stores, shared: SharedIndex, line: Line, replica: Replica) -> Hand:
    # Answers first: while one is made here, no part of an index is begun.
    return Hand(stores, shared, is_free=lambda: line.working == 0, is_trusted=replica.is_trusted)
