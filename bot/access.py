"""The doors of a platform: an allow-list, and codes by which an admin lets new people in."""

import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from bot.admin.words import naming
from bot.settings import Settings
from core.access import LET_IN, Access, Admission, Admissions, Kept, Paired, Visitor
from core.phrases import phrase
from core.render import say
from core.reply import Paragraph, RenderedReply
from core.text import Language
from core.work import Place

log = logging.getLogger("footnote")

# No letters and digits that are read as each other.
_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
_CODE_LENGTH = 8
CODE_LASTS = timedelta(hours=1)
# Codes that wait at once for an admin; more are somebody trying something.
MOST_CODES = 50
# How often somebody who waits is told so, and when a person on no list may be told again.
MOST_REMINDERS = 3
TOLD_AGAIN = timedelta(days=1)


class Doorkeeper:
    """Satisfies `Doors`. `allowed` are numbers: of people in private chats, below zero of groups; `admins` may always.

    A person who is let in is so in their private chat alone, and a group is so for all who are in it.
    """

    def __init__(
        self,
        access: Access,
        allowed: Collection[str],
        admins: Collection[str],
        admissions: Admissions,
        now: Callable[[], datetime],
    ) -> None:
        self._access = access
        self._allowed = frozenset(allowed)
        self._admins = frozenset(admins)
        self._admissions = admissions
        self._now = now
        # In which language those speak who wait with a code of ours: as many as may wait.
        self._spoken: OrderedDict[str, Language] = OrderedDict()

    async def admit(self, visitor: Visitor) -> Admission:
        """Return whether the visitor may ask. Raises StorageError."""
        if self._access == "open" or self._is_listed(visitor):
            return LET_IN
        kept = await self._admissions.find(visitor.platform, visitor.who)
        if kept and kept.state == "allowed":
            return LET_IN
        if not visitor.aloud:
            return Admission(is_let_in=False)
        words = await (self._waiting(visitor, kept) if self._hands_out(visitor) else self._told(visitor, kept))
        return Admission(False, say(words, visitor.language) if words else None)

    async def pair(self, visitor: Visitor, code: str) -> Paired:
        """Do what an admin asks; to others say what any words of theirs are answered. Raises StorageError."""
        if not self._is_admin(visitor):
            admission = await self.admit(visitor)
            told = say(phrase("pair_admins", visitor.language), visitor.language)
            return Paired(told if admission.is_let_in else admission.reply)
        if self._access == "open":
            return self._said(visitor, "pair_open")
        if bool(code) is not visitor.is_direct:
            return self._said(visitor, "pair_how" if visitor.is_direct else "pair_direct")
        return await (self._pair_person(visitor, code) if visitor.is_direct else self._pair_group(visitor))

    async def redeem(self, platform: str, code: str, by: str) -> str | None:
        """Let in who has the code, once; return their number, or None for no code that waits. Raises StorageError."""
        who = await self._admissions.redeem(platform, digest(code), by=by, at=self._now())
        return who.removeprefix("person:") if who else None

    async def moved(self, old: Place, new: Place) -> None:
        """Let a group that becomes a supergroup be let in as before, and say what has to be changed by hand.

        What was stored of the old number is the new one's already. Raises StorageError.
        """
        (platform, before), (_, after) = old, new
        if is_listed := before in self._allowed:
            by = f"TELEGRAM_ALLOWED ({before})"
            await self._admissions.allow(platform, f"chat:{after}", by=by, at=self._now())
        stays = " It stays let in." if is_listed else ""
        log.warning(
            "Telegram: the group %s is a supergroup now, and its number is %s.%s "
            "In TELEGRAM_ALLOWED and permissions.yaml write the new number where the old one stands",
            *(before, after, stays),
        )

    async def _pair_group(self, visitor: Visitor) -> Paired:
        await self._admissions.allow(visitor.platform, visitor.who, by=self._name(visitor), at=self._now())
        return self._said(visitor, "pair_group")

    async def _pair_person(self, visitor: Visitor, code: str) -> Paired:
        person = await self.redeem(visitor.platform, code, self._name(visitor))
        if person is None:
            return self._said(visitor, "pair_wrong")
        about = f"{visitor.platform}:{person}"
        told = naming("pair_done", visitor.language, "person", about, bare=person)
        done = RenderedReply((Paragraph(told),), (), visitor.language)
        theirs = self._spoken.pop(f"person:{person}", visitor.language)
        return Paired(done, person, say(phrase("pair_welcome", theirs), theirs))

    def _is_listed(self, visitor: Visitor) -> bool:
        number = visitor.person if visitor.is_direct else visitor.place
        return number in self._allowed or (visitor.is_direct and self._is_admin(visitor))

    def _is_admin(self, visitor: Visitor) -> bool:
        return bool(visitor.person) and self._name(visitor) in self._admins

    def _name(self, visitor: Visitor) -> str:
        return f"{visitor.platform}:{visitor.person}"

    def _hands_out(self, visitor: Visitor) -> bool:
        return self._access == "pairing" and visitor.is_direct

    def _said(self, visitor: Visitor, name: str) -> Paired:
        return Paired(say(phrase(name, visitor.language), visitor.language))

    async def _waiting(self, visitor: Visitor, kept: Kept | None) -> str | None:
        """Return a new code, or that the one of before waits; nothing once that was said often enough."""
        now, language = self._now(), visitor.language
        self._spoken[visitor.who] = language
        if len(self._spoken) > MOST_CODES:
            self._spoken.popitem(last=False)
        if kept and kept.state == "pending" and kept.until and kept.until > now:
            times = await self._admissions.tell(visitor.platform, visitor.who, at=now)
            return phrase("pair_waits", language) if times <= MOST_REMINDERS else None
        code = "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))
        until = now + CODE_LASTS
        made = await self._admissions.wait(
            visitor.platform, visitor.who, digest(code), until=until, at=now, most=MOST_CODES
        )
        return phrase("pair_code", language, code=code) if made else await self._told(visitor, kept)

    async def _told(self, visitor: Visitor, kept: Kept | None) -> str | None:
        """Return the one polite line; a group hears it once, a person once a day."""
        now = self._now()
        anew = visitor.is_direct and kept is not None and now - kept.changed_at > TOLD_AGAIN
        times = await self._admissions.tell(visitor.platform, visitor.who, at=now, anew=anew)
        if times > 1:
            return None
        name = "not_let_in" if visitor.is_direct else "group_not_let_in"
        return phrase(name, visitor.language, number=visitor.person if visitor.is_direct else visitor.place)


def doorkeeper(admissions: Admissions, settings: Settings) -> Doorkeeper:
    """Return the doors of Telegram, as they are set."""
    access, allowed = settings.telegram_access, settings.telegram_allowed
    return Doorkeeper(access, allowed, settings.admins, admissions, lambda: datetime.now(UTC))


def digest(code: str) -> str:
    """Return what is stored of a code, however it is typed."""
    return sha256("".join(code.split()).upper().replace("-", "").encode()).hexdigest()
