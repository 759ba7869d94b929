"""From what a person typed or declared to one source of documents, and from what is stored of it to the same again."""

import shlex
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from adapters.loaders import DOMAIN, FolderSource, domain_of
from bot.alikes import check_alike
from bot.declared import FILE, Declared, read_declared
from bot.permissions import FILE as PERMISSIONS
from bot.permissions import Permissions
from bot.places import VARIABLE, FolderPlace, GitPlace, Place, ReaderPlace, SitePlace, SlackPlace
from bot.rules import rules_for
from bot.settings import Settings, value_of
from bot.several import Part, Tell, tell_nobody, together
from bot.wheres import called, place_of, where_of
from core.errors import ConfigError, IngestError
from core.ingest.access import ACCESS
from core.ingest.domain import DOMAIN_KEYS
from core.ingest.domains import merged
from core.ingest.generation import Make
from core.ingest.identity import Identity, identity_of
from core.ingest.source import Collection, Item, Source

NO_SOURCE = (
    "nothing says what to index: give a folder or an address, as in footnote index FOLDER, or declare the sources in "
    f"{FILE}"
)


@dataclass(frozen=True, slots=True)
class _Known:
    """The places of a corpus by the names of their parts; a place by itself has no name."""

    places: Mapping[str, Place]
    file: Path | None = None
    domain: Mapping[str, Any] | None = None


def collection_of(
    wheres: Sequence[str],
    settings: Settings,
    live: Make | None = None,
    tell: Tell = tell_nobody,
    *,
    may_open: bool = False,
) -> Collection:
    """Return what is to be indexed: what was typed, else what `footnote.yaml` declares, else the live index's sources.

    Nothing is read yet, but for `domain.yaml` of folders and the rules on who may read what, which may be gone, or
    open something, only with `may_open`. Raises ConfigError for what is not understood.
    """
    if wheres:
        known = _typed(wheres)
    elif Path(FILE).is_file():
        known = _declared(Path(FILE))
    elif live is not None:
        known = _known(live.source)
    else:
        raise ConfigError(NO_SOURCE)
    return _collection(known, settings, live, tell, may_open=may_open)


def sources_from(live: Make, settings: Settings, tell: Tell = tell_nobody) -> Collection:
    """Return the sources that an index was made of, by what is stored of them; a file that declares them is read anew.

    A folder that is not there, and whatever else fails, fails when it is read. Raises ConfigError when the file is gone
    or wrong, or the `domain.yaml` of a folder.
    """
    return _collection(_known(live.source), settings, live, tell)


def places_of(identity: str) -> Mapping[str, Place]:
    """Return the places that an index was made of by the names of their parts. Raises ConfigError."""
    return _known(identity).places


def folders_of(identity: str) -> tuple[Path, ...]:
    """Return the folders of this machine among the sources of an index. Raises ConfigError as `sources_from` does."""
    return tuple(place.folder for place in _known(identity).places.values() if isinstance(place, FolderPlace))


def watchable(identity: str) -> Path | None:
    """Return the folder of an index that was made of one folder and nothing else. Raises as `folders_of`."""
    folders = folders_of(identity)
    return folders[0] if folders and len(identity_of(identity).parts) == 1 else None


def again(identity: str) -> str:
    """Return the command that indexes the sources of an index again."""
    stored = identity_of(identity)
    alone = stored.file or stored.parts.get("")
    return f"footnote index {shlex.quote(alone)}" if alone else "footnote index"


def troubles_with(identity: str, settings: Settings) -> list[str]:
    """Return why sources of an index could not be read again, as far as can be told without reading them."""
    try:
        places = _known(identity).places.values()
    except ConfigError as error:
        return [str(error)]
    sources = [_source(place, settings) for place in places]
    gone = [place.folder for place in places if isinstance(place, FolderPlace) and not place.folder.is_dir()]
    lacking = [str(source.why) for source in sources if isinstance(source, _Unusable)]
    return [*(f"the folder {folder} is not there" for folder in gone), *lacking]


