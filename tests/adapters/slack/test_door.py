"""The HTTP door: forged, stale and replayed requests, bodies of a wrong kind or size, and everything else."""

import asyncio
import io
import json
import time
from collections.abc import AsyncIterator
from urllib.parse import urlencode

import aiohttp
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.slack import door, intake
from core.conversation import Question
from tests.adapters.slack.scene import Scene, scene
from tests.adapters.slack.test_start_stop import EVENT, HTTP, url_of
from tests.platforms.slack.events import callback
from tests.platforms.slack.signed_http import signature
from tests.platforms.slack.waiting import until

SECRET = "test-signing-secret"
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
async def stage() -> AsyncIterator[Scene]:
    """The bot behind its HTTP door."""
    async with scene(**HTTP) as running:
        yield running


def signed(body: bytes, *, age: float = 0.0, kind: str = JSON, secret: str = SECRET) -> dict[str, str]:
    """Return the headers of a request that Slack signed some seconds ago."""
    at = str(int(time.time() - age))
    proof = signature(secret, at, body.decode("utf-8", "replace"))
    return {"Content-Type": kind, "X-Slack-Request-Timestamp": at, "X-Slack-Signature": proof}


def asking(stage: Scene, **changes: object) -> bytes:
    """Return the body of a question in the direct channel with Ada."""
    return json.dumps(callback(stage.slack.app, None, EVENT | changes)).encode()


async def sent(stage: Scene, body: bytes, headers: dict[str, str], path: str = "") -> tuple[int, str]:
    """Return the status and the text with which a request is answered."""
    async with (
        aiohttp.ClientSession() as session,
        session.post(url_of(stage) + path, data=io.BytesIO(body), headers=headers) as answer,
    ):
        return answer.status, await answer.text()


@pytest.mark.parametrize(
    "wrong",
    [
        {"X-Slack-Signature": "v0=00"},
        {"X-Slack-Signature": "v0=ü"},
        {"X-Slack-Signature": ""},
        {"X-Slack-Request-Timestamp": ""},
        {"X-Slack-Request-Timestamp": "now"},
        {"X-Slack-Request-Timestamp": "9" * 400},
        {"X-Slack-Request-Timestamp": "1"},
    ],
)
async def test_a_forged_request_is_refused_unread(stage: Scene, wrong: dict[str, str]) -> None:
    """Whatever its proof looks like, it is answered with 401 and nothing in it is taken."""
    body = asking(stage)

    assert await sent(stage, body, signed(body) | wrong) == (401, "")
    assert await sent(stage, body, signed(body, secret="another")) == (401, "")
    assert stage.texts == []


async def test_what_was_changed_on_the_way_is_refused(stage: Scene) -> None:
    """The signature is of the very bytes."""
    body = asking(stage)

    assert await sent(stage, body.replace(b"How many", b"How few"), signed(body)) == (401, "")
    assert stage.texts == []


@pytest.mark.parametrize(("age", "status"), [(280.0, 200), (320.0, 401), (-280.0, 200), (-320.0, 401)])
async def test_a_stale_request_is_refused(stage: Scene, age: float, status: int) -> None:
    """Five minutes from its time, before or after, a signature is worth nothing."""
    stage.slack.open_dm("U1")
    body = asking(stage)

    assert (await sent(stage, body, signed(body, age=age)))[0] == status
    assert len(stage.texts) == (status == 200)


async def test_a_replayed_request_does_and_tells_nothing(stage: Scene) -> None:
    """The very same request once more is acknowledged and not looked at: what a command whispers is not told again."""
    form = {"command": "/footnote", "text": "help", "team_id": "T0TEAM", "channel_id": "C1", "user_id": "U1"}
    body = urlencode(form).encode()
    headers = signed(body, kind=FORM)
    status, told = await sent(stage, body, headers)

    assert (status, bool(told)) == (200, True)
    assert await sent(stage, body, headers) == (200, "")


async def test_a_request_that_failed_may_come_again(stage: Scene) -> None:
    """What could not be stored is taken the second time, also with the same signature and Slack's retry headers."""
    stage.slack.open_dm("U1")
    stage.desk.fails = 1
    body = asking(stage)
    headers = signed(body)
    retried = headers | {"X-Slack-Retry-Num": "1", "X-Slack-Retry-Reason": "http_error"}

    assert [(await sent(stage, body, one))[0] for one in (headers, retried)] == [500, 200]
    assert stage.texts == ["How many days?"]


