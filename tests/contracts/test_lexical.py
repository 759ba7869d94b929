"""What every lexical engine keeps."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from adapters.search.lance import LanceIndex
from adapters.search.lexical import LexicalIndex
from adapters.search.lexical_memory import MemoryLexical
from adapters.search.lexical_port import Lexical, Row, Where

ANYBODY = Where(frozenset())
HOSTILE = ["it's", "'); DROP TABLE x; --", "' OR '1'='1", '"hr"', "a\\", "Отдел 'Кадры'", "a\nb", "%", "🙂", ","]
FILLER = [Row(f"f{n}", [f"quartz{n}", f"гравий{n}", "общий"]) for n in range(8)]
Opened = Callable[[Sequence[Row]], Awaitable[Lexical]]


async def in_memory(_: Path, rows: Sequence[Row]) -> Lexical:
    """Return the rows in an index of this process."""
    return MemoryLexical(LexicalIndex.of(rows))


async def in_memory_by_steps(_: Path, rows: Sequence[Row]) -> Lexical:
    """Return an index that came to hold these rows by changes."""
    index = LexicalIndex.of([Row("gone", ["rag", "отпуск"]), *rows[:1]])
    for row in rows[1:]:
        index = index.changed([], [row])
    return MemoryLexical(index.changed(["gone"], []).merged())


async def in_lance(folder: Path, rows: Sequence[Row]) -> Lexical:
    """Return the rows in LanceDB."""
    index = LanceIndex(str(folder / "index"), full_text=True)
    return index.lexical(await index.settle(await index.build(1, [], stored(rows), 2)))


async def in_lance_by_steps(folder: Path, rows: Sequence[Row]) -> Lexical:
    """Return tables that came to hold these rows by changes, before and after they were settled."""
    index = LanceIndex(str(folder / "index"), full_text=True)
    gone = Row("gone", ["rag", "отпуск"], "gone.md")
    tables = await index.settle(await index.build(1, [], stored([gone, *rows[:1]]), 2))
    abandoned = await index.change(tables, ["gone.md"], [], stored([Row("half", ["rag"])]))
    tables = await index.change(await index.restore(tables), ["gone.md", "x"], [], stored(rows[1:]))
    assert abandoned.chunks != tables.chunks
    return index.lexical(await index.settle(tables))


def stored(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the rows as an index run gives them."""
    return [
        {
            **row._asdict(),
            "n": 0,
            "tokens": " ".join(row.terms),
            "day": row.dated.toordinal() if row.dated else 0,
        }
        for row in rows
    ]


@pytest.fixture(params=[in_memory, in_memory_by_steps, in_lance, in_lance_by_steps], ids=lambda make: make.__name__)
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    """Open an engine over some rows."""
    return partial(request.param, tmp_path)


async def test_the_best_comes_first(opened: Opened) -> None:
    """A chunk with more of the rare terms stands before one with fewer; one with none of them is not there."""
    lexical = await opened(
        [
            *FILLER,
            Row("both", ["отпуск", "дни", "общий"]),
            Row("one", ["отпуск", "общий"]),
            Row("en", ["leave", "days"]),
        ]
    )

    assert ["both", "one"] == list(await lexical.find(["отпуск", "дни"], 10, ANYBODY))
    assert ["en"] == list(await lexical.find(["leave"], 10, ANYBODY))
    assert ["both"] == list(await lexical.find(["отпуск", "дни"], 1, ANYBODY))


async def test_scores_fall(opened: Opened) -> None:
    """The order of the chunks is that of their scores."""
    lexical = await opened([*FILLER, Row("two", ["rag", "rag", "x"]), Row("one", ["rag", "y", "z"])])

    found = await lexical.find(["rag"], 10, None)

    assert ["two", "one"] == list(found)
    assert found["two"] > found["one"]


async def test_a_frequent_term_is_found(opened: Opened) -> None:
    """A term of half of the chunks, or of all of them, finds these: rank-bm25 scores the first with 0."""
    lexical = await opened([Row("a", ["общий", "rag"]), Row("b", ["общий", "aston"])])

    assert {"a"} == (await lexical.find(["rag"], 10, ANYBODY)).keys()
    assert {"a", "b"} == (await lexical.find(["общий"], 10, ANYBODY)).keys()


