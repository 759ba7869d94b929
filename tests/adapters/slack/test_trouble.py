"""When Slack fails meanwhile: what is to be seen is seen in the end, and once."""

import pytest

from core.conversation import Question
from core.delivery import Absent, Doubtful, Later, Refused, Shown
from core.reply import Bullets, Evidence, Note, Paragraph, RenderedReply, Text
from tests.adapters.slack.scene import DNI, Scene, outgoing, scene
from tests.platforms.slack import live_links, live_mentions, visible_text
from tests.platforms.slack.waiting import until

EVIDENCE = Evidence(1, "A", "B", "yes")


async def test_a_busy_slack_is_waited_for(stage: Scene) -> None:
    """After 429 the message is shown when Retry-After has passed: posts, updates and the evidence."""
    stage.slack.fail_next("chat.postMessage", status=429, retry_after=1)
    stage.slack.fail_next("chat.update", status=429, retry_after=1)
    ts = await stage.asks("How many days?")

    assert len(await stage.answered("C1", ts)) == 2
    assert [call.status for call in stage.slack.calls_to("chat.update")] == [429, 200]
    pauses = [outcome for _, outcome in stage.desk.outcomes if isinstance(outcome, Later) and not outcome.expected]
    assert pauses == [Later(1, "Slack asks for a pause", whole_place=is_post) for is_post in (True, False)]


@pytest.mark.parametrize("drop", ["before", "after"])
@pytest.mark.parametrize("text", ["How many days?", "Сколько дней отпуска?"])
async def test_a_doubtful_post_is_looked_for(stage: Scene, drop: str, text: str) -> None:
    """When the answer to chat.postMessage is lost, the thread is read: what arrived is used, what did not is posted."""
    stage.slack.fail_next("chat.postMessage", drop=drop)  # type: ignore[arg-type]
    ts = await stage.asks(text)
    answer, evidence = await stage.answered("C1", ts)

    assert [visible_text(answer)[:6], visible_text(evidence)[:6]] in (["Annual", "Source"], ["• Отпу", "Источн"])
    assert len(stage.slack.calls_to("chat.postMessage")) == (3 if drop == "before" else 2)


async def test_lost_evidence_is_not_posted_twice(stage: Scene) -> None:
    """Each message of an answer is known by its own mark, so the evidence is found and not repeated."""

    def say(question: Question) -> RenderedReply:
        stage.slack.fail_next("chat.postMessage", drop="after")
        return RenderedReply((Paragraph((Text("Yes"),)),), (EVIDENCE,), "en")

    stage.script.say = say
    ts = await stage.asks("Is it?")

    assert len(await stage.answered("C1", ts)) == 2
    assert [isinstance(outcome, Doubtful) for _, outcome in stage.desk.outcomes].count(True) == 1


async def test_what_nobody_can_look_for_is_not_repeated(stage: Scene) -> None:
    """Without the right to read the thread, a doubtful message stays doubtful: better none than two."""
    stage.slack.fail_next("chat.postMessage", drop="before")
    stage.slack.fail_next("conversations.replies", error="missing_scope")
    ts = await stage.asks("How many days?")
    answer, _ = await stage.answered("C1", ts)

    assert isinstance(stage.desk.outcomes[0][1], Doubtful)
    assert visible_text(answer).startswith("Annual leave")


async def test_blocks_that_slack_refuses_become_plain_text() -> None:
    """The user gets the words whatever Slack thinks of their form, and nothing in them comes alive."""
    long = "<!channel> and <@U1> at https://evil.example/a, <https://evil.example|b> or evil.example say: "
    long += "five days & nights. " * 400
    reply = RenderedReply((Bullets(((Text(long), Note(1)),)),), (EVIDENCE,), "en")
    async with scene(lambda question: reply) as stage:
        stage.slack.fail_next("chat.update", error="msg_blocks_too_long")
        ts = await stage.asks("How long?")
        sent = await stage.answered("C1", ts)

        told = "".join(stage.said("C1", ts)).replace("\n", "")
        assert "".join(long.split()) in "".join(told.split())
        assert [found for message in sent for found in (*live_mentions(message), *live_links(message))] == []


async def test_document_text_pings_nobody() -> None:
    """`<!channel>` and mentions in a document are shown as they are written, in blocks and in the notification."""
    text = "Write to <!channel>, <@U1> or <!subteam^S1>: a & b <https://x.example|here>"
    reply = RenderedReply((Paragraph((Text(text), Note(1))),), (Evidence(1, text, text, text, remark=text),), "en")
    async with scene(lambda question: reply) as stage:
        ts = await stage.asks("Whom?")
        answer, evidence = await stage.answered("C1", ts)

        assert live_mentions(answer) + live_mentions(evidence) == []
        assert visible_text(answer) == text + "¹"
        assert visible_text(evidence).count(text) == 4


@pytest.mark.parametrize("code", ["not_in_channel", "is_archived", "channel_not_found"])
async def test_a_closed_channel_is_survived(stage: Scene, code: str) -> None:
    """A channel that takes no messages is told of as it is; the next question is answered."""
    stage.slack.fail_next("chat.postMessage", error=code, times=3)
    first = await stage.asks("How many days?")
    await stage.quiet()
    second = await stage.asks("And in Leeds?")

    assert len(await stage.answered("C1", second)) == 2
    assert stage.slack.answers("C1", first) == []
    refused = [outcome.reason for _, outcome in stage.desk.outcomes if isinstance(outcome, Refused)]
    assert [code in reason for reason in refused] == [True] * 3


async def test_a_sign_that_was_deleted_is_posted_anew(stage: Scene) -> None:
    """When somebody removes the sign meanwhile, the answer is posted."""
    stage.script.gate.clear()
    ts = await stage.asks("How many days?")
    (sign,) = await stage.slack.wait_for_messages("C1", ts)
    stage.slack.workspace.delete(sign)
    stage.script.gate.set()

    assert len(await stage.answered("C1", ts)) == 2


async def test_a_thread_that_is_gone_takes_no_messages(stage: Scene) -> None:
    """Nothing is posted to the channel in its place, and nothing can be standing there."""
    gone = outgoing("1700000000.000100", stage.platform.parts(DNI)[0])

    assert isinstance(await stage.platform.show(gone), Refused)
    assert await stage.platform.find(gone) == Absent()


async def test_a_failing_slack_ends_nothing(stage: Scene) -> None:
    """Updates that fail for a while are repeated until they are shown."""
    stage.desk.longest = 0.01
    for trouble in ({"status": 500}, {"drop": "after"}, {"error": "fatal_error"}):
        stage.slack.fail_next("chat.update", **trouble)
    ts = await stage.asks("How many days?")
    answer, _ = await stage.answered("C1", ts)

    assert visible_text(answer).startswith("Annual leave")
    shown = [isinstance(outcome, Shown) for _, outcome in stage.desk.outcomes]
    assert shown == [True, False, False, False, True, True]


async def test_health_tells_that_the_latest_event_was_not_stored(stage: Scene) -> None:
    """Until one is, or so long after that Slack does not bring it any more."""
    stage.desk.fails = 10_000
    await stage.asks("How many days?")
    await until(lambda: not stage.platform.health().alive, lambda: str(stage.platform.health()), 5.0)
    words = stage.platform.health().words
    stage.desk.fails = 0
    ts = await stage.asks("Сколько дней?")
    await stage.answered("C1", ts)

    assert "the latest event was not stored: the database did not do it (OperationalError)" in words
    assert (True, False) == (stage.platform.health().alive, "not stored" in stage.platform.health().words)
