"""`footnote run` at its beginning and its end: the other ways in, wrong settings, restarts and signals."""

import asyncio
import signal
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from adapters.embedding.universal import UniversalEmbedder
from tests.bot.service import ADA, ANNA, GENERAL, PATIENCE, Offices, Service, footnote_run, free_port, offices
from tests.bot.terminal import footnote, refused
from tests.corpora import index
from tests.platforms.slack import visible_text as seen_in_slack
from tests.platforms.slack.waiting import until

TEA, COFFEE = "When is tea served?", "Когда подают кофе?"
NO_DOCUMENTS = "I have no documents yet. Whoever runs me can add them with: footnote index FOLDER"
NO_DOCUMENTS_RU = "У меня пока нет документов. Их добавляют командой: footnote index ПАПКА"
SLACK_OFF = "Slack: off, SLACK_BOT_TOKEN is not set"
TELEGRAM_OFF = "Telegram: off, TELEGRAM_BOT_TOKEN is not set"
NO_WAY_IN = "Slack: off, set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP) beside SLACK_BOT_TOKEN"
NOTHING_TO_RUN = "footnote: there is nothing to run: set the tokens of Slack or Telegram (see .env.example) in the "
ASK_BOTFATHER = (
    "copy all of it again from @BotFather in Telegram (/mybots, your bot, API Token) into TELEGRAM_BOT_TOKEN"
)


@pytest.fixture
async def place() -> AsyncIterator[Offices]:
    """Give both platforms."""
    async with offices() as both:
        yield both


@pytest.fixture
def data(folder: Path) -> Path:
    """Return a data folder in which two small documents are indexed."""
    footnote("index", str(folder))
    return folder.parent / "data"


@pytest.fixture
def empty(elsewhere: Path) -> Path:
    """Return a data folder in which nothing is indexed."""
    return elsewhere / "data"


async def test_http_and_webhook(place: Offices, data: Path) -> None:
    """With a signing secret and a webhook address both platforms bring their questions themselves."""
    slack = place.slack_by_http
    url = f"http://127.0.0.1:{slack['SLACK_HTTP_PORT']}/slack/events"
    async with footnote_run(data, as_installed=True, **slack, **place.telegram_by_webhook) as service:
        await service.says("Slack: connected")
        await service.says("Telegram: connected")
        assert await place.slack.verify_url(url)
        place.slack.send_events_to(url)
        root = await place.mention(TEA)
        await place.telegram.say(ANNA, ANNA, COFFEE)
        slack_answer, slack_evidence = await place.slack_answers(GENERAL, root)
        telegram_answer, telegram_evidence = await place.telegram_answers(ANNA)
        await place.telegram.wait_until_confirmed()

        assert await service.stop() == 0

    assert service.line("Slack:").endswith(f"(HTTP on 127.0.0.1:{slack['SLACK_HTTP_PORT']}/slack/events)")
    assert service.line("Telegram:") == "Telegram: connected as @footnote_bot (webhook)"
    assert "four o'clock" in seen_in_slack(slack_answer)
    assert seen_in_slack(slack_evidence).startswith("Sources\n¹ Tea")
    assert "Кофе подают в восемь утра в зале." in telegram_answer.text
    assert telegram_evidence.text.startswith("Источники\n")
    assert "getUpdates" not in [call.method for call in place.telegram.calls]


async def test_before_anything_is_indexed(
    place: Offices, empty: Path, folder: Path, embedder: UniversalEmbedder
) -> None:
    """Whoever asks too early is told so politely, in their language; the first index is taken up without a restart.

    Ctrl-C ends the service as SIGTERM does.
    """
    async with footnote_run(empty, **place.polling) as service:
        await service.says("Slack: connected")
        await service.says("Telegram: connected")
        early = await place.mention(TEA)
        await place.telegram.say(ANNA, ANNA, COFFEE)
        [in_slack] = await place.slack_answers(GENERAL, early, 1)
        [in_telegram] = await place.telegram_answers(ANNA, 1)
        await index(folder, empty, embedder)
        late = await place.mention(TEA)
        answer, _ = await place.slack_answers(GENERAL, late)

        assert await service.stop(signal.SIGINT) == 0

    assert seen_in_slack(in_slack) == NO_DOCUMENTS
    assert in_telegram.text == NO_DOCUMENTS_RU
    assert "four o'clock" in seen_in_slack(answer)
    assert service.lines[-1].endswith("INFO Stopped.")
    assert service.line("nothing is indexed yet").endswith("footnote index examples/handbook")


