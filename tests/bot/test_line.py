"""Questions are handed out in turn, so many at a time, and none is forgotten, over a real database."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from adapters.storage.database import Database, open_database
from adapters.storage.inbox import SqlInbox
from adapters.storage.threads import SqlThreads
from bot import line as module
from bot.line import Line
from core.conversation import MessageRef, Question
from core.delivery import Part
from core.errors import StorageError
from core.phrases import phrase
from core.work import Place
from tests.bot.work import Company, made
from tests.doubles.stage import Stage

PATIENCE = 10.0


@dataclass
class Runs:
    """Satisfies `Runs`: each is a task, and the first starts fail as often as is said."""

    line: Line
    fails: int = 0
    ids: list[str] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    tasks: "list[asyncio.Task[None]]" = field(default_factory=list)

    async def start(self, id_: str, question_id: str, version: int, generation: int) -> None:
        if self.fails:
            self.fails -= 1
            raise OSError("the engine's database is away")
        self.ids.append(id_)
        self.tasks.append(asyncio.create_task(self.line.answered(question_id, version, generation)))

    async def is_over(self, id_: str) -> bool | None:
        return id_ in self.lost if id_ in self.lost or id_ in self.ids else None

    async def revive(self) -> None:
        pass


@dataclass
class Office:
    """A line over a database, and what it did. Answers wait while `hold` is not set."""

    database: Database
    hold: asyncio.Event = field(default_factory=asyncio.Event)
    begun: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    peak: int = 0
    stage: Stage = field(default_factory=Stage)

    def __post_init__(self) -> None:
        self.inbox = SqlInbox(self.database)
        self.threads = SqlThreads(self.database, 5)

    def line(self, parallel: int = 2, rests: Callable[[Place], Awaitable[bool]] | None = None) -> Line:
        """Return a line that answers so many questions at a time."""

        async def generation() -> int:
            return 1

        return Line(
            inbox=self.inbox,
            platforms={"slack": self.stage},
            replica="me",
            parallel=parallel,
            answer=self._answer,
            fail=self._fail,
            generation=generation,
            done=lambda question: self.answered.append(question.message),
            rests=rests,
        )

    @asynccontextmanager
    async def open(self, line: Line, fails: int = 0) -> AsyncIterator[Runs]:
        """Let the line hand out questions while inside."""
        runs = Runs(line, fails)
        task = asyncio.create_task(line.run(runs))
        try:
            yield runs
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def ask(self, *keys: str) -> None:
        """Let questions wait, each in a thread of its own."""
        for key in keys:
            await self.inbox.record(made(key, thread=key))

    async def until(self, holds: Callable[[], Awaitable[bool]]) -> None:
        """Return once it holds."""
        async with asyncio.timeout(PATIENCE):
            while not await holds():
                await asyncio.sleep(0.005)

    async def idle(self) -> None:
        """Return once no question waits or is worked on."""

        async def nothing() -> bool:
            return await self.inbox.counts() == (0, 0)

        await self.until(nothing)

    async def have_begun(self, count: int) -> None:
        """Return once so many answers have been begun."""

        async def so_many() -> bool:
            return len(self.begun) >= count

        await self.until(so_many)

    async def _answer(self, question: Question, generation: int) -> None:
        self.begun.append(question.message)
        self.peak = max(self.peak, len(self.begun) - len(self.answered))
        await self.hold.wait()
        await self.threads.close(question, [Part("answer-1", {"text": "there"})])

    async def _fail(self, question: Question, why: str) -> None:
        self.failed.append((question.message, why))
        await self.threads.close(question, [Part("answer-1", {"text": "sorry"})])


@pytest.fixture
async def office(migrated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Office]:
    """Give a line that looks a hundred times a second where it looks once elsewhere."""
    for name, seconds in {"SETTLE": 0.0, "SWEEP": 0.01, "CHECK_EVERY": 1}.items():
        monkeypatch.setattr(module, name, seconds)
    database = open_database(shutil.copy(migrated, tmp_path / "footnote.db"))
    yield Office(database)
    await database.close()


async def test_no_more_at_a_time_than_allowed(office: Office) -> None:
    """The others stay in the line, where any copy may take them, and each is answered in the end."""
    keys = ["K1", "K2", "Ю3", "K4", "Ю5"]
    await office.ask(*keys)
    line = office.line(parallel=2)
    async with office.open(line):
        await office.have_begun(2)
        await office.ask("K6")
        line.wake()
        counts, working = await office.inbox.counts(), line.working
        office.hold.set()
        await office.idle()

    assert (counts, working) == ((4, 2), 2)
    assert office.peak == 2
    assert sorted(office.begun) == sorted([*keys, "K6"])
    assert line.working == 0


async def test_what_comes_while_another_settles_is_not_left_to_a_sweep(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each question is taken once it has settled itself."""
    office.hold.set()
    monkeypatch.setattr(module, "SETTLE", 0.1)
    monkeypatch.setattr(module, "SWEEP", 10 * PATIENCE)
    line = office.line()
    async with office.open(line):
        for key in ("K1", "Ю2"):
            await office.ask(key)
            line.wake()
            await asyncio.sleep(0.06)
        await office.idle()

    assert office.begun == ["K1", "Ю2"]


