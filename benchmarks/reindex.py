"""An index run over two processes: how much faster, and what a kill half-way costs.

`python -m benchmarks.reindex [--documents 200] [--rounds 3] [--json]`. The documents are the example handbook, repeated
under other titles; PostgreSQL and a store that speaks S3 run on loopback. With an embedder of fixed latency the cores
are not the limit, so that the ratio says what sharing itself costs; with the built-in one they are.
"""

import argparse
import asyncio
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.search.lance import LanceIndex
from adapters.storage.catalog import SqlCatalog
from adapters.storage.database import open_database
from benchmarks.figures import Figures, told
from tests.object_store import ObjectStore, storing
from tests.postgres import Postgres, running

_HANDBOOK = Path(__file__).parent.parent / "examples" / "handbook"
_PATIENCE = 300.0


@dataclass
class Place:
    """An empty database and an empty bucket, and what was paid for there."""

    url: str
    bucket: str
    work: Path
    variables: dict[str, str]
    documents: Path
    options: list[str]
    processes: list["subprocess.Popen[str]"] = field(default_factory=list)

    @property
    def journal(self) -> Path:
        """Where each text is noted that was embedded."""
        return self.work / "paid.txt"

    @property
    def paid(self) -> list[str]:
        """The texts that were embedded, by their digests."""
        return self.journal.read_text("ascii").split() if self.journal.exists() else []

    def start(self, role: str) -> "subprocess.Popen[str]":
        """Return a process of that role, which has begun once all that were started before it are ready, too."""
        data = self.work / f"{role}-{len(self.processes)}"
        env = {**os.environ, **self.variables, "DATABASE_URL": self.url, "FOOTNOTE_DATA_DIR": str(data)}
        command = (
            sys.executable,
            "-m",
            "benchmarks.reindex_copy",
            role,
            str(self.documents),
            str(self.journal),
            *self.options,
        )
        process = subprocess.Popen(  # noqa: S603
            command,
            env=env | {"INDEX_URL": self.bucket},
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(self.work / "errors.txt").open("a"),
        )
        self.processes.append(process)
        return process

    def begin(self) -> None:
        """Let all that were started begin together."""
        for process in self.processes:
            assert process.stdout is not None
            if process.stdout.readline().strip() != "ready":
                raise RuntimeError((self.work / "errors.txt").read_text())
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()

    def end(self) -> None:
        """End what still runs."""
        for process in self.processes:
            process.kill()
            process.communicate()

    async def rows(self) -> Any:
        """Return everything that the live generation holds, None while there is none."""
        database = open_database(self.url)
        try:
            live = await SqlCatalog(database).live()
            if live is None:
                return None
            index = LanceIndex(self.bucket, {"allow_http": "true"})
            chunks = sorted((row["id"], row["tokens"]) for row in await index.chunks(live.tables))
            table = await index._store.table(f"passages_g{live.tables.base}", live.tables.passages)  # noqa: SLF001
            found = (await table.query().to_arrow()).to_pylist()
            return chunks, sorted((row["chunk_id"], row["start"], row["key"], *row["vector"]) for row in found)
        finally:
            await database.close()


@dataclass(frozen=True)
class Servers:
    """The database server and the store that all runs use."""

    postgres: Postgres
    store: ObjectStore
    documents: Path
    work: Path

    @contextmanager
    def place(self, **options: object) -> Iterator[Place]:
        """Give a place for one run."""
        work = Path(tempfile.mkdtemp(dir=self.work))
        written = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        with self.postgres.database() as url:
            text = url.render_as_string(hide_password=False)
            place = Place(text, self.store.bucket(), work, self.store.variables, self.documents, written)
            try:
                yield place
            finally:
                place.end()
                shutil.rmtree(work)


def timed(servers: Servers, roles: tuple[str, ...], **options: object) -> tuple[float, list[str], Any]:
    """Return the seconds of a whole run, the texts that were embedded, by their digests, and the rows."""
    with servers.place(**options) as place:
        [first, *_] = [place.start(role) for role in roles]
        place.begin()
        began = time.perf_counter()
        if first.wait(_PATIENCE):
            raise RuntimeError((place.work / "errors.txt").read_text())
        seconds = time.perf_counter() - began
        return seconds, place.paid, asyncio.run(place.rows())


def killed(servers: Servers, victim: str, clean: Any, paid: list[str], share: float, **options: object) -> Figures:
    """Return what became of a run of which one process was killed when such a share of it was embedded.

    `paid`: what a clean run embeds.
    """
    with servers.place(**options) as place:
        processes = {role: place.start(role) for role in ("lead", "help")}
        place.begin()
        began = time.perf_counter()
        while len(place.paid) < share * len(paid):
            time.sleep(0.02)
        processes[victim].kill()
        at, before = time.perf_counter(), len(place.paid)
        rows = None
        while rows is None and time.perf_counter() - at < _PATIENCE:
            time.sleep(0.5)
            rows = asyncio.run(place.rows())
        again = (Counter(place.paid) - Counter(paid)).total()
        return {
            "as a clean run": rows == clean,
            "embedded at the kill": before,
            "embedded twice": again,
            "seconds before the kill": at - began,
            "seconds after it": time.perf_counter() - at,
        }


def repeated(folder: Path, count: int) -> None:
    """Write the handbook so often that there are so many documents, each with a title of its own."""
    pages = sorted(path for path in _HANDBOOK.rglob("*.md"))
    for n in range(count):
        page = pages[n % len(pages)]
        text = page.read_text("utf-8")
        # What a page calls itself stands in its front matter; else its first heading does.
        titled = re.sub(r"^(title: |# )", rf"\1Edition {n // len(pages)} of ", text, count=1, flags=re.MULTILINE)
        text = titled if titled != text else f"# Edition {n // len(pages)} of {page.stem}\n\n{text}"
        path = folder / f"{n // len(pages):03}" / page.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def measured(servers: Servers, rounds: int, seed: int, latency: float) -> Iterator[tuple[str, Figures]]:
    """Yield the figures, group by group: the whole may take minutes."""
    chance = random.Random(seed)  # noqa: S311 - when to kill
    alone, paid, clean = timed(servers, ("alone",), latency=latency)
    two, paid_two, both = timed(servers, ("lead", "help"), latency=latency)
    yield (
        "embedder of fixed latency",
        {
            "texts": len(paid),
            "seconds, one process": alone,
            "seconds, two processes": two,
            "two processes are faster by": alone / two,
            "the same rows": clean == both,
            "texts embedded by two": len(paid_two),
        },
    )
    for n in range(rounds):
        for victim in ("help", "lead"):
            share = chance.uniform(0.2, 0.8)
            yield f"{victim} killed, {n + 1}", killed(servers, victim, clean, paid, share, latency=latency)
    real, _, _ = timed(servers, ("alone",), encoder="built-in")
    real_two, _, _ = timed(servers, ("lead", "help"), encoder="built-in")
    yield (
        "built-in encoder",
        {
            "seconds, one process": real,
            "seconds, two processes": real_two,
            "two processes are faster by": real / real_two,
        },
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--latency", type=float, default=0.5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as work, running() as postgres, storing() as store:
        os.environ.update(store.variables)
        folder = Path(work) / "documents"
        repeated(folder, given.documents)
        servers, figures = Servers(postgres, store, folder, Path(work)), {}
        for name, group in measured(servers, given.rounds, given.seed, given.latency):
            figures[name] = group
            if not given.json:
                print("\n".join(told({name: group})), flush=True)
    if given.json:
        print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
