"""A message is tried once, and what is reported of it is what is known."""

import json
from typing import Any

import pytest

from adapters.telegram.body import MAX_CALLBACK_BYTES
from core.delivery import Body, Doubtful, Refused, Shown
from core.reply import Bullets, Paragraph, RenderedReply, Text
from tests.adapters.telegram.scene import (
    ANNA,
    FORUM,
    TEAM,
    calls,
    desk_for,
    joined,
    outgoing,
    place_of,
    ref,
    reply_to,
    telegram,
    words,
)
from tests.platforms.telegram import Message, TelegramStandIn, entity_texts

BOLD: Body = {"text": "Twenty-eight", "entities": [{"type": "bold", "offset": 0, "length": 12}]}


async def migrated(tg: TelegramStandIn) -> tuple[Message, Message]:
    """Return a question and our answer in a group that then became a supergroup."""
    tg.add_group(-55, "Small", members=[ANNA], kind="group")
    asked = await tg.say(ANNA, -55, "/ask where?")
    async with joined(tg) as platform:
        await platform.show(outgoing(asked, words("Looking")))
    (answer,) = tg.bot_messages(-55)
    await tg.migrate(-55, -10055)
    return asked, answer


async def test_the_parts_of_a_reply_are_json_in_order() -> None:
    """A reply becomes `answer-1` and on, then `evidence-1` and on, which a database can keep."""
    lines = tuple((Text(f"{number} " + "word " * 100),) for number in range(20))
    parts = desk_for().platform.parts(RenderedReply((Bullets(lines),), reply_to("x").evidence, "en"))

    assert ["answer-1", "answer-2", "answer-3", "evidence-1"] == [part.name for part in parts]
    assert [part.body for part in parts] == json.loads(json.dumps([part.body for part in parts]))


async def test_a_reply_without_words_is_a_mistake() -> None:
    """Nothing is ever sent that nobody could read."""
    with pytest.raises(ValueError, match="no words"):
        desk_for().platform.parts(RenderedReply((Paragraph((Text(" "),)),), (), "ru"))


async def test_each_part_has_its_place() -> None:
    """The answer replies to the question, its further parts follow, the evidence replies to the answer."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, TEAM, "/ask")
        first = place_of(await platform.show(outgoing(asked, words("1"))))
        for part, body in (("answer-2", words("2")), ("evidence-1", BOLD)):
            await platform.show(outgoing(asked, body, part, first=first))
        await platform.show(outgoing(asked, words("3"), "evidence-2"))
        found = tg.bot_messages(TEAM)

    assert [asked.message_id, None, int(first.message), asked.message_id] == [said.reply_to for said in found]
    assert {"is_disabled": True} == found[0].link_preview
    assert [("bold", "Twenty-eight", None)] == entity_texts(found[2])
    assert ref(found[0]) == first
    assert tg.warnings == []


async def test_a_topic_keeps_its_messages() -> None:
    """What belongs to a question in a topic is shown there, also when the question is deleted."""
    async with telegram() as tg, joined(tg) as platform:
        topic = tg.add_topic(ANNA, FORUM, "Leave")
        asked = await tg.say(ANNA, FORUM, "/ask", thread=topic)
        await tg.unsend(FORUM, asked.message_id)
        await platform.show(outgoing(asked, words("1"), root=str(topic)))
        (said,) = tg.bot_messages(FORUM)

    assert (said.thread_id, said.reply_to) == (topic, None)


async def test_a_button_is_offered_and_goes_with_the_next_words() -> None:
    """One button under one sentence; an edit to words without one takes it away."""
    data = "show:" + "x" * (MAX_CALLBACK_BYTES - 5)
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        body = platform.button("Did it arrive, @anna_b?", data, "Show it")
        shown = place_of(await platform.show(outgoing(asked, body)))
        (offered,) = tg.bot_messages(ANNA)
        await platform.show(outgoing(asked, words("Here"), shown=shown))
        (edited,) = tg.bot_messages(ANNA)

    assert offered.keyboard == {"inline_keyboard": [[{"text": "Show it", "callback_data": data}]]}
    assert ("code", "@anna_b", None) in entity_texts(offered)
    assert (edited.text, edited.keyboard) == ("Here", None)
    with pytest.raises(AssertionError):
        platform.button("No", data + "x", "Show it")


async def test_an_edit_changes_the_message_in_place() -> None:
    """The same message then says the new words, with their formatting; the same words again are no failure."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        shown = place_of(await platform.show(outgoing(asked, words("Before"))))
        outcomes = [await platform.show(outgoing(asked, BOLD, shown=shown)) for _ in range(2)]
        (said,) = tg.bot_messages(ANNA)

    assert outcomes == [Shown(shown), Shown(shown)]
    assert ("Twenty-eight", 1) == (said.text, len(said.entities))


async def test_a_message_goes_once() -> None:
    """What is deleted, or was never there, is gone, without a failure."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        shown = place_of(await platform.show(outgoing(asked, words("Before"))))
        outcomes = [await platform.show(outgoing(asked, None, shown=shown)) for _ in range(2)]
        outcomes += [await platform.show(outgoing(asked, None))]

    assert outcomes == [Shown(None)] * 3
    assert tg.bot_messages(ANNA) == []
    assert calls(tg, "deleteMessage") == ["deleteMessage"] * 2


@pytest.mark.parametrize("reason", ["message to edit not found", "message can't be edited", "MESSAGE_ID_INVALID"])
async def test_what_cannot_be_edited_is_posted_anew(reason: str) -> None:
    """A message that somebody deleted, or that is too old, comes again with the new words."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, TEAM, "/ask")
        shown = place_of(await platform.show(outgoing(asked, words("Before"))))
        tg.fail_next("editMessageText", status=400, description=f"Bad Request: {reason}")
        outcome = await platform.show(outgoing(asked, BOLD, shown=shown))
        *_, said = tg.bot_messages(TEAM)

    assert outcome == Shown(ref(said))
    assert (said.text, said.reply_to) == ("Twenty-eight", asked.message_id)
    assert shown != ref(said)


