"""One provider asked through LiteLLM, again when that may help, and its failure in a sentence when it does not."""

import asyncio
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, ClassVar, Literal

from adapters.llm.litellm_loading import load_litellm
from core.errors import ModelError, ModelRefused, ModelTimeout

# Above the provider's own limit, so that LiteLLM sees its time-outs first; ends replies that trickle for ever.
_GRACE_SECONDS = 1.0
# Who is told to come back later than this gives up for now: somebody waits for the answer.
_LONGEST_PAUSE_SECONDS = 60.0
_REFUSALS = {
    HTTPStatus.UNAUTHORIZED: "its provider did not accept the key (401): check {key}",
    HTTPStatus.PAYMENT_REQUIRED: "the account has no credit (402): top it up, or choose another model in {model}",
    HTTPStatus.FORBIDDEN: "the key may not use this model (403): check its rights, {key} and {model}",
    HTTPStatus.NOT_FOUND: "its provider has no such model (404): check the name in {model}, and {base}",
}


Kind = Literal["EMBEDDING", "RERANK"]

# Providers refuse a text without a letter; this stands for one.
_NOTHING = "."
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Service:
    """A provider's model, how it is reached and how often it is tried.

    `kind` begins the names of its settings: `EMBEDDING_MODEL`, `RERANK_API_KEY`. A pause doubles with each attempt.
    """

    kind: ClassVar[Kind]
    model: str
    api_base: str | None = field(default=None, repr=False)
    api_key: str | None = field(default=None, repr=False)
    timeout_seconds: float = 30.0
    attempts: int = 4
    pause_seconds: float = 0.5
    max_parallel: int = 4


class Remote:
    """A provider's model behind a few slots; a request to come back later holds for every slot."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._slots = asyncio.Semaphore(service.max_parallel)
        self._loading = asyncio.Lock()
        self._litellm: Any = None
        self._not_before = 0.0

    async def provider(self) -> str:
        """Return the name of the model's provider. Raises ModelRefused when there is none."""
        litellm = await self._loaded()
        try:
            return str(litellm.get_llm_provider(self._service.model, api_base=self._service.api_base)[1])
        except litellm.BadRequestError:
            raise unknown_provider(self._service) from None

    async def ask(self, function: Literal["aembedding", "arerank"], **asked: Any) -> Any:
        """Return the reply of a LiteLLM function, tried again after what may pass.

        Raises ModelTimeout, ModelRefused or ModelError, none of which holds the key or what was asked.
        """
        call = getattr(await self._loaded(), function)
        attempt = 1
        while True:
            outcome = await self._try(call, asked)
            if not isinstance(outcome, Exception):
                return outcome
            pause = pause_after(outcome, self._service.pause_seconds * 2 ** (attempt - 1))
            if attempt == self._service.attempts or pause is None:
                raise explain(outcome, self._service)
            self._not_before = max(self._not_before, asyncio.get_running_loop().time() + pause)
            attempt += 1

    async def aclose(self) -> None:
        """Close the whole process's connections to providers; a later call opens new ones."""
        if self._litellm:
            await self._litellm.close_litellm_async_clients()
            # Closed clients stay in its cache, and would fail whoever asks the same address next.
            self._litellm.in_memory_llm_clients_cache.flush_cache()

    async def _try(self, call: Any, asked: Mapping[str, Any]) -> Any:
        service = self._service
        where = {"api_base": service.api_base} if service.api_base else {}
        # A server of one's own often wants no key, but the client refuses to call without any.
        key = {"api_key": service.api_key or "none"} if service.api_key or service.api_base else {}
        async with self._slots:
            await asyncio.sleep(max(0.0, self._not_before - asyncio.get_running_loop().time()))
            try:
                async with asyncio.timeout(service.timeout_seconds + _GRACE_SECONDS):
                    return await call(
                        model=service.model, timeout=service.timeout_seconds, max_retries=0, **where, **key, **asked
                    )
            except Exception as error:  # noqa: BLE001 - LiteLLM has some thirty kinds; `explain` gives each a sentence
                return error

    async def _loaded(self) -> Any:
        async with self._loading:
            if self._litellm is None:
                self._litellm = await asyncio.to_thread(load_litellm)
                # It takes `max_retries=0` of an embedding call for "not said" and tries three times (1.106.2).
                self._litellm.DEFAULT_MAX_RETRIES = 0
        return self._litellm


