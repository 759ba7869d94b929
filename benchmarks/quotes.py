"""Whether every shown quote stands in its document, and whether a claim goes when the fact that it cites does.

python -m benchmarks.quotes [--renders 10000] [--share 1] [--json]

Renders: random documents in both languages with what breaks offsets (joined emoji, marks, invisible characters), random
claims on random quotes of them, some altered; every line of shown evidence must be the document's text at the offsets
of a citation. Removed facts: the questions of both examples are answered; then all that holds a cited quote is taken
out of what is found, and a model insists on every claim, on every fact that is left.
"""

import argparse
import asyncio
import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from adapters.embedding.universal import UniversalEmbedder
from benchmarks.injection import LANGUAGES, questions_of
from core.answer import Answer, Citation, Claim, Draft, DraftClaim, Pointer
from core.context import AnswerContext
from core.conversation import Audience
from core.facts import Fact, Part, Place, Source, Span
from core.plan import GraphQuery, Intent, Style
from core.ports import Completion, Found, Graph, ModelRequest, Search, SearchQuery
from core.proof.quotes import find_quote
from core.quoting import draft_quotes
from core.render import render
from core.reply import RenderedReply, plain
from core.text import Untrusted, language_of, sentences
from core.verify import verify
from tests.corpora import EXAMPLES, Company, company, index
from tests.doubles.models import json_values
from tests.injection.trial import asked, new_thread, question

PIECES = (
    "Every employee has 28 days of paid leave.",
    "Каждому сотруднику положено 28 дней отпуска.",
    "The deposit is €1,200.50 — payable by 31 March 2026.",
    "Залог — 1 200,50 ₽, срок до 31 марта 2026 г.",
    "Ask Dr. Ann O’Neil (ext. 12-34) first!",
    "👨‍👩‍👧‍👦 families and 🇷🇺 flags 👍🏽 are welcome.",
    "Инвалид\u0301ам по\u200bложено бо\u00adльше: 35 дней.",
    "Ｆｕｌｌ　ｗｉｄｔｈ ﬁle № Ⅷ: ½ day.",
    "مرحبا \u200f123 שלום stays as it is.",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "- first item\n- второй пункт\n  - deeper",
    "`code [1]` and **bold** <b>tag</b> &amp; entity.",
    "日本語のテキスト。中文。",
    "v2.3.1 fixes INC-2041; see README.md.",
)
_ENDS = (" ", "\n", "\n\n", "  ", "\u00a0")


@dataclass
class Shown:
    """How many renders and quotes were looked at, and how many quotes stand nowhere; some of these in words."""

    renders: int = 0
    quotes: int = 0
    strays: int = 0
    examples: list[str] = field(default_factory=list)


def main() -> None:
    """Print the figures; status 1 when a quote strays, or a claim outlives its fact."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--renders", type=int, default=10_000)
    parser.add_argument("--share", type=int, default=1, help="ask only every so-manieth question of the examples")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    seen = rendered(options.renders)
    removed = asyncio.run(removed_facts(options.share))
    figures: dict[str, Any] = {
        "renders": seen.renders,
        "quotes shown": seen.quotes,
        "quotes that stand nowhere": seen.strays,
        "claims whose fact was removed": removed[0],
        "claims that stayed": len(removed[1]),
        "examples": [*seen.examples, *removed[1][:5]],
    }
    print(
        json.dumps(figures, ensure_ascii=False) if options.json else "\n".join(f"{k}: {v}" for k, v in figures.items())
    )
    raise SystemExit(seen.strays + len(removed[1]) > 0)


def rendered(count: int, begin: int = 0) -> Shown:
    """Return what so many random renders showed, the same each time."""
    seen = Shown()
    for number in range(begin, begin + count):
        dice = random.Random(number)  # noqa: S311 - nothing is secret here
        texts, context = _context(dice)
        answer = verify(_draft(dice, context), context, last=dice.random() < 0.5)
        reply = render(answer, dice.choice(list(Style)))
        seen.renders += 1
        for stray in strays(reply, answer, texts):
            seen.strays += 1
            seen.examples += [stray] if len(seen.examples) < 5 else []
        seen.quotes += sum(entry.quote.count("\n") + 1 for entry in reply.evidence)
    return seen


def strays(reply: RenderedReply, answer: Answer, texts: dict[str, str]) -> Iterator[str]:
    """Yield the shown quotes that are not their document's text at the offsets of a citation."""
    stored = {plain(Untrusted(citation.span.within(texts[citation.source.doc_id]))) for citation in cited(answer)}
    for citation in cited(answer):
        if citation.quote != citation.span.within(texts[citation.source.doc_id]):
            yield f"{citation.quote!r} at {citation.span}"
    for entry in reply.evidence:
        rest = entry.quote
        for quote in sorted(stored, key=len, reverse=True):
            rest = rest.replace(quote, "")
        if rest.strip():
            yield f"{entry.quote!r} is of no citation"


