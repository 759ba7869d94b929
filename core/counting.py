"""What a question asks the number of, and what a text says no to: words of a closed class."""

import re
from collections.abc import Iterable

from core.asking import holds
from core.kinds import is_known_kind
from core.text import normalise, terms, words

HOW_MANY = re.compile(
    r"\b(?:how many|(?:what(?: is|['’]s| was) )?(?:the )?(?:total |exact )?(?:number|count) of|count (?:the|all)|"
    r"(?:как(?:ое|ом|ово|ова) )?(?:(?:общ|точн)(?:ее|ем|ое|ом) )?"
    r"(?:количеств(?:о|а|е|ом|у)|(?<!том )(?<!какого )числ(?:о|ом|е))|"
    r"скольк(?:о|и|их|им|ими))(?: (?:different|distinct|various|разных|различных|всего|вообще|штук))?"
    r"(?: (?:of (?:the|our|your|their|these|those|all(?: the)?)|из(?: (?:наших|ваших|этих|всех|тех))?))?\s+"
)
# How often something is found is counted only where it can be looked up: "how often do we meet?" asks for a rule.
_TIMES = re.compile(r"\b(?:how (?:often|many times)|сколько (?:всего )?раз|(?:как|насколько) часто)\b")
_OF = r"(?:in|at|of|for|on|with|from)\b"
# "The number of the Leeds office", also with a sign for a name: that of one thing, which is not counted.
_ONE = (
    rf"(?:(?:the|an?|this|that|my|your|our|his|her|its|their) (?:(?!{_OF})[\w'’-]+ ){{0,3}}?"
    r"(?:[\ue000-\uf8ff]|(?!people|children|men\b|women|staff)[\w-]*(?:ss|[^\Ws])\b)|[\ue000-\uf8ff])"
    rf"(?=[^\w\ue000-\uf8ff]*$| {_OF})"
)
# "How many days", "сколько стоит": an amount is asked for, not how many of something there are.
AMOUNT = re.compile(
    rf"{_ONE}|"
    r"(?:[\w-]+ )?(?:day|hour|minute|second|week|month|year|euro|dollar|pound|percent|time|meter|metre|kilometer|mile|"
    r"degree|point|watt|volt|byte|token)s?\b|(?:of|is|are|do|does|did)\b|"
    r"(?:[\w-]+ )?(?:дн(?:я|ей)|час|минут|секунд|недел|месяц|лет\b|год|евро|руб|доллар|процент|раз\b|метр|километр|"
    r"градус|балл)|(?:времени|денег|стои|плат|длит|занима|хран|"
    r"состав(?:л|ит|ят)|действ(?:ует|уют|овал)|продолж|вес(?:ит|ят|ил)|вмеща|ждать|можно|нужно|надо|получ|зараб|он[аои]?\b|я\b|мы\b|мне\b|"
    r"нам\b|тебе\b|вам\b|ему\b|ей\b|им\b)"
)
NEGATES = re.compile(
    r"\b(?:not|no|never|without|except|excluding|but|besides|other than|apart from|\w+n['’]t|не|нет|без|кроме|помимо|"
    r"исключ\w+|считая)\b"
)
_AT_ALL = re.compile(
    r"\b(?:are|were) there(?: in (?:all|total)| altogether)?\W*$|\bin (?:all|total)\b|\baltogether\b"
    r"|\bвсего\b|\bв сумме\b"
)
_BLANK = re.compile(r"\s+")
_WORD = re.compile(r"\w+|[^\w\s]")
_ADJECTIVE = re.compile(r"[а-я]{3,}(?:[ыиой]й|[ая]я|[ое]е|[ыи]е|[оеё]го|[оеё]му|[ыи]х|[ыи]м|[ыи]ми)")


def says_no(text: str) -> bool:
    """Return whether a word of the text says that something is not, or is left out."""
    return NEGATES.search(normalise(text)) is not None


def counted_first(question: str) -> str | None:
    """Return the search term of what "how many" asks the number of: of "How many lemons in the cake?" lemons."""
    return next(iter(_counted(question)), None)


def says_how_many(text: str, thing: str) -> bool:
    """Return whether the text counts the thing itself: "2 large lemons" tells the number of lemons."""
    told = words(normalise(text))
    held = [thing in terms(word) for word in told]
    return any(is_here and any(map(_is_number, told[max(0, i - 2) : i])) for i, is_here in enumerate(held))


def only_qualifies(thing: str, headings: Iterable[str]) -> bool:
    """Return whether the headings hold the thing, and each time only to say which other thing they head.

    A lemon cake is no lemon, and «лимонный» is none either: what is listed under it are its parts.
    """
    held = [_is_qualifier(word, after) for line in headings for word, after in _pairs(line) if thing in terms(word)]
    return bool(held) and all(held)


def _pairs(heading: str) -> list[tuple[str, str]]:
    """Return each word and sign of a heading with the one that follows it."""
    told = _WORD.findall(normalise(heading))
    return list(zip(told, [*told[1:], ""], strict=True))


def _is_qualifier(word: str, after: str) -> bool:
    if _ADJECTIVE.fullmatch(word):
        return True
    is_single = word.isascii() and not word.endswith("s")
    return is_single and after.isalpha() and after.isascii() and bool(terms(after))


def _is_number(word: str) -> bool:
    return holds(word, "number")


def counted_thing(question: str) -> frozenset[str]:
    """Return the search term of what "how many" asks the number of, and those of what else the question says.

    Kinds of things behind the first are left out: "how many goals of project Heron" gives "goals" and "Heron". None
    where an amount is asked for, as in "how many days".
    """
    first, *rest = _counted(question) or [""]
    return frozenset(filter(None, (first, *(term for term in rest if not is_known_kind(term)))))


def _counted(question: str) -> list[str]:
    """Return the terms of a question for a number that is no amount, those of what is counted first."""
    text = _BLANK.sub(" ", normalise(question)).strip()
    found = HOW_MANY.search(text)
    if found is None or AMOUNT.match(text, found.end()):
        return []
    return [*terms(text[found.end() :]), *terms(text[: found.start()])]


def counts_all(question: str) -> bool:
    """Return whether it asks how many of a kind there are at all: "How many policies are there?"."""
    things, at_all = counted_thing(_AT_ALL.sub(" ", normalise(question))), _AT_ALL.search(normalise(question))
    return bool(things and at_all) and all(map(is_known_kind, things))


def is_how_often(question: str) -> bool:
    """Return whether it asks how often something is so, rather than for how many things."""
    return _TIMES.search(normalise(question)) is not None
