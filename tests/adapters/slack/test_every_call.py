"""Each error that Slack can answer on the calls by which an app is installed, started and looked after."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from adapters.slack.calls import BARRING, PASSING
from adapters.slack.checkup import Check, check_app, check_bot, check_installed
from adapters.slack.connect import client_of, identify, socket_address
from adapters.slack.exported import exported_manifest
from core.errors import ConfigError, DeliveryError
from core.installing import Installed
from tests.adapters.slack.estate import QUIET, Estate, estate, many
from tests.adapters.slack.scene import workspace
from tests.adapters.slack.test_needs import OF_BOLT, called
from tests.adapters.slack.test_refusals import BUSY, FORM, ODD, PLACE, RIGHTS
from tests.adapters.slack.test_renewal import answers
from tests.platforms.slack import SlackStandIn

__all__ = ["many"]

CODES = sorted({*BARRING, *BUSY, *PASSING, *PLACE, *FORM, *ODD, *RIGHTS, "forbidden_error", "invalid_refresh_token"})
OFTEN = sorted({*BARRING, *PASSING, *RIGHTS, *ODD, "bad_client_secret", "invalid_client_id", "bad_redirect_uri"})
HERE = Path(__file__).parent
# Where each call's errors are gone through, one by one.
TABLES = {
    "test_refusals.py": ("chat.postMessage", "chat.update", "chat.delete", "conversations.replies"),
    "test_refusals_elsewhere.py": (
        *("chat.postEphemeral", "chat.getPermalink", "conversations.info", "conversations.history"),
        *("conversations.members", "users.list", "users.info", "usergroups.list", "views.publish"),
        *("assistant.threads.setStatus", "assistant.threads.setTitle", "assistant.threads.setSuggestedPrompts"),
    ),
    "test_every_call.py": (
        *("auth.test", "auth.revoke", "oauth.v2.access", "apps.connections.open", "apps.manifest.export"),
        *("bots.info", "conversations.list"),
    ),
}


def test_each_call_has_its_table() -> None:
    """A call that is added without one is found here; the table of one that is no longer made goes."""
    told = [method for methods in TABLES.values() for method in methods]

    assert sorted(called() | OF_BOLT) == sorted(told)
    for name, methods in TABLES.items():
        text = (HERE / name).read_text("utf-8").partition("TABLES")[0 if name != "test_every_call.py" else 2]
        assert [] == [method for method in methods if f'"{method}"' not in text]


@pytest.fixture
async def slack() -> AsyncIterator[SlackStandIn]:
    """Give a workspace."""
    async with workspace() as office:
        yield office


def fail(slack: SlackStandIn, method: str, code: str) -> None:
    """Let the method's next call go wrong."""
    if code in BUSY:
        slack.fail_next(method, status=429, retry_after=3)
    else:
        slack.fail_next(method, error=code)


@pytest.mark.parametrize("method", ["auth.test", "apps.connections.open"])
async def test_a_start(slack: SlackStandIn, method: str) -> None:
    """What passes is tried again; else the operator reads which variable it is about, and Slack's word."""
    is_bot = method == "auth.test"
    client = client_of(slack.app.bot_token if is_bot else slack.app.app_token, slack.api_base_url)
    begin: Callable[[Any], Awaitable[object]] = identify if is_bot else socket_address
    variable = "SLACK_BOT_TOKEN" if is_bot else "SLACK_APP_TOKEN"
    wrong = []
    for code in CODES:
        fail(slack, method, code)
        try:
            await begin(client)
        except ConfigError as error:
            said = str(error)
            if code in (*BUSY, *PASSING) or variable not in said or code not in said or "-test-token" in said:
                wrong.append((code, said))
        except DeliveryError as error:
            if code not in (*BUSY, *PASSING) or not error.retry:
                wrong.append((code, str(error)))
        else:
            wrong.append((code, "it started"))

    assert [] == wrong


