"""What Telegram really does, where it can hurt: each fact with the guard that it needs."""

from typing import Any

import pytest
from telegram import Bot, Update
from telegram.error import NetworkError
from telegram.ext import filters

from adapters.telegram.events import Commanded, Hinted, Me, Pairing, event_of
from adapters.telegram.failures import in_words
from adapters.telegram.held import NEWS
from adapters.telegram.polling import POLL_SECONDS
from core.delivery import Later, Shown
from tests.adapters.telegram.scene import (
    ANNA,
    BORIS,
    FORUM,
    TEAM,
    Hands,
    chatting,
    joined,
    message,
    outgoing,
    place_of,
    question_of,
    telegram,
    words,
)

ME = Me(123456, "footnote_bot")
BOT = Bot("123456:test-token")
GROUP = {"id": TEAM, "type": "supergroup", "title": "Team"}
PRIVATE = {"id": ANNA, "type": "private", "first_name": "Anna"}
ELSEWHERE = {"type": "hidden_user", "sender_user_name": "X", "date": 1}
PAIR = {"text": "/pair 22223333", "entities": [{"type": "bot_command", "offset": 0, "length": 5}]}
HIDDEN = {"from": {"id": 1087968824, "is_bot": True, "first_name": "Group"}, "sender_chat": GROUP}


def read(kind: str = "message", **content: Any) -> object:
    """Return what the bot makes of a message."""
    return event_of(Update.de_json({"update_id": 1, kind: message(**content)["message"]}, BOT), ME)


@pytest.mark.parametrize(
    "odd",
    [
        {"forward_origin": ELSEWHERE},
        {"via_bot": {"id": 9, "is_bot": True, "first_name": "B"}},
        {"from": {"id": 9, "is_bot": True, "first_name": "B"}},
        {"from": {"id": 777000, "is_bot": False, "first_name": "Telegram"}, "is_automatic_forward": True},
    ],
)
@pytest.mark.parametrize("text", ["/pair", "/reindex"])
def test_others_words_give_no_command(odd: dict[str, Any], text: str) -> None:
    """A forward, another bot's words, and those of a linked channel: nobody who may do it wrote them here."""
    entities = [{"type": "bot_command", "offset": 0, "length": len(text)}]

    assert not isinstance(read(chat=GROUP, text=text, entities=entities, **odd), Pairing | Commanded)


def test_nobody_in_particular_lets_nobody_in() -> None:
    """Everybody who hides behind the group has the same number."""
    event = read(chat=GROUP, **PAIR, **HIDDEN)

    assert isinstance(event, Pairing)
    assert event.person == ""


def test_an_edit_lets_nobody_in() -> None:
    """A command is what was sent, not what was made of it later; Telegram tells of invisible changes, too."""
    assert read("edited_message", edit_date=1_800_000_050, **PAIR) is None


