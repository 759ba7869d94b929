"""Refusals in the wording of the Bot API server."""

from __future__ import annotations

CHAT_NOT_FOUND = "chat not found"
MESSAGE_NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly "
    "the same as a current content and reply markup of the message"
)
QUERY_TOO_OLD = "query is too old and response timeout expired or query ID is invalid"
OTHER_POLLER = "terminated by other getUpdates request; make sure that only one bot instance is running"
WEBHOOK_ACTIVE = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"

_PREFIXES = {400: "Bad Request", 403: "Forbidden", 409: "Conflict", 429: "Too Many Requests"}
_DEFAULTS = {
    401: "Unauthorized",
    404: "Not Found",
    500: "Internal Server Error",
    502: "Bad Gateway",
    504: "Gateway Timeout",
}


class Refusal(Exception):
    """A call the server answers with `ok: false`."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    def as_json(self) -> dict[str, object]:
        """Return the body the server sends for this refusal."""
        body: dict[str, object] = {
            "ok": False,
            "error_code": self.code,
            "description": self.description,
        }
        if self.parameters:
            body["parameters"] = self.parameters
        return body


def bad_request(reason: str) -> Refusal:
    """Return a 400 whose reason starts in lower case unless it is a constant, as the server does.

    `Entity begins …` becomes `entity begins …`; `URL …` and `BUTTON_DATA_INVALID` stay.
    """
    constant = len(reason) > 1 and (reason[1] == "_" or reason[1].isupper())
    shown = reason if constant else reason[:1].lower() + reason[1:]
    return Refusal(400, f"Bad Request: {shown}")


def forbidden(reason: str) -> Refusal:
    """Return a 403: the bot may not speak in this chat."""
    return Refusal(403, f"Forbidden: {reason}")


def conflict(reason: str) -> Refusal:
    """Return a 409: two receivers compete for the updates."""
    return Refusal(409, f"Conflict: {reason}")


def too_many_requests(retry_after: int) -> Refusal:
    """Return a 429 that carries `parameters.retry_after`."""
    reason = f"Too Many Requests: retry after {retry_after}"
    return Refusal(429, reason, retry_after=retry_after)


def describe(code: int) -> str:
    """Return the description the server gives for a bare status code."""
    return _DEFAULTS.get(code) or _PREFIXES.get(code, "Error")
