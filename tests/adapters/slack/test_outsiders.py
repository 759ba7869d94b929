"""Guests, other organisations and shared channels in Slack: no answer, and one polite line, unless all are let in."""

import asyncio
import time
from typing import Any
from unittest.mock import AsyncMock

import pytest
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.app import SlackPlatform
from adapters.slack.channels import Channels
from core.conversation import MessageRef
from core.delivery import Later, Outgoing, Refused, Shown
from core.phrases import phrase
from core.press import Press, PressOutcome
from tests.adapters.slack.scene import DAYS, Scene, outgoing, scene, settings, workspace
from tests.adapters.slack.test_commands import whispers
from tests.platforms.slack import visible_text

LOOK_UPS = ("users.info", "conversations.info")


async def made_outside(stage: Scene, kind: str) -> None:
    """Let U1 be a guest, a stranger or from another team, or the channel be shared."""
    if kind == "shared":
        await stage.slack.share_channel("C1")
        await stage.slack.settled()
    traits: dict[str, Any] = {"guest": {"is_guest": True}, "elsewhere": {"team_id": "T0OTHER"}}.get(kind, {})
    stage.slack.add_user("U1", name="Ada", **traits)


@pytest.mark.parametrize(
    ("kind", "name"), [("guest", "outside_person"), ("elsewhere", "outside_person"), ("shared", "outside_channel")]
)
async def test_outsiders_get_one_polite_line(stage: Scene, kind: str, name: str) -> None:
    """Nothing is stored or shown to others; who asks again is not told again."""
    await made_outside(stage, kind)
    root = await stage.asks("How many days?")
    assert [("U1", None, phrase(name, "en"))] == await whispers(stage)
    await stage.asks("Сколько дней?", thread_ts=root)
    await stage.quiet()

    assert {} == stage.desk.questions
    assert [] == stage.slack.answers("C1", root)
    assert 1 == len(stage.slack.ephemerals)


@pytest.mark.parametrize("kind", ["guest", "elsewhere", "shared"])
@pytest.mark.parametrize(("text", "mine"), [("How many days?", "And mine?"), ("Сколько дней?", "А у меня?")])
async def test_where_all_are_heard_an_outsider_who_has_not_spoken_to_us_hears_nothing(
    stage: Scene, kind: str, text: str, mine: str
) -> None:
    """Mode `all`: they ask the people there. Who calls us is told, once, also after that; members are answered."""
    stage.desk.mode = "all"
    await made_outside(stage, kind)
    first = await stage.slack.post_as("U1", "C1", text)
    await stage.slack.post_as("U1", "C1", mine, thread_ts=first)
    await stage.quiet()
    unsaid = list(stage.slack.ephemerals)
    await stage.asks(text)
    told = await whispers(stage)
    member = await stage.slack.post_as("U2", "C1", text)
    if kind != "shared":
        await stage.answered("C1", member)
    await stage.quiet()

    assert [] == unsaid
    assert ["U1"] == [who for who, *_ in told]
    assert [] == stage.slack.answers("C1", first)
    assert bool(stage.slack.answers("C1", member)) == (kind != "shared")
    assert 1 == len(stage.slack.ephemerals)


async def test_a_guest_gets_nothing_in_a_direct_message_either(stage: Scene) -> None:
    """In their own language."""
    stage.slack.add_user("U1", name="Ada", is_guest=True, locale="ru-RU")
    await stage.slack.post_as("U1", stage.slack.open_dm("U1"), "Сколько дней?")

    assert [phrase("outside_person", "ru")] == [one[2] for one in await whispers(stage)]
    assert {} == stage.desk.questions


@pytest.mark.parametrize("kind", ["guest", "elsewhere", "shared"])
async def test_the_operator_may_let_all_in(kind: str) -> None:
    """Then nobody is looked up either."""
    async with scene(lets_outsiders_in=True) as stage:
        await made_outside(stage, kind)
        ts = await stage.asks("How many days?")
        await stage.answered("C1", ts)

        assert [] == stage.slack.calls_to("users.info") + stage.slack.calls_to("conversations.info")


async def test_commands_and_presses_of_outsiders_do_nothing(stage: Scene) -> None:
    """Neither in a mention nor by slash, nor by a button that stands there from before."""
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)
    body = stage.platform.button("Show?", "show:1", "Show")
    shown = await stage.platform.show(Outgoing(1, "q", "note", body, MessageRef("slack", "T0TEAM:C1", ts), ts))
    assert isinstance(shown, Shown)
    assert shown.message is not None
    await made_outside(stage, "shared")
    await stage.slack.click_as("U2", "C1", shown.message.message, "footnote_button")
    await stage.slack.command_as("U2", "C1", "/footnote", "why")
    await stage.slack.command_as("U2", "C1", "/ask", "How many days?")
    await stage.asks("/why", user="U2")

    assert {phrase("outside_channel", "en")} == {one[2] for one in await whispers(stage, 4)}
    assert ([], []) == (stage.desk.presses, stage.desk.commands)


