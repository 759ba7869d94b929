"""Who somebody in Slack is, kept by events: whoever is out is out at once, and nothing is asked for without need."""

import asyncio
import copy
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.directory import Directory
from adapters.slack.members import ROOM_KEPT, TOLD_AGAIN, SlackMembers
from core.audience import Room
from tests.adapters.slack.test_members import ADDRESS, HOME, NAMES, PLACE, TEAM, Time, furnish, members_of
from tests.platforms.slack.lookup_methods import described
from tests.platforms.slack.stand_in import SlackStandIn
from tests.platforms.slack.waiting import until

ANNA, BORIS = f"slack:{TEAM}:U1ANNA", f"slack:{TEAM}:U2BORIS"
GROUP = f"slack:{TEAM}:S1PEOPLE"


@pytest.fixture
async def slack() -> AsyncIterator[SlackStandIn]:
    """Give a workspace with Anna and Борис in a channel, a guest and somebody of another company."""
    async with SlackStandIn() as slack:
        furnish(slack)
        yield slack


def changed(slack: SlackStandIn, person: str, **traits: Any) -> dict[str, Any]:
    """Let somebody be another one a second later; return the event that tells it."""
    known = slack.workspace.users[person]
    slack.workspace.users[person] = replace(known, updated=known.updated + 1, **traits)
    user = described(slack.workspace, slack.workspace.users[person])
    return {"team_id": TEAM, "event": {"type": "user_change", "user": user}}


async def names(members: SlackMembers, *, fresh: bool = False) -> list[frozenset[str]] | None:
    """Return what everybody in the channel is called, in the order of their ids; it is public, so others look in."""
    room = await members.room(PLACE, fresh=fresh)
    return None if room.readers is None else [one.names for one in room.readers if one.names != {HOME}]


def asked(slack: SlackStandIn) -> list[int]:
    """Return how often Slack was asked for the channel, for the list, for one person, and for the groups."""
    methods = ("conversations.members", "users.list", "users.info", "usergroups.list")
    return [len(slack.calls_to(method)) for method in methods]


BOTH = [frozenset({ANNA, GROUP, *ADDRESS, HOME}), frozenset({BORIS, HOME})]


@pytest.mark.parametrize("person", ["U1ANNA", "U2BORIS", "U4OTHER"])
async def test_a_status_or_another_name_asks_for_nothing(slack: SlackStandIn, person: str) -> None:
    """Calendars change a status all day long, also of people of other companies: nobody may read anything else."""
    members = members_of(slack)
    await members.room(PLACE)
    for name in ("On holiday", "В отпуске"):
        members.heed(changed(slack, person, name=name))
        assert BOTH == await names(members)

    assert [1, 1, 0, 1] == asked(slack)


@pytest.mark.parametrize("traits", [{"deleted": True}, {"is_guest": True}, {"team_id": "T9OTHER"}], ids=str)
async def test_who_leaves_the_workspace_is_out_at_once(slack: SlackStandIn, traits: dict[str, Any]) -> None:
    """Deactivated, made a guest, moved elsewhere: what the event says counts, and the list is not asked for again."""
    members = members_of(slack)
    await members.room(PLACE)
    members.heed(changed(slack, "U2BORIS", **traits))

    assert [BOTH[0], frozenset({BORIS})] == await names(members)
    assert [2, 1, 0, 1] == asked(slack)


async def test_who_leaves_a_group_is_out_at_once(slack: SlackStandIn) -> None:
    """The groups are asked for anew, the people are not."""
    members = members_of(slack)
    await members.room(PLACE)
    slack.workspace.user_groups["S1PEOPLE"] = frozenset()
    members.heed({"team_id": TEAM, "event": {"type": "subteam_members_changed", "subteam_id": "S1PEOPLE"}})

    assert [BOTH[0] - {GROUP}, BOTH[1]] == await names(members)
    assert [2, 1, 0, 2] == asked(slack)