def _known(identity: str) -> _Known:
    stored = identity_of(identity)
    if stored.file is not None:
        return _declared(Path(stored.file))
    return _Known({name: _stored(where) for name, where in stored.parts.items()})


def _stored(where: str) -> Place:
    """Return the place that is stored; a full path is a folder, also while it is not there."""
    return FolderPlace(folder=Path(where)) if Path(where).is_absolute() else place_of(where)


def _typed(wheres: Sequence[str]) -> _Known:
    """Return the places that were typed; a file by itself declares them."""
    if len(wheres) == 1 and Path(wheres[0]).suffix in (".yaml", ".yml") and Path(wheres[0]).is_file():
        return _declared(Path(wheres[0]))
    places = list(_together(map(place_of, wheres)))
    if len(places) == 1 and not places[0].name:
        return _Known({"": places[0]})
    named: dict[str, Place] = {}
    for place in places:
        name = called(place)
        if other := next((one for one in named if one.casefold() == name.casefold()), None):
            first, second = where_of(named[other]), where_of(place)
            raise ConfigError(
                f"{first} and {second} would both be called {name!r}: give one a name of its own, as in NAME={second}"
                if first != second
                else f"{first} is named twice: leave one of them out"
            )
        named[name] = place
    return _Known(named)


def _together(places: Iterator[Place]) -> Iterator[Place]:
    """Yield the places, with the Slack channels that were typed one by one as one of them."""
    channels: list[str] = []
    for place in places:
        if isinstance(place, SlackPlace) and not place.name:
            channels += place.slack
        else:
            yield place
    if channels:
        yield SlackPlace(slack=tuple(channels))


def _declared(path: Path) -> _Known:
    found: Declared = read_declared(path)
    return _Known({called(place): place for place in found.places}, path.resolve(), found.domain)


def _collection(
    known: _Known, settings: Settings, live: Make | None, tell: Tell, *, may_open: bool = False
) -> Collection:
    folders = {name: place.folder for name, place in known.places.items() if isinstance(place, FolderPlace)}
    permissions = rules_for(list(folders.values()), known.file, live, may_open=may_open)
    for folder in folders.values():
        check_alike(folder, DOMAIN, DOMAIN_KEYS, is_document=True)
    own = {name: domain_of(folder) for name, folder in folders.items()}
    parts = [_part(name, place, settings, own.get(name, {})) for name, place in known.places.items()]
    identity = _identity(known, permissions.file)
    is_alone = list(known.places) == [""]
    domain = own.get("", {}) if is_alone else merged(known.domain or {}, own)
    before = replace(identity_of(live.source), rules=identity.rules) if live else None
    if live and before == identity and not all(folder.is_dir() for folder in folders.values()):
        # What the folder that is not there declares is as it was, like its documents.
        domain = live.domain
    domain = _with_rules(domain, own.values(), permissions)
    plain = is_alone and isinstance(parts[0].source, FolderSource)
    return Collection(str(identity), parts[0].source if plain else together(parts, tell), domain, may_open)


def _with_rules(
    domain: Mapping[str, Any], own: Iterable[Mapping[str, Any]], permissions: Permissions
) -> Mapping[str, Any]:
    """Return what is declared with the rules of today on who may read what. Raises ConfigError when they are wrong."""
    if any(ACCESS in one for one in own):
        raise ConfigError(f"domain.yaml cannot say who may read what: write that into {PERMISSIONS}")
    bare = {key: value for key, value in domain.items() if key != ACCESS}
    rules = permissions.access.model_dump(mode="json", exclude_defaults=True)
    # What lies within what matters only where something is narrowed.
    narrows = rules.keys() - {"inside"}
    return bare | ({ACCESS: rules} if narrows else {})


