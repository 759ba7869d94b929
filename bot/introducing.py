"""What somebody is shown who comes to see the bot: what it knows, what to ask, and for administrators how it fares."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import date, datetime
from typing import Protocol

from bot.answering import Bot
from bot.audiences import Audiences, where_named
from bot.suggesting import Suggestions
from core.conversation import Audience
from core.text import Language, language_of
from core.visiting import Caller, Introduction, Week


class Weeks(Protocol):
    """The latest week in numbers."""

    async def of(self, tenant: str, generation: int, today: date) -> Week:
        """Return the week that ends today, of one workspace."""


class Introducer:
    """Introduces the bot; `admins` are the persons who may see how it fares."""

    def __init__(
        self, bot: Bot, audiences: Audiences, weeks: Weeks, admins: Collection[str], now: Callable[[], datetime]
    ) -> None:
        self._bot = bot
        self._audiences = audiences
        self._weeks = weeks
        self._admins = frozenset(admins)
        self._now = now
        self._suggestions = Suggestions()

    async def introduced(self, caller: Caller) -> Introduction:
        """Return what this person may see: only what all of their workspace may read counts. Raises PortError.

        A guest does not belong to it, and sees what is for everybody.
        """
        live = await self._bot.live()
        week = None
        if caller.person in self._admins:
            number = live.number if live else 0
            week = await self._weeks.of(caller.audience.tenant, number, self._now().date())
        if live is None or live.loaded is None:
            return Introduction({}, week=week)
        documents, audience = live.loaded.documents.values(), await self._audience_of(caller)
        kinds = Counter(one.kind for one in documents if audience.may_read(one.readers))
        questions = _for_reader(await self._suggestions.of(live, audience), caller.language)
        return Introduction(kinds, live.loaded.generation.published_at, questions, week)

    async def _audience_of(self, caller: Caller) -> Audience:
        knowledge, where = self._bot.knowledge(), where_named(caller.person)
        if where is None or (knowledge and not knowledge.closed):
            return caller.audience
        own = await self._audiences.of_person(where)
        return replace(caller.audience, guests=own.guests) if own else caller.audience


def _for_reader(questions: tuple[str, ...], language: Language) -> tuple[str, ...]:
    """Return the questions in the reader's own language, or all where none is."""
    return tuple(each for each in questions if language_of(each) == language) or questions