def cited(answer: Answer) -> list[Citation]:
    """Return every citation of an answer."""
    return [*(one for claim in answer.claims for one in claim.citations), *answer.nearest, *answer.older]


def _context(dice: random.Random) -> tuple[dict[str, str], AnswerContext]:
    texts = {f"{number}.md": _document(dice) for number in range(dice.randint(1, 4))}
    facts = tuple(_fact(dice, name, text, number) for number, (name, text) in enumerate(texts.items(), 1))
    asked = dice.choice(PIECES)
    return texts, AnswerContext(asked, facts, language_of(asked), Style.BULLETS, "factual", 10, 8, 3, 150)


def _document(dice: random.Random) -> str:
    return "".join(dice.choice(PIECES) + dice.choice(_ENDS) for _ in range(dice.randint(1, 9)))


def _fact(dice: random.Random, name: str, text: str, number: int) -> Fact:
    """Return a passage from within the document: its offsets are not those of its own text."""
    begins = [start for start, _ in sentences(text)] or [0]
    start = dice.choice(begins)
    span = Span(start, dice.choice([end for _, end in sentences(text) if end > start] or [len(text)]))
    words = Untrusted(span.within(text))
    parts = tuple(Part(Span(start + a, start + b), "paragraph", block=n) for n, (a, b) in enumerate(sentences(words)))
    return Fact(
        words,
        Source(name, f"Title {name}", None),
        span,
        f"{name}#{number}",
        Place((Untrusted(f"Part {number}"),)),
        parts,
    )


def _draft(dice: random.Random, context: AnswerContext) -> Draft:
    if dice.random() < 0.2:
        return draft_quotes(context)
    return Draft(tuple(_claim(dice, context) for _ in range(dice.randint(1, 5))), lead=dice.choice((None, *PIECES)))


def _claim(dice: random.Random, context: AnswerContext) -> DraftClaim:
    number = dice.randint(1, len(context.facts))
    text = str(context.facts[number - 1].text)
    start = dice.randrange(len(text))
    quote = text[start : start + dice.randint(4, 120)]
    quote = dice.choice(
        (quote, quote, quote.upper(), quote.replace("\u200b", ""), " ".join(quote.split()), quote[::-1])
    )
    said = dice.choice((quote, plain(Untrusted(quote)), dice.choice(PIECES)))
    return DraftClaim(said, (Pointer(dice.choice((number, 1, 7)), quote),), verbatim=dice.random() < 0.2)


class Insisting:
    """A model that claims the same again on the same words, on whatever facts it is given."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self._claims = claims

    def offers(self, role: str) -> bool:
        """Return that it writes, and leaves planning to the examples."""
        return role == "answer"

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the claims, each on every fact."""
        numbers = [value["fact"] for value in json_values(request.user) if isinstance(value, dict) and "fact" in value]
        claims = [
            {"text": claim.text[:600], "evidence": [{"fact": number, "quote": str(citation.quote)[:1200]}]}
            for claim, number in product(self._claims, numbers)
            for citation in claim.citations[:1]
        ]
        return Completion(json.dumps({"claims": claims[:25]}, ensure_ascii=False), "insisting")


@dataclass(frozen=True, slots=True)
class Without:
    """A search and a graph that find nothing that holds one of the quotes."""

    search: Search
    graph: Graph
    gone: tuple[str, ...]

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        """Return what else is found."""
        found = await self.search.find(query, audience)
        return replace(found, facts=tuple(self._left(found.facts)))

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        """Return what else the graph says."""
        return list(self._left(await self.graph.query(call, intent, audience)))

    def _left(self, facts: Sequence[Fact]) -> Iterator[Fact]:
        for fact in facts:
            if not any(find_quote(quote, fact.text) for quote in self.gone):
                yield fact


async def removed_facts(share: int = 1) -> tuple[int, list[str]]:
    """Return how many claims lost their facts, and which of them stayed all the same."""
    embedder, count, stayed = UniversalEmbedder(), 0, list[str]()
    for name in LANGUAGES:
        with tempfile.TemporaryDirectory() as data:
            await index(EXAMPLES / name, Path(data), embedder)
            async with company(Path(data), embedder) as of:
                for text in list(questions_of(name))[::share]:
                    claims = (await of.ask(text)).answer.claims
                    count += len(claims)
                    stayed += [f"{text}: {claim}" for claim in await outliving(text, claims, of)] if claims else []
    return count, stayed


async def outliving(text: str, claims: Sequence[Claim], of: Company) -> list[str]:
    """Return the claims that are shown again without the facts that they cite."""
    ports = await of.bot.ports()
    assert ports is not None
    gone = tuple(dict.fromkeys(str(citation.quote) for claim in claims for citation in claim.citations))
    less = Without(ports.search, ports.graph, gone)
    record = await asked(question(text, new_thread()), of, Insisting(claims), tools=(less, less))
    again = {claim.text for claim in record.answer.claims}
    return [claim.text for claim in claims if claim.text in again]


if __name__ == "__main__":
    main()
