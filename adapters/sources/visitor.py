"""A polite visitor of one web site: one request at a time, with pauses, and only where robots.txt lets it."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

import aiohttp
from multidict import CIMultiDictProxy
from protego import Protego
from yarl import URL

from adapters.sources import web_limits
from adapters.sources.addresses import is_of, joined, without_login
from adapters.sources.formats import suffix_for
from adapters.sources.page_store import Copy, PageStore
from adapters.sources.resolving import SteadyResolver
from core.errors import ConfigError

_OK: Final = 200
_UNCHANGED: Final = 304
_MOVED: Final = (301, 302, 303, 307, 308)
TOO_MANY: Final = 429
_BUSY: Final = (TOO_MANY, 503)
_SERVER_FAULT: Final = 500
GONE: Final = (404, 410)


@dataclass(frozen=True, slots=True)
class Page:
    """What stands at an address after all redirects, with the suffix of its format when that is a readable one."""

    address: URL
    data: bytes
    headers: CIMultiDictProxy[str]
    suffix: str | None
    charset: str | None


@dataclass(frozen=True, slots=True)
class Failed:
    """Nothing was had; `reason` says why to a person. `status` is the server's, 0 when it did not answer."""

    reason: str
    status: int = 0


@dataclass(frozen=True, slots=True)
class Forbidden:
    """The site does not want this to be read by visitors like us."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Nothing to read stands there: a picture, a program."""


Outcome = Page | Failed | Forbidden | Unreadable


@dataclass(slots=True)
class Visitor:
    """Asks the site for one thing at a time. `taken` counts the bytes that came; `store` has what came before."""

    site: URL
    session: aiohttp.ClientSession
    pause: float
    store: PageStore | None = None
    robots: Protego = field(default_factory=lambda: Protego.parse(""))
    taken: int = 0
    _next: float = 0.0

    async def get(self, address: URL, limit: int, *, anything: bool = False) -> Outcome:
        """Return what stands at the address of this site; redirects are followed within it.

        Of what is not readable no byte is taken, unless `anything` is asked for. Never raises, except when cancelled.
        """
        for _ in range(web_limits.REDIRECTS + 1):
            if not self.may_read(address):
                return Forbidden()
            found = await self._tried(address, limit, anything=anything)
            if not isinstance(found, URL):
                return found
            if not is_of(self.site, found):
                return Failed(f"leads to another site, {without_login(found)}: give an address of that one", _MOVED[0])
            address = found
        return Failed(f"leads from one address to the next more than {web_limits.REDIRECTS} times: correct its link")

    def may_read(self, address: URL) -> bool:
        """Return whether robots.txt lets us ask for this address."""
        return bool(self.robots.can_fetch(str(address), web_limits.PRODUCT))

    async def learn_rules(self) -> tuple[str, ...]:
        """Follow robots.txt from now on; return the sitemaps that it names.

        Raises ConfigError when the site cannot be reached, or does not want to be visited for now (RFC 9309, 2.3.1).
        """
        address = self.site.with_path("/robots.txt")
        match await self.get(address, web_limits.ROBOTS_BYTES, anything=True):
            case Page(data=data):
                self.robots = Protego.parse(data.decode("utf-8-sig", "replace"))
                self.pause = max(self.pause, self._wanted_pause())
                return tuple(self.robots.sitemaps)
            case Failed(reason, status) if status == 0:
                raise ConfigError(
                    f"the site {self.site} {reason}: check its address, and that this computer may reach it"
                )
            case Failed(reason, status) if status in _MOVED:
                raise ConfigError(f"{address} {reason}")
            case Failed(reason, status) if status >= _SERVER_FAULT or status in _BUSY:
                raise ConfigError(f"{address} {reason}, which asks visitors to stay away for now: try again later")
        return ()

    def _wanted_pause(self) -> float:
        wanted = self.robots.crawl_delay(web_limits.PRODUCT) or 0.0
        if wanted > web_limits.LONGEST_PAUSE:
            raise ConfigError(
                f"{self.site.with_path('/robots.txt')} asks for {wanted:.0f} s between two pages, which is too slow to "
                f"read the site: ask its owner for a line `User-agent: {web_limits.PRODUCT}` with a shorter Crawl-delay"
            )
        return wanted

    async def _tried(self, address: URL, limit: int, *, anything: bool) -> Outcome | URL:
        """Ask up to three times: a busy server says when to come again, a lost connection may have been chance."""
        found: Outcome | URL = Failed("was not asked for")
        for rest in reversed(range(web_limits.TRIES)):
            await self._wait()
            found, again = await self._asked(address, limit, anything=anything)
            if again is None or not rest:
                break
            self._next = max(self._next, _now() + again)
        return found

    async def _wait(self) -> None:
        await asyncio.sleep(max(0.0, self._next - _now()))
        self._next = _now() + self.pause

    async def _asked(self, address: URL, limit: int, *, anything: bool) -> tuple[Outcome | URL, float | None]:
        """Return what came, and after how many seconds it is worth asking again, if it is."""
        copy = await asyncio.to_thread(self.store.copy, address) if self.store else None
        questions = copy.questions if copy else {}
        try:
            async with self.session.get(address, allow_redirects=False, headers=questions) as response:
                self._next = _now() + self.pause
                if copy and response.status == _UNCHANGED and (found := await self._unchanged(copy, address, limit)):
                    return found, None
                return await self._answer(response, address, limit, anything=anything)
        except TimeoutError:
            return Failed("did not answer in time"), self.pause
        except (aiohttp.ClientError, ValueError, OSError) as error:
            return Failed(f"cannot be reached ({_in_words(error)})"), self.pause

    async def _answer(
        self, response: aiohttp.ClientResponse, address: URL, limit: int, *, anything: bool
    ) -> tuple[Outcome | URL, float | None]:
        status = response.status
        if status in _MOVED and (target := joined(address, response.headers.get("Location", ""))):
            return target, None
        if status in GONE and self.store:
            await asyncio.to_thread(self.store.forget, address)
        if status != _OK:
            again = _again(response.headers) if status in _BUSY else None
            return Failed(f"answers with status {status}", status), again
        suffix = suffix_for(response.headers.get("Content-Type", ""), address.path)
        if suffix is None and not anything:
            response.close()
            return Unreadable(), None
        data = await self._read(response, limit)
        if data is None:
            response.close()
            return Failed(f"has more than {limit:,} bytes: it is too long to read", status), None
        if self.store:
            await asyncio.to_thread(self.store.keep, address, response.headers, response.charset, data)
        return Page(address, data, response.headers, suffix, response.charset), None

    async def _unchanged(self, copy: Copy, address: URL, limit: int) -> Page | None:
        """Return the page as it came last, None when the copy is lost meanwhile."""
        data = await asyncio.to_thread(copy.data)
        if data is None or len(data) > limit:
            return None
        self.taken += len(data)
        suffix = suffix_for(copy.headers.get("Content-Type", ""), address.path)
        return Page(address, data, copy.headers, suffix, copy.charset)

    async def _read(self, response: aiohttp.ClientResponse, limit: int) -> bytes | None:
        data = bytearray()
        async for chunk in response.content.iter_chunked(1 << 16):
            data += chunk
            self.taken += len(chunk)
            if len(data) > limit:
                return None
        return bytes(data)


