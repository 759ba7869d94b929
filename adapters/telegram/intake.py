"""One update after another: recorded, put in its lane, answered, delivered."""

import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from telegram import Bot, Update

from adapters.telegram.events import Asked, Event, Hinted, Me, Place, event_of
from adapters.telegram.failures import whereabouts
from adapters.telegram.format import answer_parts, evidence_parts
from adapters.telegram.lanes import Lanes
from adapters.telegram.richtext import Part
from adapters.telegram.send import deliver, typing
from adapters.telegram.words import hint
from core.conversation import Audience, MessageRef, Question
from core.errors import DeliveryError, PortError
from core.phrases import phrase
from core.ports import Answerer
from core.render import say
from core.reply import RenderedReply
from core.text import language_of

log = logging.getLogger(__name__)

AUDIENCE = Audience(tenant="telegram")
# Telegram repeats an update for a day at most; in a day few bots are asked more often than this.
REMEMBERED = 10_000

Remember = Callable[[MessageRef], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Messages:
    """A reply in Telegram's dialect."""

    answer: list[Part]
    evidence: list[Part]


class Intake:
    """Takes updates in, each question once, and answers them in their lanes."""

    def __init__(self, bot: Bot, me: Me, answerer: Answerer, lanes: Lanes) -> None:
        self._bot = bot
        self._me = me
        self._answerer = answerer
        self._lanes = lanes
        self._begun: dict[str, None] = {}

    async def take(self, raw: dict[str, Any]) -> None:
        """Return once Telegram may forget the update, because its question is stored. Raises PortError if it is not."""
        event = self._event(raw)
        if isinstance(event, Asked):
            await self._take_question(event)
        elif isinstance(event, Hinted) and self._begins(event.key):
            self._lanes.add(event.key, partial(self._give_hint, event))

    def _event(self, raw: dict[str, Any]) -> Event | None:
        try:
            return event_of(Update.de_json(raw, self._bot), self._me)
        except Exception as error:  # noqa: BLE001 - one odd update must not hold up the others
            log.warning("Telegram: update %s cannot be read: %s", raw.get("update_id"), whereabouts(error))
            return None

    async def _take_question(self, asked: Asked) -> None:
        """Store the question and put it in its thread's lane.

        One that was stored before goes there too, unless this process has begun it: whoever stored it may have
        crashed, and for one that has been answered the answerer gives None.
        """
        try:
            question = _question(asked, await self._thread(asked))
            await self._answerer.record(question)
        except PortError:
            raise
        except Exception as error:  # noqa: BLE001 - a mistake of ours: it would come again for ever
            failure = _formatted(_failure(error, str(asked.ref), asked.text))
            self._lanes.add(str(asked.ref), partial(self._deliver, asked.place, failure))
            return
        if self._begins(question.id):
            self._lanes.add(question.thread, partial(self._answer, question, asked))

    async def _thread(self, asked: Asked) -> str:
        """Return the conversation: a private chat is one, in a group each question and what replies to it is."""
        if asked.private:
            return f"telegram:{asked.place.chat}"
        if asked.answers is None:
            return str(asked.ref)
        target = replace(asked.ref, message=str(asked.answers))
        return await self._answerer.thread_of(target) or str(asked.ref)

    def _begins(self, key: str) -> bool:
        """Return whether this is the first time the process meets the key."""
        if key in self._begun:
            return False
        self._begun[key] = None
        if len(self._begun) > REMEMBERED:
            del self._begun[next(iter(self._begun))]
        return True

    async def _answer(self, question: Question, asked: Asked) -> None:
        async with typing(self._bot, asked.place):
            messages = await self._messages(question)
        if messages is None:
            return
        carrying = [asked.ref]

        async def remember(sent: MessageRef) -> None:
            carrying.append(sent)
            await self._remember(question, carrying)

        await self._deliver(asked.place, messages, remember)

    async def _messages(self, question: Question) -> _Messages | None:
        """Return what to send: the reply, or the sentence that something failed, whatever that was."""
        try:
            reply = await self._answerer.answer(question)
            return _formatted(reply) if reply else None
        except Exception as error:  # noqa: BLE001 - whatever goes wrong, the asker is told
            return _formatted(_failure(error, question.id, question.text))

    async def _give_hint(self, hinted: Hinted) -> None:
        words = say(hint(hinted.kind, hinted.language, self._me.username), hinted.language)
        await self._deliver(hinted.place, _formatted(words))

    async def _deliver(self, place: Place, messages: _Messages, remember: Remember | None = None) -> None:
        try:
            async for sent in deliver(self._bot, place, messages.answer, messages.evidence):
                if remember:
                    await remember(sent)
        except DeliveryError as error:
            log.warning("Telegram: not everything was delivered: %s", error.reason)

    async def _remember(self, question: Question, messages: Sequence[MessageRef]) -> None:
        """Store at once what carries the reply so far: somebody may reply to it while the evidence is on its way."""
        try:
            await self._answerer.delivered(question, messages)
        except PortError as error:
            log.warning("Telegram: replies to the answer to %s will not find its thread: %s", question.id, error)


def _question(asked: Asked, thread: str) -> Question:
    return Question(
        id=str(asked.ref),
        platform="telegram",
        thread=thread,
        text=asked.text,
        asker=asked.asker,
        audience=AUDIENCE,
        asked_at=asked.asked_at,
    )


def _formatted(reply: RenderedReply) -> _Messages:
    messages = _Messages(answer_parts(reply), evidence_parts(reply))
    if not messages.answer:
        raise ValueError("the reply has no words")
    return messages


def _failure(error: Exception, what: str, text: str) -> RenderedReply:
    """Return the sentence with a reference, logged under the same one."""
    reference, language = secrets.token_hex(4), language_of(text)
    log.error("Telegram: %s failed, reference %s: %s", what, reference, whereabouts(error))
    return say(phrase("failed", language, reference=reference), language)
