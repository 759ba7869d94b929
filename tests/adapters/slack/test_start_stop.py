"""Starting with right and wrong settings, over both ways in, and stopping cleanly."""

import asyncio
import re
import time
from typing import Any

import pytest

from adapters.slack.app import SlackPlatform, SlackSettings
from core.delivery import Found, Later, Shown
from core.errors import ConfigError, DeliveryError
from core.running import Platform
from tests.adapters.slack.scene import DAYS, Scene, Script, outgoing, scene, settings, workspace
from tests.doubles.desk import Desk
from tests.platforms.slack import visible_text
from tests.platforms.slack.waiting import until

ANSWER = "Annual leave\n• Everyone has 27 days of leave a year¹\n• Five of them carry over¹,²"
HTTP: dict[str, Any] = {
    "app_token": None,
    "signing_secret": "test-signing-secret",
    "http_host": "127.0.0.1",
    "http_port": 0,
}
EVENT = {
    "type": "message",
    "channel": "DU1",
    "channel_type": "im",
    "user": "U1",
    "text": "How many days?",
    "ts": "1700000000.000100",
}


async def run(given: SlackSettings) -> None:
    """Start the platform, which must refuse."""

    async def ready(words: str) -> None:
        raise AssertionError(words)

    platform: Platform = SlackPlatform(given)
    async with asyncio.timeout(5):
        await platform.run(Desk(platform, Script()), ready)


def url_of(stage: Scene) -> str:
    """Return the address that the bot listens on."""
    found = re.search(r"HTTP on (\S+)\)", stage.ready[0])
    assert found
    return f"http://{found[1]}"


async def test_it_says_once_that_questions_can_arrive(stage: Scene) -> None:
    """The bot tells its name, its workspace and the way in."""
    assert stage.ready == ["Slack: connected as @footnote in standin (Socket Mode)"]


async def test_settings_do_not_show_secrets() -> None:
    """Tokens stay out of every representation."""
    shown = repr(SlackSettings("xoxb-1", "xapp-1", "secret"))

    assert not any(secret in shown for secret in ("xoxb", "xapp", "secret="))


async def test_questions_arrive_over_http() -> None:
    """Without an app token the bot serves signed requests, and answers as over a socket."""
    async with scene(**HTTP) as stage:
        url = url_of(stage)
        assert await stage.slack.verify_url(url)
        stage.slack.send_events_to(url)
        ts = await stage.asks("How many days?")

        assert len(await stage.answered("C1", ts)) == 2
        assert all(delivery.statuses == [200] for delivery in stage.slack.deliveries)


async def test_only_slack_is_listened_to() -> None:
    """A wrong signature and an old request are refused, and nothing is recorded."""
    async with scene(**HTTP) as stage:
        url = url_of(stage)
        statuses = [
            await stage.slack.deliver_http(url, EVENT, signature="v0=00"),
            await stage.slack.deliver_http(url, EVENT, age=400),
        ]

        assert (statuses, stage.texts) == ([401, 401], [])


async def test_over_http_what_cannot_be_recorded_is_refused() -> None:
    """Slack sends the event again, and the second time it is taken."""
    async with scene(**HTTP) as stage:
        stage.desk.fails = 1
        stage.slack.open_dm("U1")
        await stage.slack.deliver_http(url_of(stage), EVENT)
        await stage.quiet()

        assert stage.slack.deliveries[0].statuses == [500, 200]
        assert stage.texts == ["How many days?"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"bot_token": "xoxb-wrong"}, ["SLACK_BOT_TOKEN", "invalid_auth", "copy"]),
        ({"bot_token": "xapp-test-token"}, ["SLACK_BOT_TOKEN", "not_allowed_token_type", "xoxb-"]),
        ({"bot_token": "xoxb-\nx"}, ["SLACK_BOT_TOKEN", "copy"]),
        ({"app_token": "xapp-wrong"}, ["SLACK_APP_TOKEN", "invalid_auth", "copy"]),
        ({"app_token": "xoxb-test-token"}, ["SLACK_APP_TOKEN", "not_allowed_token_type", "xapp-"]),
        ({"app_token": None}, ["SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET"]),
    ],
)
async def test_a_wrong_setting_is_named_with_its_fix(changes: dict[str, Any], words: list[str]) -> None:
    """The error names the variable, what Slack says and what to do; it never shows the token."""
    with pytest.raises(ConfigError) as error:
        async with scene(**changes):
            pass

    assert [word for word in words if word not in str(error.value)] == []
    assert "xoxb-wrong" not in str(error.value)


@pytest.mark.parametrize("code", ["account_inactive", "missing_scope"])
async def test_a_removed_app_is_named(stage: Scene, code: str) -> None:
    """What Slack refuses at the start is told in words."""
    stage.slack.fail_next("auth.test", error=code)
    with pytest.raises(ConfigError, match=f"SLACK_BOT_TOKEN.*{code}"):
        await run(SlackSettings("xoxb-test-token", "xapp", api_base_url=stage.slack.api_base_url))


