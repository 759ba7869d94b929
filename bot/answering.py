"""The bot: it answers from the live generation, with whatever is at hand for it."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from bot.audiences import Audiences
from bot.budget import Budgeted
from bot.guarding import Shrunk, Watched, careful
from bot.knowledge import Loaded, load, ports_over
from bot.patience import patiently
from bot.settings import Settings
from bot.wiring import Stores, SystemClock
from core.addressed import passed_over
from core.audience import narrowed
from core.conversation import AlreadyAnswered, Audience, Question
from core.delivery import Part
from core.errors import PortError, SearchError, whereabouts
from core.ingest.generation import Make
from core.masking import MaskedModel
from core.outside import Ports
from core.phrases import phrase
from core.pipeline import answer_question, reply_to
from core.ports import Found, Knowledge, LanguageModel, Search, SearchQuery, Threads
from core.render import say
from core.reply import RenderedReply
from core.telling import Tell, nobody
from core.turn import TurnRecord
from core.unanswered import failed

log = logging.getLogger("footnote")

# Seconds between looks for a new generation.
LOOK_EVERY = 0.5
# A question that begins so many times, each time over a generation that is replaced meanwhile, is given up.
_BEGINNINGS = 5

T = TypeVar("T")
Parts = Callable[[RenderedReply], tuple[Part, ...]]


@dataclass(frozen=True, slots=True)
class Live:
    """What answers questions over a generation. `loaded`: what the next generation's can be made from."""

    number: int
    ports: Ports
    loaded: Loaded | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """A model whose replies are recorded, and the generation that it was asked about."""

    model: LanguageModel
    generation: int


class Replaced(Exception):
    """The generation that a question ran on cannot be searched any more, and another one is live."""


