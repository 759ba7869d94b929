"""What a text says is not so, how far each denial reaches, and the clauses that it parts into."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.proof.backing import same_root
from core.proof.bounds import without_bounds
from core.proof.lexicon import meaning
from core.proof.numbers import amounts
from core.proof.words import Reading, Word, read

# What reaches to the end of its clause.
FAR = frozenset(
    "not no never none nobody nothing neither nor nowhere hardly barely unable nobody's"
    " не нет ни никогда никто никого никому никем ничто ничего ничем нигде никуда никак никакой никакая никакое никакие"
    " никаких никакого нельзя unless".split()
)
# What reaches over the words that belong to it.
_NEAR = frozenset("without non except excluding без кроме помимо исключением minus sans lack lacks lacking".split())
# What says of its whole clause that it is not so.
_WHOLE = re.compile(
    r"forbids?|forbidden|prohibit(?:s|ed)?|ban|bans|banned|impossible|disallow(?:s|ed)?|excluded|excludes|exempt(?:ed)?|denied"
    r"|refused?|refuses|rejected|rejects|missing|запрещен[аоы]?|запреща(?:ет|ют)(?:ся)?|запретил[иа]?|запрет|невозможн[аоы]?"
    r"|недопустим[аоы]?|исключен[аоы]?|исключа(?:ет|ют)ся|отсутству(?:ет|ют)|отказано|отказыва(?:ет|ют)"
    r"|отклоня(?:ет|ют)(?:ся)?|отклонен[аоы]?|недоступ(?:ен|на|но|ны)|исчез(?:ла|ло|ли)?"
)
# What amounts to a denial without being one.
_ADVERSE = re.compile(
    r"(?:block|disabl|delet|stop|drop|remov|refus|expir|laps|clos|fail|prevent|lack|exclud|deni|deny|reject|cancel|gone|miss(?:ing)?$"
    r"|void|avoid|refrain|skip|ignor|exempt|secret|silen|forbid|forbidden|prohibit|ban$|banned|impossibl|unabl|unavail|invalid|lost$|forfeit|empti|absent|only$|confidenti"
    r"|блокир|заблокир|отключ|прекра|перест|закры|отказ|истек|сгора|сгор$|отмен|запре|лиш|удал|исчез|недоступ|отсутств"
    r"|невозмож|нельз|недейств|пропа|исключ|потеря|только$|отклон|выключ|избе[гж]|воздерж|тайн|секрет|освобо|молч)"
)
_BEING = frozenset("is are was were be been being get gets got not will".split())
_NEAR_REACH = 4
_BREAKS = frozenset(
    "in on at for from to by with before after until since within of and or but в на за с со до от по из к и или для при после перед".split()
)
# Words that only strengthen, and stand between a denial and what it denies.
_PASSED = frozenset(
    "be been being is are was were do does did have has had can could may might will would shall should must need get a an the any"
    " ever yet longer more just also even so been at all either требуется нужно нужна нужен нужны надо может могут можно был"
    " была было были быть будет будут имеет имеют больше еще уже разу один одного одна одной одному никогда никто не ни"
    " должен должны должна должно необходимо обязан обязаны следует необходима required necessary allowed permitted"
    " разрешено разрешается допускается".split()
)
_EMPTY = _PASSED | FAR
_PREFIXES = ("un", "in", "im", "dis", "ir", "il", "non", "не", "без", "бес")
_MIN_ROOT, _SHORT = 4, 2
_CONDITIONAL = frozenset("if when once while provided если когда пока".split())
_SAYS, _NEXT = 2, 2
# “Yes, …”, «Нет: …», never “No. 5” or “No dogs”.
REPLY = re.compile(
    r"^(?:(?:yes|yeah|yep|yup|no|nope|certainly|of course|sure|absolutely|indeed|correct|exactly"
    r"|да|нет|ага|конечно|разумеется|безусловно|верно|именно)\s*[,.:;!–—-]+\s*(?!\d)|yes\s+)+(?=\S)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Denial:
    """One thing that a text denies: the word that does it, what it denies first, all that it reaches, its clause, what is next, its sentence."""

    word: str
    focus: str
    reached: frozenset[str]
    clause: int
    near: frozenset[str] = frozenset()
    sentence: int = 0


@dataclass(frozen=True, slots=True)
class Clause:
    """What a clause speaks of, by meaning and with its numbers; whether it denies something, or only says when."""

    number: int
    keys: frozenset[str]
    stems: frozenset[str]
    denied: bool
    conditional: bool = False


@lru_cache(maxsize=4_096)
def denials(reading: Reading) -> tuple[Denial, ...]:
    """Return what the text says is not so; bounds (“no more than”) deny nothing."""
    bare = _bare(reading)
    found: list[Denial] = []
    for place, word in enumerate(bare.words):
        if word.low in FAR:
            found.append(_denial(bare, place, _following(bare, place, None)))
        elif word.low in _NEAR:
            found.append(_denial(bare, place, _following(bare, place, _NEAR_REACH)))
        elif word.kind == "word" and _is_whole(word.low) and _is_said_of(bare, place):
            reached = [one for one in bare.words if one.clause == word.clause and one is not word]
            found.append(_denial(bare, place, reached))
    return tuple(found)


def is_denier(word: Word) -> bool:
    """Return whether the word denies and says nothing else: not, nobody, forbidden, нельзя."""
    return word.low in FAR or _is_whole(word.low)


@lru_cache(maxsize=50_000)
def _is_whole(low: str) -> bool:
    return _WHOLE.fullmatch(low) is not None


@lru_cache(maxsize=4_096)
def _bare(reading: Reading) -> Reading:
    bare = without_bounds(reading.text)
    return reading if bare == reading.text else read(bare)


def _is_said_of(reading: Reading, place: int) -> bool:
    """Return whether the word is a predicate: claims are refused, not the refused claims."""
    word = reading.words[place]
    if not word.low.isascii() or word.low in {
        "impossible",
        "forbids",
        "prohibits",
        "bans",
        "excludes",
        "ban",
        "missing",
    }:
        return True
    before = {one.low for one in reading.words[max(0, place - 3) : place]}
    return bool(before & _BEING) or place + 1 == len(reading.words) or reading.words[place + 1].clause != word.clause


def _following(reading: Reading, place: int, limit: int | None) -> list[Word]:
    found: list[Word] = []
    for word in reading.words[place + 1 :]:
        if word.clause != reading.words[place].clause or (limit is not None and len(found) >= limit):
            break
        if (word.comma and found) or (limit is not None and found and word.low in _BREAKS):
            break
        found.append(word)
    return found


def _denial(reading: Reading, place: int, reached: list[Word]) -> Denial:
    word = reading.words[place]
    content = [one for one in reached if one.tells and one.low not in _EMPTY]
    first = next((one for one in reached if (one.low in _BREAKS and one.low != "to") or one in content), None)
    if first is None or first.low in _BREAKS:  # «долгов не было», “a note is not required for …”: it stands before
        content = [one for one in _before(reading, place) if one.tells and one.low not in _EMPTY] + content
    if not content:
        content = [one for one in reached if one.tells and one.low not in FAR]
    focus = content[0].stem if content else ""
    reach = [one.stem for one in content]
    return Denial(word.low, focus, frozenset(reach), _parts(reading)[place], frozenset(reach[:_NEXT]), word.sentence)


def _before(reading: Reading, place: int) -> list[Word]:
    """Return the words before a denial back to a comma or to where its clause begins, the nearest first."""
    found: list[Word] = []
    after = reading.words[place]
    for word in reversed(reading.words[:place]):
        if word.clause != after.clause or after.comma:
            break
        found.append(word)
        after = word
    return found


@lru_cache(maxsize=4_096)
def _parts(reading: Reading) -> tuple[int, ...]:
    """Return for each word the number of its clause; a comma parts one in two when both sides say something."""
    numbers: list[int] = []
    number = held = 0
    left = [_weighs(word) or word.low in FAR for word in reading.words]
    for place, word in enumerate(reading.words):
        before = reading.words[place - 1] if place else word
        parted = word.comma and held >= _SAYS and _says(reading.words, left, place)
        if word.clause != before.clause or parted:
            number, held = number + 1, 0
        held += left[place]
        numbers.append(number)
    return tuple(numbers)


def _says(words: Sequence[Word], left: Sequence[bool], place: int) -> bool:
    """Return whether what begins at a word says something before the next comma or clause."""
    said = int(left[place])
    for at in range(place + 1, len(words)):
        if said >= _SAYS or words[at].comma or words[at].clause != words[place].clause:
            break
        said += left[at]
    return said >= _SAYS


def _weighs(word: Word) -> bool:
    return word.kind in {"number", "ident"} or (word.tells and word.low not in _EMPTY)


@lru_cache(maxsize=4_096)
def clauses(reading: Reading) -> tuple[Clause, ...]:
    """Return the clauses of a text that speak of something."""
    bare = _bare(reading)
    parts = _parts(bare)
    denied = {denial.clause for denial in denials(reading)}
    found: dict[int, list[Word]] = {}
    for part, word in zip(parts, bare.words, strict=True):
        found.setdefault(part, []).append(word)
    numbers: dict[int, set[str]] = {}
    for amount in amounts(bare):
        numbers.setdefault(parts[amount.place], set()).add(amount.value)
    made = []
    for number, words in found.items():
        stems = [one.stem for one in words if one.tells and one.low not in _EMPTY]
        keys = frozenset(map(meaning, stems)) | frozenset(numbers.get(number, ()))
        if keys:
            every = frozenset(one.stem for one in words)
            made.append(Clause(number, keys, every, number in denied, _is_conditional(words)))
    return tuple(made)


def _is_conditional(words: Sequence[Word]) -> bool:
    begins = tuple(word.low for word in words[:2])
    return begins[0] in _CONDITIONAL or begins in {("as", "long"), ("при", "условии")}


@lru_cache(maxsize=100_000)
def is_adverse(stem: str) -> bool:
    """Return whether a word says of itself that something is not so, or no longer: blocked, lapses, прекращает."""
    return _ADVERSE.match(stem) is not None


@lru_cache(maxsize=200_000)
def is_negated(stem: str, root: str) -> bool:
    """Return whether the first stem is the other with a prefix that denies it."""
    return (
        len(root) >= _MIN_ROOT
        and stem.startswith(_PREFIXES)
        and any(
            stem.startswith(prefix) and stem[len(prefix) :].startswith(root[: max(_MIN_ROOT, len(root) - 1)])
            for prefix in _PREFIXES
        )
    )


def akin(one: str, other: str) -> bool:
    """Return whether two stems are the same, of one meaning or of one root."""
    return one == other or meaning(one) == meaning(other) or same_root(one, other)
