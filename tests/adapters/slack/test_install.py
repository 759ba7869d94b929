"""Installing the app in many workspaces from a web page, and serving each as itself."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import select

from adapters.storage.tables import installations
from core.delivery import Later
from tests.adapters.slack.estate import QUIET, Estate, estate, many
from tests.adapters.slack.scene import DAYS, outgoing
from tests.platforms.slack import visible_text
from tests.platforms.slack.web_api import ALL_SCOPES

__all__ = ["many"]

pytestmark = QUIET


async def test_two_workspaces_are_served_by_one_process(many: Estate) -> None:
    """Each is answered by its own token, as its own bot, in its own language; neither sees the other's."""
    one, other = await many.workspace("T1"), await many.workspace("T2")
    first, second = await many.asks("T1", "How many days?"), await many.asks("T2", "Сколько дней?")
    english, russian = await many.answered("T1", first), await many.answered("T2", second)

    assert visible_text(english[0]).startswith("Annual leave")
    assert visible_text(russian[0]).startswith("• Отпуск")
    assert {message.user for message in english} == {one.bot_user_id}
    assert {message.user for message in russian} == {other.bot_user_id}
    assert sorted(question.audience.tenant for question in many.bot.desk.questions.values()) == ["T1", "T2"]


async def test_a_press_and_a_command_are_answered_in_their_own_workspace(many: Estate) -> None:
    """What one person alone is told goes through the token of the person's workspace."""
    for team in ("T1", "T2"):
        one = await many.workspace(team)
        delivery = await one.command_as("U1", "C1", "/footnote", "help")
        await one.settled()
        await one.post_as("U1", "C1", f"<@{one.bot_user_id}> /why")
        await one.settled()

        assert delivery.acked
        assert [call.error for call in one.calls_to("chat.postEphemeral")] == [None]


async def test_the_page_asks_slack_for_what_is_needed_and_no_more(many: Estate) -> None:
    """A browser is sent to Slack with our scopes and a state of its own, which no script may read."""
    page = await many.get("/slack/install?team=T1")

    assert page.status == 302
    assert page.location.startswith("https://slack.com/oauth/v2/authorize?")
    assert "user_scope=&" in page.location
    assert "team=T1" in page.location
    assert page.cookie
    assert f"state={page.cookie}" in page.location


@pytest.mark.parametrize(
    ("language", "words"), [("en-GB,en", "is installed in Team T1"), ("ru-RU,ru;q=0.9", "установлен в Team T1")]
)
async def test_whoever_installs_is_told_in_their_language(many: Estate, language: str, words: str) -> None:
    """The page says where it is and how to ask; nothing in it is anybody's token."""
    await many.cloud.add("T1")
    begun = await many.get("/slack/install")
    page = await many.get(many.cloud.allow(begun.location, "T1"), cookie=begun.cookie, language=language)

    assert (page.status, words in page.text, "xoxb" in page.text) == (200, True, False)
    assert page.cookie == "deleted"


async def test_an_address_works_once(many: Estate) -> None:
    """Neither the state nor the code can be used again, by the same browser or another copy of the bot."""
    await many.cloud.add("T1")
    await many.start()
    begun = await many.get("/slack/install")
    back = many.cloud.allow(begun.location, "T1")
    pages = [await many.get(back, cookie=begun.cookie, copy=copy) for copy in (1, 0, 1)]

    assert [page.status for page in pages] == [200, 401, 401]
    assert "begin the installation again" in pages[1].text.lower()
    assert len(many.cloud.oauth_calls) == 1


async def test_twenty_at_once_with_one_address(many: Estate) -> None:
    """Of twenty that bring the same state side by side, one installs."""
    await many.cloud.add("T1")
    begun = await many.get("/slack/install")
    back = many.cloud.allow(begun.location, "T1")
    pages = await asyncio.gather(*(many.get(back, cookie=begun.cookie) for _ in range(20)))

    assert sorted(page.status for page in pages) == [200] + [401] * 19


async def test_another_browser_is_refused(many: Estate) -> None:
    """A link that somebody else began installs nothing, and their state stays good for them."""
    await many.cloud.add("T1")
    begun = await many.get("/slack/install")
    back = many.cloud.allow(begun.location, "T1")
    stolen = [await many.get(back), await many.get(back, cookie="another")]

    assert [page.status for page in stolen] == [400, 400]
    assert (await many.get(back, cookie=begun.cookie)).status == 200


