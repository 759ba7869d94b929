"""Workspaces that remove the app or take its token back, and workspaces that refuse it for a while."""

import json
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from adapters.slack import parking
from adapters.slack.calls import BARRING
from adapters.slack.leaving import leaving_in
from core.conversation import MessageRef
from core.delivery import Later, Outgoing, Shown
from tests.adapters.slack.estate import QUIET, Estate, many
from tests.adapters.slack.scene import DAYS, Scene, outgoing, scene
from tests.platforms.slack import visible_text
from tests.platforms.slack.events import callback

__all__ = ["many"]

pytestmark = QUIET
LATER = timedelta(days=999)


def answer_in(made: Estate, team: str, ts: str) -> Outgoing:
    """Return an answer to a message in C1 of the workspace, as it is handed over to be shown."""
    asked = MessageRef("slack", f"{team}:C1", ts)
    return replace(outgoing(ts, made.bot.platform.parts(DAYS)[0]), asked=asked, question=str(asked))


async def left(made: Estate) -> list[str]:
    """Return the workspaces whose data is to go in time."""
    return list(await made.left.since(datetime.now(UTC) + LATER))


@pytest.mark.parametrize("order", [1, -1])
async def test_a_removed_app_forgets_its_token_at_once(many: Estate, order: int) -> None:
    """Whichever of the two events comes first; the data is to go in time, and the other workspace goes on."""
    one, _ = await many.workspace("T1"), await many.workspace("T2")
    await many.answered("T1", await many.asks("T1", "How many days?"))
    revoked = {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [one.bot_user_id]}}
    many.cloud.refuse("T1", "account_inactive")
    for event in ({"type": "app_uninstalled"}, revoked)[::order]:
        assert await one.deliver_http(many.bot.events, event) == 200

    assert await many.kept.names("slack") == {"T2": "Team T2"}
    assert await left(many) == ["T1"]
    assert many.bot.platform._line
    assert "refuses" not in many.bot.platform.health().words
    assert "T1" not in {team for team, _ in many.bot.platform._line.doors._known}
    assert len(await many.answered("T2", await many.asks("T2", "Сколько дней?"))) == 2


async def test_a_late_word_of_a_removal_removes_nothing_that_came_after(many: Estate) -> None:
    """Installed again before the event arrives, or arrives again, the app stays."""
    one = await many.workspace("T1")
    body = callback(one.app, None, {"type": "app_uninstalled"}) | {"event_time": int(time.time()) - 60}
    await many.cloud.uninstall("T1", many.bot.events)
    assert (await many.install("T1")).status == 200
    leaving = leaving_in(body)
    assert leaving
    assert many.bot.platform._line
    await many.bot.platform._line.workspaces.left(leaving.team, leaving.at, for_sure=leaving.for_sure)

    assert await many.kept.names("slack") == {"T1": "Team T1"}
    assert await left(many) == []
    assert len(await many.answered("T1", await many.asks("T1", "How many days?"))) == 2


async def test_an_older_token_that_goes_takes_nothing_with_it(many: Estate) -> None:
    """`tokens_revoked` of a token that is not the one in use changes nothing."""
    one = await many.workspace("T1")
    revoked = {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [one.bot_user_id]}}
    assert await one.deliver_http(many.bot.events, revoked) == 200

    assert (await many.kept.names("slack"), await left(many)) == ({"T1": "Team T1"}, [])


@pytest.mark.parametrize(
    "event",
    [
        {"type": "tokens_revoked", "tokens": {"oauth": ["U1"]}},
        {"type": "tokens_revoked", "tokens": {"oauth": ["U1"], "bot": []}},
        {"type": "tokens_revoked", "tokens": None},
        {"type": "tokens_revoked"},
        {"type": "app_uninstalled_team"},
    ],
)
async def test_a_persons_token_is_nothing_to_us(many: Estate, event: dict[str, Any]) -> None:
    """Only the bot's token counts, and an odd event is no removal."""
    one = await many.workspace("T1")
    many.cloud.refuse("T1", "account_inactive")
    assert await one.deliver_http(many.bot.events, event) == 200

    assert (await many.kept.names("slack"), await left(many)) == ({"T1": "Team T1"}, [])


async def test_an_app_that_is_installed_again_keeps_its_data(many: Estate) -> None:
    """Back before the time is over, nothing is to go any more, and what waited is shown."""
    one = await many.workspace("T1")
    ts = await many.asks("T1", "How many days?")
    await many.answered("T1", ts)
    await many.cloud.uninstall("T1", many.bot.events)
    waiting = answer_in(many, "T1", ts)
    outcome = await many.bot.platform.show(waiting)
    assert isinstance(outcome, Later)
    assert outcome.whole_place
    assert (await many.install("T1")).status == 200

    assert isinstance(await many.bot.platform.show(waiting), Shown)
    assert (await left(many), len(one.answers("C1", ts))) == ([], 3)


