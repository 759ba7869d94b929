"""Who reads in a Slack channel, as Slack tells it, and what is made of it when it does not."""

from collections.abc import AsyncIterator
from dataclasses import replace
from unittest.mock import patch

import pytest

from adapters.slack.connect import client_of
from adapters.slack.directory import PEOPLE_KEPT
from adapters.slack.members import ROOM_KEPT, SlackMembers
from core.audience import Groups, Room, audience_of
from tests.platforms.slack.models import ChannelKind
from tests.platforms.slack.stand_in import SlackStandIn
from tests.platforms.slack.web_api import ALL_SCOPES

TEAM, HOME = "T0TEAM", "workspace:T0TEAM"
ADDRESS = ("anna@northwind.example", f"slack:{TEAM}:anna@northwind.example")
PLACE, NAMES = f"{TEAM}:C1", frozenset({f"slack:{TEAM}:C1"})


class Time:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the seconds."""
        return self.now


@pytest.fixture
async def slack() -> AsyncIterator[SlackStandIn]:
    """Give a workspace with Anna and Борис in a channel, a guest and somebody of another company."""
    async with SlackStandIn() as slack:
        furnish(slack)
        yield slack


def furnish(slack: SlackStandIn) -> None:
    """Put people and a channel into a workspace."""
    slack.add_user("U1ANNA", email="Anna@Northwind.example")
    slack.add_user("U2BORIS", name="Борис")
    slack.add_user("U3GUEST", is_guest=True)
    slack.add_user("U4OTHER", team_id="T9OTHER", email="anna@northwind.example")
    slack.workspace.user_groups["S1PEOPLE"] = frozenset({"U1ANNA", "U3GUEST"})
    slack.add_channel("C1", members={"U1ANNA", "U2BORIS"})


def members_of(slack: SlackStandIn, time: Time | None = None) -> SlackMembers:
    """Return the members as Slack tells them."""
    client = client_of(slack.app.bot_token, slack.api_base_url)
    return SlackMembers(lambda _: client, time or Time())


def change(slack: SlackStandIn, **traits: object) -> None:
    """Let the channel be another one."""
    slack.workspace.channels["C1"] = replace(slack.workspace.channels["C1"], **traits)  # type: ignore[arg-type]


async def names_in(slack: SlackStandIn, *people: str) -> dict[str, frozenset[str]]:
    """Return what each reader of the channel is called, by their id."""
    change(slack, members=frozenset({*people, slack.bot_user_id}))
    room = await members_of(slack).room(PLACE)
    assert room.readers is not None
    inside = [(name, one.names) for one in room.readers for name in sorted(one.names) if ":U" in name]
    return {name.rpartition(":")[2]: names for name, names in inside}


async def test_people_go_by_id_email_and_user_groups(slack: SlackStandIn) -> None:
    """The bot itself reads nothing; case does not count in an e-mail address."""
    found = await names_in(slack, "U1ANNA", "U2BORIS")

    assert {
        "U1ANNA": frozenset({f"slack:{TEAM}:U1ANNA", f"slack:{TEAM}:S1PEOPLE", *ADDRESS, HOME}),
        "U2BORIS": frozenset({f"slack:{TEAM}:U2BORIS", HOME}),
    } == found


async def test_a_guest_is_not_the_workspace_and_a_stranger_nobody_but_themselves(slack: SlackStandIn) -> None:
    """What another workspace says of its people, such as an e-mail address, opens nothing here."""
    found = await names_in(slack, "U3GUEST", "U4OTHER")

    assert frozenset({f"slack:{TEAM}:U3GUEST", f"slack:{TEAM}:S1PEOPLE"}) == found["U3GUEST"]
    assert frozenset({f"slack:{TEAM}:U4OTHER"}) == found["U4OTHER"]


async def test_of_many_workspaces_none_can_give_its_people_anothers_address(slack: SlackStandIn) -> None:
    """Whoever administers a workspace can give anybody there any address: it counts with the workspace alone."""
    client = client_of(slack.app.bot_token, slack.api_base_url)
    reader = await SlackMembers(lambda _: client, is_one=False).person(PLACE, "U1ANNA")

    assert reader is not None
    assert frozenset({f"slack:{TEAM}:U1ANNA", f"slack:{TEAM}:S1PEOPLE", ADDRESS[1], HOME}) == reader.names


@pytest.mark.parametrize("kind", ["channel", "group", "mpim"])
async def test_whoever_belongs_to_the_workspace_reads_in_a_public_channel(
    slack: SlackStandIn, kind: ChannelKind
) -> None:
    """Without joining; in a private one and in a group message only who is in it."""
    change(slack, members=frozenset({"U1ANNA", slack.bot_user_id}), kind=kind)
    room = await members_of(slack).room(PLACE)
    groups = Groups({"hr": frozenset({"anna@northwind.example"}), "staff": frozenset({HOME})})

    assert (kind != "channel") == audience_of(room, groups).may_read(frozenset({"hr"}))
    assert audience_of(room, groups).may_read(frozenset({"staff"}))
    assert audience_of(room, groups, frozenset({"hr"})).may_read(frozenset({"hr"}))


async def test_a_guest_in_a_public_channel_reads_there_too(slack: SlackStandIn) -> None:
    """So it is for what the guest and everybody of the workspace may read: for everybody alone, and for the place."""
    change(slack, members=frozenset({"U1ANNA", "U3GUEST"}))
    audience = audience_of(await members_of(slack).room(PLACE), Groups())

    assert not any(audience.may_read(frozenset({one})) for one in (HOME, f"slack:{TEAM}:S1PEOPLE", ADDRESS[0]))
    assert audience.may_read(NAMES)


async def test_a_shared_channel_is_known_as_one(slack: SlackStandIn) -> None:
    """Whoever is in it."""
    change(slack, is_ext_shared=True)

    assert Room(TEAM, NAMES, is_shared=True) == await members_of(slack).room(PLACE)


@pytest.mark.parametrize("missing", ["channels:read", "users:read"])
async def test_without_a_scope_nobody_is_known_to_read(missing: str) -> None:
    """Then only what is open, and what names the place, may be used."""
    async with SlackStandIn(scopes=ALL_SCOPES - {missing}) as slack:
        furnish(slack)

        assert Room(TEAM, NAMES) == await members_of(slack).room(PLACE)


async def test_without_the_scope_for_user_groups_the_rest_is_known() -> None:
    """Fewer names, and nothing more to be read."""
    async with SlackStandIn(scopes=ALL_SCOPES - {"usergroups:read", "users:read.email"}) as slack:
        furnish(slack)
        reader = await members_of(slack).person(PLACE, "U1ANNA")

        assert reader is not None
        assert frozenset({f"slack:{TEAM}:U1ANNA", HOME}) == reader.names


async def test_a_channel_that_slack_does_not_know_has_no_readers(slack: SlackStandIn) -> None:
    """Nor one that it answers about with an error."""
    members = members_of(slack)
    slack.fail_next("conversations.members", status=500)

    assert Room(TEAM, NAMES) == await members.room(PLACE)
    assert Room(TEAM, frozenset({f"slack:{TEAM}:CNONE"})) == await members.room(f"{TEAM}:CNONE")


@pytest.mark.parametrize("method", ["conversations_info", "conversations_members", "users_list"])
async def test_an_answer_of_another_form_names_nobody(slack: SlackStandIn, method: str) -> None:
    """What is not as Slack says it would be is no reason to fail, nor to let anybody read more."""
    members = members_of(slack)
    client = members.client_for(TEAM)
    assert client
    with patch.object(client, method, client.auth_test):
        assert Room(TEAM, NAMES) == await SlackMembers(lambda _: client).room(PLACE)


async def test_so_many_channels_are_remembered_and_those_of_who_left_are_not(
    slack: SlackStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one asked for longest ago goes first; with the workspace go its people."""
    monkeypatch.setattr("adapters.slack.members.MOST_ROOMS", 2)
    members = members_of(slack)
    for channel in ("C2", "C3"):
        slack.add_channel(channel, members={"U1ANNA"})
    for channel in ("C1", "C2", "C1", "C3"):
        await members.room(f"{TEAM}:{channel}")
    asked = len(slack.calls_to("conversations.info"))
    await members.room(f"{TEAM}:C3")
    assert asked == len(slack.calls_to("conversations.info"))
    members.heed({"team_id": TEAM, "event": {"type": "app_uninstalled"}})

    assert ({}, {}) == (members._directories, members._rooms)


