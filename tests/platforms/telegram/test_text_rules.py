"""The stand-in reads texts, entities and keyboards as the Bot API server does."""

from __future__ import annotations

import pytest
from telegram import (
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    MessageEntity,
    ReplyParameters,
)
from telegram.constants import ParseMode

from .model import entity_texts, utf16_length
from .talking import ANNA, refused, talking


def bold(offset: int, length: int) -> MessageEntity:
    return MessageEntity("bold", offset, length)


def link(offset: int, length: int, url: str) -> MessageEntity:
    return MessageEntity("text_link", offset, length, url=url)


async def test_entities_stay_on_cyrillic_and_emoji() -> None:
    """Offsets count UTF-16 units, so an emoji before a word moves it by two."""
    text = "😀 Астон: источник"
    sent = [bold(3, 5), link(10, 8, "https://e.org/a_(b)")]
    async with talking() as (tg, bot):
        answer = await bot.send_message(ANNA, text, entities=sent)
        seen = tg.chat(ANNA)[0]

        assert entity_texts(seen) == [
            ("bold", "Астон", None),
            ("text_link", "источник", "https://e.org/a_(b)"),
        ]
        assert answer.parse_entities() == dict(zip(sent, ["Астон", "источник"], strict=True))
        assert tg.warnings == []


async def test_marks_of_markdown_stay_literal_next_to_entities() -> None:
    """Text sent with entities is never read as markup."""
    async with talking() as (tg, bot):
        text = "**a** __b__ [c](http://e.org) `d` x_y ||e||"
        await bot.send_message(ANNA, text, entities=[bold(0, 5)])

        assert tg.chat(ANNA)[0].text == text
        assert entity_texts(tg.chat(ANNA)[0])[0] == ("bold", "**a**", None)


async def test_the_server_finds_links_and_mentions_by_itself() -> None:
    """A bare address becomes a link without being asked for, but not inside code."""
    async with talking() as (tg, bot):
        await bot.send_message(ANNA, "README.md @boris_b", entities=[MessageEntity("code", 0, 9)])
        await bot.send_message(ANNA, "see e.org/x")

        assert entity_texts(tg.chat(ANNA)[0])[0] == ("code", "README.md", None)
        assert [kind for kind, _, _ in entity_texts(tg.chat(ANNA)[0])] == ["code", "mention"]
        assert entity_texts(tg.chat(ANNA)[1]) == [("url", "e.org/x", None)]


async def test_blank_ends_are_trimmed_with_their_entities() -> None:
    """Blank ends disappear; the front is kept where an entity begins."""
    async with talking() as (tg, bot):
        await bot.send_message(ANNA, "\n  Yes, indeed \n\n", entities=[bold(8, 8)])

        assert tg.chat(ANNA)[0].text == "Yes, indeed"
        assert entity_texts(tg.chat(ANNA)[0]) == [("bold", "indeed", None)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Message text is empty"),
        (" \n ", "Text must be non-empty"),
        ("😀" * 4097, "Message is too long"),
        ("a" * 32_769, "Text is too long"),
    ],
)
async def test_texts_of_impossible_size_are_refused(text: str, reason: str) -> None:
    """A text has 1 to 4,096 code points after trimming and at most 32,768 bytes before."""
    async with talking() as (tg, bot):
        with refused(reason):
            await bot.send_message(ANNA, text)

        assert tg.chat(ANNA) == []


async def test_the_limit_counts_code_points() -> None:
    """4,096 emoji are one message, although they are 8,192 UTF-16 units."""
    async with talking() as (tg, bot):
        await bot.send_message(ANNA, "😀" * 4096 + " ")

        assert utf16_length(tg.chat(ANNA)[0].text) == 8192


@pytest.mark.parametrize(
    ("text", "mode", "reason"),
    [
        ("a.b", ParseMode.MARKDOWN_V2, r"Character '\.' is reserved"),
        ("<h1>x</h1>", ParseMode.HTML, 'Unsupported start tag "h1"'),
        ("*x", ParseMode.MARKDOWN, "Can't find end of the entity"),
        ("x", "rst", "Unsupported parse_mode"),
    ],
)
async def test_broken_markup_is_refused(text: str, mode: str, reason: str) -> None:
    """Markup is judged by Telegram's own parser, with its words."""
    async with talking() as (_, bot):
        with refused(reason):
            await bot.send_message(ANNA, text, parse_mode=mode)


async def test_parsed_markup_becomes_entities() -> None:
    """Valid HTML shows as text and entities; a link it cannot reach is lost."""
    html = '<b>Да</b> <a href="https://e.org/">тут</a> <a href="http://wiki/page">там</a>'
    async with talking() as (tg, bot):
        await bot.send_message(ANNA, html, parse_mode=ParseMode.HTML)

        assert tg.chat(ANNA)[0].text == "Да тут там"
        assert entity_texts(tg.chat(ANNA)[0]) == [
            ("bold", "Да", None),
            ("text_link", "тут", "https://e.org/"),
        ]


@pytest.mark.parametrize(
    ("entity", "reason"),
    [
        (bold(0, 50), "ends after the end of the text"),
        (bold(-1, 2), "incorrect offset"),
        (bold(1, 2), "middle of a UTF-16 symbol"),
        (MessageEntity("heading", 0, 2), "Unsupported type specified"),
        (MessageEntity("text_link", 0, 2), 'Can\'t find field "url"'),
        (link(0, 2, "http://wiki/page"), "URL 'http://wiki/page' is invalid"),
        (link(0, 2, "http://localhost"), "URL 'http://localhost' is invalid"),
        (link(0, 2, "#anchor"), "URL '#anchor' is invalid"),
        (link(0, 2, "file:///etc/hosts"), "URL 'file:///etc/hosts' is invalid"),
        (link(0, 2, "docs/page"), "URL 'docs/page' is invalid"),
    ],
)
async def test_wrong_entities_are_refused(entity: MessageEntity, reason: str) -> None:
    """One wrong entity refuses the whole message."""
    async with talking() as (tg, bot):
        with refused(reason):
            await bot.send_message(ANNA, "😀 text", entities=[entity])

        assert tg.chat(ANNA) == []