async def test_what_is_taken_over_counts_against_the_limit(office: Office) -> None:
    """Runs that the engine starts by itself share the slots, and wait for one."""
    await office.ask("K1", "K2", "K3")
    taken = await office.inbox.take(3, "me", ["slack"])
    line = office.line(parallel=2)
    tasks = [asyncio.create_task(line.answered(one.id, one.version, 1)) for one in taken]
    await office.have_begun(2)
    begun = len(office.begun)
    office.hold.set()
    await asyncio.gather(*tasks)

    assert begun == office.peak == 2
    assert sorted(office.answered) == ["K1", "K2", "K3"]


async def test_an_answer_does_not_depend_on_its_sign(office: Office) -> None:
    """Whether a platform may be asked for one is not known: then it is not, and the question is answered."""

    async def away(_: Place) -> bool:
        raise StorageError("away", retry=True)

    office.hold.set()
    await office.ask("K1")
    async with office.open(office.line(rests=away)):
        await office.idle()

    assert (office.begun, office.failed, office.stage.worked) == (["K1"], [], [])


async def test_a_question_whose_run_cannot_be_started_waits_again(office: Office) -> None:
    """The engine's database may be away for a while: nobody is told to ask again, the question is taken later."""
    office.hold.set()
    await office.ask("K1")
    async with office.open(office.line(), fails=3) as runs:
        await office.idle()

    assert runs.ids == ["slack:C1:K1#0"]
    assert (office.begun, office.failed) == (["K1"], [])


async def test_a_question_whose_run_ended_without_a_reply_is_not_forgotten(office: Office) -> None:
    """It is ours, nobody works on it, and its run is over: the asker is told that it failed."""
    await office.ask("K1", "K2")
    [lost] = await office.inbox.take(1, "me", ["slack"])
    office.hold.set()
    async with office.open(office.line()) as runs:
        runs.lost.add(f"{lost.id}#0")
        await office.idle()

    [(key, why)] = office.failed
    assert [key, *office.begun] == ["K1", "K2"]
    assert why == "its run ended without a reply"


