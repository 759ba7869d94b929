"""Groups from files, and why somebody may read a page or not."""

import json
from pathlib import Path

import pytest

from bot.groups import explained, read_import
from core.audience import Groups, Reader, Room, audience_of
from core.errors import ConfigError
from core.ingest.document import Document

USER, GROUP = "urn:ietf:params:scim:schemas:core:2.0:User", "urn:ietf:params:scim:schemas:core:2.0:Group"
ANNA = {
    "schemas": [USER],
    "id": "1",
    "userName": "anna",
    "emails": [{"value": "old@x.example"}, {"value": "Anna@X.example", "primary": True}],
}
GONE = {"schemas": [USER], "id": "2", "userName": "gone@x.example", "active": False}
BORIS = {"schemas": [USER], "id": "3", "userName": "boris@x.example"}
TEAM = {"schemas": [GROUP], "id": "g1", "displayName": "people-team", "members": [{"value": "1"}, {"value": "2"}]}
ALL = {
    "schemas": [GROUP],
    "id": "g2",
    "displayName": "Все",
    "members": [{"value": "g1"}, {"value": "3"}, {"value": "?"}],
}


def written(folder: Path, name: str, text: str) -> Path:
    """Return the file."""
    path = folder / name
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize("whole", [True, False])
def test_scim_gives_groups_of_addresses_and_groups(tmp_path: Path, whole: bool) -> None:  # noqa: FBT001 - one list or two
    """The primary address of each; who is not active, or not in the file, is nobody."""
    lists = (
        [{"Resources": [ANNA, GONE, BORIS, TEAM, ALL]}] if whole else [{"Resources": [ANNA, GONE, BORIS]}, [TEAM, ALL]]
    )
    path = written(tmp_path, "people.json", json.dumps(lists[0] if whole else lists))

    assert {
        "people-team": frozenset({"anna@x.example"}),
        "Все": frozenset({"people-team", "boris@x.example"}),
    } == read_import(path)


def test_csv_gives_a_group_and_a_member_a_line(tmp_path: Path) -> None:
    """With or without a first line that says so; empty lines are none."""
    path = written(tmp_path, "people.csv", "group,member\nhr,Anna@X.example\n\nhr,telegram:42\nбухгалтерия,hr\n")

    assert {"hr": frozenset({"anna@x.example", "telegram:42"}), "бухгалтерия": frozenset({"hr"})} == read_import(path)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", "hr,anna@x.example\nhr\n", "a.csv, line 2: write a group and a member"),
        ("a.csv", "slack:T1:U1,anna@x.example\n", "a.csv, line 1: 'slack:T1:U1' is no name for a group"),
        ("a.csv", "\n", "a.csv holds no group: nothing was changed"),
        ("a.json", "{", "a.json is no JSON"),
        ("a.json", "[" * 100_000, "a.json is no JSON"),
        ("a.json", "{}", "a.json holds no group"),
        ("a.json", json.dumps([TEAM | {"displayName": "@"}]), "group 'g1': '@' is no name for a group"),
    ],
)
def test_what_cannot_be_understood_changes_nothing(tmp_path: Path, name: str, text: str, words: str) -> None:
    """And is said with its place."""
    with pytest.raises(ConfigError) as told:
        read_import(written(tmp_path, name, text))

    assert words in str(told.value)


def test_why_and_why_not_is_said_in_words() -> None:
    """With the steps from the person to the group that the page is for."""
    groups = Groups({"people-team": frozenset({"anna@x.example"}), "managers": frozenset({"people-team"})})
    page = Document("pay.md", "Salary bands", "…", (), readers=frozenset({"managers"}))
    room = Room("T1", frozenset({"slack:T1:D1"}), (Reader(frozenset({"slack:T1:U1", "anna@x.example"})),))
    nobody = Room("T1", frozenset({"slack:T1:C1"}))
    told = [
        explained("slack:T1:U1", page, audience_of(room, groups), room, groups),
        explained("slack:T1:C1", page, audience_of(nobody, groups), nobody, groups),
        explained("slack:T1:C1", Document("a.md", "Open", "…", ()), audience_of(nobody, groups), nobody, groups),
    ]

    assert [True, False, True] == [one.may for one in told]
    assert "it is for managers. anna@x.example is in people-team is in managers." in told[0].because
    assert "it is for managers, and slack:T1:C1 is in no group that is known of." in told[1].because
    assert "it is for everybody" in told[2].because
