"""In which language somebody is spoken to whose words do not tell it: most people never chose one at Telegram."""

from typing import Any

import pytest
from telegram import Bot, Update

from adapters.telegram.events import Inline, Me, Pressed, event_of
from adapters.telegram.words import hint
from core.errors import StorageError
from core.phrases import phrase
from core.text import Language
from core.work import Place
from tests.adapters.telegram.scene import ANNA, BORIS, TEAM, chatting, message

RU, EN = "Сколько дней отпуска?", "How many days of leave?"
BARE = "@footnote_bot"


@pytest.mark.parametrize(("asked", "language"), [(RU, "ru"), (EN, "en"), ("", "en")])
@pytest.mark.parametrize("said", ["/start", "sticker", "/start AAAA", "/mode", "/pair 22223333"])
async def test_in_private_who_never_chose_one_is_spoken_to_as_they_ask(asked: str, language: str, said: str) -> None:
    """Telegram is in English by default, which tells nothing; what they asked before does."""
    sticker = {"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1, "type": "regular"}
    kind = {"is_animated": False, "is_video": False}
    async with chatting() as (tg, desk):
        if asked:
            await tg.say(BORIS, BORIS, asked)
            await tg.wait_for_messages(BORIS, count=2)
        before, paired = len(tg.bot_messages(BORIS)), []

        async def pair(visitor: Any, _: str) -> Any:
            paired.append(visitor.language)
            return await desk.doors.pair(visitor, "")

        desk.pair = pair  # type: ignore[method-assign, assignment]
        if said == "sticker":
            await tg.deliver(message(message_id=700, sticker={**sticker, **kind}, **_boris()))
        else:
            await tg.say(BORIS, BORIS, said)
        if said.startswith("/pair"):
            await tg.wait_until_confirmed()
            assert [language] == paired
            return
        told = (await tg.wait_for_messages(BORIS, count=before + 1))[-1].text

    if said == "/mode":
        assert [language] == [command.language for command in desk.commands]
    else:
        assert hint("only_text" if said == "sticker" else "help", language, "footnote_bot") == told


@pytest.mark.parametrize(
    ("talk", "language"),
    [
        ([], "ru"),
        ([(ANNA, EN)], "en"),
        ([(ANNA, EN), (BORIS, RU)], "en"),
        ([(BORIS, EN)], "ru"),
    ],
)
async def test_in_a_group_everybody_reads_it(talk: list[tuple[int, str]], language: str) -> None:
    """So it is as they ask there; who has never asked there is spoken to in the language of their Telegram."""
    assert language == await _hinted(ANNA, talk)


@pytest.mark.parametrize(
    ("talk", "language"), [([], "en"), ([(ANNA, RU)], "ru"), ([(BORIS, EN), (ANNA, RU)], "en"), ([(ANNA, EN)], "en")]
)
async def test_a_group_tells_it_where_nothing_else_does(talk: list[tuple[int, str]], language: str) -> None:
    """Who has never asked there, and never chose a language, is spoken to like the others."""
    assert language == await _hinted(BORIS, talk)


@pytest.mark.parametrize(("code", "language"), [("ru", "ru"), ("en", "ru"), (None, "ru"), ("de", "ru")])
def test_a_press_is_answered_in_the_language_of_its_message(code: str | None, language: str) -> None:
    """Where the presser's Telegram tells none that is spoken here."""
    event = _read(
        callback_query={
            "id": "1", "from": _user(code), "chat_instance": "1", "data": "why:",
            "message": {**message()["message"], "text": "Отпуск — 28 дней."},
        }
    )  # fmt: skip

    assert isinstance(event, Pressed)
    assert language == event.language


@pytest.mark.parametrize(("code", "words", "language"), [("en", RU, "ru"), ("en", EN, "en"), ("ru", "Kafka", "ru")])
def test_what_is_typed_inline_tells_it(code: str, words: str, language: str) -> None:
    """The button under it is in the language of the question."""
    event = _read(inline_query={"id": "1", "from": _user(code), "query": words, "offset": ""})

    assert isinstance(event, Inline)
    assert language == event.language


async def _hinted(person: int, talk: list[tuple[int, str]]) -> str:
    """Return in which language a bare mention in the group is answered after such questions."""
    async with chatting() as (tg, _):
        for number, (who, words) in enumerate(talk, 1):
            await tg.say(who, TEAM, f"{BARE} {words}")
            await tg.wait_for_messages(TEAM, count=2 * number)
        await tg.say(person, TEAM, BARE)
        told = (await tg.wait_for_messages(TEAM, count=2 * len(talk) + 1))[-1].text
    return next(language for language in ("en", "ru") if phrase("empty", language) == told)


def _read(**content: Any) -> object:
    return event_of(Update.de_json({"update_id": 1, **content}, Bot("1:a")), Me(7, "footnote_bot"))


def _user(code: str | None) -> dict[str, Any]:
    return {"id": BORIS, "is_bot": False, "first_name": "Boris"} | ({"language_code": code} if code else {})


def _boris() -> dict[str, Any]:
    return {"from": _user("en"), "chat": {"id": BORIS, "type": "private", "first_name": "Boris"}}


@pytest.mark.parametrize(("asked", "language"), [(RU, "ru"), (EN, "en")])
async def test_a_hint_outlives_a_database_that_does_not_answer(
    asked: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is given when Telegram brings the message again."""
    monkeypatch.setattr("adapters.telegram.polling.FIRST_PAUSE", 0.01)
    failures = [StorageError("gone", retry=True)]
    async with chatting() as (tg, desk):
        await tg.say(BORIS, BORIS, asked)
        await tg.wait_for_messages(BORIS, count=2)
        found = desk.language_in

        async def fails_first(place: Place, asker: str | None = None) -> Language | None:
            if failures:
                raise failures.pop()
            return await found(place, asker)

        desk.language_in = fails_first  # type: ignore[method-assign]
        await tg.say(BORIS, BORIS, "/start")
        *_, told = await tg.wait_for_messages(BORIS, count=3)

    assert hint("help", language, "footnote_bot") == told.text


@pytest.mark.parametrize(
    ("person", "before", "asked", "language"),
    [
        (ANNA, [], "RAG?", "ru"),
        (ANNA, [], "2024?", "ru"),
        (ANNA, [], "What is RAG?", "en"),
        (BORIS, [], "RAG?", "en"),
        (BORIS, [RU], "RAG?", "ru"),
        (BORIS, [RU, "Kafka?"], "RAG?", "ru"),
        (BORIS, [RU, EN], "RAG?", "en"),
    ],
)
async def test_names_alone_are_answered_in_the_language_of_who_asks(
    person: int, before: list[str], asked: str, language: str
) -> None:
    """Their Telegram tells it, and where that is in English what they have asked before."""
    async with chatting() as (tg, desk):
        for number, words in enumerate([*before, asked], 1):
            await tg.say(person, person, words)
            await tg.wait_for_messages(person, count=2 * number)

    assert language == list(desk.questions.values())[-1].language
