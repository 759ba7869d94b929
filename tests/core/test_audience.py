"""From the people of a place to one audience: nothing is used that one of them may not read."""

from hypothesis import given, settings
from hypothesis import strategies as st

from core.audience import Groups, Reader, Room, audience_of, narrowed
from core.conversation import Audience

HOME = "workspace:T1"
GROUPS = Groups(
    {
        "people-team": frozenset({"slack:T1:U1", "anna@northwind.example"}),
        "managers": frozenset({"people-team", "slack:T1:S1"}),
        "staff": frozenset({HOME}),
        "бухгалтерия": frozenset({"slack:T1:U2"}),
        "ring": frozenset({"round"}),
        "round": frozenset({"ring", "slack:T1:U9"}),
    }
)
ANNA = Reader(frozenset({"slack:T1:U1", "anna@northwind.example", HOME}))
BORIS = Reader(frozenset({"slack:T1:U2", "slack:T1:S1", HOME}))
GUEST = Reader(frozenset({"slack:T1:U3"}))
PLACE = frozenset({"slack:T1:C1"})

_names = st.sampled_from(["a", "b", "c", "d", "e", "f", "g"])
_people = st.sets(_names, max_size=4).map(frozenset)
_audiences = st.builds(Audience, st.just("T1"), _people, guests=st.booleans())


def test_a_person_is_in_the_groups_of_their_groups() -> None:
    """By however many steps, also round in a ring; the way there is the shortest."""
    assert {"people-team", "managers", "staff"} <= GROUPS.names(ANNA.names)
    assert {"ring", "round"} <= GROUPS.names(["slack:T1:U9"])
    assert ("anna@northwind.example", "people-team", "managers") == GROUPS.way(["anna@northwind.example"], "managers")
    assert () == GROUPS.way(ANNA.names, "бухгалтерия")


def test_a_direct_message_is_for_all_that_the_person_is() -> None:
    """Their groups, their workspace, and the place."""
    audience = audience_of(Room("T1", frozenset({"slack:T1:D1"}), (ANNA,)), GROUPS)

    assert audience.may_read(frozenset({"managers"}))
    assert audience.may_read(frozenset({HOME}))
    assert audience.may_read(frozenset({"slack:T1:D1"}))
    assert not audience.may_read(frozenset({"бухгалтерия"}))


def test_a_channel_is_for_what_all_of_its_members_are() -> None:
    """Anna and Boris are both managers, by different ways; only one of each is in the other groups."""
    audience = audience_of(Room("T1", PLACE, (ANNA, BORIS)), GROUPS)

    assert Audience("T1", frozenset({"managers", "staff", *PLACE})) == audience


def test_a_guest_closes_what_is_for_the_workspace() -> None:
    """They do not belong to it; what is open to everybody and what names the place is left."""
    audience = audience_of(Room("T1", PLACE, (ANNA, BORIS, GUEST)), GROUPS)

    assert Audience("T1", PLACE, guests=True) == audience
    assert not audience.may_read(frozenset({HOME}))
    assert audience.may_read(frozenset())


def test_nobody_knows_who_reads_there() -> None:
    """Then it is as if anybody did; so it is in a channel that is shared, whoever is known to be there."""
    unknown = audience_of(Room("T1", PLACE), GROUPS)
    shared = audience_of(Room("T1", PLACE, (ANNA,), is_shared=True), GROUPS, frozenset({"people-team"}))

    assert Audience("T1", PLACE, guests=True) == unknown == shared


def test_a_place_may_be_said_to_be_for_a_group() -> None:
    """That stands for its members, as where nobody tells who they are; not when an outsider is seen there."""
    declared = frozenset({"people-team"})
    said = audience_of(Room("T1", PLACE), GROUPS, declared)
    visited = audience_of(Room("T1", PLACE, (ANNA, GUEST)), GROUPS, declared)

    assert said.may_read(frozenset({"managers"}))
    assert not visited.may_read(frozenset({"people-team"}))


@settings(derandomize=True, max_examples=300)
@given(st.lists(_people, min_size=1, max_size=4), st.dictionaries(_names, _people, max_size=4), _people)
def test_what_is_used_every_reader_may_read(
    people: list[frozenset[str]], groups: dict[str, frozenset[str]], readers: frozenset[str]
) -> None:
    """Whatever the groups are: a document for the audience is for each of them alone, too."""
    known = Groups(groups)
    audience = audience_of(Room("T1", PLACE, tuple(map(Reader, people))), known)
    each = [Audience("T1", known.names(names), guests=True) for names in people]

    assert not audience.may_read(readers) or all(one.may_read(readers) for one in each)


@settings(derandomize=True, max_examples=100)
@given(_audiences, _audiences, _people)
def test_narrowed_is_for_both(left: Audience, right: Audience, readers: frozenset[str]) -> None:
    """What the narrowed audience may read, both may."""
    both = narrowed(left, right)

    assert not both.may_read(readers) or (left.may_read(readers) and right.may_read(readers))
