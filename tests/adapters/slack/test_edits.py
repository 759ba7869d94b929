"""What people reword and delete, and what becomes of the answer."""

import pytest

from core.reply import Paragraph, RenderedReply, Text
from tests.adapters.slack.scene import DAYS, Scene
from tests.platforms.slack import visible_text


async def test_an_edited_question_is_answered_in_place(stage: Scene) -> None:
    """The answer and the evidence change where they stand: no message is new, and each keeps its mark."""
    ts = await stage.asks("How many days?")
    before = await stage.answered("C1", ts)
    await stage.slack.edit_as("U1", "C1", ts, f"{stage.at_bot} Сколько дней отпуска?")
    after = await stage.answered("C1", ts)

    assert [message.ts for message in before] == [message.ts for message in after]
    assert [message.metadata for message in before] == [message.metadata for message in after]
    assert [visible_text(message) for message in after] == [
        "• Отпуск — 27 дней в году¹",
        "Источники\n¹ Отпуск · Сколько дней · обновлено 2025-01-07\n27 дней отпуска",
    ]


async def test_a_russian_question_is_edited_into_english(stage: Scene) -> None:
    """It works the other way round too, in a direct channel, more than once."""
    dm = stage.slack.open_dm("U1")
    ts = await stage.slack.post_as("U1", dm, "Сколько дней отпуска?")
    await stage.answered(dm, ts)
    for text in ("How many days?", "Сколько дней?", "How many days off?"):
        await stage.slack.edit_as("U1", dm, ts, text)
        await stage.quiet()
    said = stage.said(dm, ts)

    assert (len(said), said[0].startswith("Annual leave"), said[1].startswith("Sources")) == (2, True, True)
    assert stage.texts == ["How many days off?"]


async def test_an_edit_has_a_later_version_each_time(stage: Scene) -> None:
    """Two edits within one second are told apart, by whichever of the two events that tell of each is the finer."""
    ts = await stage.asks("How many days?")
    for text in ("How many?", "How much?"):
        await stage.slack.edit_as("U1", "C1", ts, f"{stage.at_bot} {text}")
        await stage.quiet()

    versions = [question.version for question in stage.desk.brought]
    assert versions[:2] == [0, 0]
    assert 0 < max(versions[2:4]) < max(versions[4:6])
    assert abs(max(versions) / 1_000_000 - float(ts)) < 10
    assert stage.texts == ["How much?"]


async def test_an_edit_to_the_same_words_is_none(stage: Scene) -> None:
    """A link that unfolds, or Slack's own work on a message, changes no words: nothing is answered anew."""
    ts = await stage.asks("How many days? <https://x.example>")
    await stage.answered("C1", ts)
    calls = len(stage.slack.calls)
    await stage.slack.unfold("C1", ts, "https://x.example")
    await stage.quiet()
    await stage.slack.edit_as("U1", "C1", ts, f"{stage.at_bot} How many days? <https://x.example>")
    await stage.quiet()

    assert all(delivery.acked for delivery in stage.slack.deliveries)
    assert len(stage.slack.calls) == calls


async def test_an_edited_question_whose_link_unfolds_is_edited_once(stage: Scene) -> None:
    """The edit's mark stays on the message; what comes after it without other words is not an edit."""
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)
    await stage.slack.edit_as("U1", "C1", ts, f"{stage.at_bot} How many? <https://x.example>")
    await stage.quiet()
    brought = len(stage.desk.brought)
    await stage.slack.unfold("C1", ts, "https://x.example")
    await stage.quiet()

    assert len(stage.desk.brought) == brought


async def test_our_own_updates_are_no_edits(stage: Scene) -> None:
    """Slack tells of every chat.update and chat.delete of ours; all is acknowledged, nothing is brought."""
    ts = await stage.asks("How many days?")
    answer, evidence = await stage.answered("C1", ts)
    brought = list(stage.desk.brought)
    withdrawn: list[object] = []

    async def note(message: object, question: object = None) -> None:
        withdrawn.append(message)

    stage.desk.withdrawn = note  # type: ignore[method-assign]
    stage.slack.workspace.delete(evidence)
    await stage.quiet()

    assert answer.history
    assert (stage.desk.brought, withdrawn) == (brought, [])
    assert all(delivery.acked for delivery in stage.slack.deliveries)


async def test_other_bots_edits_are_no_questions(stage: Scene) -> None:
    """A bot that adds our name to its message by an edit is not answered."""
    ts = await stage.slack.post_as("U2", "C1", "beep", bot_id="B0OTHER")
    await stage.slack.edit_as("U2", "C1", ts, f"{stage.at_bot} beep")
    await stage.quiet()

    assert stage.desk.brought == []


async def test_a_mention_that_an_edit_adds_is_a_question(stage: Scene) -> None:
    """Whoever forgot the mention and adds it is answered, once, although two events tell of it."""
    ts = await stage.slack.post_as("U1", "C1", "How many days?")
    await stage.slack.edit_as("U1", "C1", ts, f"{stage.at_bot} How many days?")

    assert len(await stage.answered("C1", ts)) == 2
    assert stage.texts == ["How many days?"]


async def test_an_edit_of_what_nobody_asked_is_nothing(stage: Scene) -> None:
    """People who talk among themselves may reword what they say."""
    ts = await stage.slack.post_as("U1", "C1", "Lunch?")
    await stage.slack.edit_as("U1", "C1", ts, "Lunch at noon?")
    await stage.quiet()

    assert (stage.texts, stage.slack.answers("C1", ts)) == ([], [])


