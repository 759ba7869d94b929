"""How much a passage lacks of what makes a question specific: of annual leave it says nothing of any other leave.

Words that most pages share bring a passage near to any question. What sets the question apart must stand in the passage
or over it, in any form and by any word of the same meaning; else the passage is about something beside it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from core.asked import SHOWS
from core.asking import Sort, asked_for, asking_terms, parted
from core.context import AnswerContext
from core.counting import counted_first
from core.entities import is_name_term
from core.evidence import Unit
from core.nested import children_of
from core.outward import words_for
from core.proof.backing import Held
from core.proof.headings import standing_over
from core.proof.lexicon import light, meaning
from core.proof.words import Word, read
from core.text import normalise, stem, words

# Said of anything, or naming the sort of a value, which no value repeats: “a limit of”, “up to”.
_THIN = """
might must should may can need needed have make made do take give get last stay mean speak call go come came happen
start end per off out up back over under again same while before after during since own use used using new next kind
unused remaining one ones other others rest sort type way time case company people person thing possible work apply
there here which who whose begin price cost
limit deadline maximum minimum rate strength language condition rule amount number value level size address name day
hour minute week month year percent
который должно должен какой быть надо нужно нужен можно иметь есть находиться называться делать сделать получать
получить дать давать работать использовать применять писать раз
неиспользованный оставшийся другой остальной время вид тип компания человек люди проект новый самый
допустимый допустим допустимо срок лимит предел минимальный максимальный минимум максимум количество число размер
длина адрес условие правило язык день дня дней дни час часов минута минут неделя недель месяц месяцев год года лет
процент процентов рубль рублей
"""
# What names the sort of value that is asked for, and yet must be said: a price is money, and no salary.
_NAMED = "salary wage зарплата оклад жалованье"
_WHICH = re.compile(r"\b(?:which|what|как(?:ой|ая|ое|ие|ую|их|им|ими|ом))\s+(?!(?:is|are|was|were)\b)(\w[\w-]*)")
_THE = re.compile(
    r"\b(?:wh(?:at|o)(?: is| are| was| were|['’]s) (?:the|our|your|my)"
    r"|how (?:much|big|high|large|long|old|tall|far|wide|deep|heavy) (?:is|are|was|were) (?:the|a|an|our)) "
    r"((?:[\w-]+ )*?[\w-]+)(?= (?:of|for|to|in|on|at|from|with|per|by|when|if|after|before|during|that|which)\b|\W*$)"
)
# What is priced, who does it or is given it: no other thing's price, and nobody else's turn, tells it.
_END = r"(?= (?:of|for|to|in|on|at|from|with|per|by|when|if|after|before|during|that|which)\b|\W*$)"
_PRICED = re.compile(
    rf"\b(?:price|cost|fee) (?:of|for) (?:the |an? |our |one )?(?:[\w-]+ )*?([\w-]+){_END}"
    r"|\b(?:how much|what) do(?:es)? (?:the |an? |our |one )?(?:[\w-]+ )*?([\w-]+)(?= cost\b)"
    r"|\bсколько сто(?:ит|ят) (?:[а-я]+(?:ть|ти|чь) )?(?:[а-я-]+(?:ая|яя|ую|юю|ый|ий|ой|ое|ее|ые|ие) )*([а-я-]+)"
)
_DOER = re.compile(
    r"\bhow (?:often|long|soon|much|many)(?: [\w-]+){0,5}? (?:do|must|can|may|should) (?:the |our )?([a-z][a-z-]+s)\b"
    r"|\b(?:как (?:часто|долго|скоро)|сколько раз|когда) ([а-я-]{3,}[ыи]) [а-я]+[еёиуюая]т(?:ся)?\b"
    r"|(?<!по )(?<!\bк )(?<!ко )\b([а-я-]{3,}[ая]м)\b"
)
_WHO_LABELS = frozenset("who owner responsible assignee кто ответственный исполнитель".split())
_CHARGED = "responsible charge assigned handles отвечает отвечать ответственный занимается поручено исполняет"
_ANYBODY = """
employee person user customer member visitor guest passenger client patient student participant
сотрудник работник человек коллега пользователь клиент пассажир гость посетитель участник пациент студент
"""
_OF_SOMEBODY: frozenset[Sort] = frozenset({"duration", "number", "money"})
# How Russian verbs end, and behind what an English question has its verb.
_RUSSIAN_VERB = re.compile(r"[а-я]{2,}(?:[еёиуюая]т(?:ся)?|ть(?:ся)?|[аяиеуы]л(?:а|о|и)?(?:с[ья])?)")
_DOING = re.compile(
    r"\b(?:do|does|did|can|could|may|must|should|shall|will|would)\b(?: (?:i|we|you|they|he|she|it) (?P<verb>\w+))?"
)
# Of these the verb is what is asked for.
_HOW = re.compile(r"(?:how (?:do|does|did|can|may|must|should)|как (?!часто|долго|быстро|скоро))\b")
# “How many unused holiday days”: an amount, though words stand before its unit.
_AMOUNT = re.compile(
    r"\b(?:how many|сколько) (?:[\w-]+ ){0,2}"
    r"(?:day|hour|minute|week|month|year|percent|дн|час|минут|недел|месяц|лет|процент)"
)
# The scripts of the languages whose asking words are known: the Korean “when” stands in no answer.
_KNOWN = re.compile(r"[a-zà-žа-яё]")
# What the stem of a Russian adjective ends in, behind that of its noun.
_ADJECTIVE = ("ическ", "еск", "ск")
# A year or a version is not any other one.
_VERSION = re.compile(r"(?:19|20)\d\d|\d{1,3}\.\d{1,3}(?:\.\d+)*")
_WHO = re.compile(r"^(?:who|кто) (?:(?:has|have|had|will|can|may|must|should|to) (?:to )?)?(\w+)")
# A passage that lacks more of the question than this is about something else.
MOST_LACKING = 0.46
# Whoever asks in many words says some of it as no document would.
_LONG, _LEEWAY = 5, 1.25
# What a verb weighs that the passage says otherwise: it is exchanged more often than what it is said of.
_VERB, _OF_HEAD, _HEAD = 0.4, 1.4, 2.0


def lacking(quoted: Sequence[Unit], context: AnswerContext, said: str = "") -> float:
    """Return the share, 0 to 1, of the question's specific words that stand neither in what is quoted nor over it.

    `said` is what is told of it. A passage in another language shares no words with the question: nothing can be said
    of it.
    """
    if all(unit.foreign for unit in quoted):
        return 0.0
    asked = _asked(parted(context.question)[0], context.weights)
    held, inside = _held(quoted, said), Held(read("\n".join((*_inside(quoted), said))).stems)
    lacked = [one for one in asked if not _is_held(one.word, inside if one.counted else held)]
    if any(map(_tells_who, quoted)):
        lacked = [one for one in lacked if one.word.stem not in _stems(_CHARGED)]
    lacked = [one for one in lacked if not (_is_version(one.word) and _is_of_page(one.word, quoted, context))]
    # What is counted sets the question apart only where it is counted nowhere.
    told = [one for one in asked if not one.counted or one in lacked]
    total = _named(quoted, context) + sum(one.weight for one in told)
    if len(told) >= _LONG:
        total *= _LEEWAY
    return min(1.0, sum(one.weight * one.share for one in lacked) / total) if total else 0.0


def _tells_who(unit: Unit) -> bool:
    """Return whether the unit is a row with a column of those who do what it says: of them no verb tells it again."""
    return unit.part.kind == "row" and any(
        normalise(str(label)).strip(" :") in _WHO_LABELS for label in unit.part.labels
    )


def _is_held(word: Word, held: Held) -> bool:
    """Return whether the word is held, or the adjective made of it: хирургия, хирургическое отделение."""
    return held.holds(word) or any(f"{word.stem}{ending}" in held.stems for ending in _ADJECTIVE)


def is_thin(word: Word) -> bool:
    """Return whether the word may be said of anything, so that nothing is set apart by it."""
    return word.stem in light() or word.stem in SHOWS or word.stem in _stems(_THIN)


def adds_nothing(quoted: Sequence[Unit], question: str) -> bool:
    """Return whether they are items that stand in the question: “sheet music” does not tell where that is kept.

    An item with others under it is answered by those.
    """
    if any(unit.foreign or unit.part.kind != "item" or children_of(unit.part, unit.fact.parts) for unit in quoted):
        return False
    asked = Held(read(question).stems)
    return all(asked.holds(word) for unit in quoted for word in read(unit.words).words if word.kind != "sign")


def _is_of_page(word: Word, quoted: Sequence[Unit], context: AnswerContext) -> bool:
    """Return whether the word stands anywhere on a page that is quoted."""
    pages = {unit.fact.source.doc_id for unit in quoted}
    return any(word.low in normalise(fact.text) for fact in context.facts if fact.source.doc_id in pages)


def _named(quoted: Sequence[Unit], context: AnswerContext) -> float:
    """Return the weight of the question's names for which the quoted units, or what stands over them, have one."""
    said = frozenset().union(*(unit.part.terms | unit.fact.around for unit in quoted))
    return sum(weight for term, weight in context.weights if term in said and is_name_term(term))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A word that makes a question specific: how rare it is, how much its lack counts, and whether it is counted.

    The thing that is counted must be counted there: a title or a heading counts nothing.
    """

    word: Word
    weight: float
    share: float = 1.0
    counted: bool = False


@lru_cache(maxsize=256)
def _asked(question: str, weights: tuple[tuple[str, float], ...]) -> tuple[_Asked, ...]:
    """Return the words that make the question specific."""
    known, text = dict(weights), " ".join(normalise(question).split())
    named, first = _stems(_NAMED), None if _AMOUNT.search(text) else counted_first(question)
    left_out = (asking_terms(question) | SHOWS | light() | _stems(_THIN)) - named
    mean = sum(known.values()) / len(known) if known else 1.0
    found = []
    for word in read(question).words:
        if _is_version(word) and asked_for(text) != "money":
            found.append(_Asked(word, mean, _HEAD))
        elif word.stem in named:
            found.append(_Asked(word, known.get(word.stem, mean), _HEAD))
        elif word.stem == first and word.stem not in left_out:
            found.append(_Asked(word, known.get(word.stem, mean), _HEAD, counted=True))
        elif _tells(word) and word.stem in known and word.stem not in left_out and not _is_which(word, text):
            found.append(_Asked(word, known[word.stem], _share(word, text)))
    return tuple(found)


def _tells(word: Word) -> bool:
    """Return whether the word may set a question apart: of other scripts it is not known which words only ask."""
    return word.tells and word.kind == "word" and _KNOWN.match(word.low) is not None


def _is_version(word: Word) -> bool:
    return _VERSION.fullmatch(word.low) is not None


def _share(word: Word, text: str) -> float:
    the, who = _THE.search(text), _WHO.search(text)
    if _is_one_meant(word, text):
        return _HEAD
    if (the and word.low == words(the[1])[-1]) or (who and word.low == who[1]):
        return _HEAD
    if the and word.low in words(the[1]):
        return _OF_HEAD
    return _VERB if asked_for(text) != "person" and _is_verb(word, text) else 1.0


def _is_one_meant(word: Word, text: str) -> bool:
    """Return whether the word names the thing that is priced, or those who do a thing or are given it."""
    priced = _PRICED.finditer(text) if asked_for(text) == "money" else ()
    if any(word.low in found.groups() for found in priced):
        return True
    if asked_for(text) not in _OF_SOMEBODY or meaning(word.stem) in _meanings(_ANYBODY):
        return False
    return any(word.low in found.groups() for found in _DOER.finditer(text))


def _is_which(word: Word, text: str) -> bool:
    """Return whether the word says of which sort the answer is: “Which cipher encrypts it?” need not be told again."""
    return any(word.low == found[1] for found in _WHICH.finditer(text))


def _is_verb(word: Word, text: str) -> bool:
    if _HOW.match(text):
        return False
    if not word.low.isascii():
        return _RUSSIAN_VERB.fullmatch(word.low) is not None
    doing = _DOING.search(text)
    return doing is not None and word.low in (doing["verb"], *(() if doing["verb"] else words(text)[-1:]))


def _held(quoted: Sequence[Unit], said: str) -> Held:
    """Return what stands in the quoted units, and over them, and what is told of them."""
    over = dict.fromkeys(line for unit in quoted for line in standing_over(unit.part.span, unit.fact))
    return Held(read("\n".join((*_inside(quoted), *over, *_folders(quoted), said))).stems)


def _inside(quoted: Iterable[Unit]) -> Iterator[str]:
    for unit in quoted:
        yield from map(str, unit.part.labels)
        if unit.part.kind == "code":
            yield from (
                str(unit.fact.words(part.span)) for part in unit.fact.parts if part.block == unit.part.block - 1
            )
        yield unit.words
        yield words_for(unit.fact.links, unit.part.span)


def _folders(quoted: Iterable[Unit]) -> Iterator[str]:
    for doc_id in dict.fromkeys(unit.fact.source.doc_id for unit in quoted):
        yield re.sub(r"[\W_]+", " ", doc_id)


@cache
def _stems(said: str) -> frozenset[str]:
    return frozenset(map(stem, said.split()))


@cache
def _meanings(said: str) -> frozenset[str]:
    return frozenset(meaning(one) for one in _stems(said))
