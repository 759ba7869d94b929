"""What people tell the bot to do in Telegram, and what it overhears in groups."""

from typing import Any

import pytest
from telegram import Update

from adapters.telegram.events import Asked, Commanded, Edited, Me, Overheard, event_of
from tests.adapters.telegram.scene import ANNA, BORIS, TEAM, asked_of, asks_last, chatting, message, texts

ME = Me(7, "footnote_bot")
GROUP = {"id": TEAM, "type": "supergroup", "title": "Team"}
OTHER = {"id": BORIS, "is_bot": False, "first_name": "Boris"}
TARGET = {"message_id": 400, "date": 1_800_000_000, "chat": GROUP, "from": OTHER, "text": "Where is it?"}
# How a post of a channel stands in the group where it is discussed: every comment replies to it.
POST = TARGET | {"from": {"id": 777000, "is_bot": False, "first_name": "Telegram"}, "is_automatic_forward": True}


def read(**content: Any) -> object:
    """Return what a message in the group means."""
    return event_of(Update.de_json(message(1, chat=GROUP, **content), None), ME)  # type: ignore[arg-type]


def command(text: str) -> dict[str, Any]:
    """Return a message's text with the entity of its leading command."""
    return {"text": text, "entities": [{"type": "bot_command", "offset": 0, "length": len(text.split(maxsplit=1)[0])}]}


def mention(text: str, name: str) -> dict[str, Any]:
    """Return a message's text with the entity of a mention."""
    return {"text": text, "entities": [{"type": "mention", "offset": text.index(name), "length": len(name)}]}


@pytest.mark.parametrize(
    ("content", "to_others"),
    [
        ({"text": "How many days of leave do we get?"}, False),
        ({"text": "Сколько дней отпуска?"}, False),
        (mention("@boris how many days?", "@boris"), True),
        ({"text": "how many?", "reply_to_message": TARGET}, True),
        ({"text": "how many?", "reply_to_message": POST}, False),
        ({"text": "сколько?", "reply_to_message": POST}, False),
        (mention("@boris how many?", "@boris") | {"reply_to_message": POST}, True),
    ],
)
def test_what_is_said_to_nobody_is_overheard(content: dict[str, Any], *, to_others: bool) -> None:
    """With whom it calls or answers, if it is somebody."""
    event = read(**content)

    assert isinstance(event, Overheard)
    assert to_others is event.to_others


@pytest.mark.parametrize(
    "content",
    [
        {"text": "How many?", "forward_origin": {"type": "hidden_user", "sender_user_name": "X", "date": 1}},
        {"text": "How many?", "via_bot": {"id": 9, "is_bot": True, "first_name": "B", "username": "other_bot"}},
        {"text": "How many?", "from": {"id": 9, "is_bot": True, "first_name": "B"}},
        command("/poll How many?"),
        {"photo": [], "caption": "How many?"},
    ],
)
def test_what_no_person_wrote_here_is_not(content: dict[str, Any]) -> None:
    """Forwards, what another bot made, other bots' commands, pictures."""
    assert read(**content) is None


def test_an_edit_of_what_was_overheard_is_not_addressed() -> None:
    """It changes a question that is known, and is none by itself."""
    edited = message(chat=GROUP, text="How many?", edit_date=1_800_000_050)["message"]
    event = event_of(Update.de_json({"update_id": 1, "edited_message": edited}, None), ME)  # type: ignore[arg-type]

    assert isinstance(event, Edited)
    assert isinstance(event.asked, Asked)
    assert not event.addressed


@pytest.mark.parametrize("text", ["/mode gate", "/mode@footnote_bot gate"])
def test_a_command_names_who_gives_it(text: str) -> None:
    """By their number, which nobody else can take."""
    event = read(**command(text))

    assert isinstance(event, Commanded)
    assert (f"telegram:{ANNA}", "gate", "ru") == (event.command.person, event.command.words, event.command.language)


def test_an_anonymous_admin_is_nobody() -> None:
    """Telegram does not say who it is, so nothing may be set."""
    event = read(**command("/mode all"), sender_chat=GROUP)

    assert isinstance(event, Commanded)
    assert "" == event.command.person


