"""`footnote run` for many workspaces: installed from a web page, answered each as itself, forgotten when they leave."""

import sqlite3
from pathlib import Path

import aiohttp

from adapters.secrets.fernet import new_key
from tests.bot.service import LOOKING, PATIENCE, footnote_run, free_port
from tests.bot.test_run_start_stop import NO_DOCUMENTS, NO_DOCUMENTS_RU
from tests.platforms.slack import Message, SlackStandIn, visible_text
from tests.platforms.slack.cloud import SlackCloud
from tests.platforms.slack.waiting import until

COOKIE = "slack-app-oauth-state"


async def install(cloud: SlackCloud, team: str, base: str) -> SlackStandIn:
    """Install the app in a new workspace, as a person with a browser does, and let its events come."""
    one = await cloud.add(team)
    async with aiohttp.ClientSession() as browser:
        async with browser.get(f"{base}/slack/install", allow_redirects=False) as begun:
            state = begun.cookies[COOKIE].value
            back = cloud.allow(begun.headers["Location"], team)
        async with browser.get(back, headers={"Cookie": f"{COOKIE}={state}"}) as page:
            assert (page.status, f"installed in Team {team}" in await page.text()) == (200, True)
    one.send_events_to(f"{base}/slack/events")
    return one


async def answer(one: SlackStandIn, text: str) -> list[Message]:
    """Return what a mention in C1 is answered with."""
    ts = await one.post_as("U1", "C1", f"<@{one.bot_user_id}> {text}")

    def done() -> bool:
        shown = [visible_text(message) for message in one.answers("C1", ts)]
        return len(shown) >= 1 and not any(sign in shown for sign in LOOKING)

    await until(done, lambda: str(one.answers("C1", ts)), PATIENCE)
    await one.settled()
    return one.answers("C1", ts)


async def test_two_workspaces_from_the_page_to_the_end(elsewhere: Path) -> None:
    """Both are answered by one process; the one that leaves loses its token, the one that refuses us is parked."""
    data = elsewhere / "data"
    port, health = free_port(), free_port()
    base = f"http://127.0.0.1:{port}"
    async with SlackCloud(rotates=True) as cloud:
        cloud.redirect_uris.add(f"{base}/slack/oauth_redirect")
        variables = {
            "SLACK_CLIENT_ID": cloud.client_id,
            "SLACK_CLIENT_SECRET": cloud.client_secret,
            "SLACK_SIGNING_SECRET": cloud.signing_secret,
            "SLACK_PUBLIC_URL": base,
            "SLACK_WORKSPACES": "T1,T2",
            "SLACK_API_BASE_URL": cloud.api_base_url,
            "SLACK_HTTP_HOST": "127.0.0.1",
            "SLACK_HTTP_PORT": str(port),
            "FOOTNOTE_SECRET_KEYS": new_key(),
            "HEALTH_PORT": str(health),
        }
        async with footnote_run(data, **variables) as service:
            await service.says("Slack: in 0 workspaces; to install it in one:")
            one, other = await install(cloud, "T1", base), await install(cloud, "T2", base)
            tea, coffee = await answer(one, "When is tea served?"), await answer(other, "Когда подают кофе?")
            assert await cloud.uninstall("T1", f"{base}/slack/events") == [200, 200]
            again = await answer(other, "When is tea served?")
            cloud.refuse("T2", "account_inactive")
            await other.post_as("U1", "C1", f"<@{other.bot_user_id}> When is tea served?")
            await service.says("workspace T2 refuses us, its messages wait: Slack says account_inactive")
            async with aiohttp.ClientSession() as watcher, watcher.get(f"http://127.0.0.1:{health}/health") as said:
                body = await said.json()
            assert await service.stop() == 0

    assert [visible_text(message) for message in (*tea, *coffee, *again)] == [
        NO_DOCUMENTS,
        NO_DOCUMENTS_RU,
        NO_DOCUMENTS,
    ]
    assert {message.user for message in (*tea, *coffee, *again)} == {one.bot_user_id, other.bot_user_id}
    assert (said.status, "workspace T2 refuses us" in body["platforms"]["slack"]["state"]) == (200, True)
    kept = sqlite3.connect(data / "footnote.db")
    assert kept.execute("SELECT tenant FROM installations").fetchall() == [("T2",)]
    assert {row[0] for row in kept.execute("SELECT tenant FROM departures")} == {"T1", "T2"}
    kept.close()
    assert b"test-token" not in (data / "footnote.db").read_bytes()
