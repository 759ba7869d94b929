"""What says where a thing is, where a question asks for that and its words alone bring something else of it."""

import re
from collections.abc import Sequence

from core.asking import parted
from core.evidence import Unit
from core.text import normalise

_WHERE = re.compile(r"^\W*(?:(?:and|а|и)\b\W*)?(?:where|где)\b(?! (?:do|can|should|must|could) )")
_PLACE = re.compile(
    r"\b(?:in|at|on|near|behind|beside|opposite|under|inside|outside|next to|floor|room|street)\b"
    r"|\b(?:в|во|на|у|около|возле|за|под|над|рядом|напротив)\b|\b(?:комнат|кабинет|этаж|улиц)"
)


def placed(units: Sequence[Unit], found: Sequence[Unit], question: str) -> list[Unit]:
    """Return the units that say a place and hold as much of the question as the best of those found; none if one does.

    Nothing where no place is asked for, or where what was found says one.
    """
    if not found or not _WHERE.search(normalise(parted(question)[0])) or any(map(_says_place, found)):
        return []
    most = max(unit.own + unit.around for unit in found)
    return [unit for unit in units if _says_place(unit) and unit.own + unit.around >= most]


def _says_place(unit: Unit) -> bool:
    return _PLACE.search(normalise(unit.words)) is not None
