"""What `footnote doctor telegram` finds, and what to do about it."""

import json
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Literal

import pytest
from telegram import WebhookInfo
from telegram.error import BadRequest

from adapters.telegram.checkup import checkup, webhook
from adapters.telegram.client import TelegramSettings
from adapters.telegram.polling import ALLOWED_UPDATES
from core.checkup import Check
from tests.adapters.telegram.scene import ANNA, TEAM, settings, telegram
from tests.platforms.telegram.talking import client


def of(checks: list[Check], subject: str) -> Check:
    return next(check for check in checks if check.subject == subject)


async def test_all_is_well() -> None:
    """Each thing is named, and nothing is to be done."""
    async with telegram() as tg:
        checks = await checkup(settings(tg), [str(TEAM)])

    assert {"token", "privacy mode", "inline mode", "guest mode", "commands", "webhook", f"group {TEAM}"} == {
        check.subject for check in checks
    }
    assert {"ok"} == {check.state for check in checks if check.subject != "commands"}
    assert "hears everything" in of(checks, f"group {TEAM}").found


async def test_what_is_wrong_comes_with_what_follows_and_the_fix() -> None:
    """Privacy mode, inline and guest mode on one side alone, groups without us."""
    async with telegram() as tg:
        tg.world.privacy_mode = True
        tg.world.inline_mode = tg.world.guest_mode = True
        await tg.set_bot_status(ANNA, TEAM, "kicked")
        checks = await checkup(settings(tg), [str(TEAM), "-100999"])
        other = await checkup(settings(tg, inline=True, guest=True), [])

    for subject in ("privacy mode", "inline mode", "guest mode", f"group {TEAM}", "group -100999"):
        check = of(checks, subject)
        assert check.state != "ok"
        assert check.consequence
        assert check.fix
    assert "/setprivacy" in of(checks, "privacy mode").fix
    assert {"ok"} == {of(other, subject).state for subject in ("inline mode", "guest mode")}
    tg.world.inline_mode = False


@pytest.mark.parametrize(("status", "state"), [("member", "problem"), ("administrator", "ok")])
async def test_a_group_where_members_may_not_write(status: Literal["member", "administrator"], state: str) -> None:
    """Telegram refuses a plain member there, and so the doctor says that answers are lost; an administrator writes."""
    async with telegram() as tg:
        tg.world.chats[TEAM].members_may_write = False
        await tg.set_bot_status(ANNA, TEAM, status)
        check = of(await checkup(settings(tg), [str(TEAM)]), f"group {TEAM}")
        async with client(tg) as bot:
            refused = pytest.raises(BadRequest, match="Not enough rights") if state == "problem" else nullcontext()
            with refused:
                await bot.send_message(TEAM, "привет")

    assert state == check.state
    assert ("administrator" in check.fix) is (state == "problem")


async def test_a_wrong_token_is_the_only_finding_and_is_not_shown() -> None:
    """Nor is it in anything else that is said."""
    async with telegram() as tg:
        wrong = await checkup(settings(tg, token="123456:wrong-secret"), [str(TEAM)])
        tg.fail_next("getMyCommands", status=500, description="Internal Server Error", times=5)
        tg.fail_next("getWebhookInfo", drop="after", times=5)
        troubled = await checkup(settings(tg), [])

    assert [("problem", "token")] == [(check.state, check.subject) for check in wrong]
    assert {"commands", "webhook"} == {check.subject for check in troubled if check.state == "problem"}
    for check in (*wrong, *troubled):
        assert "wrong-secret" not in str(check)
        assert "test-token" not in str(check)


@pytest.mark.parametrize(
    ("info", "subject"),
    [
        ({"url": "https://other.example.org/x"}, "webhook"),
        ({"url": "https://bot.example.org/x", "last_error_date": 1, "last_error_message": "timeout"}, "webhook"),
        ({"url": "https://bot.example.org/x", "pending_update_count": 500}, "waiting"),
        ({"url": "https://bot.example.org/x", "allowed_updates": ["message"]}, "kinds of updates"),
        ({"url": ""}, "webhook"),
    ],
)
def test_a_webhook_that_is_not_as_it_is_set(info: dict[str, object], subject: str) -> None:
    """Another address, failing calls, a queue, kinds of updates that are held back, and none at all."""
    usual = {"has_custom_certificate": False, "pending_update_count": 0, "allowed_updates": ALLOWED_UPDATES}
    given = usual | info
    if date := given.get("last_error_date"):
        assert isinstance(date, int)
        given["last_error_date"] = datetime.fromtimestamp(date, UTC)
    here = TelegramSettings(token="1:x", webhook_url="https://bot.example.org/x", webhook_secret="s")

    odd = [check for check in webhook(WebhookInfo(**given), here) if check.state != "ok"]
    assert [subject] == [check.subject for check in odd]
    assert all(check.consequence and check.fix for check in odd)
    assert json.dumps([check.found for check in odd])
