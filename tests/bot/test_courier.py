"""Every message of the outbox is shown once, in order, whatever the platform says, over a real database."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import update

from adapters.storage.database import Database, open_database
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.tables import outbox
from adapters.storage.threads import SqlThreads
from bot import courier as module
from bot import refusals
from bot.courier import Courier
from core.conversation import MessageRef, Question
from core.delivery import Doubtful, Later, Outcome, Outgoing, Part, Refused
from core.errors import StorageError
from core.phrases import phrase
from core.text import Language
from core.work import NOTE, Claim, Loan
from tests.adapters.storage.turns import signed
from tests.bot.work import made
from tests.doubles.little import tells
from tests.doubles.stage import Stage

PATIENCE = 10.0
HERE, THERE = ("slack", "C1"), ("slack", "C2")
LOOKING = Part("answer-1", {"text": phrase("looking", "en")})
BUSY = Later(0.0, "busy")


class Noted(SqlOutbox):
    """The outbox, which besides notes for how long a message was put back, by a failure or a doubt."""

    def __init__(self, database: Database, replica: str) -> None:
        super().__init__(database, replica)
        self.pauses: list[float] = []

    async def later(self, claim: Claim, seconds: float, reason: str, *, whole_place: bool) -> None:
        self.pauses.append(seconds)
        await super().later(claim, seconds, reason, whole_place=whole_place)

    async def doubted(self, claim: Claim, seconds: float, reason: str, *, anew: bool = False) -> None:
        self.pauses.append(seconds)
        await super().doubted(claim, seconds, reason, anew=anew)


@dataclass
class Gate(Stage):
    """A stage on which a message arrives only once `open` is set; `begun` is set when one is on its way."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    open: asyncio.Event = field(default_factory=asyncio.Event)

    async def show(self, message: Outgoing) -> Outcome:
        self.begun.set()
        await self.open.wait()
        return await super().show(message)


@dataclass
class Broken(Stage):
    """A stage with a defect that shows with the messages to one question."""

    fails_on: str = "slack:C1:K1"

    async def show(self, message: Outgoing) -> Outcome:
        return 1 / 0 if message.question == self.fails_on else await super().show(message)  # type: ignore[return-value]


