"""What was said in channels becomes documents."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from aiohttp import web
from hypothesis import given, settings
from hypothesis import strategies as st
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack import history
from adapters.slack.history import SlackHistory
from adapters.slack.markup import styled
from core.errors import ConfigError, IngestError, Unread
from core.ingest.markdown import pieces_of
from core.ingest.source import Item

Json = dict[str, Any]
BOT, ANNA, BORIS, APP = "UBOT", "UANNA", "UBORIS", "UAPP"
PEOPLE = {ANNA: "Анна Петрова", BORIS: "Boris [ops]", BOT: "footnote"}
DAY = datetime(2025, 3, 31, 9, tzinfo=UTC)


def ts(minutes: float = 0, days: int = 0) -> str:
    """Return the ts of a message so long after the first morning."""
    return f"{(DAY + timedelta(minutes=minutes, days=days)).timestamp():.6f}"


def said(text: str, minutes: float = 0, days: int = 0, user: str = ANNA, **more: Any) -> Json:
    """Return a message as Slack has it."""
    return {"type": "message", "user": user, "text": text, "ts": ts(minutes, days), **more}


@dataclass
class Town:
    """The methods that read channels: two on a page, as strict about membership and scopes as Slack."""

    channels: list[Json] = field(default_factory=list)
    messages: dict[str, list[Json]] = field(default_factory=dict)
    replies: dict[str, list[Json]] = field(default_factory=dict)
    failing: dict[str, list[Json | int]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    scopes: set[str] = field(default_factory=lambda: {"channels:read", "groups:read", "users:read"})
    client: AsyncWebClient = field(default_factory=AsyncWebClient)

    def channel(self, id_: str, name: str, *, private: bool = False, member: bool = True) -> list[Json]:
        """Add a channel; return the list that its messages go into."""
        self.channels.append({"id": id_, "name": name, "is_private": private, "is_member": member, "is_channel": True})
        return self.messages.setdefault(id_, [])

    def thread(self, channel: str, *messages: Json) -> None:
        """Add a root with its replies."""
        root = messages[0] | {"thread_ts": messages[0]["ts"], "reply_count": len(messages) - 1}
        self.messages[channel].append(root)
        self.replies[root["ts"]] = [root, *(message | {"thread_ts": root["ts"]} for message in messages[1:])]

    async def answer(self, request: web.Request) -> web.Response:
        method = request.match_info["method"]
        arguments = {**request.query, **{key: str(value) for key, value in (await request.post()).items()}}
        self.calls.append(method)
        if self.failing.get(method):
            trouble = self.failing[method].pop(0)
            if isinstance(trouble, int):
                return web.json_response(
                    {"ok": False, "error": "ratelimited"}, status=429, headers={"Retry-After": "7"}
                )
            return web.json_response({"ok": False, **trouble})
        return web.json_response(self._answered(method, arguments))

    def _answered(self, method: str, arguments: dict[str, str]) -> Json:
        known: dict[str, Callable[[dict[str, str]], Json]] = {
            "auth.test": lambda _: {"team_id": "T1", "user_id": BOT, "url": "https://acme.slack.com/", "bot_id": "B1"},
            "conversations.list": self._list,
            "conversations.history": self._history,
            "conversations.replies": lambda a: _page(self.replies[a["ts"]], a, "messages"),
            "users.info": self._user,
        }
        try:
            return {"ok": True, **known[method](arguments)}
        except PermissionError as error:
            return {"ok": False, "error": "missing_scope", "needed": str(error)}
        except LookupError:
            return {"ok": False, "error": "channel_not_found"}

    def _list(self, arguments: dict[str, str]) -> Json:
        types = arguments["types"].split(",")
        for kind, scope in (("public_channel", "channels:read"), ("private_channel", "groups:read")):
            if kind in types and scope not in self.scopes:
                raise PermissionError(scope)
        return _page(
            [c for c in self.channels if "private_channel" in types or not c["is_private"]], arguments, "channels"
        )

    def _history(self, arguments: dict[str, str]) -> Json:
        oldest = float(arguments.get("oldest") or 0)
        found = [message for message in self.messages[arguments["channel"]] if float(message["ts"]) > oldest]
        return _page(sorted(found, key=lambda message: message["ts"], reverse=True), arguments, "messages")

    def _user(self, arguments: dict[str, str]) -> Json:
        if "users:read" not in self.scopes:
            raise PermissionError("users:read")
        return {"user": {"id": arguments["user"], "name": "x", "profile": {"display_name": PEOPLE[arguments["user"]]}}}


def _page(found: list[Json], arguments: dict[str, str], key: str) -> Json:
    start = int(arguments.get("cursor") or 0)
    end = start + min(2, int(arguments["limit"]))
    return {key: found[start:end], "response_metadata": {"next_cursor": str(end) if end < len(found) else ""}}


@asynccontextmanager
async def a_town() -> AsyncIterator[Town]:
    """Give a workspace without channels, on loopback."""
    place = Town()
    app = web.Application()
    app.router.add_route("*", "/api/{method}", place.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    place.client = AsyncWebClient("xoxb-test", base_url=f"http://{host}:{port}/api/")
    try:
        yield place
    finally:
        await runner.cleanup()


@pytest.fixture
async def town() -> AsyncIterator[Town]:
    """Give a workspace without channels."""
    async with a_town() as place:
        yield place


@dataclass
class Waits:
    """Waits for nothing, and remembers how long it would have been."""

    seconds: list[float] = field(default_factory=list)

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


async def gathered(town: Town, *channels: str, **more: Any) -> list[Item | IngestError]:
    """Return all that the history gives."""
    source = SlackHistory(town.client, channels, **{"sleep": Waits(), **more})
    return [found async for found in source.items()]


async def items(town: Town, *channels: str, **more: Any) -> list[Item]:
    """Return the items; there must be no error."""
    found = await gathered(town, *channels, **more)
    assert [] == [str(error) for error in found if isinstance(error, IngestError)]
    return [item for item in found if isinstance(item, Item)]


async def text_of(town: Town, *messages: Json) -> str:
    """Return what the messages become when they are all that was said."""
    town.channel("C1", "общий").extend(messages)
    (item,) = await items(town)
    return item.data.decode()


async def test_a_thread(town: Town) -> None:
    """A thread is one document: who said what and when, in order, with its address."""
    town.channel("C1", "общий")
    more = [said(f"ещё {number}", 10 + number, user=BORIS) for number in range(3)]
    town.thread("C1", said("Когда отпуск?"), said("В июле", 5, days=1, user=BORIS), *more)

    (item,) = await items(town)

    assert item.name == f"C1/2025-03-31-{ts()}.md"
    assert item.title == "#общий: Когда отпуск?"
    assert item.link == f"https://acme.slack.com/archives/C1/p{ts().replace('.', '')}"
    assert item.updated == "2025-03-31"
    assert item.readers == frozenset()
    lines = item.data.decode().split("\n\n")
    assert lines[:2] == [
        "**Анна Петрова**, 2025-03-31 09:00: Когда отпуск?",
        "**Boris \\[ops\\]**, 2025-04-01 09:05: В июле",
    ]
    assert len(lines) == 5


async def test_a_day(town: Town) -> None:
    """What found no reply is one document for each day, the oldest first, however many pages it came on."""
    town.channel("C1", "general").extend(said(f"note {number}", number, days=number // 3) for number in range(7))

    found = await items(town)

    assert ["C1/2025-03-31.md", "C1/2025-04-01.md", "C1/2025-04-02.md"] == [item.name for item in found]
    assert ["#general: 2025-03-31", "2025-03-31"] == [found[0].title, found[0].updated]
    lines = found[0].data.decode().strip().split("\n\n")
    assert ["note 0", "note 1", "note 2"] == [line.rpartition(": ")[2] for line in lines]


async def test_days_of_a_place(town: Town) -> None:
    """A day begins at midnight of the zone that was asked for."""
    town.channel("C1", "general").append(said("late", 15 * 60))

    (item,) = await items(town, zone=timezone(timedelta(hours=3)))

    assert item.name == "C1/2025-04-01.md"
    assert b"2025-04-01 03:00" in item.data


async def test_noise_is_left_out(town: Town) -> None:
    """The bot's answers, questions that only it answered, apps, joins and empty messages are no knowledge."""
    town.channel("C1", "general").extend(
        [
            said("joined", subtype="channel_join"),
            said("deployed", 1, bot_id="B9", subtype="bot_message"),
            said("deployed", 2, user=APP, bot_id="B9"),
            said("reminder", 3, user="USLACKBOT"),
            said("  ", 4),
            said(f"<@{BOT}> where is the form?", 5),
            said("also here", 6, thread_ts=ts(0.5), subtype="thread_broadcast"),
            said("Payday is the 25th.", 7),
            said("", 8, files=[{"name": "отчёт.pdf", "permalink": "https://acme.slack.com/files/1"}]),
        ]
    )
    town.thread("C1", said(f"<@{BOT}> days of leave?", 20), said("27", 21, user=BOT))
    town.thread("C1", said("alert", 30, bot_id="B9", user=APP), said("Перезапустил", 31))
    town.thread("C1", said(f"<@{BOT}> and in July?", 40), said("9", 41, user=BOT), said("Нет, 10", 42, user=BORIS))

    day, alert, corrected = [item.data.decode() for item in await items(town)]

    assert "Payday" in day
    assert "[отчёт.pdf](<https://acme.slack.com/files/1>)" in day
    assert 2 == day.count("**, ")
    assert alert == "**Анна Петрова**, 2025-03-31 09:31: Перезапустил\n"
    assert "@footnote and in July?" in corrected
    assert "Нет, 10" in corrected


