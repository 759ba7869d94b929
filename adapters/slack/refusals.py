"""What Slack's error codes mean, and what to do about them."""

from dataclasses import dataclass
from typing import Any

from slack_sdk.errors import SlackApiError

_REASONS = {
    "not_in_channel": "the bot is not in this channel; invite it there with /invite",
    "channel_not_found": "the channel is gone, or is private and the bot is not in it; invite it there with /invite",
    "is_archived": "the channel is archived",
    "is_inactive": "the channel is frozen",
    "restricted_action": "the workspace does not let apps post in this channel",
    "restricted_action_read_only_channel": "the channel is read-only",
    "restricted_action_thread_only_channel": "the channel takes replies in threads only",
    "restricted_action_non_threadable_channel": "the channel takes no replies",
    "restricted_action_thread_locked": "the thread is locked",
    "posting_to_general_channel_denied": "the workspace does not let apps post in its general channel",
    "thread_not_found": "the question is gone",
    "cannot_reply_to_message": "the question does not take replies",
    "message_not_found": "the message is gone",
    "missing_scope": "a permission is missing; add the scope in the app's settings and install the app again",
    "invalid_auth": "the token is wrong, or a part of it is missing; copy all of it again from the app's "
    "settings at api.slack.com/apps",
    "not_authed": "the token is empty; copy it from the app's settings at api.slack.com/apps",
    "account_inactive": "the app was removed from the workspace; install it again and copy the new token",
    "token_revoked": "the token was revoked; install the app again and copy the new token",
    "token_expired": "the token has expired; turn token rotation off for an app whose token stands in the settings, "
    "or install the app again from its page",
    "not_allowed_token_type": "this is another kind of token; copy the one that is named here",
    "team_access_not_granted": "the organisation has not given the app this workspace; an admin of it can",
    "team_added_to_org": "the workspace is moving to an organisation; Slack takes calls again once that is done",
    "enterprise_is_restricted": "the organisation does not let the app in; an admin of it can",
    "ekm_access_denied": "the organisation's admins have suspended access to messages",
    "invalid_refresh_token": "the token's renewal was used before or is not the app's; install the app again",
    "invalid_code": "the installation was begun too long ago, or is finished; it has to begin again",
    "code_already_used": "the installation is finished; it has to begin again",
    "bad_client_secret": "SLACK_CLIENT_SECRET is not the app's; copy it from Basic Information, App Credentials",
    "invalid_client_id": "SLACK_CLIENT_ID is not the app's; copy it from Basic Information, App Credentials",
    "bad_redirect_uri": "SLACK_PUBLIC_URL is not among the app's redirect URLs; add it under OAuth & Permissions",
    "forbidden_error": "the app does not use Socket Mode; turn it on in its settings",
    "user_not_in_channel": "the person has left the channel",
    "org_login_required": "the workspace has moved to an organisation; install the app again and copy the new token",
}

# The app may not do this yet; whoever runs it adds the scope, and then it may.
UNGRANTED = "missing_scope"
# Nothing can be said there, whatever it is.
SHUT = (
    *("not_in_channel", "channel_not_found", "is_archived", "is_inactive"),
    *("restricted_action", "restricted_action_read_only_channel", "restricted_action_thread_only_channel"),
    *("restricted_action_non_threadable_channel", "restricted_action_thread_locked"),
    *("posting_to_general_channel_denied", "cannot_reply_to_message"),
)
# The thread's first message was deleted, and nothing had been said under it: nobody waits for an answer.
NO_THREAD = "thread_not_found"
# The message is not as Slack wants it: the same words as plain text still arrive.
UNSHOWABLE = ("msg_too_long", "invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "invalid_attachments")
# Said of blocks in which something is not known, and never of their length.
STRANGE = ("invalid_blocks", "invalid_blocks_format", "invalid_arguments")
# The message stands there, but may not be changed.
UNCHANGEABLE = ("cant_update_message", "edit_window_closed")
_UNDERSTOOD = frozenset((*_REASONS, *UNSHOWABLE, *STRANGE, *UNCHANGEABLE))


@dataclass(frozen=True, slots=True)
class Refusal:
    """Slack turned a call down for good; `code` is its word for the reason, `reason` says it to a person."""

    code: str
    reason: str


def is_understood(code: str) -> bool:
    """Return whether we know what the code says; of any other it is only known that this was not taken here."""
    return code in _UNDERSTOOD


def refusal_of(error: SlackApiError) -> Refusal:
    """Return what Slack said no to, in words."""
    code = code_of(error) or "nothing understandable"
    reason = f"Slack says {code}: {_REASONS.get(code, 'see the errors of the method at docs.slack.dev')}"
    needed = _answer(error).get("needed")
    return Refusal(code, f"{reason} (needed: {needed})" if needed else reason)


def code_of(error: SlackApiError) -> str | None:
    """Return Slack's word for the error, if there is one."""
    code = _answer(error).get("error")
    return code if isinstance(code, str) else None


def status_of(error: SlackApiError) -> int:
    """Return the HTTP status of the answer."""
    response: Any = error.response
    return int(getattr(response, "status_code", 0) or getattr(response, "status", 0))


def retry_after(error: SlackApiError) -> float:
    """Return how many seconds Slack wants us to wait, one at least: no wait would be a loop without end."""
    headers: Any = getattr(error.response, "headers", {})
    named = next((value for name, value in headers.items() if name.lower() == "retry-after"), "1")
    return max(1.0, float(named)) if str(named).isdecimal() else 1.0


def _answer(error: SlackApiError) -> dict[str, Any]:
    data: Any = getattr(error.response, "data", None)
    return data if isinstance(data, dict) else {}
