"""Words in LanceDB: changes are complete, old versions stay readable, and what fails says what to do."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.search import lance_ledger
from adapters.search.lance import LanceIndex
from adapters.search.lance_lexical import LanceLexical
from adapters.search.lexical_port import Where
from core.errors import SearchError
from core.ingest.generation import Tables

ANYBODY = Where(frozenset())
ASKED = ["rag", "отпуск", "день", "aston", "новый", "нет"]


def chunk(id_: str, tokens: str, *readers: str, kind: str = "page", language: str = "ru") -> dict[str, Any]:
    """Return the row of the only chunk of a document."""
    return {
        "id": id_, "doc_id": f"{id_}.md", "n": 0, "kind": kind, "tokens": tokens, "readers": list(readers),
        "language": language, "day": 0,
    }  # fmt: skip


ROWS = [chunk("a", "rag отпуск"), chunk("b", "rag день"), chunk("c", "aston")]


@pytest.fixture
def index(tmp_path: Path) -> LanceIndex:
    """Give an index that is searched by words too."""
    return LanceIndex(str(tmp_path), full_text=True)


@pytest.fixture
async def tables(index: LanceIndex) -> Tables:
    """Give settled tables of three chunks."""
    return await index.settle(await index.build(1, [], ROWS, 2))


async def told(lexical: LanceLexical) -> tuple[dict[str, float], dict[str, float]]:
    """Return what is found and what terms weigh."""
    return await lexical.find(["rag", "aston", "новый"], 9, ANYBODY), await lexical.weights(ASKED, None)


async def test_a_change_is_found_at_once(index: LanceIndex, tables: Tables) -> None:
    """What was added is found, what was removed is not, and what was replaced is found as it is now."""
    changed = await index.change(tables, ["a.md", "b.md", "x.md"], [], [chunk("b", "новый rag"), chunk("d", "rag rag")])

    for now in (changed, await index.settle(changed)):
        lexical = index.lexical(now)
        assert {"b", "d"} == (await lexical.find(["rag"], 9, ANYBODY)).keys()
        assert ["b"] == list(await lexical.find(["новый", "отпуск", "день"], 9, ANYBODY))


async def test_weights_are_those_of_the_version(index: LanceIndex, tables: Tables, tmp_path: Path) -> None:
    """In each version terms weigh what they do in an index of its rows, whatever was changed or given up since."""
    one = await index.change(tables, ["a.md"], [], [chunk("d", "rag rag новый")])
    await index.change(one, ["c.md", "b.md"], [], [chunk("e", "rag aston")])
    again = await index.restore(one)
    two = await index.replace_chunks(again, ["d.md"], [chunk("d", "новый")])
    other = LanceIndex(str(tmp_path / "other"), full_text=True)

    for base, (now, rows) in enumerate(
        [
            (tables, ROWS),
            (one, [*ROWS[1:], chunk("d", "rag rag новый")]),
            (again, [*ROWS[1:], chunk("d", "rag rag новый")]),
            (two, [*ROWS[1:], chunk("d", "новый")]),
        ]
    ):
        fresh = await other.settle(await other.build(base, [], rows, 2))
        assert await other.lexical(fresh).weights(ASKED, None) == await index.lexical(now).weights(ASKED, None)


async def test_the_ledger_does_not_grow_for_ever(
    index: LanceIndex, tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is folded up to the oldest version that is kept, and its files go; kept versions weigh as before.

    While little was noted it is not even looked through.
    """
    kept = tables
    for n in range(8):
        kept, tables = tables, await index.change(tables, [], [], [chunk(f"n{n}", "rag новый x")])
    before = [await index.lexical(one).weights([*ASKED, "x"], None) for one in (kept, tables)]
    ledger = await index._store.newest("terms_g1")
    entries = await ledger.count_rows()
    files = _files(tmp_path)

    await index.forget_versions(1, [kept, tables])
    assert entries == await (await index._store.newest("terms_g1")).count_rows()
    monkeypatch.setattr(lance_ledger, "_MOST_FILES", 4)
    monkeypatch.setattr(lance_ledger, "_GRACE", timedelta(milliseconds=2))
    await index.forget_versions(1, [kept, tables])

    assert before == [await index.lexical(one).weights([*ASKED, "x"], None) for one in (kept, tables)]
    assert entries / 2 > await (await index._store.newest("terms_g1")).count_rows()
    assert files / 2 > _files(tmp_path)


