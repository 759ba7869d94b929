"""What people tell the bot to do in Slack, what they alone see of it, and what is overheard there."""

from typing import Any

import pytest

from adapters.slack.commands import command_in
from adapters.slack.events import Post, read_event
from core.conversation import Command
from core.text import Language
from tests.adapters.slack.scene import Scene, scene
from tests.adapters.slack.test_start_stop import HTTP, url_of
from tests.platforms.slack import visible_text
from tests.platforms.slack.waiting import until


async def whispers(stage: Scene, count: int = 1) -> list[tuple[str | None, str | None, str]]:
    """Return whom something was shown to alone, in which thread, and what, once there is so much."""
    await until(
        lambda: len(stage.slack.ephemerals) >= count, lambda: f"{stage.slack.ephemerals}, {stage.slack.calls}", 5.0
    )
    await stage.quiet()
    return [(one.only_for, one.thread_ts, visible_text(one)) for one in stage.slack.ephemerals]


@pytest.mark.parametrize(
    ("words", "verb", "rest"),
    [
        ("/why", "why", ""),
        ("channel mode gate", "mode", "gate"),
        ("/channel", "mode", ""),
        ("Channel mode ALL", "mode", "ALL"),
    ],
)
async def test_a_command_in_a_mention_is_answered_to_its_writer_alone(
    stage: Scene, words: str, verb: str, rest: str
) -> None:
    """Once, though two events tell of it, in the thread where it stands; it is no question."""
    root = await stage.slack.post_as("U2", "C1", "Hello")
    await stage.asks(words, thread_ts=root)

    assert [("U1", root, f"{verb} {rest}".strip())] == [(*one[:2], one[2].strip()) for one in await whispers(stage)]
    assert [] == stage.texts
    [command] = stage.desk.commands
    assert (
        Command(
            verb="why" if verb == "why" else "mode",
            platform="slack",
            place="T0TEAM:C1",
            asker="U1",
            person="slack:T0TEAM:U1",
            words=rest,
            thread=f"slack:T0TEAM:C1:{root}",
            id=command.id,
        )
        == command
    )


@pytest.mark.parametrize("words", ["/why", "/почему"])
async def test_both_events_of_a_mention_tell_of_one_command(stage: Scene, words: str) -> None:
    """Slack gives them to any of several copies of the bot: by the id these know that it is the same."""
    root = await stage.slack.post_as("U2", "C1", "Hello")
    ts = await stage.asks(words, thread_ts=root)
    await whispers(stage)
    events = [one.payload for one in stage.slack.deliveries if one.payload.get("event", {}).get("ts") == ts]
    told = [read_event(body, stage.slack.bot_user_id) for body in events]
    commands = [command_in(post, stage.slack.bot_user_id) for post in told if isinstance(post, Post)]

    assert {"app_mention", "message"} == {body["event"]["type"] for body in events}
    assert [f"slack:T0TEAM:C1:{ts}"] * 2 == [command.id for command in commands if command]


@pytest.mark.parametrize("words", ["why?", "Why do I need it?", "channel", "which channel mode is there?", "почему?"])
async def test_a_question_is_no_command(stage: Scene, words: str) -> None:
    """What may be asked of the documents is asked of them."""
    ts = await stage.asks(words)
    await stage.answered("C1", ts)

    assert ([words], []) == (stage.texts, stage.desk.commands)


async def test_an_edit_is_no_command(stage: Scene) -> None:
    """A message that is made to say one later sets nothing."""
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)
    await stage.slack.edit_as("U1", "C1", ts, f"{stage.at_bot} channel mode all")
    await stage.quiet()

    assert [] == stage.desk.commands


@pytest.mark.parametrize("changes", [{}, HTTP])
async def test_a_slash_command_is_answered_to_its_writer_alone(changes: dict[str, Any]) -> None:
    """In the acknowledgement itself, over both ways in; what is no command calls for help."""
    async with scene(**changes) as stage:
        if changes:
            stage.slack.send_events_to(url_of(stage))
        for text in ("why", "channel mode gate", "hello"):
            await stage.slack.command_as("U1", "C1", "/footnote", text)
        shown = await whispers(stage, 3)

    assert {"U1"} == {one[0] for one in shown}
    assert ["help hello", "mode gate", "why"] == sorted(one[2].strip() for one in shown)
    assert [("slack:T0TEAM:U1", None, None)] * 3 == [(c.person, c.thread, c.about) for c in stage.desk.commands]


@pytest.mark.parametrize(
    ("locale", "words", "language"),
    [("ru-RU", "why", "ru"), ("en-GB", "почему", "ru"), ("en-GB", "why", "en"), ("ru-RU", "sources", "ru")],
)
async def test_a_command_is_answered_in_the_language_that_its_giver_reads(
    stage: Scene, locale: str, words: str, language: Language
) -> None:
    """English words of a command tell nothing, English as the choice in Slack hardly more; Russian in either does."""
    stage.slack.add_user("U1", name="Ada", locale=locale)
    await stage.slack.command_as("U1", "C1", "/footnote", words)
    await stage.slack.post_as("U1", "C1", f"{stage.at_bot} /{words}")
    await whispers(stage, 2)

    assert [language, language] == [command.language for command in stage.desk.commands]


async def test_in_mode_all_every_post_of_a_person_is_a_question() -> None:
    """Top-level posts and replies in any thread, in both languages; not other bots, joins, or posts without words."""
    async with scene() as stage:
        stage.desk.mode = "all"
        first = await stage.slack.post_as("U1", "C1", "How many days?")
        await stage.answered("C1", first)
        await stage.slack.post_as("U2", "C1", "Сколько дней?", thread_ts=first)
        await stage.slack.post_as("U2", "C1", "  ")
        # Longer than any message that a person can write: nobody asks in it.
        await stage.slack.post_as("U2", "C1", "days " * 8_001)
        await stage.quiet()

    assert ["How many days?", "Сколько дней?"] == stage.texts


async def test_what_is_overheard_is_nothing_in_mode_mention(stage: Scene) -> None:
    """A post that speaks to nobody is acknowledged, and leaves no trace."""
    await stage.slack.post_as("U1", "C1", "How many days of leave do we get?")
    await stage.quiet()

    assert ([], []) == (stage.texts, stage.desk.brought)
    assert all(delivery.acked for delivery in stage.slack.deliveries)
