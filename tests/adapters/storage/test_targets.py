"""A reply to an answer goes on with that answer's turn; a reply to one of its sources asks about that one."""

from dataclasses import replace

import pytest

from adapters.storage.database import Database
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.threads import SqlThreads
from core.answer import Answer, Citation, Claim
from core.conversation import MessageRef, Pressed, Question, SourceAsked, Target, Thread
from core.delivery import Part
from core.facts import Place, Source, Span
from core.text import Untrusted
from tests.adapters.storage.turns import ask, finish, part

EVIDENCE = "Sources\n\n1. Leave\nVacation\n28 days\n\n2. Поездки\nБилеты\nсами"


@pytest.fixture
def threads(database: Database) -> SqlThreads:
    return SqlThreads(database, 2)


@pytest.fixture
def inbox(database: Database) -> SqlInbox:
    return SqlInbox(database)


def cited(doc_id: str, title: str, words: str) -> Citation:
    return Citation(Source(doc_id, title), Span(0, len(words)), f"{doc_id}#1", Untrusted(words), Place())


async def answered(database: Database, threads: SqlThreads, question: Question) -> tuple[MessageRef, ...]:
    """Answer with two sources; return where the answer and its evidence stand."""
    sources = (cited("leave", "Leave", "28 days"), cited("trips", "Поездки", "сами"))
    answer = Answer((Claim("28 days, by yourself.", sources, "supported"),), "en")
    await threads.close(
        question,
        [part("28 days¹˒²"), Part("evidence-1", {"text": EVIDENCE})],
        replace(finish(question), answer=answer),
    )
    outbox, shown = SqlOutbox(database, "one"), list[MessageRef]()
    while claim := await outbox.claim(("telegram", question.place)):
        shown.append(MessageRef("telegram", question.place, f"{len(shown) + 100 * int(question.message)}"))
        await outbox.sent(claim, shown[-1])
    return tuple(shown)


async def opened(threads: SqlThreads, question: Question) -> Thread:
    thread = await threads.open(question)
    assert isinstance(thread, Thread)
    return thread


async def test_a_reply_to_an_older_answer_leans_on_that_one(database: Database, threads: SqlThreads) -> None:
    """However many were asked since, also those beyond the window of the thread."""
    first = ask("How many days of leave?", message="1")
    answer, _ = await answered(database, threads, first)
    for number in (2, 3, 4):
        await answered(database, threads, ask(f"Question {number}?", message=str(number), minute=number))

    thread = await opened(threads, replace(ask("And for interns?", message="9", minute=9), answers=Target(answer)))
    plain = await opened(threads, ask("And for interns?", message="9", minute=9))

    assert thread.answers
    assert thread.answers.question == "How many days of leave?"
    assert ["Question 3?", "Question 4?"] == [turn.question for turn in thread.turns]
    assert thread.about is plain.answers is None


async def test_a_reply_to_the_evidence_asks_about_the_quoted_source(database: Database, threads: SqlThreads) -> None:
    """Without a quote it may be any of them; a reply to one's own question leans on its turn."""
    question = ask("How many days of leave?", message="1")
    _, evidence = await answered(database, threads, question)
    start = EVIDENCE.index("Билеты")
    quoted = replace(ask("Who buys them?", message="9", minute=9), answers=Target(evidence, (start, start + 6)))

    assert SourceAsked("trips", "Поездки") == (await opened(threads, quoted)).about
    whole = await opened(threads, replace(quoted, answers=Target(evidence)))
    assert whole.answers
    assert whole.about is None
    own = await opened(threads, replace(quoted, answers=Target(MessageRef("telegram", "7", "1"))))
    assert own.answers == whole.answers


@pytest.mark.parametrize(("number", "about"), [("2", SourceAsked("trips", "Поездки")), ("7", None)])
async def test_a_source_opened_elsewhere_is_the_one_with_its_number(
    database: Database, threads: SqlThreads, number: str, about: SourceAsked | None
) -> None:
    """In a thread of its own; the chat that it is opened in has nothing to do with the one that was answered."""
    question = ask("How many days of leave?", message="1")
    _, evidence = await answered(database, threads, question)
    opened_there = replace(
        ask("How many days of leave?", place="8", message="9", minute=9),
        answers=Target(evidence),
        pressed=Pressed("open", number, question.id),
    )
    thread = await opened(threads, opened_there)

    assert thread.about == about
    assert thread.answers
    assert thread.turns == ()


async def test_the_message_replied_to_is_kept_with_the_question(inbox: SqlInbox) -> None:
    """For whoever takes the question up, after a restart too."""
    target = Target(MessageRef("telegram", "7", "100"), (3, 9))
    for number, answers in enumerate((target, replace(target, span=None), None)):
        await inbox.record(replace(ask("Why?", message=str(number)), answers=answers))

        [taken] = await inbox.take(1, "one", ["telegram"])
        assert taken.answers == answers
        await inbox.withdraw(MessageRef("telegram", "7", str(number)))


async def test_a_reply_into_another_thread_leans_on_nothing(database: Database, threads: SqlThreads) -> None:
    """What one chat was told is no business of another; an unknown message is nobody's answer."""
    answer, _ = await answered(database, threads, ask("How many days of leave?", message="1"))
    elsewhere = replace(ask("And here?", place="8", message="9"), answers=Target(answer))
    strange = replace(ask("And here?", message="9"), answers=Target(MessageRef("telegram", "7", "5")))

    assert (await opened(threads, elsewhere)).answers is None
    assert (await opened(threads, strange)).answers is None
