"""What is said with a reserve (may, plans to, usually, almost all, about 500): a claim may not say it without one."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from core.proof.alongside import Beside, alongside, says
from core.proof.backing import Backing
from core.proof.patterns import compiled
from core.proof.words import Reading, Word, read

# What a reserve is on: the verb behind it, the noun behind it, the number or the “all” behind it, its whole clause.
Scope = Literal["verb", "noun", "next", "clause"]

_VERBAL_EN = (
    r"may|might|could|should|ought to"
    r"|(?:plan|intend|aim|hope|want|seek|wish|propose|tr(?:y|ies|ied)|attempt|promise|expect|prepare|seem|appear|tend|need not)(?:s|es|d|ed|ing)? to"
    r"|(?:is|are|was|were|be|been)(?: \w+ly| still| also| not yet)? (?:planned|scheduled|expected|due|supposed|meant|intended|set|likely|unlikely|believed|said|thought|reported|rumou?red|alleged|projected|forecast|proposed|hoped|ready) to"
    r"|(?:is|are|was|were)(?: also| still)? (?:planning|intending|hoping|aiming|trying|preparing|considering|going)(?: to)?"
    r"|considers|(?:has|have|had) (?:plans|agreed|promised|offered) to"
)
_INFINITIVE = r"(?= (?:[а-я]+ ){0,3}?[а-я]+(?:ть|ти|чь)(?:ся|сь)?\b)"
_VERBAL_RU = (
    rf"(?:может|могут|мог|могла|могло|могли|сможет|смогут|намерен[аоы]?|собира(?:ет|ют)ся|собирал\w+сь|хо(?:чет|тят)|хотел[аи]?|наде(?:е|ю)тся|надеял\w+сь"
    rf"|рассчитыва(?:ет|ют|л[аи]?)|обеща(?:ет|ют|л[аи]?)|пыта(?:ет|ют|л[аи]?)(?:ся|сь)|стрем(?:ит|ят)ся|готов(?:ит|ят)ся|предлага(?:ет|ют)|предложил[аи]?"
    rf"|(?:долж(?:ен|на|но|ны)) был[аио]?|был[аио]? должн[аоы]|рекоменду(?:ет|ют)(?:ся)?|следует|желательно|планирова(?:л|ла|ли|ть)|долж(?:ен|на|но|ны)){_INFINITIVE}"
    r"|планиру(?:ет|ют)(?:ся)?|ожида(?:ет|ют)(?:ся)?|предполага(?:ет|ют)ся|предполагалось|планировалось|ожидалось|намечен[аоы]?|запланирован[аоы]?"
)
_CLAUSE = (
    r"probably|possibly|perhaps|maybe|presumably|apparently|seemingly|supposedly|allegedly|reportedly|potentially|most likely|very likely"
    r"|arguably|tentatively|provisionally|usually|often|sometimes|generally|typically|normally|mostly|mainly|frequently|occasionally|rarely|seldom|as a rule"
    r"|in (?:most|some|many|certain) cases|in general|largely|partly|partially|at times|temporarily|most of the time|for the most part"
    r"|вероятно|(?<=, )возможно(?=[, ])|(?<![^.!?\n] )возможно,|видимо|похоже,|кажется,|наверное|скорее всего|может быть|предположительно|якобы|вроде бы|ориентировочно"
    r"|обычно|часто|иногда|как правило|зачастую|в основном|чаще(?: всего)?|нередко|редко|изредка|порой|преимущественно|в большинстве случаев|частично|отчасти|временно"
)
_NEXT = (
    r"(?:almost|nearly|practically|virtually|почти|практически)"
    r"|(?:about|around|approximately|roughly|circa|some|примерно|около|приблизительно|порядка|где-то)(?= [€$£₽]?\d)"
)
_FRACTION = r"(?:a|one|two|three) (?:third|quarter|fifth|tenth|half|halve)s?|half"
_NOUN = (
    rf"(?<!as )(?<!how )(?<!too )(?<!at )(?:{_FRACTION}|most|some|many|several|few|a few|the majority|a majority|a minority|(?:a )?parts?(?= of)|a number|certain)(?: of)?(?: (?:the|our|its|all|these|those|his|her|their))*"
    r"|(?:большинств[оау]|некоторы[ехм]\w*|многи[ехм]\w*|несколько|половин[аеуы]|треть|трети|четверть|четверти|част[ьи]|отдельн(?:ые|ых|ым)|бо?льшая часть)(?: из)?"
)
_FOUND = compiled(
    rf"\b(?:(?P<verb>{_VERBAL_EN}|{_VERBAL_RU})|(?P<noun>{_NOUN})|(?P<next>{_NEXT})|(?P<clause>{_CLAUSE}))(?!\w)"
)
# A month, and what may not be done.
_NO_RESERVE = compiled(
    r"\b(?:\d{1,2}(?:st|nd|rd|th)? (?:of )?|in |by |since |until |from |of |early |late |to )may\b|\bmay \d|\b(?:may|might|could|should)(?: only)? not\b|\bmay only\b"
    r"|\b(?:не|никто не) (?:может|могут|мог\w*|сможет|смогут|следует|рекоменду\w+|долж\w+)|\bдолжн?[аоы]? быть\b"
)
# What a claim may say instead of any reserve.
_COMMON = (
    r"likely|unlikely|expected|most|some|many|several|few|chance|risk|estimated|tentative|temporary|not (?:all|every|always|necessarily)|as a rule|possibl[ey]"
    r"|шанс|риск|большинств\w+|некотор\w+|многи\w+|не (?:все|всегда|каждый|всех|всем)|временн\w+|возможн\w+"
)
# And of one on a verb, or on a part of many.
_INSTEAD = {
    "verb": r"can|able|allowed|permitted|option|optional|entitled|right to|free to|welcome|lets?|allows?|available|must|has to|have to|required|recommend\w*|advise[sd]?|suggested"
    r"|planned|plans?|intended|intends|intention|aims?|goal|hopes?|wants?|supposed|propos\w+|scheduled|due|target|up to|under consideration|not yet|yet to|awaited"
    r"|можно|вправе|разреш\w+|допуска\w+|позвол\w+|право|способ\w+|доступ\w+|должн\w+|должен|нужно|необходимо|обязан\w*|рекоменд\w+|советуют|следует|желательн\w+"
    r"|план\w+|намер\w+|намеч\w+|запланир\w+|цель|хо(?:чет|тят)|хотел\w*|собира\w+ся|наде\w+тся|ожида\w+|предпол\w+|предлаг\w+|предлож\w+|пока не|может|могут",
    "noun": r"%|percent|per cent|share|half|third|quarter|part|\d+|not everyone|процент\w*|дол[яиею]|половин\w+|трет[ьи]\w*|четверт\w+|част[ьи]\w*|отдельн\w+",
    "next": r"about|around|approximately|roughly|circa|or so|up to|except|just under|close to|примерно|около|приблизительно|порядка|где-то|до|кроме|за исключением",
    "clause": r"can|could|tends?|can be|sometimes|in part|on the whole|может|могут|бывает|отчасти",
}
_TOO = {scope: compiled(rf"(?<!\w)(?:{_COMMON}|{words})(?!\w)") for scope, words in _INSTEAD.items()}
# What is due may be told as what is done, and not as what was or will be.
_DUE = frozenset("должен должна должно должны".split())
_PAST = compiled(r"[аеиыуя]л(?:а|о|и)?(?:ся|сь)?$|(?<=[сзгкр])л[аои](?:сь)?$")
_HALF = 0.5
_PASSED = frozenset("be been have being also only even not to the a an of more".split())
_ARTICLES = frozenset("the a an of for this that its our".split())
_BESIDES = 2


class Hedge(NamedTuple):
    """A reserve: its words, where they begin and end, and what it is on."""

    words: str
    start: int
    end: int
    scope: Scope


def doubt_of_hedges(text: str, backing: Backing) -> str | None:
    """Return the reserve with which the quotes say what the claim says without any, or None."""
    if not hedges(backing.quoted):
        return None
    claim = read(text)
    for beside in alongside(claim, backing.quoted):
        low = _NO_RESERVE.sub(" ", claim.low[beside.own[0].start : beside.own[-1].end])
        if _FOUND.search(low):
            continue
        first, last = beside.other[0].start, beside.other[-1].end
        for hedge in hedges(backing.quoted):
            if first <= hedge.start < last and not _TOO[hedge.scope].search(low) and _is_told(hedge, beside):
                return f"its quotes say so with a reserve (“{hedge.words}”), and it does not"
    return None


def _is_told(hedge: Hedge, beside: Beside) -> bool:
    """Return whether the claim tells what the reserve is on."""
    there = [at for at, word in enumerate(beside.other) if word.start >= hedge.end]
    partners = {other: own for own, other in beside.pairs}
    if hedge.scope == "clause":
        return _is_of_clause(hedge, beside)
    if hedge.scope == "next":
        return bool(there) and _is_next(there[0], beside, partners)
    target = next((at for at in there if beside.other[at].says and beside.other[at].low not in _PASSED), None)
    if hedge.scope == "noun":
        return target in partners and len(partners) >= _BESIDES and _is_of_clause(hedge, beside)
    return target is not None and _is_done(hedge, target, beside, partners)


def _is_done(hedge: Hedge, target: int, beside: Beside, partners: dict[int, int]) -> bool:
    """Return whether the claim tells what a verb behind a reserve says, by itself or by what it is done to."""
    if target not in partners:  # another verb for it
        behind = [at for at in range(target + 1, len(beside.other)) if beside.other[at].says][:_BESIDES]
        return hedge.words not in _DUE and len(behind) == _BESIDES and all(at in partners for at in behind)
    if not _is_verb(partners[target], beside.own):
        return False
    own = beside.own[partners[target]].low
    return hedge.words not in _DUE or _PAST.search(own) is not None or _is_future(own, beside.other[target].low)


def _is_future(own: str, infinitive: str) -> bool:
    """Return whether a Russian verb tells what will be of the one that its infinitive tells: поступит of поступить."""
    return infinitive.endswith("ить") and own.startswith(infinitive.removesuffix("ть"))


def _is_next(at: int, beside: Beside, partners: dict[int, int]) -> bool:
    """Return whether the claim has the number, the “all” or the word that comes right behind."""
    word = beside.other[at]
    if word.kind == "sign":
        word = beside.other[at + 1] if at + 1 < len(beside.other) else word
    return any(own.low == word.low or own.stem == word.stem for own in beside.own) or at in partners


def _is_of_clause(hedge: Hedge, beside: Beside) -> bool:
    """Return whether most of what the claim shares with the sentence is in the clause of the reserve."""
    words = _clause_of(hedge, beside.other)
    inside = [one for one in words if one.start in beside.matched]
    said = sum(map(says, words))
    return len(inside) > _HALF * len(beside.pairs) and len(inside) >= min(_BESIDES, said - 1)


def _clause_of(hedge: Hedge, words: tuple[Word, ...]) -> list[Word]:
    """Return the words of the clause of a reserve: what one behind a comma leads in goes to the next comma."""
    at = next((place for place, word in enumerate(words) if word.end > hedge.start), len(words) - 1)
    clause = [word for word in words if word.clause == words[at].clause]
    behind = [place for place, word in enumerate(words) if word.start >= hedge.end]
    if not words[at].comma or (behind and words[behind[0]].comma):
        return clause
    end = next((place for place in behind if words[place].comma), len(words))
    return [word for word in words[at:end] if word.clause == words[at].clause]


def _is_verb(place: int, words: tuple[Word, ...]) -> bool:
    """Return whether a word may be the verb of the claim: it is not led by an article, nor a noun that begins it."""
    return place > 0 and words[place - 1].low not in _ARTICLES


@lru_cache(maxsize=256)
def hedges(reading: Reading) -> tuple[Hedge, ...]:
    """Return the reserves of a text in order."""
    return tuple(_hedges(reading.low))


def _hedges(low: str) -> Iterator[Hedge]:
    taken = [sign.span() for sign in _NO_RESERVE.finditer(low)]
    for sign in _FOUND.finditer(low):
        if any(start <= sign.start() < end for start, end in taken):
            continue
        scope: Scope = sign.lastgroup  # type: ignore[assignment]  # the pattern's groups are the scopes
        yield Hedge(sign.group(), *sign.span(), scope)
