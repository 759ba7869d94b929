"""When a page was changed is told beside its sources; as an answer it is told only to who asks for a day."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from adapters.embedding.universal import UniversalEmbedder
from core.render import text_of
from tests.corpora import Company, company, index

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGES = {
    "bonus": "---\nupdated: 2026-02-01\n---\n# Bonus 2026\n\nThe bonus of 2026 is 12 % of the yearly salary.\n",
    "premium": "---\nupdated: 2026-02-01\n---\n# Премия 2026\n\nПремия за 2026 год составляет 12 % годового оклада.\n",
    "lantern": "---\nupdated: 2025-03-11\n---\n# Lantern\n\nLantern is an assistant that answers from the wiki.\n",
    "trellis": "---\nupdated: 2025-11-18\n---\n# Trellis\n\nTrellis is a prompter for the support desk.\n",
}


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def pages(tmp_path_factory: pytest.TempPathFactory, embedder: UniversalEmbedder) -> AsyncIterator[Company]:
    """Give pages that say in their front matter when they were changed."""
    folder: Path = tmp_path_factory.mktemp("aged")
    for name, text in PAGES.items():
        (folder / f"{name}.md").write_text(text, "utf-8")
    data = tmp_path_factory.mktemp("aged-data")
    await index(folder, data, embedder)
    async with company(data, embedder) as found:
        yield found


@pytest.mark.parametrize(
    "question",
    [
        "How high is the bonus of 2026?",
        "Сколько составляет премия за 2026 год?",
        "Compare Lantern and Trellis",
        "Сравни Lantern и Trellis",
    ],
)
async def test_the_age_of_a_page_answers_nothing_else(pages: Company, question: str) -> None:
    """However near its number is to what is asked."""
    reply = (await pages.ask(question)).reply

    assert "Updated" not in text_of(reply)
    assert reply.evidence


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("When was the bonus page updated?", "2026-02-01"),
        ("Was the bonus page updated in 2026?", "2026-02-01"),
        ("Which bonus was updated in 2026?", "2026-02-01"),
        ("When did the bonus change?", "2026-02-01"),
        ("How fresh is the page on Trellis?", "2025-11-18"),
        ("Какого числа обновили Trellis?", "2025-11-18"),
        ("Когда обновлена Премия 2026?", "2026-02-01"),
    ],
)
async def test_who_asks_for_it_is_told(pages: Company, question: str, day: str) -> None:
    """By a question for a day, or by its label."""
    assert day in text_of((await pages.ask(question)).reply)
