"""The arguments of one call, read from a form, a multipart body, JSON or the query string."""

from __future__ import annotations

import json
from collections.abc import Mapping

from aiohttp import web

from .errors import bad_request
from .model import Json

_STRUCTURED = frozenset(
    {
        "allowed_updates",
        "commands",
        "entities",
        "link_preview_options",
        "reaction",
        "reply_markup",
        "reply_parameters",
        "rich_message",
        "scope",
    }
)

_NUMBERS = frozenset(
    {
        "chat_id",
        "draft_id",
        "limit",
        "message_id",
        "message_thread_id",
        "offset",
        "reply_to_message_id",
        "timeout",
        "user_id",
    }
)


class Params:
    """Arguments by name; an absent one and an empty one are the same, as on the server."""

    def __init__(self, raw: Mapping[str, object]) -> None:
        self._raw = dict(raw)

    def __contains__(self, name: object) -> bool:
        return self._raw.get(str(name)) not in (None, "")

    def text(self, name: str) -> str:
        """Return the argument as text, empty when absent."""
        value = self._raw.get(name)
        return "" if value is None else str(value)

    def integer(self, name: str, default: int = 0) -> int:
        """Return the argument as a number; 0 when it is none, as the server reads it."""
        if name not in self:
            return default
        try:
            return int(self.text(name))
        except ValueError:
            return 0

    def flag(self, name: str) -> bool:
        """Return the argument as a boolean in the server's spelling."""
        return self.text(name).lower() in {"true", "yes", "1"}

    def structure(self, name: str, label: str) -> object:
        """Return the decoded JSON of the argument, None when absent; refuse broken JSON."""
        value = self._raw.get(name)
        if value in (None, "") or not isinstance(value, str):
            return value or None
        try:
            return json.loads(value)
        except ValueError:
            raise bad_request(f"Can't parse {label} JSON object") from None

    def required(self, name: str) -> str:
        """Return a text that must be there."""
        if name not in self:
            raise bad_request(f'Parameter "{name}" is required')
        return self.text(name)

    def readable(self) -> Json:
        """Return the arguments for a test to compare: numbers, flags and JSON decoded."""
        return {name: _decoded(name, value) for name, value in self._raw.items()}


async def read_params(request: web.Request) -> Params:
    """Return the arguments of a request, whichever way they were sent."""
    raw: dict[str, object] = dict(request.query)
    if request.content_type == "application/json":
        body = await request.json()
        raw |= body if isinstance(body, dict) else {}
    elif request.can_read_body:
        raw |= dict(await request.post())
    return Params(raw)


def _decoded(name: str, value: object) -> object:
    if not isinstance(value, str):
        return value
    if name in _STRUCTURED:
        return _json_or_text(value)
    is_number = name in _NUMBERS
    if is_number and value.lstrip("-").isdigit():
        return int(value)
    return {"true": True, "false": False}.get(value, value)


def _json_or_text(value: str) -> object:
    try:
        return json.loads(value)
    except ValueError:
        return value
