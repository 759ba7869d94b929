"""Negation in both directions: what only one side denies, and words that mean the opposite."""

import re
from dataclasses import dataclass
from functools import lru_cache

from core.proof.backing import Backing, Held, same_root
from core.proof.bounds import goes_beyond
from core.proof.dates import is_date_word
from core.proof.denials import FAR, REPLY, Clause, Denial, akin, clauses, denials, is_adverse, is_denier, is_negated
from core.proof.lexicon import light, meaning
from core.proof.numbers import amounts
from core.proof.opposites import opposites
from core.proof.units import unit_of
from core.proof.words import Reading, read
from core.text import stem as stem_of

_FREE = frozenset(["free", "grati", "бесплатн"])
_MIN_SHARED_WORDS, _CLEAR = 2, 2
_SHORT = 2


def fault_of_negation(text: str, backing: Backing) -> str | None:
    """Return what is denied on one side only, or None when claim and backing agree on what is so."""
    claim = read(REPLY.sub("", text))
    own, quoted, above = denials(claim), denials(backing.quoted), denials(backing.above)
    agreed: set[int] = set()
    return (
        _clause_by_clause(claim, own, quoted + above, backing, agreed)
        or _moved(claim, backing.quoted)
        or _invented(own, quoted + above, backing, agreed)
        or _dropped(claim, own, quoted, backing.quoted)
        or _under_a_denial(claim, own, above, backing)
        or fault_of_order(claim, backing.known)
    )


def _clause_by_clause(
    claim: Reading, own: tuple[Denial, ...], held: tuple[Denial, ...], backing: Backing, agreed: set[int]
) -> str | None:
    """Return the fault of a clause beside the clause of the quotes that is nearest to it; note those that agree."""
    for clause in clauses(claim):
        beside, shared = _beside(clause, backing)
        if not beside or clause.conditional:
            continue
        numbers = {one.number for one in beside}
        denied = tuple(one for one in own if one.clause == clause.number)
        pair = _Beside(clause, beside, denied, tuple(one for one in held if one.clause in numbers))
        if fault := _opposed(pair, backing, claim) or _undone(pair, claim):
            return fault
        if clause.denied in {one.denied for one in beside}:
            agreed.add(clause.number)
        elif shared >= min(_MIN_SHARED_WORDS, len(clause.keys)):
            if fault := _turned_round(clause, beside, own, held, backing):
                return fault
            nearby = any(one.denied and _overlap(clause, one) for one in clauses(backing.quoted))
            if clause.denied and (
                nearby or any(_is_adverse(one, beside) for one in own if one.clause == clause.number)
            ):
                agreed.add(clause.number)
    return None


def _under_a_denial(claim: Reading, own: tuple[Denial, ...], above: tuple[Denial, ...], backing: Backing) -> str | None:
    """Return that a claim on an item under “What we do not pay” says more than the item, and does not deny."""
    added = [one for one in own if not any(_same(one, other) for other in denials(backing.quoted))]
    turned = above and not added and not denials(backing.asked) and _says_more(claim, backing)
    return "what its quotes stand under denies something and it does not" if turned else None


def _moved(claim: Reading, quote: Reading) -> str | None:
    """Return the day or month that the quotes name only where they deny, and the claim where it does not."""
    stated = frozenset().union(*(one.stems for one in clauses(quote) if not one.denied))
    denied = frozenset().union(*(one.stems for one in clauses(quote) if one.denied))
    said = (one.stems for one in clauses(claim) if not one.denied)
    own = frozenset().union(*(stems for stems in said if not any(opposites(stem) & denied for stem in stems)))
    there = own & (denied - stated)
    moved = next((word.text for word in claim.words if is_date_word(word.low) and word.stem in there), None)
    return f"its quotes deny something of “{moved}” and it does not" if moved else None


def _beside(clause: Clause, backing: Backing) -> tuple[list[Clause], int]:
    """Return the clauses of the quotes that share most with a clause of the claim, and how much."""
    every = clauses(backing.quoted)
    shared = [_overlap(clause, one) for one in every]
    most = max(shared, default=0)
    return [one for one, count in zip(every, shared, strict=True) if most and count == most], most


def _overlap(one: Clause, other: Clause) -> int:
    rest = one.keys - other.keys
    left = other.keys - one.keys
    return len(one.keys & other.keys) + sum(1 for key in rest if any(same_root(key, held) for held in left))


