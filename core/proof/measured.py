"""Whether a number of a text may stand behind one of a claim: of one unit, no label, no date, no place in a row."""

from functools import lru_cache
from typing import NamedTuple

from core.proof.backing import same_root
from core.proof.dates import is_numeric_date
from core.proof.lexicon import light, meaning
from core.proof.numbers import Amount, amounts
from core.proof.patterns import compiled
from core.proof.units import one_sort, unit_of
from core.proof.words import Reading, Word
from core.text import stem

Role = str

# What a number names and does not count: section 4, пункт 7, room 12.
_LABELS = frozenset(
    map(
        stem,
        "article section chapter clause paragraph point item rule step stage phase level grade tier zone line gate platform"
        " track route bus tram room floor building block flat house office desk page table figure appendix annex form version"
        " release edition volume part number no nr chapter question task ticket case order invoice model type class group"
        " python java windows статья статьи пункт пункта раздел раздела глава главы параграф шаг этап уровень категория зона"
        " линия платформа маршрут автобус кабинет комната этаж корпус дом квартира офис страница таблица рисунок приложение"
        " форма версия редакция выпуск том часть номер вопрос задача билет заказ модель тип класс группа п ст гл стр".split(),
    )
)
_YEARLIKE = compiled(r"(?:1[89]|20)\d\d")
_AGED = compiled(r"\b(?:age[ds]?|old(?:er)?|young(?:er)?|child\w*|kids|minors|over|under|adults?|старше|младше|дет\w+|возраст\w*|лет|стаж\w*)\b")  # fmt: skip
_CLOCK = compiled(r"\b(?:from|at|by|until|till|to|before|after|between|and|с|со|до|в|к|по|после|между|и)\s$|[-–]$")
_EVERY = compiled(r"(?:\bevery|\beach|кажд\w+)\s$")
_REACHED = compiled(r"\b(?:after|following|from|since|by|until|через|после|с|со|начиная с|до|к|на)\s(?:the\s)?$")
_TIMES = frozenset("twice thrice дважды трижды вдвое втрое вдвоем".split())
_HOURS, _AGES = 24, 120
_LINKS = frozenset("th st nd rd of го е числа the".split())
# What tells of less than nought, or of less than there was, without a sign.
_LESS = compiled(
    r"\b(?:fell|fall\w*|drop\w*|decreas\w*|declin\w*|los[est]\w*|deficit|negative|below (?:zero|freezing|nought)|overdrawn"
    r"|ow(?:e|es|ed|ing)|debts?|discount\w*|off|down|reduc\w*|cheaper|lower|shr[aiu]nk|minus|снижен\w*|сниз\w*|упал\w*|паден\w*"
    r"|сократ\w*|сокращ\w*|уменьш\w*|убыт\w*|отрицат\w*|ниже нуля|мороз\w*|долг\w*|задолж\w*|скидк\w*|дешевле|минус\w*)\b"
)
_ONTO = compiled(r"\b(?:to|at|до)\s[€$£₽¥]?$")


@lru_cache(maxsize=256)
def role_of(reading: Reading, amount: Amount) -> Role:
    """Return what a number is besides how many: a date, a label, a place in a row, or nothing of these."""
    words = reading.words
    before = words[amount.place - 1] if amount.place else None
    if is_numeric_date(amount.shown.lower()) or _beside_month(reading, amount):
        return "date"
    if before and before.low == "#":
        return "label"
    if amount.is_place:
        return "place"
    if amount.unit is None and _YEARLIKE.fullmatch(amount.value) and words[amount.place].kind == "number":
        return "year"
    if before and before.kind == "word" and amount.unit is None and _labels(reading, before, amount):
        return "label"
    return ""


def _labels(reading: Reading, before: Word, amount: Amount) -> bool:
    if before.sentence != reading.words[amount.place].sentence:
        return False
    between = reading.low[before.end : reading.words[amount.place].start]
    if before.stem not in _LABELS and not (before.capital and not before.opens):
        return False
    return between.strip(" .") == "" and unit_of(before.low) is None


def _beside_month(reading: Reading, amount: Amount) -> bool:
    words, at = reading.words, amount.after
    while at < len(words) and words[at].low in _LINKS:
        at += 1
    after = words[at] if at < len(words) else None
    before = words[amount.place - 1] if amount.place else None
    here = words[amount.place].sentence
    if at > amount.after and words[at - 1].low == "числа":
        return True
    if after and after.sentence == here and after.dated and (after.low != "may" or after.capital):
        return True
    return before is not None and before.sentence == here and before.dated and (before.low != "may" or before.capital)


