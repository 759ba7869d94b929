"""What every implementation of the port `Threads` keeps."""

from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from adapters.storage.database import Database, open_database
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.threads import SqlThreads
from core.conversation import AlreadyAnswered, MessageRef, Question, Thread, Turn
from tests.adapters.storage.turns import ask, finish, part, signed

WINDOW = 3


@pytest.fixture
def threads(database: Database) -> SqlThreads:
    """Return threads that nobody has written in."""
    return SqlThreads(database, WINDOW)


@pytest.fixture
def inbox(database: Database) -> SqlInbox:
    """Return the line of the same database."""
    return SqlInbox(database)


@pytest.fixture
def outbox(database: Database) -> SqlOutbox:
    """Return the messages of the same database."""
    return SqlOutbox(database, "one")


async def _answer(threads: SqlThreads, question: Question, seconds: float = 2.0) -> None:
    await threads.close(question, [part("It is there.")], finish(question, seconds=seconds))


async def _earlier(threads: SqlThreads, question: Question) -> list[str]:
    thread = await threads.open(question)
    assert isinstance(thread, Thread)
    return [turn.question for turn in thread.turns]


async def _shown(outbox: SqlOutbox, place: str) -> list[str]:
    texts = []
    while claim := await outbox.claim(("telegram", place)):
        texts.append(str((claim.outgoing.body or {}).get("text")))
        await outbox.sent(claim, MessageRef("telegram", place, f"sent-{claim.outgoing.id}"))
    return texts


async def test_a_recorded_question_is_open(threads: SqlThreads, inbox: SqlInbox) -> None:
    """A question that was recorded and never finished can be worked on, after a crash too."""
    question = ask("Where is RAG used?")
    await inbox.record(question)

    assert Thread(question.thread) == await threads.open(question)
    assert Thread(question.thread) == await threads.open(question)


async def test_an_unknown_question_is_open(threads: SqlThreads) -> None:
    """What is asked at the console stands in no line."""
    question = ask("Where is RAG used?")

    assert Thread(question.thread) == await threads.open(question)


async def test_a_finished_question_is_not_opened_again(threads: SqlThreads, inbox: SqlInbox) -> None:
    """A question is answered once."""
    question = ask("Where is RAG used?")
    await inbox.record(question)
    await _answer(threads, question)

    assert AlreadyAnswered(question.id) == await threads.open(question)


async def test_a_question_that_was_taken_back_is_not_opened(threads: SqlThreads, inbox: SqlInbox) -> None:
    """Nobody waits for an answer to it."""
    question = ask("Where is RAG used?", message="5")
    await inbox.record(question)
    await inbox.withdraw(MessageRef("telegram", "7", "5"))

    assert AlreadyAnswered(question.id) == await threads.open(question)


async def test_a_question_that_reads_otherwise_by_now_is_not_opened(threads: SqlThreads, inbox: SqlInbox) -> None:
    """Work on the old words ends; the new ones are open."""
    question = ask("Where is RAG used?")
    edited = replace(question, text="Where are graphs used?", version=1)
    await inbox.record(question)
    await inbox.edit(edited)

    assert [AlreadyAnswered(question.id), Thread(question.thread)] == [
        await threads.open(question),
        await threads.open(edited),
    ]


async def test_an_unrecorded_question_can_be_closed(threads: SqlThreads) -> None:
    """A finished turn is never lost, also when nobody announced it."""
    question = ask("Where is RAG used?")
    await _answer(threads, question)

    assert AlreadyAnswered(question.id) == await threads.open(question)


async def test_closing_says_the_reply_once(threads: SqlThreads, outbox: SqlOutbox) -> None:
    """A repeated last step leaves one turn and one reply, whatever it says the second time."""
    question = ask("Where is RAG used?")
    for text in ("In Aston.", "In Aston and elsewhere."):
        await threads.close(question, [part(text), part("p. 3", "evidence-1")], finish(question))

    assert await _earlier(threads, ask("And in Aston?", minute=1)) == ["Where is RAG used?"]
    assert await _shown(outbox, question.place) == ["In Aston.", "p. 3"]


