"""What every implementation of the port `Threads` keeps."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import timedelta, timezone
from functools import partial
from pathlib import Path

import pytest

from adapters.storage.database import open_database
from adapters.storage.threads import SqlThreads
from core.conversation import AlreadyAnswered, MessageRef, Question, Thread, Turn
from core.ports import Threads
from tests.adapters.storage.turns import ask, finish

WINDOW = 3
Opened = Callable[[], AbstractAsyncContextManager[Threads]]


@asynccontextmanager
async def _sqlite(folder: Path) -> AsyncIterator[Threads]:
    database = open_database(folder / "footnote.db")
    await database.prepare()
    yield SqlThreads(database, WINDOW)
    await database.close()


@pytest.fixture(params=[_sqlite], ids=["sqlite"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    """Open the threads of one place; doing it again is a restart."""
    return partial(request.param, tmp_path)


@pytest.fixture
async def threads(opened: Opened) -> AsyncIterator[Threads]:
    """Give threads that nobody has written in."""
    async with opened() as empty:
        yield empty


async def _answer(threads: Threads, question: Question) -> None:
    await threads.record(question)
    await threads.open(question)
    await threads.close(finish(question))


async def _earlier(threads: Threads, question: Question) -> list[str]:
    thread = await threads.open(question)
    assert isinstance(thread, Thread)
    return [turn.question for turn in thread.turns]


async def test_a_question_is_recorded_once(threads: Threads) -> None:
    """The second delivery of one message is known."""
    question = ask("Where is RAG used?")

    assert [await threads.record(question), await threads.record(question)] == [True, False]


async def test_of_many_deliveries_at_once_one_is_new(threads: Threads) -> None:
    """However many deliveries arrive together, exactly one of them is to be answered."""
    question = ask("Where is RAG used?")

    new = await asyncio.gather(*(threads.record(question) for _ in range(50)))

    assert new.count(True) == 1


async def test_a_recorded_question_is_open(threads: Threads) -> None:
    """A question that was recorded and never finished can be worked on, after a crash too."""
    question = ask("Where is RAG used?")
    await threads.record(question)

    assert Thread(question.thread) == await threads.open(question)
    assert Thread(question.thread) == await threads.open(question)


async def test_opening_an_unknown_question_records_it(threads: Threads) -> None:
    """What is worked on is known."""
    question = ask("Where is RAG used?")

    assert Thread(question.thread) == await threads.open(question)
    assert await threads.record(question) is False


async def test_a_finished_question_is_not_opened_again(threads: Threads) -> None:
    """A question is answered once."""
    question = ask("Where is RAG used?")
    await _answer(threads, question)

    assert AlreadyAnswered(question.id) == await threads.open(question)


async def test_an_unrecorded_question_can_be_closed(threads: Threads) -> None:
    """A finished turn is never lost, also when nobody announced it."""
    question = ask("Where is RAG used?")
    await threads.close(finish(question))

    assert AlreadyAnswered(question.id) == await threads.open(question)


async def test_closing_twice_is_closing_once(threads: Threads) -> None:
    """A repeated last step leaves one turn."""
    record = finish(ask("Where is RAG used?"))
    await threads.close(record)
    await threads.close(record)

    assert await _earlier(threads, ask("And in Aston?", minute=1)) == ["Where is RAG used?"]


async def test_a_turn_keeps_what_a_follow_up_may_carry(threads: Threads) -> None:
    """The user's words, the question in full, its entities, whether it was answered, and when it was asked."""
    first = ask("А какие проекты в Aston?")
    await threads.close(
        finish(first, standalone="Какие проекты в Aston? Ёж 🦔", entities=("aston", "rag"), refusal=True)
    )

    expected = Turn(
        first.text, "Какие проекты в Aston? Ёж 🦔", ("aston", "rag"), answered=False, asked_at=first.asked_at
    )
    assert Thread(first.thread, (expected,)) == await threads.open(ask("А где RAG?", minute=1))


