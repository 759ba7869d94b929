"""Slack as a platform: what people do there comes in, and messages are shown there."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import aiohttp
from slack_bolt.async_app import AsyncApp
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack import send
from adapters.slack.buttons import after
from adapters.slack.connect import identify
from adapters.slack.door import Door, Handler
from adapters.slack.doors import AllDoors, Errand
from adapters.slack.forms import Venue
from adapters.slack.guard import kept_from_outsiders
from adapters.slack.intake import make_app, unwaited, vendor_log
from adapters.slack.letting import decided
from adapters.slack.members import SlackMembers
from adapters.slack.novelties import Novelties
from adapters.slack.oauth import INSTALL_PATH, InstallingClient, OAuthApp, pages
from adapters.slack.pace import Pace
from adapters.slack.parking import Parking, WorkspaceClient
from adapters.slack.parts import parts_of, with_button
from adapters.slack.reaching import link_to, names_in, show_directly, speak_alone, way_to
from adapters.slack.renewal import Renewal, rotation
from adapters.slack.statuses import Statuses
from adapters.slack.tell import tell, workspace_of
from adapters.slack.threads import said_before
from adapters.slack.waiting import booked, is_new, too_soon
from adapters.slack.ways import Way, over_http, over_socket
from adapters.slack.workspaces import ManyWorkspaces, OneWorkspace, Workspace, Workspaces, reached
from core.conversation import MessageRef, PlatformName, Question
from core.delivery import FIRST, NOT_SURELY_OURS, Body, Health, Later, Outcome, Outgoing, Part, Refused, Seen
from core.errors import ConfigError, DeliveryError
from core.installing import Departures, Installations
from core.pacing import Tally
from core.remarks import Remark
from core.reply import RenderedReply, Tasks
from core.running import Intake
from core.visiting import Case, Names

# Seconds that one call to Slack may take.
CALL_TIMEOUT = 30.0
# Seconds for which an event that was not stored tells of trouble: Slack brings it for the last time after five minutes.
_UNSTORED_SECONDS = 600.0

# Seconds for which what goes on after a start waits for the connection by which Slack tells who reads there.
_JOINING = 300.0
_NOT_CONNECTED = Later(1.0, "Slack is not connected", whole_place=True, ours_alone=True)


@dataclass(frozen=True, slots=True)
class SlackSettings:
    """What Slack needs: the app token for Socket Mode, or else the signing secret for HTTP.

    With `oauth`, workspaces install the app themselves, and the bot token is not used.
    """

    bot_token: str = field(repr=False)
    app_token: str | None = field(default=None, repr=False)
    signing_secret: str | None = field(default=None, repr=False)
    http_host: str = "127.0.0.1"
    http_port: int = 3000
    api_base_url: str | None = None
    oauth: OAuthApp | None = None
    lets_outsiders_in: bool = False


@dataclass(frozen=True, slots=True)
class _Line:
    """An open connection, where the bot is on it, and what that is said as."""

    session: aiohttp.ClientSession
    workspaces: Workspaces
    words: str
    doors: AllDoors
    errands: set[asyncio.Task[None]] = field(default_factory=set)

    def start(self, errand: Errand) -> None:
        """Let it be done while nobody waits for it."""
        task = asyncio.create_task(unwaited(errand))
        self.errands.add(task)
        task.add_done_callback(self.errands.discard)

    def stop(self) -> None:
        """Do and ask nothing any more for which nobody waits."""
        self.doors.stop()
        for task in self.errands:
            task.cancel()


class SlackPlatform:
    """The port `Platform` for one Slack workspace, or for all that installed the app."""

    name: PlatformName = "slack"
    # The sign is an ordinary message, which chat.update turns into the answer.
    shows_sign: bool = True
    # Slack gives each event to one of the connected sockets, so several copies share the work.
    alone: bool = False

    def __init__(self, settings: SlackSettings, elapsed: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._installations: Installations | None = None
        self._departures: Departures | None = None
        self._term: Callable[[], int | None] = lambda: 0
        self._pace = Pace(elapsed)
        self._novelties = Novelties(elapsed)
        self._statuses = Statuses()
        self._line: _Line | None = None
        self._joined = asyncio.Event()
        self._way: Way | None = None
        # Since when and why the latest event could not be stored.
        self._unstored: tuple[float, str] | None = None
        self._elapsed = elapsed
        self.members = SlackMembers(
            lambda team: self._line.workspaces.client(team) if self._line else None, is_one=settings.oauth is None
        )

    def keep_in(self, installations: Installations | None, departures: Departures) -> None:
        """Store there, from the next connection on, where the app is installed and which workspaces it left."""
        self._installations, self._departures = installations, departures

    def heed(self, term: Callable[[], int | None]) -> None:
        """Show only what was looked up within one `term`: the time for which others have taken us for alive."""
        self._term = term

    def share(self, copies: Callable[[], int], tally: Tally | None = None) -> None:
        """Keep to what Slack takes of so many copies from now on, which count together what they post."""
        self._pace.copies, self._pace.tally = copies, tally

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Hold the connection over which messages are shown while inside; an inner one is the same connection.

        Raises ConfigError when the bot token is wrong, and DeliveryError when Slack cannot be reached.
        """
        if self._line:
            yield
            return
        timeout = aiohttp.ClientTimeout(total=CALL_TIMEOUT)
        async with aiohttp.ClientSession(timeout=timeout) as session, self._open(session) as line:
            self._line = line
            self._joined.set()
            try:
                yield
            finally:
                self._joined.clear()
                self.members.stop()
                self._statuses.stop()
                line.stop()
                self._line = None

    async def at_hand(self) -> None:
        """Return once we are connected, or after five minutes in which Slack could not be reached."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_JOINING):
                await self._joined.wait()

    async def run(self, intake: Intake, ready: Callable[[str], Awaitable[None]]) -> None:
        """Bring in what people do until cancelled; `ready` is told once, in words, when it begins.

        Raises ConfigError when a token is wrong or the port is taken, and DeliveryError when Slack cannot be reached.
        """
        async with self.connected():
            assert self._line
            secret = self._settings.signing_secret or ""
            app = make_app(
                self._line.workspaces, intake, secret, self.members.heed, doors=self._line.doors, noted=self._note
            )
            async with self._way_in(app, self._line.session) as way:
                self._way = way
                try:
                    await ready(f"Slack: {self._line.words} ({way.words})")
                    await asyncio.Event().wait()
                finally:
                    self._way = None

    def parts(self, reply: RenderedReply) -> tuple[Part, ...]:
        """Return the reply in Slack's messages, the answer's first; none when there is nothing to see in it."""
        return parts_of(reply)

    def button(self, said: str | Tasks, button: str, label: str) -> Body:
        """Return a message of one sentence, or of what is being done, with a button, whose press brings `button`."""
        return with_button(said, button, label)

    def after(self, body: Body, button: str) -> Body:
        """Return a message once a button of it was pressed: others of its kind are gone, and a choice is named."""
        return after(body, button)

    def working(self, question: Question) -> AbstractAsyncContextManager[None]:
        """Return nothing to be seen: the sign is a message."""
        del question
        return nullcontext()

    def at_work_on(self, question: Question) -> None:
        """Show Slack's own status under the question, which needs no message and goes with the first one of ours."""
        if self._line:
            self._statuses.show(self._line.workspaces.client(question.place.rpartition(":")[0]), question)

    async def show(self, message: Outgoing) -> Outcome:
        """Post, change or remove the message, in one attempt; `Later` when not connected. Never raises PortError."""
        term = self._term()
        there = await self._there(message)
        if isinstance(there, Later):
            return there
        if wait := too_soon(self._pace, message):
            return wait
        kept_in = await self._kept_in(there, message)
        if not isinstance(kept_in, Outgoing):
            return kept_in
        if is_new(message):
            await self._statuses.settled(message.asked.place, message.root or message.asked.message)
            # Counted last: what is looked up before takes its time.
            if wait := await booked(self._pace, message):
                return wait
        if self._term() != term:
            return NOT_SURELY_OURS
        return await send.show(self._venue(there, workspace_of(message)), kept_in)

    async def tell(self, message: Outgoing) -> Outcome:
        """Let it be seen how an answer goes, in the message that stands for it; answers go first."""
        term = self._term()
        there = await self._there(message)
        if isinstance(there, Later):
            return there
        kept_in = await self._kept_in(there, message)
        if not isinstance(kept_in, Outgoing):
            return kept_in
        if self._term() != term:
            return NOT_SURELY_OURS
        return await tell(self._venue(there, workspace_of(message)), self._pace, kept_in)

    async def find(self, message: Outgoing) -> Seen:
        """Return whether a message of doubtful fate stands in its thread."""
        there = await self._there(message)
        return there if isinstance(there, Later) else await send.find(there.client, message)

    async def said_before(self, question: Question) -> tuple[Remark, ...]:
        """Return what people had said in the question's thread before it, as far as it can be read."""
        there = await self._in(question.place)
        return () if isinstance(there, Later) else await said_before(there.client, question, there.me.user)

    async def way_to(self, place: str) -> MessageRef | None:
        """Return what stands for a message to which a channel is told something; None when we cannot write there."""
        there = await self._in(place)
        return await way_to(self._line.doors.of(there), place) if self._line and isinstance(there, Workspace) else None

    async def speak_alone(self, question: Question, reply: RenderedReply) -> None:
        """Show it to who asked the question, and to nobody else, unless outsiders may read there by now."""
        there = await self._in(question.place)
        if isinstance(there, Workspace) and self._line:
            await self._statuses.clear(there.client, question.place, question.root)
            await speak_alone(self._line.doors.of(there), there.client, question, reply)

    async def show_directly(self, message: Outgoing, asker: str, why: Refused) -> Outcome:
        """Show who asked, and nobody else, what could not be shown where they asked; `why` where that cannot be."""
        there = await self._there(message)
        if isinstance(there, Later) or self._line is None:
            return why
        if message.part == FIRST:
            self._line.start(
                partial(self._statuses.clear, there.client, message.asked.place, message.root or message.asked.message)
            )
        return await show_directly(
            self._line.doors.of(there), self._venue(there, workspace_of(message)), message, asker, why
        )

    async def let_in(self, question: Question) -> Question | None:
        """Return the question as it may be answered; None when it may not be, which its asker alone is told.

        Raises DeliveryError while Slack does not say who asks, or who reads there.
        """
        there = await self._in(question.place)
        if isinstance(there, Later) or self._line is None:
            raise DeliveryError(there.reason if isinstance(there, Later) else _NOT_CONNECTED.reason, retry=True)
        found = await decided(self._line.doors.of(there), there.client, question)
        if found.errand:
            self._line.start(found.errand)
        return found.question

    async def names_in(self, case: Case) -> Names:
        """Return what who asked is called, and where they did; ids where Slack does not tell."""
        there = await self._in(case.asked.place)
        if isinstance(there, Later) or self._line is None:
            return Names(case.asker, "")
        return await names_in(self._line.doors.of(there), case)

    async def link_to(self, case: Case) -> str | None:
        """Return the address of what was asked, or of a conversation with who asked it where nobody else sees it."""
        there = await self._in(case.asked.place)
        return None if isinstance(there, Later) else await link_to(there.client, case)

    def health(self) -> Health:
        """Return whether events reach us, and which workspaces refuse what we say."""
        if not (self._way and self._line):
            return Health(alive=False, words="not running")
        health, parking = self._way.health(), self._line.workspaces.parking
        words = "".join(f"; workspace {team} refuses us: {reason}" for team, reason in parking.reasons().items())
        words += "".join(f"; workspace {team} is not served: {reason}" for team, reason in parking.locked.items())
        if self._unstored is None or self._elapsed() - self._unstored[0] > _UNSTORED_SECONDS:
            return replace(health, words=health.words + words)
        unstored = f"the latest event was not stored: {self._unstored[1]}"
        return replace(health, alive=False, words=f"{health.words}; {unstored}{words}")

    def _note(self, unstored: str | None) -> None:
        """Keep why the latest event could not be stored, if it could not."""
        self._unstored = (self._elapsed(), unstored) if unstored else None

    def _venue(self, there: Workspace, workspace: str) -> Venue:
        return Venue(there.client, workspace, self._novelties, partial(self._pace.rest, workspace))

    async def _there(self, message: Outgoing) -> Workspace | Later:
        return await self._in(message.asked.place)

    async def _in(self, place: str) -> Workspace | Later:
        return await reached(self._line.workspaces, place) if self._line else _NOT_CONNECTED

    async def _kept_in(self, there: Workspace, message: Outgoing) -> Outgoing | Outcome:
        """Return the message as it may be shown there, or why it may not now."""
        return await kept_from_outsiders(self._line.doors.of(there), message) if self._line else _NOT_CONNECTED

    @asynccontextmanager
    async def _open(self, session: aiohttp.ClientSession) -> AsyncIterator[_Line]:
        oauth = self._settings.oauth
        if oauth is None:
            yield await self._one(session)
            return
        assert self._installations
        assert self._departures
        rotator = AsyncTokenRotator(
            client=self._client(None, session), client_id=oauth.client_id, client_secret=oauth.client_secret
        )
        renewal = Renewal(self._installations, rotation(rotator))
        client = partial(WorkspaceClient, pace=self._pace, **self._calling(session))
        many = ManyWorkspaces(self._installations, self._departures, renewal, client, oauth.welcome)
        await many.look()
        here = len(await self._installations.names("slack"))
        words = f"in {here} workspaces; to install it in one: {oauth.public_url}{INSTALL_PATH}"
        try:
            yield _Line(session, many, words, self._doors(many))
        finally:
            await renewal.finish()

    async def _one(self, session: aiohttp.ClientSession) -> _Line:
        token, parking = self._settings.bot_token, Parking(self._departures)
        me = await identify(self._client(token, session))
        if self._departures:
            await self._departures.stays("slack", me.team)
        client = WorkspaceClient(me.team, parking, self._pace, token=token, **self._calling(session))
        workspaces = OneWorkspace(Workspace(client, me), parking, self._departures)
        words = f"connected as @{me.name} in {me.workspace}"
        return _Line(session, workspaces, words, self._doors(workspaces))

    def _doors(self, workspaces: Workspaces) -> AllDoors:
        return AllDoors(workspaces, lets_all_in=self._settings.lets_outsiders_in)

    def _way_in(self, app: AsyncApp, session: aiohttp.ClientSession) -> AbstractAsyncContextManager[Way]:
        if self._settings.app_token:
            return over_socket(app, self._client(self._settings.app_token, session))
        if self._settings.signing_secret:
            address = self._settings.http_host, self._settings.http_port
            return over_http(app, Door(self._settings.signing_secret), address, self._pages(session))
        raise ConfigError("Slack has no way in: set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP)")

    def _pages(self, session: aiohttp.ClientSession) -> Mapping[str, Handler]:
        oauth, installations, departures = self._settings.oauth, self._installations, self._departures
        if oauth is None or installations is None or departures is None:
            return {}
        return pages(oauth, installations, departures, InstallingClient(None, **self._calling(session)))

    def _client(self, token: str | None, session: aiohttp.ClientSession) -> AsyncWebClient:
        return AsyncWebClient(token, **self._calling(session))

    def _calling(self, session: aiohttp.ClientSession) -> dict[str, Any]:
        """Return how every client calls: it repeats nothing by itself, the library's default would post twice."""
        base_url = self._settings.api_base_url or AsyncWebClient.BASE_URL
        return {"base_url": base_url, "session": session, "logger": vendor_log, "retry_handlers": []}
