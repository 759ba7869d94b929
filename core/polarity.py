"""Lists of what is to be and of what is not to be: one never answers for the other."""

from collections.abc import Sequence

from core.asking import asked_for, is_polar
from core.evidence import Unit
from core.proof.denials import denials, is_adverse, is_denier
from core.proof.headings import standing_over
from core.proof.words import read

_LISTED = frozenset(("item", "row"))


def denies_otherwise(units: Sequence[Unit], question: str) -> bool:
    """Return whether the units are a list of what is not, where the question asks what is, or the other way round.

    “What must I not bring?” is answered by no list of what to bring, though it holds every other word. Where a yes, a
    no, or a value is asked for, either list may tell it.
    """
    if asked_for(question) is not None or is_polar(question) or any(unit.part.kind not in _LISTED for unit in units):
        return False
    over = "\n".join(line for unit in units for line in standing_over(unit.part.span, unit.fact)[1:])
    if _denies(question):
        return not (_denies(over) or any(_denies(unit.words) for unit in units))
    return _denies(over) and not any(is_adverse(word.stem) for word in read(question).words)


def _denies(text: str) -> bool:
    said = read(text)
    return bool(denials(said)) or any(is_denier(word) for word in said.words)