@asynccontextmanager
async def visiting(start: URL, pause: float, store: PageStore | None = None) -> AsyncIterator[Visitor]:
    """Give a visitor of the site at this address, who shows the name and password in it to that site."""
    shown = b64encode(f"{start.user or ''}:{start.password or ''}".encode()).decode()
    login = {"Authorization": f"Basic {shown}"} if start.user else {}
    async with aiohttp.ClientSession(
        headers={"User-Agent": web_limits.USER_AGENT, "Accept": "text/html, application/xhtml+xml, */*;q=0.8", **login},
        cookie_jar=aiohttp.DummyCookieJar(),
        connector=aiohttp.TCPConnector(resolver=SteadyResolver()),
        timeout=aiohttp.ClientTimeout(
            total=web_limits.PAGE_SECONDS, connect=web_limits.CONNECT_SECONDS, sock_read=web_limits.READ_SECONDS
        ),
    ) as session:
        yield Visitor(start.origin(), session, pause, store)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _in_words(error: Exception) -> str:
    """Return the kind of error: its text may hold the address with its password."""
    if isinstance(error, aiohttp.ClientConnectorError):
        return error.strerror or type(error.os_error).__name__
    return type(error).__name__


def _again(headers: CIMultiDictProxy[str]) -> float:
    """Return the seconds that the server asks us to wait, a minute at most."""
    said = headers.get("Retry-After", "").strip()
    try:
        seconds = float(said) if said.isascii() else 0.0
    except ValueError:
        seconds = _until(said)
    return min(max(seconds, 0.0), web_limits.LONGEST_PAUSE)


def _until(date: str) -> float:
    try:
        return (parsedate_to_datetime(date) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, IndexError):
        return 0.0
