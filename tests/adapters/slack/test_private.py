"""`/ask`: answers that one person alone sees, where they go when they cannot be shown, and how they are shared."""

from dataclasses import replace
from typing import Any
from unittest.mock import AsyncMock, patch

import pytest

from core.conversation import Audience, MessageRef, Question
from core.delivery import CannotTell, Doubtful, Later, Outgoing, Part, Shown
from core.phrases import phrase
from core.press import Alone, Heard
from core.render import say
from core.reply import Action, RenderedReply
from core.text import Language
from tests.adapters.slack.scene import DAYS, DNI, Scene
from tests.adapters.slack.test_commands import whispers
from tests.adapters.slack.test_judging import asks_why, judgeable
from tests.platforms.slack import Message, visible_text
from tests.platforms.slack.models import ChannelKind
from tests.platforms.slack.waiting import until

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
    """Where it takes long it is said so; answer and evidence follow, and the channel sees nothing."""
    stage.script.gate.clear()
    await stage.slack.command_as("U1", "C1", "/ask", text)
    await until(lambda: bool(stage.slack.ephemerals), lambda: f"{stage.slack.calls}", 5.0)
    stage.script.gate.set()
    shown = await whispers(stage, 3)
    [question] = stage.desk.questions.values()

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
    """It names the channel without the bot; the evidence follows."""
    await ask(stage, channel="C2")
    await stage.quiet()
    direct = [one for one in stage.slack.workspace.messages.values() if one.user == stage.slack.bot_user_id]

    assert ["D1", "D1"] == [one.channel for one in direct]
    assert visible_text(direct[0]).startswith(phrase("private_elsewhere", "en"))
    assert {"type": "channel", "channel_id": "C2"} in direct[0].blocks[0]["elements"][0]["elements"]
    posts = [call.arguments for call in stage.slack.calls_to("chat.postMessage")]
    assert [(False, False)] * 2 == [(bool(post["unfurl_links"]), bool(post["unfurl_media"])) for post in posts]


@pytest.mark.parametrize("kind", ["group", "mpim"])
@pytest.mark.parametrize(("text", "language"), [("How many days?", "en"), ("Сколько дней?", "ru")])
async def test_a_member_is_answered_from_where_the_bot_cannot_look(
    stage: Scene, kind: ChannelKind, text: str, language: Language
) -> None:
    """A private channel without the bot: it is looked for, and the answer comes directly, naming the channel."""
    stage.slack.add_channel("G1", members=["U1", "U2"], kind=kind)
    question = await ask(stage, text, "G1")
    await stage.quiet()
    direct = [one for one in stage.slack.workspace.messages.values() if one.user == stage.slack.bot_user_id]

    assert [] == stage.slack.ephemerals
    assert (True, Audience("T0TEAM", frozenset({"slack:T0TEAM:G1", "slack:T0TEAM:U1"}))) == (
        question.private,
        question.audience,
    )
    assert ["D1", "D1"] == [one.channel for one in direct]
    assert visible_text(direct[0]).startswith(phrase("private_elsewhere", language))


async def test_a_command_is_done_where_the_bot_cannot_look(stage: Scene) -> None:
    """Only its giver hears of it; and a press that confirms it takes the question's place."""
    stage.slack.add_channel("G1", members=["U1"], kind="group")
    await stage.slack.command_as("U1", "G1", "/footnote", "status")
    assert ["status"] == [one[2].strip() for one in await whispers(stage)]
    sure = RenderedReply(say("Sure?", "en").nodes, (), "en", (Action("forget", "Remove", "en.slack:T0TEAM:U1"),))
    stage.desk.hears = Heard(say("Removed.", "en"))
    with patch.object(stage.desk, "commanded", AsyncMock(return_value=sure)):
        await stage.slack.command_as("U1", "G1", "/footnote", "forget")
        await whispers(stage, 2)
    await stage.slack.click_as("U1", "G1", stage.slack.ephemerals[1].ts, "footnote_forget_1")
    await until(
        lambda: "Removed." == visible_text(stage.slack.ephemerals[-1]), lambda: f"{stage.slack.ephemerals}", 5.0
    )

    assert 2 == len(stage.slack.ephemerals)


