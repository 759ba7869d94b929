"""Each error that Slack can answer on the calls beside those of test_refusals: what is seen, and what is logged."""

import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
import pytest_asyncio

from adapters.slack import intake
from adapters.slack.addresses import aloud, between
from adapters.slack.agent import Visit
from adapters.slack.calls import BARRING, PASSING
from adapters.slack.connect import client_of
from adapters.slack.doors import Doors
from adapters.slack.members import SlackMembers
from adapters.slack.statuses import Statuses
from core.conversation import Audience, MessageRef, Question
from core.delivery import Absent, CannotTell, Doubtful, Later, Outgoing, Seen, Shown
from core.errors import DeliveryError
from core.reply import Paragraph, RenderedReply, Text
from core.visiting import Case, Introduction
from tests.adapters.slack.scene import Scene, scene
from tests.adapters.slack.test_refusals import BUSY, FORM, ODD, PLACE, RIGHTS, SECRET
from tests.platforms.slack import visible_text
from tests.platforms.slack.waiting import until

CODES = sorted({*BARRING, *BUSY, *PASSING, *PLACE, *FORM, *ODD, *RIGHTS, "user_not_found"})
REPLY = RenderedReply((Paragraph((Text(SECRET),)),), (), "en")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage() -> AsyncIterator[Scene]:
    """One workspace for all: what is refused leaves nothing behind."""
    async with scene(lambda _: None) as running:
        yield running


