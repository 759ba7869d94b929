"""Unit vectors from any provider that LiteLLM knows."""

import asyncio
import math
import re
import struct
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar, Literal

from adapters.llm.remote import Kind, Remote, Service, readable
from core.errors import BadModelOutput, ModelError, ModelRefused, TextsRefused

Purpose = Literal["passage", "query"]

# Longer texts are cut: the common limit is about 8,000 tokens, and a character is seldom more than one.
_MAX_CHARACTERS = 8_000
_BATCH = 64
_BATCH_CHARACTERS = 64_000
# Numbers of one reply that is not packed: OpenAI's client takes some 50 ms for them, in which nothing else is served.
_PLAIN_NUMBERS = 16_000
# How a provider says that it does not know something it was asked for, and how it refuses a text.
_NOT_KNOWN = re.compile(r"\((?:400|422)\)")
_NOT_TAKEN = re.compile(r"\((?:400|413|422)\)")
# A text that every provider takes.
_PROBE = "ready"
# Who wants to be told what a text is for, and in which words.
_INPUT_TYPES: dict[str, dict[Purpose, str]] = {
    "cohere": {"passage": "search_document", "query": "search_query"},
    "voyage": {"passage": "document", "query": "query"},
}


@dataclass(frozen=True, slots=True)
class EmbeddingSettings(Service):
    """Which model, and what stands before a text; `dimensions` asks the provider for shorter vectors."""

    kind: ClassVar[Kind] = "EMBEDDING"
    dimensions: int | None = None
    passage_prefix: str = ""
    query_prefix: str = ""


class NotEmbedded(ModelError):
    """Some texts got no vector; `places` are their positions among those given, from 0."""

    def __init__(self, reason: str, places: Sequence[int], total: int, *, retry: bool) -> None:
        super().__init__(f"{reason} (texts {places[0] + 1} to {places[-1] + 1} of {total})", retry=retry)
        self.places = tuple(places)


