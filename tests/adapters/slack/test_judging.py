"""Thumbs under an answer in Slack: native buttons, reasons before one person alone, and emoji."""

from dataclasses import replace
from typing import Any

import pytest

from adapters.slack.parts import in_usual_blocks, parts_of
from core.feedback import reasons, with_buttons
from core.phrases import phrase
from core.press import Heard
from core.render import say
from core.reply import RenderedReply
from core.text import Language
from tests.adapters.slack.scene import DAYS, DNI, Scene
from tests.adapters.storage.turns import ask, finish
from tests.platforms.slack import Message, visible_text
from tests.platforms.slack.blocks import problems_of
from tests.platforms.slack.waiting import until


def judgeable(reply: RenderedReply) -> RenderedReply:
    """Return the reply as the pipeline gives it, with what can be done under it."""
    return with_buttons(replace(finish(ask("?")), reply=reply))


def asks_why(language: Language) -> Heard:
    """Return what the one hears who says that it did not help."""
    return Heard(replace(say(phrase("thanks_down", language), language), actions=reasons(0, language)), passing=True)


async def answered(stage: Scene, reply: RenderedReply = DAYS) -> Message:
    """Return the answer to a question, which can be judged."""
    stage.script.say = lambda _: judgeable(reply)
    ts = await stage.asks("How many days?")
    return (await stage.answered("C1", ts))[0]


async def whispered(stage: Scene, count: int = 1) -> Message:
    """Return what one person sees, once there are so many such messages."""
    await until(lambda: len(stage.slack.ephemerals) == count, lambda: f"{stage.slack.ephemerals}", 5.0)
    return stage.slack.ephemerals[-1]


@pytest.mark.parametrize(("reply", "language"), [(DAYS, "en"), (DNI, "ru")])
async def test_an_answer_has_slacks_own_thumbs_and_why(stage: Scene, reply: RenderedReply, language: Language) -> None:
    """In the reader's language, said aloud too, under the answer alone; a sign has none."""
    message = await answered(stage, reply)
    why, thumbs = message.blocks[-2:]
    [pair] = thumbs["elements"]

    assert [phrase("why_button", language)] == [button["text"]["text"] for button in why["elements"]]
    assert ("context_actions", "feedback_buttons") == (thumbs["type"], pair["type"])
    assert ["judge:up.0", "judge:down.0"] == [pair[one]["value"] for one in ("positive_button", "negative_button")]
    assert phrase("judge_up", language) == pair["positive_button"]["accessibility_label"]
    assert not any(
        block["type"] == "context_actions" for block in stage.slack.answers("C1", message.thread_ts or "")[1].blocks
    )


async def test_a_thumb_is_brought_with_its_person_and_an_id_of_the_press(stage: Scene) -> None:
    """Whoever presses; Slack is answered at once."""
    message = await answered(stage)
    press = await stage.slack.click_as("U2", "C1", message.ts, "footnote_judge", value="judge:down.0")
    await press.finished.wait()

    assert [("judge:down.0", message.ts)] == [(button, ref.message) for button, ref in stage.desk.presses]
    assert press.acked


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_who_is_asked_why_alone_chooses_a_reason_there(stage: Scene, language: Language) -> None:
    """The reasons stand before that person only; a press names the answer, and thanks take their place."""
    message = await answered(stage)
    stage.desk.hears = asks_why(language)
    await stage.slack.click_as("U2", "C1", message.ts, "footnote_judge", value="judge:down.0")
    asked = await whispered(stage)
    stage.desk.hears = Heard(say("Thank you.", "en"), passing=True)
    await stage.slack.click_as("U2", "C1", asked.ts, "footnote_reason_3")
    await until(
        lambda: "Thank you." in visible_text(stage.slack.ephemerals[-1]), lambda: f"{stage.slack.ephemerals}", 5.0
    )

    offered = [
        button["text"]["text"] for block in asked.blocks if block["type"] == "actions" for button in block["elements"]
    ]
    assert [action.label for action in reasons(0, language)] == offered
    assert ("U2", message.thread_ts) == (asked.only_for, asked.thread_ts)
    assert ("reason:outdated.0", message.ts) == [(button, ref.message) for button, ref in stage.desk.presses][-1]
    assert 1 == len(stage.slack.ephemerals)


async def test_where_the_place_can_not_be_taken_it_is_said_again(stage: Scene) -> None:
    """Slack lets a message be replaced for half an hour; thanks come all the same."""
    message = await answered(stage)
    stage.desk.hears = asks_why("en")
    await stage.slack.click_as("U1", "C1", message.ts, "footnote_judge", value="judge:down.0")
    asked = await whispered(stage)
    stage.slack.expire_response_urls()
    stage.desk.hears = Heard(say("Thank you.", "en"), passing=True)
    await stage.slack.click_as("U1", "C1", asked.ts, "footnote_reason_1")

    assert "Thank you." == visible_text(await whispered(stage, 2))


