"""`/permissions`: for an admin, which documents may be used in a place: by which names, and how many of all."""

from collections.abc import Awaitable, Callable, Collection, Iterator
from dataclasses import dataclass

from bot.admin.sources import audience_in
from bot.admin.status import tenant_of
from bot.admin.words import bullets, named, naming, paragraph
from bot.answering import Live
from bot.audiences import Audiences
from bot.commanding import Duty, duty
from core.commands import PERMISSIONS
from core.conversation import Audience, Command
from core.phrases import phrase
from core.reply import Line, RenderedReply, Text
from core.text import Language

# Names that are listed; a person may be in many groups.
_NAMES = 12


@dataclass(frozen=True, slots=True)
class PermissionsDuty:
    """Tells what the place of the command may use, in counts alone: never which documents are closed.

    `live`: what answers now; `audiences`: who reads in the place of a command.
    """

    live: Callable[[], Awaitable[Live | None]]
    audiences: Audiences

    def duty(self) -> Duty:
        """Return the command with what is done for it."""
        return duty(PERMISSIONS, self._done)

    async def _done(self, command: Command, _: None) -> RenderedReply:
        live, language = await self.live(), command.language
        loaded = live.loaded if live else None
        if loaded is None:
            return RenderedReply((paragraph(phrase("status_none", language)),), (), language)
        readers = [one.readers for one in loaded.documents.values()]
        # Who alone reads in a direct conversation is called by their own name, as `footnote may` takes it.
        place = command.person if command.is_direct else f"{command.platform}:{command.place}"
        audience, declared = await audience_in(self.audiences, command), self.audiences.permissions().places.get(place)
        lines = (
            *_who(audience, declared, f"workspace:{tenant_of(command)}", language),
            *_how_many(audience, readers, language),
            phrase("permissions_may", language, place=place),
        )
        return RenderedReply((bullets(lines, naming("permissions_of", language, "place", place)),), (), language)


def _who(audience: Audience, declared: frozenset[str] | None, home: str, language: Language) -> Iterator[str | Line]:
    """Yield by which names they read, and whether outsiders do; `declared`: whom the place is said to be for."""
    names = sorted(audience.names)
    more = phrase("why_and_more", language, count=len(names) - _NAMES) if len(names) > _NAMES else ""
    [first, *_] = naming("permissions_names", language, "names", "")
    said = (part for name in names[:_NAMES] for part in (Text(", "), named(name)))
    yield (first, *list(said)[1:], Text(more)) if more else (first, *list(said)[1:])
    # What is said of a place holds as long as no outsider is known to read there.
    as_said = "permissions_said" if declared and declared <= audience.names else "permissions_outsiders"
    yield phrase(as_said if audience.guests else "permissions_members", language, home=home)


def _how_many(audience: Audience, readers: Collection[frozenset[str]], language: Language) -> Iterator[str]:
    free, may = sum(not one for one in readers), sum(audience.may_read(one) for one in readers)
    yield phrase("permissions_open", language, open=may, all=len(readers), free=free, named=may - free)
    yield phrase("permissions_closed", language, count=len(readers) - may)
