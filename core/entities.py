"""Names: a registry of what the corpus speaks of, and the places in a question where it is named."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rapidfuzz import fuzz, process

from core.text import STOP_WORDS, normalise, stem, terms

_MAX_WORDS = 8
_TYPO_CUTOFF = 88.0
_MIN_TYPO_LENGTH = 5
_SHORT = re.compile(r"[A-ZА-ЯЁ]{2}")
# Accents written apart and invisible characters stand inside a word: a pasted name is still a name.
_WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff])*")
# The stemmer takes the end of a name for an ending: Соколов is сокол, Соколова is соколов. So names are declined.
_ENDINGS = ("", "а", "ом")
_CONSONANTS = tuple("бвгджзклмнпрстфхцчшщ")
_Forms = tuple[str, str, str]
_SPACE = re.compile(r"\s")
_NAME = re.compile(r"(?<=[^\s.!?…] )[A-ZА-ЯЁ][\w-]*\w|\b[A-Za-zА-Яа-я]+-?\d[\w-]*")
_CYRILLIC = dict(zip("абвгдезийклмнопрстуфхцыэ", "abvgdezijklmnoprstufhcye", strict=True)) | {
    "ж": "zh", "ч": "ch", "ш": "sh", "щ": "sch", "ю": "yu", "я": "ya", "ъ": "", "ь": "",
}  # fmt: skip


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
    """All entities, by id and by the stems of their names; `single`: the one-word names that a typo may mean."""

    entities: Mapping[str, Entity] = field(default_factory=dict)
    by_stems: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    by_sound: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    acronyms: Mapping[str, str] = field(default_factory=dict)
    openings: Mapping[str, int] = field(default_factory=dict)
    single: tuple[str, ...] = ()


def make_registry(entities: Iterable[Entity]) -> Registry:
    """Return the registry; of two entities with one name the first keeps it."""
    by_id: dict[str, Entity] = {}
    by_stems: dict[tuple[str, ...], str] = {}
    by_sound: dict[tuple[str, ...], str] = {}
    acronyms: dict[str, str] = {}
    for entity in entities:
        by_id.setdefault(entity.id, entity)
        for name in entity.names:
            if _SHORT.fullmatch(name) or (name.isupper() and normalise(name) in STOP_WORDS):
                acronyms.setdefault(name, entity.id)
            elif words := _WORD.findall(name):
                for ending in _ENDINGS:
                    by_stems.setdefault(tuple(_stem_with(ending, word) for word in words), entity.id)
                for sounds in _sounds([_forms(word) for word in words]):
                    by_sound.setdefault(sounds, entity.id)
    single = tuple(stems[0] for stems in by_stems if len(stems) == 1 and len(stems[0]) >= _MIN_TYPO_LENGTH)
    return Registry(by_id, by_stems, by_sound, acronyms, _openings((*by_stems, *by_sound)), single)


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

    The cost of a word does not grow with the number of names, but for the search for misspelt ones (`typos`).
    """
    spots = [(match.start(), match.end(), match.group()) for match in _WORD.finditer(text)]
    matches: list[EntityMatch] = []
    position = 0
    while position < len(spots):
        match, used = _longest(spots[position : position + _MAX_WORDS], registry, typos=typos)
        if match:
            matches.append(match)
        position += used
    return tuple(matches)


def named_terms(text: str, registry: Registry) -> list[str]:
    """Return the search terms of a document's text, and after them a term for each entity that it names."""
    named = resolve_entities(text, registry, typos=False)
    return terms(text) + [name_term(match.entity.id) for match in named]


def asked_terms(text: str, registry: Registry) -> list[str]:
    """Return the search terms of a question: one for each entity that it names under any name, and its other words."""
    found: list[str] = []
    end = 0
    for match in resolve_entities(text, registry):
        found += [*terms(text[end : match.start]), name_term(match.entity.id)]
        end = match.end
    return found + terms(text[end:])


def unknown_names(text: str, matches: Iterable[EntityMatch]) -> tuple[str, ...]:
    """Return the words that are written like names or codes (but for a sentence's first) and stand for no entity."""
    known = [range(match.start, match.end) for match in matches]
    names = [found for found in _NAME.finditer(text) if not any(found.start() in span for span in known)]
    return tuple(dict.fromkeys(found.group() for found in names))


def name_term(entity: str) -> str:
    """Return the search term that stands for an entity; no word of a text can be like it."""
    return f"§{_SPACE.sub('_', entity)}"


def _longest(spots: list[tuple[int, int, str]], registry: Registry, *, typos: bool) -> tuple[EntityMatch | None, int]:
    longest = max(1, *(registry.openings.get(form, 0) for form in _forms(spots[0][2])))
    forms = [_forms(word) for _, _, word in spots[:longest]]
    for size in range(len(forms), 0, -1):
        found, confidence = _lookup(forms[:size], spots[0][2] if size == 1 else "", registry, typos=typos)
        if found:
            return EntityMatch(registry.entities[found], spots[0][0], spots[size - 1][1], confidence), size
    return None, 1


def _lookup(forms: list[_Forms], word: str, registry: Registry, *, typos: bool) -> tuple[str | None, float]:
    if word in registry.acronyms:
        return registry.acronyms[word], 1.0
    stems = tuple(stem_ for stem_, _, _ in forms)
    if stems in registry.by_stems:
        return registry.by_stems[stems], 1.0
    for sounds in _sounds(forms):
        if sounds in registry.by_sound:
            return registry.by_sound[sounds], 0.9
    if typos and word and len(stems[0]) >= _MIN_TYPO_LENGTH:
        return _typo(stems[0], registry)
    return None, 0.0


def _typo(word: str, registry: Registry) -> tuple[str | None, float]:
    best = process.extractOne(word, registry.single, scorer=fuzz.ratio, score_cutoff=_TYPO_CUTOFF)
    return (registry.by_stems[(best[0],)], best[1] / 100 - 0.1) if best else (None, 0.0)


@lru_cache(maxsize=200_000)
def _forms(word: str) -> _Forms:
    """Return the word's stem, and in Latin letters its stem and the stem of its sound: Кафка is kafk and kafka."""
    folded = normalise(word)
    return stem(folded), _sound(stem(folded)), stem(_sound(folded))


def _sounds(forms: Sequence[_Forms]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(one[1] for one in forms), tuple(one[2] for one in forms)


def _sound(word: str) -> str:
    return "".join(_CYRILLIC.get(char, char) for char in word)
