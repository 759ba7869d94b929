"""Who may ask: a visitor, whether they are let in, and what is said to one who is not."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from core.conversation import PlatformName
from core.reply import RenderedReply
from core.text import Language
from core.work import Place

# Everybody; who is on the list; or who is on it, and new people by a code that an admin confirms.
Access = Literal["open", "list", "pairing"]


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who says something where: `person` is "" when nobody can tell; in a private chat it is the person that counts.

    `aloud`: it was said to us, so that it deserves a word when they are not let in.
    """

    platform: PlatformName
    place: str
    person: str
    is_direct: bool
    language: Language
    aloud: bool = True

    @property
    def who(self) -> str:
        """Whose permission it takes: the person's in a private chat, else the chat's."""
        return f"person:{self.person}" if self.is_direct else f"chat:{self.place}"


@dataclass(frozen=True, slots=True)
class Admission:
    """Whether a visitor is let in; `reply` is what is said to one who is not, None when that was said before."""

    is_let_in: bool
    reply: RenderedReply | None = None


@dataclass(frozen=True, slots=True)
class Paired:
    """What is said to the one who wanted somebody let in, and if it was done, to whom else and what."""

    reply: RenderedReply | None
    place: str | None = None
    welcome: RenderedReply | None = None


class Doors(Protocol):
    """Who is let in, and how new ones are. Everything raises StorageError."""

    async def admit(self, visitor: Visitor) -> Admission:
        """Return whether the visitor may ask."""

    async def pair(self, visitor: Visitor, code: str) -> Paired:
        """Let in who has the code, or with no code the chat it is said in, if the visitor is an admin."""

    async def moved(self, old: Place, new: Place) -> None:
        """Let a chat that has another name from now on be let in as before."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is stored of somebody: whether they are let in (`allowed`), wait with a code, or were told that not."""

    state: str
    times: int
    until: datetime | None
    changed_at: datetime


class Admissions(Protocol):
    """Who was let in, stored; everything raises StorageError."""

    async def find(self, platform: str, who: str) -> Kept | None:
        """Return what is stored of somebody."""

    async def allow(self, platform: str, who: str, *, by: str, at: datetime) -> None:
        """Let somebody in."""

    async def tell(self, platform: str, who: str, *, at: datetime, anew: bool = False) -> int:
        """Count that somebody is told that they are not let in; return how often that is now."""

    async def wait(  # noqa: PLR0913 - what a row holds, each given by name
        self, platform: str, who: str, code: str, *, until: datetime, at: datetime, most: int
    ) -> bool:
        """Let somebody wait with the digest of a code; False when so many wait already."""

    async def redeem(self, platform: str, code: str, *, by: str, at: datetime) -> str | None:
        """Let in who waits with the code, which then is used up; return who that is."""


LET_IN = Admission(is_let_in=True)


class OpenDoors:
    """Lets everybody in."""

    async def admit(self, visitor: Visitor) -> Admission:  # noqa: ARG002 - it does not matter who it is
        """Return that they may ask."""
        return LET_IN

    async def pair(self, visitor: Visitor, code: str) -> Paired:  # noqa: ARG002 - nobody waits
        """Return that there is nothing to say."""
        return Paired(None)

    async def moved(self, old: Place, new: Place) -> None:
        """Do nothing: it is let in under any name."""