@pytest.mark.parametrize(
    "content",
    [
        command("/mode@other_bot all"),
        {**command("/mode all"), "forward_origin": {"type": "hidden_user", "sender_user_name": "X", "date": 1}},
        {**command("/mode all"), "from": {"id": 9, "is_bot": True, "first_name": "B"}},
    ],
)
def test_what_others_said_sets_nothing(content: dict[str, Any]) -> None:
    """A command for another bot, a forward, a bot."""
    assert not isinstance(read(**content), Commanded)


def test_an_edit_sets_nothing() -> None:
    """A message that is made to be a command later."""
    edited = message(chat=GROUP, edit_date=1_800_000_050, **command("/mode all"))["message"]

    event = event_of(Update.de_json({"update_id": 1, "edited_message": edited}, None), ME)  # type: ignore[arg-type]
    assert not isinstance(event, Commanded)


async def test_why_replies_to_whoever_asks() -> None:
    """As a reply to an answer it is about that one, in a private chat about the last, and it is no question."""
    async with chatting() as (tg, desk):
        await tg.say(ANNA, ANNA, "How many days?")
        answer, _ = await tg.wait_for_messages(ANNA, count=2)
        asked = await tg.say(ANNA, ANNA, "/why", reply_to=answer.message_id)
        await tg.say(ANNA, ANNA, "/why")
        shown = await tg.wait_for_messages(ANNA, count=4)

    assert ["why", "why"] == [text.strip() for text in texts(shown[2:])]
    assert asked.message_id == shown[2].reply_to
    about = [command.about and command.about.message for command in desk.commands]
    assert [str(answer.message_id), None] == about
    assert [f"telegram:{ANNA}"] * 2 == [command.thread for command in desk.commands]
    assert ["How many days?"] == asked_of(desk)


async def test_in_mode_all_a_group_is_heard() -> None:
    """Every message of a person is a question then, and none before."""
    async with chatting() as (tg, desk):
        await tg.say(BORIS, TEAM, "How many days?")
        await tg.wait_until_confirmed()
        desk.mode = "all"
        await tg.say(ANNA, TEAM, "Сколько дней?")
        asked = await asks_last(tg, desk)

    assert ["Сколько дней?", "last"] == sorted(asked, reverse=True)


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("/почему", "why", ""),
        ("/Почему@footnote_bot", "why", ""),
        ("/забудь", "forget", ""),
        ("/статус", "status", ""),
        ("/переиндексировать статус", "reindex", "статус"),
        ("/журнал RAG", "log", "RAG"),
        ("/стоп", "stop", ""),
        ("/помощь", "help", ""),
    ],
)
def test_a_command_in_cyrillic_is_one(text: str, name: str, words: str) -> None:
    """Telegram marks only commands in Latin letters as such; whoever types /почему means it all the same."""
    event = event_of(Update.de_json(message(1, text=text), None), ME)  # type: ignore[arg-type]

    assert isinstance(event, Commanded)
    assert (name, words) == (event.command.verb, event.command.words)


@pytest.mark.parametrize(
    "text", ["/почему так рано?", "/отпуск сколько дней", "/opt/данные", "почему", "почему?", "Почему так рано?"]
)
def test_other_words_after_a_slash_are_a_question(text: str) -> None:
    """Only what we are told by itself is a command; "почему?" asks for the reason of what was just answered."""
    event = event_of(Update.de_json(message(1, text=text), None), ME)  # type: ignore[arg-type]

    assert isinstance(event, Asked)
    assert text == event.text


@pytest.mark.parametrize(("text", "is_heard"), [("/почему", True), ("/стоп", False), ("/стоп@footnote_bot", True)])
def test_a_command_in_cyrillic_in_a_group(text: str, *, is_heard: bool) -> None:
    """As in Latin letters: what other bots know, too, is heard only if it is meant for us."""
    assert is_heard is isinstance(read(text=text), Commanded)


def test_a_command_in_cyrillic_for_another_bot_is_not_ours() -> None:
    """Whoever it names is to hear it."""
    assert not isinstance(read(text="/почему@other_bot"), Commanded)
