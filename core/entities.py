"""Names: a registry of what the corpus speaks of, and the places in a question where it is named."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, product
from typing import NamedTuple

from core.ingest.everyday import EVERYDAY
from core.ingest.slips import MIN_LENGTH, Slips, is_slip, rests
from core.ingest.sounds import sound_of
from core.text import MARKS, STOP_WORDS, analysed_as, lone_signs, normalise, stem, terms

_MAX_WORDS = 8
# Confidence of a name as written, in the other alphabet, with one letter wrong.
_AS_WRITTEN, _AS_IT_SOUNDS, _MISSPELT = 1.0, 0.9, 0.8
# And of a part of a person's name that nobody else has.
BY_PART = 0.95
_SHORT = re.compile(r"[A-ZА-ЯЁ]{2}")
_CYRILLIC_WORD = re.compile(r"[а-я]")
_SENTENCE_BEGINS = re.compile(r"(?:^|[.!?…:\n])[\s\"'«“(\[*-]*$")
# Accents written apart and invisible characters stand inside a word: a pasted name is still a name.
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{MARKS}\u00ad\u200b-\u200d\u2060\ufeff])*")
_JOINS = re.compile(r"(?<=[a-zа-яё])(?=[A-ZА-ЯЁ])")
# The stemmer takes the end of a name for an ending: Соколов is сокол, Соколова is соколов. So names are declined.
_ENDINGS = ("", "а", "ом")
_CONSONANTS = tuple("бвгджзклмнпрстфхцчшщ")
# Павел, Павла; Кравец, Кравца: the last vowel goes before an ending.
_FLEETING = re.compile(r"(?<=\w\w[бвгджзклмнпрстфхцчшщ])[ео](?=[клнц]$)")
_SPACE = re.compile(r"\s")
_NAME = re.compile(r"(?<=[^\s.!?…] )[A-ZА-ЯЁ][\w-]*\w|\b[A-Za-zА-Яа-я]+-?\d[\w-]*")
# Letters that a name must have to be found by its sound, and the most ways to sound that are tried.
_MIN_SOUND, _MOST_SOUNDS = 3, 27
# How far back the beginning of a sentence is looked for.
_MAX_SPACE = 12
# How much of the text on both sides of a word tells its language.
_AROUND = 300


@dataclass(frozen=True, slots=True)
class Entity:
    """Something with a name. `page` is the document that is about it."""

    id: str
    name: str
    type: str
    aliases: tuple[str, ...] = ()
    page: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True)
class EntityMatch:
    """A name found in a question: where it stands there, and how sure that is (1 = as written)."""

    entity: Entity
    start: int
    end: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Registry:
    """All entities, by id and by the stems of their names.

    `by_sound`: names as they sound in the other alphabet. `acronyms`: names that are found only as they are written.
    `guarded`: names that are everyday words too, and whether they are written in capitals. `openings`: how many words
    the longest name has that begins so. `slips`: the words of names that a misspelt word may be meant for.
    """

    entities: Mapping[str, Entity] = field(default_factory=dict)
    by_stems: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    by_sound: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    acronyms: Mapping[str, str] = field(default_factory=dict)
    openings: Mapping[str, int] = field(default_factory=dict)
    guarded: Mapping[tuple[str, ...], bool] = field(default_factory=dict)
    slips: Slips = field(default_factory=Slips)


@dataclass(frozen=True, slots=True)
class _Keys:
    """What one name is found by."""

    written: str = ""
    stems: tuple[tuple[str, ...], ...] = ()
    sounds: tuple[tuple[str, ...], ...] = ()
    everyday: bool = False
    capitals: bool = False
    words: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Forms:
    """A word's stem, and the keys under which names of the other alphabet that sound like it are found."""

    stem: str
    sounds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Spot:
    """A word of a text, with the signs right behind it (C++, C#)."""

    start: int
    end: int
    word: str
    signs: str


