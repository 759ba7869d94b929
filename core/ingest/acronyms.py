"""Short forms that a text introduces: "Full Name (FN)" and "FN (Full Name)"."""

import re
from collections.abc import Iterator

# "(FN)" behind its full name, and "FN (Full Name)". At most ten characters are short.
_SHORT = r"[A-ZА-ЯЁ][A-Za-zА-Яа-яЁё0-9-]{0,8}[A-ZА-ЯЁ0-9]"
_BEHIND = re.compile(rf"\(({_SHORT})s?\)")
_BEFORE = re.compile(rf"\b({_SHORT}) \(([^()\n]{{5,80}})\)")
_BORDER = re.compile(r"[.;:!?()\[\]«»\"\n|,—–]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
# How far back a full name may begin, in characters.
_REACH = 100


def acronyms_in(text: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield each full name with its short form, and where both stand together: (full, short, start, end)."""
    if "(" not in text:
        return
    for found in _BEHIND.finditer(text):
        before = text[max(0, found.start() - _REACH) : found.start()].rstrip()
        border = max((mark.end() for mark in _BORDER.finditer(before)), default=0)
        full = full_name(found[1], before[border:])
        if full:
            yield full, found[1], text.rindex(full, 0, found.start()), found.end()
    for found in _BEFORE.finditer(text):
        full = full_name(found[1], found[2])
        if full and full == found[2].strip():
            yield full, found[1], found.start(), found.end()


def full_name(short: str, before: str) -> str | None:
    """Return the words at the end of the text that the short form stands for.

    Its letters are found from the last to the first, the first at the beginning of a word (Schwartz and Hearst, 2003,
    "A simple algorithm for identifying abbreviation definitions"). There are at least two words, no more than two
    beyond its letters, and half of its letters begin words.
    """
    letters = [char for char in short.casefold() if char.isalnum()]
    folded = before.casefold()
    place = len(folded)
    if len(folded) != len(before):
        return None
    for n in range(len(letters) - 1, -1, -1):
        place = folded.rfind(letters[n], 0, place)
        while n == 0 and place > 0 and folded[place - 1].isalnum():
            place = folded.rfind(letters[0], 0, place)
        if place < 0:
            return None
    full = before[place:].strip()
    words = _WORD.findall(full)
    initial = sum(word[0].casefold() in letters for word in words)
    fits = 1 < len(words) <= len(letters) + 2 and 2 * initial >= len(letters) and short not in full
    return full if fits else None
