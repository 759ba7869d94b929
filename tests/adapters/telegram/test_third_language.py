"""Somebody whose Telegram is in a third language is spoken to in it, and so is their menu."""

from typing import Any

import pytest
from telegram import Update

from adapters.telegram.events import Asked, Commanded, Hinted, Inline, Me, Pairing, Pressed, event_of
from adapters.telegram.visitors import visitor_of
from tests.adapters.telegram.scene import chatting, message
from tests.doubles.german import MARK

ME = Me(7, "footnote_bot")
HANNA = {"id": 1003, "is_bot": False, "first_name": "Hanna", "language_code": "de"}
PRIVATE = {"id": 1003, "type": "private", "first_name": "Hanna"}


def read(**content: Any) -> object:
    """Return what an update means."""
    return event_of(Update.de_json({"update_id": 1, **content}, None), ME)  # type: ignore[arg-type]


def said(text: str) -> object:
    """Return what Hanna's message to the bot means."""
    command = {"type": "bot_command", "offset": 0, "length": len(text.split(maxsplit=1)[0])}
    entities = [command] if text.startswith("/") else []
    return event_of(
        Update.de_json(message(1, chat=PRIVATE, **{"from": HANNA}, text=text, entities=entities), None),  # type: ignore[arg-type]
        ME,
    )


@pytest.mark.usefixtures("german")
def test_everything_that_brings_a_locale_is_german() -> None:
    """A command, a call for help, a code, a press and an inline question; and words by their words."""
    command, code, help_ = said("/sources"), said("/pair 1234"), said("/start")
    pressed = read(
        callback_query={
            "id": "1", "from": HANNA, "chat_instance": "1", "data": "why:1",
            "message": {"message_id": 5, "date": 1_800_000_000, "chat": PRIVATE, "text": "…"},
        }
    )  # fmt: skip
    inline = read(inline_query={"id": "1", "from": HANNA, "query": "Kafka", "offset": ""})
    asked = said("Wer leitet das Projekt?")

    assert isinstance(command, Commanded)
    assert isinstance(asked, Asked)
    assert isinstance(code, Pairing)
    assert isinstance(help_, Hinted)
    assert isinstance(pressed, Pressed)
    assert isinstance(inline, Inline)
    languages = [command.command.language, *(each.language for each in (code, help_, pressed, inline))]
    assert ["de"] * 6 == [*languages, visitor_of(asked).language]


@pytest.mark.usefixtures("german")
async def test_help_and_menu_are_german() -> None:
    """Telegram is given a menu for each language, and the help that nobody translated by hand in the adapter."""
    async with chatting() as (tg, _):
        tg.add_user(HANNA["id"], "Hanna", language_code="de")
        await tg.say(HANNA["id"], HANNA["id"], "/start")
        [help_] = await tg.wait_for_messages(HANNA["id"], count=1)
        menus = {code: [each["description"] for each in menu] for (_, code), menu in tg.world.commands.items()}

    assert help_.text.startswith(f"{MARK} Hello!")
    assert {"", "ru", "de"} == menus.keys()
    assert menus["de"][0].startswith(MARK)
    assert menus[""][0] == "Ask a question about the documents"
