"""Whether what is quoted says what is asked of the thing, or only something else of it.

A page about the right thing is near to every question about it. That it ends in June does not tell when it began, and
when an office was opened does not tell at what hour it opens. Only words of closed classes are judged: verbs that have
an opposite, the signs of a time, “have” and “there is”.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from core.asking import Sort, asked_for, holds, parted
from core.evidence import Unit
from core.facts import Span
from core.proof.backing import Held
from core.proof.headings import standing_over
from core.proof.opposites import opposites
from core.proof.words import Word, read
from core.specific import is_thin
from core.text import normalise, sentences

_TIMES: frozenset[Sort] = frozenset({"moment", "clock"})


class _Turn(NamedTuple):
    """How a question asks for one turn of things, the words that tell it, and those for its opposite."""

    asked: str
    told: str
    opposite: str


_STARTS = (
    r"\b(?:start|beg[aiu]n|commenc|launch|kick(?:s|ed)? ?-?off|onset|found(?:ed|ing)|establish|creat|go(?:es)? live"
    r"|went live|introduc)|\b(?:нач[аиен]|старт|запус|приступ|основа[лн]|созда|учрежд|введ|вв[её]л|вступ)"
)
_ENDS = (
    r"\b(?:end(?:s|ed|ing)?\b|finish|conclud|complet|expir|ceas|stop)"
    r"|\b(?:зак[ао]нч|заверш|к[ао]нч|конец|оконч|ист[её]к|прекра)"
)
_OPENS, _SHUTS = r"\bopen|\bоткры", r"\b(?:clos|shut)|\bзакры"
_COMES = r"\b(?:arriv|land(?:s|ed)?\b)|\b(?:прибы|приезж|приед|приех|прилет)"
_LEAVES = r"\b(?:leaves\b|leave\W*$|depart(?:s|ed|ure)?\b|set off)|\b(?:уезж|уед|уех|отправ|отбы|отъе|отход|вылет)"
# What else tells it, though nobody asks for it so: what an outage ends with is that a service is restored.
_ALSO_STARTS = rf"{_STARTS}|{_OPENS}|\b(?:broke out|went down|set up)\b"
_ALSO_ENDS = rf"{_ENDS}|{_SHUTS}|\b(?:over\b|deadline|resolv|restor|recover|fixed\b|last day)|\b(?:срок|восстан|устран)"
_ALSO_OPENS = rf"{_OPENS}|\b(?:start|beg[aiu]n)|\b(?:работа|нач[аиен])"
_ALSO_COMES = rf"{_COMES}|\b(?:com(?:e|es|ing)|came|reach\w*)\b|\b(?:при[хш])"
_ALSO_LEAVES = rf"{_LEAVES}|\b(?:leav|left\b|go(?:es)?\b)|\b(?:уход|ушл|уше|отход)"
_TURNS = (
    _Turn(_STARTS, _ALSO_STARTS, _ALSO_ENDS),
    _Turn(_ENDS, _ALSO_ENDS, _ALSO_STARTS),
    _Turn(_OPENS, _ALSO_OPENS, _ALSO_ENDS),
    _Turn(_SHUTS, _ALSO_ENDS, _ALSO_OPENS),
    _Turn(_COMES, _ALSO_COMES, _ALSO_LEAVES),
    _Turn(_LEAVES, _ALSO_LEAVES, _ALSO_COMES),
)
# A stretch of time tells both of its ends, and where a thing only “is” at a time, any word may stand for what it does.
_STRETCH = re.compile(
    r"\b(?:from|since|till|until|between|through|takes? place|took place|scheduled|planned|due)\b"
    r"|\b(?:is|are|was|were|be) (?:on|at|in|every|each|always|today|tomorrow|\w+day|\d)"
    r"|\d ?[–—-] ?\d|\b(?:с|со|до|по|от|между)\b (?=\S*\d|[а-я])|—|:\s"
)
_RUSSIAN_VERB = re.compile(r"\b[а-яё]{2,}(?:[еёиуюая]т(?:ся)?|[аяиеу]л(?:а|о|и)?(?:с[ья])?)\b")
_TURNING = re.compile(
    r"\b(?:starts?|started|begins?|began|ends?|ended|finish(?:es|ed)|expires?|expired|launched|completed)\b"
    r"|\b(?:нач(?:ина[ею]т|ал)|зак[ао]нч(?:ива[ею]т|ит|ил)|заверш(?:а[ею]т|ит|ил))"
)
_WHEN_DOES = re.compile(
    r"^(?:\W*and )?when (?:do|does|did) (?:(?:i|we|you|they|he|she|it) (?P<verb>[a-z]+)|.* (?P<last>[a-z]+)\W*$)"
)
_HABIT = re.compile(r"\bwhen do(?:es)?\b|\b(?:когда|сколько) (?:[\w«»-]+ )*?(?:откры|закры)ва[ею]т(?:ся)?\b")
_PAST = re.compile(r"\bwhen (?:was|were|did)\b|\bкогда (?:[\w«»-]+ )*?(?:откры|закры)(?:ва)?л(?:а|о|и)?(?:с[ья])?\b")
_DOOR = re.compile(r"\b(?:open|clos|shut|откры|закры)")
_DONE = re.compile(
    r"\b(?:opened|closed|was shut|were shut)\b|\b(?:откры|закры)(?:ва)?(?:л(?:а|о|и)?(?:с[ья])?|т(?:а|о|ы)?)\b"
)
_DOES = re.compile(r"\b(?:opens?|closes?|shuts?)\b|\b(?:откры|закры)ва[ею]т(?:ся)?\b")
_HOUR = re.compile(r"\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?(?:a\.?m|p\.?m)\b|\b(?:в|at|с|from) \d{1,2}\b(?! \w)")
# Without a word beside it that makes it a year it may be any number: “1500 рублей в день”.
_YEAR = re.compile(
    r"\b(?:1[5-9]|20)\d\d год\w*"
    r"|\b(?:in|since|of|by|в|с|от|к) (?:1[5-9]|20)\d\d\b(?=[\W_]*$|[.,;:!?)]| год| (?:and|or|и|или|it|by|with)\b)"
)
_DATED = re.compile(
    r"\b(?:1[5-9]|20)\d\d\b"
    r"|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"|\b(?:январ|феврал|март|апрел|ма[яе]\b|июн|июл|август|сентябр|октябр|ноябр|декабр)"
)
_HAS = re.compile(
    r"^(?:\W*and )?(?:do|does|did) .+? have (?:an?|any|the|its own|their own|our own)? ?(?P<behind>.+)"
    r"|^(?:\W*and )?(?:is|are|was|were) there (?:an?|any)? ?(?P<there>.+)"
    r"|^(?:\W*(?:а|и) )?(?:есть|имеется|имеются|был|была|было|были) ли (?P<ru>.+)"
)
_UP_TO = re.compile(
    r"\b(?:in|at|on|for|of|with|to|near|by|from|if|when|during|that|which|в|во|на|у|для|при|от|из|с|со|к|о|об)\b|[?,.]"
)
_IN_FRONT = re.compile(r"(?:в|во|на|у|для|при)\b")
_WHOSE = re.compile(
    r"^(?:\W*(?:а|и) )?как(?:ой|ая|ое|ов|ова|ово) (?:[а-я]+(?:ый|ий|ой|ая|яя|ое|ее) )*([а-я]+) у (?:\S+ ?){1,5}$"
)
_WHAT_DOES = re.compile(r"^(?:\W*and )?what (?:do|does|did) (?:.+ )?(?P<verb>use|need)\W*$")
# Thin verbs weigh nothing where a passage is weighed by its words: how it is said that something is used, or needed.
_THIN_DEEDS = {
    "use": (
        r"\b(?:us(?:e|es|ed|ing)|runs? on|built (?:on|with)|based on|rel(?:y|ies) on)\b"
        r"|\b(?:works? with|written in|powered by)\b"
    ),
    "need": r"\b(?:need(?:s|ed)?|requir\w+|must|should|mandatory|necessary|bring|wear|ha(?:ve|s) to)\b",
}
# Had by people, and told of by other words: who has a right may do it.
_ABSTRACT = frozenset(
    "right access option choice chance permission problem experience idea право доступ возможность выбор шанс".split()
)


def tells_of_it(unit: Unit, told: str, sort: Sort, question: str) -> bool:
    """Return whether the thing of the sort that a sentence holds may be the one that is asked for.

    `told`: its words with what it stands under.
    """
    asked = _folded(parted(question)[0])
    if sort == "number":
        return holds(_YEAR.sub(" ", normalise(told)), sort, question)
    if sort not in _TIMES:
        return True
    return _is_in_time(normalise(unit.words), asked) and _is_turn(unit, normalise(told), asked)


def sentences_of(unit: Unit) -> list[Unit]:
    """Return the sentences of a unit, or it as a whole where it is an item, a row or a field."""
    if unit.part.kind != "paragraph":
        return [unit]
    start = unit.part.span.start
    spans = (Span(start + first, start + last) for first, last in sentences(unit.words))
    return [replace(unit, part=replace(unit.part, span=span)) for span in spans]


def _is_in_time(said: str, asked: str) -> bool:
    """Return whether no year is told for an hour at which a door opens, and no hour for the day it was opened."""
    if not _DOOR.search(asked):
        return True
    if _HABIT.search(asked) and _DONE.search(said) and not _DOES.search(said):
        return _YEAR.search(said) is None or _HOUR.search(said) is not None
    if _PAST.search(asked) and _DOES.search(said) and not _DONE.search(said):
        return _HOUR.search(said) is None or _DATED.search(said) is not None
    return True


def _is_turn(unit: Unit, told: str, asked: str) -> bool:
    """Return whether the sentence tells the time of the turn that is asked about, and not that of another."""
    held = Held(read(told).stems)
    turns = [turn for turn in _TURNS if re.search(turn.asked, asked)]
    for turn in turns:
        if re.search(turn.told, told) or any(held.holds(word) for word in _words(turn, asked)):
            return True
    if any(re.search(turn.opposite, told) for turn in turns):
        return _RANGE.search(told) is not None
    if not turns:
        if any(held.opposes(word) and not held.holds(word) for word in read(asked).content if opposites(word.stem)):
            return False
        done = _done(asked)
        return not done or _TURNING.search(told) is None or any(held.holds(word) for word in done)
    if unit.part.kind != "paragraph" or _STRETCH.search(told):
        return True
    return not told.isascii() and _RUSSIAN_VERB.search(told) is None


_RANGE = re.compile(r"\b(?:from|between)\b.*\b(?:to|till|until|and)\b|\d ?[–—-] ?\d|\b(?:с|со|от)\b.*\b(?:до|по)\b")


@lru_cache(maxsize=256)
def _done(asked: str) -> tuple[Word, ...]:
    """Return the words for what is done at the time that is asked for."""
    found = _WHEN_DOES.search(asked)
    verbs = [found["verb"] or found["last"]] if found else [] if asked.isascii() else _RUSSIAN_VERB.findall(asked)
    return tuple(word for word in read(asked).content if word.low in verbs)


def _words(turn: _Turn, asked: str) -> list[Word]:
    return [word for word in read(asked).content if re.match(turn.asked, word.low)]


def names_it(units: Sequence[Unit], question: str) -> bool:
    """Return whether the units or what they stand under name what is asked to be there, or the deed asked about.

    “Does it have a gym?” is not answered by its hours, nor “What does it use?” by when it meets.
    """
    if not units or any(unit.foreign for unit in units):
        return True
    asked = _folded(parted(question)[0])
    over = dict.fromkeys(line for unit in units for line in standing_over(unit.part.span, unit.fact))
    said = "\n".join(
        (*(unit.words for unit in units), *(str(one) for unit in units for one in unit.part.labels), *over)
    )
    if wanted := _had(asked):
        return _holds_any(said, wanted) or _says_the_rest(units, wanted, asked)
    if wanted := _owned(asked):
        return _holds_any(said, wanted)
    deed = _WHAT_DOES.search(asked)
    if not deed or any(unit.part.kind != "paragraph" for unit in units):
        return True
    return re.search(_THIN_DEEDS[deed["verb"]], normalise(said)) is not None


def _holds_any(said: str, wanted: Sequence[Word]) -> bool:
    held = Held(read(said).stems)
    return any(held.holds(word) for word in wanted)


def _says_the_rest(units: Sequence[Unit], wanted: Sequence[Word], asked: str) -> bool:
    """Return whether the units say all else that is asked, and that is more than what their page is called.

    “Is there a discount for students?” may be told by what students pay.
    """
    own, title = (Held(read(text).stems) for text in ("\n".join(unit.words for unit in units), _titles(units)))
    lows = {word.low for word in wanted}
    rest = [word for word in read(asked).content if word.low not in lows and not is_thin(word)]
    beyond = [word for word in rest if not title.holds(word)]
    return bool(beyond) and all(own.holds(word) for word in beyond)


def _titles(units: Sequence[Unit]) -> str:
    return "\n".join(dict.fromkeys(unit.fact.source.title for unit in units))


@lru_cache(maxsize=256)
def _had(asked: str) -> tuple[Word, ...]:
    """Return the words for what a question asks whether it is there; none where they may be told by any others."""
    found = _HAS.search(asked)
    if not found:
        return ()
    said = (found["behind"] or found["there"] or found["ru"]).strip()
    behind = found["ru"] is not None and _IN_FRONT.match(said) is not None
    words = [
        word for word in read(said if behind else _UP_TO.split(said, maxsplit=1)[0]).content if word.kind == "word"
    ]
    kept = tuple(words[-1:] if behind else words)
    return () if any(word.low in _ABSTRACT or is_thin(word) for word in kept[-1:]) else kept


@lru_cache(maxsize=256)
def _owned(asked: str) -> tuple[Word, ...]:
    """Return what a Russian question asks of something that has it: «Какой бюджет у проекта?»."""
    found = _WHOSE.search(asked)
    words = read(found[1]).words[:1] if found else ()
    return tuple(word for word in words if word.tells and not is_thin(word) and asked_for(asked) is None)


def _folded(question: str) -> str:
    return " ".join(normalise(question).split())
