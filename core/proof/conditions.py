"""Conditions and exceptions: what a document says only for a case, a claim may not say for every case."""

import re
from functools import lru_cache
from typing import NamedTuple

from core.proof.alongside import Beside, alongside, says
from core.proof.backing import Backing, held_of
from core.proof.denials import Clause, clauses, is_adverse, is_denying
from core.proof.opposites import opposites
from core.proof.patterns import compiled
from core.proof.quantifiers import reach
from core.proof.segments import segments
from core.proof.words import Reading, Word, read

# What begins a condition or an exception.
_IF = (
    r"if|unless|except(?:ing)?|excluding|with the exception of|other than|as long as|so long as|on condition|in case"
    r"|subject to|only|solely|exclusively|provided(?! by| to| in| with| for| at)|providing that"
    r"|если|кроме|за исключением|исключая|помимо|при условии|при наличии|при отсутствии|только|лишь|исключительно"
)
# What does so where something is allowed or demanded: elsewhere it tells when a thing happened.
_WHEN = r"(?<!at )once|when|after|пока|когда|после"
_NUMBER = r"(?= \D{0,3}\d| (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|дв|тр[её]|чет|пят|шест|сем|вос|дев|дес|одн))"
# What narrows the word before it.
_THAN = (
    r"(?:more|longer|older|larger|greater|higher|less|fewer|shorter|younger|lower) than|exceeding"
    r"|более|больше|старше|дольше|дороже|свыше|выше|менее|меньше|младше|ниже|дешевле|длиннее"
)
# What is asked for beforehand, where it is said of what is done “with” or “by” it.
_LEAVE = (
    r"(?:with|by|on|against|upon)(?= (?:\w+(?:'s)? ){0,3}?(?:approval|consent|permission|permit|agreement|licen[cs]e|prescription|referral|reservation|booking|appointment|invitation|request|presentation|authori[sz]ation|notice)\b)"
    r"|(?:с|со|по|при|под)(?= (?:\w+ ){0,2}?(?:согласи[яюие]|разрешени[яюие]|одобрени[яюие]|согласовани[юие]|рецепт[уа]|направлени[юие]|доверенност[ьи]|запис[ьи]|запросу|приглашени[юие]|предъявлении|ходатайству|требованию)\b)"
)
_FIRST = frozenset(re.findall(r"[a-zа-я]+", f"{_IF}|{_WHEN}|{_THAN}")) - frozenset(
    "than by to in with for at of the".split()
)
_BEGINS = compiled(rf"\b(?:(?P<if>{_IF})|(?P<when>{_WHEN})|(?P<than>(?:{_THAN}){_NUMBER})|(?P<leave>{_LEAVE}))(?!\w)")
_MAY_ASK = compiled(
    r"approv|consent|permi|agreem|licen|prescr|referr|reserv|booking|appoint|invit|request|present|author|notice"
    r"|соглас|разреш|одобр|рецепт|направлени|доверенн|запис|запрос|приглаш|предъявл|ходатай|требов"
)
_CLOCK = compiled(r"\d\d?:\d\d")
# A condition behind one of these is set on what follows it.
_LEADING = compiled(r"(?:^|[.;:!?\n—–]|,?\s(?:and|but|or|а|и|но|или),?)\s*$")
_NO_CONDITION = compiled(r"\b(?:no|not|не|then|тогда)$")
_PREPOSITIONS = frozenset("after после except excluding excepting кроме помимо исключая".split())
_BEING = frozenset(["при наличии", "при отсутствии"])
_NOUNS = 2
_ONLY = frozenset("only solely exclusively только лишь исключительно".split())
_ALLOWING = frozenset(["may", "must", "should"])
# What says that a thing is so in the other case, too.
_ANYHOW = compiled(
    r"\b(?:even|regardless|irrespective|whatever|no matter|in any case|also|including|whether or not"
    r"|даже|независимо|вне зависимости|в любом случае|включая|в том числе|также|и без)\b"
)
_HALF = 0.5
_EVEN = compiled(r"\b(?:even(?! though| so)|regardless|irrespective|no matter|даже|независимо|вне зависимости)\b")
_AND = frozenset("and but и а но".split())
_IFS = frozenset("if when once если когда".split())


