"""One round: a few questions, one kind of trouble, and what is found wrong afterwards."""

import asyncio
import random
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.doubles.little import asks
from tests.faults.crew import Crew, Worker
from tests.faults.databases import DatabaseName, Databases, Folder, Server, left
from tests.faults.judge import Evidence, Findings, is_note, journal_of, judged, overtaken
from tests.faults.model import Model, model
from tests.faults.slack_town import slack_town
from tests.faults.telegram_town import telegram_town
from tests.faults.town import Asked, PlatformName, Town

# Of one kind, so many findings are told.
MOST_TOLD = 8
# Seconds after which what has not come will not come.
PATIENCE = 60.0
# The product's waits, shortened so that a round does not last longer than what it shows.
CONSTANTS: Mapping[str, Any] = {
    "bot.courier.SWEEP": 0.2,
    "bot.courier.SETTLE": 0.2,
    "bot.line.SWEEP": 0.2,
    "bot.line.CHECK_EVERY": 5,
    "bot.door._FIRST_PAUSE": 0.05,
    "bot.door._LONGEST_PAUSE": 0.3,
    "bot.jobs.MODEL_PAUSES": (0.05, 0.1),
    "bot.patience._LONGEST_PAUSE": 0.4,
    "bot.courier._FIRST_PAUSE": 0.1,
    "bot.courier._LONGEST_PAUSE": 1.0,
    "bot.replica.BEAT": 0.3,
    "bot.replica.DEAD_AFTER": 1.8,
    "bot.replica.CAREFUL_AFTER": 0.9,
    "bot.runtime.LEASE_EVERY": 0.3,
    "bot.runtime._FIRST_PAUSE": 0.2,
    "adapters.slack.send.SOON": 0.2,
    "adapters.slack.pace.POSTS_SECONDS": 0.01,
    "adapters.slack.pace.MARGIN": 0.0,
    "adapters.slack.pace.UPDATES": 1000,
    "adapters.slack.pace.WHISPERS": 1000,
    "adapters.slack.ways.PING_INTERVAL": 0.5,
    "adapters.telegram.send.RETRY_SECONDS": 0.2,
    "adapters.telegram.polling.FIRST_PAUSE": 0.1,
    "adapters.telegram.polling.LONGEST_PAUSE": 0.5,
    "adapters.telegram.polling.RIVAL_PAUSE": 0.3,
    "adapters.telegram.pace.PRIVATE": ((3, 0.01),),
    "adapters.telegram.pace.GROUP": ((20, 0.05), (3, 0.01)),
    "adapters.telegram.pace.EVERYWHERE": (1000, 1.0),
    "adapters.telegram.pace.MARGIN": 0.0,
}

# How an answer goes is told from the first moment on, and as often as it can be.
TELLING: Mapping[str, Any] = {"bot.signs.FIRST_AFTER": 0.0, "bot.signs.EVERY": 0.01, "adapters.slack.pace.SIGNS": 49}
# Here it is not told in every other round: what fails is to be the answer itself.
QUIET = ("limits", "refusals", "losses", "busy")


@dataclass(frozen=True)
class Case:
    """Which round; equal cases make equal plans."""

    kind: str
    database: DatabaseName
    platform: PlatformName
    replicas: int
    seed: int

    def __str__(self) -> str:
        return (
            f"--kind {self.kind} --database {self.database} --platform {self.platform} "
            f"--replicas {self.replicas} --seed {self.seed}"
        )


@dataclass
class Result:
    """What a round showed."""

    case: Case
    questions: int = 0
    deaths: int = 0
    doubtful: int = 0
    overtaken: int = 0
    seconds: float = 0.0
    findings: Findings = field(default_factory=dict)
    plan: list[str] = field(default_factory=list)
    passed: dict[str, int] = field(default_factory=dict)
    logs: list[str] = field(default_factory=list)

    def told(self) -> str:
        """Return the case, its plan and what was found, for a person to make it happen again."""
        found = [f"  {kind}: {words}" for kind, said in self.findings.items() for words in said[:MOST_TOLD]]
        return "\n".join([str(self.case), *(f"  plan: {step}" for step in self.plan), *found])


