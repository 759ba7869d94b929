"""Words for all and for one alone, each on its own word: “only managers approve” is not “approve only requests”."""

import re

from core.proof.alongside import Beside, alongside
from core.proof.backing import Backing
from core.proof.denials import denials, is_denying
from core.proof.names import is_verbal
from core.proof.patterns import compiled
from core.proof.quantifiers import reach_of
from core.proof.words import Reading, Word, read

_ONLY = frozenset("only solely exclusively только лишь исключительно".split())
# What stands between an English “only” and the noun that it is said of, and behind what it is said of the verb.
_LEADS = frozenset("the a an by in on at for to from with of under our their his her its these those".split())
_OF = frozenset("of the a an".split())
_AUXILIARIES = frozenset("may can could must should will is are was were be been has have".split())
_JOINING = frozenset("and or и или либо".split())
_ALL_OF_THEM = compiled(r"\b(?:everyone|everybody|all(?! of)|все|всем|всех|всеми)\b")
_NOWHERE = compiled(
    r"\b(?:nowhere|anywhere|nobody|no one|never|at all|нигде|никто|никому|никогда|никак\w+|ни при каких)\b"
)
_DENIED_ONLY = compiled(
    r"\b(?:not \w+|forbidden|prohibited|banned|нельзя|не \w+|запрещ\w+) (?:\w+ )?(?:only|только|лишь)\b"
)
_EXCEPT = compiled(
    r"\b(?:except|but|other than|unless|without|only|besides|кроме|за исключением|помимо|без|только|лишь)\b"
)
# Nobody but X: of X it is so.
_BUT_ONE = compiled(
    r"\b(?:nobody|no one|none|nothing|nowhere|никто|никому|никого|ничего|нигде)\b[^.;]{0,60}?\b(?:except|but|other than|besides|кроме|за исключением|помимо)\b(?P<end> )"
)
_NO_LONGER = compiled(
    r"\b(?:no longer|any (?:more|longer)|not yet|temporarily|for now|больше не|уже не|пока не|еще не|временно)\b"
)
_NEVER = compiled(r"\b(?:never|ever|никогда|всегда)\b")
_NEAR = 2


def doubt_of_extent(text: str, backing: Backing) -> str | None:
    """Return the “only”, “everyone”, “never” or “nobody but” of one side that the other says of something else, or None."""
    claim = read(text)
    for beside in alongside(claim, backing.quoted):
        own, other = _low(claim, beside.own), _low(backing.quoted, beside.other)
        doubt = _of_another(beside) or _one_of_two(beside) or _everyone(own, other, beside)
        if not doubt and _ends_never(own, other):
            doubt = "it says “never”, and its quotes do not"
        if not doubt and _DENIED_ONLY.search(own) and _NOWHERE.search(other) and not _EXCEPT.search(other):
            doubt = "it says “only”, and its quotes say it of all"
        if doubt or (doubt := _but_one(own, other, beside)):
            return doubt
    return None


def _low(reading: Reading, words: tuple[Word, ...]) -> str:
    return reading.low[words[0].start : words[-1].end]


def _only(words: tuple[Word, ...]) -> tuple[int, int] | None:
    """Return the places of an “only” and of the word of meaning behind it."""
    at = next((place for place, word in enumerate(words) if word.low in _ONLY), None)
    on = next((place for place in range(at + 1, len(words)) if words[place].says), None) if at is not None else None
    return (at, on) if at is not None and on is not None else None


def _of_another(beside: Beside) -> str | None:
    """Return that one side says an “only” of another one of the same words."""
    own, other = _only(beside.own), _only(beside.other)
    if not own or not other:
        return None
    if 0 not in {own[0], other[0]} and not (_is_of_noun(own, beside.own) and _is_of_noun(other, beside.other)):
        return None
    partners = dict(beside.pairs)
    both = own[1] in partners and other[1] in partners.values()
    is_moved = both and partners[own[1]] != other[1] and not _is_one_noun(partners[own[1]], other[1], beside.other)
    return f"it says “only” of “{beside.own[own[1]].text}”, its quotes of another" if is_moved else None


def _is_one_noun(one: int, other: int, words: tuple[Word, ...]) -> bool:
    """Return whether two words are of one thing: guild members, members of the guild."""
    first, last = sorted((one, other))
    return all(word.low in _OF and not word.comma for word in words[first + 1 : last])


def _is_of_noun(only: tuple[int, int], words: tuple[Word, ...]) -> bool:
    """Return whether an “only” is said of the noun behind it: “only open on Mondays” is said of the days."""
    at, on = only
    if is_verbal(words[on]):
        return False
    if not words[on].low.isascii():
        return True
    led = words[at + 1].low in _LEADS or words[on].capital or words[on].kind == "number"
    last = on + 1 == len(words) or words[on + 1].clause != words[on].clause
    return (led or last) and (at == 0 or words[at - 1].low not in _AUXILIARIES)


def _one_of_two(beside: Beside) -> str | None:
    """Return the one thing that the claim says only of, where its quotes join another one with it."""
    own, partners = _only(beside.own), dict(beside.pairs)
    if not own or own[1] not in partners or _only(beside.other):
        return None
    place, words = partners[own[1]], beside.other
    for at in {place - _NEAR, place - 1, place + 1, place + _NEAR} & set(range(len(words))):
        if words[at].low not in _JOINING:
            continue
        step = -1 if at < place else 1
        facing = next(
            (
                one
                for one in range(at + step, at + step * (_NEAR + 1), step)
                if 0 <= one < len(words) and words[one].says
            ),
            None,
        )
        if facing is not None and facing not in partners.values() and not is_denying(words[facing].low):
            return f"it says “only”, and its quotes name “{words[facing].text}”, too"
    return None


def _everyone(own: str, other: str, beside: Beside) -> str | None:
    """Return that the claim says of everyone what the quotes say of some whom it does not name."""
    first = next((word for word in beside.other if word.says), None)
    if first is None or "all" in reach_of(other) or not (found := _ALL_OF_THEM.search(own)):
        return None
    behind = next((word for word in beside.own if word.start - beside.own[0].start >= found.end()), None)
    named = (
        behind is not None
        and behind.says
        and behind.start in {beside.own[at].start for at, _ in beside.pairs}
        and _is_noun_of(found.group(), behind)
    )
    meant = next(
        (beside.other[at + 1] for at, word in enumerate(beside.other[:-1]) if word.low in {"for", "для"}), first
    )
    lost = first.start not in beside.matched or meant.start not in beside.matched
    return f"it says “{found.group()}”, and its quotes do not" if lost and not named else None


def _is_noun_of(every: str, word: Word) -> bool:
    """Return whether a word may be what “all” is said of: all rooms, все номера, not «все получают»."""
    return every.startswith("all") or not re.fullmatch(r"[а-я]+(?:[уюая]т(?:ся)?|ли(?:сь)?)", word.low)


def _ends_never(own: str, other: str) -> bool:
    return bool(_NEVER.search(own) and not _NEVER.search(other) and _NO_LONGER.search(other))


def _but_one(own: str, other: str, beside: Beside) -> str | None:
    """Return that the claim denies of one what its quotes deny of everybody else."""
    found = _BUT_ONE.search(other)
    if not found or _EXCEPT.search(own) or _NOWHERE.search(own) or not denials(read(own)):
        return None
    start = beside.other[0].start + found.end()
    one = next((word for word in beside.other if word.start >= start and word.says), None)
    is_told = one is not None and one.start in beside.matched
    return f"its quotes except “{one.text}”" if one and is_told else None
