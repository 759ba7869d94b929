"""Ten thousand questions in made-up companies: what was told too much; and what filtering by readers costs.

python -m benchmarks.permissions [--questions 10000] [--first 0] [--chunks 100000] [--groups 1000] [--json]

Costs are ratios in one run over one index: the same searches for somebody in some groups, and for somebody for whom
nothing is closed. Both find about as many chunks, as readers do not go with words.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from adapters.search.lexical import LexicalIndex
from adapters.search.lexical_port import Row, Where
from core.conversation import Audience
from core.entities import Entity, make_registry, resolve_entities
from core.ingest.document import Document
from core.ingest.names import Named
from core.known import names_of
from core.namesakes import namesakes_of
from tests.suites.permission_asking import company, leaks, leaks_beside, shows_closed
from tests.suites.permission_world import make_world

_A_COMPANY = 250
_SEARCHES = 200
_OWN_GROUPS = 20
_WORDS = 20_000
_ASKED = "What does Project Alpha700 cost, who leads Beacon 12 and where is project alhpa900 used?"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="The number of the first company; 0.")
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--groups", type=int, default=1_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = {
        "triples": asyncio.run(triples(options.questions, options.first)) if options.questions else {},
        "cost": {**search_cost(options.chunks, options.groups), **name_cost(options.groups)} if options.chunks else {},
    }
    print(json.dumps(figures, indent=2, ensure_ascii=False) if options.json else "\n".join(_lines(figures)))


def _lines(figures: dict[str, dict[str, Any]]) -> list[str]:
    return [f"{name}: {key} = {value}" for name, those in figures.items() for key, value in those.items()]


async def triples(questions: int, first: int = 0) -> dict[str, Any]:
    """Return what came of so many questions, each of a random person in a random place under random rules."""
    asked = answered = closed = beside = 0
    companies = first
    wrong: list[str] = []
    while asked < questions:
        random = Random(companies)  # noqa: S311 - made-up conversations, no secrets
        with tempfile.TemporaryDirectory() as folder:
            async with company(make_world(companies), Path(folder), full_text=companies % 2 == 1) as found:
                while found.number < min(_A_COMPANY, questions - asked):
                    _, told = await leaks(found, random)
                    wrong += [*told, *await leaks_beside(found, random)]
                    beside += 1
                asked += found.number
                answered += sum(not one.answer.is_refusal for one in found.memory.records.values())
                closed += shows_closed(found)
        companies += 1
    return {
        "companies": companies - first,
        "questions": asked,
        "looks at Home, and questions inline": beside,
        "answered": answered,
        "answered from closed pages": closed,
        "told too much": len(wrong),
        "examples": wrong[:5],
    }


def search_cost(chunks: int, groups: int) -> dict[str, Any]:
    """Return what the filter costs a search by words: the median of ratios, each of one search with and without it."""
    random = Random(1)  # noqa: S311 - made-up words, no secrets
    words = [f"w{number}" for number in range(_WORDS)]
    weights = [1 / (rank + 10) for rank in range(_WORDS)]
    names = [f"group-{number}" for number in range(groups)]
    rows = [
        Row(
            str(number),
            random.choices(words, weights, k=60),
            f"d{number // 10}",
            readers=frozenset(random.sample(names, 2)) if number % 2 else frozenset(),
        )
        for number in range(chunks)
    ]
    index = LexicalIndex.of(rows)
    few, all_ = Where(frozenset(random.sample(names, _OWN_GROUPS))), Where(frozenset(names))
    asked = [random.choices(words, weights, k=8) for _ in range(_SEARCHES)]
    beside = [_beside(index, terms, (few, all_, None), number) for number, terms in enumerate(asked)]
    strangers = [Where(frozenset(random.sample(names, _OWN_GROUPS))) for _ in range(50)]
    first = [_timed(partial(index.rows_where, where)) for where in strangers]
    return {
        "chunks": chunks,
        "groups": groups,
        "search ms, unfiltered": round(1000 * median(bare for _, _, bare in beside), 3),
        "search ms, filtered": round(1000 * median(own for own, _, _ in beside), 3),
        "filtered / unfiltered": round(median(own / bare for own, _, bare in beside), 3),
        "first search of an audience, ms more": round(1000 * median(first), 3),
        "filtered / all groups": round(median(own / whole for own, whole, _ in beside), 3),
    }


def _beside(index: LexicalIndex, terms: list[str], wheres: tuple[Where | None, ...], number: int) -> tuple[float, ...]:
    """Return what a search takes with each filter; none is always the first, which finds its lists in no cache."""
    turn = number % len(wheres)
    index.find(terms, 40, wheres[turn])
    took = {where: _took(index, terms, where) for where in (*wheres[turn:], *wheres[:turn])}
    return tuple(took[where] for where in wheres)


def _took(index: LexicalIndex, terms: list[str], where: Where | None) -> float:
    begun = time.perf_counter()
    index.find(terms, 40, where)
    return time.perf_counter() - begun


def name_cost(groups: int) -> dict[str, Any]:
    """Return what it costs to know names by their readers: the first question of an audience, and each one after."""
    found: dict[str, Any] = {}
    for pages in (2_000, 20_000):
        given = [
            (Named(Document(f"{n}.md", f"Project Alpha{n}", "", ())), frozenset({f"g{n % groups}"} if n % 2 else ()))
            for n in range(pages)
        ]
        registry = make_registry(Entity(one.page.id, one.page.title, "page", (), one.page.id) for one, _ in given)
        names = names_of(given, (), registry, namesakes_of(registry))
        own = frozenset(f"g{n}" for n in range(1, 2 * _OWN_GROUPS, 2))
        audience = Audience("T1", own)
        resolve_entities(_ASKED, registry)
        resolve_entities(_ASKED, names.open)
        first = _timed(lambda: names.seen_by(audience))  # noqa: B023 - called at once
        view = names.seen_by(audience).registry
        resolve_entities(_ASKED, view)
        whole = median(_timed(lambda: resolve_entities(_ASKED, registry)) for _ in range(50))  # noqa: B023
        seen = median(_timed(lambda: resolve_entities(_ASKED, names.seen_by(audience).registry)) for _ in range(50))  # noqa: B023
        found[f"{pages} pages: first view ms"] = round(1000 * first, 2)
        found[f"{pages} pages: names of a question ms, all / own"] = (round(1000 * whole, 3), round(1000 * seen, 3))
    return found


def _timed(what: Callable[[], object]) -> float:
    begun = time.perf_counter()
    what()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
