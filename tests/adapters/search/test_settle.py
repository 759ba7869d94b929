"""Large tables get indices, which find what the exact search finds, and which a small change leaves as they are."""

import asyncio
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adapters.search import lance_settle
from adapters.search.lance import LanceIndex
from adapters.search.lexical_port import Where
from core.ingest.generation import Tables

SIZE, DIMENSION, TOPICS = 6_000, 64, 40
ANYBODY = Where(frozenset())


def _vectors(count: int, seed: int) -> Any:
    random = np.random.default_rng(seed)
    topics = np.random.default_rng(0).standard_normal((TOPICS, DIMENSION))
    made = topics[random.integers(0, TOPICS, count)] + 0.6 * random.standard_normal((count, DIMENSION))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def passages(count: int = SIZE, *, first: int = 0, seed: int = 1) -> list[dict[str, Any]]:
    """Return passages, two to a document, one document in five for hr alone, one in two Russian."""
    return [
        {
            "chunk_id": f"чанк{n}", "doc_id": f"d{n // 2}", "kind": "page", "start": 0, "end": 5, "key": str(n),
            "readers": ["hr"] if n // 2 % 5 == 0 else [], "language": "ru" if n % 2 else "en", "day": n,
            "vector": vector,
        }
        for n, vector in enumerate(_vectors(count, seed), first)
    ]  # fmt: skip


ROWS = passages()
VECTORS = np.array([row["vector"] for row in ROWS])
ASKED = _vectors(30, 2)


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Tables, Tables]:
    """Give a folder with tables before and after they were settled, in as many parts as a large table has."""
    folder = tmp_path_factory.mktemp("settled")

    async def build() -> tuple[Tables, Tables]:
        index = LanceIndex(str(folder))
        before = await index.build(1, ROWS, [], DIMENSION)
        return before, await index.settle(before)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(lance_settle, "_PARTITION", 400)
        return folder, *asyncio.run(build())


def _exact(vector: Any, where: Where, limit: int) -> list[str]:
    allowed = [
        place
        for place, row in enumerate(ROWS)
        if (not row["readers"] or where.groups & {*row["readers"]})
        and (not where.languages or row["language"] in where.languages)
        and (not where.doc_ids or row["doc_id"] in where.doc_ids)
    ]
    nearest = np.argsort(-(VECTORS[allowed] @ vector), kind="stable")[:limit]
    return [ROWS[allowed[place]]["chunk_id"] for place in nearest]


async def _indices(index: LanceIndex, tables: Tables) -> dict[str, str]:
    table = await index._store.table(f"passages_g{tables.base}", tables.passages)
    return {one.name: one.index_uuid for one in await table.list_indices()}


async def _parts(index: LanceIndex, tables: Tables) -> int:
    """Return how many parts the index over the vectors has, as LanceDB tells it of a search."""
    table = await index._store.table(f"passages_g{tables.base}", tables.passages)
    told = await table.query().nearest_to(ASKED[0]).distance_type("cosine").limit(1).analyze_plan()
    return max(map(int, re.findall(r"partitions_ranked=(\d+)", told)))


async def _files(index: LanceIndex) -> int:
    stats = await (await index._store.newest("passages_g1")).stats()
    return int(stats["fragment_stats"]["num_fragments"])


async def _unseen(index: LanceIndex) -> int:
    return max(one.num_unindexed_rows for one in await (await index._store.newest("passages_g1")).list_indices())


