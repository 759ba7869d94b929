"""One question, one answer: redelivery, other bots, and whatever else Slack tells of."""

import pytest

from core.conversation import Aside, Question
from core.delivery import Part
from core.errors import StorageError
from tests.adapters.slack.scene import Scene, outgoing, scene
from tests.platforms.slack import visible_text

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


async def test_a_mention_and_its_message_are_one_question(stage: Scene) -> None:
    """`app_mention` and `message` come for one post; both are brought, alike, and one is answered."""
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)

    first, second = stage.desk.brought
    assert first == second
    assert len(stage.slack.answers("C1", ts)) == 2


async def test_a_message_that_a_device_sends_twice_is_one_question(stage: Scene) -> None:
    """Two posts with the device's same id, minutes apart on other sockets or not, are answered once."""
    first = await stage.slack.post_as("U1", "C1", f"{stage.at_bot} How many days?", client_msg_id="5f0a-1")
    await stage.answered("C1", first)
    second = await stage.slack.post_as("U1", "C1", f"{stage.at_bot} How many days?", client_msg_id="5f0a-1")
    await stage.quiet()

    assert {question.resend for question in stage.desk.brought} == {"slack:T0TEAM:5f0a-1"}
    assert (len(stage.slack.answers("C1", first)), stage.slack.answers("C1", second)) == (2, [])


async def test_a_retry_whose_first_try_never_came_is_a_question(stage: Scene) -> None:
    """A retry number alone says nothing: what is not known yet is answered."""
    await stage.slack.deliver(said(ts="1700000000.000200"), retry_num=1)
    await stage.quiet()

    assert stage.texts == ["How many days?"]


async def test_what_cannot_be_stored_is_not_acknowledged(stage: Scene, caplog: pytest.LogCaptureFixture) -> None:
    """The event is left to Slack, which brings it again; then it is answered, once. The log quotes nobody."""
    stage.desk.fails = 2
    dm = stage.slack.open_dm("U1")
    ts = await stage.slack.post_as("U1", dm, "How many days?")
    await stage.answered(dm, ts)

    (first, *_) = stage.slack.deliveries
    assert first.statuses == ["timeout", "timeout", 200]
    assert len(stage.slack.answers(dm, ts)) == 2
    assert "left to send it again" in caplog.text
    assert "How many" not in caplog.text


@pytest.mark.parametrize(
    ("text", "words"), [("How many days?", "Please ask again in a minute"), ("Сколько дней?", "Спросите ещё раз")]
)
@pytest.mark.parametrize("kinds", [("message",), ("message", "app_mention")])
async def test_who_asks_hears_that_a_question_is_lost(
    stage: Scene, caplog: pytest.LogCaptureFixture, text: str, words: str, kinds: tuple[str, ...]
) -> None:
    """Slack brings an event four times: of what cannot be stored by then the asker alone is told, once.

    The log says why under the same reference.
    """
    stage.desk.fails = len(kinds)
    for kind in kinds:
        await stage.slack.deliver(said(type=kind, text=f"<@U0BOT> {text}"), retry_num=3)
    await stage.quiet()

    [told] = stage.slack.ephemerals
    assert (told.only_for, words in visible_text(told)) == ("U1", True)
    assert f"reference {visible_text(told).split()[-1]}: " in caplog.text
    assert text not in caplog.text


async def test_nobody_hears_of_a_lost_event_that_asked_nothing(stage: Scene, caplog: pytest.LogCaptureFixture) -> None:
    """What people say to one another is lost without a word, as they say it without one for us; the log tells."""
    failures, heard = [StorageError("locked")], stage.desk.heard

    async def locked(aside: Aside) -> Question | None:
        if failures:
            raise failures.pop()
        return await heard(aside)

    stage.desk.heard = locked  # type: ignore[method-assign]
    await stage.slack.deliver(said(text="lunch?"), retry_num=3)
    await stage.quiet()

    assert stage.slack.ephemerals == []
    assert "An event was lost" in caplog.text


