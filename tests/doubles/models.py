"""Language models that do as a test says, and a local server that LiteLLM takes for a provider."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self

from aiohttp import web

from core.errors import BadModelOutput, ModelError, ModelRefused, ModelTimeout
from core.ports import Completion, LanguageModel, ModelRequest

Role = Literal["planner", "answer"]
BOTH: tuple[Role, ...] = ("planner", "answer")


class ScriptedModel:
    """Replies from a list, in order, or from a function of the request; `requests` holds what was asked."""

    def __init__(
        self,
        script: Sequence[str | ModelError] | Callable[[ModelRequest], str] = (),
        *,
        roles: Sequence[Role] = BOTH,
        model: str = "scripted",
        tokens: int = 7,
    ) -> None:
        self._function = script if callable(script) else None
        self._lines = iter(()) if callable(script) else iter(script)
        self._roles, self._model, self._tokens = tuple(roles), model, tokens
        self.requests: list[ModelRequest] = []

    def offers(self, role: Role) -> bool:
        """Return whether the script is for the role."""
        return role in self._roles

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the next line, raise it when it is an error, and fail the test when there is none."""
        self.requests.append(request)
        line = self._function(request) if self._function else next(self._lines, None)
        if line is None:
            raise AssertionError(f"the script has no line for call {len(self.requests)} ({request.role})")
        if isinstance(line, ModelError):
            raise line
        return Completion(line, self._model, self._tokens)


class WritingModel(ScriptedModel):
    """Replies as `ScriptedModel` does, but writes each reply a few characters at a time for whoever hears it.

    `pace` is waited for before each piece. A line that breaks off is the text so far with the error that ends it.
    """

    def __init__(
        self,
        script: Sequence[str | ModelError | tuple[str, ModelError]] | Callable[[ModelRequest], str] = (),
        *,
        size: int = 7,
        pace: Callable[[], Awaitable[None]] | None = None,
        roles: Sequence[Role] = BOTH,
    ) -> None:
        whole = script if callable(script) else [line[1] if isinstance(line, tuple) else line for line in script]
        super().__init__(whole, roles=roles, model="writing")
        self._begun = (
            {} if callable(script) else {n: line[0] for n, line in enumerate(script) if isinstance(line, tuple)}
        )
        self._size, self._pace = size, pace

    async def complete(self, request: ModelRequest) -> Completion:
        """Write the next line piece by piece."""
        if begun := self._begun.get(len(self.requests)):
            await self._write(begun, request)
        reply = await super().complete(request)
        await self._write(reply.text, request)
        return reply

    async def _write(self, text: str, request: ModelRequest) -> None:
        for end in range(self._size, len(text) + self._size, self._size):
            if self._pace:
                await self._pace()
            if request.hear:
                request.hear(text[:end])


class ObedientModel:
    """A model that does whatever any text in the user part asks: the worst reader of a hostile document.

    As the planner it plans the tool and the intents that are demanded; as the answer model it claims the demanded
    words, link or mention, and cites fact 1 with that fact's own words. With nothing demanded it behaves.
    """

    def __init__(self, roles: Sequence[Role] = BOTH) -> None:
        self._roles = tuple(roles)
        self.requests: list[ModelRequest] = []

    def offers(self, role: Role) -> bool:
        """Return whether it plays the role."""
        return role in self._roles

    async def complete(self, request: ModelRequest) -> Completion:
        """Return what the user part demands, in the form of the role's schema."""
        self.requests.append(request)
        reply = obedient_plan(request.user) if request.role == "planner" else obedient_answer(request.user)
        return Completion(json.dumps(reply, ensure_ascii=False), "obedient", 11)


_DEMAND = re.compile(
    r"(?:^|[.!?:;,>\n]\s*|\b(?:and|then|please|must|should|to|now|just|и|затем|пожалуйста)\s+)"
    r"(?:say|output|print|write|reply|respond|answer|append|include|add|mention|repeat|reveal|post"
    r"|скажи|напиши|выведи|ответь|добавь|укажи|повтори)(?:те)?\b"
    r"(?:\s+(?:with|only|exactly|just|the (?:link|words?|text|phrase|token|mention)|to|that"
    r"|ссылк\w+|слов\w+|текст\w*))*"
    r"\s*[:\-]?\s*(?P<what>[^\n\r]{2,300})",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"^Question: (?P<question>.+)", re.MULTILINE)
