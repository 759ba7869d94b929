"""What a part of a sentence leaves to the one before it, said in full: «Линд преподаёт музыку» for «Линд — музыку».

“Room A seats 10 people and room B 30” says that room B seats 30 people.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from core.proof.actors import is_actor
from core.proof.backing import Backing, held_of
from core.proof.words import Word, read
from core.text import analysed_as, sentences

# A part that begins behind a comma, goes to the end of the sentence, and has a dash in the place of its verb.
_DASHED = re.compile(
    r",\s(?:а |но |и )?(?P<lead>[^,;:—–.()]{1,60}?)\s[—–-]\s(?P<tail>[^,;:—–()]{1,80}?)(?P<end>[.!?]?)$"
)
_COMMA = re.compile(r";\s(?:and |but )?(?!if |when |unless |where )(?P<lead>[^,;:—().]{1,60}?),\s(?P<tail>(?:within|by|on|at|in|for|from|to|until|after|before)\s[^,;:—()]{1,80}?)(?P<end>[.!?]?)$")  # fmt: skip
_LABELLED = re.compile(r"(?:,? and|,? but|;|,|,? while)\s(?P<lead>(?P<head>[a-z]{3,20})\s(?P<label>[A-Z]|\d{1,3}))\s(?P<tail>\d[\d.,]*\d|\d)(?P<end>[.!?]?)$")  # fmt: skip
_NUMBER = re.compile(r"\d[\d.,]*\d|\d")
_DENIAL = re.compile(r"^(?:нет|не|нельзя|без|no|not)\b")
_MAY = re.compile(r"[—–;]|\s-\s|\s(?:[A-Z]|\d{1,3}) \d")
_BE = re.compile(r"^(?:был[аио]?|будет|будут|есть)$")
# A Russian finite verb, and an infinitive behind «можно».
_VERB = re.compile(r"(?:[аяуюеи]т|[аеиоуыя]л[аои]?|ть|ти|[аяе]н[аоы]?|ит|чь)(?:ся|сь)?$")
_NO_VERB = re.compile(
    r"(?:[а-я]*ост[ьи]|ост[ия]|[еи]нт|час[а-я]*|тонн[ыа]?|смен[ыа]?|[нт]и?цен[аыу]?|цен[аыу]?|недел[а-я]|отдел[аеу]?|предел[аеу]?|раздел[аеу]?|(?:материа|журна|кана|персона|филиа|за|сто|протоко)л[аеу]?"
    r"|правил[аоу]?|числ[аоу]|начал[аоу]|дел[аоу]|минут[аы]?|суб+от[аы]?|част[ьи]|област[ьи]|сет[ьи]|памят[ьи]|печат[ьи]|кроват[ьи]|нет|пять|шесть|девять|десять|двадцать|тридцать)"
)
_TIMES = frozenset("сейчас теперь ныне потом затем сегодня завтра далее".split())
_POSSESSIVE = re.compile(r"(?:его|её|ее|их)\b", re.IGNORECASE)
_MODALS = frozenset("можно нужно надо может могут должен должна должны нельзя обязан обязаны".split())
_LONGEST = 3


_JOINS = frozenset("and but while whereas и а но".split())


def ways_to_read(text: str, quotes: str) -> tuple[str, ...]:
    """Return the quotes as they must prove a text: as they stand, or with what a part leaves out said in full, or both.

    Who speaks of such a part alone is held to what it says in full, whoever speaks of the other one to both.
    """
    full = in_full(quotes)
    if full == quotes:
        return (quotes,)
    claim = read(text)
    if any(word.comma or word.low in _JOINS for word in claim.words) or ";" in text:
        return (quotes,)
    leads = held_of(frozenset(_leads(quotes)))
    return (
        (full,)
        if any(leads.holds(word) for word in claim.words if word.tells or word.capital or word.kind == "number")
        else (quotes, full)
    )


def _leads(quotes: str) -> Iterator[str]:
    """Yield the stems of what the parts are about that leave something out, and nothing else is."""
    for line in quotes.split("\n"):
        for start, end in sentences(line):
            if found := _found(line[start:end]):
                stems = read(line[start : start + found.start()]).stems
                yield from (
                    word.stem for word in read(found["lead"]).words if word.stem not in stems and word.low not in _JOINS
                )


_NOT_SO = re.compile(
    r"[,;]\s(?:а |но |but |and )?(?P<lead>[^,;:—–.()]{1,60}?)(?:\s[—–-]\sнет|\s(?:is|are|was|were|does|do) not)(?=[.,;]|$)"
)


def doubt_of_gaps(text: str, backing: Backing) -> str | None:
    """Return what the claim says not to be so where its quotes say it of the other one: “lunch is included, dinner is not”."""
    own, held = _NOT_SO.search(text.lower()), _NOT_SO.search(backing.quotes.lower())
    if own is None or held is None:
        return None
    mine, theirs = read(own["lead"]), held_of(read(held["lead"]).stems)
    before = held_of(read(backing.quotes[: held.start()]).stems)
    turned = [word for word in mine.content if before.holds(word) and not theirs.holds(word)]
    return f"it says that “{turned[0].text}” is not, its quotes say it of another" if turned else None


@lru_cache(maxsize=1_024)
def in_full(quotes: str) -> str:
    """Return the text with each such part as a sentence of its own, where what it leaves out is plain to see."""
    if not _MAY.search(quotes):
        return quotes
    return "\n".join(_line(line) for line in quotes.split("\n"))


def _line(line: str) -> str:
    told = [_sentence(line[start:end]) for start, end in sentences(line)]
    return (
        line
        if all(one is None for one in told)
        else " ".join(one or line[start:end] for one, (start, end) in zip(told, sentences(line), strict=True))
    )


def _sentence(text: str) -> str | None:
    """Return the sentence as two, or None where it has no such part."""
    found = _found(text)
    if found is None:
        return None
    told = _russian if found.re is _DASHED else _labelled if found.re is _LABELLED else _english
    return told(text[: found.start()], found)


def _found(text: str) -> re.Match[str] | None:
    if analysed_as(text) == "ru":
        return _DASHED.search(text)
    return _LABELLED.search(text) or _COMMA.search(text)


def _russian(before: str, found: re.Match[str]) -> str | None:
    lead, tail = found["lead"], found["tail"]
    if (
        lead.lower() in _TIMES
        or re.search(r"[,;:—–]|\s-\s", before)
        or _DENIAL.search(tail)
        or len(lead.split()) > _LONGEST
    ):
        return None
    reading = read(before)
    if _POSSESSIVE.match(lead) or (tail[:1].isupper() and any(is_actor(word.low) for word in read(lead).words)):
        return None  # who somebody is: «командует Моро, старший помощник — Ткач»
    verbs = [at for at, word in enumerate(reading.words) if _is_verb(word)]
    if not verbs or any(_is_verb(word) for word in read(f"{lead} {tail}").words):
        return None
    if verbs[-1] - verbs[0] >= len(verbs) or verbs[-1] + 1 == len(reading.words) or verbs[0] == 0:
        return None  # two verbs apart, or nothing before or behind them
    if len(before) != len(reading.text):
        return None
    middle = before[reading.words[verbs[0]].start : reading.words[verbs[-1]].end]
    behind = before[reading.words[verbs[-1]].end :].strip()
    ending = _measured(behind, tail)
    subject = _subject(before, reading.words[: verbs[0]], lead)
    first = f"{subject} {middle} {ending}".strip()
    return f"{before}. {first[0].upper()}{first[1:]}{found['end'] or '.'}"


def _subject(text: str, before: tuple[Word, ...], lead: str) -> str:
    """Return what the part is about, with what it has from the one before: «о скрытых повреждениях», «приложение для iPhone»."""
    words = read(lead).words
    own = [word for word in words if word.tells]
    place = next((at for at, word in enumerate(before) if word.low == words[0].low and not word.tells), None)
    if lead[0] in '«"' and "«" in text:
        return f"{text[: text.index('«')]}{lead}"
    rest = before[place + 1 :] if place is not None else before
    noun = ""
    if len(own) == 1 and _ADJECTIVE.search(own[0].low):
        facing = next((at for at, word in enumerate(rest) if word.low[-2:] == own[0].low[-2:] and word.tells), None)
        noun = "".join(f" {word.text}" for word in rest[facing + 1 :]) if facing is not None else ""
    led = "".join(f"{word.text} " for word in before[:place]) if place else ""
    return f"{led}{lead}{noun}"


_ADJECTIVE = re.compile(r"(?:[ыи]х|[ыи]е|[ыи]м|ая|ое|[оы]й|[еи]й|ую|ого|ому)$")


def _measured(behind: str, tail: str) -> str:
    """Return the ending with what it counts where it has the number alone: “до двух” for “до четырёх часов в день”."""
    theirs, own = read(behind).words, read(tail).words
    if len(own) != 1 or own[0].kind != "number" or not theirs or theirs[0].kind != "number":
        return tail
    rest = "".join(f" {word.text}" for word in theirs[1:])
    return f"{tail}{rest}"


def _labelled(before: str, found: re.Match[str]) -> str | None:
    """Return “room A seats 10 people and room B 30” as two sentences."""
    own = re.search(rf"\b{found['head']}\s(?P<label>[A-Z]|\d{{1,3}})\b", before, re.IGNORECASE)
    if own is None:
        return None
    numbers = list(_NUMBER.finditer(before, own.end()))
    if len(numbers) != 1:
        return None
    middle, rest = before[own.end() : numbers[0].start()], before[numbers[0].end() :]
    lead = f"{before[: own.start()]}{own.group()[: -len(own['label'])]}{found['label']}"
    return f"{before}. {lead}{middle}{found['tail']}{rest}{found['end'] or '.'}"


_MODAL_EN = re.compile(r"\s(?:must|may|can|should|shall|will|is|are|was|were)\s")


def _english(before: str, found: re.Match[str]) -> str | None:
    """Return “visible damage must be reported at once; hidden damage, within a week” as two sentences."""
    verb = _MODAL_EN.search(before)
    words = list(re.finditer(r"\S+", before))
    start = next((word.start() for word in reversed(words) if word.group() in _PLACES), None)
    if verb is None or start is None or start <= verb.end() or re.search(r"[,;:—]", before):
        return None
    lead = found["lead"]
    return f"{before}. {lead[0].upper()}{lead[1:]}{before[verb.start() : start]}{found['tail']}{found['end'] or '.'}"


_PLACES = frozenset("on at in within by after before until for from".split())


def _is_verb(word: Word) -> bool:
    if word.kind != "word" or (word.capital and not word.opens):
        return False
    if word.low in _MODALS:
        return True
    is_one = _VERB.search(word.low) and not _NO_VERB.fullmatch(word.low) and not word.opens
    return bool(is_one) and word.tells