def make_registry(entities: Iterable[Entity], known: Registry | None = None) -> Registry:
    """Return the registry of these entities behind the known ones; of two with one name the first keeps it."""
    known = known or Registry()
    by_id, by_stems = {**known.entities}, {**known.by_stems}
    by_sound, acronyms, guarded = {**known.by_sound}, {**known.acronyms}, {**known.guarded}
    free = set(known.by_stems).difference(known.guarded)
    words: set[tuple[str, str]] = set()
    for entity in entities:
        by_id.setdefault(entity.id, entity)
        for keys in map(_keys, entity.names):
            if keys.written:
                acronyms.setdefault(keys.written, entity.id)
            words.update(keys.words)
            for key in keys.stems:
                by_stems.setdefault(key, entity.id)
            for key in keys.sounds:
                by_sound.setdefault(key, entity.id)
            for key in keys.stems if keys.everyday else ():
                guarded[key] = guarded.get(key, True) and keys.capitals
            free.update(() if keys.everyday else keys.stems)
    kept = {key: capitals for key, capitals in guarded.items() if key not in free}
    openings = _openings((*by_stems, *by_sound))
    return Registry(by_id, by_stems, by_sound, acronyms, openings, kept, Slips(known.slips.words | words))


@lru_cache(maxsize=200_000)
def _keys(name: str) -> _Keys:
    """Return what the name is found by: as written when it is short or a stop word in capitals, else in any form.

    A sentence is no name: nobody asks for it in full.
    """
    found = _WORD.findall(name)
    bare = name.strip()
    if not found or len(found) > _MAX_WORDS:
        return _Keys()
    if len(found) == 1 and (len(found[0]) == 1 or _SHORT.fullmatch(found[0])):
        return _Keys(written=found[0] + _signs(bare, bare.find(found[0]) + len(found[0])))
    if name.isupper() and normalise(name) in STOP_WORDS:
        return _Keys(written=name)
    spellings = _spellings(found)
    stems = tuple(tuple(_stem_with(ending, word) for word in one) for one in spellings for ending in _ENDINGS)
    sounds = tuple(islice(product(*map(_name_sounds, found)), _MOST_SOUNDS))
    everyday = len(found) == 1 and name != name.lower() and _is_everyday(found[0])
    long = len(found) > 1 or len(normalise(name)) >= _MIN_SOUND
    words = {(spelt, one) for spelt in map(normalise, found) for one in (_stem_with("", spelt), _stem_with("а", spelt))}
    words |= {(one, one) for _, one in words}
    heard = sounds if long and not everyday else ()
    return _Keys("", tuple(dict.fromkeys(stems)), heard, everyday, name.isupper(), tuple(words))