@pytest.fixture(autouse=True)
def _quietly(stage: Scene, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    open_again(stage)


def open_again(stage: Scene) -> None:
    """Let the workspace take calls again, of whose people and channels nothing is known."""
    line = stage.platform._line
    assert line
    line.workspaces.parking._places.clear()
    line.doors._known.clear()


async def doors(stage: Scene) -> Doors:
    """Return the doors of the workspace."""
    line = stage.platform._line
    assert line
    there = await line.workspaces.of("T0TEAM")
    assert there
    return line.doors.of(there)


def fail(stage: Scene, method: str, code: str) -> None:
    """Let the method's next call go wrong."""
    if code in BUSY:
        stage.slack.fail_next(method, status=429, retry_after=3)
    else:
        stage.slack.fail_next(method, error=code)


def outgoing(stage: Scene, message: str) -> Outgoing:
    """Return an answer to what stands in place of a message's time in C1."""
    asked = MessageRef("slack", "T0TEAM:C1", message)
    [part] = stage.platform.parts(REPLY)
    return Outgoing(1, str(asked), part.name, part.body, asked)


def is_clean(log: str) -> bool:
    """Return whether the log holds no words of people, no token and no traceback."""
    return not any(word in log for word in (SECRET, "xoxb", "Traceback"))


@pytest.mark.asyncio(loop_scope="module")
async def test_an_answer_to_one_person(stage: Scene, caplog: pytest.LogCaptureFixture) -> None:
    """It is shown in some form or place, or waits; whatever Slack has against the channel, it goes directly."""
    kinds = {**dict.fromkeys((*BARRING, *BUSY, "missing_scope"), Later), **dict.fromkeys(PASSING, Doubtful)}
    wrong = []
    for number, code in enumerate((*CODES, "user_not_in_channel")):
        open_again(stage)
        fail(stage, "chat.postEphemeral", code)
        outcome = await stage.platform.show(outgoing(stage, between("U1", f"r{number}")))
        if not isinstance(outcome, kinds.get(code, Shown)):
            wrong.append((code, outcome))

    assert [] == wrong
    assert is_clean(caplog.text)


@pytest.mark.asyncio(loop_scope="module")
async def test_whether_outsiders_read_there(stage: Scene, caplog: pytest.LogCaptureFixture) -> None:
    """Until it is known nothing is shown, and it waits with the reason; in a channel that is gone nobody reads."""
    wrong = []
    for code in CODES:
        open_again(stage)
        before = len(stage.slack.calls_to("chat.postMessage"))
        fail(stage, "conversations.info", code)
        outcome = await stage.platform.show(outgoing(stage, aloud("1700000000.000100")))
        shown = len(stage.slack.calls_to("chat.postMessage")) - before
        waits = isinstance(outcome, Later) and outcome.seconds > 0 and shown == 0
        if not (waits or (code == "channel_not_found" and shown == 1)):
            wrong.append((code, outcome))

    assert [] == wrong
    assert is_clean(caplog.text)


@pytest.mark.asyncio(loop_scope="module")
async def test_what_was_said_aloud_is_looked_for(stage: Scene) -> None:
    """In the channel itself: later, or nobody can tell; it is never taken to be absent unseen."""
    wrong: list[tuple[str, Seen]] = []
    for code in CODES:
        open_again(stage)
        fail(stage, "conversations.history", code)
        seen = await stage.platform.find(outgoing(stage, aloud("1700000000.000100")))
        passes = code in (*BARRING, *BUSY, *PASSING)
        if not isinstance(seen, Later if passes else Absent if code == "thread_not_found" else CannotTell):
            wrong.append((code, seen))

    assert [] == wrong


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("method", ["conversations.info", "conversations.members", "users.list", "usergroups.list"])
async def test_who_reads_there(stage: Scene, method: str, caplog: pytest.LogCaptureFixture) -> None:
    """Nobody is known to, so that less may be used; without user groups there are fewer names. It is said why.

    How a pause is waited for is seen in test_directory.py.
    """
    client = client_of(stage.slack.app.bot_token, stage.slack.api_base_url)
    wrong = []
    for code in (one for one in CODES if one not in BUSY):
        caplog.clear()
        fail(stage, method, code)
        room = await SlackMembers(lambda _: client).room("T0TEAM:C1")
        if (room.readers is None) is (method == "usergroups.list") or code not in caplog.text:
            wrong.append((code, room, caplog.text))

    assert [] == wrong


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    "method", ["views.publish", "assistant.threads.setSuggestedPrompts", "assistant.threads.setTitle"]
)
async def test_the_bots_own_place(stage: Scene, method: str, caplog: pytest.LogCaptureFixture) -> None:
    """What cannot be drawn comes with the next visit; each time the operator reads why, whatever it was."""
    stage.desk.introduction = Introduction({"page": 1}, questions=("How many days?",))
    direct = stage.slack.open_dm("U1")
    place, now = f"T0TEAM:{direct}", datetime.now(UTC)
    question = Question("q", "slack", "t", SECRET, "U1", Audience("T0TEAM"), now, place, message="1.1", root="1.1")
    wrong = []
    for code in CODES:
        open_again(stage)
        caplog.clear()
        hall = (await doors(stage)).hall
        fail(stage, method, code)
        if method == "assistant.threads.setTitle":
            await hall.entitle(question)
        else:
            shows = "home" if method == "views.publish" else "prompts"
            await hall.receive(Visit("T0TEAM", "U1", direct, shows), stage.desk)  # type: ignore[arg-type]
        if ("pause" if code in BUSY else code) not in caplog.text or not is_clean(caplog.text):
            wrong.append((code, caplog.text))

    assert [] == wrong


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("code", [*CODES, "message_not_in_streaming_state", "cannot_set_status_in_2030"])
async def test_the_status_is_a_courtesy(stage: Scene, code: str, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever refuses it, an answer waits for nothing; what is not of this place or a pause is said, and believed."""
    client = client_of(stage.slack.app.bot_token, stage.slack.api_base_url)
    ts = await stage.slack.post_as("U1", "C1", SECRET)
    place, now, statuses = "T0TEAM:C1", datetime.now(UTC), Statuses()
    question = Question("q", "slack", "t", SECRET, "U1", Audience("T0TEAM"), now, place, message=ts, root=ts)
    fail(stage, "assistant.threads.setStatus", code)
    statuses.show(client, question)
    await statuses.settled(place, ts)
    stage.slack.mend("assistant.threads.setStatus")

    assert is_clean(caplog.text)
    assert isinstance(await stage.platform.show(outgoing(stage, ts)), Shown)


@pytest.mark.asyncio(loop_scope="module")
async def test_the_way_back_to_a_question(stage: Scene) -> None:
    """Without it a case is handed over all the same."""
    case = Case("q", "How many?", "U1", "T0TEAM", MessageRef("slack", "T0TEAM:C1", "1700000000.000100"))
    found = []
    for code in CODES:
        open_again(stage)
        fail(stage, "chat.getPermalink", code)
        found.append(await stage.platform.link_to(case))

    assert {None} == set(found)


@pytest.mark.asyncio(loop_scope="module")
async def test_what_stands_nowhere_has_no_way_back(stage: Scene) -> None:
    """What was shared from a private answer is no message of a person: Slack is not asked for its address."""
    asked = MessageRef("slack", "T0TEAM:C1", aloud("1700000000.000100"))
    before = len(stage.slack.calls_to("chat.getPermalink"))

    assert await stage.platform.link_to(Case("q", "How many?", "U1", "T0TEAM", asked)) is None
    assert before == len(stage.slack.calls_to("chat.getPermalink"))


@pytest.mark.asyncio(loop_scope="module")
async def test_who_somebody_is(stage: Scene, caplog: pytest.LogCaptureFixture) -> None:
    """What passes is asked again with the event, which is not acknowledged; else nobody is answered, and it is said."""
    passing, objections = [], {}
    for code in CODES:
        open_again(stage)
        fail(stage, "users.info", code)
        try:
            objections[code] = await (await doors(stage)).porter.objection("T0TEAM", "C1", "U1")
        except DeliveryError:
            passing.append(code)

    assert sorted((*BUSY, *PASSING)) == sorted(passing)
    assert "outside_person" == objections.pop("user_not_found")
    assert {"outside_unknown"} == set(objections.values())
    assert all(code in caplog.text for code in objections)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("code", ["invalid_blocks", "msg_blocks_too_long"])
async def test_an_answer_to_a_command_in_blocks_that_slack_refuses(
    stage: Scene, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its words come without form."""
    monkeypatch.setattr(intake, "_SLASH_WITHIN", 0.0)
    count = len(stage.slack.ephemerals)
    stage.slack.refuse_response(code)
    await stage.slack.command_as("U1", "C1", "/footnote", "why")
    await until(lambda: len(stage.slack.ephemerals) > count, lambda: str(stage.slack.ephemerals), 8.0)

    assert ((), "why") == (stage.slack.ephemerals[-1].blocks, visible_text(stage.slack.ephemerals[-1]).strip())


@pytest.mark.asyncio(loop_scope="module")
async def test_words_for_one_person_wait_for_a_pause(stage: Scene) -> None:
    """Whoever asked to see something sees it once Slack takes it: the pause is no reason for silence."""
    count = len(stage.slack.ephemerals)
    stage.slack.fail_next("chat.postEphemeral", status=429, retry_after=1)
    await stage.slack.post_as("U1", "C1", f"{stage.at_bot} /why")
    await until(lambda: len(stage.slack.ephemerals) > count, lambda: str(stage.slack.calls), 8.0)

    assert "why" == visible_text(stage.slack.ephemerals[-1]).strip()