async def looked_at(slack: SlackStandIn, method: str) -> list[Check]:
    """Return what the doctor finds where the method is called."""
    token, base = slack.app.bot_token, slack.api_base_url
    match method:
        case "apps.connections.open":
            return [await check_app(slack.app.app_token, base)]
        case "bots.info" | "apps.manifest.export":
            found = await exported_manifest("xoxe.xoxp-test-token", token, base)
            return [found] if isinstance(found, Check) else []
        case "installed":
            stored = {"bot_user": "U0BOT", "bot_id": "B0BOT", "token": token, "scopes": ["chat:write"]}
            secrets = stored | {"team": "T0TEAM", "renewal": None, "ends_at": None, "installer": "U1"}
            return await check_installed(Installed("slack", "T0TEAM", "Team", secrets, 1, datetime.now(UTC)), base)
    return await check_bot(token, base)


@pytest.mark.parametrize(
    "method",
    ["auth.test", "installed", "apps.connections.open", "bots.info", "apps.manifest.export", "conversations.list"],
)
async def test_the_doctor(slack: SlackStandIn, method: str) -> None:
    """It never says that all is well, nor that the bot is nowhere; it says what Slack said, and what to do."""
    wrong = []
    for code in CODES:
        fail(slack, "auth.test" if method == "installed" else method, code)
        checks = [one for one in await looked_at(slack, method) if one.state != "ok" and "events: " not in one.what]
        slack.mend(method)
        told = [one for one in checks if ("pause" if code in BUSY else code) in one.what and one.fix]
        false = [one.what for one in checks if "in no" in one.what]
        if len(told) != 1 or false or "-test-token" in str(checks):
            wrong.append((code, checks))

    assert [] == wrong


@QUIET
@pytest.mark.parametrize("method", ["oauth.v2.access", "auth.test"])
async def test_an_installation(many: Estate, method: str, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is installed and a page says so; the operator, who alone can mend it, reads Slack's word."""
    office = await many.cloud.add("T1")
    wrong = []
    for code in OFTEN:
        caplog.clear()
        if method == "oauth.v2.access":
            many.cloud.refusing = code
        else:
            fail(office, method, code)
        page = await many.install("T1")
        many.cloud.refusing = None
        words = "did not work out" in page.text
        if page.status != 503 or not words or code not in caplog.text or code in page.text or "xox" in caplog.text:
            wrong.append((code, page.status, caplog.text))
    kept = await many.kept.names("slack")

    assert ([], {}) == (wrong, kept)
    assert (await many.install("T1")).status == 200


@QUIET
@pytest.mark.parametrize("code", ["invalid_code", "code_already_used"])
async def test_an_installation_that_has_to_begin_again(
    many: Estate, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever installs is told so: nothing else is wrong."""
    await many.cloud.add("T1")
    many.cloud.refusing = code
    begun = await many.get("/slack/install")
    page = await many.get(many.cloud.allow(begun.location, "T1"), cookie=begun.cookie, language="ru")

    assert (401, True) == (page.status, "Начните установку заново" in page.text)
    assert code in caplog.text


@QUIET
async def test_a_token_that_is_given_back(many: Estate, caplog: pytest.LogCaptureFixture) -> None:
    """Where Slack does not take it back the operator reads what is to be done; the page says the same as ever."""
    office = await many.cloud.add("T9")
    wrong = []
    for code in CODES:
        caplog.clear()
        fail(office, "auth.revoke", code)
        page = await many.install("T9")
        word = "pause" if code in BUSY else code
        told = f"T9 is not given back: Slack {'asks' if code in BUSY else 'failed' if code in PASSING else 'says'}"
        if page.status != 403 or told not in caplog.text or word not in caplog.text or "xoxb" in caplog.text:
            wrong.append((code, page.status, caplog.text))
    caplog.clear()
    office.fail_next("auth.revoke", drop="before", times=2)
    lost = await many.install("T9")

    assert [] == wrong
    assert (403, True) == (lost.status, "T9 is not given back: Slack's answer was lost" in caplog.text)
    assert await many.kept.names("slack") == {}


@QUIET
async def test_a_next_token(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """While Slack gives none, people are answered with the old one as long as it lasts, and the operator reads why."""
    wrong = []
    async with estate(tmp_path, rotates=True) as many:
        await many.workspace("T1")
        for code in sorted({*OFTEN, "invalid_refresh_token"}):
            caplog.clear()
            await many.ages("T1", 600)
            many.cloud.refusing = code
            await answers(many)
            many.cloud.refusing = None
            if f"no new token for workspace T1: Slack says {code}" not in caplog.text or "xoxe" in caplog.text:
                wrong.append((code, caplog.text))

    assert [] == wrong
