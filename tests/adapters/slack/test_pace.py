"""Posts and changes keep to Slack's pace by themselves: it never has to be learnt from a refusal."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.addresses import between
from adapters.slack.app import SlackPlatform
from adapters.slack.pace import MARGIN, POSTS, POSTS_SECONDS, SECONDS, SIGNS, UPDATES, WHISPERS, Pace
from adapters.storage.database import open_database
from adapters.storage.tally import SqlTally
from core.conversation import MessageRef
from core.delivery import FIRST, Later, Outcome, Outgoing, Refused, Shown
from core.render import say
from tests.adapters.slack.scene import QUICK, outgoing, settings
from tests.adapters.slack.test_members import Time
from tests.doubles.tally import TallyInMemory
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


@given(HASTE)
def test_no_minute_has_more_changes_than_slack_takes(haste: list[tuple[str, float]]) -> None:
    """However hastily, in each workspace by itself; whoever waits as long as told changes at once then."""
    now, made = 0.0, list[tuple[str, float]]()
    pace = Pace(lambda: now)
    for workspace, later in haste:
        now += later / 10
        now += pace.wait_to_change(workspace)
        assert pace.wait_to_change(workspace) < 1e-6
        pace.take(workspace)
        made.append((workspace, now))

    for workspace, at in made:
        assert sum(one == workspace and at <= when < at + SECONDS - 1e-6 for one, when in made) <= UPDATES


@given(st.lists(st.tuples(st.floats(0, 1.5), st.integers(0, 2)), max_size=100), st.integers(2, 3))
def test_copies_together_post_no_more_than_one_would(haste: list[tuple[float, int]], copies: int) -> None:
    """Whichever of them posts, Slack would refuse nothing of it; and none is kept from what the others leave."""
    now, made = 0.0, list[float]()
    tally = TallyInMemory(lambda: now)
    paces = [Pace(lambda: now, lambda: copies, tally) for _ in range(copies)]

    async def post() -> None:
        nonlocal now
        for later, copy in haste:
            now += later
            if await paces[copy % copies].book("C1") == 0:
                made.append(now)
            else:
                assert sum(now - POSTS_SECONDS - 2 * MARGIN <= when for when in made) >= POSTS

    asyncio.run(post())

    assert all(sum(at <= when < at + POSTS_SECONDS - 1e-6 for when in made) <= POSTS for at in made)


async def test_who_is_written_to_by_their_id_is_one_place_for_all_copies() -> None:
    """What one copy has said to a person counts where another writes in the direct channel with them."""
    time = Time()
    tally = TallyInMemory(time)
    one, other = (Pace(time, lambda: 2, tally) for _ in range(2))
    assert await one.book("U1") == 0.0
    await one.met("U1", "D1")
    await one.met("U1", "D1")

    assert [True, True, False] == [await other.book("D1") == 0.0 for _ in range(POSTS)]


@pytest.mark.parametrize("copies", [1, 2, 3])
async def test_any_copy_may_post_the_whole_burst(copies: int) -> None:
    """What counts is what all of them have posted; who was told to wait does not ask again meanwhile."""
    time = Time()
    tally = TallyInMemory(time)
    paces = [Pace(time, lambda: copies, tally) for _ in range(copies)]
    burst = [await paces[0].book("C1") for _ in range(POSTS)]
    waits = [await pace.book("C1") for pace in paces]
    asked = tally.asked
    again = [await pace.book("C1") for pace in paces]
    assert (waits, asked) == (again, tally.asked)
    elsewhere = [await pace.book("C2") for pace in paces]
    time.now += POSTS_SECONDS + MARGIN

    assert [0.0] * POSTS == burst
    assert [POSTS_SECONDS + MARGIN] * copies == [round(wait, 6) for wait in waits]
    assert [0.0] * copies == elsewhere
    assert [0.0] * POSTS == [await paces[-1].book("C1") for _ in range(POSTS)]


async def test_what_was_counted_is_counted_once() -> None:
    """A post whose turn was booked just before takes no other; one that was never made is forgotten in a moment."""
    time = Time()
    pace = Pace(time, lambda: 2, TallyInMemory(time))
    for _ in range(POSTS):
        assert await pace.book("C1") == 0.0
        await pace.turn("T1", "chat.postMessage", "C1")
    full = pace.wait_to_post("C1")
    time.now += POSTS_SECONDS + MARGIN
    assert await pace.book("C1") == 0.0
    time.now += 1.0
    await pace.turn("T1", "chat.postMessage", "C1")
    await pace.turn("T1", "chat.postMessage", "C1")

    assert full == POSTS_SECONDS + MARGIN
    assert pace.wait_to_post("C1") > 0


async def test_what_cannot_be_counted_is_not_posted() -> None:
    """While the database that the copies share does not answer, posts wait for it."""
    time = Time()
    tally = TallyInMemory(time)
    pace, alone = Pace(time, lambda: 2, tally), Pace(time)
    tally.away = True
    waits = await pace.book("C1"), await alone.book("C1")
    time.now += 1.0
    tally.away = False

    assert (1.0, 0.0) == waits
    assert await pace.book("C1") == 0.0


@given(st.lists(st.tuples(st.floats(0, 0.5), st.integers(0, 3)), max_size=300), st.integers(2, 4))
def test_copies_together_change_no_more_than_one_would(haste: list[tuple[float, int]], copies: int) -> None:
    """No minute has more changes of all copies than Slack takes in a workspace; of signs no more than their part."""
    now, made = 0.0, list[float]()
    paces = [Pace(lambda: now, lambda: copies) for _ in range(copies)]
    for later, copy in haste:
        now += later
        pace = paces[copy % copies]
        if pace.wait_to_change("T1") == 0:
            pace.take("T1")
            made.append(now)

    assert all(sum(at <= when < at + SECONDS - 1e-6 for when in made) <= UPDATES for at in made)
    assert all(pace.wait("T1") > 0 for pace in paces if len(pace._changes["T1"]) >= SIGNS // copies and now < SECONDS)


def test_a_share_grows_when_the_others_are_gone() -> None:
    """A copy that is alone again may change as much in a minute as Slack takes, and before that its half."""
    alive = [2]
    pace = Pace(lambda: 0.0, lambda: alive[0])
    for _ in range(UPDATES // 2):
        pace.take("T1")
    as_one_of_two = pace.wait_to_change("T1")
    alive[0] = 1

    assert (SECONDS + MARGIN, 0.0) == (as_one_of_two, pace.wait_to_change("T1"))


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


@pytest.mark.parametrize("copies", [2, 3])
async def test_copies_are_never_refused_in_one_channel(place: str, copies: int) -> None:
    """Whichever answers, three are posted at once; the rest wait for all, and nothing is learnt from a refusal."""
    slack = SlackStandIn(patience=QUICK, one_message_a_second=True)
    slack.add_user("U1", name="Ada")
    slack.add_channel("C1", members=["U1", slack.bot_user_id], name="general")
    databases = [open_database(place) for _ in range(copies)]
    async with slack, AsyncExitStack() as connections:
        platforms = [SlackPlatform(settings(slack)) for _ in range(copies)]
        for platform, database in zip(platforms, databases, strict=True):
            platform.share(lambda: copies, SqlTally(database))
            await connections.enter_async_context(platform.connected())
        # Somebody asks thrice within three seconds, and each time it is the same copy that answers.
        burst = [await _shown(platforms[0], slack, number) for number in range(POSTS)]
        rest = await asyncio.gather(*(_shown(each, slack, 9) for each in platforms))
        pauses = [outcome.seconds for outcome in rest if isinstance(outcome, Later)]
        await asyncio.sleep(max(pauses))
        again = [await _shown(platforms[-1], slack, number) for number in range(POSTS)]
    for database in databases:
        await database.close()

    assert [Shown] * POSTS == [type(outcome) for outcome in burst]
    assert [Later] * copies == [type(outcome) for outcome in rest]
    assert all(o.whole_place and o.expected and not o.ours_alone for o in rest if isinstance(o, Later))
    assert [Shown] * POSTS == [type(outcome) for outcome in again]
    assert [200] * 2 * POSTS == [call.status for call in slack.calls_to("chat.postMessage")]


@asynccontextmanager
async def _answers(count: int) -> AsyncIterator[tuple[SlackStandIn, SlackPlatform, list[Outgoing], Time]]:
    """Give so many signs, each in a channel of its own, and the answers that are to take their place."""
    slack, time = SlackStandIn(patience=QUICK), Time()
    slack.add_user("U1", name="Анна")
    async with slack:
        platform = SlackPlatform(settings(slack), time)
        async with platform.connected():
            answers = []
            for number in range(count):
                slack.add_channel(f"C{number}", members=["U1", slack.bot_user_id])
                asked = MessageRef("slack", f"T0TEAM:C{number}", await slack.post_as("U1", f"C{number}", "Сколько?"))
                body = platform.parts(say("27 дней.", "ru"))[0].body
                sign = Outgoing(1, str(asked), FIRST, body, asked, asked.message, None)
                shown = await platform.show(sign)
                assert isinstance(shown, Shown)
                answers.append(replace(sign, shown=shown.message))
            yield slack, platform, answers, time


async def test_a_busy_workspace_is_never_refused() -> None:
    """Each further answer of the minute waits, in whatever channel, and nothing else does."""
    async with _answers(UPDATES + 2) as (slack, platform, answers, time):
        first = [await platform.show(answer) for answer in answers]
        posted = await platform.show(replace(answers[-1], shown=None))
        [wait] = {outcome.seconds for outcome in first if isinstance(outcome, Later)}
        time.now += wait
        again = await platform.show(answers[-1])

    assert Counter({Shown: UPDATES, Later: 2}) == Counter(map(type, first))
    assert all(outcome.expected and not outcome.whole_place for outcome in first if isinstance(outcome, Later))
    assert [Shown, Shown] == [type(posted), type(again)]
    assert [200] * (UPDATES + 1) == [call.status for call in slack.calls_to("chat.update")]


async def test_a_pause_is_kept_in_all_channels() -> None:
    """Several copies of the bot share the limit: what one of them is refused rests its changes everywhere, not once."""
    async with _answers(3) as (slack, platform, answers, time):
        slack.fail_next("chat.update", status=429, retry_after=7)
        first = [await platform.show(answer) for answer in answers]
        posted = await platform.show(replace(answers[0], shown=None))
        time.now += 7.1
        again = [await platform.show(answer) for answer in answers]

    assert [Later] * 3 == [type(outcome) for outcome in first]
    assert [7.0] * 3 == [outcome.seconds for outcome in first if isinstance(outcome, Later)]
    assert isinstance(posted, Shown)
    assert [Shown] * 3 == [type(outcome) for outcome in again]
    assert [429, 200, 200, 200] == [call.status for call in slack.calls_to("chat.update")]


async def test_removals_are_counted_as_changes_are() -> None:
    """A long thread is deleted: as many of its answers go as Slack takes in a minute, the others in the next."""
    async with _answers(UPDATES + 2) as (slack, platform, answers, time):
        gone = [replace(answer, body=None) for answer in answers]
        first = [await platform.show(each) for each in gone]
        changed = await platform.show(answers[-1])
        time.now += SECONDS + MARGIN
        again = [await platform.show(each) for each in gone[UPDATES:]]

    assert Counter({Shown: UPDATES, Later: 2}) == Counter(map(type, first))
    assert all(outcome.expected for outcome in first if isinstance(outcome, Later))
    assert isinstance(changed, Shown)
    assert [Shown] * 2 == [type(outcome) for outcome in again]
    assert [200] * (UPDATES + 2) == [call.status for call in slack.calls_to("chat.delete")]


async def test_words_to_one_person_are_counted() -> None:
    """`/ask` in a busy workspace: no more than Slack takes in a minute, and the channel's own messages go on."""
    async with _answers(1) as (slack, platform, [answer], time):
        asks = [MessageRef("slack", "T0TEAM:C0", between("U1", f"{number}")) for number in range(WHISPERS + 2)]
        private = [replace(answer, asked=asked, root=None, shown=None) for asked in asks]
        first = [await platform.show(each) for each in private]
        posted = await platform.show(replace(answer, shown=None))
        time.now += SECONDS + MARGIN
        again = [await platform.show(each) for each in private[WHISPERS:]]

    assert Counter({Shown: WHISPERS, Later: 2}) == Counter(map(type, first))
    assert all(outcome.expected for outcome in first if isinstance(outcome, Later))
    assert isinstance(posted, Shown)
    assert [Shown] * 2 == [type(outcome) for outcome in again]
    assert [200] * (WHISPERS + 2) == [call.status for call in slack.calls_to("chat.postEphemeral")]


