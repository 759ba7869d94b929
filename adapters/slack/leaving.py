"""Events that say that a workspace removed the app, or took its token back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Leaving:
    """A workspace says it removed the app, at a whole second; not `for_sure` when perhaps an older token alone went."""

    team: str
    at: datetime
    for_sure: bool


def leaving_in(body: Mapping[str, Any]) -> Leaving | None:
    """Return what an event says of that; None for any other. Never raises.

    `tokens_revoked` names the persons and the bots whose tokens went; a person's is nothing to us, who never ask for
    one.
    """
    match body:
        case {"team_id": str(team), "event": {"type": "app_uninstalled"}}:
            return Leaving(team, _time(body), for_sure=True)
        case {"team_id": str(team), "event": {"type": "tokens_revoked", "tokens": {"bot": [_, *_]}}}:
            return Leaving(team, _time(body), for_sure=False)
    return None


def _time(body: Mapping[str, Any]) -> datetime:
    at = body.get("event_time")
    now = datetime.now(UTC)
    return datetime.fromtimestamp(at, UTC) if isinstance(at, int) and 0 < at < now.timestamp() else now