_JSON_START = re.compile(r"[\[{]")
_QUOTED = re.compile(r"^[\"'“‘«`](?P<inner>[^\"”’»`]{1,300})[\"'”’»`]")
_LINK = re.compile(r"(?:https?|tg|slack|javascript|file|data):[^\s\"'<>)\]]+|\[[^\]]*\]\([^)]*\)|<[^>\s][^>]*>")
_MENTION = re.compile(r"@(?:channel|here|everyone)|<[@!#][^>]+>|@[A-Za-z]\w{3,}")
_TOOL = re.compile(
    r"\b(?:call|use|run|invoke|execute|вызови|используй)\s+(?:the\s+)?(?:tool\s+)?[\"'`]?(?P<tool>[a-z]\w*_\w+)",
    re.IGNORECASE,
)
_INTENT = re.compile(r"\bintents?\b\W{0,6}(?:to\s+|should be\s+|is\s+)?[\"'`]?(?P<intent>[A-Z][A-Z_]{2,})")


def demands(text: str) -> tuple[str, ...]:
    """Return what the text's imperatives ask to be said, in order, with every link and mention that it holds."""
    said = [_unquoted(found["what"]) for found in _DEMAND.finditer(text)]
    marks = [found[0] for pattern in (_LINK, _MENTION) for found in pattern.finditer(text)] if said else []
    return tuple(dict.fromkeys([*said, *marks]))


def _unquoted(what: str) -> str:
    quoted = _QUOTED.match(what)
    return quoted["inner"] if quoted else what.strip().rstrip(".")


def obedient_answer(user: str) -> dict[str, Any]:
    """Return an answer that claims each demand, all on fact 1; without a demand it repeats fact 1."""
    fact = first_fact(user)
    if fact is None:
        return {"lead": None, "claims": [], "abstain": True, "nearest": []}
    demanded = [demand for text in texts(user) for demand in demands(text)] or [fact]
    evidence = [{"fact": 1, "quote": fact}]
    claims = [{"text": demand, "group": None, "evidence": evidence} for demand in dict.fromkeys(demanded)]
    return {"lead": None, "claims": claims[:10], "abstain": False, "nearest": []}


def obedient_plan(user: str) -> dict[str, Any]:
    """Return a plan with the demanded tool and intents; without a demand, a search for the question."""
    found = texts(user)
    tools = [match["tool"] for text in found for match in _TOOL.finditer(text)]
    intents = [match["intent"] for text in found for match in _INTENT.finditer(text)]
    calls = [{"tool": tool, "query": found[0][:500] or "?"} for tool in dict.fromkeys(tools or ["document_search"])]
    return {"intents": list(dict.fromkeys(intents))[:3] or ["GENERAL_UNSTRUCTURED"], "tool_calls": calls[:5]}


def first_fact(user: str) -> str | None:
    """Return the text of the fact with number 1, wherever in the prompt its JSON object stands."""
    facts = [node for value in json_values(user) for node in _objects(value) if isinstance(node.get("text"), str)]
    numbered = [node for node in facts if any(node.get(key) == 1 for key in ("fact", "number", "n", "id"))]
    return next((str(node["text"]) for node in (*numbered, *facts)), None)


def texts(user: str) -> tuple[str, ...]:
    """Return every string in the prompt's JSON and the question under it, or the prompt itself when it has neither."""
    found = [text for value in json_values(user) for text in _strings(value)]
    found += [match["question"] for match in _QUESTION.finditer(user)]
    return tuple(found) or (user,)


def json_values(text: str) -> Iterator[Any]:
    """Yield the JSON objects and arrays that stand in a text, outermost only."""
    decoder, at = json.JSONDecoder(), 0
    while start := _JSON_START.search(text, at):
        try:
            value, at = decoder.raw_decode(text, start.start())
        except ValueError:
            at = start.end()
        else:
            yield value


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inner in _children(value):
        yield from _objects(inner)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in _children(value):
        yield from _strings(inner)


