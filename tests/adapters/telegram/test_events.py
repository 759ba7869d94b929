"""Whom the bot hears, and in which words."""

from typing import Any

import pytest
from telegram import Bot, Update

from adapters.telegram.events import (
    Asked,
    Commanded,
    Edited,
    Event,
    Forwarded,
    Hinted,
    Me,
    Opened,
    Overheard,
    Pressed,
    event_of,
)
from core.conversation import MessageRef, Target
from tests.adapters.telegram.scene import ANNA, TEAM, message
from tests.platforms.telegram.tdlib import find_entities

ME = Me(123456, "footnote_bot")
BOT = Bot("123456:test-token")
PRIVATE = {"id": ANNA, "type": "private", "first_name": "Anna"}
GROUP = {"id": TEAM, "type": "supergroup", "title": "Team"}
OURS = {"id": 123456, "is_bot": True, "first_name": "Footnote", "username": "footnote_bot"}
MENTION = {"type": "mention", "offset": 0, "length": 13}
THEIRS = {"id": 1002, "is_bot": False, "first_name": "Boris"}


def heard(text: str, *, chat: dict[str, Any] = GROUP, **content: Any) -> Event | None:
    """Return what the bot makes of a text with the entities that Telegram finds in it."""
    found = [{"type": each.type, "offset": each.offset, "length": each.length} for each in find_entities(text)]
    update = Update.de_json(message(1, chat=chat, text=text, entities=found, **content), BOT)
    return event_of(update, ME)


def here(number: int) -> MessageRef:
    return MessageRef("telegram", str(TEAM), str(number))


def edited(said: str, update_id: int = 7, **content: Any) -> Event | None:
    """Return what the bot makes of a message that now says this."""
    found = [{"type": each.type, "offset": each.offset, "length": each.length} for each in find_entities(said)]
    usual = {"chat": GROUP, "edit_date": 1_800_000_060, "text": said, "entities": found}
    body = {"update_id": update_id, "edited_message": message(**usual | content)["message"]}
    return event_of(Update.de_json(body, BOT), ME)


def earlier(sender: dict[str, Any], number: int = 400) -> dict[str, Any]:
    return {"message_id": number, "date": 1_800_000_000, "chat": GROUP, "from": sender, "text": "earlier"}


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("@footnote_bot, where is RAG used?", "where is RAG used?"),
        ("@FOOTNOTE_BOT: где RAG?", "где RAG?"),
        ("😀👍 where is it, @footnote_bot?", "😀👍 where is it?"),
        ("Tell me @footnote_bot about  RAG", "Tell me about  RAG"),
        ("@footnote_bot @footnote_bot twice", "twice"),
        ("/ask Where?", "Where?"),
        ("/ask@Footnote_Bot\nWhere?", "Where?"),
        ("/ask ask @boris_b about /deploy", "ask @boris_b about /deploy"),
    ],
)
def test_in_a_group_only_the_words_that_address_the_bot_go(said: str, asked: str) -> None:
    """The question keeps the asker's own words."""
    event = heard(said)

    assert isinstance(event, Asked)
    assert event.text == asked


@pytest.mark.parametrize("said", ["/ask@other_bot x", "/start", "/help", "/foo", "/ask_me x"])
def test_commands_for_others_are_left_alone(said: str) -> None:
    """Another bot's, and those that many bots know."""
    assert heard(said) is None


@pytest.mark.parametrize("said", ["Lunch?", "@footnote_bot_2 hi", "me@footnote_bot.org", "footnote_bot", "see /ask"])
def test_other_talk_in_a_group_is_overheard(said: str) -> None:
    """What merely looks like the bot's name does not address it."""
    assert isinstance(heard(said), Overheard)


def test_help_in_a_group_needs_the_bots_name() -> None:
    """Other bots there know /start and /help too."""
    start, help_ = heard("/start@footnote_bot"), heard("/help@footnote_bot")

    assert isinstance(start, Hinted)
    assert isinstance(help_, Commanded)
    assert ("help", "help") == (start.kind, help_.command.verb)


