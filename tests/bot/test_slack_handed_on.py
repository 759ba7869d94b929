"""Over the service in Slack: questions that are handed on to people, once their askers take them back."""

import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from core.conversation import MessageRef, Pressed
from core.phrases import phrase
from core.text import Language, language_of
from core.work import Welcome
from tests.bot.office import ADA, GENERAL, PEOPLE, Office, at_work, town, write
from tests.platforms.slack import visible_text

PAGES = {
    "leave.md": "# Annual leave\n\nEveryone gets 27 working days of paid vacation per calendar year.\n",
    "отпуск.md": "# Командировки\n\nСуточные в командировке составляют 1500 рублей в день.\n",
}
ASKED: list[tuple[str, str, Language]] = [
    ("How many working days of paid vacation does everyone get?", "How many moons has Mars?", "en"),
    ("Сколько составляют суточные в командировке?", "Сколько спутников у Марса?", "ru"),
]


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the pages are indexed, once."""
    return tmp_path_factory.mktemp("handed")


@pytest.fixture
async def office(indexed: Path, elsewhere: Path) -> AsyncIterator[Office]:
    """Give the bot at work over the pages, with a channel for questions that people answer."""
    if not (indexed / "data").exists():
        await write(indexed / "pages", PAGES, indexed / "data")
    data = Path(shutil.copytree(indexed / "data", elsewhere / "data"))
    async with town() as both, at_work(data, both, handoff_channel=f"slack:T0TEAM:{PEOPLE}") as working:
        yield working


async def asks(office: Office, text: str) -> str:
    """Ask in the channel, and return the message once its answer stands under it."""
    office.slack.add_user(ADA, name="Ada", locale={"en": "en-GB", "ru": "ru-RU"}[language_of(text)])
    root = await office.mention(text)
    await office.until(lambda: bool(office.slack.answers(GENERAL, root)))
    await office.idle()
    return root


async def hands_on(office: Office) -> str:
    """Return what is said to who gives the command, in the language of their Slack."""
    before = len(office.slack.ephemerals)
    await office.slack.command_as(ADA, GENERAL, "/footnote", "person")
    words = await office.whispers(before + 1)
    await office.idle()
    return words[before]


def told(office: Office) -> list[str]:
    """Return what the people are told."""
    said = office.slack.workspace.messages.values()
    return [visible_text(one) for one in said if one.user == office.slack.bot_user_id and one.channel == PEOPLE]


@pytest.mark.parametrize(("first", "second", "language"), ASKED)
async def test_what_was_taken_back_is_not_handed_on_nor_an_older_one_in_its_place(
    office: Office, first: str, second: str, language: Language
) -> None:
    """The older question has its answer: who says “ask a person” means the latest, which is gone."""
    await asks(office, first)
    await office.slack.delete_as(ADA, GENERAL, await asks(office, second))
    await office.idle()

    assert phrase("person_taken_back", language) == await hands_on(office)
    assert [] == told(office)


@pytest.mark.parametrize(("first", "second", "language"), ASKED)
async def test_the_note_goes_with_its_question(office: Office, first: str, second: str, language: Language) -> None:
    """Who deletes a question leaves its words, and their name, in no other channel either; other notes stay."""
    await asks(office, first)
    await hands_on(office)
    root = await asks(office, second)
    await hands_on(office)
    both = told(office)
    await office.slack.delete_as(ADA, GENERAL, root)
    await office.until(lambda: len(told(office)) == 1)

    assert [True, True] == [first in both[0], second in both[1]]
    assert both[:1] == told(office)
    assert phrase("person_taken_back", language) == await hands_on(office)


@pytest.mark.parametrize(
    ("first", "second", "language"),
    [(*ASKED[0][:1], "never mind", "en"), (*ASKED[1][:1], "неважно", "ru")],
)
async def test_what_was_edited_away_is_not_handed_on(
    office: Office, first: str, second: str, language: Language
) -> None:
    """“Never mind” is no question that anybody could answer."""
    root = await asks(office, first)
    await office.slack.edit_as(ADA, GENERAL, root, f"<@{office.slack.bot_user_id}> {second}")
    await office.until(lambda: not office.slack.answers(GENERAL, root))
    await office.idle()

    assert phrase("person_taken_back", language) == await hands_on(office)
    assert [] == told(office)


async def test_what_went_with_an_edit_leaves_the_question(office: Office) -> None:
    """What a button asked under the words of before is gone, and nobody has taken the question itself back."""
    text, other, language = ASKED[0]
    root = await asks(office, text)
    [known] = await office.stores.inbox.known([MessageRef("slack", f"T0TEAM:{GENERAL}", root)])
    pressed = Pressed("more", "k1", known.id)
    rest = replace(known, id=f"{known.id}!more:k1", pressed=pressed, asked_at=known.asked_at + timedelta(seconds=1))
    await office.stores.inbox.record(rest, lambda _: Welcome(silence=True))
    await office.slack.edit_as(ADA, GENERAL, root, f"<@{office.slack.bot_user_id}> {other}")
    await office.until(lambda: "27" not in visible_text(office.slack.answers(GENERAL, root)[0]))
    await office.idle()

    assert phrase("person_told", language) == await hands_on(office)
    assert other in told(office)[0]
