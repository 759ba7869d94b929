"""Vectors and terms in LanceDB: what is written is read, for whom it may be read."""

from pathlib import Path
from typing import Any

import pytest

from adapters.search.lance import LanceIndex
from adapters.search.lance_store import writing
from adapters.search.lexical_port import Where
from core.conversation import Audience
from core.errors import SearchError
from core.ingest.generation import Tables

NORTH, EAST = [1.0, 0.0], [0.0, 1.0]
HOSTILE = ["it's", "'); DROP TABLE x; --", "' OR '1'='1", '"hr"', "a\\", "\\'", "Отдел 'Кадры'", "a\nb", "%", "🙂", ","]


def passage(
    chunk: str, *readers: str, vector: list[float] = NORTH, kind: str = "page", doc: str = "a.md"
) -> dict[str, Any]:
    """Return a passage row."""
    return {
        "chunk_id": chunk, "doc_id": doc, "kind": kind, "start": 0, "end": 5, "readers": [*readers],
        "key": chunk, "vector": vector,
    }  # fmt: skip


def chunk(id_: str, tokens: str = "rag", *readers: str, n: int = 0, doc: str = "a.md") -> dict[str, Any]:
    """Return a chunk row."""
    return {
        "id": id_, "doc_id": doc, "n": n, "kind": "page", "tokens": tokens, "readers": list(readers),
        "language": "ru", "day": 0,
    }  # fmt: skip


async def nearest(
    index: LanceIndex, *groups: str, kinds: tuple[str, ...] = (), ids: tuple[str, ...] = (), limit: int = 10
) -> list[str]:
    """Return the chunks of the passages nearest to the north that these groups may read."""
    where = Where(frozenset(groups), frozenset(kinds), frozenset(ids))
    return [near.chunk_id for near in await index.nearest(Tables(1), NORTH, where, limit)]


@pytest.fixture
def index(tmp_path: Path) -> LanceIndex:
    """Give an index in an empty folder."""
    return LanceIndex(str(tmp_path / "index"))


async def test_passages_come_nearest_first(index: LanceIndex) -> None:
    """Each has its place and its distance, 1 less the cosine."""
    await index.build(1, [passage("east", vector=EAST), passage("север", vector=[2.0, 0.0])], [], 2)

    found = await index.nearest(Tables(1), NORTH, None, 5)

    assert [("север", 0, 5, 0.0), ("east", 0, 5, 1.0)] == [
        (near.chunk_id, near.start, near.end, pytest.approx(near.distance)) for near in found
    ]


async def test_chunks_come_back_in_order_and_all(index: LanceIndex) -> None:
    """What was written is read, in order, however many batches it took."""
    rows = [chunk(f"чанк-{n}", f"слово {n}", *(["hr"] if n % 2 else []), n=n) for n in range(4_500)]

    await index.build(1, [], rows, 2)

    assert rows == await index.chunks(Tables(1))


async def test_an_index_outlives_the_process(tmp_path: Path) -> None:
    """Another process that opens the folder reads the same."""
    await LanceIndex(str(tmp_path)).build(1, [passage("x")], [chunk("x")], 2)

    assert ["x"] == await nearest(LanceIndex(str(tmp_path)))


async def test_a_generation_built_again_is_read_anew(index: LanceIndex) -> None:
    """Nobody reads the rows of the attempt before."""
    await index.build(1, [passage("old")], [chunk("old")], 2)
    assert ["old"] == await nearest(index)

    await index.build(1, [passage("new")], [chunk("new")], 2)

    assert (["new"], ["new"]) == (await nearest(index), [row["id"] for row in await index.chunks(Tables(1))])


async def test_a_change_leaves_older_versions_as_they_were(index: LanceIndex) -> None:
    """Who reads a generation reads the same whatever is written meanwhile; the new one holds what it should."""
    first = await index.build(
        1, [passage("a"), passage("б", doc="б.md")], [chunk("a"), chunk("б", "слово", doc="б.md")], 2
    )
    new = [passage("в", doc="б.md", vector=EAST)], [chunk("в", "другое", doc="б.md")]
    second = await index.change(first, ["б.md", "absent.md"], *new)

    told = [[row["id"] for row in await index.chunks(tables)] for tables in (first, second)]
    near = [{one.chunk_id for one in await index.nearest(tables, NORTH, None, 9)} for tables in (first, second)]
    assert ([["a", "б"], ["a", "в"]], [{"a", "б"}, {"a", "в"}]) == (told, near)
    assert [(2, 2), (2, 2)] == [await index.counts(tables) for tables in (first, second)]


async def test_what_was_never_published_is_taken_back(index: LanceIndex) -> None:
    """A build that was given up leaves versions behind; the next one begins with what it builds on."""
    live = await index.build(1, [passage("a")], [chunk("a")], 2)
    await index.change(live, ["a.md"], [passage("half")], [])
    again = await index.restore(live)
    after = await index.change(again, [], [passage("b", doc="b.md")], [chunk("b", doc="b.md")])

    assert ["a"] == [near.chunk_id for near in await index.nearest(again, NORTH, None, 9)]
    assert {"a", "b"} == {near.chunk_id for near in await index.nearest(after, NORTH, None, 9)}
    assert ["a", "b"] == [row["id"] for row in await index.chunks(after)]


