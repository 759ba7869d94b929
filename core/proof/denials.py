"""What a text says is not so, how far each denial reaches, and the clauses that it parts into."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.proof.backing import same_root
from core.proof.bounds import without_bounds
from core.proof.lexicon import meaning
from core.proof.near import near_to
from core.proof.numbers import amounts
from core.proof.opposites import opposites
from core.proof.patterns import compiled
from core.proof.words import Reading, Word, read

# What reaches to the end of its clause.
FAR = frozenset(
    "not no never none nobody nothing neither nor nowhere hardly barely unable nobody's"
    " не нет ни никогда никто никого никому никем ничто ничего ничем нигде никуда никак никакой никакая никакое никакие"
    " никаких никакого нельзя unless".split()
)
# What reaches over the words that belong to it.
NEAR = frozenset(
    "without non except excluding без кроме помимо исключением minus apart aside вне sans lack lacks lacking".split()
)
# What says of its whole clause that it is not so.
_WHOLE = compiled(
    r"forbids?|forbidden|prohibit(?:s|ed)?|ban|bans|banned|impossible|disallow(?:s|ed)?|excluded|excludes|exempt(?:ed)?|denied"
    r"|refused?|refuses|rejected|rejects|missing|запрещен[аоы]?|запреща(?:ет|ют)(?:ся)?|запретил[иа]?|запрет|невозможн[аоы]?"
    r"|недопустим[аоы]?|исключен[аоы]?|исключа(?:ет|ют)ся|отсутству(?:ет|ют)|отказано|отказыва(?:ет|ют)"
    r"|отклоня(?:ет|ют)(?:ся)?|отклонен[аоы]?|недоступ(?:ен|на|но|ны)|исчез(?:ла|ло|ли)?"
)
# What amounts to a denial without being one.
_ADVERSE = compiled(
    r"(?:block|disabl|delet|stop|drop|remov|refus|expir|laps|clos|fail|prevent|lack|exclud|deni|deny|reject|cancel|gone|miss(?:ing)?$"
    r"|void|avoid|refrain|skip|ignor|exempt|secret|silen|forbid|forbidden|prohibit|ban$|banned|impossibl|unabl|unavail|invalid|lost$|forfeit|empti|absent|only$|confidenti"
    r"|блокир|заблокир|отключ|прекра|перест|закры|отказ|истек|сгора|сгор$|отмен|запре|лиш|удал|исчез|недоступ|отсутств"
    r"|невозмож|нельз|недейств|пропа|исключ|потеря|только$|отклон|выключ|избе[гж]|воздерж|тайн|секрет|освобо|молч)"
)
_BEING = frozenset("is are was were be been being get gets got not will".split())
_CEASING = compiled(r"stop(?:s|ped)?|cease[sd]?|перестать|переста(?:ет|ют|л[аои]?|нет|нут)")
_DOING = compiled(r"ing$|т(?:ь|ься)$")
_NEAR_REACH = 4
_BREAKS = frozenset(
    "in on at for from to by with before after until since within of and or but в на за с со до от по из к и или для при после перед".split()
)
_ENDING = frozenset("can may must will shall should could is are was were has have had".split())
# Words that only strengthen, and stand between a denial and what it denies.
_PASSED = frozenset(
    "be been being is are was were do does did have has had can could may might will would shall should must need get a an the any"
    " ever yet longer more just also even so been at all either требуется нужно нужна нужен нужны надо может могут можно был"
    " была было были быть будет будут имеет имеют больше еще уже разу один одного одна одной одному никогда никто не ни"
    " должен должны должна должно необходимо обязан обязаны следует необходима required necessary allowed permitted"
    " разрешено разрешается допускается"
    # How far it reaches is not what it denies: “not allowed anywhere, under any circumstances”.
    " anywhere anyhow anybody anyone anything anytime whatsoever whatever circumstance circumstances обстоятельствах условиях каких каком".split()
)
_EMPTY = _PASSED | FAR
_EVERY = frozenset("everything everybody everyone all anything anybody anyone".split())
_ALL = frozenset("all every any each".split())
PREFIXES = ("un", "in", "im", "dis", "ir", "il", "non", "не", "без", "бес")
_MIN_ROOT, _SHORT = 4, 2
_CONDITIONAL = frozenset("if when once while provided если когда пока".split())
_AND = frozenset("and but or и а но или".split())
_FINITE = compiled(r"(?:[аяуе][ею]т|[аяуеи]тся|[аяуе][ею]тся)$")
_LEADING = frozenset("after before during until после до перед при".split())
_SAYS, _NEXT = 2, 2
# “Yes, …”, «Нет: …», never “No. 5” or “No dogs”.
REPLY = compiled(
    r"^(?:(?:yes|yeah|yep|yup|no|nope|certainly|of course|sure|absolutely|indeed|correct|exactly"
    r"|да|нет|ага|конечно|разумеется|безусловно|верно|именно)\s*[,.:;!–—-]+\s*(?!\d)|yes\s+)+(?=\S)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Denial:
    """One thing that a text denies: the word that does it, what it denies first, all that it reaches, its clause, what is next.

    `start`: where the word stands in the text without its bounds.
    """

    word: str
    focus: str
    reached: frozenset[str]
    clause: int
    near: frozenset[str] = frozenset()
    sentence: int = 0
    start: int = 0


@dataclass(frozen=True, slots=True)
class Clause:
    """What a clause speaks of, by meaning and with its numbers; whether it denies something, or only says when."""

    number: int
    keys: frozenset[str]
    stems: frozenset[str]
    denied: bool
    conditional: bool = False


@lru_cache(maxsize=256)
def denials(reading: Reading) -> tuple[Denial, ...]:
    """Return what the text says is not so; bounds (“no more than”) deny nothing."""
    plain = bare(reading)
    found: list[Denial] = []
    for place, word in enumerate(plain.words):
        if word.low in FAR or (_is_ceasing(word.low) and _ceases(plain, place)):
            found.append(_denial(plain, place, _following(plain, place, None)))
        elif (word.low in NEAR and not _is_sign(plain, place)) or (word.low == "but" and _is_exception(plain, place)):
            found.append(_denial(plain, place, _following(plain, place, _NEAR_REACH)))
        elif word.kind == "word" and _is_whole(word.low) and _is_said_of(plain, place):
            reached = [one for one in plain.words if one.clause == word.clause and one is not word]
            found.append(_denial(plain, place, reached))
    return tuple(found)


def _ceases(reading: Reading, place: int) -> bool:
    """Return whether a word for ceasing says that what the verb behind it tells is no longer so: stop working, перестают работать."""
    following = reading.words[place + 1].low if place + 1 < len(reading.words) else ""
    return _DOING.search(following) is not None


@lru_cache(maxsize=20_000)
def _is_ceasing(low: str) -> bool:
    return _CEASING.fullmatch(low) is not None


def _is_exception(reading: Reading, place: int) -> bool:
    """Return whether a “but” excepts what follows from all before it: everything but meat, all employees but one."""
    if reading.words[place].comma:
        return False
    before = [word.low for word in reading.words[max(0, place - 2) : place]]
    return bool(before) and (before[-1] in _EVERY or before[0] in _ALL)


def _is_sign(reading: Reading, place: int) -> bool:
    """Return whether the word is the sign of the number behind it: minus 20 degrees."""
    return (
        reading.words[place].low == "minus"
        and place + 1 < len(reading.words)
        and reading.words[place + 1].kind == "number"
    )


def is_denier(word: Word) -> bool:
    """Return whether the word denies and says nothing else: not, nobody, forbidden, нельзя."""
    return is_denying(word.low)


@lru_cache(maxsize=20_000)
def is_denying(low: str) -> bool:
    """Return the same of a word by its letters."""
    return low in FAR or _is_whole(low)


@lru_cache(maxsize=4_096)
def _is_whole(low: str) -> bool:
    return _WHOLE.fullmatch(low) is not None


@lru_cache(maxsize=256)
def bare(reading: Reading) -> Reading:
    """Return the text without the bounds that look like denials."""
    text = without_bounds(reading.text)
    return reading if text == reading.text else read(text)


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
        if (word.comma and found) or (limit is not None and found and word.low in _BREAKS | _ENDING):
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
    return Denial(
        word.low, focus, frozenset(reach), parts_of(reading)[place], frozenset(reach[:_NEXT]), word.sentence, word.start
    )


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


@lru_cache(maxsize=256)
def parts_of(reading: Reading) -> tuple[int, ...]:
    """Return for each word the number of its clause; a comma parts one in two when both sides say something."""
    numbers: list[int] = []
    number = held = lead = 0
    denying = False
    opposed = _opposed_places(reading)
    left = [
        word.kind in {"number", "ident"} or (word.tells and word.low not in _EMPTY) or word.low in FAR
        for word in reading.words
    ]
    for place, word in enumerate(reading.words):
        before = reading.words[place - 1] if place else word
        parted = word.comma and held >= _SAYS and _says(reading.words, left, place)
        if place and word.sentence != before.sentence:
            lead = place
        parted = parted or (denying and held > 0 and _leads_over(reading.words[place : place + 2]))
        is_led = word.comma and word.sentence == before.sentence and _leads(reading.words, lead, place)
        if (word.clause != before.clause or parted or place in opposed) and not is_led:
            number, held = number + 1, 0
            denying = False
        held += left[place]
        denying = denying or word.low in FAR
        numbers.append(number)
    return tuple(numbers)


def _leads_over(words: Sequence[Word]) -> bool:
    """Return whether «и» leads over to another verb, which what is denied before it does not reach."""
    return len(words) > 1 and words[0].low == "и" and _FINITE.search(words[1].low) is not None


def _leads(words: Sequence[Word], start: int, end: int) -> bool:
    """Return whether words at the beginning of a sentence only say when: “After a week, …”."""
    return words[start].low in _LEADING and not any(word.comma or word.low in FAR for word in words[start + 1 : end])


def _opposed_places(reading: Reading) -> frozenset[int]:
    """Return where “and” leads over from a word to its opposite: free for children and costs 24 for adults."""
    places: set[int] = set()
    facing: set[str] = set()
    joint: int | None = None
    for place, word in enumerate(reading.words):
        if place and word.clause != reading.words[place - 1].clause:
            facing, joint = set(), None
        if word.low in _AND:
            joint = place if facing else None
        elif joint is not None and word.stem in facing:
            places.add(joint)
            facing, joint = set(), None
        facing |= opposites(word.stem)
    return frozenset(places)


def _says(words: Sequence[Word], left: Sequence[bool], place: int) -> bool:
    """Return whether what begins at a word says something before the next comma or clause."""
    said = int(left[place])
    for at in range(place + 1, len(words)):
        if said >= _SAYS or words[at].comma or words[at].clause != words[place].clause:
            break
        said += left[at]
    return said >= _SAYS


@lru_cache(maxsize=256)
def clauses(reading: Reading) -> tuple[Clause, ...]:
    """Return the clauses of a text that speak of something."""
    plain = bare(reading)
    parts = parts_of(plain)
    denied = {denial.clause for denial in denials(reading)}
    found: dict[int, list[Word]] = {}
    for part, word in zip(parts, plain.words, strict=True):
        found.setdefault(part, []).append(word)
    numbers: dict[int, set[str]] = {}
    for amount in amounts(plain):
        numbers.setdefault(parts[amount.place], set()).add(amount.value)
    made = []
    for number, words in found.items():
        stems = [one.stem for one in words if one.tells and one.low not in _EMPTY]
        keys = frozenset(map(meaning, stems)) | frozenset(numbers.get(number, ()))
        if keys:
            every = frozenset([one.stem for one in words])
            made.append(Clause(number, keys, every, number in denied, _is_conditional(words)))
    return tuple(made)


_BEGUN = {"о": "а"}


def overlap(one: Clause, other: Clause) -> int:
    """Return how many keys two clauses share, in any form."""
    rest = one.keys - other.keys
    left = other.keys - one.keys
    count = len(one.keys & other.keys)
    for key in rest:
        begin = _BEGUN.get(key[:1], key[:1])
        # What begins with another letter is of no root with it.
        near = [held for held in left if _BEGUN.get(held[:1], held[:1]) == begin]
        count += bool(near) and any(same_root(key, held) for held in near)
    return count


def _is_conditional(words: Sequence[Word]) -> bool:
    begins = tuple([word.low for word in words[:2]])
    return begins[0] in _CONDITIONAL or begins in {("as", "long"), ("при", "условии")}


def is_facing(stem: str, others: Iterable[str]) -> bool:
    """Return whether a stem is one of others with a prefix that denies it, or the other way round."""
    denies = stem.startswith(PREFIXES)
    for other in others:
        if (denies and is_negated(stem, other)) or (other.startswith(PREFIXES) and is_negated(other, stem)):
            return True
    return False


@lru_cache(maxsize=4_096)
def is_adverse(stem: str) -> bool:
    """Return whether a word says of itself that something is not so, or no longer: blocked, lapses, прекращает."""
    return _ADVERSE.match(stem) is not None


def is_negated(stem: str, root: str) -> bool:
    """Return whether the first stem is the other with a prefix that denies it."""
    if len(root) < _MIN_ROOT or not stem.startswith(PREFIXES):
        return False
    begin = root[: max(_MIN_ROOT, len(root) - 1)]
    return begin in stem and any(stem.startswith(prefix) and stem.startswith(begin, len(prefix)) for prefix in PREFIXES)


def akin(one: str, other: str) -> bool:
    """Return whether two stems are the same, of one meaning or of one root."""
    return one == other or meaning(one) == meaning(other) or same_root(one, other) or other in near_to(one)