def _files(folder: Path) -> int:
    return len([*folder.rglob("terms_g1.lance/data/*")])


async def test_a_version_stays_readable(index: LanceIndex, tables: Tables) -> None:
    """A reader of a generation sees no later change, not even after what is old was removed."""
    before = await told(index.lexical(tables))
    now = kept = tables
    for n in range(40):
        now = await index.settle(await index.change(now, ["d.md"], [], [chunk("d", f"rag новый x{n}")]))
        kept = now if n == 20 else kept
    middle = await told(index.lexical(kept))

    await index.forget_versions(1, [tables, now])
    assert before == await told(index.lexical(tables))
    await index.forget_versions(1, [kept, now])

    assert middle == await told(index.lexical(kept))
    assert {"a", "b", "d"} == (await index.lexical(now).find(["rag"], 9, ANYBODY)).keys()


async def test_a_memory_index_can_be_settled_for_words(tmp_path: Path) -> None:
    """Tables that were written without full text get it by settling; before that they are not ready."""
    plain = await LanceIndex(str(tmp_path)).build(1, [], ROWS, 2)
    index = LanceIndex(str(tmp_path), full_text=True)

    settled = await index.settle(plain)

    assert (False, True) == (await index.ready(plain), await index.ready(settled))
    assert await LanceIndex(str(tmp_path)).ready(plain)
    assert {"a", "b"} == (await index.lexical(settled).find(["rag"], 9, ANYBODY)).keys()


async def test_many_rows_change_at_once(index: LanceIndex, tables: Tables) -> None:
    """Thousands of documents and terms go through one change, and every one is counted."""
    rows = [chunk(f"it's {n}", f"слово{n} общий") for n in range(1_200)]
    tables = await index.change(tables, [], [], rows)
    tables = await index.settle(await index.change(tables, [row["doc_id"] for row in rows[1:]], [], []))
    lexical = index.lexical(tables)

    assert ["it's 0"] == list(await lexical.find(["общий"], 9, ANYBODY))
    assert 1 == len({*(await lexical.weights(["rare", *(f"слово{n}" for n in range(1_200))], None)).values()})


async def test_without_an_index_the_error_says_what_to_do(index: LanceIndex, tables: Tables) -> None:
    """Whatever is asked of tables that are not there is a SearchError."""
    await index.drop(1)
    lexical = index.lexical(Tables(1, 1, 1))

    for asked in (
        lexical.find(["rag"], 5, None),
        lexical.weights(["rag"], None),
        lexical.terms_in("a", ["rag"]),
        lexical.documents_of(["a"]),
    ):
        with pytest.raises(SearchError, match="footnote index"):
            await asked


async def test_a_chunk_tells_its_document(index: LanceIndex, tables: Tables) -> None:
    """Chunks that are not there have none."""
    assert {"a": "a.md"} == await index.lexical(tables).documents_of(["a", "it's"])
    assert {} == await index.lexical(tables).documents_of([])


@pytest.mark.parametrize("settled", [False, True])
async def test_filters_see_what_was_changed(index: LanceIndex, tables: Tables, *, settled: bool) -> None:
    """Rows that came, left or changed their readers after the build are filtered as they are now, indexed or not."""
    secret = [chunk(f"s{n}", "rag", "hr", kind="policy") for n in range(3)]
    tables = await index.change(tables, ["a.md"], [], secret)
    now = [chunk("s0", "rag", language="en"), chunk("b", "rag", "hr")]
    tables = await index.change(tables, ["s0.md", "b.md"], [], now)
    lexical = index.lexical(await index.settle(tables) if settled else tables)

    async def found(*groups: str, **where: frozenset[str]) -> set[str]:
        return {*await lexical.find(["rag", "aston"], 9, Where(frozenset(groups), **where))}  # type: ignore[arg-type]

    assert {"c", "s0"} == await found() == await found("*") == await found("=hr")
    assert {"b", "c", "s0", "s1", "s2"} == await found("hr")
    assert {"s1", "s2"} == await found("hr", kinds=frozenset({"policy"}), languages=frozenset({"ru"}))
    assert {"s0"} == await found("sales", doc_ids=frozenset({"s0.md", "s1.md"}))
