"""What was said in channels, as a source of documents: a thread is one, and so is what a day left without a reply."""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, tzinfo
from typing import Any, Final

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import Barred, Busy, Trouble, Unknown, Unsent, once
from adapters.slack.connect import BOT_VARIABLE
from adapters.slack.events import group_of
from adapters.slack.markup import MARKED, literal, plain, styled
from adapters.slack.refusals import Refusal
from adapters.slack.words import mentions, words_of
from core.errors import ConfigError, IngestError, Unread
from core.ingest.source import Item

Json = dict[str, Any]

# docs.slack.dev/reference/methods/conversations.history: no more than 200 at a time is advised.
PAGE: Final = 200
MESSAGES: Final = 100_000
# A call that fails for no reason of ours is made so often, after so many seconds.
TRIES: Final = 3
AGAIN_SECONDS: Final = 2.0
# Pauses that Slack may ask for in a row; some apps get one call a minute.
PAUSES: Final = 30
_TITLE_CHARS: Final = 80
_MISSING_SCOPE: Final = "missing_scope"
# What people write; every other subtype is somebody joining, a new topic, an app.
_SPOKEN: Final = (None, "file_share", "me_message", "thread_broadcast")
_SLACKBOT: Final = "USLACKBOT"
_TS = re.compile(r"[0-9]{1,10}\.[0-9]{6}")
_OWN_LINE = re.compile(r"```|>|[-+] |[0-9]+[.)] ")


class _Refused(Exception):
    """Slack did not give what was asked for; the text says why to a person."""

    def __init__(self, reason: str, code: str = "") -> None:
        super().__init__(reason)
        self.code = code

    def of(self, path: str, keeps: str) -> IngestError:
        """Return it as said of a document or channel: what Slack forbids is lost, what fails will come again."""
        return IngestError(path, str(self)) if self.code else Unread(path, str(self), keeps)


@dataclass(frozen=True, slots=True)
class _Workspace:
    team: str
    bot: str
    url: str


@dataclass(frozen=True, slots=True)
class _Channel:
    id: str
    name: str
    is_private: bool
    is_member: bool