async def test_closing_takes_the_place_of_the_sign(threads: SqlThreads, inbox: SqlInbox, outbox: SqlOutbox) -> None:
    """A sign that nobody has seen yet is not shown when the answer is there."""
    question = ask("Где применял RAG?")
    await inbox.record(question, signed(part("Ищу…")))
    await _answer(threads, question)

    assert await _shown(outbox, question.place) == ["It is there."]


async def test_closing_after_an_edit_changes_nothing(threads: SqlThreads, inbox: SqlInbox, outbox: SqlOutbox) -> None:
    """An answer to words that no longer stand is not shown and not remembered; the question goes on waiting."""
    question = ask("Где применял RAG?")
    edited = replace(question, text="Где применял графы?", version=1)
    await inbox.record(question)
    await inbox.take(1, "one", ["telegram"])
    await inbox.edit(edited)
    await _answer(threads, question)

    assert (1, 0) == await inbox.counts()
    assert edited == await inbox.question(question.id, 1)
    assert await _shown(outbox, question.place) == []


async def test_closing_after_a_withdrawal_changes_nothing(
    threads: SqlThreads, inbox: SqlInbox, outbox: SqlOutbox
) -> None:
    """What was taken back stays so."""
    question = ask("Где применял RAG?", message="5")
    await inbox.record(question)
    await inbox.withdraw(MessageRef("telegram", "7", "5"))
    await _answer(threads, question)

    assert await _earlier(threads, ask("А в Aston?", minute=1)) == []
    assert await _shown(outbox, question.place) == []


async def test_an_edited_question_is_remembered_as_it_reads_last(threads: SqlThreads, inbox: SqlInbox) -> None:
    """The turn of a question that was answered twice is its second one."""
    question = ask("Где применял RAG?")
    edited = replace(question, text="Где применял графы?", version=1)
    await inbox.record(question)
    await _answer(threads, question)
    await inbox.edit(edited)
    between = await _earlier(threads, ask("А в Aston?", minute=1))
    await _answer(threads, edited)

    assert [[], ["Где применял графы?"]] == [between, await _earlier(threads, ask("А в Aston?", minute=1))]


async def test_what_was_not_answered_from_documents_is_no_turn(threads: SqlThreads, outbox: SqlOutbox) -> None:
    """A question back, or an apology, is said and closes the question, and a follow-up carries nothing on from it."""
    question = ask("А он?")
    await threads.close(question, [part("Кто именно?")])

    assert AlreadyAnswered(question.id) == await threads.open(question)
    assert await _earlier(threads, ask("Иван", minute=1)) == []
    assert await _shown(outbox, question.place) == ["Кто именно?"]


async def test_a_turn_keeps_what_a_follow_up_may_carry(threads: SqlThreads) -> None:
    """The user's words, the question in full, its entities, those of its answer, whether it was answered, and when."""
    first = ask("А какие проекты в Aston?")
    full = "Какие проекты в Aston? Ёж 🦔"
    told = (("aston",), (), ("rag", "ёж"))
    record = replace(finish(first, standalone=full, entities=("aston", "rag"), refusal=True), told=told)
    await threads.close(first, [], record)

    expected = Turn(first.text, full, ("aston", "rag"), answered=False, asked_at=first.asked_at, told=told)
    assert Thread(first.thread, (expected,)) == await threads.open(ask("А где RAG?", minute=1))


async def test_the_window_holds_the_last_turns_oldest_first(threads: SqlThreads) -> None:
    """A long thread gives back its last turns in the order in which they were asked."""
    for minute in (4, 1, 3, 0, 2):
        await _answer(threads, ask(f"question {minute}", minute=minute))

    assert await _earlier(threads, ask("next", minute=5)) == ["question 2", "question 3", "question 4"]


async def test_questions_of_one_second_keep_their_order(threads: SqlThreads) -> None:
    """Where a platform's clock has whole seconds, the question that was answered first came first."""
    for nth, text in enumerate(("first", "second", "third")):
        await _answer(threads, ask(text, message=f"{9 - nth}"), seconds=1.0 + nth)

    assert await _earlier(threads, ask("fourth", message="0")) == ["first", "second", "third"]


async def test_only_finished_earlier_turns_of_the_thread_count(threads: SqlThreads, inbox: SqlInbox) -> None:
    """Open questions, later questions and other threads are no part of what came before."""
    await _answer(threads, ask("before", minute=0))
    await inbox.record(ask("still open", minute=1))
    await _answer(threads, ask("elsewhere", minute=2, place="8"))
    await _answer(threads, ask("after", minute=9))

    assert await _earlier(threads, ask("now", minute=5)) == ["before"]


