"""`footnote doctor slack` and `footnote secrets`, as they are typed, against a Slack that grants this and that."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from adapters.secrets.fernet import FernetCipher, new_key
from adapters.slack.needs import BOT_SCOPES, NEEDS
from adapters.storage.database import open_database
from adapters.storage.installations import SqlInstallations
from tests.bot.terminal import Outcome, footnote
from tests.platforms.slack import SlackStandIn

GRANT = {"bot_user": "U0BOT", "bot_id": "B0BOT", "scopes": [], "token": "xoxb-test-token", "renewal": None}
KEYS = [new_key(), new_key()]


@asynccontextmanager
async def office(scopes: Collection[str] = BOT_SCOPES, **traits: Any) -> AsyncIterator[SlackStandIn]:
    """Serve a workspace in which the bot has these scopes."""
    slack = SlackStandIn(scopes=scopes, **traits)
    slack.add_user("U1", name="Ada")
    async with slack:
        yield slack


async def doctor(slack: SlackStandIn, *options: str, **variables: str) -> Outcome:
    """Return what the doctor says of the workspace."""
    given = {
        "SLACK_BOT_TOKEN": slack.app.bot_token,
        "SLACK_APP_TOKEN": slack.app.app_token,
        "SLACK_API_BASE_URL": slack.api_base_url,
    }
    return await asyncio.to_thread(footnote, "doctor", "slack", *options, **(given | variables))


async def test_all_is_well() -> None:
    """Each scope is named with its reason, and where the bot is; nothing is wrong, and no token is shown."""
    async with office() as slack:
        slack.add_channel("C1", members=["U1", slack.bot_user_id], name="general")
        said = await doctor(slack)

    assert (said.status, said.err) == (0, "")
    assert "✗" not in said.out
    assert all(f"✓ scope {need.scope}: {need.reason}" in said.text for need in NEEDS)
    assert "the bot is @footnote in standin (T0TEAM)" in said.text
    assert "the bot is in 1 channels: #general" in said.text
    assert "SLACK_APP_TOKEN opens Socket Mode" in said.text
    assert "test-token" not in said.out


@pytest.mark.parametrize("missing", BOT_SCOPES)
async def test_each_missing_scope_is_told_with_its_loss_and_its_fix(missing: str) -> None:
    """What is granted stays well; what is not says what does not work, and where to click."""
    async with office(set(BOT_SCOPES) - {missing}) as slack:
        slack.add_channel("C1", members=["U1", slack.bot_user_id], name="общий")
        said = await doctor(slack, "--json")
    checks = json.loads(said.out)
    (wrong,) = [check for check in checks if check["state"] == "missing"]
    need = next(need for need in NEEDS if need.scope == missing)

    assert said.status == 1
    assert wrong["what"].startswith(f"scope {missing}:")
    assert wrong["without"] == need.without
    assert f"OAuth & Permissions, Bot Token Scopes: add {missing}" in wrong["fix"]


async def test_more_than_is_needed_is_told() -> None:
    """Least rights: a scope that nothing uses is named, and nothing is wrong by it."""
    async with office({*BOT_SCOPES, "files:write"}) as slack:
        slack.add_channel("C1", members=["U1", slack.bot_user_id])
        said = await doctor(slack)

    assert (said.status, "granted, but not needed: files:write" in said.text) == (0, True)


async def test_a_bot_in_no_channel_is_told_to_be_invited() -> None:
    """The most common reason of silence is named."""
    async with office() as slack:
        said = await doctor(slack)

    assert said.status == 1
    assert "✗ the bot is in no channel" in said.text
    assert "/invite @Footnote" in said.text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"SLACK_BOT_TOKEN": "xoxb-mistaken"}, "SLACK_BOT_TOKEN: Slack says invalid_auth"),
        ({"SLACK_APP_TOKEN": "xapp-mistaken"}, "SLACK_APP_TOKEN: Slack says invalid_auth"),
        ({"SLACK_APP_TOKEN": "", "SLACK_SIGNING_SECRET": ""}, "✗ a way in for events"),
        ({"SLACK_API_BASE_URL": "http://127.0.0.1:9/api/"}, "nothing works check the network of this machine"),
    ],
)
async def test_what_is_wrong_is_told_with_where_to_mend_it(changes: dict[str, str], words: str) -> None:
    """A wrong token is named by its variable; the token itself is not shown."""
    async with office() as slack:
        said = await doctor(slack, **changes)

    assert (said.status, words in said.text, "mistaken" in said.out) == (1, True, False)


async def test_scopes_that_are_not_told_are_not_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A gateway may leave Slack's header out: then nothing is known of them, and nothing is called wrong."""
    monkeypatch.setattr("tests.platforms.slack.web_api.SCOPES_HEADER", "X-Gateway")
    async with office() as slack:
        said = await doctor(slack)

    assert (said.status, "✗" in said.out) == (0, False)
    assert "– scopes: it is not told which are granted" in said.text


