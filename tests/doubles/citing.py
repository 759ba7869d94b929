"""A server on 127.0.0.1 that LiteLLM takes for Anthropic and for Cohere, with what these say of citations."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from aiohttp import web

# The words of a reply's piece, and the documents (counted from 0) and their parts that it cites.
Piece = tuple[str, Sequence[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Refused:
    """A reply that is an error of the request."""

    message: str
    status: int = 400


Script = Callable[[Mapping[str, Any]], Sequence[Piece] | Refused]


@dataclass
class CitingServer:
    """What it says is up to `script`, a function of the request's body; `bodies` holds what was asked."""

    script: Script = lambda _: [("ABSTAIN", ())]
    bodies: list[Mapping[str, Any]] = field(default_factory=list)
    base: str = ""
    _runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        """Start listening on a free port."""
        app = web.Application(client_max_size=8 * 1024 * 1024)
        app.router.add_post("/v1/messages", self._anthropic)
        app.router.add_post("/v2/chat", self._cohere)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.base = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop."""
        if self._runner:
            await self._runner.cleanup()

    async def _anthropic(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.bodies.append(body)
        said = self.script(body)
        problem = said.message if isinstance(said, Refused) else _fault_of_anthropic(body)
        if problem:
            status = said.status if isinstance(said, Refused) else 400
            error = {"type": "invalid_request_error", "message": problem}
            return web.json_response({"type": "error", "error": error}, status=status)
        assert not isinstance(said, Refused)
        documents = documents_of(body)
        reply = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [_block(piece, documents) for piece in said],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 30, "output_tokens": 11},
        }
        return web.json_response(reply)

    async def _cohere(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.bodies.append(body)
        said = self.script(body)
        if isinstance(said, Refused):
            return web.json_response({"message": said.message}, status=said.status)
        known = {one["id"]: one["data"] for one in body.get("documents", ())}
        citations, text = [], ""
        for words, cited in said:
            start, text = len(text), text + words
            sources = [
                {"type": "document", "id": f"{place}.{part}", "document": known[f"{place}.{part}"]}
                for place, part in cited
            ]
            if sources:
                citations.append({"start": start, "end": len(text), "text": words, "sources": sources})
        message = {"role": "assistant", "content": [{"type": "text", "text": text}], "citations": citations}
        usage = {"tokens": {"input_tokens": 30, "output_tokens": 11}}
        return web.json_response({"id": "1", "finish_reason": "COMPLETE", "message": message, "usage": usage})


def documents_of(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the documents of a request, in order."""
    content = body["messages"][-1]["content"]
    return [block for block in content if block["type"] == "document"] if isinstance(content, list) else []


def parts_of(document: Mapping[str, Any]) -> list[str]:
    """Return what can be cited of a document."""
    return [one["text"] for one in document["source"]["content"]]


def _fault_of_anthropic(body: Mapping[str, Any]) -> str | None:
    """Return what the provider refuses of a request (platform.claude.com/docs/en/build-with-claude/citations)."""
    enabled = {bool(one.get("citations", {}).get("enabled")) for one in documents_of(body)}
    if len(enabled) > 1:
        return "citations must be enabled on all or none of the documents"
    if True in enabled and ("output_format" in body or "output_config" in body):
        return "citations cannot be used together with output_format"
    texts = [part for one in documents_of(body) for part in parts_of(one)]
    return None if all(map(str.strip, texts)) else "text content blocks must contain non-whitespace text"


def _block(piece: Piece, documents: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    words, cited = piece
    if not cited:
        return {"type": "text", "text": words}
    citations = [
        {
            "type": "content_block_location",
            "cited_text": parts_of(documents[place])[part],
            "document_index": place,
            "document_title": documents[place].get("title"),
            "start_block_index": part,
            "end_block_index": part + 1,
        }
        for place, part in cited
    ]
    return {"type": "text", "text": words, "citations": citations}
