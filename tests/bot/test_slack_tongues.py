"""Over the service in Slack: in which language people are spoken to where Slack's own settings do not tell.

Slack is not offered in Russian, so that who writes Russian has it in English.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from core.phrases import phrase
from tests.bot.office import ADA, GENERAL, GRACE, Office, over
from tests.bot.test_slack_places import OPEN, PAGES, ours
from tests.platforms.slack import visible_text

WORDS = {"en": "How much is the yearly bonus?", "ru": "Сколько составляют суточные?"}
GUEST = "U7"


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the pages are indexed, once."""
    return tmp_path_factory.mktemp("tongues")


@pytest.fixture
async def office(indexed: Path, elsewhere: Path) -> AsyncIterator[Office]:
    """Give the bot at work over the pages."""
    async with over(PAGES, indexed, elsewhere) as working:
        yield working


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("way", ["mention", "direct", "/ask", "command"])
async def test_a_guest_is_turned_away_in_the_language_of_their_words(office: Office, way: str, language: Any) -> None:
    """By whichever way they ask."""
    office.slack.add_user(GUEST, name="Guest", is_guest=True)
    office.slack.add_channel("C9", members=[GUEST, office.slack.bot_user_id], name="nine")
    direct = office.slack.open_dm(GUEST)
    if way == "mention":
        await office.mention(WORDS[language], "C9", GUEST)
    elif way == "direct":
        await office.slack.post_as(GUEST, direct, WORDS[language])
    elif way == "/ask":
        await office.slack.command_as(GUEST, "C9", "/ask", WORDS[language])
    else:
        await office.slack.command_as(GUEST, "C9", "/footnote", "источники" if language == "ru" else "sources")
    [told] = await office.whispers(1)

    assert phrase("outside_person", language) in told


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_the_shortcut_speaks_the_language_of_the_message(office: Office, language: Any) -> None:
    """Where we are not, and where it has its answer already."""
    office.slack.add_channel("C8", members=[ADA, GRACE], name="eight")
    ts = await office.slack.post_as(GRACE, "C8", WORDS[language])
    await office.slack.shortcut_as(ADA, "C8", ts, "footnote_answer")
    await office.whispers(1)
    text = next(one[0] for one in OPEN if one[2] == language)
    root = await office.mention(text)
    await office.answer(GENERAL, root)
    await office.slack.shortcut_as(ADA, GENERAL, root, "footnote_answer")
    invite, known = await office.whispers(2)

    assert phrase("shortcut_invite", language) in invite
    assert phrase("shortcut_known", language) in known


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_who_has_written_here_before_is_known_by_it(office: Office, language: Any) -> None:
    """A mention alone has no words, and neither has /ask alone."""
    await office.ask(next(one[0] for one in OPEN if one[2] == language))
    root = await office.mention("")
    await office.until(lambda: bool(office.slack.answers(GENERAL, root)))
    await office.idle()
    await office.slack.command_as(ADA, GENERAL, "/ask", "")
    [how] = await office.whispers(1)

    assert phrase("mention_alone", language) in visible_text(office.slack.answers(GENERAL, root)[-1])
    assert phrase("status_looking", language) == [one.text for one in office.slack.statuses if one.text][-1]
    assert phrase("private_how", language) in how


async def test_what_somebody_has_chosen_goes_first(office: Office) -> None:
    """Whatever they write in."""
    office.slack.add_user(GUEST, name="Guest", is_guest=True, locale="ru-RU")
    office.slack.add_channel("C9", members=[GUEST, office.slack.bot_user_id], name="nine")
    await office.mention(WORDS["en"], "C9", GUEST)
    [told] = await office.whispers(1)

    assert phrase("outside_person", "ru") in told
    assert [] == ours(office, "C9")
