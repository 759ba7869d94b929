"""JSON, JSON Lines and YAML: a tree of keys and values as headings, fields, lists and tables."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from adapters.loaders import table
from adapters.loaders.closing import check_said, is_slip, key_of
from adapters.loaders.decoding import decode
from adapters.loaders.front_matter import Meta, meta_of
from adapters.loaders.reading import Reading
from adapters.loaders.yaml_tree import MERGE, tree_of
from core.errors import IngestError
from core.ingest.pieces import Piece, one_line

# Written by people, a file stays far below; aliases of YAML can make a few lines endless.
DEPTH_LIMIT: Final = 60
NODES_LIMIT: Final = 200_000
# What a file says of itself; every other key is what it tells.
_OWN = frozenset(("title", "aliases", "labels", "readers", "updated"))
_LOWEST_HEADING = 6
_HALF = re.compile(r"\\u[dD][89a-fA-F]")

Tree = str | Sequence["Tree"] | Mapping[str, "Tree"]


@dataclass(slots=True)
class _Walk:
    """What is left to spend, and the numbers of lists and tables."""

    path: str
    nodes: int = 0
    numbers: Iterator[int] = field(default_factory=count)

    def spend(self, depth: int) -> None:
        self.nodes += 1
        if depth > DEPTH_LIMIT:
            raise IngestError(self.path, f"is nested more than {DEPTH_LIMIT} levels deep: make it flatter")
        if self.nodes > NODES_LIMIT:
            raise IngestError(self.path, f"holds more than {NODES_LIMIT:,} values: split it")


def read_json(data: bytes, path: str) -> Reading:
    """Return a JSON file in pieces; numbers stay as written."""
    return _reading([_json(decode(data, path), path)], path)


def read_json_lines(data: bytes, path: str) -> Reading:
    """Return a file with a JSON value on every line: a table where all are flat objects."""
    text = decode(data, path)
    if text.count("\n") > NODES_LIMIT:
        raise IngestError(path, f"holds more than {NODES_LIMIT:,} lines: split it")
    lines = enumerate(text.split("\n"), 1)
    return _reading([[_json(line, path, f", line {number}") for number, line in lines if line.strip()]], path)


def read_yaml(data: bytes, path: str) -> Reading:
    """Return a YAML file in pieces, its documents one after the other; values stay as written."""
    return _reading(tree_of(decode(data, path), path, DEPTH_LIMIT), path)


def _json(text: str, path: str, place: str = "") -> Tree:
    try:
        found: Tree = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as error:
        where = place or f", line {error.lineno}"
        raise IngestError(path, f"is not JSON{where}: {error.msg}") from error
    except RecursionError as error:
        raise IngestError(path, f"is nested more than {DEPTH_LIMIT} levels deep: make it flatter") from error
    return _without_halves(found) if _HALF.search(text) else found


def _without_halves(tree: Tree) -> Tree:
    """Return the tree without halves of characters, which JSON can spell and nothing can store."""
    whole: Tree = json.loads(json.dumps(tree, ensure_ascii=False).encode("utf-8", "ignore"))
    return whole


def _reading(trees: Sequence[Tree], path: str) -> Reading:
    """Return the trees one after the other; what a file says of itself stands in the first."""
    walk = _Walk(path)
    pieces = tuple(piece for tree in trees for piece in _pieces(tree, "", 0, walk))
    return Reading(pieces, _meta(trees[0], path) if trees else {})


def _meta(tree: Tree, path: str) -> Meta:
    """Return what the top of the file says of itself; readers that are no names close it."""
    if not isinstance(tree, Mapping):
        return {}
    own = {key: value for key, value in tree.items() if key_of(key) in _OWN}
    check_said({**own, **{key: value for key, value in tree.items() if is_slip(key)}}, path)
    return meta_of(own)


def _pieces(tree: Tree, name: str, depth: int, walk: _Walk) -> Iterator[Piece]:
    walk.spend(depth)
    if isinstance(tree, Mapping):
        yield from _mapping(tree, depth, walk)
    elif _is_sequence(tree):
        yield from _sequence(tree, name, depth, walk)
    elif shown := shown_value(tree):
        yield Piece("paragraph", shown)


def _mapping(tree: Mapping[str, Tree], depth: int, walk: _Walk) -> Iterator[Piece]:
    """Yield the plain values first, so that none of them stands under a heading that is not its own."""
    flat = {key: value for key, value in tree.items() if _is_plain(value)}
    series = next(walk.numbers)
    for key, value in flat.items():
        walk.spend(depth)
        if (shown := shown_value(value)) and not (depth == 0 and key_of(key) in ("title", "readers")):
            yield Piece("field", f"{one_line(key)}: {shown}", series=series)
    for key, value in tree.items():
        if key in flat or not value or (depth == 0 and key_of(key) == "readers"):
            continue
        if key != MERGE and one_line(key):
            yield Piece("heading", one_line(key), depth=min(depth + 2, _LOWEST_HEADING))
        yield from _pieces(value, key, depth + 1, walk)


def _sequence(tree: Sequence[Tree], name: str, depth: int, walk: _Walk) -> Iterator[Piece]:
    """Yield a table, or the plain values as a list, and then what has a heading of its own."""
    if table_rows := _table(tree, walk, depth):
        yield from table.pieces_of(table.bounded(table_rows, walk.path), walk.numbers, table.Heads(sure=True))
        return
    series = next(walk.numbers)
    for value in filter(_is_plain, tree):
        walk.spend(depth)
        yield Piece("item", shown_value(value), series=series)
    for number, value in enumerate(tree, 1):
        if _is_plain(value):
            continue
        if isinstance(value, Mapping) and value:
            yield Piece("heading", _name_of(value) or f"{name} {number}".strip(), depth=min(depth + 2, _LOWEST_HEADING))
            yield from _pieces(value, name, depth + 1, walk)
        else:
            yield from _pieces(value, name, depth + 1, walk)


def _table(tree: Sequence[Tree], walk: _Walk, depth: int) -> list[list[str]]:
    """Return a list of flat objects as rows under the row of their keys; nothing when it is no such list."""
    flat = [value for value in tree if isinstance(value, Mapping) and value and all(map(_is_plain, value.values()))]
    keys = list(dict.fromkeys(key for value in flat for key in value))
    # Objects that share few keys are no table, and would make one that is mostly empty.
    if len(flat) < len(tree) or len(keys) * len(flat) > 4 * sum(map(len, flat)):
        return []
    for _ in range(len(keys) * len(flat)):
        walk.spend(depth)
    return [keys, *([shown_value(value.get(key, "")) for key in keys] for value in flat)]


def _name_of(value: Mapping[str, Tree]) -> str:
    """Return what an object is called, by the keys that name things."""
    named = (shown_value(value.get(key, "")) for key in ("name", "title", "id", "key", "название", "имя"))
    return next(filter(None, named), "")


def _is_sequence(tree: Tree) -> bool:
    return isinstance(tree, list | tuple)


def _is_plain(value: Tree) -> bool:
    return not isinstance(value, Mapping | list | tuple)


def shown_value(value: object) -> str:
    """Return a value as it is written, on one line; null and what is no plain value are nothing."""
    if isinstance(value, bool):
        return str(value).lower()
    return one_line(value) if isinstance(value, str) else ""