async def test_emoji_are_brought_and_the_bots_own_are_not(stage: Scene) -> None:
    """Thumbs in any colour, put there and taken off; what else people put there says nothing."""
    message = await answered(stage)
    await stage.slack.react_as("U1", "C1", message.ts, "+1::skin-tone-2")
    await stage.slack.unreact_as("U1", "C1", message.ts, "+1::skin-tone-2")
    await stage.slack.react_as("U2", "C1", message.ts, "thumbsdown")
    await stage.slack.react_as("U2", "C1", message.ts, "tada")
    await stage.slack.react_as(stage.slack.bot_user_id, "C1", message.ts, "+1")
    await stage.quiet()

    assert [("slack:T0TEAM:U1", "up", True), ("slack:T0TEAM:U1", "up", False), ("slack:T0TEAM:U2", "down", True)] == [
        (one.by, one.verdict, one.given) for one in stage.desk.reactions
    ]
    assert {message.ts} == {one.message.message for one in stage.desk.reactions}
    assert 3 == len({one.id for one in stage.desk.reactions})


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_an_emoji_is_asked_why_like_a_press(stage: Scene, language: Language) -> None:
    """Its giver alone, in the answer's thread; the reason that is chosen there names the answer."""
    message = await answered(stage)
    stage.desk.asks = asks_why(language).reply
    await stage.slack.react_as("U2", "C1", message.ts, "-1")
    asked = await whispered(stage)
    stage.desk.hears = Heard(say("Thank you.", "en"), passing=True)
    await stage.slack.click_as("U2", "C1", asked.ts, "footnote_reason_1")
    await until(
        lambda: "Thank you." in visible_text(stage.slack.ephemerals[-1]), lambda: f"{stage.slack.ephemerals}", 5.0
    )

    assert ("U2", message.thread_ts) == (asked.only_for, asked.thread_ts)
    assert phrase("thanks_down", language) in visible_text(asked)
    assert ("reason:wrong.0", message.ts) == [(button, ref.message) for button, ref in stage.desk.presses][-1]


@pytest.mark.parametrize("traits", [{"is_guest": True}, {"team_id": "T0OTHER"}])
async def test_an_outsiders_emoji_says_nothing(stage: Scene, traits: dict[str, Any]) -> None:
    """As their presses do; of emoji on what is none of ours nobody is looked up."""
    message = await answered(stage)
    stage.slack.add_user("U2", name="Grace", **traits)
    stage.desk.asks = asks_why("en").reply
    others = await stage.slack.post_as("U1", "C1", "Lunch?")
    before = len(stage.slack.calls)
    await stage.slack.react_as("U2", "C1", others, "-1")
    await stage.quiet()
    assert before == len(stage.slack.calls)
    await stage.slack.react_as("U2", "C1", message.ts, "-1")
    await stage.quiet()

    assert ([], []) == (stage.desk.reactions, stage.slack.ephemerals)


async def test_where_slack_does_not_know_its_thumbs_they_are_ordinary_buttons(stage: Scene) -> None:
    """The answer keeps its form; only when that is refused as well it goes as plain text."""
    stage.slack.fail_next("chat.update", error="invalid_blocks")
    message = await answered(stage)
    buttons = [each for block in message.blocks if block["type"] == "actions" for each in block["elements"]]

    assert ["Why?", "👍", "👎"] == [button["text"]["text"] for button in buttons]
    assert ["judge:up.0", "judge:down.0"] == [button["value"] for button in buttons[1:]]
    assert "27 days of leave" in visible_text(message)


def test_every_form_of_an_answer_is_one_that_slack_takes() -> None:
    """With its own buttons and with ordinary ones; without any of them there is nothing in between."""
    [answer, evidence] = parts_of(judgeable(DAYS))
    usual = in_usual_blocks(answer.body)

    assert usual is not None
    assert [] == problems_of(answer.body["blocks"]) + problems_of(usual["blocks"])
    assert in_usual_blocks(evidence.body) is None


@pytest.mark.parametrize("said", ["2 of 2 statements confirmed.", "Подтверждено утверждений: 2 из 2."])
def test_how_it_was_checked_stands_under_the_evidence_alone(said: str) -> None:
    """Quietly, and for those who hear the message, too."""
    [answer, evidence] = parts_of(replace(DAYS, checks=(said, "A person checked it.")))

    assert said not in answer.body["plain"]
    assert f"{said} A person checked it." == evidence.body["blocks"][-1]["elements"][0]["text"]
    assert evidence.body["plain"].endswith(f"{said} A person checked it.")
    assert [] == problems_of(evidence.body["blocks"])
