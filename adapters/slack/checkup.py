"""What Slack grants the app, compared with what it needs: for each thing what it lacks, and where to mend it."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import Busy, Trouble, Unknown, Unsent, in_words, once
from adapters.slack.connect import client_of
from adapters.slack.grants import grant_of
from adapters.slack.needs import APP_SCOPE, EVENTS, NEEDS, Need
from adapters.slack.oauth import INSTALL_PATH
from adapters.slack.refusals import Refusal
from core.installing import Installed

_SCOPES_HEADER = "x-oauth-scopes"
NETWORK = "check the network of this machine, its proxy, and SLACK_API_BASE_URL if that is set"
_APP = "api.slack.com/apps, your app"
_PAGES, _PAGE = 3, 1000
_PATIENCE = aiohttp.ClientTimeout(total=10)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: `without` says what does not work, `fix` where to mend it.

    `unknown` is what Slack does not let an app see, or what is more than needed: nothing is wrong by it.
    """

    state: Literal["ok", "missing", "unknown"]
    what: str
    without: str = ""
    fix: str = ""


async def check_bot(token: str, api_base_url: str | None = None) -> list[Check]:
    """Return what the bot's token may do, and where the bot is. Raises ConfigError when the token is none."""
    client = client_of(token, api_base_url)
    answer = await once(client.auth_test())
    if not isinstance(answer, AsyncSlackResponse):
        fix = _mended(answer, f"{_APP}, Install App")
        return [Check("missing", f"SLACK_BOT_TOKEN: {in_words(answer)}", "nothing works", fix)]
    who = Check("ok", f"the bot is @{answer.get('user', '')} in {answer.get('team', '')} ({answer.get('team_id', '')})")
    scopes = _scopes(answer)
    if scopes is None:
        fix = "SLACK_API_BASE_URL leads to a gateway that leaves the header X-OAuth-Scopes out: ask Slack itself"
        return [who, Check("unknown", "scopes: it is not told which are granted", fix=fix), _events()]
    return [who, *_granted(scopes), await _reach(client, scopes), _events()]


async def check_app(token: str, api_base_url: str | None = None) -> Check:
    """Return whether the app-level token opens Socket Mode. Raises ConfigError when it is none."""
    client = client_of(token, api_base_url)
    answer = await once(client.apps_connections_open(app_token=token))
    fix = f"{_APP}, Basic Information, App-Level Tokens: generate one with the scope {APP_SCOPE}, as SLACK_APP_TOKEN"
    if isinstance(answer, AsyncSlackResponse):
        return Check("ok", f"SLACK_APP_TOKEN opens Socket Mode ({APP_SCOPE})")
    if isinstance(answer, Busy):
        return Check("unknown", f"SLACK_APP_TOKEN: {in_words(answer)}", fix="try again in a minute")
    without = "no event arrives"
    if isinstance(answer, Refusal) and answer.code == "forbidden_error":
        return Check("missing", f"SLACK_APP_TOKEN: {in_words(answer)}", without, f"{_APP}, Socket Mode: turn it on")
    return Check("missing", f"SLACK_APP_TOKEN: {in_words(answer)}", without, _mended(answer, fix))


async def check_installed(installed: Installed, api_base_url: str | None = None) -> list[Check]:
    """Return what the bot may do in one of many workspaces: one line when that is all."""
    client = client_of(grant_of(installed).token, api_base_url)
    answer = await once(client.auth_test())
    where = f"{installed.name} ({installed.tenant})"
    again = f"let the workspace install the app again from SLACK_PUBLIC_URL{INSTALL_PATH}"
    if not isinstance(answer, AsyncSlackResponse):
        return [Check("missing", f"{where}: {in_words(answer)}", "nothing works there", again)]
    scopes = _scopes(answer)
    if scopes is None:
        return [Check("unknown", f"{where}: it is not told which scopes are granted")]
    lacking = [need for need in NEEDS if need.scope not in scopes]
    if not lacking:
        return [Check("ok", f"{where}: all scopes")]
    return [Check("missing", f"{where}: scope {need.scope}", need.without, again) for need in lacking]


