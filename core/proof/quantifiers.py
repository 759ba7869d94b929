"""How far a statement goes: all or some, only, usually, must or may."""

import re
from functools import lru_cache

from core.proof.alongside import alongside
from core.proof.bounds import without_bounds
from core.proof.denials import REPLY
from core.proof.patterns import compiled
from core.proof.words import Reading

_WORDS = {
    "all": r"all|every|each|everyone|everybody|entire|entirely|always|whole|both|any|anyone|anybody|fully|completely|invariably"
    r"|все|всех|всем|всеми|всю|весь|вся|кажд(?:ый|ая|ое|ого|ому|ой|ую|ые|ым|ых|ыми|ом)|люб(?:ой|ая|ое|ого|ому|ым|ые|ую|ых|ыми|ом)"
    r"|всегда|целиком|полностью|оба|обе|обоих|обеих|всякий|поголовно|ежедневно|ежемесячно|еженедельно|daily|weekly|monthly|per",
    "some": r"one of (?:them|you|us|the (?!most|best|\w+est\b)\w+)|some|several|certain|sometimes|partly|partially|occasionally|a few|few|in part|selected|part of|someone|somebody"
    r"|один из|одна из|одного из|одному из|одним из|одном из|одной из|одну из|некоторые|некоторых|некоторым|несколько|нескольких|иногда|частично|часть|части|отдельные|отдельных|отдельным|изредка|порой|кое-кто|кто-то|кто-нибудь",
    "most": r"most(?! \d)|mostly|usually|generally|typically|normally|majority|mainly|often|as a rule|in general|frequently"
    r"|большинство|большинства|большинству|обычно|чаще|часто|как правило|в основном|преимущественно|зачастую|большая часть",
    "only": r"only|solely|exclusively|just|merely|alone|nothing but|nobody but|no one but|sole|nobody else|no one else"
    r"|только|лишь|исключительно|единственный|единственная|единственное|единственного|один лишь|никто кроме|одна лишь|не иначе как",
}
_MODALS = {
    "must": r"must|have to|has to|had to|required|requires|require|obliged|obligatory|mandatory|shall|compulsory|needs to|need to|is to be|are to be|needed|necessary|bound to|needs|need|essential|has got to"
    r"|должен|должна|должно|должны|обязан|обязана|обязано|обязаны|необходимо|нужно|нужна|нужен|нужны|требуется|требуются|требует|обязательно|обязателен|обязательна|обязательны|обязательный|обязательная|обязательное|надо|необходим|необходима|придется|потребуется|обязательным|требуют",
    "should": r"should|recommended|recommend|recommends|advised|advisable|ought to|encouraged|preferably|advises|suggested|ideally"
    r"|следует|рекомендуется|рекомендуем|рекомендуют|желательно|желателен|желательна|стоит|советуют|советуем|лучше|рекомендован\w*|предпочтительно|рекомендует|рекомендации",
    "may": r"may|can|could|might|allowed|optional|optionally|possible|permitted|voluntary|free to|able to|entitled|at will|if (?:they|you|it) (?:wish|want|like)|option|permits|lets|permission|right to|possibly|voluntarily|allows"
    r"|может|могут|можете|можно|вправе|разрешено|разрешается|разрешен|разрешена|разрешены|допускается|допускаются|по желанию|возможно|возможен|необязателен|необязательно|необязательна|добровольно|добровольна|право|позволяет|позволено|имеет право",
}
_BINDING = frozenset(_MODALS)
_CLASSES = {name: compiled(rf"\b(?:{words})\b") for name, words in (_WORDS | _MODALS).items()}
# What is taken out of a text before its classes are looked for leaves no word of one that was not there.
_ANY = compiled(rf"\b(?:{'|'.join((_WORDS | _MODALS).values())})\b")
# A denial before or after a modal makes something else of it.
_DENIED = compiled(
    r"\b(?:(?:must|may|can|should|shall|could|do|does|did|is|are|was|were|need|has|have) ?(?:not|n't|never)\b(?: (?:be|have|need|allowed|required|obliged|to|necessary|permitted|possible|recommended)){0,3}"
    r"|(?:nobody|no one|none of \w+) (?:has to|needs to|have to|need)|никому не (?:нужно|надо|обязательно)|cannot|can't|mustn't|needn't|no (?:\w+ ){0,2}(?:may|can|must|required|needed|necessary)|nobody (?:may|can|must)|no one (?:may|can|must)|never (?:may|can|must)|only (?:may|can)"
    r"|(?:не|нет)(?: (?:был\w*|будет|будут))? (?:должен|должна|должно|должны|обязан\w*|необходимо|нужно|нужна|нужен|нужны|требуется|требуются|может|могут|можно|вправе|разрешено|разрешается|допускается|допускаются|следует|рекомендуется|обязательно|обязател\w+|надо|стоит|имеет права|возможно|имеют права)|нельзя)\b"
)
_BOUNDING = compiled(
    r"\b(?:at most|at the most|as many as|up to|just over|just under|not only|not just|не только|the most|at all(?=[.,;]|$)|после всего|прежде всего|всего|first of all|only then|only (?:needs?|has|have) to|только (?:потом|затем|тогда)|all-|any more|any longer|чаще всего|больше всего|может быть)\b"
)
_MAY_MONTH = compiled(
    r"\b(?:\d{1,2}(?:st|nd|rd|th)? (?:of )?may|may \d|in may|by may|since may|until may|from may|of may|early may|late may)\b"
)


