"""Generations of documents: built beside the live one, switched to at once, read back exactly."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from adapters.storage.catalog import Generation, SqlCatalog
from adapters.storage.database import Database
from core.errors import StorageError
from core.ingest.document import Block, Document

DOMAIN = {"intents": [{"name": "КОНТАКТЫ", "of": ["person"]}], "title": "Портфолио"}
PLAIN = Document(id="a.md", title="A", text="", blocks=())
RICH = Document(
    id="проекты/алор.md",
    title="АЛОР",
    text="АЛОР\nСтек\tPython 🐍\n\u00a0да",
    blocks=(
        Block("heading", 0, 4, depth=1),
        Block("row", 5, 16, headings=("АЛОР", "Стек"), depth=0, series=0, labels=("имя", ""), page=3),
    ),
    kind="project",
    aliases=("ALOR", "Алор"),
    fields={"роль": "разработчик", "empty": ""},
    labels=frozenset({"confidential", "pii"}),
    readers=frozenset({"eng", "ops"}),
    updated="2026-01-31",
    replaced_by="b.md",
    superseded=True,
    link="https://example.org/a?b=1#c",
    digest="0f" * 32,
)


@pytest.fixture
def catalog(database: Database) -> SqlCatalog:
    """Return a catalogue of nothing."""
    return SqlCatalog(database)


async def _begin(catalog: SqlCatalog) -> int:
    return await catalog.begin(
        source="./docs", title="Портфолио", embedder="use", dimension=512, analyzer="1", domain=DOMAIN
    )


async def _number(catalog: SqlCatalog) -> int | None:
    live = await catalog.live()
    return live.number if live else None


async def test_nothing_is_live_before_the_first_publication(catalog: SqlCatalog) -> None:
    """A generation that is being built is not read."""
    await _begin(catalog)

    assert await catalog.live() is None


async def test_the_live_generation_says_what_it_was_built_from(catalog: SqlCatalog) -> None:
    """All that was declared comes back, with the counts and the moment of the publication."""
    number = await _begin(catalog)
    await catalog.publish(number, {"documents": 2, "chunks": 40})

    live = await catalog.live()
    assert live is not None
    assert datetime.now(UTC) - live.published_at < timedelta(minutes=1)
    counts = {"documents": 2, "chunks": 40}
    expected = Generation(number, "./docs", "Портфолио", "use", 512, "1", live.published_at, counts, DOMAIN)
    assert expected == live


async def test_publishing_retires_the_one_before(catalog: SqlCatalog) -> None:
    """One generation is live, the last one published; an earlier one can be published again."""
    first, second = await _begin(catalog), await _begin(catalog)
    await catalog.publish(first, {})
    await catalog.publish(second, {})
    after = await _number(catalog)
    await catalog.publish(first, {})

    assert (second, first) == (after, await _number(catalog))


async def test_publishing_what_does_not_exist_changes_nothing(catalog: SqlCatalog) -> None:
    """The live generation stays when the switch fails."""
    number = await _begin(catalog)
    await catalog.publish(number, {})

    with pytest.raises(StorageError, match="generation 99 does not exist"):
        await catalog.publish(99, {})
    assert number == await _number(catalog)


async def test_documents_come_back_exactly(catalog: SqlCatalog) -> None:
    """Every field of every document is equal, whatever it holds; the order is that of the ids."""
    number = await _begin(catalog)
    await catalog.store(number, [RICH, PLAIN])

    assert await catalog.documents(number) == (PLAIN, RICH)


async def test_documents_of_many_batches_are_all_there(catalog: SqlCatalog) -> None:
    """However many documents are stored at once, each of them is kept."""
    many = tuple(replace(RICH, id=f"{n:04}.md", digest=str(n)) for n in range(250))
    number = await _begin(catalog)
    await catalog.store(number, many)

    assert many == await catalog.documents(number)


async def test_storing_again_replaces(catalog: SqlCatalog) -> None:
    """A build that was interrupted can be repeated."""
    number = await _begin(catalog)
    await catalog.store(number, [PLAIN])
    await catalog.store(number, [replace(PLAIN, text="new", digest="2")])

    assert (replace(PLAIN, text="new", digest="2"),) == await catalog.documents(number)


async def test_generations_do_not_mix(catalog: SqlCatalog) -> None:
    """What one generation holds is not seen in another."""
    first, second = await _begin(catalog), await _begin(catalog)
    await catalog.store(first, [PLAIN])
    await catalog.store(second, [RICH])

    assert ({"a.md": ""}, {RICH.id: RICH.digest}) == (await catalog.digests(first), await catalog.digests(second))


async def test_a_document_needs_its_generation(catalog: SqlCatalog) -> None:
    """Documents of a generation that was never begun would be found by nobody."""
    with pytest.raises(StorageError):
        await catalog.store(7, [PLAIN])


async def test_a_dropped_generation_is_gone_and_its_number_with_it(catalog: SqlCatalog) -> None:
    """Documents go with their generation, and no later one is mistaken for it."""
    number = await _begin(catalog)
    await catalog.store(number, [PLAIN])
    await catalog.drop(number)

    assert await catalog.documents(number) == ()
    assert await _begin(catalog) > number


async def test_generations_before_one_are_those_not_dropped_yet(catalog: SqlCatalog) -> None:
    """Also one that was begun and never published is named, so that nothing is kept for ever."""
    retired, unfinished, live = [await _begin(catalog) for _ in range(3)]

    assert set(await catalog.before(live)) == {retired, unfinished}
    await catalog.drop(unfinished)
    assert await catalog.before(live) == (retired,)


async def test_the_live_generation_is_not_dropped(catalog: SqlCatalog) -> None:
    """Readers keep what they read."""
    number = await _begin(catalog)
    await catalog.store(number, [PLAIN])
    await catalog.publish(number, {})

    with pytest.raises(StorageError, match="is live"):
        await catalog.drop(number)
    assert await catalog.documents(number) == (PLAIN,)
