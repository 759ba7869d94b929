"""`/reindex`: an admin orders an index run, asks how far it is, or stops it, by word or by a press."""

from collections.abc import Callable, Collection
from datetime import UTC, datetime
from typing import Protocol

from bot.admin.index_words import BEGINNING, live_text
from bot.commanding import Duty, duty, refusal
from bot.progress import Generations, Step, progress_of
from core.commands import REINDEX, IndexWish
from core.conversation import Command, PlatformName
from core.ingest.order import IndexOrder
from core.phrases import phrase
from core.press import Heard, OutOfDate, Press, PressOutcome
from core.render import say
from core.reply import Paragraph, RenderedReply, Text
from core.text import Language


class Ordering(Protocol):
    """Where orders are kept; everything raises StorageError."""

    async def place(
        self, person: str, where: tuple[PlatformName, str], language: Language, at: datetime
    ) -> tuple[IndexOrder, bool]:
        """Return the order that is open now, and whether it is the one that was just given."""

    async def open(self) -> IndexOrder | None:
        """Return the order that has not ended."""

    async def stop(self, number: int) -> bool:
        """Note that it is to stop; False when it has ended."""


class Runs(Generations, Protocol):
    """The catalogue, as far as it tells of runs and stops them; everything raises StorageError."""

    async def stop(self) -> bool:
        """Ask whoever builds a generation to stop; False when nobody does."""


class IndexDuty:
    """Takes orders in. `wake` is called when there is one; `admins` may press the button that stops it."""

    def __init__(self, orders: Ordering, runs: Runs, wake: Callable[[], None], admins: Collection[str]) -> None:
        self._orders = orders
        self._runs = runs
        self._wake = wake
        self._admins = frozenset(admins)

    def duty(self) -> Duty:
        """Return the command with what is done for it."""
        return duty(REINDEX, self._done)

    async def pressed(self, press: Press) -> PressOutcome:
        """Stop the order that the button names, if an admin pressed it; who that is, is asked at every press."""
        person, number = press.by, press.button.partition(":")[2]
        order = await self._orders.open()
        if order is None:
            return OutOfDate("index_nothing_to_stop")
        if str(order.number) != number:
            return OutOfDate()
        if person not in self._admins:
            return Heard(refusal(person, order.language))
        return Heard(await self._stop(order.language))

    async def _done(self, command: Command, wish: IndexWish) -> RenderedReply:
        match wish:
            case "start":
                return await self._start(command)
            case "status":
                return await self._status(command.language)
            case "cancel":
                return await self._stop(command.language)

    async def _start(self, command: Command) -> RenderedReply:
        language = command.language
        if await self._orders.open() is None and await self._step() is not None:
            return await self._status(language)
        where = (command.platform, direct_place(command))
        _, is_new = await self._orders.place(command.person, where, language, datetime.now(UTC))
        self._wake()
        return say(phrase("index_started", language), language) if is_new else await self._status(language)

    async def _status(self, language: Language) -> RenderedReply:
        order, step = await self._orders.open(), await self._step()
        if order is None and step is None:
            return say(phrase("index_idle", language), language)
        seconds = (datetime.now(UTC) - order.asked_at).total_seconds() if order else None
        lines = live_text(step or BEGINNING, seconds, language).splitlines()
        first = phrase("index_runs", language)
        return RenderedReply(tuple(Paragraph((Text(line),)) for line in (first, *lines)), (), language)

    async def lines(self, language: Language) -> tuple[str, ...]:
        """Return how far the run is that is under way, in words; that there is none."""
        order, step = await self._orders.open(), await self._step()
        if order is None and step is None:
            return (phrase("index_idle", language),)
        return tuple(live_text(step or BEGINNING, None, language).splitlines()[:3])

    async def _stop(self, language: Language) -> RenderedReply:
        order = await self._orders.open()
        stopped = await self._orders.stop(order.number) if order else await self._step() and await self._runs.stop()
        self._wake()
        return say(phrase("index_stopping" if stopped else "index_nothing_to_stop", language), language)

    async def _step(self) -> Step | None:
        """Return how far the run is that is under way, wherever it runs."""
        async for one in progress_of(self._runs):
            return one if isinstance(one, Step) else None
        return None


def direct_place(command: Command) -> str:
    """Return where the person alone is spoken to: here, or else in their direct channel or private chat."""
    if command.is_direct:
        return command.place
    person = command.person.rpartition(":")[2]
    return f"{command.place.rpartition(':')[0]}:{person}" if command.platform == "slack" else person
