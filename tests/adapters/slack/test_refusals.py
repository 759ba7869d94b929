"""Each error that Slack can answer on each call we make: what becomes of the message, and what the operator reads."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from adapters.slack.calls import BARRING, PASSING
from adapters.slack.refusals import _REASONS, UNSHOWABLE
from core.delivery import Absent, CannotTell, Doubtful, Later, Outcome, Refused, Seen, Shown
from core.reply import Paragraph, RenderedReply, Text
from tests.adapters.slack.scene import DNI, Scene, outgoing, scene
from tests.platforms.slack.waiting import until

SECRET = "confidential-words"
# Of each method's own list at docs.slack.dev/reference/methods: what can be met by a bot that posts in threads.
RIGHTS = ("missing_scope", "not_allowed_token_type", "access_denied", "no_permission")
BUSY = ("ratelimited", "rate_limited")
PLACE = ("not_in_channel", "channel_not_found", "is_archived", "is_inactive", "restricted_action", "thread_not_found")
FORM = ("msg_too_long", "invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "invalid_arguments")
ODD = ("some_error_of_next_year", "no_text", "team_not_found", "messages_tab_disabled")
UNKNOWN = (*ODD, "access_denied", "no_permission")
CHANGE = ("message_not_found", "cant_update_message", "edit_window_closed")

# For each call: its errors, and what may become of the message then.
POST = {
    **dict.fromkeys((*BARRING, *BUSY, "missing_scope"), Later),
    **dict.fromkeys(PASSING, Doubtful),
    **dict.fromkeys((*PLACE, "not_allowed_token_type"), Refused),
    # What we do not know may be about the form of the message: it is tried as words alone.
    **dict.fromkeys((*FORM, *UNKNOWN), Shown),
}
# Where a message may not be changed, another takes its place.
UPDATE = POST | dict.fromkeys(PASSING, Later) | dict.fromkeys((*CHANGE, "not_allowed_token_type"), Shown)
UPDATE |= {"thread_not_found": Refused}
DELETE = POST | dict.fromkeys((*FORM, *UNKNOWN, "cant_delete_message"), Refused) | dict.fromkeys(PASSING, Later)
DELETE |= {"message_not_found": Shown}
LOOK = {
    **dict.fromkeys((*BARRING, *BUSY, *PASSING), Later),
    **dict.fromkeys((*PLACE, *ODD, *FORM, "missing_scope"), CannotTell),
    "thread_not_found": Absent,
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage() -> AsyncIterator[Scene]:
    """One workspace for all: what is refused leaves nothing behind."""
    async with scene(lambda _: None) as running:
        yield running


async def attempt(stage: Scene, method: str, code: str, times: int = 1) -> tuple[Outcome | Seen, str]:
    """Return what becomes of a message when the first `times` calls of the method are refused, and the question."""
    stage.platform._line.workspaces.parking._places.clear()  # type: ignore[union-attr]
    stage.platform._pace.rest("T0TEAM", 0.0)
    ts = await stage.slack.post_as("U1", "C1", "How many days?")
    part = stage.platform.parts(RenderedReply((Paragraph((Text(SECRET),)),), (), "en"))[0]
    message = outgoing(ts, part)
    if method in ("chat.update", "chat.delete"):
        shown = await stage.platform.show(message)
        assert isinstance(shown, Shown)
        message = replace(message, shown=shown.message, body=part.body if method == "chat.update" else None)
    status = {"status": 429, "retry_after": 3} if code == "ratelimited" else {}
    stage.slack.fail_next(method, error=code, times=times, **status)  # type: ignore[arg-type]
    if method == "conversations.replies":
        return await stage.platform.find(message), ts
    return await stage.platform.show(message), ts


def told(outcome: Outcome | Seen) -> str:
    """Return what the operator reads of it."""
    return getattr(outcome, "reason", "")


CASES = [
    (method, code, kind)
    for method, table in {
        "chat.postMessage": POST,
        "chat.update": UPDATE,
        "chat.delete": DELETE,
        "conversations.replies": LOOK,
    }.items()
    for code, kind in table.items()
]


@pytest.mark.asyncio(loop_scope="module")
async def test_each_error_on_each_call(stage: Scene, caplog: pytest.LogCaptureFixture) -> None:
    """None is met with silence or a traceback: the message is shown, waits, or is refused with the reason in words.

    Whatever is refused for good names Slack's word for it; what waits says for how long; nothing quotes the message.
    """
    wrong = []
    for method, code, kind in CASES:
        outcome, _ = await attempt(stage, method, code)
        is_told = code in told(outcome) or not isinstance(outcome, Refused | Doubtful)
        comes_again = not isinstance(outcome, Later) or outcome.seconds > 0
        if not (isinstance(outcome, kind) and is_told and comes_again):
            wrong.append((method, code, outcome))

    assert wrong == []
    assert not any(word in caplog.text for word in (SECRET, "xoxb", "Traceback", "How many"))
    await stage.quiet()


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("code", UNKNOWN)
async def test_what_is_refused_in_each_form_is_refused_with_its_word(stage: Scene, code: str) -> None:
    """A post has no other way; a change that is never taken is a new message instead."""
    outcome, _ = await attempt(stage, "chat.postMessage", code, times=9)
    stage.slack.mend("chat.postMessage")
    assert isinstance(outcome, Refused)
    assert code in outcome.reason
    changed, ts = await attempt(stage, "chat.update", code, times=9)
    stage.slack.mend("chat.update")

    assert isinstance(changed, Shown)
    assert 1 == len(stage.slack.answers("C1", ts))


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("method", ["chat.postMessage", "chat.update", "chat.delete", "conversations.replies"])
async def test_a_failing_server_on_each_call(stage: Scene, method: str) -> None:
    """A page of a proxy, a lost connection and a pause that is none: the message waits or is looked for."""
    stage.platform._line.workspaces.parking._places.clear()  # type: ignore[union-attr]
    kinds = set()
    for trouble in ({"status": 500}, {"status": 503}, {"drop": "before"}, {"status": 429, "retry_after": 0}):
        ts = await stage.slack.post_as("U1", "C1", "Сколько дней?")
        message = outgoing(ts, stage.platform.parts(DNI)[0])
        if method in ("chat.update", "chat.delete"):
            shown = await stage.platform.show(message)
            assert isinstance(shown, Shown)
            message = replace(message, shown=shown.message, body=message.body if method == "chat.update" else None)
        stage.slack.fail_next(method, **trouble)  # type: ignore[arg-type]
        looks = method == "conversations.replies"
        kinds.add(type(await (stage.platform.find(message) if looks else stage.platform.show(message))))

    # What only reads is asked again at once by the HTTP client, when the connection was cut.
    assert kinds <= {"chat.postMessage": {Later, Doubtful}, "conversations.replies": {Later, Absent}}.get(
        method, {Later}
    )


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("code", ["user_not_in_channel", "missing_scope", "msg_too_long", "token_revoked", "odd"])
async def test_what_one_person_is_told_may_be_refused(
    stage: Scene, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    """They are told directly, unless they have left; the operator reads the reason, and the bot lives on."""
    direct = stage.slack.open_dm("U1")
    before = len([one for one in stage.slack.workspace.messages.values() if one.channel == direct])
    parked = stage.platform._line.workspaces.parking._places  # type: ignore[union-attr]
    parked.clear()
    caplog.clear()
    stage.slack.fail_next("chat.postEphemeral", error=code, times=2 if code in (*UNSHOWABLE, "odd") else 1)
    await stage.slack.post_as("U1", "C1", f"{stage.at_bot} /why")
    await stage.slack.settled()
    await until(lambda: code in caplog.text, lambda: caplog.text, 5.0)

    assert "Traceback" not in caplog.text
    told_directly = [one for one in stage.slack.workspace.messages.values() if one.channel == direct][before:]
    assert (code not in ("user_not_in_channel", "token_revoked")) is bool(told_directly)
    parked.clear()


async def test_an_answer_waits_for_the_scope_that_is_missing(caplog: pytest.LogCaptureFixture) -> None:
    """It is told once in the log, and in /health, until the scope is there; what needs no scope goes on meanwhile."""
    async with scene(lambda _: None) as stage:
        ts = await stage.slack.post_as("U1", "C1", "How many days?")
        message = outgoing(ts, stage.platform.parts(DNI)[0])
        stage.slack.fail_next("chat.postMessage", error="missing_scope", times=2)
        outcomes = [await stage.platform.show(message) for _ in range(2)]
        refused, parked = stage.platform.health(), stage.platform._line.workspaces.parking._places  # type: ignore[union-attr]
        shown = await stage.platform.show(message)
        mended = stage.platform.health()

    assert [(60.0, True)] * 2 == [(one.seconds, one.whole_place) for one in outcomes if isinstance(one, Later)]
    assert (True, {}) == (refused.alive, parked)
    assert "workspace T0TEAM refuses us: Slack says missing_scope" in refused.words
    assert 1 == caplog.text.count("workspace T0TEAM lets us not do chat.postMessage, its messages wait")
    assert isinstance(shown, Shown)
    assert "refuses" not in mended.words


@pytest.mark.parametrize("code", sorted(_REASONS))
def test_each_reason_says_what_it_means(code: str) -> None:
    """A reason is a sentence for a person, without a capital letter or a full stop, as it follows Slack's own word."""
    reason = _REASONS[code]

    assert len(reason.split()) > 3
    assert not reason.endswith(".")
    assert code not in reason