async def test_vectors_are_known_by_what_was_embedded(index: LanceIndex) -> None:
    """Those of the documents asked for, however many that are."""
    rows = [passage(f"чанк-{n}", doc=f"{n}.md", vector=EAST if n % 2 else NORTH) for n in range(1200)]
    tables = await index.build(1, rows, [], 2)

    held = await index.vectors(tables, ["7.md", "8.md", "it's.md"])
    assert {"чанк-7": EAST, "чанк-8": NORTH} == {key: list(vector) for key, vector in held.items()}
    assert len(await index.vectors(tables, [f"{n}.md" for n in range(1100)])) == 1100


async def test_chunks_of_some_documents_may_change_alone(index: LanceIndex) -> None:
    """Their passages stay as they are."""
    tables = await index.build(1, [passage("a")], [chunk("a", "старое")], 2)
    changed = await index.replace_chunks(tables, ["a.md"], [chunk("a", "новое")])

    assert ["новое"] == [row["tokens"] for row in await index.chunks(changed)]
    assert (tables.passages, ["старое"]) == (changed.passages, [row["tokens"] for row in await index.chunks(tables)])


async def test_generations_do_not_mix_and_one_can_be_dropped(index: LanceIndex) -> None:
    """Dropping one leaves the other; dropping what is not there is nothing; the dropped one cannot be read."""
    for generation in range(1, 8):
        await index.build(generation, [passage(f"g{generation}")], [chunk(f"g{generation}")], 2)
    await index.chunks(Tables(7))

    for generation in (7, 7, 99):
        await index.drop(generation)

    assert ["g1"] == [row["id"] for row in await index.chunks(Tables(1))]
    with pytest.raises(SearchError, match="footnote index"):
        await index.chunks(Tables(7))


@pytest.mark.parametrize("read", ["nearest", "chunks"])
async def test_an_index_that_was_never_built_says_what_to_do(index: LanceIndex, read: str) -> None:
    """The error names the command that builds it."""
    with pytest.raises(SearchError, match="build it again with: footnote index"):
        await (index.nearest(Tables(1), NORTH, None, 5) if read == "nearest" else index.chunks(Tables(1)))


async def test_a_place_that_cannot_be_used_is_an_error_of_ours(tmp_path: Path) -> None:
    """A file where the folder should be fails as a SearchError, for writing and for dropping."""
    (tmp_path / "index").write_text("в файле")
    index = LanceIndex(str(tmp_path / "index"))

    with pytest.raises(SearchError, match="could not be written"):
        await index.build(1, [passage("x")], [], 2)
    with pytest.raises(SearchError, match="could not be removed"):
        await index.drop(1)


@pytest.mark.parametrize("said", ["LanceError(IO): No space left on device (os error 28)", "Disk quota exceeded"])
def test_a_full_disk_is_named(said: str) -> None:
    """In the words of the system, which LanceDB passes on: what to do is to make room."""
    with pytest.raises(SearchError, match=r"\(FOOTNOTE_DATA_DIR\) is full: make room there"), writing():
        raise RuntimeError(said)


async def test_only_readers_are_given_a_restricted_passage(index: LanceIndex) -> None:
    """Open passages are for everybody; a restricted one is for who shares a group with it."""
    await index.build(1, [passage("open"), passage("hr", "hr", "board"), passage("кадры", "Кадры")], [], 2)

    assert [["open"], ["hr", "open"], ["open", "кадры"], ["open"]] == [
        sorted(await nearest(index, *groups)) for groups in ((), ("board", "x"), ("Кадры",), ("HR",))
    ]


async def test_the_filter_is_inside_the_search(index: LanceIndex) -> None:
    """A passage that may be read is found behind any number of nearer ones that may not."""
    secret = [passage(f"s{n}", "hr") for n in range(600)]
    await index.build(1, [*secret, passage("open", vector=EAST)], [], 2)

    assert ["open"] == await nearest(index, limit=5)


@pytest.mark.parametrize("name", HOSTILE)
async def test_no_name_can_open_the_filter(index: LanceIndex, name: str) -> None:
    """A hostile group, kind or document name is a name: it lets in its own and nothing else."""
    rows = [
        passage("open"),
        passage("own", name, kind=name, doc=name),
        passage("secret", "hr", kind="policy", doc="s.md"),
    ]
    await index.build(1, rows, [], 2)

    assert ["open", "own"] == sorted(await nearest(index, name))
    assert ["own"] == await nearest(index, name, kinds=(name,))
    assert ["own"] == await nearest(index, name, ids=(name,))
    assert [] == await nearest(index, kinds=(name,))


async def test_kinds_and_documents_narrow_the_search(index: LanceIndex) -> None:
    """Both filters hold together with the readers."""
    rows = [passage("a", kind="policy"), passage("b", kind="проект", doc="b.md"), passage("c", "hr", kind="policy")]
    await index.build(1, rows, [], 2)

    assert ["a"] == await nearest(index, kinds=("policy",))
    assert ["b"] == await nearest(index, ids=("b.md", "c.md"))
    assert [] == await nearest(index, kinds=("policy",), ids=("b.md",))


async def test_the_filter_agrees_with_the_audience(index: LanceIndex) -> None:
    """What the index lets through is exactly what `Audience.may_read` allows."""
    names = ["hr", "it's", "Кадры"]
    sets = [frozenset(n for bit, n in enumerate(names) if mask >> bit & 1) for mask in range(8)]
    await index.build(1, [passage(str(n), *sorted(readers)) for n, readers in enumerate(sets)], [], 2)

    for groups in sets:
        allowed = [str(n) for n, readers in enumerate(sets) if Audience("acme", groups).may_read(readers)]
        assert allowed == sorted(await nearest(index, *groups))