async def test_a_channel_that_is_shared_meanwhile_gets_no_answer(stage: Scene) -> None:
    """It is looked at again before each message: a sentence stands in place of the answer, nothing of its evidence."""
    stage.script.gate.clear()
    ts = await stage.asks("How many days?")
    await stage.at_work(1)
    await stage.slack.share_channel("C1")
    await stage.slack.settled()
    stage.script.gate.set()
    await stage.quiet()

    assert [phrase("outside_now", "en")] == [visible_text(one) for one in stage.slack.answers("C1", ts)]
    assert isinstance(stage.desk.outcomes[-1][1], Refused)


async def test_that_it_is_shared_no_more_is_looked_up(stage: Scene) -> None:
    """One organisation may have left and another stayed."""
    await made_outside(stage, "shared")
    await stage.asks("How many days?")
    await whispers(stage)
    stage.slack.add_channel("C1", members=["U1", "U2", stage.slack.bot_user_id])
    await stage.slack.deliver({"type": "channel_unshared", "channel": "C1", "previously_connected_team_id": "T0OTHER"})
    ts = await stage.asks("How many days?")

    assert await stage.answered("C1", ts)


async def test_who_may_not_be_looked_up_counts_as_outside(stage: Scene) -> None:
    """Without the permission nobody is answered; the asker hears that one is missing."""
    stage.slack.fail_next("users.info", error="missing_scope", times=5)
    await stage.asks("How many days?")

    assert [phrase("outside_unknown", "en")] == [one[2] for one in await whispers(stage)]
    assert {} == stage.desk.questions


@pytest.mark.parametrize("trouble", [{"error": "missing_scope"}, {"error": "token_revoked"}, {"status": 503}])
async def test_where_readers_cannot_be_looked_up_nothing_is_shown(trouble: dict[str, Any]) -> None:
    """It waits; a process that has heard no event of the channel has to ask."""
    async with workspace() as slack:
        ts = await slack.post_as("U1", "C1", "How many days?")
        platform = SlackPlatform(settings(slack))
        async with platform.connected():
            slack.fail_next("conversations.info", **trouble)
            outcome = await platform.show(outgoing(ts, platform.parts(DAYS)[0]))

    assert isinstance(outcome, Later)
    assert [] == slack.answers("C1", ts)


TROUBLES: list[dict[str, Any]] = [
    {"status": 500},
    {"status": 429, "retry_after": 1},
    {"error": "ratelimited"},
    {"error": "fatal_error"},
    {"drop": "before"},
    {"delay": 0.4},
]


def troubled(stage: Scene, trouble: dict[str, Any]) -> None:
    """Let every look-up go wrong."""
    for method in LOOK_UPS:
        stage.slack.fail_next(method, times=1_000, **trouble)


def mended(stage: Scene) -> None:
    for method in LOOK_UPS:
        stage.slack.mend(method)