@pytest.mark.parametrize("traits", [{"is_guest": True}, {"team_id": "T0OTHER"}])
@pytest.mark.parametrize(("locale", "language"), [("en-GB", "en"), ("ru-RU", "ru")])
async def test_an_outsider_is_answered_nothing_from_there(
    stage: Scene, traits: dict[str, Any], locale: str, language: Language
) -> None:
    """Neither a question nor a command, though nobody else would read it."""
    stage.slack.add_user("U1", name="Ada", locale=locale, **traits)
    stage.slack.add_channel("G1", members=["U1", "U2"], kind="group")
    await stage.slack.command_as("U1", "G1", "/ask", "How many days?")
    await stage.slack.command_as("U1", "G1", "/footnote", "status")

    assert [phrase("outside_person", language)] * 2 == [one[2] for one in await whispers(stage, 2)]
    assert ({}, []) == (stage.desk.questions, stage.desk.commands)


async def test_what_else_keeps_it_from_looking_still_does(stage: Scene) -> None:
    """A missing permission is no private channel: who asks hears of it."""
    stage.slack.add_channel("G1", members=["U1"], kind="group")
    stage.slack.fail_next("conversations.info", error="missing_scope", times=2)
    await stage.slack.command_as("U1", "G1", "/ask", "How many days?")

    assert [phrase("outside_unknown", "en")] == [one[2] for one in await whispers(stage)]
    assert {} == stage.desk.questions


@pytest.mark.parametrize(("reply", "language"), [(DAYS, "en"), (DNI, "ru")])
async def test_what_comes_directly_cannot_be_shared(stage: Scene, reply: RenderedReply, language: Language) -> None:
    """The bot cannot write where it would be shared: how to invite it stands in place of the button."""
    sharable = replace(
        judgeable(reply), actions=(*judgeable(reply).actions, Action("share", phrase("share", language)))
    )
    stage.script.say = lambda _: sharable
    await ask(stage, "How many days?", "C2")
    await stage.quiet()
    [answer, *_] = [one for one in stage.slack.workspace.messages.values() if one.user == stage.slack.bot_user_id]
    buttons = [each["value"] for block in answer.blocks if block["type"] == "actions" for each in block["elements"]]

    assert phrase("private_invite", language) in visible_text(answer)
    assert ["why:"] == buttons
    assert "context_actions" == answer.blocks[-1]["type"]


async def test_nobody_is_told_to_invite_where_that_would_not_help(stage: Scene) -> None:
    """An archived channel takes nothing from a bot that is in it, either."""
    question = await ask(stage)
    stage.slack.fail_next(EPHEMERAL, error="is_archived")
    await stage.platform.show(outgoing(question, stage.platform.parts(DAYS)[0]))
    [direct] = [one for one in stage.slack.workspace.messages.values() if one.channel == "D1"]

    assert phrase("private_elsewhere", "en") in visible_text(direct)
    assert phrase("private_invite", "en") not in visible_text(direct)


@pytest.mark.parametrize("error", ["not_in_channel", "channel_not_found", "user_not_in_channel", "is_archived"])
async def test_what_cannot_be_whispered_there_is_written_directly(stage: Scene, error: str) -> None:
    """Whatever keeps it out of the channel, the asker gets the answer."""
    question = await ask(stage)
    stage.slack.fail_next(EPHEMERAL, error=error)
    outcome = await stage.platform.show(outgoing(question, stage.platform.parts(DNI)[0]))

    assert isinstance(outcome, Shown)
    assert outcome.message is not None
    assert "T0TEAM:D1" == outcome.message.place


@pytest.mark.parametrize(("channel", "changes"), [("C1", 0), ("C2", 1)])
async def test_a_shown_answer_is_never_shown_a_second_time(stage: Scene, channel: str, changes: int) -> None:
    """What a press changes of it changes in the direct channel, and nowhere else, where nothing can be changed."""
    question = await ask(stage, channel=channel)
    first = outgoing(question, stage.platform.parts(DAYS)[0])
    outcome = await stage.platform.show(first)
    assert isinstance(outcome, Shown)
    said = [len(stage.slack.calls_to(method)) for method in (EPHEMERAL, POST)]
    again = await stage.platform.show(replace(first, body=stage.platform.parts(DNI)[0].body, shown=outcome.message))

    assert outcome == again
    assert said == [len(stage.slack.calls_to(method)) for method in (EPHEMERAL, POST)]
    assert changes == len(stage.slack.calls_to("chat.update"))
    assert changes == sum("Отпуск — 27" in visible_text(one) for one in stage.slack.workspace.messages.values())


