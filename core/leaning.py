"""What a question says of itself: the signs that it leans on what was said before, in English and in Russian."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from core.text import normalise, stem, terms, words

# How a message opens that goes on from the one before it: connectives, reactions, corrections.
_OPENING = re.compile(
    r"(?:and|but|also|or|then|so|oh|ok|okay|well|no|yes|yeah|right|wow|interesting|really|thanks|what about|how about|"
    r"i meant|instead|sorry|hm+|ну а|а то|а|ну|и|но|или|также|тогда|как насчет|нет|да|ок|ясно|понятно|интересно|"
    r"(?:all|everyone|everything|all of them|anything) (?:but|except|apart from|save)|"
    r"(?:все|всех|всем|любой|любые) (?:их )?(?:кроме|за исключением|помимо)|"
    r"спасибо|я имел в виду|я имела в виду|я про|я о|еще|только|кроме|простите|извините?|хм+|то есть|точнее|вернее)"
    r"(?=[\s,.!?:;…—-]|$)"
)
_OPENS = re.compile(rf"[\s,.!?:;…—-]*{_OPENING.pattern}")
# A word of reaction begins a new question as well as one that goes on: a whole question behind it says all by itself.
_REACTION = re.compile(
    r"(?:(so|then|also|oh|ok|okay|well|yes|yeah|right|wow|interesting|thanks|thank you|тогда|также|да|ок|ясно|понятно|"
    r"интересно|спасибо|(?:хорошо|ладно|отлично|great|fine|good)(?=\s*[,.!—-])|так(?=\s*,|\s+(?:а\s+)?(?:что|кто|кого|кому|"
    r"кем|когда|где|куда|откуда|почему|зачем|как(?:ой|ая|ое|ие|их|им)?|сколько|чей|чья|чье|чьи)\b))"
    r"(?=[\s,.!?:;…—-]|$)[\s,.!?:;…—-]*)+"
)
_MEANT = re.compile(r"\b(?:i mean|i meant|имела? в виду)\b")
# What asks: without any of these, a message of a few words is a piece of a question.
_ASKS = re.compile(
    r"\b(?:what|which|who|whom|whose|when|where|why|how|что|чего|чему|чем|кто|кого|кому|кем|ком|когда|где|куда|откуда|"
    r"почему|зачем|как|как(?:ой|ая|ое|ие|их|ую|им|ими|ом|ому|ов|ова|овы)|сколько|скольки|чей|чья|чье|чьи|отчего)\b"
)
_ASKS_FIRST = re.compile(
    r"(?:is|are|was|were|am|do|does|did|can|could|may|might|will|would|should|shall|must|has|have|had|tell|show|list|give|"
    r"explain|describe|compare|find|please|расскажи|покажи|перечисли|дай|объясни|опиши|сравни|найди)\b"
)
# "For twins?", "Without asking?", "Если уволюсь?": the rest of a question that was asked before.
_HANGS = re.compile(
    r"(?:in|on|at|for|from|to|with|without|by|after|before|until|since|under|over|per|during|as|than|of|if|because|unless|"
    r"в|во|на|за|из|от|для|с|со|без|до|по|после|перед|при|у|к|о|об|через|кроме|если)\b"
)
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|am|do|does|did|can|could|may|might|will|would|should|shall|must|has|have|had)\b"
)
# "What is the interval?": known from before, or there would be more to say of it.
_DEFINITE = re.compile(r"\bthe \w+$")
_MOST_DEFINITE, _MOST_BARE, _MOST_BRIEF = 6, 3, 2
# Words that stand for something said earlier.
_ANAPHOR = re.compile(
    r"\b(it|its|they|them|their|he|she|him|her|his|there|this|that|these|those|one|ones|other|others|another|same|"
    r"former|latter|else|such|"
    r"он|она|оно|они|его|ее|их|ему|ей|им|ими|ею|ним|ней|нее|него|них|нем|нему|там|туда|оттуда|"
    r"это|этого|этой|этом|этому|этим|этот|эта|эту|эти|этих|этими|тот|та|ту|те|тех|той|того|том|"
    r"такой|такая|такое|такие|таких|так|такую|другой|другая|другое|другие|других|второй|втором|последний|последним|"
    r"первый|первом|остальные|остальных|обоих|оба|обе)\b"
)
# "Is there a dress code?", "It is Friday", "Is it allowed to …", "тот, кто …": they stand for nothing said earlier.
_EXPLETIVE = re.compile(
    r"\b(?:is|are|was|were|be|been) there\b|\bthere(?:['’]s| (?:is|are|was|were|be|been|will|has|have|to))\b"
    r"|^it(?:['’]s| is| was)\b"
    r"|\bit (?:(?!relat|compar|connect|link|refer|appl|belong|contribut|lead)\w+ ){1,2}to (?=\w)"
    r"|\b(?:those|they) who\b|\b(?:тот|та|те|тех|того),? (?:кто|котор)"
    r"|\bthat (?=(?:are|is|was|were|can|could|has|have|had|help|will|would|you|i|we|they|the|a)\b)"
    r"|\b(?:что|кто|где|когда|как) (?:это )?так(?:ое|ой|ая|ие)\b|\bэто (?:правда|верно)\b"
    r"|\b(?:this|these) (?:year|month|week|quarter|morning|company|team)\b"
    r"|\bэт\w+ (?:год|месяц|недел|квартал|компани)\w*"
    r"|\b(?:one|another) (?:of|day|week|month|year|time|person)\b|\bso (?:many|much|far)\b"
)
# "The scheme and its cost": the word stands for what the same sentence names before the "and".
_OF_ITS_OWN = re.compile(
    r"\w{3,}[^.!?]*\b(?:and|or|but|because|if|when|и|или|но|если|когда)(?: (?:what|why|how|where|when|who|is|are|does|"
    r"do|did|can|if|for|of|with|почему|зачем|как|где|когда|кто|что|чем|о|в|с|для|на|за|у)){0,3} $"
)
# "Their laptops" are those of whom the same sentence names before.
_POSSESSIVE = frozenset({"its", "their", "his", "her", "его", "ее", "их"})
# The asker says it: this is about something else.
_TURNS_AWAY = re.compile(
    r"\b(?:something else|(?:another|other|different|new|separate) (?:question|topic|subject|matter|thing)|by the way|"
    r"unrelated|btw|one more (?:thing|question)|next (?:topic|question|subject)|moving on|off topic|"
    r"(?:другой|новый|отдельный) вопрос|еще (?:один |такой )?вопрос|следующ(?:ее|ий вопрос)|(?:друг|нов)\w+ тем\w+|"
    r"о другом|кстати|не по теме)\b"
)
# "Thanks! Another question: …": what is asked stands behind it.
_TURN = re.compile(
    r"^\W*(?:(?:thanks|thank you|ok|okay|and|so|well|now|great|спасибо|ясно|понятно|хорошо|ок|а|и|теперь)[\s,.!]+)*"
    rf"(?:{_TURNS_AWAY.pattern})[^:,.!?—–]{{0,20}}?(?:[:,.!?—–]|\s-\s)\s*(?=\w+\W+\w)",
    re.IGNORECASE,
)
_DEFINITION = re.compile(r"(?:what|who)(?: is| are|['’]s| was| were)\b|что такое\b|кто так\w+\b|что значит\b")
# Read before anything is folded: IT is a department, "it" is not.
_ACRONYM = re.compile(r"\b[A-ZА-ЯЁ]{2,}\b")
_NO_NAMES = frozenset({"OK", "ОК", "НЕТ", "ДА", "NO"})
_QUOTED = re.compile(r"[«\"“][^«»\"“”]+[»\"”]")
_START = re.compile(r"(?:^|[.!?…]\s+)\W*")
# What stands between names that are but listed.
_LISTED = re.compile(r"[,;/&+]|\b(?:and|or|и|или)\b", re.IGNORECASE)

# So many characters before a word may hold what it stands for.
_LOOK_BACK = 200

# Nouns, adjectives and verbs that ask "of what?": alone they name no subject, in whatever corpus.
_GENERAL = """
type kind sort form version variety variant category class group example instance part component element aspect
feature characteristic property quality detail step stage phase level layer
advantage disadvantage benefit drawback pro con risk danger effect impact influence consequence implication result
outcome cause reason purpose goal objective aim role function use usage application significance importance meaning
definition cost price fee budget size age length duration weight height rate amount number quantity capacity limit
limitation restriction requirement condition criterion rule exception deadline date time year period history origin
background beginning start end future location place address contact owner author founder inventor creator leader
manager member participant character winner name title symptom treatment cure side diagnosis prevention
difference similarity relationship relation connection link comparison contrast alternative option choice solution
answer problem issue challenge difficulty concern criticism argument evidence finding fact information
process procedure method approach technique way mechanism principle theory theme topic plot
main important key major popular famous common typical usual best worst good bad better worse largest biggest smallest
oldest youngest newest latest fastest cheapest expensive different similar specific general basic
available needed required possible necessary modern recent current next previous long short term
work happen occur begin change compare differ affect cause mean look feel take help come go do become develop
describe explain show list give name
вид тип форма версия вариант категория класс группа пример часть элемент аспект особенность свойство качество деталь
шаг этап фаза уровень преимущество недостаток плюс минус польза выгода риск опасность последствие эффект влияние
результат итог причина цель задача роль функция применение использование значение смысл определение
стоимость цена бюджет размер возраст длина длительность вес высота объем количество число срок лимит ограничение
требование условие критерий правило исключение дата год время период история происхождение начало конец будущее
место адрес контакт владелец автор основатель создатель руководитель участник член название имя симптом лечение
отличие разница сходство связь сравнение альтернатива выбор решение ответ проблема вопрос трудность критика
доказательство факт информация процесс процедура способ метод подход принцип теория тема сюжет точность
главный основной важный ключевой популярный известный частый типичный лучший худший хороший плохой большой маленький
самый старый новый последний разный похожий подробный короткий общий доступный нужный возможный современный текущий
следующий прошлый поздний ранний долгий
работать происходить случиться начаться измениться сравнить отличаться влиять значить выглядеть помогать стать стоить
развиваться закончить закрыть длиться подробнее короче длиннее проще сделать мочь благодаря
описать объяснить показать перечислить назвать дать опиши объясни покажи перечисли назови дай сделай
"""
_GENERAL_STEMS = frozenset(stem(word) for word in normalise(_GENERAL).split())


@dataclass(frozen=True, slots=True)
class Signs:
    """What the words of a question show, by themselves.

    `opens`, `stands`: the word that does; `stands_after`: something stands between the topic and such a word.
    `names`: it names something; `bare`: and says nothing else. `topics` counts its words that carry a topic, `specific`
    those that name a subject of their own; `lacks`: the word at its end that asks "of what?"; `defines`: it asks what
    one thing is; `definite`: it ends with a thing that is known from before, as "the interval"; `asks`: a word asks;
    `hangs`: it begins in the middle of a question; `brief`: it has two words at most; `turns_away`: it says that it is
    about something else.
    """

    opens: str | None
    stands: str | None
    stands_after: str | None
    names: bool
    topics: int
    specific: int
    lacks: str | None
    defines: bool
    definite: bool
    asks: bool
    hangs: bool
    brief: bool
    bare: bool
    turns_away: bool


def signs_of(question: str, known: Collection[str] = ()) -> Signs:
    """Return the signs that the question shows; `known` are the names in it that the registry knows, as written."""
    acronyms = [] if question.isupper() else [word for word in _ACRONYM.findall(question) if word not in _NO_NAMES]
    folded = normalise(_ACRONYM.sub("", question) if acronyms else question).strip()
    turns_away = bool(_TURNS_AWAY.search(folded))
    reacts, opens, rest = ("", None, folded) if turns_away else _opened(folded)
    anaphor, after = (None, False) if turns_away else _anaphor(_EXPLETIVE.sub(" ", rest))
    topics = [term for term in terms(question) if not points_back(term)]
    specific = [term for term in topics if not is_general(term)]
    last = words(folded)[-1] if topics and words(folded) else ""
    named = [*known, *acronyms, *_QUOTED.findall(question)]
    names = bool(named or _is_named(question))
    whole = normalise(question).strip()
    said = (whole if turns_away else _opened(whole)[2]).lstrip(" ,.!?:;…—-").rstrip(" ?!.…")
    definite = not names and len(words(said)) <= _MOST_DEFINITE and bool(_DEFINITE.search(said))
    asks = bool(_ASKS.search(said))
    bare = names and not asks and len(words(said)) <= _MOST_BARE
    brief = len(words(said)) <= _MOST_BRIEF
    asks_itself = asks or bool(_ASKS_FIRST.match(said))
    is_piece = anaphor or not (asks_itself and (known or (specific and not brief)))
    return Signs(
        opens=opens or (reacts if reacts and is_piece else None),
        stands=None if after else anaphor,
        stands_after=anaphor if after else None,
        names=names,
        topics=len(topics),
        specific=len(specific),
        lacks=last if last and is_general(stem(last)) else None,
        defines=_is_one(specific, topics, acronyms) and not definite and bool(_DEFINITION.match(normalise(question))),
        definite=definite,
        asks=asks_itself,
        hangs=not asks and bool(_HANGS.match(said)) and not _AUXILIARY.search(said),
        brief=brief,
        bare=bare and not _beside(specific, named) and not _asks_of(question, known, topics),
        turns_away=turns_away,
    )


def _is_one(specific: Collection[str], topics: Collection[str], acronyms: Collection[str]) -> bool:
    """Return whether one thing alone is spoken of; a department that is called IT is a stop word by its letters."""
    return len(specific) == len(topics) == 1 or (not topics and len(acronyms) == 1)


def asks_by_itself(signs: Signs, *, of_a_thing: bool = False) -> bool:
    """Return whether only its opening points back, and behind it a word asks of a subject that is no earlier one's.

    `of_a_thing`: the question before was about something that has a name. Then one word is asked of that: "And who is
    the client?" is not about clients.
    """
    piece = signs.stands or signs.stands_after or signs.bare or signs.hangs
    return bool(signs.opens and signs.asks and signs.specific > of_a_thing) and not (piece or signs.names)


def is_general(term: str) -> bool:
    """Return whether the search term names no subject by itself, in whatever corpus."""
    return term in _GENERAL_STEMS


def points_back(term: str) -> bool:
    """Return whether the search term stands for something said earlier."""
    return _ANAPHOR.fullmatch(term) is not None


def opening_of(message: str) -> str:
    """Return the words at its start by which the message goes on from the one before, folded, if there are any."""
    found = _OPENING.match(normalise(message).strip())
    return found.group() if found else ""


def without_opening(message: str) -> str:
    """Return the message, as it is written, without all words at its start by which it goes on from the one before."""
    folded, start = normalise(message), 0
    if len(folded) != len(message):
        return message
    while found := _OPENS.match(folded, start):
        start = found.end()
    return message[start:]


def asks(message: str) -> bool:
    """Return whether a word of the message asks."""
    folded = normalise(message)
    return bool(_ASKS.search(_OPENS.sub("", folded, count=1)) or _ASKS_FIRST.match(folded))


def without_expletives(folded: str) -> str:
    """Return the folded text without those of its words that look as if they stood for something said earlier."""
    return _EXPLETIVE.sub(" ", folded)


def turns_away(message: str) -> bool:
    """Return whether the asker says that it is about something else."""
    return bool(_TURNS_AWAY.search(normalise(message)))


def without_turn(question: str) -> str:
    """Return the question without the words at its head that only say that it is about something else."""
    found = _TURN.match(question.replace("ё", "е").replace("Ё", "Е"))
    return question[found.end() :] if found else question


def _opened(folded: str) -> tuple[str, str | None, str]:
    """Return the first word that reacts to what was said before, what goes on from that, and what stands behind both.

    In "Thanks! And on Sundays?" these are "thanks", "and" and "on Sundays?".
    """
    reacts = _REACTION.match(folded)
    rest = folded[reacts.end() :] if reacts else folded
    goes_on = _OPENING.match(rest)
    opens = goes_on or _MEANT.search(rest)
    return (
        reacts.group(1) if reacts else "",
        opens.group() if opens else None,
        rest[goes_on.end() :] if goes_on else rest,
    )


def _beside(specific: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return the words of the message that are in none of the known names in it."""
    named = {term for name in known for term in terms(name)}
    return [term for term in specific if term not in named]