@pytest.mark.parametrize("query", ["", "?code=x", "?state=x", "?code=x&state=%00", "?code=" + "я" * 500, "?error=odd"])
async def test_a_forged_return_installs_nothing(many: Estate, query: str) -> None:
    """Whatever is put into the address, the answer is a page, and nothing is asked of Slack."""
    page = await many.get(f"/slack/oauth_redirect{query}", cookie="x")

    assert page.status in (200, 400, 401)
    assert "Traceback" not in page.text
    assert (many.cloud.oauth_calls, await many.kept.names("slack")) == ([], {})


async def test_who_cancels_is_told_that_nothing_changed(many: Estate) -> None:
    """A person may say no at Slack."""
    page = await many.get("/slack/oauth_redirect?error=access_denied&state=x", language="ru")

    assert "Установка отменена" in page.text


async def test_a_lost_answer_is_a_page_too(many: Estate) -> None:
    """When Slack's answer is lost nothing is installed, and the second time works."""
    await many.cloud.add("T1")
    many.cloud.lost_answers = 1

    lost = await many.install("T1")

    assert (lost.status, "did not work out. Please try again" in lost.text) == (503, True)
    assert (await many.install("T1")).status == 200


async def test_only_named_workspaces_may_install(many: Estate, caplog: pytest.LogCaptureFixture) -> None:
    """Another is turned away with a word on whom to ask, its token is given back, and the log names it."""
    await many.cloud.add("T9")
    page = await many.install("T9")

    assert (page.status, "may not install Footnote yet" in page.text) == (403, True)
    assert list(many.cloud.workspaces["T9"].tokens.values()) == ["token_revoked"]
    assert await many.kept.names("slack") == {}
    assert "T9 may not install the app: its id is not in SLACK_WORKSPACES" in caplog.text
    assert "xoxb" not in caplog.text


async def test_an_organisation_is_told_to_choose_a_workspace(many: Estate) -> None:
    """An installation in all of an organisation at once is refused with the reason, and its token given back."""
    await many.cloud.add("E1")
    page = await many.install("E1", is_organisation=True)

    assert (page.status, "choose one workspace" in page.text) == (403, True)
    assert list(many.cloud.workspaces["E1"].tokens.values()) == ["token_revoked"]


async def test_a_workspace_that_may_not_any_more_is_not_served(many: Estate) -> None:
    """Taken from the list, it is acknowledged and left alone, and so is one that never installed the app."""
    one = await many.workspace("T1")
    await many.stop()
    await many.start(welcome=("T2",))
    one.send_events_to(many.bot.events)
    stranger = await many.workspace("T3", installed=False)
    asked = [await many.asks("T1", "How many days?"), await many.asks("T3", "Сколько дней?")]
    await one.settled()
    await stranger.settled()

    assert [one.answers("C1", asked[0]), stranger.answers("C1", asked[1])] == [[], []]
    assert many.bot.desk.questions == {}
    assert {status for each in (one, stranger) for delivery in each.deliveries for status in delivery.statuses} == {200}


async def test_installed_in_one_copy_served_by_all(many: Estate) -> None:
    """Copies share what is stored: the other one answers at once, and both after a new start."""
    one = await many.workspace("T1")
    other = await many.start()
    one.send_events_to(other.events)
    await many.answered("T1", await many.asks("T1", "How many days?"))
    await many.stop()
    again = await many.start()
    one.send_events_to(again.events)

    assert len(await many.answered("T1", await many.asks("T1", "And in Leeds?"))) == 2


async def test_installed_again_the_new_token_is_used(many: Estate) -> None:
    """A second installation takes the place of the first, as after new scopes."""
    one = await many.workspace("T1")
    many.cloud.refuse("T1", "token_revoked")
    assert (await many.install("T1")).status == 200
    await many.answered("T1", await many.asks("T1", "How many days?"))

    assert len(one.tokens) == 2
    async with many.database.reading() as connection:
        assert len((await connection.execute(select(installations))).all()) == 1


async def test_what_is_for_a_workspace_that_is_not_there_waits(many: Estate) -> None:
    """A message for a place where the app is not installed is to be tried later, and the reason says why."""
    message = outgoing("1700000000.000100", many.bot.platform.parts(DAYS)[0])
    outcome = await many.bot.platform.show(message)

    assert isinstance(outcome, Later)
    assert ("not installed in workspace T0TEAM" in outcome.reason, outcome.whole_place) == (True, True)


async def test_the_state_of_an_installation_outlives_a_start(tmp_path: Path) -> None:
    """A person who is at Slack while the bot starts anew comes back to it all the same."""
    async with estate(tmp_path) as made:
        await made.cloud.add("T1", scopes=ALL_SCOPES)
        begun = await made.get("/slack/install")
        back = made.cloud.allow(begun.location, "T1")
        await made.stop()
        await made.start()

        assert (await made.get(back, cookie=begun.cookie)).status == 200
