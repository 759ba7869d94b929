"""Vectors from a provider: batched, tried again when that may help, and every failure a sentence."""

import asyncio
import logging
import math
import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from adapters.llm import embedding
from adapters.llm.embedding import EmbeddingSettings, LiteLLMEmbedder, NotEmbedded
from core.errors import BadModelOutput, ModelError, ModelRefused, ModelTimeout, TextsRefused
from tests.adapters.llm.loopback import DIMENSION, GOOD, SECRET, Provider, Reply, vector_of

# One loop for the file: LiteLLM's clients belong to the loop that made them.
pytestmark = pytest.mark.asyncio(loop_scope="module")

PRIVATE = "Зарплата директора 12345"
Opened = Callable[..., LiteLLMEmbedder]


async def failure(embedder: LiteLLMEmbedder, *texts: str) -> NotEmbedded:
    """Return the error of a call."""
    with pytest.raises(NotEmbedded) as raised:
        await embedder.embed(texts or (PRIVATE,))
    return raised.value


async def test_what_the_provider_sent_at_length_one(server: Provider, embedders: Opened) -> None:
    """A vector keeps its direction and has length 1, wherever in the reply it stood."""
    texts = ["Where is RAG used?", "Где применён RAG?", "third"]

    vectors = await embedders().embed(texts)

    for text, vector in zip(texts, vectors, strict=True):
        raw = vector_of(text)
        assert [number / math.hypot(*raw) for number in raw] == pytest.approx(vector)
    assert [f"Bearer {SECRET}"] == server.keys
    assert "embed-a" == server.bodies[0]["model"]


async def test_a_provider_that_knows_no_packed_numbers(server: Provider, embedders: Opened) -> None:
    """Packed numbers keep everything else moving while they are read; who refuses them is asked for plain ones."""
    server.script = lambda body: Reply(422) if body["encoding_format"] == "base64" else GOOD
    embedder = embedders()

    [first], [second] = await embedder.embed(["где"]), await embedder.embed(["where"])

    assert ["base64", "float", "float"] == [body["encoding_format"] for body in server.bodies]
    assert vector_of("где")[0] / math.hypot(*vector_of("где")) == pytest.approx(first[0])
    assert first != second


