"""People ask in Telegram, and the bot answers them there."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.telegram.words import hint
from core.conversation import Question
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
    calls,
    chatting,
    desk_for,
    message,
    reply_to,
    serving,
    telegram,
    texts,
)


async def test_a_private_question_gets_an_answer_and_its_evidence() -> None:
    """One answer replies to the question; the evidence replies to the answer; neither shows a link preview."""
    async with chatting() as (tg, desk):
        asked = await tg.say(ANNA, ANNA, "How many days of leave do I get?")
        answer, evidence = await tg.wait_for_messages(ANNA, count=2)
        await tg.wait_until_confirmed()

    assert answer.text == "• About How many days of leave do I get?¹"
    assert QUOTE in evidence.text
    assert [asked.message_id, answer.message_id] == [answer.reply_to, evidence.reply_to]
    assert answer.link_preview == evidence.link_preview == {"is_disabled": True}
    assert tg.warnings == []
    (question,) = desk.questions.values()
    assert (f"telegram:{ANNA}:{asked.message_id}", f"telegram:{ANNA}", str(ANNA)) == (
        question.id,
        question.thread,
        question.asker,
    )


async def test_a_private_chat_is_one_conversation() -> None:
    """A reply and a plain next message both belong to the chat's one running conversation."""
    async with chatting() as (tg, desk):
        await tg.say(ANNA, ANNA, "first")
        answer, _ = await tg.wait_for_messages(ANNA, count=2)
        await tg.say(ANNA, ANNA, "second", reply_to=answer.message_id)
        await tg.say(ANNA, ANNA, "third")
        await tg.wait_for_messages(ANNA, count=6)

    assert {f"telegram:{ANNA}"} == {question.thread for question in desk.questions.values()}
    assert asked_of(desk) == ["first", "second", "third"]


async def test_in_a_group_only_those_who_speak_to_the_bot_are_answered() -> None:
    """A mention and /ask are questions, without the words that address the bot; other talk is left alone."""
    async with chatting() as (tg, desk):
        await tg.say(ANNA, TEAM, "Lunch?")
        await tg.say(ANNA, TEAM, "ask @boris_b or @footnote_bot_2")
        await tg.say(ANNA, TEAM, "/ask@other_bot where?")
        await tg.say(ANNA, TEAM, "😀 @Footnote_Bot, where is RAG used?")
        await tg.say(BORIS, TEAM, "/ask@footnote_bot and here?")
        await tg.say(BORIS, TEAM, "/ask how?")
        await tg.wait_for_messages(TEAM, count=6)
        asked = await asks_last(tg, desk)

    assert sorted(asked) == sorted(["😀, where is RAG used?", "and here?", "how?", "last"])
    assert len(tg.bot_messages(TEAM)) == 6


async def test_a_reply_to_the_answer_continues_its_conversation() -> None:
    """Anybody's reply to the answer or the evidence belongs to the question's thread; a new mention starts another."""
    async with chatting() as (tg, desk):
        asked = await tg.say(ANNA, TEAM, "@footnote_bot where is RAG used?")
        answer, evidence = await tg.wait_for_messages(TEAM, count=2)
        await tg.say(BORIS, TEAM, "And in Aston?", reply_to=answer.message_id)
        await tg.wait_for_messages(TEAM, count=4)
        await tg.say(BORIS, TEAM, "Who says so?", reply_to=evidence.message_id)
        await tg.wait_for_messages(TEAM, count=6)
        other = await tg.say(BORIS, TEAM, "@footnote_bot something else")
        await tg.wait_for_messages(TEAM, count=8)

    first = f"telegram:{TEAM}:{asked.message_id}"
    assert [first] * 3 + [f"telegram:{TEAM}:{other.message_id}"] == [
        question.thread for question in desk.questions.values()
    ]


@pytest.mark.parametrize(
    "called", ["@footnote_bot", "/ask", "/ask@footnote_bot", "@footnote_bot any idea?", "@footnote_bot, а ты знаешь?"]
)
async def test_a_call_under_somebody_s_message_answers_that_message(called: str) -> None:
    """A reply says what is meant; where that message has no words to answer, how to ask is said."""
    async with chatting() as (tg, desk):
        meant = await tg.say(BORIS, TEAM, "How long can trip receipts wait?")
        await tg.say(ANNA, TEAM, called, reply_to=meant.message_id)
        await tg.wait_for_messages(TEAM, count=2)

    assert ["How long can trip receipts wait?"] == asked_of(desk)


