"""Every snapshot gives what rank-bm25 gives over the same rows, however it came about."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from adapters.search.lexical import LexicalIndex, _best
from adapters.search.lexical_port import Row, Where

WORDS = ["rag", "aston", "проект", "отпуск", "день", "§rag", "inc-2041", "два слова", "东京", "ё", "\ud800", "a\nb", ""]
TERM = st.sampled_from(WORDS)
TERMS = st.lists(TERM, max_size=8)
ASKED = st.lists(TERM | st.just("nowhere"), max_size=6)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["change", "change", "change", "merge", "save", "rebuild"]),
        st.sets(st.integers(0, 30)),
        st.lists(TERMS, max_size=6),
    ),
    max_size=8,
)


def index(*tokens: str) -> LexicalIndex:
    """Return the index of chunks named 0, 1, … with these terms."""
    return LexicalIndex.of(Row(str(n), text.split()) for n, text in enumerate(tokens))


def expected_scores(rows: Sequence[Row], terms: Sequence[str]) -> list[float]:
    """Return what rank-bm25 says; it divides by zero when there are no terms at all, and then nothing scores."""
    corpus = [list(row.terms) for row in rows]
    return list(BM25Okapi(corpus).get_scores(terms)) if any(corpus) else [0.0] * len(corpus)


def assert_same(found: LexicalIndex, rows: Sequence[Row], terms: Sequence[str]) -> None:
    """Assert that scores, order and weights are those of an index built from the rows alone."""
    expected = expected_scores(rows, terms)
    matched = [n for n, row in enumerate(rows) if {*row.terms} & {*terms}]
    best = sorted(matched, key=lambda n: (-expected[n], n))[:20]
    top = found.find(terms, 20)

    assert len(rows) == len(found)
    assert expected == pytest.approx(found.scores(terms).tolist(), abs=1e-9, rel=0)
    assert [rows[n].id for n in best] == list(top)
    assert [expected[n] for n in best] == pytest.approx(list(top.values()), abs=1e-9, rel=0)
    assert LexicalIndex.of(rows).weights(terms) == found.weights(terms)


@settings(deadline=None, derandomize=True, max_examples=150)
@given(STEPS, ASKED)
def test_every_snapshot_is_like_a_fresh_index(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, set[int], list[list[str]]]], terms: list[str]
) -> None:
    """After any changes, merges and reloads, each snapshot still gives what a full scan of its rows gives."""
    path = tmp_path_factory.getbasetemp() / "steps.npz"
    rows: list[Row] = []
    found, seen = LexicalIndex.of([]), [(LexicalIndex.of([]), list[Row]())]
    for number, (step, gone, coming) in enumerate(steps):
        if step == "change":
            removed = {row.id for n, row in enumerate(rows) if n in gone} | {"unknown"}
            added = [Row(f"{number}-{n}", words) for n, words in enumerate(coming)]
            rows = [row for row in rows if row.id not in removed] + added
            found = found.changed(removed, added)
        elif step == "merge":
            found = found.merged()
            assert not found.wants_merging
        elif step == "save":
            found.save(path)
            found = LexicalIndex.load(path)
        else:
            found = LexicalIndex.of(rows)
        seen.append((found, rows))

    for snapshot, held in seen:
        assert_same(snapshot, held, terms)


@settings(deadline=None, derandomize=True)
@given(st.lists(TERMS, min_size=1, max_size=12).filter(any), ASKED)
def test_the_floats_are_the_same(corpus: list[list[str]], terms: list[str]) -> None:
    """Without changes and with a positive idf not even the last bit differs."""
    rows = [Row(str(n), words) for n, words in enumerate(corpus)]
    common = [term for term in terms if 2 * sum(term in words for words in corpus) <= len(corpus)]

    assert expected_scores(rows, common) == LexicalIndex.of(rows).scores(common).tolist()


def test_a_large_corpus_is_like_a_full_scan() -> None:
    """Thousands of rows, added and taken away in many steps, rank as rank-bm25 ranks them: frequent terms too."""
    random = np.random.default_rng(7)
    words = [f"слово{n}" if n % 2 else f"word{n}" for n in range(3_000)]

    def batch(step: int, count: int) -> list[Row]:
        return [
            Row(f"{step}#{n}", [words[min(int(place), 2_999)] for place in random.pareto(0.6, random.integers(1, 60))])
            for n in range(count)
        ]

    rows = batch(0, 3_000)
    found = LexicalIndex.of(rows)
    for step in range(1, 25):
        removed = {rows[int(place)].id for place in random.integers(0, len(rows), 30)}
        added = batch(step, int(random.integers(0, 60)))
        rows = [row for row in rows if row.id not in removed] + added
        found = found.changed(removed, added)
        if found.wants_merging and step % 5 == 0:
            found = found.merged()
        if step % 4 == 0:
            assert_same(found, rows, [*words[:2], *rows[int(random.integers(len(rows)))].terms[:4]])


@given(
    st.lists(st.sampled_from([0.0, 1.0, 1.5, -2.0, 3.25]), max_size=200).map(np.array),
    st.integers(0, 40),
    st.randoms(use_true_random=False),
)
@settings(deadline=None, derandomize=True)
def test_the_best_are_chosen_without_sorting_all(scores: np.ndarray, limit: int, random: object) -> None:
    """Of many alike the earlier ones are taken, at the cut too, and never one that did not match."""
    scores = scores.astype(np.float64)
    matched = np.array([random.random() < 0.7 for _ in scores], dtype=np.bool_)  # type: ignore[attr-defined]
    expected = sorted(np.flatnonzero(matched).tolist(), key=lambda place: (-scores[place], place))[:limit]

    assert expected == _best(scores, matched, limit).tolist()


def test_an_old_snapshot_stays_as_it_was() -> None:
    """What was found before a change, a removal of everything and a merge is found after them in the old snapshot."""
    old = index("rag aston", "отпуск день", "rag", "x", "y")
    before = (old.find(["rag", "отпуск"], 5), old.scores(["rag"]).tolist(), old.weights(["rag", "нет"]))

    new = old.changed(["0", "1"], [Row("n", ["rag"]), Row("0", ["новый"])])
    new.merged().changed(["0", "1", "2", "3", "4", "n"], []).merged()

    assert before == (old.find(["rag", "отпуск"], 5), old.scores(["rag"]).tolist(), old.weights(["rag", "нет"]))
    assert ["2", "n"] == list(new.find(["rag"], 5))
    assert {} == old.find(["новый"], 5)


def test_one_snapshot_can_be_changed_in_two_ways() -> None:
    """Two changes of the same snapshot know nothing of each other."""
    old = index("rag", "x", "y")

    left, right = old.changed([], [Row("l", ["лево"])]), old.changed(["0"], [Row("r", ["право", "rag"])])

    assert ([["l"], []], [[], ["r"]]) == (
        [list(left.find([term], 5)) for term in ("лево", "право")],
        [list(right.find([term], 5)) for term in ("лево", "право")],
    )
    assert (["0"], ["r"]) == (list(left.find(["rag"], 5)), list(right.find(["rag"], 5)))


_NAMES = st.frozensets(st.sampled_from(["", "hr", "бухгалтерия", "finance", "workspace:T1"]))


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.lists(_NAMES, max_size=12), st.lists(_NAMES, max_size=12), st.lists(_NAMES, min_size=1, max_size=4))
def test_an_audience_finds_what_is_open_and_what_names_it(
    before: list[frozenset[str]], added: list[frozenset[str]], audiences: list[frozenset[str]]
) -> None:
    """Row by row, whatever the names are, also of rows that came after the filter was first asked for."""
    rows = [Row(f"r{number}", ["rag"], readers=readers) for number, readers in enumerate([*before, *added])]
    index = LexicalIndex.of(rows[: len(before)])
    for of in (index, index.changed((), rows[len(before) :])):
        for groups in audiences:
            found = of.find(["rag"], 100, Where(groups))
            assert {row.id for row in rows if row.id in of and (not row.readers or row.readers & groups)} == set(found)


def test_readers_are_not_disturbed_by_a_writer() -> None:
    """While documents come, go and are merged, every reader finds what belongs to its own snapshot."""
    snapshots = [index(*("rag день" if n % 3 else "aston отпуск" for n in range(60)))]
    where = Where(frozenset({"hr"}))

    def given_by(snapshot: LexicalIndex) -> tuple[object, ...]:
        found = snapshot.find(["rag", "отпуск", "новый7"], 10), snapshot.find(["новый9", "rag"], 5, where)
        return (*found, snapshot.weights(["rag"]), snapshot.scores(["день"]).sum())

    def write() -> None:
        for n in range(80):
            row = Row(f"n{n}", [f"новый{n}", "rag"], f"d{n}", readers=frozenset({f"g{n}", "hr"}))
            following = snapshots[-1].changed([str(n), f"n{n - 3}"], [row])
            snapshots.append(following.merged() if n % 7 == 0 else following)

    def read(_: int) -> list[tuple[int, tuple[object, ...]]]:
        places = [len(snapshots) - 1 for _ in range(60)]
        return [(place, given_by(snapshots[place])) for place in places]

    with ThreadPoolExecutor(5) as pool:
        writing = pool.submit(write)
        seen = [pair for pairs in pool.map(read, range(12)) for pair in pairs]
        writing.result()

    assert 81 == len(snapshots)
    assert all(given_by(snapshots[place]) == given for place, given in seen)


def test_matched_is_what_holds_a_term() -> None:
    """A term of half the rows scores 0 and one of a single row less, and both are found; what holds none is not."""
    assert {"0": 0.0} == index("rag", "отпуск").find(["rag"], 5)
    [(id_, score)] = index("rag").find(["rag"], 5).items()
    assert ("0", True) == (id_, score < 0)
    assert {} == index("rag", "x").find(["нет"], 5)


@pytest.mark.parametrize("rows", [[], [Row("a", [])], [Row("a", []), Row("b", [])]])
def test_where_rank_bm25_fails_there_is_nothing(rows: list[Row]) -> None:
    """Without a single term rank-bm25 divides by zero; here nothing is found, and rows can still come and go."""
    with pytest.raises(ZeroDivisionError):
        BM25Okapi([list(row.terms) for row in rows])
    found = LexicalIndex.of(rows)

    assert ({}, [0.0] * len(rows)) == (found.find(["rag"], 5), found.scores(["rag"]).tolist())
    assert {} == found.merged().find(["rag"], 5, Where(frozenset()))
    assert ["c"] == list(found.changed([], [Row("c", ["rag"])]).find(["rag"], 5))


def test_all_rows_can_be_removed() -> None:
    """An emptied index finds nothing, weighs as an empty one, merges to nothing and takes new rows."""
    emptied = index("rag", "отпуск").changed(["0", "1"], [])

    for found in (emptied, emptied.merged()):
        assert (0, {}, []) == (len(found), found.find(["rag"], 5), found.scores(["rag"]).tolist())
        assert index().weights(["rag"]) == found.weights(["rag"])
        assert ["0"] == list(found.changed([], [Row("0", ["rag"])]).find(["rag"], 5))


def test_ids_are_refused_twice() -> None:
    """An id that is there already, or twice in one change, is named; to replace a row is to remove it too."""
    held = index("rag", "отпуск")

    for rows in ([Row("1", ["a"])], [Row("x", ["a"]), Row("1", ["b"])]):
        with pytest.raises(ValueError, match="'1' is in the index already: remove it"):
            held.changed(["0"], rows)
    with pytest.raises(ValueError, match="two chunks have the id 'ы'"):
        held.changed([], [Row("ы", ["a"]), Row("ы", ["b"])])
    with pytest.raises(ValueError, match="'1' is in the index already"):
        LexicalIndex.of(Row(str(n % 9_000 if n > 9_000 else n), ["x"]) for n in range(9_008))
    assert ["1"] == list(held.changed(["1"], [Row("1", ["новый"])]).find(["новый"], 5))


def test_only_what_is_allowed_is_found_and_counts_for_the_limit() -> None:
    """Rows may be allowed by ids, by a mask or by a filter; the others do not take their places."""
    rows = index("rag", "rag", "rag x", "y", "z", "w", "v", "u").changed(["0"], [])
    mask = rows.rows_where(Where(frozenset()))

    assert ["2"] == list(rows.find(["rag"], 1, {"2", "5", "unknown", "0"}))
    assert ["1"] == list(rows.find(["rag"], 1, mask))
    assert ["1", "2"] == list(rows.find(["rag"], 9, np.ones(8, dtype=np.bool_)))
    assert [] == list(rows.find(["rag"], 5, frozenset()))
    with pytest.raises(ValueError, match="another snapshot"):
        rows.find(["rag"], 5, mask[:-1])


def test_a_filter_is_worked_out_once() -> None:
    """The same filter gives the same mask again, which nobody can write to; another snapshot has its own."""
    rows = LexicalIndex.of([Row("a", ["rag"], readers=frozenset({"hr"})), Row("b", ["rag"])])
    where = Where(frozenset({"hr"}), since=None)

    mask = rows.rows_where(where)

    assert mask is rows.rows_where(Where(frozenset({"hr"})))
    assert [True, True] == mask.tolist()
    assert [False, True] == rows.changed(["a"], []).rows_where(where).tolist()
    with pytest.raises(ValueError, match="read-only"):
        mask[0] = False
    for number in range(600):
        rows.rows_where(Where(frozenset({str(number)})))
    assert len(rows._masks) <= 512


def test_attributes_come_through_everything(tmp_path: Path) -> None:
    """Filters see the same rows after changes, a merge, a removal and a reload."""
    day = date(2026, 3, 1)
    first = Row("a", ["rag"], "a.md", "policy", frozenset({"hr", "it"}), "ru", day)
    rows = LexicalIndex.of([Row("x", ["x"], "x.md", "page", frozenset({"x"}), "en"), first, Row("b", ["rag"], "b.md")])
    found = rows.changed(["x", "b"], [Row("c", ["rag"], "c.md", "page", language="en")]).merged()
    found.save(tmp_path / "index.npz")

    for one in (found, LexicalIndex.load(tmp_path / "index.npz")):
        for where, expected in (
            (Where(frozenset({"it"})), ["a", "c"]),
            (Where(frozenset({"x"})), ["c"]),
            (Where(frozenset({"hr"}), frozenset({"policy"}), frozenset({"a.md"}), frozenset({"ru"}), day, day), ["a"]),
            (Where(frozenset({"hr"}), doc_ids=frozenset({"x.md", "b.md"})), []),
            (Where(frozenset({"hr"}), until=date(2026, 2, 28)), []),
        ):
            assert expected == list(one.find(["rag"], 5, where)), where


def test_terms_that_are_gone_are_forgotten() -> None:
    """After many replaced documents a merge leaves the terms and rows that are in use, in few segments."""
    found = index(*("общий текст" for _ in range(50)))
    for n in range(400):
        found = found.changed([f"doc{n - 1}"], [Row(f"doc{n}", [f"только{n}", "общий"])])
    assert found.wants_merging

    merged = found.merged()

    assert ({"общий", "текст", "только399"}, 51) == ({*merged._tables.terms}, len(merged._live))
    assert found.find(["только399", "текст"], 60) == merged.find(["только399", "текст"], 60)


def test_segments_stay_few() -> None:
    """Whatever comes, a merge leaves at most one segment for each doubling of the size."""
    found = LexicalIndex.of([])
    for n in range(1_200):
        found = found.changed([], [Row(str(n), ["rag", f"t{n}"])])
        assert len(found._segments) <= 16
    assert len(found.merged()._segments) <= 11


def test_it_is_known_what_a_row_holds() -> None:
    """Of the terms asked for, those that a live row holds are told, and how many rows hold a term."""
    rows = index("rag отпуск", "rag rag").changed(["1"], [Row("2", ["день", "rag"])])

    assert {"2": {"rag", "день"}} == rows.terms_in(["1", "2", "unknown"], ["rag", "день", "отпуск", "нет"])
    assert [2, 1, 0] == [rows.holding(term) for term in ("rag", "отпуск", "нет")]
    assert [True, False, False] == [id_ in rows for id_ in ("2", "1", 2)]


def test_a_document_is_added_to_many_at_once() -> None:
    """To add ten chunks to 30,000 takes a small part of what building takes: the postings are not gone over."""
    begun = time.thread_time()
    rows = LexicalIndex.of(Row(str(n), [f"t{n % 5000}", f"слово{n % 7}", "общий"] * 10) for n in range(30_000))
    built = time.thread_time() - begun
    taken = []
    for n in range(20):
        begun = time.thread_time()
        rows = rows.changed([], [Row(f"{n}#{m}", [f"новый{m}", "общий"]) for m in range(10)])
        taken.append(time.thread_time() - begun)

    assert sorted(taken)[10] < built / 20
    assert 40 == len(rows.find(["новый3", "общий"], 40))


def test_a_row_tells_its_document_and_a_document_its_rows() -> None:
    """Both are known in each snapshot as it was, whatever changed after it."""
    before = LexicalIndex.of([Row("a1", ["x"], "a"), Row("b1", ["x"], "б"), Row("a2", ["y"], "a")])
    after = before.changed(["a1"], [Row("c1", ["x"], "c"), Row("a3", ["x"], "a")])

    assert (["a1", "a2"], "б") == (before.ids_of({"a", "none"}), before.document_of("b1"))
    assert (["a2", "a3"], "c") == (after.ids_of({"a"}), after.document_of("c1"))
    assert "a" == after.merged().document_of("a3")
    with pytest.raises(KeyError):
        after.document_of("a1")


READERS = st.sampled_from([(), (), (), ("hr",), ("board",), ("hr", "board")])
SHELF = st.lists(st.tuples(TERMS, READERS), max_size=20)


@settings(deadline=None, derandomize=True, max_examples=150)
@given(SHELF, st.lists(st.tuples(TERMS, st.integers(0, 20)), min_size=1, max_size=20), ASKED)
def test_closed_rows_move_no_score_of_those_who_may_not_read_them(
    shelf: list[tuple[list[str], tuple[str, ...]]], closed: list[tuple[list[str], int]], terms: list[str]
) -> None:
    """Who may not read them finds what an index without them gives, to the last digit; members of a group too."""
    rows = [Row(str(n), own, readers=frozenset(readers)) for n, (own, readers) in enumerate(shelf)]
    mixed = list(rows)
    for n, (own, place) in enumerate(closed):
        mixed.insert(place, Row(f"closed {n}", own, readers=frozenset({"board"})))
    half = LexicalIndex.of(mixed[::2]).changed([], mixed[1::2])
    for groups in (frozenset[str](), frozenset({"hr"})):
        where = Where(groups)
        readable = [row for row in rows if not row.readers or row.readers & groups]
        alone = LexicalIndex.of([*readable, Row("closed", ["rag"], readers=frozenset({"board"}))])
        for found in (LexicalIndex.of(mixed), half, half.merged()):
            assert sorted(alone.find(terms, 20, where).items()) == sorted(found.find(terms, 20, where).items())
            assert alone.weights(terms, where) == found.weights(terms, where)
        if not groups:
            assert LexicalIndex.of(readable).find(terms, 20) == LexicalIndex.of(mixed).find(terms, 20, where)