async def test_a_conversation_survives_a_restart(place: Offices, data: Path) -> None:
    """After a restart the thread is known, a follow-up in it is answered, and nothing is answered again."""
    async with footnote_run(data, **place.slack_by_socket) as service:
        await service.says("Slack: connected")
        root = await place.mention(TEA)
        await place.slack_answers(GENERAL, root)
        assert await service.stop() == 0
    events = [delivery for delivery in place.slack.deliveries if delivery.payload["event"].get("ts") == root]

    async with footnote_run(data, **place.slack_by_socket) as service:
        await service.says("Slack: connected")
        for delivery in events:
            await place.slack.deliver(delivery.payload["event"], retry_num=1, event_id=delivery.event_id)
        await place.slack.post_as(ADA, GENERAL, COFFEE, thread_ts=root)
        replies = await place.slack_answers(GENERAL, root, 4)
        assert await service.stop() == 0

    assert service.line("Telegram:") == TELEGRAM_OFF
    assert service.lines[-1].endswith("INFO Stopped.")
    assert ["four o'clock" in seen_in_slack(replies[0]), "в восемь утра" in seen_in_slack(replies[2])] == [True, True]
    assert len(replies) == 4


async def test_a_wrong_slack_token(place: Offices, data: Path) -> None:
    """Slack's refusal is one sentence that names the variable and the fix, and Telegram goes on."""
    async with footnote_run(data, **place.polling | {"SLACK_BOT_TOKEN": "xoxb-very-secret"}) as service:
        await service.says("Telegram: connected")
        await service.says("Slack stopped")
        await place.telegram.say(ANNA, ANNA, COFFEE)
        answer, _ = await place.telegram_answers(ANNA)

        assert await service.stop() == 0

    assert "Кофе подают в восемь утра" in answer.text
    assert service.line("Slack stopped") == (
        "Slack stopped: SLACK_BOT_TOKEN (OAuth & Permissions, Bot User OAuth Token, begins with xoxb-): Slack says "
        "invalid_auth: the token is wrong, or a part of it is missing; copy all of it again from the app's settings "
        "at api.slack.com/apps"
    )


async def test_a_wrong_telegram_token(place: Offices, data: Path) -> None:
    """Telegram's refusal is one sentence that names the variable and the fix, and Slack goes on."""
    async with footnote_run(data, **place.polling | {"TELEGRAM_BOT_TOKEN": "123456:very-secret"}) as service:
        await service.says("Slack: connected")
        await service.says("Telegram stopped")
        root = await place.mention(TEA)
        answer, _ = await place.slack_answers(GENERAL, root)

        assert await service.stop() == 0

    assert "four o'clock" in seen_in_slack(answer)
    assert service.line("Telegram stopped") == (
        f"Telegram stopped: TELEGRAM_BOT_TOKEN was refused by Telegram: {ASK_BOTFATHER}"
    )


async def test_a_token_that_is_none_keeps_its_platform_off(place: Offices, data: Path) -> None:
    """By its looks, at once, and in one line without it; the other platform goes on."""
    wrong = {"SLACK_BOT_TOKEN": "xapp-very-secret", "SLACK_APP_TOKEN": "xoxb-very-secret"}
    async with footnote_run(data, **place.polling | wrong) as service:
        await service.says("Telegram: connected")
        assert await service.stop() == 0

    assert service.line("Slack: off").endswith("but each as the other should: exchange their values")
    assert not [line for line in service.lines if "secret" in line]