class Condition(NamedTuple):
    """A condition or an exception: the word that begins it, what it says, the words it is set on, and where it begins."""

    sign: str
    words: tuple[Word, ...]
    on: tuple[Word, ...]
    start: int


def without_conditions(reading: Reading) -> str:
    """Return the text without its conditions and exceptions: what it says for every other case."""
    kept, end = [], 0
    for one in conditions(reading):
        if one.sign not in _ONLY and one.start >= end:
            kept.append(reading.text[end : one.start])
            end = one.words[-1].end
    return "".join([*kept, reading.text[end:]])


def doubt_of_conditions(text: str, backing: Backing) -> str | None:
    """Return the condition or exception of the quotes that the claim leaves out or lifts, or None."""
    claim = read(text)
    if _is_otherwise(claim, backing.quoted):
        return None
    for beside in alongside(claim, backing.quoted):
        sentence = beside.other[0].sentence
        held = [one for one in conditions(backing.quoted) if one.words[0].sentence == sentence]
        doubt = held and (_lifted(claim, beside, backing) or _left_out(held, beside, backing))
        if doubt:
            return doubt
    return _turned(claim, backing.quoted) or _even(claim, backing.known) or _reversed(claim, backing.quoted)


def _even(claim: Reading, known: Reading) -> str | None:
    """Return the word by which a claim says of one case more what its quotes say of another one."""
    found = _EVEN.search(claim.low)
    return f"it says “{found.group()}”, and its quotes do not" if found and not _ANYHOW.search(known.low) else None


def _reversed(claim: Reading, quote: Reading) -> str | None:
    """Return that the claim sets on a thing what its quotes set on that it is not so, or the other way round."""
    for own in conditions(claim):
        mine = held_of(frozenset(word.stem for word in own.words))
        for other in conditions(quote):
            said = [word for word in other.words if word.says and not is_denying(word.low)]
            shared = [word for word in said if mine.holds(word)]
            if own.sign in _IFS and other.sign in _IFS and shared and len(shared) >= _HALF * len(said):
                denied = [
                    any(is_denying(word.low) or is_adverse(word.stem) for word in one.words) for one in (own, other)
                ]
                if denied[0] != denied[1] and not any(mine.opposes(word) for word in said):
                    return "its condition is the contrary of the one in its quotes"
    return None


def _left_out(held: list[Condition], beside: Beside, backing: Backing) -> str | None:
    own, asked = held_of(frozenset(word.stem for word in beside.own)), held_of(backing.granted.stems)
    matched = beside.matched
    for condition in held:
        content = [word for word in condition.words if word.says]
        on = [word for word in condition.on if word.start in matched]
        inside = {word.start for word in condition.words}
        if not content or not on or (len(condition.on) > 1 and 2 * len(on) < len(matched - inside)):
            continue
        said = sum(1 for word in content if word.start in matched or own.holds(word) or own.opposes(word))
        known = sum(1 for word in content if asked.holds(word))
        if max(said, known) < _HALF * len(content):
            return f"its quotes say so only “{condition.sign} {' '.join(word.text for word in content[:4])}…”"
    return None


def _is_otherwise(claim: Reading, quote: Reading) -> bool:
    """Return whether the claim tells a number of what the quotes say of every other case."""
    other = {value for one in segments(quote) if one.otherwise for value in one.values}
    return not claim.lows.isdisjoint(other)


def _lifted(claim: Reading, beside: Beside, backing: Backing) -> str | None:
    found = _ANYHOW.search(claim.low[beside.own[0].start : beside.own[-1].end])
    return (
        f"it says “{found.group()}”, and its quotes do not" if found and not _ANYHOW.search(backing.known.low) else None
    )