class LiteLLMEmbedder:
    """A provider's embedding model. `dimension` is 0 until the first vector came, unless it was asked for."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        self._settings = settings
        self._remote = Remote(settings)
        self._packed = True
        self.id = _identity(settings)
        self.dimension = settings.dimensions or 0

    async def prepare(self) -> None:
        """Find out the dimension. Raises ModelError when the model cannot be used."""
        await self.embed([_PROBE])

    async def embed(self, texts: Sequence[str], purpose: Purpose = "passage") -> list[list[float]]:
        """Return one unit vector for each text, in order; texts are cut at 8,000 characters.

        Raises TextsRefused, after all the others, for texts that the provider does not take though it takes others;
        and NotEmbedded for the first batch that failed for good; what else was under way is given up then.
        """
        if not texts:
            return []
        extras = await self._extras(purpose)
        sent = [self._sent(text, purpose) for text in texts]
        vectors: dict[int, list[float]] = {}
        refused: dict[int, str] = {}
        waiting = _batches(sent, self._most(extras))

        async def work() -> None:
            for places in waiting:
                vectors.update(await self._taken(sent, places, extras, refused))

        # As many at a time as are served together, so that a question need not queue behind a whole index.
        await _together([asyncio.create_task(work()) for _ in range(self._settings.max_parallel)])
        if refused:
            raise TextsRefused(refused[min(refused)], sorted(refused), vectors)
        return [vectors[place] for place in range(len(sent))]

    async def aclose(self) -> None:
        """Close the whole process's connections to providers; a later call opens new ones."""
        await self._remote.aclose()

    async def _extras(self, purpose: Purpose) -> dict[str, Any]:
        provider = await self._remote.provider()
        asked: dict[str, Any] = {"encoding_format": "float"} if provider == "openai" else {}
        if provider in _INPUT_TYPES:
            asked["input_type"] = _INPUT_TYPES[provider][purpose]
        if self._settings.dimensions:
            # LiteLLM knows of few models that they can do it; the provider knows best.
            asked |= {"dimensions": self._settings.dimensions, "allowed_openai_params": ["dimensions"]}
        return asked

    async def _taken(
        self, sent: list[str], places: range, extras: dict[str, Any], refused: dict[int, str], *, serves: bool = False
    ) -> dict[int, list[float]]:
        """Return the vectors of the texts that the provider takes; the others are found by halves, and noted.

        `serves`: whether it is known that it takes others.
        """
        try:
            return dict(zip(places, await self._batch(sent, places, extras), strict=True))
        except NotEmbedded as error:
            if not _NOT_TAKEN.search(error.reason) or not (serves or refused or await self._serves(extras)):
                raise
            if len(places) == 1:
                refused[places[0]] = str(error.__cause__)
                return {}
        middle = len(places) // 2
        first = await self._taken(sent, places[:middle], extras, refused, serves=True)
        return first | await self._taken(sent, places[middle:], extras, refused, serves=True)

    async def _serves(self, extras: dict[str, Any]) -> bool:
        """Return whether the provider takes any text at all; if not, it is the settings that it refuses."""
        try:
            await self._remote.ask("aembedding", input=[_PROBE], **extras)
        except ModelRefused:
            return False
        return True

    async def _batch(self, sent: list[str], places: range, extras: dict[str, Any]) -> list[list[float]]:
        try:
            reply = await self._reply([sent[place] for place in places], extras)
            # A hundred thousand numbers a batch: in a thread, so that others are served meanwhile.
            return self._held_to(await asyncio.to_thread(self._vectors, reply, len(places)))
        except ModelError as error:
            raise NotEmbedded(error.reason, places, len(sent), retry=error.retry) from error

    async def _reply(self, texts: list[str], extras: Mapping[str, Any]) -> Any:
        """Return the reply, its numbers packed into four bytes each where the provider can do that.

        Of numbers in JSON OpenAI's client looks at each one by itself, and nothing else is served meanwhile: for 64
        vectors of 1,536 numbers about a third of a second of the processor (openai 2.54, `_models.construct_type`).
        """
        if not self._packed or "encoding_format" not in extras:
            return await self._remote.ask("aembedding", input=texts, **extras)
        try:
            reply = await self._remote.ask("aembedding", input=texts, **{**extras, "encoding_format": "base64"})
        except ModelRefused as error:
            if not _NOT_KNOWN.search(error.reason):
                raise
            reply = await self._remote.ask("aembedding", input=texts, **extras)
        self._packed = _is_packed(reply)
        return reply

    def _most(self, extras: Mapping[str, Any]) -> int:
        """Return how many texts go into one request."""
        plain = "encoding_format" in extras and not self._packed
        return max(1, min(_BATCH, _PLAIN_NUMBERS // max(1, self.dimension))) if plain else _BATCH

    def _vectors(self, reply: Any, count: int) -> list[list[float]]:
        by_place = _by_place(reply)
        if set(by_place) != set(range(count)):
            raise BadModelOutput(f"{self._settings.model} sent {len(by_place)} vectors for {count} texts")
        return [self._unit(by_place[place]) for place in range(count)]

    def _held_to(self, vectors: list[list[float]]) -> list[list[float]]:
        for vector in vectors:
            self.dimension = self.dimension or len(vector)
            if len(vector) != self.dimension:
                raise BadModelOutput(
                    f"{self._settings.model} sent {len(vector)} numbers a vector, and not {self.dimension}: see that "
                    "EMBEDDING_MODEL and EMBEDDING_DIMENSIONS name what the server runs, then index anew"
                )
        return vectors

    def _unit(self, vector: list[float]) -> list[float]:
        length = math.hypot(*vector)
        if not 0 < length < math.inf:
            raise BadModelOutput(f"{self._settings.model} sent a vector without a direction: choose another model")
        return [number / length for number in vector]

    def _sent(self, text: str, purpose: Purpose) -> str:
        prefix = self._settings.query_prefix if purpose == "query" else self._settings.passage_prefix
        return prefix + readable(text, _MAX_CHARACTERS)


def _identity(settings: EmbeddingSettings) -> str:
    """Return the name of everything that stored vectors depend on.

    Servers of one's own run what they like behind one name, so another address is another model. The address is told by
    its digest alone: it may be private.
    """
    address = (settings.api_base or "").rpartition("@")[2].rpartition("://")[2].rstrip("/")
    at = f" at {sha256(address.encode()).hexdigest()[:8]}" if address else ""
    shortened = f"/{settings.dimensions}" if settings.dimensions else ""
    prefixed = f" after {settings.passage_prefix!r}" if settings.passage_prefix else ""
    return f"{settings.model}{shortened}{prefixed}{at}"


def _batches(texts: Sequence[str], most: int) -> Iterator[range]:
    """Yield the positions of consecutive texts that go into one request."""
    start = size = 0
    for place, text in enumerate(texts):
        if place > start and (place - start == most or size + len(text) > _BATCH_CHARACTERS):
            yield range(start, place)
            start, size = place, 0
        size += len(text)
    yield range(start, len(texts))


def _by_place(reply: Any) -> dict[int, list[float]]:
    """Return the reply's vectors by their number in the request; {} when it is no such reply."""
    try:
        return {int(item["index"]): _numbers(item["embedding"]) for item in reply.data}
    except (AttributeError, KeyError, TypeError, ValueError, struct.error):
        return {}


def _is_packed(reply: Any) -> bool:
    data = getattr(reply, "data", None) or [{}]
    return isinstance(data[0], Mapping) and isinstance(data[0].get("embedding"), str)


def _numbers(embedding: str | Sequence[float]) -> list[float]:
    """Return the numbers of a vector; packed ones are 32 bits each, the lowest byte first, in base64."""
    if not isinstance(embedding, str):
        return [float(number) for number in embedding]
    data = b64decode(embedding, validate=True)
    return list(struct.unpack(f"<{len(data) // 4}f", data))


async def _together(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Wait for the tasks; the first that fails, or a cancellation, ends the others."""
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