def _turned_round(
    clause: Clause, beside: list[Clause], own: tuple[Denial, ...], held: tuple[Denial, ...], backing: Backing
) -> str | None:
    """Return that a clause says the contrary of the clause it is nearest to, unless by a word that means the opposite."""
    near = beside[0].stems
    if any(
        opposites(stem) & near or any(is_negated(stem, other) or is_negated(other, stem) for other in near)
        for stem in clause.stems
    ):
        return None
    if clause.denied:
        denial = next(one for one in own if one.clause == clause.number)
        if _is_adverse(denial, beside) or _is_exclusive(own, backing):
            return None
        return _stated_so(clause, denial, beside, held, backing)
    return None if any(map(is_adverse, clause.stems - near)) else _omitted(clause, beside, held)


def _stated_so(
    clause: Clause, denial: Denial, beside: list[Clause], held: tuple[Denial, ...], backing: Backing
) -> str | None:
    """Return that the quotes state what a clause denies, and do not deny it of the same things elsewhere."""
    every = clauses(backing.quoted)
    stated = frozenset().union(*(one.stems for one in every if not one.denied))
    denied = frozenset().union(*(one.stems for one in every if one.denied))
    if not any(akin(denial.focus, stem) for stem in stated):
        return None
    spoken = frozenset().union(*(one.keys for one in every if one.denied)) - beside[0].keys
    elsewhere = any(_same(denial, one) for one in held) and any(akin(denial.focus, stem) for stem in denied)
    return None if elsewhere and clause.keys & spoken else _denied(denial)


def _omitted(clause: Clause, beside: list[Clause], held: tuple[Denial, ...]) -> str | None:
    """Return what the quotes deny in the clause that a clause of the claim is nearest to, and states."""
    numbers = {one.number for one in beside}
    denial = next(one for one in held if one.clause in numbers)
    if not _touches(denial, clause) and len(clause.keys & beside[0].keys) < _CLEAR:
        return None
    return f"its quotes deny something and it does not (“{denial.word} {denial.focus}…”)"


def _is_adverse(denial: Denial, beside: list[Clause]) -> bool:
    """Return whether the quotes say by a word such as “blocked” what is denied, where the claim denies the rest."""
    stems = frozenset().union(*(one.stems for one in beside))
    return any(map(is_adverse, stems)) and not is_adverse(denial.focus)


def _denied(denial: Denial) -> str:
    return f"it denies what its quotes say (“{denial.word} {denial.focus}…”)"


def _touches(denial: Denial, clause: Clause) -> bool:
    return any(akin(reached, stem) for reached in denial.reached for stem in clause.stems)


def _is_exclusive(own: tuple[Denial, ...], backing: Backing) -> bool:
    """Return whether “nobody without a badge” says what the quotes say with “only with a badge”."""
    return len(own) > 1 and re.search(r"\b(?:only|только|лишь)\b", backing.quoted.low) is not None


def _invented(own: tuple[Denial, ...], held: tuple[Denial, ...], backing: Backing, agreed: set[int]) -> str | None:
    for denial in own:
        if denial.clause in agreed or any(_same(denial, other) for other in held):
            continue
        if _has_opposite(denial, backing.known) or _is_exclusive(own, backing) or (not denial.focus and held):
            continue
        return f"it denies something that its quotes do not deny (“{denial.word} {denial.focus}…”)"
    return None


def _same(one: Denial, other: Denial) -> bool:
    if not one.focus or not other.focus:
        return one.word == other.word or not one.reached or not other.reached
    if akin(one.focus, other.focus) or any(akin(one.focus, reached) for reached in other.reached):
        return True
    if any(akin(other.focus, reached) for reached in one.reached):
        return True
    return any(
        meaning(stem) in {meaning(reached) for reached in other.reached}
        for stem in one.reached
        if stem not in light() and unit_of(stem) is None and len(stem) > _SHORT
    )


def _has_opposite(denial: Denial, known: Reading) -> bool:
    """Return whether the backing says the opposite of what is denied: “not open” where it is closed."""
    facing = frozenset().union(*(opposites(stem) for stem in {denial.focus, *denial.reached}))
    if denial.word in {"nothing", "ничего"} and _FREE & known.stems:
        return True
    return bool(facing & known.stems) or any(
        is_negated(stem, reached) for stem in known.stems for reached in denial.reached
    )


def _dropped(claim: Reading, own: tuple[Denial, ...], quoted: tuple[Denial, ...], quote: Reading) -> str | None:
    reached = frozenset(meaning(stem) for denial in own for stem in denial.reached)
    reached |= frozenset(meaning(stem) for one in clauses(claim) if one.denied for stem in one.stems)
    for denial in quoted:
        if any(_same(denial, one) for one in own) or not denial.focus:
            continue
        stated = _stated(quote, denial)
        for word in claim.content:
            if meaning(word.stem) in reached or word.stem in stated:
                continue
            near = akin(word.stem, denial.focus) or (not own and word.stem in denial.near)
            if near and not _negated_form(word.stem, claim, denial.focus):
                return f"its quotes deny something and it does not (“{denial.word} {denial.focus}…”)"
    return None