async def test_a_topic_keeps_its_answers() -> None:
    """In a forum the answer goes to the topic of the question; a plain message there replies to nobody."""
    async with telegram() as tg:
        topic = tg.add_topic(ANNA, FORUM, "Leave")
        desk = desk_for()
        async with serving(tg, desk):
            await tg.say(ANNA, FORUM, "just talk", thread=topic)
            await tg.say(ANNA, FORUM, "@footnote_bot in a topic?", thread=topic)
            await tg.say(ANNA, FORUM, "@footnote_bot in general?")
            found = await tg.wait_for_messages(FORUM, count=4)

    places = {said.text: said.thread_id for said in found if said.text.startswith("•")}
    assert places == {"• About in a topic?¹": topic, "• About in general?¹": None}


async def test_an_anonymous_admin_may_ask() -> None:
    """Who asks in the group's name is the group."""
    async with chatting() as (tg, desk):
        await tg.say(ANNA, TEAM, "/ask who am I?", anonymous=True)
        await tg.wait_for_messages(TEAM, count=2)

    assert [str(TEAM)] == [question.asker for question in desk.questions.values()]


@pytest.mark.parametrize(("person", "language"), [(ANNA, "ru"), (BORIS, "en")])
async def test_start_explains_how_to_ask(person: int, language: str) -> None:
    """/start gets a short text in the person's language, and nobody is asked anything."""
    async with chatting() as (tg, desk):
        for command in ("/start", "/start from_the_site"):
            await tg.say(person, person, command)
        answers = await tg.wait_for_messages(person, count=2)

    assert [hint("help", language, "footnote_bot")] * 2 == texts(answers)  # type: ignore[arg-type]
    assert desk.brought == []


