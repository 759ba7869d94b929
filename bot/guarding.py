"""The last look before a reply is stored to be seen: do all who read there now still may read what it was made from?"""

from collections.abc import Awaitable, Callable, Iterator, Sequence

from core.answer import Claim
from core.conversation import AlreadyAnswered, Audience, Question, Thread
from core.delivery import Part
from core.entities import resolve_entities
from core.followup import FollowUp, Standalone, Unclear
from core.ports import Knowledge, Threads
from core.telling import Proven, Reading, Step, Tell
from core.turn import TurnRecord

Now = Callable[[Question], Awaitable[Audience]]


class Shrunk(Exception):
    """Somebody reads there now who may not read what an answer was made from; `audience` is who reads there."""

    def __init__(self, audience: Audience) -> None:
        super().__init__("somebody who may not read all of it reads there now")
        self.audience = audience


class Watched:
    """The port `Threads` that stores no answer which shows more than those who read there at that moment may read."""

    def __init__(self, threads: Threads, knowledge: Knowledge, now: Now) -> None:
        self._threads = threads
        self._knowledge = knowledge
        self._now = now
        self._thread: Thread | None = None

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        """Return the thread's earlier turns, or that nothing is to be said any more."""
        found = await self._threads.open(question)
        self._thread = found if isinstance(found, Thread) else None
        return found

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        """Store what came of the question. Raises Shrunk, and stores nothing, when it would show too much."""
        if record and self._shows_closed(record):
            audience = await self._now(question)
            if not shows_only(record, self._thread, self._knowledge, audience):
                raise Shrunk(audience)
        await self._threads.close(question, parts, record)

    def _shows_closed(self, record: TurnRecord) -> bool:
        """Return whether it could show something that is not for everybody."""
        nobody = Audience("", guests=True)
        return not shows_only(record, self._thread, self._knowledge, nobody)


def careful(tell: Tell, knowledge: Knowledge) -> Tell:
    """Return who hears how it goes, but for what is not for everybody: that waits for the last look."""
    nobody = Audience("", guests=True)

    def heard(step: Step) -> None:
        match step:
            case Reading(passages):
                tell(Reading(passages, ()))
            case Proven(claims, style):
                proven = tuple(one for one in claims if knowledge.may_read(_cited(one), nobody))
                if proven:
                    tell(Proven(proven, style))
            case _:
                tell(step)

    return heard


def _cited(claim: Claim) -> Iterator[str]:
    return (citation.source.doc_id for citation in claim.citations)


def shows_only(record: TurnRecord, thread: Thread | None, knowledge: Knowledge, audience: Audience) -> bool:
    """Return whether the audience may read all that an answer was made from, and knows every name that is in it."""
    if not knowledge.may_read(_documents(record, thread), audience):
        return False
    known = knowledge.seen_by(audience).registry
    if known is knowledge.seen_by(record.question.audience).registry:
        return True
    named = {match.entity.name for match in resolve_entities(record.question.text, known)}
    return all(id_ in known.entities for id_ in _entities(record)) and named.issuperset(record.legend.recognised)


def _documents(record: TurnRecord, thread: Thread | None) -> Iterator[str]:
    yield from record.sources
    yield from (fact.source.doc_id for fact in record.payload.facts)
    if isinstance(record.decision, FollowUp) and thread:
        yield from (source for turn in thread.offered for source in turn.sources)


def _entities(record: TurnRecord) -> Iterator[str]:
    yield from record.plan.entities
    yield from record.legend.names
    match record.decision:
        case Standalone(means=means):
            yield from means
        case FollowUp(carried=carried):
            yield from carried.entities
        case Unclear(clarification=clarification):
            yield from (id_ for reading in clarification.readings for id_ in reading.entities)
