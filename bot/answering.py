"""The bot: it answers from the live generation, with whatever is at hand for it."""

import asyncio
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.settings import Settings
from bot.wiring import Stores, ports_for
from core.conversation import AlreadyAnswered, Question
from core.delivery import Part
from core.errors import PortError
from core.phrases import phrase
from core.pipeline import Ports, answer_question, failed, reply_to
from core.ports import LanguageModel, Threads
from core.render import say
from core.reply import RenderedReply
from core.text import language_of
from core.turn import TurnRecord

log = logging.getLogger("footnote")

Parts = Callable[[RenderedReply], tuple[Part, ...]]


@dataclass(frozen=True, slots=True)
class Live:
    """What answers questions over a generation."""

    number: int
    ports: Ports


@dataclass(frozen=True, slots=True)
class Recorded:
    """A model whose replies are recorded, and the generation that it was asked about."""

    model: LanguageModel
    generation: int


class Bot:
    """Answers questions; a new generation is taken up with the next one."""

    def __init__(self, stores: Stores, model: LanguageModel, settings: Settings) -> None:
        self._stores = stores
        self._model = model
        self._settings = settings
        self._switching = asyncio.Lock()
        self._live: Live | None = None

    async def answer(
        self, question: Question, parts: Parts, threads: Threads, recorded: Recorded | None = None
    ) -> None:
        """Store the one visible reply, whatever fails, in the messages that say it. Raises PortError if it cannot."""
        try:
            live = await self.live()
        except PortError as failure:
            if failure.retry:
                raise
            return await threads.close(question, parts(failed(question, reference(failure))))
        if live is None:
            language = language_of(question.text)
            return await threads.close(question, parts(say(phrase("no_index", language), language)))
        # What a model said of documents that have been replaced since is not used.
        model = recorded.model if recorded and live.number == recorded.generation else self._model
        ports = replace(live.ports, threads=threads, parts=parts, model=model)
        return await reply_to(question, ports, reference, log.warning)

    async def explain(self, question: Question, *, hierarchical: bool = False) -> TurnRecord | AlreadyAnswered | None:
        """Return the whole record of the answered question, or None when nothing is indexed. Raises PortError."""
        ports = await self.ports()
        if ports is None:
            return None
        return await answer_question(
            question, replace(ports, options=replace(ports.options, hierarchical=hierarchical))
        )

    @property
    def model(self) -> LanguageModel:
        """The models as they are configured."""
        return self._model

    async def generation(self) -> int:
        """Return the number of the live generation, 0 when nothing is indexed. Raises StorageError."""
        live = await self._stores.catalog.live()
        return live.number if live else 0

    async def ports(self) -> Ports | None:
        """Return what answers questions over the live generation, or None when nothing is indexed."""
        live = await self.live()
        return live.ports if live else None

    async def live(self) -> Live | None:
        """Return the live generation with what answers questions over it, or None when nothing is indexed."""
        found = await self._stores.catalog.live()
        if found is None:
            return None
        async with self._switching:
            if self._live is None or self._live.number != found.number:
                ports = await ports_for(found, self._stores, self._model, self._settings)
                self._live = Live(found.number, ports)
            return self._live


def reference(failure: Exception | str) -> str:
    """Return a new reference under which the failure is logged, without the question's words."""
    name = secrets.token_hex(3).upper()
    log.error("%s: %s", name, failure)
    return name
