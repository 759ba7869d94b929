"""The places where people ask: forwards, captions, topics, replies, and a group that moves."""

import asyncio
from typing import Any

import pytest

from adapters.telegram.words import hint
from core.conversation import MessageRef, Question, Target
from core.phrases import phrase
from core.reply import RenderedReply
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
    forwarded,
    message,
    reply_to,
    serving,
    telegram,
    texts,
)
from tests.doubles.desk import Desk

PHOTO = [{"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1}]
CLAIM = "Отпуск — 28 дней."


def brought_to(desk: Desk) -> list[tuple[str, str | None]]:
    """Return the words of each question, and those of somebody else that it is about."""
    return [(one.text, one.around and one.around.brought) for one in desk.questions.values()]


async def test_a_forward_alone_asks_whether_it_is_true() -> None:
    """In the language of its words, which are none of the question's."""
    async with chatting() as (tg, desk):
        await tg.deliver(forwarded(600, CLAIM))
        await tg.wait_for_messages(ANNA, count=2)

    assert [("Правда ли это?", CLAIM)] == brought_to(desk)


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("Сколько дней отпуска?", "Что об этом говорят документы?"),
        ("How many days of leave?", "What do the documents say about this?"),
        ("RAG", "Правда ли это?"),
    ],
)
async def test_a_question_that_is_forwarded_is_not_asked_whether_it_is_true(words: str, asked: str) -> None:
    """It is to be answered; names alone are in no language, so that Anna's own is spoken."""
    async with chatting() as (tg, desk):
        await tg.deliver(forwarded(600, words))
        await tg.wait_for_messages(ANNA, count=2)

    assert [(asked, words)] == brought_to(desk)


async def test_a_comment_that_asks_nothing_is_none() -> None:
    """“Look!” would be looked for beside what it calls one's attention to."""
    async with chatting() as (tg, desk):
        await tg.deliver(message(message_id=600, text="Any idea?"))
        await tg.deliver(forwarded(601, "How are trips booked?"))
        await asks_last(tg, desk)
        await desk.idle()

    assert ("What do the documents say about this?", "How are trips booked?") == brought_to(desk)[0]


async def test_a_comment_and_its_forward_are_one_question() -> None:
    """Telegram sends them as two messages; repeated, they change nothing more, and a later forward stands alone."""
    async with chatting() as (tg, desk):
        await tg.deliver(message(message_id=600, text="Это ещё так?"))
        for number in (601, 601):
            await tg.deliver(forwarded(number, CLAIM))
        await tg.deliver(forwarded(602, "И билеты?"))
        await tg.deliver(forwarded(603, "Позже", date=1_800_000_100))
        await asks_last(tg, desk)
        await desk.idle()

    expected = [("Это ещё так?", f"{CLAIM}\nИ билеты?"), ("Правда ли это?", "Позже"), ("last", None)]
    assert expected == brought_to(desk)


async def _said_over_restarts(*rounds: list[dict[str, Any]], held: bool = False) -> list[tuple[str, str | None]]:
    """Return what is brought by bots, each of which hears some of it, and remembers nothing of the one before.

    `held`: nothing is answered before all has been said.
    """
    asked = asyncio.Event()

    async def answer(question: Question) -> RenderedReply | None:
        await asked.wait()
        return reply_to(question.text)

    desk = desk_for(answer)
    if not held:
        asked.set()
    async with telegram() as tg:
        for updates in rounds:
            async with serving(tg, desk):
                for update in updates:
                    await tg.deliver(update)
                await tg.wait_until_confirmed()
                if not held:
                    await desk.idle()
    return brought_to(desk)


COMMENTS = pytest.mark.parametrize("comment", ["Is it still so?", "Это ещё так?"])


@COMMENTS
@pytest.mark.parametrize("held", [False, True])
async def test_a_forward_finds_its_comment_in_another_copy(comment: str, *, held: bool) -> None:
    """Or after a restart, whether or not the comment has had its answer by then; brought again, it is no news."""
    said = message(message_id=600, text=comment)
    forward = forwarded(601, CLAIM)
    found = await _said_over_restarts([said], [forward], [forward], [said, forward], held=held)

    assert [(comment, CLAIM)] == found


@COMMENTS
async def test_a_forward_that_comes_again_to_another_copy_is_no_news(comment: str) -> None:
    """However many came with the comment, and in whichever of them it is brought again."""
    first, second = forwarded(601, CLAIM), forwarded(602, "И билеты?")
    said = [message(message_id=600, text=comment), first, second, first]
    found = await _said_over_restarts(said, [second], [first, second])

    assert [(comment, f"{CLAIM}\nИ билеты?")] == found


