"""`permissions.yaml`, or `permissions:` in `footnote.yaml`: groups, what places are for, and who may read what."""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Final
from unicodedata import normalize

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from bot.lined import Lined, parsed
from core.audience import Groups, folded
from core.errors import ConfigError
from core.ingest.access import Access, FolderRule, LabelRule, some_names

FILE: Final = "permissions.yaml"
SECTION: Final = "permissions"
SHARED: Final = "footnote.yaml"
# Whom a platform knows, by ids that nobody else can take; a name of a group is anything else.
KNOWN: Final = re.compile(
    r"slack:[TE][A-Z0-9]{1,30}:[A-Z][A-Z0-9]{1,30}|telegram:-?[0-9]{1,20}|workspace:[\w-]{1,60}"
    r"|(?:slack:[TE][A-Z0-9]{1,30}:)?[^\s@:]+@[^\s@:]+\.[^\s@:]+"
)
NAME: Final = re.compile(r"[^\W_][\w .+-]{0,98}")
_LOOKS_KNOWN: Final = re.compile(r"(?:slack|telegram|workspace):|@")


def _listed(value: object) -> object:
    return (value,) if isinstance(value, str) else value


_Names = Annotated[tuple[str, ...], BeforeValidator(_listed)]


def _as_rule(value: object) -> object:
    """A folder or a label may name its readers at once."""
    return {"readers": [value] if isinstance(value, str) else value} if isinstance(value, str | list) else value


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)
    groups: dict[str, _Names] = Field(default_factory=dict)
    places: dict[str, _Names] = Field(default_factory=dict)
    folders: dict[str, Annotated[FolderRule, BeforeValidator(_as_rule)]] = Field(default_factory=dict)
    labels: dict[str, Annotated[LabelRule, BeforeValidator(_as_rule)]] = Field(default_factory=dict)
    readers: _Names | None = None
    drafts: bool = True

    _named = field_validator("readers", mode="before")(some_names)


# What stands at the top of the file.
KEYS: Final = frozenset(_File.model_fields)


@dataclass(frozen=True, slots=True)
class Permissions:
    """What the file says. `places`: whom a channel or chat is for, by its name. `file`: None when there is none."""

    groups: Groups = field(default_factory=Groups)
    places: Mapping[str, frozenset[str]] = field(default_factory=dict)
    access: Access = field(default_factory=Access)
    file: Path | None = None

    def unknown(self, names: Iterable[str]) -> list[str]:
        """Return those of the names that are neither somebody's nor a group with anybody in it: nobody goes by them."""
        return sorted(name for name in set(names) if not (KNOWN.fullmatch(name) or self.groups.members.get(name)))


def read_permissions(folder: Path | None = None) -> Permissions:
    """Return what the file in the working folder says; nothing when there is none. Raises ConfigError with the line."""
    file = file_in(folder or Path())
    return read_file(file) if file else Permissions()


def file_in(folder: Path, shared: str = SHARED) -> Path | None:
    """Return the file in the folder that says who may read what, if there is one. Raises ConfigError when two do."""
    own, other = folder / FILE, folder / shared
    has_own = os.path.isfile(own)  # noqa: PTH113 - a folder that may not be looked into has none, here and below
    section = _section(other) if os.path.isfile(other) else None  # noqa: PTH113
    if has_own and section:
        raise ConfigError(f"permissions stand in {FILE} and in {shared}: leave them in one of the two")
    return own if has_own else other if section else None


def read_file(file: Path) -> Permissions:
    """Return what a file says, or the section of one that says more. Raises ConfigError with the line."""
    if file.name == FILE:
        found, lines = parsed(file)
        return _checked(found, Lined(file, lines, ""), ())
    section = _section(file)
    return _checked(*section, (SECTION,)) if section else Permissions()


def _section(path: Path) -> tuple[Any, Lined] | None:
    found, lines = parsed(path)
    if not isinstance(found, dict) or SECTION not in found:
        return None
    return found[SECTION], Lined(path, lines, "")


