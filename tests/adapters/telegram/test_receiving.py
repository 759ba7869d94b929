"""What people do reaches the desk, by polling or by webhook, and the bot knows whether it does."""

import asyncio
import gzip
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as checked
from hypothesis import strategies as st
from telegram import Bot, Update

from adapters.telegram.arrivals import Arrivals
from adapters.telegram.errands import Errands
from adapters.telegram.events import Me, Pressed, event_of
from adapters.telegram.inline import InlineAnswers
from adapters.telegram.links import Links
from adapters.telegram.notices import Notice
from adapters.telegram.polling import ALLOWED_UPDATES
from adapters.telegram.pulse import Pulse
from adapters.telegram.webhook import MAX_BODY, SENDER_HEADER
from core.conversation import Question
from core.delivery import Health
from core.errors import ConfigError, StorageError
from core.phrases import phrase
from tests.adapters.telegram.scene import (
    ANNA,
    BORIS,
    Hands,
    asked_of,
    asks_last,
    chatting,
    desk_for,
    joined,
    message,
    serving,
    telegram,
)
from tests.doubles.desk import Desk
from tests.platforms.telegram import TelegramStandIn
from tests.platforms.telegram.talking import client

SECRET = "a-long-secret_1"
BOT = Bot("1:x")


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.telegram.polling.FIRST_PAUSE", 0.01)
    monkeypatch.setattr("adapters.telegram.polling.RIVAL_PAUSE", 0.02)


@asynccontextmanager
async def hooked(*, fails: int = 0) -> AsyncIterator[tuple[TelegramStandIn, Desk, str]]:
    """Give a Telegram that pushes to the bot, and the address it pushes to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}/telegram"
    async with chatting(fails=fails, webhook_url=url, webhook_secret=SECRET, webhook_port=port) as (tg, desk):
        yield tg, desk, url


async def polled(tg: TelegramStandIn, count: int = 1) -> None:
    """Return once the bot has begun so many polls that wait for updates."""
    seen: set[object] = set()

    def enough() -> bool:
        seen.add(tg.world.updates.poller)
        return len(seen - {None}) >= count

    assert await tg.world.changes.until(enough, 3)


async def test_polling_survives_a_bad_connection() -> None:
    """Server errors, lost connections and flood limits only delay what people ask."""
    async with telegram() as tg:
        tg.fail_next("getUpdates", status=502)
        tg.fail_next("getUpdates", drop="before")
        tg.fail_next("getUpdates", retry_after=1)
        async with serving(tg, desk_for()):
            await tg.say(ANNA, ANNA, "hello?")

            assert len(await tg.wait_for_messages(ANNA, count=2)) == 2


async def test_only_what_is_understood_is_asked_for() -> None:
    """The kinds of update are named, because Telegram keeps an earlier choice otherwise."""
    async with chatting() as (tg, _):
        await tg.say(ANNA, ANNA, "hello")
        (poll, *_) = await tg.wait_for_calls("getUpdates")

    assert poll.params["allowed_updates"] == [
        "message",
        "edited_message",
        "callback_query",
        "message_reaction",
    ]


async def test_a_polled_question_is_stored_before_it_is_confirmed() -> None:
    """While it cannot be stored Telegram keeps it and what follows; once it can, both come again, in order."""
    desk = desk_for(fails=2)
    async with telegram() as tg:
        await tg.say(ANNA, ANNA, "precious")
        await tg.say(ANNA, ANNA, "as much")
        async with serving(tg, desk):
            await tg.wait_for_messages(ANNA, count=4)
            await tg.wait_until_confirmed()

    assert asked_of(desk) == ["precious", "as much"]
    assert ["precious"] * 3 == [question.text for question in desk.brought[:3]]


@dataclass
class Broken(Desk):
    """A desk over a database that can never take some words."""

    async def asked(self, question: Question) -> None:
        if question.text == "poison":
            raise StorageError("the database did not do it (DataError)")
        await super().asked(question)


@pytest.mark.parametrize("pushes", [False, True])
async def test_what_can_never_be_stored_stops_nobody_else(caplog: pytest.LogCaptureFixture, *, pushes: bool) -> None:
    """It would come again for ever, so its asker is told and it is passed over; what follows is answered."""
    async with hooked() if pushes else _polling() as (tg, desk, _):
        desk.__class__ = Broken
        await tg.say(ANNA, ANNA, "poison")
        await tg.say(BORIS, BORIS, "hello?")
        await tg.wait_for_messages(BORIS, count=2)
        [told] = await tg.wait_for_messages(ANNA, count=1)
        await tg.wait_until_confirmed()

    assert ["hello?"] == asked_of(desk)
    [reference] = re.findall(r"an update was lost, reference (\w+)", caplog.text)
    assert phrase("failed", "en", reference=reference) == told.text


@asynccontextmanager
async def _polling() -> AsyncIterator[tuple[TelegramStandIn, Desk, str]]:
    async with chatting() as (tg, desk):
        yield tg, desk, ""


@pytest.mark.parametrize("pushes", [False, True])
async def test_health_tells_that_nothing_can_be_stored(monkeypatch: pytest.MonkeyPatch, *, pushes: bool) -> None:
    """The poll is answered, and what it brings is lost on us: that is not alive; once it is stored all is well."""
    monkeypatch.setattr("adapters.telegram.polling.FIRST_PAUSE", 0.3)
    async with hooked() if pushes else _polling() as (tg, desk, _):
        desk.fails = 10_000
        await tg.say(ANNA, ANNA, "hello?")
        async with asyncio.timeout(5):
            while desk.platform.health().alive:
                await asyncio.sleep(0.005)
        cut_off = desk.platform.health()
        desk.fails = 0
        await tg.wait_for_messages(ANNA, count=2)
        well = desk.platform.health()

    assert "messages cannot be stored: storage: the database did not do it (OperationalError)" in cut_off.words
    assert (True, False) == (well.alive, "cannot be stored" in well.words)


def test_a_button_has_no_nul() -> None:
    """PostgreSQL could never take it."""
    press = {
        "id": "1",
        "from": {"id": 7, "is_bot": False, "first_name": "Anna"},
        "chat_instance": "1",
        "data": "show:\0чат\0",
        "message": message(text="hi")["message"],
    }
    update = Update.de_json({"update_id": 1, "callback_query": press}, BOT)

    assert isinstance(event := event_of(update, Me(1, "footnote_bot")), Pressed)
    assert "show:чат" == event.button


async def test_a_copy_that_is_being_replaced_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The older poll is ended by a newer one; when the other program stops, polling goes on, and nothing is lost."""
    monkeypatch.setattr("adapters.telegram.polling.RIVAL_SECONDS", 30_000)  # the clock is hurried
    async with telegram() as tg, client(tg) as other:
        desk = desk_for()
        async with serving(tg, desk):
            await polled(tg)
            for _ in range(2):
                await other.get_updates(timeout=0)
                await tg.say(ANNA, ANNA, "hello?")
            await tg.wait_for_messages(ANNA, count=4)
            healthy = desk.platform.health()

    assert "another program receives" not in healthy.words
    assert "another program receives" in caplog.text