def _stated(quote: Reading, denial: Denial) -> frozenset[str]:
    """Return the stems that the quote also says outside of what the denial reaches."""
    counts: dict[str, int] = {}
    for word in quote.words:
        counts[word.stem] = counts.get(word.stem, 0) + 1
    times = sum(1 for other in denials(quote) if other.reached == denial.reached)
    return frozenset(stem for stem, count in counts.items() if count > times or stem not in denial.reached)


def _negated_form(stem: str, claim: Reading, focus: str) -> bool:
    """Return whether the claim says it with a word that denies by itself: unpaid, невозвратный."""
    return any(is_negated(word.stem, focus) for word in claim.content) or bool(
        opposites(focus) & claim.stems and stem != focus
    )


def _says_more(claim: Reading, backing: Backing) -> bool:
    """Return whether a claim says more than the item itself, which stands under a denial."""
    held = Held(backing.quoted.stems)
    return not all(held.holds(word) for word in claim.content) and not any(
        is_negated(word.stem, other) for word in claim.content for other in backing.above.stems
    )


@dataclass(frozen=True, slots=True)
class _Beside:
    """A clause of the claim beside the clauses of the quotes that it is nearest to, with what each side denies there."""

    clause: Clause
    others: list[Clause]
    own: tuple[Denial, ...]
    held: tuple[Denial, ...]

    @property
    def near(self) -> frozenset[str]:
        """The stems of the quotes' clauses."""
        return frozenset().union(*(one.stems for one in self.others))


def _undone(pair: _Beside, claim: Reading) -> str | None:
    """Return that a clause denies a word that denies by itself, and that the quotes do not: “does not exclude”."""
    for denial in pair.own:
        if denial.word not in FAR or not is_adverse(denial.focus):
            continue
        signs = [one for one in pair.held if one.word in FAR]
        if any(is_adverse(one.focus) for one in signs):
            continue
        alone = any(word.stem == denial.focus and is_denier(word) for word in claim.words)
        if (signs and alone) or (not signs and any(akin(denial.focus, stem) for stem in pair.near)):
            return _denied(denial)
    return None


def _agree(pair: _Beside, stem: str, facing: str) -> bool:
    """Return whether one side denies by its word what the other denies of its own: “not allowed” and “forbidden”."""
    here, there = {one.word for one in pair.own}, {one.word for one in pair.held}
    by_word = stem in map(stem_of, here), facing in map(stem_of, there)
    by_sign = not FAR.isdisjoint(here), not FAR.isdisjoint(there)
    return by_word in {(True, False), (False, True)} and by_sign == (by_word[1], by_word[0])


def _opposed(pair: _Beside, backing: Backing, claim: Reading) -> str | None:
    """Return the word of a clause whose opposite stands in the clause of the quotes that it is nearest to."""
    clause = pair.clause
    if len({one.denied for one in pair.others} | {clause.denied}) != 1:
        return None
    known, near = backing.known.stems, pair.near
    for stem in sorted(clause.stems - known):
        facing = (opposites(stem) & near) - claim.stems
        if any(_agree(pair, stem, one) for one in facing):
            continue
        if facing and not any(meaning(stem) == meaning(one) for one in known):
            return f"it says “{stem}…” where its quotes say the opposite (“{min(facing)}…”)"
        root = next((one for one in sorted(near) if is_negated(stem, one) or is_negated(one, stem)), None)
        if root is not None and root not in claim.stems:
            return f"it says “{stem}…” where its quotes say the opposite (“{root}…”)"
    return None


_BEFORE = {"before": "after", "after": "before", "до": "после", "после": "до", "перед": "после"}


def fault_of_order(claim: Reading, known: Reading) -> str | None:
    """Return what the claim puts before where its quotes put it after, or the other way round."""
    said, held = _ordered(claim), _ordered(known)
    beyond = goes_beyond(known)
    for (side, what), shown in said.items():
        if (_BEFORE[side], what) in held and (side, what) not in held and not (beyond and what[0].isdigit()):
            return f"it says “{shown}”, its quotes “{held[_BEFORE[side], what]}”"
    return None


@lru_cache(maxsize=4_096)
def _ordered(reading: Reading) -> dict[tuple[str, str], str]:
    """Return what stands right behind “before” and “after”, numbers by their value."""
    values = {amount.place: amount.value for amount in amounts(reading)}
    found: dict[tuple[str, str], str] = {}
    for place, word in enumerate(reading.words):
        if word.low in _BEFORE:
            for at in range(place + 1, min(place + 5, len(reading.words))):
                one = reading.words[at]
                if at in values or (one.tells and one.stem not in light()):
                    found[word.low, values.get(at, one.stem)] = f"{word.text} {one.text}"
                    break
    return found