async def test_a_slack_out_of_reach_may_be_tried_again(stage: Scene) -> None:
    """A failing or busy server and a closed port are no fault of the settings."""
    stage.slack.fail_next("auth.test", status=503)
    stage.slack.fail_next("auth.test", status=429, retry_after=30)
    addresses = (stage.slack.api_base_url, stage.slack.api_base_url, "http://127.0.0.1:9/api/")
    for address in addresses:
        with pytest.raises(DeliveryError) as error:
            await run(SlackSettings("xoxb-test-token", "xapp", api_base_url=address))

        assert error.value.retry


async def test_a_taken_port_is_named() -> None:
    """When the port is in use, the error names its variable."""
    async with scene(**HTTP) as stage:
        port = int(url_of(stage).split(":")[2].split("/")[0])
        with pytest.raises(ConfigError, match="SLACK_HTTP_PORT"):
            await run(settings(stage.slack, **(HTTP | {"http_port": port})))


@pytest.mark.parametrize("changes", [{}, HTTP])
async def test_a_stop_leaves_nothing_behind(changes: dict[str, Any]) -> None:
    """Cancelling ends every task of the bot, at once when nothing is under way."""
    async with scene(**changes) as stage:
        if changes:
            stage.slack.send_events_to(url_of(stage))
        await stage.answered("C1", await stage.asks("How many days?"))
        before = asyncio.get_running_loop().time()
        await stage.stop()

        names = [str(task.get_coro()) for task in asyncio.all_tasks()]
        assert [name for name in names if "SocketModeClient" in name or "Platform" in name] == []
        assert asyncio.get_running_loop().time() - before < 2


async def test_messages_are_shown_without_taking_questions() -> None:
    """Inside `connected` alone, messages are shown; outside of it, they are to be tried later."""
    async with workspace() as slack:
        ts = await slack.post_as("U1", "C1", "How many days?")
        platform = SlackPlatform(settings(slack))
        message = outgoing(ts, platform.parts(DAYS)[0])
        async with platform.connected():
            assert isinstance(await platform.show(message), Shown)
            assert isinstance(await platform.find(message), Found)

        assert [isinstance(seen, Later) for seen in (await platform.show(message), await platform.find(message))] == [
            True,
            True,
        ]
        assert [ANSWER] == [visible_text(answer) for answer in slack.answers("C1", ts)]


async def test_the_socket_is_alive_while_slack_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a word from Slack for three pings nothing is taken to arrive, until it is heard again."""
    monkeypatch.setattr("adapters.slack.ways.PING_INTERVAL", 0.05)
    async with scene() as stage:
        health = stage.platform.health
        assert re.fullmatch(r"Socket Mode, last sign of life \d+ s ago", health().words)
        assert (health().alive, health().silent is not None) == (True, True)
        stage.slack.sockets.muted = True
        await until(lambda: not health().alive, lambda: str(health()), 3.0)
        stage.slack.sockets.muted = False
        await until(lambda: health().alive, lambda: str(health()), 3.0)
        await stage.stop()

        assert (health().alive, health().words) == (False, "not running")


async def test_a_clock_that_was_ahead_hides_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """The latest ping was answered in an hour, says what is stored of it: it is silent all the same."""
    monkeypatch.setattr("adapters.slack.ways.PING_INTERVAL", 0.05)
    async with scene() as stage:
        stage.slack.sockets.muted = True
        assert stage.platform._way
        socket: Any = getattr(stage.platform._way.health, "__self__")  # noqa: B009 - a method, to mypy any callable
        socket.client.last_ping_pong_time = time.time() + 3600
        assert stage.platform.health().alive

        await until(lambda: not stage.platform.health().alive, lambda: str(stage.platform.health()), 3.0)


async def test_a_socket_that_is_gone_is_not_alive(stage: Scene) -> None:
    """While Slack cannot be connected to, the health says so."""
    stage.slack.fail_next("apps.connections.open", error="internal_error", times=50)
    stage.slack.sockets.drop()

    await until(lambda: not stage.platform.health().alive, lambda: str(stage.platform.health()), 3.0)
    assert stage.platform.health().words.startswith("Socket Mode, not connected, last sign of life")


async def test_http_is_alive_while_it_listens() -> None:
    """The health counts from the latest event that Slack signed."""
    async with scene(**HTTP) as stage:
        health = stage.platform.health
        await stage.slack.deliver_http(url_of(stage), EVENT, signature="v0=00")
        assert (health().alive, health().words, health().silent) == (True, "HTTP, no event yet", None)
        await stage.slack.deliver_http(url_of(stage), EVENT | {"type": "app_home_opened"})

        assert (health().alive, health().words) == (True, "HTTP, last event 0 s ago")