async def test_a_second_program_that_stays_ends_this_one() -> None:
    """From the first conflict on the bot says that it is cut off, and after a while it stops with what to do."""
    clock, reported = Hands(), list[Health]()

    async def ready(_: str) -> None:
        pass

    async with telegram() as tg, joined(tg, clock) as platform:
        tg.fail_next("getUpdates", status=409, description="Conflict: terminated by other getUpdates", times=99)
        run = asyncio.create_task(platform.run(desk_for(), ready))
        for count, clock.now in ((2, 0), (4, 29)):
            await tg.wait_for_calls("getUpdates", count=count)
            reported.append(platform.health())
        clock.now = 31
        with pytest.raises(ConfigError, match="in use elsewhere"):
            await asyncio.wait_for(run, 3)
        ended = platform.health()

    assert {False} == {health.alive for health in reported}
    assert all("another program receives" in health.words for health in reported)
    assert ended.words == "not receiving messages"


async def test_a_poll_that_hangs_is_begun_anew(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An answer that does not end is not waited for: what it held back comes with the next poll."""
    monkeypatch.setattr("adapters.telegram.polling.HANGS_AFTER", 0.2)
    async with telegram() as tg:
        tg.fail_next("getUpdates", delay=0.6)
        await tg.say(ANNA, ANNA, "hello?")
        async with serving(tg, desk_for()):
            await tg.wait_for_messages(ANNA, count=2)

    assert "the poll hung" in caplog.text


async def test_what_is_no_answer_to_a_poll_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something between us and Telegram may say anything; updates without an id are passed over."""
    real, answers = Bot.do_api_request, [{"odd": 1}, ["odd", {"message": 7}]]

    async def request(self: Bot, *arguments: Any, **options: Any) -> Any:
        return answers.pop(0) if answers else await real(self, *arguments, **options)

    monkeypatch.setattr(Bot, "do_api_request", request)
    async with chatting() as (tg, desk):
        assert await asks_last(tg, desk) == ["last"]


async def test_ids_may_start_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a quiet week Telegram may number updates from anywhere, also lower."""
    monkeypatch.setattr("tests.platforms.telegram.receiving.MAX_POLL_SECONDS", 0.2)
    async with chatting() as (tg, desk):
        await asks_last(tg, desk)
        await tg.wait_until_confirmed()
        await polled(tg, 2)
        await tg.deliver(message(5, text="lower"))
        await tg.wait_for_messages(ANNA, count=2)

    assert asked_of(desk) == ["last", "lower"]


async def test_a_webhook_brings_questions() -> None:
    """With a webhook Telegram pushes, with the secret, and the answers are the same."""
    async with hooked() as (tg, desk, _):
        before = desk.platform.health()
        await tg.say(ANNA, ANNA, "pushed?")
        await tg.wait_for_messages(ANNA, count=2)
        await tg.wait_until_confirmed()
        after = desk.platform.health()

    assert tg.world.updates.webhook_secret == SECRET
    # Else Telegram keeps an earlier choice.
    assert tg.world.updates.allowed == frozenset(ALLOWED_UPDATES)
    assert "getUpdates" not in [call.method for call in tg.calls]
    assert before == Health(alive=True, words="webhook, no call yet")
    assert after.alive
    assert after.silent is not None
    assert desk.platform.health() == Health(alive=False, words="not receiving messages")


@pytest.mark.parametrize("secret", [None, "", "wrong", "é"])
async def test_without_the_secret_nobody_is_let_in(secret: str | None) -> None:
    """A call with a wrong secret or none is refused, whatever it says, and is no sign of life."""
    headers = {} if secret is None else {SENDER_HEADER: secret}
    async with hooked() as (_, desk, url), aiohttp.ClientSession() as session:
        answer = await session.post(url, json=message(1, text="let me in"), headers=headers)
        silent = desk.platform.health().silent

    assert (answer.status, silent) == (403, None)
    assert desk.brought == []


@pytest.mark.parametrize("body", [b"no json", b"[]", b"\xff", b"[" * 100_000, b"x" * (MAX_BODY + 1), b"7"])
async def test_nonsense_with_the_secret_is_passed_over(body: bytes) -> None:
    """What is no update, or too large for one, would come again for a day, so it is taken, and the bot goes on."""
    async with hooked() as (tg, desk, url), aiohttp.ClientSession() as session:
        answer = await session.post(url, data=body, headers={SENDER_HEADER: SECRET})
        await asks_last(tg, desk)

    assert answer.status == 200


async def test_a_packed_update_that_unfolds_without_end_is_passed_over() -> None:
    """A small call may say that it unpacks to much; what is read is limited all the same."""
    body = gzip.compress(b" " * 20 * MAX_BODY)
    async with hooked() as (tg, desk, url), aiohttp.ClientSession() as session:
        headers = {SENDER_HEADER: SECRET, "Content-Encoding": "gzip"}
        answer = await session.post(url, data=body, headers=headers)
        await asks_last(tg, desk)

    assert answer.status in (200, 400)


async def test_a_pushed_question_is_taken_only_when_it_is_stored() -> None:
    """While it cannot be stored Telegram is told to come again, and other chats go on."""
    async with hooked(fails=2) as (tg, desk, _):
        await tg.say(ANNA, ANNA, "precious")
        await tg.say(BORIS, BORIS, "as much")
        await tg.wait_for_messages(ANNA, count=2)
        await tg.wait_for_messages(BORIS, count=2)
        await tg.wait_until_confirmed()

    assert sorted(asked_of(desk)) == ["as much", "precious"]
    assert tg.world.updates.last_error.endswith("503")


def test_health_tells_how_long_polling_is_silent() -> None:
    """Alive while an answer, also an empty one, is recent; a trouble is named until the next answer."""
    clock = Hands(100.0)
    pulse = Pulse(clock)
    stopped = pulse.health()
    pulse.begin("polling", 60)
    begun = pulse.health()
    pulse.beat()
    clock.now = 112
    answered = pulse.health()
    pulse.troubled("no messages arrive: Bad Gateway")
    troubled = pulse.health()
    clock.now = 161
    silent = pulse.health()
    pulse.beat()

    assert stopped == Health(alive=False, words="not receiving messages")
    assert begun == Health(alive=True, words="polling, no answer yet")
    assert answered == Health(alive=True, words="polling, last answer 12 s ago", silent=12)
    assert (troubled.alive, troubled.words.partition("; ")[2]) == (True, "no messages arrive: Bad Gateway")
    assert (silent.alive, silent.silent) == (False, 61)
    assert pulse.health() == Health(alive=True, words="polling, last answer 0 s ago", silent=0)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_FIELDS = (
    "message_id",
    "date",
    "chat",
    "from",
    "text",
    "entities",
    "reply_to_message",
    "message_thread_id",
    "edit_date",
)
messages = st.one_of(
    json_values,
    st.dictionaries(st.sampled_from((*_FIELDS, "sender_chat", "is_topic_message")), json_values, max_size=4).map(
        lambda odd: message(text="hi")["message"] | odd
    ),
)
updates = st.one_of(
    json_values,
    st.dictionaries(
        st.sampled_from(("update_id", "message", "edited_message", "callback_query", "poll")),
        messages | st.dictionaries(st.sampled_from(("id", "from", "data", "message")), messages, max_size=4),
        max_size=3,
    ),
)


@checked(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(updates)
async def test_no_update_can_stop_the_bot(raw: object) -> None:
    """Whatever JSON arrives, it is read or passed over; and a question that comes of it can be shown an answer."""
    noticed: list[Notice] = []

    async def notify(notice: Notice) -> None:
        noticed.append(notice)

    desk, errands = desk_for(), Errands()
    inline = InlineAnswers(BOT, desk, errands)
    links = Links(BOT.token, "footnote_bot")
    await Arrivals(BOT, Me(1, "footnote_bot"), desk, errands, notify, inline, links).take(raw)
    await errands.close()
    for task in desk._work:
        task.cancel()

    assert all(int(question.place) and int(question.message) for question in desk.questions.values())
    assert all(isinstance(question.text, str) and question.text for question in desk.questions.values())