@pytest.mark.parametrize("code", sorted(BARRING - {"token_expired"}))
async def test_a_workspace_that_refuses_us_is_parked(many: Estate, code: str, caplog: pytest.LogCaptureFixture) -> None:
    """Its messages wait, the reason is in the log and in the health, and others go on; then it goes on, too."""
    one, _ = await many.workspace("T1"), await many.workspace("T2")
    ts = await many.asks("T1", "How many days?")
    await many.answered("T1", ts)
    many.cloud.refuse("T1", code)
    message = answer_in(many, "T1", ts)
    before = len(one.calls)
    outcomes = [await many.bot.platform.show(message) for _ in range(3)]
    health = many.bot.platform.health()

    assert {type(outcome) for outcome in outcomes} == {Later}
    assert len(one.calls) == before + 1
    assert (health.alive, f"workspace T1 refuses us: Slack says {code}" in health.words) == (True, True)
    assert caplog.text.count(f"workspace T1 refuses us, its messages wait: Slack says {code}") == 1
    assert not any(word in caplog.text for word in ("xoxb", "27 days", "How many"))
    assert len(await many.answered("T2", await many.asks("T2", "Сколько дней?"))) == 2
    assert await left(many) == (["T1"] if code in ("token_revoked", "account_inactive") else [])


async def test_a_parked_workspace_is_asked_again_in_time(many: Estate, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once it takes calls again it is as if nothing had been."""
    monkeypatch.setattr(parking, "BARRED_SECONDS", 0.0)
    await many.workspace("T1")
    ts = await many.asks("T1", "Сколько дней?")
    await many.answered("T1", ts)
    many.cloud.refuse("T1", "token_revoked")
    message = answer_in(many, "T1", ts)
    assert isinstance(await many.bot.platform.show(message), Later)
    assert await left(many) == ["T1"]
    many.cloud.refuse("T1", None)

    assert isinstance(await many.bot.platform.show(message), Shown)
    assert ("refuses" in many.bot.platform.health().words, await left(many)) == (False, [])


async def test_a_key_that_is_gone_parks_that_workspace_alone(many: Estate) -> None:
    """What no key opens is said with the variable's name; nothing is lost by it, and others go on."""
    await many.workspace("T1")
    await many.workspace("T2")
    ts = await many.asks("T1", "How many days?")
    await many.answered("T1", ts)
    async with many.database.writing() as connection:
        await connection.exec_driver_sql("UPDATE installations SET sealed = 'x' || sealed WHERE tenant = 'T1'")
    outcome = await many.bot.platform.show(answer_in(many, "T1", ts))

    assert isinstance(outcome, Later)
    assert "FOOTNOTE_SECRET_KEYS" in outcome.reason
    assert len(await many.answered("T2", await many.asks("T2", "Сколько дней?"))) == 2


async def test_the_one_workspace_of_the_settings_is_parked_too(stage: Scene) -> None:
    """Over Socket Mode with a token of the settings: its messages wait, and the health says why."""
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)
    stage.slack.tokens[stage.slack.app.bot_token] = "token_revoked"
    outcome = await stage.platform.show(outgoing(ts, stage.platform.parts(DAYS)[0]))

    assert isinstance(outcome, Later)
    assert "workspace T0TEAM refuses us: Slack says token_revoked" in stage.platform.health().words


async def test_one_workspace_needs_no_store() -> None:
    """As before, a token and a way in are all; a word of a removal without a store is acknowledged."""
    async with scene() as stage:
        await stage.slack.deliver({"type": "app_uninstalled"})
        await stage.slack.settled()

        assert [delivery.acked for delivery in stage.slack.deliveries] == [True]
        assert visible_text((await stage.answered("C1", await stage.asks("How many?")))[0]).startswith("Annual leave")


def test_the_time_of_a_removal_is_never_in_the_future() -> None:
    """An odd time in the event is now: the data does not go earlier or later for it."""
    for odd in (None, "x", -5, 0, 10**12, True):
        body = json.loads(json.dumps({"team_id": "T1", "event": {"type": "app_uninstalled"}, "event_time": odd}))
        leaving = leaving_in(body)

        assert leaving
        assert leaving.at <= datetime.now(UTC)
