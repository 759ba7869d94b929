"""Questions that the bot is known to answer: made from what its documents are headed by, and answered before shown."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest
from typing import Literal

from bot.answering import Live
from core.conversation import AlreadyAnswered, Audience, Question, Thread
from core.delivery import Part
from core.entities import resolve_entities
from core.errors import BadModelOutput, PortError
from core.followup import Standalone
from core.ingest.document import Document
from core.phrases import phrase
from core.pipeline import answer_question
from core.ports import Completion, ModelRequest
from core.recall import Recall
from core.text import clean, language_of, words
from core.turn import TurnRecord

# Questions kept, candidates tried for them, and seconds that trying may take.
KEPT = 12
TRIED = 48
SECONDS = 20.0
# A prompt stands on a button; a heading of more words is a sentence.
_MAX_CHARS, _MAX_WORDS = 75, 7
_OF_ONE_DOCUMENT = 2
_DECLARED = 8


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question, and the document that must answer it; any may, where none is named. `heading`: what it is about."""

    text: str
    doc_id: str | None = None
    heading: str | None = None


class Suggestions:
    """Keeps, for each generation and audience, what all of them can ask and are answered for certain."""

    def __init__(self) -> None:
        self._known: dict[Audience, tuple[int, tuple[str, ...]]] = {}
        self._one_at_a_time = asyncio.Lock()

    async def of(self, live: Live, audience: Audience) -> tuple[str, ...]:
        """Return questions that the live generation answers from what all of the audience may read, tried once."""
        async with self._one_at_a_time:
            number, known = self._known.get(audience, (0, ()))
            if number != live.number:
                known = await answered_ones(live, audience)
                self._known[audience] = live.number, known
        return known


async def answered_ones(live: Live, audience: Audience) -> tuple[str, ...]:
    """Return those of the candidates that are answered well with no model and for nobody in particular."""
    if live.loaded is None:
        return ()
    readable = [one for one in live.loaded.documents.values() if audience.may_read(one.readers)]
    # One of each kind first: what is offered shows how much can be asked.
    kinds = zip_longest(*(intent.examples for intent in live.loaded.domain.intents))
    examples = [example for kind in kinds for example in kind if example]
    # Some stand for many: "What is project?"
    declared = [each for each in examples if resolve_entities(each, live.loaded.registry)][:_DECLARED]
    found: list[str] = []
    began = time.monotonic()
    for candidate in islice(candidates(readable, declared), TRIED):
        if len(found) == KEPT or time.monotonic() - began > SECONDS:
            break
        if await _is_answered(candidate, live, audience):
            found.append(candidate.text)
        await asyncio.sleep(0)
    return tuple(found)


def candidates(documents: Sequence[Document], declared: Sequence[str] = ()) -> Iterator[Candidate]:
    """Yield what may be asked, each once: headings that are questions, declared examples, then other headings.

    Documents take turns, the latest first, so that not all is about one of them.
    """
    latest = sorted(documents, key=lambda one: (one.updated or "", one.id), reverse=True)
    asked = _in_turns([[each for each in _headings(one) if each.text.endswith("?")] for one in latest])
    other = _in_turns([list(_sections(one)) for one in latest])
    seen: set[str] = set()
    for candidate in chain(asked, map(Candidate, declared), other):
        about = (candidate.heading or candidate.text).casefold()
        if len(candidate.text) <= _MAX_CHARS and about not in seen:
            seen.add(about)
            yield candidate


def _in_turns(of_documents: Sequence[Sequence[Candidate]]) -> Iterator[Candidate]:
    for turn in zip_longest(*(each[:_OF_ONE_DOCUMENT] for each in of_documents)):
        yield from filter(None, turn)


def _headings(document: Document) -> Iterator[Candidate]:
    for block in document.blocks:
        if block.kind == "heading" and not document.superseded:
            yield Candidate(" ".join(clean(document.text[block.start : block.end]).split()), document.id)


def _sections(document: Document) -> Iterator[Candidate]:
    """Yield a question about each section, in the language of its heading."""
    for heading in _headings(document):
        said, title = heading.text.rstrip(".:"), clean(document.title)
        is_title = said.casefold() in title.casefold() or title.casefold() in said.casefold()
        if said and not is_title and not said.endswith("?") and len(words(said)) <= _MAX_WORDS:
            asked = phrase("ask_section", language_of(said), heading=said, title=title)
            yield Candidate(asked, document.id, said)


async def _is_answered(candidate: Candidate, live: Live, audience: Audience) -> bool:
    """Return whether the documents' own words answer it, the document that it was made from among them."""
    now = live.ports.clock.now()
    question = Question("suggested", "console", "suggested", candidate.text, "", audience, now)
    ports = replace(live.ports, threads=_Nowhere(), model=_Mute(), recall=Recall(), parts=lambda _: ())
    try:
        record = await answer_question(question, ports)
    except PortError:
        return False
    if not isinstance(record, TurnRecord) or not isinstance(record.decision, Standalone):
        return False
    answer = record.answer
    cited = {citation.source.doc_id for claim in answer.claims for citation in claim.citations}
    is_there = candidate.doc_id is None or candidate.doc_id in cited
    return bool(cited) and is_there and not answer.is_refusal and answer.level != "low"


class _Nowhere:
    """The port `Threads` that keeps nothing."""

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        """Return a thread in which nothing was said."""
        return Thread(question.thread)

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        """Keep nothing."""


class _Mute:
    """The port `LanguageModel` where there is none."""

    def offers(self, role: Literal["planner", "answer"]) -> bool:  # noqa: ARG002 - the port's signature
        """Return that no model plays the role."""
        return False

    async def complete(self, request: ModelRequest) -> Completion:
        """Raise BadModelOutput: nobody is to be asked."""
        raise BadModelOutput(f"nobody is to be asked for {request.name}", retry=False)