@dataclass
class Scene:
    """A round under way."""

    case: Case
    crew: Crew
    place: Folder | Server
    town: Town
    model: Model
    folder: Path
    chance: random.Random
    plan: list[str] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    workers: list[Worker] = field(default_factory=list)
    deaths: int = 0
    # For each worker to come, where it dies.
    fates: list[list[dict[str, Any]]] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)
    order: dict[str, Any] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)
    is_ending: bool = False
    # Questions in each thread.
    each: int = 3
    patience: float = PATIENCE
    # Workers that were asked to stop, and those that were let stand still.
    leaving: set[int] = field(default_factory=set)
    frozen: set[int] = field(default_factory=set)
    thawed: set[int] = field(default_factory=set)
    findings: list[str] = field(default_factory=list)
    # How often each boundary is passed in a round without trouble.
    passed: Mapping[str, int] = field(default_factory=dict)
    _started: int = 0
    _keeping: set["asyncio.Task[None]"] = field(default_factory=set)

    @property
    def is_told(self) -> bool:
        """Whether it is told how the answers go."""
        return self.case.kind not in QUIET or self.case.seed % 2 == 0

    @property
    def journal(self) -> Path:
        return self.folder / "journal"

    async def start(self) -> Worker:
        """Start a worker over the data of the round; when it dies, another one takes its place."""
        self._started += 1
        order = {
            "env": {
                **self.place.env,
                **self.town.env,
                "MAX_WAITING_PER_PERSON": "100",
                "MAX_HOURLY_PER_PERSON": "0",
                "MAX_HOURLY_PER_CHANNEL": "0",
                **self.env,
            },
            "folder": str(self.folder),
            "journal": str(self.journal),
            "status": str(self.folder / f"status-{self._started}"),
            "log": str(self.folder / f"log-{self._started}"),
            "model": self.model.address,
            "constants": {**CONSTANTS, **(TELLING if self.is_told else {}), **self.constants},
            "deaths": self.fates.pop(0) if self.fates else [],
            **self.order,
        }
        worker = await self.crew.start(order)
        self.workers.append(worker)
        keeping = asyncio.create_task(self._keep(worker))
        self._keeping.add(keeping)
        return worker

    async def _keep(self, worker: Worker) -> None:
        status = await asyncio.shield(worker.ended)
        if status == -9:
            self.deaths += 1
        elif not self.is_ending and (status or worker.pid not in self.leaving):
            self.findings.append(f"a worker ended by itself with status {status}")
        if not self.is_ending:
            self.town.died(alone=self.case.replicas == 1)
            if self.case.replicas == 1 and status in (0, -9):
                await self.start()

    async def serving(self, count: int) -> None:
        """Wait until so many workers in all have begun to serve; one of two that died before never will."""
        async with asyncio.timeout(PATIENCE):
            while not self.findings and len(self._begun()) < count:
                await asyncio.sleep(0.02)

    def _begun(self) -> set[int]:
        gone = {worker.pid for worker in self.workers if not worker.is_running} if self.case.replicas > 1 else set()
        return gone | {line["pid"] for line in journal_of(self.journal) if line["kind"] in ("serving", "froze")}

    async def ask(self, thread: str, place: str = "C1") -> Asked:
        """Let somebody ask for a key that nobody has asked for."""
        number = len(self.asked) + 1
        asked = Asked(number, thread, place, self.chance.random() < 0.5, f"K{number}", keys=[f"K{number}"])
        asked.follows = [one.number for one in self.asked if one.thread == thread and self.town.is_taken(one)]
        self.asked.append(asked)
        await self.town.ask(asked, asks(f"K{number}", russian=asked.russian))
        return asked

    async def ask_all(self, *, threads: int = 2, pause: float = 0.03) -> None:
        """Let people ask in some threads at once, and one in another channel."""
        names = [f"t{number}" for number in range(threads) for _ in range(self.each)]
        self.chance.shuffle(names)
        for name in names:
            await self.ask(name)
            await asyncio.sleep(self.chance.random() * pause)
        await self.ask("other", "C2")

    async def ask_again(self, original: Asked) -> None:
        """Let the device of whoever asked send the message a second time: another message, with the same mark."""
        copy = Asked(original.number, original.thread, original.place, original.russian, original.wanted)
        copy.copy_of = original
        self.asked.append(copy)
        await self.town.ask(copy, asks(str(original.wanted), russian=original.russian))

    async def edit(self, asked: Asked) -> None:
        """Let somebody reword a question, so that it asks for another key."""
        key = f"K{asked.number}E{len(asked.keys)}"
        asked.wanted, asked.edited = key, True
        asked.keys.append(key)
        await self.town.edit(asked, asks(key, russian=asked.russian))

    async def stop(self, asked: Asked) -> bool:
        """Let its asker press Stop; False where there is no button now."""
        pressed = await self.town.stop(asked)
        asked.stopped = asked.stopped or pressed
        return pressed

    async def delete(self, asked: Asked) -> None:
        asked.wanted = None
        await self.town.delete(asked)

    async def quiet(self) -> None:
        """Return once all that people did has been taken and nothing is left to do."""
        heard = 0
        end = time.monotonic() + self.patience
        while time.monotonic() < end and not self.findings:
            if not self.town.is_heard():
                heard = 0
            elif not heard:
                heard = time.monotonic_ns()
            for worker in self.workers:
                at, number = worker.to_do()
                if worker.is_running and heard and at > heard and number == 0:
                    return
            await asyncio.sleep(0.02)
        looks = [(worker.to_do(), worker.is_running) for worker in self.workers]
        ago = [(round((time.monotonic_ns() - at) / 1e9, 1), number, running) for (at, number), running in looks]
        self.findings.append(f"not done; looked, seconds ago, to do, running: {ago}; heard: {bool(heard)}")
        self.findings += await asyncio.to_thread(left, self.place)

    def thaw(self) -> bool:
        """Let whoever stood still at a call go on; False when nobody did."""
        self.thawed |= self._stood_still()
        for worker in self.workers:
            if worker.pid in self.thawed:
                worker.thaw()
        return bool(self.thawed)

    def _stood_still(self) -> set[int]:
        return {line["pid"] for line in journal_of(self.journal) if line["kind"] == "froze"}

    async def end(self) -> None:
        """Stop whoever still works."""
        self.is_ending = True
        still = (self.frozen | self._stood_still()) - self.thawed
        frozen = [worker for worker in self.workers if worker.pid in still]
        if self.findings:
            # Whoever waits for them would not stop in time.
            await asyncio.gather(*(worker.kill() for worker in frozen))
        for worker in self.workers:
            if worker not in frozen and worker.is_running and (status := await worker.stop()) not in (0, -9):
                self.findings.append(f"a worker that was stopped ended with status {status}")
        await asyncio.gather(*(worker.kill() for worker in frozen))
        await asyncio.gather(*self._keeping)

    def notes(self) -> list[Any]:
        return [sight for sight in self.town.sights.now() if is_note(sight)]


