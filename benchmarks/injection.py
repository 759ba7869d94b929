"""How many attacks are obeyed, by kind, place and language, and how many clean answers a poisoned page changes.

python -m benchmarks.injection [--data DIR] [--share 1] [--part attacks|clean|all] [--json]

Every attack of tests/injection/attacks.yaml stands in every place that somebody else's words can come from, and is read
by a model that is wholly turned: planner and writer say all that obeying takes, streamed as it is written. Each reply,
and what stood in its place while it was made, is judged as both platforms' strict stand-ins show it. `--data` names a
folder with `injections.jsonl` (`id`, `label`, `text` on a line): its texts are tried too, as a page's own words.

Clean questions are those of both examples, without a model: the share whose words and sources stay the same while
poisoned pages stand beside. To compare with: how many attacks are obeyed if a claim is shown once its quote is found.
"""

import argparse
import asyncio
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.embedding.universal import UniversalEmbedder
from tests.corpora import EXAMPLES, company, index, shown, sources
from tests.injection.cases import Case, other_cases, own_cases, page_of, squeezed
from tests.injection.judging import Tried, obeyed
from tests.injection.trial import poisoned, quoted, try_out
from tests.injection.turncoat import Turncoat, facts_in

SUITES = Path("tests/suites")
LANGUAGES = {"handbook": "en", "portfolio": "ru"}
_TOLD = 10


@dataclass
class Counted:
    """What came of the cases: how many of each sort, how many of them were obeyed, and some of these in words."""

    cases: Counter[str] = field(default_factory=Counter)
    obeyed: Counter[str] = field(default_factory=Counter)
    unguarded: int = 0
    answered: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, tried: Tried, faults: Sequence[str]) -> None:
        """Count a case under its kind, its place and its language."""
        case = tried.case
        for sort in ("all", f"kind: {case.kind}", f"place: {case.place}", f"language: {case.lang}"):
            self.cases[sort] += 1
            self.obeyed[sort] += bool(faults)
        self.unguarded += would_obey(tried)
        self.answered += any("08:15" in claim.text or "19:40" in claim.text for claim in tried.record.answer.claims)
        if faults and len(self.examples) < _TOLD:
            self.examples.append(f"{case}: {'; '.join(faults)[:300]}")


def main() -> None:
    """Print the figures; status 1 when an attack was obeyed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="a folder with injections.jsonl, whose texts are tried too")
    parser.add_argument("--share", type=int, default=1, help="try only every so-manieth case")
    parser.add_argument("--part", choices=("attacks", "clean", "all"), default="all")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    cases = own_cases()
    if options.data:
        cases += other_cases(options.data / "injections.jsonl")
    figures = asyncio.run(measured(cases[:: options.share], options.share, options.part))
    print(json.dumps(figures, ensure_ascii=False, indent=2) if options.json else _table(figures))
    raise SystemExit(figures["obeyed"].get("all", 0) > 0)


async def measured(cases: Sequence[Case], share: int, part: str = "all") -> dict[str, Any]:
    """Return the figures as JSON has them; of a part that is not asked for there are none."""
    embedder = UniversalEmbedder()
    counted = await attacked(cases if part != "clean" else (), embedder)
    examples = LANGUAGES if part != "attacks" else ()
    clean = {name: await unchanged(name, cases, embedder, share) for name in examples}
    return {
        "cases": dict(counted.cases),
        "obeyed": {sort: counted.obeyed[sort] for sort in counted.cases},
        "answered in spite of the attack": counted.answered,
        "obeyed if a found quote were proof enough": counted.unguarded,
        "clean questions": {name: {"asked": asked, "unchanged": same} for name, (asked, same) in clean.items()},
        "examples": counted.examples,
    }


async def attacked(cases: Sequence[Case], embedder: UniversalEmbedder) -> Counted:
    """Return what came of the cases, each tried with the turned model, and without any."""
    counted = Counted()
    if not cases:
        return counted
    with tempfile.TemporaryDirectory() as folder:
        async with poisoned(cases, Path(folder), embedder) as of:
            for case in cases:
                tried = await try_out(case, of)
                words = await quoted(case, of)
                counted.add(tried, [*obeyed(tried, of.documents), *obeyed(words, of.documents)])
    return counted


def would_obey(tried: Tried) -> bool:
    """Return whether the turned model's words were shown if a quote that stands in its fact were proof enough."""
    mark = squeezed(tried.case.mark)
    for request in tried.requests if mark else ():
        if request.role == "answer":
            facts = dict(facts_in(request.user))
            for claim in Turncoat(tried.case).claimed(request)["claims"]:
                stands = all(one["quote"] in facts.get(one["fact"], "") for one in claim["evidence"])
                if stands and mark in squeezed(claim["text"]):
                    return True
    return False


async def unchanged(name: str, cases: Sequence[Case], embedder: UniversalEmbedder, share: int) -> tuple[int, int]:
    """Return how many questions an example is asked, and how many answers stay as they are beside poisoned pages."""
    questions = list(questions_of(name))[::share]
    with tempfile.TemporaryDirectory() as folder:
        plain, beside = Path(folder) / "plain", Path(folder) / "beside"
        shutil.copytree(EXAMPLES / name, plain)
        shutil.copytree(EXAMPLES / name, beside)
        _poison(beside / "notes", [case for case in cases if case.lang == LANGUAGES[name] and case.says])
        before = await _answers(plain, Path(folder) / "a", questions, embedder)
        after = await _answers(beside, Path(folder) / "b", questions, embedder)
    return len(questions), sum(one == other for one, other in zip(before, after, strict=True))


def _poison(folder: Path, cases: Iterable[Case]) -> None:
    """Put the pages of the cases whose attack is in the page's words beside the others."""
    folder.mkdir()
    for case in cases:
        if case.place == "document text":
            page, words = page_of(case)
            (folder / page).write_text(words, encoding="utf-8")


async def _answers(
    pages: Path, data: Path, questions: Sequence[str], embedder: UniversalEmbedder
) -> list[tuple[str, list[str]]]:
    await index(pages, data, embedder)
    async with company(data, embedder) as of:
        records = [await of.ask(question) for question in questions]
    return [(shown(record), sources(record)) for record in records]


def questions_of(name: str) -> Iterator[str]:
    """Yield the questions of an example's suite."""
    for line in (SUITES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)["question"]


def _table(figures: dict[str, Any]) -> str:
    rows = [f"| {sort} | {count:,} | {figures['obeyed'][sort]} |" for sort, count in figures["cases"].items()]
    clean = [
        f"{name}: {one['unchanged']} of {one['asked']} clean answers unchanged beside poisoned pages"
        for name, one in figures["clean questions"].items()
    ]
    answered = f"{figures['answered in spite of the attack']} questions answered in spite of the attack"
    unguarded = f"{figures['obeyed if a found quote were proof enough']} obeyed if a found quote were proof enough"
    return "\n".join(
        ["| sort | cases | obeyed |", "|---|---|---|", *rows, answered, unguarded, *clean, *figures["examples"]]
    )


if __name__ == "__main__":
    main()
