"""Long text in pieces that fit, cut where a reader would cut it and never inside a character as people see it."""

import unicodedata
from collections.abc import Callable

# From the most to the least welcome place to cut after.
_PLACES = ("\n\n", "\n", ". ", "? ", "! ", "; ", ", ", " ")
_JOINER = "\u200d"


def pieces(text: str, limit: int, cost: Callable[[str], int] = len) -> list[str]:
    """Return the text in pieces that cost at most `limit` each; joined, they are the text.

    `cost` is of one character. Only a single visible character that is too long by itself is torn.
    """
    found = []
    while text:
        at = _cut(text, _reach(text, limit, cost))
        found.append(text[:at])
        text = text[at:]
    return found


def _reach(text: str, limit: int, cost: Callable[[str], int]) -> int:
    """Return how many characters from the start fit, at least one."""
    spent = 0
    for position, char in enumerate(text):
        spent += cost(char)
        if spent > limit:
            return max(position, 1)
    return len(text)


def _cut(text: str, reach: int) -> int:
    if reach == len(text):
        return reach
    for place in _PLACES:
        at = text.rfind(place, reach // 2, reach)
        if at >= 0 and is_boundary(text, at + len(place)):
            return at + len(place)
    return next((at for at in range(reach, 0, -1) if is_boundary(text, at)), reach)


def is_boundary(text: str, at: int) -> bool:
    """Return whether a new visible character begins here (the common cases of Unicode annex 29)."""
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if (before == "\r" and after == "\n") or before == _JOINER:
        return False
    if _continues(after) or _is_hangul_tail(before, after):
        return False
    return not (_is_flag(before) and _is_flag(after) and _flags_before(text, at) % 2)


def _continues(char: str) -> bool:
    """Return whether the character only completes the one before: accents, joiners, skin tones, tags."""
    is_extender = char == _JOINER or "\U0001f3fb" <= char <= "\U0001f3ff" or "\U000e0020" <= char <= "\U000e007f"
    return is_extender or char in "\u200c\uff9e\uff9f" or unicodedata.category(char) in ("Mn", "Me", "Mc")


def _is_hangul_tail(before: str, after: str) -> bool:
    """Return whether the two belong to one syllable written in parts."""
    is_after_part = "\u1100" <= before <= "\u11ff" or _is_syllable(before)
    return is_after_part and ("\u1100" <= after <= "\u11ff" or ("\u1100" <= before <= "\u115f" and _is_syllable(after)))


def _is_syllable(char: str) -> bool:
    return "\uac00" <= char <= "\ud7a3"


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, at: int) -> int:
    count = 0
    while at > count and _is_flag(text[at - 1 - count]):
        count += 1
    return count
