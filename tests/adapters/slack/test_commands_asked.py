"""`/ask` with a command in place of a question, in English and in Russian."""

import pytest

from adapters.slack.commands import slash_in
from adapters.slack.private import ask_in
from tests.adapters.slack.scene import Scene
from tests.adapters.slack.test_commands import whispers


def asked(text: str) -> dict[str, str]:
    """Return the payload of `/ask` with these words."""
    return {
        "command": "/ask",
        "text": text,
        "team_id": "T0TEAM",
        "channel_id": "C1",
        "user_id": "U1",
        "trigger_id": "1",
    }


@pytest.mark.parametrize(
    ("text", "verb", "words"),
    [
        ("help", "help", ""),
        ("Help!", "help", ""),
        ("/help", "help", ""),
        ("справка", "help", ""),
        ("Помощь?", "help", ""),
        ("status", "status", ""),
        ("Статус", "status", ""),
        ("why?", "why", ""),
        ("почему?", "why", ""),
        ("forget", "forget", ""),
        ("забыть", "forget", ""),
        ("/sources", "sources", ""),
        ("forget slack:T0TEAM:U2", "forget", "slack:T0TEAM:U2"),
    ],
)
async def test_a_command_is_no_question(stage: Scene, text: str, verb: str, words: str) -> None:
    """It is done as /footnote does it, and nothing is asked of the documents."""
    await stage.slack.command_as("U1", "C1", "/ask", text)

    assert [f"{verb} {words}".strip()] == [one[2].strip() for one in await whispers(stage)]
    assert {} == stage.desk.questions


@pytest.mark.parametrize(
    "text",
    [
        "help desk opening hours",
        "why is the garage closed?",
        "status of the north wing",
        "forget about it: what is the rule?",
        "почему закрыт гараж?",
        "справка о доходах: где взять?",
        "sources",
        "log",
    ],
)
def test_a_question_that_begins_like_one_is_a_question(text: str) -> None:
    """What may be asked of the documents is asked of them."""
    question = ask_in(asked(text))

    assert question is not None
    assert text == question.text


@pytest.mark.parametrize("text", ["", "  ", "?", "…"])
async def test_nothing_says_how_to_ask(stage: Scene, text: str) -> None:
    """No words are no question, and no command either."""
    await stage.slack.command_as("U1", "C1", "/ask", text)

    assert "/ask" in (await whispers(stage))[0][2]
    assert ({}, []) == (stage.desk.questions, stage.desk.commands)


def test_other_commands_are_read_as_before() -> None:
    """The words behind /footnote are a command or call for help."""
    command = slash_in(asked("opening hours") | {"command": "/footnote"})

    assert command is not None
    assert ("help", "opening hours") == (command.verb, command.words)