async def test_a_private_channel(town: Town) -> None:
    """What was said in private is for those who are there; what is not said to be public is private."""
    town.channel("C2", "зарплаты", private=True).append(said("секрет"))
    town.channel("C3", "odd").append(said("?"))
    del town.channels[1]["is_private"]

    assert [{"slack:T1:C2"}, {"slack:T1:C3"}] == [item.readers for item in await items(town)]


async def test_the_channels_asked_for(town: Town) -> None:
    """Channels are chosen by name or id; one that the bot is not in is told, and the others are read."""
    for number, name in enumerate(["general", "Общий", "random"]):
        town.channel(f"C{number}", name, member=name != "random").append(said("hi", number))

    found = await gathered(town, "#общий", "c0", "random", "none")

    assert ["#random", "#none"] == [error.path for error in found if isinstance(error, IngestError)]
    assert ["C0/2025-03-31.md", "C1/2025-03-31.md"] == [item.name for item in found if isinstance(item, Item)]


async def test_since(town: Town) -> None:
    """What began before a day is left out."""
    town.channel("C1", "general").extend([said("old"), said("new", days=1)])

    (item,) = await items(town, since=date(2025, 4, 1))

    assert b"new" in item.data


async def test_pauses_are_kept(town: Town) -> None:
    """When Slack asks for a pause, it gets it, and nothing is lost."""
    town.channel("C1", "general").append(said("hi"))
    town.failing = {method: [429, 429] for method in ("auth.test", "conversations.list", "conversations.history")}
    waits = Waits()

    assert 1 == len(await items(town, sleep=waits))
    assert [7.0] * 6 == waits.seconds