async def test_a_defect_in_putting_one_question_right_ends_nothing_else(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line lives, and goes on with the others."""
    await office.ask("K1")
    [lost] = await office.inbox.take(1, "me", ["slack"])
    office.hold.set()
    monkeypatch.setattr(office, "_fail", lambda *_: int("a defect"))
    async with office.open(office.line()) as runs:
        runs.lost.add(f"{lost.id}#0")
        await runs.line._check(runs)
        await office.ask("Ю2")

        async def answered() -> bool:
            return office.answered == ["Ю2"]

        await office.until(answered)


@pytest.mark.parametrize("lost", ["take", "generation"])
async def test_a_question_that_was_taken_and_never_handed_over_is_answered(
    office: Office, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    """The database fails just after it gave the question to us: there is no run, and so nothing that could end."""
    office.hold.set()
    await office.ask("K1")
    line, failures = office.line(), [StorageError("the database did not do it", retry=True)]
    where = office.inbox if lost == "take" else line
    name = "take" if lost == "take" else "_generation"
    call = getattr(where, name)

    async def answers_into_the_void(*given: object) -> object:
        found = await call(*given)
        if found and failures:
            raise failures.pop()
        return found

    monkeypatch.setattr(where, name, answers_into_the_void)
    async with office.open(line), asyncio.timeout(1.0):
        await office.idle()

    assert office.answered == ["K1"]


async def test_who_is_at_work_is_left_in_peace(office: Office) -> None:
    """What looks over in the engine and is under way here is under way."""
    await office.ask("K1")
    async with office.open(office.line()) as runs:
        runs.lost.add("slack:C1:K1#0")
        await office.have_begun(1)
        for _ in range(3):
            await runs.line._check(runs)
        office.hold.set()
        await office.idle()

    assert (office.answered, office.failed) == (["K1"], [])


async def test_a_question_that_is_not_wanted_any_more_is_not_answered(office: Office) -> None:
    """Its run begins, finds that it was taken back, and ends without a word."""
    await office.ask("K1")
    [taken] = await office.inbox.take(1, "me", ["slack"])
    await office.inbox.withdraw(MessageRef("slack", "C1", "K1"))
    line = office.line()
    await line.answered(taken.id, taken.version, 1)

    assert (office.begun, office.answered, office.failed, line.working) == ([], [], [], 0)


async def test_a_defect_in_answering_is_told_to_the_asker(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong, there is a reply, and the log's words hold nothing that somebody wrote."""
    await office.ask("K1")
    monkeypatch.setattr(office.hold, "wait", lambda: int("a secret"))
    async with office.open(office.line()):
        await office.idle()

    [(key, why)] = office.failed
    assert (key, "ValueError" in why, "secret" in why) == ("K1", True, False)


async def test_a_stop_leaves_the_unfinished_to_the_next_start(office: Office) -> None:
    """What is done in time is done; the rest ends without a word, stays ours, and is answered after the next start."""
    await office.ask("K1")
    line = office.line()
    async with office.open(line):
        await office.have_begun(1)
    left = await line.finish(0.0)
    during = (list(office.answered), list(office.failed), await office.inbox.counts())
    office.hold.set()
    await office.inbox.take_over("me")
    async with office.open(office.line()):
        await office.idle()

    assert (left, during) == (1, ([], [], (0, 1)))
    assert office.begun == ["K1", "K1"]


async def test_a_stop_gives_what_is_under_way_some_time(office: Office) -> None:
    """Who is nearly done gets done."""
    await office.ask("K1")
    line = office.line()
    async with office.open(line):
        await office.have_begun(1)
    asyncio.get_running_loop().call_later(0.02, office.hold.set)

    assert await line.finish(PATIENCE) == 0
    assert office.answered == ["K1"]


async def test_the_asker_of_a_lost_question_gets_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the real engine: a run that ended in an error leaves a sentence in the asker's language, not silence."""
    monkeypatch.setattr(module, "SWEEP", 0.05)
    monkeypatch.setattr(module, "CHECK_EVERY", 1)

    async def breaks(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(Line, "_reply", breaks)
    async with Company(tmp_path / "data").at_work() as desk:
        asked = [await desk.ask("K1"), await desk.ask("Ю1", thread="u")]
        await desk.idle()
    said = ["".join(desk.stage.visible(question.id)) for question in asked]

    for words, language in zip(said, ("en", "ru"), strict=True):
        assert words.startswith(phrase("failed", language, reference="").rstrip(" ."))
