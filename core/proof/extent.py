"""Words for all and for one alone, each on its own word: “only managers approve” is not “approve only requests”."""

import re

from core.proof.alongside import Beside, alongside, says
from core.proof.backing import Backing
from core.proof.denials import denials, is_denier
from core.proof.quantifiers import reach_of
from core.proof.words import Reading, Word, read

_ONLY = frozenset("only solely exclusively только лишь исключительно".split())
_JOINING = frozenset("and or и или либо".split())
_ALL_OF_THEM = re.compile(r"\b(?:everyone|everybody|all(?! of)|все|всем|всех|всеми)\b")
_NOWHERE = re.compile(
    r"\b(?:nowhere|anywhere|nobody|no one|never|at all|нигде|никто|никому|никогда|никак\w+|ни при каких)\b"
)
_DENIED_ONLY = re.compile(
    r"\b(?:not \w+|forbidden|prohibited|banned|нельзя|не \w+|запрещ\w+) (?:\w+ )?(?:only|только|лишь)\b"
)
_EXCEPT = re.compile(
    r"\b(?:except|but|other than|unless|without|only|besides|кроме|за исключением|помимо|без|только|лишь)\b"
)
# Nobody but X: of X it is so.
_BUT_ONE = re.compile(
    r"\b(?:nobody|no one|none|nothing|nowhere|никто|никому|никого|ничего|нигде)\b[^.;]{0,60}?\b(?:except|but|other than|besides|кроме|за исключением|помимо)\b(?P<end> )"
)
_NO_LONGER = re.compile(
    r"\b(?:no longer|any (?:more|longer)|not yet|temporarily|for now|больше не|уже не|пока не|еще не|временно)\b"
)
_NEVER = re.compile(r"\b(?:never|ever|никогда|всегда)\b")
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
    on = next((place for place in range(at + 1, len(words)) if says(words[place])), None) if at is not None else None
    return (at, on) if at is not None and on is not None else None


def _of_another(beside: Beside) -> str | None:
    """Return that one side begins with an “only” that the other says of another word of the same ones."""
    own, other = _only(beside.own), _only(beside.other)
    if not own or not other or 0 not in {own[0], other[0]}:
        return None
    partners = dict(beside.pairs)
    both = own[1] in partners and other[1] in partners.values()
    is_moved = both and partners[own[1]] != other[1]
    return f"it says “only” of “{beside.own[own[1]].text}”, its quotes of another" if is_moved else None


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
                if 0 <= one < len(words) and says(words[one])
            ),
            None,
        )
        if facing is not None and facing not in partners.values() and not is_denier(words[facing]):
            return f"it says “only”, and its quotes name “{words[facing].text}”, too"
    return None


def _everyone(own: str, other: str, beside: Beside) -> str | None:
    """Return that the claim says of everyone what the quotes say of some whom it does not name."""
    first = next((word for word in beside.other if says(word)), None)
    if first is None or "all" in reach_of(other) or not (found := _ALL_OF_THEM.search(own)):
        return None
    behind = next((word for word in beside.own if word.start - beside.own[0].start >= found.end()), None)
    named = (
        behind is not None
        and says(behind)
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
    one = next((word for word in beside.other if word.start >= start and says(word)), None)
    is_told = one is not None and one.start in beside.matched
    return f"its quotes except “{one.text}”" if one and is_told else None
