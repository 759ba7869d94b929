"""What it costs one question that everything is recorded: the service against the same pipeline in memory."""

import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any

from adapters.storage.inbox import SqlInbox
from adapters.storage.threads import SqlThreads
from benchmarks.figures import Figures, median_ms
from bot.durable import Workflows
from bot.intake import Reception
from bot.jobs import CheckpointedModel
from bot.line import Line
from bot.settings import Settings
from bot.wiring import make_model
from core.conversation import AlreadyAnswered, Question, Thread, Turn
from core.delivery import FIRST, Part
from core.turn import TurnRecord
from tests.bot.work import Company, Desk, made
from tests.doubles.little import LittleBot, ToldModel
from tests.doubles.stage import Stage

QUESTIONS, WARM_UP = 200, 20
# Questions are spread over so many threads, so that most of them have others before them.
_THREADS = 40

_WATCHED: tuple[tuple[type[Any], str], ...] = (
    (Reception, "asked"),
    (SqlInbox, "take"),
    (Workflows, "start"),
    (Line, "answered"),
    (SqlThreads, "open"),
    (CheckpointedModel, "complete"),
    (ToldModel, "complete"),
    (SqlThreads, "close"),
    (Stage, "show"),
)


@dataclass(frozen=True, slots=True)
class Span:
    """One call: what was given first, when it began and when it ended."""

    given: Any
    begin: float
    end: float
    result: Any

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.end - self.begin


@dataclass
class Diary:
    """Every call that matters, by the name of what was called, in the order of their ends."""

    spans: dict[str, list[Span]] = field(default_factory=lambda: defaultdict(list))

    def last(self, name: str) -> Span:
        """Return the latest call."""
        return self.spans[name][-1]

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Note the calls while inside."""
        before = [(owner, name, getattr(owner, name)) for owner, name in _WATCHED]
        try:
            for owner, name, call in before:
                setattr(owner, name, self._noted(f"{owner.__name__}.{name}", call))
            yield
        finally:
            for owner, name, call in before:
                setattr(owner, name, call)

    def _noted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        async def noted(self_: Any, *given: Any, **named: Any) -> Any:
            begin, result = time.perf_counter(), None
            try:
                result = await call(self_, *given, **named)
            finally:
                self.spans[name].append(Span(given[0] if given else None, begin, time.perf_counter(), result))
            return result

        return noted


@dataclass
class ListThreads:
    """The port `Threads` in memory."""

    turns: dict[str, list[Turn]] = field(default_factory=lambda: defaultdict(list))
    window: int = 5

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        """Return the thread's earlier turns."""
        return Thread(question.thread, tuple(self.turns[question.thread][-self.window :]))

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        """Keep what the thread has been about."""
        assert record
        assert parts
        answered, entities = not record.answer.is_refusal, tuple(record.plan.entities)
        turn = Turn(question.text, record.decision.question, entities, answered, question.asked_at)
        self.turns[question.thread].append(turn)


@dataclass
class Bench:
    """The service and the bare pipeline side by side: what else the machine does falls on both."""

    desk: Desk
    diary: Diary
    bare: LittleBot
    threads: ListThreads
    stage: Stage
    number: int = 0

    async def ask_service(self) -> dict[str, float]:
        """Return the seconds of each stretch of one question's way through the service."""
        question = self._question()
        self.diary.spans.clear()
        await self.desk.service.reception.asked(question)
        await self.desk.until(lambda: self._is_shown(question))
        found = stretches(self.diary)
        await self.desk.idle()
        return found

    async def ask_bare(self) -> float:
        """Return the seconds that the pipeline takes for one question with everything in memory."""
        question = self._question()
        begin = time.perf_counter()
        await self.bare.answer(question, self.stage.parts, self.threads)
        return time.perf_counter() - begin

    def _question(self) -> Question:
        self.number += 1
        # The two take turns: each gets every thread.
        return made(f"K{self.number}", thread=f"t{self.number // 2 % _THREADS}")

    def _is_shown(self, question: Question) -> bool:
        stage = self.desk.stage
        return any(key == (question.id, "evidence-1") for key in stage.keys.values())


def stretches(diary: Diary) -> dict[str, float]:
    """Return the seconds of each stretch of the one question that the diary tells of.

    The line lets a question settle before it is taken; that wait is not work, and stands alone.
    """
    asked, run, close = diary.last("Reception.asked"), diary.last("Line.answered"), diary.last("SqlThreads.close")
    take = next(span for span in diary.spans["SqlInbox.take"] if span.result)
    recorded = sum(span.seconds for span in diary.spans["CheckpointedModel.complete"])
    told = sum(span.seconds for span in diary.spans["ToldModel.complete"])
    shown = [span for span in diary.spans["Stage.show"] if span.begin >= close.begin]
    first = next(span for span in shown if span.given.part == FIRST)
    settling = max(0.0, take.begin - asked.end)
    found = {
        "from asked until the reply is stored": close.end - asked.begin - settling,
        "intake, until acknowledged": asked.seconds,
        "settling in the line": settling,
        "handing out: taken": take.seconds,
        "handing out: run started": run.begin - max(take.end, asked.end),
        "reading the thread": diary.last("SqlThreads.open").seconds,
        "recording what the models said": recorded - told,
        "storing the reply and its messages": close.seconds,
    }
    parts = sum(found.values()) - found["from asked until the reply is stored"] - settling
    found["everything else: the pipeline itself"] = found["from asked until the reply is stored"] - parts
    found["of which the model's double"] = told
    found["from stored until the answer is shown"] = first.end - close.end
    found["from stored until all is shown"] = max(span.end for span in shown) - close.end
    return found


async def costs(folder: Path, url: str | None = None, questions: int = QUESTIONS, warm_up: int = WARM_UP) -> Figures:
    """Return the medians in milliseconds over SQLite in the folder, or over the PostgreSQL at the URL."""
    service: dict[str, list[float]] = defaultdict(list)
    bare: list[float] = []
    async with _bench(folder, url) as bench:
        for number in range(warm_up + questions):
            found, alone = await bench.ask_service(), await bench.ask_bare()
            if number >= warm_up:
                bare.append(alone)
                for name, seconds in found.items():
                    service[name].append(seconds)
    medians = {name: median_ms(seconds) for name, seconds in service.items()}
    whole, in_memory = medians.pop("from asked until the reply is stored"), median_ms(bare)
    return {
        "from asked until the reply is stored, without settling": whole,
        "the same pipeline in memory": in_memory,
        "recording and checkpoints add": round(whole - in_memory, 2),
        "questions": len(bare),
        "medians of the parts": dict(medians),
    }


@asynccontextmanager
async def _bench(folder: Path, url: str | None) -> AsyncIterator[Bench]:
    # One person asks them all, more than anybody may within an hour.
    given: dict[str, Any] = {"max_hourly_per_person": 0} | ({"database_url": url} if url else {})
    diary = Diary()
    # The service keeps some of what is watched from its start on.
    with diary.kept():
        async with Company(folder, given).at_work() as desk:
            settings = Settings(FOOTNOTE_DATA_DIR=folder, **given)  # type: ignore[call-arg]
            threads = ListThreads(window=settings.conversation_window)

            async def called(*_: str) -> None:
                return None

            bare = LittleBot(desk.stores, make_model(settings), settings)
            bare.use(threads, ToldModel(called))
            yield Bench(desk, diary, bare, threads, Stage())
