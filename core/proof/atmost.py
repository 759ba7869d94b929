"""The same from its other side: what may not be done more than twice may be done at most twice, nobody but X is only X.

Noon and midnight are 12:00 and 24:00, too.
"""

import re

from core.proof.alongside import alongside
from core.proof.denials import denials
from core.proof.words import Reading, read

_COUNT = r"(?:\d+|once|twice|one|two|three|four|five|six|seven|eight|nine|ten|a|an)"
_COUNT_RU = r"(?:\d+|одного|двух|тр[её]х|четыр[её]х|пяти|шести|семи|восьми|девяти|десяти)"
# What to say instead, and of what.
_SIDES = (
    (r"a \g<who> \g<may> \g<what>at most \g<count>", re.compile(rf"\bno (?P<who>[a-z]{{1,30}}(?: [a-z]{{1,30}})?) (?P<may>may|can) (?P<what>[^.,;]{{0,80}}?)\bmore than (?P<count>{_COUNT})\b", re.IGNORECASE)),
    (r"\g<may> \g<what>at most \g<count>", re.compile(rf"\b(?P<may>may|can)(?: ?not|'t) (?P<what>[^.,;]{{0,80}}?)\bmore than (?P<count>{_COUNT})\b", re.IGNORECASE)),
    (r"не более \g<count> \g<rest> можно", re.compile(rf"\b(?:больше|более)(?: чем)? (?P<count>{_COUNT_RU}) (?P<rest>[^.,;]{{0,80}}?)\s?\bнельзя\b", re.IGNORECASE)),
    (r"можно \g<what>не более \g<count>", re.compile(rf"\bнельзя (?P<what>[^.,;]{{0,80}}?)\b(?:больше|более)(?: чем)? (?P<count>{_COUNT_RU})\b", re.IGNORECASE)),
)  # fmt: skip
_ONLY = re.compile(r"\b(?:only|solely|exclusively|только|лишь|исключительно)\b")
_NOBODY = (
    (r"only \g<who> \g<may>", re.compile(r"\b(?:nobody|no one|no [a-z]{1,30}) (?:but|except|other than) (?P<who>[^.,;]{2,40}?) (?P<may>may|can|must)\b", re.IGNORECASE)),
    (r"только \g<who> \g<may>", re.compile(r"\bникто(?: другой)?,? кроме (?P<who>[^.,;]{2,40}?),? не (?P<may>может|вправе|должен)\b", re.IGNORECASE)),
)  # fmt: skip
_HOURS = (
    (re.compile(r"\b12[:.]00\b|\b12 (?:p\.?m\.?|noon)(?!\w)"), re.compile(r"\b(?:noon|midday|полдень|полдня|полудня|полудню|полуднем)\b")),
    (re.compile(r"\b(?:24|0|00)[:.]00\b|\b12 a\.?m\.?(?!\w)"), re.compile(r"\b(?:midnight|полночь|полночи|полуночи)\b")),
)  # fmt: skip


def told_alike(text: str, quote: Reading) -> str:
    """Return the text with its bounds said from the side of the quotes, and its noon in their word, if nothing changes.

    Only where the sentence of the quotes that is nearest denies nothing: else a denial of the text's may be theirs.
    """
    for hour, word in _HOURS:
        named = word.search(quote.low)
        if named and hour.search(text) and not hour.search(quote.low):
            text = hour.sub(named.group(), text)
    signs = [(instead, sign) for instead, sign in (*_SIDES, *_NOBODY) if sign.search(text)]
    if not signs:
        return text
    near = {word.sentence for beside in alongside(read(text), quote) for word in beside.other[:1]}
    if any(denial.sentence in near for denial in denials(quote)):
        return text
    for instead, sign in signs:
        if (instead, sign) in _SIDES or _ONLY.search(quote.low):
            told = sign.sub(instead, text, count=1)
            return f"{told[0].upper()}{told[1:]}"
    return text
