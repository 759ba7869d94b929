"""Whatever Telegram answers, a reply is delivered once."""

import logging
from typing import Any

import httpx
import pytest
from telegram import Bot
from telegram.error import NetworkError

from core.conversation import Question
from core.errors import SearchError, StorageError
from core.reply import Bullets, Paragraph, RenderedReply, Text
from tests.adapters.telegram.scene import ANNA, BORIS, TEAM, Clerk, chatting, reply_to, texts
from tests.platforms.telegram import TelegramStandIn


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.telegram.send.RETRY_PAUSE", 0.01)


def long_reply(lines: int) -> RenderedReply:
    items = tuple((Text(f"{number} " + "word " * 100),) for number in range(lines))
    return RenderedReply((Bullets(items),), reply_to("x").evidence, "en")


async def is_alive(tg: TelegramStandIn) -> None:
    await tg.say(BORIS, BORIS, "still there?")
    await tg.wait_for_messages(BORIS, count=2)


async def test_a_long_answer_comes_in_parts_and_the_evidence_under_the_first() -> None:
    """Every part in order, the first replying to the question; all of them lead back to the thread."""

    async def at_length(question: Question) -> RenderedReply | None:
        return long_reply(20)

    async with chatting(Clerk(answering=at_length)) as (tg, clerk):
        asked = await tg.say(ANNA, TEAM, "/ask everything")
        *parts, evidence = await tg.wait_for_messages(TEAM, count=4)
        await tg.say(BORIS, TEAM, "more", reply_to=parts[-1].message_id)
        await tg.wait_for_messages(TEAM, count=8)

    numbers = [line.split()[1] for part in parts for line in part.text.splitlines()]
    assert numbers == [str(number) for number in range(20)]
    assert [asked.message_id, None, None] == [part.reply_to for part in parts]
    assert evidence.reply_to == parts[0].message_id
    assert len({question.thread for question in clerk.answered}) == 1


async def test_an_answer_that_was_given_before_is_not_given_again() -> None:
    """When the answerer has nothing to say, nothing is sent."""

    async def silent(question: Question) -> RenderedReply | None:
        return reply_to("") if question.asker == str(BORIS) else None

    async with chatting(Clerk(answering=silent)) as (tg, _):
        await tg.say(ANNA, ANNA, "done")
        await is_alive(tg)

    assert tg.bot_messages(ANNA) == []


@pytest.mark.parametrize("answering", ["raise", "wordless"])
async def test_a_failure_is_told_with_its_reference(answering: str, caplog: pytest.LogCaptureFixture) -> None:
    """The asker gets one sentence in their language with a reference; the log has it too, without the words asked."""

    async def fail(question: Question) -> RenderedReply | None:
        if answering == "raise":
            raise RuntimeError(f"cannot answer {question.text}")
        return RenderedReply((Paragraph((Text(" "),)),), (), "ru")

    async with chatting(Clerk(answering=fail)) as (tg, _):
        await tg.say(ANNA, ANNA, "Секретный вопрос")
        (failed,) = await tg.wait_for_messages(ANNA, count=1)

    reference = failed.text.rpartition(" ")[2]
    assert failed.text.startswith("У меня произошёл сбой")
    assert reference in caplog.text
    assert "Секретный" not in caplog.text


async def test_a_mistake_while_storing_is_told_too() -> None:
    """A question that breaks the store is answered with the failure sentence, and does not come back for ever."""
    async with chatting(Clerk(failing=[TypeError("odd")])) as (tg, clerk):
        await tg.say(ANNA, ANNA, "odd")
        (failed,) = await tg.wait_for_messages(ANNA, count=1)
        await is_alive(tg)

    assert failed.text.startswith("Something on my side failed")
    assert clerk.asked == ["still there?"]


async def test_an_answer_whose_thread_cannot_be_stored_is_still_delivered() -> None:
    """Forgetting which messages carry the reply costs the follow-up, not the evidence."""
    clerk = Clerk()

    async def unable(*_: object) -> None:
        raise StorageError("disk full")

    clerk.delivered = unable  # type: ignore[method-assign, assignment]
    async with chatting(clerk) as (tg, _):
        await tg.say(ANNA, ANNA, "hello")

        assert len(await tg.wait_for_messages(ANNA, count=2)) == 2


async def test_after_a_flood_limit_the_refused_part_is_sent() -> None:
    """The wait that Telegram asks for is kept, and sending goes on where it was refused."""
    async with chatting() as (tg, _):
        tg.fail_next("sendMessage", retry_after=1)
        await tg.say(ANNA, ANNA, "patience")
        answer, evidence = await tg.wait_for_messages(ANNA, count=2)

    assert answer.text.startswith("• About patience")
    assert evidence.reply_to == answer.message_id


