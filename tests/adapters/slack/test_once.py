"""One question, one answer: redelivery, other bots, edits and whatever else Slack tells of."""

import pytest

from core.errors import StorageError
from tests.adapters.slack.scene import DAYS, FakeAnswerer, Scene, scene

Json = dict[str, object]


def said(**changes: object) -> Json:
    """Return a `message` event."""
    event = {"type": "message", "channel": "C1", "channel_type": "channel", "user": "U1", "ts": "1700000000.000100"}
    return event | {"text": "<@U0BOT> How many days?"} | changes


async def test_an_event_that_comes_again_changes_nothing(stage: Scene) -> None:
    """The same event, a retry of it, and the other event for the same post are all acknowledged, and one question."""
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)
    event = said(ts=ts)
    await stage.slack.deliver(event, event_id="Ev1", retry_num=1)
    await stage.slack.deliver(event, event_id="Ev1", retry_num=2)
    await stage.slack.deliver(event | {"type": "app_mention"})
    await stage.quiet()

    assert len(stage.slack.answers("C1", ts)) == 2
    assert all(delivery.acked and delivery.statuses == [200] for delivery in stage.slack.deliveries)


async def test_a_retry_whose_first_try_never_came_is_a_question(stage: Scene) -> None:
    """A retry number alone says nothing: what is not known yet is answered."""
    await stage.slack.deliver(said(ts="1700000000.000200"), retry_num=1)
    await stage.quiet()

    assert stage.answerer.texts == ["How many days?"]


async def test_what_cannot_be_recorded_is_not_acknowledged() -> None:
    """The event is left to Slack, which brings it again; then it is answered, once."""
    answerer = FakeAnswerer(record_failures=2)
    async with scene(answerer) as stage:
        dm = stage.slack.open_dm("U1")
        ts = await stage.slack.post_as("U1", dm, "How many days?")
        await stage.answered(dm, ts)

        (first, *_) = stage.slack.deliveries
        assert first.statuses == ["timeout", "timeout", 200]
        assert len(stage.slack.answers(dm, ts)) == 2


async def test_a_storage_that_fails_over_threads_is_not_acknowledged_either() -> None:
    """Whether a message is for us must be known before it is acknowledged."""
    answerer = FakeAnswerer()
    failures = [StorageError("locked")]

    async def knows(thread: str) -> bool:
        if failures:
            raise failures.pop()
        return await FakeAnswerer.knows(answerer, thread)

    answerer.knows = knows  # type: ignore[method-assign]
    async with scene(answerer) as stage:
        ts = await stage.asks("How many days?")
        await stage.answered("C1", ts)
        await stage.slack.post_as("U1", "C1", "And in Leeds?", thread_ts=ts)

        assert len(await stage.answered("C1", ts, 4)) == 4


async def test_bots_are_left_alone(stage: Scene) -> None:
    """Messages of other bots, of Slackbot and of our own user are acknowledged and never answered."""
    await stage.slack.post_as("U2", "C1", f"{stage.at_bot} beep", bot_id="B0OTHER")
    await stage.slack.deliver(said(bot_profile={"id": "B1"}))
    await stage.slack.deliver(said(user="USLACKBOT", ts="1700000000.000300"))
    await stage.slack.deliver(said(user="U0BOT", ts="1700000000.000400"))
    await stage.slack.deliver(said(subtype="bot_message", ts="1700000000.000500"))
    await stage.quiet()

    assert stage.answerer.texts == []
    assert list({delivery.acked for delivery in stage.slack.deliveries}) == [True]


async def test_edits_and_deletions_do_no_harm(stage: Scene) -> None:
    """An edited or deleted question is acknowledged, and its answer stays one."""
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)
    await stage.slack.edit_as("U1", "C1", ts, f"{stage.at_bot} How many days off?")
    await stage.slack.delete_as("U1", "C1", ts)
    await stage.quiet()

    assert stage.answerer.texts == ["How many days?"]
    assert all(delivery.acked for delivery in stage.slack.deliveries)


async def test_a_mention_that_an_edit_adds_is_a_question(stage: Scene) -> None:
    """Whoever forgot the mention and adds it is answered."""
    ts = await stage.slack.post_as("U1", "C1", "How many days?")
    await stage.slack.edit_as("U1", "C1", ts, f"{stage.at_bot} How many days?")

    assert len(await stage.answered("C1", ts)) == 2


@pytest.mark.parametrize(
    "event",
    [
        said(subtype="channel_join"),
        said(subtype="something_new"),
        said(subtype="file_share", text=""),
        said(user=None),
        said(ts="soon"),
        said(text=None, channel=None),
        {"type": "reaction_added", "user": "U1", "item": {"type": "message", "channel": "C1", "ts": "1.1"}},
        {"type": "member_joined_channel", "user": "U0BOT", "channel": "C1"},
        {"type": "app_home_opened", "user": "U1"},
        {"type": "not_yet_invented"},
    ],
)
async def test_everything_else_is_acknowledged_and_ignored(stage: Scene, event: Json) -> None:
    """No event is left for Slack to send again, and none of these is a question."""
    delivery = await stage.slack.deliver(event)
    await stage.quiet()

    assert (delivery.acked, delivery.statuses, stage.answerer.texts) == (True, [200], [])


async def test_a_file_with_words_is_a_question(stage: Scene) -> None:
    """`file_share` with text counts as a message."""
    await stage.slack.deliver(said(subtype="file_share", channel=stage.slack.open_dm("U1"), channel_type="im"))
    await stage.quiet()

    assert stage.answerer.texts == ["How many days?"]


async def test_a_question_answered_before_leaves_no_trace() -> None:
    """When there is nothing to say, the sign is taken away."""
    async with scene(FakeAnswerer(say=lambda question: None)) as stage:
        ts = await stage.asks("How many days?")
        await stage.quiet()

        assert len(stage.slack.calls_to("chat.delete")) == 1
        assert (stage.slack.answers("C1", ts), stage.answerer.refs) == ([], {})


async def test_an_answer_survives_a_reconnection(stage: Scene) -> None:
    """A question after Slack has asked for a new socket arrives on it."""
    await stage.slack.sockets.disconnect("refresh_requested")
    ts = await stage.asks("How many days?")

    assert len(await stage.answered("C1", ts)) == 1 + len(DAYS.evidence[:1])
