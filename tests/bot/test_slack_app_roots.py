"""Over the service in Slack: a mention alone under the message of a workflow, an alert or another app."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from core.phrases import phrase
from core.text import language_of
from tests.bot.office import ADA, GENERAL, GRACE, Office, over
from tests.bot.test_slack_places import OPEN, PAGES
from tests.platforms.slack import visible_text


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the pages are indexed, once."""
    return tmp_path_factory.mktemp("roots")


@pytest.fixture
async def office(indexed: Path, elsewhere: Path) -> AsyncIterator[Office]:
    """Give the bot at work over the pages."""
    async with over(PAGES, indexed, elsewhere) as working:
        yield working


async def said_under(office: Office, text: str, beside: str = "") -> list[str]:
    """Return what everybody sees of us in the thread of an app's message that we are mentioned in."""
    root = await office.slack.post_as(GRACE, GENERAL, text, bot_id="B0FORMS")
    if beside:
        await office.slack.post_as(GRACE, GENERAL, beside, thread_ts=root)
    await office.slack.post_as(ADA, GENERAL, f"<@{office.slack.bot_user_id}>", thread_ts=root)
    await office.until(lambda: bool(office.slack.answers(GENERAL, root)))
    await office.idle()
    return [visible_text(one) for one in office.slack.answers(GENERAL, root)]


@pytest.mark.parametrize(("text", "word", "language"), OPEN)
@pytest.mark.parametrize("beside", ["", "no idea", "не знаю"])
async def test_a_form_asks_what_its_thread_is_about(
    office: Office, text: str, word: str, language: Any, beside: str
) -> None:
    """A request is answered that came by a form, with its evidence, in its language."""
    answer, evidence = await said_under(office, text, beside)

    assert word in answer
    assert evidence.startswith(phrase("sources", language))


@pytest.mark.parametrize(
    "text", ["Deploy 4512 of the kraken service failed", "Сборка 4512 сервиса «Кракен» не прошла проверку"]
)
async def test_an_alert_that_no_page_knows_is_not_answered(office: Office, text: str) -> None:
    """It is told that nothing was found, not that there is no question."""
    [said] = await said_under(office, text)

    assert said.startswith(phrase("refusal", language_of(text)))