@dataclass
class Post:
    """A courier at work between an outbox and a stage."""

    database: Database
    outbox: Noted
    stage: Stage
    courier: Courier
    term: int | None = 0

    async def put(self, *parts: Part, key: str = "K1", **known: str) -> Question:
        """Let the messages of an answer wait to be shown."""
        question = made(key, **known)
        await self.answer(question, *parts)
        return question

    async def signed(self, key: str = "K1") -> Question:
        """Let the sign that a question has arrived wait to be shown."""
        question = made(key)
        await SqlInbox(self.database).record(question, signed(LOOKING))
        return question

    async def answer(self, question: Question, *parts: Part) -> None:
        """Let the answer take the sign's place."""
        await SqlThreads(self.database, 5).close(question, parts or [says(question.message)])

    async def dies_sending(self, *, arrived: bool) -> None:
        """Let another copy die after it claimed a message, whether it sent it or not, and take over from it."""
        dead = SqlOutbox(self.database, "dead")
        claim = await dead.claim(HERE)
        assert claim
        if arrived:
            self.stage._arrive(claim.outgoing)
        await self.outbox.take_over("dead")

    async def until(self, holds: Callable[[], bool]) -> None:
        """Return once it holds."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await asyncio.sleep(0.005)

    async def delivers(self) -> None:
        """Return once nothing is to be shown any more."""
        async with asyncio.timeout(PATIENCE):
            while await self.outbox.unsent():
                await asyncio.sleep(0.005)

    async def delivers_by_itself(self) -> None:
        """Let the courier look for what is due, and return once nothing is to be shown any more."""
        task = asyncio.create_task(self.courier.run())
        await self.delivers()
        task.cancel()
        await asyncio.wait([task])


def says(key: str) -> Part:
    """Return the answer where a key is."""
    return Part("answer-1", {"text": tells(key, russian=key >= "А")})


@pytest.fixture
def kind() -> Callable[[], Stage]:
    """Return what makes the stage; a test with another one says so."""
    return Stage


@pytest.fixture
def stage(kind: Callable[[], Stage]) -> Stage:
    """Return the stage."""
    return kind()


@pytest.fixture
async def post(stage: Stage, migrated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Post]:
    """Give a courier that waits for hundredths of seconds where another waits for seconds."""
    for name, seconds in {"SETTLE": 0.01, "SWEEP": 0.01, "_FIRST_PAUSE": 0.01}.items():
        monkeypatch.setattr(module, name, seconds)
    database = open_database(shutil.copy(migrated, tmp_path / "footnote.db"))
    outbox = Noted(database, "me")
    given = Post(database, outbox, stage, Courier(outbox, {"slack": stage}, lambda: given.term))
    yield given
    await given.courier.finish(PATIENCE)
    await database.close()


async def test_pauses_grow_until_it_works(post: Post) -> None:
    """Each failure of a message doubles its pause up to the longest; what has been shown begins at the first again."""
    post.stage.script = [(BUSY, False)] * 4
    question = await post.signed()
    await post.delivers_by_itself()
    grown = list(post.outbox.pauses)
    post.stage.script = [(BUSY, False)]
    await post.answer(question)
    await post.delivers_by_itself()

    assert grown == [0.01, 0.02, 0.04, 0.08]
    assert post.outbox.pauses[4:] == [0.01]
    assert post.stage.visible() == [tells("K1")]


@pytest.mark.parametrize("key", ["K1", "Ю1"])
async def test_a_message_that_stays_in_doubt_is_sent_less_and_less_often(post: Post, key: str) -> None:
    """It is looked for, found absent and sent again, after pauses that grow as those of a plain failure do."""
    post.stage.script = [(Doubtful("500"), False)] * 4
    await post.put(key=key)
    await post.delivers_by_itself()

    assert post.outbox.pauses == [0.01, 0.02, 0.04, 0.08]
    assert post.stage.visible() == [says(key).body["text"]]


@pytest.mark.parametrize("key", ["K1", "Ю1"])
async def test_a_message_that_stays_in_doubt_too_long_is_given_up(
    post: Post, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After GIVE_UP it is looked for and sent once more, then offered, and then what comes after it is shown."""
    monkeypatch.setattr(refusals, "GIVE_UP", timedelta(0))
    post.stage.script = [(Doubtful("500"), False)] * 2
    await post.put(key=key)
    await post.put(key="K2")
    await post.delivers_by_itself()

    assert post.stage.visible() == [phrase("maybe_sent", "ru" if key == "Ю1" else "en"), tells("K2")]
    assert len(post.stage.attempts) == 4


@pytest.mark.parametrize("arrived", [True, False])
async def test_a_first_doubt_is_looked_into_however_late_it_is(
    post: Post, monkeypatch: pytest.MonkeyPatch, *, arrived: bool
) -> None:
    """A message that may stand there is not given up unseen: it is found, or sent once more."""
    monkeypatch.setattr(refusals, "GIVE_UP", timedelta(0))
    post.stage.script = [(Doubtful("500"), arrived)]
    await post.put()
    await post.delivers_by_itself()

    assert post.stage.visible() == [tells("K1")]


