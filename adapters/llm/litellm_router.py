"""The language models of each role, through LiteLLM's router."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from adapters.llm.citations import Way, as_json, way_of
from adapters.llm.failures import (
    CitesNothing,
    Link,
    Role,
    TakesNoDocuments,
    TooLong,
    all_failed,
    explain,
    is_resting,
    is_too_long,
    not_configured,
    refuses_format,
    resting,
    unknown_provider,
)
from adapters.llm.litellm_loading import load_litellm
from adapters.llm.replies import Written, object_in, unusable
from adapters.llm.shapes import Shape, messages, response_format
from adapters.llm.streams import STREAMED, NoStream, whole
from adapters.llm.window import Window, fitted, window_of
from core.errors import ModelError, ModelRefused
from core.ports import Completion, Hear, ModelRequest

# A model that failed more than this many times within a minute is not asked for a while: others answer meanwhile.
_ALLOWED_FAILURES = 2
_REST_SECONDS = 30
# Above the provider's own limit, so that the router sees its time-outs first; ends replies that trickle for ever.
_GRACE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which models to ask, in order, and how.

    `api_base` and `api_key` belong to the provider of the first model named; models of other providers are reached
    through their provider's own variables, so that no key is sent to a stranger.
    """

    planner: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()
    planner_temperature: float = 0.0
    answer_temperature: float = 0.2
    timeout_seconds: float = 30.0
    api_base: str | None = field(default=None, repr=False)
    api_key: str | None = field(default=None, repr=False)
    structured: Shape = "schema"
    max_parallel: int = 8
    # How many tokens each model of `answer` reads at once, where LiteLLM's list does not say or says too much.
    answer_window: int | None = None
    # Whether models that cite documents by themselves are asked to.
    native_citations: bool = False


