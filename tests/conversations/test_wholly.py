"""“Tell me everything about …”: something of each section of its page, the rest for the asking, no bare lead-ins."""

import json
from collections.abc import AsyncIterator

import pytest

from adapters.embedding.universal import UniversalEmbedder
from core.plan import WHOLE, Style
from core.render import text_of
from tests.corpora import Company, company, index, new_thread, shown, sources
from tests.doubles.models import ScriptedModel

LIGHTHOUSE = """---
team: Harbour
updated: 2025-01-02
---
# Lighthouse

Lighthouse is a tool that checks invoices before they are paid.

## Role

Anna Berg leads Lighthouse from the office in Tartu.

## Results

What was reached in two years:

- Wrong payments fell from 4% to 0.3%.
- Checking takes 20 seconds in place of 6 minutes.

## Technologies

It is built of:

- Rust for the checks
- Redis for the queue
- Kafka for the events
- React for the screens
- Docker for running it
- Grafana for the figures
"""
BARGE = (
    "# Barge\n\nBarge is a tool for drivers.\n\n## Results\n\nSo far:\n\n- Drivers wait 9 minutes less at the gate.\n"
)
MAYAK = """---
team: Гавань
updated: 2025-01-02
---
# Маяк

Маяк — сервис, который проверяет счета до оплаты.

## Роль

Маяком руководит Анна Берг из офиса в Тарту.

## Достижения

Что сделано за два года:

- Ошибочных платежей стало 0,3% вместо 4%.
- Проверка идёт 20 секунд вместо 6 минут.

## Технологии

Он собран из частей:

- Rust для проверок
- Redis для очереди
- Kafka для событий
- React для экранов
- Docker для запуска
- Grafana для показателей
"""
BARZHA = (
    "# Баржа\n\nБаржа — сервис для водителей.\n\n## Достижения\n\nПока:\n\n- Водители ждут у ворот на 9 минут меньше.\n"
)
CLOSED = "---\nreaders: [board]\n---\n# Lantern Deal\n\nThe price of the Lantern Deal is 4 million.\n"
PAGES = {"lighthouse": LIGHTHOUSE, "barge": BARGE, "mayak": MAYAK, "barzha": BARZHA, "deal": CLOSED}
LEADS = ("What was reached", "It is built of", "So far", "Что сделано", "Он собран", "Пока:")


@pytest.fixture
async def tools(tmp_path_factory: pytest.TempPathFactory, embedder: UniversalEmbedder) -> AsyncIterator[Company]:
    """Give four tools, each with a page of its own, and a page for a few."""
    root = tmp_path_factory.mktemp("tools")
    (root / "pages").mkdir()
    for name, text in PAGES.items():
        (root / "pages" / f"{name}.md").write_text(text, "utf-8")
    await index(root / "pages", root / "data", embedder)
    async with company(root / "data", embedder) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "more", "page", "told"),
    [
        ("Tell me everything about Lighthouse", "more", "lighthouse", ("checks invoices", "Anna Berg", "0.3%", "Rust")),
        (
            "Give me all the information on Lighthouse please",
            "more",
            "lighthouse",
            ("checks invoices", "Anna Berg", "0.3%"),
        ),
        ("Расскажи всё про Маяк", "ещё", "mayak", ("проверяет счета", "Анна Берг", "0,3%", "Rust")),
        ("Расскажи мне обо всём, что известно про Маяк", "ещё", "mayak", ("проверяет счета", "Анна Берг", "0,3%")),
    ],
)
async def test_everything_is_something_of_each_section(
    tools: Company, question: str, more: str, page: str, told: tuple[str, ...]
) -> None:
    """Under its headings; what is left is told for the asking, each line once, until all of the page is."""
    thread = new_thread()
    record = await tools.ask(question, thread=thread)
    first = text_of(record.reply)
    rest = text_of((await tools.ask(more, thread=thread)).reply)

    assert [f"{page}.md"] == sources(record)
    assert all(words in first for words in told)
    assert not [lead for lead in (*LEADS, "2025-01-02") if lead in first + rest]
    assert ("Harbour" if page == "lighthouse" else "Гавань") in first + rest
    items = [line for line in PAGES[page].splitlines() if line.startswith("- ")]
    assert all(1 == (first + rest).count(line.removeprefix("- ")) for line in items)


@pytest.mark.parametrize(
    "question", ["Tell me everything about the results of Lighthouse", "Расскажи всё о достижениях Маяка"]
)
async def test_everything_of_a_part_is_that_part(tools: Company, question: str) -> None:
    """The question says more than a name, so that the page as a whole is not asked for."""
    record = await tools.ask(question)

    assert (WHOLE,) != record.plan.intents
    assert "20" in text_of(record.reply)
    assert "Rust" not in text_of(record.reply)


@pytest.mark.parametrize(("question", "page"), [("all about Lighthouse", "lighthouse"), ("всё о Маяке", "mayak")])
async def test_a_planner_tells_no_less(tools: Company, question: str, page: str) -> None:
    """A planning model that only searches does not narrow it."""
    search = {"tool": "document_search", "query": question}
    plan = {"intents": ["GENERAL_UNSTRUCTURED"], "entities": [], "tool_calls": [search], "confidence": 0.9}
    record = await tools.ask(question, model=ScriptedModel([json.dumps(plan)], roles=("planner",)))

    assert ((WHOLE,), Style.GROUPED_BULLETS) == (record.plan.intents, record.plan.render_style)
    assert [WHOLE] == [getattr(call, "intent", "a search") for call in record.plan.tool_calls]
    assert [f"{page}.md"] == sources(record)
    assert "Anna Berg" in text_of(record.reply) or "Анна Берг" in text_of(record.reply)


async def test_a_closed_page_is_told_to_its_readers_alone(tools: Company) -> None:
    """Asked for everything about it, somebody else is shown nothing of it."""
    outsider = await tools.ask("Tell me everything about the Lantern Deal")
    member = await tools.ask("Tell me everything about the Lantern Deal", groups=frozenset({"board"}))

    assert "4 million" not in shown(outsider)
    assert "4 million" in shown(member)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What are the results?", ("0.3%", "9 minutes less")),
        ("А какие там достижения?", ("0,3%", "на 9 минут меньше")),
    ],
)
async def test_what_leads_to_a_list_is_no_answer(tools: Company, question: str, told: tuple[str, ...]) -> None:
    """Of a heading that several pages have, the items are told and not what stands before them."""
    words = text_of((await tools.ask(question)).reply)

    assert all(one in words for one in told)
    assert not [lead for lead in LEADS if lead in words]