async def test_the_window_holds_the_last_turns_oldest_first(threads: Threads) -> None:
    """A long thread gives back its last turns in the order in which they were asked."""
    for minute in (4, 1, 3, 0, 2):
        await _answer(threads, ask(f"question {minute}", minute=minute))

    assert await _earlier(threads, ask("next", minute=5)) == ["question 2", "question 3", "question 4"]


async def test_questions_of_one_second_keep_their_order(threads: Threads) -> None:
    """Where a platform's clock has whole seconds, the question that was answered first came first."""
    for place, text in enumerate(("first", "second", "third")):
        await threads.close(finish(ask(text, message=f"{9 - place}"), seconds=1.0 + place))

    assert await _earlier(threads, ask("fourth", message="0")) == ["first", "second", "third"]


async def test_only_finished_earlier_turns_of_the_thread_count(threads: Threads) -> None:
    """Open questions, later questions and other threads are no part of what came before."""
    await _answer(threads, ask("before", minute=0))
    await threads.record(ask("still open", minute=1))
    await _answer(threads, ask("elsewhere", minute=2, thread="telegram:8"))
    await _answer(threads, ask("after", minute=9))

    assert await _earlier(threads, ask("now", minute=5)) == ["before"]


async def test_threads_survive_a_restart(opened: Opened) -> None:
    """What was said is there when the bot is started again, what was unfinished is still open."""
    unfinished = ask("Кто там?", minute=1)
    async with opened() as threads:
        await _answer(threads, ask("Где применял RAG?"))
        await threads.record(unfinished)
    async with opened() as threads:
        assert await threads.record(unfinished) is False
        assert await _earlier(threads, unfinished) == ["Где применял RAG?"]


async def test_a_reply_to_our_message_finds_the_thread(threads: Threads) -> None:
    """Every message that carries an answer leads to its thread, also when it is reported twice."""
    question = ask("Where is RAG used?", thread="telegram:-100:5")
    answer, evidence = (MessageRef("telegram", "-100", number) for number in ("11", "12"))
    await threads.record(question)
    await threads.delivered(question, [answer])
    await threads.delivered(question, [answer, evidence])

    assert [question.thread] * 2 == [await threads.thread_of(ref) for ref in (answer, evidence)]


async def test_a_reply_to_a_question_finds_the_thread(threads: Threads) -> None:
    """A user's message whose reference is the id of a question belongs to the question's thread."""
    question = ask("Where is RAG used?", message="5")
    await threads.record(question)

    assert question.thread == await threads.thread_of(MessageRef("telegram", question.thread, "5"))


async def test_a_strange_message_has_no_thread(threads: Threads) -> None:
    """Nothing is guessed: the same number in another place is another message."""
    question = ask("Where is RAG used?")
    await threads.record(question)
    await threads.delivered(question, [MessageRef("telegram", "7", "11")])
    await threads.delivered(question, [])

    assert await threads.thread_of(MessageRef("telegram", "8", "11")) is None


async def test_a_thread_is_known_from_its_first_question(threads: Threads) -> None:
    """A thread is ours as soon as a question in it is recorded, and not before."""
    question = ask("Where is RAG used?")
    before = await threads.knows(question.thread)
    await threads.record(question)

    assert [before, await threads.knows(question.thread)] == [False, True]


async def test_the_zone_of_a_question_does_not_matter(threads: Threads) -> None:
    """A moment is stored, not what a clock on a wall showed."""
    first = ask("Где применял RAG?")
    in_moscow = replace(first, asked_at=first.asked_at.astimezone(timezone(timedelta(hours=3))))
    await threads.close(finish(in_moscow))
    thread = await threads.open(ask("А в Aston?", minute=1))

    assert isinstance(thread, Thread)
    assert thread.last is not None
    assert (first.asked_at, timedelta(0)) == (thread.last.asked_at, thread.last.asked_at.utcoffset())
