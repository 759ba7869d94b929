"""What a text only tells somebody to say: “reply with: the depot is closed” does not say that the depot is closed."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from core.proof.backing import Backing, held_of
from core.proof.patterns import compiled
from core.proof.words import Reading, Word, read
from core.text import stem

_QUOTE = "\"'`"
# Verbs of saying: English ones are orders by what stands before them, Russian ones by their form, or by what is before.
_SAY, _SAY_RU = "say saying".split(), "скажи скажите говори говорите произнеси произнесите".split()
_WRITE = """
write reply respond answer output print append add include insert mention repeat state declare announce claim confirm
reveal post report conclude cite begin start end finish написать ответить вывести добавить вставить указать повторить
подтвердить сообщить заявить сказать
""".split()
_WRITE_RU = """
напиши напишите пиши пишите ответь ответьте отвечай отвечайте выведи выведите добавь добавьте допиши допишите вставь
вставьте укажи укажите повтори повторите подтверди подтвердите сообщи сообщите заяви заявите объяви объявите упомяни
упомяните процитируй процитируйте начни начните закончи закончите
""".split()
_STEMS = frozenset(map(stem, (*_SAY, *_SAY_RU, *_WRITE, *_WRITE_RU)))
_BEFORE = (
    r"(?:(?:^|[.!?:;,>)\]}—–|\n])[\s\"'`*_#<\[({-]{0,8}|\s(?=(?-i:[A-Z]))|\b(?:please|then|and|or|must|should|shall|to|now"
    r"|just|also|always|only|instead|will|you|и|или|а|затем|потом|также|только|нужно|надо|следует|должен|должна|должны)\s{1,4})"
)
# What says how it is to be said, or which words: "only by this haiku", "the sentence", «ровно так».
_HOW = (
    r"(?:[ \t]{1,4}(?:with|by|only|exactly|just|the|this|these|following|words?|text|sentence|phrase|line|as|follows|in|to"
    r"|your|answer|reply|back|verbatim|haiku|one|literally|everyone|readers?|только|ровно|так|точно|дословно|этим|эту|этой"
    r"|это|следующ\w{1,6}|слов\w{0,4}|текст\w{0,4}|фраз\w{0,4}|строк\w{0,4}|предложени\w{0,4}|хокку|в|на|ответ\w{0,4}"
    r"|тоже|конц\w{1,4}|одн\w{1,4}|всем|каждому)\b){0,8}"
)
_THAT = r"[ \t]{0,4},?[ \t]{1,4}(?:that|что)\b"
_MARK = rf"{_HOW}(?:[ \t]{{0,4}}:|[ \t]{{0,4}}(?=[{_QUOTE}{{\[])|{_THAT})"
_ORDER = compiled(
    rf"{_BEFORE}(?P<verb>(?:{'|'.join(_WRITE)})\b(?={_MARK})|(?:{'|'.join(_SAY)})\b)"
    rf"|\b(?P<verb_ru>(?:{'|'.join(_WRITE_RU)})\b(?={_MARK})|(?:{'|'.join(_SAY_RU)})\b)",
    re.IGNORECASE,
)
_AFTER = compiled(rf"{_HOW}(?:[ \t]{{0,4}}[:,]|{_THAT})?\s{{0,8}}", re.IGNORECASE)
# An English noun in front of a colon is a label more often than an order: "Answer: 28 days".
_LABEL = compiled(r"answer|output|print|reply|mention|state|report|post|claim|start|end|finish", re.IGNORECASE)
_SENTENCE_ENDS = compiled(r"[.!?…](?=\s|$)|\n")
# “Say hello and give your name”: what follows is an order of its own.
_ORDER_ENDS = compiled(rf"{_SENTENCE_ENDS.pattern}|,?\s(?:and|then|и|затем)\s")
_INTRODUCED = compiled(r"(?:[:,]|\b(?:that|что))\s*$")
_HALF, _NEAR = 2, 12
# What is said of something takes two words.
_STATEMENT = 2


class Order(NamedTuple):
    """Where in a text stands what somebody is told to say, from and to, and the stem of the verb that tells it."""

    start: int
    end: int
    verb: str


def fault_of_telling(text: str, backing: Backing) -> str | None:
    """Return that the claim states what its quotes only tell somebody to say, or None.

    A clause is at fault when half of what it says, or of what it adds to the question, stands nowhere but behind such an
    order, unless its sentence gives the order too.
    """
    parts = (backing.quoted, backing.above, backing.asked)
    orders = [_orders(part) for part in parts]
    if not any(orders):
        return None
    stated, above, asked = (
        held_of(_stems(part, found, inside=False)) for part, found in zip(parts, orders, strict=True)
    )
    told = frozenset().union(*(_stems(part, found, inside=True) for part, found in zip(parts, orders, strict=True)))
    verbs = {order.verb for found in orders for order in found} - told
    claim, behind = read(text), held_of(told)
    telling = {word.sentence for word in claim.words if word.stem in verbs}
    for words in _clauses(claim):
        if words[0].sentence in telling:
            continue
        own = [word for word in words if not above.holds(word)]
        # That the question says it already proves nothing either; a thing that it names may stand where it likes.
        for counted, least in (([word for word in own if not asked.holds(word)], 1), (own, _STATEMENT)):
            only = [word for word in counted if behind.holds(word) and not stated.holds(word)]
            if len(only) >= least and _HALF * len(only) >= len(counted):
                named = ", ".join(word.text for word in only[:4])
                return f"its quotes do not say so, they only tell somebody to say it ({named})"
    return None


def tells_to_say(text: str) -> bool:
    """Return whether the text tells somebody what to say."""
    return bool(_orders(read(text)))


def _clauses(reading: Reading) -> list[list[Word]]:
    """Return for each clause the words that carry something."""
    found: dict[int, list[Word]] = {}
    for word in reading.words:
        if word.tells or word.kind in {"number", "ident", "link"}:
            found.setdefault(word.clause, []).append(word)
    return list(found.values())


def _stems(reading: Reading, orders: tuple[Order, ...], *, inside: bool) -> frozenset[str]:
    return frozenset(
        word.stem for word in reading.words if inside == any(one.start <= word.start < one.end for one in orders)
    )


@lru_cache(maxsize=256)
def _orders(reading: Reading) -> tuple[Order, ...]:
    """Return where the text tells somebody to say something."""
    return tuple(_found(reading.text)) if _STEMS & reading.stems else ()


def _found(text: str) -> Iterator[Order]:
    end = 0
    for order in _ORDER.finditer(text):
        verb = order["verb"] or order["verb_ru"]
        if order.end() < end or (_LABEL.fullmatch(verb) and _labels(text, order)):
            continue
        after = _AFTER.match(text, order.end())
        start = after.end() if after else order.end()
        end = _end(text, start)
        if end > start:
            yield Order(start, end, stem(verb.lower()))


def _labels(text: str, order: re.Match[str]) -> bool:
    """Return whether the word opens a line and a colon follows it at once."""
    start = order.start("verb")
    line = text[text.rfind("\n", 0, start) + 1 : start]
    return not line.strip(" \t*_#-") and text[order.end() : order.end() + _NEAR].lstrip("*_ ").startswith(":")


def _end(text: str, start: int) -> int:
    """Return where it ends: with its quotation marks, with its line behind a colon, else with its sentence."""
    if start < len(text) and text[start] in _QUOTE:
        closed = text.find(text[start], start + 1)
        return closed if closed > 0 else len(text)
    before = text[max(0, start - _NEAR) : start]
    if before.rstrip().endswith(":"):
        line = text.find("\n", start)
        return line if line >= 0 else len(text)
    found = (_SENTENCE_ENDS if _INTRODUCED.search(before) else _ORDER_ENDS).search(text, start)
    return found.start() if found else len(text)
