"""What is to be handed to the app, and what became of it."""

import asyncio
from dataclasses import dataclass, field
from typing import Literal

from tests.platforms.slack.models import Json

DeliveryKind = Literal["events_api", "slash_commands", "interactive"]


@dataclass
class Delivery:
    """One event, command or click, with every attempt made to hand it over."""

    kind: DeliveryKind
    payload: Json
    retry_num: int = 0
    envelope_ids: list[str] = field(default_factory=list)
    statuses: list[int | str] = field(default_factory=list)
    response: Json | None = None
    acked: bool = False
    finished: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def event_id(self) -> str | None:
        """The event's id, the same in every attempt; commands and clicks have none."""
        return self.payload.get("event_id")

    @property
    def is_retried(self) -> bool:
        """Only events are sent again: a person sees a failed command or click at once."""
        return self.kind == "events_api"

    def accept(self, response: Json | None) -> None:
        """Note that the app acknowledged it, perhaps with an answer."""
        self.acked = True
        self.response = response


@dataclass(frozen=True)
class Patience:
    """How long the app may take to acknowledge, and how often it is tried again."""

    ack_timeout: float = 3.0
    retries: int = 3
    retry_pause: float = 0.05


def retry_reason(delivery: Delivery) -> str:
    """Return why the delivery is tried again, in Slack's words."""
    last = delivery.statuses[-1] if delivery.statuses else "http_timeout"
    return last if isinstance(last, str) else "http_error"
