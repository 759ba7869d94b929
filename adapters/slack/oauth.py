"""Installing the app in a workspace from a web page: Bolt's OAuth flow over our own stores."""

import html
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.error import BoltError
from slack_bolt.oauth.async_callback_options import AsyncCallbackOptions, AsyncFailureArgs, AsyncSuccessArgs
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError
from slack_sdk.oauth import OAuthStateUtils
from slack_sdk.oauth.installation_store import Installation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import Trouble, in_words, once
from adapters.slack.door import Handler
from adapters.slack.grants import granted
from adapters.slack.intake import vendor_log
from adapters.slack.needs import BOT_SCOPES
from adapters.slack.refusals import code_of, refusal_of
from adapters.slack.workspaces import is_welcome
from core.errors import DeliveryError, PortError, whereabouts
from core.installing import Departures, Installations
from core.phrases import language_read, phrase
from core.text import Language

_log = logging.getLogger("footnote")

INSTALL_PATH = "/slack/install"
REDIRECT_PATH = "/slack/oauth_redirect"
# Seconds from the beginning of an installation to Slack's word that it was allowed.
STATE_SECONDS = 600

# Why an installation did not come about, in Slack's, Bolt's and our own words, and the sentence that says it.
_REASONS = {
    "access_denied": "install_denied",
    "invalid_browser": "install_anew",
    "invalid_state": "install_anew",
    "missing_code": "install_anew",
    "invalid_code": "install_anew",
    "install_organisation": "install_organisation",
    "install_uninvited": "install_uninvited",
}
# The same for the operator.
_TURNED_AWAY = {
    "install_organisation": "it is an organisation; the app is installed in single workspaces of it",
    "install_uninvited": "its id is not in SLACK_WORKSPACES",
}
_REMOVE = "somebody there should remove the app"
# What Slack says of a code that was used before, or too late: to begin again helps, and nothing else is wrong.
_USED = ("invalid_code", "code_already_used", "code_expired")
_PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Footnote</title>
<style>body{{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem}}</style></head>
<body><h1>Footnote</h1><p>{words}</p>{link}</body></html>
"""
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True, slots=True)
class OAuthApp:
    """The app as workspaces install it: from `public_url`, by those whose ids are `welcome`."""

    client_id: str
    client_secret: str = field(repr=False)
    public_url: str
    welcome: tuple[str, ...]


class _Unwelcome(BoltError):
    """An installation that is not to be; the text is the name of the reason."""


class InstallingClient(AsyncWebClient):
    """Asks Slack for what an installation brings. Bolt keeps to itself what is refused; here the operator is told."""

    async def api_call(self, api_method: str, **given: Any) -> AsyncSlackResponse:
        """Return the answer. Raises DeliveryError for what beginning again will not mend, else as the library does."""
        try:
            return await super().api_call(api_method, **given)
        except SlackApiError as error:
            if api_method == "auth.revoke":
                raise
            reason = f"{api_method}: {refusal_of(error).reason}"
            if code_of(error) not in _USED:
                raise DeliveryError(reason) from None
            _log.warning("Slack: an installation has to begin again: %s", reason)
            raise


@dataclass(frozen=True, slots=True)
class _Store(AsyncInstallationStore):
    """What Bolt stores an installation in."""

    app: OAuthApp
    installations: Installations
    departures: Departures
    client: AsyncWebClient

    async def async_save(self, installation: Installation) -> None:
        """Store the bot in a workspace. Raises BoltError when it may not be there; its token is then given back."""
        grant, team = granted(installation), installation.team_id or ""
        if installation.is_enterprise_install or grant is None:
            return await self._turn_away(installation, "install_organisation")
        if not is_welcome(self.app.welcome, team, installation.enterprise_id):
            return await self._turn_away(installation, "install_uninvited")
        try:
            await self.installations.save("slack", team, installation.team_name or team, grant.secrets())
            await self.departures.stays("slack", team)
        except PortError as error:
            raise BoltError(error.reason) from None
        _log.info("Slack: installed in workspace %s by %s", team, grant.installer or "somebody")
        return None

    async def _turn_away(self, installation: Installation, reason: str) -> None:
        who = installation.team_id or installation.enterprise_id
        _log.warning("Slack: %s may not install the app: %s", who, _TURNED_AWAY[reason])
        if installation.bot_token:
            answer = await once(self.client.auth_revoke(token=installation.bot_token))
            if isinstance(answer, Trouble):
                said = in_words(answer).partition(":")[0]
                _log.warning("Slack: the token of %s is not given back: %s; %s", who, said, _REMOVE)
        raise _Unwelcome(reason)


@dataclass(frozen=True, slots=True)
class _States(AsyncOAuthStateStore):
    """What Bolt knows an installation under way by."""

    installations: Installations

    async def async_issue(self, *_: object, **__: object) -> str:
        return await self.installations.issue(STATE_SECONDS)

    async def async_consume(self, state: str) -> bool:
        return await self.installations.consume(state)


def pages(
    app: OAuthApp, installations: Installations, departures: Departures, client: AsyncWebClient
) -> Mapping[str, Handler]:
    """Return what answers at the paths of an installation; `client` has no token of its own."""
    flow = _flow(app, _Store(app, installations, departures, client), _States(installations), client)

    async def install(request: web.Request) -> web.StreamResponse:
        return await _answer(request, flow.handle_installation)

    async def finish(request: web.Request) -> web.StreamResponse:
        return await _answer(request, flow.handle_callback)

    return {INSTALL_PATH: install, REDIRECT_PATH: finish}


def _flow(app: OAuthApp, store: _Store, states: _States, client: AsyncWebClient) -> AsyncOAuthFlow:
    settings = AsyncOAuthSettings(
        client_id=app.client_id,
        client_secret=app.client_secret,
        scopes=list(BOT_SCOPES),
        user_scopes=[],
        redirect_uri=app.public_url.rstrip("/") + REDIRECT_PATH,
        install_path=INSTALL_PATH,
        install_page_rendering_enabled=False,
        redirect_uri_path=REDIRECT_PATH,
        callback_options=AsyncCallbackOptions(success=_succeeded, failure=_failed),
        installation_store=store,
        state_store=states,
        state_expiration_seconds=STATE_SECONDS,
        logger=vendor_log,
    )
    settings.state_utils = OAuthStateUtils(expiration_seconds=STATE_SECONDS)
    return AsyncOAuthFlow(client=client, logger=vendor_log, settings=settings)


async def _answer(request: web.Request, handle: object) -> web.StreamResponse:
    """Return what the flow answers, or a page that says to try again; never what went wrong in our own words."""
    try:
        answer: BoltResponse = await handle(await to_bolt_request(request))  # type: ignore[operator]
    except Exception as error:  # noqa: BLE001 - anybody may come here, and is owed a page
        reason = error.reason if isinstance(error, DeliveryError) else whereabouts(error)
        _log.warning("Slack: an installation failed: %s", reason)
        language = language_read(request.headers.get("Accept-Language", ""))
        return web.Response(status=503, headers=_HEADERS, text=_page(phrase("install_failed", language), language))
    return await to_aiohttp_response(answer)


async def _succeeded(args: AsyncSuccessArgs) -> BoltResponse:
    installation, language = args.installation, _spoken(args.request)
    words = phrase("install_done", language, workspace=installation.team_name or installation.team_id)
    link = f"slack://app?team={installation.team_id}&id={installation.app_id}"
    return _response(200, _page(words, language, link, phrase("install_open", language)))


async def _failed(args: AsyncFailureArgs) -> BoltResponse:
    language, reason = _spoken(args.request), args.reason
    status = args.suggested_status_code
    if isinstance(args.error, _Unwelcome):
        reason, status = str(args.error), web.HTTPForbidden.status_code
    elif args.error:
        _log.warning("Slack: an installation could not be stored: %s", args.error)
    name = _REASONS.get(reason, "install_failed")
    return _response(status, _page(phrase(name, language), language))


def _response(status: int, page: str) -> BoltResponse:
    gone = OAuthStateUtils().build_set_cookie_for_deletion()
    headers: dict[str, str | Sequence[str]] = {name: [value] for name, value in _HEADERS.items()}
    headers["Set-Cookie"] = [gone]
    return BoltResponse(status=status, body=page, headers=headers)


def _page(words: str, language: Language, link: str = "", label: str = "") -> str:
    shown = f'<p><a href="{html.escape(link)}">{html.escape(label)}</a></p>' if link else ""
    return _PAGE.format(language=language, words=html.escape(words), link=shown)


def _spoken(request: AsyncBoltRequest) -> Language:
    wanted = request.headers.get("accept-language") or [""]
    return language_read(wanted[0])