async def test_a_link_on_code_is_lost_with_a_warning() -> None:
    """Code and a link on the same range: the code stays, the link goes in silence."""
    async with talking() as (tg, bot):
        both = [MessageEntity("code", 0, 4), link(0, 4, "https://e.org/")]
        await bot.send_message(ANNA, "name", entities=both)

        assert entity_texts(tg.chat(ANNA)[0]) == [("code", "name", None)]
        assert tg.warnings == ["text_link at 0+4: dropped by the server"]


async def test_what_stands_after_a_mark_that_is_struck_out_is_not_lost() -> None:
    """The text before it is shorter then, and an entity as short moves by more than its length."""
    marks = "႙\u0333" * 6
    async with talking() as (tg, bot):
        await bot.send_message(ANNA, f"😀 {marks} bold", entities=[bold(16, 4)])

        assert entity_texts(tg.chat(ANNA)[0]) == [("bold", "bold", None)]
        assert tg.warnings == []


async def test_a_nested_quote_is_lost_with_a_warning() -> None:
    """Quotes do not nest: the inner one goes in silence."""
    async with talking() as (tg, bot):
        quotes = [MessageEntity("blockquote", 0, 11), MessageEntity("blockquote", 6, 5)]
        await bot.send_message(ANNA, "outer inner", entities=quotes)

        assert entity_texts(tg.chat(ANNA)[0]) == [("blockquote", "outer inner", None)]
        assert len(tg.warnings) == 1


async def test_an_address_without_a_scheme_warns() -> None:
    """`mailto:` is no error: the server takes it for a host, so the link leads nowhere."""
    async with talking() as (tg, bot):
        await bot.send_message(ANNA, "mail", entities=[link(0, 4, "mailto:a@b.org")])

        assert "no scheme" in tg.warnings[0]


async def test_a_mention_of_a_stranger_is_lost_with_a_warning() -> None:
    """A person the bot never met cannot be mentioned by id."""
    async with talking() as (tg, bot):
        await bot.send_message(ANNA, "Ann", entities=[link(0, 3, "tg://user?id=42")])

        assert entity_texts(tg.chat(ANNA)[0]) == []
        assert len(tg.warnings) == 1


async def test_more_than_a_hundred_entities_lose_the_rest() -> None:
    """A message keeps 100 entities; bold goes before code."""
    codes = [MessageEntity("code", 2 * index, 1) for index in range(60)]
    bolds = [bold(2 * index, 1) for index in range(60, 120)]
    async with talking() as (tg, bot):
        await bot.send_message(ANNA, "a " * 120, entities=[*codes, *bolds])
        kinds = [each.type for each in tg.chat(ANNA)[0].entities]

        assert (kinds.count("code"), kinds.count("bold")) == (60, 40)
        assert "20 of 120 entities" in tg.warnings[0]


async def test_entities_that_weigh_too_much_are_refused() -> None:
    """All entities together have about 9,500 bytes; long addresses use them up."""
    url = "https://e.org/" + "p" * 900
    links = [link(2 * index, 1, url) for index in range(12)]
    async with talking() as (_, bot):
        with refused("entities_too_long"):
            await bot.send_message(ANNA, "a " * 12, entities=links)


async def test_button_data_has_at_most_64_bytes() -> None:
    """The limit counts bytes, not characters."""
    async with talking() as (tg, bot):
        for data in ("d" * 64, "д" * 33):
            markup = InlineKeyboardMarkup([[InlineKeyboardButton("ok", callback_data=data)]])
            if data == "d" * 64:
                await bot.send_message(ANNA, "x", reply_markup=markup)
            else:
                with refused("button_data_invalid"):
                    await bot.send_message(ANNA, "x", reply_markup=markup)

        assert len(tg.chat(ANNA)) == 1


async def test_a_button_must_do_something() -> None:
    """A button with a label only is refused."""
    async with talking() as (_, bot):
        markup = InlineKeyboardMarkup([[InlineKeyboardButton("ok")]])
        with refused("Text buttons are unallowed"):
            await bot.send_message(ANNA, "x", reply_markup=markup)


async def test_the_preview_choice_is_recorded() -> None:
    """A test can see whether an answer hides its link previews."""
    async with talking() as (tg, bot):
        choice = LinkPreviewOptions(is_disabled=True)
        await bot.send_message(ANNA, "https://e.org", link_preview_options=choice)

        assert tg.chat(ANNA)[0].link_preview == {"is_disabled": True}


async def test_a_quote_must_stand_in_the_answered_message() -> None:
    """A reply may show a passage only if it is there, letter for letter."""
    async with talking() as (tg, bot):
        asked = await tg.say(ANNA, ANNA, "😀 Где используется RAG?")
        options = ReplyParameters(asked.message_id, quote="используется RAG")
        answer = await bot.send_message(ANNA, "Тут.", reply_parameters=options)

        assert answer.quote is not None
        assert (answer.quote.text, answer.quote.position) == ("используется RAG", 7)
        wrong = ReplyParameters(asked.message_id, quote="используют")
        with refused("quote_text_invalid"):
            await bot.send_message(ANNA, "Тут.", reply_parameters=wrong)
