"""Index runs: only what changed is made anew, what is interrupted goes on, and readers see one generation at a time."""

import asyncio
import errno
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from adapters.search.lance import LanceIndex
from adapters.storage.catalog import SqlCatalog
from adapters.storage.database import Database
from bot import indexing
from bot.index_rows import LocalMaker
from bot.indexing import Indexer, IndexReport, collection_of
from core.errors import ConfigError, IndexingStopped, TextsRefused
from core.ingest.domain import read_domain
from core.ingest.generation import Tables
from core.ingest.names import registry_of
from core.ingest.parts import CorpusNames, Maker, PartOrder, PartRows
from tests.adapters.search.shelf import Letters

PAGES = {
    "vpn.md": "# VPN\n\nThe gateway is in Berlin. Ask Ada for a key.\n\nIt is renewed each year.\n",
    "отпуск.md": "# Отпуск\n\nСотруднику положено 27 дней отпуска. Заявление пишут за две недели.\n",
    "people/ada.md": "# Ada Lovelace\n\nAda keeps the keys. She sits in room 4.\n",
}


# Seconds in which what was embedded is stored, on a busy machine.
_STORED = 0.5


class Counting(Letters):
    """Counts the texts that were embedded; fails at the call with that number, if one is named."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.calls = 0
        self.fails_at = 0
        self.refuses = ""

    async def embed(self, texts: Sequence[str], purpose: str = "passage") -> list[list[float]]:
        self.calls += 1
        if self.calls == self.fails_at:
            # What was embedded before is being stored meanwhile.
            await asyncio.sleep(_STORED)
            raise OSError("the encoder was cut off")
        self.texts += texts
        vectors = await super().embed(texts)
        if refused := [place for place, text in enumerate(texts) if self.refuses and self.refuses in text]:
            taken = {place: vector for place, vector in enumerate(vectors) if place not in refused}
            raise TextsRefused("the encoder refused it", refused, taken)
        return vectors


@dataclass
class Library:
    """A folder of pages, and what was made of it."""

    folder: Path
    catalog: SqlCatalog
    index: LanceIndex
    embedder: Counting = field(default_factory=Counting)
    told: list[tuple[str, int, int]] = field(default_factory=list)

    def write(self, **pages: str) -> None:
        """Write pages; a dot and a slash are written as in `a__b_md`."""
        for name, text in pages.items():
            self.put(name.replace("__", "/").replace("_md", ".md"), text)

    def put(self, name: str, text: str) -> None:
        """Write one page."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def indexer(self, *, alone: bool = False, maker: Maker | None = None) -> Indexer:
        """Return what indexes."""
        told = self.told.append
        return Indexer(self.catalog, self.index, self.embedder, lambda *now: told(now), alone=alone, maker=maker)

    async def run(self, *, alone: bool = False) -> IndexReport:
        """Index the folder, and forget what was embedded before."""
        self.embedder.texts = []
        return await self.indexer(alone=alone).run(collection_of(self.folder))

    async def rows(self) -> tuple[Tables, dict[str, str], set[tuple[str, int, int, str]]]:
        """Return all that the live generation holds: its tables, chunks with terms, and passages with their keys."""
        live = await self.catalog.live()
        assert live
        chunks = {str(row["id"]): str(row["tokens"]) for row in await self.index.chunks(live.tables)}
        table = await self.index._store.table(f"passages_g{live.tables.base}", live.tables.passages)
        rows = (await table.query().to_arrow()).to_pylist()
        return live.tables, chunks, {(row["chunk_id"], row["start"], row["end"], row["key"]) for row in rows}


@pytest.fixture
def library(database: Database, tmp_path: Path) -> Library:
    """Return a folder of three pages, not indexed yet."""
    made = Library(tmp_path / "pages", SqlCatalog(database), LanceIndex(str(tmp_path / "index")))
    for name, text in PAGES.items():
        made.put(name, text)
    return made


async def test_the_first_run_embeds_everything_once(library: Library) -> None:
    """Every passage has a vector; nothing is published before all is there."""
    report = await library.run()

    assert (("people/ada.md", "vpn.md", "отпуск.md"), 3) == (report.changes.added, report.counts["documents"])
    assert report.embedded == len(library.embedder.texts) == report.counts["passages"]
    assert ("Embedding", report.counts["chunks"], report.counts["chunks"]) == library.told[-1]


async def test_nothing_is_done_when_nothing_changed(library: Library) -> None:
    """Not a passage is embedded and the generation stays."""
    await library.run()
    before = await library.catalog.live()
    report = await library.run()

    assert (False, [], before) == (report.rebuilt, library.embedder.texts, await library.catalog.live())