async def test_terms_are_whole(opened: Opened) -> None:
    """A term is found by itself alone: not cut, not folded, not stemmed, and none is too common or too long."""
    whole = (
        """§rag inc-2041 INC-2041 gateway_retry_limit v2.3.1 ёлка café running the c++ 東京 https://a.de/x?b=c&d='e'"""
    )
    terms = [*whole.split(), "слово" * 30]
    parts = """rag § §ra inc 2041 inc-204 gateway GATEWAY_RETRY_LIMIT v2 2.3.1 елка cafe run runs THE c 東 京 https a.de
    слово"""
    lexical = await opened([*FILLER, *(Row(f"it {term}", [term, "день"]) for term in terms)])

    for term in terms:
        assert [f"it {term}"] == list(await lexical.find([term], 10, ANYBODY))
    assert {} == await lexical.find(parts.split(), 10, ANYBODY)


async def test_nobody_finds_what_they_may_not_read(opened: Opened) -> None:
    """A restricted chunk is found by its readers alone, and takes nobody else's place."""
    secrets = [Row(f"s{n}", ["rag", "rag"], readers=frozenset({"it's ops", "hr"})) for n in range(5)]
    lexical = await opened([*FILLER, *secrets, Row("open", ["rag", "общий"])])

    for groups in ((), ("sales",), ("HR",), ("ops",), *((name,) for name in HOSTILE if name != "it's ops")):
        assert ["open"] == list(await lexical.find(["rag"], 3, Where(frozenset(groups))))
    assert {"open", "s0", "s1", "s2", "s3", "s4"} == (
        await lexical.find(["rag"], 10, Where(frozenset({"x", "it's ops"})))
    ).keys()


async def test_any_name_can_be_filtered_by(opened: Opened) -> None:
    """Groups, kinds, documents and languages may be called anything, and match only themselves."""
    named = [Row(f"named {name}", ["rag"], name, name, frozenset({name}), name) for name in HOSTILE]
    lexical = await opened([*FILLER, *named, Row("other", ["rag"], "d", "k", language="ru")])

    for name in HOSTILE:
        it = frozenset({name})
        for where in (Where(it, kinds=it), Where(it, doc_ids=it), Where(it, languages=it), Where(it, it, it, it)):
            assert [f"named {name}"] == list(await lexical.find(["rag"], 5, where))
        assert {f"named {name}", "other"} == (await lexical.find(["rag"], 5, Where(it))).keys()


async def test_a_search_can_be_narrowed(opened: Opened) -> None:
    """Kinds, documents and languages are kept to, each and all together; an unknown one holds nothing."""
    lexical = await opened(
        [
            *FILLER,
            Row("a", ["шлюз"], "a.md", "how-to", language="ru"),
            Row("b", ["шлюз"], "b.md", "policy", language="ru"),
            Row("c", ["шлюз"], "c.md", "policy", language="en"),
        ]
    )

    async def found(**where: frozenset[str]) -> set[str]:
        return {*await lexical.find(["шлюз"], 5, Where(frozenset(), **where))}  # type: ignore[arg-type]

    assert {"a"} == await found(kinds=frozenset({"how-to"}))
    assert {"b", "c"} == await found(doc_ids=frozenset({"b.md", "c.md"}))
    assert {"a", "b"} == await found(languages=frozenset({"ru"}))
    assert {"b"} == await found(languages=frozenset({"ru"}), kinds=frozenset({"policy"}))
    assert set() == await found(kinds=frozenset({"unknown"}))


async def test_a_range_of_dates_holds_both_its_ends(opened: Opened) -> None:
    """Rows of the days asked for are found; a row without a date is in no range."""
    days = {f"d{n}": date(2026, 1, n) for n in (1, 2, 3)}
    lexical = await opened(
        [*FILLER, Row("never", ["rag"]), *(Row(id_, ["rag"], dated=day) for id_, day in days.items())]
    )

    async def found(since: date | None, until: date | None) -> set[str]:
        return {*await lexical.find(["rag"], 9, Where(frozenset(), since=since, until=until))}

    assert {"d2", "d3"} == await found(days["d2"], None)
    assert {"d1", "d2"} == await found(None, days["d2"])
    assert {"d2"} == await found(days["d2"], days["d2"])
    assert {"d1", "d2", "d3", "never"} == await found(None, None)