async def test_a_provider_that_packs_nothing(
    server: Provider, embedders: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plain numbers are taken too, though packed ones were asked for, and from then on fewer at a time."""
    monkeypatch.setattr(embedding, "_PLAIN_NUMBERS", 3 * DIMENSION)
    server.script = [Reply(unpacked=True)]
    embedder = embedders()

    [vector] = await embedder.embed(["где"])
    await embedder.embed(["text"] * 7)

    assert vector_of("где")[0] / math.hypot(*vector_of("где")) == pytest.approx(vector[0])
    assert [1, 1, 3, 3] == sorted(len(body["input"]) for body in server.bodies)


async def test_batches_are_bounded_by_texts_and_characters(server: Provider, embedders: Opened) -> None:
    """No request holds more than 64 texts or 64,000 characters, and a text is cut at 8,000."""
    await embedders().embed([*(f"short {number}" for number in range(150)), *["д" * 20_000] * 20])

    sent = [body["input"] for body in server.bodies]
    assert 170 == sum(map(len, sent))
    assert max(map(len, sent)) <= 64
    assert max(sum(map(len, texts)) for texts in sent) <= 64_000
    assert 8_000 == max(len(text) for texts in sent for text in texts)


async def test_only_so_many_at_once(server: Provider, embedders: Opened) -> None:
    """Requests run side by side, within the limit, over all callers together."""
    server.wanted = 3
    embedder = embedders(max_parallel=3)

    await asyncio.gather(*(embedder.embed([f"{caller} {number}" for number in range(400)]) for caller in range(3)))

    assert 3 == server.most_at_once


async def test_nothing_is_asked_for_nothing(server: Provider, embedders: Opened) -> None:
    """Without texts nobody is asked."""
    assert [] == await embedders().embed([])
    assert [] == server.bodies


async def test_a_text_without_letters_is_never_sent_empty(server: Provider, embedders: Opened) -> None:
    """Providers refuse an empty text and choke on control characters, so neither is sent."""
    vectors = await embedders().embed(["", " \n ", "\x00\x1b", "a\x00b\ud83d"])

    assert [".", ".", ".", "a b?"] == server.bodies[0]["input"]
    assert 4 == len(vectors)


@pytest.mark.parametrize("reply", [Reply(429), Reply(500), Reply(503), Reply(502), Reply(kind="drop")])
async def test_what_may_pass_is_tried_again(server: Provider, embedders: Opened, reply: Reply) -> None:
    """A limit, an outage or a lost connection costs another try, one at a time, and no vector."""
    server.script = [reply, reply, GOOD]

    vectors = await embedders().embed(["Где?"])

    assert 1 == len(vectors)
    assert 3 == len(server.bodies)


async def test_it_comes_back_when_it_is_told(server: Provider, embedders: Opened) -> None:
    """Retry-After is waited for, by every request of the model."""
    server.script = [Reply(429, after="1"), GOOD]
    embedder = embedders(max_parallel=1)
    started = time.monotonic()

    await asyncio.gather(embedder.embed(["a"]), embedder.embed(["b"]))

    assert time.monotonic() - started >= 1.0
    assert 3 == len(server.bodies)


async def test_it_does_not_wait_for_an_hour(server: Provider, embedders: Opened) -> None:
    """Who is told to come back much later gives up for now, and says so."""
    server.script = [Reply(429, after="3600")]

    error = await failure(embedders())

    assert error.retry
    assert "rate limit" in str(error)
    assert 1 == len(server.bodies)


@pytest.mark.parametrize(
    ("status", "fix"),
    [
        (400, "EMBEDDING_MODEL"),
        (401, "EMBEDDING_API_KEY"),
        (402, "EMBEDDING_MODEL"),
        (403, "EMBEDDING_API_KEY"),
        (404, "EMBEDDING_MODEL"),
        (422, "EMBEDDING_MODEL"),
    ],
)
async def test_a_refusal_is_not_repeated(server: Provider, embedders: Opened, status: int, fix: str) -> None:
    """What the provider refuses it is not asked again; the sentence names the setting, never the key or the text."""
    server.script = [Reply(status)]

    error = await failure(embedders())

    # Who may only not know packed numbers is asked for plain ones, and then whether it takes any other text.
    assert (
        [["base64", [PRIVATE]], ["float", [PRIVATE]], ["float", ["ready"]]]
        if status in {400, 422}
        else [["base64", [PRIVATE]]]
    ) == [[body["encoding_format"], body["input"]] for body in server.bodies]
    assert not error.retry
    assert isinstance(error.__cause__, ModelRefused)
    assert fix in str(error)
    assert str(status) in str(error)
    assert SECRET not in repr(error) + str(error.__cause__)
    assert "12345" not in repr(error) + str(error.__cause__)


async def test_an_outage_ends_after_some_tries(server: Provider, embedders: Opened) -> None:
    """Four tries, then the caller hears of it."""
    server.script = [Reply(503)]

    error = await failure(embedders())

    assert 4 == len(server.bodies)
    assert error.retry
    assert "503" in str(error)


async def test_a_server_that_says_nothing(server: Provider, embedders: Opened) -> None:
    """A stalled request ends in time and is named as that."""
    server.script = [Reply(kind="stall")]

    error = await failure(embedders(timeout_seconds=0.2, attempts=2))

    assert 2 == len(server.bodies)
    assert isinstance(error.__cause__, ModelTimeout)
    assert "0.2 seconds" in str(error)


async def test_a_page_instead_of_vectors(server: Provider, embedders: Opened) -> None:
    """A web page with status 200 is no reply; the address is what to look at."""
    server.script = [Reply(kind="html")]

    assert "EMBEDDING_API_BASE" in str(await failure(embedders(attempts=2)))


async def test_nobody_listens(embedders: Opened) -> None:
    """A refused connection names the address setting."""
    assert "EMBEDDING_API_BASE" in str(await failure(embedders(api_base="http://127.0.0.1:9/v1", attempts=2)))


async def test_a_name_without_a_provider(server: Provider, embedders: Opened) -> None:
    """A model that LiteLLM cannot place is named with how to write it, before anything is sent."""
    with pytest.raises(ModelRefused, match="provider/model"):
        await embedders(model="nothing-known").embed(["a"])
    assert [] == server.bodies


@pytest.mark.parametrize("kind", ["short", "zero"])
async def test_a_reply_that_cannot_be_used(server: Provider, embedders: Opened, kind: Any) -> None:
    """Missing vectors, and vectors without a direction, are an error and never stored."""
    server.script = [Reply(kind=kind)]

    assert isinstance((await failure(embedders(), "a", "b")).__cause__, BadModelOutput)


async def test_the_dimension_is_found_and_held_to(server: Provider, embedders: Opened) -> None:
    """The first vector says how long vectors are; one of another length later is refused."""
    server.script = [GOOD, Reply(numbers=5)]
    embedder = embedders()
    assert 0 == embedder.dimension

    await embedder.prepare()
    assert 8 == embedder.dimension
    error = await failure(embedder)

    assert re.search(r"5 numbers.* not 8", str(error))
    assert 8 == embedder.dimension


async def test_shorter_vectors_are_asked_for(server: Provider, embedders: Opened) -> None:
    """A wanted dimension is sent even for a model that LiteLLM does not know, and is part of the name."""
    embedder = embedders(dimensions=4)
    assert embedder.id.startswith("openai/embed-a/4")
    assert 4 == embedder.dimension

    [vector] = await embedder.embed(["Где?"])

    assert 4 == len(vector) == server.bodies[0]["dimensions"]


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        ("http://10.0.0.1:8080/v1", "http://10.0.0.2:8080/v1", False),
        ("http://10.0.0.1:8080/v1", "http://10.0.0.1:8081/v1", False),
        ("http://10.0.0.1:8080/v1", None, False),
        ("http://gpu:8080/v1", "https://bot:pass@gpu:8080/v1/", True),
    ],
)
async def test_another_server_is_another_model(embedders: Opened, one: str, other: str | None, *, is_one: bool) -> None:
    """One name may stand for anything there, and vectors of two models say nothing together.

    Names and passwords in an address make no other server, and nothing of the address can be read in the name.
    """
    first, second = embedders(api_base=one).id, embedders(api_base=other).id

    assert is_one == (first == second)
    assert not any(word in first + second for word in ("10.0.0", "gpu", "pass", "8080"))


async def test_prefixes_by_purpose(server: Provider, embedders: Opened) -> None:
    """Questions and passages get what the model wants before them; what stands before passages is in the name."""
    embedder = embedders(passage_prefix="passage: ", query_prefix="query: ")

    await embedder.embed(["текст"])
    await embedder.embed(["вопрос"], "query")

    assert [["passage: текст"], ["query: вопрос"]] == [body["input"] for body in server.bodies]
    assert embedder.id != embedders().id


async def test_providers_that_ask_what_a_text_is_for(server: Provider, embedders: Opened) -> None:
    """Voyage is told in its own words whether a text is a question."""
    embedder = embedders(model="voyage/voyage-x")

    await embedder.embed(["текст"])
    await embedder.embed(["вопрос"], "query")

    assert ["document", "query"] == [body["input_type"] for body in server.bodies]


async def test_a_batch_that_fails_is_named_by_its_places(server: Provider, embedders: Opened) -> None:
    """The caller learns which of its texts got no vector, by position; the text itself is not said."""
    server.script = lambda body: Reply(403) if "bad" in body["input"] else GOOD
    texts = [f"text {number}" for number in range(200)]
    texts[100] = "bad"

    error = await failure(embedders(), *texts)

    assert tuple(range(64, 128)) == error.places
    assert "(texts 65 to 128 of 200)" in str(error)


@pytest.mark.parametrize("status", [400, 413, 422])
async def test_texts_that_are_refused_cost_nothing_but_themselves(
    server: Provider, embedders: Opened, status: int
) -> None:
    """One too long, or against content rules: all the others get their vectors, and the caller hears which it was."""
    bad = {"плохой текст", "a bad text"}
    server.script = lambda body: GOOD if bad.isdisjoint(body["input"]) else Reply(status)
    texts = [f"text {number}" for number in range(200)]
    texts[3], texts[100] = sorted(bad)
    embedder = embedders()

    with pytest.raises(TextsRefused) as raised:
        await embedder.embed(texts)

    assert (3, 100) == raised.value.places
    assert set(range(200)) - {3, 100} == set(raised.value.vectors)
    assert await embedder.embed([texts[99]]) == [raised.value.vectors[99]]
    assert "плохой" not in str(raised.value)
    # Four batches and one text. For each refused one its batch in the other form of numbers, whether others are served,
    # and six halvings: the half that is refused in both forms, and the half that is not.
    assert len(server.bodies) <= 4 + 1 + 2 * (1 + 1 + 6 * 3)


async def test_cancelling_gives_up_what_is_under_way(server: Provider, embedders: Opened) -> None:
    """Nothing is asked any more once nobody waits, and the slots are free."""
    server.script = [Reply(kind="stall")]
    embedder = embedders(max_parallel=2)
    call = asyncio.create_task(embedder.embed([f"text {number}" for number in range(1_000)]))
    await server.asked.wait()

    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call

    asked = len(server.bodies)
    server.script = [GOOD]
    assert 1 == len(await embedder.embed(["next"]))
    assert asked <= 2
    assert asked + 1 == len(server.bodies)


async def test_nothing_secret_is_logged(server: Provider, embedders: Opened, caplog: pytest.LogCaptureFixture) -> None:
    """Neither the key nor a text reaches a log, even when all is logged and the call fails."""
    server.script = [Reply(500), Reply(401)]
    with caplog.at_level(logging.DEBUG), pytest.raises(ModelError):
        await embedders().embed([PRIVATE])

    assert SECRET not in caplog.text
    assert "12345" not in caplog.text
    assert SECRET not in repr(EmbeddingSettings("openai/a", api_key=SECRET))
