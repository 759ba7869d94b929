"""Negation in both directions: what only one side denies, and words that mean the opposite."""

import re
from dataclasses import dataclass

from core.proof.backing import Backing, held_of
from core.proof.denials import (
    FAR,
    PREFIXES,
    Clause,
    Denial,
    akin,
    clauses,
    denials,
    is_adverse,
    is_denying,
    is_facing,
    is_negated,
    overlap,
)
from core.proof.lexicon import light, meaning
from core.proof.modes import fault_of_modes, says_the_same
from core.proof.opposites import opposites
from core.proof.order import fault_of_order
from core.proof.units import unit_of
from core.proof.words import Reading, Word, read
from core.text import stem as stem_of

_FREE = frozenset(["free", "grati", "бесплатн"])
_MIN_SHARED_WORDS, _CLEAR = 2, 2
_SHORT = _PAIR = 2
_ONLY = re.compile(r"\b(?:only|solely|exclusively|только|лишь|исключительно)\b")
_NEEDED = re.compile(
    r"\b(?:need(?:s|ed)?|requir\w+|must|has to|have to|нуж(?:но|на|ен|ны)|необходим\w*|требу\w+|долж\w+|обязательн\w+)\b"
)
_INVALID = ("invalid", "void", "недейств")
# What makes of a denial that a thing is so in one case alone.
_BUT = frozenset("unless without except excluding без кроме помимо нет".split())
_INSTEAD = re.compile(r"\b(?:rather than|instead of|вместо)(?: \w+)?\s*$")
_WITHOUT = frozenset("without без".split())
# What sets a clause against the one before it.
_CONTRAST = frozenset("but while whereas though although however only а но зато хотя однако только".split())


def fault_of_negation(text: str, backing: Backing) -> str | None:
    """Return what is denied on one side only, or None when claim and backing agree on what is so."""
    claim = read(text)
    own, quoted, above = denials(claim), denials(backing.quoted), denials(backing.above)
    if is_allowed_only(claim, own, backing.quoted):
        return fault_of_order(claim, backing.known)
    fault = _differing(claim, own, quoted, above, backing)
    if fault and (above or not says_the_same(claim, backing)):
        return fault
    return (None if above else fault_of_modes(claim, backing)) or fault_of_order(claim, backing.known)


def _differing(
    claim: Reading, own: tuple[Denial, ...], quoted: tuple[Denial, ...], above: tuple[Denial, ...], backing: Backing
) -> str | None:
    """Return what is denied on one side only, clause by clause and word by word."""
    agreed: set[int] = set()
    return (
        _clause_by_clause(claim, own, quoted + above, backing, agreed)
        or _moved(claim, backing.quoted)
        or _opposed_on_its_day(claim, backing.quoted)
        or _invented(own, quoted + above, backing, agreed)
        or _dropped(claim, own, quoted, backing.quoted)
        or _under_a_denial(claim, own, above, backing)
    )


def _clause_by_clause(
    claim: Reading, own: tuple[Denial, ...], held: tuple[Denial, ...], backing: Backing, agreed: set[int]
) -> str | None:
    """Return the fault of a clause beside the clause of the quotes that is nearest to it; note those that agree."""
    for clause in clauses(claim):
        beside, shared = _beside(clause, backing)
        if clause.conditional and clause.denied and any(one.conditional and one.denied for one in beside):
            agreed.add(clause.number)
        if not beside or clause.conditional:
            continue
        numbers = {one.number for one in beside}
        denied = tuple(one for one in own if one.clause == clause.number)
        pair = _Beside(clause, beside, denied, tuple(one for one in held if one.clause in numbers))
        if fault := _opposed(pair, backing, claim) or _undone(pair, claim):
            return fault
        if fault := _half_denied(pair):
            return fault
        if clause.denied in {one.denied for one in beside}:
            agreed.add(clause.number)
        elif shared >= min(_MIN_SHARED_WORDS, len(clause.keys)):
            if fault := _turned_round(clause, beside, own, backing, claim):
                return fault
            nearby = any(one.denied and overlap(clause, one) for one in clauses(backing.quoted))
            if clause.denied and (
                nearby or any(_is_adverse(one, beside) for one in own if one.clause == clause.number)
            ):
                agreed.add(clause.number)
    return None


