"""Documents in which two people are called Dmitry and two things Alor: what a question may mean makes a difference."""

from collections.abc import Callable, Sequence
from datetime import datetime

from core.conversation import Audience
from core.delivery import Part as Message
from core.entities import Entity, make_registry
from core.facts import Fact, Part, Span
from core.namesakes import namesakes_of
from core.outside import Ports
from core.plan import GENERAL, GraphQuery, Intent
from core.planner import IntentIndex, index_intents
from core.ports import Found, Knowledge, SearchQuery, Threads
from core.reply import RenderedReply
from core.text import normalise, terms
from tests.core.corpus import NOON, fact
from tests.doubles.models import ScriptedModel

ORLOV = Entity("orlov", "Dmitry Orlov", "person", ("Дмитрий Орлов",))
PETROV = Entity("petrov", "Dmitry Petrov", "person", ("Дмитрий Петров",))
BROKER = Entity("broker", "Alor", "company")
SYSTEM = Entity("system", "Alor", "project")
LANTERN = Entity("lantern", "Lantern", "project", ("Фонарь",))
BEACON = Entity("beacon", "Beacon", "project", ("Маяк",))
NAMES = make_registry((ORLOV, PETROV, BROKER, SYSTEM, LANTERN, BEACON))

PAGES = {
    "Dmitry Orlov runs the payments team.": ("orlov", "payments"),
    "Dmitry Petrov runs the warehouse.": ("petrov", "warehouse"),
    "Дмитрий Орлов отвечает за платежи.": ("орлов",),
    "Дмитрий Петров отвечает за склад.": ("петров",),
    "The company Alor is a broker in Leiden.": ("alor", "company"),
    "The project Alor moved 14 services.": ("alor", "project"),
    "Ada leads Lantern.": ("lantern",),
    "Grace leads Beacon.": ("beacon",),
    "Фонарь ведёт Ада.": ("фонарь",),
    "Маяк ведёт Грейс.": ("маяк",),
}


class Pages:
    """A search that finds each page by its subject, and an encoder for which a text means its page."""

    id, dimension = "pages", 1

    def __init__(self, pages: Sequence[str] = tuple(PAGES), nearness: float = 1.0) -> None:
        self.pages, self.nearness = pages, nearness
        self.audiences: list[Audience] = []

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        self.audiences.append(audience)
        asked = normalise(query.text)
        scored = [(sum(word in asked for word in PAGES[page]), page) for page in self.pages]
        best = max((score for score, _ in scored), default=0)
        facts = tuple(page_of(page) for score, page in scored if score == best and score)
        return Found(facts, dict.fromkeys(terms(query.text), 1.0))

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        return ()

    async def embed(self, texts: Sequence[str], purpose: str = "passage") -> list[list[float]]:
        return [[self.nearness] for _ in texts]


def page_of(text: str) -> Fact:
    part = Part(Span(0, len(text)), "paragraph", similarity=0.9, terms=frozenset(terms(text)))
    return fact(text, doc=f"{list(PAGES).index(text)}.md", parts=(part,), score=1.0)


class Still:
    """A clock on which no time goes by."""

    def now(self) -> datetime:
        return NOON

    def elapsed(self) -> float:
        return 0.0


def ports_over(pages: Pages, threads: Threads, parts: Callable[[RenderedReply], tuple[Message, ...]]) -> Ports:
    """Return what answers questions from the pages, without a model."""
    intents = (Intent(GENERAL, "anything"),)

    async def index() -> IntentIndex:
        return await index_intents(intents, NAMES, pages)

    return Ports(
        threads=threads,
        search=pages,
        graph=pages,
        model=ScriptedModel(roles=()),
        embedder=pages,
        clock=Still(),
        new_marker=lambda: "marker",
        knowledge=Knowledge(NAMES, intents, "Tests", namesakes=namesakes_of(NAMES)),
        intents=index,
        parts=parts,
    )