class RoutedModel:
    """A chain of models for each role: the first that gives a JSON object answers.

    Each model of a chain is a router group of its own and the chain is walked here, because the router's fallback
    would carry one model's refused reply format to the next, and would hide which model failed and why.
    """

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._slots = asyncio.Semaphore(settings.max_parallel)
        self._connecting = asyncio.Lock()
        self._connected: Connected | None = None
        self._shapes: dict[str, Shape] = {}
        self._failures: dict[str, ModelError] = {}
        # The models that write only at once, and those that do not take documents to cite.
        self._at_once: set[str] = set()
        self._plain: set[str] = set()

    def offers(self, role: Role) -> bool:
        """Return whether a model is configured for the role."""
        return bool(_chain(self._settings, role))

    async def warm(self) -> None:
        """Import LiteLLM in a thread, so that the first question does not wait for it."""
        if self.offers("planner") or self.offers("answer"):
            await self._connect()

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the first JSON object that a model of the chain writes. Raises ModelError when none does."""
        if not self.offers(request.role):
            raise not_configured(request.role)
        connected = await self._connect()
        failures: list[ModelError] = []
        for link in connected.chains[request.role]:
            outcome = link if isinstance(link, ModelRefused) else await self._ask(connected, link, request)
            if isinstance(outcome, Completion):
                return _with(outcome, failures)
            failures.append(outcome)
        raise all_failed(failures)

    async def aclose(self) -> None:
        """Close the whole process's connections to providers; a later call opens new ones."""
        if self._connected:
            connected, self._connected = self._connected, None
            connected.router.discard()
            await connected.litellm.close_litellm_async_clients()
            # Closed clients stay in its cache, and would fail whoever asks the same address next.
            connected.litellm.in_memory_llm_clients_cache.flush_cache()

    async def _connect(self) -> "Connected":
        async with self._connecting:
            if self._connected is None:
                self._connected = await asyncio.to_thread(connect, self._settings)
        return self._connected

    async def _ask(self, connected: "Connected", link: Link, request: ModelRequest) -> Completion | ModelError:
        cited = await self._cited(connected, link, request)
        if cited is None:
            return await self._told(connected, link, request)
        if not isinstance(cited, CitesNothing):
            return cited
        told = await self._told(connected, link, request)
        if isinstance(told, ModelError):
            return all_failed([told, cited]) if cited.tokens else told
        if isinstance(cited, TakesNoDocuments):
            self._plain.add(link.model)
        return _with(told, [cited])

    async def _cited(self, connected: "Connected", link: Link, request: ModelRequest) -> Completion | ModelError | None:
        """Return the reply of a model that cites documents by itself, or None when it does not: then it is only told.

        It is not heard while it comes, as LiteLLM gives no citations whole then.
        """
        way = way_of(link.provider) if self._settings.native_citations and link.model not in self._plain else None
        if way is None or request.as_documents is None:
            return None
        given, reply = await self._fitting(connected, link, request, way)
        if isinstance(reply, Exception) and refuses_format(reply):
            return TakesNoDocuments(f"{link.model} takes no documents to cite")
        if isinstance(reply, Exception):
            return self._failed(reply, link)
        assert given.as_documents
        found = unusable(reply, link.model) or as_json(way, given.as_documents(), reply.message)
        if isinstance(found, ModelError):
            return found
        if found is None:
            return CitesNothing(f"{link.model} cited nothing", tokens=reply.tokens, cost=reply.cost)
        return Completion(found, link.model, reply.tokens, reply.cost, request.facts - given.facts)

    async def _told(self, connected: "Connected", link: Link, request: ModelRequest) -> Completion | ModelError:
        shape = self._shapes.get(link.model, self._settings.structured)
        given, reply = await self._fitting(connected, link, request, shape)
        if shape != "prompt" and isinstance(reply, Exception) and refuses_format(reply):
            given, reply = await self._fitting(connected, link, request, "prompt")
            if isinstance(reply, Written):
                self._shapes[link.model] = "prompt"
        if isinstance(reply, Exception):
            return self._failed(reply, link)
        found = object_in(reply, link.model)
        if isinstance(found, ModelError):
            return found
        return Completion(found, link.model, reply.tokens, reply.cost, request.facts - given.facts)

    async def _fitting(
        self, connected: "Connected", link: Link, request: ModelRequest, form: Shape | Way
    ) -> tuple[ModelRequest, Written | Exception]:
        """Return the request with as many facts as the model takes, and what came of it."""
        window = connected.windows.get(link.group, Window())
        asked = fitted(connected.litellm, request, form if isinstance(form, str) else None, link.model, window)
        if asked is None:
            return request, TooLong(link.model)
        reply = await self._send(connected, link, asked, form)
        while asked.shorter and asked.facts > 1 and isinstance(reply, Exception) and is_too_long(reply):
            asked = replace(asked.shorter(asked.facts // 2), max_tokens=asked.max_tokens)
            reply = await self._send(connected, link, asked, form)
        return asked, reply

    async def _send(
        self, connected: "Connected", link: Link, request: ModelRequest, form: Shape | Way
    ) -> Written | Exception:
        """Return what came of a call, heard while it comes; a model that cannot write so is asked for all at once."""
        hear = request.hear if isinstance(form, str) and link.model not in self._at_once else None
        reply = await self._call(connected, link, request, form, hear)
        if hear is None or not (
            isinstance(reply, NoStream) or (isinstance(reply, Exception) and refuses_format(reply))
        ):
            return reply
        again = await self._call(connected, link, request, form, None)
        if isinstance(again, Written):
            self._at_once.add(link.model)
        return again

    async def _call(
        self, connected: "Connected", link: Link, request: ModelRequest, form: Shape | Way, hear: Hear | None
    ) -> Written | Exception:
        settings = self._settings
        asked: dict[str, Any] = {
            "model": link.group,
            "max_tokens": request.max_tokens,
            "temperature": settings.planner_temperature if link.role == "planner" else settings.answer_temperature,
            **_formed(request, form, link),
            **(STREAMED if hear else {}),
        }
        try:
            async with self._slots, asyncio.timeout(settings.timeout_seconds + _GRACE_SECONDS):
                response = await connected.router.acompletion(**asked)
                if hear:
                    response = await whole(connected.litellm, response, asked["messages"], hear)
                return _written(response, _cost(connected.litellm, response, link.model))
        except Exception as error:  # noqa: BLE001 - LiteLLM has some thirty kinds; `explain` gives each a sentence
            return error

    def _failed(self, error: Exception, link: Link) -> ModelError:
        if is_resting(error):
            return resting(link, self._failures.get(link.group), _REST_SECONDS)
        self._failures[link.group] = explain(error, link, self._settings.timeout_seconds)
        return self._failures[link.group]


@dataclass(frozen=True, slots=True)
class Connected:
    """LiteLLM, its router, each role's chain (a model without a provider is its refusal), and what each group holds."""

    litellm: Any
    router: Any
    chains: dict[Role, tuple[Link | ModelRefused, ...]]
    windows: dict[str, Window]


def connect(settings: ModelSettings) -> Connected:
    """Return a router that has one group for each model of each chain. Takes seconds the first time."""
    litellm = load_litellm()
    # It loads its table of tokens with the first stream, which takes a second.
    litellm.token_counter(model="", text="-")
    roles: tuple[Role, ...] = ("planner", "answer")
    providers = (_provider(litellm, model) for role in roles for model in _chain(settings, role))
    home = next((provider for provider in providers if provider), None)
    chains = {role: tuple(_links(litellm, settings, role, home)) for role in roles}
    links = [link for chain in chains.values() for link in chain if isinstance(link, Link)]
    again = {"InternalServerErrorRetries": 1, "RateLimitErrorRetries": 1}
    router = litellm.Router(
        model_list=[_deployment(litellm, settings, link, home) for link in links],
        num_retries=0,
        # The next model is a better second try than the same one; only the last has no next.
        model_group_retry_policy={link.group: again for link in links if link.last},
        timeout=settings.timeout_seconds,
        allowed_fails=_ALLOWED_FAILURES,
        cooldown_time=_REST_SECONDS,
    )
    windows = {
        link.group: window_of(litellm, link.model, settings.answer_window if link.role == "answer" else None)
        for link in links
    }
    return Connected(litellm, router, chains, windows)


def _links(litellm: Any, settings: ModelSettings, role: Role, home: str | None) -> list[Link | ModelRefused]:
    chain = _chain(settings, role)
    links: list[Link | ModelRefused] = []
    for place, model in enumerate(chain, 1):
        provider = _provider(litellm, model)
        group = role if place == 1 else f"{role}-{place}"
        own = provider == home and settings.api_base is not None
        link = Link(role, group, model, provider or "", own_address=own, last=place == len(chain))
        links.append(link if provider else unknown_provider(model, role))
    return links


def _chain(settings: ModelSettings, role: Role) -> tuple[str, ...]:
    return settings.planner if role == "planner" else settings.answer


def _provider(litellm: Any, model: str) -> str | None:
    try:
        return str(litellm.get_llm_provider(model)[1])
    except litellm.BadRequestError:
        return None


def _deployment(litellm: Any, settings: ModelSettings, link: Link, home: str | None) -> dict[str, Any]:
    """Return the router's entry for a model; `drop_params` leaves out what a model does not take, as temperature."""
    params: dict[str, Any] = {"model": link.model, "drop_params": True}
    if link.own_address:
        # A server of one's own often wants no key, but the client refuses to call without any.
        known = litellm.validate_environment(link.model)["keys_in_environment"]
        params |= {"api_base": settings.api_base} | ({} if known else {"api_key": "none"})
    if settings.api_key and link.provider == home:
        params |= {"api_key": settings.api_key}
    return {"model_name": link.group, "litellm_params": params}


def _with(reply: Completion, failures: Sequence[ModelError]) -> Completion:
    """Return the reply with what the models before it took."""
    tokens, cost = (sum(getattr(failure, what) for failure in failures) for what in ("tokens", "cost"))
    return replace(reply, tokens=reply.tokens + tokens, cost=reply.cost + cost)


def _formed(request: ModelRequest, form: Shape | Way, link: Link) -> dict[str, Any]:
    """Return the messages and what else tells the model what to reply in which form."""
    if isinstance(form, Way):
        return form.asked(request.as_documents()) if request.as_documents else {}
    return {"messages": messages(request, form), **response_format(request, form, lengths=link.own_address)}


def _written(response: Any, cost: float) -> Written:
    choice = response.choices[0]
    usage = getattr(response, "usage", None)
    return Written(
        text=choice.message.content or "",
        finish=choice.finish_reason or "stop",
        tokens=int(getattr(usage, "total_tokens", 0) or 0),
        refusal=bool(getattr(choice.message, "refusal", None)),
        cost=cost,
        message=choice.message,
    )


def _cost(litellm: Any, response: Any, model: str) -> float:
    """Return the price of a reply in US dollars by LiteLLM's list; 0 for a model that is not on it."""
    try:
        return float(litellm.completion_cost(completion_response=response, model=model) or 0.0)
    except Exception:  # noqa: BLE001 - it raises a bare Exception for each model whose price it does not know
        return 0.0
