"""Personal data in a text, in English and Russian: where it stands and of which kind it is.

Telephone numbers are judged by `phonenumbers`, Google's own numbering plans; the rest by their check digits where they
have any (IBAN: ISO 13616, mod 97; cards: ISO/IEC 7812, Luhn; SNILS: Order 318 of the Pension Fund of Russia) and by the
words before them where they have none. Names of people are not looked for: a name alone is not told from a word here.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["EMAIL", "PHONE", "CARD", "IBAN", "INN", "SNILS", "PASSPORT", "SSN", "BIRTH", "HANDLE"]


@dataclass(frozen=True, slots=True)
class Personal:
    """One piece of personal data, at these offsets of its text."""

    kind: Kind
    start: int
    end: int


def personal_in(text: str) -> tuple[Personal, ...]:
    """Return the personal data in a text in its order, none inside another."""
    if not any(char.isdigit() or char in "@_" for char in text) and "t.me/" not in text:
        return ()
    text = text.translate(_PLAIN)
    taken: list[Personal] = []
    starts: list[int] = []
    for find in _FINDERS:
        for found in find(text):
            at = bisect_left(starts, found.start)
            free_before = at == 0 or taken[at - 1].end <= found.start
            if free_before and (at == len(taken) or found.end <= taken[at].start):
                taken.insert(at, found)
                starts.insert(at, found.start)
    return tuple(taken)


# Hyphens, blanks and digits as word processors write them, each for one of ours, so that places stay.
_PLAIN = {
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2212\ufe63\uff0d"), "-"),
    **dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u202f\u2060"), " "),
    **{0xFF10 + digit: str(digit) for digit in range(10)},
    0xFF0B: "+",
}
_EMAIL = re.compile(r"(?<![\w.+'-])[\w.+-]{1,64}(?:'[\w.+-]{1,64})?@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w-])")
_URL_BEFORE = re.compile(r"\w{2,20}://\S{0,200}$")
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)")
_CARD = re.compile(
    r"(?<![\w-])[2-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?![\w-])"
    r"|(?<![\w-])3[47]\d{2} ?\d{6} ?\d{5}(?!\w)"
)
_CARD_DIGITS = range(13, 20)
_SNILS = re.compile(r"(?<![\w-])\d{3}([ -])\d{3}\1\d{3}[ -]\d{2}(?![\w-])|(?<!\w)\d{11}(?!\w)")
_SSN = re.compile(r"(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])")
_INN = re.compile(r"(?<![\w-])\d{12}(?![\w-])|(?<![\w-])(?:\d{4} \d{4} \d{4}|\d{2} \d{2} \d{6} \d{2})(?! ?\d)(?![\w-])")
_PASSPORT = re.compile(
    r"(?<![\w-])\d{2}[ -]?\d{2},?(?: ?(?:№|N|No\.?|номер:?) ?| )?\d{6}(?![\w-])|(?<!\w)[A-Z]{1,2} ?\d{6,8}(?!\w)"
    r"|(?<![\w-])\d{2} ?(?:№ ?)?\d{7}(?![\w-])"
)
_NINE_DIGITS = re.compile(
    r"\b(?:passport|паспорт\w{0,3})(?: (?:no|number|num|nr|номер)\b)?\.?[ \t]{0,2}[:#№-]?[ \t]{0,2}"
    r"(?P<number>\d{9})(?![\w-])",
    re.IGNORECASE,
)
_MONTHS = (
    "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    "|Nov(?:ember)?|Dec(?:ember)?"
)
_DATE = re.compile(
    r"(?<!\d)(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})(?!\d)"
    r"|(?<!\w)\d{1,2} (?:январ|феврал|март|апрел|ма[йя]|июн|июл|август|сентябр|октябр|ноябр|декабр)\w{0,3} \d{4}"
    rf"|(?<!\w)\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTHS})\.?,? \d{{4}}(?!\d)"
    rf"|(?<!\w)(?:{_MONTHS})\.? \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}(?!\d)"
)
_OF_BIRTH = re.compile(r"\s{1,2}(?:г\.|года?)\s{1,2}р(?:ожд|\.)")
_HANDLE = re.compile(r"(?<![\w.])t\.me/[A-Za-z]\w{3,31}|(?<![\w.@/])@[A-Za-z](?:\.?\w){3,31}(?![\w@])")

# A name in a messenger without its sign: a word alone is not told from any other, one with a digit or a line in it is.
_NICK = re.compile(
    r"(?<!\w)(?:telegram|телеграмм?е?|tg|тг|skype|скайп|instagram|инстаграм)(?!\w)"
    r"[ \t]*(?:[:=–—-]|ник|nick|username)[ \t:]{1,3}"
    r"(?P<name>(?=[A-Za-z.]*[\d_])[A-Za-z][\w.]{3,30}[A-Za-z\d])(?![\w@/(])",
    re.IGNORECASE,
)
_OF_A_PROGRAM = re.compile(
    r"token|url|mode|_id\b|\bid_|name|user|bot\b|api|key|chat|group|access|allow|hook|poll|port|set", re.IGNORECASE
)

# Words that say what the number behind them is.
_SAYS = {
    "PHONE": re.compile(
        r"\b(?:тел(?:ефон\w*)?|моб(?:ильн\w*)?|сот(?:ов\w*)?|факс\w*|звон\w*|позвон\w*|whatsapp|viber|phone|tel|call"
        r"|mobile|cell|fax|dial|ring)\b", re.IGNORECASE
    ),
    "INN": re.compile(r"\b(?:ИНН|INN|TIN)\b", re.IGNORECASE),
    "SNILS": re.compile(r"\b(?:СНИЛС|SNILS)\b", re.IGNORECASE),
    "PASSPORT": re.compile(
        r"\b(?:(?:загран)?паспорт\w*|passport\w*|водительск\w* удостоверен\w*)\b", re.IGNORECASE
    ),
    "BIRTH": re.compile(r"\b(?:рожден\w*|родил\w*|д\. ?р\.|born|birth\w*|birthday|DOB)(?!\w)", re.IGNORECASE),
    "HANDLE": re.compile(
        r"(?:telegram|телеграм\w*|\btg|\bтг|skype|скайп\w*|instagram|twitter|slack)\W{0,4}$", re.IGNORECASE
    ),
}  # fmt: skip
_NEAR = 30


def _says(kind: str, text: str, start: int) -> bool:
    return _SAYS[kind].search(text, max(0, start - _NEAR), start) is not None


def _emails(text: str) -> Iterator[Personal]:
    for found in _EMAIL.finditer(text):
        is_program = found[0].startswith("git@") and text[found.end() : found.end() + 1] in (":", "/")
        in_url = _URL_BEFORE.search(text, max(0, found.start() - 220), found.start())
        if not is_program and not in_url:
            yield Personal("EMAIL", found.start(), found.end())


def _ibans(text: str) -> Iterator[Personal]:
    for found in _IBAN.finditer(text):
        bare = found[0].replace(" ", "")
        if int("".join(str(int(char, 36)) for char in bare[4:] + bare[:4])) % 97 == 1:
            yield Personal("IBAN", found.start(), found.end())


def _cards(text: str) -> Iterator[Personal]:
    for found in _CARD.finditer(text):
        digits = _digits(found[0])
        if len(digits) in _CARD_DIGITS and _luhn(digits):
            yield Personal("CARD", found.start(), found.end())


def _luhn(digits: str) -> bool:
    doubled = (2 * int(digit) if place % 2 else int(digit) for place, digit in enumerate(reversed(digits)))
    return sum(sum(divmod(number, 10)) for number in doubled) % 10 == 0


def _snils(text: str) -> Iterator[Personal]:
    for found in _SNILS.finditer(text):
        said = _says("SNILS", text, found.start())
        if said or ("-" in found[0] and _is_snils(_digits(found[0]))):
            yield Personal("SNILS", found.start(), found.end())


def _is_snils(digits: str) -> bool:
    check = sum(int(digit) * (9 - place) for place, digit in enumerate(digits[:9])) % 101
    return int(digits[9:]) == check % 100


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdecimal())


def _shaped(kind: Kind, pattern: re.Pattern[str], *, said: bool) -> Callable[[str], Iterator[Personal]]:
    """Return what finds a shape; with `said` only behind words that say what it is."""

    def find(text: str) -> Iterator[Personal]:
        for found in pattern.finditer(text):
            if not said or _says(kind, text, found.start()):
                yield Personal(kind, found.start(), found.end())

    return find


def _births(text: str) -> Iterator[Personal]:
    for found in _DATE.finditer(text):
        after = text[found.end() : found.end() + _NEAR]
        if _says("BIRTH", text, found.start()) or _OF_BIRTH.match(after):
            yield Personal("BIRTH", found.start(), found.end())


def _passport_numbers(text: str) -> Iterator[Personal]:
    """Yield nine digits right behind the word: as the passports of many countries have them."""
    for found in _NINE_DIGITS.finditer(text):
        yield Personal("PASSPORT", found.start("number"), found.end("number"))


def _nicks(text: str) -> Iterator[Personal]:
    for found in _NICK.finditer(text):
        if not _OF_A_PROGRAM.search(found["name"]):
            yield Personal("HANDLE", found.start("name"), found.end("name"))


def _handles(text: str) -> Iterator[Personal]:
    for found in _HANDLE.finditer(text):
        if found[0].startswith("t.me") or _says("HANDLE", text, found.start()):
            yield Personal("HANDLE", found.start(), found.end())


_GAP = r"[ \u00a0().\-–]{0,3}"
_NUMBER = re.compile(
    rf"(?<![\w@/.,-])\+?\(?\d(?:{_GAP}\d){{5,14}}(?![\w@]|[.,-]\d|\s?[%€$₽£]|\s?(?:руб|шт|rows|GB|MB|км|EUR|USD)\b)"
)
# Where a number without its country may be from.
_HOME = ("RU", "GB", "US", "DE", "FR", "NL", "UA", "KZ")
_NORTH_AMERICAN = re.compile(r"(?:\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}")
_RUSSIAN, _TRUNK = 11, (10, 11)
_LOCAL = re.compile(r"\d{2,3}[- ]\d{2}[- ]\d{2}")
# With the code of its town in brackets: (495) 123-45-67.
_OF_TOWN = re.compile(r"\(\d{3,5}\) ?\d{1,3}[- ]\d{2}[- ]\d{2}")


def _phones(text: str) -> Iterator[Personal]:
    for found in _NUMBER.finditer(text):
        raw = found[0].rstrip(" (.-–\u00a0")
        if not _DATE.search(raw) and _is_phone(raw, said=_says("PHONE", text, found.start())):
            yield Personal("PHONE", found.start(), found.start() + len(raw))


def _is_phone(raw: str, *, said: bool) -> bool:
    digits = _digits(raw)
    if raw.startswith("+"):
        return _fits(raw, None, strictly=False)
    if _NORTH_AMERICAN.fullmatch(raw) or (_OF_TOWN.fullmatch(raw) and _fits(raw, "RU")):
        return True
    if len(digits) == _RUSSIAN and digits[0] == "8" and _fits(raw, "RU"):
        return True
    if len(digits) in _TRUNK and digits[0] == "0" and digits != raw and any(_fits(raw, home) for home in _HOME[1:]):
        return True
    return said and (_LOCAL.fullmatch(raw) is not None or any(_fits(raw, home) for home in _HOME))


def _fits(raw: str, region: str | None, *, strictly: bool = True) -> bool:
    """Return whether the numbering plan of a region (None: the one that the number names) knows such a number."""
    # Loaded for the first number that is met: it takes a tenth of a second.
    import phonenumbers

    try:
        number = phonenumbers.parse(raw, region)
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_valid_number(number) if strictly else phonenumbers.is_possible_number(number)


_FINDERS: Iterable[Callable[[str], Iterator[Personal]]] = (
    _emails,
    _ibans,
    _cards,
    _snils,
    _shaped("SSN", _SSN, said=False),
    _shaped("INN", _INN, said=True),
    _shaped("PASSPORT", _PASSPORT, said=True),
    _passport_numbers,
    _births,
    _phones,
    _handles,
    _nicks,
)
