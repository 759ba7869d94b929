"""How much a model reads and writes at once, and the request cut to that."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from adapters.llm.shapes import Shape, messages, strict_schema
from core.ports import AsDocuments, ModelRequest

# Tokens are counted as GPT-4 has them where a model's own way is not at hand. Others need up to a quarter more: of
# Russian it makes one of two letters, and Llama 2 and Mistral one of 1.7 to 2.4.
_MARGIN = 1.25
# What a provider puts around a message, a document and a part of one.
_AROUND, _AROUND_DOCUMENT, _AROUND_PART = 16, 40, 12


@dataclass(frozen=True, slots=True)
class Window:
    """How many tokens a model reads and writes at once, together; and writes. None where nobody knows."""

    whole: int | None = None
    writes: int | None = None


def window_of(litellm: Any, model: str, setting: int | None) -> Window:
    """Return what LiteLLM's list says of a model; the setting has precedence. Nobody is asked over the network."""
    known = _listed(litellm, model)
    return Window(setting or known.get("max_input_tokens"), known.get("max_output_tokens"))


def _listed(litellm: Any, model: str) -> dict[str, Any]:
    # It asks a server of Ollama for what is not on its list.
    bare = model.split("/", 1)[-1]
    return litellm.model_cost.get(model) or litellm.model_cost.get(bare) or {}


def fitted(litellm: Any, request: ModelRequest, shape: Shape | None, model: str, window: Window) -> ModelRequest | None:
    """Return the request with as many of its facts as the window holds, or None when it does not hold the first one.

    `shape` is None for a request with documents. What is written counts, too, up to what the model can write.
    """
    if window.writes and window.writes < request.max_tokens:
        request = replace(request, max_tokens=window.writes)
    if window.whole is None:
        return request
    room = window.whole - request.max_tokens

    def fits(asked: ModelRequest, margin: float = _MARGIN) -> bool:
        texts, around = _texts(asked, shape)
        # A token is a byte at least.
        if (sum(len(text.encode()) for text in texts) + around) * margin <= room:
            return True
        tokens = sum(int(litellm.token_counter(model=model, text=text)) for text in texts)
        return (tokens + around) * margin <= room

    if fits(request):
        return request
    shorter = request.shorter
    if shorter is None or not request.facts:
        return request if fits(request, 1.0) else None

    def with_first(count: int) -> ModelRequest:
        return replace(shorter(count), max_tokens=request.max_tokens)

    most = _last(lambda count: fits(with_first(count)), request.facts - 1)
    if most == 0:
        return one if fits(one := with_first(1), 1.0) else None
    return with_first(most)


def _last(holds: Callable[[int], bool], most: int) -> int:
    """Return the greatest count up to `most` for which it holds, as it does for all below; 0 when for none."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low


def _texts(request: ModelRequest, shape: Shape | None) -> tuple[list[str], int]:
    """Return all that is sent, and about how many tokens stand around it."""
    if shape is None and request.as_documents:
        return _of_documents(request.as_documents())
    texts = [one["content"] for one in messages(request, shape or "prompt")]
    if shape == "schema":
        texts.append(json.dumps(strict_schema(request.schema), ensure_ascii=False))
    return texts, _AROUND * len(texts)


def _of_documents(given: AsDocuments) -> tuple[list[str], int]:
    parts = [part for one in given.documents for part in one.parts]
    # Cohere is given a title with each part.
    titles = [f"{one.title} {one.place}" * len(one.parts) for one in given.documents]
    around = 2 * _AROUND + _AROUND_DOCUMENT * len(given.documents) + _AROUND_PART * len(parts)
    return [given.system, given.user, "\n".join(parts), "\n".join(titles)], around