async def check_door(public_url: str) -> Check:
    """Return whether browsers that go to the public address come to a Footnote that runs."""
    fix = f"start footnote run, and let the web server pass /slack/ on to SLACK_HTTP_PORT; then open {public_url}"
    without = "no event arrives, and nobody can install the app"
    try:
        async with (
            aiohttp.ClientSession(timeout=_PATIENCE) as session,
            session.get(public_url + INSTALL_PATH, allow_redirects=False) as answer,
        ):
            if answer.status == aiohttp.web.HTTPFound.status_code and "client_id=" in answer.headers.get(
                "Location", ""
            ):
                return Check("ok", f"SLACK_PUBLIC_URL leads here ({public_url})")
            return Check("missing", f"SLACK_PUBLIC_URL: {public_url} answers {answer.status}", without, fix)
    except (aiohttp.ClientError, TimeoutError) as error:
        return Check("missing", f"SLACK_PUBLIC_URL: {public_url} is not reached ({type(error).__name__})", without, fix)


def _mended(trouble: Trouble, fix: str) -> str:
    """Return what to do about it: where Slack was not heard at all, nothing that is set in it will help."""
    return NETWORK if isinstance(trouble, Unsent | Unknown) else fix


def _granted(scopes: frozenset[str]) -> list[Check]:
    """Return each scope that is needed, and those that are not."""
    checks = [_scope(need, scopes) for need in NEEDS]
    spare = sorted(scopes - {need.scope for need in NEEDS})
    fix = f"{_APP}, OAuth & Permissions: remove what nothing else of yours needs"
    return [*checks, *([Check("unknown", f"granted, but not needed: {', '.join(spare)}", fix=fix)] if spare else [])]


def _scope(need: Need, scopes: frozenset[str]) -> Check:
    if need.scope in scopes:
        return Check("ok", f"scope {need.scope}: {need.reason}")
    fix = (
        f"{_APP}, OAuth & Permissions, Bot Token Scopes: add {need.scope} (in docs/slack-manifest.yaml under "
        "oauth_config, scopes, bot); then Install App, Reinstall"
    )
    return Check("missing", f"scope {need.scope}: {need.reason}", need.without, fix)


async def _reach(client: AsyncWebClient, scopes: frozenset[str]) -> Check:
    """Return in how many channels the bot is, as far as it may see."""
    kinds = {"channels:read": "public_channel", "groups:read": "private_channel"}
    types = ",".join(kind for scope, kind in kinds.items() if scope in scopes)
    if not types:
        return Check("unknown", "channels that the bot is in: not to be seen without channels:read and groups:read")
    names = list[str]()
    async for page in _pages(client, types):
        if isinstance(page, Trouble) and not names:
            again = "try again in a minute"
            return Check("unknown", f"channels that the bot is in: {in_words(page)}", fix=_mended(page, again))
        names += [] if isinstance(page, Trouble) else page
    if names:
        more = ", …" if len(names) > len(names[:5]) else ""
        return Check("ok", f"the bot is in {len(names)} channels: {', '.join(names[:5])}{more}")
    if len(kinds) != types.count(",") + 1:
        kind = types.replace("_", " ")
        return Check("unknown", f"the bot is in no {kind}; to see others it needs {' and '.join(kinds)}")
    without = "it hears nothing but direct messages"
    return Check("missing", "the bot is in no channel", without, "in Slack, in a channel: /invite @Footnote")


async def _pages(client: AsyncWebClient, types: str) -> AsyncIterator[list[str] | Trouble]:
    """Yield the channels that the bot is in, a page at a time; last what came instead of a page, if that was so."""
    cursor: str | None = None
    for _ in range(_PAGES):
        page = await once(client.conversations_list(types=types, limit=_PAGE, cursor=cursor, exclude_archived=True))
        if not isinstance(page, AsyncSlackResponse):
            yield page
            return
        yield [f"#{channel.get('name', '')}" for channel in page.get("channels") or () if channel.get("is_member")]
        cursor = (page.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            return


def _events() -> Check:
    fix = (
        f"set SLACK_CONFIG_TOKEN, or save what {_APP}, App Manifest shows, and give it as --manifest FILE; or look "
        f"there at Event Subscriptions, Subscribe to bot events: there should be {', '.join(EVENTS)}"
    )
    return Check("unknown", "events: Slack does not tell an app which of them it is sent", fix=fix)


def _scopes(answer: AsyncSlackResponse) -> frozenset[str] | None:
    """Return what is granted; None where that is not told, as by a gateway that leaves the header out."""
    named = next((value for name, value in answer.headers.items() if name.lower() == _SCOPES_HEADER), None)
    return None if named is None else frozenset(scope.strip() for scope in str(named).split(",") if scope.strip())
