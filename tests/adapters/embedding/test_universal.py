"""The embedded model: unit vectors of meaning in many languages."""

import asyncio
from math import sqrt

import pytest

from adapters.embedding.universal import UniversalEmbedder


@pytest.fixture(scope="module")
def embedder() -> UniversalEmbedder:
    """Give the model, loaded once."""
    known = UniversalEmbedder(threads=1)
    known.warm()
    return known


def near(left: list[float], right: list[float]) -> float:
    """Return the cosine of two unit vectors."""
    return sum(a * b for a, b in zip(left, right, strict=True))


async def test_no_text_no_vector(embedder: UniversalEmbedder) -> None:
    """Nothing in, nothing out."""
    assert [] == await embedder.embed([])


@pytest.mark.parametrize(
    "text", ["Where was RAG used?", "Где применял RAG?", "", " ", "🙂", "\u200b", "\x00", "x" * 50_000]
)
async def test_every_text_has_a_unit_vector(embedder: UniversalEmbedder, text: str) -> None:
    """512 numbers of length 1, whatever the text."""
    [vector] = await embedder.embed([text])

    assert embedder.dimension == len(vector)
    assert 1.0 == pytest.approx(sqrt(near(vector, vector)), abs=1e-4)


async def test_vectors_come_in_the_order_of_their_texts(embedder: UniversalEmbedder) -> None:
    """Texts are batched by length; each vector still stands at its text's place."""
    texts = [f"{'отпуск ' * (n * 7 % 13)}number {n}" for n in range(70)]

    together = await embedder.embed(texts)

    for place in (0, 13, 69):
        [alone] = await embedder.embed([texts[place]])
        assert 1.0 == pytest.approx(near(alone, together[place]), abs=1e-3)


async def test_meaning_is_near_across_languages(embedder: UniversalEmbedder) -> None:
    """A question is nearer to its translation than to another question in its own language."""
    english, russian, other = await embedder.embed(
        ["How many vacation days do I get?", "Сколько дней отпуска мне положено?", "Who leads the platform team?"]
    )

    assert near(english, russian) > near(english, other) + 0.2


async def test_many_may_ask_at_once(embedder: UniversalEmbedder) -> None:
    """Questions that come together get the vectors that they get alone."""
    texts = ["Where was RAG used?", "Контакты", "And at Aston?"]

    together = await asyncio.gather(*(UniversalEmbedder.embed(embedder, [text]) for text in texts))

    alone = [await embedder.embed([text]) for text in texts]
    assert all(1.0 == pytest.approx(near(a[0], b[0]), abs=1e-4) for a, b in zip(alone, together, strict=True))
