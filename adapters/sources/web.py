"""A web site as a source of documents: the pages of its sitemap, or those that its start page leads to."""

from asyncio import to_thread
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator
from contextlib import aclosing
from dataclasses import KW_ONLY, dataclass, field
from hashlib import sha256
from pathlib import Path

from yarl import URL

from adapters.sources import web_limits
from adapters.sources.addresses import is_of, joined, may_be_read, same_page, start_of, without_login
from adapters.sources.dates import day_of
from adapters.sources.formats import HTML, TEXT
from adapters.sources.names import marked, page_name
from adapters.sources.page_store import PageStore
from adapters.sources.signs import Signs, orders_in, signs_of
from adapters.sources.sitemap import SITEMAP_BYTES, Listed, Sitemap, sitemap_of
from adapters.sources.visitor import GONE, TOO_MANY, Failed, Forbidden, Outcome, Page, Unreadable, Visitor, visiting
from adapters.sources.web_limits import PAUSE, Limits
from core.errors import ConfigError, Gone, IngestError, Unread
from core.ingest.formats import BETTER, READ, suffix_of
from core.ingest.source import Item


@dataclass(slots=True)
class WebSite:
    """The pages of one host (scheme, host and port) that want to be found.

    `start` is a sitemap, or a page: then the sitemaps that robots.txt names and /sitemap.xml are tried, and without one
    the links from that page are followed. Only addresses whose path begins with `under` are read. `pause` is the least
    time between two requests in seconds. `readers` are the groups that may read the pages; nobody: everybody.
    `copies` is a folder for what came, so that the next visit has only what changed sent to it.
    """

    start: str = field(repr=False)
    _: KW_ONLY
    under: str = "/"
    readers: frozenset[str] = frozenset()
    pause: float = PAUSE
    limits: Limits = field(default_factory=Limits)
    copies: Path | None = None
    name: str = field(init=False)
    _start: URL = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._start = start_of(self.start)
        self.name = f"the web site {without_login(self._start).human_repr()}"

    async def items(self) -> AsyncIterator[Item | IngestError]:
        """Yield every page, or why one could not be had.

        Raises ConfigError when the site cannot be reached, forbids the visit, or has not one page to read.
        """
        store = PageStore(self.copies) if self.copies else None
        async with visiting(self._start, self.pause, store) as visitor:
            under = URL(f"/{self.under.strip('/')}").raw_path
            visit = _Visit(visitor, without_login(self._start), under, self.readers, self.limits)
            something = False
            async with aclosing(visit.items()) as everything:
                async for found in everything:
                    something = True
                    yield found
            if not something:
                raise ConfigError(f"{self.name} has no page to read: {_NOTHING}")
        if store and not visit.ways:
            await to_thread(store.forget_others)


_SITEMAPS = (".xml", "sitemap.txt")
_NOTHING = "it may ask not to be found (robots.txt, noindex), or make its pages in the browser; give another start page"


@dataclass(frozen=True, slots=True)
class _Way:
    """An address to go to, so many links from the start."""

    address: URL
    depth: int = 0
    updated: str | None = None