async def test_pauses_do_not_grow_for_ever(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often it fails, it is tried again within the longest pause; a longer one that is asked for is kept."""
    monkeypatch.setattr(module, "_LONGEST_PAUSE", 0.02)
    post.stage.script = [(BUSY, False)] * 3 + [(Later(0.05, "busy"), False)]
    await post.put()
    await post.delivers_by_itself()

    assert post.outbox.pauses == [0.01, 0.02, 0.02, 0.05]


async def test_a_place_rests_as_long_as_it_was_told_to_and_others_go_on(post: Post) -> None:
    """Where nothing can be shown, no message is tried, of no thread and however often somebody calls."""
    post.stage.script = [(Later(60.0, "slow down", whole_place=True), False)]
    await post.put(key="K1", thread="a")
    await post.put(key="K2", thread="b")
    await post.put(key="K3", place="C2")
    post.courier.wake(HERE)
    await post.until(lambda: post.outbox.pauses == [60.0])
    for place in (HERE, THERE, HERE):
        post.courier.wake(place)
    await post.until(lambda: post.stage.visible() == [tells("K3")])
    await post.courier.finish(PATIENCE)

    assert [message.question for message in post.stage.attempts] == ["slack:C1:K1", "slack:C2:K3"]
    assert await post.outbox.unsent() == 2


@pytest.mark.parametrize(("seconds", "level"), [(0.1, "INFO"), (5_000.0, "WARNING")])
async def test_an_operator_is_told_where_a_long_wait_holds(
    post: Post, caplog: pytest.LogCaptureFixture, seconds: float, level: str
) -> None:
    """A wait of minutes is a warning that names the place; one of a moment is none."""
    caplog.set_level("INFO")
    post.stage.script = [(Later(seconds, "slow down", whole_place=True), False)]
    await post.put(key="K1")
    post.courier.wake(HERE)
    await post.until(lambda: post.outbox.pauses == [seconds])
    await post.courier.finish(PATIENCE)

    [told] = [record for record in caplog.records if "slow down" in record.getMessage()]
    assert level == told.levelname
    assert "C1" in told.getMessage()


async def test_what_we_alone_have_to_wait_with_another_copy_may_show(post: Post) -> None:
    """Our share of the pace is used up: we try nothing there any more, and the message is free for others at once."""
    wait = Later(60.0, "as fast as allowed", whole_place=True, expected=True, ours_alone=True)
    post.stage.script = [(wait, False)]
    await post.put(key="K1")
    await post.put(key="K2", thread="b")
    post.courier.wake(HERE)
    await post.until(lambda: post.outbox.pauses == [0.0])
    post.courier.wake(HERE)
    await post.courier.finish(PATIENCE)

    assert [message.question for message in post.stage.attempts] == ["slack:C1:K1"]
    [due] = (await post.outbox.due(["slack"])).values()
    assert due <= datetime.now(UTC)


async def test_a_call_in_between_costs_no_message_its_next_try(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that waits for its next try gets it in time, also when another one for the place comes meanwhile."""
    monkeypatch.setattr(module, "_FIRST_PAUSE", 0.1)
    post.stage.script = [(BUSY, False)]
    await post.put()
    post.courier.wake(HERE)
    await post.until(lambda: post.outbox.pauses == [0.1])
    post.courier.wake(HERE)
    async with asyncio.timeout(0.5):
        await post.delivers()

    assert post.stage.visible() == [tells("K1")]


@pytest.mark.parametrize("key", ["K1", "Ю1"])
async def test_an_answer_that_is_refused_for_too_long_is_offered(
    post: Post, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After GIVE_UP a button stands in place of the sign, and what comes after it is shown; pressed, it shows it."""
    question = await post.signed(key)
    await post.delivers_by_itself()
    await post.answer(question)
    await post.put(key="K2")
    with monkeypatch.context() as patch:
        patch.setattr(refusals, "GIVE_UP", timedelta(0))
        post.stage.script = [(BUSY, False)]
        await post.delivers_by_itself()
    offered = post.stage.visible()
    [ref] = [message.shown for message in post.stage.attempts if message.part == NOTE]
    assert ref
    await post.outbox.show_again(question.id, ref)
    await post.delivers_by_itself()

    assert offered == [phrase("not_shown", "ru" if key == "Ю1" else "en"), tells("K2")]
    assert post.stage.visible() == [says(key).body["text"], tells("K2")]


@dataclass
class Choosy(Stage):
    """A stage that always fails on the messages of one question."""

    fails_on: str = ""

    async def show(self, message: Outgoing) -> Outcome:
        if message.question.endswith(self.fails_on) and message.part != NOTE:
            self.script.insert(0, (BUSY, False))
        return await super().show(message)


@pytest.mark.parametrize("kind", [Choosy])
@pytest.mark.parametrize(("key", "said"), [("K1", "en"), ("Ю1", "ru")])
async def test_what_alone_is_refused_is_offered_sooner(
    post: Post, key: str, said: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The platform shows others there and fails on this message each time: its thread does not wait a day for it."""
    assert isinstance(post.stage, Choosy)
    monkeypatch.setattr(refusals, "GIVE_UP_ALONE", timedelta(seconds=0.02))
    post.stage.fails_on = (await post.put(key=key)).id
    task = asyncio.create_task(post.courier.run())
    await post.until(lambda: len(post.stage.attempts) > 3)
    alone = [message.part for message in post.stage.attempts]
    await post.put(key="K2", thread="another")
    await post.delivers()
    task.cancel()

    assert NOTE not in alone
    assert sorted(post.stage.visible()) == sorted([tells("K2"), phrase("not_shown", said)])


async def test_an_answer_that_waited_for_a_process_is_shown_however_late(post: Post) -> None:
    """Nobody has tried for a day, so nobody has refused: neither our own pace nor a slow start gives it up."""
    await post.put()
    long_ago = datetime.now(UTC) - 2 * refusals.GIVE_UP
    async with post.database.writing() as connection:
        await connection.execute(update(outbox).values(changed_at=long_ago))
    ours = Later(0.0, "not connected", ours_alone=True)
    pace = Later(0.0, "one message a second", whole_place=True, expected=True)
    post.stage.script = [
        (ours, False),
        (pace, False),
        (BUSY, False),
        (Doubtful("500"), False),
        (Doubtful("500"), False),
    ]
    await post.delivers_by_itself()

    assert post.stage.visible() == [tells("K1")]


async def test_our_own_waits_are_no_refusals(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long we keep to the pace or are not connected, nothing is given up for it."""
    monkeypatch.setattr(refusals, "GIVE_UP", timedelta(0))
    post.stage.script = [(Later(0.0, "pace", expected=True), False), (Later(0.0, "away", ours_alone=True), False)]
    await post.put()
    await post.delivers_by_itself()

    assert post.stage.visible() == [tells("K1")]


@pytest.mark.parametrize("key", ["K1", "Ю1"])
async def test_an_answer_that_is_refused_for_good_is_offered_in_place_of_its_sign(post: Post, key: str) -> None:
    """Nobody looks at the sign for ever: a sentence says that it could not be shown, and its button tries again."""
    question = await post.signed(key)
    await post.delivers_by_itself()
    await post.answer(question)
    post.stage.script = [(Refused("invalid_arguments"), False)]
    await post.delivers_by_itself()
    offered = [list(said) for said in post.stage.messages.values()]
    [ref] = [message.shown for message in post.stage.attempts if message.part == NOTE]
    assert ref
    await post.outbox.show_again(question.id, ref)
    await post.delivers_by_itself()

    language: Language = "ru" if key == "Ю1" else "en"
    assert offered == [[phrase("looking", "en"), phrase("refused", language)]]
    assert post.stage.visible() == [says(key).body["text"]]


@pytest.mark.parametrize("key", ["K1", "Ю1"])
async def test_an_answer_that_meets_a_defect_is_offered(post: Post, key: str) -> None:
    """Our own mistake with the answer leaves a sentence, too; pressed in vain, the sentence stands there again."""
    question = await post.signed(key)
    await post.delivers_by_itself()
    await post.answer(question)

    async def fails(claim: Claim) -> Outgoing:
        return 1 / 0 if claim.final else claim.outgoing  # type: ignore[return-value]

    late = Courier(post.outbox, {"slack": post.stage}, look=fails)
    seen = []
    for _ in range(2):
        late.wake(HERE)
        await post.delivers()
        seen.append(post.stage.visible())
        [message] = post.stage.messages
        await post.outbox.show_again(question.id, MessageRef("slack", "C1", message))
    await late.finish(PATIENCE)

    assert seen == [[phrase("refused", "ru" if key == "Ю1" else "en")]] * 2


@pytest.mark.parametrize(("key", "language"), [("K1", "en"), ("Ю1", "ru")])
async def test_that_the_sources_were_refused_is_said(post: Post, key: str, language: Language) -> None:
    """The answer stands, and what it rests on is offered."""
    await post.put(says(key), replace(says(key), name="evidence-1"), key=key)
    post.stage.script = [(None, True), (Refused("too odd"), False)]
    await post.delivers_by_itself()

    assert post.stage.visible() == [says(key).body["text"], phrase("refused_sources", language)]


@pytest.mark.parametrize("why", [Refused("archived", shut="is_archived"), Refused("others read", withheld=True)])
async def test_nothing_is_offered_where_nothing_can_be_said_or_is_to_be(post: Post, why: Refused) -> None:
    """A shut channel would refuse the offer, too; what is kept from those who read there is not offered to them."""
    await post.put(says("K1"), Part("evidence-1", {"text": "1"}))
    post.stage.script = [(None, True), (why, False)]
    await post.delivers_by_itself()

    assert post.stage.visible() == [tells("K1")]
    assert len(post.stage.attempts) == 2


async def test_an_answer_is_shown_though_its_sign_was_given_up(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sign that could not be shown for so long is of no use, but the answer has its own time."""
    question = await post.signed()
    with monkeypatch.context() as patch:
        patch.setattr(refusals, "GIVE_UP", timedelta(0))
        post.stage.script = [(BUSY, False)]
        await post.delivers_by_itself()
    await post.answer(question)
    await post.delivers_by_itself()

    assert list(post.stage.messages.values()) == [[tells("K1")]]


async def test_what_is_posted_anew_after_its_message_went_is_looked_for(post: Post) -> None:
    """Somebody removed the sign: the answer that may or may not have been posted instead is not taken for it."""
    question = await post.signed()
    await post.delivers_by_itself()
    post.stage.messages.clear()
    post.stage.keys.clear()
    post.stage.script = [(Doubtful("timed out", anew=True), False)]
    await post.answer(question)
    await post.delivers_by_itself()

    assert [message.shown is None for message in post.stage.attempts] == [True, False, True]
    assert post.stage.visible() == [tells("K1")]


@pytest.mark.parametrize("kind", [partial(Stage, finds=False)])
async def test_what_is_posted_anew_is_not_sent_again_unasked_where_nobody_can_look(post: Post) -> None:
    """Somebody removed the sign, and the answer in its place may have arrived: a note says so, and it came once."""
    question = await post.signed()
    await post.delivers_by_itself()
    post.stage.messages.clear()
    post.stage.script = [(Doubtful("timed out", anew=True), True)]
    await post.answer(question)
    await post.delivers_by_itself()

    assert post.stage.visible() == [tells("K1"), phrase("maybe_sent", "en")]


async def test_a_claim_that_strayed_is_let_go_after_two_looks(post: Post) -> None:
    """A message that is ours in the database alone, its answer to the claim being lost, is looked for and shown."""
    await post.put()
    assert await post.outbox.claim(HERE)
    await post.courier._check()
    after_one = await post.outbox.held()
    await post.courier._check()
    after_two = await post.outbox.held()
    post.courier.wake(HERE)
    await post.delivers()

    assert (len(after_one), len(after_two)) == (1, 0)
    assert post.stage.visible() == [tells("K1")]


@pytest.mark.parametrize("kind", [Gate])
async def test_what_is_on_its_way_has_not_strayed(post: Post, stage: Gate) -> None:
    """However long a platform takes, what is in our hands stays there."""
    await post.put()
    post.courier.wake(HERE)
    await stage.begun.wait()
    for _ in range(3):
        await post.courier._check()
    held = await post.outbox.held()
    stage.open.set()
    await post.delivers()

    assert len(held) == 1
    assert len(stage.attempts) == 1


async def test_nothing_is_sent_while_others_may_think_us_dead(post: Post) -> None:
    """They would take over what we send, and it would be seen twice; it is sent once we are trusted again."""
    await post.put()
    post.term = None
    await post.courier._serve(HERE)
    before = (list(post.stage.attempts), await post.outbox.held())
    post.term = 1
    post.courier.wake(HERE)
    await post.delivers()

    assert before == ([], set())
    assert post.stage.visible() == [tells("K1")]


@pytest.mark.parametrize("kind", [Gate])
async def test_who_is_not_trusted_any_more_does_not_go_on(post: Post, stage: Gate) -> None:
    """What is on its way arrives, the next message is not begun."""
    await post.put(says("K1"), Part("evidence-1", {"text": "1"}))
    post.courier.wake(HERE)
    await stage.begun.wait()
    post.term = None
    stage.open.set()
    await post.courier.finish(PATIENCE)

    assert stage.visible() == [tells("K1")]
    assert (await post.outbox.held(), await post.outbox.unsent()) == (set(), 1)


@pytest.mark.parametrize("term", [None, 1])
@pytest.mark.parametrize("is_sign", [True, False])
async def test_a_copy_that_stood_still_after_its_claim_shows_nothing(
    post: Post,
    term: int | None,
    is_sign: bool,  # noqa: FBT001
) -> None:
    """Another copy has taken over and shown it meanwhile; also when we have shown anew that we live."""
    stands, goes_on = asyncio.Event(), asyncio.Event()

    async def look(claim: Claim) -> Outgoing:
        stands.set()
        await goes_on.wait()
        return claim.outgoing

    frozen = Courier(post.outbox, {"slack": post.stage}, lambda: post.term, look)
    heir = Courier(SqlOutbox(post.database, "heir"), {"slack": post.stage})
    await (post.signed() if is_sign else post.put())
    frozen.wake(HERE)
    await stands.wait()
    await SqlOutbox(post.database, "heir").take_over("me")
    heir.wake(HERE)
    await post.delivers()
    post.term = term
    goes_on.set()
    await frozen.finish(PATIENCE)
    await heir.finish(PATIENCE)

    assert len(post.stage.attempts) == 1
    assert await post.outbox.unsent() == 0


async def test_what_was_claimed_before_a_pause_of_ours_is_shown_when_nobody_took_it(post: Post) -> None:
    """It goes back, and is claimed anew at once."""

    async def look(claim: Claim) -> Outgoing:
        post.term = 1
        return claim.outgoing

    slow = Courier(post.outbox, {"slack": post.stage}, lambda: post.term, look)
    await post.put()
    slow.wake(HERE)
    await post.delivers()
    await slow.finish(PATIENCE)

    assert post.stage.visible() == [tells("K1")]
    assert post.outbox.pauses == [0.0]


async def test_how_an_answer_goes_is_not_told_after_standing_still(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sign was lent to us, and may be another copy's answer by the time at which we hear of it."""
    question = await post.signed()
    await post.delivers_by_itself()
    await SqlInbox(post.database).take(1, "me", ("slack",), 0.0)
    borrow = post.outbox.borrow

    async def slow(question_id: str, version: int) -> Loan | None:
        loan = await borrow(question_id, version)
        post.term = 1
        return loan

    monkeypatch.setattr(post.outbox, "borrow", slow)
    outcome = await post.courier.tell(question, {"text": "half of"})

    assert isinstance(outcome, Later)
    assert post.stage.told == []


@pytest.mark.parametrize("arrived", [True, False])
async def test_what_a_dead_copy_was_sending_is_looked_for(
    post: Post,
    arrived: bool,  # noqa: FBT001
) -> None:
    """It is found, or else posted; either way it stands there once."""
    await post.put()
    await post.dies_sending(arrived=arrived)
    post.courier.wake(HERE)
    await post.delivers()

    assert post.stage.visible() == [tells("K1")]
    assert len(post.stage.attempts) == (0 if arrived else 1)


async def test_what_changed_after_a_copy_died_is_changed_where_it_stands(post: Post) -> None:
    """The dead copy posted the sign; the answer takes its place instead of coming as a second message."""
    question = await post.signed()
    await post.dies_sending(arrived=True)
    await post.answer(question)
    post.courier.wake(HERE)
    await post.delivers()

    assert list(post.stage.messages.values()) == [[phrase("looking", "en"), tells("K1")]]


@pytest.mark.parametrize("key", ["K1", "Ю1"])
async def test_a_message_that_is_found_may_still_say_what_it_said_first(post: Post, key: str) -> None:
    """The sign arrived without a word of it, and its change into the answer was lost: it is changed again."""
    question = await post.signed(key)
    await post.dies_sending(arrived=True)
    await post.answer(question)
    post.stage.script = [(Doubtful("lost on the way"), False)]
    post.courier.wake(HERE)
    await post.delivers_by_itself()

    [said] = post.stage.messages.values()
    assert said[-1] == says(key).body["text"]


@pytest.mark.parametrize(("key", "language"), [("K1", "en"), ("Ю1", "ru")])
@pytest.mark.parametrize("kind", [partial(Stage, finds=False)])
async def test_where_nobody_can_look_a_note_offers_the_answer(post: Post, key: str, language: str) -> None:
    """It is never sent again unasked; the note and its button speak the language of the answer."""
    question = await post.put(key=key)
    await post.dies_sending(arrived=False)
    post.courier.wake(HERE)
    await post.delivers()

    [note] = [message.body for message in post.stage.attempts if message.question == question.id]
    assert note == {
        "text": phrase("maybe_sent", language),
        "button": f"show:{question.id}",
        "label": phrase("show_it", language),
    }


@pytest.mark.parametrize(("key", "language"), [("K1", "en"), ("Ю1", "ru")])
@pytest.mark.parametrize("kind", [partial(Stage, finds=False)])
async def test_a_note_says_that_the_sources_may_be_missing(post: Post, key: str, language: str) -> None:
    """Whoever sees the answer above would else not press."""
    await post.put(replace(says(key), name="evidence-1"), key=key)
    await post.dies_sending(arrived=False)
    post.courier.wake(HERE)
    await post.delivers()

    assert [phrase("maybe_sent_sources", "ru" if language == "ru" else "en")] == post.stage.visible()


@pytest.mark.parametrize("key", ["K1", "Ю1"])
@pytest.mark.parametrize("arrived", [True, False])
@pytest.mark.parametrize("kind", [partial(Stage, finds=False)])
async def test_a_note_of_doubtful_fate_comes_again(
    post: Post,
    key: str,
    arrived: bool,  # noqa: FBT001
) -> None:
    """Without it nobody would ever hear of the answer; the one that came for nothing goes when it is pressed."""
    question = await post.put(key=key)
    await post.dies_sending(arrived=False)
    post.stage.script = [(Doubtful("502"), arrived), (Doubtful("502"), False)]
    await post.delivers_by_itself()
    notes = list(post.stage.messages)
    for note in notes:
        await post.outbox.show_again(question.id, MessageRef("slack", "C1", note))
    await post.delivers_by_itself()

    assert len(notes) == (2 if arrived else 1)
    assert post.stage.visible() == [says(key).body["text"]]


async def test_a_defect_in_looking_holds_up_nothing(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that cannot be looked for because of our own mistake is offered; the others are shown."""
    await post.put(key="K1")
    await post.dies_sending(arrived=False)
    await post.put(key="K2", thread="b")
    monkeypatch.setattr(post.stage, "find", lambda _: 1 / 0)
    await post.delivers_by_itself()

    assert post.stage.visible() == [phrase("refused", "en"), tells("K2")]


@pytest.mark.parametrize("kind", [Broken])
async def test_a_defect_in_showing_holds_up_nothing(post: Post, stage: Broken) -> None:
    """A message that our own mistake keeps from being shown is given up, and its thread goes on."""
    await post.put(key="K1")
    await post.put(key="K2")
    await post.delivers_by_itself()

    assert stage.visible() == [tells("K2")]


@pytest.mark.parametrize("kind", [Gate])
async def test_what_changes_on_its_way_is_changed_after_it_arrived(post: Post, stage: Gate) -> None:
    """The sign is being posted when the answer is there: one message, which says one after the other."""
    question = await post.signed()
    post.courier.wake(HERE)
    await stage.begun.wait()
    await post.answer(question)
    stage.open.set()
    await post.delivers()

    assert list(stage.messages.values()) == [[phrase("looking", "en"), tells("K1")]]


@pytest.mark.parametrize("outcome", [BUSY, Doubtful("lost"), Refused("too odd")])
@pytest.mark.parametrize("kind", [Gate])
async def test_a_change_outlives_whatever_became_of_the_old_words(post: Post, stage: Gate, outcome: Outcome) -> None:
    """The sign could not be shown, and the answer that came meanwhile is shown all the same."""
    stage.script = [(outcome, False)]
    question = await post.signed()
    post.courier.wake(HERE)
    await stage.begun.wait()
    await post.answer(question)
    stage.open.set()
    await post.delivers_by_itself()

    assert list(stage.messages.values()) == [[tells("K1")]]


async def test_a_late_answer_is_shown_as_those_may_see_it_who_read_now(post: Post) -> None:
    """What comes in its place is shown; its evidence is not; and until that is known nothing is."""
    question = await post.put(says("K1"), Part("evidence-1", {"text": "secret"}))
    unknown = iter([StorageError("away", retry=True)])

    async def look(claim: Claim) -> Outgoing | Refused:
        for error in unknown:
            raise error
        if claim.outgoing.part != "answer-1":
            return Refused("others read there")
        return replace(claim.outgoing, body={"text": "Others read here by now."})

    late = Courier(post.outbox, {"slack": post.stage}, look=look)
    late.wake(HERE)
    await post.delivers()
    await late.finish(PATIENCE)

    assert post.stage.visible(question.id) == ["Others read here by now."]
    assert [0.01] == post.outbox.pauses
