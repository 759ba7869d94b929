"""Of whom a statement is made: what narrows those, “not all”, “six of which”, “and” for “or” may not be lost."""

from core.proof.alongside import Beside, alongside
from core.proof.backing import Backing, held_of
from core.proof.denials import denials
from core.proof.patterns import compiled
from core.proof.quantifiers import reach_of
from core.proof.words import Reading, Word, read

_NOT_ALL = compiled(
    r"\b(?:not(?: \w+)? (?:all|every|everyone|everybody|everything|always|everywhere|each|entirely|fully|completely|necessarily|the whole)"
    r"|не (?:во? |на |для |у |от |со? |ко? |из )?(?:все|всех|всем|всеми|всю|кажд\w+|всегда|везде|всюду|полностью|люб(?:ой|ая|ое|ые|ого|ому|ым|ых|ую)))\b"
)
_PARTLY = compiled(
    r"\b(?:some|most|many|several|few|part|partly|partially|certain|sometimes|only|except|but|without|unless|other|others|half|third|limited|occasionally|at times|usually|often"
    r"|некотор\w+|многи\w+|несколько|част[ьи]\w*|частично|иногда|только|лишь|кроме|не все\w*|отдельн\w+|половин\w+|без|исключени\w+|обычно|часто|большинств\w+|есть и)\b|\d|%"
)
_OF_WHICH = compiled(
    r"\b(?P<count>\w{1,20}) (?:of (?:which|them|whom)|из (?:них|которых))\b|\b(?:of (?:which|them|whom)|из (?:них|которых)),? (?:only |just |только |лишь )?(?P<number>\w{1,20})"
)
_FOR = frozenset("for для".split())
_AND, _OR = frozenset("and и".split()), frozenset("or или либо".split())
_EITHER_WAY = compiled(
    r"\b(?:accept\w*|either|any|both|whether|between|free|open|available|includ\w+|such as|принима\w+|люб\w+|оба|обе|между|бесплатн\w+|доступ\w+|включа\w+|как|например)\b"
)
_BOTH = compiled(r"\b(?:both|оба|обе|обоих|обеих)\b")
# What leads in what narrows the noun before it; of one thing that is known the last ones only tell where it is.
_NARROWING = frozenset(
    "with without for under over aged older younger above below who whose c с со без для старше младше".split()
)
_PLACING = frozenset(
    "on in at from that which within outside на под в во из от до после при который которая которое которые у".split()
)
_DETERMINERS = frozenset("a an all every each any no some most все всех всем каждый каждая каждое".split())
# Of how many, not of which: “at most 6 visitors”.
_BOUNDS = frozenset("most least more less fewer".split())
_LEADING = frozenset("for to by of from with для у от с со".split())
_KNOWN = frozenset(
    "the our your its their this that these those his her my наш наша наше наши этот эта это эти".split()
)
_PLURAL_RU = compiled(r"\b[а-я]{2,30}(?:ые|ие|ых|их|ым|им|ыми|ими)(?:ся)?")
_VERB_RU = compiled(r"\b[а-я]{1,30}(?:[уюая]т(?:ся)?|ли(?:сь)?|ены|аны|яты)")
_PLURAL_EN = compiled(r"\b[a-z]{1,30}(?:[^suie\W]s|[^\W]es)|children|people|men|women|staff|personnel")
_MANY_RU = compiled(r"\b[а-я]{1,30}(?:ов|ев|ей|ий|ых|их)")
_REACH, _GAP = 3, 2


def doubt_of_scope(text: str, backing: Backing) -> str | None:
    """Return what narrows a statement of the quotes, or joins what it is of, and is lost or exchanged in the claim."""
    claim = read(text)
    for beside in alongside(claim, backing.quoted):
        doubt = (
            _of_all(claim, beside, backing.quoted)
            or _of_which(claim, beside, backing.quoted)
            or _joined(claim, beside, backing.quoted)
            or _widened(beside, backing)
        )
        if doubt:
            return doubt
    return None