async def test_the_app_tokens_scope_is_told() -> None:
    """An app-level token without its scope opens nothing."""
    async with office(app_scopes=frozenset()) as slack:
        said = await doctor(slack)

    assert said.status == 1
    assert "SLACK_APP_TOKEN: Slack says missing_scope" in said.text
    assert "generate one with the scope connections:write" in said.text


def test_without_settings_it_says_what_to_set() -> None:
    """One sentence on standard error; an argument that is nothing is refused."""
    said = footnote("doctor", "slack")

    assert (said.status, said.err) == (1, "footnote: SLACK_BOT_TOKEN is not set: see docs/slack.md\n")
    assert footnote("doctor", "teams").status != 0
    assert footnote("doctor", "--json").status != 0


def many(slack: SlackStandIn, **changes: str) -> dict[str, str]:
    """Return settings for many workspaces."""
    return {
        "SLACK_CLIENT_ID": "1.2",
        "SLACK_CLIENT_SECRET": "very-secret",
        "SLACK_SIGNING_SECRET": "very-secret",
        "SLACK_PUBLIC_URL": "http://127.0.0.1:9",
        "SLACK_WORKSPACES": "T1,T2",
        "FOOTNOTE_SECRET_KEYS": KEYS[0],
        "SLACK_API_BASE_URL": slack.api_base_url,
        **changes,
    }


async def keep(folder: Path, *teams: str, token: str = "xoxb-test-token") -> None:
    """Install the app in workspaces, sealed with the first key."""
    (folder / "data").mkdir(exist_ok=True)
    database = open_database(folder / "data" / "footnote.db")
    await database.prepare()
    for team in teams:
        kept = SqlInstallations(database, FernetCipher(KEYS[:1]))
        await kept.save("slack", team, f"Team {team}", GRANT | {"token": token})
    await database.close()


async def test_each_of_many_workspaces_is_asked(tmp_path: Path) -> None:
    """One line for each where all is well, one for each thing that is missing, and whether the address leads here."""
    await keep(tmp_path, "T1")
    await keep(tmp_path, "T2", token="xoxb-revoked")
    async with office(set(BOT_SCOPES) - {"commands"}) as slack:
        said = await asyncio.to_thread(footnote, "doctor", "slack", **many(slack))

    assert said.status == 1
    assert "✗ Team T1 (T1): scope commands without it: there is no command" in said.text
    assert "✗ Team T2 (T2): Slack says invalid_auth" in said.text
    assert "SLACK_PUBLIC_URL: http://127.0.0.1:9 is not reached" in said.text
    assert "secret" not in said.out


async def test_a_key_is_changed_from_the_command_line(tmp_path: Path) -> None:
    """A new key in front, everything sealed with it, the old one taken away: the tokens are still read."""
    await keep(tmp_path, "T1", "T2")
    async with office() as slack:
        both = many(slack, FOOTNOTE_SECRET_KEYS=f"{KEYS[1]}, {KEYS[0]}")
        wrong = await asyncio.to_thread(footnote, "secrets", "rotate", **many(slack, FOOTNOTE_SECRET_KEYS=KEYS[1]))
        done = await asyncio.to_thread(footnote, "secrets", "rotate", **both)
        after = await asyncio.to_thread(footnote, "secrets", "rotate", **many(slack, FOOTNOTE_SECRET_KEYS=KEYS[1]))

    assert (wrong.status, wrong.err.count("FOOTNOTE_SECRET_KEYS: no key opens")) == (1, 2)
    assert (done.status, done.out) == (
        0,
        "Sealed with the first key: the tokens of 2 workspaces. The other keys may go.\n",
    )
    assert (after.status, after.err) == (0, "")
    assert not any(key in said.out + said.err for said in (wrong, done, after) for key in KEYS)


