"""The queue of updates: what waits, who may fetch it, what is confirmed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .model import Json

UPDATE_TYPES = (
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "callback_query",
    "inline_query",
    "guest_message",
    "my_chat_member",
    "chat_member",
    "message_reaction",
    "message_reaction_count",
    "stopped_message_generation",
)
ON_REQUEST_ONLY = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
FIRST_UPDATE_ID = 7_000_001

DEFAULT_TYPES = frozenset(UPDATE_TYPES) - ON_REQUEST_ONLY


@dataclass
class Pending:
    """An update not yet confirmed; a `repeated` one ignores the offset until it is fetched."""

    body: Json
    repeated: bool = False

    @property
    def id(self) -> int:
        """Return the update id."""
        return int(str(self.body["update_id"]))


@dataclass
class UpdateQueue:
    """Updates in order of arrival, each kept until it is confirmed."""

    announce: Callable[[], None]
    allowed: frozenset[str] = DEFAULT_TYPES
    pending: list[Pending] = field(default_factory=list)
    webhook_url: str = ""
    webhook_secret: str = ""
    max_connections: int = 40
    last_error: str = ""
    last_error_date: int = 0
    poller: object | None = None
    _last_id: int = FIRST_UPDATE_ID - 1

    def add(self, kind: str, content: Json) -> Json | None:
        """Return the new update; None when the bot did not ask for this kind."""
        if kind not in self.allowed:
            return None
        self._last_id += 1
        return self._append(Pending({"update_id": self._last_id, kind: content}))

    def add_raw(self, body: Json) -> Json:
        """Return the update as queued: a given `update_id` is kept, so it can be a repetition."""
        if "update_id" in body:
            return self._append(Pending(body, repeated=True))
        self._last_id += 1
        return self._append(Pending({"update_id": self._last_id, **body}))

    def allow(self, types: object) -> None:
        """Set which kinds are queued from now on; an absent list keeps the last choice."""
        if not isinstance(types, list):
            return
        named = frozenset(str(each) for each in types) & frozenset(UPDATE_TYPES)
        self.allowed = named or DEFAULT_TYPES

    def confirm(self, offset: int) -> None:
        """Forget what lies before the offset; a negative one keeps only the last updates."""
        if offset < 0:
            self.pending = self.pending[offset:]
            return
        self.pending = [each for each in self.pending if each.repeated or each.id >= offset]
        self.announce()

    def fetch(self, limit: int) -> list[Json]:
        """Return the oldest updates; they stay until confirmed."""
        handed = self.pending[:limit]
        for each in handed:
            each.repeated = False
        return [each.body for each in handed]

    def done(self, update: Pending) -> None:
        """Forget an update that a webhook has taken."""
        self.pending = [each for each in self.pending if each is not update]
        self.announce()

    def clear(self) -> None:
        """Forget everything that waits."""
        self.pending = []
        self.announce()

    def take_turn(self) -> object:
        """Return a token for a new long poll; the poll before it loses its own."""
        self.poller = object()
        self.announce()
        return self.poller

    def _append(self, update: Pending) -> Json:
        self.pending.append(update)
        self.announce()
        return update.body
