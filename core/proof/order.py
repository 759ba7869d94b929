"""What a text puts before a thing, and what after it."""

import re
from functools import lru_cache

from core.proof.bounds import goes_beyond
from core.proof.lexicon import light
from core.proof.numbers import amounts
from core.proof.words import Reading

_BEFORE = {"before": "after", "after": "before", "до": "после", "после": "до", "перед": "после"}


def fault_of_order(claim: Reading, known: Reading) -> str | None:
    """Return what the claim puts before where its quotes put it after, or the other way round."""
    said, held = _ordered(claim), _ordered(known)
    beyond = goes_beyond(known)
    for (side, what), shown in said.items():
        turned = (_BEFORE[side], what) in held and (side, what) not in held and not (beyond and what[0].isdigit())
        if turned and not re.search(rf"\b{side} (?:that|it|this|them|which|нее|него|них|этого|чего)\b", known.low):
            return f"it says “{shown}”, its quotes “{held[_BEFORE[side], what]}”"
    return None


@lru_cache(maxsize=256)
def _ordered(reading: Reading) -> dict[tuple[str, str], str]:
    """Return what stands right behind “before” and “after”, numbers by their value."""
    values = {amount.place: amount.value for amount in amounts(reading)}
    found: dict[tuple[str, str], str] = {}
    for place, word in enumerate(reading.words):
        if word.low in _BEFORE:
            for at in range(place + 1, min(place + 5, len(reading.words))):
                one = reading.words[at]
                if at in values or (one.tells and one.stem not in light()):
                    found[word.low, values.get(at, one.stem)] = f"{word.text} {one.text}"
                    break
    return found
