"""Two things that are only compared: what the documents say of each, side by side, and no verdict."""

import pytest

from tests.corpora import Company, sources

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("question", ["Лоцман или Суфлёр?", "В чём разница между Лоцманом и Суфлёром?"])
async def test_each_of_two_is_told_by_its_own_page(question: str, portfolio: Company) -> None:
    """What happens to name both says little of either."""
    record = await portfolio.ask(question)

    assert {"projects/lotsman.md", "projects/sufler.md"} <= set(sources(record))
    assert {"Лоцман", "Суфлёр"} <= {claim.group for claim in record.answer.claims}


@pytest.mark.parametrize("question", ["Lantern or Trellis?", "What is the difference between Lantern and Trellis?"])
async def test_each_of_two_is_told_in_english(question: str, handbook: Company) -> None:
    """The same holds where a declared intent opens their pages."""
    assert ["projects/lantern.md", "projects/trellis.md"] == sources(await handbook.ask(question))


async def test_nothing_is_told_where_one_of_two_is_unknown(handbook: Company) -> None:
    """One side alone is no comparison."""
    assert (await handbook.ask("Difference between Lantern and Zanzibar?")).answer.is_refusal