def test_a_new_key_is_one() -> None:
    """It stands alone on standard output, so that a script can take it; each is another."""
    said = [footnote("secrets", "new") for _ in range(2)]
    keys = [one.out.strip() for one in said]

    assert FernetCipher(keys).open(FernetCipher(keys).seal("слово")) == "слово"
    assert keys[0] != keys[1]
    assert "FOOTNOTE_SECRET_KEYS" in said[0].err


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"FOOTNOTE_SECRET_KEYS": ""}, "FOOTNOTE_SECRET_KEYS is not set"),
        ({"FOOTNOTE_SECRET_KEYS": "no-key-at-all"}, "FOOTNOTE_SECRET_KEYS: key 1 is none"),
        ({"SLACK_CLIENT_SECRET": ""}, "needs SLACK_CLIENT_SECRET besides SLACK_CLIENT_ID"),
        ({"SLACK_WORKSPACES": "", "SLACK_PUBLIC_URL": ""}, "needs SLACK_PUBLIC_URL and SLACK_WORKSPACES besides"),
        ({"SLACK_WORKSPACES": "acme"}, "SLACK_WORKSPACES: 'acme' is no workspace"),
        ({"SLACK_PUBLIC_URL": "http://footnote.example"}, "SLACK_PUBLIC_URL: write the address"),
        ({"SLACK_APP_TOKEN": "xapp-1"}, "exclude each other"),
    ],
)
def test_a_start_with_half_of_it_is_refused(changes: dict[str, str], words: str) -> None:
    """`footnote run` names what is missing, with the fix, and shows no secret."""
    said = footnote("run", **(many(SlackStandIn()) | {"SLACK_API_BASE_URL": ""} | changes))

    assert (said.status, words in said.err, said.err.count("\n")) == (1, True, 1)
    assert not any(secret in said.err for secret in ("very-secret", "no-key-at-all", KEYS[0]))


MANIFEST = Path(__file__).parents[2] / "docs" / "slack-manifest.yaml"


async def compared(tmp_path: Path, change: Callable[[dict[str, Any]], object], **variables: str) -> Outcome:
    """Return what the doctor says of an app whose manifest is ours with a change."""
    manifest = yaml.safe_load(MANIFEST.read_text("utf-8"))
    change(manifest)
    exported = tmp_path / "manifest.json"
    exported.write_text(json.dumps(manifest), "utf-8")
    async with office() as slack:
        slack.add_channel("C1", members=["U1", slack.bot_user_id], name="general")
        return await doctor(slack, "--manifest", str(exported), **variables)


async def test_our_own_manifest_is_as_it_should_be(tmp_path: Path) -> None:
    """Then the line that Slack does not tell of events is needed no more."""
    said = await compared(tmp_path, lambda _: None)

    assert (said.status, "✗" in said.out) == (0, False)
    assert "✓ the manifest: scopes, events, commands and the rest are as they should be" in said.text
    assert "Slack does not tell" not in said.text


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda one: one["settings"]["event_subscriptions"]["bot_events"].remove("reaction_added"), "reaction_added"),
        (lambda one: one["settings"]["event_subscriptions"]["bot_events"].remove("message.groups"), "message.groups"),
        (lambda one: one["settings"]["event_subscriptions"]["bot_events"].remove("tokens_revoked"), "tokens_revoked"),
        (lambda one: one["oauth_config"]["scopes"]["bot"].remove("users:read"), "users:read"),
        (lambda one: one["features"]["slash_commands"].pop(0), "/ask"),
        (lambda one: one["features"].pop("shortcuts"), "footnote_answer"),
        (lambda one: one["features"].pop("agent_view"), "agent_view"),
        (lambda one: one["features"]["app_home"].update(messages_tab_enabled=False), "messages_tab_enabled"),
        (lambda one: one["features"]["app_home"].update(messages_tab_read_only_enabled=True), "read_only_enabled"),
        (lambda one: one["settings"]["interactivity"].update(is_enabled=False), "is_enabled should be on"),
        (lambda one: one["settings"].update(socket_mode_enabled=False), "socket_mode_enabled should be on"),
        (lambda one: one.pop("settings"), "this is none"),
    ],
)
async def test_what_a_manifest_lacks_is_told_with_its_loss_and_its_fix(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], told: str
) -> None:
    """One line for it, and nothing else is wrong."""
    said = await compared(tmp_path, change)
    line = next((one for one in said.out.splitlines() if one.startswith("✗")), "")

    assert said.status == 1
    assert 1 == said.out.count("✗")
    assert told in line
    assert "without it: " in said.text