async def test_what_is_more_than_can_be_stored_at_once_is_left_to_slack(
    stage: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So memory is not filled by a flood, or while a database stands still; it is taken when it comes again."""
    monkeypatch.setattr(intake, "_MOST_AT_ONCE", 2)
    stage.slack.open_dm("U1")
    asked, opened, begun = stage.desk.asked, asyncio.Event(), list[str]()

    async def slow(question: Question) -> None:
        begun.append(question.text)
        await opened.wait()
        await asked(question)

    stage.desk.asked = slow  # type: ignore[method-assign]
    *held, late = (asking(stage, ts=f"1700000000.00010{n}", text=f"How many days, {n}?") for n in range(3))
    waiting = [asyncio.create_task(sent(stage, body, signed(body))) for body in held]
    await until(lambda: len(begun) == len(held), lambda: str(begun), 5.0)
    async with asyncio.timeout(5.0):
        refused = (await sent(stage, late, signed(late)))[0]
    opened.set()
    stored = [(await one)[0] for one in waiting]
    again = (await sent(stage, late, signed(late)))[0]

    assert (refused, stored, again) == (500, [200, 200], 200)
    assert sorted(stage.texts) == [f"How many days, {n}?" for n in range(3)]


async def test_a_retry_whose_first_try_never_came_is_taken(stage: Scene) -> None:
    """Slack's count of tries says nothing about what arrived here."""
    stage.slack.open_dm("U1")
    body = asking(stage, text="Сколько дней?")
    headers = signed(body) | {"X-Slack-Retry-Num": "3", "X-Slack-Retry-Reason": "http_timeout"}

    assert (await sent(stage, body, headers))[0] == 200
    assert stage.texts == ["Сколько дней?"]


@pytest.mark.parametrize("body", [b"[]", b"{", b"\xff", b'{"authorizations": 5}', b"[" * 200_000])
async def test_what_has_no_form_of_slacks_is_refused(stage: Scene, body: bytes) -> None:
    """Signed or not, it does no harm, and the bot lives on."""
    status, _ = await sent(stage, body, signed(body))
    unsigned, _ = await sent(stage, body, {"Content-Type": JSON})

    assert (status in (400, 401), unsigned) == (True, 401)
    stage.slack.open_dm("U1")
    fine = asking(stage)
    assert (await sent(stage, fine, signed(fine)))[0] == 200


async def test_what_is_too_large_is_refused(stage: Scene) -> None:
    """More than any event has is not read to its end, signed or not."""
    body = b'{"type": "' + b"x" * door.EVENT_BYTES + b'"}'

    assert (await sent(stage, body, signed(body)))[0] == 413


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=x", "application/xml", ""])
async def test_another_kind_of_content_is_refused(stage: Scene, kind: str) -> None:
    """Slack sends JSON and forms; nothing else is read, so nothing can be hidden in it."""
    body = asking(stage)

    assert (await sent(stage, body, signed(body) | {"Content-Type": kind}))[0] == 415
    assert stage.texts == []


async def test_a_body_that_does_not_end_is_not_waited_for(stage: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who sends a byte now and then is sent away, and others are served meanwhile."""
    monkeypatch.setattr(door, "BODY_SECONDS", 0.2)
    host, port = url_of(stage).removeprefix("http://").partition("/")[0].split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(
        b"POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
    )
    stage.slack.open_dm("U1")
    body = asking(stage)
    assert (await sent(stage, body, signed(body)))[0] == 200

    async with asyncio.timeout(5):
        assert b" 408 " in await reader.readline()
    writer.close()


@pytest.mark.parametrize("path", ["/", "/slack", "/slack/events/", "/slack/events/../x", "/slack/install", "/health"])
async def test_there_is_nothing_else(stage: Scene, path: str) -> None:
    """Another path is 404, and so are the pages of an installation where workspaces do not install the app."""
    base = url_of(stage).removesuffix("/slack/events")
    async with aiohttp.ClientSession() as session:
        for verb in ("GET", "POST", "PUT", "DELETE", "OPTIONS"):
            async with session.request(verb, base + path) as answer:
                assert answer.status == 404, (verb, path)
        async with session.get(base + "/slack/events") as answer:
            assert answer.status == 404


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=200), min_size=1, max_size=8), st.booleans())
def test_no_body_is_too_strange(bodies: list[bytes], well_signed: bool) -> None:  # noqa: FBT001
    """Whatever comes, signed or not, is answered at once with a status of ours, never with 500."""

    async def statuses() -> set[int]:
        async with scene(**HTTP) as stage:
            secret = SECRET if well_signed else "another"
            kinds = [JSON if number % 2 else FORM for number in range(len(bodies))]
            given = zip(bodies, kinds, strict=True)
            return {(await sent(stage, one, signed(one, kind=kind, secret=secret)))[0] for one, kind in given}

    assert asyncio.run(statuses()) <= ({200, 400, 401, 404} if well_signed else {401})