@pytest.mark.parametrize("slow", ["users.list", "usergroups.list", "conversations.members"])
async def test_what_changes_while_it_is_asked_for_is_in_the_answer(slack: SlackStandIn, slow: str) -> None:
    """Slack's answer was written before: the person, the group and the channel are as the events say all the same."""
    members = members_of(slack)
    slack.fail_next(slow, delay=0.2)
    asking = asyncio.create_task(names(members))
    await until(lambda: bool(slack.calls_to(slow)), lambda: f"{slack.calls}", 5.0)
    slack.workspace.user_groups["S1PEOPLE"] = frozenset()
    slack.workspace.channels["C1"] = replace(slack.workspace.channels["C1"], members=frozenset({"U1ANNA", "U3GUEST"}))
    gone = changed(slack, "U1ANNA", is_guest=True)
    for event in ({"type": "subteam_updated"}, {"type": "member_joined_channel", "channel": "C1"}):
        members.heed({"team_id": TEAM, "event": event})
    members.heed(gone)

    assert [frozenset({ANNA, *ADDRESS}), frozenset({f"slack:{TEAM}:U3GUEST"})] == await asking
    assert len(slack.calls_to("users.list")) == 1


async def test_an_old_event_that_comes_again_opens_nothing(slack: SlackStandIn) -> None:
    """Slack sends an event again when it was not acknowledged: by then it may have been overtaken."""
    members = members_of(slack)
    await members.room(PLACE)
    promoted = changed(slack, "U3GUEST", is_guest=False)
    members.heed(changed(slack, "U3GUEST", is_guest=True, deleted=True))
    members.heed(promoted)
    reader = await members.person(PLACE, "U3GUEST")

    assert reader is not None
    assert {f"slack:{TEAM}:U3GUEST"} == reader.names


async def test_an_event_that_tells_less_than_the_list_is_looked_into(slack: SlackStandIn) -> None:
    """An address that it leaves out is not lost, and what it leaves out of somebody's rights is not granted."""
    members = members_of(slack)
    await members.room(PLACE)
    address, rights = changed(slack, "U1ANNA"), changed(slack, "U3GUEST")
    del address["event"]["user"]["profile"]["email"]
    del rights["event"]["user"]["is_restricted"]
    members.heed(address)
    members.heed(rights)
    guest = await members.person(PLACE, "U3GUEST")

    assert BOTH == await names(members)
    assert guest is not None
    assert {f"slack:{TEAM}:U3GUEST", GROUP} == guest.names
    assert [2, 1, 2, 1] == asked(slack)


async def test_what_changes_in_one_workspace_leaves_the_others(slack: SlackStandIn) -> None:
    """Whatever is told of another one, people and groups of this one stay known."""
    members = members_of(slack)
    await members.room(PLACE)
    for event in (
        *({"type": "subteam_updated"}, {"type": "app_uninstalled"}, {"type": "user_change"}),
        *({"type": "member_joined_channel", "channel": "C1"}, {"type": "team_join", "user": {"id": "U9"}}),
    ):
        members.heed({"team_id": "T9OTHER", "event": event})
    await members.room(PLACE)

    assert [1, 1, 0, 1] == asked(slack)


@pytest.mark.parametrize("fresh", [False, True])
async def test_a_failure_is_not_remembered(slack: SlackStandIn, *, fresh: bool) -> None:
    """Nobody is known to read while it lasts; with the next question that is over."""
    members = members_of(slack, time := Time())
    await members.room(PLACE)
    time.now += ROOM_KEPT + 1
    slack.fail_next("conversations.info", status=500)

    assert Room(TEAM, NAMES) == await members.room(PLACE, fresh=fresh)
    assert BOTH == await names(members)


async def test_groups_that_slack_does_not_tell_for_a_moment_are_not_none(slack: SlackStandIn) -> None:
    """To remember that nobody is in any would refuse right answers for ten minutes."""
    members = members_of(slack)
    slack.fail_next("usergroups.list", status=503)

    assert [[BOTH[0] - {GROUP}, BOTH[1]], BOTH] == [await names(members), await names(members)]


async def test_a_pause_that_slack_asks_for_is_waited_for(slack: SlackStandIn) -> None:
    """A second is less than a question waits anyway; a minute is not waited for."""
    members = members_of(slack)
    slack.fail_next("users.list", status=429, retry_after=1)
    slack.fail_next("conversations.members", status=429, retry_after=60)

    assert [None, BOTH] == [await names(members), await names(members)]


