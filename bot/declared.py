"""`footnote.yaml`: the sources of a corpus and what it says about itself, checked, each mistake with its line."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from bot.lined import Lined, parsed
from bot.permissions import SECTION
from bot.places import KINDS, FolderPlace, GitPlace, Place
from bot.wheres import called
from core.errors import ConfigError
from core.ingest.domain import read_domain
from core.mistakes import first_fault

FILE: Final = "footnote.yaml"
_SOURCES: Final = "sources"
_DOMAIN_ERROR: Final = re.compile(
    r"domain\.yaml, (?P<place>[^:\s]+): (?P<words>.+[.?]) [^.?]* index again\.", re.DOTALL
)
_EXAMPLE: Final = "sources: [{folder: handbook}, {site: 'https://docs.example.com/'}]"


@dataclass(frozen=True, slots=True)
class Declared:
    """What the file says: the places in its order, and everything that `domain.yaml` could say."""

    file: Path
    places: tuple[Place, ...]
    domain: Mapping[str, Any]


def read_declared(path: Path) -> Declared:
    """Return what the file declares. Raises ConfigError with the line and the fix."""
    found, lines = parsed(path)
    file = Lined(path, lines)
    if not isinstance(found, dict):
        raise file.wrong((), f"it holds no keys and values: begin with {_EXAMPLE}")
    if _SOURCES not in found and (meant := get_close_matches(_SOURCES, map(str, found), 1)):
        raise file.wrong((meant[0],), f"there is no {meant[0]!r}: did you mean {_SOURCES!r}?")
    entries = found.get(_SOURCES)
    if not isinstance(entries, list) or not entries:
        raise file.wrong((_SOURCES,), f"name the sources, such as {_EXAMPLE}")
    places = tuple(_place(file, number, entry) for number, entry in enumerate(entries))
    _check_names(file, places)
    return Declared(
        path, places, _domain(file, {key: value for key, value in found.items() if key not in (_SOURCES, SECTION)})
    )


def _place(file: Lined, number: int, entry: object) -> Place:
    here = (_SOURCES, number)
    kinds = [kind for kind in KINDS if isinstance(entry, dict) and kind in entry]
    if not isinstance(entry, dict) or len(kinds) != 1:
        raise file.wrong(here, _kind_wanted(entry, kinds))
    if odd := [key for key in entry if key not in KINDS[kinds[0]].model_fields]:
        known = list(KINDS[kinds[0]].model_fields)
        near = get_close_matches(str(odd[0]), known, 1)
        advice = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(known)}"
        raise file.wrong((*here, odd[0]), f"a {kinds[0]} has no {odd[0]!r}: {advice}")
    try:
        place = KINDS[kinds[0]].model_validate(entry)
    except ValidationError as error:
        where, words = first_fault(error, KINDS[kinds[0]])
        raise file.wrong((*here, *where), f"{'.'.join(map(str, where)) or kinds[0]}: {words}") from None
    return _from(file.path.parent, place)


def _kind_wanted(entry: object, kinds: Sequence[str]) -> str:
    """Return what is wrong with a source that is not said to be one of the kinds."""
    if len(kinds) > 1:
        return f"one source is either a {' or a '.join(kinds)}: make two of it"
    if isinstance(entry, dict):
        near = next((near[0] for key in entry if (near := get_close_matches(str(key), KINDS, 1))), None)
        odd = next((str(key) for key in entry if get_close_matches(str(key), KINDS, 1)), "")
        if near:
            return f"there is no {odd!r}: did you mean {near!r}?"
    return f"a source begins with one of {', '.join(KINDS)}, such as {_EXAMPLE}"


def _from(folder: Path, place: Place) -> Place:
    """Return the place with paths that count from where the file lies."""
    if isinstance(place, FolderPlace):
        return place.model_copy(update={"folder": (folder / place.folder.expanduser()).resolve()})
    if isinstance(place, GitPlace) and (folder / place.git).is_dir():
        return place.model_copy(update={"git": (folder / place.git).resolve().as_uri()})
    return place


def _check_names(file: Lined, places: Sequence[Place]) -> None:
    """Raise ConfigError for two sources whose documents would stand in one folder."""
    first: dict[str, int] = {}
    for number, place in enumerate(places):
        name = called(place)
        if first.setdefault(name.casefold(), number) != number:
            raise file.wrong((_SOURCES, number), f"two sources are called {name!r}: give this one a name of its own")


def _domain(file: Lined, domain: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what is declared besides. Raises ConfigError when that is wrong."""
    if "link_base" in domain:
        raise file.wrong(("link_base",), "link_base is for one source: write it under that one")
    try:
        read_domain(domain)
    except ConfigError as error:
        # core.ingest.domain names the place by the keys and numbers that lead to it.
        found = _DOMAIN_ERROR.fullmatch(str(error))
        if not found:
            raise
        place = tuple(int(part) if part.isdigit() else part for part in found["place"].split("."))
        raise file.wrong(place, f"{found['place']}: {found['words'].removesuffix('.')}") from None
    return domain