def _spellings(found: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the words, and when several are written as one or one as several, that way too: Fast API and FastAPI."""
    parts = tuple(part for word in found for part in _JOINS.split(word))
    whole = "".join(found)
    fitting = (tuple(found), parts, (whole,) if len(whole) > MIN_LENGTH or whole[-1:].isdigit() else ())
    dropped = tuple(_FLEETING.sub("", normalise(word)) + "а" if _drops(word) else word for word in found)
    return tuple(dict.fromkeys(one for one in (*fitting, dropped) if one))


def _drops(word: str) -> bool:
    return bool(_FLEETING.search(normalise(word)))


def _is_everyday(word: str) -> bool:
    folded = normalise(word)
    return folded in EVERYDAY or folded in STOP_WORDS


@lru_cache(maxsize=200_000)
def _stem_with(ending: str, word: str) -> str:
    folded = normalise(word)
    return stem(folded + ending if folded.endswith(_CONSONANTS) else folded)


def _openings(names: Iterable[tuple[str, ...]]) -> dict[str, int]:
    """Return for each first word of a name how many words the longest such name has."""
    longest: dict[str, int] = {}
    for name in names:
        longest[name[0]] = min(_MAX_WORDS, max(longest.get(name[0], 0), len(name)))
    return longest


def resolve_entities(text: str, registry: Registry, *, typos: bool = True) -> tuple[EntityMatch, ...]:
    """Return the entities named in the text, longest names first matched, in reading order.

    The cost of a word does not grow with the number of names, misspelt or not.
    """
    words = [(found.group(), found.start(), found.end()) for found in _WORD.finditer(text)]
    matches: list[EntityMatch] = []
    position = 0
    while position < len(words):
        reach = _MAX_WORDS if typos else _reach(words[position], registry, text)
        if not reach:
            position += 1
            continue
        ahead = words[position : position + reach]
        spots = [_Spot(start, end, word, _signs(text, end)) for word, start, end in ahead]
        match, used = _longest(spots, registry, text, typos=typos)
        if match:
            matches.append(match)
        position += used
    return tuple(matches)


def _reach(spot: tuple[str, int, int], registry: Registry, text: str) -> int:
    """Return how many words the longest name may have that begins with the word; most words begin none."""
    word, _, end = spot
    forms = _forms(word)
    reach = registry.openings.get(forms.stem, 0)
    for sound in forms.sounds:
        reach = max(reach, registry.openings.get(sound, 0))
    return reach or int(word in registry.acronyms or word + _signs(text, end) in registry.acronyms)


def _signs(text: str, start: int) -> str:
    signs = text[start : start + 2]
    return signs if signs == "++" else signs[:1] if signs[:1] == "#" else ""


def named_terms(text: str, registry: Registry) -> list[str]:
    """Return the search terms of a document's text, and after them a term for each entity that it names."""
    named = resolve_entities(text, registry, typos=False)
    return [*terms(text), *lone_signs(text), *(name_term(match.entity.id) for match in named)]


def asked_terms(text: str, registry: Registry) -> list[str]:
    """Return the search terms of a question: one for each entity that it names under any name, and its other words."""
    found: list[str] = []
    end = 0
    for match in resolve_entities(text, registry):
        found += [*terms(text[end : match.start]), name_term(match.entity.id)]
        end = match.end
    return found + terms(text[end:])


class Unknown(NamedTuple):
    """Names that stand for no known entity: those that were typed, and those in the question in full.

    `known`: beside them, the names in the question in full that stand for one.
    """

    typed: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    known: tuple[EntityMatch, ...] = ()


def unknown_names(text: str, matches: Iterable[EntityMatch]) -> tuple[str, ...]:
    """Return the words that are written like names or codes (but for a sentence's first) and stand for no entity.

    A part of a person's name is one of them: documents that are searched may hold nothing but it.
    """
    known = [range(match.start, match.end) for match in matches if match.confidence != BY_PART]
    names = [found for found in _NAME.finditer(text) if not any(found.start() in span for span in known)]
    return tuple(dict.fromkeys(found.group() for found in names))


def word_forms(text: str) -> frozenset[str]:
    """Return the forms of every word of the text under which a name that begins with it is looked up."""
    forms = map(_forms, set(_WORD.findall(text)))
    return frozenset(form for one in forms for form in (one.stem, *one.sounds))


def changed_forms(old: Registry, new: Registry) -> frozenset[str]:
    """Return the first word's form of each name that only one of the registries knows, or knows as something else."""
    keys = {
        key[0]
        for key, _ in (*(old.by_stems.items() ^ new.by_stems.items()), *(old.by_sound.items() ^ new.by_sound.items()))
    }
    keys |= {key[0] for key, _ in old.guarded.items() ^ new.guarded.items()}
    written = [name for name, _ in old.acronyms.items() ^ new.acronyms.items()]
    return frozenset(keys).union(*(word_forms(name) for name in written))


def name_term(entity: str) -> str:
    """Return the search term that stands for an entity; no word of a text can be like it."""
    return f"§{_SPACE.sub('_', entity)}"


def is_name_term(term: str) -> bool:
    """Return whether the search term stands for an entity."""
    return term.startswith("§")


def _longest(spots: Sequence[_Spot], registry: Registry, text: str, *, typos: bool) -> tuple[EntityMatch | None, int]:
    found, confidence, size = _as_written(spots, registry, text)
    if not found and typos:
        found, confidence, size = _as_misspelt(spots, registry)
    if not found:
        return None, 1
    last = spots[size - 1]
    signs = last.signs if size == 1 and last.word + last.signs in registry.acronyms else ""
    return EntityMatch(registry.entities[found], spots[0].start, last.end + len(signs), confidence), size


def _as_written(spots: Sequence[_Spot], registry: Registry, text: str) -> tuple[str | None, float, int]:
    first = _forms(spots[0].word)
    longest = max(1, *(registry.openings.get(form, 0) for form in (first.stem, *first.sounds)))
    forms = [_forms(spot.word) for spot in spots[:longest]]
    for size in range(len(forms), 0, -1):
        if size == 1 and (known := registry.acronyms.get(spots[0].word + spots[0].signs)):
            return known, _AS_WRITTEN, 1
        found, confidence = _lookup(forms[:size], registry)
        if found and (size > 1 or _is_meant(spots[0], forms[0].stem, confidence, registry, text)):
            return found, confidence, size
    return None, 0.0, 1


def _lookup(forms: Sequence[_Forms], registry: Registry) -> tuple[str | None, float]:
    found = registry.by_stems.get(tuple(form.stem for form in forms))
    if found:
        return found, _AS_WRITTEN
    if forms[0].sounds and any(sound in registry.openings for sound in forms[0].sounds):
        for sounds in islice(product(*(form.sounds for form in forms)), _MOST_SOUNDS):
            if sounds in registry.by_sound:
                return registry.by_sound[sounds], _AS_IT_SOUNDS
    return None, 0.0


def _is_meant(spot: _Spot, stem_: str, confidence: float, registry: Registry, text: str) -> bool:
    """Return whether a word that may be an everyday one is written like a name, or stands in the other alphabet."""
    if confidence == _AS_IT_SOUNDS:
        return spot.word[0].isupper() or not (_is_everyday(spot.word) or stem_ in EVERYDAY)
    capitals = registry.guarded.get((stem_,))
    around = text[max(0, spot.start - _AROUND) : spot.end + _AROUND] if capitals is not None else ""
    if capitals is None or ("ru" if _CYRILLIC_WORD.search(normalise(spot.word)) else "en") != analysed_as(around):
        return True
    if capitals or spot.word.isupper():
        return spot.word.isupper() and (len(spot.word) > 1)
    alone = not _WORD.search(text, spot.end) or text[spot.end : spot.end + 1] in "?!.…"
    return spot.word[0].isupper() and (
        alone or not _SENTENCE_BEGINS.search(text[max(0, spot.start - _MAX_SPACE) : spot.start])
    )


def _as_misspelt(spots: Sequence[_Spot], registry: Registry) -> tuple[str | None, float, int]:
    """Return the only entity of which one word may be misspelt here; where several may be meant, none is."""
    stems = tuple(_forms(spot.word).stem for spot in spots)
    meant = [_meant_by(spot.word, one, registry) for spot, one in zip(spots, stems, strict=True)]
    opened = [registry.openings.get(word, 0) for word in (stems[0], *meant[0])]
    for size in range(min(len(stems), max(opened)), 0, -1):
        tried = ((*stems[:n], one, *stems[n + 1 : size]) for n in range(size) for one in meant[n])
        found = {registry.by_stems[key] for key in tried if key in registry.by_stems}
        if len(found) == 1:
            return found.pop(), _MISSPELT, size
    return None, 0.0, 1


def _meant_by(written: str, short: str, registry: Registry) -> tuple[str, ...]:
    """Return the stems of the words of names that the written word may be meant for."""
    folded = normalise(written)
    if _is_everyday(folded) or short in EVERYDAY:
        return ()
    meant = [
        name
        for word in dict.fromkeys((folded, short))
        for rest in rests(word)
        for spelt, name in registry.slips.near(rest)
        if name != short and is_slip(word, spelt)
    ]
    return tuple(dict.fromkeys(meant))


@lru_cache(maxsize=20_000)
def _forms(word: str) -> _Forms:
    folded = normalise(word)
    short = stem(folded)
    if not _CYRILLIC_WORD.search(folded):
        return _Forms(short, ("ru:" + sound_of(folded),))
    ending = (sound_of(short) + "~",) if short != folded else ()
    return _Forms(short, tuple(dict.fromkeys("en:" + one for one in (sound_of(folded), sound_of(short), *ending))))


def _name_sounds(word: str) -> tuple[str, ...]:
    """Return the keys for a word of a name by the alphabet it is written in; Kafka, which is declined, is kafk~ too."""
    folded = normalise(word)
    sound = sound_of(folded)
    if _CYRILLIC_WORD.search(folded):
        return ("ru:" + sound,)
    return (
        ("en:" + sound, "en:" + sound[:-1] + "~")
        if sound[-1:] in ("a", "i") and len(sound) > _MIN_SOUND
        else ("en:" + sound,)
    )
