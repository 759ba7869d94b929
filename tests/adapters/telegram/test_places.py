"""The places where people ask: forwards, captions, topics, replies, and a group that moves."""

from typing import Any

import pytest

from adapters.telegram.words import hint
from core.conversation import MessageRef, Target
from core.phrases import phrase
from tests.adapters.telegram.scene import (
    ANNA,
    BORIS,
    FORUM,
    QUOTE,
    TEAM,
    asked_of,
    asks_last,
    chatting,
    desk_for,
    message,
    serving,
    telegram,
    texts,
)

ORIGIN = {"type": "hidden_user", "date": 1_800_000_000, "sender_user_name": "Eva"}
PHOTO = [{"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1}]
CLAIM = "Отпуск — 28 дней."


def forward(number: int, text: str = CLAIM, **content: Any) -> dict[str, Any]:
    return message(message_id=number, text=text, forward_origin=ORIGIN, **content)


async def test_a_forward_alone_asks_whether_it_is_true() -> None:
    """In the language of its words."""
    async with chatting() as (tg, desk):
        await tg.deliver(forward(600))
        await tg.wait_for_messages(ANNA, count=2)

    assert [f"Правда ли это: «{CLAIM}»"] == asked_of(desk)


async def test_a_comment_and_its_forward_are_one_question() -> None:
    """Telegram sends them as two messages; repeated, they change nothing more, and a later forward stands alone."""
    async with chatting() as (tg, desk):
        await tg.deliver(message(message_id=600, text="Это ещё так?"))
        for number in (601, 601):
            await tg.deliver(forward(number))
        await tg.deliver(forward(602, "И билеты?"))
        await tg.deliver(forward(603, "Позже", date=1_800_000_100))
        await asks_last(tg, desk)
        await desk.idle()

    assert [f"Это ещё так? «{CLAIM}\nИ билеты?»", "Правда ли это: «Позже»", "last"] == asked_of(desk)


@pytest.mark.parametrize(("number", "later"), [(602, 0), (601, 60)])
async def test_a_forward_that_does_not_follow_at_once_stands_alone(number: int, later: int) -> None:
    """Another message between, or a minute."""
    async with chatting() as (tg, desk):
        await tg.deliver(message(message_id=600, text="How are trips booked?"))
        await tg.deliver(forward(number, "Trips are free", date=1_800_000_000 + later))
        await asks_last(tg, desk)

    assert ["How are trips booked?", "Is this true: “Trips are free”", "last"] == asked_of(desk)


async def test_a_forward_is_cut_where_it_is_too_long_for_a_question() -> None:
    """At a word, with the mark that it goes on."""
    async with chatting() as (tg, desk):
        await tg.deliver(forward(600, "word " * 1_000))
        await tg.wait_for_messages(ANNA, count=2)

    (asked,) = asked_of(desk)
    assert 2_900 < len(asked) < 3_100
    assert asked.endswith("word…”")


async def test_the_caption_of_a_picture_is_a_question() -> None:
    """Once in a chat it is said that pictures are not read; the others of the album need no hint."""
    async with chatting() as (tg, desk):
        await tg.deliver(message(message_id=600, photo=PHOTO, caption="How many days?", media_group_id="9"))
        await tg.deliver(message(message_id=601, photo=PHOTO, media_group_id="9"))
        await tg.deliver(message(message_id=602, photo=PHOTO, caption="And here?"))
        await tg.deliver(message(message_id=603, voice={"file_id": "a", "file_unique_id": "b", "duration": 1}))
        await tg.wait_for_messages(ANNA, count=6)
        await asks_last(tg, desk)

    assert ["How many days?", "And here?", "last"] == asked_of(desk)
    said = texts(tg.bot_messages(ANNA))
    assert (1, 1) == (said.count(hint("only_words", "en", "")), said.count(hint("only_text", "ru", "")))


async def test_in_a_group_a_caption_is_asked_by_a_mention() -> None:
    """A picture that answers nobody is left alone."""
    group = {"id": TEAM, "type": "supergroup", "title": "Team"}
    mention = [{"type": "mention", "offset": 0, "length": 13}]
    async with chatting() as (tg, desk):
        await tg.deliver(message(message_id=600, chat=group, photo=PHOTO, caption="Lunch?"))
        await tg.deliver(message(message_id=601, chat=group, photo=PHOTO))
        await tg.deliver(
            message(
                message_id=602,
                chat=group,
                photo=PHOTO,
                caption="@footnote_bot how many?",
                caption_entities=mention,
            )
        )
        await asks_last(tg, desk)

    assert ["how many?", "last"] == asked_of(desk)


async def test_a_reply_names_the_message_and_the_quoted_part() -> None:
    """So that the conversation goes on from there, and a source can be asked about."""
    async with chatting() as (tg, desk):
        await tg.say(ANNA, ANNA, "first")
        answer, evidence = await tg.wait_for_messages(ANNA, count=2)
        await tg.say(ANNA, ANNA, "second", reply_to=answer.message_id)
        await tg.say(ANNA, ANNA, "third", reply_to=evidence.message_id, quote=QUOTE)
        await tg.wait_for_messages(ANNA, count=6)

    start = evidence.text.index(QUOTE)
    assert [
        None,
        Target(MessageRef("telegram", str(ANNA), str(answer.message_id))),
        Target(MessageRef("telegram", str(ANNA), str(evidence.message_id)), (start, start + len(QUOTE))),
    ] == [question.answers for question in desk.questions.values()]


async def test_a_topic_is_one_conversation() -> None:
    """In a forum as in a private chat; outside topics a group has one for each question."""
    async with telegram() as tg:
        topic = tg.add_topic(ANNA, FORUM, "Leave")
        desk = desk_for()
        async with serving(tg, desk):
            await tg.say(ANNA, FORUM, "/ask one", thread=topic)
            await tg.say(BORIS, FORUM, "/ask two", thread=topic)
            general = await tg.say(BORIS, FORUM, "/ask three")
            await tg.deliver(message(message_id=700, text="four", message_thread_id=33, is_topic_message=True))
            await tg.wait_for_messages(FORUM, count=6)
            await asks_last(tg, desk)

    threads = {question.text: question.thread for question in desk.questions.values()}
    assert threads == {
        "one": f"telegram:{FORUM}/{topic}",
        "two": f"telegram:{FORUM}/{topic}",
        "three": f"telegram:{FORUM}:{general.message_id}",
        "four": f"telegram:{ANNA}/33",
        "last": f"telegram:{BORIS}",
    }


async def test_a_group_that_becomes_a_supergroup_is_told_to_the_desk() -> None:
    """Once is enough, though both chats say so."""
    async with telegram() as tg:
        tg.add_group(-55, "Basic", members=[ANNA, BORIS], kind="group")
        desk = desk_for()
        async with serving(tg, desk):
            await tg.say(ANNA, -55, "/ask before")
            await tg.wait_for_messages(-55, count=2)
            await tg.migrate(-55, -10055)
            await tg.say(ANNA, -10055, "/ask after")
            await tg.wait_for_messages(-10055, count=2)

    assert [("-55", "-10055")] == desk.moves


async def test_an_update_of_an_unknown_kind_is_logged_by_its_kind_alone(caplog: pytest.LogCaptureFixture) -> None:
    """Nothing that it holds is written, and the next one is heard."""
    async with chatting() as (tg, desk):
        await tg.deliver({"business_mystery": {"text": "a secret"}})
        await asks_last(tg, desk)

    assert "business_mystery" in caplog.text
    assert "a secret" not in caplog.text


async def test_updates_out_of_order_repeated_and_from_yesterday_are_each_one_question() -> None:
    """What is edited before it comes is asked as it reads; what comes twice is asked once."""
    yesterday = 1_800_000_000 - 86_000
    edited = message(message_id=601, text="corrected?", edit_date=1_800_000_010)["message"]
    async with chatting() as (tg, desk):
        await tg.deliver({"edited_message": edited})
        await tg.deliver(message(message_id=601, text="typo?"))
        await tg.deliver(message(message_id=600, text="вчера?", date=yesterday))
        await tg.deliver(message(message_id=600, text="вчера?", date=yesterday))
        await asks_last(tg, desk)

    assert ["corrected?", "вчера?", "last"] == asked_of(desk)
    assert phrase("empty", "en") not in texts(tg.bot_messages(ANNA))
