"""A server on 127.0.0.1 that LiteLLM takes for a provider of embeddings and of reranking."""

import asyncio
import random
import struct
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from aiohttp import web

DIMENSION = 8
SECRET = "sk-loopback-0123456789abcdef"


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply: good, or a way to fail. `after`: its Retry-After; `numbers`: how long a vector is.

    `unpacked`: its numbers are written out, whatever was asked for.
    """

    status: int = 200
    kind: Literal["good", "html", "drop", "stall", "short", "zero"] = "good"
    after: str | None = None
    numbers: int = DIMENSION
    unpacked: bool = False


GOOD = Reply()
Script = Sequence[Reply] | Callable[[Mapping[str, Any]], Reply]


def vector_of(text: str, numbers: int = DIMENSION) -> list[float]:
    """Return numbers that depend on the text alone, of no particular length."""
    chance = random.Random(text)  # noqa: S311 - the same numbers each time
    return [chance.uniform(-3, 3) for _ in range(numbers)]


def score_of(query: str, text: str) -> float:
    """Return how much of the query's letters the text has."""
    return len(set(query) & set(text)) / (len(set(query)) or 1)


@dataclass
class Provider:
    """What the server was asked, what it says next (one reply a call, the last one for ever), and how to reach it.

    No reply is sent before `wanted` calls have been open together.
    """

    script: Script = (GOOD,)
    base: str = ""
    bodies: list[Mapping[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    open: int = 0
    most_at_once: int = 0
    wanted: int = 1
    enough: asyncio.Event = field(default_factory=asyncio.Event)
    asked: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer one call."""
        body = await request.json()
        reply = self.script(body) if callable(self.script) else self.script[min(len(self.bodies), len(self.script) - 1)]
        self.bodies.append(body)
        self.keys.append(request.headers.get("Authorization", ""))
        self.open += 1
        self.most_at_once = max(self.most_at_once, self.open)
        self.asked.set()
        if self.open >= self.wanted:
            self.enough.set()
        try:
            await self.enough.wait()
            return await _response(request, body, reply)
        finally:
            self.open -= 1


@asynccontextmanager
async def provider() -> AsyncIterator[Provider]:
    """Give a provider that listens on a free port."""
    made = Provider()
    app = web.Application(client_max_size=64 * 1024 * 1024)
    app.router.add_post("/v1/{what:.*}", made.answer)
    runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.base = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    yield made
    await runner.cleanup()


async def _response(request: web.Request, body: Mapping[str, Any], reply: Reply) -> web.StreamResponse:
    if reply.kind == "stall":
        await asyncio.Event().wait()
    if reply.kind == "drop" and request.transport:
        request.transport.abort()
    if reply.kind == "html":
        return web.Response(text="<html><body>Welcome</body></html>", content_type="text/html")
    if reply.status != 200:
        headers = {"Retry-After": reply.after} if reply.after else {}
        problem = {"error": {"message": f"scripted, about {str(body)[:500]}", "type": "x", "code": str(reply.status)}}
        return web.json_response(problem, status=reply.status, headers=headers)
    return web.json_response(_scores(body, reply) if "documents" in body else _vectors(body, reply))


def _vectors(body: Mapping[str, Any], reply: Reply) -> dict[str, Any]:
    made = [
        {"object": "embedding", "index": place, "embedding": _made(text, reply, body)}
        for place, text in enumerate(body["input"])
    ]
    # Backwards, because nothing says that a provider keeps the order.
    data = made[:0:-1] if reply.kind == "short" else made[::-1]
    return {"object": "list", "model": body["model"], "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def _made(text: str, reply: Reply, body: Mapping[str, Any]) -> list[float] | str:
    numbers = int(body.get("dimensions", reply.numbers))
    vector = [0.0] * numbers if reply.kind == "zero" else vector_of(text, numbers)
    if body.get("encoding_format") != "base64" or reply.unpacked:
        return vector
    return b64encode(struct.pack(f"<{numbers}f", *vector)).decode()


def _scores(body: Mapping[str, Any], reply: Reply) -> dict[str, Any]:
    results = [
        {"index": place, "relevance_score": score_of(body["query"], text)}
        for place, text in enumerate(body["documents"])
    ]
    results.sort(key=lambda result: -result["relevance_score"])
    return {"id": "1", "results": results[1:] if reply.kind == "short" else results, "meta": {}}
