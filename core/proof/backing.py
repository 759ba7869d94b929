"""The words behind a claim, and which words of it they hold."""

import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from core.asking import asked_for, is_polar
from core.ingest.sounds import sound_of
from core.proof.lexicon import meaning
from core.proof.near import near_to
from core.proof.opposites import opposites
from core.proof.words import Reading, Word, read

_MIN_SHARED, _SHARE = 4, 0.6
_MIN_SOUND = 3
_MIN_JOINED = 7
_DENYING = ("un", "in", "im", "dis", "non", "не", "без", "бес")
_ASPECT = re.compile(r"(?:ирова|ова|ыва|ива|ева)$")
# What makes an English noun of a verb or an adjective: treatment of treat.
_DERIVED = re.compile(r"ments?|ations?|itions?|ances?|ences?|als?|ness|ity|ures?")
# What makes a noun of a verb: курение of курить.
_NOUN = re.compile(r"(?:ен|ан)$")
_PARTICLES = ("back", "up", "out", "in", "off", "over", "down")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The stems of the words that texts write as names and never as plain words, and of those that they write plain."""

    names: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Backing:
    """The words behind a claim: its quotes, what they stand under (title, headings, introduction), and the question.

    `vocabulary`: what is known to be a name, and to be none. `strange`: words of names in the question that no passage
    behind the claim knows: that somebody asks proves nothing of them.
    """

    quotes: str
    around: str
    question: str
    vocabulary: Vocabulary = Vocabulary()
    strange: tuple[str, ...] = ()

    @cached_property
    def quoted(self) -> Reading:
        """The quotes, read."""
        return read(self.quotes)

    @cached_property
    def above(self) -> Reading:
        """What the quotes stand under, read."""
        return read(self.around)

    @cached_property
    def known(self) -> Reading:
        """The quotes with what they stand under."""
        return read(f"{self.quotes}\n{self.around}")

    @cached_property
    def asked(self) -> Reading:
        """The question, read."""
        return read(self.question)

    @cached_property
    def granted(self) -> Reading:
        """What of the question may stand behind a claim, read."""
        if not self.strange:
            return self.asked
        strange = frozenset(word.low for name in self.strange for word in read(name).words)
        words = tuple(word for word in self.asked.words if word.low not in strange)
        content = tuple(word for word in words if word.tells)
        return replace(self.asked, words=words, stems=frozenset(word.stem for word in words), content=content)

    @cached_property
    def asks_whether(self) -> bool:
        """Whether the question asks for a yes or a no, and for nothing else."""
        return is_polar(self.question) and asked_for(self.question) is None

    @cached_property
    def documented(self) -> "Held":
        """What the documents' words hold."""
        return held_of(self.quoted.stems | self.above.stems)

    @cached_property
    def everything(self) -> "Held":
        """What the documents' words and the question's hold."""
        return held_of(self.quoted.stems | self.above.stems | self.granted.stems)

    @cached_property
    def sentences(self) -> tuple["Held", ...]:
        """What each sentence of the quotes holds together with what it stands under and the question.

        A word of the question that another sentence says is that sentence's.
        """
        stems: dict[int, set[str]] = {}
        for word in self.quoted.words:
            stems.setdefault(word.sentence, set()).add(word.stem)
        asked = self.granted.stems - self.quoted.stems
        return tuple(held_of(self.above.stems | asked | own) for own in stems.values())


