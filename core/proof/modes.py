"""What a clause demands, forbids, allows or does without: “not without a badge” demands a badge, as “needs a badge” does.

The same is said in many ways: a denial of what is allowed forbids, a denial of what is demanded makes it optional, and
“without” turns round what it is said of. Each clause comes down to one of a few modes, and those of a claim are set beside
those of its quotes.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from core.proof.backing import Backing, Held, held_of
from core.proof.denials import FAR, NEAR, akin, bare, denials, is_adverse, is_denying, is_negated, parts_of
from core.proof.lexicon import light
from core.proof.opposites import opposites
from core.proof.patterns import compiled
from core.proof.quantifiers import reach
from core.proof.words import Reading, Word

Mode = Literal["states", "denies", "demands", "forbids", "allows", "spares", "unclear"]

_ALLOWS = compiled(
    r"may|can|could|allow(?:s|ed)?|permit(?:s|ted)?|lets?|possible|able|available|entitled|welcome"
    r"|можно|может|могут|можете|вправе|разреш(?:ен[аоы]?|ает|ают|ается|аются)|допуска(?:ет|ют|ется|ются)|позвол(?:ено|яет|яют|яется)"
    r"|возмож(?:ен|на|но|ны)|доступ(?:ен|на|но|ны)"
)
_FORBIDS = compiled(
    r"forbid(?:s|den)?|prohibit(?:s|ed)?|ban(?:s|ned)?|impossible|disallow(?:s|ed)?|unavailable|barred|reject(?:s|ed)?|refuse[sd]?"
    r"|запрещен[аоы]?|запреща(?:ет|ют)(?:ся)?|нельзя|недопустим[аоы]?|невозмож(?:ен|на|но|ны)|недоступ(?:ен|на|но|ны)"
)
_DEMANDS = compiled(
    r"must|shall|need(?:s|ed)?|requir(?:e|es|ed|ing)|compulsory|mandatory|obligatory|obliged|necessary|has|have"
    r"|нуж(?:ен|на|но|ны)|надо|требу(?:ет|ют)(?:ся)?|потребуется|понадобится|обязан[аоы]?|обязател(?:ен|ьна|ьно|ьны)"
    r"|необходим[аоы]?|долж(?:ен|на|но|ны)|придется|приходится"
)
_SPARES = compiled(
    r"optional|voluntary|unnecessary|needless|необязател(?:ен|ьна|ьно|ьны)|добровол(?:ен|ьна|ьно|ьны)|излиш(?:ен|ня|не|ни)"
)
_SIGNS: tuple[tuple[Mode, re.Pattern[str]], ...] = (
    ("forbids", _FORBIDS),
    ("spares", _SPARES),
    ("demands", _DEMANDS),
    ("allows", _ALLOWS),
)
_ONLY = frozenset("only solely exclusively только лишь исключительно".split())
_EVEN = frozenset("even regardless даже".split())
_WITHOUT = frozenset("without unless без".split())
# A denial of these forbids, where that of the others that demand only spares.
_FORBIDDING = frozenset("must shall должен должна должно должны".split())
_OBLIGING = frozenset("has have".split())
# What does not deny once more beside «не»: никто не может.
_ONCE = frozenset("не нет нельзя".split())
_AGAIN = frozenset("ни никогда никто никого никому никем ничто ничего ничем нигде никуда никак".split())
_DENIED: dict[Mode, Mode] = {
    "states": "denies",
    "denies": "states",
    "demands": "spares",
    "spares": "demands",
    "allows": "forbids",
    "forbids": "allows",
    "unclear": "unclear",
}
_WITHOUT_IT: dict[Mode, Mode] = {"states": "spares", "allows": "spares", "denies": "demands", "forbids": "demands"}
_CONTRARY = frozenset(
    map(
        frozenset,
        (
            ("demands", "spares"),
            ("forbids", "allows"),
            ("demands", "forbids"),
            ("denies", "states"),
            ("denies", "demands"),
            ("denies", "allows"),
        ),
    )
)
_ALIKE = frozenset([frozenset(["denies", "forbids"])])
_TOLD = {
    "demands": "is needed",
    "spares": "is not needed",
    "forbids": "is forbidden",
    "allows": "is allowed",
    "denies": "is not so",
    "states": "is so",
}
# What goes on with the clause before it, and what only says when, what for, or what is left out.
_GOING_ON = frozenset("without unless без only только лишь".split())
_WHEN = frozenset("if when once provided except если когда пока кроме чтобы".split())
_FOR = frozenset("for to для при".split())
_AND = frozenset("and or but и или а но".split())
_BINDING = frozenset(["must", "may", "only"])
_MIN_SHARED, _HALF, _SHARE = 2, 0.5, 0.6
# A clause of so few words of meaning goes on about what the clause before it says: “those in Ghent do not”.
_BRIEF, _OTHERS = 2, 0.75
# One that speaks of “it” near its beginning does so, too, whatever its length.
_PRONOUNS = frozenset(
    "it its they them their this these that those he she он она оно они его ее их ему ей им это эти".split()
)
_OPENING = 3


class Moded(NamedTuple):
    """A clause: its mode, its words of meaning, those that say the mode, and those that it takes from the clause before.

    `held`, `held_too`: the words, and those taken, to be asked for others.
    """

    mode: Mode
    words: tuple[Word, ...]
    signs: tuple[Word, ...]
    taken: tuple[Word, ...]
    held: Held
    held_too: Held


def says_the_same(claim: Reading, backing: Backing) -> bool:
    """Return whether each clause of a claim has the mode of the clause of its quotes that it is nearest to.

    What the quotes deny must be what such a clause is about, if the claim speaks of it.
    """
    own, quote = modes(claim), backing.quoted
    near = [_beside(_telling(one.words), quote, _HALF) for one in own]
    if not own or not all(
        found and all(_agree(one, other) for other in found) for one, found in zip(own, near, strict=True)
    ):
        return False
    for denial in denials(quote):
        clause = next((one for one in modes(quote) if any(word.start == denial.start for word in one.signs)), None)
        about = [
            found
            for one, found in zip(own, near, strict=True)
            if any(akin(word.stem, denial.focus) for word in (*one.words, *one.signs))
        ]
        others = [one for one in clause.words if one.stem != denial.focus] if clause else []
        others = others or [one for one in clause.taken if one.stem != denial.focus] if clause else []
        is_spoken_of = _tells_of(claim, denial.focus) and (
            not others or any(_tells_of(claim, one.stem) for one in others)
        )
        is_kept = (
            clause is None or clause.mode != "states" or any(akin(one.focus, denial.focus) for one in denials(claim))
        )
        if is_spoken_of and (not is_kept or clause is None or not about or any(clause not in found for found in about)):
            return False
    return True


def _tells_of(claim: Reading, stem: str) -> bool:
    return any(akin(word.stem, stem) for word in claim.words)


def fault_of_modes(claim: Reading, backing: Backing) -> str | None:
    """Return what the claim demands and its quotes spare, or forbids and they allow, or the other way round."""
    for one in modes(claim) if denials(claim) or not _BINDING.isdisjoint(reach(claim)) else ():
        if (
            one.mode in {"states", "unclear"}
            or len(one.words) < _MIN_SHARED
            or _is_denied_elsewhere(one, backing.quoted)
        ):
            continue
        near = _beside(one.words, backing.quoted, _SHARE)
        if near and all(_contradict(one, other) for other in near):
            about = " ".join(word.text for word in one.words[:3])
            return f"it says that something {_TOLD[one.mode]} (“{about}…”), its quotes that it {_TOLD[near[0].mode]}"
    return None


def _is_denied_elsewhere(clause: Moded, quote: Reading) -> bool:
    """Return whether a clause that merely denies speaks of what its quotes deny somewhere."""
    reached = frozenset().union(*(denial.reached for denial in denials(quote)))
    return clause.mode == "denies" and any(akin(word.stem, stem) for word in clause.words for stem in reached)


def _agree(one: Moded, other: Moded) -> bool:
    alike = one.mode == other.mode or frozenset([one.mode, other.mode]) in _ALIKE
    return alike and one.mode != "unclear" and not _opposed(one, other)


def _contradict(one: Moded, other: Moded) -> bool:
    return frozenset([one.mode, other.mode]) in _CONTRARY and not _opposed(one, other)


def _opposed(one: Moded, other: Moded) -> bool:
    """Return whether a word of one clause is the opposite of a word of the other, or denies by itself on one side."""
    own, theirs = _stems(one.words), _stems((*other.words, *other.taken))
    return any(
        not opposites(stem).isdisjoint(theirs)
        or any(is_negated(stem, facing) or is_negated(facing, stem) for facing in theirs)
        for stem in own - theirs
    ) or any(is_adverse(stem) for stem in own ^ _stems(other.words))


def _telling(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the words that say something by themselves, all if none does."""
    return tuple(word for word in words if word.stem not in light()) or words