async def test_what_may_not_be_deleted_stays() -> None:
    """A message that Telegram keeps is reported as refused."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, TEAM, "/ask")
        tg.fail_next("deleteMessage", status=400, description="Bad Request: message can't be deleted for everyone")
        outcome = await platform.show(outgoing(asked, None, shown=ref(asked)))

    assert isinstance(outcome, Refused)


@pytest.mark.parametrize("edited", [False, True])
async def test_refused_formatting_costs_only_the_formatting(edited: bool) -> None:  # noqa: FBT001 - a parameter
    """A 400 for formatted words shows the same words plain at once, and no mention among them pings anybody."""
    body = {**BOLD, "text": "Twenty-eight, @boris_b"}
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, TEAM, "/ask")
        shown = place_of(await platform.show(outgoing(asked, words("Before")))) if edited else None
        tg.fail_next(
            "editMessageText" if edited else "sendMessage", status=400, description="Bad Request: URL 'x' is invalid"
        )
        outcome = await platform.show(outgoing(asked, body, shown=shown))
        (said,) = tg.bot_messages(TEAM)

    assert outcome == Shown(ref(said))
    assert (said.text.replace("\u2060", ""), said.entities) == (body["text"], ())


async def test_the_plain_words_of_a_full_message_still_fit() -> None:
    """Many mentions in a message of the greatest length get a sign of the same length."""
    body: Body = {**BOLD, "text": "@anna_b " * 512}
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, TEAM, "/ask")
        tg.fail_next("sendMessage", status=400, description="Bad Request: ENTITIES_TOO_LONG")
        await platform.show(outgoing(asked, body))
        (said,) = tg.bot_messages(TEAM)

    assert said.entities == ()
    assert said.text.startswith("\uff20anna_b")


@pytest.mark.parametrize(
    ("method", "failure"),
    [
        ("sendMessage", {"status": 400, "description": "Bad Request: not enough rights to send text messages"}),
        ("sendMessage", {"status": 403, "description": "Forbidden: bot was kicked from the supergroup chat"}),
        ("editMessageText", {"status": 400, "description": "Bad Request: chat not found"}),
    ],
)
async def test_what_telegram_will_never_take_is_refused(method: str, failure: dict[str, Any]) -> None:
    """A 400 for plain words, or a chat that is closed to us, is final."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, TEAM, "/ask")
        shown = place_of(await platform.show(outgoing(asked, words("Before")))) if method != "sendMessage" else None
        before = len(calls(tg, method))
        tg.fail_next(method, **failure)
        outcome = await platform.show(outgoing(asked, words("No"), shown=shown))

    assert isinstance(outcome, Refused)
    assert failure["description"].rpartition(": ")[2] in outcome.reason.lower()
    assert len(calls(tg, method)) == before + 1


async def test_who_blocks_the_bot_is_not_written_to() -> None:
    """The chat of somebody who blocked the bot is closed to it."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "bye")
        await tg.set_bot_status(ANNA, ANNA, "kicked")
        outcome = await platform.show(outgoing(asked, words("Bye")))

    assert isinstance(outcome, Refused)


async def test_a_group_that_became_a_supergroup_gets_its_messages() -> None:
    """They follow the group to its new id in the same attempt, and reply to nothing that has another meaning there."""
    async with telegram() as tg:
        asked, answer = await migrated(tg)
        async with joined(tg) as platform:
            first = place_of(await platform.show(outgoing(asked, words("1"))))
            await platform.show(outgoing(asked, words("2"), "evidence-1", first=first))
            edited = place_of(await platform.show(outgoing(asked, words("3"), shown=ref(answer))))
            gone = await platform.show(outgoing(asked, None, shown=ref(answer)))
        found = tg.bot_messages(-10055)

    assert [("1", None), ("2", int(first.message)), ("3", None)] == [(said.text, said.reply_to) for said in found]
    assert {"-10055"} == {first.place, edited.place}
    assert gone == Shown(None, moved="-10055")


async def test_an_answer_of_telegram_that_cannot_be_read_refuses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message stands there: it is in doubt, and never said to be missing; an edit is done, an offer given up."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "where?")
        shown = place_of(await platform.show(outgoing(asked, words("Looking"))))
        with monkeypatch.context() as patch:
            patch.setattr("telegram.Message.de_json", broken)
            post = await platform.show(outgoing(asked, words("There"), "answer-2"))
            note = await platform.show(outgoing(asked, words("Press"), "note"))
            edit = await platform.show(outgoing(asked, words("Here"), shown=shown))

    assert ["Here", "There", "Press"] == [said.text for said in tg.bot_messages(ANNA)]
    assert isinstance(post, Doubtful)
    assert isinstance(note, Refused)
    assert edit == Shown(shown)


def broken(*_: object) -> None:
    """Read an answer as the library does where something is missing that was always there."""
    raise TypeError("missing 1 required positional argument: 'chat'")
