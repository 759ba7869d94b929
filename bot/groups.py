"""`footnote groups`, `footnote groups import` and `footnote may`: who is in which group, and may read what."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bot.asking_as import current_groups, nobodys
from bot.audiences import room_of_one, where_named
from bot.counting import counted
from bot.permissions import KNOWN, NAME
from bot.platforms import membership_of
from bot.rules import remembered_by, rules_now
from bot.settings import Settings, read_settings
from bot.wiring import Stores, groups_of, opened
from core.audience import Groups, Reader, Room, audience_of, folded
from core.conversation import Audience
from core.errors import ConfigError
from core.ingest.document import Document
from core.text import clean

_MOST_BYTES = 50_000_000
_COLUMNS = 2


@dataclass(frozen=True, slots=True)
class May:
    """Whether somebody, or everybody in a place, may read a document, and why or why not, in words."""

    who: str
    document: str
    readers: tuple[str, ...]
    may: bool
    because: str


async def groups_command(*, as_json: bool) -> None:
    """Print the groups with their members, and the names that pages are for and nobody goes by. Raises BotError."""
    async with opened(read_settings()) as stores:
        groups = await current_groups(stores)
        origins, documents = await groups_of(stores.database).origins(), await _documents(stores)
    named = {name for one in documents for name in one.readers}
    nobody = sorted(name for name in named if not (KNOWN.fullmatch(name) or groups.members.get(name)))
    if as_json:
        members = {name: sorted(groups.members[name]) for name in sorted(groups.members)}
        told = {"groups": members, "imported_from": origins, "nobody": nobody}
        print(json.dumps(told, ensure_ascii=False, indent=2))
        return
    _show(groups, nobody)


def _show(groups: Groups, nobody: Iterable[str]) -> None:
    console = Console(markup=False)
    if not groups.members:
        console.print(
            "There are no groups yet: write them into permissions.yaml (docs/permissions.md).", soft_wrap=True
        )
    else:
        table = Table("Group", "who is in it", box=None, header_style="bold")
        for name in sorted(groups.members):
            table.add_row(name, clean(", ".join(sorted(groups.members[name]))) or "nobody")
        console.print(table)
    for name in nobody:
        console.print(f"Pages are for {name!r}, and nobody is in it: they are closed to everybody.", highlight=False)


async def import_command(file: Path, workspace: str | None = None) -> None:
    """Let the file's groups take the place of those that came from it before. Raises BotError.

    With a Slack `workspace` the addresses in it are those that this workspace gives its people.
    """
    groups = of_workspace(read_import(file), workspace) if workspace else read_import(file)
    async with opened(read_settings()) as stores:
        await groups_of(stores.database).replace(file.name, groups)
    people = {member for members in groups.values() for member in members}
    taken = f"{counted(len(groups), 'group')} with {counted(len(people), 'member')}"
    print(f"{file.name}: {taken}. What is imported holds within half a minute.")


def of_workspace(groups: Mapping[str, frozenset[str]], workspace: str) -> dict[str, frozenset[str]]:
    """Return the groups with each e-mail address as the one of a workspace. Raises ConfigError for what is none."""
    if not KNOWN.fullmatch(f"slack:{workspace}:U1"):
        raise ConfigError(f"{workspace!r} is no workspace of Slack: give its id, as T024BE7LD")
    return {
        name: frozenset(f"slack:{workspace}:{one}" if "@" in one and ":" not in one else one for one in members)
        for name, members in groups.items()
    }


def read_import(file: Path) -> dict[str, frozenset[str]]:
    """Return the groups in a SCIM file (JSON) or a CSV of group,member. Raises ConfigError that says what is wrong."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise ConfigError(f"{file.name} has more than {_MOST_BYTES // 1_000_000} MB: split it into several files")
        text = file.read_text("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{file} cannot be read ({error.strerror}): correct its path") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{file} is no text in UTF-8: save it as that") from None
    found = _scim(text, file.name) if file.suffix.lower() == ".json" else _lines(text, file.name)
    if not found:
        raise ConfigError(f"{file.name} holds no group: nothing was changed")
    return {name: frozenset(members) for name, members in found.items()}


def _lines(text: str, name: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for number, row in enumerate(_rows(text, name), 1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (number == 1 and [cell.casefold() for cell in cells] == ["group", "member"]):
            continue
        if len(cells) != _COLUMNS or not all(cells):
            raise ConfigError(f"{name}, line {number}: write a group and a member, as in people-team,anna@x.example")
        _check_group(folded(cells[0]), f"{name}, line {number}")
        found.setdefault(folded(cells[0]), set()).add(folded(cells[1]))
    return found


def _rows(text: str, name: str) -> Iterator[list[str]]:
    rows = csv.reader(text.splitlines())
    try:
        yield from rows
    except csv.Error as error:
        raise ConfigError(f"{name}, line {rows.line_num}: it is no CSV ({error}): export it again") from None


def _scim(text: str, name: str) -> dict[str, set[str]]:
    """Return the groups of SCIM resources (RFC 7643), each member by e-mail address or as another group."""
    try:
        resources = list(_resources(json.loads(text)))
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{name} is no JSON ({error}): export it again") from None
    addresses = {str(one.get("id")): _address(one) for one in resources if not _is_group(one)}
    titles = {str(one.get("id")): folded(str(one.get("displayName") or "")) for one in resources if _is_group(one)}
    found: dict[str, set[str]] = {}
    for one in filter(_is_group, resources):
        title = folded(str(one.get("displayName") or ""))
        _check_group(title, f"{name}, group {one.get('id')!r}")
        members, listed = found.setdefault(title, set()), one.get("members") or []
        if not isinstance(listed, list):
            raise ConfigError(f"{name}, group {one.get('id')!r}: its members are no list: export it again")
        for member in listed:
            id_ = str(member.get("value")) if isinstance(member, Mapping) else ""
            # Who is not in the file, or not active, is nobody.
            members.update(filter(None, (addresses.get(id_), titles.get(id_))))
    return found


def _resources(data: Any) -> Iterable[Mapping[str, Any]]:
    if isinstance(data, list):
        for one in data:
            yield from _resources(one)
    elif isinstance(data, Mapping) and isinstance(data.get("Resources"), list):
        yield from (one for one in data["Resources"] if isinstance(one, Mapping))
    elif isinstance(data, Mapping):
        yield data


def _is_group(one: Mapping[str, Any]) -> bool:
    schemas = one.get("schemas")
    return any(str(each).endswith(":Group") for each in schemas) if isinstance(schemas, list) else "members" in one


def _address(user: Mapping[str, Any]) -> str | None:
    if user.get("active") is False:
        return None
    listed = user.get("emails")
    emails = (
        [one for one in listed if isinstance(one, Mapping) and one.get("value")] if isinstance(listed, list) else []
    )
    best = sorted(emails, key=lambda one: one.get("primary") is not True)
    found = str(best[0]["value"]) if best else str(user.get("userName") or "")
    return folded(found) if "@" in found else None


def _check_group(name: str, where: str) -> None:
    if not NAME.fullmatch(name) or KNOWN.fullmatch(name):
        raise ConfigError(f"{where}: {name!r} is no name for a group: use letters, digits and - . _")


async def may_command(who: str, document: str, *, as_json: bool) -> bool:
    """Print whether somebody, or everybody in a place, may read a document, and why; return it. Raises BotError."""
    settings = read_settings()
    async with opened(settings) as stores:
        live = await stores.catalog.live()
        places = rules_now(remembered_by(live.make if live else None), Path()).places
        groups, documents = await current_groups(stores), await _documents(stores)
        found = _found(document, documents)
        if remark := nobodys(folded(who), groups, documents):
            raise ConfigError(remark)
        room = await _room(who, settings)
    told = explained(who, found, audience_of(room, groups, places.get(who, frozenset())), room, groups)
    told = replace(told, because=f"{told.because}{_unasked(who, settings)}") if not told.may else told
    if as_json:
        print(json.dumps(_as_data(told), ensure_ascii=False, indent=2))
    else:
        print(told.because)
    return told.may


def _as_data(told: May) -> dict[str, Any]:
    readers = list(told.readers)
    return {"who": told.who, "document": told.document, "readers": readers, "may": told.may, "because": told.because}


async def _room(who: str, settings: Settings) -> Room:
    """Return who is meant: a person or group by itself, a place with all who read there."""
    where = where_named(who)
    membership = membership_of(where.platform, settings) if where else None
    if where is None or membership is None:
        name = folded(who)
        tenant = name.removeprefix("workspace:") if name.startswith("workspace:") else ""
        # Of a place nobody is known; whoever else goes by the name has what permissions say of it.
        is_place = where is not None and not where.person
        return Room(tenant, frozenset({name}), None if is_place else (Reader(frozenset({name})),))
    if where.person:
        return room_of_one(where, await membership.person(where.place, where.person))
    return await membership.room(where.place)


def _unasked(who: str, settings: Settings) -> str:
    """Return what cannot be told of somebody in Slack when Slack cannot be asked."""
    where = where_named(who)
    if where is None or where.platform != "slack" or settings.slack_bot_token:
        return ""
    return (
        " Slack was not asked, for SLACK_BOT_TOKEN is not set: by its addresses, user groups and members it may be "
        "otherwise."
    )


def explained(who: str, document: Document, audience: Audience, room: Room, groups: Groups) -> May:
    """Return whether it may be read, and why or why not in words."""
    readers = tuple(sorted(document.readers))
    may = audience.may_read(document.readers)
    shown, page = ", ".join(readers), f"“{document.title}” ({document.id})"
    if not readers:
        because = f"{who} may read {page}: it is for everybody."
    elif may:
        by = min(document.readers & audience.names)
        way = groups.way({*room.names, *(name for one in room.readers or () for name in one.names)}, by)
        steps = f" {' is in '.join(way)}." if len(way) > 1 else ""
        because = f"{who} may read {page}: it is for {shown}.{steps}"
    else:
        own = ", ".join(sorted(audience.names - room.names)) or "no group that is known of"
        unknown = "" if room.readers or not room.is_shared else " Somebody of another workspace reads there."
        because = f"{who} may not read {page}: it is for {shown}, and {who} is in {own}.{unknown}"
    return May(who, document.id, readers, may, because)


def _found(wanted: str, documents: Iterable[Document]) -> Document:
    known = {one.id: one for one in documents}
    by_title = [one for one in known.values() if one.title.casefold() == wanted.casefold()]
    if wanted in known or len(by_title) == 1:
        return known.get(wanted) or by_title[0]
    raise ConfigError(f"no document is called {wanted!r}: give its path; footnote inspect lists them")


async def _documents(stores: Stores) -> tuple[Document, ...]:
    live = await stores.catalog.live()
    return await stores.catalog.documents(live.number) if live else ()
