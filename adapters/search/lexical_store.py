"""A lexical index as one file: arrays and words in .npz, nothing that runs when it is read."""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from adapters.search.lexical_segment import Lists, Segment, joined
from adapters.search.lexical_tables import DATE, DOC, READERS, Listed, Tables
from core.errors import SearchError

FORMAT = 1
_WORDS = ("terms", "docs", "kinds", "languages", "readers")


def compacted(tables: Tables, segments: Sequence[Segment]) -> tuple[Tables, Segment]:
    """Return the live rows as one segment, with tables of the values that are in use, numbered without gaps."""
    segment = joined(segments)
    listed = tables.listed()
    attributes, kept = segment.attributes.copy(), []
    for line, values in zip(range(DOC, READERS + 1), listed.lines()[1:], strict=True):
        used, attributes[line] = np.unique(attributes[line], return_inverse=True)
        kept.append([values[code] for code in used])
    number = np.zeros(len(listed.terms), dtype=np.int32)
    number[segment.terms] = np.arange(len(segment.terms), dtype=np.int32)
    compact = Segment(
        segment.ids,
        segment.places,
        segment.live,
        segment.lengths,
        attributes,
        np.arange(len(segment.terms), dtype=np.int32),
        segment.postings,
        segment.counts,
        Lists(segment.held.starts, number[segment.held.values]),
    )
    return Listed([listed.terms[code] for code in segment.terms], *kept).tables(), compact


def write(path: Path, tables: Tables, segment: Segment) -> None:
    """Write a compacted index; a file that is there is replaced at once, by a whole one."""
    listed = tables.listed()
    lines = (*listed.lines()[:-1], [json.dumps(sorted(names)) for names in listed.readers])
    arrays: dict[str, NDArray[Any]] = {
        "format": np.array([FORMAT]),
        "lengths": segment.lengths,
        "attributes": segment.attributes,
        "starts": segment.postings.starts,
        "rows": segment.postings.values,
        "counts": segment.counts,
        "held_starts": segment.held.starts,
        "held": segment.held.values,
    }
    for name, words in (("ids", segment.ids), *zip(_WORDS, lines, strict=True)):
        arrays |= _packed(name, words)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        with beside.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def read(path: Path) -> tuple[Tables, Segment]:
    """Return what was written. Raises SearchError when the file is absent, damaged or of another format."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            _check_format(path, int(arrays["format"][0]))
            found = {name: arrays[name] for name in arrays.files}
        return _opened(found)
    except SearchError:
        raise
    except Exception as error:
        raise SearchError(
            f"the lexical index {path.name} could not be read ({type(error).__name__}); "
            "build it again with: footnote index"
        ) from error


def _check_format(path: Path, found: int) -> None:
    if found != FORMAT:
        raise SearchError(
            f"the lexical index {path.name} is of format {found} and this version reads {FORMAT}; "
            "build it again with: footnote index"
        )


def _opened(found: dict[str, NDArray[Any]]) -> tuple[Tables, Segment]:
    ids = tuple(_unpacked("ids", found))
    terms, docs, kinds, languages, readers = (_unpacked(name, found) for name in _WORDS)
    listed = Listed(terms, docs, kinds, languages, [frozenset(json.loads(names)) for names in readers])
    segment = Segment(
        ids,
        {id_: place for place, id_ in enumerate(ids)},
        np.ones(len(ids), dtype=np.bool_),
        _ints(found["lengths"], np.int32),
        _ints(found["attributes"], np.int32),
        np.arange(len(terms), dtype=np.int32),
        Lists(_ints(found["starts"], np.int64), _ints(found["rows"], np.int32)),
        _ints(found["counts"], np.uint64),
        Lists(_ints(found["held_starts"], np.int64), _ints(found["held"], np.int32)),
    )
    _check(segment, listed)
    return listed.tables(), segment


def _check(segment: Segment, listed: Listed) -> None:
    """Raise ValueError when the arrays do not belong together: a search must not fail on them later."""
    size, terms = len(segment.ids), len(listed.terms)
    whole = (
        len(segment.places) == size == len(segment.lengths)
        and segment.attributes.shape == (DATE + 1, size)
        and _lists(segment.postings, terms, size)
        and _lists(segment.held, size, terms)
        and len(segment.counts) == len(segment.postings.values) == len(segment.held.values)
        and all(
            _within(segment.attributes[line], len(values))
            for line, values in zip(range(DOC, READERS + 1), listed.lines()[1:], strict=True)
        )
    )
    if not whole:
        raise ValueError("the parts of the file do not belong together")


def _ints(numbers: NDArray[Any], widest: type[np.integer[Any]]) -> NDArray[Any]:
    if not np.can_cast(numbers.dtype, widest):
        raise ValueError(f"numbers of type {numbers.dtype} where {widest.__name__} belongs")
    return numbers


def _lists(lists: Lists, count: int, span: int) -> bool:
    """Return whether there are so many lists, of numbers below the span."""
    starts = lists.starts
    ordered = len(starts) == count + 1 and starts[0] == 0 and bool((np.diff(starts) >= 0).all())
    return ordered and int(starts[-1]) == len(lists.values) and _within(lists.values, span)


def _within(numbers: NDArray[Any], span: int) -> bool:
    return len(numbers) == 0 or (int(numbers.min()) >= 0 and int(numbers.max()) < span)


def _packed(name: str, words: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return the words as UTF-8 one after the other, and the number of characters of each."""
    text = np.frombuffer("".join(words).encode("utf-8", "surrogatepass"), dtype=np.uint8)
    return {f"{name}_text": text, f"{name}_sizes": np.array([len(word) for word in words], dtype=np.int32)}


def _unpacked(name: str, found: dict[str, NDArray[Any]]) -> list[str]:
    text = found[f"{name}_text"].tobytes().decode("utf-8", "surrogatepass")
    ends = [0, *np.cumsum(found[f"{name}_sizes"], dtype=np.int64).tolist()]
    if ends[-1] != len(text):
        raise ValueError(f"the {name} are cut off")
    return [text[start:end] for start, end in pairwise(ends)]