async def test_a_defect_quotes_nobody(stage: Scene, caplog: pytest.LogCaptureFixture) -> None:
    """An error of another kind is logged by its kind and place: its text may hold people's words."""
    asked, failures = stage.desk.asked, [ValueError("my salary is 1234")]

    async def broken(question: Question) -> None:
        if failures:
            raise failures.pop()
        await asked(question)

    stage.desk.asked = broken  # type: ignore[method-assign]
    dm = stage.slack.open_dm("U1")
    ts = await stage.slack.post_as("U1", dm, "How many days?")

    assert len(await stage.answered(dm, ts)) == 2
    assert "ValueError < " in caplog.text
    assert "salary" not in caplog.text


async def test_a_storage_that_fails_over_threads_is_not_acknowledged_either(stage: Scene) -> None:
    """Whether a message is for us must be known before it is acknowledged."""
    failures, heard = [StorageError("locked")], stage.desk.heard

    async def locked(aside: Aside) -> Question | None:
        if failures:
            raise failures.pop()
        return await heard(aside)

    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)
    stage.desk.heard = locked  # type: ignore[method-assign]
    await stage.slack.post_as("U1", "C1", "And in Leeds?", thread_ts=ts)

    assert len(await stage.answered("C1", ts, 4)) == 4


async def test_an_edit_and_a_deletion_that_cannot_be_stored_come_again(stage: Scene) -> None:
    """What was not taken in is brought again, and then it counts."""
    dm = stage.slack.open_dm("U1")
    ts = await stage.slack.post_as("U1", dm, "How many days?")
    await stage.answered(dm, ts)
    failures, edited, withdrawn = [StorageError("locked")] * 2, stage.desk.edited, stage.desk.withdrawn

    async def locked_edited(question: object) -> bool:
        if len(failures) == 2:
            raise failures.pop()
        return await edited(question)  # type: ignore[arg-type]

    async def locked_withdrawn(message: object, question: object = None) -> None:
        if failures:
            raise failures.pop()
        await withdrawn(message, question)  # type: ignore[arg-type]

    stage.desk.edited, stage.desk.withdrawn = locked_edited, locked_withdrawn  # type: ignore[method-assign]
    await stage.slack.edit_as("U1", dm, ts, "Сколько дней?")
    await stage.quiet()
    assert stage.said(dm, ts)[0].startswith("• Отпуск")
    await stage.slack.delete_as("U1", dm, ts)
    await stage.quiet()

    assert stage.slack.answers(dm, ts) == []


async def test_bots_are_left_alone(stage: Scene) -> None:
    """Messages of other bots, of Slackbot and of our own user are acknowledged and never answered."""
    await stage.slack.post_as("U2", "C1", f"{stage.at_bot} beep", bot_id="B0OTHER")
    await stage.slack.deliver(said(bot_profile={"id": "B1"}))
    await stage.slack.deliver(said(user="USLACKBOT", ts="1700000000.000300"))
    await stage.slack.deliver(said(user="U0BOT", ts="1700000000.000400"))
    await stage.slack.deliver(said(subtype="bot_message", ts="1700000000.000500"))
    await stage.quiet()

    assert stage.desk.brought == []
    assert list({delivery.acked for delivery in stage.slack.deliveries}) == [True]


@pytest.mark.parametrize(
    "event",
    [
        said(subtype="channel_join"),
        said(subtype="something_new"),
        said(subtype="file_share", text=""),
        said(user=None),
        said(ts="soon"),
        said(ts="99999999999999.000100"),
        said(text=None, channel=None),
        said(channel={"id": "C1"}),
        said(subtype="message_deleted", deleted_ts=7),
        said(subtype="message_changed", message=[]),
        {"type": "reaction_added", "user": "U1", "item": {"type": "message", "channel": "C1", "ts": "1.1"}},
        {"type": "member_joined_channel", "user": "U0BOT", "channel": "C1"},
        {"type": "app_home_opened", "user": "U1"},
        {"type": "not_yet_invented"},
        {},
    ],
)
async def test_everything_else_is_acknowledged_and_ignored(stage: Scene, event: Json) -> None:
    """No event is left for Slack to send again, and none of these is a question."""
    delivery = await stage.slack.deliver(event)
    await stage.quiet()

    assert (delivery.acked, delivery.statuses, stage.desk.brought) == (True, [200], [])


