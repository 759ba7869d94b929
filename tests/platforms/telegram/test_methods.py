"""What the bot sends, changes and removes, and how its calls fail."""

from __future__ import annotations

import pytest
from aiohttp import ClientSession, FormData
from telegram import (
    Bot,
    BotCommand,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    ReactionTypeEmoji,
    ReplyParameters,
)
from telegram.error import (
    ChatMigrated,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TimedOut,
)

from . import TelegramStandIn
from .talking import ANNA, BORIS, TEAM, client, refused, talking


async def test_editing_changes_the_chat_in_place() -> None:
    """An edit replaces text and keyboard; what was there before is kept as history."""
    async with talking() as (tg, bot):
        markup = InlineKeyboardMarkup([[InlineKeyboardButton("1", callback_data="c:1")]])
        sent = await bot.send_message(ANNA, "Reading…", reply_markup=markup)
        await bot.edit_message_text("Answer", ANNA, sent.message_id)
        (message,) = tg.chat(ANNA)

        assert (message.text, message.keyboard) == ("Answer", None)
        assert [each.text for each in message.history] == ["Reading…"]


async def test_impossible_edits_and_deletions_are_refused() -> None:
    """Nothing new, nothing there, not ours: each has its own refusal."""
    async with talking() as (tg, bot):
        asked = await tg.say(ANNA, TEAM, "Where?")
        sent = await bot.send_message(TEAM, "Here.")
        with refused("Message is not modified"):
            await bot.edit_message_text("Here.", TEAM, sent.message_id)
        with refused("Message to edit not found"):
            await bot.edit_message_text("There.", TEAM, 999)
        with refused("Message can't be edited"):
            await bot.edit_message_text("There.", TEAM, asked.message_id)
        with refused("Message can't be deleted"):
            await bot.delete_message(TEAM, asked.message_id)
        await bot.delete_message(TEAM, sent.message_id)
        with refused("Message to delete not found"):
            await bot.delete_message(TEAM, sent.message_id)

        assert [each.text for each in tg.chat(TEAM)] == ["Where?"]


async def test_a_reply_needs_its_message() -> None:
    """A reply to a missing message is refused unless the bot allows to send it alone."""
    async with talking() as (tg, bot):
        with refused("Message to be replied not found"):
            await bot.send_message(ANNA, "x", reply_parameters=ReplyParameters(77))
        lenient = ReplyParameters(77, allow_sending_without_reply=True)
        await bot.send_message(ANNA, "x", reply_parameters=lenient)

        assert [each.reply_to for each in tg.chat(ANNA)] == [None]


async def test_topics_of_a_forum() -> None:
    """A message joins a topic that exists; the general topic has no number to send to."""
    async with talking() as (tg, bot):
        tg.add_group(-1009, "Forum", members=[ANNA], forum=True)
        topic = tg.add_topic(ANNA, -1009, "Docs")
        await tg.say(ANNA, -1009, "Where?", thread=topic)
        asked = (await bot.get_updates())[-1].message
        answer = await bot.send_message(-1009, "Here.", message_thread_id=topic)

        assert asked
        assert asked.is_topic_message
        assert asked.reply_to_message
        assert asked.reply_to_message.forum_topic_created
        assert answer.message_thread_id == topic
        for missing in (1, 555):
            with refused("Message thread not found"):
                await bot.send_message(-1009, "x", message_thread_id=missing)


async def test_chats_that_are_closed_to_the_bot() -> None:
    """Unknown, blocked, thrown out, never started: each has its own refusal."""
    async with talking() as (tg, bot):
        tg.add_user(3001, "Shy", started=False)
        await tg.set_bot_status(BORIS, BORIS, "kicked")
        await tg.set_bot_status(ANNA, TEAM, "kicked")
        with refused("Chat not found"):
            await bot.send_message(404, "x")
        with pytest.raises(Forbidden, match="blocked by the user"):
            await bot.send_message(BORIS, "x")
        with pytest.raises(Forbidden, match="kicked from the supergroup chat"):
            await bot.send_message(TEAM, "x")
        with pytest.raises(Forbidden, match="can't initiate conversation"):
            await bot.send_message(3001, "x")

        changes = [each.my_chat_member for each in await bot.get_updates()]
        assert [each and each.new_chat_member.status for each in changes] == ["kicked", "kicked"]


