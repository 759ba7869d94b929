"""How a word sounds, in plain Latin letters: one spelling for all the ways to write it in another alphabet."""

import re
from functools import lru_cache

_CYRILLIC = dict(zip("абвгдезийклмнопрстуфхыэ", "abvgdeziiklmnoprstufhie", strict=True)) | {
    "ж": "zh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sch", "ю": "iu", "я": "ia", "ъ": "", "ь": "",
}  # fmt: skip
# Latin spellings of one sound, folded to one: Dmitrii, Dmitriy and Dmitry; Koroleva and Korolyova; Tsarev and Tzarev.
_SPELLINGS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        ("shch", "sch"), ("tz", "ts"), ("kh", "h"), ("ph", "f"), ("th", "t"), ("wh", "w"), ("ck", "k"), ("qu?", "k"),
        ("x", "ks"), ("w", "v"), ("dj|(?<!i)j(?=[aeiou])", "dzh"), ("c(?=[eiy])", "s"), ("c(?!h)", "k"),
        ("(?<=[bcdfghklmnprstvz])yo", "e"), ("[yj]", "i"), ("ie", "e"), ("i+", "i"), ("ee", "i"), ("oo", "u"),
    )
)  # fmt: skip


@lru_cache(maxsize=1_024)
def sound_of(word: str) -> str:
    """Return the sound of a folded word: Королёв, Korolev and Korolyov are korolev."""
    spelt = "".join(_CYRILLIC.get(char, char) for char in word)
    for pattern, sound in _SPELLINGS:
        spelt = pattern.sub(sound, spelt)
    return spelt
