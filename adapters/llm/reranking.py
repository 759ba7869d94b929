"""Passages judged against a question by any reranking provider that LiteLLM knows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from adapters.llm.remote import Kind, Remote, Service, readable
from core.errors import BadModelOutput

# Rerankers read a question and a passage together, most of them at most 512 tokens; some 4,000 at best.
_MAX_CHARACTERS = 4_000
_MAX_QUERY_CHARACTERS = 1_000


@dataclass(frozen=True, slots=True)
class RerankSettings(Service):
    """Which model, and how it is reached. Somebody waits for it, so it is tried twice and not for long."""

    kind: ClassVar[Kind] = "RERANK"
    timeout_seconds: float = 10.0
    attempts: int = 2


class LiteLLMReranker:
    """A provider's reranking model."""

    def __init__(self, settings: RerankSettings) -> None:
        self._model = settings.model
        self._remote = Remote(settings)
        self.id = settings.model

    async def prepare(self) -> None:
        """Load LiteLLM, in a thread. Raises ModelRefused when the model's name leads to no provider."""
        await self._remote.provider()

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text answers, in order; more is better, and only within one call comparable.

        Texts are cut at 4,000 characters. Raises ModelError; the order that was there before is then as good as any.
        """
        if not texts:
            return []
        question = readable(query, _MAX_QUERY_CHARACTERS)
        documents = [readable(text, _MAX_CHARACTERS) for text in texts]
        reply = await self._remote.ask("arerank", query=question, documents=documents, return_documents=False)
        scores = _by_place(reply)
        if set(scores) != set(range(len(texts))) or not all(math.isfinite(score) for score in scores.values()):
            raise BadModelOutput(
                f"{self._model} judged {len(scores)} of {len(texts)} texts: choose another RERANK_MODEL"
            )
        return [scores[place] for place in range(len(texts))]

    async def aclose(self) -> None:
        """Close the whole process's connections to providers; a later call opens new ones."""
        await self._remote.aclose()


def _by_place(reply: Any) -> dict[int, float]:
    """Return the reply's scores by the text's number in the request; {} when it is no such reply."""
    try:
        return {int(item["index"]): float(item["relevance_score"]) for item in reply.results}
    except (AttributeError, KeyError, TypeError, ValueError):
        return {}