class Held:
    """The stems of a text, to be asked whether they hold a word in any form or in other words."""

    def __init__(self, stems: frozenset[str]) -> None:
        self.stems = stems
        self._answers: dict[str, bool] = {}

    @cached_property
    def _meanings(self) -> frozenset[str]:
        return frozenset(map(meaning, self.stems))

    @cached_property
    def _by_start(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for stem in self.stems:
            found.setdefault(stem[:_MIN_SOUND], []).append(stem)
        return found

    def holds(self, word: Word) -> bool:
        """Return whether the word is held: the same stem, a word of the same meaning or of the same root."""
        stem = word.stem
        if stem in self.stems:
            return True
        found = self._answers.get(stem)
        if found is None:
            found = self._answers[stem] = self._in_other_words(stem)
        return found

    def _in_other_words(self, stem: str) -> bool:
        if meaning(stem) in self._meanings:
            return True
        for other in self._by_start.get(stem[:_MIN_SOUND], ()):
            if same_root(stem, other):
                return True
        return not self.stems.isdisjoint(near_to(stem)) or self._in_two(stem)

    def _in_two(self, stem: str) -> bool:
        """Return whether a verb is held with its particle, or the other way round: roll back, rollback."""
        if stem.isascii():
            return not self.stems.isdisjoint(_with_particle(stem))
        return len(stem) >= _MIN_JOINED and self._joins(stem)

    def _joins(self, stem: str) -> bool:
        """Return whether a Russian word is put together of the beginning of one and the whole of another: медкнижка."""
        return any(
            stem[at:] in self.stems
            and any(one.startswith(stem[:at]) for one in self._by_start.get(stem[:_MIN_SOUND], ()))
            for at in range(_MIN_SOUND, len(stem) - _MIN_SOUND)
        )

    def opposes(self, word: Word) -> bool:
        """Return whether the opposite of the word is held: closed for open, hurt for unhurt."""
        return not self.stems.isdisjoint(_opposed_to(word.stem))

    def sounds_like(self, word: Word) -> bool:
        """Return whether a word in the other alphabet sounds the same."""
        own = sound_of(word.low)
        return len(own) >= _MIN_SOUND and any(
            other.isascii() != word.low.isascii() and same_name(sound_of(other), own) for other in self.stems
        )


# One of each set of stems: what it was asked it need not find again.
held_of = lru_cache(maxsize=1_024)(Held)


@lru_cache(maxsize=20_000)
def is_kin(one: str, other: str) -> bool:
    """Return whether two stems are forms of one word, or words of the same meaning."""
    return one != other and (meaning(one) == meaning(other) or other in near_to(one) or same_root(one, other))


@lru_cache(maxsize=4_096)
def _with_particle(stem: str) -> frozenset[str]:
    """Return the forms of an English stem with a particle behind it, or without the one that it ends in."""
    if not stem.isascii():
        return frozenset()
    without = {stem.removesuffix(one) for one in _PARTICLES if stem.endswith(one) and len(stem) > len(one)}
    return frozenset({f"{stem}{one}" for one in _PARTICLES} | without)


@lru_cache(maxsize=4_096)
def _opposed_to(stem: str) -> frozenset[str]:
    without = {stem.removeprefix(one) for one in _DENYING if stem.startswith(one) and len(stem) > len(one) + 2}
    return opposites(stem) | without


@lru_cache(maxsize=20_000)
def same_root(one: str, other: str) -> bool:
    """Return whether two stems begin alike for the most part: оплат and оплачива, reimburs and reimbursement."""
    if not one.isascii() and not other.isascii():
        if _NOUN.sub("", one) == other or _NOUN.sub("", other) == one:
            return True
        one, other = _bare(one), _bare(other)
    shared = shared_start(one, other)
    if (
        shared >= _MIN_SHARED
        and _DERIVED.fullmatch(max(one, other, key=len), shared)
        and shared == min(len(one), len(other))
    ):
        return True
    return shared >= _MIN_SHARED and shared >= _SHARE * max(len(one), len(other))


@lru_cache(maxsize=4_096)
def _bare(stem: str) -> str:
    """Return a Russian stem without what only tells whether a thing is done or being done: рассматрива and рассмотр."""
    bare = _ASPECT.sub("", stem)
    return (bare if len(bare) >= _MIN_SHARED else stem).replace("о", "а")


# What a Russian name may end in.
_ENDINGS = frozenset(
    [
        "",
        *"а я у ю е и ы й ь о ой ей ом ем ым ого ому ою ина иной".split(),
        *"a i e u y oi ei om em im ogo omu s".split(),
    ]
)


@lru_cache(maxsize=4_096)
def same_name(one: str, other: str) -> bool:
    """Return whether two words are forms of one name: Дмитрий and Дмитрия, not Мария and Марина."""
    if one == other:
        return True
    shared = shared_start(one, other)
    return shared >= _MIN_SOUND and one[shared:] in _ENDINGS and other[shared:] in _ENDINGS


def shared_start(one: str, other: str) -> int:
    """Return how many letters two words begin with alike."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
