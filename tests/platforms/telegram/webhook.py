"""Pushes updates to the bot's webhook."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import aiohttp

from .model import Json
from .store import World, now
from .updates import Pending

FIRST_RETRY = 0.05
LONGEST_RETRY = 1.0
PUSH_TIMEOUT = 5.0
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"


class WebhookPusher:
    """Delivers each chat's updates in order; a failing chat does not hold up the others."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._lanes: dict[object, asyncio.Task[None]] = {}
        self._loop: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to watch the queue."""
        timeout = aiohttp.ClientTimeout(total=PUSH_TIMEOUT)
        self._session = aiohttp.ClientSession(timeout=timeout)
        self._loop = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """End every delivery, finished or not."""
        tasks = [*self._lanes.values(), *([self._loop] if self._loop else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._session.close()

    async def _watch(self) -> None:
        while True:
            self._open_lanes()
            await self._world.changes.until(self._has_idle_work, LONGEST_RETRY)

    def _has_idle_work(self) -> bool:
        return bool(self._idle_heads())

    def _idle_heads(self) -> list[tuple[object, Pending]]:
        """Return the first update of each chat that has no delivery yet, as many as may start."""
        queue = self._world.updates
        if not queue.webhook_url:
            return []
        heads: dict[object, Pending] = {}
        for update in queue.pending:
            heads.setdefault(_lane(update), update)
        running = {key for key, task in self._lanes.items() if not task.done()}
        idle = [(key, update) for key, update in heads.items() if key not in running]
        return idle[: max(0, queue.max_connections - len(running))]

    def _open_lanes(self) -> None:
        starting = self._idle_heads()
        self._lanes = {key: task for key, task in self._lanes.items() if not task.done()}
        for key, update in starting:
            self._lanes[key] = asyncio.create_task(self._deliver(update))

    async def _deliver(self, update: Pending) -> None:
        if await self._insist(update):
            asyncio.get_running_loop().call_soon(self._world.updates.done, update)

    async def _insist(self, update: Pending) -> bool:
        """Return True once the webhook took the update, False when it is no longer wanted."""
        queue, delay = self._world.updates, FIRST_RETRY
        while queue.webhook_url and update in queue.pending:
            if await self._push(queue.webhook_url, update.body):
                return True
            await asyncio.sleep(delay)
            delay = min(2 * delay, LONGEST_RETRY)
        return False

    async def _push(self, url: str, body: Json) -> bool:
        secret = self._world.updates.webhook_secret
        headers = {SECRET_HEADER: secret} if secret else {}
        with suppress(aiohttp.ClientError, TimeoutError):
            async with self._session.post(url, json=body, headers=headers) as answer:
                return answer.ok or self._failed(f"Wrong response from the webhook: {answer.status}")
        return self._failed("Connection failed")

    def _failed(self, reason: str) -> bool:
        self._world.updates.last_error = reason
        self._world.updates.last_error_date = now()
        self._world.changes.announce()
        return False


def _lane(update: Pending) -> object:
    """Return the chat an update belongs to, the update itself when it has none."""
    for content in update.body.values():
        if isinstance(content, dict):
            inner = content.get("message", content)
            return inner.get("chat", {}).get("id", update.id)
    return update.id