async def test_rare_terms_weigh_more(opened: Opened) -> None:
    """A term of few chunks weighs more than one of many; one of none as much as one of a single chunk."""
    lexical = await opened(
        [
            Row("a", ["rag", "rag", "общий"]),
            Row("b", ["aston", "общий"]),
            Row("c", ["общий"]),
            Row("d", ["общий", "xy"]),
        ]
    )

    weights = await lexical.weights(["rag", "общий", "нигде", "xy", "rag", "it's"], None)

    assert weights["нигде"] == weights["it's"] == weights["rag"] == weights["xy"] > weights["общий"] > 0


async def test_what_is_closed_to_somebody_makes_no_word_rarer_or_commoner(opened: Opened) -> None:
    """A term weighs what it does among the chunks that one may read, whatever filter else narrows the search."""
    shelves = [*FILLER, Row("a", ["отпуск", "дни"]), Row("b", ["отпуск"]), Row("c", ["дни"], readers=frozenset({"hr"}))]
    closed = [Row(f"s{n}", ["отпуск", "отпуск", f"вилка{n}"], readers=frozenset({"board"})) for n in range(9)]
    lexical, asked = await opened([*closed, *shelves]), ["отпуск", "дни", "вилка3", "нигде"]

    for groups in (frozenset[str](), frozenset({"hr"}), frozenset({"hr", "it's"})):
        readable = [row for row in shelves if not row.readers or row.readers & groups]
        expected = LexicalIndex.of(readable).weights(asked)
        for where in (Where(groups), Where(groups, languages=frozenset({"ru"}))):
            assert expected == pytest.approx(await lexical.weights(asked, where))
            assert len(readable) == await lexical.size(where)
    everything = [*closed, *shelves]
    assert len(everything) == await lexical.size(None)
    assert len(everything) == await lexical.size(Where(frozenset({"hr", "board"})))
    assert LexicalIndex.of(everything).weights(asked) == pytest.approx(
        await lexical.weights(asked, Where(frozenset({"hr", "board"})))
    )


async def test_it_is_known_which_terms_a_chunk_holds(opened: Opened) -> None:
    """Of the terms asked for, those are told that the chunk holds; a chunk that is not there holds none."""
    lexical = await opened([*FILLER, Row("it's", ["rag", "rag", "2-й", "отпуск"]), Row("b", ["день"])])

    asked = ["rag", "день", "2-й", "2", "", "нет"]

    assert {"it's": {"rag", "2-й"}} == await lexical.terms_in(["it's", "unknown"], asked)
    assert {} == await lexical.terms_in([], asked)


async def test_both_engines_weigh_alike(tmp_path: Path) -> None:
    """What a term weighs does not depend on the engine, nor on how the index came about."""
    rows = [*FILLER, Row("a", ["rag", "отпуск"]), Row("b", ["rag", "rag"])]
    asked = ["rag", "отпуск", "общий", "нигде", "quartz3"]

    weights = [
        await (await make(tmp_path / make.__name__, rows)).weights(asked, None)
        for make in (in_memory, in_memory_by_steps, in_lance, in_lance_by_steps)
    ]

    assert all(weights[0] == pytest.approx(others) for others in weights)


async def test_anything_can_be_searched_for(opened: Opened) -> None:
    """No term is too strange, and none of these is anywhere."""
    lexical = await opened(FILLER)

    for terms in ([], [""], [" "], ["?"], ["AND"], ["нигде"], ['"'], ["'; DROP"], ["\x00"], ["\ud800"], ["x"] * 5_000):
        assert {} == await lexical.find(terms, 5, ANYBODY)
        assert {*terms} == (await lexical.weights(terms, None)).keys()


@pytest.mark.parametrize("rows", [[], [Row("a", [])], [Row("a", []), Row("b", [])]])
async def test_an_empty_index_finds_nothing(opened: Opened, rows: list[Row]) -> None:
    """Without chunks, or with chunks that hold no term, nothing is found."""
    lexical = await opened(rows)

    assert {} == await lexical.find(["rag"], 5, ANYBODY)
    assert {"отпуск"} == (await lexical.weights(["отпуск"], None)).keys()


async def test_nothing_is_found_when_nothing_is_wanted(opened: Opened) -> None:
    """A limit of 0 finds nothing."""
    assert {} == await (await opened([*FILLER, Row("a", ["rag"])])).find(["rag"], 0, ANYBODY)