async def test_a_channel_that_fails(town: Town) -> None:
    """A channel or thread that cannot be read is told, and the rest goes on."""
    town.channel("C1", "первый")
    town.channel("C2", "second").append(said("hi"))
    town.thread("C2", said("root", 5), said("reply", 6))
    town.failing = {
        "conversations.history": [{"error": "not_in_channel"}],
        "conversations.replies": [{"error": "internal_error"}] * 3,
    }

    first, day, thread = await gathered(town)

    assert "#первый: Slack says not_in_channel: the bot is not in this channel; invite it there with /invite" == str(
        first
    )
    assert isinstance(day, Item)
    assert f"C2/2025-03-31-{ts(5)}.md: Slack failed (internal_error)" == str(thread)


async def test_what_fails_for_the_moment_is_kept(town: Town) -> None:
    """What is indexed of a channel that Slack fails to give stays, and goes when Slack forbids it."""
    town.channel("C1", "первый")
    town.channel("C2", "second")
    town.failing = {"conversations.history": [*[{"error": "internal_error"}] * 3, {"error": "not_in_channel"}]}

    failed, forbidden = await gathered(town)

    assert isinstance(failed, Unread)
    assert ("#первый", "C1") == (failed.path, failed.keeps)
    assert not isinstance(forbidden, Unread)


async def test_a_channel_that_became_private_keeps_nothing(town: Town) -> None:
    """Its items have other names than when everybody could read it, so what is indexed of then does not stay."""
    town.channel("C1", "зарплаты", private=True).append(said("секрет"))
    (item,) = await items(town)
    town.failing = {"conversations.history": [{"error": "internal_error"}] * 3}
    (failed,) = await gathered(town)

    assert item.name.startswith("C1-private/")
    assert isinstance(failed, Unread)
    assert "C1-private" == failed.keeps


