"""The Telegram stand-in behaves like the Bot API as seen through python-telegram-bot."""

from __future__ import annotations

import asyncio
import socket

import pytest
from telegram import (
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    ReplyParameters,
    Update,
)
from telegram.error import (
    Conflict,
)

from .telegram import entity_texts, visible_text
from .telegram.talking import ANNA, BORIS, TEAM, application, client, refused, talking

ALL_REACTIONS = ["message", "message_reaction"]


def seen_texts(updates: tuple[Update, ...]) -> list[str | None]:
    return [each.effective_message.text for each in updates if each.effective_message]


async def test_a_conversation_by_polling() -> None:
    """A person asks, the bot answers, both stand in the chat in order."""
    async with talking() as (tg, _):

        async def answer(update: Update) -> None:
            assert update.message
            assert update.message.from_user
            await update.message.reply_text(f"Привет, {update.message.from_user.first_name}")

        app = application(tg, answer)
        async with app:
            assert app.updater
            await app.updater.start_polling(timeout=1)
            await app.start()
            await tg.say(ANNA, ANNA, "Кто здесь?")
            await tg.wait_for_messages(ANNA, count=1)
            await tg.wait_until_confirmed()
            await app.updater.stop()
            await app.stop()

        assert [visible_text(each) for each in tg.chat(ANNA)] == ["Кто здесь?", "Привет, Anna"]


