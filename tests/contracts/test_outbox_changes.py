"""Messages that are refused, lost, changed and taken back, on each database."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from adapters.storage.database import Database
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.threads import SqlThreads
from core.conversation import MessageRef, Question
from core.delivery import Part
from core.work import NOTE
from tests.adapters.storage.turns import ask, part, signed
from tests.contracts.letters import BUTTON, HERE, at, claimed, reply, show_all, states, text_of


async def test_what_is_refused_is_given_up(outbox: SqlOutbox, threads: SqlThreads, database: Database) -> None:
    """It is not tried again, and what follows it is."""
    await threads.close(ask("a"), reply("too long", "next"))
    await outbox.refused(await claimed(outbox), "too long")

    assert ["next"] == await show_all(outbox)
    assert {"answer-1": "refused", "answer-2": "sent"} == await states(database)
    assert await outbox.unsent() == 0


async def _lose(outbox: SqlOutbox, count: int = 1) -> None:
    for _ in range(count):
        await outbox.doubted(await claimed(outbox), 0, "no reply")
        await outbox.unknown(await claimed(outbox), BUTTON)


async def test_what_is_lost_is_offered_and_shown_where_it_was_offered(outbox: SqlOutbox, threads: SqlThreads) -> None:
    """One note for all that was lost of a reply; its press shows it, the first message in the note's place, once."""
    question = ask("Где применял RAG?")
    await threads.close(question, reply("one", "two", "three"))
    await _lose(outbox)
    note = await claimed(outbox)
    await outbox.sent(note, at("note"))
    await _lose(outbox)
    offered = await show_all(outbox)
    pressed = [await outbox.show_again(question.id, at("note")), await outbox.show_again(question.id, at("note"))]
    first, rest = await claimed(outbox), []
    await outbox.sent(first, at("note"))
    rest = await show_all(outbox)

    assert (NOTE, BUTTON, ["three"]) == (note.outgoing.part, note.outgoing.body, offered)
    assert [True, False] == pressed
    assert ("one", at("note"), False) == (text_of(first), first.outgoing.shown, first.in_doubt)
    assert ["two"] == rest


async def test_what_is_lost_again_is_offered_again(outbox: SqlOutbox, threads: SqlThreads) -> None:
    """A note that was pressed can come back."""
    question = ask("a")
    await threads.close(question, reply("one"))
    for number in range(2):
        await _lose(outbox)
        note = await claimed(outbox)
        await outbox.sent(note, at(f"note-{number}"))
        assert (NOTE, None) == (note.outgoing.part, note.outgoing.shown)
        assert await outbox.show_again(question.id, at(f"note-{number}"))

    assert ["one"] == await show_all(outbox)


async def test_a_note_that_came_twice_goes_when_it_is_pressed(outbox: SqlOutbox, threads: SqlThreads) -> None:
    """The other one has become the answer, which stays, however often either is pressed."""
    question = ask("Где применял RAG?")
    await threads.close(question, reply("one"))
    await _lose(outbox)
    await outbox.sent(await claimed(outbox), at("note"))
    assert await outbox.show_again(question.id, at("note"))
    shown = await claimed(outbox)
    await outbox.sent(shown, at("note"))
    pressed = [await outbox.show_again(question.id, at(name)) for name in ("note", "stray", "stray")]
    stray = await claimed(outbox)
    await outbox.sent(stray, None)

    assert (at("note"), [False, True, False]) == (shown.outgoing.shown, pressed)
    assert (None, at("stray"), False) == (stray.outgoing.body, stray.outgoing.shown, stray.final)
    assert await outbox.unsent() == 0
    assert not await outbox.show_again("telegram:7:99", at("stray"))