@dataclass(slots=True)
class SlackHistory:
    """The channels that the bot is in; with `channels` (names, or ids) only those of them.

    `since` leaves out what began before that day. Days are those of `zone`. What is said in a private channel is for
    the group `slack:TEAM:CHANNEL` alone, in a public one for everybody; direct messages are never read. The bot's own
    answers, questions to it that nobody else answered, other apps and notices are left out. `sleep` waits.
    """

    client: AsyncWebClient = field(repr=False)
    channels: Collection[str] = ()
    since: date | None = None
    zone: tzinfo = UTC
    sleep: Callable[[float], Awaitable[object]] = field(default=asyncio.sleep, repr=False)
    name: str = field(init=False)

    def __post_init__(self) -> None:
        shown = ", ".join(f"#{name.removeprefix('#')}" for name in self.channels)
        self.name = f"Slack's {shown}" if shown else "every Slack channel that the bot is in"

    async def items(self) -> AsyncIterator[Item | IngestError]:
        """Yield every thread, and every day's messages without replies, channel after channel, the oldest first.

        Raises ConfigError when Slack refuses the token, cannot be reached, or the bot is in none of the channels.
        """
        try:
            workspace = await self._workspace()
            known, problems = await self._known()
        except _Refused as error:
            raise ConfigError(f"{self.name} cannot be read: {error}") from error
        chosen = [channel for channel in known if self._is_asked_for(channel) and channel.is_member]
        problems += self._absent(known)
        if not chosen:
            shown = "; ".join(map(str, problems)) or "it is in no channel"
            raise ConfigError(f"{self.name}: the bot can read none of them; invite it with /invite ({shown})")
        for problem in problems:
            yield problem
        labels = {channel.id: channel.name for channel in known}
        people = _People(self._call, self.client)
        for channel in chosen:
            async with aclosing(self._items(_Place(workspace, channel, labels, people, self.zone))) as found:
                async for item in found:
                    yield item

    def _is_asked_for(self, channel: _Channel) -> bool:
        asked_for = {name.removeprefix("#").casefold() for name in self.channels}
        return not asked_for or channel.name.casefold() in asked_for or channel.id.casefold() in asked_for

    def _absent(self, known: Sequence[_Channel]) -> list[IngestError]:
        there = {word.casefold() for channel in known if channel.is_member for word in (channel.id, channel.name)}
        absent = (name.removeprefix("#") for name in self.channels if name.removeprefix("#").casefold() not in there)
        return [
            IngestError(f"#{name}", "the bot is not in this channel: invite it there with /invite") for name in absent
        ]

    async def _workspace(self) -> _Workspace:
        answer = await self._call(self.client.auth_test)
        return _Workspace(str(answer.get("team_id", "")), str(answer.get("user_id", "")), str(answer.get("url", "")))

    async def _known(self) -> tuple[list[_Channel], list[IngestError]]:
        """Return the channels by their ids, and that the private ones may not be listed, if that is so."""
        try:
            return await self._listed("public_channel,private_channel"), []
        except _Refused as error:
            if error.code != _MISSING_SCOPE:
                raise
            return await self._listed("public_channel"), [IngestError("private channels", str(error))]

    async def _listed(self, types: str) -> list[_Channel]:
        async def page(cursor: str) -> Json:
            return await self._call(lambda: self.client.conversations_list(types=types, limit=PAGE, cursor=cursor))

        shown: list[Json] = []
        await _collect(shown, page, "channels")
        return sorted(filter(None, map(_channel, shown)), key=lambda channel: channel.id)

    async def _items(self, place: "_Place") -> AsyncGenerator[Item | IngestError, None]:
        messages, problem = await self._history(place)
        if problem:
            yield problem
        for day, said in place.by_day(messages).items():
            if kept := place.kept(said):
                yield await place.item(f"{day}.md", day, kept)
        for root in messages:
            if root.get("reply_count") and (found := await self._thread(place, root)):
                yield found

    async def _history(self, place: "_Place") -> tuple[list[Json], IngestError | None]:
        """Return the messages that stand in the channel, the oldest first, and why they are not all of them."""
        channel = place.channel
        oldest = f"{datetime.combine(self.since, time(), self.zone).timestamp() if self.since else 0:.6f}"

        async def page(cursor: str) -> Json:
            return await self._call(
                lambda: self.client.conversations_history(channel=channel.id, limit=PAGE, oldest=oldest, cursor=cursor)
            )

        found: list[Json] = []
        problem: IngestError | None = None
        try:
            if not await _collect(found, page, "messages"):
                more = f"only the newest {MESSAGES:,} messages were read: set a day since which to read"
                problem = IngestError(f"#{channel.name}", more)
        except _Refused as error:
            problem = error.of(f"#{channel.name}", place.folder)
        return sorted(filter(_is_whole, found), key=lambda message: float(message["ts"])), problem

    async def _thread(self, place: "_Place", root: Json) -> Item | IngestError | None:
        channel, ts = place.channel.id, root["ts"]

        async def page(cursor: str) -> Json:
            return await self._call(
                lambda: self.client.conversations_replies(channel=channel, ts=ts, limit=PAGE, cursor=cursor)
            )

        name, said = f"{place.day(root)}-{ts}.md", list[Json]()
        try:
            await _collect(said, page, "messages")
        except _Refused as error:
            return error.of(f"{channel}/{name}", f"{place.folder}/{name}")
        kept = place.kept(filter(_is_whole, said), is_thread=True)
        return await place.item(name, place.words(kept[0]), kept) if kept else None

    async def _call(self, make: Callable[[], Awaitable[AsyncSlackResponse]]) -> Json:
        """Return Slack's answer; pauses that it asks for are kept. Raises _Refused, or ConfigError for a bad token."""
        pauses, tries = PAUSES, TRIES
        while True:
            answer: AsyncSlackResponse | Trouble = await once(make())
            match answer:
                case Busy(seconds) if pauses > 0:
                    pauses -= 1
                    await self.sleep(seconds)
                case Unsent() | Unknown() if tries > 1:
                    tries -= 1
                    await self.sleep(AGAIN_SECONDS)
                case Busy():
                    raise _Refused("Slack asks for one pause after the other: try again later")
                case Unsent(reason) | Unknown(reason):
                    raise _Refused(reason)
                case Barred(reason):
                    raise ConfigError(f"{BOT_VARIABLE}: {reason}")
                case Refusal(code, reason):
                    raise _Refused(reason, code)
                case AsyncSlackResponse(data=dict() as data):
                    return data
                case _:
                    raise _Refused("Slack's answer cannot be understood")