@pytest.mark.parametrize("comment", ["", "Это ещё так?", "Правда ли это?"])
async def test_forwards_that_different_copies_hear_are_one_question(comment: str) -> None:
    """While it waits, what it is about is known to all of them."""
    said = [message(message_id=600, text=comment)] if comment else []
    rounds = [forwarded(601, CLAIM)], [forwarded(602, "И билеты?")], [forwarded(603, "И виза?")]
    found = await _said_over_restarts(said, *rounds, held=True)

    assert [(comment or "Правда ли это?", f"{CLAIM}\nИ билеты?\nИ виза?")] == found


@pytest.mark.parametrize("comment", ["", "Is it still so?"])
async def test_what_was_answered_and_is_not_known_any_more_is_not_answered_otherwise(comment: str) -> None:
    """Words that somebody else wrote are not kept after the answer; what comes then to another copy stands alone."""
    said = [message(message_id=600, text=comment)] if comment else []
    found = await _said_over_restarts([*said, forwarded(601, "Trips are free")], [forwarded(602, "Visas cost nothing")])

    assert [(comment or "Is this true?", "Trips are free"), ("Is this true?", "Visas cost nothing")] == found


async def test_an_edited_comment_is_none_for_what_another_copy_hears() -> None:
    """An edit counts no forwards."""
    said = message(message_id=600, text="How?")
    edited = message(message_id=600, text="How are trips booked?", edit_date=1_800_000_001)
    edited = {"edited_message": edited["message"]}
    found = await _said_over_restarts([said, edited], [forwarded(601, "Trips are free")])

    assert [("How are trips booked?", None), ("Is this true?", "Trips are free")] == found


@pytest.mark.parametrize(("number", "later"), [(602, 0), (601, 60)])
async def test_another_copy_joins_no_more_than_the_same_one(number: int, later: int) -> None:
    """Another message between, or a minute."""
    forward = forwarded(number, "Trips are free", date=1_800_000_000 + later)
    found = await _said_over_restarts([message(message_id=600, text="How are trips booked?")], [forward])

    assert [("How are trips booked?", None), ("Is this true?", "Trips are free")] == found


@pytest.mark.parametrize(("number", "later"), [(602, 0), (601, 60)])
async def test_a_forward_that_does_not_follow_at_once_stands_alone(number: int, later: int) -> None:
    """Another message between, or a minute."""
    async with chatting() as (tg, desk):
        await tg.deliver(message(message_id=600, text="How are trips booked?"))
        await tg.deliver(forwarded(number, "Trips are free", date=1_800_000_000 + later))
        await asks_last(tg, desk)

    assert [("How are trips booked?", None), ("Is this true?", "Trips are free"), ("last", None)] == brought_to(desk)


async def test_a_forward_is_cut_where_it_is_too_long_for_a_question() -> None:
    """At a word, with the mark that it goes on."""
    async with chatting() as (tg, desk):
        await tg.deliver(forwarded(600, "word " * 1_000))
        await tg.wait_for_messages(ANNA, count=2)

    [(_, words)] = brought_to(desk)
    assert words
    assert 2_900 < len(words) < 3_100
    assert words.endswith("word…")


@pytest.mark.parametrize("said", ["The office in Malmö has a bike cellar.", "В Мальмё есть велосипедный подвал."])
async def test_a_reply_to_somebody_goes_along_with_what_they_said(said: str) -> None:
    """So that "it" is understood; what the bot or an asker of ours said is known from the conversation itself."""
    async with chatting() as (tg, desk):
        talk = await tg.say(BORIS, TEAM, said)
        await tg.say(ANNA, TEAM, "@footnote_bot who has its keys?", reply_to=talk.message_id)
        answer, _ = await tg.wait_for_messages(TEAM, count=2)
        await tg.say(BORIS, TEAM, "And in Leeds?", reply_to=answer.message_id)
        await tg.wait_for_messages(TEAM, count=4)

    first, second = desk.questions.values()
    assert first.around
    assert [said] == [remark.text for remark in first.around.remarks or ()]
    assert (second.around, second.thread) == (None, first.thread)


async def test_a_quote_from_another_chat_is_what_the_question_is_about() -> None:
    """As a forward is; what the person writes under it is the question."""
    elsewhere = {"origin": {"type": "hidden_user", "date": 1, "sender_user_name": "Eva"}}
    async with chatting() as (tg, desk):
        quoted = {"external_reply": elsewhere, "quote": {"text": CLAIM, "position": 0}}
        await tg.deliver(message(message_id=600, text="Это так?", **quoted))
        await tg.wait_for_messages(ANNA, count=2)

    assert [("Это так?", CLAIM)] == brought_to(desk)


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