async def test_threads_survive_a_restart(place: str) -> None:
    """What was said is there when the bot is started again, what was unfinished is still open."""
    unfinished = ask("Кто там?", minute=1)
    before = open_database(place)
    await _answer(SqlThreads(before, WINDOW), ask("Где применял RAG?"))
    await SqlInbox(before).record(unfinished)
    await before.close()
    after = open_database(place)
    await after.prepare()

    assert await SqlInbox(after).record(unfinished) is False
    assert await _earlier(SqlThreads(after, WINDOW), unfinished) == ["Где применял RAG?"]
    await after.close()


async def test_a_reply_to_our_message_finds_the_thread(threads: SqlThreads, outbox: SqlOutbox) -> None:
    """Every message that carries an answer leads to its thread."""
    question = ask("Where is RAG used?", place="-100", thread="telegram:-100:5")
    await threads.close(question, [part("In Aston."), part("p. 3", "evidence-1")], finish(question))
    for number in ("11", "12"):
        claim = await outbox.claim(("telegram", "-100"))
        assert claim is not None
        await outbox.sent(claim, MessageRef("telegram", "-100", number))

    refs = (MessageRef("telegram", "-100", number) for number in ("11", "12"))
    assert [question.thread] * 2 == [await threads.thread_of(ref) for ref in refs]


async def test_a_reply_to_a_question_finds_the_thread(threads: SqlThreads, inbox: SqlInbox) -> None:
    """A user's message whose reference is the id of a question belongs to the question's thread."""
    question = ask("Where is RAG used?", message="5")
    await inbox.record(question)

    assert question.thread == await threads.thread_of(MessageRef("telegram", "7", "5"))


async def test_a_strange_message_has_no_thread(threads: SqlThreads, inbox: SqlInbox, outbox: SqlOutbox) -> None:
    """Nothing is guessed: the same number in another place is another message."""
    await inbox.record(ask("Where is RAG used?"), signed(part("…")))
    await _shown(outbox, "7")

    assert await threads.thread_of(MessageRef("telegram", "8", "sent-1")) is None
    assert await threads.thread_of(MessageRef("telegram", "7", "sent-1")) == "telegram:7"


async def test_a_thread_is_known_from_its_first_question(threads: SqlThreads, inbox: SqlInbox) -> None:
    """A thread is ours as soon as a question in it is recorded, and not before."""
    question = ask("Where is RAG used?")
    before = await threads.knows(question.thread)
    await inbox.record(question)

    assert [before, await threads.knows(question.thread)] == [False, True]


async def test_the_zone_of_a_question_does_not_matter(threads: SqlThreads) -> None:
    """A moment is stored, not what a clock on a wall showed."""
    first = ask("Где применял RAG?")
    await _answer(threads, replace(first, asked_at=first.asked_at.astimezone(timezone(timedelta(hours=3)))))
    thread = await threads.open(ask("А в Aston?", minute=1))

    assert isinstance(thread, Thread)
    assert thread.last is not None
    assert (first.asked_at, timedelta(0)) == (thread.last.asked_at, thread.last.asked_at.utcoffset())


async def test_what_was_asked_last_tells_how_people_speak(threads: SqlThreads, inbox: SqlInbox) -> None:
    """Somebody's own words or anybody's, in that place alone, answered or not; nothing of what was only overheard."""
    await threads.close(ask("How?", asker="U1"), [])
    for minute, (words, asker, place) in enumerate(
        [("Как?", "U2", "7"), ("Wie?", "U1", "8"), ("", "U1", "7")], start=1
    ):
        await inbox.record(ask(words, asker=asker, place=place, minute=minute))
    await inbox.record(ask("Who?", asker="U1", minute=9, overheard=True))
    here = ("telegram", "7")

    assert [["How?"], ["Как?"], ["Как?", "How?"]] == [
        await threads.asked_last(here, each) for each in ("U1", "U2", None)
    ]
    assert await threads.asked_last(here, "U9") == []
    assert await threads.asked_last(("slack", "7"), None) == []