@pytest.mark.parametrize("said", ["@footnote_bot", "/ask", "/ask@footnote_bot  ", "@footnote_bot,"])
def test_an_address_without_words_gets_an_example(said: str) -> None:
    """Nothing was asked yet."""
    event = heard(said)

    assert isinstance(event, Hinted)
    assert event.kind == "empty"


def test_only_a_reply_to_the_bot_is_for_it() -> None:
    """A reply to the bot's message is a question, to a person's it is talk."""
    to_bot = heard("And in Aston?", reply_to_message=earlier(OURS))

    assert isinstance(to_bot, Asked)
    assert to_bot.answers == Target(here(400))
    to_person = heard("Right!", reply_to_message=earlier(THEIRS))
    assert isinstance(to_person, Overheard)
    assert to_person.to_others
    assert heard("/deploy@other_bot", reply_to_message=earlier(OURS)) is None


@pytest.mark.parametrize(
    ("said", "for_us"),
    [
        ("@boris_b what do you think?", False),
        ("@boris_b, а ты что думаешь?", False),
        ("@boris_b @footnote_bot what do you think?", True),
        ("And what does @boris_b lead?", True),
        ("А чем занят @boris_b?", True),
    ],
)
def test_a_reply_to_the_bot_may_be_said_to_somebody_else(said: str, *, for_us: bool) -> None:
    """Who calls another person first speaks to them, under whichever message; who only names them asks us."""
    event = heard(said, reply_to_message=earlier(OURS))

    assert for_us is isinstance(event, Asked)
    assert for_us or (isinstance(event, Overheard) and event.to_others)


def test_a_mention_under_a_persons_message_names_it() -> None:
    """Which conversation that is, the stored messages tell."""
    event = heard("@footnote_bot and there?", reply_to_message=earlier(THEIRS))

    assert isinstance(event, Asked)
    assert event.answers == Target(here(400))


def test_in_a_topic_a_plain_message_replies_to_nobody() -> None:
    """Telegram shows the topic's first message as its target, also when the bot opened the topic."""
    in_topic = {"message_thread_id": 400, "is_topic_message": True}
    forum = GROUP | {"is_forum": True}
    plain = heard("hello all", chat=forum, reply_to_message=earlier(OURS), **in_topic)
    asked = heard("/ask x", chat=forum, reply_to_message=earlier(OURS), **in_topic)

    assert isinstance(plain, Overheard)
    assert not plain.to_others
    assert isinstance(asked, Asked)
    assert (asked.ref, asked.root, asked.answers) == (here(500), "400", None)


def test_the_root_of_a_reply_chain_is_no_topic() -> None:
    """In a plain supergroup the thread id is a message, where nothing can be sent to."""
    event = heard("go on", message_thread_id=300, reply_to_message=earlier(OURS))

    assert isinstance(event, Asked)
    assert (event.ref, event.root) == (here(500), None)


def test_a_forward_in_a_group_is_not_addressed_to_the_bot() -> None:
    """Somebody showing what was asked elsewhere is not asking."""
    origin = {"type": "hidden_user", "date": 1_800_000_000, "sender_user_name": "Eva"}

    assert heard("@footnote_bot where?", forward_origin=origin) is None
    assert isinstance(heard("where?", chat=PRIVATE, forward_origin=origin), Forwarded)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("How many days?", "How many days?"),
        ("/ask How many?", "How many?"),
        ("@footnote_bot how many?", "how many?"),
        ("/etc/hosts on the gateway, what is in it?", "/etc/hosts on the gateway, what is in it?"),
    ],
)
def test_in_private_every_text_is_a_question(said: str, asked: str) -> None:
    """Also one that begins like a command."""
    event = heard(said, chat=PRIVATE)

    assert isinstance(event, Asked)
    assert (event.text, event.private) == (asked, True)


def test_a_link_says_what_it_opens() -> None:
    """In words that Telegram sends in the person's name; more than one of them is no link."""
    event = heard("/start c_7-A", chat=PRIVATE)

    assert isinstance(event, Opened)
    assert (event.payload, event.asker, event.language) == ("c_7-A", str(ANNA), "ru")


@pytest.mark.parametrize("command", ["/start", "/start how are you", "/start ответ"])
def test_in_private_start_shows_how_to_ask(command: str) -> None:
    """In the person's language."""
    event = heard(command, chat=PRIVATE)

    assert isinstance(event, Hinted)
    assert (event.kind, event.language) == ("help", "ru")


