"""Messages with files, and mentions that stand in code or in somebody else's words."""

from typing import Any

import pytest

from adapters.slack.events import read_event
from adapters.slack.words import calls_others, mentions
from core.phrases import phrase
from tests.adapters.slack.scene import Scene
from tests.platforms.slack.content import typed_blocks


def sent(stage: Scene, text: str, channel: str, **changes: Any) -> dict[str, Any]:
    """Return the event of a message with a picture."""
    kind = "im" if channel.startswith("D") else "channel"
    event = {"type": "message", "subtype": "file_share", "user": "U1", "text": text, "ts": "1700000000.000100"}
    files = [{"id": "F1", "mimetype": "image/png"}]
    return event | {"channel": channel, "channel_type": kind, "event_ts": "1.1", "files": files} | changes


@pytest.mark.parametrize(("locale", "language"), [("en-GB", "en"), ("ru-RU", "ru")])
async def test_a_file_alone_is_a_question_without_words(stage: Scene, locale: str, language: str) -> None:
    """In a direct message; its sender is spoken to in the language that they read."""
    stage.slack.add_user("U1", name="Ada", locale=locale)
    await stage.slack.deliver(sent(stage, "", stage.slack.open_dm("U1")))
    await stage.quiet()

    [question] = stage.desk.questions.values()
    assert ("", True) == (question.text, question.attached)
    assert question.around is not None
    assert language == question.around.spoken


async def test_a_file_in_a_channel_is_nobody_s_question(stage: Scene) -> None:
    """Without words and a mention it is between people."""
    await stage.slack.deliver(sent(stage, "", "C1"))
    await stage.quiet()

    assert [] == stage.desk.brought


@pytest.mark.parametrize("subtype", ["file_share", "thread_broadcast"])
async def test_a_question_knows_that_a_file_came_with_it(stage: Scene, subtype: str) -> None:
    """However the message came."""
    changes = {"subtype": subtype, "thread_ts": "1600000000.000100"}
    event = sent(stage, "How many days?", stage.slack.open_dm("U1"), **changes)
    await stage.slack.deliver(event)
    await stage.quiet()

    assert [("How many days?", True)] == [(one.text, one.attached) for one in stage.desk.questions.values()]


CODED = [
    "```{bot} when is the garage open?```",
    "`{bot} when is the garage open?`",
    "&gt; {bot} when is the garage open?",
    "Anna asked this:\n&gt; {bot} когда открыт гараж?\nand nobody knew",
    "&gt;&gt;&gt; old\n{bot} when is the garage open?",
    "`{bot}`",
    "&gt; {bot}",
    "run ```deploy\n{bot}``` first",
]


@pytest.mark.parametrize("text", CODED)
async def test_code_and_quotes_call_nobody(stage: Scene, text: str) -> None:
    """Whoever shows what a colleague had asked asks nothing."""
    await stage.slack.post_as("U1", "C1", text.format(bot=stage.at_bot))
    await stage.quiet()

    assert [] == stage.desk.brought


@pytest.mark.parametrize(
    "text",
    [
        "{bot} what does `git pull` do?",
        "{bot} is this true?\n&gt; The garage is open",
        "&gt; The garage is open\n{bot} правда?",
        "a > b, {bot}?",
        "the `code`, {bot}, and ```more``` code",
        "``` is a fence, {bot}?",
    ],
)
async def test_a_mention_beside_them_asks(stage: Scene, text: str) -> None:
    """It is the author's own."""
    await stage.answered("C1", await stage.slack.post_as("U1", "C1", text.format(bot=stage.at_bot)))

    assert 1 == len(stage.texts)


def test_somebody_in_code_is_not_called() -> None:
    """So that what follows in a thread is still for us."""
    assert not calls_others("`<@U2>` said so", "U0")
    assert calls_others("<@U2> `x`", "U0")
    assert not mentions("&gt; <@U0>", "U0")


def test_the_stand_in_writes_blocks_as_clients_do() -> None:
    """Code and quotes are elements of their own kind."""
    [block] = typed_blocks("see `x` and\n```a <@U0>```\n&gt; <@U0> hm\n&gt; yes\nbye")
    kinds = [element["type"].removeprefix("rich_text_") for element in block["elements"]]

    assert ["section", "preformatted", "section", "quote", "section"] == kinds
    assert {"type": "text", "text": "x", "style": {"code": True}} in block["elements"][0]["elements"]
    assert read_event({"event": {}}, "U0") is None


@pytest.mark.parametrize("language", ["en", "ru"])
def test_sentences_are_there(language: Any) -> None:
    """Each says that files are not read."""
    assert phrase("file_alone", language) != phrase("file_unread", language)
