"""`footnote evaluate`: how good what the bot does is, on data with known answers."""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bot.commands import progress_on
from bot.retrieval import Findings, evaluate
from bot.settings import read_settings
from core.beir import Collection, Lines, read_collection
from core.errors import ConfigError, IngestError
from core.measures import MEASURES

_MAX_SHOWN = 20
# How the engines are called in the table.
_ENGINES = {"meaning": "by meaning", "words": "by words", "fused": "both, fused"}


async def retrieval_command(corpus: Path, queries: Path, qrels: Path, *, as_json: bool) -> None:
    """Print how well the questions find their documents. Raises ConfigError when there is nothing to measure."""
    collection = collection_in(corpus, queries, qrels)
    with progress_on(Console(stderr=True)) as progress:
        findings = await evaluate(collection, read_settings(), progress)
    problems = (*collection.problems, *findings.problems)
    if as_json:
        print(json.dumps(_as_json(findings, problems), ensure_ascii=False, indent=2))
        return
    console = Console()
    console.print(*table_of(findings), sep="\n", highlight=False)
    console.print("\n".join(problem_lines(problems)), highlight=False, markup=False, soft_wrap=True, end="")


def collection_in(corpus: Path, queries: Path, qrels: Path) -> Collection:
    """Return what the files hold. Raises ConfigError when one cannot be read, or no question can be judged by them."""
    with ExitStack() as files:
        lines = []
        for option, path in (("--corpus", corpus), ("--queries", queries), ("--qrels", qrels)):
            if not path.is_file():
                raise ConfigError(f"{option}: there is no file {path}")
            try:
                lines.append(Lines(path.name, files.enter_context(path.open("rb"))))
            except OSError as error:
                raise ConfigError(f"{option}: {path} cannot be read ({error.strerror})") from None
        collection = read_collection(*lines)
    if not (collection.documents and collection.questions):
        raise ConfigError(_nothing(collection))
    return collection


def _nothing(collection: Collection) -> str:
    lacking = "question has a document that is relevant" if collection.documents else "document could be read"
    return "\n  ".join([f"nothing to measure: no {lacking}", *problem_lines(collection.problems)])


def table_of(findings: Findings) -> tuple[str | Table, ...]:
    """Return the findings for people, 80 columns wide at most."""
    counts = findings.counts
    of = f"{counts['questions']:,} questions on {counts['documents']:,} documents ({counts['chunks']:,} passages)"
    quality = Table(box=None, pad_edge=False)
    quality.add_column("found")
    for name in MEASURES:
        quality.add_column(name, justify="right")
    for engine, measures in findings.engines.items():
        quality.add_row(_ENGINES[engine], *(f"{measures[name]:.3f}" for name in MEASURES))
    spent = Table(box=None, pad_edge=False)
    for name in ("milliseconds a question", "p50", "p95"):
        spent.add_column(name, justify="left" if name.startswith("milli") else "right")
    for part, milliseconds in findings.milliseconds.items():
        spent.add_row(part, *(f"{milliseconds[name]:.1f}" for name in ("p50", "p95")))
    return of, "", quality, "", spent


def problem_lines(problems: Sequence[IngestError]) -> list[str]:
    """Return in words what could not be used; nothing when all could."""
    if not problems:
        return []
    lines = [
        "",
        f"Left out ({len(problems):,}), the rest was measured:",
        *(f"  {one}" for one in problems[:_MAX_SHOWN]),
    ]
    return [*lines, *([f"  …and {len(problems) - _MAX_SHOWN:,} more"] if len(problems) > _MAX_SHOWN else []), ""]


def _as_json(findings: Findings, problems: Sequence[IngestError]) -> dict[str, object]:
    return {
        "counts": findings.counts,
        "engines": findings.engines,
        "milliseconds": findings.milliseconds,
        "problems": {"count": len(problems), "first": [str(problem) for problem in problems[:_MAX_SHOWN]]},
    }
