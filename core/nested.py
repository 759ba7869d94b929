"""Lists in lists: what stands under an item is told with it, for “Weekly duties” by itself answers nothing."""

from collections.abc import Sequence
from dataclasses import replace

from core.asked import SHOWS
from core.asking import DOUBTFUL, asked_for, is_polar
from core.evidence import Unit
from core.facts import Part
from core.text import terms


def with_children(chosen: Sequence[Unit], units: Sequence[Unit], question: str) -> list[Unit]:
    """Return the chosen units, each item that is singled out of its list with the items under it.

    An item that says no more than the question becomes the heading of those. A list that is chosen whole stays one
    list, and where a sort of thing is asked for, the item holds it itself.
    """
    sort = asked_for(question)
    if is_polar(question) or not (sort is None or sort in DOUBTFUL):
        return list(chosen)
    told: list[Unit] = []
    for unit in chosen:
        under = [] if _is_whole(unit, chosen) else [one for one in _children(unit, units) if one not in chosen]
        told += _headed(unit, under) if under and _is_asked(unit, question) else [unit, *under]
    return told


def _children(unit: Unit, units: Sequence[Unit]) -> list[Unit]:
    parts = children_of(unit.part, unit.fact.parts)
    found = [one for one in units if one.number == unit.number and one.part in parts]
    return sorted(found, key=lambda one: one.part.span.start)


def children_of(item: Part, parts: Sequence[Part]) -> list[Part]:
    """Return the items that stand under an item: those of lists that begin behind it, until a list before it goes on.

    Two lists never touch but where one is in an item of the other.
    """
    if item.kind != "item" or item.series is None:
        return []
    ordered = sorted(parts, key=lambda part: part.span.start)
    begun = {part.series for part in ordered if part.block <= item.block}
    under: list[Part] = []
    for part in ordered:
        if part.block > item.block:
            if part.kind != "item" or part.series in begun:
                break
            under.append(part)
    return under


def _is_whole(unit: Unit, chosen: Sequence[Unit]) -> bool:
    """Return whether all items of the unit's list are chosen, and there are several."""
    listed = {part.span for part in unit.fact.parts if part.series == unit.part.series}
    return len(listed) > 1 and listed <= {one.part.span for one in chosen if one.number == unit.number}


def _is_asked(unit: Unit, question: str) -> bool:
    return frozenset(terms(unit.words)) <= SHOWS.union(terms(question))


def _headed(unit: Unit, under: Sequence[Unit]) -> list[Unit]:
    group = unit.words.strip().rstrip(":")
    return [replace(one, fact=replace(one.fact, group=group)) for one in under]