@pytest.mark.parametrize(("page", "old", "new"), [("vpn.md", "in Berlin", "in Rome"), ("отпуск.md", "27", "28")])
async def test_a_changed_sentence_is_embedded_alone(library: Library, page: str, old: str, new: str) -> None:
    """The rest of its page keeps its vectors, though it may stand elsewhere; other pages are not touched."""
    await library.run()
    library.put(page, PAGES[page].replace(old, new))
    report = await library.run()

    assert ((page,), 1) == (report.changes.changed, report.embedded)
    assert [new in text for text in library.embedder.texts] == [True]


async def test_a_page_that_goes_takes_its_rows_along(library: Library) -> None:
    """And one that comes brings its own, with nothing else embedded."""
    await library.run()
    (library.folder / "отпуск.md").unlink()
    library.put("new.md", "# Lunch\n\nLunch is at noon.\n")
    report = await library.run()

    live = await library.catalog.live()
    assert live
    there = {row["doc_id"] for row in await library.index.chunks(live.tables)}
    assert ({"new.md", "people/ada.md", "vpn.md"}, 1) == (there, report.embedded)


async def test_readers_of_the_generation_before_are_not_disturbed(library: Library) -> None:
    """What was live is read as it was, while the next one is built and after, until it is forgotten."""
    await library.run()
    before, chunks, passages = await library.rows()
    library.put("vpn.md", "# VPN\n\nThere is none any more.\n")
    await library.run()

    assert chunks == {str(row["id"]): str(row["tokens"]) for row in await library.index.chunks(before)}
    assert len(passages) == (await library.index.counts(before))[1]


async def test_a_new_name_is_told_to_pages_that_did_not_change(library: Library) -> None:
    """A page titled Berlin comes: the page that names Berlin is found by that name, and is not embedded again."""
    await library.run()
    library.put("berlin.md", "# Berlin\n\nAn office.\n")
    report = await library.run()

    _, chunks, _ = await library.rows()
    assert [True] == ["§berlin.md" in tokens for tokens in chunks.values() if "gateway" in tokens]
    assert all("VPN" not in text for text in library.embedder.texts)
    assert report.changes.unchanged == tuple(sorted(PAGES))


async def test_a_new_name_is_told_to_tables_that_have_it_over_a_column(library: Library) -> None:
    """The names of columns are words of their rows, so what is written nowhere else is found by a new name, too."""
    library.put("trips.md", "# Trips\n\n| City | Per diem |\n|---|---|\n| Lyon | 35 EUR |\n")
    await library.run()
    library.put("diem.md", "# Per diem\n\nWhat a day away is paid with.\n")
    await library.run()

    _, chunks, _ = await library.rows()
    assert [True] == ["§diem.md" in tokens for tokens in chunks.values() if "lyon" in tokens]


