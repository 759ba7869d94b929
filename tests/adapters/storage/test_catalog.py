"""Generations of documents: built beside the live one, switched to at once, read back exactly."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from adapters.storage.catalog import SqlCatalog
from adapters.storage.database import Database
from core.errors import IngestError, StorageError
from core.ingest.document import Block, Document
from core.ingest.generation import Generation, Holding, KnownItem, Make, ReadItem, Tables, Understood
from core.ingest.names import named

DOMAIN = {"intents": [{"name": "КОНТАКТЫ", "of": ["person"]}], "title": "Портфолио"}
MAKE = Make("./docs", "use", 512, "1", DOMAIN)
PLAIN = Document(id="a.md", title="A", text="", blocks=(), digest="a")
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


async def _begin(catalog: SqlCatalog, parent: Generation | None = None) -> int:
    """Return the number of a new generation, which is built by nobody else."""
    begun = await catalog.begin(MAKE, "Портфолио", parent=parent)
    assert begun
    return begun.number


async def _made(catalog: SqlCatalog, *documents: Document, parent: Generation | None = None) -> int:
    """Return the number of a generation that was published with these documents."""
    number = await _begin(catalog, parent)
    await _store(catalog, number, *documents)
    await catalog.publish(number, {"documents": len(documents)})
    return number


async def _store(catalog: SqlCatalog, number: int, *documents: Document, removed: Sequence[str] = ()) -> bool:
    """Let the generation hold documents, each from an item of its own, and their rows."""
    read = [ReadItem(item(one), (Understood(one, named(one), 1),)) for one in documents]
    await catalog.take_in(number, read, [f"item of {id_}" for id_ in removed], {})
    return await catalog.wrote(number, [*(one.id for one in documents), *removed], Tables(number), {})


def item(document: Document) -> KnownItem:
    """Return the item that the document was made of."""
    return KnownItem(f"item of {document.id}", "sign", f"digest of {document.digest}")


def held(document: Document) -> Holding:
    """Return the document as a generation holds it."""
    return Holding(document.id, document.digest, f"item of {document.id}", document.digest)


async def _number(catalog: SqlCatalog) -> int | None:
    live = await catalog.live()
    return live.number if live else None


async def test_nothing_is_live_before_the_first_publication(catalog: SqlCatalog) -> None:
    """A generation that is being built is not read."""
    await _begin(catalog)

    assert await catalog.live() is None


async def test_the_live_generation_says_what_it_was_built_from(catalog: SqlCatalog) -> None:
    """All that was declared comes back, with the counts, the tables and the moment of the publication."""
    number = await _begin(catalog)
    await catalog.wrote(number, (), Tables(number, 4, 5), {"stage": "Embedding"})
    await catalog.publish(number, {"documents": 2, "chunks": 40})

    live = await catalog.live()
    assert live is not None
    assert live.published_at is not None
    assert datetime.now(UTC) - live.published_at < timedelta(minutes=1)
    assert (MAKE, "Портфолио", "live") == (live.make, live.title, live.state)
    assert ({"documents": 2, "chunks": 40}, Tables(number, 4, 5)) == (live.counts, live.tables)


async def test_publishing_retires_the_one_before(catalog: SqlCatalog) -> None:
    """One generation is live, the last one published; the one before can be published again."""
    first = await _made(catalog, PLAIN)
    second = await _made(catalog, RICH)
    after, retired = await _number(catalog), await catalog.retired()
    await catalog.publish(first)

    assert retired is not None
    assert (second, first, first) == (after, retired.number, await _number(catalog))
    back = await catalog.live()
    assert back is not None
    assert back.counts == {"documents": 1}


async def test_publishing_what_does_not_exist_changes_nothing(catalog: SqlCatalog) -> None:
    """The live generation stays when the switch fails."""
    number = await _made(catalog)

    with pytest.raises(StorageError, match="generation 99 does not exist"):
        await catalog.publish(99, {})
    assert number == await _number(catalog)


async def test_documents_come_back_exactly(catalog: SqlCatalog) -> None:
    """Every field of every document is equal, whatever it holds; the order is that of the ids."""
    number = await _begin(catalog)
    await _store(catalog, number, RICH, PLAIN)

    assert await catalog.documents(number) == (PLAIN, RICH)
    assert await catalog.documents(number, [RICH.id, "absent"]) == (RICH,)
    assert await catalog.holdings(number) == (held(PLAIN), held(RICH))


async def test_documents_of_many_batches_are_all_there(catalog: SqlCatalog) -> None:
    """However many documents are stored at once, each of them is kept."""
    many = tuple(replace(RICH, id=f"{n:04}.md", digest=str(n)) for n in range(250))
    number = await _begin(catalog)
    await _store(catalog, number, *many)

    assert many == await catalog.documents(number)


async def test_storing_again_replaces(catalog: SqlCatalog) -> None:
    """A build that was interrupted can be repeated; what is gone is gone from this generation alone."""
    number = await _begin(catalog)
    await _store(catalog, number, PLAIN, RICH)
    await _store(catalog, number, replace(PLAIN, text="new", digest="2"), removed=[RICH.id])

    assert (replace(PLAIN, text="new", digest="2"),) == await catalog.documents(number)


async def test_a_generation_begins_with_what_its_parent_holds(catalog: SqlCatalog) -> None:
    """In the same tables, without a copy of a document; what changes in it does not change in the parent."""
    first = await _made(catalog, PLAIN, RICH)
    parent = await catalog.live()
    second = await catalog.begin(MAKE, "Портфолио", parent=parent)
    assert parent
    assert second
    begun = await catalog.documents(second.number)
    await _store(catalog, second.number, replace(PLAIN, text="new", digest="2"), removed=[RICH.id])

    assert ((PLAIN, RICH), parent.tables, first) == (begun, second.tables, second.parent)
    assert (PLAIN, RICH) == await catalog.documents(first)
    assert (replace(PLAIN, text="new", digest="2"),) == await catalog.documents(second.number)


async def test_one_generation_is_built_at_a_time(catalog: SqlCatalog) -> None:
    """Whoever comes second is told so, also when both come at once."""
    begun = await asyncio.gather(*(catalog.begin(MAKE, "x") for _ in range(5)))

    [number] = [one.number for one in begun if one]
    building = await catalog.building()
    assert building is not None
    assert number == building.number


async def test_a_build_that_was_left_is_taken_up_by_one(catalog: SqlCatalog) -> None:
    """Of many that see it, one goes on with it; who left it is not the one that builds it any more."""
    number = await _begin(catalog)
    await catalog.leave(number)
    unfinished = await catalog.building()
    assert unfinished is not None
    taken = await asyncio.gather(*(catalog.take(unfinished) for _ in range(5)))

    assert (None, 4) == (unfinished.touched_at, taken.count(None))


async def test_who_was_given_up_for_dead_changes_nothing_more(catalog: SqlCatalog) -> None:
    """Another run goes on with its generation, however often it showed itself meanwhile, and publishes it."""
    old = await catalog.begin(MAKE, "Портфолио")
    assert old
    await catalog.note(old.number, {}, old.builder)
    new = await catalog.take(old, anyway=True)
    assert new
    read = [ReadItem(item(PLAIN), (Understood(PLAIN, named(PLAIN), 1),))]
    late = [
        catalog.take_in(old.number, read, (), {}, old.builder),
        catalog.wrote(old.number, (), Tables(old.number, 8, 9), {}, old.builder),
        catalog.note(old.number, {}, old.builder),
        catalog.name(old.number, "имена", old.builder),
        catalog.publish(old.number, {}, old.builder),
        catalog.drop(old.number, old.builder),
    ]
    for each in late:
        with pytest.raises(StorageError, match="another one took its place"):
            await each
    await catalog.leave(old.number, "tired", old.builder)

    assert ((), new) == (await catalog.documents(old.number), await catalog.building())
    await catalog.publish(new.number, {}, new.builder)
    assert new.number == await _number(catalog)


async def test_a_wish_to_stop_is_for_the_run_that_was_seen(catalog: SqlCatalog) -> None:
    """One that comes while another copy takes the run up is not lost."""
    number = await _begin(catalog)
    seen = await catalog.building()
    await catalog.stop()
    assert seen
    taken = await catalog.take(seen, anyway=True)

    assert taken
    assert (True, False) == (taken.stopping, await catalog.note(number, {}, taken.builder))


async def test_a_build_can_be_asked_to_stop(catalog: SqlCatalog) -> None:
    """It hears of that with the next thing it stores; taking it up again means to go on."""
    number = await _begin(catalog)
    heard = [await catalog.note(number, {}), await catalog.stop(), await catalog.note(number, {"done": 1})]
    unfinished = await catalog.building()
    assert unfinished is not None
    again = await catalog.take(unfinished)

    assert ([True, True, False], {"done": 1}, True) == (heard, unfinished.progress, unfinished.stopping)
    assert again
    assert (False, True) == (again.stopping, await _store(catalog, number, PLAIN))


async def test_nothing_is_stored_in_what_is_not_being_built(catalog: SqlCatalog) -> None:
    """Neither in a published generation nor in one that was dropped for another run."""
    number = await _made(catalog, PLAIN)

    for gone in (number, 99):
        with pytest.raises(StorageError):
            await _store(catalog, gone, RICH)
    assert await catalog.documents(number) == (PLAIN,)
    assert not await catalog.stop()


async def test_a_dropped_generation_is_gone_and_its_number_with_it(catalog: SqlCatalog) -> None:
    """Documents go with the last generation that holds them, and no later one is mistaken for it."""
    shared = await _made(catalog, PLAIN)
    number = await _begin(catalog)
    await _store(catalog, number, PLAIN, RICH)
    await catalog.drop(number)

    assert await catalog.documents(number) == ()
    assert await catalog.documents(shared) == (PLAIN,)
    assert [shared] == [one.number for one in await catalog.all()]
    assert await _begin(catalog) > number


async def test_the_live_generation_is_not_dropped(catalog: SqlCatalog) -> None:
    """Readers keep what they read."""
    number = await _made(catalog, PLAIN)

    with pytest.raises(StorageError, match="is live"):
        await catalog.drop(number)
    assert await catalog.documents(number) == (PLAIN,)


async def test_what_is_to_be_held_comes_before_its_rows(catalog: SqlCatalog) -> None:
    """Documents wait to be written, and what goes waits to be taken out; both are done when their rows are."""
    first = await _made(catalog, PLAIN, RICH)
    second = await catalog.begin(MAKE, "x", parent=await catalog.generation(first))
    assert second
    new = replace(PLAIN, text="new", digest="2")
    await catalog.take_in(second.number, [ReadItem(item(PLAIN), (Understood(new, named(new), 3),))], [], {})
    await catalog.take_in(second.number, [], [f"item of {RICH.id}"], {})
    waiting = await catalog.to_write(second.number)
    await catalog.wrote(second.number, [PLAIN.id, RICH.id], Tables(1), {})

    assert ((PLAIN.id, 3, True), (RICH.id, 0, True)) == waiting
    assert ((), (held(new),)) == (await catalog.to_write(second.number), await catalog.holdings(second.number))
    assert [f"item of {PLAIN.id}"] == [*await catalog.items(second.number)]


async def test_what_never_had_rows_goes_without_a_trace(catalog: SqlCatalog) -> None:
    """A page that came and went while a generation was built is not waited for."""
    number = await _begin(catalog)
    await catalog.take_in(number, [ReadItem(item(PLAIN), (Understood(PLAIN, named(PLAIN), 1),))], [], {})
    await catalog.take_in(number, [], [f"item of {PLAIN.id}"], {})

    assert ((), ()) == (await catalog.to_write(number), await catalog.holdings(number))


async def test_items_are_known_with_their_problems(catalog: SqlCatalog) -> None:
    """Those without documents, too; they change without a new generation, and go by name."""
    number = await _made(catalog, PLAIN)
    broken = KnownItem("плохой.pdf", "s", "d", (IngestError("плохой.pdf", "is cut off"),))
    await catalog.know(number, [broken, replace(item(PLAIN), sign="newer")])
    known = await catalog.items(number)
    await catalog.know(number, [], ["плохой.pdf"])

    assert [str(one) for one in known["плохой.pdf"].problems] == ["плохой.pdf: is cut off"]
    assert known[f"item of {PLAIN.id}"].sign == "newer"
    assert [f"item of {PLAIN.id}"] == [*await catalog.items(number)]


async def test_names_come_without_their_texts(catalog: SqlCatalog) -> None:
    """What each document adds to the names of the corpus is as it was stored."""
    number = await _made(catalog, PLAIN, RICH)

    assert (named(PLAIN), named(RICH)) == await catalog.names(number)
    assert (named(RICH),) == await catalog.names(number, [RICH.id])
