"""`footnote channels` and `footnote channel`: whom the bot hears where, from the command line."""

import json

import pytest

from tests.bot.terminal import footnote, refused


def test_a_mode_is_set_and_listed() -> None:
    """Before that every channel hears mentions; later the new mode stands in the place of the old one."""
    nothing = footnote("channels")
    first = footnote("channel", "slack:T0TEAM:C0GENERAL", "all")
    footnote("channel", "slack:T0TEAM:C0GENERAL", "gate")
    footnote("channel", "telegram:-100123", "all")
    listed, data = footnote("channels"), json.loads(footnote("channels", "--json").out)

    assert nothing.out.startswith("Everywhere the mode is mention")
    assert "slack:T0TEAM:C0GENERAL: all, the bot hears everybody." == first.out.strip()
    assert "also what is surely asked of the documents" in listed.text
    assert {
        "default": "mention",
        "channels": [
            {"place": "slack:T0TEAM:C0GENERAL", "mode": "gate"},
            {"place": "telegram:-100123", "mode": "all"},
        ],
    } == data


@pytest.mark.parametrize(
    ("place", "mode", "words"),
    [
        ("slack:T0TEAM:C0GENERAL", "loud", "'loud' is no mode: write mention, gate or all"),
        ("#general", "gate", "'#general' is no channel: write slack:T0TEAM:C0CHANNEL"),
        ("telegram:@team", "gate", "'telegram:@team' is no channel"),
        ("slack:T0TEAM:D0DIRECT", "all", "is no channel"),
    ],
)
def test_what_is_none_is_said(place: str, mode: str, words: str) -> None:
    """With what to write instead."""
    assert words in refused(footnote("channel", place, mode))


@pytest.mark.parametrize("person", ["ada", "telegram:@ada", "slack:U0ADA", "telegram:1, bob"])
def test_an_admin_is_named_by_ids(person: str) -> None:
    """Names can be taken by others."""
    assert "ADMINS" in refused(footnote("channels", ADMINS=person))


def test_admins_are_listed_with_commas() -> None:
    """Of both platforms."""
    assert 0 == footnote("channels", ADMINS="telegram:1001, slack:T0TEAM:U0ADA").status
