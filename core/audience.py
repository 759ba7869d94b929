"""Who reads a reply, and what all of them may read: from the people of a place to one audience."""

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from unicodedata import normalize

from core.conversation import Audience


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who reads in a place, by every name that the platform knows them by.

    So `slack:T:U`, `slack:T:S` for a user group, an e-mail address, also as `slack:T:` and the address that workspace T
    says is theirs, and `workspace:T` for whoever belongs to it: not for a guest or somebody of another workspace.
    """

    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Room:
    """A place where replies are read. `readers` is None when nobody can tell who they are.

    `names` are what the place itself is called, and with it everybody who can be there. `is_shared`: people of another
    workspace read there, or are about to.
    """

    tenant: str
    names: frozenset[str]
    readers: tuple[Reader, ...] | None = None
    is_shared: bool = False


@dataclass(frozen=True)
class Groups:
    """Which groups there are, and who belongs to each: people, chats, workspaces, and other groups."""

    members: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @cached_property
    def _groups_of(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for group, members in self.members.items():
            for member in members:
                found.setdefault(member, set()).add(group)
        return {member: frozenset(groups) for member, groups in found.items()}

    def names(self, direct: Iterable[str]) -> frozenset[str]:
        """Return the names with those of every group that they belong to, by however many steps."""
        known, waiting = set[str](), list(direct)
        while waiting:
            name = waiting.pop()
            if name not in known:
                known.add(name)
                waiting += self._groups_of.get(name, ())
        return frozenset(known)

    def way(self, direct: Iterable[str], group: str) -> tuple[str, ...]:
        """Return the steps from one of the names to the group, both included: the shortest; none without a way."""
        ways: dict[str, tuple[str, ...]] = {name: (name,) for name in sorted(direct)}
        waiting = deque(ways)
        while waiting and group not in ways:
            name = waiting.popleft()
            for found in sorted(self._groups_of.get(name, ())):
                if found not in ways:
                    ways[found] = (*ways[name], found)
                    waiting.append(found)
        return ways.get(group, ())

    def with_others(self, others: Mapping[str, Collection[str]]) -> "Groups":
        """Return these groups and the others; a group that both know has the members of both."""
        names = dict.fromkeys((*self.members, *others))
        return Groups({name: self.members.get(name, frozenset()).union(others.get(name, ())) for name in names})


def audience_of(room: Room, groups: Groups, declared: frozenset[str] = frozenset()) -> Audience:
    """Return whom a reply in the room is for, by the names that all of its readers share.

    A document is used when its readers and these names have one in common, so that whoever reads there may read it. A
    document for A or B is not used where one reader is in A alone and another in B alone: each might read it, but no
    name says so of both. What is closed to all of them is never used; that is what counts.

    `declared` are the groups that the place is said to be for: they stand for its members, as long as no outsider is
    known to read there. Nobody knows who reads there, or the place is shared: nothing but the place's own names.
    """
    home = f"workspace:{room.tenant}"
    if room.is_shared:
        shared = frozenset[str]()
    elif declared and not _has_outsiders(room, home):
        shared = groups.names(declared)
    elif not room.readers:
        shared = frozenset()
    else:
        shared = reduce(frozenset.__and__, (groups.names(reader.names) for reader in room.readers))
    names = shared | room.names
    return Audience(room.tenant, names - {home}, guests=home not in names)


def narrowed(one: Audience, other: Audience) -> Audience:
    """Return who may read only what both may: at most the names of either."""
    return Audience(one.tenant, one.groups & other.groups, guests=one.guests or other.guests)


def _has_outsiders(room: Room, home: str) -> bool:
    return any(home not in reader.names for reader in room.readers or ())


def folded(name: str) -> str:
    """Return a name of somebody as it is compared.

    Of an e-mail address, alone or of a workspace, case is nothing; and in no name it counts whether й is one character
    or и with a mark, as a Mac writes it.
    """
    of, colon, own = normalize("NFC", name).rpartition(":")
    return f"{of}{colon}{own.casefold()}" if "@" in own else f"{of}{colon}{own}"