async def test_a_group_that_became_a_supergroup() -> None:
    """The old id answers with the new one, and both chats announce the move."""
    async with talking() as (tg, bot):
        tg.add_group(-7, "Small", members=[ANNA], kind="group")
        await tg.migrate(-7, -1007)
        with pytest.raises(ChatMigrated) as moved:
            await bot.send_message(-7, "x")
        announced = [each.message for each in await bot.get_updates()]

        assert moved.value.new_chat_id == -1007
        assert [each and each.migrate_to_chat_id for each in announced] == [-1007, None]
        assert [each and each.migrate_from_chat_id for each in announced] == [None, -7]


async def test_the_smaller_methods() -> None:
    """Typing, drafts, reactions, commands, chats and members answer in shapes the client reads."""
    async with talking() as (tg, bot):
        asked = await tg.say(ANNA, ANNA, "Where?")
        await bot.send_chat_action(ANNA, "typing")
        await bot.send_message_draft(ANNA, 5, "Reading…")
        await bot.set_message_reaction(ANNA, asked.message_id, "👀")
        await bot.set_my_commands([BotCommand("ask", "Ask a question")])
        member = await bot.get_chat_member(TEAM, BORIS)
        me = await bot.get_chat_member(TEAM, bot.id)

        assert tg.world.actions == [(ANNA, "typing")]
        assert tg.draft(ANNA, 5) == "Reading…"
        assert tg.chat(ANNA)[0].reactions == ((bot.id, "👀"),)
        assert await bot.get_my_commands() == (BotCommand("ask", "Ask a question"),)
        assert (await bot.get_chat(ANNA)).first_name == "Anna"
        assert (member.status, me.status) == ("member", "member")
        assert len(tg.chat(ANNA)) == 1


async def test_a_draft_is_stopped_by_its_person() -> None:
    """The button is there when the latest draft asked for it; pressed, it goes with its draft, and the bot is told."""
    async with talking() as (tg, bot):
        await bot.get_updates(allowed_updates=["stopped_message_generation"])
        await bot.send_message_draft(ANNA, 5, "Reading…", api_kwargs={"can_stop": True})
        await bot.send_message_draft(ANNA, 6, "Reading…")
        with pytest.raises(ValueError, match="no draft 6 with a button"):
            await tg.stop_draft(ANNA, 6)
        await tg.stop_draft(ANNA, 5)
        [update] = tg.pending_updates

        assert tg.draft(ANNA, 5) is None
        stopped = update["stopped_message_generation"]
        assert isinstance(stopped, dict)
        assert (ANNA, 5) == (stopped["chat"]["id"], stopped["draft_id"])


async def test_the_smaller_methods_refuse_too() -> None:
    """Unknown actions and emoji, drafts in groups and bad command names are errors."""
    async with talking() as (tg, bot):
        asked = await tg.say(ANNA, TEAM, "Where?")
        with refused("Wrong parameter action"):
            await bot.send_chat_action(ANNA, "thinking")
        with refused("textdraft_peer_invalid"):
            await bot.send_message_draft(TEAM, 5, "Reading…")
        with refused("reaction_invalid"):
            await bot.set_message_reaction(TEAM, asked.message_id, ReactionTypeEmoji("🦔"))
        with refused("reactions_too_many"):
            await bot.set_message_reaction(TEAM, asked.message_id, ["👍", "👀"])
        with refused("bot_command_invalid"):
            await bot.set_my_commands([("Ask!", "Ask a question")])


async def talk_once(bot: Bot) -> None:
    async with bot:
        await bot.get_me()