async def test_a_person_is_written_to_at_the_same_pace() -> None:
    """By their id or in the direct channel with them: that is one place for Slack."""
    slack = SlackStandIn(patience=QUICK, one_message_a_second=True)
    slack.add_user("U1", name="Ada")
    slack.add_channel("C1", members=["U1", slack.bot_user_id], name="general")
    async with slack:
        platform = SlackPlatform(settings(slack))
        async with platform.connected():
            asked = await slack.post_as("U1", "C1", "<@U0BOT> Сколько дней?")
            message = outgoing(asked, platform.parts(say("27 дней.", "ru"))[0])
            shut = Refused("archived", "is_archived")
            told = [await platform.show_directly(message, "U1", shut) for _ in range(4)]
            direct = slack.open_dm("U1")
            there = replace(message, asked=MessageRef("slack", f"T0TEAM:{direct}", asked), root=None)
            waits = [await platform.show(there) for _ in range(3)]

    assert [Shown] * 4 == [type(outcome) for outcome in told]
    assert Later in [type(outcome) for outcome in waits]
    assert {200} == {call.status for call in slack.calls_to("chat.postMessage")}


async def test_each_form_of_a_message_counts() -> None:
    """Two messages of which Slack takes only the last form: none of it is refused for its haste."""
    slack = SlackStandIn(patience=QUICK, one_message_a_second=True)
    slack.add_user("U1", name="Ada")
    slack.add_channel("C1", members=["U1", slack.bot_user_id], name="general")
    async with slack:
        platform = SlackPlatform(settings(slack))
        async with platform.connected():
            first = [await _shown(platform, slack, number) for number in range(2)]
            slack.fail_next("chat.postMessage", error="invalid_blocks")
            began = asyncio.get_running_loop().time()
            third = await _shown(platform, slack, 2)
            lasted = asyncio.get_running_loop().time() - began

    assert [Shown] * 3 == [type(outcome) for outcome in (*first, third)]
    assert lasted > 1.0
    assert {"invalid_blocks", None} == {call.error for call in slack.calls_to("chat.postMessage")}


async def _shown(platform: SlackPlatform, slack: SlackStandIn, number: int) -> Outcome:
    asked = await slack.post_as("U1", "C1", f"<@U0BOT> Сколько дней? {number}")
    return await platform.show(outgoing(asked, platform.parts(say("27 дней.", "ru"))[0]))