async def test_a_reason_is_named_again_after_an_hour(slack: SlackStandIn, caplog: pytest.LogCaptureFixture) -> None:
    """Not with every question, but as long as it holds."""
    members, counts = members_of(slack, time := Time()), list[int]()
    slack.fail_next("conversations.info", error="missing_scope", times=9)
    with caplog.at_level(logging.WARNING, "adapters.slack.members"):
        for later in (0.0, 60.0, TOLD_AGAIN):
            time.now += later
            await members.room(PLACE)
            counts.append(len(caplog.records))

    assert [1, 1, 2] == counts


async def test_a_long_list_goes_on_for_who_asks_next(slack: SlackStandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever gives up waiting is told no more than all may read; the list that comes in later is not lost."""
    monkeypatch.setattr("adapters.slack.members.PATIENCE", 0.1)
    members = members_of(slack)
    slack.fail_next("users.list", delay=0.3)
    first = await names(members)
    await asyncio.wait({members._directory(TEAM)._begin()})

    assert [None, BOTH] == [first, await names(members)]
    assert len(slack.calls_to("users.list")) == 1
    members.stop()


async def test_a_long_list_is_kept_fresh_until_the_bot_stops(
    slack: SlackStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it is too old it is asked for again, so that nobody has to wait for it."""
    monkeypatch.setattr("adapters.slack.directory._PAGE", 2)
    monkeypatch.setattr("adapters.slack.directory.PEOPLE_KEPT", 0.1)
    members = members_of(slack)
    await members.room(PLACE)
    pages = len(slack.calls_to("users.list"))
    await until(lambda: len(slack.calls_to("users.list")) >= 3 * pages, lambda: f"{slack.calls}", 5.0)
    loading = members._directory(TEAM)._begin()
    members.stop()
    await asyncio.wait({loading})
    pages = len(slack.calls_to("users.list"))
    await asyncio.sleep(0.1)

    assert pages == len(slack.calls_to("users.list"))


class FewPeople:
    """A Slack of one person, of which only what the directory asks for is there."""

    def __init__(self, user: dict[str, Any]) -> None:
        self.user = user

    async def users_list(self, **_: object) -> AsyncSlackResponse:
        """Return the only person there is."""
        return _response(members=[copy.deepcopy(self.user)])

    async def users_info(self, **_: object) -> AsyncSlackResponse:
        """Return that person."""
        return _response(user=copy.deepcopy(self.user))

    async def usergroups_list(self, **_: object) -> AsyncSlackResponse:
        """Return no group."""
        return _response(usergroups=[])


def _response(**data: Any) -> AsyncSlackResponse:
    return AsyncSlackResponse(
        client=None, http_verb="GET", api_url="", req_args={}, data={"ok": True, **data}, headers={}, status_code=200
    )


# A change of somebody so many seconds after the last, an event told again, or a question.
CHANGE = st.tuples(st.sampled_from(["is_restricted", "deleted", "real_name"]), st.integers(0, 1))
STEPS = st.lists(st.one_of(CHANGE, st.integers(0, 30), st.just("?")), max_size=25)


@given(STEPS)
def test_whoever_heard_the_latest_event_is_never_behind_it(steps: list[Any]) -> None:
    """However often and in whatever order the older ones come again, and within one second too."""
    asyncio.run(_walk(steps))


async def _walk(steps: list[Any]) -> None:
    user: dict[str, Any] = {"id": "U1", "team_id": TEAM, "updated": 1, "profile": {}}
    user |= {"is_restricted": False, "deleted": False, "real_name": False}
    slack, events, is_up_to_date = FewPeople(user), [copy.deepcopy(user)], True
    directory = Directory(TEAM, lambda: _client(slack), Time(), print, is_one=True)
    await directory.look(["U1"])
    # In the end the latest event is heard, whatever came before it.
    for step in [*steps, -1, "?"]:
        match step:
            case (trait, later):
                user[trait], user["updated"] = not user[trait], user["updated"] + later
                events.append(copy.deepcopy(user))
                is_up_to_date = False
            case int():
                directory.heed(events[step % len(events)], is_own=True)
                is_up_to_date |= step % len(events) == len(events) - 1
            case _ if is_up_to_date:
                await directory.look(["U1"])
                belongs = not user["is_restricted"] and not user["deleted"]
                assert (HOME in directory.reader("U1").names) == belongs


def _client(slack: object) -> AsyncWebClient:
    return slack  # type: ignore[return-value]  # of the client only three methods are used