class Bot:
    """Answers questions, each over one generation; the old one goes on answering until a new one is at hand."""

    def __init__(self, stores: Stores, model: LanguageModel, settings: Settings) -> None:
        self._stores = stores
        self._audiences: Audiences | None = None
        self._model = MaskedModel(model) if settings.masks_for_models else model
        self._settings = settings
        self._switching = asyncio.Lock()
        self._live: Live | None = None
        self._warm = 0

    def heed(self, audiences: Audiences) -> None:
        """Answer from now on for those who read in a place, as these tell; else for whom a question says."""
        self._audiences = audiences

    async def answer(
        self,
        question: Question,
        parts: Parts,
        threads: Threads,
        recorded: Recorded | None = None,
        *,
        tell: Tell = nobody,
    ) -> None:
        """Store the one visible reply, whatever fails, in the messages that say it. Raises PortError if it cannot.

        What may pass is waited for, before anything is made of it: nobody is told less because a database was away.
        `tell` hears how it goes.
        """

        async def over(live: Live | None) -> None:
            if live is None:
                language = question.language
                return await threads.close(question, parts(say(phrase("no_index", language), language)))
            # What a model said of documents that have been replaced since is not used.
            is_current = recorded is not None and live.number == recorded.generation
            model = recorded.model if recorded and is_current else self.model_for(question.audience.tenant)
            ports = replace(live.ports, threads=threads, parts=parts, model=model, tell=tell)
            return await self._for_who_reads(question, ports)

        try:
            live = await patiently(self.live)
        except PortError as failure:
            return await threads.close(question, parts(failed(question, reference(failure))))
        return await self._begun_anew(live, over)

    async def _for_who_reads(self, question: Question, ports: Ports) -> None:
        """Store the reply for those who read it; answered anew when somebody came meanwhile who may read less."""
        if self._audiences is None or not ports.knowledge.closed:
            return await reply_to(question, ports, reference, log.warning)
        now = partial(self._audience_of, fresh=True)
        tell = careful(ports.tell, ports.knowledge)
        watched = replace(ports, threads=Watched(ports.threads, ports.knowledge, now), tell=tell)
        asked = replace(question, audience=await self._audience_of(question))
        try:
            return await reply_to(asked, watched, reference, log.warning)
        except Shrunk as less:
            fewer = replace(question, audience=narrowed(asked.audience, less.audience))
        # What was recorded of a model is what it said to the others.
        watched = replace(watched, model=self.model_for(question.audience.tenant))
        try:
            return await reply_to(fewer, watched, reference, log.warning)
        except Shrunk:
            # People come and go: what is left is for whoever may be there.
            fewest = replace(question, audience=self._audiences.smallest(question))
            return await reply_to(fewest, replace(watched, threads=ports.threads), reference, log.warning)

    async def passed_over(self, question: Question, recorded: Recorded, *, goes_on: bool = False) -> str | None:
        """Return why a message that was only overheard is not for us, or None when it is. Raises PortError.

        `goes_on`: it stands in a thread that we have answered in, and its words may go on with us.
        """

        async def over(live: Live | None) -> str | None:
            if live is None:
                return "nothing is indexed"
            is_current = live.number == recorded.generation
            model = recorded.model if is_current else self.model_for(question.audience.tenant)
            if self._audiences and live.ports.knowledge.closed:
                heard = replace(question, audience=await self._audience_of(question))
                return await passed_over(heard, live.ports.search, model, goes_on=goes_on)
            return await passed_over(question, live.ports.search, model, goes_on=goes_on)

        return await self._begun_anew(await patiently(self.live), over)

    async def _audience_of(self, question: Question, *, fresh: bool = False) -> Audience:
        """Return whom a reply to the question is for now, once that can be told."""
        audiences = self._audiences
        return await patiently(lambda: audiences.of(question, fresh=fresh)) if audiences else question.audience

    def knowledge(self) -> Knowledge | None:
        """Return what is known of the documents that answer now, None before any do."""
        return self._live.ports.knowledge if self._live else None

    async def known(self) -> Knowledge | None:
        """Return the same once an index is loaded, None when there is none. Raises PortError."""
        live = await self.live()
        return live.ports.knowledge if live else None

    @property
    def make(self) -> Make | None:
        """By what the generation was made that answers now, None before any does."""
        return self._live.loaded.generation.make if self._live and self._live.loaded else None

    def may_read(self, doc_id: str, audience: Audience) -> bool:
        """Return whether the audience may read a document of the generation that answers now."""
        loaded = self._live.loaded if self._live else None
        document = loaded.documents.get(doc_id) if loaded else None
        return document is not None and audience.may_read(document.readers)

    async def explain(
        self, question: Question, *, hierarchical: bool = False, tell: Tell = nobody
    ) -> TurnRecord | AlreadyAnswered | None:
        """Return the whole record of the answered question, or None when nothing is indexed. Raises PortError."""
        told = tell if self._settings.streaming == "on" else nobody

        async def over(live: Live | None) -> TurnRecord | AlreadyAnswered | None:
            if live is None:
                return None
            options = replace(live.ports.options, hierarchical=hierarchical)
            model = self.model_for(question.audience.tenant)
            return await answer_question(question, replace(live.ports, options=options, model=model, tell=told))

        return await self._begun_anew(await self.take_up(), over)

    async def _begun_anew(self, live: Live | None, over: Callable[[Live | None], Awaitable[T]]) -> T:
        """Return what comes over the generation, begun anew over the live one when that one is gone meanwhile."""
        for _ in range(_BEGINNINGS - 1):
            try:
                return await over(live)
            except Replaced:
                live = await patiently(self.take_up)
        return await over(live)

    def model_for(self, tenant: str) -> LanguageModel:
        """Return the models as they are configured, within the workspace's budget if it has one."""
        dollars = self._settings.daily_budget_usd
        if dollars is None:
            return self._model
        return Budgeted(self._model, self._stores.spending, tenant, dollars, SystemClock())

    async def generation(self) -> int:
        """Return the number of the generation that answers now, 0 when nothing is indexed. Raises StorageError."""
        live = self._live or await self._stores.catalog.live()
        return live.number if live else 0

    async def ports(self) -> Ports | None:
        """Return what answers questions over the live generation, or None when nothing is indexed."""
        live = await self.take_up()
        return live.ports if live else None

    async def live(self) -> Live | None:
        """Return what answers questions now; only the first time that is waited for. None when nothing is indexed."""
        return self._live or await self.take_up()

    async def take_up(self) -> Live | None:
        """Return the live generation once it answers; None when nothing is indexed. Raises PortError.

        Meanwhile questions are answered over the one before. Only what changed is loaded.
        """
        async with self._switching:
            found = await self._stores.catalog.live()
            if found is None or (self._live and self._live.number == found.number):
                return self._live
            before = self._live.loaded if self._live else None
            loaded = await load(found, self._stores, before)
            if before:
                await loaded.search.warm()
            ports = ports_over(loaded, self._stores, self._model, self._settings)
            steady = _Steady(loaded.search, lambda: self._is_live(found.number))
            self._live = Live(found.number, replace(ports, search=steady), loaded)
            return self._live

    async def warm(self) -> None:
        """Take up the live generation with all that its first question would wait for. Raises PortError."""
        live = await self.take_up()
        if live and live.loaded and live.number != self._warm:
            await live.loaded.warm()
            self._warm = live.number

    async def follow(self) -> None:
        """Take up each new generation by ourselves, before anybody asks, until cancelled. Never raises."""
        told = ""
        while True:
            try:
                await self.warm()
                told = ""
            except Exception as error:  # noqa: BLE001 - whatever is wrong with it, the index before goes on answering
                if told != (told := whereabouts(error)):
                    log.warning("The newest index cannot answer: %s", told)
            await asyncio.sleep(LOOK_EVERY)

    async def _is_live(self, number: int) -> bool:
        live = await self._stores.catalog.live()
        return live is not None and live.number == number


class _Steady:
    """The search over a generation, which tells a question to begin anew when that generation was replaced."""

    def __init__(self, search: Search, is_live: Callable[[], Awaitable[bool]]) -> None:
        self._search = search
        self._is_live = is_live

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        """Return what is found. Raises SearchError, and Replaced."""
        try:
            return await self._search.find(query, audience)
        except SearchError:
            if await self._is_live():
                raise
        raise Replaced


def reference(failure: Exception | str) -> str:
    """Return a new reference under which the failure is logged, without the question's words."""
    name = secrets.token_hex(3).upper()
    log.error("%s: %s", name, failure)
    return name