def _low(reading: Reading, words: tuple[Word, ...]) -> str:
    return reading.low[words[0].start : words[-1].end]


def _of_all(claim: Reading, beside: Beside, quote: Reading) -> str | None:
    """Return that only one side says “not all” of it: the other says it of all, or denies it of all."""
    own, other = _low(claim, beside.own), _low(quote, beside.other)
    said, held = _NOT_ALL.search(own), _NOT_ALL.search(other)
    if held and not said and not _PARTLY.search(own):
        return f"its quotes say “{held.group()}”, and it does not"
    if said and not held and not _PARTLY.search(other):
        return f"it says “{said.group()}”, and its quotes do not"
    return None


def _of_which(claim: Reading, beside: Beside, quote: Reading) -> str | None:
    """Return the number of those of which alone the quotes say what the claim says of them all."""
    first, last = beside.other[0].start, beside.other[-1].end
    for sign in _OF_WHICH.finditer(quote.low, first, last):
        count = sign["count"] or sign["number"]
        end = next((at for at in (quote.low.find(cut, sign.end(), last) for cut in (",", ";")) if at >= 0), last)
        inside = sum(sign.end() <= start < end for start in beside.matched)
        own = _low(claim, beside.own)
        told = any(word.low == count for word in beside.own) or _PARTLY.search(own)
        if inside and not told:
            return f"its quotes say so only of “{sign.group()}”"
    return None


def _joined(claim: Reading, beside: Beside, quote: Reading) -> str | None:
    """Return the “and” that is an “or” in the quotes, or the other way round, between the same two things."""
    own, other = _joints(beside.own), _joints(beside.other)
    for left, right, kind in own:
        for one, two, held in other if kind else ():
            same = {(left, one), (right, two)} <= set(beside.pairs) or {(left, two), (right, one)} <= set(beside.pairs)
            only_one = kind == "and" and _BOTH.search(_low(claim, beside.own)) and not _BOTH.search(quote.low)
            if same and kind != held and (only_one or not _is_either(claim, beside, quote)):
                return f"it says “{kind}” where its quotes say “{held}”"
    return None


def _is_either(claim: Reading, beside: Beside, quote: Reading) -> bool:
    """Return whether “and” and “or” say the same: both are allowed, or both are denied."""
    own, other = _low(claim, beside.own), _low(quote, beside.other)
    if "may" in reach_of(own) | reach_of(other) or denials(read(own)) or denials(read(other)):
        return True
    return _EITHER_WAY.search(own) is not None or _EITHER_WAY.search(other) is not None


def _joints(words: tuple[Word, ...]) -> list[tuple[int, int, str]]:
    """Return the places of the words that “and” or “or” joins, and which of the two."""
    found = []
    for at, word in enumerate(words):
        kind = "and" if word.low in _AND else "or" if word.low in _OR else ""
        if not kind:
            continue
        left = next((place for place in range(at - 1, max(-1, at - _REACH), -1) if words[place].says), None)
        right = next((place for place in range(at + 1, min(len(words), at + 1 + _REACH)) if words[place].says), None)
        if left is not None and right is not None:
            found.append((left, right, kind))
    return found


def _widened(beside: Beside, backing: Backing) -> str | None:
    """Return the words that narrow what the claim begins with, and that it leaves out; the question may have them."""
    first = next((at for at, word in enumerate(beside.own) if word.says), None)
    partners = dict(beside.pairs)
    if first is None:
        return None
    known = held_of(frozenset([word.stem for word in beside.own]) | backing.above.stems | backing.granted.stems)
    led = first > 0 and beside.own[first - 1].tells
    if first in partners and not led and _is_same(beside.own[first], beside.other[partners[first]]):
        place = partners[first]
        lost = _before(place, beside) or _behind(first, place, beside)
        if lost and not all(known.holds(word) or known.opposes(word) for word in lost):
            return f"its quotes say so only of “{' '.join(word.text for word in lost)}”"
    lost = _meant_for(beside)
    if lost and not all(known.holds(word) for word in lost):
        return f"its quotes say so only for “{' '.join(word.text for word in lost)}”"
    return None


