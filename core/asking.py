"""What sort of thing a question asks for, where its words tell: an amount of money, a number, a time, a person.

The signs are the closed class of question words and the few nouns that name such a thing, in both languages. What they
do not tell is not guessed: then anything may be the answer.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Literal

from core.facts import Fact
from core.text import normalise, terms, words

Sort = Literal["money", "number", "duration", "moment", "clock", "phone", "email", "person", "reason"]
# An answer need not say “because”: a reason is looked for first, and what shows no sign of one may still be it.
DOUBTFUL: frozenset[Sort] = frozenset({"reason"})

# Tried in order; the first that a question shows is what it asks for.
_SIGNS: Mapping[Sort, Sequence[str]] = {
    "phone": (
        r"\b(?:phone|telephone|mobile) number\b|^what is the (?:tele)?phone\b",
        r"\b(?:what|which) number (?:do|does|can|should|must|may|to|is)\b.*\b(?:call|ring|dial|phone)\b",
        r"\bномер\w* телефон|^какой телефон",
        r"\b(?:по|на) как\w+ (?:номер\w*|телефон\w*)\b|\bкакой номер (?:на)?бирать\b",
        r"\bтелефон\w*\W+номер",
    ),
    "email": (r"\be-?mail address\b", r"\be-?mail\W*$", r"\bадрес\w* (?:электронной )?почты\b"),
    "money": (
        r"\bhow much (?:money|(?:does|do|did) .* cost|is .* (?:paid|worth)|(?:do|does|did) .* (?:pay|spend|earn))\b",
        r"\bwhat (?:does|do|did) .* cost\b|\bwhat is the (?:price|cost|salary)\b",
        r"\bсколько (?:стоит|стоят|стоил\w*|платят|заплатил\w*|зарабатыва\w*)\b",
        r"\bкак\w+ (?:\w+ )?(?:зарплат\w*|оклад|цен[аы]|стоимость)\b",
    ),
    "duration": (
        r"\bhow (?:long|often|soon|quickly|frequently)\b(?! ago)",
        r"\b(?:for|within) how many (?:hours|days|weeks|months|years)\b",
        r"\bкак (?:долго|часто|скоро|быстро)\b|\bсколько времени\b|\bв как(?:ой|ие) срок\w*\b",
    ),
    "clock": (
        r"\bwhat time\b(?! (?:zone|of (?:the )?year|limit|frame))|\bwhat hours?\b",
        (
            r"^(?:\W*(?:а|и)\b)?\W*(?:(?:со?|до|к|во?) сколь(?:ко|ки)|до скольких|к скольким)"
            r"\b(?! (?:обо[шй]|раз|лет|дн|час|мест|человек))"
        ),
        r"\b(?:в|к|до|с) как(?:ом|ому|ого) час[уа]?\b|\bв котором часу\b",
    ),
    "moment": (
        r"^(?:\W*and\b)?\W*(?:(?:since|from|until|till|by)\b\W*)?when\b(?!.*, (?:what|who|how|which|where|why)\b)",
        r"^(?:\W*and\b)?\W*(?:(?:since|from|until|till|by|on|in|at)\b\W*)?what (?:date|day|year)\b",
        r"^(?:\W*(?:а|и)\b)?\W*(?:(?:с|до|по|от|к|на|в)\b\W*)?когда\b(?! ли\b)",
        r"^(?:\W*(?:а|и)\b)?\W*(?:(?:с|до|по|от|к|на|в)\b\W*)?как\w+ (?:числа|числу|дата|году|год)\b",
    ),
    "person": (
        r"^(?:\W*and\b)?\W*(?:(?:to|with|from|by)\b\W*)?who(?:m|se)?\b",
        r"^(?:\W*(?:а|и)\b)?\W*(?:(?:с|у|к|от|для|за)\b\W*)?(?:кто|кого|кому|кем)\b",
    ),
    "reason": (
        r"\bwhy\b|\bwhat (?:is|was|were|are) the (?:root )?(?:cause|reason)s?\b|\bwhat (?:has )?caused\b",
        r"\b(?:почему|зачем|отчего|из-за чего)\b",
        r"\bкакова причина\b|\bпо как\w+ причин\w+|\bчто (?:стало|было|послужило) причин\w+",
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
_CLOCK = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_HOURS = (
    r"\bo['’]? ?clock\b|\b\d{1,2} ?(?:a\.?m|p\.?m)\b|\b(?:half|quarter) (?:past|to)\b",
    rf"\b(?:at|by|from|since|till|until) (?:{_CLOCK})\b",
    r"\b(?:noon|midday|midnight|morning|afternoon|evening|dawn|sunrise|sunset)",
    r"\b(?:утр(?:а|о|у|ом|ам)\b|утренн|вечер|полдень|полудн|полдня\b|полноч|полуноч|днем\b|рассвет|закат)",
    r"\b(?:в|к|с|до|от|около) час|\bв (?:два|три|четыре|пять|шесть|семь|восемь|девять|десять|\w+надцать)\b",
    r"\b(?:к|с|до|от|около) (?:двум|двух|тр[её]|четыр[её]|пяти|шести|семи|восьми|девяти|десяти|\w+надцати)",
    r"\bполовин[аеуы] (?:перв|втор|трет|четверт|пят|шест|седьм|восьм|девят|десят|\w+надцат)",
)
_SEASONS = (
    r"\b(?:spring|summer|autumn|winter|christmas|easter|new year|yesterday|\d+ ?(?:b\.?c|a\.?d))\b",
    r"\b(?:весн|летом\b|лета\b|осен|зим[аыуо]|рождеств|пасх|вчера\b)|\d до н\. ?э",
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
        r"\d ?%|\b(?:percent|half|twice|double)\b|\b(?:процент|половин|вдвое|втрое|двойн)",
    ),
    "number": _COUNTS,
    "reason": (
        r"\b(?:because|since|due to|caused?|causes|reasons?|so that|so as|therefore|in order to|thanks to|why)\b",
        r"\b(?:потому|поскольку|так как|из-за|чтобы|причин\w*|поэтому|благодаря|вследствие|ради|почему|зачем)\b",
    ),
    "duration": (
        rf"(?:{'|'.join(_COUNTS)}).{{0,25}}?(?:{_UNITS})",
        r"\b(?:until|till|since|forever|permanent|indefinite)|\b(?:до|пока)\b|бессрочн|постоянн",
        r"\b(?:19|20)\d\d\b",
        r"\b(?:every|each|once|twice|daily|weekly|monthly|yearly|at once|immediately|same day|always|usually|often)\b",
        r"\b(?:sometimes|seldom|rarely|never|quickly|slowly|overnight)\b",
        r"\b(?:кажд\w+|еже\w+|раз в|сразу|немедленно|день в день|всегда|обычно|часто|иногда|редко|изредка|никогда)\b",
    ),
    "clock": (
        r"\b\d{1,2}[:.]\d\d\b|\b(?:at|by|from|since|till|until|before|after|between|в|к|с|до|от|после|около) \d",
        r"\b\d{1,2}[–-]\d{1,2}\b|\b(?:round the clock|around the clock|24/7|any time|at once|круглосуточно|сразу)\b",
        *_HOURS,
    ),
    "moment": (
        r"\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2}(?:-?го)? числ",
        r"\b(?:1\d|20)\d\d\b|\b\d{1,2}[:.]\d\d\b|\b(?:at|by|from|since|till|until|в|к|с|до|от) \d",
        *(_UNITS, *_MONTHS, *_DAYS, *_HOURS, *_SEASONS, *_RELATIVE),
    ),
}

# Written like a person's name, whatever the alphabet; or what people are called by what they do.
_NAMED = r"[A-ZА-ЯЁ][\w'’-]+ (?:(?:de|da|van|von|der|den|el|де|да|ван|фон|дер|эль) ){0,2}[A-ZА-ЯЁ][\w'’-]+"
_PEOPLE = (
    r"\b(?:manager|director|head|lead|leader|officer|team|chief|ceo|cto|cfo|engineer|owner|colleague|employee|people)s?\b",
    r"\b(?:contractor|customer|staff|desk|guest|member|partner|parent|supplier|provider|assistant|lawyer|founder)s?\b",
    r"\b(?:everyone|everybody|anyone|anybody|no ?one|nobody|president|king|queen|you|we|he|she|they|him|her)\b",
    r"\b(?:директор|руковод|глав[аы]|менеджер|инженер|команд|отдел|начальник|сотрудник|коллег|заказчик|клиент|владел)",
    r"\b(?:ответственн|разработчик|автор|основател|президент|корол|наставник|бухгалтер)",
    r"\b(?:он|она|они|вы|мы|все|никто)\b|[#@]\w",
    r"\b(?:reception|receptionist|nurse|doctor|dentist|surgeon|secretary|accountant|cashier|guard|caretaker|technician)s?\b",
    r"\b(?:mechanic|fitter|driver|teacher|headteacher|librarian|curator|conservator|registrar|pharmacist|cook|janitor)s?\b",
    r"\b(?:facilities|payroll|workshop|office|department|board|committee|council|insurer|lender|borrower|landlord)\b",
    r"\b(?:tenant|trustee|volunteer|maintainer|contributor|author|mentor|trainer|coach|resident|patient|student|pupil)s?\b",
    r"\b(?:завуч|вахт[её]р|сторож|кладовщик|водител|мастер|бригадир|механик|слесар|электрик|уборщиц|повар|врач|хирург)",
    r"\b(?:медсестр|сестр[аыу]\b|сестра-|фельдшер|аптекар|учител|воспитател|преподавател|администратор|секретар|кассир)",
    r"\b(?:охран|юрист|библиотекар|хранител|смотрител|куратор|тренер|дежурн|диспетчер|логист|курьер|комендант|заведующ)",
    r"\b(?:бухгалтери|кадр(?:ы|ов|ам)\b|комисси|комитет|правлени|совет\b|родител|арендатор|страховщик|подрядчик|поставщик)",
)
# Behind other words of its sentence a single name will do, but for those of the question.
_ONE_NAME = re.compile(r"(?<=[a-zа-яё,;:] )[A-ZА-ЯЁ][a-zа-яё'’-]+")
# A sentence begins with whoever does what is asked of somebody: "Grace leads Beacon." for "Who leads Beacon?".
_WHO_DOES = re.compile(r"\b(?:who|кто) (\w+)")
_DOER = re.compile(r"(?:^|[.!?] )([A-ZА-ЯЁ][a-zа-яё'’-]+) (\w+)", re.MULTILINE)
_PERSON = re.compile(f"{_NAMED}|(?i:{'|'.join(_PEOPLE)})")
_FULL_NAME = re.compile(_NAMED)
_HOW_MANY = re.compile(r"\b(?:how many|сколько) (\w+)")
_POLAR = re.compile(
    r"^(?:\W*and\b)?\W*(?:can|could|may|must|should|shall|will|would|is|are|was|were|am|do|does|did|has|have|had)\b"
    r"|^(?:\W*(?:а|и)\b)?\W*(?:\w+ ){1,3}ли\b|^(?:\W*(?:а|и)\b)?\W*(?:можно|нужно|надо|обязательно|правда|разве)\b"
)
# “What kinds of expenses are covered?” asks for expenses.
_KIND_OF = re.compile(
    r"\b(?:what|which) (kinds?|sorts?|types?) of\b|\bкак(?:ие|их|им|ого|ой|ому|ими) ((?:вид|тип|род|сорт)\w{0,3})\b"
)
# What a name stands for is asked, and said beside it: “PNR: passenger name record” repeats no “mean”.
_MEANING = re.compile(
    r"\bwhat (?:do|does|did) .*?\b(mean|stand(?= for\b)|stands(?= for\b))|\bwhat is (meant) by\b"
    r"|\bчто (означа[ею]т|значит)\b|\bкак (расшифровыва\w+|переводит\w+)\b|^\W*(расшифруй\w*)"
)
# A longer sign has the thing itself between its words: “how much does … cost”.
_BRIEF = 4


def asked_for(question: str) -> Sort | None:
    """Return what sort of thing the question asks for, None where its words do not tell."""
    text = " ".join(normalise(question).split())
    return next((sort for sort in _SIGNS if _sign(sort).search(text)), None)


def holds(text: str, sort: Sort, question: str = "") -> bool:
    """Return whether a thing of this sort stands in the text, with all benefit of the doubt."""
    if sort == "person":
        known, said = terms(question), words(normalise(question))
        single = (found.group() for found in _ONE_NAME.finditer(text) if question)
        people = (normalise(found.group()) for found in _PERSON.finditer(text))
        # Whoever asks who the senior nurse is knows that there is one.
        return (
            any(not any(word.startswith(one) for word in said) for one in people)
            or any(set(terms(name)).isdisjoint(known) for name in single)
            or _begins_with_who_does(text, question)
        )
    return _held(sort).search(normalise(text)) is not None


def _begins_with_who_does(text: str, question: str) -> bool:
    """Return whether a sentence begins with a single name of which it says what the question asks of somebody."""
    known, asked = set(terms(question)), _WHO_DOES.search(" ".join(normalise(question).split()))
    done = set(terms(asked[1])) if asked else set()
    doers = ((set(terms(found[1])), set(terms(found[2]))) for found in _DOER.finditer(text)) if done else ()
    return any(who and who.isdisjoint(known) and not done.isdisjoint(does) for who, does in doers)


def may_answer(question: str, facts: Iterable[Fact]) -> bool:
    """Return whether the sort of thing asked for stands in one of the facts, beside what is counted; or any will do.

    A doubtful sort must stand in its heading.
    """
    sort = asked_for(question)
    counted = counted_in(question) if sort == "number" else None
    told = ("\n".join([*fact.place.headings, *(() if sort in DOUBTFUL else [fact.text])]) for fact in facts)
    return sort is None or any(
        holds(one, sort, question) and (counted is None or counted in terms(one)) for one in told
    )


def names_somebody(text: str) -> bool:
    """Return whether a full name stands in the text."""
    return _FULL_NAME.search(text) is not None


def counted_in(question: str) -> str | None:
    """Return the term of what the question asks the number of: "How many probes does it hold?" of probes."""
    found = _HOW_MANY.search(" ".join(normalise(question).split()))
    return next(iter(terms(found[1])), None) if found else None


def is_polar(question: str) -> bool:
    """Return whether the question asks for a yes or a no: "May I work abroad?", "Можно ли работать из-за границы?"."""
    return _POLAR.search(" ".join(normalise(question).split())) is not None


def parted(question: str) -> tuple[str, str]:
    """Return the words of a question, and those of earlier ones, in brackets at its end."""
    text, depth = question.rstrip(), 0
    if not text.endswith(")"):
        return question, ""
    for place in range(len(text) - 1, 0, -1):
        depth += (text[place] == ")") - (text[place] == "(")
        if depth == 0:
            return text[:place].strip(), text[place + 1 : -1].strip()
    return question, ""


def asking_terms(question: str) -> frozenset[str]:
    """Return the terms with which the question says what sort of thing it asks for: no answer need hold them."""
    text = " ".join(normalise(question).split())
    found = [sign.group() for sort in _SIGNS if (sign := _sign(sort).search(text))]
    found += [sign[1] or sign[2] for sign in _KIND_OF.finditer(text)]
    found += [next(filter(None, sign.groups())) for sign in _MEANING.finditer(text)]
    return frozenset(term for words in found if len(words.split()) <= _BRIEF for term in terms(words))


@cache
def _sign(sort: Sort) -> re.Pattern[str]:
    return re.compile("|".join(_SIGNS[sort]))


@cache
def _held(sort: Sort) -> re.Pattern[str]:
    return re.compile("|".join(_HELD[sort]))
