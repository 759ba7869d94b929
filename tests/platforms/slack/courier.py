"""Hands events, commands and clicks to the app, by socket or by HTTP, in the background."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.platforms.slack.deliveries import Delivery, DeliveryKind
from tests.platforms.slack.models import Json
from tests.platforms.slack.signed_http import SignedHttp
from tests.platforms.slack.socket_mode import SocketMode


@dataclass
class Courier:
    """Carries each delivery to its end; `acknowledged` receives the answers to commands."""

    sockets: SocketMode
    http: SignedHttp
    acknowledged: Callable[[Json, Json], None]
    request_url: str | None = None
    deliveries: list[Delivery] = field(default_factory=list)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def hand_over(self, kind: DeliveryKind, payload: Json, retry_num: int = 0) -> Delivery:
        """Start carrying a delivery and return it at once."""
        delivery = Delivery(kind, payload, retry_num)
        self.deliveries.append(delivery)
        task = asyncio.get_running_loop().create_task(self._carry(delivery))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return delivery

    def unfinished(self) -> list[Delivery]:
        """Return what is neither acknowledged nor given up."""
        return [delivery for delivery in self.deliveries if not delivery.finished.is_set()]

    async def stop(self) -> None:
        """Give up everything that is under way."""
        under_way = list(self._tasks)
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)

    async def _carry(self, delivery: Delivery) -> None:
        if self.request_url is None:
            await self.sockets.deliver(delivery)
        else:
            await self.http.deliver(self.request_url, delivery)
        if delivery.kind == "slash_commands" and delivery.response:
            self.acknowledged(delivery.payload, delivery.response)
        delivery.finished.set()
