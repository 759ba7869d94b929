"""When Slack or the answering fails: the asker still gets one visible reply, and the bot lives on."""

import logging

import pytest

from core.conversation import Question
from core.errors import ModelError
from core.reply import Bullets, Evidence, Note, Paragraph, RenderedReply, Text
from tests.adapters.slack.scene import FakeAnswerer, Scene, scene
from tests.platforms.slack import live_mentions, visible_text

SECRET = "my salary is 1234"


async def test_a_busy_slack_is_waited_for(stage: Scene) -> None:
    """After 429 the call is made again when Retry-After has passed: posts, updates and the evidence."""
    stage.slack.fail_next("chat.postMessage", status=429, retry_after=1)
    stage.slack.fail_next("chat.update", status=429, retry_after=1)
    ts = await stage.asks("How many days?")

    assert len(await stage.answered("C1", ts)) == 2
    assert [call.status for call in stage.slack.calls_to("chat.update")] == [429, 200]


async def test_a_failing_server_is_tried_again(stage: Scene) -> None:
    """A 500 on chat.update, an empty answer and a cut connection are repeated: an update may be."""
    stage.slack.fail_next("chat.update", status=500)
    stage.slack.fail_next("chat.update", drop="after")
    ts = await stage.asks("How many days?")
    answer, _ = await stage.answered("C1", ts)

    assert visible_text(answer).startswith("Annual leave")
    assert len(stage.slack.calls_to("chat.update")) == 3


@pytest.mark.parametrize("drop", ["before", "after"])
async def test_a_post_is_never_repeated_blindly(stage: Scene, drop: str) -> None:
    """When the answer to chat.postMessage is lost, the thread is read: what arrived is used, what did not is posted."""
    stage.slack.fail_next("chat.postMessage", drop=drop)  # type: ignore[arg-type]
    ts = await stage.asks("How many days?")
    answer, evidence = await stage.answered("C1", ts)

    assert (visible_text(answer).startswith("Annual"), visible_text(evidence).startswith("Sources")) == (True, True)
    assert len(stage.slack.calls_to("chat.postMessage")) == (3 if drop == "before" else 2)


async def test_lost_evidence_is_not_posted_twice() -> None:
    """Each message of an answer is known by its own metadata, so the evidence is found and not repeated."""
    async with scene() as stage:

        def say(question: Question) -> RenderedReply:
            stage.slack.fail_next("chat.postMessage", drop="after")
            return RenderedReply((Paragraph((Text("Yes"),)),), (Evidence(1, "A", "B", "yes"),), "en")

        stage.answerer.say = say
        ts = await stage.asks("Is it?")

        assert len(await stage.answered("C1", ts)) == 2
        assert len(stage.answerer.refs[f"slack:T0TEAM:C1:{ts}"]) == 2


async def test_the_answer_arrives_without_a_sign(stage: Scene) -> None:
    """When the sign cannot be posted, answering goes on and the answer is posted when Slack is back."""
    stage.slack.fail_next("chat.postMessage", status=503, times=4)
    ts = await stage.asks("How many days?")
    answer, _ = await stage.answered("C1", ts)

    assert visible_text(answer).startswith("Annual leave")


async def test_a_missing_history_scope_does_not_stop_an_answer() -> None:
    """When it cannot be seen whether the sign arrived, the answer is given all the same."""
    async with scene() as stage:
        stage.slack.fail_next("chat.postMessage", drop="before")
        stage.slack.fail_next("conversations.replies", error="missing_scope", times=2)
        ts = await stage.asks("How many days?")

        assert len(await stage.answered("C1", ts)) == 2


async def test_blocks_that_slack_refuses_become_plain_text() -> None:
    """The user gets the words whatever Slack thinks of their form, and nothing in them comes alive."""
    long = "<!channel> and <@U1> say: " + "five days & nights. " * 400
    reply = RenderedReply((Bullets(((Text(long), Note(1)),)),), (Evidence(1, "A", "B", "five days"),), "en")
    async with scene(FakeAnswerer(say=lambda question: reply)) as stage:
        stage.slack.fail_next("chat.update", error="msg_blocks_too_long")
        ts = await stage.asks("How long?")
        sent = await stage.answered("C1", ts, 4)

        told = "".join(stage.said("C1", ts)[:-1]).replace("\n", "")
        assert "".join(long.split()) in "".join(told.split())
        assert [mention for message in sent for mention in live_mentions(message)] == []