async def test_a_reply_is_shown_again_in_its_own_chat_alone(outbox: SqlOutbox, threads: SqlThreads) -> None:
    """A client may send any words as a button's: another chat's reply is neither shown nor lets a message go there."""
    other, question = ask("What did you use?"), ask("Где применял RAG?", minute=2)
    await threads.close(other, reply("another answer"))
    stands = at("another")
    await outbox.sent(await claimed(outbox), stands)
    await threads.close(question, reply("one"))
    await _lose(outbox)
    await outbox.sent(await claimed(outbox), at("note"))
    elsewhere = MessageRef("telegram", "222", "77")
    before = [await outbox.show_again(question.id, where) for where in (elsewhere, stands)]
    shown = await outbox.show_again(question.id, at("note"))
    await outbox.sent(await claimed(outbox), at("note"))
    after = [await outbox.show_again(question.id, where) for where in (elsewhere, stands)]

    assert ([False, False], True, [False, False]) == (before, shown, after)
    assert await outbox.unsent() == 0


async def test_a_press_at_two_replicas_shows_it_once(outboxes: list[SqlOutbox], threads: SqlThreads) -> None:
    """However often the button is pressed."""
    question = ask("a")
    await threads.close(question, reply("one"))
    await _lose(outboxes[0])
    pressed = await asyncio.gather(*(replica.show_again(question.id, at("note")) for replica in outboxes))

    assert pressed.count(True) == 1
    assert ["one"] == await show_all(outboxes[1])


async def test_nothing_is_shown_again_that_was_not_lost(outbox: SqlOutbox, threads: SqlThreads) -> None:
    """An old button does nothing."""
    question = ask("a")
    await threads.close(question, reply("one"))
    await show_all(outbox)

    assert await outbox.show_again(question.id, at("note")) is False
    assert await outbox.show_again("telegram:7:unheard", at("note")) is False


async def test_a_sign_that_is_lost_is_not_offered(outbox: SqlOutbox, inbox: SqlInbox) -> None:
    """Without a note nothing is said."""
    await inbox.record(ask("a"), signed(part("Ищу…")))
    await outbox.unknown(await claimed(outbox), None)

    assert await show_all(outbox) == []


async def test_a_new_answer_takes_the_place_of_a_lost_one_and_of_its_note(
    outbox: SqlOutbox, inbox: SqlInbox, threads: SqlThreads
) -> None:
    """After an edit there is nothing left to be offered."""
    question = ask("a")
    edited = replace(question, text="b", version=1)
    await inbox.record(question)
    await threads.close(question, reply("one"))
    await _lose(outbox)
    await outbox.sent(await claimed(outbox), at("note"))
    await inbox.edit(edited)
    await threads.close(edited, reply("new"))

    assert {"new", None} == set(await show_all(outbox))
    await outbox.show_again(question.id, at("note"))
    assert {None} >= set(await show_all(outbox))


async def _answer_twice(inbox: SqlInbox, threads: SqlThreads, before: Sequence[Part], now: Sequence[Part]) -> Question:
    question = ask("a")
    edited = replace(question, text="b", version=1)
    await inbox.record(question)
    await threads.close(question, before)
    await inbox.edit(edited)
    await threads.close(edited, now)
    return question


async def test_parts_that_fall_away_before_they_were_seen_are_never_sent(
    outbox: SqlOutbox, inbox: SqlInbox, threads: SqlThreads
) -> None:
    """A shorter answer that comes in time is all that is seen."""
    await _answer_twice(inbox, threads, reply("1", "2", "3"), reply("new"))

    assert ["new"] == await show_all(outbox)


async def test_parts_that_fall_away_after_they_were_seen_go(
    outbox: SqlOutbox, inbox: SqlInbox, threads: SqlThreads, database: Database
) -> None:
    """What no longer belongs to the answer is deleted; what does is edited, and what is new is added."""
    question, edited = ask("a"), replace(ask("a"), text="b", version=1)
    await inbox.record(question)
    await threads.close(question, [*reply("1", "2"), part("p. 1", "evidence-1")])
    await show_all(outbox)
    await inbox.edit(edited)
    await threads.close(edited, [*reply("new"), part("p. 2", "evidence-1"), part("p. 3", "evidence-2")])

    assert Counter([None, "new", "p. 2", "p. 3"]) == Counter(await show_all(outbox))
    assert {"answer-1": "sent", "answer-2": "gone", "evidence-1": "sent", "evidence-2": "sent"} == await states(
        database
    )


