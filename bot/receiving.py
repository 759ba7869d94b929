"""What receives all that people do: questions, edits, presses, commands and opinions, over the running bot."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from bot.access import doorkeeper
from bot.admin.forget import FORGET, ForgetDuty
from bot.admin.index_duty import IndexDuty
from bot.admin.index_orders import STOP, IndexOrders
from bot.admin.log import LogDuty
from bot.admin.permissions import PermissionsDuty
from bot.admin.pin import PinDuty
from bot.admin.sources import SourcesDuty, audience_in
from bot.admin.status import StatusDuty
from bot.answering import Bot
from bot.audiences import Audiences
from bot.beyond import Beyond
from bot.commanding import PAIR, Commanding, duty, once_each, ordinary_duties
from bot.courier import Courier
from bot.door import Door
from bot.durable import Workflows
from bot.explain import Explainer
from bot.forgetting import forgotten
from bot.glance import Glancer
from bot.handoff import HandOff
from bot.intake import Reception
from bot.introducing import Introducer
from bot.jobs import run_id
from bot.line import Line
from bot.opinions import Opinions
from bot.pinning import Pinning
from bot.settings import Settings
from bot.sharing import Sayable
from bot.stopping import Stopping
from bot.viewing import Viewing
from bot.welcoming import Limits
from bot.wiring import (
    Stores,
    SystemClock,
    admissions_of,
    audit_of,
    cases_of,
    channels_of,
    claims_of,
    feedback_of,
    index_orders_of,
    pins_of,
    weeks_of,
    work_url,
)
from core import commands
from core.delivery import Health
from core.errors import StorageError
from core.press import HALT
from core.rates import Hourly
from core.running import Outbox, Platform

log = logging.getLogger("footnote")


@dataclass(frozen=True, slots=True)
class Running:
    """What works on what is received, or knows how it stands."""

    bot: Bot
    stores: Stores
    settings: Settings
    platforms: Mapping[str, Platform]
    outbox: Outbox
    courier: Courier
    line: Line
    workflows: Workflows
    audiences: Audiences
    orders: IndexOrders
    beyond: Beyond
    standing_by: Mapping[str, Health]
    door: Door


def reception_of(running: Running) -> Reception:
    """Return what receives all that people do."""
    bot, stores, settings, database = running.bot, running.stores, running.settings, running.stores.database
    channels, stop = channels_of(database), partial(_stop, running.workflows)
    feedback = feedback_of(database, masked=settings.masks_for_logs)
    explainer = Explainer(stores.threads, bot.may_read, Viewing(bot, running.audiences))
    index_duty = IndexDuty(index_orders_of(database), stores.catalog, running.orders.wake, settings.admins)
    work = work_url(settings, database)
    forget_duty = ForgetDuty(lambda person: forgotten(stores, person, stop, work=work), settings.admins)
    pinning = Pinning(pins_of(database), feedback, stores.catalog, _now)
    handoff, stopping = _handoff(running), _stopping(running, stop)
    duties = (
        handoff.duty(),
        *ordinary_duties(explainer, channels, _now),
        duty(commands.STOP, stopping.commanded),
        index_duty.duty(),
        StatusDuty(stores, running.outbox, running.platforms, settings, index_duty.lines, running.standing_by).duty(),
        SourcesDuty(bot.live, partial(audience_in, running.audiences), stores.catalog.items, settings.admins).duty(),
        PermissionsDuty(bot.live, running.audiences).duty(),
        LogDuty(audit_of(database).search).duty(),
        forget_duty.duty(),
        PinDuty(pinning, feedback, stores.threads).duty(),
    )
    commanding = Commanding(duties, settings.admins, () if settings.telegram_access == "open" else (PAIR,))
    return Reception(
        inbox=stores.inbox,
        outbox=running.outbox,
        conversations=stores.threads,
        modes=channels,
        commanding=once_each(commanding.done, claims_of(database)),
        introducing=Introducer(bot, running.audiences, weeks_of(database), settings.admins, _now).introduced,
        platforms=running.platforms,
        limits=_limits(settings),
        work=running.line.wake,
        deliver=running.courier.wake,
        stop=stop,
        why=explainer.why,
        doors=doorkeeper(admissions_of(database), settings),
        glance=Glancer(bot, SystemClock()).glance,
        presses={
            STOP: index_duty.pressed,
            FORGET: forget_duty.pressed,
            HALT: stopping.pressed,
            "person": handoff.pressed,
            "alone": running.beyond.pressed,
        },
        opinions=Opinions(feedback, pinning, settings.admins, _now),
        sayable=Sayable(bot.known, running.audiences.of),
        look_up=running.door.see_to,
        taken_back=handoff.taken_back,
    )


def _handoff(running: Running) -> HandOff:
    return HandOff(
        channel=running.settings.handoff_channel,
        cases=cases_of(running.stores.database),
        inbox=running.stores.inbox,
        platforms=running.platforms,
        may_read=running.bot.may_read,
        known=running.bot.known,
        deliver=running.courier.wake,
    )


def _stopping(running: Running, stop: Callable[[str, int | None], Awaitable[None]]) -> Stopping:
    stores = running.stores
    return Stopping(stores.inbox, stores.threads, running.platforms, stop, running.courier.wake, running.line.wake)


async def _stop(workflows: Workflows, question_id: str, keep: int | None) -> None:
    try:
        await workflows.cancel(run_id(question_id, ""), keep)
    except StorageError as error:
        # Its reply would not be stored anyway; this only saves the work.
        log.warning("Work on %s goes on in vain: %s", question_id, error)


def _limits(settings: Settings) -> Limits:
    return Limits(
        person=settings.max_waiting_per_person,
        place=settings.max_waiting_per_channel,
        all=settings.max_waiting,
        soon=settings.max_parallel_answers,
        hourly=Hourly(
            settings.max_hourly_per_person, settings.max_hourly_per_channel, settings.max_hourly_per_workspace
        ),
    )


def _now() -> datetime:
    return datetime.now(UTC)
