"""The registry of commands: how each is named, what its words mean, who may give it, and its help."""

import pytest

from core.commands import HELP, MODE, VERBS, WHY, Misread, Verb, menu, spoken_in, verb_in
from core.phrases import phrase
from core.text import language_of


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_every_command_has_its_help_in_both_languages(verb: Verb[object]) -> None:
    """One sentence, short enough for Telegram's menu (256 characters), and a name that Telegram takes."""
    for language in ("en", "ru"):
        sentence = phrase(verb.sentence, language)

        assert (language, True) == (language_of(sentence), 10 < len(sentence) <= 256)
    assert verb.name.isascii()
    assert verb.name.islower()
    assert len(verb.name) <= 32


def test_no_two_commands_share_a_name() -> None:
    """Neither their own nor another one."""
    names = [name for verb in VERBS for name in (verb.name, *verb.also)]

    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize(
    ("words", "verb", "rest"),
    [
        ("why", WHY, ""),
        ("/WHY", WHY, ""),
        ("почему", WHY, ""),
        ("channel mode gate", MODE, "gate"),
        ("channel  gate", MODE, "gate"),
        ("Channel Mode", MODE, ""),
        ("mode all", MODE, "all"),
        ("режим all", MODE, "all"),
        ("help me please", HELP, "me please"),
    ],
)
def test_a_command_is_named_by_any_of_its_names(words: str, verb: Verb[object], rest: str) -> None:
    """In either case, with or without a slash; the longest name counts."""
    assert (verb, rest) == verb_in(words)


@pytest.mark.parametrize("words", ["", "/", "whyever", "hello", "channels", "modern times"])
def test_other_words_name_none(words: str) -> None:
    """A name is a whole word."""
    assert verb_in(words) is None


@pytest.mark.parametrize(
    ("words", "verb"),
    [
        ("/why", WHY),
        ("/why not?", None),
        ("why", None),
        ("why do I need it", None),
        ("channel", None),
        ("/channel", MODE),
        ("channel mode all", MODE),
        ("channel mode is what exactly?", None),
        ("help", None),
        ("/help", HELP),
        ("/help me", None),
    ],
)
def test_in_a_mention_a_question_stays_one(words: str, verb: Verb[object] | None) -> None:
    """Only a slash, or a phrase that nobody asks, makes a command."""
    found = spoken_in(words)

    assert verb == (found and found[0])


def test_words_are_read_as_what_they_mean() -> None:
    """Or not at all."""
    assert [None, "gate", "all"] == [MODE.read(words) for words in ("", " Gate ", "ALL")]
    assert isinstance(MODE.read("loud"), Misread)
    assert isinstance(WHY.read("not"), Misread)
    assert [True, False] == [MODE.reserved("gate"), MODE.reserved(None)]


def test_a_menu_holds_what_the_person_may_do() -> None:
    """Everybody's commands come first in both, and an admin's holds all."""
    everybody, admins = menu("slack", admin=False), menu("slack", admin=True)

    assert tuple(verb for verb in VERBS if "slack" in verb.on) == admins
    assert set(everybody) < set(admins) or everybody == admins
    assert all(verb.who == "everybody" for verb in everybody)


def test_a_menu_holds_what_can_be_done_there() -> None:
    """People who are asked instead of the bot are in a channel of Slack; answers are stopped in Telegram."""
    slack, telegram = ({verb.name for verb in menu(name, admin=True)} for name in ("slack", "telegram"))

    assert ({"person"}, {"stop"}) == (slack - telegram, telegram - slack)