async def test_addresses_are_compared_over_http(tmp_path: Path) -> None:
    """Of each command, of events and of presses."""
    said = await compared(
        tmp_path,
        lambda one: one["settings"].update(socket_mode_enabled=False),
        SLACK_APP_TOKEN="",
        SLACK_SIGNING_SECRET="secret",
    )

    assert 5 == said.out.count("✗ the manifest: the address of")


async def test_more_than_needed_is_said_and_is_no_fault(tmp_path: Path) -> None:
    """Somebody may need it for something else."""
    said = await compared(tmp_path, lambda one: one["oauth_config"]["scopes"]["bot"].append("files:read"))

    assert 0 == said.status
    assert "scopes that are not needed: files:read" in said.text


async def test_a_manifest_that_is_not_there_is_said(tmp_path: Path) -> None:
    """In one sentence, without a traceback."""
    async with office() as slack:
        said = await doctor(slack, "--manifest", str(tmp_path / "none.yaml"))

    assert said.status != 0
    assert "cannot be read as YAML or JSON" in said.err
    assert "Traceback" not in said.err


async def asked(manifest: dict[str, Any] | None, token: str = "xoxe.xoxp-test-token", **variables: str) -> Outcome:
    """Return what the doctor says with a configuration token of an app that Slack has this manifest of."""
    async with office(manifest=manifest) as slack:
        slack.add_channel("C1", members=["U1", slack.bot_user_id], name="общий")
        return await doctor(slack, SLACK_CONFIG_TOKEN=token, **variables)


async def test_slack_itself_is_asked_for_the_manifest() -> None:
    """With a configuration token: what is as it should be, and what is not, with its loss."""
    manifest = yaml.safe_load(MANIFEST.read_text("utf-8"))
    well = await asked(manifest)
    manifest["settings"]["event_subscriptions"]["bot_events"].remove("reaction_added")
    ill = await asked(manifest)

    assert (well.status, "✓ the manifest: scopes, events, commands" in well.text) == (0, True)
    assert "Slack does not tell" not in well.text
    assert (ill.status, ill.out.count("✗")) == (1, 1)
    assert "✗ the manifest: event reaction_added" in ill.text


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("xoxe.xoxp-mistaken", "SLACK_CONFIG_TOKEN: Slack says invalid_auth"),
        ("xoxb-test-token", "SLACK_CONFIG_TOKEN: Slack says not_allowed_token_type"),
        ("xoxe.xoxp-test-token", "SLACK_CONFIG_TOKEN: Slack says failed_export"),
    ],
)
async def test_a_manifest_that_slack_does_not_give_is_said(token: str, words: str) -> None:
    """With where such a token is made; everything else is told as ever, and no token is shown."""
    said = await asked(None, token)

    assert (said.status, words in said.text) == (1, True)
    assert "Your App Configuration Tokens: " in said.text
    assert "SLACK_APP_TOKEN opens Socket Mode" in said.text
    assert "mistaken" not in said.out


async def test_the_manifest_of_many_workspaces_is_asked_for_with_the_token_of_one(tmp_path: Path) -> None:
    """It is one app in all of them; where it is installed nowhere, its id is not known."""
    manifest = yaml.safe_load(MANIFEST.read_text("utf-8"))
    async with office(manifest=manifest) as slack:
        given = many(slack, SLACK_CONFIG_TOKEN="xoxe.xoxp-test-token")
        nowhere = await asyncio.to_thread(footnote, "doctor", "slack", **given)
        await keep(tmp_path, "T1")
        somewhere = await asyncio.to_thread(footnote, "doctor", "slack", **given)

    assert "its id is not known" in nowhere.text
    assert "✗ the manifest: socket_mode_enabled should be off" in somewhere.text
    assert "✗ the manifest: redirect_urls" in somewhere.text
