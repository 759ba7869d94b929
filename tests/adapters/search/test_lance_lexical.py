"""Terms in LanceDB: changes are complete, old states stay readable, and what fails says what to do."""

from pathlib import Path

import pytest

from adapters.search.lance_lexical import LanceLexical
from adapters.search.lexical_port import Row, Where
from core.errors import SearchError

ANYBODY = Where(frozenset())
ROWS = [Row("a", ["rag", "отпуск"], "a.md"), Row("b", ["rag", "день"], "b.md"), Row("c", ["aston"], "c.md")]


@pytest.fixture
async def lexical(tmp_path: Path) -> LanceLexical:
    """Give an index of three chunks."""
    lexical = LanceLexical(str(tmp_path), "g1")
    await lexical.build(ROWS)
    return lexical


async def test_a_change_is_found_at_once(lexical: LanceLexical) -> None:
    """What was added is found, what was removed is not, and what was replaced is found as it is now."""
    await lexical.change(["a", "b", "unknown"], [Row("b", ["новый", "rag"]), Row("d", ["rag", "rag"])])

    assert {"b", "d"} == (await lexical.find(["rag"], 9, ANYBODY)).keys()
    assert ["b"] == list(await lexical.find(["новый", "отпуск", "день"], 9, ANYBODY))


async def test_weights_follow_every_change(tmp_path: Path, lexical: LanceLexical) -> None:
    """After changes terms weigh what they would in an index of the rows that are left."""
    await lexical.change(["a"], [Row("d", ["rag", "rag", "x"])])
    await lexical.change(["d", "b"], [Row("b", ["aston", "x"])])
    await lexical.change(["d"], [])
    fresh = LanceLexical(str(tmp_path), "fresh")
    await fresh.build([ROWS[2], Row("b", ["aston", "x"])])
    asked = ["rag", "отпуск", "день", "aston", "x", "нет"]

    assert await fresh.weights(asked) == await lexical.weights(asked)


async def test_the_ledger_does_not_grow_for_ever(tmp_path: Path, lexical: LanceLexical) -> None:
    """Tidied up, it has one entry for each term in use, and weights are as they were, for earlier readers too."""
    for n in range(8):
        await lexical.change([f"n{n - 1}"], [Row(f"n{n}", ["rag", "новый", f"x{n}"])])
    asked = ["rag", "новый", "x7", "x1", "отпуск"]
    reader, before = LanceLexical(str(tmp_path), "g1", await lexical.versions()), await lexical.weights(asked)

    await lexical.tidy()

    assert [before, before] == [await lexical.weights(asked), await reader.weights(asked)]
    assert 6 == await (await lexical._table(lexical._ledger)).count_rows()
    await lexical.change(["n7"], [])
    assert before["rag"] < (await lexical.weights(["rag"]))["rag"]


async def test_a_state_stays_readable(tmp_path: Path, lexical: LanceLexical) -> None:
    """A reader that keeps to the state it was given sees no later change, not even after tidying up."""
    reader = LanceLexical(str(tmp_path), "g1", await lexical.versions())
    before = (await reader.find(["rag", "aston"], 9, ANYBODY), await reader.weights(["rag", "x"]))

    await lexical.change(["a"], [Row("d", ["rag", "x"])])
    await lexical.tidy()

    late = LanceLexical(str(tmp_path), "g1", await reader.versions())
    for one in (reader, late):
        assert before == (await one.find(["rag", "aston"], 9, ANYBODY), await one.weights(["rag", "x"]))
    assert {"b", "d"} == (await lexical.find(["rag"], 9, ANYBODY)).keys()


async def test_ids_are_refused_twice(lexical: LanceLexical) -> None:
    """A change with an id that is there already changes nothing."""
    with pytest.raises(ValueError, match="'b' is in the index already: remove it"):
        await lexical.change(["a"], [Row("d", ["x"]), Row("b", ["x"])])
    with pytest.raises(ValueError, match="two chunks have the id 'ы'"):
        await lexical.change(["a"], [Row("ы", ["x"]), Row("ы", ["y"])])

    assert ["a"] == list(await lexical.find(["отпуск", "x"], 9, ANYBODY))


async def test_building_again_starts_anew(lexical: LanceLexical) -> None:
    """Of what was there before nothing is left, in neither table."""
    await lexical.build(Row(f"n{n}", ["новый"]) for n in range(4_001))

    assert {} == await lexical.find(["rag", "aston"], 9, ANYBODY)
    assert 5_000 > len(await lexical.find(["новый"], 5_000, ANYBODY)) == 4_001
    assert (await lexical.weights(["rag"])) == {"rag": (await lexical.weights(["нет"]))["нет"]}


async def test_many_rows_change_at_once(lexical: LanceLexical) -> None:
    """Thousands of ids and terms go through one change, and every one is counted."""
    rows = [Row(f"it's {n}", [f"слово{n}", "общий"]) for n in range(1_200)]
    await lexical.change([], rows)
    await lexical.change([row.id for row in rows[1:]], [])

    assert ["it's 0"] == list(await lexical.find(["общий"], 9, ANYBODY))
    assert 1 == len({*(await lexical.weights(["rare", *(f"слово{n}" for n in range(1_200))])).values()})


async def test_without_an_index_the_error_says_what_to_do(lexical: LanceLexical, tmp_path: Path) -> None:
    """Whatever is asked of tables that are not there is a SearchError."""
    await lexical.drop()
    await lexical.drop()

    for one in (lexical, LanceLexical(str(tmp_path), "absent")):
        for asked in (
            one.find(["rag"], 5, None),
            one.weights(["rag"]),
            one.versions(),
            one.change(["a"], []),
            one.tidy(),
        ):
            with pytest.raises(SearchError, match="footnote index"):
                await asked


@pytest.mark.parametrize("tidied", [False, True])
async def test_filters_see_what_was_changed(lexical: LanceLexical, *, tidied: bool) -> None:
    """Rows that came, left or changed their readers after the build are filtered as they are now, indexed or not."""
    secret = [Row(f"s{n}", ["rag"], "s.md", "policy", frozenset({"hr"}), "ru") for n in range(3)]
    await lexical.change(["a"], secret)
    await lexical.change(
        ["s0", "b"], [Row("s0", ["rag"], "s.md", "page"), Row("b", ["rag"], readers=frozenset({"hr"}))]
    )
    if tidied:
        await lexical.tidy()

    async def found(*groups: str, **where: frozenset[str]) -> set[str]:
        return {*await lexical.find(["rag", "aston"], 9, Where(frozenset(groups), **where))}  # type: ignore[arg-type]

    assert {"c", "s0"} == await found() == await found("*") == await found("=hr")
    assert {"b", "c", "s0", "s1", "s2"} == await found("hr")
    assert {"s1", "s2"} == await found("hr", kinds=frozenset({"policy"}), languages=frozenset({"ru"}))
    assert {"s0"} == await found("sales", doc_ids=frozenset({"s.md", "a.md"}))
