"""Mentions in Slack's threads among people: what is read there, and what a mention without words is."""

from typing import Any

import pytest

from adapters.slack.threads import _remarks
from core.remarks import Around
from tests.adapters.slack.scene import Scene


async def thread(stage: Scene) -> str:
    """Let two people and another bot talk in a thread; return its first message."""
    root = await stage.slack.post_as("U1", "C1", "We move to Leeds &amp; need parking")
    await stage.slack.post_as("U2", "C1", "Where do I park there?", thread_ts=root)
    await stage.slack.post_as("U2", "C1", "Deploy finished", thread_ts=root, bot_id="B0OTHER")
    return root


async def mentioned(stage: Scene, text: str, root: str | None) -> Any:
    """Mention the bot, and return what it took that for."""
    ts = await stage.slack.post_as("U1", "C1", f"{stage.at_bot} {text}".strip(), thread_ts=root)
    await stage.quiet()
    return stage.desk.questions[f"slack:T0TEAM:C1:{ts}"]


@pytest.mark.parametrize("text", ["", "who knows?", "а кто знает?"])
async def test_people_s_words_before_the_mention_are_read(stage: Scene, text: str) -> None:
    """The oldest first, as they see them; not other bots' words, not what was said to us, and nothing said later."""
    root = await thread(stage)
    await stage.asks("What is parking?", user="U2", thread_ts=root)
    question = await mentioned(stage, text, root)
    await stage.slack.post_as("U2", "C1", "Forget it", thread_ts=root)
    said = await stage.platform.said_before(question)

    assert (text, Around()) == (question.text, question.around if text else Around())
    assert ["We move to Leeds & need parking", "Where do I park there?"] == [remark.text for remark in said]
    assert float(root) == said[0].at.timestamp()


@pytest.mark.parametrize("text", ["Printer request: who repairs it?", "Заявка: кто чинит принтер?"])
async def test_what_a_thread_began_with_counts_whoever_wrote_it(stage: Scene, text: str) -> None:
    """A form or an alert is what people talk about there; what apps reply is left out, and so is what we began."""
    root = await stage.slack.post_as("U2", "C1", text, bot_id="B0FORMS")
    await stage.slack.post_as("U2", "C1", "Ticket 12", thread_ts=root, bot_id="B0FORMS")
    await stage.slack.post_as("U1", "C1", "No idea", thread_ts=root)
    said = await stage.platform.said_before(await mentioned(stage, "", root))

    assert [(text, True), ("No idea", False)] == [(remark.text, remark.by_app) for remark in said]


@pytest.mark.parametrize(
    ("message", "counts"),
    [
        ({"bot_id": "B1", "user": "U9", "text": "Down"}, "Down"),
        ({"subtype": "bot_message", "text": "<@U0BOT> Down"}, "Down"),
        ({"bot_id": "B1", "text": "", "attachments": [{"title": "Down", "text": "since noon"}]}, "Down\nsince noon"),
        ({"bot_id": "B1", "attachments": [3, {"fallback": "Упало"}]}, "Упало"),
        ({"user": "USLACKBOT", "text": "Reminder: timesheets"}, "Reminder: timesheets"),
        ({"bot_id": "B0", "user": "U0BOT", "text": "Here are the sources"}, None),
        ({"subtype": "channel_join", "user": "U2", "text": "U2 has joined"}, None),
    ],
)
async def test_apps_write_in_many_forms(stage: Scene, message: dict[str, Any], counts: str | None) -> None:
    """By a hook, a workflow, with all words attached; a notice is nobody's message."""
    question = await mentioned(stage, "", await thread(stage))
    root = {"ts": question.root, **message}
    said = [remark.text for remark in _remarks([root], question, "U0BOT")]

    assert said == ([] if counts is None else [counts])


async def test_a_mention_alone_speaks_the_asker_s_language(stage: Scene) -> None:
    """Without words, Slack is asked what its user reads; in a thread it is unread, outside of one there is none."""
    stage.slack.add_user("U1", name="Ada", locale="ru-RU")
    root = await thread(stage)

    assert Around(None, "ru") == (await mentioned(stage, "", root)).around
    assert Around((), "ru") == (await mentioned(stage, "", None)).around


@pytest.mark.parametrize(("earlier", "language"), [("Сколько дней отпуска?", "ru"), ("How many days?", "en")])
async def test_names_alone_are_answered_as_their_asker_writes(stage: Scene, earlier: str, language: str) -> None:
    """They tell no language; Slack is not asked for it before the question is stored."""
    await mentioned(stage, earlier, None)

    assert language == (await mentioned(stage, "RAG?", None)).language


async def test_where_words_and_no_people_are_nothing_is_read(stage: Scene) -> None:
    """A question in the channel itself, and every direct message, has no thread among people."""
    direct = stage.slack.open_dm("U1")
    await stage.slack.post_as("U1", direct, "How many days?")

    assert (await mentioned(stage, "How many days?", None)).around is None
    assert [None] * 2 == [question.around for question in stage.desk.questions.values()]


async def test_also_sent_to_the_channel_is_one_question(stage: Scene) -> None:
    """A reply in the thread that stands in the channel, too, is answered once, in its thread."""
    root = await thread(stage)
    text = f"{stage.at_bot} how many days?"
    await stage.slack.post_as("U1", "C1", text, thread_ts=root, broadcast=True)
    await stage.answered("C1", root)

    [question] = stage.desk.questions.values()
    assert (root, Around()) == (question.root, question.around)


@pytest.mark.parametrize(
    "trouble",
    [
        {"error": "missing_scope"},
        {"error": "thread_not_found"},
        {"error": "not_in_channel"},
        {"error": "token_revoked"},
        {"status": 429, "retry_after": 60},
    ],
)
async def test_a_thread_that_cannot_be_read_says_nothing(stage: Scene, trouble: dict[str, Any]) -> None:
    """The question is answered without it: at once, not after the minute that Slack may ask for."""
    question = await mentioned(stage, "and in Leeds?", await thread(stage))
    stage.slack.fail_next("conversations.replies", **trouble)

    assert () == await stage.platform.said_before(question)


async def test_what_passes_is_tried_again(stage: Scene) -> None:
    """A server error and a lost connection do not cost the context."""
    question = await mentioned(stage, "and in Leeds?", await thread(stage))
    stage.slack.fail_next("conversations.replies", status=503)
    stage.slack.fail_next("conversations.replies", drop="before")

    assert 2 == len(await stage.platform.said_before(question))


async def test_a_group_message_is_asked_by_a_mention(stage: Scene) -> None:
    """People who write to each other are not interrupted; who mentions the bot is answered."""
    members = ["U1", "U2", stage.slack.bot_user_id]
    stage.slack.add_channel("G1", members=members, kind="mpim")
    await stage.slack.post_as("U2", "G1", "Сколько дней отпуска?")
    ts = await stage.asks("Сколько дней отпуска?", channel="G1")
    await stage.answered("G1", ts)

    assert [f"slack:T0TEAM:G1:{ts}"] == list(stage.desk.questions)
