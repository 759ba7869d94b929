"""Names that documents give: further names of what is known, or new terms."""

from collections.abc import Iterable, Iterator

from core.entities import Entity, Registry, resolve_entities
from core.ingest.statements import Naming
from core.text import all_terms

TERM = "term"
# An id is quoted in plans.
_LONGEST_ID, _LONGEST_NAME = 60, 80


def named_in(namings: Iterable[Iterable[Naming]], known: Registry) -> Iterator[Entity]:
    """Yield an entity for each naming: one that is known with a further name, or else a new term.

    A short form goes to what the full name names, or the full name to what the short form names; when the two name
    different things already, nothing is added.
    """
    for naming in dict.fromkeys(one for given in namings for one in given):
        names = tuple(filter(None, (naming.full, naming.short)))
        if max(map(len, names)) > _LONGEST_NAME:
            continue
        found = {name: _named(name, known) for name in names}
        owners = {entity.id: entity for entity in found.values() if entity}
        fresh = tuple(name for name in names if not found[name])
        if len(owners) == 1 and fresh:
            (owner,) = owners.values()
            yield Entity(owner.id, fresh[0], owner.type, (), owner.page)
        elif not owners and (words := all_terms(naming.full)):
            yield Entity(f"{TERM}:{'-'.join(words)}"[:_LONGEST_ID], names[0], TERM, names[1:])


def _named(name: str, known: Registry) -> Entity | None:
    found = resolve_entities(name, known, typos=False)
    whole = len(found) == 1 and not any(char.isalnum() for char in name[: found[0].start] + name[found[0].end :])
    return found[0].entity if whole else None