def _under_a_denial(claim: Reading, own: tuple[Denial, ...], above: tuple[Denial, ...], backing: Backing) -> str | None:
    """Return that a claim on an item under “What we do not pay” says more than the item, and does not deny."""
    quoted = denials(backing.quoted)
    added = [one for one in own if not any(_same(one, other) for other in quoted)]
    # “Do not delete …” under “Do not”: the quotes deny for themselves what the claim denies.
    alike = any(one.word in FAR and any(other.word in FAR and _same(one, other) for other in quoted) for one in own)
    turned = above and not added and not alike and not denials(backing.asked) and _says_more(claim, backing)
    return "what its quotes stand under denies something and it does not" if turned else None


def _moved(claim: Reading, quote: Reading) -> str | None:
    """Return the day or month that the quotes name only where they deny, and the claim where it does not."""
    stated = frozenset().union(*(one.stems for one in clauses(quote) if not one.denied))
    denied = frozenset().union(*(one.stems for one in clauses(quote) if one.denied))
    said = (one.stems for one in clauses(claim) if not one.denied)
    own = frozenset().union(*(stems for stems in said if not any(opposites(stem) & denied for stem in stems)))
    there = own & (denied - stated)
    moved = next((word.text for word in claim.words if word.dated and word.stem in there), None)
    return f"its quotes deny something of “{moved}” and it does not" if moved else None


def _opposed_on_its_day(claim: Reading, quote: Reading) -> str | None:
    """Return the day of which the quotes say the opposite of what the claim says: closed on Sunday, open on others."""
    theirs, named = clauses(quote), {word.stem for word in claim.words if word.dated}
    for own in clauses(claim) if named else ():
        days = named & own.stems
        for day in days if not own.denied else ():
            there = [frozenset[str]() if one.denied else one.stems - claim.stems for one in theirs if day in one.stems]
            if there and all(any(opposites(stem) & stems for stem in own.stems) for stems in there):
                return f"its quotes say the opposite of “{day}…”"
    return None


def _beside(clause: Clause, backing: Backing) -> tuple[list[Clause], int]:
    """Return the clauses of the quotes that share most with a clause of the claim, and how much."""
    every = clauses(backing.quoted)
    shared = [overlap(clause, one) for one in every]
    most = max(shared, default=0)
    return [one for one, count in zip(every, shared, strict=True) if most and count == most], most


def _turned_round(
    clause: Clause,
    beside: list[Clause],
    own: tuple[Denial, ...],
    backing: Backing,
    claim: Reading,
) -> str | None:
    """Return that a clause says the contrary of the clause it is nearest to, unless by a word that means the opposite."""
    held = denials(backing.quoted) + denials(backing.above)
    # A word that denies by itself is the denial, and not its opposite: нельзя for можно.
    signs = {stem_of(one.word) for one in (*own, *held)}
    near = beside[0].stems - signs
    if any(opposites(stem) & near or is_facing(stem, near) for stem in clause.stems - signs):
        return None
    if clause.denied:
        denial = next(one for one in own if one.clause == clause.number)
        if _is_adverse(denial, beside) or _is_exclusive(own, backing):
            return None
        return _stated_so(clause, denial, beside, held, backing)
    return None if any(map(is_adverse, clause.stems - near)) else _omitted(clause, beside, held, claim)


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


def _omitted(clause: Clause, beside: list[Clause], held: tuple[Denial, ...], claim: Reading) -> str | None:
    """Return what the quotes deny in the clause that a clause of the claim is nearest to, and states."""
    numbers = {one.number for one in beside}
    denial = next(one for one in held if one.clause in numbers)
    if _set_against(denial, claim) or any(_negated_form("", claim, one) for one in denial.reached):
        return None
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
    if len(own) < _PAIR:
        return False
    if _ONLY.search(backing.quoted.low):
        return True
    known = backing.quoted.content
    return _NEEDED.search(backing.quoted.low) is not None and any(
        one.word in _BUT and any(akin(one.focus, word.stem) for word in known) for one in own
    )