def _checked(found: Any, file: Lined, place: tuple[str, ...]) -> Permissions:
    """Return the permissions. Raises ConfigError: what is not understood must not be taken for permission."""
    if not isinstance(found, dict):
        raise file.wrong(place, "it says nothing: begin with groups: {people-team: [anna@northwind.example]}")
    found = _composed(found, file, place)
    known = list(_File.model_fields)
    if odd := [str(key) for key in found if key not in known]:
        near = get_close_matches(odd[0], known, 1)
        advice = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(known)}"
        raise file.wrong((*place, odd[0]), f"there is no {odd[0]!r}: {advice}")
    try:
        read = _File.model_validate(found)
    except ValidationError as error:
        raise file.refused(place, error, _File) from None
    _check(read, file, place)
    groups = Groups({name: frozenset(map(folded, members)) for name, members in read.groups.items()})
    return Permissions(
        groups,
        {name: frozenset(map(folded, for_)) for name, for_ in read.places.items()},
        _access(read, groups),
        file.path,
    )


def _composed(found: Any, file: Lined, place: tuple[str, ...]) -> Any:
    """Return what was read with every name as it is compared: й is one character, also where a Mac wrote two."""
    match found:
        case str():
            return normalize("NFC", found)
        case list():
            return [_composed(one, file, place) for one in found]
        case dict():
            whole = {_composed(key, file, place): _composed(one, file, place) for key, one in found.items()}
            if len(whole) < len(found):
                twice = next(key for key in found if isinstance(key, str) and key != normalize("NFC", key))
                raise file.wrong((*place, twice), f"{normalize('NFC', twice)!r} stands twice")
            return whole
    return found


def _access(read: _File, groups: Groups) -> Access:
    inside = {name: tuple(sorted(groups.names([name]) - {name})) for name in sorted(groups.members)}
    inside = {name: within for name, within in inside.items() if within}
    rules = Access(folders=read.folders, labels=read.labels, inside=inside, drafts=read.drafts)
    return rules.model_copy(update={"readers": read.readers})


def _check(read: _File, file: Lined, place: tuple[str, ...]) -> None:
    """Raise ConfigError for a name that is none, or that is likely a slip for another one of the file."""
    for name, members in read.groups.items():
        if not NAME.fullmatch(name):
            words = f"{name!r} is no name for a group: use letters, digits and - . _"
            raise file.wrong((*place, "groups", name), words)
        _check_names(members, read, file, (*place, "groups", name))
    for name, for_ in read.places.items():
        if not KNOWN.fullmatch(name) or name.startswith("workspace:") or "@" in name:
            words = f"{name!r} is no channel or chat: write slack:T0TEAM:C0CHANNEL or telegram:-100123"
            raise file.wrong((*place, "places", name), words)
        _check_names(for_, read, file, (*place, "places", name))
    for part, rules in (("folders", read.folders), ("labels", read.labels)):
        for name, rule in rules.items():
            _check_names(rule.readers or (), read, file, (*place, part, name))
    _check_names(read.readers or (), read, file, (*place, "readers"))


def _check_names(names: Iterable[str], read: _File, file: Lined, place: tuple[str | int, ...]) -> None:
    for number, name in enumerate(names):
        if KNOWN.fullmatch(name) or name in read.groups:
            continue
        if _LOOKS_KNOWN.search(name):
            wanted = "slack:T0TEAM:U0PERSON, telegram:123456, workspace:T0TEAM, or an e-mail address"
            raise file.wrong((*place, number), f"{name!r} is nobody: write {wanted}")
        if not NAME.fullmatch(name):
            raise file.wrong((*place, number), f"{name!r} is no name of a group")
        if near := get_close_matches(name, read.groups, 1, 0.85):
            raise file.wrong((*place, number), f"there is no group {name!r}: did you mean {near[0]!r}?")
