"""Slack's channels as a source, from the command line to the answer: what is private answers in its channel alone."""

import asyncio
from pathlib import Path

import pytest

from tests.bot.service import ADA, GRACE, Offices, footnote_run, offices
from tests.bot.terminal import footnote
from tests.platforms.slack import visible_text as seen

OPEN, CLOSED, OTHER = "C0OPEN", "G0CLOSED", "G0OTHER"
SALARY = "The salary budget of project Bluebird is 48,000 euros a year."
LIBRARY = "Ключ от библиотеки лежит у вахтёра на втором этаже."
ASKED, ASKED_RUSSIAN = "What is the salary budget of project Bluebird?", "Где лежит ключ от библиотеки?"


async def _talked(place: Offices) -> None:
    """Let people talk in a public and in two private channels that the bot is in, and in one that it is not in."""
    everybody = [ADA, GRACE, place.slack.bot_user_id]
    place.slack.add_channel(OPEN, members=everybody, name="office")
    place.slack.add_channel(CLOSED, members=everybody, name="salaries", kind="group")
    place.slack.add_channel(OTHER, members=everybody, name="others", kind="group")
    place.slack.add_channel("C0AWAY", members=[ADA], name="away")
    root = await place.slack.post_as(ADA, CLOSED, "Anybody with the numbers for Bluebird?")
    await place.slack.post_as(GRACE, CLOSED, SALARY, thread_ts=root)
    await place.slack.post_as(GRACE, OPEN, LIBRARY)
    await place.slack.post_as(ADA, "C0AWAY", "The salary budget of project Bluebird is a rumour.")


async def _indexed(place: Offices, *wheres: str) -> str:
    outcome = await asyncio.to_thread(footnote, "index", *wheres, **place.slack_by_socket)
    assert (0, "") == (outcome.status, outcome.err)
    return outcome.out


@pytest.mark.usefixtures("elsewhere")
async def test_what_was_said_in_private_answers_in_its_channel_alone(elsewhere: Path) -> None:
    """`footnote index slack:all` reads the channels that the bot is in; each answer comes from where one may read."""
    async with offices() as place:
        await _talked(place)
        said = await _indexed(place, "slack:all")
        again = await _indexed(place)
        async with footnote_run(elsewhere / "data", **place.slack_by_socket) as running:
            await running.says("Slack: connected")
            answers = {}
            for channel in (CLOSED, OTHER, OPEN):
                root = await place.mention(ASKED, channel)
                answers[channel] = seen((await place.slack_answers(channel, root, 2 if channel == CLOSED else 1))[0])
            root = await place.mention(ASKED_RUSSIAN, OTHER)
            public, evidence = await place.slack_answers(OTHER, root)
            assert 0 == await running.stop()

        assert ("2 documents" in said, "Nothing has changed" in again) == (True, True)
        assert "48,000" in answers[CLOSED]
        assert ["48,000" in answers[OTHER], "48,000" in answers[OPEN]] == [False, False]
        assert ("вахтёра" in seen(public), "#office" in seen(evidence)) == (True, True)