@pytest.mark.parametrize(
    "where",
    [
        ANYBODY,
        Where(frozenset({"hr"})),
        Where(frozenset(), languages=frozenset({"ru"})),
        Where(frozenset({"hr"}), doc_ids=frozenset({"d5", "d77"})),
    ],
)
async def test_an_index_finds_what_the_exact_search_does(
    settled: tuple[Path, Tables, Tables], where: Where, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nearly all of the ten nearest are found, of what may be read; a filter that leaves few leaves all of them."""
    folder, _, tables = settled
    index = LanceIndex(str(folder))
    # As a large table is searched: in a part of its partitions.
    monkeypatch.setattr("adapters.search.lance.PROBED", 8)
    exact = [_exact(vector, where, 10) for vector in ASKED]

    found = [[near.chunk_id for near in await index.nearest(tables, vector.tolist(), where, 10)] for vector in ASKED]

    assert [len(ids) for ids in exact] == [len(ids) for ids in found]
    shared = sum(len({*ids} & {*others}) for ids, others in zip(exact, found, strict=True))
    assert shared >= 0.97 * sum(len(ids) for ids in exact)


async def test_who_may_read_little_finds_all_of_it(
    settled: tuple[Path, Tables, Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the nearest parts hold less than is asked for, the others are looked into, and what is closed stays so."""
    folder, _, tables = settled
    monkeypatch.setattr("adapters.search.lance.PROBED", 1)
    mine = {row["chunk_id"] for row in ROWS if not row["readers"]}

    found = await LanceIndex(str(folder)).nearest(tables, ASKED[0].tolist(), ANYBODY, SIZE)

    assert mine == {near.chunk_id for near in found}


async def test_a_table_is_written_as_one_file_before_it_gets_an_index(tmp_path: Path) -> None:
    """What a search brings lies in one place, however many parts the run had; later changes leave that file alone."""
    index = LanceIndex(str(tmp_path))
    tables = await index.build(1, ROWS[:2_500], [], DIMENSION)
    tables = await index.settle(await index.change(tables, [], ROWS[2_500:], []))
    at_first = await _files(index)
    new = {**ROWS[4], "chunk_id": "новый", "doc_id": "d2"}

    await index.settle(await index.change(tables, ["d2"], [new], []))

    assert (1, 2) == (at_first, await _files(index))


async def test_rows_that_are_taken_in_leave_the_parts_as_small_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much is added, a search looks into a part of the table: no few parts take the place of the many."""
    monkeypatch.setattr(lance_settle, "_MOST_UNSEEN", 100)
    monkeypatch.setattr(lance_settle, "_PARTITION", 200)
    index = LanceIndex(str(tmp_path))
    tables = await index.settle(await index.build(1, ROWS, [], DIMENSION))
    before = await _parts(index, tables)
    more = [row | {"chunk_id": f"b{n}", "doc_id": f"b{n}"} for n, row in enumerate(passages(300, seed=4))]

    tables = await index.settle(await index.change(tables, [], more, []))

    assert (30, 0) == (before, await _unseen(index))
    assert await _parts(index, tables) >= 20


@pytest.mark.parametrize("kinds", [1, 7, 41])
async def test_passages_that_are_much_alike_are_settled_too(
    tmp_path: Path, kinds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages that are made from one template have few vectors between them, and an index run does not end for that."""
    # Over 256 parts LanceDB makes them in another way, which refuses.
    monkeypatch.setattr(lance_settle, "_PARTITION", 20)
    some = _vectors(kinds, 3)
    rows = [row | {"vector": some[n % kinds]} for n, row in enumerate(ROWS)]
    index = LanceIndex(str(tmp_path))
    tables = await index.settle(await index.build(1, rows, [], DIMENSION))
    found = await index.nearest(tables, some[0], ANYBODY, 5)

    assert any(name.startswith("near_") for name in await _indices(index, tables))
    assert {int(one.chunk_id.removeprefix("чанк")) % kinds for one in found} == {0}


async def test_settling_again_does_nothing(settled: tuple[Path, Tables, Tables]) -> None:
    """Tables that are settled stay in their versions; the version before has no index and all rows."""
    folder, before, tables = settled
    index = LanceIndex(str(folder))

    assert tables == await index.settle(tables)
    assert {} == await _indices(index, before)
    assert [(0, SIZE)] * 2 == [await index.counts(each) for each in (before, tables)]


async def test_a_small_change_leaves_the_indices_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was added is found and what was removed is not, before anything is made anew."""
    monkeypatch.setattr(lance_settle, "INDEXED_FROM", 500)
    index = LanceIndex(str(tmp_path))
    tables = await index.settle(await index.build(1, ROWS[:1_000], [], DIMENSION))
    new = {**ROWS[4], "chunk_id": "новый", "doc_id": "d2", "readers": []}
    before = await _indices(index, tables)

    changed = await index.settle(await index.change(tables, ["d2"], [new], []))

    assert before == await _indices(index, changed)
    for at, chunk_id in ((tables, "чанк4"), (changed, "новый")):
        near = await index.nearest(at, new["vector"].tolist(), ANYBODY, 1)
        assert chunk_id == near[0].chunk_id
    assert {"чанк5"}.isdisjoint(near.chunk_id for near in await index.nearest(changed, ROWS[5]["vector"], ANYBODY, 9))


async def test_much_that_was_added_is_taken_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index that has outgrown its parts is made anew, one that has not takes the new rows in; files become few."""
    monkeypatch.setattr(lance_settle, "INDEXED_FROM", 500)
    monkeypatch.setattr(lance_settle, "_MOST_UNSEEN", 100)
    monkeypatch.setattr(lance_settle, "_MOST_FILES", 6)
    monkeypatch.setattr(lance_settle, "_PARTITION", 400)
    index = LanceIndex(str(tmp_path))
    first = await index.settle(await index.build(1, ROWS[:800], [], DIMENSION))
    second = await index.settle(await index.change(first, [], ROWS[800:1_000], []))
    third = second
    for start in range(1_000, 5_000, 400):
        third = await index.change(third, [], ROWS[start : start + 400], [])
    third = await index.settle(third)

    assert [800, 1_000, 5_000] == [(await index.counts(each))[1] for each in (first, second, third)]
    names = [
        {name for name in await _indices(index, each) if name.startswith("near_")} for each in (first, second, third)
    ]
    assert [{"near_2"}, {"near_2"}, {"near_12"}] == names
    assert await _files(index) <= 6
    assert 0 == await _unseen(index)


async def test_old_versions_go_and_kept_ones_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once many versions are older than all that are kept they are removed; whoever reads a kept one sees it whole."""
    monkeypatch.setattr(lance_settle, "_GRACE", timedelta(seconds=4))
    index = LanceIndex(str(tmp_path))
    tables = old = await index.build(1, ROWS[:10], [], DIMENSION)
    for n in range(20):
        tables = await index.change(tables, ["new"], [{**ROWS[n], "doc_id": "new"}], [])
    await asyncio.sleep(4.1)  # versions are known by their age alone
    kept = await index.change(tables, ["new"], [{**ROWS[40], "doc_id": "new"}], [])
    now = await index.change(kept, ["d0"], [], [])
    told = await _all(index, kept)

    await index.forget_versions(1, [kept, now])

    fresh = LanceIndex(str(tmp_path))
    assert [told, told] == [await _all(reader, kept) for reader in (index, fresh)]
    assert (11, 9) == (len(told), len(await _all(fresh, now)))
    assert not await fresh.holds(old)


async def test_versions_stay_until_they_are_many(tmp_path: Path) -> None:
    """What is younger than an hour, and a few older versions, are not worth looking at every file."""
    index = LanceIndex(str(tmp_path))
    tables = old = await index.build(1, ROWS[:10], [], DIMENSION)
    for n in range(20):
        tables = await index.change(tables, ["new"], [{**ROWS[n], "doc_id": "new"}], [])

    await index.forget_versions(1, [tables])
    await index.forget_versions(2, [tables])

    assert 10 == len(await _all(LanceIndex(str(tmp_path)), old))
    assert tables == await index.latest(1)


async def _all(index: LanceIndex, tables: Tables) -> list[str]:
    return sorted(near.chunk_id for near in await index.nearest(tables, ROWS[0]["vector"], None, 99))