def _identity(known: _Known, rules: Path | None) -> Identity:
    by = str(rules) if rules else None
    if known.file is None:
        return Identity({name: where_of(place) for name, place in known.places.items()}, None, by)
    # Whatever is declared of a source makes it another: its readers above all.
    signs = {name: sha256(place.model_dump_json().encode()).hexdigest()[:16] for name, place in known.places.items()}
    return Identity(signs, str(known.file), by)


def _part(name: str, place: Place, settings: Settings, domain: Mapping[str, Any]) -> Part:
    base = domain.get("link_base")
    return Part(
        name=name,
        source=_source(place, settings),
        readers=frozenset(place.readers),
        kind=place.kind or ("conversation" if isinstance(place, SlackPlace) else None),
        link_base=place.link_base or (base if name and isinstance(base, str) else None),
    )


@dataclass(slots=True)
class _Unusable:
    """A source that lacks what it needs, which is said when it is read: the others of its corpus can be."""

    name: str
    why: ConfigError

    def items(self) -> AsyncIterator[Item | IngestError]:
        raise self.why


def _source(place: Place, settings: Settings) -> Source:
    try:
        return source_of(place, settings)
    except ConfigError as error:
        return _Unusable(where_of(place), error)


def source_of(place: Place, settings: Settings) -> Source:
    """Return the source at a place. Raises ConfigError when a variable that it needs is not set."""
    match place:
        case FolderPlace():
            return FolderSource(place.folder)
        case SitePlace():
            return _site(place, settings)
        case GitPlace():
            return _git(place, settings)
        case SlackPlace():
            return _slack(place, settings)
        case ReaderPlace():
            return _reader(place)


def _site(place: SitePlace, settings: Settings) -> Source:
    from adapters.sources.web import WebSite
    from adapters.sources.web_limits import Limits

    address = with_login(place.site)
    mark = sha256(place.site.encode()).hexdigest()[:16]
    limits = Limits(
        pages=place.pages,
        depth=place.depth,
        page_bytes=round(place.page_megabytes * 1_000_000),
        site_bytes=round(place.site_megabytes * 1_000_000),
    )
    copies = settings.data_dir / "sites" / mark
    return WebSite(address, under=place.below, pause=place.pause, limits=limits, copies=copies)


def _git(place: GitPlace, settings: Settings) -> Source:
    from adapters.sources.git import GitCheckout

    cache = settings.data_dir / "repositories"
    return GitCheckout(with_login(place.git), place.branch, cache=cache, under=place.under, commits=place.commits)


def _slack(place: SlackPlace, settings: Settings) -> Source:
    from adapters.slack.connect import client_of
    from adapters.slack.history import SlackHistory

    if settings.slack_bot_token is None:
        raise ConfigError(
            "SLACK_BOT_TOKEN is not set, and Slack's channels cannot be read without it (docs/sources.md)"
        )
    client = client_of(settings.slack_bot_token.get_secret_value(), settings.slack_api_base_url)
    zone = UTC if place.zone == "UTC" else ZoneInfo(place.zone)
    return SlackHistory(client, place.channels, place.since, zone)


def _reader(place: ReaderPlace) -> Source:
    from adapters.sources.reader import ReaderSource

    return ReaderSource(place.reader, _with_values(place.arguments), _with_values(place.load), place.suffix)


def with_login(address: str) -> str:
    """Return the address with the values of the variables in its login."""
    scheme, mark, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    login, at, host = host.rpartition("@")
    # A variable may hold the name and the password, with their colon.
    safe = ":" if VARIABLE.fullmatch(login) else ""
    shown = VARIABLE.sub(lambda found: quote(value_of(found[1]), safe=safe), login)
    return f"{scheme}{mark}{shown}{at}{host}{slash}{path}"


def _with_values(value: Any) -> Any:
    """Return what a reader is given, with the values of the variables in it."""
    match value:
        case str():
            return VARIABLE.sub(lambda found: value_of(found[1]), value)
        case dict():
            return {key: _with_values(part) for key, part in value.items()}
        case list():
            return [_with_values(part) for part in value]
    return value
