"""What every implementation of the port `Search` keeps."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from core.conversation import Audience
from core.ingest.document import Document
from core.ports import Search, SearchQuery
from tests.adapters.search.shelf import shelve
from tests.core.corpus import EVERYBODY, page

OPEN = page("open.md", "The gateway needs a reset.", "Gateway", kind="how-to")
RUSSIAN = page("открыто.md", "Шлюз нужно перезагрузить.", "Шлюз", kind="how-to")
SECRET = page(
    "secret.md", "The gateway password. Пароль шлюза.", "Secret", kind="policy", readers=frozenset({"it's ops"})
)
Opened = Callable[[Sequence[Document]], Awaitable[Search]]


@pytest.fixture(params=[shelve], ids=["hybrid"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    """Open a search over some documents."""
    return partial(request.param, tmp_path)


async def _documents(search: Search, query: SearchQuery, audience: Audience = EVERYBODY) -> set[str]:
    return {fact.source.doc_id for fact in (await search.find(query, audience)).facts}


@pytest.mark.parametrize("question", ["gateway password", "пароль шлюза"])
async def test_an_audience_is_given_what_it_may_read(opened: Opened, question: str) -> None:
    """A restricted document is found by its readers alone, each of whom finds the open ones too."""
    search = await opened([OPEN, RUSSIAN, SECRET])

    assert {"open.md", "открыто.md"} == await _documents(search, SearchQuery(question))
    assert {"open.md", "открыто.md", "secret.md"} == await _documents(
        search, SearchQuery(question), Audience("acme", frozenset({"it's ops"}))
    )


async def test_the_best_comes_first(opened: Opened) -> None:
    """Facts come by score, each the text of its document at its span."""
    documents = {document.id: document for document in (OPEN, RUSSIAN)}
    search = await opened(list(documents.values()))

    facts = (await search.find(SearchQuery("Шлюз нужно перезагрузить."), EVERYBODY)).facts

    assert ["открыто.md", "open.md"] == [fact.source.doc_id for fact in facts]
    assert all(fact.text == fact.span.within(documents[fact.source.doc_id].text) for fact in facts)


async def test_a_search_can_be_narrowed(opened: Opened) -> None:
    """Kinds, documents and the number of results are kept to; an unknown kind holds nothing."""
    search = await opened([OPEN, RUSSIAN, SECRET])

    assert {"открыто.md"} == await _documents(search, SearchQuery("gateway", doc_ids=("открыто.md",)))
    assert set() == await _documents(search, SearchQuery("gateway", doc_types=("policy", "'")))
    assert 1 == len(await _documents(search, SearchQuery("gateway", limit=1)))
