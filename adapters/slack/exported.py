"""The app's manifest as it stands at Slack now, for whoever holds a configuration token."""

from collections.abc import Mapping
from typing import Any

from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import Trouble, Unknown, Unsent, in_words, once
from adapters.slack.checkup import NETWORK, Check
from adapters.slack.connect import client_of
from adapters.slack.refusals import Refusal

_TOKENS = "api.slack.com/apps, Your App Configuration Tokens"
# What Slack says of a token that is none, has ended, or belongs to somebody who may not change the app.
_FIXES = {
    "token_expired": f"{_TOKENS}: generate one anew, it lasts twelve hours",
    "not_allowed_token_type": f"{_TOKENS}: this is another token; generate one there, it begins with xoxe.xoxp-",
}
_FIX = f"{_TOKENS}: generate one for the workspace in which the app was made, as somebody who may change the app"


async def exported_manifest(
    config_token: str, bot_token: str, api_base_url: str | None = None
) -> Mapping[str, Any] | Check:
    """Return the manifest of the bot's own app, or why Slack does not give it. Raises ConfigError as `client_of` does.

    No bot is told its manifest: `config_token` is a person's, and the bot's own tells only of which app it is.
    """
    client = client_of(bot_token, api_base_url)
    who = await once(client.auth_test())
    bot = await once(client.bots_info(bot=str(who.get("bot_id")))) if isinstance(who, AsyncSlackResponse) else who
    if not isinstance(bot, AsyncSlackResponse):
        return _untold("the app's id", bot, "mend the bot's token and its scope users:read first")
    app = str((bot.get("bot") or {}).get("app_id") or "")
    answer = await once(client_of(config_token, api_base_url).apps_manifest_export(app_id=app))
    if not isinstance(answer, AsyncSlackResponse):
        code = answer.code if isinstance(answer, Refusal) else ""
        return _untold("SLACK_CONFIG_TOKEN", answer, _FIXES.get(code, _FIX))
    manifest = answer.get("manifest")
    return manifest if isinstance(manifest, Mapping) else {}


def _untold(what: str, trouble: Trouble, fix: str) -> Check:
    said = f"Slack says {trouble.code}" if isinstance(trouble, Refusal) else in_words(trouble)
    fix = NETWORK if isinstance(trouble, Unsent | Unknown) else fix
    return Check("missing", f"{what}: {said}", "the app's manifest is not compared", fix)
