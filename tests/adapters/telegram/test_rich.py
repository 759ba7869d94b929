"""Tables in rich messages, where that is wanted and the server takes them; else in text, as ever."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from adapters.telegram.app import TelegramPlatform
from adapters.telegram.body import after
from adapters.telegram.rich_message import MAX_COLUMNS, rich_of
from adapters.telegram.richtext import whole
from bot.platforms import telegram_settings
from bot.settings import Settings
from core.delivery import Doubtful, Outcome, Shown
from core.reply import Action, Bullets, Line, Note, Paragraph, RenderedReply, Table, Text
from core.text import Language
from tests.adapters.telegram.scene import ANNA, TEAM, calls, joined, outgoing, place_of, telegram, unpaced, words
from tests.platforms.telegram import Message
from tests.platforms.telegram.markup import button_data
from tests.platforms.telegram.params import Params
from tests.platforms.telegram.rich import read_message

RICH, POST, EDIT = "sendRichMessage", "sendMessage", "editMessageText"
WIDE = {
    "en": ("Project", "Where Retrieval Augmented Generation was used", "Atlas", "in the search of the help desk"),
    "ru": ("Проект", "Где применялся поиск с дополненной генерацией", "Атлас", "в поиске службы поддержки"),
}


def line(*parts: str | int) -> Line:
    """Return a line of words and footnote marks."""
    return tuple(Note(part) if isinstance(part, int) else Text(part) for part in parts)


def table(language: Language = "en", *, wide: int = 2) -> RenderedReply:
    """Return an answer with a sentence, a table of two columns or more, and a button."""
    first, second, name, told = WIDE[language]
    header = (first, second, *map(str, range(wide - 2)))
    nodes = (Paragraph(line("2:")), Table(header, ((line(name), line(told, 1)), (line("Aston"),))))
    return RenderedReply(nodes, (), language, (Action("why", "Why?"),))


def body_of(platform: TelegramPlatform, reply: RenderedReply) -> Any:
    return platform.parts(reply)[0].body


async def shown(platform: TelegramPlatform, asked: Message, reply: RenderedReply, **more: Any) -> Outcome:
    return await platform.show(outgoing(asked, body_of(platform, reply), **more))


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("chat", [ANNA, TEAM])
async def test_a_table_is_a_table(language: Language, chat: int) -> None:
    """Under its header, each row whole, with the buttons, as a reply to the question."""
    first, second, name, told = WIDE[language]
    async with telegram() as tg, joined(tg, unpaced, rich=True) as platform:
        asked = await tg.say(ANNA, chat, "/ask")
        await shown(platform, asked, table(language))
        [answer] = tg.bot_messages(chat)

    assert f"2:\n{first} | {second}\n{name} | {told}¹\nAston | " == answer.text
    assert (asked.message_id, ["why:"]) == (answer.reply_to, button_data(answer.keyboard))
    assert answer.rich
    assert [RICH] == calls(tg, RICH, POST)


@pytest.mark.parametrize("rich", [False, True])
async def test_what_is_not_wanted_or_has_no_table_is_text(rich: bool) -> None:  # noqa: FBT001 - one of two
    """As without the setting."""
    reply = RenderedReply((Bullets((line("28 days", 1),)),), (), "en") if rich else table()
    async with telegram() as tg, joined(tg, unpaced, rich=rich) as platform:
        await shown(platform, await tg.say(ANNA, ANNA, "?"), reply)

    assert [POST] == calls(tg, RICH, POST)


async def test_an_older_server_is_asked_once() -> None:
    """Its 404 leads to the text that others see, then and from then on."""
    async with telegram() as tg, joined(tg, unpaced, rich=True) as platform, joined(tg, unpaced) as other:
        tg.world.knows_rich = False
        asked = await tg.say(ANNA, ANNA, "?")
        for each in (platform, platform, other):
            assert isinstance(await shown(each, asked, table()), Shown)
        said = {message.text for message in tg.bot_messages(ANNA)}

    assert [RICH, POST, POST, POST] == calls(tg, RICH, POST)
    assert 1 == len(said)


async def test_a_refusal_of_whatever_kind_leads_to_text() -> None:
    """Also of an edit."""
    for method in (RICH, EDIT):
        async with telegram() as tg, joined(tg, unpaced, rich=True) as platform:
            asked = await tg.say(ANNA, ANNA, "?")
            sign = place_of(await platform.show(outgoing(asked, words("…")))) if method == EDIT else None
            tg.fail_next(method, status=400, description="Bad Request: RICH_MESSAGE_INVALID")
            outcome = await shown(platform, asked, table(), shown=sign)
            await shown(platform, asked, table())

        assert isinstance(outcome, Shown)
        assert ([None, None], [RICH] * (method == RICH)) == (
            [message.rich for message in tg.bot_messages(ANNA)],
            calls(tg, RICH),
        )


async def test_a_message_that_stands_for_the_answer_becomes_a_table() -> None:
    """And to show it again as it is changes nothing; a button that goes leaves the table."""
    async with telegram() as tg, joined(tg, unpaced, rich=True) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        sign = place_of(await platform.show(outgoing(asked, words("You are number 9."))))
        for _ in range(2):
            assert Shown(sign) == await shown(platform, asked, table(), shown=sign)
        judged = replace(table(), actions=(Action("judge", "👍", "up.0"), Action("judge", "👎", "down.0")))
        await platform.show(outgoing(asked, after(body_of(platform, judged), "judge:down.0"), shown=sign))
        [answer] = tg.bot_messages(ANNA)

    assert answer.rich
    assert [POST, EDIT, EDIT, EDIT] == calls(tg, RICH, POST, EDIT)


async def test_a_known_refusal_says_nothing_of_rich_messages() -> None:
    """A message that is gone is posted anew, as a table."""
    async with telegram() as tg, joined(tg, unpaced, rich=True) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        sign = place_of(await platform.show(outgoing(asked, words("…"))))
        await tg.unsend(ANNA, int(sign.message))
        await shown(platform, asked, table(), shown=sign)
        [answer] = tg.bot_messages(ANNA)

    assert answer.rich


@pytest.mark.parametrize("fault", [{"drop": "after"}, {"status": 502}], ids=str)
async def test_a_rich_message_of_unknown_fate_is_not_repeated_as_text(fault: dict[str, Any]) -> None:
    """It may stand there already."""
    async with telegram() as tg, joined(tg, unpaced, rich=True) as platform:
        tg.fail_next(RICH, **fault)
        outcome = await shown(platform, await tg.say(ANNA, ANNA, "?"), table())

    assert (Doubtful, [RICH]) == (type(outcome), calls(tg, RICH, POST))


def test_nothing_in_a_table_is_live() -> None:
    """What looks like a mention, a command or an address is code, and Telegram is not to look for any."""
    cells = (line("@anna"), line("/start"), line("see README.md and https://evil.example"))
    rich = rich_of(RenderedReply((Table(("a", "b", "c"), (cells,)),), (), "en"))
    assert rich

    made = json.dumps(rich)
    assert rich["skip_entity_detection"]
    for live in ("@anna", "/start", "README.md", "https://evil.example"):
        assert f'{{"type": "code", "text": "{live}"}}' in made


_CELLS = st.lists(st.text(max_size=30), max_size=4)


@given(st.lists(st.text(max_size=40), max_size=3), _CELLS, st.lists(_CELLS, max_size=4))
def test_whatever_a_table_holds_telegram_takes(told: list[str], header: list[str], rows: list[list[str]]) -> None:
    """Every word of it stands there; a table without columns is left to the text."""
    every = [*told, *header, *(cell for row in rows for cell in row)]
    assume(any(whole(each).strip() for each in every))  # an answer has words
    made = Table(tuple(header), tuple(tuple(line(cell) for cell in row) for row in rows))
    rich = rich_of(RenderedReply((*(Paragraph(line(each)) for each in told), made), (), "en"))
    if rich is None:
        assert not header
        assert not any(rows)
        return
    read, _ = read_message(Params({"rich_message": json.dumps(rich)}))

    for each in every:
        assert whole(each).strip() in read.text


def test_more_than_a_rich_message_takes_is_text() -> None:
    """Too many columns, too many words."""
    long = Table(("a", "b"), tuple((line("x"), line("y" * 1000)) for _ in range(33)))

    assert rich_of(table(wide=MAX_COLUMNS))
    assert [None, None] == [rich_of(table(wide=MAX_COLUMNS + 1)), rich_of(RenderedReply((long,), (), "en"))]


def test_it_is_off_unless_it_is_turned_on() -> None:
    """As the settings say."""
    given = [Settings(telegram_bot_token="1:x", **more) for more in ({}, {"telegram_rich": "tables"})]  # type: ignore[arg-type, call-arg]

    assert [False, True] == [telegram_settings(one).rich for one in given]
