"""A lexical index is written as one file and read back as it was, or not at all."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.search.lexical import LexicalIndex
from adapters.search.lexical_port import Row
from core.errors import SearchError

ROWS = [Row("a", ["rag", "отпуск", "rag"], "a.md", readers=frozenset({"hr", 'it"s'})), Row("б", ["два слова"], "б.md")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give the path of a saved index, in a folder that had to be made."""
    path = tmp_path / "new" / "index.npz"
    LexicalIndex.of(ROWS).save(path)
    return path


def rewrite(path: Path, **changed: Any) -> None:
    """Write the file again with some of its parts changed, or left out when None."""
    with np.load(path) as arrays:
        parts = {name: arrays[name] for name in arrays.files} | changed
    np.savez(path, **{name: part for name, part in parts.items() if part is not None})


@settings(deadline=None, derandomize=True)
@given(st.dictionaries(st.text(), st.lists(st.text() | st.just("\ud800"), max_size=5), max_size=6))
def test_any_words_come_back(tmp_path_factory: pytest.TempPathFactory, corpus: dict[str, list[str]]) -> None:
    """Ids and terms may hold anything: line ends, nothing at all, half of a surrogate pair."""
    path = tmp_path_factory.getbasetemp() / "words.npz"
    found = LexicalIndex.of(Row(id_, words) for id_, words in corpus.items())
    found.save(path)
    loaded = LexicalIndex.load(path)

    for words in corpus.values():
        assert found.find(words, 10) == loaded.find(words, 10)
    assert len(found) == len(loaded)


def test_a_loaded_index_can_be_changed(path: Path) -> None:
    """Loading gives an index like any other."""
    changed = LexicalIndex.load(path).changed(["a"], [Row("c", ["отпуск", "новый"])])

    assert ["c"] == list(changed.find(["отпуск", "rag"], 5))


def test_nothing_but_the_file_is_left(path: Path) -> None:
    """What is written beside it on the way is gone."""
    LexicalIndex.of(ROWS[:1]).save(path)

    assert ["index.npz"] == [found.name for found in path.parent.iterdir()]
    assert 1 == len(LexicalIndex.load(path))


def test_a_failed_write_leaves_what_was_there(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk costs the new file, not the old one."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match="No space"):
        LexicalIndex.of([]).save(path)

    assert ["index.npz"] == [found.name for found in path.parent.iterdir()]
    assert 2 == len(LexicalIndex.load(path))


def test_another_format_is_not_read(path: Path) -> None:
    """A file of a later version says so, and what to do."""
    rewrite(path, format=np.array([2]))

    with pytest.raises(SearchError, match="is of format 2 and this version reads 1; build it again with: footnote"):
        LexicalIndex.load(path)


@pytest.mark.parametrize("size", [0, 1, 100, 1_000, -1, -30])
def test_a_cut_file_is_not_read(path: Path, size: int) -> None:
    """A file that was not written to its end is refused by name."""
    path.write_bytes(path.read_bytes()[:size])

    with pytest.raises(SearchError, match=r"index\.npz could not be read .*footnote index"):
        LexicalIndex.load(path)


def test_a_damaged_file_is_not_read(path: Path) -> None:
    """A byte that changed on the disk is noticed."""
    whole = bytearray(path.read_bytes())
    place = whole.index("отпуск".encode())
    whole[place + 1] ^= 1
    path.write_bytes(bytes(whole))

    with pytest.raises(SearchError, match="could not be read"):
        LexicalIndex.load(path)


@pytest.mark.parametrize(
    "changed",
    [
        {"format": None},
        {"rows": None},
        {"rows": np.array([0, 0, 9], dtype=np.int32)},
        {"rows": np.array([0, 0, -1], dtype=np.int32)},
        {"rows": np.array([0.0, 0.0, 1.0])},
        {"held": np.array([0, 1, 7], dtype=np.int32)},
        {"starts": np.array([0, 2, 1, 3])},
        {"starts": np.array([0, 1])},
        {"counts": np.array([1, 1], dtype=np.uint8)},
        {"lengths": np.array([3], dtype=np.int32)},
        {"attributes": np.zeros((5, 1), dtype=np.int32)},
        {"attributes": np.full((5, 2), 9, dtype=np.int32)},
        {"ids_sizes": np.array([2, 9], dtype=np.int32)},
        {"ids_sizes": np.array([1], dtype=np.int32)},
        {"ids_text": np.frombuffer(b"aa", dtype=np.uint8), "ids_sizes": np.array([1, 1], dtype=np.int32)},
        {"terms_text": np.frombuffer(b"\xff\xfe", dtype=np.uint8)},
        {"readers_text": np.frombuffer(b"{", dtype=np.uint8), "readers_sizes": np.array([1], dtype=np.int32)},
    ],
)
def test_parts_that_do_not_belong_together_are_not_read(path: Path, changed: dict[str, Any]) -> None:
    """What would fail in the middle of a search fails when it is loaded."""
    rewrite(path, **changed)

    with pytest.raises(SearchError, match="could not be read"):
        LexicalIndex.load(path)


def test_nothing_in_a_file_is_run(path: Path) -> None:
    """A pickle is not opened, alone or inside the arrays, nor is another kind of file."""

    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return (path.unlink, ())

    rewrite(path, rows=np.array([Trap()], dtype=object))
    files = [path.read_bytes(), pickle.dumps(Trap()), b"\x93NUMPY\x01\x00", "Привет".encode()]
    for content in files:
        path.write_bytes(content)
        with pytest.raises(SearchError, match="could not be read"):
            LexicalIndex.load(path)
        assert path.exists()
    np.save(path.with_suffix(".npy"), np.zeros(3))
    for absent in (path.with_name("нет.npz"), path.parent, path.with_suffix(".npy")):
        with pytest.raises(SearchError, match="could not be read"):
            LexicalIndex.load(absent)