async def test_it_is_asked_seldom_and_anew_when_it_must_be_sure(slack: SlackStandIn) -> None:
    """A minute for a channel, ten for people; `fresh` asks at once."""
    time = Time()
    members = members_of(slack, time)
    for _ in range(3):
        await members.room(PLACE)
    asked = [len(slack.calls_to("conversations.members")), len(slack.calls_to("users.list"))]
    time.now += ROOM_KEPT + 1
    await members.room(PLACE)
    await members.room(PLACE, fresh=True)
    later = [len(slack.calls_to("conversations.members")), len(slack.calls_to("users.list"))]
    time.now += PEOPLE_KEPT
    await members.person(PLACE, "U1ANNA")

    assert [[1, 1], [3, 1], 2] == [asked, later, len(slack.calls_to("users.list"))]


async def test_somebody_new_is_looked_up(slack: SlackStandIn) -> None:
    """A member whom nobody has heard of yet is a guest until Slack says otherwise: it is asked again."""
    members = members_of(slack)
    await members.room(PLACE)
    slack.add_user("U5NEW")
    change(slack, members=frozenset({"U5NEW"}))
    room = await members.room(PLACE, fresh=True)

    assert room.readers is not None
    assert frozenset({f"slack:{TEAM}:U5NEW", HOME}) == room.readers[0].names


@pytest.mark.parametrize(
    ("event", "asked"),
    [
        ({"type": "member_joined_channel", "user": "U3GUEST", "channel": "C1"}, (2, 1)),
        ({"type": "member_left_channel", "user": "U1ANNA", "channel": "C1"}, (2, 1)),
        ({"type": "member_joined_channel", "user": "U3GUEST", "channel": "C2"}, (1, 1)),
        ({"type": "subteam_members_changed", "subteam_id": "S1PEOPLE"}, (2, 1)),
        ({"type": "user_change", "user": {"id": "U1ANNA"}}, (2, 1)),
        ({"type": "user_change", "user": {}}, (2, 2)),
        ({"type": "user_change"}, (2, 2)),
        ({"type": "message", "channel": "C1", "text": "member_joined_channel"}, (1, 1)),
    ],
    ids=str,
)
async def test_events_tell_what_is_not_so_any_more(
    slack: SlackStandIn, event: dict[str, object], asked: tuple[int, int]
) -> None:
    """Of one channel, or of people anywhere; a message tells nothing of the kind."""
    members = members_of(slack)
    await members.room(PLACE)
    members.heed({"team_id": TEAM, "event": event})
    await members.room(PLACE)

    assert asked == (len(slack.calls_to("conversations.members")), len(slack.calls_to("users.list")))
