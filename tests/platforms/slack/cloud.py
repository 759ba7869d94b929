"""Slack with several workspaces and one app in them: its Web API on one port, its OAuth, tokens that end."""

import base64
import itertools
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import parse_qs, urlencode, urlsplit

from aiohttp import web

from tests.platforms.slack.deliveries import Patience
from tests.platforms.slack.models import Json
from tests.platforms.slack.stand_in import SlackStandIn
from tests.platforms.slack.web_api import ALL_SCOPES

AUTHORIZE = "https://slack.com/oauth/v2/authorize"
LIFE = 43_200


@dataclass(frozen=True)
class _Code:
    """What a person has allowed; `team` is an organisation's id where it is for all of one."""

    team: str
    person: str
    redirect_uri: str
    scopes: str
    is_organisation: bool = False


class SlackCloud:
    """Slack as an app in many workspaces meets it; used as an async context manager, it serves while inside.

    With `rotates`, tokens end after twelve hours and come with a refresh token, which works once.
    """

    def __init__(self, *, rotates: bool = False, patience: Patience | None = None) -> None:
        self.client_id, self.client_secret = "111.222", "test-client-secret"
        self.signing_secret = "test-signing-secret"
        self.redirect_uris: set[str] = set()
        self.rotates = rotates
        self.workspaces: dict[str, SlackStandIn] = {}
        self.oauth_calls: list[Json] = []
        self.refusing: str | None = None
        self.lost_answers = 0
        self._patience = patience or Patience()
        self._codes: dict[str, _Code] = {}
        self._renewals: dict[str, str] = {}
        self._numbers = itertools.count(1)
        self._runner: web.AppRunner | None = None
        self._port = 0

    async def __aenter__(self) -> Self:
        server = web.Application()
        server.router.add_post("/api/oauth.v2.access", self._access)
        server.router.add_route("*", "/api/{method}", self._call)
        self._runner = web.AppRunner(server, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        for one in self.workspaces.values():
            await one.__aexit__()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def api_base_url(self) -> str:
        """The address to give to Slack clients as their base URL."""
        return f"http://127.0.0.1:{self._port}/api/"

    async def add(self, team: str, *, scopes: Collection[str] = ALL_SCOPES) -> SlackStandIn:
        """Add a workspace with Ada (U1) and the bot in C1, where the app is not installed yet."""
        number = len(self.workspaces) + 1
        one = SlackStandIn(
            f"xoxb-{team}-unused",
            signing_secret=self.signing_secret,
            scopes=scopes,
            patience=self._patience,
            team_id=team,
            team_domain=f"team-{number}",
            bot_user_id=f"U{number}BOT",
            bot_id=f"B{number}BOT",
        )
        one.tokens.clear()
        one.add_user("U1", name="Ada")
        one.add_channel("C1", members=["U1", one.bot_user_id], name="general")
        self.workspaces[team] = await one.__aenter__()
        return one

    def allow(self, location: str, team: str, person: str = "U1", *, is_organisation: bool = False) -> str:
        """Allow the installation that an address of Slack's asks for; return where the browser is sent then."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}
        assert location.startswith(f"{AUTHORIZE}?"), location
        assert asked["client_id"] == self.client_id
        assert asked["redirect_uri"] in self.redirect_uris, asked
        assert asked["scope"]
        code = f"code-{next(self._numbers)}"
        self._codes[code] = _Code(team, person, asked["redirect_uri"], asked["scope"], is_organisation)
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, team: str) -> str:
        """Return the newest token of a workspace."""
        return list(self.workspaces[team].tokens)[-1]

    def refuse(self, team: str, error: str | None) -> None:
        """Refuse every token of a workspace with this error from now on, or take the newest again."""
        tokens = self.workspaces[team].tokens
        for token in tokens if error else [self.token(team)]:
            tokens[token] = error

    async def uninstall(self, team: str, url: str) -> list[int | str]:
        """Remove the app from a workspace, which tells of it twice; return how it was answered."""
        self.refuse(team, "account_inactive")
        one = self.workspaces[team]
        revoked = {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [one.bot_user_id]}}
        return [await one.deliver_http(url, event) for event in ({"type": "app_uninstalled"}, revoked)]

    async def _access(self, request: web.Request) -> web.StreamResponse:
        given: Json = {name: str(value) for name, value in (await request.post()).items()}
        self.oauth_calls.append(given)
        answer = self._judged(request, given)
        if self.lost_answers:
            self.lost_answers -= 1
            if request.transport:
                request.transport.abort()
        return web.json_response(answer)

    def _judged(self, request: web.Request, given: Json) -> Json:
        pair = base64.b64encode(f"{self.client_id}:{self.client_secret}".encode()).decode()
        if request.headers.get("Authorization") != f"Basic {pair}":
            return {"ok": False, "error": "invalid_client_id"}
        if self.refusing:
            return {"ok": False, "error": self.refusing}
        return self._renewed(given) if given.get("grant_type") == "refresh_token" else self._installed(given)

    def _installed(self, given: Json) -> Json:
        code = self._codes.pop(given.get("code", ""), None)
        if code is None:
            return {"ok": False, "error": "invalid_code"}
        if code.redirect_uri != given.get("redirect_uri"):
            return {"ok": False, "error": "bad_redirect_uri"}
        team = None if code.is_organisation else {"id": code.team, "name": f"Team {code.team}"}
        enterprise = {"id": code.team, "name": "Org"} if code.is_organisation else None
        return {
            "ok": True,
            "token_type": "bot",
            "app_id": "A0APP",
            "scope": code.scopes,
            "team": team,
            "enterprise": enterprise,
            "is_enterprise_install": code.is_organisation,
            "authed_user": {"id": code.person},
            **self._new_token(code.team),
        }

    def _renewed(self, given: Json) -> Json:
        team = self._renewals.pop(given.get("refresh_token", ""), None)
        if team is None:
            return {"ok": False, "error": "invalid_refresh_token"}
        one = self.workspaces[team]
        who = {"token_type": "bot", "app_id": "A0APP", "bot_user_id": one.bot_user_id, "scope": ""}
        return {"ok": True, **who, "team": {"id": team, "name": f"Team {team}"}, **self._new_token(team)}

    def _new_token(self, team: str) -> Json:
        one, number = self.workspaces[team], next(self._numbers)
        token = f"xoxe.xoxb-{team}-{number}-test-token" if self.rotates else f"xoxb-{team}-{number}-test-token"
        one.tokens[token] = None
        known = {"access_token": token, "bot_user_id": one.bot_user_id}
        if not self.rotates:
            return known
        renewal = f"xoxe-{team}-{number}-test-token"
        self._renewals[renewal] = team
        return known | {"refresh_token": renewal, "expires_in": LIFE}

    async def _call(self, request: web.Request) -> web.StreamResponse:
        header = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
        found = [one for one in self.workspaces.values() if header in one.tokens]
        if not found:
            answer: dict[str, Any] = {"ok": False, "error": "invalid_auth" if header else "not_authed"}
            return web.json_response(answer)
        return await found[0].answer(request)