def _beside(words: tuple[Word, ...], quote: Reading, share: float) -> list[Moded]:
    """Return the clauses of the quotes that hold most of the words, if that is such a share of them at least."""
    found = []
    for other in modes(quote):
        own, taken = other.held, other.held_too
        counts = [1.0 if own.holds(word) else _OTHERS if taken.holds(word) else 0.0 for word in words]
        found.append((sum(counts), sum(map(bool, counts)), other))
    most = max((score for score, _, _ in found), default=0.0)
    return [other for score, count, other in found if score == most and count and count >= share * len(words)]


def _stems(words: Iterable[Word]) -> frozenset[str]:
    return frozenset([word.stem for word in words])


@lru_cache(maxsize=256)
def modes(reading: Reading) -> tuple[Moded, ...]:
    """Return the clauses of a text that say more than when, each with its mode."""
    found: list[Moded] = []
    before: list[Moded] = []
    own: list[Moded] = []
    sentence = -1
    for words in _clauses(bare(reading)):
        if words[0].low in _WHEN or (words[0].low in _FOR and not _is_signed(words)):
            continue
        refers = any(word.low in _PRONOUNS for word in words[:_OPENING])
        if words[0].sentence != sentence:
            before, own = own, []
        last = own[-1] if own else before[-1] if before and refers else None
        own.append(_moded(words, last, tuple(word for one in (*before, *own) for word in one.words) if refers else ()))
        found.append(own[-1])
        sentence = words[0].sentence
    return tuple(one for one in found if one.words or one.signs)