async def test_without_words_there_is_a_hint() -> None:
    """A picture gets a sentence that only text is understood, an album one, a bare mention an example."""
    photo = [{"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1}]
    async with chatting() as (tg, desk):
        for number in (600, 601):
            await tg.deliver(message(message_id=number, photo=photo, media_group_id="9"))
        await tg.wait_for_messages(ANNA, count=1)
        await tg.say(BORIS, TEAM, "@footnote_bot")
        (bare,) = await tg.wait_for_messages(TEAM, count=1)
        asked = await asks_last(tg, desk)

    assert [hint("only_text", "ru", "")] == texts(tg.bot_messages(ANNA))
    assert bare.text == phrase("empty", "en")
    assert asked == ["last"]


def sender(number: int, *, is_bot: bool = False) -> dict[str, Any]:
    return {"from": {"id": number, "is_bot": is_bot, "first_name": "Somebody"}}


ANNOUNCEMENT: dict[str, Any] = {"id": -100999, "type": "channel", "title": "News"}
GROUP = {"id": TEAM, "type": "supergroup", "title": "Team"}
LEFT_ALONE: dict[str, dict[str, Any]] = {
    "an edit that is no question": {
        "edited_message": message(
            text="/help", edit_date=1_800_000_001, entities=[{"type": "bot_command", "offset": 0, "length": 5}]
        )["message"]
    },
    "a channel post": {"channel_post": message(chat=ANNOUNCEMENT, text="@footnote_bot post")["message"]},
    "talk in a channel": message(chat=ANNOUNCEMENT, text="@footnote_bot hi"),
    "another bot": message(text="hi", **sender(2001, is_bot=True)),
    "a service message": message(pinned_message=message(text="x")["message"]),
    "a forward of the linked channel": message(
        chat=GROUP,
        sender_chat=ANNOUNCEMENT,
        is_automatic_forward=True,
        text="@footnote_bot news",
        entities=[{"type": "mention", "offset": 0, "length": 13}],
        **sender(777000),
    ),
    "a sticker in a group": message(
        chat=GROUP,
        sticker={
            "file_id": "a",
            "file_unique_id": "b",
            "type": "regular",
            "width": 1,
            "height": 1,
            "is_animated": False,
            "is_video": False,
        },
    ),
    "a shape the library cannot read": {"message": {"chat": 7}},
    "a text of absurd length": message(text="word " * 100_000),
    "half a character": message(text="\ud83d"),
    "ids that are none": message(message_id={}, text="hi"),
    "a kind that does not exist yet": {"telepathy": {}},
}


@pytest.mark.parametrize("update", LEFT_ALONE.values(), ids=LEFT_ALONE)
async def test_what_is_not_a_question_does_no_harm(update: dict[str, object]) -> None:
    """Edits, channels, bots, service messages and unknown things are left alone, and what follows is answered."""
    async with chatting() as (tg, desk):
        await tg.deliver(update)
        asked = await asks_last(tg, desk)
        await tg.wait_until_confirmed()

    assert asked == ["last"]
    assert tg.bot_messages(ANNA) == tg.bot_messages(TEAM) == []


async def test_a_repeated_update_is_answered_once() -> None:
    """Telegram may deliver the same message again, also while its answer is being written."""
    async with chatting() as (tg, desk):
        await tg.say(ANNA, ANNA, "once")
        (update,) = tg.pending_updates
        await tg.deliver(update)
        await tg.wait_for_messages(ANNA, count=2)
        await tg.deliver(update)
        await asks_last(tg, desk)

    assert asked_of(desk) == ["once", "last"]
    assert len(tg.bot_messages(ANNA)) == 2


@pytest.mark.parametrize("odd", [TypeError("odd"), KeyError("odd")], ids=repr)
async def test_a_mistake_of_ours_is_told_and_holds_up_nobody(odd: Exception, caplog: pytest.LogCaptureFixture) -> None:
    """A question that breaks the desk gets one sentence with a reference, which the log has too, without the words."""
    async with chatting() as (tg, desk):

        async def breaks(_: Question) -> None:
            raise odd

        desk.asked, asked = breaks, desk.asked  # type: ignore[method-assign, assignment]
        await tg.say(ANNA, ANNA, "Секретный вопрос")
        (failed,) = await tg.wait_for_messages(ANNA, count=1)
        desk.asked = asked  # type: ignore[method-assign]
        await asks_last(tg, desk)

    assert failed.text.startswith("У меня произошёл сбой")
    assert failed.text.rpartition(" ")[2] in caplog.text
    assert "Секретный" not in caplog.text


async def test_a_slow_conversation_holds_up_only_itself() -> None:
    """Two questions of one thread are answered in order; another thread does not wait for them."""
    gate = asyncio.Event()

    async def slow_for_anna(question: Question) -> RenderedReply | None:
        if question.text == "slow":
            await gate.wait()
        return reply_to(question.text)

    async with chatting(slow_for_anna) as (tg, desk):
        await tg.say(ANNA, ANNA, "slow")
        await tg.say(ANNA, ANNA, "after it")
        await asks_last(tg, desk)
        before = tg.bot_messages(ANNA)
        gate.set()
        found = await tg.wait_for_messages(ANNA, count=4)

    assert before == []
    assert ["• About slow¹", "• About after it¹"] == [said.text for said in found if said.text.startswith("•")]


async def test_the_chat_shows_that_an_answer_is_coming(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the answer is worked out the chat shows "typing", again and again."""
    monkeypatch.setattr("adapters.telegram.typing.TYPING_SECONDS", 0.05)
    async with chatting() as (tg, desk):

        async def after_two_signals(question: Question) -> RenderedReply | None:
            await tg.wait_for_calls("sendChatAction", count=2)
            return reply_to(question.text)

        desk.answer = after_two_signals
        await tg.say(ANNA, ANNA, "hard")
        await tg.wait_for_messages(ANNA, count=2)

    assert (ANNA, "typing") in tg.world.actions


@pytest.mark.parametrize("text", ["@footnote_bot hard?", "@footnote_bot сколько дней?"])
async def test_in_a_group_the_question_is_looked_at(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Whose question is being answered is seen."""
    monkeypatch.setattr("adapters.telegram.typing.SEEN_AFTER", 0.0)
    async with chatting() as (tg, desk):

        async def once_seen(question: Question) -> RenderedReply | None:
            await tg.wait_for_calls("setMessageReaction", count=1)
            return reply_to(question.text)

        desk.answer = once_seen
        await tg.say(ANNA, TEAM, text)
        await tg.wait_for_messages(TEAM, count=2)

    [asked] = [one for one in tg.world.messages[TEAM].values() if one.text == text]
    assert ((tg.world.bot.id, "👀"),) == asked.reactions


@pytest.mark.parametrize("text", ["@footnote_bot hard?", "@footnote_bot сколько дней?"])
async def test_in_a_group_it_is_seen_that_a_slow_answer_is_still_being_written(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """The look becomes a hand that writes, and a look again with the answer; no message is spent on it."""
    monkeypatch.setattr("adapters.telegram.typing.SEEN_AFTER", 0.0)
    monkeypatch.setattr("adapters.telegram.typing.WRITING_AFTER", 0.05)
    signs: list[list[str]] = []
    async with chatting() as (tg, desk):

        def shown() -> list[str]:
            return [sign for one in tg.world.messages[TEAM].values() if one.text == text for _, sign in one.reactions]

        async def once_written(question: Question) -> RenderedReply | None:
            await tg.wait_for_calls("setMessageReaction", count=2)
            signs.append(shown())
            return reply_to(question.text)

        desk.answer = once_written
        await tg.say(ANNA, TEAM, text)
        await tg.wait_for_messages(TEAM, count=2)
        signs.append(shown())

    assert [["✍"], ["👀"]] == signs
    assert 2 == len(tg.bot_messages(TEAM))


async def test_a_group_without_reactions_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """To look is a courtesy."""
    monkeypatch.setattr("adapters.telegram.typing.SEEN_AFTER", 0.0)
    async with chatting() as (tg, desk):
        tg.fail_next("setMessageReaction", status=400, description="Bad Request: REACTION_INVALID")

        async def once_tried(question: Question) -> RenderedReply | None:
            await tg.wait_for_calls("setMessageReaction", count=1)
            return reply_to(question.text)

        desk.answer = once_tried
        await tg.say(ANNA, TEAM, "@footnote_bot hard?")
        await tg.wait_for_messages(TEAM, count=2)

    assert ["setMessageReaction"] == calls(tg, "setMessageReaction")


async def test_an_answer_that_was_given_before_is_not_given_again() -> None:
    """When the desk has nothing to say, nothing is sent."""

    async def silent(question: Question) -> RenderedReply | None:
        return reply_to("") if question.asker == str(BORIS) else None

    async with chatting(silent) as (tg, desk):
        await tg.say(ANNA, ANNA, "done")
        await asks_last(tg, desk)

    assert tg.bot_messages(ANNA) == []


async def test_a_hint_waits_for_its_turn_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short flood limit delays a hint; a long one costs it."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async with chatting() as (tg, _):
        monkeypatch.setattr("adapters.telegram.notices.asyncio", SimpleNamespace(sleep=sleep))
        tg.fail_next("sendMessage", status=500, times=2)
        await tg.say(ANNA, ANNA, "/help")
        await tg.wait_for_messages(ANNA, count=1)
        tg.fail_next("sendMessage", retry_after=5072)
        await tg.say(BORIS, BORIS, "/help")
        await tg.wait_for_calls("sendMessage", count=4)

    assert slept == [1, 1]
    assert tg.bot_messages(BORIS) == []


async def test_too_many_hints_at_once_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who calls for help without end takes no more than a few tasks."""
    monkeypatch.setattr("adapters.telegram.errands.MOST_OF_ONE", 1)
    async with chatting() as (tg, desk):
        for _ in range(3):
            await tg.say(ANNA, ANNA, "/help")
        await asks_last(tg, desk)

    assert len(tg.bot_messages(ANNA)) == 1


@pytest.mark.parametrize("kind", ["message", "edited_message"])
async def test_a_message_that_an_older_server_tells_otherwise_is_told_of(kind: str) -> None:
    """Its poll lacks fields that the library wants, so that it could not be read at all, and nobody heard anything."""
    poll = {"id": "1", "question": "How many days?", "options": []}
    async with chatting() as (tg, desk):
        await tg.deliver({kind: message(poll=poll)["message"]})
        asked = await asks_last(tg, desk)
        await tg.deliver(message(message_id=501, pinned_message={"text": "?"}))
        await tg.deliver(message(message_id=502, text="Сколько дней?", reply_to_message={"text": "?"}))
        await tg.wait_for_messages(ANNA, count=3 if kind == "message" else 2)

    assert asked == ["last"]
    assert [hint("only_text", "ru", "")] * (kind == "message") == texts(tg.bot_messages(ANNA))[: kind == "message"]
    assert asked_of(desk) == ["last", "Сколько дней?"]
