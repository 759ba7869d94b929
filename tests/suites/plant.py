"""Plants errors in true claims: python -m tests.suites.plant writes planted.jsonl from claims_en.txt and claims_ru.txt.

It shares nothing with the verifier. What a program does badly (negation, quantity, names in their case, who does what)
is written by hand in the two files, as `{kind right|wrong}`; numbers, dates and foreign sentences are planted here.
"""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
KINDS = {"n": "number", "d": "date", "u": "unit", "m": "name", "g": "negation", "q": "quantity"}
# Claims that are wrong, or right, as a whole, on a line of their own.
WRONG = {"c": "condition", "t": "time", "e": "tense", "r": "reply"}
RIGHT = {"y": "answered"}
_MARK = re.compile(r"\{([ndumgq]) ([^|{}]*)\|([^{}]*)\}")
_DIGITS = re.compile(r"(?<![\w.,:/-])\d+(?:[ ,.:]\d+)*(?![\w/-]|\.\d)")
_MONTHS = (
    "January February March April May June July August September October November December",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре",
)
_DAYS = (
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "понедельник вторник среду четверг пятницу субботу воскресенье",
    "понедельникам вторникам средам четвергам пятницам субботам воскресеньям",
)
_ROWS = [row.split() for row in (*_MONTHS, *_DAYS)]
_YEAR = re.compile(r"\b20[12]\d\b")
_FOREIGN = 2


@dataclass(frozen=True, slots=True)
class Base:
    """What a document says, what is asked of it, two true claims on it as they are marked up, and whole claims by kind.

    Of these `swapped` turns it round, the others are wrong or right as their kind says.
    """

    id: str
    lang: str
    domain: str
    title: str
    heading: str
    quote: str
    backed: str
    free: str
    swapped: str | None
    question: str | None
    wrong: tuple[tuple[str, str], ...]
    right: tuple[tuple[str, str], ...]


def bases(lang: str) -> list[Base]:
    """Return the base sentences of a language."""
    text = (HERE / f"claims_{lang}.txt").read_text("utf-8")
    blocks = [block.strip().splitlines() for block in text.split("\n\n") if not block.startswith("#")]
    return [_base(lang, number, lines) for number, lines in enumerate(blocks, 1)]


def _base(lang: str, number: int, lines: list[str]) -> Base:
    domain, place = lines[0].split(" | ")
    title, heading = place.split(" > ")
    said = {line[0]: line[2:] for line in lines[1:]}
    wrong, true = (
        tuple((kinds[line[0]], line[2:]) for line in lines[1:] if line[0] in kinds) for kinds in (WRONG, RIGHT)
    )
    name = f"{lang}-{number:03}"
    own = said["Q"], said["B"], said["P"], said.get("S"), said.get("?")
    return Base(name, lang, domain, title, heading, *own, wrong, true)


def right(marked: str) -> str:
    """Return the claim as it is true."""
    return _tidy(_MARK.sub(r"\2", marked))


def planted(base: Base, others: list[Base], dice: random.Random) -> Iterator[tuple[str, str]]:
    """Yield each kind of error with the claim that has it."""
    for marked in (base.backed, base.free):
        yield from _by_hand(marked)
        true = right(marked)
        yield from (("number", claim) for claim in _numbers(true, base.quote, dice))
        yield from (("date", claim) for claim in _dates(true, base.quote, dice))
    if base.swapped:
        yield "swapped", base.swapped
    yield from base.wrong
    near = [other for other in others if other.domain == base.domain and other is not base]
    far = [other for other in others if other.domain != base.domain]
    yield "foreign", right(dice.choice(near or far).backed)
    yield "foreign", right(dice.choice(far).free)


def _by_hand(marked: str) -> Iterator[tuple[str, str]]:
    for mark in _MARK.finditer(marked):
        wrong = marked[: mark.start()] + mark[3] + marked[mark.end() :]
        yield KINDS[mark[1]], right(wrong)


def _numbers(claim: str, quote: str, dice: random.Random) -> Iterator[str]:
    """Yield the claim with one of its numbers changed: a digit, a nought more or less, or a neighbour."""
    found = [one for one in _DIGITS.finditer(claim) if not _YEAR.fullmatch(one.group())]
    if not found:
        return
    one = dice.choice(found)
    for _ in range(20):
        changed = _changed(one.group(), dice)
        if changed != one.group() and not re.search(rf"(?<!\d){re.escape(changed)}(?!\d)", quote):
            yield claim[: one.start()] + changed + claim[one.end() :]
            return


def _changed(digits: str, dice: random.Random) -> str:
    way = dice.randrange(3)
    if way == 0 and ":" not in digits and digits.isdigit():
        return f"{digits}0"
    if way == 1 and digits.isdigit() and int(digits) > 1:
        return str(int(digits) + dice.choice([-1, 1]))
    place = dice.choice([at for at, char in enumerate(digits) if char.isdigit()])
    least = 1 if place == 0 else 0
    return digits[:place] + str(dice.randrange(least, 10 if ":" not in digits else 6)) + digits[place + 1 :]


def _dates(claim: str, quote: str, dice: random.Random) -> Iterator[str]:
    """Yield the claim with one month, day of the week or year changed."""
    spots = [(m.start(), m.group(), row) for row in _ROWS for word in row for m in re.finditer(rf"\b{word}\b", claim)]
    spots += [
        (m.start(), m.group(), [str(int(m.group()) + step) for step in (-2, -1, 1)]) for m in _YEAR.finditer(claim)
    ]
    if not spots:
        return
    start, word, row = dice.choice(spots)
    left = [other for other in row if other != word and other not in quote]
    if left:
        yield claim[:start] + dice.choice(left) + claim[start + len(word) :]


def _tidy(text: str) -> str:
    single = re.sub(r"\s+([,.;])", r"\1", re.sub(r"  +", " ", text)).strip()
    return single[:1].upper() + single[1:]


def lines() -> list[str]:
    """Return the suite, one base a line."""
    found: list[str] = []
    for lang in ("en", "ru"):
        known = bases(lang)
        for base in known:
            errors = dict.fromkeys(planted(base, known, random.Random(base.id)))  # noqa: S311 - the same errors each time
            case = {
                "id": base.id,
                "lang": lang,
                "domain": base.domain,
                "title": base.title,
                "heading": base.heading,
                "quote": base.quote,
                **({"question": base.question} if base.question else {}),
                "good": {"backed": right(base.backed), "free": right(base.free), **dict(base.right)},
                "planted": [list(error) for error in errors],
            }
            found.append(json.dumps(case, ensure_ascii=False))
    return found


if __name__ == "__main__":
    (HERE / "planted.jsonl").write_text("\n".join(lines()) + "\n", "utf-8")
