"""What a new generation costs those who ask meanwhile, and how soon a saved file is found, with everything real.

python -m benchmarks.switching [--documents 10000] [--queries 10000] [--saves 10] [--data FOLDER] [--json]
"""

import argparse
import asyncio
import contextlib
import json
import random
import re
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count, takewhile
from pathlib import Path
from typing import Any

from benchmarks.figures import Figures, percentile, told
from bot.answering import Bot
from bot.indexing import Indexer, collection_of
from bot.refreshing import Refresher
from bot.settings import Settings
from bot.watching import watched
from bot.wiring import Stores, make_model, opened, outbox_and_replicas
from core.conversation import Audience, Question, Thread
from core.delivery import Part
from core.pipeline import answer_question
from core.turn import TurnRecord

# Documents that tell the same mark, in both languages, and how it is asked for.
BEACONS = 6
ASKED = ("What is the beacon mark of the harbour?", "Какова отметка маяка в гавани?")
_MARK = re.compile(r"(?:mark of the harbour is|отметка маяка в гавани:) m(\d+)", re.IGNORECASE)
_ENGLISH = (
    "gateway report travel budget invoice customer warehouse schedule manager contract delivery meeting training "
    "security holiday printer project release server backup office garden kitchen payment review quality"
).split()
_RUSSIAN = (
    "отчёт склад договор заказчик проект отпуск сервер поставка оплата встреча график бюджет команда выпуск кухня "
    "сад офис печать качество проверка обучение доставка счёт шлюз отдел план"
).split()
# Questions asked at the same time.
_AT_ONCE = 4
# Generations that questions meet at least, however few they are.
_LEAST = 2
# Seconds between the end of one index run and the next.
_BETWEEN = 1.0
_PATIENCE = 60.0


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--saves", type=int, default=10)
    parser.add_argument("--data", type=Path, help="where to keep the documents and their index, for the next time")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with contextlib.nullcontext(options.data) if options.data else tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(measured(Path(folder), options.documents, options.queries, options.saves))
    print(json.dumps(figures) if options.json else "\n".join(told(figures)))


async def measured(folder: Path, documents: int, queries: int, saves: int) -> Figures:
    """Return the figures over a corpus in the folder, made when it is not there yet."""
    library = Library(folder / "pages")
    library.make(documents)
    async with scene_in(folder / "data", library) as scene:
        figures: Figures = {"documents": documents, "first": await scene.begun()}
        following = asyncio.create_task(scene.bot.follow())
        try:
            if queries:
                figures["queries"] = await asked_meanwhile(scene, queries)
            if saves:
                figures["saves"] = await saved(scene, saves)
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
    return figures


@dataclass
class Library:
    """A folder of pages, some of which tell a mark; all of these are written before an index run begins."""

    folder: Path
    mark: int = 0

    def make(self, documents: int) -> None:
        """Write the pages that are not there yet."""
        chance = random.Random(documents)  # noqa: S311 - the same pages every time
        for n in range(documents):
            path = self.folder / f"{n // 500:03}" / f"page-{n:05}.md"
            text = "\n".join(_page(n, chance))
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8")
        self.tell()

    def tell(self) -> int:
        """Write the next mark into every page that tells it, as different editors do, and return it."""
        self.mark += 1
        for n in range(BEACONS):
            self.save(n, self.mark)
        return self.mark

    def save(self, n: int, mark: int) -> None:
        """Write one page that tells a mark: half of them in place, half as a new file that takes the old one's name."""
        path = self.folder / f"beacon-{n}.md"
        said = f"The beacon mark of the harbour is m{mark}." if n % 2 else f"Отметка маяка в гавани: m{mark}."
        text = f"# Beacon {n}\n\n{said}\n\nKept by watch {n}.\n"
        if n < BEACONS / 2 or not path.exists():
            path.write_text(text, "utf-8")
        else:
            other = path.with_name(f".{path.name}.tmp")
            other.write_text(text, "utf-8")
            other.replace(path)