async def test_a_long_flood_limit_is_not_waited_for() -> None:
    """A ban longer than anybody waits ends this delivery, and the bot goes on."""
    async with chatting() as (tg, _):
        tg.fail_next("sendMessage", retry_after=5072)
        await tg.say(ANNA, ANNA, "banned")
        await tg.wait_for_calls("sendMessage")
        await is_alive(tg)

    assert tg.bot_messages(ANNA) == []


async def test_a_server_error_is_tried_again() -> None:
    """A 500 in the Bot API's own words sent nothing, so the same part is sent again."""
    async with chatting() as (tg, _):
        tg.fail_next("sendMessage", status=500, times=2)
        await tg.say(ANNA, ANNA, "again")
        found = await tg.wait_for_messages(ANNA, count=2)
        await is_alive(tg)

    assert len(tg.bot_messages(ANNA)) == len(found) == 2


async def test_a_server_that_keeps_failing_is_given_up() -> None:
    """After a few tries the delivery ends, and the bot goes on."""
    async with chatting() as (tg, _):
        tg.fail_next("sendMessage", status=500, times=4)
        await tg.say(ANNA, ANNA, "again")
        await tg.wait_for_calls("sendMessage", count=4)
        await is_alive(tg)

    assert tg.bot_messages(ANNA) == []


@pytest.mark.parametrize(
    "failure", [{"status": 502}, {"status": 504}, {"status": 500, "description": "Internal Server Error: restart"}]
)
async def test_a_doubtful_error_is_not_repeated(failure: dict[str, Any]) -> None:
    """Behind a gateway's error, or a restart, the message may have been sent, so it is not sent again."""
    async with chatting() as (tg, _):
        tg.fail_next("sendMessage", **failure)
        await tg.say(ANNA, ANNA, "perhaps")
        (evidence,) = await tg.wait_for_messages(ANNA, count=1)
        await is_alive(tg)

    assert "• About" not in evidence.text


