"""What a table says: each value belongs to its row and to its column, and a claim may not take it from another."""

from collections.abc import Sequence

from core.proof.backing import held_of
from core.proof.numbers import amounts
from core.proof.segments import parts_of
from core.proof.words import Reading, Word, read

# A row: the name of each column with what stands there.
Row = tuple[tuple[str, str], ...]


def doubt_of_cells(text: str, question: str, rows: Sequence[Row]) -> str | None:
    """Return the value that the claim tells of another row or column than the one where it stands, or None.

    Where the claim names no column, or no row, those of the question are meant.
    """
    claim, asked = read(text), list(read(question).content)
    parts = [list(part) for part in parts_of(claim)] if rows else []
    values = {claim.words[one.place].start: one.value for one in amounts(claim) if not one.weak}
    for part in parts:
        for value in (values[word.start] for word in part if word.start in values):
            at = [(row, place) for row in rows for place, (_, cell) in enumerate(row) if value in _values(cell)]
            if (
                len(at) == 1
                and at[0][1]
                and (fault := _elsewhere(value, *at[0], rows, (part, list(claim.content), asked)))
            ):
                return fault
    return None


def _elsewhere(value: str, row: Row, place: int, rows: Sequence[Row], said: Sequence[list[Word]]) -> str | None:
    """Return that the words nearest to a value name other columns, or other rows, than its own, and never its own."""
    columns = [label for label, _ in row[1:]]
    heads = [one[0][1] for one in rows]
    for own, others in ((row[place][0], columns), (row[0][1], heads)):
        mine = read(own).stems
        facing = frozenset().union(*(read(other).stems for other in others if other != own))
        sides = ((_any(words, mine - facing), _any(words, facing - mine)) for words in said)
        here, there = next((pair for pair in sides if any(pair)), ("", ""))
        if there and not here:
            return f"it says “{value}” of “{there}”, its table of “{own}”"
    return None


def _any(words: list[Word], stems: frozenset[str]) -> str:
    """Return the first of the words that the stems hold, or nothing."""
    held = held_of(stems)
    return next((word.text for word in words if word.tells and held.holds(word)), "")


def _values(cell: str) -> frozenset[str]:
    reading: Reading = read(cell)
    return frozenset(one.value for one in amounts(reading))
