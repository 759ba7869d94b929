"""How good the quoting mode is on a suite: right answers, complete lists, right refusals.

python -m benchmarks.quoting examples/handbook tests/suites/handbook.jsonl [--misses] [--json]
"""

import argparse
import asyncio
import json
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from bot.answering import Bot
from bot.commands import console_question
from bot.indexing import index_folder
from bot.settings import Settings
from bot.wiring import make_model, opened
from core.text import normalise
from core.turn import TurnRecord


def main() -> None:
    """Print the table of one suite."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("suite", type=Path)
    parser.add_argument("--misses", action="store_true", help="print every question that went wrong")
    parser.add_argument("--json", action="store_true")
    asyncio.run(measure(parser.parse_args()))


async def measure(options: argparse.Namespace) -> None:
    """Ask every question of the suite and count."""
    cases = [json.loads(line) for line in options.suite.read_text(encoding="utf-8").splitlines() if line.strip()]
    with tempfile.TemporaryDirectory() as data:
        settings = Settings(FOOTNOTE_DATA_DIR=Path(data))  # type: ignore[call-arg]
        async with opened(settings) as stores:
            await index_folder(options.folder, stores.catalog, stores.index, stores.embedder, lambda *_: None)
            bot = Bot(stores, make_model(settings), settings)
            results = [(case, await asked(bot, case)) for case in cases]
    report(results, misses=options.misses, as_json=options.json)


async def asked(bot: Bot, case: dict[str, Any]) -> TurnRecord:
    """Return the record of the case's question, asked after the question that it follows."""
    thread = f"console:{case['id']}"
    if case.get("after"):
        await bot.explain(console_question(case["after"], thread, frozenset()))
    record = await bot.explain(console_question(case["question"], thread, frozenset()))
    assert isinstance(record, TurnRecord)
    return record


def report(results: list[tuple[dict[str, Any], TurnRecord]], *, misses: bool, as_json: bool) -> None:
    """Print the share of right outcomes by kind of question."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    seconds = sorted(record.seconds for _, record in results)
    for case, record in results:
        outcome = judged(case, record)
        counts[case["kind"]][outcome] += 1
        if misses and outcome not in ("right", "refused"):
            print(f"{outcome:9} {case['id']} {case['question']}\n    " + _shown(record).replace("\n", "\n    ")[:600])
    table = {kind: dict(counter) | {"of": sum(counter.values())} for kind, counter in counts.items()}
    table["ms"] = {
        "p50": round(seconds[len(seconds) // 2] * 1e3),
        "p95": round(seconds[int(len(seconds) * 0.95)] * 1e3),
    }
    print(json.dumps(table) if as_json else "\n".join(f"{kind:13} {row}" for kind, row in table.items()))


def judged(case: dict[str, Any], record: TurnRecord) -> str:
    """Return right, partial, wrong or missed for an answerable question; refused or invented for the others."""
    if not case["answerable"]:
        return "refused" if record.answer.is_refusal else "invented"
    if record.answer.is_refusal:
        return "missed"
    wanted = [normalise(words) for words in (case["items"] or case["must_contain"])]
    shown = normalise(_shown(record))
    held = sum(words in shown for words in wanted)
    return (
        "right"
        if held == len(wanted) or (case["items"] and held >= min(10, len(wanted)))
        else "partial"
        if held
        else "wrong"
    )


def _shown(record: TurnRecord) -> str:
    return "\n".join(f"{claim.text} [{claim.citations[0].source.doc_id}]" for claim in record.answer.claims)


if __name__ == "__main__":
    main()