async def test_a_part_that_fell_away_can_come_back(outbox: SqlOutbox, inbox: SqlInbox, threads: SqlThreads) -> None:
    """As a new message: the old one is gone."""
    question = ask("a")
    await inbox.record(question)
    await threads.close(question, reply("1", "2"))
    await show_all(outbox)
    for version, texts in ((1, ["short"]), (2, ["long", "again"])):
        edited = replace(question, text=f"v{version}", version=version)
        await inbox.edit(edited)
        await threads.close(edited, reply(*texts))
        if version == 1:
            await show_all(outbox)

    claims = [await claimed(outbox)]
    await outbox.sent(claims[0], claims[0].outgoing.shown)
    claims.append(await claimed(outbox))
    assert [("long", True), ("again", False)] == [(text_of(c), c.outgoing.shown is not None) for c in claims]


@pytest.mark.parametrize("end", ["sent", "later", "doubted", "refused", "unknown"])
async def test_what_is_taken_back_while_it_is_sent_does_not_stay(
    outbox: SqlOutbox, inbox: SqlInbox, threads: SqlThreads, end: str
) -> None:
    """If it has arrived it is deleted, if nobody knows somebody looks, and if it surely has not there is nothing."""
    question = ask("a", message="5")
    await inbox.record(question)
    await threads.close(question, reply("1", "2"))
    claim = await claimed(outbox)
    await inbox.withdraw(at("5"))
    match end:
        case "sent":
            await outbox.sent(claim, at(40))
        case "later":
            await outbox.later(claim, 0, "wait", whole_place=False)
        case "doubted":
            await outbox.doubted(claim, 0, "no reply")
        case "refused":
            await outbox.refused(claim, "too long")
        case _:
            await outbox.unknown(claim, BUTTON)

    left = await outbox.claim(HERE)
    if end in ("later", "refused"):
        assert left is None
        return
    assert left is not None
    expected = (None, at(40), False) if end == "sent" else (None, None, True)
    assert expected == (left.outgoing.body, left.outgoing.shown, left.in_doubt)
    await outbox.sent(left, None)
    assert await show_all(outbox) == []
    assert await outbox.unsent() == 0


async def test_a_removal_that_is_refused_is_given_up(outbox: SqlOutbox, inbox: SqlInbox) -> None:
    """A message that a platform does not let go stays, and nobody tries for ever."""
    await inbox.record(ask("a", message="5"), signed(part("Ищу…")))
    await show_all(outbox)
    await inbox.withdraw(at("5"))
    await outbox.refused(await claimed(outbox), "too old")

    assert await show_all(outbox) == []


async def test_of_many_answers_at_once_none_is_mixed(outboxes: list[SqlOutbox], threads: SqlThreads) -> None:
    """Replies that are stored at the same moment in one thread are shown one after the other."""
    stores = [SqlThreads(replica._database, 3) for replica in outboxes]
    questions = [ask(str(n), message=str(n)) for n in range(12)]
    await asyncio.gather(
        *(stores[n % 4].close(q, reply(*(f"{q.text} {x}" for x in "abc"))) for n, q in enumerate(questions))
    )

    shown = [str(text).split() for text in await show_all(outboxes[0])]
    assert ["a", "b", "c"] * 12 == [letter for _, letter in shown]
    assert all(len({number for number, _ in shown[n : n + 3]}) == 1 for n in range(0, 36, 3))


async def test_a_message_of_ours_leads_to_its_thread_also_when_it_was_taken_over(
    outbox: SqlOutbox, other: SqlOutbox, threads: SqlThreads
) -> None:
    """Who sent it does not matter to the one who replies to it."""
    await threads.close(ask("a"), reply("one"))
    claim = await claimed(outbox)
    await other.take_over("one")
    await outbox.sent(claim, at(40))

    assert "telegram:7" == await threads.thread_of(at(40))
