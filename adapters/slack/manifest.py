"""An app's manifest, as its page exports it, compared with what the bot needs: for each difference what it costs."""

from collections.abc import Iterator, Mapping
from typing import Any

from adapters.slack.checkup import Check
from adapters.slack.needs import BOT_SCOPES, EVENTS, FREE_EVENTS, NEEDS
from adapters.slack.shortcuts import CALLBACK

_APP = "api.slack.com/apps, your app"
COMMANDS = ("/ask", "/footnote", "/reindex")
_PATH = "/slack/events"
_REDIRECT = "/slack/oauth_redirect"


def check_manifest(manifest: Any, *, over_socket: bool, public_url: str | None = None) -> list[Check]:
    """Return what the app as it is set up lacks: scopes, events, commands and the rest; `unknown` is more than needed.

    `over_socket`: events come over Socket Mode; `public_url`: the address that many workspaces install it from.
    """
    if not isinstance(manifest, Mapping) or not isinstance(manifest.get("settings"), Mapping):
        return [Check("missing", "the manifest: this is none", "nothing can be compared", f"{_APP}, App Manifest")]
    lacking = [*_scopes(manifest), *_events(manifest), *_features(manifest), *_ways(manifest, over_socket, public_url)]
    return lacking or [Check("ok", "the manifest: scopes, events, commands and the rest are as they should be")]


def _scopes(manifest: Mapping[str, Any]) -> Iterator[Check]:
    given = set(_list(manifest, "oauth_config", "scopes", "bot"))
    for need in NEEDS:
        if need.scope not in given:
            fix = f"{_APP}, OAuth & Permissions, Bot Token Scopes: add {need.scope}; then Install App, Reinstall"
            yield Check("missing", f"the manifest: scope {need.scope}: {need.reason}", need.without, fix)
    if spare := sorted(given - set(BOT_SCOPES)):
        yield Check("unknown", f"the manifest: scopes that are not needed: {', '.join(spare)}")


def _events(manifest: Mapping[str, Any]) -> Iterator[Check]:
    given = set(_list(manifest, "settings", "event_subscriptions", "bot_events"))
    fix = f"{_APP}, Event Subscriptions, Subscribe to bot events"
    for event in EVENTS:
        if event not in given:
            without = next((need.without for need in NEEDS if event in need.events), "")
            without = without or f"it does not {FREE_EVENTS[event]}"
            yield Check("missing", f"the manifest: event {event}", without, f"{fix}: add {event}")
    if spare := sorted(given - set(EVENTS)):
        yield Check("unknown", f"the manifest: events that are not needed: {', '.join(spare)}", fix=fix)


def _features(manifest: Mapping[str, Any]) -> Iterator[Check]:
    commands = {str(one.get("command")) for one in _list(manifest, "features", "slash_commands") if _is_map(one)}
    for command in COMMANDS:
        if command not in commands:
            fix = f"{_APP}, Slash Commands: create {command}"
            yield Check("missing", f"the manifest: command {command}", "Slack says that it knows no such command", fix)
    shortcuts = {str(one.get("callback_id")) for one in _list(manifest, "features", "shortcuts") if _is_map(one)}
    if CALLBACK not in shortcuts:
        fix = f"{_APP}, Interactivity & Shortcuts: create one on messages with the callback id {CALLBACK}"
        yield Check("missing", f"the manifest: shortcut {CALLBACK}", "no message has Answer this in its menu", fix)
    if not _is_map(_at(manifest, "features", "agent_view") or _at(manifest, "features", "assistant_view")):
        fix = f"{_APP}, Agents & AI Apps: turn it on"
        yield Check("missing", "the manifest: agent_view", "direct messages have no suggestions and no titles", fix)
    home = f"{_APP}, App Home, Show Tabs"
    switches = (
        (("features", "app_home", "home_tab_enabled"), True, "there is no Home tab", home),
        (("features", "app_home", "messages_tab_enabled"), True, "nobody can write to it directly", home),
        (("features", "app_home", "messages_tab_read_only_enabled"), False, "nobody can write to it directly", home),
        (("settings", "interactivity", "is_enabled"), True, "no button works", f"{_APP}, Interactivity & Shortcuts"),
    )
    for path, wanted, without, fix in switches:
        if bool(_at(manifest, *path)) is not wanted:
            should = "on" if wanted else "off"
            yield Check("missing", f"the manifest: {path[-1]} should be {should}", without, f"{fix}: turn it {should}")


def _ways(manifest: Mapping[str, Any], over_socket: bool, public_url: str | None) -> Iterator[Check]:  # noqa: FBT001 - a setting
    if bool(_at(manifest, "settings", "socket_mode_enabled")) is not over_socket:
        should = "on" if over_socket else "off"
        fix = f"{_APP}, Socket Mode: turn it {should}"
        yield Check("missing", f"the manifest: socket_mode_enabled should be {should}", "no event arrives", fix)
    if over_socket:
        return
    commands = [one for one in _list(manifest, "features", "slash_commands") if _is_map(one)]
    addresses = {
        "event_subscriptions": _at(manifest, "settings", "event_subscriptions", "request_url"),
        "interactivity": _at(manifest, "settings", "interactivity", "request_url"),
        **{str(one.get("command")): one.get("url") for one in commands},
    }
    wanted = f"{public_url}{_PATH}" if public_url else None
    for name, address in addresses.items():
        is_right = address == wanted if wanted else str(address or "").endswith(_PATH)
        if not is_right:
            fix = f"set it to {wanted or 'your own address with ' + _PATH}"
            yield Check("missing", f"the manifest: the address of {name}", "nothing of that arrives", fix)
    if public_url and f"{public_url}{_REDIRECT}" not in _list(manifest, "oauth_config", "redirect_urls"):
        fix = f"{_APP}, OAuth & Permissions, Redirect URLs: add {public_url}{_REDIRECT}"
        yield Check("missing", "the manifest: redirect_urls", "no workspace can install the app", fix)


def _at(value: Any, *path: str) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _list(manifest: Mapping[str, Any], *path: str) -> list[Any]:
    found = _at(manifest, *path)
    return found if isinstance(found, list) else []


def _is_map(value: Any) -> bool:
    return isinstance(value, Mapping)