@pytest.mark.parametrize(("channel", "method"), [("C1", EPHEMERAL), ("C2", POST)])
async def test_where_slack_knows_no_thumbs_there_are_ordinary_buttons(stage: Scene, channel: str, method: str) -> None:
    """As for what everybody sees: only then do words stand alone."""
    question = await ask(stage, channel=channel)
    before = len(stage.slack.calls_to(method))
    stage.slack.fail_next(method, error="invalid_blocks")
    outcome = await stage.platform.show(outgoing(question, stage.platform.parts(judgeable(DAYS))[0]))
    tried = [call.arguments for call in stage.slack.calls_to(method)][before:]
    kinds = [[block["type"] for block in one["blocks"]] for one in tried]

    assert isinstance(outcome, Shown)
    assert [["context_actions"], ["actions"]] == [types[-1:] for types in kinds]


@pytest.mark.parametrize(
    ("trouble", "outcome"),
    [
        ({"error": "missing_scope"}, Later),
        ({"error": "user_not_found"}, Shown),
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


async def judged_alone(stage: Scene, reply: RenderedReply) -> Message:
    """Return the answer to a private question, with what can be done under it."""
    stage.script.say = lambda _: judgeable(reply)
    await ask(stage, "How many days?" if reply.language == "en" else "Сколько дней?")
    await whispers(stage, 2)
    return stage.slack.ephemerals[0]


async def said_beside(stage: Scene, answer: Message, hears: Heard, action: str, value: str | None = None) -> str:
    """Return what comes when a button under the answer is pressed; the answer stands there all the same."""
    stage.desk.hears = hears
    await stage.slack.click_as("U1", "C1", answer.ts, action, value=value)
    shown = await whispers(stage, 3)

    assert 3 == len(shown)
    assert answer == stage.slack.ephemerals[0]
    return shown[2][2]


@pytest.mark.parametrize(("action", "value"), [("footnote_judge", "judge:up.0"), ("footnote_why_1", None)])
@pytest.mark.parametrize("reply", [DAYS, DNI])
async def test_what_is_said_of_a_private_answer_comes_beside_it(
    stage: Scene, reply: RenderedReply, action: str, value: str | None
) -> None:
    """Slack keeps no copy of what only one person saw: no word may take an answer's place."""
    answer = await judged_alone(stage, reply)
    word = phrase("thanks_up", reply.language)

    assert word == await said_beside(stage, answer, Heard(say(word, reply.language)), action, value)


@pytest.mark.parametrize("reply", [DAYS, DNI])
async def test_why_a_private_answer_did_not_help_is_asked_beside_it(stage: Scene, reply: RenderedReply) -> None:
    """A reason names the answer, which stays; thanks take the place of the reasons."""
    answer = await judged_alone(stage, reply)
    asked = await said_beside(stage, answer, asks_why(reply.language), "footnote_judge", "judge:down.0")
    stage.desk.hears = Heard(say("Thank you.", "en"), passing=True)
    await stage.slack.click_as("U1", "C1", stage.slack.ephemerals[2].ts, "footnote_reason_3")
    await until(
        lambda: "Thank you." in visible_text(stage.slack.ephemerals[-1]), lambda: f"{stage.slack.ephemerals}", 5.0
    )

    assert phrase("reason_outdated", reply.language) in asked
    assert ("reason:outdated.0", answer.ts) == [(button, ref.message) for button, ref in stage.desk.presses][-1]
    assert (3, answer) == (len(stage.slack.ephemerals), stage.slack.ephemerals[0])


@pytest.mark.parametrize(("reply", "language"), [(DAYS, "en"), (DNI, "ru")])
async def test_an_old_button_of_a_private_answer_takes_nothing_away(
    stage: Scene, reply: RenderedReply, language: Language
) -> None:
    """That it is out of date is said beside the answer, too; and of a reason beside what asked for it."""
    stage.slack.add_user("U1", name="Ada", locale="ru-RU" if language == "ru" else "en-GB")
    answer = await judged_alone(stage, reply)
    await said_beside(stage, answer, asks_why(language), "footnote_judge", "judge:down.0")
    stage.desk.knows_buttons = False
    for message, action in ((answer, "footnote_why_1"), (stage.slack.ephemerals[2], "footnote_reason_1")):
        await stage.slack.click_as("U1", "C1", message.ts, action)
    shown = await whispers(stage, 5)

    assert answer == stage.slack.ephemerals[0]
    assert phrase("reason_wrong", language) in shown[2][2]
    assert 2 == len([one for one in shown if one[2] == phrase("out_of_date", language)])