@dataclass(slots=True)
class _People:
    """Names by ids, each looked up once; somebody whose name may not be had keeps the id."""

    call: Callable[[Callable[[], Awaitable[AsyncSlackResponse]]], Awaitable[Json]]
    client: AsyncWebClient
    names: dict[str, str] = field(default_factory=dict)

    async def name(self, user: str) -> str:
        if user not in self.names:
            self.names[user] = await self._asked(user)
        return self.names[user]

    async def _asked(self, user: str) -> str:
        try:
            shown = (await self.call(lambda: self.client.users_info(user=user))).get("user")
        except _Refused:
            return user
        person = shown if isinstance(shown, dict) else {}
        profile = person.get("profile")
        profile = profile if isinstance(profile, dict) else {}
        names = (profile.get("display_name"), profile.get("real_name"), person.get("real_name"), person.get("name"))
        return next((" ".join(name.split()) for name in names if isinstance(name, str) and name.strip()), user)


@dataclass(frozen=True, slots=True)
class _Place:
    """A channel, and what its messages are told by: the names in them, the days, the addresses."""

    workspace: _Workspace
    channel: _Channel
    labels: Mapping[str, str]
    people: _People
    zone: tzinfo

    @property
    def folder(self) -> str:
        """The name before those of its items: another for a channel that became private, which keeps nothing then."""
        return f"{self.channel.id}-private" if self.channel.is_private else self.channel.id

    def by_day(self, messages: Iterable[Json]) -> dict[str, list[Json]]:
        """Return the messages that are in no thread, by the day."""
        days: dict[str, list[Json]] = {}
        for message in messages:
            if not message.get("reply_count") and message.get("thread_ts") in (None, message["ts"]):
                days.setdefault(self.day(message), []).append(message)
        return days

    def kept(self, messages: Iterable[Json], *, is_thread: bool = False) -> list[Json]:
        """Return what people said to each other; a question to the bot that no person took up is not that."""
        said = [message for message in messages if _is_spoken(message, self.workspace.bot)]
        if is_thread and len(said) > 1:
            return said
        return [message for message in said if not mentions(_text(message), self.workspace.bot)]

    async def item(self, name: str, title: str, messages: Sequence[Json]) -> Item:
        channel, first = self.channel, messages[0]["ts"]
        lines = [await self._line(message) for message in messages]
        return Item(
            name=f"{self.folder}/{name}",
            data="\n\n".join(lines).encode("utf-8", "replace") + b"\n",
            link=f"{self.workspace.url.rstrip('/')}/archives/{channel.id}/p{first.replace('.', '')}",
            title=f"#{channel.name}: {title}",
            updated=self.day(messages[-1]),
            readers=frozenset({group_of(self.workspace.team, channel.id)} if channel.is_private else ()),
        )

    def day(self, message: Json) -> str:
        return self._moment(message).strftime("%Y-%m-%d")

    def words(self, message: Json) -> str:
        """Return the first words of the message, on one line."""
        said = " ".join(words_of(_text(message), self.workspace.bot).split())
        return said if len(said) <= _TITLE_CHARS else f"{said[:_TITLE_CHARS].rsplit(' ', 1)[0]}…"

    def _moment(self, message: Json) -> datetime:
        return datetime.fromtimestamp(float(message["ts"]), self.zone)

    async def _line(self, message: Json) -> str:
        author = literal(await self.people.name(message["user"]))
        said = await self._markdown(_text(message))
        files = " ".join(_file(shown) for shown in message.get("files") or () if isinstance(shown, dict))
        body = "\n\n".join(filter(None, (said, files)))
        gap = "\n\n" if _OWN_LINE.match(body) else " "
        return f"**{author}**, {self._moment(message):%Y-%m-%d %H:%M}:{gap}{body}"

    async def _markdown(self, text: str) -> str:
        """Return Slack's markup as Markdown that reads the same."""
        mentioned = {
            match["tag"][1:].partition("|")[0] for match in MARKED.finditer(text) if (match["tag"] or "")[:1] == "@"
        }
        people = {user: await self.people.name(user) for user in sorted(mentioned)}
        made, end = [], 0
        for match in MARKED.finditer(text):
            made += [styled(text[end : match.start()]), self._made(match, people)]
            end = match.end()
        return "".join([*made, styled(text[end:])]).strip()

    def _made(self, match: re.Match[str], people: Mapping[str, str]) -> str:
        if match["block"] is not None:
            return f"\n\n```\n{plain(match['block']).strip(chr(10))}\n```\n\n"
        if match["code"] is not None:
            return f"`{plain(match['code'])}`"
        target, _, label = match["tag"].partition("|")
        match target[:1]:
            case "@":
                return literal("@" + people[target[1:]])
            case "#":
                return literal("#" + (label or self.labels.get(target[1:], target[1:])))
            case "!":
                return literal(label if target.startswith("!date^") else words_of(f"<{target}|{label}>", ""))
        address = plain(target).replace(">", "%3E").replace(" ", "%20")
        return f"[{literal(label)}](<{address}>)" if label else f"<{address}>"