async def test_a_webhook_repeats_until_it_is_taken() -> None:
    """An update comes with the secret; refused for a wrong one, it comes again."""
    async with talking() as (tg, bot):
        received: list[str | None] = []

        async def answer(update: Update) -> None:
            received.extend(seen_texts((update,)))

        app, port = application(tg, answer), free_port()
        url = f"http://127.0.0.1:{port}/hook"
        async with app:
            assert app.updater
            await app.updater.start_webhook(
                listen="127.0.0.1", port=port, url_path="hook", secret_token="s3", webhook_url=url
            )
            await app.start()
            await bot.set_webhook(url, secret_token="wrong")
            await tg.say(ANNA, ANNA, "Слышно?")
            await tg.world.changes.until(lambda: bool(tg.world.updates.last_error), 2.0)
            waiting = await bot.get_webhook_info()
            await bot.set_webhook(url, secret_token="s3")
            await tg.wait_until_confirmed()
            await app.updater.stop()
            await app.stop()

        assert waiting.pending_update_count == 1
        assert waiting.last_error_message == "Wrong response from the webhook: 403"
        assert received == ["Слышно?"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def test_updates_stay_until_the_offset_confirms_them() -> None:
    """A fetch alone confirms nothing; the next offset does."""
    async with talking() as (tg, bot):
        await tg.say(ANNA, ANNA, "one")
        await tg.say(ANNA, ANNA, "two")
        first = await bot.get_updates()
        again = await bot.get_updates(limit=1)
        rest = await bot.get_updates(offset=first[0].update_id + 1)

        assert seen_texts(first) == ["one", "two"]
        assert seen_texts(again) == ["one"]
        assert seen_texts(rest) == ["two"]
        assert first[1].update_id == first[0].update_id + 1


async def test_an_update_can_come_twice() -> None:
    """A repeated update keeps its id and arrives although it was confirmed."""
    async with talking() as (tg, bot):
        await tg.say(ANNA, ANNA, "one")
        copy = tg.pending_updates[0]
        (first,) = await bot.get_updates()
        await bot.get_updates(offset=first.update_id + 1)
        await tg.deliver(copy)
        (second,) = await bot.get_updates(offset=first.update_id + 1)

        assert second.update_id == first.update_id
        assert await bot.get_updates(offset=first.update_id + 1) == ()


async def test_a_second_poller_ends_the_first() -> None:
    """Two bots on one token: the older poll gets a conflict."""
    async with talking() as (tg, bot):
        older = asyncio.create_task(bot.get_updates(timeout=2))
        await asyncio.sleep(0.1)
        async with client(tg) as other:
            newer = asyncio.create_task(other.get_updates(timeout=1))
            with pytest.raises(Conflict, match="terminated by other getUpdates"):
                await older
            await tg.say(ANNA, ANNA, "hello")

            assert seen_texts(await newer) == ["hello"]


async def test_polling_and_a_webhook_exclude_each_other() -> None:
    """While a webhook is set, polling gets a conflict; deleting it opens the way."""
    async with talking() as (_, bot):
        await bot.set_webhook(f"http://127.0.0.1:{free_port()}/", secret_token="x")
        with pytest.raises(Conflict, match="webhook is active"):
            await bot.get_updates()
        await bot.delete_webhook()

        assert await bot.get_updates() == ()


@pytest.mark.parametrize(
    ("url", "secret", "reason"),
    [
        ("ftp://127.0.0.1/", "x", "HTTPS URL must be provided"),
        ("https://example.org/", "x", "this machine only"),
        ("http://127.0.0.1:1/", "no spaces", "unallowed characters"),
    ],
)
async def test_wrong_webhooks_are_refused(url: str, secret: str, reason: str) -> None:
    """A webhook is an address on this machine and a secret of letters, digits, `_` and `-`."""
    async with talking() as (_, bot):
        with refused(reason):
            await bot.set_webhook(url, secret_token=secret)


async def test_reactions_come_only_on_request() -> None:
    """Reactions reach a bot that named them; without a list the last choice stays."""
    async with talking() as (tg, bot):
        answer = await bot.send_message(ANNA, "Answer")
        await tg.react(ANNA, ANNA, answer.message_id, "👎")
        unasked = await bot.get_updates(allowed_updates=ALL_REACTIONS)
        await tg.react(ANNA, ANNA, answer.message_id, "👍")
        (asked,) = await bot.get_updates()

        assert unasked == ()
        assert asked.message_reaction
        assert asked.message_reaction.new_reaction[0].to_dict()["emoji"] == "👍"


async def test_commands_and_mentions_carry_utf16_offsets() -> None:
    """Telegram marks commands and mentions; an emoji before them counts as two units."""
    async with talking() as (tg, bot):
        said = await tg.say(ANNA, TEAM, "😀 @footnote_bot где RAG? /ask")
        (update,) = await bot.get_updates()

        assert entity_texts(said) == [
            ("mention", "@footnote_bot", None),
            ("bot_command", "/ask", None),
        ]
        assert update.message
        assert list(update.message.parse_entities().values()) == ["@footnote_bot", "/ask"]


async def test_privacy_mode_hides_what_is_not_for_the_bot() -> None:
    """In a group with privacy mode only commands and replies to the bot reach it."""
    async with talking(privacy_mode=True) as (tg, bot):
        answer = await bot.send_message(TEAM, "Answer")
        for text in (
            "chatter",
            "@footnote_bot hi",
            "/ask@other_bot x",
            "/ask x",
            "/ask@Footnote_Bot",
        ):
            await tg.say(ANNA, TEAM, text)
        await tg.say(ANNA, TEAM, "and in Aston?", reply_to=answer.message_id)
        await tg.say(ANNA, ANNA, "private")

        seen = seen_texts(await bot.get_updates())
        assert seen == ["/ask x", "/ask@Footnote_Bot", "and in Aston?", "private"]


async def test_an_administrator_bot_sees_everything() -> None:
    """Privacy mode does not bind an administrator; other bots stay unheard."""
    async with talking(privacy_mode=True) as (tg, bot):
        tg.add_user(2001, "Other", is_bot=True)
        tg.add_group(-5, "Staff", members=[ANNA, 2001], kind="group", bot_status="administrator")
        await tg.say(ANNA, -5, "chatter")
        await tg.say(2001, -5, "I am a bot")

        assert seen_texts(await bot.get_updates()) == ["chatter"]


async def test_an_edited_question_comes_as_an_edit() -> None:
    """An edit keeps the message id and arrives as `edited_message`, even without a change."""
    async with talking() as (tg, bot):
        asked = await tg.say(ANNA, ANNA, "Where is RGA used?")
        await tg.edit(ANNA, asked.message_id, "Where is RAG used?")
        await tg.edit(ANNA, asked.message_id, "Where is RAG used?")
        updates = await bot.get_updates()

        assert [bool(each.edited_message) for each in updates] == [False, True, True]
        assert tg.chat(ANNA)[0].history[0].text == "Where is RGA used?"


async def test_a_reply_chain_names_its_first_message() -> None:
    """A reply carries the message it answers, one deep; in a supergroup also the chain's root."""
    async with talking() as (tg, bot):
        asked = await tg.say(ANNA, TEAM, "Where?")
        to_asked = ReplyParameters(asked.message_id)
        answer = await bot.send_message(TEAM, "Here.", reply_parameters=to_asked)
        await tg.say(BORIS, TEAM, "And there?", reply_to=answer.message_id)
        follow_up = (await bot.get_updates())[-1].message

        assert answer.reply_to_message
        assert answer.reply_to_message.text == "Where?"
        assert follow_up
        assert follow_up.reply_to_message
        assert follow_up.reply_to_message.text == "Here."
        assert follow_up.reply_to_message.reply_to_message is None
        assert follow_up.message_thread_id == asked.message_id
        assert not follow_up.is_topic_message


async def test_an_anonymous_administrator_hides_behind_the_group() -> None:
    """The sender of an anonymous post is a shared account, the group is its `sender_chat`."""
    async with talking() as (tg, bot):
        await tg.say(ANNA, TEAM, "/reindex", anonymous=True)
        (update,) = await bot.get_updates()

        assert update.message
        assert update.message.from_user
        assert update.message.from_user.id == 1087968824
        assert update.message.sender_chat
        assert update.message.sender_chat.id == TEAM


async def test_a_pressed_button_is_answered_once() -> None:
    """A press arrives as a callback query; a second answer comes too late."""
    async with talking() as (tg, bot):
        markup = InlineKeyboardMarkup([[InlineKeyboardButton("1", callback_data="c:1")]])
        message = await bot.send_message(ANNA, "Answer", reply_markup=markup)
        query_id = await tg.press(ANNA, ANNA, message.message_id, "c:1")
        (update,) = await bot.get_updates()
        assert update.callback_query
        await update.callback_query.answer("quote")

        assert update.callback_query.data == "c:1"
        assert tg.callback(query_id).answer == {"text": "quote", "show_alert": False}
        with refused("Query is too old"):
            await update.callback_query.answer("again")
        with pytest.raises(ValueError, match="no button"):
            await tg.press(ANNA, ANNA, message.message_id, "c:2")
