"""What nobody addressed to the bot, in the database: kept as such, forgotten when it is not for it, told of later."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from adapters.storage.audit import SqlAudit
from adapters.storage.database import Database
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.tables import turns
from adapters.storage.threads import SqlThreads
from core.audited import Wanted
from core.conversation import AlreadyAnswered, Audience, MessageRef
from core.remarks import Around, Remark
from core.turn import Spent
from core.work import Welcome
from tests.adapters.storage.turns import ask, finish, part, refused

CHAT = ("telegram", "7")


async def test_an_overheard_question_stays_one(inbox: SqlInbox) -> None:
    """Through the line and an edit, until an edit addresses it to us."""
    heard = ask("Сколько дней?", overheard=True)
    await inbox.record(heard)
    again = replace(heard, text="Сколько недель?", version=1)
    await inbox.edit(again)
    loud = replace(heard, text="Сколько лет?", version=2, overheard=False)

    assert [again] == await inbox.take(5, "one", ("telegram",))
    await inbox.edit(loud)
    assert loud == await inbox.question(heard.id, 2)
    await inbox.edit(replace(heard, text="Сколько?", version=3))
    later = await inbox.question(heard.id, 3)
    assert later is not None
    assert not later.overheard


async def test_a_full_line_passes_it_over_without_a_word(inbox: SqlInbox, outbox: SqlOutbox) -> None:
    """It is known, and nobody works on it or says anything."""
    heard = ask("How many days?", overheard=True)

    assert await inbox.record(heard, lambda _: Welcome(silence=True))
    assert (False, (0, 0), 0) == (await inbox.record(heard), await inbox.counts(), await outbox.unsent())


@pytest.mark.parametrize("words", ["How many days?", "Сколько дней?"])
async def test_of_what_is_passed_over_without_a_word_no_word_is_kept(
    inbox: SqlInbox, threads: SqlThreads, database: Database, words: str
) -> None:
    """Neither its own nor what others said around it, whether it is new, edited, or edited after its answer."""
    silence = Welcome(silence=True)
    around = Around((Remark("И всё пропало.", datetime(2026, 1, 2, tzinfo=UTC)),))
    new, judged, answered = (ask(words, message=f"{at}", minute=at, overheard=True) for at in range(3))
    await inbox.record(replace(new, around=around), lambda _: silence)
    for heard in (judged, answered):
        await inbox.record(heard)
    await threads.pass_over(judged, "not for us", Spent())
    await threads.close(answered, [part("28")], finish(answered))
    edits = [replace(heard, text=f"{words}!", version=1, around=around) for heard in (judged, answered)]
    outcomes = [await inbox.edit(edited, lambda _: silence) for edited in edits]

    assert ["refused", "refused"] == outcomes
    assert [("", None, "done")] * 3 == await _kept(database)


async def test_of_what_is_refused_what_others_said_is_not_kept(
    inbox: SqlInbox, threads: SqlThreads, database: Database
) -> None:
    """The words of who asked us stay, and that they asked in private; those around them are of no use any more."""
    around = Around((Remark("И всё пропало.", datetime(2026, 1, 2, tzinfo=UTC)),))
    new, answered = replace(ask("Who?", message="1"), private=True), ask("Кто?", message="2", minute=1)
    await inbox.record(replace(new, around=around), refused(part("Too many questions.")))
    await inbox.record(answered)
    await threads.close(answered, [part("28")], finish(answered))
    await inbox.edit(replace(answered, text="Где?", version=1, around=around), refused(part("Слишком много.")))

    assert [("Who?", {"private": True}, "done"), ("Где?", None, "done")] == await _kept(database)


async def test_of_what_is_deleted_before_it_is_known_nothing_is_kept(inbox: SqlInbox, database: Database) -> None:
    """Neither its words nor what others said before it, whichever of the two comes first."""
    around = Around((Remark("И всё пропало.", datetime(2026, 1, 2, tzinfo=UTC)),))
    unseen = replace(ask("Кто?", message="1"), around=around)
    await inbox.withdraw(MessageRef("telegram", "7", "1"), unseen)

    assert not await inbox.record(unseen)
    assert [("", None, "withdrawn")] == await _kept(database)


async def _kept(database: Database) -> list[tuple[str, object, str]]:
    """Return the words of each question, what stands around it, and its state."""
    query = select(turns.c.text, turns.c.setting, turns.c.state).order_by(turns.c.asked_at)
    async with database.reading() as connection:
        return [(row.text, row.setting, row.state) for row in (await connection.execute(query)).all()]


async def test_what_is_not_for_us_is_forgotten_and_noted(
    inbox: SqlInbox, threads: SqlThreads, outbox: SqlOutbox, database: Database
) -> None:
    """Its words go, nothing is said, and the audit holds why; its thread is no conversation with us."""
    heard = ask("Who broke the build?", thread="t", overheard=True)
    await inbox.record(heard)
    await inbox.take(5, "one", ("telegram",))
    await threads.pass_over(heard, "not for us", Spent())
    [entry] = await SqlAudit(database).search(Wanted(), 5)

    assert ("not for us", "", heard.id) == (entry.record["passed_over"], entry.record["question"], entry.question_id)
    assert (AlreadyAnswered(heard.id), 0) == (await threads.open(heard), await outbox.unsent())
    assert not await threads.knows("t")
    assert await threads.told_by(MessageRef("telegram", "7", heard.message)) is None
    assert "build" not in str(await SqlAudit(database).search(Wanted("build"), 5))


async def test_an_edit_has_it_judged_anew(inbox: SqlInbox, threads: SqlThreads) -> None:
    """What was passed over may be a question by now, and what is passed over after an edit counts for its version."""
    heard = ask("Who broke it?", overheard=True)
    await inbox.record(heard)
    await threads.pass_over(heard, "not for us", Spent())
    again = replace(heard, text="How many days of leave?", version=1)

    assert "changed" == await inbox.edit(again)
    await threads.pass_over(heard, "too late", Spent())
    assert [again] == await inbox.take(5, "one", ("telegram",))


async def test_an_answer_to_what_was_overheard_goes_when_it_is_chatter_now(
    inbox: SqlInbox, threads: SqlThreads, outbox: SqlOutbox
) -> None:
    """Its messages are taken back as those of a question that was deleted."""
    heard = ask("How many days?", overheard=True)
    await inbox.record(heard)
    await threads.close(heard, [part("28")], finish(heard))
    claim = await outbox.claim(CHAT)
    assert claim is not None
    await outbox.sent(claim, MessageRef("telegram", "7", "900"))
    edited = replace(heard, text="never mind", version=1)
    await inbox.edit(edited)
    await threads.pass_over(edited, "by its words", Spent())
    gone = await outbox.claim(CHAT)

    assert gone is not None
    assert (None, "900") == (gone.outgoing.body, gone.outgoing.shown and gone.outgoing.shown.message)


async def test_an_answered_thread_is_a_conversation_with_us(inbox: SqlInbox, threads: SqlThreads) -> None:
    """From the answer on, not before, and not by a silent refusal."""
    first, second = ask("How many?", thread="a", overheard=True), ask("Who?", thread="b", minute=1, overheard=True)
    for heard in (first, second):
        await inbox.record(heard)
    before = await threads.knows("a")
    await threads.close(first, [part("28")], finish(first))
    await threads.close(second, (), finish(second, refusal=True))

    assert (False, True, False) == (before, await threads.knows("a"), await threads.knows("b"))


async def test_what_is_stored_is_told_by_message_thread_and_person(
    inbox: SqlInbox, threads: SqlThreads, outbox: SqlOutbox
) -> None:
    """The question itself, the answer to it, the thread's latest, and what a person asked last in a place."""
    first = ask("How many?", thread="t", groups=frozenset({"hr"}))
    second = ask("Who?", thread="t", minute=1, asker="U2")
    for question in (first, second):
        await inbox.record(question)
        await threads.close(question, [part("28")], finish(question))
    claim = await outbox.claim(CHAT)
    assert claim is not None
    await outbox.sent(claim, MessageRef("telegram", "7", "900"))
    found = [
        await threads.told_by(MessageRef("telegram", "7", first.message)),
        await threads.told_by(MessageRef("telegram", "7", "900")),
        await threads.told_last("t"),
        await threads.told_latest(CHAT, "U1"),
        await threads.told_latest(CHAT, "U3"),
        await threads.told_by(MessageRef("telegram", "8", "900")),
    ]

    assert ["How many?", "How many?", "Who?", "How many?", None, None] == [one and one.question for one in found]
    assert found[0] is not None
    assert Audience("acme", frozenset({"hr"})) == found[0].audience
    assert found[0].result is not None
    assert "How many?" == found[0].result["question"]


async def test_what_was_removed_is_told_as_gone(inbox: SqlInbox, threads: SqlThreads) -> None:
    """A question that was taken back has nothing to tell."""
    question = ask("How many?")
    await inbox.record(question)
    await threads.close(question, [part("28")], finish(question))
    ref = MessageRef("telegram", "7", question.message)
    await inbox.withdraw(ref)

    assert await threads.told_by(ref) is None
