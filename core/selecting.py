"""An answer to our own "Which one do you mean?" in words: a number, "the second", the option or a part of it."""

import re
from collections.abc import Sequence

from core.text import all_terms, normalise

_NUMBER = re.compile(r"(?:option|variant|number|вариант|номер|пункт|no|#)?\s*(\d)\s*[.)]?")
_ORDINALS = (
    (r"first", r"перв\w{2,3}"),
    (r"second", r"втор\w{2,3}"),
    (r"third", r"трет\w{2,3}"),
    (r"fourth", r"четверт\w{2,3}"),
)
_LAST = re.compile(r"(?:the )?last(?: one)?|последн\w{2,3}")
_ORDINAL = [re.compile(rf"(?:the )?(?:{en})(?: one| option)?|(?:{ru})(?: вариант)?") for en, ru in _ORDINALS]
_OPENING = re.compile(r"(?:i mean(?:t)?|yes|да|про|это|имею в виду|я имею в виду|имелся в виду|имелась в виду)[,:]?\s+")
_ARTICLES = frozenset({"the", "a"})
_AROUND = " \t\n.,!?…\"'«»“”()"


def selected(text: str, options: Sequence[str]) -> int | None:
    """Return which option (from 0) the words choose, or None when they choose none, or more than one."""
    said = _OPENING.sub("", normalise(text).strip(_AROUND), count=1)
    number = _numbered(said, len(options))
    return _named(said, options) if number is None else number


def looks_like_a_number(text: str) -> bool:
    """Return whether the text is nothing but a number that may choose an option."""
    return _NUMBER.fullmatch(normalise(text).strip(_AROUND)) is not None


def _numbered(said: str, count: int) -> int | None:
    found = _NUMBER.fullmatch(said)
    if found:
        return int(found[1]) - 1 if 1 <= int(found[1]) <= count else None
    if _LAST.fullmatch(said):
        return count - 1
    ordinals = (n for n, ordinal in enumerate(_ORDINAL[:count]) if ordinal.fullmatch(said))
    return next(ordinals, None)


def _named(said: str, options: Sequence[str]) -> int | None:
    whole = [n for n, option in enumerate(options) if normalise(option).strip(_AROUND) == said]
    if len(whole) == 1:
        return whole[0]
    wanted = set(all_terms(said)) - _ARTICLES
    fitting = [n for n, option in enumerate(options) if wanted and wanted <= set(all_terms(option))]
    return fitting[0] if len(fitting) == 1 else None