async def test_an_interrupted_run_goes_on_where_it_stopped(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was stored is not embedded again, and the end is what an undisturbed run makes."""
    monkeypatch.setattr("core.ingest.rows.CHUNKS_AT_ONCE", 1)
    library.embedder.fails_at = 3
    with pytest.raises(OSError, match="cut off"):
        await library.run()
    nothing, begun = await library.catalog.live(), await library.catalog.building()
    assert begun
    stored = {one.doc_id for one in await library.catalog.holdings(begun.number) if one.written}
    report = await library.run()

    titles = {"people/ada.md": "Ada Lovelace", "vpn.md": "VPN", "отпуск.md": "Отпуск"}
    again = {text.partition(":")[0] for text in library.embedder.texts}
    assert nothing is None
    assert stored
    assert again == {title for id_, title in titles.items() if id_ not in stored}
    assert report.counts["documents"] == 3
    tables, chunks, passages = await library.rows()
    assert (len(chunks), len(passages)) == await library.index.counts(tables)


async def test_a_text_that_the_encoder_refuses_costs_nothing_but_its_vector(library: Library) -> None:
    """Its document is indexed and found by its words, the report says so at each run, and all others are as ever."""
    library.embedder.refuses = "27 дней"
    report = await library.run()
    _, chunks, passages = await library.rows()

    assert [problem.path for problem in report.problems] == ["отпуск.md"]
    assert report.problems[0].reason.startswith("the embedding model refused one passage, which is found by its words")
    assert report.counts["documents"] == 3
    assert any("27" in tokens.split() for tokens in chunks.values())
    assert len(passages) == report.embedded == len(library.embedder.texts) - 1
    again = await library.run()
    assert ([], ["отпуск.md"]) == (library.embedder.texts, [problem.path for problem in again.problems])
    library.embedder.refuses = ""
    library.put("отпуск.md", PAGES["отпуск.md"] + "\nНовый пункт.\n")
    mended = await library.run()
    assert (2, ()) == (mended.embedded, mended.problems)


async def test_a_moved_page_keeps_its_vectors(library: Library) -> None:
    """Another path, another id, the same texts: nothing is embedded, and the rows are those of the new path."""
    await library.run()
    before = await library.rows()
    (library.folder / "archive").mkdir()
    (library.folder / "отпуск.md").rename(library.folder / "archive" / "отпуск.md")
    report = await library.run()
    after = await library.rows()

    assert (0, []) == (report.embedded, library.embedder.texts)
    assert (("archive/отпуск.md",), ("отпуск.md",)) == (report.changes.added, report.changes.removed)
    assert {key for *_, key in before[2]} == {key for *_, key in after[2]}
    assert len(after[1]) == len(before[1])


async def test_a_run_that_is_asked_to_stop_leaves_the_index_as_it_was(library: Library) -> None:
    """The next run goes on; nothing is to be stopped when nobody builds."""
    await library.run()
    before = await library.catalog.live()
    library.put("vpn.md", "# VPN\n\nThere is none any more.\n")

    class Stopped(Counting):
        """Asks for the stop before anything is embedded, so that the run cannot end before."""

        async def embed(self, texts: Sequence[str], purpose: Any = "passage") -> Any:
            asked.append(await library.catalog.stop())
            return await super().embed(texts, purpose)

    asked: list[bool] = []
    indexer = Indexer(library.catalog, library.index, Stopped(), lambda *_: None)
    with pytest.raises(IndexingStopped):
        await indexer.run(collection_of(library.folder))

    assert before == await library.catalog.live()
    assert asked[0]
    assert (await library.run()).rebuilt
    assert not await library.catalog.stop()


async def test_two_runs_at_once_are_one(library: Library) -> None:
    """The second one says that another is under way, and harms nothing."""
    done = await asyncio.gather(library.run(), library.run(), return_exceptions=True)

    [report] = [one for one in done if isinstance(one, IndexReport)]
    [refused] = [one for one in done if isinstance(one, ConfigError)]
    assert "another index run is under way" in str(refused)
    assert report.counts["documents"] == 3


async def test_a_run_whose_process_died_is_taken_up(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once by who knows to be alone, after a minute by anybody."""
    make = await library.indexer()._make(collection_of(library.folder), None)
    await library.catalog.begin(make, "Documents")
    with pytest.raises(ConfigError, match="another index run"):
        await library.run()

    assert (await library.run(alone=True)).rebuilt
    library.put("vpn.md", "# VPN\n\nNone.\n")
    await library.catalog.begin(make, "Documents", parent=await library.catalog.live())
    monkeypatch.setattr(indexing, "ABANDONED_AFTER", indexing.timedelta(0))
    assert (await library.run()).rebuilt


async def test_the_plan_changes_nothing(library: Library) -> None:
    """It says what a run would do."""
    changes, problems, _ = await library.indexer().plan(collection_of(library.folder))

    assert (3, ()) == (len(changes.added), problems)
    assert await library.catalog.all() == ()


async def test_a_lost_folder_is_made_again(library: Library, tmp_path: Path) -> None:
    """The tables went with it; the documents are indexed from the ground up."""
    await library.run()
    library.index = LanceIndex(str(tmp_path / "elsewhere"))
    report = await library.run()

    assert (True, report.counts["passages"]) == (report.rebuilt, report.embedded)


async def test_the_generation_before_is_kept_and_older_ones_are_not(library: Library) -> None:
    """One can go back by one; what nobody needs is forgotten."""
    for room in ("4", "5", "6", "7"):
        library.put("people/ada.md", PAGES["people/ada.md"].replace("room 4", f"room {room}"))
        await library.run()

    kept = await library.catalog.all()
    assert ["retired", "live"] == [one.state for one in kept]
    texts = [(await library.catalog.documents(one.number, ["people/ada.md"]))[0].text for one in kept]
    assert ["room 6" in texts[0], "room 7" in texts[1]] == [True, True]


class Elsewhere:
    """A maker that knows of an order no more than can be sent: its generation and the ids, and where vectors are."""

    at_once = 3

    def __init__(self, library: Library) -> None:
        self._library = library
        self.numbers: list[int] = []

    async def make(self, order: PartOrder) -> PartRows:
        """Make the rows with names that are put together anew."""
        catalog = self._library.catalog
        generation = await catalog.generation(order.generation)
        assert generation
        declared = read_domain(generation.make.domain).entities
        names = CorpusNames(declared, registry_of(await catalog.names(order.generation), declared))
        self.numbers.append(order.number)
        sent = PartOrder(order.generation, order.number, order.documents, order.known, names)
        return await LocalMaker(catalog, self._library.index, self._library.embedder).make(sent)


async def test_it_does_not_matter_who_makes_the_rows(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """An order says all that is needed; whoever makes the rows, they are the same."""
    monkeypatch.setattr("core.ingest.rows.CHUNKS_AT_ONCE", 1)
    await library.run()
    _, *here = await library.rows()
    library.index = LanceIndex(str(library.folder.parent / "elsewhere"))
    maker = Elsewhere(library)
    await library.indexer(maker=maker).run(collection_of(library.folder))
    _, *elsewhere = await library.rows()

    assert here == elsewhere
    assert sorted(maker.numbers) == [0, 1, 2]


async def test_an_unchanged_folder_needs_no_encoder(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """To load one takes seconds."""
    await library.run()

    async def refuse() -> None:
        raise ConfigError("no encoder")

    monkeypatch.setattr(library.embedder, "prepare", refuse)

    assert not (await library.run()).rebuilt


async def test_progress_goes_forward(library: Library) -> None:
    """Within a stage it never goes back, nor past its end; the stages come one after the other."""
    await library.run()
    library.told.clear()
    library.put("berlin.md", "# Berlin\n\nAn office.\n")
    await library.run()
    stages = list(dict.fromkeys(stage for stage, *_ in library.told))
    by_stage = [[now for now in library.told if now[0] == stage] for stage in stages]

    assert stages == ["Reading", "Embedding", "Naming"]
    assert [one for some in by_stage for one in some] == library.told
    assert all(done <= total for _, done, total in library.told)
    assert all(some == sorted(some, key=lambda now: now[1]) for some in by_stage)


CHANGES: list[dict[str, str | None]] = [
    {"vpn.md": "# VPN\n\nThe gateway is in Rome. Ask Ada for a key.\n"},
    {"berlin.md": "# Berlin\n\nAn office.\n", "отпуск.md": "# Отпуск\n\nВ Берлине положено 30 дней.\n"},
    {"people/ada.md": "# Augusta King\n\nShe keeps the keys.\n"},
    {"berlin.md": None, "glossary.md": "# Glossary\n\n**VPN**: virtual private network (ВПН)\n"},
    {"отпуск.md": "---\naliases: [gateway]\n---\n# Отпуск\n\nСотруднику положено 27 дней.\n"},
    {"glossary.md": None, "vpn.md": None, "ада.md": "# Ада Лавлейс\n\nAda sits in room 5.\n"},
]


async def test_one_indexer_run_after_run_makes_what_a_clean_one_does(library: Library, tmp_path: Path) -> None:
    """Whatever it remembers of the run before: pages come, go and change, and names with them."""
    indexer = library.indexer()
    await indexer.run(collection_of(library.folder))
    for change in CHANGES:
        for name, text in change.items():
            library.put(name, text) if text else (library.folder / name).unlink()
        await indexer.run(collection_of(library.folder))
    _, *warm = await library.rows()
    library.index = LanceIndex(str(tmp_path / "clean"))
    await library.run()
    _, *clean = await library.rows()

    assert clean == warm


async def test_names_may_change_while_a_run_is_cut_short(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows that it left were made with names that are not there any more; they are made good, and not embedded."""
    monkeypatch.setattr("core.ingest.rows.CHUNKS_AT_ONCE", 1)
    library.put("berlin.md", "# Berlin\n\nAn office.\n")
    library.embedder.fails_at = 4
    with pytest.raises(OSError, match="cut off"):
        await library.run()
    (library.folder / "berlin.md").unlink()
    library.put("key.md", "# Gateway\n\nКлюч лежит у Ады.\n")
    await library.run()
    _, *resumed = await library.rows()
    library.index = LanceIndex(str(library.folder.parent / "clean"))
    await library.run()
    _, *clean = await library.rows()

    assert clean == resumed


async def test_what_cannot_be_had_stays_when_all_is_made_anew(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index that cannot build upon the live one takes from it what a share fails to give just then."""
    await library.run()
    monkeypatch.setattr(indexing, "ANALYZER", "another")
    opened = os.open

    def fail(path: Any, *of: Any, **how: Any) -> int:
        if str(path).endswith("vpn.md"):
            raise OSError(errno.EIO, "Input/output error")
        return opened(path, *of, **how)

    with monkeypatch.context() as context:
        context.setattr(os, "open", fail)
        report = await library.run()

    assert (True, ()) == (report.rebuilt, report.changes.removed)
    assert ["vpn.md"] == [one.path for one in report.problems]
    assert () == (await library.run()).problems
