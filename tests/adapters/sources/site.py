"""A web site on loopback, with the pages that a test gives it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from html import escape

from aiohttp import web
from yarl import URL

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Reply:
    """What the site answers at an address."""

    body: bytes = b""
    type: str | None = HTML
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    stalls: bool = False


def page(text: str, *links: str, head: str = "", **headers: str) -> Reply:
    """Return a page with these words and links."""
    shown = "".join(f'<a href="{escape(link)}">{escape(link)}</a>' for link in links)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(f"<html><head>{head}</head><body><p>{text}</p>{shown}</body></html>".encode(), headers=named)


def sitemap(*addresses: str, updated: str = "") -> Reply:
    """Return a sitemap of these pages."""
    day = f"<lastmod>{updated}</lastmod>" if updated else ""
    urls = "".join(f"<url><loc>{escape(address)}</loc>{day}</url>" for address in addresses)
    body = f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
    return Reply(body.encode(), "application/xml")


@dataclass
class Site:
    """The site's replies by path and query, as a person writes them; `asked` are the requests so far.

    A page with an ETag or a Last-Modified is not sent again to whom it was sent: `unchanged` are those requests.
    """

    origin: str
    replies: dict[str, Reply | list[Reply]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    logins: set[str | None] = field(default_factory=set)
    unchanged: list[str] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0

    def __setitem__(self, path: str, reply: Reply | list[Reply]) -> None:
        self.replies[URL(path).raw_path_qs] = reply

    def __call__(self, path: str) -> str:
        """Return the address of a path."""
        return str(URL(self.origin + path))

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(str(request.rel_url.raw_path_qs))
        self.agents.add(request.headers.get("User-Agent", ""))
        self.logins.add(request.headers.get("Authorization"))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return await self._reply(request)
        finally:
            self.at_once -= 1

    async def _reply(self, request: web.Request) -> web.StreamResponse:
        reply = self.replies.get(request.rel_url.raw_path_qs, Reply(status=404))
        if isinstance(reply, list):
            reply = reply.pop(0) if len(reply) > 1 else reply[0]
        for sign, asks in (("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since")):
            if sign in reply.headers and request.headers.get(asks) == reply.headers[sign]:
                self.unchanged.append(str(request.rel_url.raw_path_qs))
                return web.Response(status=304)
        headers = {**({"Content-Type": reply.type} if reply.type else {}), **reply.headers}
        if not reply.stalls:
            return web.Response(body=reply.body, status=reply.status, headers=headers)
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        while True:
            await response.write(b" " * 100_000)


@asynccontextmanager
async def serving() -> AsyncIterator[Site]:
    """Give a site without a page."""
    site = Site("")
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", site.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    site.origin = f"http://{host}:{port}"
    try:
        yield site
    finally:
        await runner.cleanup()