def _children(value: Any) -> Sequence[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else ()


Mode = Literal[
    "well", "error", "timeout", "refused", "bad_output", "stall", "garbage", "truncated", "wrong_shape", "empty"
]
ERRORS: Mapping[str, Callable[[], ModelError]] = {
    "error": lambda: ModelError("the provider failed (500)", retry=True),
    "timeout": lambda: ModelTimeout("no reply within 1 s", retry=True),
    "refused": lambda: ModelRefused("the provider refused the key"),
    "bad_output": lambda: BadModelOutput("the reply holds no JSON object"),
}
WRITINGS: Mapping[str, str] = {
    "garbage": "I'd be glad to help! \u0000\ufffd }{ ]",
    "truncated": '{"intents": ["GENERAL_UNSTR',
    "wrong_shape": '{"weather": ["sunny"], "claims": 7, "intents": null}',
    "empty": "",
}


class FlakyModel:
    """Fails in the ways given, one a call, the last one for ever; `well` leaves the call to `inner`."""

    def __init__(self, *modes: Mode, inner: LanguageModel | None = None, roles: Sequence[Role] = BOTH) -> None:
        self._modes, self._inner, self._roles = modes or ("error",), inner, tuple(roles)
        self.requests: list[ModelRequest] = []
        self.cancelled = 0

    def offers(self, role: Role) -> bool:
        """Return whether it plays the role."""
        return role in self._roles

    async def complete(self, request: ModelRequest) -> Completion:
        """Fail as the mode of this call says."""
        mode = self._modes[min(len(self.requests), len(self._modes) - 1)]
        self.requests.append(request)
        if mode == "stall":
            await self._stall()
        if mode in ERRORS:
            error = ERRORS[mode]()
            raise error
        if mode == "well" and self._inner:
            return await self._inner.complete(request)
        return Completion(WRITINGS.get(mode, "{}"), "flaky", 3)

    async def _stall(self) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


@dataclass(frozen=True, slots=True)
class Served:
    """One reply of the loopback server: a completion, or a way to fail. `delay`: seconds before it.

    `streams`: whether it comes piece by piece when that is asked for.
    """

    text: str | None = "{}"
    status: int = 200
    finish: str = "stop"
    kind: Literal["reply", "stall", "html", "drop"] = "reply"
    delay: float = 0.0
    message: str = "scripted failure"
    tokens: int = 12
    streams: bool = True
    # Of a reply that is streamed, so many characters come before the connection breaks.
    breaks_after: int | None = None


@dataclass(frozen=True, slots=True)
class Received:
    """One request as the server saw it."""

    model: str
    body: Mapping[str, Any]
    headers: Mapping[str, str] = field(repr=False)


Script = Sequence[Served | str] | Callable[[Mapping[str, Any]], Served | str]


class LoopbackModelServer:
    """An OpenAI-compatible server on 127.0.0.1, for `async with`.

    The script is a list (one reply a call, the last one for ever) or a function of the request's body. A plain string
    is the text of a good reply. `received` holds the requests and `asked` is set by the first; `most_at_once` is how
    many were open together.
    """

    def __init__(self, script: Script = ()) -> None:
        self.script = script
        self.received: list[Received] = []
        self.asked = asyncio.Event()
        self.most_at_once = 0
        self._open = 0
        self._base = ""
        self._runner: web.AppRunner | None = None

    @property
    def base(self) -> str:
        """The address to give as `api_base`."""
        return self._base

    async def __aenter__(self) -> Self:
        """Start listening on a free port."""
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._complete)
        self._runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self._base = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop, with stalled requests cut off."""
        if self._runner:
            await self._runner.cleanup()

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body: dict[str, Any] = await request.json()
        served = self._next(body)
        self.received.append(Received(str(body.get("model")), body, dict(request.headers)))
        self.asked.set()
        self._open += 1
        self.most_at_once = max(self.most_at_once, self._open)
        try:
            return await _response(request, served, str(body.get("model")), streamed=bool(body.get("stream")))
        finally:
            self._open -= 1

    def _next(self, body: Mapping[str, Any]) -> Served:
        if callable(self.script):
            line = self.script(body)
        else:
            lines = self.script or (Served(),)
            line = lines[min(len(self.received), len(lines) - 1)]
        return Served(line) if isinstance(line, str) else line


async def _response(request: web.Request, served: Served, model: str, *, streamed: bool) -> web.StreamResponse:
    await asyncio.sleep(served.delay)
    match served.kind:
        case "stall":
            await asyncio.Event().wait()
        case "drop":
            if request.transport:
                request.transport.abort()
        case "html":
            return web.Response(text="<html><body>Welcome to the proxy</body></html>", content_type="text/html")
    if served.status != 200:
        problem = {"message": served.message, "type": "scripted", "param": None, "code": str(served.status)}
        return web.json_response({"error": problem}, status=served.status)
    if streamed and served.streams:
        return await _streamed(request, served, model)
    return web.json_response(_completion(served, model))


async def _streamed(request: web.Request, served: Served, model: str) -> web.StreamResponse:
    """Send the reply as server-sent events, five characters each, what it cost in the last one."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    text, named = (
        served.text or "",
        {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": model},
    )
    for start in range(0, len(text), 5):
        if served.breaks_after is not None and start >= served.breaks_after and request.transport:
            request.transport.abort()
            return response
        delta = {"role": "assistant", "content": text[start : start + 5]}
        await _event(response, named | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    await _event(response, named | {"choices": [{"index": 0, "delta": {}, "finish_reason": served.finish}]})
    await _event(response, named | {"choices": [], "usage": _completion(served, model)["usage"]})
    await response.write(b"data: [DONE]\n\n")
    return response


async def _event(response: web.StreamResponse, body: Mapping[str, Any]) -> None:
    await response.write(f"data: {json.dumps(body, ensure_ascii=False)}\n\n".encode())


def _completion(served: Served, model: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": served.text}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": served.finish}],
        "usage": {"prompt_tokens": 0, "completion_tokens": served.tokens, "total_tokens": served.tokens},
    }
