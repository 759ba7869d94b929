"""What answers over a generation is the same, made from the one before or loaded as a whole."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.knowledge import Loaded, load, ports_over
from bot.settings import Settings
from bot.wiring import Stores, make_model
from core.conversation import Question
from core.errors import SearchError
from core.ingest.document import Document
from core.pipeline import answer_question
from core.ports import SearchQuery
from core.turn import TurnRecord
from tests.core.corpus import EVERYBODY, NOON, page
from tests.doubles.shelves import Shelves

LINES = (
    "The gateway is in Berlin. Ask Ada for a key.", "В Лоцмане применён RAG.", "RAG is a way to answer.",
    "Сотруднику положено 27 дней отпуска.", "The Quality Board (QB) decides on Mondays.", "See [one](one.md).",
    "**Canary**: a first share of the traffic.", "Lotsman uses Kafka and a canary.", "QB and ЭС meet in room 4.",
    "Экспертный совет (ЭС) решает по вторникам.", "## Стек\n\n- RAG\n- Kafka", "Владелец: Дмитрий Соколов",
)  # fmt: skip
NAMES = ("one.md", "two.md", "sub/три.md", "zoo.md")
TITLES = ("Gateway", "Лоцман", "Kafka", "Правила (ПР)", "Canary")
RAG = {"id": "rag", "name": "RAG", "type": "technology", "aliases": ["РАГ"]}
USES = {"name": "USES", "from": "project", "to": "technology", "headings": ["Стек"]}
TOOLS = {
    "name": "TOOLS", "description": "what a project uses", "find": "relation", "relations": ["USES"],
    "examples": ["What does project use?", "What is used in Gateway?"],
}  # fmt: skip
DOMAINS: tuple[dict[str, Any], ...] = (
    {},
    {"title": "Кухня", "entities": [RAG, {"id": "lotsman", "name": "Лоцман", "type": "project", "page": "two.md"}]},
    {"entities": [RAG | {"aliases": ["Kafka"]}], "relations": [USES], "intents": [TOOLS]},
)
QUESTIONS = (
    "Where is the gateway?", "Где применяется RAG?", "What is Canary?", "Сколько дней отпуска положено?",
    "What does QB decide?", "Что такое Лоцман?", "Which projects use Kafka?", "Когда решает Экспертный совет?",
)  # fmt: skip

Corpus = dict[str, Document]


@st.composite
def pages(draw: st.DrawFn) -> Document:
    """Return a page with names, terms and short forms in it."""
    text = "\n\n".join(draw(st.lists(st.sampled_from(LINES), min_size=1, max_size=3)))
    aliases = draw(st.sampled_from([(), ("QB",), ("шлюз",)]))
    return page(draw(st.sampled_from(NAMES)), text, draw(st.sampled_from(TITLES)), aliases=aliases, kind="project")


edits = st.one_of(
    st.lists(pages(), min_size=1, max_size=2),  # added and changed, and so renamed
    st.sets(st.sampled_from(NAMES), min_size=1, max_size=2),  # removed
    st.sampled_from(range(len(DOMAINS))),  # declared otherwise
)


def stamped(document: Document) -> Document:
    """Return the page with a digest that covers its names, too."""
    known = repr((document.title, document.aliases, document.text))
    return replace(document, digest=sha256(known.encode()).hexdigest())


async def over(shelves: Shelves, before: Loaded | None = None) -> Loaded:
    """Return the live generation at hand."""
    live = await shelves.live()
    assert live
    return await load(live, cast("Stores", shelves), before)


async def all_of(loaded: Loaded) -> tuple[object, ...]:
    """Return everything that can be asked of a generation at hand."""
    graph = await loaded.graph.graph()
    found = [await loaded.search.find(SearchQuery(text), EVERYBODY) for text in QUESTIONS]
    facts = [([(one.text, one.source, round(one.score, 9)) for one in each.facts], each.weights) for each in found]
    known = (list(graph.documents.items()), graph.mentions, graph.edges, graph.registry, graph.pages, graph.addresses)
    return (
        loaded.generation, loaded.domain, dict(loaded.digests), list(loaded.documents.items()), loaded.registry,
        await loaded.intents(), known, facts,
    )  # fmt: skip


async def replies(loaded: Loaded, shelves: Shelves, texts: Sequence[str]) -> list[object]:
    """Return what the bot says, with its evidence."""
    settings = Settings(planner_model=(), answer_model=())
    ports = ports_over(loaded, cast("Stores", shelves), make_model(settings), settings)
    said: list[object] = []
    for n, text in enumerate(texts):
        question = Question(f"console:{n}", "console", f"console:{n}", text, "U1", EVERYBODY, NOON)
        record = await answer_question(question, ports)
        assert isinstance(record, TurnRecord)
        said.append((record.reply, record.plan, record.answer))
    return said


def edited(corpus: Corpus, edit: object) -> Corpus:
    """Return the corpus after the edit; one that would leave nothing leaves it as it is."""
    if isinstance(edit, list):
        return corpus | {one.id: stamped(one) for one in edit}
    if isinstance(edit, set):
        return {id_: one for id_, one in corpus.items() if id_ not in edit} or corpus
    return corpus


@given(st.lists(pages(), min_size=1, max_size=4), st.lists(edits, min_size=1, max_size=5), st.booleans())
@settings(max_examples=10, deadline=None, derandomize=True)
def test_a_switch_gives_what_a_whole_load_gives(first: list[Document], steps: list[object], warm: bool) -> None:  # noqa: FBT001
    """However pages, names and the domain change, facts, graph, names and answers are those of a fresh start."""

    async def play() -> None:
        shelves, domain = Shelves(), DOMAINS[0]
        corpus = edited({}, first)
        await shelves.publish(list(corpus.values()), domain)
        at_hand = await over(shelves)
        for n, step in enumerate(steps):
            if warm or n == 1:
                await at_hand.warm()
            domain = DOMAINS[step] if isinstance(step, int) else domain
            corpus = edited(corpus, step)
            await shelves.publish(list(corpus.values()), domain)
            at_hand, whole = await over(shelves, at_hand), await over(shelves)

            assert await all_of(whole) == await all_of(at_hand)
        asked = QUESTIONS[:: 2 if warm else 3]
        assert await replies(whole, shelves, asked) == await replies(at_hand, shelves, asked)

    asyncio.run(play())


VPN = page("vpn.md", "The gateway is in Berlin.", "VPN")
LEAVE = page("отпуск.md", "Положено 27 дней отпуска.", "Отпуск")
ROME = page("vpn.md", "The gateway is in Rome.", "VPN")


async def test_only_what_changed_is_read() -> None:
    """A changed page costs one page; the registry and the intents are the same objects as before."""
    shelves = Shelves()
    await shelves.publish([VPN, LEAVE])
    before = await over(shelves)
    await before.warm()
    await shelves.publish([ROME, LEAVE])
    shelves.read.clear()

    after = await over(shelves, before)

    assert ["vpn.md"] == shelves.read
    assert (before.registry, before.intents) == (after.registry, after.intents)
    assert before.registry is after.registry
    assert before.documents["отпуск.md"] is after.documents["отпуск.md"]


async def test_going_back_is_the_same_switch() -> None:
    """The generation before answers again as it did, from what it shares with the one after it."""
    shelves = Shelves()
    old = await shelves.publish([VPN, LEAVE])
    first = await over(shelves)
    await first.warm()
    await shelves.publish([ROME])
    second = await over(shelves, first)
    shelves.number = old.number

    assert await all_of(first) == await all_of(await over(shelves, second))


async def test_a_generation_that_is_gone_is_not_taken_for_an_empty_one() -> None:
    """Who reads a generation while it is dropped is told so, and does not answer from a part of it."""
    shelves = Shelves()
    old = await shelves.publish([VPN, LEAVE])
    read = shelves.documents

    async def dropped(number: int, ids: Sequence[str] | None = None) -> tuple[Document, ...]:
        shelves.kept.pop(number, None)
        return await read(number, ids)

    shelves.documents = dropped  # type: ignore[method-assign]
    with pytest.raises(SearchError, match="replaced while it was read"):
        await load(old, cast("Stores", shelves))
