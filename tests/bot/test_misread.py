"""Whoever mistypes a setting is told which one, where, and what it takes."""

from pathlib import Path

import pytest

from bot.misread import slack_tokens_mistaken, slips, telegram_token_mistaken
from tests.bot.terminal import footnote, refused


@pytest.mark.parametrize("line", ['SLACK_BOT_TOKEN="xoxb-very-secret', "Токен бота 'xoxb-very-secret"])
def test_a_line_that_sets_nothing_is_named(elsewhere: Path, line: str) -> None:
    """By its number and never by its words, which may be a secret; the lines before it are fine."""
    (elsewhere / ".env").write_text(f"# Настройки\nWATCH=false\n{line}\n", "utf-8")
    sentence = refused(footnote("doctor"))

    assert sentence.startswith(".env, line 3: this is no NAME=value; look for a quote that is not closed")
    assert "secret" not in sentence


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("WATCH", "maybe", "WATCH: write true or false"),
        ("HEALTH_PORT", "99999", "HEALTH_PORT: it must be less than or equal to 65535"),
        ("MAX_TOOL_CALLS", "три", "MAX_TOOL_CALLS: write a whole number"),
        ("TIMEZONE", "Vladivostok", "TIMEZONE: write a time zone, as Europe/Amsterdam"),
        ("ANSWER_TEMPERATURE", "warm", "ANSWER_TEMPERATURE: write a number"),
        ("TELEGRAM_ACCESS", "all", "TELEGRAM_ACCESS: it must be 'open', 'list' or 'pairing'"),
        ("ADMINS", "@anna", "ADMINS: '@anna' is nobody: write slack:T0TEAM:U0PERSON or telegram:123456"),
    ],
)
def test_a_wrong_value_comes_with_what_is_taken(variable: str, value: str, words: str) -> None:
    """In words for people, not in those of a library."""
    assert words in refused(footnote("doctor", **{variable: value}))


def test_a_name_without_a_sign_is_named(elsewhere: Path) -> None:
    """It sets nothing, and what it should have set would seem to be left out."""
    (elsewhere / ".env").write_text("# Токен\nSLACK_BOT_TOKEN\n", "utf-8")

    assert refused(footnote("doctor")).startswith(".env, line 2: this is no NAME=value")


def test_a_slip_of_a_settings_name_is_seen() -> None:
    """What is almost a setting is one mistyped; names of providers, and whatever else there is, are let be."""
    known = ["SLACK_BOT_TOKEN", "ANSWER_MODEL", "AWS_ENDPOINT_URL"]
    names = ["SLACK_BOT_TOKENN", "ANSWER_MODELS", "AWS_ENDPOINT_URL_S3", "OPENAI_API_KEY", "PATH", "ANSWER_MODEL"]

    assert [("ANSWER_MODELS", "ANSWER_MODEL"), ("SLACK_BOT_TOKENN", "SLACK_BOT_TOKEN")] == slips(known, names)
    assert "– ANSWER_MODELS is no setting of Footnote" in footnote("doctor", ANSWER_MODELS="openai/x").out


@pytest.mark.parametrize(
    ("bot", "app", "words"),
    [
        ("xoxb-1", "xapp-1", None),
        ("xoxe.xoxb-1", None, None),
        ("xapp-1", "xoxb-1", "but each as the other should: exchange their values"),
        ("xapp-1", "xoxe.xoxb-1", "but each as the other should: exchange their values"),
        ("xapp-1", "xapp-1", "what it holds is an app-level token, for SLACK_APP_TOKEN"),
        ("xapp-1", None, "what it holds is an app-level token, for SLACK_APP_TOKEN"),
        ("xoxp-1", None, "SLACK_BOT_TOKEN does not begin with xoxb-"),
        ("xoxb-1", "xoxb-1", "SLACK_APP_TOKEN does not begin with xapp-"),
    ],
)
def test_slack_tokens_that_were_swapped_are_seen(bot: str, app: str | None, words: str | None) -> None:
    """By how they begin, before Slack is asked."""
    found = slack_tokens_mistaken(bot, app)

    assert (words is None) == (found is None)
    assert (words or "") in (found or "")


def test_the_doctor_sees_tokens_that_are_none() -> None:
    """They are wrong at a glance, so nothing is called ready to run."""
    outcome = footnote("doctor", SLACK_BOT_TOKEN="xapp-1", SLACK_APP_TOKEN="xoxb-1", TELEGRAM_BOT_TOKEN="abc")

    assert outcome.status == 1
    assert "✗ Slack: SLACK_BOT_TOKEN does not begin with xoxb-" in outcome.out
    assert "✗ Telegram: TELEGRAM_BOT_TOKEN is not a bot token" in outcome.out
    assert telegram_token_mistaken("123456:ABC-def") is None


_SLACK, _APP, _TELEGRAM = "xoxb-1-2-veryverysecret", "xapp-1-A2-3-veryverysecret", "123456:veryverysecret"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"SLACK_BOT_TOKEN": _APP, "SLACK_APP_TOKEN": _SLACK}, "SLACK_BOT_TOKEN does not begin with xoxb-, nor"),
        ({"SLACK_BOT_TOKEN": _SLACK[3:], "SLACK_APP_TOKEN": _APP}, "SLACK_BOT_TOKEN does not begin with xoxb-: copy"),
        ({"SLACK_BOT_TOKEN": _SLACK, "SLACK_APP_TOKEN": _APP[2:]}, "SLACK_APP_TOKEN does not begin with xapp-: copy"),
        ({"SLACK_BOT_TOKEN": _APP, "SLACK_SIGNING_SECRET": "s"}, "it holds is an app-level token, for SLACK_APP_TOKEN"),
        ({"TELEGRAM_BOT_TOKEN": _TELEGRAM[7:]}, "TELEGRAM_BOT_TOKEN is not a bot token (like 123456:ABC-def): copy"),
        ({"TELEGRAM_BOT_TOKEN": _TELEGRAM[:7]}, "TELEGRAM_BOT_TOKEN is not a bot token (like 123456:ABC-def): copy"),
        ({"TELEGRAM_BOT_TOKEN": f"bot{_TELEGRAM}"}, "TELEGRAM_BOT_TOKEN is not a bot token (like 123456:ABC-def)"),
    ],
)
def test_a_start_with_a_token_that_is_none_names_it_and_what_to_do(
    given: dict[str, str], words: str, elsewhere: Path
) -> None:
    """At once, before anything is loaded or anybody is asked, and without a letter of the token."""
    data = elsewhere / "nothing-yet"
    outcome = footnote("run", FOOTNOTE_DATA_DIR=str(data), **given)

    assert words in refused(outcome)
    assert "secret" not in outcome.out + outcome.err
    assert not data.exists()