class Texts(NamedTuple):
    """A claim and the words behind it, each read."""

    claim: Reading
    known: Reading


def may_back(own: Amount, other: Amount, texts: Texts) -> bool:
    """Return whether a number of the known text may stand behind the claim's number of the same value."""
    mine, theirs = role_of(texts.claim, own), role_of(texts.known, other)
    if own.is_place != other.is_place and not _placed(own, other, texts):
        return False
    if mine == "date" and other.unit and theirs != "date":
        return False
    if own.unit and other.unit:
        return own.unit == other.unit and one_sort(own.unit, own.sort, other.sort)
    if own.unit:
        return _may_be_of(own, other, theirs, texts)
    if theirs in {"date", "label"} and own.counted and mine not in {"date", "label", "place", "year"}:
        return _share(own, other)
    return _written_alike(own, other, mine, theirs)


def _placed(own: Amount, other: Amount, texts: Texts) -> bool:
    """Return whether the how-manieth may stand for how many, or the other way: every third week, floor 3."""
    mine, theirs = role_of(texts.claim, own), role_of(texts.known, other)
    if other.is_place and _share(own, other):
        mine = theirs = ""
    if other.is_place:
        start = texts.known.words[other.place].start
        every = _EVERY.search(texts.known.low, max(0, start - 12), start) is not None
        return every or mine in {"label", "date"} or theirs == "date" or not (own.counted or own.unit)
    if mine == "date" or theirs in {"date", "label"} or not other.counted or not _share(own, other):
        return True
    start = texts.claim.words[own.place].start
    return _REACHED.search(texts.claim.low, max(0, start - 16), start) is not None


def _may_be_of(own: Amount, other: Amount, theirs: Role, texts: Texts) -> bool:
    """Return whether a number that stands without a unit may be of the claim's: its table or its heading says it."""
    if theirs == "year" or other.shown.lower() in _TIMES:
        return theirs == "year" and own.unit == "year"
    if theirs == "date":
        return own.unit in {"year", "quarter"}
    start = texts.known.words[other.place].start
    if own.unit == "hour" and (":" in own.value or _is_hour(own.value)):
        before = texts.known.low[max(0, start - 12) : start]
        return ":" in other.shown or _CLOCK.search(before) is not None or _free(own, texts.known)
    if theirs == "label":
        return False
    if own.unit == "year" and own.value.isdigit() and int(own.value) <= _AGES and _AGED.search(texts.known.low):
        return True
    return _free(own, texts.known)


def _is_hour(value: str) -> bool:
    return value.isdigit() and int(value) <= _HOURS


def _free(own: Amount, known: Reading) -> bool:
    """Return whether the text says the unit apart from any number, as a heading does; one of its words is enough."""
    taken = {at for one in amounts(known) for at in range(one.place - 1, one.after + len(one.counted))}
    return any(unit_of(word.low) == own.unit for at, word in enumerate(known.words) if at not in taken)


def _written_alike(own: Amount, other: Amount, mine: Role, theirs: Role) -> bool:
    """Return whether both are written alike where a nought at the end counts: Python 3.10 is not 3.1."""
    if own.unit or other.unit or "label" not in {mine, theirs} or own.shown == other.shown:
        return True
    pointed = [one.shown for one in (own, other) if "." in one.shown]
    return not any(shown.endswith("0") for shown in pointed)


def _share(own: Amount, other: Amount) -> bool:
    return any(
        meaning(a) == meaning(b) or same_root(a, b) for a in own.counted for b in other.counted if a not in light()
    )


def stands_in_code(own: Amount, claim: Reading) -> bool:
    """Return whether a number that stands in a code of the quotes is no count in the claim."""
    return role_of(claim, own) in {"label", "date"} or not (own.unit or own.counted)


def told_as_less(own: Amount, texts: Texts) -> str:
    """Return the value that the claim's number stands for if words, on one side, say the minus of the other."""
    if own.value.startswith("-"):
        return own.value[1:] if _LESS.search(texts.known.low) else own.value
    start = texts.claim.words[own.place].start
    onto = _ONTO.search(texts.claim.low, max(0, start - 6), start)
    return f"-{own.value}" if not onto and _LESS.search(texts.claim.low) else own.value
