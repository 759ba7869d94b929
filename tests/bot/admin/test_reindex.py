"""`/reindex` from the order to its last words, between both platforms' stand-ins."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.admin import index_orders
from tests.bot.admin.office import ANNA, BORIS, Office, office

DONE = "Done: answers come from the new index."
SHOWN = "One message in our direct chat shows how it goes"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a message change five times a second, where it does so every few seconds else."""
    monkeypatch.setattr(index_orders, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(index_orders, "EDIT_EVERY", {"slack": 0.2, "telegram": 0.2})


@pytest_asyncio.fixture
async def place(elsewhere: Path) -> AsyncIterator[Office]:
    """Give both platforms, and a folder of two pages."""
    async with office(elsewhere / "documents") as made:
        yield made


async def test_an_admin_orders_it_in_a_channel_of_slack(place: Office) -> None:
    """At once they alone are told; one message to them shows how far it is, and in the end what changed."""
    async with place.copy() as bot:
        await place.index(bot)
        place.write("cake.md", "Cake is at five.")
        place.write("tea.md", "Tea is served at five o'clock.")
        (place.folder / "чай.md").unlink()
        bot.embedder.hold.clear()
        await place.slack.command_as("U1", "C1", "/reindex")
        await place.sees(place.in_slack)
        [running] = place.in_slack()
        bot.embedder.hold.set()
        await place.sees(lambda: any(DONE in text for text in place.in_slack()))

    [told], [ended] = place.whispers(), place.in_slack()
    assert SHOWN in told
    assert running.startswith("Reading the documents again\n[")
    assert all(words in running for words in ("[in_progress]", "[pending] Switching over", "from the index as it was"))
    assert all(words in ended for words in ("Added (1)", "cake.md", "Changed (1)", "tea.md", "Removed (1)", "чай.md"))
    assert "Documents: 2" in ended
    assert [] == [m for m in place.slack.workspace.messages.values() if m.channel == "C1"]


async def test_an_admin_orders_it_in_a_group_of_telegram(place: Office) -> None:
    """In Russian, and nothing is said in the group."""
    group = -100123
    async with place.copy() as bot:
        await place.index(bot)
        place.write("пирог.md", "Пирог подают в пять.")
        await place.telegram.say(ANNA, ANNA, "/start")
        await place.telegram.say(ANNA, group, "/reindex")
        await place.sees(lambda: any("Готово: отвечаю по новому" in text for text in place.in_telegram()))

    assert "Добавлено (1)" in place.in_telegram()[-1]
    assert "пирог.md" in place.in_telegram()[-1]
    assert any("Читаю документы заново" in text for text in place.in_telegram())
    assert [] == place.in_telegram(group)


async def test_a_second_order_shows_the_first(place: Office) -> None:
    """Another admin, on another platform, is shown how far the one run is, and may stop it."""
    async with place.copy() as bot:
        await place.index(bot)
        place.write("cake.md", "Cake is at five.")
        bot.embedder.hold.clear()
        await place.slack.command_as("U1", "C1", "/footnote", "reindex")
        await place.sees(lambda: place.whispers() and place.in_slack())
        await place.telegram.say(ANNA, ANNA, "/reindex")
        await place.sees(lambda: any("вторую не начинаю" in text for text in place.in_telegram()))
        await place.telegram.say(ANNA, ANNA, "/reindex стоп")
        await place.sees(lambda: any("Останавливаю" in text for text in place.in_telegram()))
        await asyncio.sleep(0.2)
        bot.embedder.hold.set()
        await place.sees(lambda: any("Stopped: the index of before" in text for text in place.in_slack()))
        live = await bot.stores.catalog.live()

    assert live
    assert 2 == live.counts["documents"]
    assert 1 == len(place.in_slack())


async def test_the_button_stops_it(place: Office) -> None:
    """Under the message; afterwards the message has none, and the next order goes on from there."""
    async with place.copy() as bot:
        await place.index(bot)
        place.write("cake.md", "Cake is at five.")
        bot.embedder.hold.clear()
        await place.telegram.say(ANNA, ANNA, "/reindex")
        await place.sees(lambda: any(m.text.count("░") for m in place.telegram.bot_messages(ANNA)))
        [live] = [m for m in place.telegram.bot_messages(ANNA) if "░" in m.text]
        await place.telegram.press(ANNA, ANNA, live.message_id, "stop:1")
        await asyncio.sleep(0.2)
        bot.embedder.hold.set()
        await place.sees(lambda: any("Остановлено" in text for text in place.in_telegram()))
        await place.telegram.say(ANNA, ANNA, "/reindex")
        await place.sees(lambda: any("Готово" in text for text in place.in_telegram()))

    assert "cake.md" in place.in_telegram()[-1]


async def test_what_fails_is_told_with_its_reason(place: Office) -> None:
    """The folder is gone: the index of before goes on answering."""
    async with place.copy() as bot:
        await place.index(bot)
        place.folder.rename(place.folder.parent / "away")
        await place.slack.command_as("U1", place.slack.open_dm("U1"), "/reindex")
        await place.sees(lambda: any("That did not work" in text for text in place.in_slack()))
        (place.folder.parent / "away").rename(place.folder)
        live = await bot.stores.catalog.live()

    assert live
    assert "create it or correct its path" in place.in_slack()[-1]


async def test_what_cannot_be_read_is_named(place: Office) -> None:
    """Up to five of them, with the reason, and how many more."""
    async with place.copy() as bot:
        await place.index(bot)
        for number in range(7):
            (place.folder / f"broken-{number}.pdf").write_bytes(b"%PDF-1.7 nothing")
        place.write("cake.md", "Cake is at five.")
        await place.telegram.say(ANNA, ANNA, "/reindex")
        await place.sees(lambda: any("Готово" in text for text in place.in_telegram()))

    assert all(words in place.in_telegram()[-1] for words in ("Не удалось прочитать (7)", "broken-4.pdf", "и ещё 2"))
    assert "broken-0.pdf: обрезан или это не PDF: скачайте файл заново" in place.in_telegram()[-1]


async def test_it_goes_on_after_a_restart_in_the_same_message(place: Office) -> None:
    """The bot is stopped in the middle and started again: one message, and what changed since the order was given."""
    async with place.copy(held=False) as bot:
        await place.index(bot)
        place.write("cake.md", "Cake is at five.")
        bot.embedder.hold.clear()
        await place.slack.command_as("U1", "C1", "/reindex")
        await place.sees(lambda: any("Preparing the search" in text for text in place.in_slack()))
        await bot.stop()
    async with place.copy():
        await place.sees(lambda: any(DONE in text for text in place.in_slack()))

    [ended] = place.in_slack()
    assert "cake.md" in ended


async def test_edits_stay_within_their_budget(place: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """However fast the run goes, one edit in each stretch of time, and one for the last words."""
    monkeypatch.setattr(index_orders, "EDIT_EVERY", {"slack": 0.3})
    async with place.copy() as bot:
        await place.index(bot)
        place.write("cake.md", "Cake is at five.")
        bot.embedder.hold.clear()
        await place.slack.command_as("U1", "C1", "/reindex")
        await place.sees(place.in_slack)
        await asyncio.sleep(1.5)
        bot.embedder.hold.set()
        await place.sees(lambda: any(DONE in text for text in place.in_slack()))

    # The time in the message is in whole seconds, and what says the same is not sent again.
    assert 1 <= len(place.slack.calls_to("chat.update")) <= 7
    assert 1 == len(place.slack.calls_to("chat.postMessage"))


async def test_a_message_that_cannot_be_shown_harms_nothing(place: Office) -> None:
    """Telegram refuses to write to an admin who blocked the bot: the run goes its way."""
    async with place.copy() as bot:
        await place.index(bot)
        place.write("cake.md", "Cake is at five.")
        place.telegram.fail_next("sendMessage", status=403, times=50)
        await place.telegram.say(ANNA, ANNA, "/reindex")

        async def documents() -> int:
            live = await bot.stores.catalog.live()
            return live.counts["documents"] if live else 0

        async with asyncio.timeout(20):
            while await documents() != 3:
                await asyncio.sleep(0.05)
            while await bot.service.outbox.unsent():
                await asyncio.sleep(0.05)


@pytest.mark.parametrize("words", ["", "cancel", "status"])
async def test_nobody_else_may(place: Office, words: str) -> None:
    """Another member of the workspace, and another person on Telegram, are told how one becomes an admin."""
    async with place.copy() as bot:
        await place.index(bot)
        await place.slack.command_as("U2", "C1", "/reindex", words)
        await place.telegram.say(BORIS, BORIS, f"/reindex {words}".strip())
        await place.sees(lambda: place.whispers("U2") and place.in_telegram(BORIS))
        order = await bot.service.stores.catalog.building()

    assert order is None
    assert "add slack:T0TEAM:U2 to ADMINS" in place.whispers("U2")[0]
    assert f"add telegram:{BORIS} to ADMINS" in place.in_telegram(BORIS)[0]
