"""What went wrong with a model, in a sentence that names the setting to change and never a key, a prompt or a reply."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal

from core.errors import BadModelOutput, ModelError, ModelRefused, ModelTimeout

Role = Literal["planner", "answer"]
# What libraries of providers say, as trouble of the server, when they were given no key.
_NO_KEY = re.compile(r"missing credentials|api_key client option must be set|missing \w+ api key", re.IGNORECASE)
VARIABLE: dict[Role, str] = {"planner": "PLANNER_MODEL", "answer": "ANSWER_MODEL"}


@dataclass(frozen=True, slots=True)
class Link:
    """One model of a role's chain. `own_address`: it is asked at `MODEL_API_BASE`; `group`: its name in the router."""

    role: Role
    group: str
    model: str
    provider: str = ""
    own_address: bool = False
    last: bool = True

    @property
    def variable(self) -> str:
        """The setting that names the model."""
        return VARIABLE[self.role]

    @property
    def key(self) -> str:
        """The setting that holds the key."""
        usual = f"{self.provider.upper() or 'PROVIDER'}_API_KEY"
        return f"MODEL_API_KEY (or {usual})" if self.own_address else usual


def not_configured(role: Role) -> ModelRefused:
    """Return the error of a role without a model."""
    return ModelRefused(f"no model is configured for the {role} role: set {VARIABLE[role]}")


def unknown_provider(model: str, role: Role) -> ModelRefused:
    """Return the error of a model name that leads to no provider."""
    return ModelRefused(
        f"{model!r} names no known provider: write {VARIABLE[role]} as provider/model, for example openai/gpt-4o-mini; "
        "for an OpenAI-compatible server, openai/ and the name it uses, with its address in MODEL_API_BASE"
    )


def refuses_format(error: Exception) -> bool:
    """Return whether the provider may have refused only the way the reply's form was asked for."""
    if type(error).__name__ in ("ContextWindowExceededError", "ContentPolicyViolationError"):
        return False
    about_form = any(word in str(error).lower() for word in ("response_format", "json_schema", "grammar"))
    return _status(error) in (400, 422) or (_status(error) == HTTPStatus.INTERNAL_SERVER_ERROR and about_form)


class CitesNothing(BadModelOutput):
    """A model that is to cite documents by itself wrote something and cited nothing: it is asked in the usual form."""


class TakesNoDocuments(CitesNothing):
    """The provider has refused documents to cite, or something else of the request."""


class TooLong(Exception):
    """Not even the first fact fits into what the model reads at once, so it was not asked."""


def is_too_long(error: Exception) -> bool:
    """Return whether the provider says that the prompt is longer than what the model reads at once."""
    return type(error).__name__ == "ContextWindowExceededError"


def is_resting(error: Exception) -> bool:
    """Return whether the router did not ask the model, because it failed too often just now."""
    return type(error).__name__ in ("RouterRateLimitError", "RouterRateLimitErrorBasic")


def resting(link: Link, earlier: ModelError | None, seconds: int) -> ModelError:
    """Return the earlier failure again, saying that the model was not asked this time."""
    if earlier is None:
        return ModelError(f"{link.model} failed repeatedly and rests for up to {seconds} seconds", retry=True)
    text = f"{earlier.reason} (it failed repeatedly and is not asked for up to {seconds} seconds)"
    return type(earlier)(text, retry=earlier.retry)


def explain(error: Exception, link: Link, timeout: float) -> ModelError:
    """Return the failure of one call in our words."""
    if (
        isinstance(error, TimeoutError)
        or type(error).__name__ == "Timeout"
        or _status(error) == HTTPStatus.REQUEST_TIMEOUT
    ):
        return ModelTimeout(f"{link.model} gave no reply within {timeout:g} seconds", retry=True)
    if isinstance(error, TooLong) or is_too_long(error):
        return ModelRefused(
            f"{link.model} cannot read so long a prompt: choose a model with more room in {link.variable}"
        )
    if type(error).__name__ == "ContentPolicyViolationError":
        return ModelRefused(f"{link.model} declined the question under its provider's content rules")
    if _NO_KEY.search(str(error)):
        return ModelRefused(f"{link.model}: there is no key for its provider: set {link.key}")
    status = _status(error)
    if status is not None and status < HTTPStatus.INTERNAL_SERVER_ERROR and status != HTTPStatus.TOO_MANY_REQUESTS:
        return ModelRefused(_refusal(status, link))
    return ModelError(_outage(error, status, link), retry=True)


def all_failed(failures: Sequence[ModelError]) -> ModelError:
    """Return one error for the whole chain: the failures' common kind, each reason in the order tried."""
    if len(failures) == 1:
        return failures[0]
    kinds = {type(failure) for failure in failures}
    kind = kinds.pop() if len(kinds) == 1 else ModelError
    reasons = "; ".join(dict.fromkeys(failure.reason for failure in failures))
    tokens, cost = sum(failure.tokens for failure in failures), sum(failure.cost for failure in failures)
    return kind(reasons, retry=any(failure.retry for failure in failures), tokens=tokens, cost=cost)


def _refusal(status: int, link: Link) -> str:
    where = ", and that MODEL_API_BASE is right (it usually ends in /v1)" if link.own_address else ""
    match status:
        case 401:
            return f"{link.model}: its provider did not accept the key (401): check {link.key}"
        case 402:
            return (
                f"{link.model}: the account has no credit (402): top it up, or choose another model in {link.variable}"
            )
        case 403:
            return (
                f"{link.model}: the key may not use this model (403): check its rights, {link.key} and {link.variable}"
            )
        case 404:
            return f"{link.model}: its provider has no such model (404): check the name in {link.variable}{where}"
    return f"{link.model}: its provider refused the request ({status}): try another model in {link.variable}{where}"


def _outage(error: Exception, status: int | None, link: Link) -> str:
    address = "check MODEL_API_BASE and that the server runs" if link.own_address else "check the network"
    text = str(error)
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return (
            f"{link.model}: over its provider's rate limit or quota (429): try later, or add a model to {link.variable}"
        )
    if "Connection error" in text or "Cannot connect" in text or type(error).__name__ == "APIConnectionError":
        return f"{link.model} cannot be reached: {address}"
    if "invalid response from LLM" in text:
        return f"{link.model}: the server's reply is no completion: {address}"
    return f"{link.model}: its provider failed ({status or type(error).__name__}): try later"


def _status(error: Exception) -> int | None:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None
