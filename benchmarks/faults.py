"""Whether each question is answered once and in order, whatever dies: many rounds of every kind of trouble.

python -m benchmarks.faults --rounds 100 [--kind moment] [--database sqlite] [--platform slack] [--replicas 2]
                            [--seed 0] [--at-once 2] [--json]

A round asks seven questions (busy: 22) of the real service in processes of its own, between a Slack or a Telegram on
this machine and a model that counts its calls, lets one thing go wrong, and judges by what could be seen in the chats.
Without a choice every kind is played on each database and platform, with one replica and, where a worker dies, over
PostgreSQL with two. Round N of a case has seed N: `--seed N --rounds 1` plays it again, `--seed N` goes on from there.
"""

import argparse
import asyncio
import json
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from tests.faults.kinds import KINDS
from tests.faults.rounds import Case, Result
from tests.faults.runner import Runner, runner
from tests.postgres import running

# Kinds in which one of two replicas may die and not come back.
FOR_TWO = (
    *(
        "plain",
        "boundary",
        "moment",
        "frozen",
        "thawed",
        "telling",
        "repeats",
        "reconnects",
        "lookups",
        "losses",
        "models",
        "database",
        "unheard",
        "outage",
    ),
    *("edits", "deletions"),
)
COLUMNS = ("rounds", "questions", "deaths", "unanswered", "answered twice", "out of order", "paid twice", "other")
COUNTED = (*COLUMNS, "doubtful", "overtaken")


@dataclass
class Row:
    """What all rounds of one case showed."""

    kind: str
    database: str
    platform: str
    replicas: int
    counts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def add(self, result: Result) -> None:
        """Count one round."""
        known = {name: len(result.findings.get(name, ())) for name in COLUMNS[3:7]}
        other = sum(len(said) for name, said in result.findings.items() if name not in known)
        told = {"rounds": 1, "questions": result.questions, "deaths": result.deaths, "other": other}
        self.counts.update(told | known | {"doubtful": result.doubtful, "overtaken": result.overtaken})
        self.seconds += result.seconds

    def as_json(self) -> dict[str, Any]:
        """Return the row with its columns by name."""
        place = {"kind": self.kind, "database": self.database, "platform": self.platform, "replicas": self.replicas}
        return place | {name: self.counts[name] for name in COUNTED} | {"seconds": round(self.seconds, 1)}


def main() -> None:
    """Play the rounds and print the table; the status is 1 when a rule was broken."""
    options = _options()
    try:
        rows = asyncio.run(_stoppable(options))
    except asyncio.CancelledError:
        sys.exit("stopped")
    if options.json:
        print(json.dumps([row.as_json() for row in rows]))
    else:
        _print(rows)
    sys.exit(any(row.counts[name] for row in rows for name in COLUMNS[3:]))


async def _stoppable(options: argparse.Namespace) -> list[Row]:
    """Play, and on SIGTERM let the workers and the database server go before the end."""
    playing = asyncio.ensure_future(played(options))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, playing.cancel)
    return await playing


async def played(options: argparse.Namespace) -> list[Row]:
    """Return a row for each case."""
    rows = [Row(*case) for case in _cases(options)]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.folder)))
        is_shared = any(row.database == "postgresql" for row in rows)
        server = stack.enter_context(running()) if is_shared else None
        async with runner(folder, server) as playing:
            for number, row in enumerate(rows, 1):
                await _play(playing, row, options)
                print(f"{number}/{len(rows)} {row.as_json()}", file=sys.stderr, flush=True)
    return rows


async def _play(playing: Runner, row: Row, options: argparse.Namespace) -> None:
    seeds = iter(range(options.seed, options.seed + options.rounds))
    await playing.prepare(_case(row, options.seed))
    begun = time.monotonic()

    async def lane() -> None:
        for seed in seeds:
            result = await playing.play(_case(row, seed))
            row.add(result)
            if result.findings:
                print(result.told(), file=sys.stderr, flush=True)

    await asyncio.gather(*(lane() for _ in range(options.at_once)))
    row.seconds = time.monotonic() - begun


def _case(row: Row, seed: int) -> Case:
    return Case(row.kind, row.database, row.platform, row.replicas, seed)  # type: ignore[arg-type]


def _cases(options: argparse.Namespace) -> Iterator[tuple[str, str, str, int]]:
    kinds = options.kind or list(KINDS)
    for kind, database, platform, replicas in product(kinds, options.database, options.platform, options.replicas):
        if replicas == 2 and (database == "sqlite" or kind not in FOR_TWO):
            continue
        if (database, kind) == ("postgresql", "disk") or (platform, kind) == ("telegram", "lookups"):
            continue
        if replicas == 1 and kind in ("frozen", "thawed"):
            continue
        yield kind, database, platform, replicas


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10, help="rounds of each case")
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="may be given more than once")
    both: dict[str, Any] = {"nargs": "+"}
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default=["sqlite", "postgresql"], **both)
    parser.add_argument("--platform", choices=["slack", "telegram"], default=["slack", "telegram"], **both)
    parser.add_argument("--replicas", type=int, choices=[1, 2], default=[1, 2], **both)
    parser.add_argument("--seed", type=int, default=0, help="of the first round")
    parser.add_argument("--at-once", type=int, default=2, help="rounds that are played at the same time")
    parser.add_argument("--folder", help="where the data of the rounds lies; in memory is fastest")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def _print(rows: Sequence[Row]) -> None:
    names = list(rows[0].as_json())
    lines = [names, *([str(value) for value in row.as_json().values()] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(names))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


if __name__ == "__main__":
    main()