async def test_both_tokens_wrong(place: Offices, empty: Path) -> None:
    """When no platform is left the status is 1; each refusal is told once, the last one as the reason of the end."""
    wrong = {"SLACK_APP_TOKEN": "xapp-very-secret", "TELEGRAM_BOT_TOKEN": "1:very-secret"}
    async with footnote_run(empty, **place.polling | wrong) as service:
        status = await service.ends()

    assert status == 1
    assert "begins with xapp-): Slack says invalid_auth: the token is wrong" in service.line("SLACK_APP_TOKEN")
    assert service.line("TELEGRAM_BOT_TOKEN").endswith(f"was refused by Telegram: {ASK_BOTFATHER}")
    assert [" stopped: " in line for line in service.lines[-2:]] == [True, False]
    assert service.lines[-1].startswith("footnote: ")


async def test_an_address_that_is_taken(place: Offices, empty: Path) -> None:
    """An address that another program listens on is named, with its variables; it will not pass, so that is the end."""
    taken = {"SLACK_HTTP_PORT": place.slack.api_base_url.split(":")[2].split("/")[0]}
    async with footnote_run(empty, **place.slack_by_http | taken) as service:
        status = await service.ends()

    assert status == 1
    assert "SLACK_HTTP_HOST, SLACK_HTTP_PORT: cannot listen on 127.0.0.1:" in service.line("SLACK_HTTP_PORT")


async def test_a_platform_that_cannot_be_reached_for_now(place: Offices, empty: Path) -> None:
    """A server that is not there is named with what to check, and tried again; the other platform answers meanwhile."""
    down = place.telegram_by_polling | {"TELEGRAM_BASE_URL": f"http://127.0.0.1:{free_port()}/bot"}
    async with footnote_run(empty, **place.slack_by_socket, **down) as service:
        await service.says("Slack: connected as")
        await service.says("next try in 2 s")
        status = await service.stop()

    assert status == 0
    assert "check TELEGRAM_BASE_URL and the network" in service.line("next try in 1 s")


@pytest.mark.parametrize(
    ("variables", "skipped"),
    [
        ({}, [SLACK_OFF, TELEGRAM_OFF]),
        ({"SLACK_BOT_TOKEN": "xoxb-very-secret"}, [NO_WAY_IN, TELEGRAM_OFF]),
        ({"SLACK_APP_TOKEN": "xapp-very-secret", "TELEGRAM_BOT_TOKEN": ""}, [SLACK_OFF, TELEGRAM_OFF]),
    ],
)
async def test_nothing_to_run(empty: Path, variables: dict[str, str], skipped: list[str]) -> None:
    """Without what a platform needs there is nothing to run: each says what is missing, and the status is 1."""
    async with footnote_run(empty, **variables) as service:
        status = await service.ends()

    assert status == 1
    assert [service.line("Slack: off"), service.line("Telegram: off")] == skipped
    assert service.lines[-1] == f"{NOTHING_TO_RUN}environment or in {empty.parent / '.env'}, which is not there"


async def test_a_webhook_without_its_secret(place: Offices, empty: Path) -> None:
    """Settings that contradict each other are refused before anything starts."""
    open_to_all = place.telegram_by_webhook | {"TELEGRAM_WEBHOOK_SECRET": ""}
    async with footnote_run(empty, **place.slack_by_socket, **open_to_all) as service:
        status = await service.ends()

    assert status == 1
    assert service.lines[-1].startswith("footnote: TELEGRAM_WEBHOOK_SECRET is missing: ")
    assert place.slack.calls == []


async def test_a_signal_while_answers_are_written(place: Offices, data: Path) -> None:
    """Who waits for an answer when the service is stopped gets it before the end or after the next start, once."""
    async with footnote_run(data, **place.polling) as service:
        await service.says("Slack: connected")
        await service.says("Telegram: connected")
        root = await place.mention(TEA)
        await place.telegram.say(ANNA, ANNA, COFFEE)
        await place.slack.wait_for_messages(GENERAL, root, timeout=20)
        await place.telegram.wait_until_confirmed(timeout=20)
        status = await service.stop()
    async with footnote_run(data, **place.polling) as service:
        answer, _ = await place.slack_answers(GENERAL, root)
        said, _ = await place.telegram_answers(ANNA)
        await service.stop()

    assert status == 0
    assert "four o'clock" in seen_in_slack(answer)
    assert "в восемь утра" in said.text
    assert len(place.slack.answers(GENERAL, root)) == len(place.telegram.bot_messages(ANNA)) == 2