Kind = Callable[[Scene], Awaitable[None]]


async def play(
    case: Case, kind: Kind, crew: Crew, databases: Databases, passed: Mapping[str, int], *, each: int = 3, **order: Any
) -> Result:
    """Return what the round showed, with so many questions in each thread."""
    result, begun = Result(case), time.monotonic()
    async with AsyncExitStack() as stack:
        place = await stack.enter_async_context(databases.place(case.database))
        town: Town = await stack.enter_async_context(
            slack_town(case.replicas) if case.platform == "slack" else telegram_town()
        )
        player = await stack.enter_async_context(model())
        folder = place.folder
        chance = random.Random(str(case))  # noqa: S311 - a plan, not a secret
        scene = Scene(case, crew, place, town, player, folder, chance, order=order, passed=passed, each=each)
        player.pause = scene.chance.choice((0.0, 0.02, 0.06))
        try:
            await kind(scene)
            await scene.quiet()
            result.doubtful = await _pressed(scene)
        except Exception:  # noqa: BLE001 - it is told with the case
            scene.findings.append(traceback.format_exc())
        finally:
            await scene.end()
        _judge(scene, result)
        if case.kind == "template":
            databases.keep(case.database, place)
    result.seconds = time.monotonic() - begun
    return result


async def _pressed(scene: Scene) -> int:
    """Press every note's button; return how many there were."""
    notes = scene.notes()
    for note in notes:
        await scene.town.press(note)
    if notes:
        await scene.quiet()
    return len(notes)


def _judge(scene: Scene, result: Result) -> None:
    journal = journal_of(scene.journal)
    result.logs = [path.read_text(errors="replace") for path in sorted(scene.folder.glob("log-*"))]
    evidence = Evidence(
        asked=scene.asked,
        sights=scene.town.sights,
        calls=scene.model.calls,
        journal=journal,
        logs=result.logs,
        complaints=scene.town.complaints(),
        pressed=result.doubtful > 0,
        tells_of_deletions=scene.town.tells_of_deletions,
        drafts=scene.town.drafts,
        thawed=scene.thawed,
    )
    result.findings, result.overtaken = judged(evidence), overtaken(evidence)
    if scene.findings:
        result.findings["harness"] = scene.findings
    if result.doubtful and scene.town.name == "slack":
        result.findings["doubtful"] = ["Slack lets us look"]
    result.questions, result.deaths, result.plan = len(scene.asked), scene.deaths, scene.plan
    died = [f"died {line['when']} call {line['nth']} of {line['at']}" for line in journal if line["kind"] == "died"]
    result.plan += died
    result.plan += [f"froze inside call {line['nth']} of {line['at']}" for line in journal if line["kind"] == "froze"]
    if unheard := sum(line["kind"] == "unheard" for line in journal):
        result.plan.append(f"{unheard} commits were done and not heard of")
    for line in journal:
        if line["kind"] == "stopped":
            result.passed = line["passed"]
