"""The bot in many workspaces: Slack with several of them, a database, copies of the bot, and a browser."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from adapters.secrets.fernet import FernetCipher, new_key
from adapters.slack.app import SlackPlatform, SlackSettings
from adapters.slack.oauth import OAuthApp
from adapters.storage.database import Database, open_database
from adapters.storage.departures import SqlDepartures
from adapters.storage.installations import SqlInstallations
from tests.adapters.slack.scene import QUICK, Script
from tests.doubles.desk import Desk
from tests.platforms.slack import Message, SlackStandIn
from tests.platforms.slack.cloud import SlackCloud
from tests.platforms.slack.waiting import until

PUBLIC = "https://footnote.example"
KEY = new_key()
# Slack's own library uses what aiohttp will do without.
QUIET = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")
COOKIE = "slack-app-oauth-state"


@dataclass(frozen=True)
class Page:
    """What a browser is shown, and where it is sent."""

    status: int
    text: str
    location: str
    cookie: str


@dataclass
class Copy:
    """One copy of the bot, with its desk and the address that it listens on."""

    platform: SlackPlatform
    desk: Desk
    url: str = ""
    task: "asyncio.Task[None] | None" = None

    @property
    def events(self) -> str:
        return f"{self.url}/slack/events"

    async def stop(self) -> None:
        """Stop it as SIGTERM does."""
        if self.task:
            self.task.cancel()
            with suppress(asyncio.CancelledError):
                await self.task


@dataclass
class Estate:
    """Everything that a test of many workspaces looks at."""

    cloud: SlackCloud
    database: Database
    kept: SqlInstallations
    left: SqlDepartures
    browser: aiohttp.ClientSession
    copies: list[Copy] = field(default_factory=list)
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)

    @property
    def bot(self) -> Copy:
        return self.copies[0]

    async def start(self, welcome: tuple[str, ...] = ("T1", "T2"), **changes: Any) -> Copy:
        """Start a copy of the bot."""
        app = OAuthApp(self.cloud.client_id, self.cloud.client_secret, PUBLIC, welcome)
        given: dict[str, Any] = {"bot_token": "", "signing_secret": self.cloud.signing_secret, "oauth": app}
        given |= {"http_host": "127.0.0.1", "http_port": 0, "api_base_url": self.cloud.api_base_url}
        platform = SlackPlatform(SlackSettings(**(given | changes)))
        platform.keep_in(self.kept, self.left)
        copy, up = Copy(platform, Desk(platform, Script())), asyncio.Event()

        async def ready(words: str) -> None:
            copy.url = "http://" + words.rpartition("HTTP on ")[2].partition("/slack")[0]
            up.set()

        await self._stack.enter_async_context(platform.connected())
        copy.task = asyncio.create_task(platform.run(copy.desk, ready))
        self._stack.push_async_callback(copy.stop)
        waiting = asyncio.create_task(up.wait())
        await asyncio.wait({copy.task, waiting}, return_when=asyncio.FIRST_COMPLETED, timeout=5)
        waiting.cancel()
        if copy.task.done():
            await copy.task
        self.copies.append(copy)
        return copy

    async def get(self, path: str, *, cookie: str = "", language: str = "en", copy: int = 0) -> Page:
        """Return what a browser is shown at a path of a copy."""
        headers = {"Accept-Language": language} | ({"Cookie": f"{COOKIE}={cookie}"} if cookie else {})
        url = path.replace(PUBLIC, "") if path.startswith(PUBLIC) else path
        base = self.copies[copy].url
        async with self.browser.get(base + url, headers=headers, allow_redirects=False) as answer:
            set_cookie: SimpleCookie = SimpleCookie(answer.headers.get("Set-Cookie", ""))
            value = set_cookie[COOKIE].value if COOKIE in set_cookie else ""
            return Page(answer.status, await answer.text(), answer.headers.get("Location", ""), value)

    async def install(self, team: str, **given: Any) -> Page:
        """Install the app in a workspace, as a person with a browser does."""
        begun = await self.get("/slack/install")
        back = self.cloud.allow(begun.location, team, **given)
        return await self.get(back, cookie=begun.cookie)

    async def workspace(self, team: str, *, installed: bool = True) -> SlackStandIn:
        """Add a workspace whose events come to the first copy, with the app in it."""
        one = await self.cloud.add(team)
        if installed:
            assert (await self.install(team)).status == 200
        one.send_events_to(self.bot.events)
        return one

    async def ages(self, team: str, left: float) -> None:
        """Let the stored token of the workspace end in so many seconds."""
        installed = await self.kept.find("slack", team)
        assert installed
        assert await self.kept.change(installed, {**installed.secrets, "ends_at": int(time.time() + left)})

    async def asks(self, team: str, text: str) -> str:
        """Mention the bot in C1 of the workspace as Ada."""
        one = self.cloud.workspaces[team]
        return await one.post_as("U1", "C1", f"<@{one.bot_user_id}> {text}")

    async def answered(self, team: str, root: str, count: int = 2) -> list[Message]:
        """Return the bot's messages in the thread once nothing more is to come."""
        one = self.cloud.workspaces[team]
        await until(
            lambda: len(one.answers("C1", root)) >= count, lambda: f"{one.answers('C1', root)}; {one.calls}", 8.0
        )
        await one.settled()
        for copy in self.copies:
            await asyncio.wait_for(copy.desk.idle(), 8.0)
        return one.answers("C1", root)

    async def stop(self) -> None:
        """Stop all copies."""
        await self._stack.aclose()
        self.copies.clear()


@asynccontextmanager
async def estate(folder: Path, **given: Any) -> AsyncIterator[Estate]:
    """Give one with a copy of the bot at work and no workspace yet."""
    database = open_database(await _prepared(folder))
    async with SlackCloud(patience=QUICK, **given) as cloud, aiohttp.ClientSession() as browser:
        cloud.redirect_uris.add(f"{PUBLIC}/slack/oauth_redirect")
        kept = SqlInstallations(database, FernetCipher([KEY]))
        made = Estate(cloud, database, kept, SqlDepartures(database), browser)
        await made.start()
        try:
            yield made
        finally:
            await made.stop()
            await database.close()


_empty: list[bytes] = []


async def _prepared(folder: Path) -> Path:
    """Return a database without rows; its tables are made once for all tests."""
    path = folder / "footnote.db"
    if not _empty:
        database = open_database(path)
        await database.prepare()
        await database.close()
        _empty.append(path.read_bytes())
    path.write_bytes(_empty[0])
    return path


@pytest.fixture
async def many(tmp_path: Path) -> AsyncIterator[Estate]:
    """Give the bot at work for many workspaces, in none yet."""
    async with estate(tmp_path) as made:
        yield made
