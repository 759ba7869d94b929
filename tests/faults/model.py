"""The model of all workers of a round: it hears every call, and fails when it is told to."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from aiohttp import web

Trouble = Literal["429", "500", "401", "timeout", "drop"]


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call: when it was made, for which run, in which role, about which key, by which process, and what it asked.

    By the caller's clock, which all processes share: a busy machine may hear of it only after its time-out.
    """

    at: int
    run: str
    role: str
    key: str
    pid: int
    asked: str


@dataclass
class Model:
    """Answers after `pause` seconds; `troubles` are for the next calls, and `always` for all that have none."""

    pause: float = 0.02
    troubles: list[Trouble] = field(default_factory=list)
    always: Trouble | None = None
    calls: list[ModelCall] = field(default_factory=list)
    address: str = ""

    async def answer(self, request: web.Request) -> web.Response:
        call = await request.json()
        self.calls.append(ModelCall(**call))
        trouble = self.troubles.pop(0) if self.troubles else self.always
        match trouble:
            case "timeout":
                await asyncio.sleep(1.5)
            case "drop":
                if request.transport:
                    request.transport.abort()
            case "429" | "500" | "401":
                return web.Response(status=int(trouble))
        await asyncio.sleep(self.pause)
        return web.Response()


M = TypeVar("M", bound=Model)


def model() -> AbstractAsyncContextManager[Model]:
    """Serve a model on a free port."""
    return served(Model())


@asynccontextmanager
async def served(made: M) -> AsyncIterator[M]:
    """Serve this model on a free port."""
    app = web.Application()
    app.router.add_post("/", made.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.address = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    try:
        yield made
    finally:
        await runner.cleanup()