async def test_wrong_tokens_and_unknown_methods() -> None:
    """A wrong token is unauthorised, a malformed one and an unknown method are not found."""
    async with talking() as (tg, bot):
        for token in ("654321:other", "nonsense"):
            with pytest.raises(InvalidToken):
                await talk_once(client(tg, token))
        with pytest.raises(EndPointNotFound):
            await bot.do_api_request("sendHologram", api_kwargs={"chat_id": ANNA})

        statuses = [(each.method, each.status) for each in tg.calls]
        assert statuses[1:] == [("getMe", 401), ("getMe", 404), ("sendHologram", 404)]


async def test_every_body_the_api_accepts() -> None:
    """Query string, form, multipart and JSON say the same, in any letter case."""
    async with talking() as (tg, _), ClientSession() as http:
        url = f"{tg.base_url}{tg.token}/sendmessage"
        parts = FormData({"chat_id": str(ANNA), "text": "multipart"}, default_to_multipart=True)
        await http.get(url, params={"chat_id": ANNA, "text": "query"})
        await http.post(url, data={"chat_id": ANNA, "text": "form"})
        await http.post(url, data=parts)
        await http.post(url, json={"chat_id": ANNA, "text": "json"})

        assert [each.text for each in tg.chat(ANNA)] == ["query", "form", "multipart", "json"]


@pytest.mark.filterwarnings("ignore::telegram.warnings.PTBDeprecationWarning")
async def test_scripted_refusals_strike_once() -> None:
    """A planned failure meets the next call only, and has no effect on the chat."""
    async with talking() as (tg, bot):
        tg.fail_next("sendMessage", status=429, retry_after=1)
        tg.fail_next("sendMessage", status=500)
        tg.fail_next("sendMessage", error_code=400, description="Bad Request: no")
        with pytest.raises(RetryAfter) as wait:
            await bot.send_message(ANNA, "x")
        with pytest.raises(NetworkError, match="Internal Server Error"):
            await bot.send_message(ANNA, "x")
        with refused("No"):
            await bot.send_message(ANNA, "x")
        await bot.send_message(ANNA, "at last")

        assert wait.value._retry_after.total_seconds() == 1
        assert [each.text for each in tg.chat(ANNA)] == ["at last"]
        assert [each.status for each in await tg.wait_for_calls("sendMessage")] == [
            429,
            500,
            400,
            200,
        ]


async def test_a_broken_connection_leaves_the_effect_open() -> None:
    """The client sees the same failure whether the message was sent or not."""
    async with talking() as (tg, bot):
        tg.fail_next("sendMessage", drop="before")
        tg.fail_next("sendMessage", drop="after")
        for text in ("lost", "sent"):
            with pytest.raises(NetworkError):
                await bot.send_message(ANNA, text)

        assert [each.text for each in tg.chat(ANNA)] == ["sent"]
        assert [each.status for each in tg.calls[-2:]] == [0, 0]


async def test_a_late_answer_times_out_after_the_effect() -> None:
    """A time-out says nothing about the message: it stands in the chat."""
    async with talking() as (tg, bot):
        tg.fail_next("sendMessage", delay=0.5)
        with pytest.raises(TimedOut):
            await bot.send_message(ANNA, "sent", read_timeout=0.1)

        assert [each.text for each in tg.chat(ANNA)] == ["sent"]


@pytest.mark.filterwarnings("ignore::telegram.warnings.PTBDeprecationWarning")
async def test_the_flood_limit_can_be_switched_on() -> None:
    """With the limit on, a second message to the same chat within a second is refused."""
    async with talking(flood_limit=True) as (_, bot):
        await bot.send_message(ANNA, "one")
        await bot.send_message(BORIS, "one")
        with pytest.raises(RetryAfter):
            await bot.send_message(ANNA, "two")


async def test_waiting_in_vain_says_what_is_there() -> None:
    """A missing answer fails the test with the messages that did come."""
    async with talking() as (tg, bot):
        await bot.send_message(ANNA, "only this")
        with pytest.raises(TimeoutError, match=r"1 of 2 messages .*only this"):
            await tg.wait_for_messages(ANNA, count=2, timeout=0.05)


def test_the_stand_in_starts_unconnected() -> None:
    """The address is known only while the server runs."""
    tg = TelegramStandIn(username="other_bot")

    assert tg.bot.username == "other_bot"
    assert tg.calls == []
