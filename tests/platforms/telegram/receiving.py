"""Methods that fetch updates or say where to push them."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from .errors import OTHER_POLLER, WEBHOOK_ACTIVE, bad_request, conflict
from .model import Json
from .params import Params
from .store import World

MAX_UPDATES = 100
MAX_POLL_SECONDS = 3
MAX_SECRET = 256

_SECRET = re.compile(r"[A-Za-z0-9_-]*")
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


async def get_updates(world: World, params: Params) -> list[Json]:
    """Return the waiting updates, after a long poll of at most a few seconds.

    The offset confirms what lies before it. A newer poll ends this one with a 409.
    """
    queue = world.updates
    if queue.webhook_url:
        raise conflict(WEBHOOK_ACTIVE)
    turn = queue.take_turn()
    queue.allow(params.structure("allowed_updates", "allowed_updates"))
    if params.integer("offset"):
        queue.confirm(params.integer("offset"))
    seconds = max(0, min(params.integer("timeout"), MAX_POLL_SECONDS))
    await world.changes.until(lambda: bool(queue.pending) or queue.poller is not turn, seconds)
    if queue.poller is not turn:
        raise conflict("terminated by setWebhook request" if queue.webhook_url else OTHER_POLLER)
    limit = params.integer("limit", MAX_UPDATES)
    return queue.fetch(limit if 1 <= limit <= MAX_UPDATES else MAX_UPDATES)


async def set_webhook(world: World, params: Params) -> bool:
    """Push updates from now on; an empty address goes back to polling."""
    url = params.text("url")
    if not url:
        return await delete_webhook(world, params)
    _check_address(url)
    _check_secret(params.text("secret_token"))
    queue = world.updates
    queue.allow(params.structure("allowed_updates", "allowed_updates"))
    if params.flag("drop_pending_updates"):
        queue.clear()
    queue.webhook_secret = params.text("secret_token")
    queue.max_connections = max(1, min(params.integer("max_connections", 40), 100))
    queue.webhook_url = url
    queue.take_turn()
    return True


async def delete_webhook(world: World, params: Params) -> bool:
    """Stop pushing; what waits stays unless it is dropped on request."""
    queue = world.updates
    if params.flag("drop_pending_updates"):
        queue.clear()
    queue.webhook_url = queue.webhook_secret = ""
    queue.announce()
    return True


async def get_webhook_info(world: World, params: Params) -> Json:
    """Return where updates go, how many wait and the last failure."""
    queue = world.updates
    info: Json = {
        "url": queue.webhook_url,
        "has_custom_certificate": False,
        "pending_update_count": len(queue.pending),
    }
    if queue.webhook_url:
        info |= {"max_connections": queue.max_connections, "allowed_updates": sorted(queue.allowed)}
    if queue.last_error:
        info |= {"last_error_date": queue.last_error_date, "last_error_message": queue.last_error}
    return info


def _check_address(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise bad_request("bad webhook: HTTPS URL must be provided for webhook")
    if parts.hostname not in _LOOPBACK:
        raise bad_request("bad webhook: the stand-in pushes to this machine only")


def _check_secret(secret: str) -> None:
    if len(secret) > MAX_SECRET:
        raise bad_request("Secret token is too long")
    if not _SECRET.fullmatch(secret):
        raise bad_request("Secret token contains unallowed characters")
