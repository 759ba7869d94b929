"""What was, is and will be: a claim may not move what its quotes say into another time."""

from functools import lru_cache

from core.proof.alongside import Beside, alongside
from core.proof.backing import Backing
from core.proof.formerly import tells_now
from core.proof.given import GIVEN_NAMES
from core.proof.patterns import compiled
from core.proof.words import Reading, Word, read

_AUXILIARIES = {
    **dict.fromkeys("will shall going".split(), "future"),
    **dict.fromkeys("was were had did".split(), "past"),
    **dict.fromkeys("is are am be do does can may must should to being".split(), "present"),
}
_CONDITIONS = frozenset("if when once after before until while unless если когда пока после до кто".split())
_AUXILIARY_REACH = 4
# Who tells the same in other words may tell it in another tense, too.
_ALIKE = 0.5
_PAST_RU = compiled(r"[а-я]{2,}(?:[аеиыоуя]л(?:а|о|и)?|[сзгкрб]л[аои]|шел|шл[аои])(?:ся|сь)?")
_NOT_PAST_RU = compiled(
    r"(?:если|или|было|была|были|цел\w+|мал\w+|тепл\w+|стал[ьи]|дел[аои]?|чис[е]?л[аои]?|правил[ао])"
)
_PRESENT_RU = compiled(r"[а-я]{2,}(?:ет|ют|ит|ят|ат|ут|ешь|ишь|ем|им|ете|ите)(?:ся|сь)?")
_NOT_PRESENT_RU = compiled(r"[а-я]+(?:ент|тет|кет|ист|ант|рат|дат|кат|нтом|ием|ием|ним|ким|сим)")
# Past forms that are no participles: they tell what was wherever they stand.
_PRETERITES = frozenset(
    "became began went wrote took gave drove chose flew grew knew saw spoke rose fell threw came ran sang swam broke ate froze"
    " forgot shook wore tore stole woke arose undertook overtook withdrew drew blew forbade resigned".split()
)
# Those that are participles, too.
_PAST_EN = _PRETERITES | frozenset(
    "led left held kept met made paid said told sold bought brought taught caught thought sought built sent spent lent lost won"
    " found had did stood understood sat fed bred fled heard hung laid meant dealt felt slept swept wept stuck struck swung dug shot".split()
)
_HAVING = frozenset("have has had having be been being is are was were am get gets got to not".split())
_IS, _WAS = frozenset("is are am".split()), frozenset("was were".split())
_PAST_FORM = compiled(r"\b[a-z]{1,30}[^e\W]ed|\b[a-z]{4,30}eed")
# Verbs that say little, and so stand in no pair: what was and what will be.
_BECOMING = (
    (compiled(r"\bwill (?:become|take|get|give|go|come|make|have|be) (?:\w+ )?(?P<what>\w+)"), compiled(r"\b(?:became|took|got|gave|went|came|made|had|was|were) (?:\w+ )?(?P<what>\w+)")),
    (compiled(r"\b(?:станет|станут|будет|будут) (?P<what>\w+)"), compiled(r"\b(?:стал[аи]?|стало|был[аио]?) (?P<what>\w+)")),
)  # fmt: skip
_MODAL = frozenset("can could may might must should would shall".split())
_WILL_RU = frozenset("буду будет будем будете будут".split())
_INFINITIVE_RU = compiled(r"\b[а-я]{1,30}(?:ть|ти|чь)(?:ся|сь)?")
# What says of somebody that he is it no more, not yet, or only in another's place.
_OTHERWISE = compiled(
    r"\b(?:former|ex|previous|erstwhile|retired|outgoing|late|future|incoming|acting|interim|designate|бывш\w+|экс|прежн\w+|предыдущ\w+|будущ\w+|исполняющ\w+ обязанности|врио)(?:[ -]+(?!and\b|и\b)(?P<one>\w+))(?: (?P<two>\w+))?"
)
_OTHERWISE_TOO = compiled(
    r"\b(?:was|were|had been|used to|formerly|previously|earlier|once|then|until|before|retired|was once|for now|yet|will|led|headed|left|был[аи]?|раньше|ранее|прежде|когда-то|пока|станет|будет|до)\b"
)


def doubt_of_tense(text: str, backing: Backing) -> str | None:
    """Return the word that the claim puts into another time than its quotes do, or None."""
    claim = read(text)
    if tells_now(claim, backing.quoted):
        return None
    return _moved(claim, backing.quoted) or _no_more(claim, backing.quoted) or _become(claim, backing.quoted)


def _become(claim: Reading, quote: Reading) -> str | None:
    """Return what the claim says will be, or was, though its quotes say that it was, or will be."""
    for later, past in _BECOMING:
        for own, other in ((later, past), (past, later)):
            said = {sign["what"] for sign in own.finditer(claim.low)} if own.search(claim.low) else set()
            held = {sign["what"] for sign in other.finditer(quote.low)} if said else set()
            both = said & held - {sign["what"] for sign in own.finditer(quote.low)}
            if both:
                return f"it tells of “{min(both)}” in another time than its quotes"
    return None


@lru_cache(maxsize=256)
def _no_more(claim: Reading, quote: Reading) -> str | None:
    """Return that the claim says of somebody that he is what he was, will be, or does for another."""
    signs = list(_OTHERWISE.finditer(quote.low))
    if not signs or _OTHERWISE.search(claim.low) or _OTHERWISE_TOO.search(claim.low):
        return None
    held = {start for one in alongside(claim, quote) for start in one.matched}
    found = next((sign for sign in signs if {sign.start("one"), sign.start("two")} & held), None)
    return f"its quotes speak of “{found.group()}”" if found else None