@pytest.mark.parametrize(("command", "words"), [("/HELP", ""), ("/help me", ""), ("/unknown", "/unknown")])
def test_in_private_a_command_that_does_not_exist_shows_which_do(command: str, words: str) -> None:
    """As /help does, in the person's language."""
    event = heard(command, chat=PRIVATE)

    assert isinstance(event, Commanded)
    assert ("help", words, "ru") == (event.command.verb, event.command.words, event.command.language)


@pytest.mark.parametrize("said", ["/help", "/why", "/unknown"])
def test_a_forwarded_command_is_none(said: str) -> None:
    """Somebody else gave it, elsewhere."""
    origin = {"type": "hidden_user", "sender_user_name": "X", "date": 1}

    assert isinstance(heard(said, chat=PRIVATE, forward_origin=origin), Hinted)


def test_help_is_in_the_language_of_the_person_or_of_the_text() -> None:
    """Russian for a Russian Telegram or Russian words, else English."""
    from_boris = {"from": THEIRS}
    english = heard("/start", chat=PRIVATE, **from_boris)
    russian = heard("/start что ты умеешь", chat=PRIVATE, **from_boris)

    assert isinstance(english, Hinted)
    assert isinstance(russian, Hinted)
    assert [english.language, russian.language] == ["en", "ru"]


def test_an_edit_has_the_newest_words_and_a_version_that_grows() -> None:
    """The second of the edit counts first, then the number of the update."""
    first, second = edited("@footnote_bot where?", 999_999), edited("@footnote_bot when?", 8, edit_date=1_800_000_061)

    assert isinstance(first, Edited)
    assert isinstance(second, Edited)
    assert (first.asked.text, first.addressed, second.asked.text) == ("where?", True, "when?")
    assert 1_800_000_060_999_999 == first.asked.version < second.asked.version == 1_800_000_061_000_008


def test_an_edit_that_takes_the_address_away_still_has_words() -> None:
    """It may have been a question before; only the stored ones can tell."""
    event = edited("where?")

    assert isinstance(event, Edited)
    assert (event.asked.text, event.addressed) == ("where?", False)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("@footnote_bot", {}),
        ("/help", {"chat": PRIVATE}),
        ("/foo", {}),
        ("/ask@other_bot x", {}),
        ("hi @footnote_bot", {"from": OURS}),
        ("@footnote_bot", {"chat": {"id": -9, "type": "channel", "title": "News"}}),
        ("", {"text": None, "caption": "@footnote_bot", "photo": [], "caption_entities": [MENTION]}),
    ],
)
def test_an_edit_never_calls_for_a_hint(text: str, content: dict[str, Any]) -> None:
    """What is no question after the edit is left alone."""
    assert edited(text, **content) is None


def press(**content: Any) -> Event | None:
    usual = {"id": "9", "from": THEIRS, "chat_instance": "1", "data": "show:1", "message": earlier(OURS)}
    return event_of(Update.de_json({"update_id": 1, "callback_query": usual | content}, BOT), ME)


def test_a_press_names_the_message_that_carries_the_button() -> None:
    """Also when that is too old for Telegram to show it."""
    old = {"chat": GROUP, "message_id": 400, "date": 0}

    assert press() == press(message=old) == Pressed("9", "show:1", here(400), str(THEIRS["id"]), "en")


@pytest.mark.parametrize("content", [{"data": None, "game_short_name": "x"}, {"message": None}])
def test_other_presses_are_left_alone(content: dict[str, Any]) -> None:
    """Games, and messages sent through the bot into strange chats, are not ours."""
    assert press(**content) is None


@pytest.mark.parametrize(
    "content", [{"chat": PRIVATE | {"id": "1"}}, {"message_id": 1.5}, {"text": "x" * 40_000}, {"text": "\ud800"}]
)
def test_what_telegram_would_never_send_is_an_error(content: dict[str, Any]) -> None:
    """Ids that are no numbers, and texts of absurd length or broken, go no further."""
    update = Update.de_json(message(1, **{"text": "hi", **content}), BOT)

    with pytest.raises((TypeError, ValueError)):
        event_of(update, ME)