FILE = {"file_id": "a", "file_unique_id": "b"}
SIZED = {**FILE, "width": 1, "height": 1}
KINDS: dict[str, Any] = {
    "voice": {**FILE, "duration": 1},
    "audio": {**FILE, "duration": 1},
    "document": FILE,
    "photo": [SIZED],
    "video": {**SIZED, "duration": 1},
    "video_note": {**FILE, "length": 1, "duration": 1},
    "animation": {**SIZED, "duration": 1},
    "sticker": {**SIZED, "type": "regular", "is_animated": False, "is_video": False},
    "contact": {"phone_number": "1", "first_name": "A"},
    "location": {"longitude": 1.0, "latitude": 1.0},
    "dice": {"emoji": "🎲", "value": 1},
    "checklist": {"title": "Leave", "tasks": [{"id": 1, "text": "Ask for it"}]},
    # Bot API 10.1, newer than the library: another bot's answer, forwarded.
    "rich_message": {"blocks": [{"type": "paragraph", "text": ["28 days"]}]},
    "poll": {
        "id": "1", "question": "How many days?", "options": [], "total_voter_count": 0, "is_closed": False,
        "is_anonymous": True, "allows_revoting": False, "members_only": False, "type": "regular",
        "allows_multiple_answers": False,
    },
    "game": {"title": "Leave", "description": "A game", "photo": [SIZED]},
    "story": {"id": 1, "chat": {"id": 5, "type": "private"}},
    "paid_media": {"star_count": 1, "paid_media": [{"type": "preview"}]},
    "venue": {"location": {"longitude": 1.0, "latitude": 1.0}, "title": "Office", "address": "Main Street 1"},
    "giveaway": {"chats": [], "winners_selection_date": 1_800_000_000, "winner_count": 1},
    # Of a kind that the library does not know yet.
    "hologram": {"file_id": "a"},
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_read_is_told_so_in_private_alone(kind: str) -> None:
    """In a group it is nobody's business, unless it replies to the bot and could ask something: a sticker thanks."""
    ours = {"id": ME.id, "is_bot": True, "first_name": "Footnote", "username": ME.username}
    earlier = {"message_id": 4, "date": 1, "chat": GROUP, "from": ours, "text": "28 days"}
    in_private, reply = read(**{kind: KINDS[kind]}), read(chat=GROUP, reply_to_message=earlier, **{kind: KINDS[kind]})

    assert isinstance(in_private, Hinted)
    assert in_private.kind == "only_text"
    assert (kind in ("sticker", "animation", "dice")) is (reply is None)
    assert reply is None or (isinstance(reply, Hinted) and reply.kind == "only_text")
    assert read(chat=GROUP, **{kind: KINDS[kind]}) is None


def test_a_message_that_the_server_itself_cannot_tell_is_answered_in_private() -> None:
    """It comes without anything in it."""
    event = read()

    assert isinstance(event, Hinted)
    assert event.kind == "only_text"


SERVICE: dict[str, Any] = {
    "pinned_message": {"message_id": 3, "date": 1, "chat": PRIVATE, "text": "Old"},
    "delete_chat_photo": True,
    "chat_background_set": {"type": {"type": "fill", "fill": {"type": "solid", "color": 1}, "dark_theme_dimming": 0}},
    "forum_topic_created": {"name": "Leave", "icon_color": 1},
    "write_access_allowed": {"from_request": True},
    "users_shared": {"request_id": 1, "users": [{"user_id": 2}]},
}


@pytest.mark.parametrize("kind", SERVICE)
def test_what_telegram_itself_says_gets_no_reply(kind: str) -> None:
    """Nobody waits for one to a pinned message or a new background."""
    assert read(**{kind: SERVICE[kind]}) is None


def test_all_that_the_library_takes_for_news_is_known_as_news() -> None:
    """By the names of its own filters, but for the giveaway's winners."""
    known = {name.lower() for name in vars(filters.StatusUpdate) if name.isupper()}

    assert known - NEWS == {"all", "chat_created", "migrate"}


def test_the_token_is_cut_out_of_what_the_library_says() -> None:
    """It stands in every address that is called."""
    assert in_words(NetworkError(f"https://api/bot{BOT.token}/getMe"), BOT) == "https://api/bot<token>/getMe"


def test_a_poll_is_no_longer_than_the_server_holds_it() -> None:
    """Fifty seconds; longer ones would seem to hang."""
    assert POLL_SECONDS <= 50


async def test_the_general_topic_has_no_number() -> None:
    """It comes without one, and a message sent to number 1 is refused."""
    async with chatting() as (tg, _):
        await tg.say(ANNA, FORUM, "@footnote_bot где?")
        await tg.wait_for_messages(FORUM, count=2)

    sent = [call for call in tg.calls if call.method in ("sendMessage", "sendChatAction")]
    assert sent
    assert {None} == {call.params.get("message_thread_id") for call in sent}


async def test_an_edit_shows_no_preview_either() -> None:
    """An answer of many sources would grow a picture of the first."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        shown = place_of(await platform.show(outgoing(asked, words("Смотрю"))))
        await platform.show(outgoing(asked, words("28 дней: https://acme.org"), shown=shown))
        [call] = await tg.wait_for_calls("editMessageText")

    assert call.params["link_preview_options"] == {"is_disabled": True}


async def test_a_draft_and_typing_spend_what_messages_spend() -> None:
    """The server counts all three as one, so the fourth call in three seconds waits, whatever the others were."""
    clock = Hands()
    async with telegram() as tg, joined(tg, clock) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        assert isinstance(await platform.tell(outgoing(asked, words("Looking"))), Shown)
        assert isinstance(await platform.tell(outgoing(asked, words("Reading"))), Later)
        clock.now = 10.0
        async with platform.working(question_of(asked)):
            await tg.wait_for_calls("sendChatAction")
            assert isinstance(await platform.tell(outgoing(asked, words("Reading"))), Later)
        outcomes = [await platform.show(outgoing(asked, words(f"{number}"))) for number in range(3)]

    assert [Shown, Shown, Later] == [type(outcome) for outcome in outcomes]
    assert len(tg.bot_messages(ANNA)) == 2
    assert tg.bot_messages(BORIS) == []
