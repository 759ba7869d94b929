"""An answer to our own "Which one do you mean?" in words: a number, "the second", the option or a part of it."""

import re
from collections.abc import Iterable, Sequence

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
_OPENING = re.compile(
    r"(?:(?:no|yes|нет|да|ну|well|sorry)[,:]?\s+)?"
    r"(?:(?:i mean(?:t)?|про|это|(?:я )?имею в виду|я имел[аи]? в виду|имелся в виду|имелась в виду)[,:]?\s+)?"
)
_CORRECTS = re.compile(r"(?:no|nope|not|sorry|i mean(?:t)?|нет|не|я имел[аи]? в виду|я про|точнее|извините)\b")
_MOST_NUMBERED = 4
_OTHER = re.compile(
    r"(?:(?:no|nope|not that one|wrong one|sorry|нет|не тот|не та|не то)[,:.]?\s+)*(?:i mean(?:t)? |я про |про )?"
    r"(?:the other(?: one| option)?|another one|the other of (?:them|the two)|"
    r"(?:друг(?:ой|ая|ое|ую|ого|ом)|втор(?:ой|ая|ое|ую))(?: вариант)?)"
)
# Words around a choice that choose nothing: "the Berlin one, please", «тот, который в Берлине».
_BESIDE = frozenset(
    all_terms(
        "the a one ones that this option i mean meant is it please no not sorry in at of for with from about "
        "тот та то те который которая которое которые вариант это я имел имела виду нет не а в на про у для из с о об "
        "пожалуйста"
    )
)
# Letters that two words of one family have in common at least, as «Берлин» and «берлинский».
_FAMILY = 4
_AROUND = " \t\n.,!?…\"'«»“”()"


def selected(text: str, options: Sequence[str]) -> int | None:
    """Return which option (from 0) the words choose, or None when they choose none, or more than one."""
    said = _OPENING.sub("", normalise(text).strip(_AROUND), count=1)
    number = _numbered(said, len(options))
    return _named(said, options) if number is None else number


def takes_the_other(text: str) -> bool:
    """Return whether the text chooses what was not chosen before: "no, the other one", «нет, другой»."""
    return _OTHER.fullmatch(" ".join(normalise(text).strip(_AROUND).split())) is not None


def corrects(text: str) -> bool:
    """Return whether the text chooses anew: it is a number or a place in the order, or says no to what was chosen."""
    said = normalise(text).strip(_AROUND)
    return _CORRECTS.match(said) is not None or _numbered(said, _MOST_NUMBERED) is not None


def says_no(text: str) -> bool:
    """Return whether the text says no to what was understood, and then what is meant."""
    return _CORRECTS.match(normalise(text).strip(_AROUND)) is not None


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
    wanted = set(all_terms(said)) - _BESIDE
    for fits in (_is_among, _is_of_family):
        known = [set(all_terms(option)) for option in options]
        fitting = [n for n, held in enumerate(known) if wanted and all(fits(term, held) for term in wanted)]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
    return None


def _is_among(term: str, held: Iterable[str]) -> bool:
    return term in held


def _is_of_family(term: str, held: Iterable[str]) -> bool:
    """Return whether a word of the option begins as the term does, but for their endings."""
    return any(
        len(min(term, one, key=len)) >= _FAMILY and (term.startswith(one) or one.startswith(term)) for one in held
    )
