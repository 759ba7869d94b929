"""What sort of thing a question asks for, where its words tell: an amount of money, a number, a time, an address.

The signs are the closed class of question words and the few nouns that name such a thing, in both languages. What they
do not tell is not guessed: then anything may be the answer.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

from core.text import normalise

Sort = Literal["money", "number", "duration", "moment", "phone", "email"]

# Tried in order; the first that a question shows is what it asks for.
_SIGNS: Mapping[Sort, Sequence[str]] = {
    "phone": (r"\b(?:phone|telephone|mobile) number\b", r"\bномер\w* телефон", r"\bтелефон\w*\W+номер"),
    "email": (r"\be-?mail address\b", r"\be-?mail\W*$", r"\bадрес\w* (?:электронной )?почты\b"),
    "money": (
        r"\bhow much (?:money|(?:does|do|did) .* cost|is .* (?:paid|worth)|(?:do|does|did) .* (?:pay|spend|earn))\b",
        r"\bwhat (?:does|do|did) .* cost\b|\bwhat is the (?:price|cost|salary)\b",
        r"\bсколько (?:стоит|стоят|стоил\w*|платят|заплатил\w*|зарабатыва\w*)\b",
        r"\bкак\w+ (?:\w+ )?(?:зарплат\w*|оклад|цен[аы]|стоимость)\b",
    ),
    "duration": (
        r"\bhow long\b(?! ago)|\bfor how many (?:hours|days|weeks|months|years)\b",
        r"\bкак долго\b|\bсколько времени\b",
    ),
    "moment": (
        r"^(?:\W*and\b)?\W*(?:(?:since|from|until|till|by)\b\W*)?when\b(?!.*, (?:what|who|how|which|where|why)\b)",
        r"^(?:\W*and\b)?\W*(?:(?:since|from|until|till|by|on|in|at)\b\W*)?what (?:date|day|year|time)\b",
        r"^(?:\W*(?:а|и)\b)?\W*(?:(?:с|до|по|от|к|на|в)\b\W*)?когда\b(?! ли\b)",
        r"^(?:\W*(?:а|и)\b)?\W*(?:(?:с|до|по|от|к|на|в)\b\W*)?как\w+ (?:числа|числу|дата|году|год)\b",
    ),
    "number": (
        r"\bhow many\b|\bhow (?:old|tall|high|big|large|far|fast)\b",
        r"\bсколько\b|\bскольк\w+\b",
    ),
}
_UNITS = (
    r"\b(?:second|minute|hour|day|night|week|month|quarter|year|centur)"
    r"|\b(?:секунд|минут|час|сут|дн|день|дней|ноч|недел|месяц|квартал|год|лет|век)"
)
_COUNTS = (
    r"\d",
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|dozen|hundred|thousand|million)\b",
    r"\b(?:half|once|twice|both|no|none|single)\b",
    r"\b(?:один|одн|дву|тр[её]|четыр|пят[ьи]|шест|сем[ьи]|восем|восьм|девят|десят|сорок|сотн|тысяч|миллион|полтор|полов)",
    r"\b(?:два|две|три|сто|оба|обе)\b|надцат",
)
_MONTHS = (
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)\b",
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b",
    r"\b(?:январ|феврал|март|апрел|ма[йяе]\b|июн|июл|август|сентябр|октябр|ноябр|декабр)",
)
_DAYS = (
    r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend)",
    r"\b(?:понедельник|вторник|сред[аыу]\b|четверг|пятниц|суббот|воскресен|выходн)",
)
_RELATIVE = (
    r"\b(?:after|before|during|once|when|if|until|every|each|today|tomorrow|now|soon|always|never)\b",
    r"\b(?:после|перед|во время|когда|если|кажд\w+|сегодня|завтра|сейчас|всегда|никогда|пока|при)\b",
)
_HELD: Mapping[Sort, Sequence[str]] = {
    "phone": (r"(?:\+?\d[ \u00a0().-]{0,2}){6,}",),
    "email": (r"[\w.+-]+@[\w-]+\.\w",),
    "money": (
        r"[€$£₽¥]|\d ?(?:k|m)\b",
        r"\b(?:eur|usd|gbp|rub|euros?|dollars?|pounds?|cents?|pence|free|paid|salary|price)\b",
        r"\b(?:руб|доллар|евро\b|копе|тыс|млн|млрд)|бесплатн",
    ),
    "number": _COUNTS,
    "duration": (
        rf"(?:{'|'.join(_COUNTS)}).{{0,25}}?(?:{_UNITS})",
        r"\b(?:until|till|since|forever|permanent|indefinite)|\b(?:до|пока)\b|бессрочн|постоянн",
        r"\b(?:19|20)\d\d\b",
    ),
    "moment": (
        r"\b(?:1\d|20)\d\d\b|\b\d{1,2}[:.]\d\d\b|\b(?:at|by|from|since|till|until|в|к|с|до|от) \d",
        *(_UNITS, *_MONTHS, *_DAYS, *_RELATIVE),
    ),
}


def asked_for(question: str) -> Sort | None:
    """Return what sort of thing the question asks for, None where its words do not tell."""
    text = " ".join(normalise(question).split())
    return next((sort for sort in _SIGNS if _sign(sort).search(text)), None)


def holds(text: str, sort: Sort) -> bool:
    """Return whether a thing of this sort stands in the text, with all benefit of the doubt."""
    return _held(sort).search(normalise(text)) is not None


@cache
def _sign(sort: Sort) -> re.Pattern[str]:
    return re.compile("|".join(_SIGNS[sort]))


@cache
def _held(sort: Sort) -> re.Pattern[str]:
    return re.compile("|".join(_HELD[sort]))