async def test_a_follow_up_is_edited_in_place(stage: Scene) -> None:
    """A question without a mention, in a thread with the bot, is answered anew too; the first answer stays."""
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)
    follow_up = await stage.slack.post_as("U2", "C1", "And in Leeds?", thread_ts=ts, broadcast=True)
    before = await stage.answered("C1", ts, 4)
    await stage.slack.edit_as("U2", "C1", follow_up, "А в Лидсе?")
    after = await stage.answered("C1", ts, 4)

    assert [message.ts for message in before] == [message.ts for message in after]
    assert [visible_text(message)[:8] for message in after] == ["Annual l", "Sources\n", "• Отпуск", "Источник"]


@pytest.mark.parametrize("text", ["<@U1> when is the garage open?", "<@U1>, а когда открыт гараж?"])
async def test_a_follow_up_that_an_edit_turns_to_somebody_else_loses_its_answer(stage: Scene, text: str) -> None:
    """As if it had been said so at once: nothing of ours stands between people."""
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)
    follow_up = await stage.slack.post_as("U2", "C1", "And in Leeds?", thread_ts=ts)
    before = await stage.answered("C1", ts, 4)
    await stage.slack.edit_as("U2", "C1", follow_up, text)
    await stage.quiet()

    assert [message.ts for message in before[:2]] == [one.ts for one in stage.slack.answers("C1", ts)]


async def test_an_edit_while_the_answer_is_made_shows_the_later_one(stage: Scene) -> None:
    """The words of the latest wording are what stays."""
    stage.script.gate.clear()
    ts = await stage.asks("How many days?")
    await stage.at_work(1)
    await stage.slack.edit_as("U1", "C1", ts, f"{stage.at_bot} Сколько дней?")
    await stage.slack.settled()
    stage.script.gate.set()

    answer, evidence = await stage.answered("C1", ts)
    assert visible_text(answer).startswith("• Отпуск")
    assert visible_text(evidence).startswith("Источники")


async def test_an_edit_that_overtakes_its_message_is_answered_once(stage: Scene) -> None:
    """When the edit arrives first, it is the question; the older wording that follows changes nothing."""
    channel = stage.slack.add_channel("C5", members=["U1"])
    ts = await stage.slack.post_as("U1", channel.id, f"{stage.at_bot} Сколько дней?")
    old = {"type": "app_mention", "channel": "C5", "user": "U1", "ts": ts, "text": f"{stage.at_bot} Сколько дней?"}
    stage.slack.add_channel("C5", members=["U1", stage.slack.bot_user_id])
    await stage.slack.edit_as("U1", "C5", ts, f"{stage.at_bot} How many days?")
    await stage.answered("C5", ts)
    await stage.slack.deliver(old)

    assert [visible_text(message)[:8] for message in await stage.answered("C5", ts)] == ["Annual l", "Sources\n"]


@pytest.mark.parametrize("text", ["How many days?", "Сколько дней отпуска?"])
async def test_a_deleted_question_takes_its_answer_along(stage: Scene, text: str) -> None:
    """Answer and evidence go; the first message of a thread leaves only Slack's stone in its place."""
    ts = await stage.asks(text)
    await stage.answered("C1", ts)
    await stage.slack.delete_as("U1", "C1", ts)
    await stage.quiet()

    assert stage.slack.answers("C1", ts) == []
    assert [message.subtype for message in stage.slack.thread("C1", ts)] == ["tombstone"]
    assert len(stage.slack.calls_to("chat.delete")) == 2


async def test_a_deleted_reply_takes_only_its_own_answer_along(stage: Scene) -> None:
    """`message_deleted` of a question inside a thread leaves the rest of the thread alone."""
    ts = await stage.asks("How many days?")
    first = await stage.answered("C1", ts)
    follow_up = await stage.slack.post_as("U2", "C1", "And in Leeds?", thread_ts=ts)
    await stage.answered("C1", ts, 4)
    await stage.slack.delete_as("U2", "C1", follow_up)
    await stage.quiet()

    assert [message.ts for message in stage.slack.answers("C1", ts)] == [message.ts for message in first]


async def test_a_deletion_of_what_nobody_asked_is_nothing(stage: Scene) -> None:
    """It is acknowledged."""
    ts = await stage.slack.post_as("U1", "C1", "Lunch?")
    await stage.slack.delete_as("U1", "C1", ts)
    await stage.quiet()

    assert all(delivery.acked for delivery in stage.slack.deliveries)


async def test_a_longer_answer_after_an_edit_gets_more_messages(stage: Scene) -> None:
    """What has no message yet is posted, what has one is changed."""
    ts = await stage.asks("How many days?")
    before = await stage.answered("C1", ts)

    long = RenderedReply((*DAYS.nodes, Paragraph((Text("word " * 2_000),))), DAYS.evidence, "en")
    stage.script.say = lambda question: long
    await stage.slack.edit_as("U1", "C1", ts, f"{stage.at_bot} How many days in Germany?")
    after = await stage.answered("C1", ts, 3)

    assert {message.ts for message in before} < {message.ts for message in after}
    parts = [(message.metadata or {})["event_payload"]["part"] for message in after]
    assert parts == ["answer-1", "evidence-1", "answer-2"]
