"""Two copies of the bot over one PostgreSQL, as an operator runs them."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from sqlalchemy import make_url

from tests.bot.service import ANNA, GENERAL, PATIENCE, Offices, Service, footnote_run, offices
from tests.bot.terminal import footnote
from tests.platforms.slack import visible_text as seen_in_slack
from tests.platforms.slack.waiting import until
from tests.postgres import Postgres

TEA, COFFEE = "When is tea served?", "Когда подают кофе?"
POLLS, STANDS_BY = "Telegram: connected", "Telegram: another copy receives its messages; this one helps to answer"
# Seconds in which another copy polls Telegram after the first one was told to stop: it looks every two.
HANDED_OVER = 8.0


@pytest.fixture
def shared(postgres: Postgres, folder: Path) -> Iterator[dict[str, str]]:
    """Give the setting that leads to a database in which two small documents are indexed."""
    with postgres.database() as url:
        setting = {"DATABASE_URL": url.render_as_string(hide_password=False)}
        footnote("index", str(folder), **setting)
        yield setting


async def test_a_start_waits_for_its_database(shared: dict[str, str], postgres: Postgres, elsewhere: Path) -> None:
    """Machines start in any order: the copy says what it waits for, and serves once the database is there."""
    url = make_url(shared["DATABASE_URL"])
    postgres.go_away(url)
    async with offices() as place, footnote_run(elsewhere / "data", **shared, **place.slack_by_socket) as copy:
        await copy.says("the database takes no connections just now; next try in 1 s")
        postgres.come_back(url)
        await copy.says("Slack: connected")
        root = await place.mention(TEA)
        answer, _ = await place.slack_answers(GENERAL, root)
        assert await copy.stop() == 0

    assert "four o'clock" in seen_in_slack(answer)


async def test_two_copies_share_the_work_and_one_hands_over_to_the_other(
    shared: dict[str, str], elsewhere: Path
) -> None:
    """Both answer Slack, one polls Telegram and the other stands by; when the first stops, the other polls.

    What is asked meanwhile is answered once, whoever began it.
    """
    async with offices() as place, AsyncExitStack() as running:
        copies = [
            await running.enter_async_context(footnote_run(elsewhere / "data", **shared, **place.polling))
            for _ in range(2)
        ]
        polls, helps = await _told_apart(copies)
        await place.slack.socket_connected(2, timeout=PATIENCE)
        roots = [await place.mention(TEA) for _ in range(2)]
        await place.telegram.say(ANNA, ANNA, COFFEE)
        await _settled(place, roots, 2)
        seconds, late = await _handed_over(place, polls, helps)
        await _settled(place, [*roots, late], 4)
        assert await helps.stop() == 0

    assert seconds < HANDED_OVER
    for root in (*roots, late):
        answer, sources = [seen_in_slack(message) for message in place.slack.answers(GENERAL, root)]
        assert "four o'clock" in answer
        assert sources.startswith("Sources")
    said = [message.text for message in place.telegram.bot_messages(ANNA)]
    assert ["восемь утра" in text for text in said] == [True, True] * 2
    assert [text.startswith("Источники") for text in said] == [False, True] * 2


async def _told_apart(copies: list[Service]) -> tuple[Service, Service]:
    """Return the copy that polls Telegram and the one that stands by, once each has said which one it is."""

    def said(words: str) -> list[Service]:
        return [copy for copy in copies if any(words in line for line in copy.lines)]

    def both() -> bool:
        return bool(said(POLLS) and said(STANDS_BY) and len(said("Slack: connected")) == 2)

    await until(both, lambda: "\n".join([*copies[0].lines, "--", *copies[1].lines]), PATIENCE)
    [polls], [helps] = said(POLLS), said(STANDS_BY)
    assert polls is not helps
    return polls, helps


async def _handed_over(place: Offices, polls: Service, helps: Service) -> tuple[float, str]:
    """Stop the copy that polls, ask both ways meanwhile; return how long Telegram was deaf, and Slack's thread."""
    begun = time.monotonic()
    stopping = asyncio.create_task(polls.stop())
    late = await place.mention(TEA)
    await place.telegram.say(ANNA, ANNA, COFFEE)
    await helps.says(POLLS)
    seconds = time.monotonic() - begun
    assert await stopping == 0
    return seconds, late


async def _settled(place: Offices, roots: list[str], in_telegram: int) -> None:
    """Return once all is answered and confirmed."""
    for root in roots:
        await place.slack_answers(GENERAL, root)
    await place.telegram_answers(ANNA, in_telegram)
    await place.telegram.wait_until_confirmed(timeout=PATIENCE)
