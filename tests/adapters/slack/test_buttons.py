"""Buttons under an answer in Slack: shown, pressed, and what becomes of them."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.slack.buttons import after
from adapters.slack.packing import MESSAGE_BLOCKS
from adapters.slack.parts import in_plain_text, parts_of
from core.phrases import phrase
from core.press import Heard, OutOfDate
from core.render import say
from core.reply import Action, Paragraph, RenderedReply, Text
from tests.adapters.slack.scene import Scene
from tests.platforms.slack import Message
from tests.platforms.slack.blocks import problems_of, rendered_length
from tests.platforms.slack.waiting import until

OFFER = replace(
    say("Что вы имеете в виду?", "ru"),
    actions=(Action("choose", "Дмитрий Орлов", "1.ab"), Action("choose", "Dmitry Petrov", "2.ab")),
)
LIST = replace(say("Here are 10.", "en"), actions=(Action("more", "Show 12 more", "10"), Action("why", "Why?")))


def labels(message: Message) -> list[str]:
    """Return what the buttons of a message say."""
    rows = [block["elements"] for block in message.blocks if block["type"] == "actions"]
    return [button["text"]["text"] for row in rows for button in row]


async def offered(stage: Scene, reply: RenderedReply) -> Message:
    """Return the message that stands under a question which is answered so."""
    stage.script.say = lambda _: reply
    ts = await stage.slack.post_as("U1", "C1", f"<@{stage.slack.bot_user_id}> Чем занят Дмитрий?")
    await until(lambda: any(labels(one) for one in stage.slack.answers("C1", ts)), lambda: "no buttons", 5.0)
    return stage.slack.answers("C1", ts)[-1]


async def test_a_press_is_brought_with_its_person_and_acknowledged(stage: Scene) -> None:
    """Which button, which message, who, and for whom the answer will be; Slack has its answer at once."""
    message = await offered(stage, OFFER)
    press = await stage.slack.click_as("U2", "C1", message.ts, "footnote_choose_2")
    await press.finished.wait()

    assert ["Дмитрий Орлов", "Dmitry Petrov"] == labels(message)
    assert [("choose:2.ab", message.ts)] == [(button, ref.message) for button, ref in stage.desk.presses]
    [(person, audience)] = stage.desk.people
    assert ("U2", {"slack:T0TEAM:C1"}) == (person, audience.groups)
    assert press.acked


async def test_words_for_the_one_who_pressed_are_seen_by_nobody_else(stage: Scene) -> None:
    """What `why` says is shown to the person alone, in the thread."""
    message = await offered(stage, LIST)
    stage.desk.hears = Heard(say("Read as a new question: <!channel> it names all.", "en"))
    await stage.slack.click_as("U2", "C1", message.ts, "footnote_why_2")
    await until(lambda: bool(stage.slack.ephemerals), lambda: "nothing said", 5.0)

    [told] = stage.slack.ephemerals
    assert ("U2", message.thread_ts) == (told.only_for, told.thread_ts)
    assert "Read as a new question: &lt;!channel&gt; it names all." == told.text


@pytest.mark.parametrize("why", ["out_of_date", "index_nothing_to_stop"])
async def test_a_button_that_means_nothing_any_more_says_so(stage: Scene, why: str) -> None:
    """In the language of the message, to the person alone."""
    old = Action("choose", "Орлов", "1.ab")
    message = await offered(stage, replace(OFFER, actions=(old,)))
    stage.desk.knows_buttons, stage.desk.gone = False, OutOfDate(why)
    await stage.slack.click_as("U2", "C1", message.ts, "footnote_choose_1")
    await until(lambda: bool(stage.slack.ephemerals), lambda: "nothing said", 5.0)

    assert [phrase(why, "ru")] == [told.text for told in stage.slack.ephemerals]


def test_the_options_are_in_the_plain_text_too() -> None:
    """Who hears the message, or sees it without blocks, can choose by a number."""
    [part] = parts_of(OFFER)

    assert "Что вы имеете в виду?\n1. Дмитрий Орлов\n2. Dmitry Petrov" == in_plain_text(part.body)["text"]
    assert part.body["text"] == part.body["plain"]


def test_after_a_choice_its_words_stand_in_place_of_the_buttons() -> None:
    """The message says what was chosen, in its blocks and in its plain text; pressed again, nothing changes."""
    [part] = parts_of(OFFER)
    done = after(part.body, "choose:1.ab")

    assert ["rich_text", "context"] == [block["type"] for block in done["blocks"]]
    assert "Что вы имеете в виду?\n✓ Дмитрий Орлов" == done["text"]
    assert [] == problems_of(done["blocks"])
    assert done == after(done, "choose:1.ab")


def test_after_more_only_that_button_goes() -> None:
    """What else can be done with the answer stays."""
    [part] = parts_of(LIST)
    done = after(part.body, "more:10")

    assert ["why:"] == [
        one["value"] for block in done["blocks"] if block["type"] == "actions" for one in block["elements"]
    ]
    assert part.body == after(part.body, "more:11")


ACTIONS = (Action("more", "Show 12 more", "10"), Action("why", "Why?"), Action("choose", "ы" * 80, "1"))


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.lists(st.integers(1, 12_000), min_size=1, max_size=3), st.integers(0, MESSAGE_BLOCKS + 2))
def test_buttons_are_never_dropped_and_slack_takes_the_message(lengths: list[int], paragraphs: int) -> None:
    """However long the answer, its buttons stand in its last message, within every ceiling of Slack."""
    texts = ["я" * length for length in lengths] + ["x"] * paragraphs
    reply = RenderedReply(tuple(Paragraph((Text(text),)) for text in texts), (), "en", ACTIONS)
    parts = parts_of(reply)

    assert [False] * (len(parts) - 1) + [True] == ['"actions"' in json.dumps(part.body["blocks"]) for part in parts]
    for part in parts:
        assert [] == problems_of(list(part.body["blocks"]))
        assert rendered_length(list(part.body["blocks"])) <= 13_200


@pytest.mark.parametrize("reply", [OFFER, LIST])
def test_ids_differ_within_a_message(reply: RenderedReply) -> None:
    """Slack refuses a block whose elements share an id; values hold what the press brings."""
    [part] = parts_of(reply)
    elements = [one for block in part.body["blocks"] if block["type"] == "actions" for one in block["elements"]]

    assert len({one["action_id"] for one in elements}) == len(elements) == len(reply.actions)
