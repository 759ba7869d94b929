"""What the service bears, what recording costs a question, and what a second replica adds.

python -m benchmarks.load [--questions 2000] [--threads 300] [--channels 60] [--latency 2.0] [--concurrency 32]
                          [--database sqlite|postgresql|both] [--replicas 1|2] [--only load|cost|replicas]
                          [--folder PATH] [--json]

load      Replicas in processes of their own serve 300 people of a Slack on this machine, whose questions come faster
          than the model can answer them.
cost      One question at a time on an idle process, through the service and, in turn, through the same pipeline with
          everything in memory; 200 of each, or as many as --questions.
replicas  One replica, then two, over PostgreSQL with a model that is no limit; 600 questions each, or as many as
          --questions, where each thread asks its next one when it has its answer, in a channel of its own.

Everything runs on this machine: read the times beside what the harness and the database used of the cores.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.cost import QUESTIONS, costs
from benchmarks.figures import Figures, median_ms, told
from benchmarks.fleet import Load, played
from benchmarks.outcome import figures_of
from tests.faults.databases import DatabaseName
from tests.platforms.slack import Patience
from tests.postgres import Postgres, running

# Questions come over so much of the time that the model needs for them at least: for a plan and an answer each.
_CROWDING, _CALLS = 0.9, 2
_REPLICAS_QUESTIONS, _REPLICAS_LATENCY = 600, 0.01
_THREADS_FOR_EACH = 4
_SYNCS = 50
# What the server of the tests leaves out to be quick; here it keeps its promises.
_PROMISES = ("fsync", "synchronous_commit", "full_page_writes", "checkpoint_timeout")


@dataclass(frozen=True)
class Bench:
    """Where it is measured: a folder, and a server where one is needed."""

    folder: Path
    server: Postgres | None


def main() -> None:
    """Measure, and print the figures."""
    figures = asyncio.run(measure(_options(sys.argv[1:])))
    print(json.dumps(figures) if figures.pop("json") else "\n".join(told(figures)))


async def measure(options: argparse.Namespace) -> Figures:
    """Return the figures of all that was asked for."""
    figures: Figures = {"json": options.json}
    wanted = [options.only] if options.only else ["load", "cost", "replicas"]
    with _bench(options, wanted) as bench:
        figures["one write made sure of on this disk, ms"] = _sync_ms(bench.folder)
        for name in wanted:
            figures[name] = await _PARTS[name](options, bench)
    return figures


async def _load(options: argparse.Namespace, bench: Bench) -> Figures:
    figures: Figures = {}
    for database in _databases(options):
        load = Load(
            questions=options.questions,
            threads=options.threads,
            channels=options.channels,
            latency=options.latency,
            concurrency=options.concurrency,
            database=database,
            replicas=options.replicas,
        )
        figures[database] = await _run(load, bench, spread=_CROWDING * options.questions / load.allowed(_CALLS))
    return figures


async def _cost(options: argparse.Namespace, bench: Bench) -> Figures:
    figures: Figures = {}
    questions = min(options.questions, QUESTIONS)
    for database in _databases(options):
        _say(f"cost of {questions} questions over {database}")
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=bench.folder)))
            url = stack.enter_context(bench.server.database()) if bench.server and database != "sqlite" else None
            written = url.render_as_string(hide_password=False) if url else None
            figures[f"{database}, ms"] = await costs(folder, written, questions)
    return figures


async def _replicas(options: argparse.Namespace, bench: Bench) -> Figures:
    figures: Figures = {}
    rates = []
    # In channels of their own, and so many that not even a message a second in each of them holds the replicas up.
    threads = min(options.threads, _THREADS_FOR_EACH * options.concurrency)
    for replicas in (1, 2):
        load = Load(
            questions=min(options.questions, _REPLICAS_QUESTIONS),
            threads=threads,
            channels=max(options.channels, threads),
            latency=_REPLICAS_LATENCY,
            concurrency=options.concurrency,
            database="postgresql",
            replicas=replicas,
            patience=Patience(ack_timeout=30.0),
        )
        found = await _run(load, bench)
        rates.append(found["throughput"]["questions a second"])
        figures["one replica" if replicas == 1 else "two replicas"] = found
    return {"two replicas, times one": rates[1] / rates[0] if rates[0] else 0.0, **_limits(figures, rates), **figures}


def _limits(figures: Figures, rates: Sequence[float]) -> Figures:
    """Return how near the cores were to their limit, which says what a second replica could have added."""
    one, two = figures["one replica"]["CPU"], figures["two replicas"]["CPU"]
    most = "questions a second that the cores allow"
    return {
        "times one that the cores allow": one[most] / rates[0] if rates[0] else 0.0,
        "cores in use with one, of all": one["cores in use, all together"] / one["cores"],
        "cores in use with two, of all": two["cores in use, all together"] / two["cores"],
    }


async def _run(load: Load, bench: Bench, spread: float | None = None) -> Figures:
    load = replace(load, spread=spread)
    _say(f"{load.questions} questions over {load.database} with {load.replicas} replica(s)")
    async with played(load, bench.folder, bench.server) as run:
        found = figures_of(run)
    _say("\n".join(told(found)))
    return found


_PARTS = {"load": _load, "cost": _cost, "replicas": _replicas}


@contextmanager
def _bench(options: argparse.Namespace, wanted: Sequence[str]) -> Iterator[Bench]:
    needs_server = "postgresql" in _databases(options) or "replicas" in wanted
    with ExitStack() as stack:
        if options.folder:
            Path(options.folder).mkdir(parents=True, exist_ok=True)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.folder)))
        server = stack.enter_context(running()) if needs_server else None
        if server:
            for setting in _PROMISES:
                server.connection.execute(f"ALTER SYSTEM RESET {setting}")
            server.connection.execute("SELECT pg_reload_conf()")
        yield Bench(folder, server)


def _sync_ms(folder: Path) -> float:
    """Return the median time of a small write that is on the disk when it returns."""
    seconds = []
    with (folder / "sync").open("wb", buffering=0) as file:
        for _ in range(_SYNCS):
            begin = time.perf_counter()
            file.write(bytes(4096))
            os.fsync(file.fileno())
            seconds.append(time.perf_counter() - begin)
    return median_ms(seconds)


def _databases(options: argparse.Namespace) -> tuple[DatabaseName, ...]:
    return ("sqlite", "postgresql") if options.database == "both" else (options.database,)


def _options(given: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=300)
    parser.add_argument("--channels", type=int, default=60)
    parser.add_argument("--latency", type=float, default=2.0, help="seconds that one model call takes")
    parser.add_argument("--concurrency", type=int, default=32, help="answers at a time in each replica")
    parser.add_argument("--database", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--replicas", type=int, choices=[1, 2], default=1, help="under load")
    parser.add_argument("--only", choices=list(_PARTS))
    parser.add_argument("--folder", help="where the data lies")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(given)
    if options.replicas == 2 and options.database != "postgresql" and options.only in (None, "load"):
        parser.error("SQLite belongs to one replica: say --database postgresql")
    return options


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
