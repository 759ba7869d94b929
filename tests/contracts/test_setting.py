"""How a question was asked, beside its words, on each database: kept with it, and forgotten with it."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select

from adapters.storage.database import Database
from adapters.storage.inbox import SqlInbox
from adapters.storage.tables import turns
from adapters.storage.threads import SqlThreads
from core.conversation import MessageRef, Question
from core.remarks import Around, Remark
from core.text import Untrusted
from core.turn import Spent
from tests.adapters.storage.turns import ask, finish

HERE = ("telegram",)
SAID = (Remark("Куда делся склад?", datetime(2026, 5, 4, 9, tzinfo=UTC)), Remark("No idea", datetime.now(UTC)))
UNREAD = Around(spoken="ru")


async def kept(inbox: SqlInbox, question: Question) -> Question | None:
    """Return the question as another process finds it."""
    return await inbox.question(question.id, question.version)


@pytest.mark.parametrize(
    "known",
    [
        *({}, {"private": True}, {"around": UNREAD}, {"around": Around(SAID, "en"), "private": True}),
        {"around": Around((), brought=Untrusted("Отпуск — 28 дней, «they say»"))},
        {"reads": "ru"},
        {"unasked": True},
    ],
)
async def test_it_comes_back_as_it_was(inbox: SqlInbox, known: dict[str, Any]) -> None:
    """What stood around a question, unread or read, and whether it is private."""
    question = replace(ask("Что там?"), **known)
    await inbox.record(question)

    assert question == await kept(inbox, question)
    assert [question] == await inbox.take(1, "one", HERE)


async def test_what_was_read_is_kept_with_the_question(inbox: SqlInbox) -> None:
    """Whoever takes it up after a crash answers the same: the words that were found, and those around them."""
    question = replace(ask(""), around=UNREAD)
    await inbox.record(question)
    read = replace(question, text=SAID[0].text, around=Around(SAID))
    await inbox.settle(read)

    assert read == await kept(inbox, question)


async def test_an_edited_question_is_read_anew(inbox: SqlInbox) -> None:
    """What was found for its old words, too late, changes nothing; its thread is unread again."""
    question = replace(ask(""), around=UNREAD)
    await inbox.record(question)
    await inbox.settle(replace(question, text="Where is it?", around=Around(SAID)))
    edited = replace(question, text="Кто там?", version=1)
    await inbox.edit(edited)
    await inbox.settle(replace(question, text="Where is it?", around=Around(SAID)))

    assert edited == await kept(inbox, edited)


async def test_words_that_come_after_their_comment_are_news(inbox: SqlInbox) -> None:
    """Though the comment stays as it was; the same once more is none, and an edit of the comment keeps them."""
    question = ask("Это ещё так?")
    await inbox.record(question)
    joined = replace(question, version=1, around=Around((), brought=Untrusted("Отпуск — 28 дней")))

    assert ["changed", "same"] == [await inbox.edit(joined) for _ in range(2)]
    edited = replace(question, text="А это правда?", version=10**9)
    assert await inbox.edit(edited) == "changed"
    assert replace(edited, around=joined.around) == await kept(inbox, edited)


async def test_what_others_said_goes_with_the_question(inbox: SqlInbox, database: Database) -> None:
    """A question that is taken back leaves none of it."""
    question = replace(ask("Что там?"), around=Around(SAID))
    await inbox.record(question)
    await inbox.withdraw(MessageRef("telegram", question.place, question.message))
    async with database.reading() as connection:
        rows = (await connection.execute(select(turns.c.setting))).all()

    assert [None] == [row.setting for row in rows]


@pytest.mark.parametrize("private", [True, False])
async def test_what_others_said_goes_once_the_question_is_answered(
    inbox: SqlInbox, database: Database, *, private: bool
) -> None:
    """Nothing needs it then, so that nobody's words stay with the question of somebody else; privacy stays."""
    question = replace(ask("Что там?"), around=Around(SAID), private=private)
    await inbox.record(question)
    await SqlThreads(database, 3).close(question, [], finish(question))
    overheard = replace(ask("Кто там?", message="2"), around=Around(SAID), overheard=True)
    await inbox.record(overheard)
    await SqlThreads(database, 3).pass_over(overheard, "small talk", Spent())
    async with database.reading() as connection:
        rows = (await connection.execute(select(turns.c.setting).order_by(turns.c.question_id))).all()

    assert [{"private": True} if private else None, None] == [row.setting for row in rows]
