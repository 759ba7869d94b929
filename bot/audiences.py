"""Whom a reply is for: who reads in a place now, in which groups they are, and what all of them may read."""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from bot.permissions import FILE, SHARED, Permissions
from bot.rules import rules_now
from core.audience import Groups, Reader, Room, audience_of
from core.conversation import Audience, PlatformName, Question
from core.errors import ConfigError, StorageError
from core.running import GroupBook, Membership
from core.work import Place

log = logging.getLogger("footnote")

# Seconds for which imported groups are taken as they were.
_KEPT = 30.0


@dataclass(frozen=True, slots=True)
class Where:
    """A place as a platform calls it, and somebody in it by the id that they have there."""

    platform: PlatformName
    place: str
    person: str

    @property
    def name(self) -> str:
        """What documents and permissions call the place."""
        return f"{self.platform}:{self.place}"

    @property
    def is_direct(self) -> bool:
        """Whether one person alone reads there: Slack's direct channels begin with D, Telegram's groups with -."""
        if self.platform == "telegram":
            return not self.place.startswith("-")
        return self.place.rpartition(":")[2].startswith("D")


def platform_of(place: Place) -> PlatformName:
    """Return the platform of a channel or chat."""
    return cast("PlatformName", place[0])


def where_named(name: str) -> Where | None:
    """Return the person or the place of a name such as `slack:T1:U1`, `slack:T1:C1`, `telegram:-100`; None for others.

    A person stands in a place that nobody else is in.
    """
    platform, _, rest = name.partition(":")
    if platform == "telegram":
        return Where("telegram", rest, "" if rest.startswith("-") else rest)
    if platform != "slack" or "@" in rest:
        return None
    team, _, id_ = rest.partition(":")
    return Where("slack", f"{team}:D", id_) if id_[:1] in ("U", "W") else Where("slack", rest, "")


def where_of(question: Question) -> Where:
    """Return where a question was asked, and by whom."""
    return Where(question.platform, question.place, question.asker)


class Audiences:
    """Tells whom replies are for. Where something cannot be told, it is left out: then less may be used.

    Only a database that is away for now is not taken for an answer: that raises StorageError, to be tried again.
    `remembered` tells which file the live index was made by; without one that is there, the one in the folder counts.
    """

    def __init__(
        self,
        book: GroupBook,
        memberships: Mapping[str, Membership],
        *,
        folder: Path | None = None,
        remembered: Callable[[], Path | None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._book = book
        self._memberships = memberships
        self._folder = folder or Path()
        self._remembered = remembered
        self._clock = clock
        self._imported: tuple[float, Mapping[str, frozenset[str]]] | None = None
        self._permissions: tuple[object, Permissions] | None = None

    async def of(self, question: Question, *, fresh: bool = False) -> Audience:
        """Return whom a reply to the question is for now; as it came where no platform tells who reads there.

        Raises StorageError for what may pass.
        """
        membership = self._memberships.get(question.platform)
        if membership is None:
            return question.audience
        where = where_of(question)
        declared = self.permissions().places.get(where.name, frozenset())
        groups = await self.groups(fresh=fresh)
        if question.private:
            reader = await membership.person(where.place, where.person)
            return audience_of(_room_of_one_in(where, reader, groups, declared), groups)
        room = await self._room(where, membership, fresh=fresh)
        return audience_of(room, groups, declared)

    async def of_person(self, where: Where) -> Audience | None:
        """Return what somebody may read by themselves; None where no platform tells who they are.

        Raises StorageError for what may pass.
        """
        membership = self._memberships.get(where.platform)
        if membership is None:
            return None
        reader = await membership.person(where.place, where.person)
        return audience_of(room_of_one(where, reader), await self.groups())

    def smallest(self, question: Question) -> Audience:
        """Return whom a reply is for when nobody can be named: those for whom the place itself is named."""
        where = where_of(question)
        return Audience(question.audience.tenant, frozenset({where.name}), guests=question.platform == "slack")

    def permissions(self) -> Permissions:
        """Return what the file says; one that cannot be read any more allows nothing, which is logged once."""
        stamp = self._stamp()
        if self._permissions is None or self._permissions[0] != stamp:
            self._permissions = (stamp, self._read())
        return self._permissions[1]

    async def groups(self, *, fresh: bool = False) -> Groups:
        """Return the groups of the file and those that were imported. Raises StorageError for what may pass."""
        now = self._clock()
        if self._imported is None or fresh or now - self._imported[0] > _KEPT:
            try:
                self._imported = (now, await self._book.members())
            except StorageError as error:
                if error.retry:
                    raise
                log.warning("Imported groups cannot be read now, nobody is in them: %s", error)
                self._imported = (now, {})
        return self.permissions().groups.with_others(self._imported[1])

    async def _room(self, where: Where, membership: Membership, *, fresh: bool) -> Room:
        if not where.is_direct:
            return await membership.room(where.place, fresh=fresh)
        return room_of_one(where, await membership.person(where.place, where.person))

    def _read(self) -> Permissions:
        try:
            return rules_now(self._remembered(), self._folder)
        except ConfigError as error:
            log.warning("Nobody is in any group until this is put right: %s", error)
            return Permissions()

    def _stamp(self) -> object:
        remembered = self._remembered()
        files = [self._folder / FILE, self._folder / SHARED]
        if remembered:
            files += [remembered, remembered.with_name(FILE), remembered.with_name(SHARED)]
        found: list[object] = [remembered]
        for file in files:
            try:
                told = file.stat()
            except OSError:
                found.append(None)
            else:
                found.append((told.st_mtime_ns, told.st_size))
        return tuple(found)


def _room_of_one_in(where: Where, reader: Reader | None, groups: Groups, declared: frozenset[str]) -> Room:
    """Return a place as somebody reads there to whom something is said alone: what the place is for, and who they are.

    An outsider has nothing of the groups that the place is said to be for.
    """
    room = room_of_one(where, reader)
    is_member = reader is not None and f"workspace:{room.tenant}" in reader.names
    return replace(room, names=room.names | groups.names(declared)) if is_member else room


def room_of_one(where: Where, reader: Reader | None) -> Room:
    """Return a direct conversation with somebody."""
    tenant = where.platform if where.platform == "telegram" else where.place.partition(":")[0]
    return Room(tenant, frozenset({where.name}), (reader,) if reader else None)
