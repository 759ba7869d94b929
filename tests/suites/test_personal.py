"""Personal data in 287 sentences, English and Russian: found where it is, of its kind, and nowhere else.

The sentences and the patterns are by one author: the figures say that nothing got worse, not how any text would fare.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.masking import MaskedModel, blotted, blotted_data, masked, unmasked
from core.personal import personal_in
from core.ports import Completion, ModelRequest

PIECES = ["a@x.example", "+7 916 000-11-22", "EMAIL_1", "⟨PHONE_2⟩", " ", "\n", "слово", '"', "1"]
HERE = Path(__file__).parent
_MARK = re.compile(r"\[([A-Z]+) ([^\]]+)\]")
Marked = tuple[str, int, int]


def sentences_of(language: str) -> Iterator[tuple[str, list[Marked]]]:
    """Yield each sentence with what stands in it."""
    for line in (HERE / f"personal_{language}.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        text, done, marked = "", 0, []
        for mark in _MARK.finditer(line):
            text += line[done : mark.start()]
            marked.append((mark[1], len(text), len(text) + len(mark[2])))
            text, done = text + mark[2], mark.end()
        yield text + line[done:], marked


def found_in(text: str) -> list[Marked]:
    return [(one.kind, one.start, one.end) for one in personal_in(text)]


def figures(language: str) -> dict[str, tuple[float, float, int]]:
    """Return precision, recall and the number of pieces for each kind; exact places count, nothing else."""
    right, wanted, found = Counter[str](), Counter[str](), Counter[str]()
    for text, marked in sentences_of(language):
        got = found_in(text)
        wanted.update(kind for kind, *_ in marked)
        found.update(kind for kind, *_ in got)
        right.update(kind for kind, *_ in set(got) & set(marked))
    return {
        kind: (right[kind] / found[kind] if found[kind] else 1.0, right[kind] / wanted[kind], wanted[kind])
        for kind in wanted
    }


@pytest.mark.parametrize("language", ["en", "ru"])
def test_each_kind_is_found_and_nothing_else(language: str) -> None:
    """Precision and recall of every kind at least 95 %: with so few of each, that is all of them."""
    assert {} == {kind: (p, r) for kind, (p, r, _) in figures(language).items() if p < 0.95 or r < 0.95}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_sentences_without_personal_data_stay_as_they_are(language: str) -> None:
    """Dates, amounts, versions, orders, accounts of companies, handles in code: nobody's."""
    plain = [text for text, marked in sentences_of(language) if not marked]

    assert len(plain) >= 40
    assert [] == [text for text in plain if found_in(text)]
    assert plain == [blotted(text) for text in plain]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_is_blotted_is_gone(language: str) -> None:
    """No piece of it is left, in whatever it is nested; field names and numbers stay."""
    for text, marked in sentences_of(language):
        data = blotted_data({"answer": text, "parts": [{"text": text}], "n": 5})
        assert not any(text[start:end] in str(data) for _, start, end in marked)
        assert 5 == data["n"]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_masks_are_taken_off_again(language: str) -> None:
    """All sentences in one text come back to the letter, also when a model leaves the signs around a token out."""
    text = "\n".join(sentence for sentence, _ in sentences_of(language))
    hidden, originals = masked(text)

    assert text == unmasked(hidden, originals)
    assert text == unmasked(hidden.replace("⟨", "").replace("⟩", ""), originals)
    assert not any(words in hidden for words in originals.values())


@pytest.mark.parametrize("language", ["en", "ru"])
def test_pieces_at_the_beginning_of_a_line_are_masked_in_a_prompt(language: str) -> None:
    """Prompts quote documents as JSON, where a line ends in two characters, the last of them a letter."""
    pieces = [text[start:end] for text, marked in sentences_of(language) for _, start, end in marked]
    alone = [piece for piece in pieces if found_in(f"\n{piece}\n")]
    assert len(alone) > len(pieces) / 3
    for end in ("\n", "\t", '"', "\\"):
        for piece in alone:
            prompt = json.dumps({"text": f"Contacts:{end}{piece}{end}Контакты"}, ensure_ascii=False)
            hidden, originals = masked(prompt)
            assert piece not in hidden
            assert [piece] == list(originals.values())
            assert prompt == unmasked(hidden, originals) == unmasked(re.sub("[⟨⟩]", "", hidden), originals)
            assert piece in json.loads(unmasked(hidden, originals))["text"]


def test_one_piece_has_one_token() -> None:
    """A model can tell that the same address stands in two facts, and that two numbers differ."""
    hidden, _ = masked("a@x.example, b@x.example, a@x.example")

    assert "⟨EMAIL_1⟩, ⟨EMAIL_2⟩, ⟨EMAIL_1⟩" == hidden


def test_a_document_cannot_forge_a_token() -> None:
    """A word that stands in the text already stands for nothing else."""
    text = "EMAIL_1 и ⟨EMAIL_2⟩: a@x.example"
    hidden, originals = masked(text)

    assert {"EMAIL_3": "a@x.example"} == originals
    assert text == unmasked(hidden, originals)


@settings(derandomize=True, max_examples=150)
@given(
    st.lists(st.sampled_from(["a@x.example", "+7 916 000-11-22", "EMAIL_1", "⟨PHONE_2⟩", " ", "\n", "слово", '"', "1"]))
)
def test_masking_loses_nothing(pieces: list[str]) -> None:
    """Whatever stands around it, and whatever looks like a token, comes back."""
    text = "".join(pieces)
    hidden, originals = masked(text)

    assert text == unmasked(hidden, originals)
    assert (hidden, originals) == masked(text)


class Echo:
    """A model that says again what it was asked, and keeps it."""

    def __init__(self) -> None:
        self.asked: list[ModelRequest] = []

    def offers(self, role: str) -> bool:
        return role == "answer"

    async def complete(self, request: ModelRequest) -> Completion:
        self.asked.append(request)
        return Completion(request.user, "echo", 3)


async def test_a_provider_sees_no_personal_data() -> None:
    """What it is asked holds tokens; what it replies is read with what they stand for; its rules keep every byte."""
    echo = Echo()
    model = MaskedModel(echo)
    request = ModelRequest("answer", "Rules: a@b.example", 'Контакты: "d.s@example.org", +7 916 000-11-22', {}, 100)
    reply = await model.complete(request)

    assert model.offers("answer")
    assert not model.offers("planner")
    assert request.system == echo.asked[0].system
    assert 'Контакты: "⟨EMAIL_1⟩", ⟨PHONE_1⟩' == echo.asked[0].user
    assert Completion(request.user, "echo", 3) == reply


async def test_who_listens_hears_the_words() -> None:
    """While a reply is written it is told with what its tokens stand for, never with half of one, and only grows."""
    heard: list[str] = []

    class Writing(Echo):
        async def complete(self, request: ModelRequest) -> Completion:
            assert request.hear
            for end in range(len(request.user) + 1):
                request.hear(request.user[:end])
            return await super().complete(request)

    user = "Пишите на d.s@example.org или +7 916 000-11-22, RAG."
    await MaskedModel(Writing()).complete(ModelRequest("answer", "", user, {}, 100, hear=heard.append))

    assert all(later.startswith(sooner) for sooner, later in pairwise(heard))
    assert all(user.startswith(one) for one in heard)
    assert heard[-1] == user