@dataclass
class Watched:
    """A service whose health can be asked for, over a folder in which nothing is indexed."""

    place: Offices
    data: Path
    service: Service
    url: str

    async def health(self) -> tuple[int, Any]:
        """Return the status and the JSON that somebody who watches gets."""
        async with aiohttp.ClientSession() as session, session.get(self.url) as answer:
            return answer.status, await answer.json()

    async def becomes(self, status: int) -> Any:
        """Return the JSON once the status is so."""
        async with asyncio.timeout(PATIENCE):
            while (found := await self.health())[0] != status:
                await asyncio.sleep(0.02)
        return found[1]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def watched(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Watched]:
    """Give a service in Slack; who uses it need not leave it connected."""
    data, port = tmp_path_factory.mktemp("watched") / "data", str(free_port())
    async with offices() as place, footnote_run(data, **place.slack_by_socket, HEALTH_PORT=port) as service:
        await service.says("Slack: connected")
        yield Watched(place, data, service, f"http://127.0.0.1:{port}/health")


@pytest.mark.asyncio(loop_scope="module")
async def test_a_second_one_in_the_same_folder_is_refused(watched: Watched) -> None:
    """SQLite's folder belongs to one process: the second is told so in one sentence, and the first goes on."""
    tokens = watched.place.slack_by_socket
    second = await asyncio.to_thread(footnote, "run", FOOTNOTE_DATA_DIR=str(watched.data), **tokens)
    _, body = await watched.health()

    assert refused(second) == (
        f"another footnote run works in {watched.data}: stop it, name another folder in FOOTNOTE_DATA_DIR, or let both "
        "share a PostgreSQL named in DATABASE_URL"
    )
    assert body["database"] == "ok"


@pytest.mark.asyncio(loop_scope="module")
async def test_whoever_watches_is_told_the_truth(watched: Watched) -> None:
    """HEALTH_PORT answers 200 while Slack's events reach us, and 503 when the socket is gone, and says so."""
    well = await watched.becomes(200)
    watched.place.slack.sockets.drop()
    ill = await watched.becomes(503)

    assert (well["status"], well["platforms"]["slack"]["alive"]) == ("ok", True)
    assert (ill["status"], ill["platforms"]["slack"]["alive"]) == ("failing", False)
    assert ill["platforms"]["slack"]["state"].startswith("Socket Mode, not connected")


async def test_a_death_in_the_middle_of_delivery(place: Offices, empty: Path) -> None:
    """A change and a new message took effect, and nobody heard so: after a new start each answer stands there once."""
    place.slack.fail_next("chat.update", delay=PATIENCE)
    async with footnote_run(empty, **place.slack_by_socket) as service:
        await service.says("Slack: connected")
        root = await place.mention(TEA)
        await until(lambda: bool(place.slack.calls_to("chat.update")), lambda: "nothing is changed", PATIENCE)
        place.slack.fail_next("chat.postMessage", delay=PATIENCE)
        direct = place.slack.open_dm(ADA)
        asked = await place.slack.post_as(ADA, direct, COFFEE)
        await until(lambda: len(place.slack.calls_to("chat.postMessage")) == 2, lambda: "nothing is posted", PATIENCE)
        assert await service.stop(signal.SIGKILL) == -signal.SIGKILL
    async with footnote_run(empty, **place.slack_by_socket):
        await place.slack_answers(direct, asked, 1)
        await place.slack_answers(GENERAL, root, 1)

    assert [seen_in_slack(message) for message in place.slack.answers(GENERAL, root)] == [NO_DOCUMENTS]
    assert [seen_in_slack(message) for message in place.slack.answers(direct, asked)] == [NO_DOCUMENTS_RU]