@pytest.mark.parametrize("fault", [{"drop": "after"}, {"delay": 0.5}], ids=["dropped", "slow"])
async def test_a_time_out_after_the_effect_sends_nothing_twice(
    fault: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows whether the answer arrived, so it is not repeated; the evidence follows under the question."""
    monkeypatch.setattr("adapters.telegram.client.READ_SECONDS", 0.2)
    async with chatting() as (tg, _):
        tg.fail_next("sendMessage", **fault)
        asked = await tg.say(ANNA, ANNA, "once")
        answer, evidence = await tg.wait_for_messages(ANNA, count=2)
        await is_alive(tg)

    assert len(tg.bot_messages(ANNA)) == 2
    assert answer.text.startswith("• About once")
    assert evidence.reply_to == asked.message_id


async def test_a_message_that_never_left_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """When no connection could be made nothing was sent, so the same part is sent again."""
    real, refusals = Bot.send_message, [httpx.ConnectError("refused"), httpx.PoolTimeout("full")]

    async def send(*arguments: Any, **options: Any) -> Any:
        if refusals:
            raise NetworkError("no connection") from refusals.pop()
        return await real(*arguments, **options)

    monkeypatch.setattr(Bot, "send_message", send)
    async with chatting() as (tg, _):
        await tg.say(ANNA, ANNA, "again")

        assert len(await tg.wait_for_messages(ANNA, count=2)) == 2


async def test_refused_formatting_costs_only_the_formatting() -> None:
    """A 400 for a formatted message sends the same words plain."""

    async def in_bold(question: Question) -> RenderedReply | None:
        return RenderedReply((Paragraph((Text("Twenty-eight", "strong"),)),), (), "en")

    async with chatting(Clerk(answering=in_bold)) as (tg, _):
        tg.fail_next("sendMessage", status=400, description="Bad Request: URL 'x' is invalid")
        await tg.say(ANNA, ANNA, "How many?")
        (answer,) = await tg.wait_for_messages(ANNA, count=1)

    assert answer.text == "Twenty-eight"
    assert answer.entities == ()


async def test_a_refused_message_is_not_repeated() -> None:
    """A 400 for plain words ends the delivery, and the bot goes on."""
    async with chatting() as (tg, _):
        tg.fail_next("sendMessage", status=400, description="Bad Request: not enough rights to send text messages")
        await tg.say(ANNA, ANNA, "muted")
        await tg.wait_for_calls("sendMessage")
        await is_alive(tg)

    assert tg.bot_messages(ANNA) == []


async def test_a_deleted_question_is_still_answered() -> None:
    """When the asker deletes the question meanwhile, the answer comes without replying to it."""
    async with chatting() as (tg, clerk):

        async def after_deleting(question: Question) -> RenderedReply | None:
            await tg.unsend(ANNA, int(question.id.rpartition(":")[2]))
            return reply_to(question.text)

        clerk.answering = after_deleting
        await tg.say(ANNA, ANNA, "oops")
        answer, _ = await tg.wait_for_messages(ANNA, count=2)

    assert answer.reply_to is None


async def test_who_blocks_the_bot_does_not_stop_it(caplog: pytest.LogCaptureFixture) -> None:
    """Blocked or thrown out, the bot says so in the log and goes on."""
    async with chatting() as (tg, clerk):

        async def after_blocking(question: Question) -> RenderedReply | None:
            if question.asker == str(ANNA):
                await tg.set_bot_status(ANNA, ANNA, "kicked")
            return reply_to(question.text)

        clerk.answering = after_blocking
        await tg.say(ANNA, ANNA, "bye")
        await tg.wait_for_calls("sendMessage")
        await is_alive(tg)

    assert "bot was blocked by the user" in caplog.text


async def test_a_group_that_became_a_supergroup_gets_its_answer() -> None:
    """The answer follows the group to its new id, and a reply to it there continues the conversation."""
    async with chatting() as (tg, clerk):
        tg.add_group(-55, "Small", members=[ANNA], kind="group")

        async def after_moving(question: Question) -> RenderedReply | None:
            if tg.world.chats[-55].migrated_to is None:
                await tg.migrate(-55, -10055)
            return reply_to(question.text)

        clerk.answering = after_moving
        await tg.say(ANNA, -55, "/ask where?")
        await tg.world.changes.until(lambda: -10055 in tg.world.chats, 3)
        answer, evidence = await tg.wait_for_messages(-10055, count=2)
        await tg.say(ANNA, -10055, "and there?", reply_to=answer.message_id)
        await tg.wait_for_messages(-10055, count=4)

    assert evidence.reply_to == answer.message_id
    assert len({question.thread for question in clerk.answered}) == 1


async def test_a_reply_to_the_answer_finds_its_thread_before_the_evidence_is_there() -> None:
    """Somebody may reply to the answer while Telegram makes the evidence wait."""
    async with chatting() as (tg, clerk):
        asked = await tg.say(ANNA, TEAM, "/ask first")
        (answer, *_) = await tg.wait_for_messages(TEAM, count=1)
        tg.fail_next("sendMessage", retry_after=1)
        await tg.say(BORIS, TEAM, "second", reply_to=answer.message_id)
        await tg.wait_for_messages(TEAM, count=4)

    assert [f"telegram:{TEAM}:{asked.message_id}"] * 2 == [question.thread for question in clerk.answered]


async def test_the_search_being_down_is_told_like_any_failure() -> None:
    """Even an error that the answerer promises never to raise ends in a sentence."""

    async def fail(question: Question) -> RenderedReply | None:
        raise SearchError("the index is locked")

    async with chatting(Clerk(answering=fail)) as (tg, _):
        await tg.say(BORIS, BORIS, "anyone?")
        failed = await tg.wait_for_messages(BORIS, count=1)

    assert texts(failed)[0].startswith("Something on my side failed")
    assert "locked" not in texts(failed)[0]


async def test_a_mistake_of_ours_does_not_end_the_bot(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What nobody foresaw in one delivery is logged, and the next question is answered."""
    with monkeypatch.context() as broken:
        broken.setattr("adapters.telegram.send._ref", lambda sent: sent.nonsense)
        async with chatting() as (tg, _):
            await tg.say(ANNA, ANNA, "first")
            await tg.wait_for_messages(ANNA, count=1)
            broken.undo()
            await is_alive(tg)

    assert "a mistake of ours: AttributeError" in caplog.text


async def test_the_token_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    """At the most talkative level neither the token nor anybody's words are logged."""
    caplog.set_level(logging.DEBUG)
    async with chatting() as (tg, _):
        tg.fail_next("sendMessage", drop="before")
        await tg.say(ANNA, ANNA, "Mein Geheimnis")
        await tg.wait_for_messages(ANNA, count=1)

    assert tg.token not in caplog.text
    assert "Geheimnis" not in caplog.text
