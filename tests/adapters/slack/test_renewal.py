"""Tokens that end: changed for the next before they do, once, stored before they are used."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from adapters.slack import renewal
from core.errors import StorageError
from core.installing import Installed
from tests.adapters.slack.estate import QUIET, Estate, estate
from tests.adapters.slack.scene import DAYS, outgoing
from tests.platforms.slack.waiting import until

pytestmark = QUIET


@pytest.fixture
async def many(tmp_path: Path) -> AsyncIterator[Estate]:
    """Give the bot at work in workspaces whose tokens end."""
    async with estate(tmp_path, rotates=True) as made:
        yield made


async def answers(many: Estate, text: str = "How many days?") -> None:
    """See that a question is answered."""
    assert len(await many.answered("T1", await many.asks("T1", text))) == 2


async def test_a_fresh_token_is_used_as_it_is(many: Estate) -> None:
    """Nothing is asked of Slack while a token lasts for long."""
    await many.workspace("T1")
    await answers(many)

    assert [call.get("grant_type") for call in many.cloud.oauth_calls] == [None]


async def test_a_token_near_its_end_is_changed_before_it_is_used(many: Estate) -> None:
    """The next one is stored, sealed, and lasts; the question is answered with it."""
    one = await many.workspace("T1")
    await many.ages("T1", 600)
    await answers(many, "Сколько дней?")
    installed = await many.kept.find("slack", "T1")

    assert [call.get("grant_type") for call in many.cloud.oauth_calls] == [None, "refresh_token"]
    assert installed
    assert installed.secrets["token"] == many.cloud.token("T1")
    assert len(one.tokens) == 2


async def test_many_that_need_it_at_once_change_it_once(many: Estate) -> None:
    """Two copies and twenty messages: a refresh token works once, so one asks and the others wait for it."""
    one = await many.workspace("T1")
    other = await many.start()
    await many.ages("T1", -5)
    many.cloud.refuse("T1", "token_expired")
    ts = await many.asks("T1", "How many days?")
    part = many.bot.platform.parts(DAYS)[0]
    message = outgoing(ts, part)
    there = [copy.platform._line.workspaces for copy in (many.bot, other) if copy.platform._line]
    found = await asyncio.gather(*(spaces.of("T1") for spaces in there for _ in range(10)))

    assert {workspace.client.token for workspace in found if workspace} == {many.cloud.token("T1")}
    assert [call.get("grant_type") for call in many.cloud.oauth_calls] == [None, "refresh_token"]
    assert message
    await many.answered("T1", ts)
    assert list(one.tokens.values()).count(None) == 1


async def test_a_token_that_ends_in_flight_is_changed_and_the_call_made_again(many: Estate) -> None:
    """When Slack says first that it has ended, whatever our clock says, the very call goes on with the next."""
    await many.workspace("T1")
    many.cloud.refuse("T1", "token_expired")
    await answers(many)

    assert [call.get("grant_type") for call in many.cloud.oauth_calls] == [None, "refresh_token"]
    assert many.bot.platform.health().words.count("refuses") == 0


async def test_a_new_token_is_stored_however_long_the_database_is_away(
    many: Estate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slack gives it once, so it is held until it is stored, also when who asked is gone."""
    monkeypatch.setattr(renewal, "_AGAIN", 0.02)
    await many.workspace("T1")
    await many.ages("T1", 600)
    change, fails = many.kept.change, 5

    async def flaky(installed: Installed, secrets: Any) -> bool:
        nonlocal fails
        if fails:
            fails -= 1
            raise StorageError("the database is away", retry=True)
        return await change(installed, secrets)

    monkeypatch.setattr(many.kept, "change", flaky)
    assert many.bot.platform._line
    asking = asyncio.create_task(many.bot.platform._line.workspaces.of("T1"))  # type: ignore[arg-type]
    while not [call for call in many.cloud.oauth_calls if call.get("grant_type")]:
        await asyncio.sleep(0.01)
    asking.cancel()
    await many.stop()
    installed = await many.kept.find("slack", "T1")

    assert installed
    assert installed.secrets["token"] == many.cloud.token("T1")


async def test_while_slack_gives_no_new_one_the_old_one_is_used(many: Estate, caplog: pytest.LogCaptureFixture) -> None:
    """A token that still lasts is no reason to be silent; Slack is not asked again for a minute."""
    await many.workspace("T1")
    await many.ages("T1", 600)
    many.cloud.refusing = "internal_error"
    await answers(many)

    assert len(many.cloud.oauth_calls) == 2
    assert "no new token for workspace T1: Slack says internal_error" in caplog.text
    assert "xoxe" not in caplog.text


async def test_a_lost_answer_leaves_the_workspace_waiting_with_its_reason(many: Estate) -> None:
    """A token that was given but never arrived cannot be had again: the workspace must install the app again."""
    await many.workspace("T1")
    await many.ages("T1", 600)
    many.cloud.lost_answers = 1
    await answers(many)
    many.cloud.refuse("T1", "token_expired")
    ts = await many.asks("T1", "And in Leeds?")
    words = "workspace T1 refuses us: Slack says token_expired"
    health = many.bot.platform.health
    await until(lambda: words in health().words, lambda: str(health()), 5.0)

    assert many.cloud.workspaces["T1"].answers("C1", ts) == []
    assert health().alive
    assert (await many.install("T1")).status == 200
    await answers(many, "Сколько дней?")


async def test_what_a_removed_workspace_had_is_not_stored_again(many: Estate) -> None:
    """Tokens that are deleted while the next is on its way stay deleted."""
    await many.workspace("T1")
    await many.ages("T1", 600)
    installed = await many.kept.find("slack", "T1")
    assert installed

    async def rotate(grant: Any) -> Any:
        await many.kept.remove("slack", "T1")
        return grant

    assert await renewal.Renewal(many.kept, rotate).current(installed) is None
    assert await many.kept.find("slack", "T1") is None