def _is_same(own: Word, other: Word) -> bool:
    return own.low == other.low if own.low.isascii() else own.stem == other.stem


def _before(place: int, beside: Beside) -> list[Word]:
    """Return the words right before a noun that narrow it, where it is one of many: corporate clients."""
    words, matched = beside.other, beside.matched
    start = place
    while start and _narrows(words[start - 1], words[start]) and words[start - 1].start not in matched:
        start -= 1
    chain = list(words[start:place])
    lead = words[start - 1] if start and words[start - 1].clause == words[start].clause else None
    if not chain or (lead and lead.low not in _DETERMINERS | _LEADING):
        return []
    noun = words[place]
    if noun.low.isascii():
        many = _PLURAL_EN.fullmatch(noun.low) is not None or (lead is not None and lead.low in _DETERMINERS)
        return chain if many else []
    return chain if all(_PLURAL_RU.fullmatch(word.low) for word in chain) else []


def _narrows(word: Word, following: Word) -> bool:
    is_name = word.capital and not word.opens
    return word.says and word.kind == "word" and not is_name and not following.comma and word.clause == following.clause


def _behind(first: int, place: int, beside: Beside) -> list[Word]:
    """Return the words right behind a noun that narrow it, before what the claim says of it: guests over 60."""
    words, partners = beside.other, dict(beside.pairs)
    if partners.get(first + 1) == place + 1:  # члены клуба
        first, place = first + 1, place + 1
    if place + 1 >= len(words) or words[place + 1].low not in _NARROWING | _PLACING or words[place + 1].comma:
        return []
    following = next((at for at in range(first + 1, len(beside.own)) if beside.own[at].says), None)
    partner = partners.get(following, -1) if following is not None else -1
    between = [word for word in words[place + 1 : partner] if word.says and word.low not in _BOUNDS]
    if partner <= place or not between or any(word.start in beside.matched for word in between):
        return []
    if words[place + 1].low in _PLACING and not _is_of_many(place, partner, words):
        return []
    return between


def _is_of_many(place: int, verb: int, words: tuple[Word, ...]) -> bool:
    if place and words[place - 1].low in _KNOWN:
        return False
    if words[place].low.isascii():
        return _PLURAL_EN.fullmatch(words[place].low) is not None
    return _VERB_RU.fullmatch(words[verb].low) is not None


def _meant_for(beside: Beside) -> list[Word]:
    """Return for whom alone a number is, where the claim has the number and says it of no one."""
    words, matched = beside.other, beside.matched
    if not _FOR.isdisjoint([word.low for word in beside.own]):
        return []
    for at, word in enumerate(words):
        if word.low not in _FOR:
            continue
        part = _part_of(at, words)
        if not any(one.kind == "number" and one.start in matched for one in part):
            continue
        group = [one for one in words[at + 1 : at + 1 + _REACH] if one.clause == word.clause and not one.comma]
        end = next((place for place, one in enumerate(group) if _is_group(one)), None)
        lost = [one for one in group[: end + 1] if one.says] if end is not None else []
        if lost and not any(one.start in matched for one in lost):
            return lost
    return []


def _part_of(place: int, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the words around a place between commas and what joins."""
    parts = [at for at, word in enumerate(words) if word.comma or word.low in _AND | _OR]
    start = max((at for at in parts if at <= place), default=0)
    return words[start : min((at for at in parts if at > place), default=len(words))]


def _is_group(word: Word) -> bool:
    pattern = _PLURAL_EN if word.low.isascii() else _MANY_RU
    return word.kind == "word" and word.says and pattern.fullmatch(word.low) is not None
