"""Numbers out of what was seen."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

Figures = dict[str, Any]


def percentile(values: Iterable[float], share: float) -> float:
    """Return the smallest value that is not less than such a share of all; NaN when there are none."""
    found = sorted(values)
    return found[max(0, math.ceil(share * len(found)) - 1)] if found else math.nan


def median_ms(seconds: Sequence[float]) -> float:
    """Return the median in milliseconds."""
    return round(percentile(seconds, 0.5) * 1e3, 2)


def longest_gap(times: Iterable[float], begin: float, end: float) -> float:
    """Return the longest time within the span in which nothing happened."""
    inside = [begin, *sorted(time for time in times if begin < time < end), end]
    return max(later - earlier for earlier, later in pairwise(inside))


def told(figures: Figures, indent: int = 0) -> list[str]:
    """Return the figures as lines of a table, those of a group under its name."""
    lines = []
    for name, value in figures.items():
        words = " " * indent + name
        if isinstance(value, dict):
            lines += [words, *told(value, indent + 2)]
        else:
            lines.append(f"{words:60} {_told(value)}")
    return lines


def _told(value: object) -> str:
    return f"{value:>12.3f}" if isinstance(value, float) else f"{value!s:>12}"
