"""`/ask`: answers that one person alone sees, where they go when they cannot be shown, and how they are shared."""

from dataclasses import replace
from typing import Any

import pytest

from core.conversation import Audience, MessageRef, Question
from core.delivery import CannotTell, Doubtful, Later, Outgoing, Part, Refused, Shown
from core.phrases import phrase
from core.press import Alone
from core.reply import Action
from tests.adapters.slack.scene import DAYS, DNI, Scene
from tests.adapters.slack.test_commands import whispers
from tests.platforms.slack import visible_text

POST, EPHEMERAL = "chat.postMessage", "chat.postEphemeral"


async def ask(stage: Scene, text: str = "How many days?", channel: str = "C1") -> Question:
    """Ask in private, and return the question."""
    await stage.slack.command_as("U1", channel, "/ask", text)
    await stage.quiet()
    [question] = stage.desk.questions.values()
    return question


def outgoing(question: Question, part: Part) -> Outgoing:
    """Return a part of the reply as it is handed over to be shown."""
    asked = MessageRef("slack", question.place, question.message)
    return Outgoing(1, question.id, part.name, part.body, asked, question.root)


@pytest.mark.parametrize(("text", "language"), [("How many days?", "en"), ("Сколько дней?", "ru")])
async def test_only_the_asker_sees_the_answer(stage: Scene, text: str, language: Any) -> None:
    """The acknowledgement says that it is looked for; answer and evidence follow, and the channel sees nothing."""
    question = await ask(stage, text)
    shown = await whispers(stage, 3)

    assert {("U1", None)} == {one[:2] for one in shown}
    assert phrase("private_looking", language) == shown[0][2]
    assert (text, "U1", True, None) == (question.text, question.asker, question.private, question.root)
    assert question.audience == Audience("T0TEAM", frozenset({"slack:T0TEAM:C1", "slack:T0TEAM:U1"}))
    assert [] == [one for one in stage.slack.workspace.messages.values() if one.user == stage.slack.bot_user_id]


async def test_a_command_that_comes_twice_is_one_question(stage: Scene) -> None:
    """Slack repeats what it believes was lost; the request is the same."""
    delivery = await stage.slack.command_as("U1", "C1", "/ask", "How many days?")
    await stage.quiet()
    stage.slack._courier.hand_over("slash_commands", delivery.payload, 1)
    await stage.quiet()

    assert 1 == len(stage.desk.questions)
    assert 2 == len(stage.desk.brought)


async def test_what_cannot_be_stored_is_not_acknowledged(stage: Scene) -> None:
    """Slack tells the person that it failed; nobody is told that it is looked for before it is stored."""
    stage.desk.fails = 1
    delivery = await stage.slack.command_as("U1", "C1", "/ask", "How many days?")
    await stage.quiet()

    assert (False, {}, []) == (delivery.acked, stage.desk.questions, stage.slack.ephemerals)


@pytest.mark.parametrize(("locale", "language"), [("en-GB", "en"), ("ru-RU", "ru")])
async def test_without_words_it_says_how_to_ask(stage: Scene, locale: str, language: Any) -> None:
    """In the language that the person reads; there is nothing to answer."""
    stage.slack.add_user("U1", name="Ada", locale=locale)
    await stage.slack.command_as("U1", "C1", "/ask", "  ")

    assert [phrase("private_how", language)] == [one[2] for one in await whispers(stage)]
    assert {} == stage.desk.questions


async def test_where_the_bot_is_not_the_answer_comes_directly(stage: Scene) -> None:
    """In a channel without it, which is named; the evidence follows."""
    await ask(stage, channel="C2")
    await stage.quiet()
    direct = [one for one in stage.slack.workspace.messages.values() if one.user == stage.slack.bot_user_id]

    assert ["D1", "D1"] == [one.channel for one in direct]
    assert visible_text(direct[0]).startswith(phrase("private_elsewhere", "en"))
    assert {"type": "channel", "channel_id": "C2"} in direct[0].blocks[0]["elements"][0]["elements"]
    posts = [call.arguments for call in stage.slack.calls_to("chat.postMessage")]
    assert [(False, False)] * 2 == [(bool(post["unfurl_links"]), bool(post["unfurl_media"])) for post in posts]


@pytest.mark.parametrize("error", ["not_in_channel", "channel_not_found", "user_not_in_channel", "is_archived"])
async def test_what_cannot_be_whispered_there_is_written_directly(stage: Scene, error: str) -> None:
    """Whatever keeps it out of the channel, the asker gets the answer."""
    question = await ask(stage)
    stage.slack.fail_next(EPHEMERAL, error=error)
    outcome = await stage.platform.show(outgoing(question, stage.platform.parts(DNI)[0]))

    assert isinstance(outcome, Shown)
    assert outcome.message is not None
    assert "T0TEAM:D1" == outcome.message.place


@pytest.mark.parametrize(
    ("trouble", "outcome"),
    [
        ({"error": "missing_scope"}, Refused),
        ({"error": "token_revoked"}, Later),
        ({"status": 429, "retry_after": 7}, Later),
        ({"drop": "before"}, Doubtful),
        ({"status": 503}, Doubtful),
        ({"drop": "after"}, Doubtful),
    ],
)
async def test_each_trouble_has_its_outcome(stage: Scene, trouble: dict[str, Any], outcome: type) -> None:
    """What may have been shown is never shown again unasked, and nobody can look whether it was."""
    question = await ask(stage)
    stage.slack.fail_next(EPHEMERAL, **trouble)
    message = outgoing(question, stage.platform.parts(DAYS)[0])

    assert isinstance(await stage.platform.show(message), outcome)
    assert CannotTell() == await stage.platform.find(message)


async def test_a_press_of_what_one_person_sees_says_so(stage: Scene) -> None:
    """It is theirs alone, and says where it would be said aloud and who would read it then."""
    question = await ask(stage)
    reply = replace(DAYS, actions=(Action("share", "Share in channel"),))
    await stage.platform.show(outgoing(question, stage.platform.parts(reply)[0]))
    shown = stage.slack.ephemerals[-1]
    [element] = [each for block in shown.blocks if block["type"] == "actions" for each in block["elements"]]
    await stage.slack.click_as("U1", "C1", shown.ts, element["action_id"])
    await stage.quiet()

    assert [("share:", MessageRef("slack", "T0TEAM:C1", shown.ts))] == stage.desk.presses
    assert [("U1", question.audience)] == stage.desk.people
    assert (
        Alone(f"U1/{shown.ts}", f"/{shown.ts}", Audience("T0TEAM", frozenset({"slack:T0TEAM:C1"}))) == stage.desk.alone
    )


async def test_what_is_said_aloud_begins_no_thread_and_its_evidence_goes_under_it(stage: Scene) -> None:
    """A shared answer stands in the channel itself, is found there again, and its evidence replies to it."""
    answer, evidence = stage.platform.parts(DAYS)
    began = stage.slack.workspace.next_ts()
    asked = MessageRef("slack", "T0TEAM:C1", f"/{began}")
    first = Outgoing(1, "q!share", answer.name, answer.body, asked)
    shown = await stage.platform.show(first)
    assert isinstance(shown, Shown)
    assert shown.message is not None
    await stage.platform.show(Outgoing(2, "q!share", evidence.name, evidence.body, asked, first=shown.message))
    posted = [one for one in stage.slack.workspace.messages.values() if one.user == stage.slack.bot_user_id]

    assert [None, shown.message.message] == [one.thread_ts for one in posted]
    found = await stage.platform.find(first)
    assert shown.message == getattr(found, "message", None)
