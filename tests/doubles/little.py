"""A bot that knows where every key is: the real pipeline over a search that makes its document up from the question."""

import asyncio
import json
import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bot.answering import Bot, Live
from bot.jobs import digest
from bot.pinning import Pinned
from bot.wiring import Stores, SystemClock, pins_of
from core.conversation import Audience, Question
from core.entities import make_registry
from core.facts import Fact, Part, Source, Span
from core.followup import FollowUpDecision
from core.ingest.document import Document
from core.outside import Ports
from core.plan import GENERAL, GraphQuery, Intent
from core.planner import index_intents
from core.ports import Completion, Found, Knowledge, ModelRequest, SearchQuery, Threads
from core.text import Untrusted, terms
from core.turn import TurnRecord
from tests.doubles.models import obedient_answer, obedient_plan

# Characters that come at once of a reply that is heard.
_PIECE = 30
_KEY = re.compile(r"(?:key|ключ)\s+(\w+)", re.IGNORECASE)

Call = Callable[[str, str, str], Awaitable[None]]


def asks(name: str, *, russian: bool = False) -> str:
    """Return the question where a key is."""
    return f"Где лежит ключ {name}?" if russian else f"Where is the key {name}?"


def tells(name: str, *, russian: bool = False) -> str:
    """Return the sentence of the documents that answers it."""
    return f"Ключ {name} лежит в ящике {name}." if russian else f"The key {name} is in the drawer {name}."


def key_in(text: str) -> str | None:
    """Return the key that a question, a prompt or an answer is about."""
    found = _KEY.search(text)
    return found[1] if found else None


class Drawers:
    """A search, a graph and an encoder: whatever key is asked for, one page says where it is."""

    id, dimension = "drawers", 1

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        name = key_in(query.text)
        if name is None:
            return Found()
        text = tells(name, russian="ключ" in query.text.lower())
        part = Part(Span(0, len(text)), "paragraph", similarity=0.9, terms=frozenset(terms(text)))
        source = Source("keys.md", "Keys", "https://wiki.example.com/keys")
        fact = Fact(Untrusted(text), source, Span(0, len(text)), "keys.md#1", parts=(part,), score=1.0)
        return Found((fact,), dict.fromkeys(terms(query.text), 1.0))

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        return ()

    async def embed(self, texts: Sequence[str], purpose: str = "passage") -> list[list[float]]:
        return [[1.0] for _ in texts]


@dataclass
class ToldModel:
    """Both roles, played by code; `called` hears of each call (role, key, digest) and takes the time.

    Whoever hears a reply is told of it piece by piece, `pause` seconds apart.
    """

    called: Call
    pause: float = 0.0

    def offers(self, role: Literal["planner", "answer"]) -> bool:
        return True

    async def complete(self, request: ModelRequest) -> Completion:
        await self.called(request.role, key_in(request.user) or "", digest(request))
        made: dict[str, Any]
        made = obedient_plan(request.user) if request.role == "planner" else obedient_answer(request.user)
        text = json.dumps(made, ensure_ascii=False)
        if request.hear:
            for end in range(_PIECE, len(text) + _PIECE, _PIECE):
                await asyncio.sleep(self.pause)
                request.hear(text[:end])
        return Completion(text, "told", 100)


class SharedPins:
    """The port `Pins` that gives a shared answer again, over the page as the answer cites it."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    async def find(self, question: Question, decision: FollowUpDecision) -> TurnRecord | None:
        pressed, told_of = question.pressed, self._stores.threads.told_of
        told = await told_of(pressed.question) if pressed and pressed.kind == "share" else None
        if told is None or told[0].result is None:
            return None
        cited = told[0].result["citations"]
        pages = {one["doc_id"]: Document(one["doc_id"], one["title"], one["text_snippet"], ()) for one in cited}
        pinned = Pinned(pins_of(self._stores.database), pages, SystemClock().now, told_of)
        return await pinned.find(question, decision)


class LittleBot(Bot):
    """The bot over the drawers."""

    def use(self, threads: Threads, model: Any) -> None:
        """Answer with these; `generation` is always 1."""
        self._model = model
        self._given = (threads, model)

    async def generation(self) -> int:
        return 1

    async def live(self) -> Live | None:
        return Live(1, self._made())

    def _made(self) -> Ports:
        threads, model = self._given
        drawers = Drawers()
        registry = make_registry(())
        intents = (Intent(name=GENERAL, description="anything"),)

        async def index() -> Any:
            return await index_intents(intents, registry, drawers)

        return Ports(
            threads=threads,
            search=drawers,
            graph=drawers,
            model=model,
            embedder=drawers,
            clock=SystemClock(),
            new_marker=lambda: secrets.token_hex(6),
            knowledge=Knowledge(registry, intents, "Keys"),
            intents=index,
            pins=SharedPins(self._stores),
        )