async def test_document_text_pings_nobody() -> None:
    """`<!channel>` and mentions in a document are shown as they are written, in blocks and in the notification."""
    text = "Write to <!channel>, <@U1> or <!subteam^S1>: a & b <https://x.example|here>"
    reply = RenderedReply((Paragraph((Text(text), Note(1))),), (Evidence(1, text, text, text, remark=text),), "en")
    async with scene(FakeAnswerer(say=lambda question: reply)) as stage:
        ts = await stage.asks("Whom?")
        answer, evidence = await stage.answered("C1", ts)

        assert live_mentions(answer) + live_mentions(evidence) == []
        assert visible_text(answer) == text + "¹"
        assert visible_text(evidence).count(text) == 4


@pytest.mark.parametrize("error", [ValueError(SECRET), ModelError("quota is used up")])
async def test_a_failure_in_answering_is_told(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    """The sign becomes a sentence with a reference, which the log has too, without anybody's words or tokens."""

    def fail(question: Question) -> RenderedReply:
        raise error

    async with scene(FakeAnswerer(say=fail)) as stage:
        ts = await stage.asks(SECRET)
        await stage.quiet()
        (told,) = stage.said("C1", ts)

        reference = told.split()[-1]
        assert "give this reference to whoever runs me" in told
        assert reference in caplog.text
        assert SECRET not in caplog.text
        assert stage.slack.app.bot_token not in caplog.text
        assert stage.answerer.refs == {}


async def test_an_empty_reply_is_a_failure() -> None:
    """A reply with nothing to see in it never leaves the asker before a sign that says nothing."""
    async with scene(FakeAnswerer(say=lambda question: RenderedReply((), (), "en"))) as stage:
        ts = await stage.asks("How many days?")
        await stage.quiet()

        assert stage.said("C1", ts)[0].startswith("Something on my side failed")


async def test_a_failure_is_told_in_russian() -> None:
    """The sentence speaks the language of the question."""

    def fail(question: Question) -> RenderedReply:
        raise RuntimeError

    async with scene(FakeAnswerer(say=fail)) as stage:
        ts = await stage.asks("Сколько дней отпуска?")
        await stage.quiet()

        assert stage.said("C1", ts)[0].startswith("У меня произошёл сбой")


@pytest.mark.parametrize("code", ["not_in_channel", "is_archived", "channel_not_found"])
async def test_a_closed_channel_is_logged_and_survived(
    stage: Scene, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A channel that takes no messages costs one line in the log; the next question is answered."""
    stage.slack.fail_next("chat.postMessage", error=code)
    first = await stage.asks("How many days?")
    await stage.quiet()
    second = await stage.asks("And in Leeds?")

    assert len(await stage.answered("C1", second)) == 2
    assert stage.slack.answers("C1", first) == []
    errors = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert any(code in message for message in errors)


async def test_a_sign_that_was_deleted_is_posted_anew() -> None:
    """When somebody removes the sign meanwhile, the answer is posted."""
    answerer = FakeAnswerer()
    answerer.gate.clear()
    async with scene(answerer) as stage:
        ts = await stage.asks("How many days?")
        (sign,) = await stage.slack.wait_for_messages("C1", ts)
        stage.slack.workspace.delete(sign)
        answerer.gate.set()

        assert len(await stage.answered("C1", ts)) == 2


async def test_a_memory_that_fails_after_delivery_takes_nothing_back(stage: Scene) -> None:
    """What is shown stays shown when it cannot be remembered."""

    async def delivered(question: Question, messages: object) -> None:
        raise OSError("full")

    stage.answerer.delivered = delivered  # type: ignore[method-assign]
    ts = await stage.asks("How many days?")

    assert len(await stage.answered("C1", ts)) == 2