def said(stage: Scene) -> int:
    """Return how much the bot has said, to whomever."""
    posts = ("chat.postMessage", "chat.postEphemeral", "chat.update", "assistant.threads.setTitle")
    return sum(len(stage.slack.calls_to(method)) for method in posts)


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_a_question_is_stored_whatever_look_ups_do(
    stage: Scene, trouble: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event is acknowledged at once, nothing is seen before it is known who asks, and then the answer is."""
    monkeypatch.setattr("adapters.slack.people.QUICK", 0.1)
    troubled(stage, trouble)
    before = time.monotonic()
    ts = await stage.asks("Сколько дней?")
    await stage.slack.settled()
    seconds, unseen = time.monotonic() - before, said(stage)
    if "delay" not in trouble:
        await asyncio.sleep(0.3)
        unseen += said(stage)
        mended(stage)
    answer = await stage.answered("C1", ts)

    assert [[200]] == [one.statuses for one in stage.slack.deliveries if one.payload["event"]["type"] == "app_mention"]
    assert (True, 0) == (seconds < 0.3, unseen)
    assert ["Сколько дней?"] == stage.texts
    assert 2 == len(answer)


@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize("kind", ["guest", "shared"])
async def test_outsiders_see_nothing_before_it_is_known_that_they_are(
    stage: Scene, trouble: dict[str, Any], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then they alone are told, and nothing of what they asked is kept."""
    monkeypatch.setattr("adapters.slack.people.QUICK", 0.1)
    await made_outside(stage, kind)
    troubled(stage, trouble)
    ts = await stage.asks("How many days?")
    await stage.slack.settled()
    unseen = said(stage)
    mended(stage)
    [told] = await whispers(stage)
    await stage.quiet()

    assert kind == "shared" or unseen == 0
    assert phrase("outside_channel" if kind == "shared" else "outside_person", "en") == told[2]
    assert ({}, []) == (stage.desk.questions, stage.slack.answers("C1", ts))


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_a_private_question_is_stored_whatever_look_ups_do(
    stage: Scene, trouble: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`/ask` is acknowledged without a word, and answered once it is known who asks."""
    monkeypatch.setattr("adapters.slack.people.QUICK", 0.1)
    troubled(stage, trouble)
    delivery = await stage.slack.command_as("U1", "C1", "/ask", "Сколько дней?")
    await stage.slack.settled()
    acknowledged = (delivery.statuses, len(stage.slack.ephemerals))
    stored = stage.texts
    mended(stage)
    shown = [one[2] for one in await whispers(stage, 2) if one[2] != phrase("private_looking", "ru")]
    await stage.quiet()

    assert (([200], 0), ["Сколько дней?"]) == (acknowledged, stored)
    assert 2 == len(shown)


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_a_shortcut_is_stored_whatever_look_ups_do(
    stage: Scene, trouble: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether we can write there is found out afterwards, too; who invites us and asks again is answered."""
    monkeypatch.setattr("adapters.slack.people.QUICK", 0.1)
    ts = await stage.slack.post_as("U1", "C2", "How many days?")
    troubled(stage, trouble)
    delivery = await stage.slack.shortcut_as("U1", "C2", ts, "footnote_answer")
    await stage.slack.settled()
    acknowledged = (delivery.statuses, said(stage))
    mended(stage)
    [told] = await whispers(stage)
    await stage.quiet()
    left = dict(stage.desk.questions)
    stage.slack.add_channel("C2", members=["U1", stage.slack.bot_user_id])
    await stage.slack.shortcut_as("U1", "C2", ts, "footnote_answer")

    assert (([200], 0), {}) == (acknowledged, left)
    assert phrase("shortcut_invite", "en") == told[2]
    assert await stage.answered("C2", ts)


async def test_a_press_that_asks_is_stored_whatever_look_ups_do(stage: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands at the door; one that asks nothing is left to be pressed again."""
    monkeypatch.setattr("adapters.slack.people.QUICK", 0.1)
    pressed: list[Press] = []
    take = stage.desk.pressed

    async def noted(press: Press) -> PressOutcome:
        pressed.append(press)
        return await take(press)

    monkeypatch.setattr(stage.desk, "pressed", noted)
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)
    deliveries = []
    for button in ("more:list", "show:1"):
        shown = await stage.platform.show(
            Outgoing(
                1, button, "n", stage.platform.button("More?", button, "More"), MessageRef("slack", "T0TEAM:C1", ts)
            )
        )
        assert isinstance(shown, Shown)
        assert shown.message
        troubled(stage, {"status": 500})
        deliveries.append(await stage.slack.click_as("U2", "C1", shown.message.message, "footnote_button"))
        await stage.slack.settled()
        mended(stage)

    assert [("more:list", True)] == [(press.button, press.at_door) for press in pressed]
    assert [True, False] == [one.acked for one in deliveries]


async def test_no_look_up_is_made_while_slack_asks_for_a_pause(stage: Scene) -> None:
    """Those that wait for the same are told so without a call; who is looked up at once is looked up once."""
    stage.slack.fail_next("users.info", status=429, retry_after=1)
    for user in ("U1", "U2"):
        ts = await stage.asks("How many days?", user=user)
        await stage.slack.settled()
    await asyncio.sleep(0.3)
    within = len(stage.slack.calls_to("users.info"))
    await stage.answered("C1", ts)

    assert within <= 2
    assert len(stage.slack.calls_to("users.info")) <= within + 2


@pytest.mark.parametrize(
    ("told", "is_shared"),
    [
        ({}, False),
        ({"is_ext_shared": False, "is_pending_ext_shared": False}, False),
        ({"is_ext_shared": True}, True),
        ({"is_pending_ext_shared": True}, True),
        ({"is_org_shared": True}, False),
    ],
)
async def test_who_is_invited_counts_as_there(told: dict[str, Any], *, is_shared: bool) -> None:
    """Whoever accepts will read what was said before; another workspace of one organisation is no outsider."""
    client = AsyncWebClient()
    answer = {"ok": True, "channel": told}
    client.conversations_info = AsyncMock(  # type: ignore[method-assign]
        return_value=AsyncSlackResponse(
            client=client, http_verb="POST", api_url="", req_args={}, data=answer, headers={}, status_code=200
        )
    )

    assert is_shared is await Channels(client).is_shared("C1")
    assert not await Channels(client).is_shared("D1")


async def test_nobody_is_asked_who_reads_what_one_person_is_written() -> None:
    """Progress of `/reindex` goes to a person by their id, which is no channel: Slack is not asked about it."""
    client = AsyncWebClient()
    client.conversations_info = AsyncMock(side_effect=AssertionError("a person is no channel"))  # type: ignore[method-assign]

    assert [False] * 3 == [await Channels(client).is_shared(place) for place in ("D1", "U0ADMIN", "W0ADMIN")]
