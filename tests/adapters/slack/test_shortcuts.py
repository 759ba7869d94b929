"""The shortcut "Answer this" on a message: its thread gets the answer, and whoever chose it is told what hinders."""

from typing import Any

import pytest

from core.phrases import phrase
from core.remarks import Around
from tests.adapters.slack.scene import Scene
from tests.adapters.slack.test_commands import whispers

CALLBACK = "footnote_answer"


@pytest.mark.parametrize("text", ["How many days of leave?", "Сколько дней отпуска?"])
async def test_the_message_is_the_question(stage: Scene, text: str) -> None:
    """Its thread gets the answer, as if it had mentioned the bot; who chose it asks."""
    ts = await stage.slack.post_as("U2", "C1", text)
    await stage.slack.shortcut_as("U1", "C1", ts, CALLBACK)
    answer, _ = await stage.answered("C1", ts)

    [question] = stage.desk.questions.values()
    assert (f"slack:T0TEAM:C1:{ts}", text, "U1") == (question.id, question.text, question.asker)
    assert ts == answer.thread_ts
    assert [] == stage.slack.ephemerals


async def test_a_reply_brings_its_thread(stage: Scene) -> None:
    """What was said before it in the thread is read, as for a mention there."""
    root = await stage.slack.post_as("U2", "C1", "We move to Leeds")
    ts = await stage.slack.post_as("U2", "C1", "Where do I park there?", thread_ts=root)
    await stage.slack.shortcut_as("U1", "C1", ts, CALLBACK)
    await stage.answered("C1", root)

    [question] = stage.desk.questions.values()
    assert (root, Around()) == (question.root, question.around)
    assert ["We move to Leeds"] == [remark.text for remark in await stage.platform.said_before(question)]


async def test_what_was_asked_already_is_not_asked_again(stage: Scene) -> None:
    """A message that mentioned the bot has its answer: whoever chooses it is told so."""
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)
    await stage.slack.shortcut_as("U2", "C1", ts, CALLBACK)

    assert [("U2", None, phrase("shortcut_known", "en"))] == await whispers(stage)
    assert 1 == len(stage.desk.questions)


async def test_an_edit_of_the_message_answers_anew(stage: Scene) -> None:
    """Like any question of its own, though nobody mentioned the bot in it."""
    ts = await stage.slack.post_as("U2", "C1", "How many days?")
    await stage.slack.shortcut_as("U1", "C1", ts, CALLBACK)
    await stage.answered("C1", ts)
    await stage.slack.edit_as("U2", "C1", ts, "How many days in Leeds?")
    await stage.quiet()

    assert ["How many days in Leeds?"] == stage.texts


@pytest.mark.parametrize(("locale", "language"), [("en-US", "en"), ("ru-RU", "ru")])
async def test_where_the_bot_is_not_it_asks_to_be_invited(stage: Scene, locale: str, language: Any) -> None:
    """Nothing is stored that could never be shown; it is said through the address that came along."""
    stage.slack.add_user("U1", name="Ada", locale=locale)
    ts = await stage.slack.post_as("U1", "C2", "How many days?")
    await stage.slack.shortcut_as("U1", "C2", ts, CALLBACK)

    assert [("U1", None, phrase("shortcut_invite", language))] == await whispers(stage)
    assert {} == stage.desk.questions


@pytest.mark.parametrize(
    ("trouble", "name"),
    [
        ("channel_not_found", "shortcut_invite"),
        ("missing_scope", "outside_unknown"),
        ("token_revoked", "outside_unknown"),
    ],
)
async def test_what_slack_refuses_is_said(stage: Scene, trouble: str, name: str) -> None:
    """Each error of the look-up has its sentence."""
    ts = await stage.slack.post_as("U1", "C1", "How many days?")
    stage.slack.fail_next("conversations.info", error=trouble)
    await stage.slack.shortcut_as("U1", "C1", ts, CALLBACK)

    assert [phrase(name, "en")] == [one[2] for one in await whispers(stage)]


async def test_an_archived_channel_and_a_message_without_words(stage: Scene) -> None:
    """Neither can be answered, and both are said."""
    ts = await stage.slack.post_as("U1", "C1", "How many days?")
    empty = await stage.slack.post_as("U1", "C1", "…")
    await stage.slack.shortcut_as("U1", "C1", empty, CALLBACK)
    await whispers(stage)
    stage.slack.add_channel("C1", members=["U1", stage.slack.bot_user_id], is_archived=True)
    await stage.slack.shortcut_as("U1", "C1", ts, CALLBACK)

    assert {phrase(f"shortcut_{name}", "en") for name in ("no_words", "archived")} == {
        one[2] for one in await whispers(stage, 2)
    }


async def test_another_shortcut_is_none_of_ours(stage: Scene) -> None:
    """It is acknowledged, and left alone."""
    ts = await stage.slack.post_as("U1", "C1", "How many days?")
    delivery = await stage.slack.shortcut_as("U1", "C1", ts, "other_app")
    await stage.quiet()

    assert delivery.acked
    assert {} == stage.desk.questions
