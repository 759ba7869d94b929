"""Every shown quote stands in its document, and a claim goes with its fact."""

from dataclasses import replace

import pytest

from benchmarks import quotes
from core.answer import Answer
from core.facts import Span
from core.plan import Style
from core.render import render
from tests.corpora import Company


def test_every_shown_quote_is_a_span_of_its_document() -> None:
    """However a claim quotes, and whatever characters a document has; `python -m benchmarks.quotes` renders 10,000."""
    seen = quotes.rendered(230)

    assert ([], 0) == (seen.examples, seen.strays)
    assert seen.quotes > 75  # a claim that is cut out of its quote in the middle of a word is not shown


def test_a_quote_that_stands_nowhere_is_told() -> None:
    """A quote at other offsets is a stray."""
    for number in range(50):
        texts, answer = _answered(number)
        if answer.claims:
            break
    [claim, *_] = answer.claims
    [citation, *_] = claim.citations
    moved = replace(claim, citations=(replace(citation, span=Span(citation.span.start + 1, citation.span.end + 1)),))
    spoilt = replace(answer, claims=(moved,))

    assert [] == list(quotes.strays(render(answer, Style.BULLETS), answer, texts))
    assert [] != list(quotes.strays(render(spoilt, Style.BULLETS), spoilt, texts))


def _answered(number: int) -> tuple[dict[str, str], Answer]:
    dice = quotes.random.Random(number)
    texts, context = quotes._context(dice)
    return texts, quotes.verify(quotes._draft(dice, context), context)


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("text", ["How many vacation days do I get?", "Who may approve a two-week holiday?"])
async def test_a_claim_goes_with_its_fact(text: str, handbook: Company) -> None:
    """A model that insists on a claim whose words are gone shows it no more."""
    claims = (await handbook.ask(text)).answer.claims

    assert claims
    assert [] == await quotes.outliving(text, claims, handbook)
