"""Columns of a printed page: those of a form put back side by side, those of running text one after the other."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from core.ingest.pages import Line

# Points: lines at heights and edges that differ by less stand side by side, or under each other.
_SAME_HEIGHT, _SAME_EDGE = 1.5, 5
# Columns of running text are full; a name or a value leaves room behind it.
_MOST_WORDS, _FULL = 8, 0.8
_FEWEST: Final = 2
# Lines and words a line from which two columns are running text that is written across both of them; share of the
# lines that go on in the next one.
_COLUMN_LINES, _COLUMN_WORDS, _GOES_ON = 4, 4, 0.4


def side_by_side(lines: Sequence["Line"]) -> list["Line"]:
    """Return the lines, those of neighbouring stacks at the same heights as one line with a cell of each.

    Columns of running text look alike but are filled from edge to edge: they stay as they are read.
    """
    placed: list[Line] = []
    for stack in _stacks(lines):
        before = placed[-len(stack) :]
        if len(stack) >= _FEWEST and len(before) == len(stack) and _belong(before, stack):
            both = [replace(a, cells=(*a.cells, *b.cells)) for a, b in zip(before, stack, strict=True)]
            placed[-len(stack) :] = both
        else:
            placed += stack
    return placed


def one_by_one(lines: Sequence["Line"]) -> list["Line"]:
    """Return the lines, columns of running text that are written line by line across the page one after the other."""
    placed: list[Line] = []
    run: list[Line] = []
    for line in (*lines, None):
        if line is not None and len(line.cells) == _FEWEST and (not run or _is_below(run[-1], line)):
            run.append(line)
            continue
        placed += _apart(run)
        run = [line] if line is not None and len(line.cells) == _FEWEST else []
        placed += [line] if line is not None and not run else []
    return placed


def _is_below(above: "Line", line: "Line") -> bool:
    same = above.page == line.page and line.bottom < above.bottom
    return same and all(abs(a.left - b.left) < _SAME_EDGE for a, b in zip(above.cells, line.cells, strict=True))


def _apart(run: Sequence["Line"]) -> Sequence["Line"]:
    columns = [[replace(line, cells=(line.cells[place],)) for line in run] for place in range(_FEWEST)]
    if len(run) < _COLUMN_LINES or not all(map(_is_running_text, columns)):
        return run
    return [line for column in columns for line in column]


def _is_running_text(column: Sequence["Line"]) -> bool:
    words = sum(len(line.text.split()) for line in column) / len(column)
    goes_on = sum(after.text[:1].islower() for after in column[1:])
    return words >= _COLUMN_WORDS and goes_on >= _GOES_ON * (len(column) - 1)


def _stacks(lines: Sequence["Line"]) -> Iterator[list["Line"]]:
    """Yield runs of lines of one cell each that go down the page from one left edge, all other lines by themselves."""
    stack: list[Line] = []
    for line in lines:
        if stack and not _is_under(stack[-1], line):
            yield stack
            stack = []
        stack.append(line)
    if stack:
        yield stack


def _is_under(above: "Line", line: "Line") -> bool:
    alone = len(above.cells) == len(line.cells) == 1 and above.page == line.page
    return alone and line.bottom < above.bottom and abs(above.cells[0].left - line.cells[0].left) < _SAME_EDGE


def _belong(left: Sequence["Line"], right: Sequence["Line"]) -> bool:
    beside = all(
        a.page == b.page and abs(a.bottom - b.bottom) < _SAME_HEIGHT and a.cells[-1].right < b.cells[0].left
        for a, b in zip(left, right, strict=True)
    )
    if not beside:
        return False
    room = right[0].cells[0].left - left[0].cells[-1].left
    filled = max(line.cells[-1].right - line.cells[-1].left for line in left) / room
    words = max(len(line.cells[-1].text.split()) for line in (*left, *right))
    return filled < _FULL and words <= _MOST_WORDS and not (_runs_on(left, 0) or _runs_on(right, len(right) / 2))


def _runs_on(stack: Sequence["Line"], most: float) -> bool:
    """Return whether more of the lines than so many go on in the next: this begins in small letters."""
    return sum(line.cells[-1].text[:1].islower() for line in stack) > most
