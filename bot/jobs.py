"""The durable job: one question, from its place in the line to its reply in the outbox, whatever dies on the way."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Literal, TypeVar

from bot.patience import patiently
from bot.steps import Json, step
from core.conversation import AlreadyAnswered, Question, Thread
from core.delivery import Part
from core.errors import BadModelOutput, ModelError, ModelRefused, ModelTimeout
from core.metering import Metered
from core.ports import Completion, LanguageModel, ModelRequest
from core.running import Turns
from core.turn import Spent, TurnRecord

log = logging.getLogger("footnote")

# Before each further try of a model that failed in a way that may pass; one that gave no reply in time had its chance.
MODEL_PAUSES = (0.5, 2.0)

_KINDS: Mapping[str, type[ModelError]] = {
    kind.__name__: kind for kind in (ModelError, ModelTimeout, ModelRefused, BadModelOutput)
}

# What a step is recorded as, where one role does more than one thing.
_STEPS = {"Rewriting": "reading", "Addressed": "overhearing"}

T = TypeVar("T")


class CheckpointedModel:
    """The port `LanguageModel` inside a durable run: each reply, or final failure, is recorded before it is used.

    So a crash never pays for a call twice, and neither a plan nor an answer is made again.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def offers(self, role: Literal["planner", "answer"]) -> bool:
        """Return whether a model is configured for the role."""
        return self._model.offers(role)

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the reply, made now or recorded before. Raises ModelError, recorded likewise."""

        async def ask() -> Json:
            return await self._asked(request)

        said = await step(_STEPS.get(request.name, request.role), ask, digest(request))
        if "failed" in said:
            paid = {"tokens": said.get("tokens", 0), "cost": said.get("cost", 0.0)}
            raise _KINDS[said["failed"]](said["reason"], retry=said["retry"], **paid)
        # A reply that was recorded by a version before this one has no cost.
        return Completion(said["text"], said["model"], said["tokens"], said.get("cost", 0.0), said.get("unread", 0))

    async def _asked(self, request: ModelRequest) -> Json:
        pauses, meter = iter(MODEL_PAUSES), Metered(self._model)
        while True:
            try:
                reply = await meter.complete(request)
            except ModelError as error:
                pause = next(pauses, None)
                if pause is None or not error.retry or isinstance(error, ModelTimeout):
                    said: Json = {"failed": type(error).__name__, "reason": error.reason, "retry": error.retry}
                    break
                await asyncio.sleep(pause)
            else:
                said = {"text": reply.text, "model": reply.model} | ({"unread": reply.unread} if reply.unread else {})
                break
        return said | {"tokens": meter.spent.tokens, "cost": meter.spent.cost}


class PatientThreads:
    """The port `Turns` that waits for a database that is away: what has been paid for is not given up for that."""

    def __init__(self, threads: Turns) -> None:
        self._threads = threads

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        """Return the thread's earlier turns, or that nothing is to be said any more."""
        return await patiently(lambda: self._threads.open(question))

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        """Store what came of the question and the messages that say it."""
        await patiently(lambda: self._threads.close(question, parts, record))

    async def knows(self, thread: str, asker: str | None = None) -> bool:
        """Return whether the thread holds a question that was asked of us, by anybody or by the `asker`."""
        return await patiently(lambda: self._threads.knows(thread, asker))

    async def pass_over(self, question: Question, because: str, spent: Spent) -> None:
        """Store that an overheard message is not for us."""
        await patiently(lambda: self._threads.pass_over(question, because, spent))


def digest(request: ModelRequest) -> str:
    """Return what tells the call from others of its run: all that it asks, but for the marker that is always new."""
    asked = request.user.replace(request.marker, "") if request.marker else request.user
    return sha256(f"{request.name}\0{request.system}\0{asked}".encode()).hexdigest()


def question_of(run: str) -> tuple[str, int]:
    """Return the id and the version of the question that a run answers."""
    question, _, version = run.rpartition("#")
    return question, int(version)


def run_id(question_id: str, version: int | Literal[""]) -> str:
    """Return the id of the run that answers a question in this version, or what the ids of all versions begin with."""
    return f"{question_id}#{version}"


def run_prefix(platform: str) -> str:
    """Return what the ids of all runs for a platform begin with, as those of its questions do."""
    return f"{platform}:"
