"""The first calls to Slack, which tell a wrong token before anybody asks."""

import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import Barred, Busy, Trouble, Unknown, Unsent, once
from adapters.slack.refusals import Refusal
from core.errors import BotError, ConfigError, DeliveryError

BOT_VARIABLE = "SLACK_BOT_TOKEN (OAuth & Permissions, Bot User OAuth Token, begins with xoxb-)"
APP_VARIABLE = "SLACK_APP_TOKEN (Basic Information, App-Level Tokens, scope connections:write, begins with xapp-)"

# The library logs whole answers, with people's words in them; only its errors are wanted.
_quiet = logging.getLogger(f"{__name__}.vendor")
_quiet.setLevel(logging.ERROR)

_PERSONAL = "xoxp-"
# What may stand in a header's value and in every token seen.
_TOKEN = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the bot is in its workspace."""

    workspace: str
    user: str
    name: str
    team: str = ""


def client_of(token: str, api_base_url: str | None = None) -> AsyncWebClient:
    """Return a client that opens what each call needs and repeats nothing by itself.

    Raises ConfigError when the token is none.
    """
    if not _TOKEN.fullmatch(token):
        raise ConfigError(f"{BOT_VARIABLE} holds characters that no token has: copy it again")
    return AsyncWebClient(token, api_base_url or AsyncWebClient.BASE_URL, logger=_quiet, retry_handlers=[])


async def identify(client: AsyncWebClient) -> Identity:
    """Return who the bot token belongs to. Raises ConfigError when Slack refuses it, DeliveryError when unreachable."""
    answer = await _first(client, BOT_VARIABLE, client.auth_test)
    if not answer.get("bot_id") and str(client.token).startswith(_PERSONAL):
        raise ConfigError(f"{BOT_VARIABLE} is not a bot's but a person's")
    return Identity(
        workspace=str(answer.get("team", "")),
        user=str(answer.get("user_id", "")),
        name=str(answer.get("user", "")),
        team=str(answer.get("team_id", "")),
    )


async def socket_address(client: AsyncWebClient) -> str:
    """Return where to connect to for Socket Mode; `client` holds the app token. Raises as `identify` does."""
    token = client.token or ""
    answer = await _first(client, APP_VARIABLE, lambda: client.apps_connections_open(app_token=token))
    return str(answer["url"])


async def _first(
    client: AsyncWebClient, variable: str, call: Callable[[], Awaitable[AsyncSlackResponse]]
) -> AsyncSlackResponse:
    if not _TOKEN.fullmatch(client.token or ""):
        raise ConfigError(f"{variable} holds characters that no token has: copy it again")
    answer = await once(call())
    if isinstance(answer, AsyncSlackResponse):
        return answer
    raise _startup_error(variable, answer)


def _startup_error(variable: str, trouble: Trouble) -> BotError:
    """Return the error that tells the operator what to do."""
    match trouble:
        case Refusal(reason=reason) | Barred(reason):
            return ConfigError(f"{variable}: {reason}")
        case Busy(seconds):
            return DeliveryError(f"Slack asks for a pause of {seconds:.0f} s", retry=True)
        case Unsent(reason) | Unknown(reason):
            return DeliveryError(reason, retry=True)
