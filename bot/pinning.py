"""Checked answers: an admin keeps one, whoever asks the same gets it, and it falls when a source of it changes."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Protocol

from core.conversation import MessageRef, Question
from core.errors import PortError
from core.facts import FactsPayload
from core.followup import FollowUpDecision
from core.ingest.document import Document
from core.ingest.generation import Generation
from core.listing import read_listed
from core.pin import Again, Documents, Fallen, NotForThem, Pin, checked, given_again, pin_of
from core.recall import is_whole, same_words
from core.render import render
from core.turn import Told, TurnRecord

log = logging.getLogger("footnote")

Now = Callable[[], datetime]
ToldOf = Callable[[str], Awaitable[tuple[Told, str, bool] | None]]

# Who planned an answer that is given again because it is shared.
SHARED = "share"


class PinStore(Protocol):
    """The checked answers as they are kept; everything raises StorageError."""

    async def put(self, pin: Pin) -> int:
        """Keep a checked answer and return its number."""

    async def standing(self, tenant: str, words: str) -> Sequence[Pin]:
        """Return the checked answers to a question that have not fallen, the newest first."""

    async def fall(self, number: int, because: str, at: datetime) -> None:
        """Note that a checked answer is not given any more, and why."""

    async def remove(self, number: int) -> bool:
        """Forget a checked answer; False when there is none of this number."""

    async def of(self, question: str, version: int) -> Pin | None:
        """Return what was kept of this answer itself."""


class Answers(Protocol):
    """The answers that were given; everything raises StorageError."""

    async def result(self, question: str, version: int) -> Any:
        """Return the result contract of an answer, None when it is not there (any more)."""

    async def answer_in(self, message: MessageRef) -> tuple[str, int] | None:
        """Return the question, and its version, whose answer the message shows as it stands now."""


class Catalog(Protocol):
    """The documents of each generation; everything raises StorageError."""

    async def live(self) -> Generation | None:
        """Return the generation that is read, or None before the first."""

    async def documents(self, generation: int, ids: Sequence[str] | None = None) -> tuple[Document, ...]:
        """Return the documents of a generation with these ids; none of one that is gone."""


class Pinned:
    """The port `Pins` over the documents of one generation; `told_of`: what is stored of a question that is done."""

    def __init__(self, store: PinStore, documents: Documents, now: Now, told_of: ToldOf | None = None) -> None:
        self._store = store
        self._told_of = told_of
        self._documents = documents
        self._now = now

    async def find(self, question: Question, decision: FollowUpDecision) -> TurnRecord | None:
        """Return the record of the checked answer to this question for its audience, or None. Never raises.

        One that the documents do not hold any more has fallen, which is noted.
        """
        is_shared = question.pressed is not None and question.pressed.kind == "share"
        if not is_shared and (question.pressed or not is_whole(question, decision)):
            return None
        try:
            if is_shared:
                return await self._shared(question, decision)
            return await self._found(question, decision)
        except PortError as error:
            log.warning("Whether a person has checked an answer could not be read, so it is made anew: %s", error)
            return None

    async def _shared(self, question: Question, decision: FollowUpDecision) -> TurnRecord | None:
        """Return the very answer that is shared, for those who may read all that it shows."""
        told = await self._told_of(question.pressed.question) if question.pressed and self._told_of else None
        result = told[0].result if told else None
        if result is None or result.get("is_refusal") or not result.get("claims"):
            return None
        pin = Pin(question.audience.tenant, question.text, question.id, 0, result, "", self._now())
        match given_again(pin, self._documents, question.audience):
            case Again() as again if again.is_open or not (result["lead"] or result["remaining"]):
                return _record(question, decision, pin, again, self._now())
        return None

    async def _found(self, question: Question, decision: FollowUpDecision) -> TurnRecord | None:
        for pin in await self._store.standing(question.audience.tenant, same_words(question.text)):
            match given_again(pin, self._documents, question.audience):
                case Again() as again:
                    return _record(question, decision, pin, again, self._now())
                case Fallen(because):
                    await self._store.fall(pin.number, because, self._now())
                case NotForThem():
                    pass
        return None


class Pinning:
    """Keeps and forgets checked answers, for those who may: whoever calls this has seen to that."""

    def __init__(self, store: PinStore, answers: Answers, catalog: Catalog, now: Now) -> None:
        self._store = store
        self._answers = answers
        self._catalog = catalog
        self._now = now

    async def pin(self, question: str, version: int, tenant: str, by: str) -> Pin | None:
        """Keep the answer to a question as checked by this person, and return it.

        Returns None for what could not be given to anybody else: a refusal, an answer that leans on what came before
        it or on the day, one whose record has gone. Raises StorageError.
        """
        result = await self._answers.result(question, version)
        if not result or result.get("pin"):
            return None
        documents = await self._read_for(result)
        pin = pin_of(result, documents, question=question, version=version, tenant=tenant, by=by, at=self._now())
        return replace(pin, number=await self._store.put(pin)) if pin else None

    async def _read_for(self, result: Mapping[str, Any]) -> Documents:
        """Return the documents that an answer cites, as they were when it was made, or else as they are now."""
        ids = sorted({one["doc_id"] for one in result.get("citations", ())})
        live = await self._catalog.live()
        held = await self._catalog.documents(int(result.get("generation") or 0), ids)
        now = await self._catalog.documents(live.number, ids) if live else ()
        return {document.id: document for document in (*now, *held)}

    async def unpin(self, question: str, version: int, given_from: int | None = None, *, by: str = "") -> bool:
        """Forget the answer as a checked one, or the one that it was given from; with `by` only that person's own.

        Returns whether there was one. Raises StorageError.
        """
        own = await self._store.of(question, version)
        is_theirs = own is not None and by in ("", own.by)
        gone = await self._store.remove(own.number) if own and is_theirs else False
        if given_from is None or by:
            return gone
        return await self._store.remove(given_from) or gone


def _record(question: Question, decision: FollowUpDecision, pin: Pin, again: Again, now: datetime) -> TurnRecord:
    """Return the record of an answer that is given again: one that a person had checked, or that is shared."""
    again = replace(again, answer=replace(again.answer, language=question.language))
    if not pin.number:
        listed, remaining = read_listed(pin.result["list"]), int(pin.result["remaining"])
        answer = replace(again.answer, remaining=remaining)
        reply = render(answer, again.plan.render_style, listed)
        return TurnRecord(
            question, decision, again.plan, SHARED, FactsPayload(), answer, reply, 0.0, now, listed=listed
        )
    reply = render(again.answer, again.plan.render_style)
    return TurnRecord(
        question=question,
        decision=decision,
        plan=again.plan,
        planned_by="pin",
        payload=FactsPayload(),
        answer=again.answer,
        reply=replace(reply, checks=(*reply.checks, checked(pin, question))),
        seconds=0.0,
        finished_at=now,
        pin=pin.number,
    )