async def test_names_are_looked_up_once(town: Town) -> None:
    """Each person is asked for once; without the permission ids stand for names."""
    town.channel("C1", "general").extend([said("one"), said(f"<@{BORIS}> two", 1), said("three", 2, user=BORIS)])

    await items(town)
    assert 2 == town.calls.count("users.info")

    town.scopes.remove("users:read")
    assert b"**UANNA**" in (await items(town))[0].data


async def test_without_the_scope_for_private_channels(town: Town) -> None:
    """An app that may not list private channels reads the public ones and says what it lacks."""
    town.channel("C1", "general").append(said("hi"))
    town.scopes.remove("groups:read")

    told, item = await gathered(town)

    assert "needed: groups:read" in str(told)
    assert isinstance(item, Item)


@pytest.mark.parametrize(
    ("failing", "said_"),
    [
        (
            {"auth.test": [{"error": "invalid_auth"}]},
            "SLACK_BOT_TOKEN .*the token is wrong, or a part of it is missing",
        ),
        ({"auth.test": [{"error": "internal_error"}] * 3}, "cannot be read: Slack failed"),
        ({"auth.test": [429] * 100}, "one pause after the other"),
        ({"conversations.list": [{"error": "missing_scope", "needed": "channels:read"}] * 2}, "needed: channels:read"),
        ({}, "the bot can read none of them; invite it with /invite"),
    ],
)
async def test_what_must_be_put_right(town: Town, failing: dict[str, list[Json | int]], said_: str) -> None:
    """A wrong token, a missing permission, and a bot in no channel are told with what to do."""
    town.failing = failing

    with pytest.raises(ConfigError, match=said_):
        await gathered(town)


async def test_slack_that_is_not_there(unused_tcp_port: int) -> None:
    """Slack that cannot be reached is told."""
    place = Town(client=AsyncWebClient("xoxb-1", base_url=f"http://127.0.0.1:{unused_tcp_port}/api/"))

    with pytest.raises(ConfigError, match="cannot be read: Slack cannot be reached"):
        await gathered(place)


async def test_a_channel_of_years(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a channel without end the newest messages are read, and that is told."""
    monkeypatch.setattr(history, "MESSAGES", 4)
    town.channel("C1", "general").extend(said(str(number), number) for number in range(10))

    told, item = await gathered(town)

    assert "only the newest 4 messages" in str(told)
    assert isinstance(item, Item)
    assert 4 == item.data.count(b"**, ")


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("*важно* и _тихо_ и ~нет~", "**важно** и _тихо_ и ~~нет~~"),
        ("2 * 3 * 4 = 24", "2 \\* 3 \\* 4 = 24"),
        ("a &lt;b&gt; &amp;amp; c", "a \\<b> &amp; c"),
        ("see <https://a.example/x?y=1&amp;z=2|the *form*>", "see [the \\*form\\*](<https://a.example/x?y=1&z=2>)"),
        ("<https://a.example>", "<https://a.example>"),
        (f"<@{BORIS}> <#C9|планы> <#C1> <!here> <!subteam^S1|@ops>", "@Boris \\[ops\\] \\#планы \\#общий @here @ops"),
        ("`*x* &lt;y&gt;`", "`*x* <y>`"),
        ("run ```a &amp;&amp; b\n*c*``` now", "run \n\n```\na && b\n*c*\n```\n\n now"),
        ("• раз\n• два", "\n\n- раз\n- два"),
        ("&gt; quoted", "\n\n> quoted"),
        ("costs ~5~ 7 euros", "costs ~~5~~ 7 euros"),
        ("# not a heading", "\\# not a heading"),
        ("text\n---\nmore", "text\n\\---\nmore"),
        ("<!date^1392734382^{date}|18 февраля>", "18 февраля"),
    ],
)
async def test_markup(town: Town, text: str, markdown: str) -> None:
    """Slack's markup becomes Markdown that reads the same; what only looks like Markdown stays as it was typed."""
    made = (await text_of(town, said(text))).removeprefix("**Анна Петрова**, 2025-03-31 09:00:").removesuffix("\n")

    assert made.removeprefix(" ") == markdown


@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.text(alphabet="аbс д*`_#<>[]()-=+.\n&;|\\", max_size=60))
def test_nothing_typed_is_lost(text: str) -> None:
    """Every letter that was typed is read again from the Markdown, but for what its writer struck out."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    read = " ".join(piece.text for piece in pieces_of(f"**A**, 09:00: {styled(escaped)}"))

    def letters(words: str) -> list[str]:
        return [char for char in words if char.isalnum()]

    assert letters(f"A0900{text}") == letters(read)