@dataclass(slots=True)
class _Visit:
    """One walk through the site: what is still to be seen, and what has been."""

    visitor: Visitor
    start: URL
    under: str
    readers: frozenset[str]
    limits: Limits
    ways: deque[_Way] = field(default_factory=deque)
    known: set[URL] = field(default_factory=set)
    names: dict[str, tuple[URL, bytes]] = field(default_factory=dict)
    read: set[URL] = field(default_factory=set)
    follows: bool = True
    failed: bool = False

    async def items(self) -> AsyncGenerator[Item | IngestError, None]:
        for problem in await self._begin(await self.visitor.learn_rules()):
            self.failed = self.failed or isinstance(problem, Unread)
            yield problem
        asked, failures = 0, 0
        while self.ways or await self._look_back():
            if end := self._end(asked, failures):
                yield end
                return
            way = self.ways.popleft()
            if way.address in self.read:
                continue
            outcome = await self.visitor.get(way.address, self.limits.page_bytes)
            asked, failures = asked + 1, failures + 1 if _is_down(outcome) else 0
            self.failed = self.failed or failures > 0
            self._check_start(way, outcome)
            if found := await self._found(way, outcome):
                yield found

    def _end(self, asked: int, failures: int) -> IngestError | None:
        """Return why the visit ends before all is seen, if it does."""
        rest = f"{len(self.ways)} known addresses were left out"
        if failures >= web_limits.FAILURES_IN_A_ROW:
            reason = f"failed {failures} times in a row: see whether it is up, then run this again; {rest}"
            return Unread(str(self.start), reason)
        what = f"{self.limits.pages:,} pages" if asked >= self.limits.pages else ""
        what = what or (f"{self.limits.site_bytes:,} bytes" if self.visitor.taken >= self.limits.site_bytes else "")
        more = f"has more than {what}: give a part of it as the start, or allow more; {rest}"
        return IngestError(str(self.start), more) if what else None

    async def _begin(self, named: Iterable[str]) -> list[IngestError]:
        """Note where to go first: all pages of the sitemaps, if there are any, else the start page."""
        problems: list[IngestError] = []
        if self.start.path.removesuffix(".gz").endswith(_SITEMAPS):
            await self._list([self.start], problems, must=True)
        else:
            asked_for = [address for text in named if (address := joined(self.start, text))]
            await self._list(asked_for, problems)
            if not self.ways:
                tried: list[IngestError] = []
                await self._list([self.start.with_path("/sitemap.xml").with_query(None)], tried)
                problems += [problem for problem in tried if isinstance(problem, Unread)]
        self.follows = not self.ways
        if self.follows:
            self._add(_Way(self.start), anywhere=True)
        return problems

    async def _look_back(self) -> bool:
        """Note the pages of the last visit that nothing led to this time, if that may be because something failed."""
        if self.failed and self.follows and self.visitor.store:
            for address in await to_thread(self.visitor.store.others):
                self._add(_Way(address))
        return bool(self.ways)

    async def _list(self, sitemaps: list[URL], problems: list[IngestError], *, must: bool = False) -> None:
        """Add the pages of the sitemaps and of those that they name, once each."""
        to_read, seen = deque(sitemaps), set(sitemaps)
        while to_read and len(seen) <= web_limits.SITEMAPS:
            address = to_read.popleft()
            if not is_of(self.visitor.site, address):
                continue
            outcome = await self.visitor.get(address, SITEMAP_BYTES, anything=True)
            found = await _sitemap_in(outcome)
            if found.problem:
                problems.append(_problem(address, found.problem, outcome))
            self._add_listed(address, found.pages)
            nested = [inner for text in found.maps if (inner := joined(address, text)) and inner not in seen]
            seen.update(nested)
            to_read.extend(dict.fromkeys(nested))
        if must and not self.ways:
            reason = problems[0].reason if problems else f"names no page of {self.visitor.site}"
            raise ConfigError(f"the sitemap {self.start} {reason}; check it, or give a page as the start")

    def _add_listed(self, sitemap: URL, pages: Iterable[Listed]) -> None:
        for page in pages:
            if address := joined(sitemap, page.address):
                self._add(_Way(address, updated=page.updated))

    def _add(self, way: _Way, *, anywhere: bool = False) -> None:
        """Note where to go, if that is a page of this site, new, and not too far. There is an end to noting, too."""
        new = way.address not in self.known and len(self.known) < 10 * self.limits.pages
        mine = is_of(self.visitor.site, way.address) and (anywhere or _is_under(way.address, self.under))
        if new and mine and way.depth <= self.limits.depth and may_be_read(way.address):
            self.known.add(way.address)
            self.ways.append(way)

    def _check_start(self, way: _Way, outcome: Outcome) -> None:
        if not self.follows or way.address != self.start:
            return
        match outcome:
            case Failed(reason):
                raise ConfigError(f"the start page {self.start} {reason}; check the address")
            case Forbidden():
                rule = f"User-agent: {web_limits.PRODUCT}"
                raise ConfigError(
                    f"robots.txt of {self.visitor.site} forbids reading {self.start}: ask the owner of the site for a "
                    f"part with `{rule}` that allows it"
                )

    async def _found(self, way: _Way, outcome: Outcome) -> Item | IngestError | None:
        match outcome:
            case Failed(reason):
                likely = _likely_name(way.address)
                if outcome.status in GONE:
                    return Gone(str(way.address), reason, likely)
                # Where a page leads that could not be had is not known either.
                return _problem(way.address, reason, outcome, "" if self.follows else likely)
            case Page(address=address, suffix=str(suffix)) if address not in self.read:
                self.known.add(address)
                self.read.add(address)
                return self._item(way, outcome, suffix) if await self._wants(way, outcome) else None
            case Unreadable() if (suffix := suffix_of(way.address.path)) in BETTER:
                return IngestError(str(way.address), f"no reader for {suffix}: give it as {BETTER[suffix]}")
        return None

    async def _wants(self, way: _Way, page: Page) -> bool:
        """Return whether the page wants to be found here; note where it leads."""
        orders = orders_in(page.headers.getall("X-Robots-Tag", []), web_limits.PRODUCT)
        signs = Signs()
        if page.suffix == HTML:
            signs = await to_thread(signs_of, page.data, page.charset, web_limits.PRODUCT)
        base = joined(page.address, signs.base) or page.address
        if self.follows and not signs.closed and not orders & {"nofollow", "none"}:
            for link in _joined(base, signs.links):
                self._add(_Way(link, way.depth + 1))
        if signs.hidden or orders & {"noindex", "none"} or not _is_under(page.address, self.under):
            return False
        canonical = joined(base, signs.canonical) if signs.canonical else None
        if canonical is None or same_page(canonical, page.address):
            return True
        self._add(_Way(canonical, way.depth + 1, way.updated))
        return False

    def _item(self, way: _Way, page: Page, suffix: str) -> Item | None:
        data = _in_utf8(page, suffix)
        name = self._name(page.address, suffix, data)
        updated = way.updated or day_of(page.headers.get("Last-Modified"))
        return Item(name, data, link=str(page.address), updated=updated, readers=self.readers) if name else None

    def _name(self, address: URL, suffix: str, data: bytes) -> str | None:
        """Return a name that no other page has, None for a page that was had under another address of that name.

        `/docs/` and `/docs/index.html` are most often one page; when they are not, the second gets a mark.
        """
        name, digest = page_name(address, suffix), sha256(data).digest()
        first, same = self.names.setdefault(name, (address, digest))
        if first == address:
            return name
        return marked(name, str(address)) if same != digest else None