async def _collect(found: list[Json], page: Callable[[str], Awaitable[Json]], key: str) -> bool:
    """Add what stands under this key, page by page, as long as the cursor moves on; return whether that is all."""
    cursor, seen = "", {""}
    while len(found) < MESSAGES:
        answer = await page(cursor)
        found += [shown for shown in answer.get(key) or () if isinstance(shown, dict)]
        cursor = str((answer.get("response_metadata") or {}).get("next_cursor") or "")
        if cursor in seen:
            return True
        seen.add(cursor)
    return False


def _channel(shown: Json) -> _Channel | None:
    id_, name = shown.get("id"), shown.get("name")
    if not isinstance(id_, str) or not id_.isalnum() or shown.get("is_im") or shown.get("is_mpim"):
        return None
    # What is not said to be public is private.
    is_private = shown.get("is_private") is not False or bool(shown.get("is_group"))
    return _Channel(id_, str(name or id_), is_private, bool(shown.get("is_member")))


def _is_whole(message: Json) -> bool:
    ts = message.get("ts")
    return isinstance(ts, str) and bool(_TS.fullmatch(ts))


def _is_spoken(message: Json, bot: str) -> bool:
    user = message.get("user")
    is_app = message.get("bot_id") or message.get("bot_profile") or user in (_SLACKBOT, bot)
    says = _text(message).strip() or message.get("files")
    return isinstance(user, str) and not is_app and message.get("subtype") in _SPOKEN and bool(says)


def _text(message: Json) -> str:
    found = message.get("text")
    return found if isinstance(found, str) else ""


def _file(shown: Json) -> str:
    name, address = " ".join(str(shown.get("name") or "").split()), shown.get("permalink")
    is_link = isinstance(address, str) and address.startswith("https://") and ">" not in address
    return f"[{literal(name)}](<{address}>)" if name and is_link else literal(name)
