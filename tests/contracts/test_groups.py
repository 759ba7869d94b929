"""The groups that were imported."""

import pytest

from adapters.storage.database import Database
from adapters.storage.groups import SqlGroups

ANNA, BORIS = "anna@northwind.example", "telegram:42"


@pytest.fixture
def groups(database: Database) -> SqlGroups:
    """Return a book without groups."""
    return SqlGroups(database)


async def test_there_are_no_groups_before_an_import(groups: SqlGroups) -> None:
    """Nobody is in anything."""
    assert ({}, ()) == (await groups.members(), await groups.origins())


async def test_what_is_imported_comes_back(groups: SqlGroups) -> None:
    """Each member once, in any alphabet; a group that two origins name has the members of both."""
    await groups.replace("people.json", {"people-team": [ANNA, ANNA, BORIS], "бухгалтерия": [BORIS]})
    await groups.replace("more.csv", {"people-team": ["slack:T1:U1"]})

    assert {
        "people-team": frozenset({ANNA, BORIS, "slack:T1:U1"}),
        "бухгалтерия": frozenset({BORIS}),
    } == await groups.members()
    assert ("more.csv", "people.json") == await groups.origins()


async def test_an_import_takes_the_place_of_the_one_before(groups: SqlGroups) -> None:
    """Of the same origin and no other; who is not in it any more is in no group."""
    await groups.replace("people.json", {"people-team": [ANNA, BORIS], "gone": [ANNA]})
    await groups.replace("more.csv", {"kept": [ANNA]})
    await groups.replace("people.json", {"people-team": [BORIS]})

    assert {"people-team": frozenset({BORIS}), "kept": frozenset({ANNA})} == await groups.members()


async def test_many_members_are_kept(groups: SqlGroups) -> None:
    """More than a database takes values in one statement."""
    await groups.replace("all.csv", {"everybody": [f"p{n}@northwind.example" for n in range(12_000)]})

    assert 12_000 == len((await groups.members())["everybody"])
