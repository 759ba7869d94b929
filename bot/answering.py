"""The bot as platforms see it: it records, answers from the live generation, and remembers its messages."""

import asyncio
import logging
import secrets
from collections.abc import Sequence
from dataclasses import replace

from bot.settings import Settings
from bot.wiring import Stores, ports_for
from core.conversation import AlreadyAnswered, MessageRef, Question
from core.errors import PortError
from core.phrases import phrase
from core.pipeline import Ports, answer_question, or_failure, reply_to
from core.ports import LanguageModel
from core.render import say
from core.reply import RenderedReply
from core.text import language_of
from core.turn import TurnRecord

log = logging.getLogger("footnote")


class Bot:
    """Satisfies `Answerer`; a new generation is taken up with the next question."""

    def __init__(self, stores: Stores, model: LanguageModel, settings: Settings) -> None:
        self._stores = stores
        self._model = model
        self._settings = settings
        self._switching = asyncio.Lock()
        self._ports: tuple[int, Ports] | None = None

    async def record(self, question: Question) -> bool:
        """Store the question durably; False when it is known already."""
        return await self._stores.threads.record(question)

    async def answer(self, question: Question) -> RenderedReply | None:
        """Return the one visible reply, whatever fails; None when it has been answered before."""
        ports = await or_failure(self.ports())
        language = language_of(question.text)
        match ports:
            case None:
                return say(phrase("no_index", language), language)
            case PortError():
                return say(phrase("failed", language, reference=_reference(ports)), language)
            case Ports():
                return await reply_to(question, ports, _reference, log.warning)

    async def explain(self, question: Question, *, hierarchical: bool = False) -> TurnRecord | AlreadyAnswered | None:
        """Return the whole record of the answered question, or None when nothing is indexed. Raises PortError."""
        ports = await self.ports()
        if ports is None:
            return None
        return await answer_question(
            question, replace(ports, options=replace(ports.options, hierarchical=hierarchical))
        )

    async def delivered(self, question: Question, messages: Sequence[MessageRef]) -> None:
        """Remember the messages that carry the reply."""
        await self._stores.threads.delivered(question, messages)

    async def thread_of(self, message: MessageRef) -> str | None:
        """Return the thread that a message belongs to."""
        return await self._stores.threads.thread_of(message)

    async def knows(self, thread: str) -> bool:
        """Return whether the thread is a conversation with us."""
        return await self._stores.threads.knows(thread)

    async def ports(self) -> Ports | None:
        """Return what answers questions over the live generation, or None when nothing is indexed."""
        live = await self._stores.catalog.live()
        if live is None:
            return None
        async with self._switching:
            if self._ports is None or self._ports[0] != live.number:
                self._ports = (live.number, await ports_for(live, self._stores, self._model, self._settings))
            return self._ports[1]


def _reference(failure: PortError) -> str:
    """Return a new reference under which the failure is logged, without the question's words."""
    reference = secrets.token_hex(3).upper()
    log.error("%s: %s", reference, failure)
    return reference
