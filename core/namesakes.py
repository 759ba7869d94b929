"""Names that several entities go by: "Dmitry" is two colleagues, "ALOR" a project and a company."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from core.entities import BY_PART, Entity, EntityMatch, Registry, make_registry, resolve_entities
from core.kinds import is_kind
from core.text import all_terms

# A person's name: longer ones are no first and last name.
_NAME_WORDS = range(2, 4)
_PERSON = "person"
# Behind a name that says nothing else, or that others are named beside.
_ENDS = re.compile(r"\W*$|\s*(?:,|(?:and|or|vs|versus|и|или|против)\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Namesakes:
    """The shared names and the parts of persons' names, found in a text as any other name is, and who goes by each."""

    names: Registry = field(default_factory=Registry)
    ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class View:
    """The names that somebody knows, and those of them that several go by."""

    registry: Registry
    namesakes: Namesakes


@dataclass(frozen=True, slots=True)
class Shared:
    """A shared name where it stands in a text; `name` is the same however it is written there."""

    name: str
    start: int
    end: int
    ids: tuple[str, ...]


def namesakes_of(registry: Registry) -> Namesakes:
    """Return the names that two entities or more go by equally well, and the parts of names that say who is meant.

    A name or an alias outdoes a mere part of a person's name; "Company ALOR" goes by "ALOR" as well, as its first word
    only says what it is.
    """
    wholly: dict[str, dict[str, None]] = defaultdict(dict)
    in_full = {" ".join(all_terms(name)) for entity in registry.entities.values() for name in entity.names}
    partly: dict[str, dict[str, None]] = defaultdict(dict)
    written: dict[str, str] = {}
    for entity in registry.entities.values():
        for name in _whole(entity):
            wholly[written_as(name, written)][entity.id] = None
        for name in _parts(entity):
            partly[written_as(name, written)][entity.id] = None
    ids = {name: tuple(wholly.get(name) or partly[name]) for name in written}
    shared = {name: those for name, those in ids.items() if name and (len(those) > 1 or name not in in_full)}
    return Namesakes(make_registry(Entity(name, written[name], "name") for name in shared), shared)


def written_as(name: str, written: dict[str, str]) -> str:
    """Return what the name is known by in all its forms, and keep the first way it is written."""
    key = " ".join(all_terms(name))
    written.setdefault(key, name)
    return key


def shared_names(text: str, matches: tuple[EntityMatch, ...], namesakes: Namesakes) -> tuple[Shared, ...]:
    """Return the shared names in the text but for those inside a longer name, in reading order."""
    if not namesakes.ids:
        return ()
    found = resolve_entities(text, namesakes.names, typos=False)
    return tuple(
        Shared(one.entity.id, one.start, one.end, namesakes.ids[one.entity.id])
        for one in found
        # Of those who share it, an audience may know but one.
        if len(namesakes.ids[one.entity.id]) > 1 and not any(_is_inside(one, match) for match in matches)
    )


def with_parts(
    text: str, matches: tuple[EntityMatch, ...], registry: Registry, namesakes: Namesakes
) -> tuple[EntityMatch, ...]:
    """Return the matches, and with them whatever the text names by a part that only it goes by: a person, a "Project".

    It must be written like a name: "will" is none, and neither is "rose".
    """
    if not namesakes.ids:
        return matches
    found = [(one, namesakes.ids[one.entity.id]) for one in resolve_entities(text, namesakes.names, typos=False)]
    own = [
        replace(one, entity=(whole := registry.entities[ids[0]]), confidence=BY_PART if whole.type == _PERSON else 1.0)
        for one, ids in found
        if len(ids) == 1 and ids[0] in registry.entities and _is_written_as_a_name(one, registry.entities[ids[0]], text)
    ]
    free = [one for one in own if all(one.end <= match.start or match.end <= one.start for match in matches)]
    return tuple(sorted((*matches, *free), key=lambda match: match.start)) if free else matches


def _is_written_as_a_name(one: EntityMatch, entity: Entity, text: str) -> bool:
    """Return whether it has a capital, and not only because it begins the text, as in "Price of an audit?"."""
    if not text[one.start].isupper():
        return False
    begins = not any(char.isalnum() for char in text[: one.start])
    alone = begins and _ENDS.match(text, one.end)
    return not begins or bool(alone) or any(all_terms(name)[:1] == all_terms(one.entity.name) for name in entity.names)


def as_meant(
    text: str, matches: tuple[EntityMatch, ...], meant: tuple[str, ...], registry: Registry, namesakes: Namesakes
) -> tuple[EntityMatch, ...]:
    """Return the matches with each shared name standing for the one of `meant` that goes by it, if just one does."""
    for shared in shared_names(text, matches, namesakes):
        own = [id_ for id_ in shared.ids if id_ in meant and id_ in registry.entities]
        if len(own) == 1:
            kept = [one for one in matches if one.end <= shared.start or shared.end <= one.start]
            one = EntityMatch(registry.entities[own[0]], shared.start, shared.end, 1.0)
            matches = tuple(sorted((*kept, one), key=lambda match: match.start))
    return matches


def _is_inside(one: EntityMatch, match: EntityMatch) -> bool:
    return match.start <= one.start and one.end <= match.end and (match.end - match.start) > (one.end - one.start)


def _whole(entity: Entity) -> Iterator[str]:
    for name in entity.names:
        yield name
        words = name.split()
        bare = [word for word in words if not is_kind(word, entity.type)]
        # "Expense" of "expense system" is a word, not a name.
        if bare and len(bare) < len(words) and not any(word.islower() for word in bare):
            yield " ".join(bare)


def _parts(entity: Entity) -> Iterator[str]:
    """Yield a person's first and last name."""
    if entity.type != _PERSON:
        return
    for name in entity.names:
        words = name.split()
        if len(words) in _NAME_WORDS and all(word[:1].isupper() for word in words):
            yield from (words[0], words[-1])