def _turned(claim: Reading, quote: Reading) -> str | None:
    """Return that a condition of the claim is the contrary of the one in the quotes that it is nearest to."""
    theirs = [one for one in clauses(quote) if one.conditional]
    for own in clauses(claim) if theirs else ():
        if not own.conditional:
            continue
        near = max(theirs, key=lambda one: len(one.keys & own.keys))
        if 2 * len(near.keys & own.keys) >= len(own.keys) and near.denied != own.denied and not _opposed(own, near):
            return "its condition is the contrary of the one in its quotes"
    return None


def _opposed(own: Clause, near: Clause) -> bool:
    return any(opposites(stem) & near.stems for stem in own.stems)


@lru_cache(maxsize=256)
def conditions(reading: Reading) -> tuple[Condition, ...]:
    """Return the conditions and exceptions of a text in order."""
    if _FIRST.isdisjoint(reading.lows) and not _MAY_ASK.search(reading.low):
        return ()
    return tuple(one for sign in _BEGINS.finditer(reading.low) if (one := _condition(reading, sign)))


def _condition(reading: Reading, sign: re.Match[str]) -> Condition | None:
    before = reading.low[: sign.start()].rstrip()
    # Words that lead a clause in reach to its end, those that lead a noun in over the words that go with that.
    few = _NOUNS if sign["leave"] or sign.group() in _PREPOSITIONS else len(reading.words)
    words = _reached(reading, sign.end(), limit=1 if sign.group() in _BEING else few)
    if not words or _NO_CONDITION.search(before):
        return None
    start, end = sign.start(), words[-1].end
    part = [word for word in _part(reading, words[0]) if not start <= word.start < end]
    if sign["than"]:
        part = [word for word in part if word.start < start and word.says][-1:]
    elif _LEADING.search(reading.low[: sign.start()]):
        part = [word for word in part if word.start >= end]
    elif any(word.start < start for word in part):
        part = [word for word in part if word.start < start]
        if sign.group() in _ONLY and words[0].clause == part[-1].clause and not _behind_comma(reading, start):
            part = _predicate(part)
        elif sign["if"]:
            part = _last_said(part)
    if sign["when"] and not (reach(reading) & _ALLOWING):
        return None
    if sign["than"] and _CLOCK.search(reading.low[start:end]):
        return None
    return Condition(sign.group(), words, tuple(part), start)


def _behind_comma(reading: Reading, start: int) -> bool:
    return reading.text[:start].rstrip().endswith(",")


def _predicate(before: list[Word]) -> list[Word]:
    """Return the last of the words that a comma or another clause parts from those before them."""
    last = next(
        (at for at in range(len(before) - 1, 0, -1) if before[at].comma or before[at].clause != before[at - 1].clause),
        0,
    )
    return before[last:]


def _last_said(before: list[Word]) -> list[Word]:
    """Return the words from the “and” on that leads over to another verb: “is charged at once and is refunded”."""
    at = [place for place in range(1, len(before)) if before[place].clause != before[place - 1].clause]
    last = next((place for place in reversed(at) if before[place].low in _AND), 0)
    return before[last:] if any(map(says, before[last:])) else before


def _part(reading: Reading, inside: Word) -> list[Word]:
    """Return the words of the sentence that stand between the same semicolons as a word of it."""
    cut, end = reading.text.rfind(";", 0, inside.start), reading.text.find(";", inside.start)
    end = len(reading.text) if end < 0 else end
    return [word for word in reading.words if word.sentence == inside.sentence and cut < word.start < end]


def _reached(reading: Reading, start: int, *, limit: int) -> tuple[Word, ...]:
    """Return the words behind a place up to where its clause ends."""
    words: list[Word] = []
    for word in reading.words:
        if word.start < start:
            continue
        ends = any(map(says, words)) and (word.comma or word.clause != words[-1].clause)
        ends = ends or sum(map(says, words)) >= limit
        if words and (word.sentence != words[0].sentence or ends):
            break
        words.append(word)
    return tuple(words)
