"""How long planning takes without a model: `python -m benchmarks.planning --json`.

Ten thousand entities of five kinds, the portfolio's intents with their examples embedded once, and the labelled
questions of both examples. Processor time for each question: finding its names, reading its form, ranking the intents;
apart from it the embedding of the question, by the clock. The alternative is to rank the intents by sums of products
in plain Python.
"""

import argparse
import asyncio
import json
import time
from datetime import UTC, datetime
from operator import mul
from pathlib import Path
from statistics import median
from typing import Any

import yaml

from adapters.embedding.universal import UniversalEmbedder
from core.asked import read_question
from core.entities import Entity, make_registry, resolve_entities
from core.ingest.domain import read_domain
from core.planner import IntentIndex, askable, index_intents, plan_by_examples

ROOT = Path(__file__).parent.parent
KINDS = ("person", "project", "company", "technology", "page")
ASKED_AT = datetime(2025, 11, 19, tzinfo=UTC)


async def measured(entities: int) -> dict[str, Any]:
    """Return milliseconds a question, p50 and p95, for each part."""
    domain = read_domain(yaml.safe_load((ROOT / "examples/portfolio/domain.yaml").read_text("utf-8")))
    made = [Entity(f"e{n}", f"Name{n} Of{n % 997}", KINDS[n % 5], (f"Алиас{n}",)) for n in range(entities)]
    registry = make_registry((*domain.entities, *made))
    embedder = UniversalEmbedder(1)
    index = await index_intents(domain.intents, registry, embedder)
    lines = (ROOT / "tests/suites/questions_plans.jsonl").read_text("utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines]
    rows = [await _one(question, registry, index, embedder) for question in [*questions[:10], *questions]][10:]
    return {
        "entities": entities,
        "questions": len(questions),
        "milliseconds": {name: _percentiles([row[name] for row in rows]) for name in rows[0]},
    }


async def _one(question: str, registry: Any, index: IntentIndex, embedder: UniversalEmbedder) -> dict[str, float]:
    start = time.thread_time()
    matches = askable(resolve_entities(question, registry), index.intents)
    found = time.thread_time()
    asked = read_question(question, matches, ASKED_AT)
    read, clock = time.thread_time(), time.perf_counter()
    vectors = await embedder.embed(asked.texts, "query")
    waited, embedded = time.perf_counter() - clock, time.thread_time()
    plan_by_examples(asked, vectors, index)
    planned = time.thread_time()
    for vector in vectors:
        for _, example, _ in index.vectors:
            sum(map(mul, vector, example))
    plain = time.thread_time()
    seconds = {
        "finding names": found - start,
        "reading the form": read - found,
        "ranking the intents": planned - embedded,
        "all of planning": read - start + planned - embedded,
        "ranking by sums of products": plain - planned,
        "embedding the question": waited,
    }
    return {name: 1_000 * one for name, one in seconds.items()}


def _percentiles(numbers: list[float]) -> dict[str, float]:
    ordered = sorted(numbers)
    return {"p50": round(median(ordered), 3), "p95": round(ordered[int(0.95 * (len(ordered) - 1))], 3)}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--entities", type=int, default=10_000)
    given = parser.parse_args()
    found = asyncio.run(measured(given.entities))
    if given.json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
        return
    print(f"{found['questions']} questions, {found['entities']:,} entities; milliseconds a question")
    for name, share in found["milliseconds"].items():
        print(f"{name:30} p50 {share['p50']:8.3f}   p95 {share['p95']:8.3f}")


if __name__ == "__main__":
    main()
