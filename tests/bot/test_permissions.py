"""`permissions.yaml`: what it says, and what is said about its mistakes."""

from pathlib import Path

import pytest

from bot.permissions import read_permissions
from core.errors import ConfigError

WHOLE = """\
groups:
  people-team: [slack:T024BE7LD:U1, Anna@Northwind.example]
  managers: [people-team, slack:T024BE7LD:S0BOSS, telegram:123456]
  Бухгалтерия: telegram:-100123
places:
  slack:T024BE7LD:C0HR: people-team
folders:
  policies/pay: [people-team]
  "**/drafts":
    labels: [draft]
labels:
  confidential: {readers: [managers], flag: confidential}
readers: [workspace:T024BE7LD]
"""


def written(folder: Path, text: str, name: str = "permissions.yaml") -> Path:
    """Return the folder with the file in it."""
    (folder / name).write_text(text, "utf-8")
    return folder


def test_everything_can_be_said(tmp_path: Path) -> None:
    """One name may stand by itself; groups hold groups; case does not count in an e-mail address."""
    found = read_permissions(written(tmp_path, WHOLE))

    assert {"people-team", "managers"} <= found.groups.names(["anna@northwind.example"])
    assert "Бухгалтерия" in found.groups.names(["telegram:-100123"])
    assert {"slack:T024BE7LD:C0HR": frozenset({"people-team"})} == found.places
    assert ("people-team",) == found.access.folders["policies/pay"].readers
    assert {"people-team": ("managers",)} == found.access.inside


def test_it_may_stand_in_footnote_yaml(tmp_path: Path) -> None:
    """As a section; in both places it would not be clear which one holds."""
    section = "permissions:\n  groups: {people-team: [telegram:1]}\n"
    found = read_permissions(written(tmp_path, "sources: [{folder: x}]\n" + section, "footnote.yaml"))

    assert "people-team" in found.groups.members
    with pytest.raises(ConfigError, match="in one of the two"):
        read_permissions(written(tmp_path, "groups: {a: [telegram:1]}"))


def test_without_a_file_nothing_is_said(tmp_path: Path) -> None:
    """Then documents with readers are for nobody but whom their sources name."""
    assert {} == read_permissions(tmp_path).groups.members


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("grups: {}", "permissions.yaml, line 1: there is no 'grups': did you mean 'groups'?"),
        ("groups:\n  hr: [anna@@x]", "line 2: 'anna@@x' is nobody"),
        ("groups:\n  hr:\n  - slack:U1", "line 3: 'slack:U1' is nobody"),
        (
            "groups:\n  people-team: [telegram:1]\nfolders:\n  pay: [peple-team]",
            "line 4: there is no group 'peple-team'",
        ),
        ("groups:\n  slack:T1: [telegram:1]", "line 2: 'slack:T1' is no name for a group"),
        ("places:\n  C0HR: [hr]", "line 2: 'C0HR' is no channel or chat"),
        ("folders:\n  pay: []", "line 2: folders.pay.readers: name the groups that may read it"),
        ("labels:\n  x: {flag: loud}", "line 2: labels.x.flag"),
        ("labels:\n  x: {reader: [hr]}", "line 2: labels.x.reader"),
        ("folders:\n  pay:\n    readers:", "line 3: folders.pay.readers: name the groups that may read it"),
        ("readers: []", "line 1: readers: name the groups that may read it"),
        ("- hr", "line 1: it says nothing"),
        ("groups:\n  people-team: 5", "line 2: groups.people-team: write a list, as [one, two]"),
        (
            "folders:\n  pay: {raeders: [hr]}",
            "line 2: folders.pay.raeders: there is no 'raeders': did you mean 'readers'?",
        ),
        ("labels:\n  тайна: {flag: confidental}", "line 2: labels.тайна.flag: did you mean 'confidential'?"),
        ("folders:\n  pay: {authority: 12}", "line 2: folders.pay.authority: it must be less than or equal to 9"),
        ("groups: {a: [telegram:1], a: [telegram:2]}", "'a' stands twice"),
        ("группы: {}", "line 1: there is no 'группы': it takes groups, places, folders, labels, readers"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    """What is not understood is never taken for permission."""
    with pytest.raises(ConfigError) as told:
        read_permissions(written(tmp_path, text))

    assert words in str(told.value)


def test_a_name_that_nobody_goes_by_is_known_as_such(tmp_path: Path) -> None:
    """A group without members is none."""
    found = read_permissions(written(tmp_path, "groups: {hr: [telegram:1], empty: []}"))

    assert ["empty", "hrr"] == found.unknown(["hr", "hrr", "empty", "workspace:T1", "anna@x.example"])