def _page(n: int, chance: random.Random) -> Iterator[str]:
    words = _RUSSIAN if n % 2 else _ENGLISH
    yield f"# {chance.choice(words).capitalize()} {n}\n"
    for heading in range(2):
        yield f"## {chance.choice(words).capitalize()} {heading}\n"
        for _ in range(3):
            yield f"{' '.join(chance.choices(words, k=12)).capitalize()} {chance.randrange(10_000)}.\n"


@dataclass
class Scene:
    """A bot over the library, with its stores."""

    library: Library
    stores: Stores
    bot: Bot
    settings: Settings
    published: dict[int, float] = field(default_factory=dict)

    async def index(self) -> float:
        """Run the index, and return the seconds that it took."""
        begun = time.perf_counter()
        stores = self.stores
        indexer = Indexer(stores.catalog, stores.index, stores.embedder, lambda *_: None, alone=True)
        await indexer.run(collection_of(self.library.folder))
        return time.perf_counter() - begun

    async def begun(self) -> Figures:
        """Index everything, load it, and return what that took."""
        taken = await self.index()
        async with stalls() as longest:
            begun = time.perf_counter()
            live = await self.bot.take_up()
            loaded = time.perf_counter() - begun
            assert live
            assert live.loaded
            await live.loaded.warm()
            warm = time.perf_counter() - begun
        return {
            "index s": taken, "load s": loaded, "load and warm s": warm,
            "longest stall of the loop ms": longest() * 1e3,
        }  # fmt: skip

    async def ask(self, n: int) -> tuple[set[int], float]:
        """Return the marks that a question's facts and answer tell, and how long it took."""
        begun = time.perf_counter()
        live = await self.bot.live()
        assert live
        text = ASKED[n % len(ASKED)]
        question = Question(f"console:{n}", "console", f"console:{n}", text, "U1", Audience("local"), datetime.now(UTC))
        record = await answer_question(question, replace(live.ports, threads=Nobody()))
        assert isinstance(record, TurnRecord)
        facts = " ".join(str(fact.text) for fact in record.payload.facts)
        return {int(mark) for mark in _MARK.findall(facts)}, time.perf_counter() - begun


class Nobody:
    """Threads in which nothing was said and nothing is kept."""

    async def open(self, question: Question) -> Thread:
        """Return an empty thread."""
        return Thread(question.thread)

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        """Keep nothing."""


@contextlib.asynccontextmanager
async def scene_in(data: Path, library: Library) -> AsyncIterator[Scene]:
    """Give a bot without models over the library."""
    settings = Settings(FOOTNOTE_DATA_DIR=data, planner_model=(), answer_model=())  # type: ignore[call-arg]
    async with opened(settings) as stores:
        await stores.embedder.prepare()
        yield Scene(library, stores, Bot(stores, make_model(settings), settings), settings)


@contextlib.asynccontextmanager
async def stalls() -> AsyncIterator[Any]:
    """Give a function that returns for how long the event loop was held up at most, in seconds."""
    late = [0.0]

    async def look() -> None:
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(0.002)
            late.append(time.perf_counter() - begun - 0.002)

    looking = asyncio.create_task(look())
    try:
        yield lambda: max(late)
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


@dataclass
class Asked:
    """What became of the questions. `found`: when each mark was first told."""

    quiet: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    mixtures: int = 0
    unanswered: int = 0
    back: int = 0
    failures: list[str] = field(default_factory=list)
    found: dict[int, float] = field(default_factory=dict)


async def asked_meanwhile(scene: Scene, queries: int) -> Figures:
    """Return what questions met that were asked all the time, while marks changed in one generation after another."""
    asked, runs = Asked(), Runs()
    numbers = takewhile(lambda n: n < queries or len(runs.published) < _LEAST, count())
    async with stalls() as longest:
        changing = asyncio.create_task(_change(scene, runs))
        await asyncio.gather(*(_ask(scene, numbers, asked, runs) for _ in range(_AT_ONCE)))
        changing.cancel()
        await asyncio.gather(changing, return_exceptions=True)
    late = [asked.found[mark] - at for mark, at in runs.published.items() if mark in asked.found]
    return {
        "asked": len(asked.quiet) + len(asked.busy), "generations": len(runs.published),
        "mixtures": asked.mixtures, "without a mark": asked.unanswered, "an older mark after a newer": asked.back,
        "failures": len(asked.failures), "why": sorted(set(asked.failures))[:3],
        "between index runs": _latency(asked.quiet), "during an index run or switch": _latency(asked.busy),
        "index run s p50": percentile(runs.taken, 0.5),
        "publish to first answer ms": {"p50": percentile(late, 0.5) * 1e3, "max": max(late, default=0.0) * 1e3},
        "longest stall of the loop ms": longest() * 1e3,
    }  # fmt: skip