async def test_an_absurd_event_holds_nobody_up(stage: Scene) -> None:
    """What has no form that the library knows is acknowledged; a huge one is read; questions go on being answered."""
    odd = [await stage.slack.deliver(said(user=5)), await stage.slack.deliver(said(text=BLANKS + "<@" * 300_000))]
    odd.append(await stage.slack.deliver(said(channel=7, user={"id": {}})))
    ts = await stage.asks("How many days?")

    assert len(await stage.answered("C1", ts)) == 2
    assert [delivery.statuses for delivery in odd] == [[200]] * 3


BLANKS = " " * 300_000


async def test_presses_and_commands_are_acknowledged(stage: Scene) -> None:
    """A press brings what our button stands for, and nobody is told of a failure; so with a command."""
    ts = await stage.slack.post_as("U1", "C1", "Anything new?")
    body = stage.platform.button("There is a newer answer.", "show:7", "Show it")
    await stage.platform.show(outgoing(ts, Part("answer-1", body)))
    (message,) = stage.slack.answers("C1", ts)
    press = await stage.slack.click_as("U1", "C1", message.ts, "footnote_button")
    command = await stage.slack.command_as("U1", "C1", "/ask", "How many days?")
    await stage.quiet()

    assert (press.statuses, command.statuses) == ([200], [200])
    [(button, pressed)] = stage.desk.presses
    assert (button, pressed.message) == ("show:7", message.ts)
    assert pressed.place == outgoing(ts, Part("answer-1", body)).asked.place
    assert visible_text(message).startswith("There is a newer answer.")


async def test_a_file_with_words_is_a_question(stage: Scene) -> None:
    """`file_share` with text counts as a message."""
    await stage.slack.deliver(said(subtype="file_share", channel=stage.slack.open_dm("U1"), channel_type="im"))
    await stage.quiet()

    assert stage.texts == ["How many days?"]


async def test_nothing_to_say_is_only_a_sign() -> None:
    """A reply that never comes adds nothing to the sign."""
    async with scene(lambda question: None) as stage:
        ts = await stage.asks("How many days?")
        await stage.quiet()

        assert stage.said("C1", ts) == ["Looking through the documents…"]


@pytest.mark.parametrize("ending", ["asked to", "cut off"])
async def test_an_answer_survives_a_reconnection(ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A question after a change of sockets arrives on the new one, and one that was under way is answered once."""
    monkeypatch.setattr("adapters.slack.ways.PING_INTERVAL", 0.1)
    async with scene() as stage:
        stage.script.gate.clear()
        first = await stage.asks("How many days?")
        await stage.at_work(1)
        if ending == "asked to":
            await stage.slack.sockets.disconnect("refresh_requested")
        else:
            stage.slack.sockets.drop()
        second = await stage.asks("And in Leeds?")
        stage.script.gate.set()

        assert len(await stage.answered("C1", second)) == 2
        assert len(await stage.answered("C1", first)) == 2
        assert stage.slack.sockets.opened == 2


async def test_an_acknowledgement_that_is_lost_brings_no_second_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the socket goes after the question was stored, Slack sends the event again, and it is known."""
    monkeypatch.setattr("adapters.slack.ways.PING_INTERVAL", 0.1)
    async with scene() as stage:
        asked, dm = stage.desk.asked, stage.slack.open_dm("U1")

        async def cut(question: Question) -> None:
            await asked(question)
            if len(stage.desk.brought) == 1:
                stage.slack.sockets.drop()

        stage.desk.asked = cut  # type: ignore[method-assign]
        ts = await stage.slack.post_as("U1", dm, "How many days?")

        assert len(await stage.answered(dm, ts)) == 2
        assert [question.id for question in stage.desk.brought] == [f"slack:T0TEAM:{dm}:{ts}"] * 2