def readable(text: str, longest: int) -> str:
    """Return what every provider takes: cut, without control characters and halves of characters, never nothing."""
    shown = _CONTROL.sub(" ", text[:longest]).encode("utf-8", "replace").decode()
    return shown if shown.strip() else _NOTHING


def pause_after(error: Exception, usual: float) -> float | None:
    """Return how many seconds to wait before another try, or None when none would help or the wait is too long."""
    if not may_pass(error):
        return None
    asked = _retry_after(error)
    if asked is not None:
        return asked if asked <= _LONGEST_PAUSE_SECONDS else None
    return min(usual, _LONGEST_PAUSE_SECONDS) * random.uniform(0.75, 1.25)  # noqa: S311 - only spreads callers


def may_pass(error: Exception) -> bool:
    """Return whether the same request may succeed later: a limit, an outage, a time-out, but no refusal."""
    status = _status(error)
    if "Unsupported provider" in str(error):
        return False
    if _late(error) or status is None:
        return _late(error) or type(error).__name__ == "APIConnectionError"
    return status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def explain(error: Exception, service: Service) -> ModelError:
    """Return the failure of a call in our words."""
    status = _status(error)
    if _late(error):
        return ModelTimeout(f"{service.model} gave no reply within {service.timeout_seconds:g} seconds", retry=True)
    if "Unsupported provider" in str(error) or "LLM Provider NOT provided" in str(error):
        return unknown_provider(service)
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return ModelError(f"{service.model}: over its provider's rate limit or quota (429): try later", retry=True)
    if status is not None and status < HTTPStatus.INTERNAL_SERVER_ERROR:
        usual = "its provider refused the request ({status}): try another model in {model}, and check {base}"
        text = _REFUSALS.get(HTTPStatus(status), usual) if status in set(HTTPStatus) else usual
        return ModelRefused(f"{service.model}: {text.format(status=status, **_names(service))}")
    if status is not None and status != HTTPStatus.INTERNAL_SERVER_ERROR:
        return ModelError(f"{service.model}: its provider failed ({status}): try later", retry=True)
    # LiteLLM gives 500 also to a refused connection and to a reply of another form, such as a web page.
    base = _names(service)["base"]
    return ModelError(f"{service.model}: no usable reply: check the network and {base}, or try later", retry=True)


def unknown_provider(service: Service) -> ModelRefused:
    """Return the error of a model whose name leads to no provider that does this."""
    example = "openai/text-embedding-3-small" if service.kind == "EMBEDDING" else "cohere/rerank-v3.5"
    return ModelRefused(
        f"{service.model!r} names no provider for this: write {service.kind}_MODEL as provider/model, for example "
        f"{example}; a server of your own has its address in {service.kind}_API_BASE"
    )


def _names(service: Service) -> dict[str, str]:
    key, model, base = (f"{service.kind}_{part}" for part in ("API_KEY", "MODEL", "API_BASE"))
    return {"key": f"{key} or the provider's own variable", "model": model, "base": base}


def _late(error: Exception) -> bool:
    return (
        isinstance(error, TimeoutError)
        or type(error).__name__ == "Timeout"
        or _status(error) == HTTPStatus.REQUEST_TIMEOUT
    )


def _status(error: Exception) -> int | None:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def _retry_after(error: Exception) -> float | None:
    """Return the seconds of the reply's Retry-After; a date there counts as not said."""
    for headers in (
        getattr(error, "litellm_response_headers", None),
        getattr(getattr(error, "response", None), "headers", None),
    ):
        said = str(headers.get("retry-after", "")) if isinstance(headers, Mapping) else ""
        if said.isdecimal():
            return float(said)
    return None