@dataclass
class Runs:
    """Index runs. `busy`: one is under way, or what it published is not taken up yet."""

    busy: bool = False
    published: dict[int, float] = field(default_factory=dict)
    taken: list[float] = field(default_factory=list)


async def _change(scene: Scene, runs: Runs) -> None:
    while True:
        await asyncio.sleep(_BETWEEN)
        runs.busy = True
        mark = scene.library.tell()
        runs.taken.append(await scene.index())
        runs.published[mark] = time.perf_counter()
        await scene.bot.take_up()
        runs.busy = False


async def _ask(scene: Scene, numbers: Iterator[int], asked: Asked, runs: Runs) -> None:
    newest = 0
    for n in numbers:
        was_busy = runs.busy
        try:
            marks, taken = await scene.ask(n)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is counted
            asked.failures.append(f"{type(error).__name__}: {error}")
            continue
        (asked.busy if was_busy or runs.busy else asked.quiet).append(taken)
        asked.mixtures += len(marks) > 1
        asked.unanswered += not marks
        asked.back += bool(marks) and max(marks) < newest
        newest = max(marks, default=newest)
        asked.found.setdefault(newest, time.perf_counter())


def _latency(seconds: list[float]) -> Figures:
    return {
        "questions": len(seconds), "p50 ms": percentile(seconds, 0.5) * 1e3, "p95 ms": percentile(seconds, 0.95) * 1e3,
        "max ms": max(seconds, default=0.0) * 1e3,
    }  # fmt: skip


async def saved(scene: Scene, saves: int) -> Figures:
    """Return how long after a page was saved in a watched folder a question finds what it says, and what took it."""
    _, replicas = outbox_and_replicas(scene.stores.database, "benchmark")
    steps: dict[str, float] = {}

    class Timed(Refresher):
        async def run(self) -> bool:
            steps.setdefault("told", time.perf_counter())
            done = await super().run()
            steps["run"] = time.perf_counter()
            return done

    async def take_up() -> object:
        steps["published"] = time.perf_counter()
        taken = await scene.bot.take_up()
        steps["taken up"] = time.perf_counter()
        return taken

    watching = asyncio.create_task(watched(Timed(scene.stores, scene.settings, replicas, take_up)))
    took: dict[str, list[float]] = {}
    try:
        await asyncio.sleep(3)
        for n in range(saves):
            for name, seconds in (await _one_save(scene, n, steps)).items():
                took.setdefault(name, []).append(seconds)
            await asyncio.sleep(1)
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    return {
        name: {"p50 ms": percentile(each, 0.5) * 1e3, "max ms": max(each) * 1e3} for name, each in took.items()
    }  # fmt: skip


async def _one_save(scene: Scene, n: int, steps: dict[str, float]) -> dict[str, float]:
    scene.library.mark += 1
    mark, found = scene.library.mark, set[int]()
    steps.clear()
    begun = time.perf_counter()
    for page in range(BEACONS) if n % 4 == 3 else (n % BEACONS,):
        scene.library.save(page, mark)
    while mark not in found and time.perf_counter() - begun < _PATIENCE:
        found, _ = await scene.ask(n + 1)  # in the language of the page
        await asyncio.sleep(0.005)
    end = time.perf_counter()
    if "taken up" not in steps or mark not in found:
        return {"not found": end - begun}
    return {
        "save to told": steps["told"] - begun,
        "told to published": steps["published"] - steps["told"],
        "published to taken up": steps["taken up"] - steps["published"],
        "save to found": end - begun,
    }


if __name__ == "__main__":
    main()
