"""Why something is so may stand far from the words of the question: its section comes along."""

from pathlib import Path

import pytest

from adapters.search.hybrid import HybridSearch
from core.ports import SearchQuery
from tests.adapters.search.shelf import shelve
from tests.core.corpus import EVERYBODY, page

SECTIONS = "".join(f"## Note {n}\n\nThe pump of hall {n} was heard at night.\n\n" for n in range(12))
SECTIONS_RU = "".join(f"## Запись {n}\n\nНасос зала {n} слышали ночью.\n\n" for n in range(12))
LOG = page("log.md", f"# Pump\n\nThe pump stopped.\n\n{SECTIONS}## Root cause\n\nRust.\n", "Pump")
LOG_RU = page("журнал.md", f"# Насос\n\nНасос остановился.\n\n{SECTIONS_RU}## Причина\n\nРжавчина.\n", "Насос")


@pytest.fixture
async def search(tmp_path: Path) -> HybridSearch:
    """Give the search over two long pages."""
    return await shelve(tmp_path, [LOG, LOG_RU], [])


@pytest.mark.parametrize(
    ("why", "what", "cause"),
    [
        ("Why did the pump stop?", "When did the pump stop?", "Rust."),
        ("Почему остановился насос?", "Когда остановился насос?", "Ржавчина."),
    ],
)
async def test_why_brings_what_stands_under_the_cause(search: HybridSearch, why: str, what: str, cause: str) -> None:
    """It counts half as much as the best place, and nothing where something else is asked."""
    asked, other = [(await search.find(SearchQuery(one, limit=3), EVERYBODY)).facts for one in (why, what)]
    scores = {str(fact.text): fact.score for fact in asked}

    assert scores[cause] >= max(scores.values()) / 2
    assert cause not in [str(fact.text) for fact in other]
