"""Two pages of one kind: what one says is never told of the other, from the question to the reply."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.embedding.universal import UniversalEmbedder
from core.ports import ModelRequest
from core.render import text_of
from tests.corpora import Company, company, index
from tests.doubles.models import ScriptedModel, json_values

PAGES = {
    "lyon": "# Lyon office\n\nThe Lyon office opens at 9:00. It has 40 desks. The Lyon office has a gym.\n",
    "porto": "# Porto office\n\nThe Porto office has a roof terrace. Rui Alves manages the Porto office.\n",
    "tula": "# Офис в Туле\n\nОфис в Туле открывается в 9:00. В офисе в Туле 40 столов.\n",
    "kazan": "# Офис в Казани\n\nВ офисе в Казани есть терраса. Офисом в Казани руководит Игорь Власов.\n",
}


def write(folder: Path) -> None:
    """Write the pages into a folder."""
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / f"{name}.md").write_text(text, "utf-8")


@pytest.fixture
async def offices(tmp_path_factory: pytest.TempPathFactory, embedder: UniversalEmbedder) -> AsyncIterator[Company]:
    """Give two offices in each language, each with a page of its own."""
    root = tmp_path_factory.mktemp("offices")
    write(root / "pages")
    await index(root / "pages", root / "data", embedder)
    async with company(root / "data", embedder) as found:
        yield found


def claiming(claim: str, quote: str) -> ScriptedModel:
    """Return a model that says this of the words that it quotes, whatever it is told."""

    def reply(request: ModelRequest) -> str:
        facts = [one for one in json_values(request.user) if isinstance(one, dict) and "fact" in one]
        number = next(one["fact"] for one in facts if quote in one["text"])
        return json.dumps({"claims": [{"text": claim, "evidence": [{"fact": number, "quote": quote}]}]})

    return ScriptedModel(reply, roles=("answer",))


@pytest.mark.parametrize(
    ("question", "claim", "quote"),
    [
        ("When does the Porto office open?", "The Porto office opens at 9:00.", "The Lyon office opens at 9:00."),
        ("How many desks does the Porto office have?", "The Porto office has 40 desks.", "It has 40 desks."),
        ("how many desks does the porto office have?", "The Porto office has 40 desks.", "It has 40 desks."),
        ("Who manages the Lyon office?", "Rui Alves manages the Lyon office.", "Rui Alves manages the Porto office."),
        ("Does the Porto office have a gym?", "Yes, the Porto office has a gym.", "The Lyon office has a gym."),
        ("Когда открывается офис в Казани?", "Офис в Казани открывается в 9:00.", "Офис в Туле открывается в 9:00."),
        ("Сколько столов в офисе в Казани?", "В офисе в Казани 40 столов.", "В офисе в Туле 40 столов."),
        ("Есть ли терраса в офисе в Туле?", "Да, в офисе в Туле есть терраса.", "В офисе в Казани есть терраса."),
    ],
)
async def test_what_one_page_says_is_not_told_of_the_other(
    offices: Company, question: str, claim: str, quote: str
) -> None:
    """Neither in the model's words, nor are the other page's own words the answer."""
    record = await offices.ask(question, model=claiming(claim, quote))

    assert claim.removeprefix("Yes, ").removeprefix("Да, ") not in text_of(record.reply)
    assert not any(quote in one.text for one in record.answer.claims)


@pytest.mark.parametrize(
    ("question", "claim", "quote"),
    [
        ("When does the Lyon office open?", "The Lyon office opens at 9:00.", "The Lyon office opens at 9:00."),
        ("How many desks does the Lyon office have?", "The Lyon office has 40 desks.", "It has 40 desks."),
        ("Сколько столов в офисе в Туле?", "Офис в Туле имеет 40 столов.", "В офисе в Туле 40 столов."),
    ],
)
async def test_what_a_page_says_of_its_own_is_told(offices: Company, question: str, claim: str, quote: str) -> None:
    """Of the one that is asked about, in the model's words."""
    record = await offices.ask(question, model=claiming(claim, quote))

    assert claim in text_of(record.reply)


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("How many desks does the Porto office have?", "40 desks"),
        ("When does the Porto office open in the morning?", "9:00"),
        ("Сколько столов в офисе в Казани?", "40 столов"),
        ("Во сколько открывается офис в Казани?", "9:00"),
    ],
)
async def test_without_a_model_the_other_pages_words_are_no_answer(offices: Company, question: str, other: str) -> None:
    """They may be offered as what is nearest, with the page's name over them."""
    record = await offices.ask(question)

    assert not any(other in one.text for one in record.answer.claims)


@pytest.mark.parametrize(
    ("question", "own"),
    [
        ("How many desks does the Lyon office have?", "40 desks"),
        ("Who manages the Porto office?", "Rui Alves"),
        ("Сколько столов в офисе в Туле?", "40 столов"),
        ("Кто руководит офисом в Казани?", "Игорь Власов"),
    ],
)
async def test_without_a_model_a_page_answers_for_its_own(offices: Company, question: str, own: str) -> None:
    """The rule takes nothing from a page that is about what is asked."""
    record = await offices.ask(question)

    assert any(own in one.text for one in record.answer.claims)