@lru_cache(maxsize=256)
def _moved(claim: Reading, quote: Reading) -> str | None:
    for beside in alongside(claim, quote):
        own, other, pairs, kept = beside
        for here, there in _light_pairs(beside) if kept >= _ALIKE else ():
            if _is_shifted(here, there, beside):
                return f"it tells of “{own[here].text}” in another time than its quotes"
        for here, there in pairs if kept >= _ALIKE else ():
            said = _time(here, own)
            held = _time(there, other) if said else None
            if held and said != held and not _is_condition(here, own):
                return f"it tells of “{own[here].text}” as {said}, its quotes as {held}"
            if kept >= _ALIKE and _is_shifted(here, there, beside) and not _is_condition(here, own):
                return f"it tells of “{own[here].text}” in another time than its quotes"
    return None


def _light_pairs(beside: Beside) -> list[tuple[int, int]]:
    """Return the places of the verbs that both have and that say little by themselves: uses and used."""
    own = [at for at, word in enumerate(beside.own) if word.tells and word.kind == "word" and not word.says]
    return [
        (at, to)
        for at in own
        for to, word in enumerate(beside.other)
        if word.stem == beside.own[at].stem and word.low != beside.own[at].low
    ]


def _is_shifted(here: int, there: int, beside: Beside) -> bool:
    """Return whether the forms of a verb, and what stands before them, tell another time: led, used to lead, leads."""
    own, other = _told(here, beside.own), _told(there, beside.other)
    if not own or not other or own == other:
        return False
    if not beside.own[here].low.isascii():
        return {own, other} == {"future", "present"}
    before, behind = _subject(here, beside.own), _subject(there, beside.other)
    if {own, other} == {"past", "future"} and beside.other[there].low in _PRETERITES:
        return True
    if before is None or behind is None:
        return False
    if (before, behind) not in beside.pairs and beside.own[before].stem != beside.other[behind].stem:
        return False
    return "past" in {own, other} or _is_named(beside.own[before])


def _is_named(word: Word) -> bool:
    return word.capital and (not word.opens or word.low in GIVEN_NAMES)


def _subject(place: int, sentence: tuple[Word, ...]) -> int | None:
    """Return the place of the last word of meaning before a verb and what helps it."""
    before = (at for at in range(place - 1, -1, -1) if sentence[at].tells and sentence[at].low != "used")
    return next(before, None)


def _told(place: int, sentence: tuple[Word, ...]) -> str | None:
    """Return the time that a verb is told in by its own form or by will, would, used to, будет."""
    word = sentence[place]
    if word.kind != "word" or _is_named(word):
        return None
    before = [one.low for one in sentence[max(0, place - 2) : place] if one.clause == word.clause]
    return _told_en(word.low, before) if word.low.isascii() else _told_ru(word.low, before)


def _told_ru(low: str, before: list[str]) -> str | None:
    if _INFINITIVE_RU.fullmatch(low):
        return "future" if not _WILL_RU.isdisjoint(before) else None
    return "present" if _PRESENT_RU.fullmatch(low) and not _NOT_PRESENT_RU.fullmatch(low) else None


def _told_en(low: str, before: list[str]) -> str | None:
    if before == ["used", "to"] or (low.endswith("ing") and not _WAS.isdisjoint(before)):
        return "past"
    if "will" in before:
        return "future"
    if low.endswith("ing"):
        return "present" if not _IS.isdisjoint(before) else None
    if not (_HAVING | _MODAL).isdisjoint(before):
        return None
    if low in _PAST_EN or _PAST_FORM.fullmatch(low):
        return "past"
    return "present" if low.endswith("s") and not low.endswith("ss") else None


def _is_condition(place: int, sentence: tuple[Word, ...]) -> bool:
    clause = sentence[place].clause
    return any(one.low in _CONDITIONS for one in sentence[:place] if one.clause == clause)


def _time(place: int, sentence: tuple[Word, ...]) -> str | None:
    """Return the time that a word is told in, None where its form and the words before it do not tell."""
    word = sentence[place]
    if word.kind != "word":
        return None
    return _time_en(place, sentence) if word.low.isascii() else _time_ru(word.low)


def _time_en(place: int, sentence: tuple[Word, ...]) -> str | None:
    for before in reversed(sentence[max(0, place - _AUXILIARY_REACH) : place]):
        if before.clause != sentence[place].clause:
            break
        if before.low == "been":  # the perfect may be either
            return None
        if before.low in _AUXILIARIES:
            return _AUXILIARIES[before.low]
        if before.tells:
            break
    # “Its chair is …”: what it is said of.
    behind = sentence[place + 1].low if place + 1 < len(sentence) else ""
    return _AUXILIARIES[behind] if behind in {"was", "were", "is", "are"} else None


@lru_cache(maxsize=4_096)
def _time_ru(low: str) -> str | None:
    if _PAST_RU.fullmatch(low) and not _NOT_PAST_RU.fullmatch(low):
        return "past"
    if _PRESENT_RU.fullmatch(low) and not _NOT_PRESENT_RU.fullmatch(low):
        return "present or future"
    return None
