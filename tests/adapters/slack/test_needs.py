"""What the app asks of Slack: the table, the manifest, the documents and the calls in the code say the same."""

import ast
import re
from pathlib import Path

import yaml
from slack_sdk.web.async_client import AsyncWebClient

import adapters.slack.needs
from adapters.slack.needs import BOT_SCOPES, EVENTS, FREE_EVENTS, FREE_METHODS, NEEDS, scopes_of

FOLDER = Path(adapters.slack.needs.__file__).parent
DOCS = FOLDER.parents[1] / "docs"
MANIFEST = (DOCS / "slack-manifest.yaml").read_text("utf-8")
TABLE = (DOCS / "slack.md").read_text("utf-8")
# What Bolt calls for us.
OF_BOLT = {"oauth.v2.access"}


def called() -> set[str]:
    """Return the methods of the Web API that the code calls, by their names there."""
    found = set()
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and "_" in node.attr and hasattr(AsyncWebClient, node.attr):
                found.add(node.attr.replace("_", "."))
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "api_call" and node.args:
                found |= {node.args[0].value} if isinstance(node.args[0], ast.Constant) else set()
    return {one for one in found if not one.startswith(".") and one.count(".")} - {"api.call", "BASE.URL"}


def test_every_call_stands_at_its_scope() -> None:
    """A call that is added without its scope is found here; one that is no longer made is taken out of the table."""
    named = {method for need in NEEDS for method in need.methods} | set(FREE_METHODS)

    assert named == called() | OF_BOLT
    assert all(scopes_of(method) for method in named - set(FREE_METHODS))


def test_the_manifest_asks_for_the_table_and_nothing_else() -> None:
    """Scopes and events stand there in the same order, each with a reason beside it."""
    manifest = yaml.safe_load(MANIFEST)
    scopes = manifest["oauth_config"]["scopes"]["bot"]
    events = manifest["settings"]["event_subscriptions"]["bot_events"]

    assert list(BOT_SCOPES) == scopes
    assert list(EVENTS) == events
    for one in (*scopes, *events):
        assert re.search(rf"^ +- {re.escape(one)} +# \S.+$", MANIFEST, re.MULTILINE), one


def test_the_document_tells_the_table() -> None:
    """A person reads of each scope and event the same reason as the doctor gives."""
    rows = re.findall(r"^\| (?:`([a-z:._]+)`)? ?\| ((?:`[a-z_.]+`(?:, )?)*) ?\| (.+) \|$", TABLE, re.MULTILINE)
    told = [(scope, tuple(re.findall(r"`(.+?)`", events)), reason) for scope, events, reason in rows if scope or events]
    wanted = [(need.scope, need.events, need.reason) for need in NEEDS]
    wanted += [("", (event,), reason) for event, reason in FREE_EVENTS.items()]

    assert wanted == told[: len(wanted)]


def test_nothing_is_needed_twice_or_for_no_reason() -> None:
    """Each scope stands once, with what does not work without it, and serves a call, an event or a command."""
    assert len(set(BOT_SCOPES)) == len(NEEDS)
    assert all(need.reason and need.without for need in NEEDS)
    assert [need.scope for need in NEEDS if not (need.methods or need.events)] == [
        "commands",
        "users:read.email",
    ]