def _asks_of(question: str, known: Collection[str], topics: Iterable[str]) -> bool:
    """Return whether something is asked of a known name: by a word beside it, or by another one, as "Anna's team".

    Names that are but listed are not asked of each other.
    """
    gaps: list[str] = []
    end = 0
    for name in known:
        start = max(end, question.find(name, end))
        gaps.append(question[end:start])
        end = start + len(name)
    return bool(known and _beside(topics, known)) or any(not _LISTED.search(gap) for gap in gaps[1:])


def _anaphor(said: str) -> tuple[str | None, bool]:
    """Return the first word that stands for something earlier, and whether a topic was named before it."""
    found = _ANAPHOR.search(said)
    before = said[max(0, found.start() - _LOOK_BACK) : found.start()] if found else ""
    if found is None or _OF_ITS_OWN.search(before):
        return None, False
    named = any(not is_general(term) for term in terms(before))
    return (None, False) if named and found.group(1) in _POSSESSIVE else (found.group(1), named)


def _is_named(question: str) -> bool:
    """Return whether a word inside the question is written like a name, or holds a digit."""
    if question.isupper():
        return False
    starts = {match.end() for match in _START.finditer(question)}
    return any(
        any(char.isdigit() for char in word.group())
        or (word.group()[0].isupper() and word.start() not in starts and word.group() != "I")
        for word in re.finditer(r"\w+", question)
    )
