"""What every implementation of the port `Search` keeps."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import date
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


@pytest.fixture(params=[shelve, partial(shelve, full_text=True)], ids=["words in memory", "words in LanceDB"])
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


@pytest.mark.parametrize("question", ["gateway password", "пароль шлюза"])
async def test_a_workspace_is_a_reader(opened: Opened, question: str) -> None:
    """What is for one workspace is found by everybody in it and by nobody else, whatever their groups are called."""
    ours = page("ours.md", "The gateway password. Пароль шлюза.", "Ours", readers=frozenset({"workspace:T1", "hr"}))
    search = await opened([OPEN, ours])

    for audience in (Audience("T1"), Audience("T2", frozenset({"hr"}))):
        assert {"open.md", "ours.md"} == await _documents(search, SearchQuery(question), audience)
    for audience in (Audience("T2"), Audience("T", frozenset({"1", "T1", "workspace"})), Audience("T1' OR '1'='1")):
        assert {"open.md"} == await _documents(search, SearchQuery(question), audience)


@pytest.mark.parametrize("question", ["gateway", "шлюз", "The gateway needs a reset."])
async def test_languages_are_kept_to(opened: Opened, question: str) -> None:
    """Both engines give chunks of the languages that are asked for; a page of two languages is found for each."""
    both = page("both.md", "## English\n\nReset the gateway.\n\n## Русский\n\nШлюз нужно перезагрузить.", "Both")
    search = await opened([OPEN, RUSSIAN, both])

    assert {"open.md", "both.md"} == await _documents(search, SearchQuery(question, languages=("en",)))
    assert {"открыто.md", "both.md"} == await _documents(search, SearchQuery(question, languages=("ru",)))
    assert 3 == len(await _documents(search, SearchQuery(question, languages=("en", "ru"))))


@pytest.mark.parametrize("question", ["gateway", "шлюз"])
async def test_days_are_kept_to(opened: Opened, question: str) -> None:
    """Both ends of a range belong to it; a page that does not say when it was updated is in none."""
    written = {"a.md": "2026-01-31", "б.md": "01.02.2026", "c.md": "2026-02-02 10:00", "x.md": "soon", "y.md": None}
    pages = [page(id_, "The gateway. Шлюз.", id_, updated=updated) for id_, updated in written.items()]
    search = await opened([*pages, page("z.md", "The gateway. Шлюз.", "z", updated="2026-02-31")])

    async def found(since: date | None, until: date | None) -> set[str]:
        return await _documents(search, SearchQuery(question, since=since, until=until))

    assert {"б.md", "c.md"} == await found(date(2026, 2, 1), None)
    assert {"a.md", "б.md"} == await found(None, date(2026, 2, 1))
    assert {"б.md"} == await found(date(2026, 2, 1), date(2026, 2, 1))
    assert set() == await found(date(2026, 2, 2), date(2026, 2, 1))
    assert 6 == len(await found(None, None))


async def test_every_condition_must_hold(opened: Opened) -> None:
    """Readers, kinds, languages and days narrow the search together."""
    known = {"kind": "how-to", "updated": "2026-02-01", "readers": frozenset({"hr"})}
    fits = page("fits.md", "The gateway needs a reset.", "Fits", **known)
    others = [
        page(f"{name}.md", "Шлюз." if name == "language" else "The gateway needs a reset.", name, **(known | other))
        for name, other in {
            "kind": {"kind": "policy"}, "updated": {"updated": "2026-03-01"}, "readers": {"readers": frozenset({"x"})},
            "language": {},
        }.items()
    ]  # fmt: skip
    search = await opened([fits, *others])
    query = SearchQuery(
        "gateway reset", ("how-to",), languages=("en",), since=date(2026, 2, 1), until=date(2026, 2, 28)
    )

    assert {"fits.md"} == await _documents(search, query, Audience("T", frozenset({"hr"})))
