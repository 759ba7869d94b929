"""Over the service in Slack: what people say, without a mention, in a thread that the bot has answered in."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.wiring import channels_of
from core.phrases import phrase
from tests.bot.office import ADA, GENERAL, GRACE, Office, over
from tests.bot.test_slack_places import OPEN, PAGES
from tests.platforms.slack import visible_text


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the pages are indexed, once."""
    return tmp_path_factory.mktemp("talk")


@pytest.fixture
async def office(indexed: Path, elsewhere: Path) -> AsyncIterator[Office]:
    """Give the bot at work over the pages."""
    async with over(PAGES, indexed, elsewhere) as working:
        yield working


async def said_after(office: Office, text: str, who: str, first: str) -> list[str]:
    """Return what everybody sees of us in a thread of Ada's after somebody has said this in it."""
    root = await office.mention(first)
    await office.answer(GENERAL, root)
    await office.slack.post_as(who, GENERAL, text, thread_ts=root)
    await office.idle()
    return [visible_text(one) for one in office.slack.answers(GENERAL, root)[2:]]


@pytest.mark.parametrize("who", [ADA, GRACE])
@pytest.mark.parametrize(
    "text",
    [
        "lunch?",
        "ok thanks, will tell him",
        "did you see that Ada?",
        "are you coming at 5?",
        "pizza or sushi?",
        "пойдём обедать?",
        "я так и думал",
        "Лена, ты это видела?",
    ],
)
async def test_talk_beside_an_answer_is_left_alone(office: Office, text: str, who: str) -> None:
    """Nobody sees anything of us; but whoever asked us before may be told, alone, that their question has no answer."""
    first = OPEN[1][0] if text > "А" else OPEN[0][0]

    assert [] == await said_after(office, text, who, first)
    assert who == ADA or not office.slack.ephemerals


@pytest.mark.parametrize("who", [ADA, GRACE])
@pytest.mark.parametrize(
    ("first", "text", "word"),
    [
        (OPEN[0][0], "How much is the yearly bonus?", "300"),
        (OPEN[0][0], "and which commands release Heron?", "git pull"),
        (OPEN[1][0], "How much is the yearly bonus?", "300"),
        (OPEN[0][0], "Сколько составляют суточные?", "1500"),
        (OPEN[0][0], "а суточные в командировке?", "1500"),
    ],
)
async def test_a_follow_up_is_answered_whoever_asks_it(
    office: Office, first: str, text: str, word: str, who: str
) -> None:
    """In the thread, for all, without a mention."""
    said = await said_after(office, text, who, first)

    assert word in "\n".join(said)
    assert [] == office.slack.ephemerals


@pytest.mark.parametrize(
    ("first", "text", "word"),
    [(OPEN[1][0], "Суточные в командировке", "1500"), (OPEN[1][0], "yearly bonus of an employee", "300")],
)
async def test_what_only_names_a_thing_is_answered_to_who_asked_before(
    office: Office, first: str, text: str, word: str
) -> None:
    """Without a question mark, as people write it who are at it; beside others it is left alone."""
    assert word in "\n".join(await said_after(office, text, ADA, first))
    assert [] == await said_after(office, text, GRACE, first)
    assert [] == await said_after(
        office, f"{text.partition(' ')[0]} {'Юпитера' if text > 'А' else 'Jupiter'}", ADA, first
    )


@pytest.mark.parametrize(
    ("text", "language"), [("And how many moons has Mars?", "en"), ("А сколько спутников у Марса?", "ru")]
)
@pytest.mark.parametrize("who", [ADA, GRACE])
async def test_that_there_is_no_answer_is_told_to_who_asked_before_alone(
    office: Office, text: str, language: Any, who: str
) -> None:
    """Nobody called us: others hear nothing of it, and whoever else asked so neither."""
    said = await said_after(office, text, who, OPEN[0][0] if language == "en" else OPEN[1][0])
    if who == ADA:
        await office.whispers(1)

    assert [] == said
    assert [ADA] * (who == ADA) == [one.only_for for one in office.slack.ephemerals]
    assert all(phrase("refusal", language) in visible_text(one) for one in office.slack.ephemerals)
    assert {""} >= {one.text for one in office.slack.statuses[-1:]}


async def test_where_every_question_is_heard_it_is_as_before(office: Office) -> None:
    """Mode `all`: what asks is answered aloud, also that there is no answer."""
    await channels_of(office.stores.database).set_mode(
        ("slack", f"T0TEAM:{GENERAL}"), "all", changed_by="test", at=datetime.now(UTC)
    )
    said = await said_after(office, "How many moons has Mars?", GRACE, OPEN[0][0])

    assert phrase("refusal", "en") in "\n".join(said)
