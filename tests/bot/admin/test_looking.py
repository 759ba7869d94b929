"""`/status`, `/sources`, `/permissions` and `/log` on both platforms: what is told, what is not, and where."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest
import pytest_asyncio

from bot.health import ELSEWHERE
from tests.bot.admin.office import ANNA, BORIS, Office, office
from tests.platforms.slack import visible_text

GROUP = -100123
ASKED = "Everything that is stored of you goes"


@pytest_asyncio.fixture
async def place(elsewhere: Path) -> AsyncIterator[Office]:
    """Give both platforms, and a folder of two pages."""
    async with office(elsewhere / "documents") as made:
        yield made


async def test_an_admin_sees_how_things_stand(place: Office) -> None:
    """In English where the command is English, in Russian on a Russian Telegram, for the admin alone in a group."""
    async with place.copy(elapsed=monotonic) as bot:
        await place.slack.command_as("U1", "C1", "/footnote", "status")
        await place.sees(lambda: any("Nothing is indexed yet." in text for text in place.whispers()))
        await place.index(bot)
        await place.slack.command_as("U1", "C1", "/footnote", "status")
        await place.sees(lambda: len(place.whispers()) == 2)
        await place.telegram.say(ANNA, ANNA, "/start")
        await place.telegram.say(ANNA, GROUP, "/status@footnote_bot")
        await place.sees(lambda: len(place.whispers()) == 2 and len(place.in_telegram()) == 2)

    english, russian = place.whispers()[1], place.in_telegram()[1]
    assert all(
        words in english
        for words in (
            "documents: 2", "No index run is under way", "questions waiting: 0", "answers are quotes", "0 calls, $0.00",
            "Slack: messages arrive", "Telegram: messages arrive",
        )
    )  # fmt: skip
    assert all(words in russian for words in ("документов: 2", "вопросов в очереди: 0", "Telegram: сообщения приходят"))
    assert [] == place.in_telegram(GROUP)


async def test_a_copy_that_stands_by_says_who_receives(place: Office) -> None:
    """What another copy receives is not called dead."""
    async with place.copy() as bot:
        bot.service.standing_by["telegram"] = ELSEWHERE
        await place.slack.command_as("U1", "C1", "/footnote", "status")
        await place.sees(lambda: len(place.whispers()) == 1)

    assert "Telegram: another copy of me receives the messages" in place.whispers()[0]
    assert "Slack: messages arrive" in place.whispers()[0]


async def test_the_log_is_shown_to_an_admin_alone(place: Office) -> None:
    """The latest questions of their own workspace with what came of them; words say which."""
    async with place.copy() as bot:
        await place.index(bot)
        channel = place.slack.open_dm("U2")
        ts = await place.slack.post_as("U2", channel, "When is tea served?")
        await place.slack.wait_for_messages(channel, ts, count=2, timeout=20)
        await place.telegram.say(BORIS, BORIS, "When is coffee served in Paris?")
        await place.telegram.wait_for_messages(BORIS, count=1, timeout=20)
        for words in ("log", "log TEA", "log nothing of this"):
            await place.slack.command_as("U1", "C1", "/footnote", words)
        await place.slack.command_as("U2", "C1", "/footnote", "log")
        # Telegram lets no bot write first to somebody who has never opened a chat with it.
        place.telegram.fail_next("sendMessage", status=403)
        await place.telegram.say(ANNA, GROUP, "/log@footnote_bot")
        await place.sees(lambda: len(place.whispers()) == 3 and place.whispers("U2") and place.in_telegram(GROUP))

    told = "\n".join(place.whispers())
    assert 2 == told.count("· @U2 · “When is tea served?” · ")
    assert "The latest questions with “TEA”:" in told
    assert "Nothing in the log holds “nothing of this”." in told
    assert "Paris" not in told
    assert "Only my administrators" in place.whispers("U2")[0]
    assert [] == place.in_telegram()
    assert ["Это я показываю только лично: откройте чат со мной, нажмите «Старт» и спросите там."] == place.in_telegram(
        GROUP
    )


async def test_nothing_leaks_of_sources_that_a_place_may_not_read(place: Office) -> None:
    """Not their names, not where they lie, not how many pages they have; an admin in a direct message sees all."""
    shared, private = place.folder.parent / "shared", place.folder.parent / "boards"
    for folder, text in ((shared, "Tea is at four."), (private, "The board meets at nine.")):
        folder.mkdir()
        (folder / "page.md").write_text(f"# Page\n\n{text}\n", "utf-8")
    (place.folder.parent / "footnote.yaml").write_text(
        f"sources:\n  - folder: {shared}\n    name: shared\n"
        f"  - folder: {private}\n    name: boards\n    readers: [slack:T0TEAM:C2]\n",
        "utf-8",
    )
    async with place.copy():
        direct = place.slack.open_dm("U1")
        await place.slack.command_as("U1", direct, "/reindex")
        await place.sees(lambda: any("Done" in text for text in place.in_slack()))
        for user, channel in (
            ("U2", "C1"),
            ("U1", "C1"),
            ("U1", "C2"),
            ("U1", direct),
            ("U2", place.slack.open_dm("U2")),
        ):
            told = len(place.slack.ephemerals)
            await place.slack.command_as(user, channel, "/footnote", "sources")
            await place.sees(lambda told=told: len(place.slack.ephemerals) > told)
        await place.telegram.say(BORIS, BORIS, "/sources")
        await place.telegram.say(ANNA, ANNA, "/sources")
        await place.sees(lambda: len(place.whispers("U2")) == 2 and place.in_telegram(BORIS) and place.in_telegram())

    _, of_general, of_boards, alone = place.whispers()
    outsiders = [*place.whispers("U2"), of_general, *place.in_telegram(BORIS)]
    assert all("shared – a folder, documents: 1" in told for told in outsiders)
    assert not any(
        words in told for told in outsiders for words in ("boards", str(place.folder.parent), "documents: 2")
    )
    assert "boards – a folder, documents: 1" in of_boards
    assert f"boards – a folder ({private}), documents: 1" in alone
    assert "boards — папка" in place.in_telegram()[-1]


async def test_an_admin_is_told_what_a_place_may_use(place: Office) -> None:
    """By which names, and how many documents of all; for them alone, and not a word of what is closed."""
    (place.folder.parent / "permissions.yaml").write_text(
        "groups:\n  leads: [slack:T0TEAM:U1, telegram:1001]\nplaces:\n  slack:T0TEAM:C2: [leads]\n", "utf-8"
    )
    (place.folder / "salaries.md").write_text("---\nreaders: [leads]\n---\n# Salaries\n\nPay is doubled.\n", "utf-8")
    async with place.copy() as bot:
        await place.index(bot)
        await place.slack.command_as("U2", "C1", "/footnote", "permissions")
        place.slack.add_user("U3", name="Eve", is_guest=True)
        place.slack.add_channel("C3", members=["U1", "U3", place.slack.bot_user_id], name="visitors")
        for channel in ("C1", "C2", place.slack.open_dm("U1"), "C3"):
            told = len(place.whispers())
            await place.slack.command_as("U1", channel, "/footnote", "permissions")
            await place.sees(lambda told=told: len(place.whispers()) > told)
        await place.telegram.say(BORIS, BORIS, "/permissions")
        await place.telegram.say(ANNA, ANNA, "/permissions")
        await place.telegram.say(ANNA, GROUP, "/permissions@footnote_bot")
        await place.sees(lambda: place.in_telegram(BORIS) and len(place.in_telegram()) == 2)

    in_general, in_boards, alone, of_guests = place.whispers()
    russian, of_group = place.in_telegram()
    told = (in_general, in_boards, alone, russian, of_group)
    assert "What may be used in #C1" in in_general
    assert "those for: #C1, workspace:T0TEAM" in in_general
    assert "Everybody who reads here belongs to workspace:T0TEAM." in in_general
    assert "open here: 2 of 3 (for everybody: 2, by these names: 0)" in in_general
    assert "closed here: 1" in in_general
    assert all("open here: 3 of 3 (for everybody: 2, by these names: 1)" in one for one in (in_boards, alone))
    assert "leads, #C2" in in_boards
    assert "no outsider is known to read here" in in_boards
    assert "Somebody who does not belong to workspace:T0TEAM reads here" in of_guests
    assert "footnote may slack:T0TEAM:U1 DOCUMENT" in alone
    assert "Открыто документов: 3 из 3 (для всех: 2, по этим именам: 1)" in russian
    assert "Закрыто документов: 1" in of_group
    assert f"telegram:{GROUP}" in of_group
    assert not any("alaries" in one or "Pay" in one for one in told)
    assert "Only my administrators" in place.whispers("U2")[0]
    assert "Only my administrators" in place.in_telegram(BORIS)[0]
    assert [] == place.in_telegram(GROUP)


async def test_what_is_stored_of_a_person_goes_on_their_word(place: Office) -> None:
    """Once they have pressed that it is meant: on Slack where they alone see it, on Telegram in their private chat."""
    async with place.copy() as bot:
        await place.index(bot)
        channel = place.slack.open_dm("U2")
        ts = await place.slack.post_as("U2", channel, "When is tea served?")
        await place.slack.wait_for_messages(channel, ts, timeout=20)
        await place.telegram.say(BORIS, BORIS, "When is coffee served?")
        await place.telegram.wait_for_messages(BORIS, count=1, timeout=20)
        async with asyncio.timeout(20):
            while await bot.stores.inbox.counts() != (0, 0):
                await asyncio.sleep(0.05)
        await place.slack.command_as("U2", "C1", "/footnote", "forget")
        await place.telegram.say(BORIS, BORIS, "/forget")
        await place.sees(lambda: place.whispers("U2") and any(ASKED in text for text in place.in_telegram(BORIS)))
        asked = [one for one in place.slack.ephemerals if one.only_for == "U2"][-1]
        [button] = [each for block in asked.blocks if block["type"] == "actions" for each in block["elements"]]
        await place.slack.click_as("U2", "C1", asked.ts, button["action_id"])
        [message] = [one for one in place.telegram.bot_messages(BORIS) if ASKED in one.text]
        await place.telegram.press(BORIS, BORIS, message.message_id, f"forget:en.telegram:{BORIS}")
        await place.sees(lambda: any("Removed of @U2: questions: 1" in one for one in place.whispers("U2")))
        await place.slack.command_as("U1", "C1", "/footnote", "log")
        await place.sees(place.whispers)

    assert ASKED in visible_text(asked)
    assert "tea" not in place.whispers()[0]


async def test_the_log_names_people_in_telegram(place: Office) -> None:
    """With the number by which they can be forgotten, in the administrator's private chat."""
    async with place.copy() as bot:
        await place.index(bot)
        await place.telegram.say(BORIS, BORIS, "When is coffee served?")
        await place.telegram.wait_for_messages(BORIS, count=1, timeout=20)
        async with asyncio.timeout(20):
            while await bot.stores.inbox.counts() != (0, 0):
                await asyncio.sleep(0.05)
        await place.telegram.say(ANNA, GROUP, "/log@footnote_bot")
        await place.sees(place.in_telegram)

    assert f"· Boris ({BORIS}) · «When is coffee served?» ·" in place.in_telegram()[-1]


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", f"Nothing is stored of Boris ({BORIS})."), ("ru", f"О Boris ({BORIS}) ничего не хранится.")],
)
async def test_whose_data_is_removed_is_named_in_telegram(place: Office, language: str, told: str) -> None:
    """As `/log` names people, and not by the name that they have in the database."""
    async with place.copy():
        place.telegram.world.users[BORIS] = replace(place.telegram.world.users[BORIS], language_code=language)
        await place.telegram.say(BORIS, BORIS, "/forget")
        await place.sees(lambda: place.in_telegram(BORIS))
        [asked] = place.telegram.bot_messages(BORIS)
        await place.telegram.press(BORIS, BORIS, asked.message_id, f"forget:{language}.telegram:{BORIS}")
        await place.sees(lambda: place.in_telegram(BORIS) != [asked.text])

    assert [told] == place.in_telegram(BORIS)


async def test_who_never_chose_a_language_is_told_in_the_one_they_ask_in(place: Office) -> None:
    """Boris's Telegram is in English, as it is by default: what he asked here last says how he reads."""
    async with place.copy() as bot:
        await place.index(bot)
        await place.telegram.say(BORIS, BORIS, "/sources")
        await place.sees(lambda: place.in_telegram(BORIS))
        await place.telegram.say(BORIS, BORIS, "Когда подают кофе?")
        await place.sees(lambda: any("восемь" in text for text in place.in_telegram(BORIS)))
        before = len(place.in_telegram(BORIS))
        await place.telegram.say(BORIS, BORIS, "/sources")
        await place.sees(lambda: any("документ" in text.lower() for text in place.in_telegram(BORIS)[before:]))

    assert "documents: 2" in place.in_telegram(BORIS)[0]
