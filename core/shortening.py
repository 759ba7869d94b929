"""A chain of follow-ups, cut to what the next one can lean on: what others have taken the place of says no more."""

import re

from core.asking import parted
from core.kinds import known_kind
from core.leaning import asks, points_back, without_opening
from core.selecting import says_no
from core.text import STOP_WORDS, normalise, terms

_WORD = re.compile(r"[^\W_][\w'’-]*")
# A fragment of more words is a question, however it is put.
_MOST = 4


def in_short(question: str, earlier: str) -> str:
    """Return the earlier question without the levels of it that this one, or one after them, has taken the place of.

    For "And Porto?", "London (What is the hotel rate in Berlin?)" is "What is the hotel rate in Berlin?". Levels that
    say nothing by themselves go ("why?", "which ones?"), and so does a name before the one that corrects it.
    """
    *own, root = _levels(earlier)
    own = [one for one in own if any(not points_back(term) for term in terms(one))]
    names = [one for one in own if is_name(one)]
    if is_name(question) or (names and says_no(names[0])):
        others = [one for one in own if one not in names]
        if not others and is_name(root):
            return earlier
        own = others if is_name(question) else [names[0], *others]
        if is_name(root):
            return _joined(own)
    else:
        own = [one for one in own if one not in names[1:]]
    return _joined([*own, root])


def is_name(text: str) -> bool:
    """Return whether the text says nothing but names, as they are written, behind the words that it opens with."""
    if asks(text):
        return False
    said = [word for word in _WORD.findall(without_opening(text)) if normalise(word) not in STOP_WORDS]
    named = [word for word in said if not known_kind(word)]
    return 0 < len(named) and len(said) <= _MOST and all(word[0].isupper() or word[0].isdigit() for word in named)


def _levels(question: str) -> list[str]:
    own, rest = parted(question)
    return [own, *_levels(rest)] if rest else [own]


def _joined(levels: list[str]) -> str:
    whole = levels[-1]
    for level in reversed(levels[:-1]):
        whole = f"{level} ({whole})"
    return whole
