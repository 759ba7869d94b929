"""Thumbs under an answer in Telegram: a row of buttons, reasons under it, and emoji."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from telegram import Update

from adapters.telegram.body import after, parts_of
from adapters.telegram.events import Me, event_of
from core.conversation import Question
from core.feedback import Reaction, reasons, with_buttons
from core.phrases import phrase
from core.press import Heard, OutOfDate
from core.render import say
from core.reply import Action, RenderedReply
from core.text import Language
from tests.adapters.storage.turns import ask, finish
from tests.adapters.telegram.scene import ANNA, BORIS, TEAM, chatting, reply_to

ME = Me(42, "footnote_bot")
EDITED = 1_700_000_005_000_001


def judgeable(reply: RenderedReply, version: int = EDITED) -> RenderedReply:
    """Return the reply as the pipeline gives it, with what can be done under it."""
    return with_buttons(replace(finish(ask("?", version=version)), reply=reply))


async def judged(question: Question) -> RenderedReply:
    return judgeable(reply_to(question.text), question.version)


def rows(body: Any) -> list[list[str]]:
    """Return what the buttons say, row by row."""
    return [[button["text"] for button in row] for row in body.get("keyboard", {}).get("inline_keyboard", ())]


def offered(text: str = "Отпуск — 28 дней", version: int = EDITED) -> Any:
    """Return the answer as it is sent, with a list to go on with."""
    reply = say(text, "ru")
    more = replace(reply, actions=(Action("more", "Показать ещё 12", "10"),))
    return parts_of(judgeable(more, version))[0].body


def test_the_thumbs_and_why_stand_in_one_row_under_the_rest() -> None:
    """Of what is longer each has a line of its own."""
    assert [["Показать ещё 12"], ["👍", "👎", "Почему?"]] == rows(offered())


@pytest.mark.parametrize(("text", "language"), [("Отпуск — 28 дней", "ru"), ("28 days", "en")])
def test_who_says_that_it_did_not_help_finds_the_reasons(text: str, language: Language) -> None:
    """Under the other buttons, in their language; one that is chosen, or another thumb, takes them away again."""
    body = parts_of(judgeable(say(text, language)))[0].body
    asked = after(body, f"judge:down.{EDITED}")

    assert [action.label for action in reasons(0, language)] == [label for row in rows(asked)[1:] for label in row]
    assert asked == after(asked, f"judge:down.{EDITED}")
    assert body == after(asked, f"reason:wrong.{EDITED}") == after(asked, f"judge:up.{EDITED}")


@pytest.mark.parametrize(
    "pressed", ["judge:down.0", "judge:", "judge:down.x", "judge:down." + "9" * 99, "reason:", "why:"]
)
def test_a_strange_press_never_breaks_the_buttons(pressed: str) -> None:
    """The reasons are made from what stands there, not from what is pressed."""
    body = offered()
    shown = after(body, pressed)

    assert rows(body) == rows(shown)[: len(rows(body))]
    assert all(len(b["callback_data"].encode()) <= 64 for row in shown["keyboard"]["inline_keyboard"] for b in row)


@settings(derandomize=True)
@given(st.text(max_size=70))
def test_what_is_pressed_never_loses_an_answer(pressed: str) -> None:
    """The words stay, whatever a press brings."""
    assert offered()["text"] in after(offered(), pressed)["text"]


def test_more_takes_only_its_own_row() -> None:
    """The thumbs stay side by side."""
    assert [["👍", "👎", "Почему?"]] == rows(after(offered(), "more:10"))


@pytest.mark.parametrize("said", ["2 of 2 statements confirmed.", "Подтверждено утверждений: 2 из 2."])
def test_how_it_was_checked_stands_under_the_evidence_alone(said: str) -> None:
    """As its last line."""
    [answer, evidence] = parts_of(replace(reply_to("leave"), checks=(said, "A person checked it.")))

    assert said not in answer.body["text"]
    assert evidence.body["text"].endswith(f"\n{said} A person checked it.")


async def test_a_thumb_is_answered_by_a_word_that_goes_by_itself() -> None:
    """Seen by the one who pressed alone, and not to be closed; the press has its person and an id."""
    async with chatting(judged) as (tg, desk):
        await tg.say(ANNA, ANNA, "leave")
        answer, _ = await tg.wait_for_messages(ANNA, count=2)
        desk.hears = Heard(say("Thank you, noted. What was wrong with it?", "en"), passing=True)
        await tg.press(ANNA, ANNA, answer.message_id, "judge:down.0")
        [told] = await tg.wait_for_calls("answerCallbackQuery")

    assert [("judge:down.0", str(answer.message_id))] == [(button, ref.message) for button, ref in desk.presses]
    assert ("Thank you, noted. What was wrong with it?", False) == (
        told.params["text"],
        bool(told.params.get("show_alert")),
    )


@pytest.mark.parametrize(("person", "language"), [(ANNA, "ru"), (BORIS, "en")])
@pytest.mark.parametrize("why", ["out_of_date", "index_nothing_to_stop"])
async def test_a_button_that_means_nothing_any_more_says_so(person: int, language: Language, why: str) -> None:
    """To the one who pressed, in their language, and for what it was."""
    async with chatting(judged) as (tg, desk):
        desk.knows_buttons, desk.gone = False, OutOfDate(why)
        await tg.say(person, person, "leave")
        answer, _ = await tg.wait_for_messages(person, count=2)
        await tg.press(person, person, answer.message_id, "judge:down.0")
        [told] = await tg.wait_for_calls("answerCallbackQuery")

    assert phrase(why, language) == told.params["text"]


async def test_emoji_are_brought_from_private_chats_and_where_the_bot_is_an_admin() -> None:
    """Telegram tells of them nowhere else; other emoji say nothing."""
    async with chatting(judged) as (tg, desk):
        await tg.say(ANNA, ANNA, "leave")
        await tg.say(BORIS, TEAM, "@footnote_bot leave?")
        [private, _] = await tg.wait_for_messages(ANNA, count=2)
        for emoji in ("👍", "👎", "🎉", ""):
            await tg.react(ANNA, ANNA, private.message_id, emoji)
        await tg.wait_until_confirmed()

    person = f"telegram:{ANNA}"
    assert [(person, "up", True), (person, "down", True), (person, "down", False)] == [
        (one.by, one.verdict, one.given) for one in desk.reactions
    ]


def reaction(old: list[str], new: list[str], **known: Any) -> Reaction | None:
    """Return what a change of somebody's emoji says."""
    emoji = {"old_reaction": old, "new_reaction": new}
    listed = {name: [{"type": "emoji", "emoji": each} for each in some] for name, some in emoji.items()}
    usual = {"chat": {"id": ANNA, "type": "private"}, "message_id": 7, "date": 1_800_000_000}
    usual["user"] = {"id": ANNA, "is_bot": False, "first_name": "Anna"}
    event = event_of(Update.de_json({"update_id": 5, "message_reaction": usual | listed | known}, None), ME)
    assert event is None or isinstance(event, Reaction)
    return event


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([], ["👍"], ("up", True)),
        (["👍"], ["👎"], ("down", True)),
        (["👎"], [], ("down", False)),
        (["👍"], ["👍", "👎"], ("down", True)),
        (["👍", "👎"], ["👍"], ("up", True)),
        (["🎉"], ["👍", "🎉"], ("up", True)),
        (["👍"], ["👍", "🎉"], None),
        (["🎉"], [], None),
    ],
)
def test_what_changed_says_it(old: list[str], new: list[str], expected: tuple[str, bool] | None) -> None:
    """Telegram tells all of a person's emoji before and after; the thumb that came last counts."""
    found = reaction(old, new)

    assert expected == (found and (found.verdict, found.given))


@pytest.mark.parametrize(
    "who",
    [
        {"user": None, "actor_chat": {"id": TEAM, "type": "supergroup"}},
        {"user": {"id": 42, "is_bot": True, "first_name": "b"}},
    ],
)
def test_nobody_in_particular_and_bots_say_nothing(who: dict[str, Any]) -> None:
    """An anonymous admin could be anybody, a bot is nobody."""
    assert reaction([], ["👍"], **who) is None
