"""The door: who must be looked up before they may ask is let in or turned away, before anything is made or shown."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace

from bot.jobs import run_id
from bot.patience import patiently
from core.conversation import Question
from core.errors import DeliveryError, whereabouts
from core.running import Inbox, Platform
from core.visiting import KeepsDoor, SaysAtOnce
from core.work import Place

log = logging.getLogger("footnote")

# Seconds between two looks at one question.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 5.0
# Seconds between two words of it in the log: many may wait for the same trouble.
_TOLD_AGAIN = 60.0
# Seconds after which a question is of no use to anybody any more.
_GIVE_UP = 24 * 3600.0


class Door:
    """Decides each question once in this process, however many wait for it; `deliver` when something may be seen."""

    def __init__(self, inbox: Inbox, platforms: Mapping[str, Platform], deliver: Callable[[Place], None]) -> None:
        self._inbox = inbox
        self._platforms = platforms
        self._deliver = deliver
        self._deciding: dict[str, asyncio.Task[Question | None]] = {}
        self._told = float("-inf")

    def see_to(self, question: Question) -> None:
        """Begin to decide; whoever takes the question up waits for the same."""
        self._decision(question)

    async def opened(self, question: Question) -> Question | None:
        """Return the question once it may be answered; None when it may not be, or stands no more in this version.

        However long Slack cannot say who asks, a day at most. Raises PortError when it cannot be stored.
        """
        return await asyncio.shield(self._decision(question))

    async def close(self) -> None:
        """Leave what is not decided to whoever takes it up."""
        under_way = list(self._deciding.values())
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)

    def _decision(self, question: Question) -> "asyncio.Task[Question | None]":
        id_ = run_id(question.id, question.version)
        if id_ not in self._deciding:
            self._deciding[id_] = asyncio.create_task(self._decided(question))
            self._deciding[id_].add_done_callback(lambda task: self._end(id_, task))
        return self._deciding[id_]

    def _end(self, id_: str, task: "asyncio.Task[Question | None]") -> None:
        del self._deciding[id_]
        if not task.cancelled() and (error := task.exception()):
            log.warning("%s waits at the door: %s", id_, whereabouts(error))

    async def _decided(self, question: Question) -> Question | None:
        waited, pause = 0.0, _FIRST_PAUSE
        while True:
            try:
                let_in = await self._looked_up(question)
                break
            except Exception as error:  # noqa: BLE001 - whatever it is, it is not known who asks
                self._tell(error)
            if waited > _GIVE_UP:
                log.error("%s is given up: for a day it could not be told who asks", question.id)
                let_in = None
                break
            await asyncio.sleep(pause)
            waited, pause = waited + pause, min(2 * pause, _LONGEST_PAUSE)
            if await patiently(lambda: self._inbox.question(question.id, question.version)) is None:
                return None
        return await self._stored(question, let_in)

    async def _looked_up(self, question: Question) -> Question | None:
        platform = self._platforms[question.platform]
        if isinstance(platform, KeepsDoor):
            return await platform.let_in(question)
        return replace(question, at_door=False)

    async def _stored(self, question: Question, let_in: Question | None) -> Question | None:
        if let_in is None:
            await patiently(lambda: self._inbox.turn_away(question))
            return None
        stands = await patiently(lambda: self._inbox.let_in(let_in))
        self._deliver((question.platform, question.place))
        if stands and isinstance(platform := self._platforms[question.platform], SaysAtOnce):
            platform.at_work_on(let_in)
        return let_in if stands else None

    def _tell(self, error: Exception) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._told >= _TOLD_AGAIN:
            self._told = now
            why = error.reason if isinstance(error, DeliveryError) else whereabouts(error)
            log.warning("Questions wait until it is known who asks: %s", why)
