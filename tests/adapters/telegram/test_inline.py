"""Inline mode: what everybody may read, shared anywhere."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from telegram import Bot

from adapters.telegram import inline
from adapters.telegram.errands import Errands
from adapters.telegram.happenings import Inline
from adapters.telegram.inline import InlineAnswers
from core.access import LET_IN, Admission, OpenDoors, Visitor
from core.phrases import phrase
from core.reply import Bullets, Evidence, Note, Paragraph, RenderedReply, Text
from tests.adapters.telegram.scene import ANNA, BORIS, QUOTE, asked_of, asks_last, chatting, message, reply_to
from tests.doubles.desk import Desk
from tests.platforms.telegram import TelegramStandIn


@asynccontextmanager
async def glancing(reply: RenderedReply | None) -> AsyncIterator[tuple[TelegramStandIn, Desk]]:
    """Give a Telegram whose bot answers inline with this."""
    async with chatting(inline=True) as (tg, desk):
        desk.glanced = reply
        yield tg, desk


async def test_an_answer_and_its_sources_can_be_shared() -> None:
    """The answer goes with its proof in one message, each source by itself; nothing is asked of the line."""
    async with glancing(reply_to("Сколько дней отпуска?")) as (tg, desk):
        offered = await tg.wait_for_offer(await tg.type_inline(ANNA, "Сколько дней отпуска?"))

    assert offered.titles == (phrase("share_answer", "ru"), "Leave policy")
    answer, source = offered.texts
    assert answer.startswith("• About Сколько дней отпуска?¹")
    assert QUOTE in answer
    assert QUOTE in source
    assert (offered.cache_time, offered.is_personal) == (60, True)
    assert desk.questions == {}
    assert tg.warnings == []


async def test_without_an_answer_there_is_a_way_to_ask_in_private() -> None:
    """So it is while next to nothing is typed, which is not looked up."""
    async with glancing(None) as (tg, desk):
        none = await tg.wait_for_offer(await tg.type_inline(BORIS, "How many days?"))
        short = await tg.wait_for_offer(await tg.type_inline(BORIS, "Ho"))

    assert none.titles == short.titles == ()
    assert ["How many days?"] == desk.glances


async def test_whatever_is_shown_inline_is_its_askers_alone() -> None:
    """Telegram keeps it for nobody else: an answer, none at all, and what next to nothing typed brings."""
    async with glancing(reply_to("leave")) as (tg, desk):
        found = await tg.wait_for_offer(await tg.type_inline(ANNA, "leave?"))
        short = await tg.wait_for_offer(await tg.type_inline(ANNA, "le"))
        desk.glanced = None
        none = await tg.wait_for_offer(await tg.type_inline(BORIS, "leave?"))

    assert [True] * 3 == [one.is_personal for one in (found, short, none)]
    assert all(one.cache_time <= 60 for one in (found, short, none))
    assert "chosen_inline_result" not in tg.world.updates.allowed


async def test_who_is_not_let_in_sees_nothing() -> None:
    """And hears nothing of it either."""

    class Closed(OpenDoors):
        async def admit(self, visitor: Visitor) -> Admission:
            assert not visitor.aloud
            return LET_IN if visitor.person == str(BORIS) else Admission(is_let_in=False)

    async with glancing(reply_to("leave")) as (tg, desk):
        desk.doors = Closed()
        anna = await tg.wait_for_offer(await tg.type_inline(ANNA, "leave?"))
        boris = await tg.wait_for_offer(await tg.type_inline(BORIS, "leave?"))

    assert (len(anna.titles), len(boris.titles)) == (0, 2)


async def test_of_what_one_person_types_only_the_latest_is_looked_up() -> None:
    """Every letter is a query; all of them are answered, so that nobody waits."""
    async with glancing(reply_to("leave")) as (tg, desk):
        queries = [await tg.type_inline(ANNA, text) for text in ("leav", "leave", "leave?")]
        offers = [await tg.wait_for_offer(query) for query in queries]

    assert len(desk.glances) <= len(queries)
    assert offers[-1].titles


async def test_who_types_while_too_much_is_done_is_not_remembered() -> None:
    """Nothing is kept of a query that nobody serves, however many people type."""

    async def endless() -> None:
        await asyncio.Event().wait()

    async with glancing(None) as (_, desk):
        errands = Errands()
        answers = InlineAnswers(Bot("1:nobody"), desk, errands)
        while errands.start(endless, str(len(errands._running))):
            pass
        for person in range(100):
            answers.ask(Inline(str(person), str(person), "leave?", "en"))
        await errands.close()

    assert answers._latest == {}


async def test_a_shared_answer_is_no_question() -> None:
    """Whoever shares an answer into the chat with the bot, or where everybody is heard, asks nothing by it."""
    ours = {"id": 123456, "is_bot": True, "first_name": "Footnote", "username": "footnote_bot"}
    group = {"id": -100123, "type": "supergroup", "title": "Team"}
    async with chatting() as (tg, desk):
        desk.mode = "all"
        await tg.deliver(message(message_id=600, text="28 дней¹", via_bot=ours))
        await tg.deliver(message(message_id=601, text="28 дней¹", via_bot=ours, chat=group))
        await asks_last(tg, desk)

    assert ["last"] == asked_of(desk)


async def test_a_look_that_takes_too_long_is_given_up() -> None:
    """Then Telegram asks again soon."""
    async with glancing(None) as (tg, desk):

        async def endless(words: str) -> RenderedReply | None:
            await asyncio.Event().wait()
            return None

        before, inline.PATIENCE = inline.PATIENCE, 0.05
        try:
            desk.glance = endless  # type: ignore[method-assign]
            offered = await tg.wait_for_offer(await tg.type_inline(ANNA, "leave?"))
        finally:
            inline.PATIENCE = before

    assert (offered.titles, offered.cache_time) == ((), 1)


def test_a_long_answer_is_one_message_that_telegram_takes() -> None:
    """With as much of its proof as goes in; a title is never empty, and never too long."""
    entries = tuple(Evidence(n, "  " if n == 1 else "T" * 900, "Place", "слово " * 300) for n in range(1, 9))
    items = tuple((Text("Очень длинное утверждение " * 10), Note(n)) for n in range(1, 9))
    results = inline.results_of(RenderedReply((Paragraph((Text("Lead"),)), Bullets(items)), entries, "ru"))

    assert len(results) == 1 + inline.MOST_SOURCES
    assert all(0 < len(each.title) <= 120 for each in results)
    assert all(len(each.input_message_content.message_text) <= 4096 for each in results)


async def test_off_by_default_telegram_is_not_asked_for_inline_queries() -> None:
    """Nobody's typing reaches the bot unless its operator wants it."""
    async with chatting() as (tg, desk):
        await tg.say(BORIS, BORIS, "first")
        await tg.wait_for_messages(BORIS, count=2)
        await tg.type_inline(ANNA, "leave?")
        await tg.wait_until_confirmed()

    assert desk.glances == []
    assert "inline_query" not in tg.world.updates.allowed