def is_allowed_only(claim: Reading, own: tuple[Denial, ...], quote: Reading) -> bool:
    """Return whether the claim says with “only” or “needs” what the quotes say with two denials: not without a badge."""
    if own or not (_ONLY.search(claim.low) or _NEEDED.search(claim.low)):
        return False
    if _ONLY.search(quote.low):
        return False
    held = denials(quote)
    adverse = any(word.stem.startswith(_INVALID) for word in quote.content)
    return any(
        one.word in _BUT
        and any(akin(one.focus, word.stem) for word in claim.words)
        and (adverse or any(other is not one and other.sentence == one.sentence for other in held))
        for one in held
    )


def _invented(own: tuple[Denial, ...], held: tuple[Denial, ...], backing: Backing, agreed: set[int]) -> str | None:
    for denial in own:
        if denial.clause in agreed or any(_same(denial, other) for other in held) or _is_undone(denial, own):
            continue
        if _has_opposite(denial, backing.known) or _is_exclusive(own, backing) or (not denial.focus and held):
            continue
        return f"it denies something that its quotes do not deny (“{denial.word} {denial.focus}…”)"
    return None


def _is_undone(denial: Denial, own: tuple[Denial, ...]) -> bool:
    """Return whether a word that denies is denied itself: “has not disappeared” is judged by what denies it."""
    return any(other is not denial and stem_of(denial.word) == other.focus for other in own)


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
        if any(_same(denial, one) for one in own) or not denial.focus or _set_against(denial, claim):
            continue
        stated = _stated(quote, denial)
        for word in claim.content:
            if meaning(word.stem) in reached or word.stem in stated:
                continue
            near = akin(word.stem, denial.focus) or (not own and word.stem in denial.near)
            if near and not any(_negated_form(word.stem, claim, one) for one in (denial.focus, *denial.reached)):
                return f"its quotes deny something and it does not (“{denial.word} {denial.focus}…”)"
    return None


def _set_against(denial: Denial, claim: Reading) -> bool:
    """Return whether the claim sets apart what the quotes deny or except: “rather than …”, “but a suitcase costs …”."""
    places = [at for at, word in enumerate(claim.words) if akin(word.stem, denial.focus)]
    if places and all(_INSTEAD.search(claim.low[: claim.words[at].start]) for at in places):
        return True
    led = [any(one.low in _CONTRAST for one in _clause_before(claim, at)) for at in places]
    return denial.word in _BUT and bool(led) and all(led)


def _clause_before(claim: Reading, place: int) -> list[Word]:
    return [one for one in claim.words[:place] if one.clause == claim.words[place].clause]


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
        opposites(focus) & claim.stems and (stem != focus or _FREE & claim.stems)
    )


def _says_more(claim: Reading, backing: Backing) -> bool:
    """Return whether a claim says more than the item itself, which stands under a denial."""
    held = held_of(backing.quoted.stems)
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
        alone = any(word.stem == denial.focus and is_denying(word.low) for word in claim.words)
        if (signs and alone) or (not signs and any(akin(denial.focus, stem) for stem in pair.near)):
            return _denied(denial)
    return None


def _half_denied(pair: _Beside) -> str | None:
    """Return that both sides say “without” it, and only one that without it something is not so."""
    own, held = ({one.focus for one in side if one.word in _WITHOUT} for side in (pair.own, pair.held))
    if not any(akin(one, other) for one in own for other in held):
        return None
    said, told = (
        any(one.word in FAR or is_adverse(stem_of(one.word)) for one in side) for side in (pair.own, pair.held)
    )
    turned = any(opposites(stem) & pair.near or is_adverse(stem) for stem in pair.clause.stems ^ pair.near)
    return "of what is denied twice in its quotes it denies half" if said != told and not turned else None


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
    denying = [one for one in near if one.startswith(PREFIXES)]
    for stem in sorted(clause.stems - known):
        facing = (opposites(stem) & near) - claim.stems
        if any(_agree(pair, stem, one) for one in facing):
            continue
        if facing and not any(meaning(stem) == meaning(one) for one in known):
            return f"it says “{stem}…” where its quotes say the opposite (“{min(facing)}…”)"
        bare = (one for one in near if is_negated(stem, one)) if stem.startswith(PREFIXES) else ()
        root = min((*bare, *(one for one in denying if is_negated(one, stem))), default=None)
        if root is not None and root not in claim.stems:
            return f"it says “{stem}…” where its quotes say the opposite (“{root}…”)"
    return None
