"""A model whose replies are recorded, and a storage that is waited for."""

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import pytest

from bot import jobs, patience
from bot.jobs import MODEL_PAUSES, CheckpointedModel, PatientThreads, run_id
from bot.steps import Json
from core.conversation import AlreadyAnswered, Question, Thread
from core.delivery import Part
from core.errors import BadModelOutput, ModelError, ModelRefused, ModelTimeout, StorageError
from core.ports import Completion, ModelRequest
from core.turn import TurnRecord
from tests.bot.work import made

REPLY = Completion('{"text": "Ключ Ю1 лежит в ящике"}', "told", 100, unread=3)
BUSY = ModelError("the provider is busy", retry=True)
AWAY = StorageError("the database did not do it", retry=True)
BROKEN = StorageError("the database did not do it (UndefinedTable)")


@dataclass
class Moody:
    """A model that first fails in the ways given, then replies."""

    moods: list[ModelError]
    asked: int = 0

    def offers(self, role: Literal["planner", "answer"]) -> bool:
        return role == "planner"

    async def complete(self, request: ModelRequest) -> Completion:
        self.asked += 1
        if self.moods:
            raise self.moods.pop(0)
        return REPLY


@dataclass
class Tape:
    """Stands for the engine: what a step gave is kept as JSON and read from there ever after."""

    recorded: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def step(self, name: str, call: Callable[[], Awaitable[Json]], asked: str) -> Json:
        self.asked.append(asked)
        if name not in self.recorded:
            self.recorded[name] = json.dumps(await call())
        read: Json = json.loads(self.recorded[name])
        return read


@dataclass
class Shaky:
    """Satisfies `Threads`: fails in the ways given, then does it."""

    failures: list[StorageError]
    closed: list[tuple[str, Sequence[Part]]] = field(default_factory=list)

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        self._fail()
        return Thread(question.thread)

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        self._fail()
        self.closed.append((question.id, parts))

    def _fail(self) -> None:
        if self.failures:
            raise self.failures.pop(0)


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the pauses that are made, none of which takes any time."""
    made: list[float] = []

    async def sleep(seconds: float) -> None:
        made.append(seconds)

    monkeypatch.setattr(jobs.asyncio, "sleep", sleep)
    monkeypatch.setattr(patience, "_LONGEST_PAUSE", 0.3)
    return made


@pytest.fixture(autouse=True)
def tape(monkeypatch: pytest.MonkeyPatch) -> Tape:
    """Return what is recorded."""
    tape = Tape()
    monkeypatch.setattr(jobs, "step", tape.step)
    return tape


def asks(role: Literal["planner", "answer"] = "planner") -> ModelRequest:
    """Return a call to a model."""
    return ModelRequest(role, "system", "user", {}, 100)


async def test_a_reply_is_made_once() -> None:
    """What the model said is read from the record the next time, to the last letter; each role has its own."""
    model = Moody([])
    replies = [await CheckpointedModel(model).complete(asks()) for _ in range(3)]
    await CheckpointedModel(model).complete(asks("answer"))

    assert replies == [REPLY] * 3
    assert model.asked == 2


async def test_a_call_is_known_by_what_it_asks(tape: Tape) -> None:
    """Whatever marker it was given; another text, another call."""
    model = CheckpointedModel(Moody([]))
    for text in ("<<m1 Где ключ Ю1? m1>>", "<<m2 Где ключ Ю1? m2>>", "<<m1 Где ключ Ю2? m1>>"):
        await model.complete(ModelRequest("answer", "system", text, {}, 100, marker=text[2:4]))

    assert tape.asked[0] == tape.asked[1] != tape.asked[2]


def test_a_recorded_model_offers_what_the_model_offers() -> None:
    """To be recorded adds no role and takes none away."""
    model = CheckpointedModel(Moody([]))

    assert (model.offers("planner"), model.offers("answer")) == (True, False)


@pytest.mark.parametrize("failures", [1, 2])
async def test_a_failure_that_may_pass_is_tried_again(failures: int, pauses: list[float]) -> None:
    """After a pause, and after a longer one."""
    model = Moody([BUSY] * failures)

    assert await CheckpointedModel(model).complete(asks()) == REPLY
    assert pauses == list(MODEL_PAUSES[:failures])


@pytest.mark.parametrize(
    ("failure", "tries"),
    [
        (BUSY, 1 + len(MODEL_PAUSES)),
        (BadModelOutput("не JSON", retry=True, tokens=20, cost=0.25), 1 + len(MODEL_PAUSES)),
        (ModelTimeout("nothing after 30 s", retry=True), 1),
        (ModelRefused("the key is wrong"), 1),
        (BadModelOutput("not JSON", tokens=7, cost=0.5), 1),
    ],
)
async def test_a_failure_for_good_is_recorded(failure: ModelError, tries: int) -> None:
    """Later it comes back as the same kind with the same words, and no model is asked for it again."""
    model, raised = Moody([failure] * 9), []
    for _ in range(2):
        with pytest.raises(ModelError) as caught:
            await CheckpointedModel(model).complete(asks())
        raised.append((type(caught.value), str(caught.value), caught.value.reason, caught.value.retry))
        assert (caught.value.tokens, caught.value.cost) == (failure.tokens * tries, failure.cost * tries)

    assert raised == [(type(failure), str(failure), failure.reason, failure.retry)] * 2
    assert model.asked == tries


async def test_a_reply_costs_what_the_tries_before_it_did() -> None:
    """What could not be used was written, too, and is paid for once, also when the reply is read from the record."""
    useless = BadModelOutput("not JSON", retry=True, tokens=20, cost=0.25)
    model = CheckpointedModel(Moody([useless, useless]))
    replies = [await model.complete(asks()) for _ in range(2)]

    assert [(140, 0.5)] * 2 == [(reply.tokens, reply.cost) for reply in replies]


async def test_a_defect_of_a_model_is_not_recorded(tape: Tape, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake of ours is no reply: when it is mended, the model is asked."""
    model = Moody([])
    with monkeypatch.context() as patch:
        patch.setattr(model, "complete", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            await CheckpointedModel(model).complete(asks())

    assert tape.recorded == {}
    assert await CheckpointedModel(model).complete(asks()) == REPLY


async def test_a_storage_that_is_away_is_waited_for(pauses: list[float]) -> None:
    """What was paid for is not given up for that; the pauses grow up to the longest."""
    threads, question = Shaky([AWAY] * 4), made("K1")
    opened = await PatientThreads(threads).open(question)
    threads.failures = [AWAY]
    await PatientThreads(threads).close(question, [Part("answer-1", {"text": "Ю"})])

    assert opened == Thread(question.thread)
    assert threads.closed == [(question.id, [Part("answer-1", {"text": "Ю"})])]
    assert pauses == [0.1, 0.2, 0.3, 0.3, 0.1]


async def test_what_will_not_pass_is_not_waited_for(pauses: list[float]) -> None:
    """A storage that is broken says so at once."""
    threads = Shaky([BROKEN])
    with pytest.raises(StorageError, match="UndefinedTable"):
        await PatientThreads(threads).open(made("K1"))
    threads.failures = [AWAY, BROKEN]
    with pytest.raises(StorageError, match="UndefinedTable"):
        await PatientThreads(threads).close(made("K1"), [])

    assert threads.closed == []
    assert pauses == [0.1]


def test_each_version_has_a_run_of_its_own() -> None:
    """The question and the version make the run, so that an edit is answered and a repeat is not."""
    assert run_id("slack:C1:1.2", 3) == "slack:C1:1.2#3"
