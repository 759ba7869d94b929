"""Over the service in Slack: the bot is invited to a channel."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.wiring import channels_of
from core.phrases import phrase
from tests.bot.office import ADA, GENERAL, GRACE, Office, over
from tests.bot.test_slack_places import PAGES, ours
from tests.platforms.slack import visible_text


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the pages are indexed, once."""
    return tmp_path_factory.mktemp("hello")


@pytest.fixture
async def office(indexed: Path, elsewhere: Path) -> AsyncIterator[Office]:
    """Give the bot at work over the pages."""
    async with over(PAGES, indexed, elsewhere) as working:
        yield working


async def invite(office: Office, user: str | None = None, **traits: Any) -> list[str]:
    """Let somebody join the channel, the bot unless it is said who, and return what we say aloud there."""
    event = {"type": "member_joined_channel", "user": user or office.slack.bot_user_id, "channel": GENERAL}
    await office.slack.deliver({**event, "channel_type": "C", "team": "T0TEAM", **traits})
    # Nothing tells when an event has been dealt with of which nothing is seen.
    await asyncio.sleep(0.5)
    await office.idle()
    return [visible_text(one) for one in ours(office, GENERAL)]


@pytest.mark.parametrize(
    ("said", "locale", "language"),
    [
        (["Кто дежурит?", "Я", "lgtm"], "en-US", "ru"),
        (["Who is on call?", "Me"], "ru-RU", "en"),
        ([], "ru-RU", "ru"),
        (["👍"], "en-US", "en"),
    ],
)
async def test_a_channel_is_greeted_once_in_its_language(
    office: Office, said: list[str], locale: str, language: Any
) -> None:
    """In one message under nothing: what it does, whom it answers and how to ask more. Not with each invitation."""
    office.slack.add_user(ADA, name="Ada", locale=locale)
    for text in said:
        await office.slack.post_as(GRACE, GENERAL, text)
    heard = phrase("mode_is", language, who=phrase("mode_mention", language))
    hello = f"{phrase('hello', language)} {heard} {phrase('hello_help', language)}"

    assert [hello] == await invite(office, inviter=ADA)
    assert [hello] == await invite(office, inviter=GRACE)
    assert [None] == [one.thread_ts for one in ours(office, GENERAL)]


async def test_a_hello_says_whom_the_channel_s_mode_lets_it_hear(office: Office) -> None:
    """Who set the mode before inviting it is told that it is so."""
    modes = channels_of(office.stores.database)
    await modes.set_mode(("slack", f"T0TEAM:{GENERAL}"), "all", changed_by="console", at=datetime.now(UTC))
    [hello] = await invite(office, inviter=ADA)

    assert phrase("mode_all", "en") in hello


@pytest.mark.parametrize("how", ["shared", "pending", "archived", "somebody else"])
async def test_nobody_is_greeted_where_it_is_not_our_turn(office: Office, how: str) -> None:
    """Where outsiders read or are invited to, where nobody may write, and when somebody else has joined."""
    traits = {"shared": "is_ext_shared", "pending": "is_pending_ext_shared", "archived": "is_archived"}
    if how in traits:
        channel = office.slack.workspace.channels[GENERAL]
        office.slack.workspace.channels[GENERAL] = replace(channel, **{traits[how]: True})

    assert [] == await invite(office, GRACE if how == "somebody else" else None)