def _is_down(outcome: Outcome) -> bool:
    """Return whether the site itself failed; a page that is gone says nothing of the others."""
    return isinstance(outcome, Failed) and (outcome.status == 0 or outcome.status >= TOO_MANY)


def _problem(address: URL, reason: str, outcome: Outcome, keeps: str = "") -> IngestError:
    """Return why something could not be had: for the moment, when the site failed and not the page."""
    return Unread(str(address), reason, keeps) if _is_down(outcome) else IngestError(str(address), reason)


def _likely_name(address: URL) -> str:
    """Return the name that the page most likely had when it could be read."""
    own = suffix_of(address.path)
    return page_name(address, own if own in READ else HTML)


async def _sitemap_in(outcome: Outcome) -> Sitemap:
    match outcome:
        case Page(data=data):
            return await to_thread(sitemap_of, data) or Sitemap(problem="is not a sitemap")
        case Failed(reason):
            return Sitemap(problem=reason)
        case Forbidden():
            return Sitemap(problem="may not be read, says robots.txt")
    return Sitemap(problem="is not a sitemap")


def _is_under(address: URL, folder: str) -> bool:
    return folder in ("/", address.raw_path) or address.raw_path.startswith(f"{folder}/")


def _joined(base: URL, links: Iterable[str]) -> Iterator[URL]:
    return (address for link in links if (address := joined(base, link)))


def _in_utf8(page: Page, suffix: str) -> bytes:
    """Return text that the server says is in another encoding as UTF-8: the bytes alone do not tell koi8-r."""
    if suffix not in (HTML, TEXT) or not page.charset:
        return page.data
    try:
        page.data.decode("utf-8")
    except UnicodeDecodeError:
        try:
            return page.data.decode(page.charset).encode("utf-8")
        except (UnicodeDecodeError, LookupError):
            return page.data
    return page.data