def _clauses(reading: Reading) -> Iterator[list[Word]]:
    """Yield the words between signs, contrasts and conditions; what “without” leads in belongs to what is before it."""
    parts = parts_of(reading)
    clause: list[Word] = []
    for place, word in enumerate(reading.words):
        is_parted = place > 0 and parts[place] != parts[place - 1] and (word.low not in _GOING_ON or word.comma)
        is_new = is_parted or _leads_over(word, reading.words[place + 1 : place + 2])
        is_open = bool(clause) and clause[0].low in _WITHOUT and not _is_signed(clause[1:])
        if clause and ((is_new and not is_open) or word.sentence != clause[-1].sentence):
            yield clause
            clause = []
        clause.append(word)
    if clause:
        yield clause


def _leads_over(word: Word, following: Sequence[Word]) -> bool:
    """Return whether an “and” leads over to what is demanded, allowed or denied besides."""
    return word.low in _AND and any(_mode(one.low) is not None or one.low in FAR for one in following)


def _is_signed(words: Sequence[Word]) -> bool:
    return any(_mode(word.low) is not None or is_denying(word.low) for word in words)


def _moded(words: Sequence[Word], last: Moded | None, meant: tuple[Word, ...]) -> Moded:
    modes_of = [_mode_of(word, words[place + 1 : place + 2]) for place, word in enumerate(words)]
    pairs = zip(words, modes_of, strict=True)
    signs = tuple([word for word, mode in pairs if mode or is_denying(word.low) or word.low in _WITHOUT])
    said = tuple([word for word in words if (word.tells or word.says) and _tells(word) and word not in signs])
    brief = last is not None and len(said) <= _BRIEF
    own = next((mode for mode, _ in _SIGNS if mode in modes_of), None)
    goes_on = last.mode if last and brief and _denies(words) else "states"
    mode = _turned(own or goes_on, frozenset([word.low for word in words]), words)
    taken = meant or ((*last.words, *last.taken) if last and brief else ())
    return Moded(mode, said, signs, taken, held_of(_stems(said)), held_of(_stems(taken)))


def _turned(mode: Mode, lows: frozenset[str], words: Sequence[Word]) -> Mode:
    """Return what becomes of a mode by the words that deny, leave out or narrow it."""
    denied = _denies(words)
    if lows & (NEAR - _WITHOUT | _EVEN) or (denied and (lows & _WHEN or _is_late(words))):
        return "unclear"
    if denied:
        mode = "forbids" if mode == "demands" and lows & _FORBIDDING else _DENIED[mode]
    if mode == "states" and _is_early(words):
        return mode
    if not lows.isdisjoint(_WITHOUT) and sum(word.low in _WITHOUT for word in words) % 2:
        return _WITHOUT_IT.get(mode, "unclear")
    if lows & _ONLY:
        return "demands" if mode in {"allows", "states"} else "unclear"
    return mode


def _is_late(words: Sequence[Word]) -> bool:
    """Return whether what is denied comes well behind what is allowed or demanded: “may order titles we do not have”."""
    signs = [at for at, word in enumerate(words) if _mode(word.low) is not None]
    denied = next((at for at, word in enumerate(words) if word.low in FAR and word.low not in _WITHOUT), len(words))
    between = words[signs[0] + 1 : denied] if signs and signs[0] < denied < len(words) else ()
    return sum(_tells(word) for word in between) >= _MIN_SHARED


def _is_early(words: Sequence[Word]) -> bool:
    """Return whether “without” belongs to what is spoken of and not to what is said of it: requests without a header."""
    place = next((at for at, word in enumerate(words) if word.low in _WITHOUT), 0)
    return place > 0 and sum(_tells(word) for word in words[:place]) < _MIN_SHARED


def _mode_of(word: Word, following: Sequence[Word]) -> Mode | None:
    if word.low in _OBLIGING:
        return "demands" if following and following[0].low == "to" else None
    return None if word.capital and not word.opens else _mode(word.low)


@lru_cache(maxsize=4_096)
def _mode(low: str) -> Mode | None:
    return next((mode for mode, pattern in _SIGNS if pattern.fullmatch(low)), None)


def _denies(words: Sequence[Word]) -> bool:
    """Return whether the words deny an odd number of times; «никто не может» denies once."""
    signs = [word.low for word in words if is_denying(word.low) and word.low not in _WITHOUT]
    once = not _ONCE.isdisjoint(signs)
    return sum(not (once and low in _AGAIN) and _mode(low) is None for low in signs) % 2 == 1


def _tells(word: Word) -> bool:
    if word.kind in {"number", "ident"}:
        return True
    return word.kind == "word" and word.tells and word.low not in _ONLY
