"""Posts keep to Slack's pace by themselves: it never has to be learnt from a refusal."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.app import SlackPlatform
from adapters.slack.pace import POSTS, POSTS_SECONDS, Pace
from core.delivery import Later, Outcome, Shown
from core.render import say
from tests.adapters.slack.scene import QUICK, outgoing, settings
from tests.platforms.slack import SlackStandIn

HASTE = st.lists(st.tuples(st.sampled_from(["C1", "C2", "D3"]), st.floats(0, 1.5)), max_size=120)


@pytest.fixture
def unpaced() -> None:
    """Leave the pace as it is."""


@given(HASTE)
def test_no_stretch_of_time_has_more_than_slack_takes(haste: list[tuple[str, float]]) -> None:
    """However hastily it is asked for: whoever waits as long as told posts at once then."""
    now, made = 0.0, list[tuple[str, float]]()
    pace = Pace(lambda: now)
    for channel, later in haste:
        now += later
        now += pace.wait_to_post(channel)
        # Seconds are added up in a different order than they were taken apart.
        assert pace.wait_to_post(channel) < 1e-6
        pace.post(channel)
        made.append((channel, now))

    for channel, at in made:
        assert sum(one == channel and at <= when < at + POSTS_SECONDS - 1e-6 for one, when in made) <= POSTS


def test_what_is_remembered_does_not_grow() -> None:
    """A channel that nobody speaks in any more is forgotten."""
    pace = Pace(lambda: 5.0)
    for number in range(5_000):
        pace.post(f"C{number}")

    assert len(pace._posts) <= 2_000


async def test_a_busy_channel_is_never_refused() -> None:
    """Six messages at once: three are posted at once, each of the others after the pause that was named."""
    slack = SlackStandIn(patience=QUICK, one_message_a_second=True)
    slack.add_user("U1", name="Ada")
    slack.add_channel("C1", members=["U1", slack.bot_user_id], name="general")
    async with slack:
        platform = SlackPlatform(settings(slack))
        async with platform.connected():
            first = [await _shown(platform, slack, number) for number in range(6)]
            pauses = [outcome.seconds for outcome in first if isinstance(outcome, Later)]
            await asyncio.sleep(max(pauses))
            again = await _shown(platform, slack, 6)

    assert Counter({Shown: 3, Later: 3}) == Counter(map(type, first))
    assert all(outcome.whole_place and outcome.expected for outcome in first if isinstance(outcome, Later))
    assert isinstance(again, Shown)
    assert [200] * 4 == [call.status for call in slack.calls_to("chat.postMessage")]


async def _shown(platform: SlackPlatform, slack: SlackStandIn, number: int) -> Outcome:
    asked = await slack.post_as("U1", "C1", f"<@U0BOT> Сколько дней? {number}")
    return await platform.show(outgoing(asked, platform.parts(say("27 дней.", "ru"))[0]))