_NOT_ONLY = compiled(r"\b(?:not (?:only|just|merely)|не только)\b")


@lru_cache(maxsize=256)
def reach(reading: Reading) -> frozenset[str]:
    """Return the classes of words in the text that say how far it goes; denied modals do not count."""
    return reach_of(REPLY.sub("", reading.low))


@lru_cache(maxsize=1_024)
def reach_of(low: str) -> frozenset[str]:
    """Return the same of a text in lower letters, or of a part of one."""
    if not _ANY.search(low):
        return frozenset()
    low = _BOUNDING.sub(" ", _MAY_MONTH.sub(" ", without_bounds(low)))
    low = _DENIED.sub(" ¬ ", low)
    return frozenset(name for name, pattern in _CLASSES.items() if pattern.search(low))


def fault_of_reach(claim: Reading, quoted: Reading, known: Reading) -> str | None:
    """Return how the claim goes further, or less far, than its quotes."""
    said, held, around = reach(claim), reach(quoted), reach(known)
    return _all(claim, said, held, around) or _part(claim, said, held, around, known)


def _all(claim: Reading, said: frozenset[str], held: frozenset[str], around: frozenset[str]) -> str | None:
    if "all" in said and "all" not in around and (found := held & {"some", "most", "only"}):
        return _told("all", found)
    if "all" in said - around and re.search(r"\b(?:always|всегда)\b", claim.low):
        return "it says “always”, and its quotes do not"
    return None


def _part(
    claim: Reading, said: frozenset[str], held: frozenset[str], around: frozenset[str], known: Reading
) -> str | None:
    if "only" in held and _NOT_ONLY.search(claim.low) and not _NOT_ONLY.search(known.low):
        return "it says “not only”, its quotes say “only”"
    if "only" in said and not around & {"only"} and not _excludes(known):
        return "it says “only”, and its quotes do not"
    if "some" in said and "some" not in around and "all" in held:
        return _told("some", {"all"})
    if "most" in said - around and not held & {"some"}:
        return "it says “most” or “usually”, and its quotes do not"
    if "most" in said and "some" in held and "most" not in held:
        return _told("most", {"some"})
    return None


def fault_of_binding(claim: Reading, quoted: Reading) -> str | None:
    """Return how a sentence of the claim binds more, or less, than the one of the quotes that it is nearest to."""
    for one in alongside(claim, quoted) if reach(claim) & _BINDING else ():
        said, held = (
            reach_of(reading.low[words[0].start : words[-1].end])
            for reading, words in ((claim, one.own), (quoted, one.other))
        )
        if "must" in said - held and (found := held & {"may", "should"}) and not ("only" in held and "may" in held):
            return _told("must", found)
        if "should" in said - held and (found := held & {"must"}):
            return _told("should", found)
        if "may" in said - held and (found := held & {"must", "should"}) and "must" not in said:
            return _told("may", found)
    return None


def _excludes(reading: Reading) -> bool:
    return (
        re.search(
            r"\b(?:nobody|no one|none|except|but|other than|unless|without|never|никогда|нельзя|forbidden|prohibited|без|запрещ\w+|запрет\w*|кроме|никто|иначе как|not|не|no|нет)\b",
            without_bounds(reading.low),
        )
        is not None
    )


def _told(said: str, held: set[str] | frozenset[str]) -> str:
    return f"the claim says “{said}”, its quotes say “{min(held)}”"
