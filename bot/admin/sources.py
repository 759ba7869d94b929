"""`/sources`: where the documents come from, as far as everybody who reads the reply may know of them."""

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.admin.status import tenant_of
from bot.admin.words import bullets, paragraph
from bot.answering import Live
from bot.audiences import Audiences
from bot.commanding import Duty, duty
from bot.places import FolderPlace, GitPlace, Place, ReaderPlace, SitePlace, SlackPlace
from bot.sources import places_of
from bot.wheres import where_of
from core.commands import SOURCES
from core.conversation import Audience, Command, Question
from core.errors import ConfigError
from core.ingest.generation import Generation, KnownItem
from core.ingest.identity import identity_of
from core.phrases import phrase
from core.remedies import told_of
from core.reply import Node, RenderedReply
from core.text import Language

# Sources that are listed, and problems that are named to an admin.
_MOST, _PROBLEMS = 30, 5

_KINDS: Mapping[type[Place], str] = {
    FolderPlace: "source_folder",
    SitePlace: "source_site",
    GitPlace: "source_git",
    SlackPlace: "source_slack",
    ReaderPlace: "source_reader",
}


@dataclass(frozen=True, slots=True)
class SourcesDuty:
    """Lists the sources. An admin sees all of them where nobody else reads, everybody else what their place may read.

    `live`: what answers now; `audience`: who reads in the place of a command; `items`: what of a generation's sources
    was read.
    """

    live: Callable[[], Awaitable[Live | None]]
    audience: Callable[[Command], Awaitable[Audience]]
    items: Callable[[int], Awaitable[Mapping[str, KnownItem]]]
    admins: Collection[str] = field(default_factory=frozenset)

    def duty(self) -> Duty:
        """Return the command with what is done for it."""
        return duty(SOURCES, self._done)

    async def _done(self, command: Command, _: None) -> RenderedReply:
        live, language = await self.live(), command.language
        loaded = live.loaded if live else None
        if loaded is None:
            return RenderedReply((paragraph(phrase("sources_none", language)),), (), language)
        sees_all = command.is_direct and command.person in self.admins
        audience = await self.audience(command)
        seen = [id_ for id_, one in loaded.documents.items() if sees_all or audience.may_read(one.readers)]
        nodes = _listed(loaded.generation, seen, language, sees_all=sees_all)
        if sees_all:
            nodes += _problems((await self.items(loaded.generation.number)).values(), language)
        return RenderedReply(tuple(nodes), (), language)


async def audience_in(audiences: Audiences, command: Command) -> Audience:
    """Return everybody who reads in the place of a command."""
    tenant = tenant_of(command)
    known = Audience(tenant, frozenset({f"{command.platform}:{command.place}"}))
    now = datetime.now(UTC)
    return await audiences.of(
        Question("", command.platform, "", "", command.asker, known, now, place=command.place), fresh=True
    )


def _listed(generation: Generation, seen: Iterable[str], language: Language, *, sees_all: bool) -> list[Node]:
    places = _places(generation.make.source)
    counts = Counter(_part(id_, places) for id_ in seen)
    if sees_all:
        counts.update(dict.fromkeys(places, 0))
    if not counts:
        return [paragraph(phrase("sources_none", language))]
    lines = []
    for name in sorted(counts):
        place = places.get(name)
        kind = phrase(_KINDS.get(type(place), "source_other") if place else "source_other", language)
        # Where it lies is for admins: it names machines, people and folders.
        told = "sources_where" if sees_all and place else "sources_one"
        values = {"source": name or generation.title, "kind": kind, "count": f"{counts[name]:,}"}
        lines.append(phrase(told, language, **values, where=where_of(place) if place else ""))
    more = [phrase("index_more", language, count=len(lines) - _MOST)] if len(lines) > _MOST else []
    heading = phrase("sources_all" if sees_all else "sources_list", language)
    at = generation.published_at
    day = f" ({phrase('sources_as_of', language, at=f'{at:%Y-%m-%d %H:%M} UTC')})" if at else ""
    return [bullets((*lines[:_MOST], *more), heading.removesuffix(":") + day + ":")]


def _problems(items: Iterable[KnownItem], language: Language) -> list[Node]:
    found = [told_of(problem, language) for item in items for problem in item.problems]
    if not found:
        return []
    more = [phrase("index_more", language, count=len(found) - _PROBLEMS)] if len(found) > _PROBLEMS else []
    return [bullets((*found[:_PROBLEMS], *more), phrase("index_problems", language, count=len(found)))]


def _places(identity: str) -> Mapping[str, Place | None]:
    """Return the places by their names; where a file that declares them is gone, the names alone."""
    try:
        return dict(places_of(identity))
    except ConfigError:
        return dict.fromkeys(identity_of(identity).parts)


def _part(id_: str, places: Mapping[str, Place | None]) -> str:
    first = id_.partition("/")[0]
    return first if first in places else ""
