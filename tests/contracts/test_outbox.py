"""The messages to be seen, on each database: each claimed by one, in order, and never lost whatever becomes of it."""

import asyncio
from collections import Counter, defaultdict
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.threads import SqlThreads
from core.delivery import FIRST
from tests.adapters.storage.turns import ask, part, signed
from tests.contracts.letters import BUTTON, HERE, at, claimed, reply, show_all, text_of


async def test_a_message_says_what_it_belongs_to(outbox: SqlOutbox, threads: SqlThreads) -> None:
    """Where it goes, under what, in whose answer, and that nobody has seen it."""
    question = ask("Где применял RAG?", message="12", root="5", thread="telegram:7:5")
    before = datetime.now(UTC)
    await threads.close(question, [part("В Aston. Ёж 🦔")])
    claim = await claimed(outbox)

    sent = claim.outgoing
    assert (question.id, FIRST, {"text": "В Aston. Ёж 🦔"}) == (sent.question, sent.part, sent.body)
    assert (at("12"), "5", None, None) == (sent.asked, sent.root, sent.shown, sent.first)
    assert (1, "telegram:7:5", True, False, 0) == (
        claim.version,
        claim.thread,
        claim.final,
        claim.in_doubt,
        claim.tried,
    )
    assert before <= claim.waiting_since <= datetime.now(UTC)


async def test_messages_of_a_thread_come_one_after_the_other(outbox: SqlOutbox, threads: SqlThreads) -> None:
    """The next one is not claimed by anybody before the first is settled."""
    await threads.close(ask("a"), reply("one", "two"))
    await threads.close(ask("b", minute=1), reply("three"))

    first = await claimed(outbox)
    assert await outbox.claim(HERE) is None
    await outbox.sent(first, at(1))
    assert ["two", "three"] == await show_all(outbox)


async def test_threads_of_a_place_do_not_wait_for_each_other(outbox: SqlOutbox, threads: SqlThreads) -> None:
    """What holds up one conversation does not hold up another in the same chat."""
    await threads.close(ask("a", thread="t1"), reply("slow", "after it"))
    await threads.close(ask("b", thread="t2", minute=1), reply("quick"))
    slow = await claimed(outbox)
    await outbox.later(slow, 60, "wait", whole_place=False)

    assert ["quick"] == await show_all(outbox)


async def test_another_place_has_messages_of_its_own(outbox: SqlOutbox, threads: SqlThreads) -> None:
    """A claim is for one channel or chat."""
    await threads.close(ask("a"), reply("here"))

    assert await outbox.claim(("telegram", "8")) is None
    assert await outbox.claim(("slack", "7")) is None
    assert ["here"] == await show_all(outbox)


async def test_evidence_goes_under_the_first_message(outbox: SqlOutbox, threads: SqlThreads) -> None:
    """Whoever shows the second message of a reply knows which one shows the first."""
    await threads.close(ask("a"), [part("answer"), part("p. 3", "evidence-1")])
    await outbox.sent(await claimed(outbox), at(40))

    claim = await claimed(outbox)
    assert ("evidence-1", at(40), None) == (claim.outgoing.part, claim.outgoing.first, claim.outgoing.shown)


async def test_an_answer_takes_the_place_of_its_sign(outbox: SqlOutbox, inbox: SqlInbox, threads: SqlThreads) -> None:
    """The message that shows the sign is the one to change, and it is known as the first."""
    question = ask("a")
    await inbox.record(question, signed(part("Ищу…")))
    sign = await claimed(outbox)
    await outbox.sent(sign, at(40))
    await threads.close(question, reply("answer"))

    claim = await claimed(outbox)
    assert (False, True) == (sign.final, claim.final)
    assert ("answer", at(40), at(40), 2) == (
        text_of(claim),
        claim.outgoing.shown,
        claim.outgoing.first,
        claim.version,
    )


async def test_a_change_waits_until_the_message_on_its_way_has_arrived(
    outbox: SqlOutbox, inbox: SqlInbox, threads: SqlThreads, other: SqlOutbox
) -> None:
    """What is being sent is not sent again beside it: the change edits it when it is there."""
    question = ask("a")
    await inbox.record(question, signed(part("Ищу…")))
    sign = await claimed(outbox)
    await threads.close(question, reply("answer"))
    meanwhile = await other.claim(HERE)
    await outbox.sent(sign, at(40))

    claim = await claimed(other)
    assert (None, "answer", at(40)) == (meanwhile, text_of(claim), claim.outgoing.shown)


@pytest.mark.parametrize("end", ["later", "doubted", "refused", "unknown"])
async def test_a_change_is_shown_however_the_attempt_before_it_ended(
    outbox: SqlOutbox, inbox: SqlInbox, threads: SqlThreads, end: str
) -> None:
    """What became of the sign is no news of the answer; where nobody knows it, the doubt stays, with its version."""
    question = ask("a")
    await inbox.record(question, signed(part("Ищу…")))
    sign = await claimed(outbox)
    await threads.close(question, reply("answer"))
    match end:
        case "later":
            await outbox.later(sign, 0, "wait", whole_place=False)
        case "doubted":
            await outbox.doubted(sign, 0, "no reply")
        case "refused":
            await outbox.refused(sign, "too long")
        case _:
            await outbox.unknown(sign, BUTTON)

    claim = await claimed(outbox)
    assert ("answer", end in ("doubted", "unknown")) == (text_of(claim), claim.in_doubt)
    assert claim.tried == (0 if end == "later" else 1)
    await outbox.sent(claim, at(40))
    assert await show_all(outbox) == []


async def test_what_two_replicas_claim_at_once_goes_to_one(
    outboxes: list[SqlOutbox], inbox: SqlInbox, threads: SqlThreads
) -> None:
    """Every message is shown once, and those of a thread in order, with many couriers at work on several replicas."""
    questions = [ask(f"{n}", place=f"{n % 2}", thread=f"t{n % 6}", minute=n) for n in range(18)]
    for question in questions:
        await threads.close(question, reply(f"{question.text} a", f"{question.text} b"))
    shown: dict[str, list[str]] = defaultdict(list)
    under_way: Counter[str] = Counter()

    async def carry(outbox: SqlOutbox, place: str) -> None:
        while await outbox.unsent():
            if claim := await outbox.claim(("telegram", place)):
                under_way[claim.thread] += 1
                assert under_way[claim.thread] == 1
                shown[claim.thread].append(str(text_of(claim)))
                await asyncio.sleep(0)
                under_way[claim.thread] -= 1
                await outbox.sent(claim, at(f"m{claim.outgoing.id}"))
            elif not await outbox.due(("telegram",)):
                return

    await asyncio.gather(*(carry(outboxes[n % 4], str(n // 4)) for n in range(8)))
    for outbox in outboxes:
        assert await show_all(outbox, "0") + await show_all(outbox, "1") == []
    asked = {f"t{n}": [q.text for q in questions if q.thread == f"t{n}"] for n in range(6)}
    assert {t: [f"{text} {x}" for text in texts for x in "ab"] for t, texts in asked.items()} == dict(shown)


async def test_what_a_dead_replica_was_sending_is_in_doubt(
    outbox: SqlOutbox, other: SqlOutbox, threads: SqlThreads
) -> None:
    """Whoever goes on knows which version may stand in the chat, and the dead one cannot meddle any more."""
    await threads.close(ask("a"), reply("answer"))
    dead = await claimed(outbox)
    taken = [await other.take_over("one"), await other.take_over("one")]
    await outbox.later(dead, 60, "I am not dead", whole_place=False)
    await outbox.refused(dead, "nor here")

    claim = await claimed(other)
    assert ([1, 0], True, 1, 1) == (taken, claim.in_doubt, claim.tried, claim.version)


async def test_the_doubt_is_about_the_version_that_was_sent(
    outbox: SqlOutbox, other: SqlOutbox, inbox: SqlInbox, threads: SqlThreads
) -> None:
    """A change after the doubtful attempt does not hide what may stand there."""
    question = ask("a")
    await inbox.record(question, signed(part("Ищу…")))
    await claimed(outbox)
    await threads.close(question, reply("answer"))
    await other.take_over("one")

    claim = await claimed(other)
    assert ("answer", True, 1, 2) == (text_of(claim), claim.in_doubt, claim.tried, claim.version)


async def test_an_attempt_that_did_nothing_leaves_an_older_doubt(
    outbox: SqlOutbox, inbox: SqlInbox, threads: SqlThreads
) -> None:
    """To be told to wait says nothing about the attempt before."""
    question = ask("a")
    await inbox.record(question, signed(part("Ищу…")))
    await outbox.doubted(await claimed(outbox), 0, "no reply")
    await threads.close(question, reply("answer"))
    again = await claimed(outbox)
    await outbox.later(again, 0, "wait", whole_place=False)

    claim = await claimed(outbox)
    assert ((True, 1), (True, 1)) == ((again.in_doubt, again.tried), (claim.in_doubt, claim.tried))


async def test_a_message_that_was_found_is_not_in_doubt_any_more(outbox: SqlOutbox, threads: SqlThreads) -> None:
    """The doubt ends with the message that was found, and the next change edits it."""
    question = ask("a")
    await threads.close(question, reply("answer"))
    await outbox.doubted(await claimed(outbox), 0, "no reply")
    await outbox.sent(await claimed(outbox), at(40))

    assert await outbox.claim(HERE) is None
    assert await outbox.due(("telegram",)) == {}


async def test_a_wait_is_kept(outbox: SqlOutbox, threads: SqlThreads) -> None:
    """Nothing is claimed before its time, and everybody can see when that is."""
    await threads.close(ask("a"), reply("one", "two"))
    before = datetime.now(UTC)
    await outbox.later(await claimed(outbox), 60, "slow down", whole_place=False)

    assert await outbox.claim(HERE) is None
    assert timedelta(seconds=59) < (await outbox.due(("telegram",)))[HERE] - before < timedelta(seconds=90)


async def test_a_whole_place_waits_together(outbox: SqlOutbox, threads: SqlThreads) -> None:
    """Where nothing can be shown for a while nothing is tried; what was to wait longer does; other places go on."""
    await threads.close(ask("a", thread="t1"), reply("slowest"))
    await outbox.later(await claimed(outbox), 900, "later", whole_place=False)
    await threads.close(ask("b", thread="t2", minute=1), reply("told to wait"))
    await threads.close(ask("c", thread="t3", minute=2), reply("waits with it"))
    await threads.close(ask("d", place="8", minute=3), reply("elsewhere"))
    await outbox.later(await claimed(outbox), 60, "flood", whole_place=True)

    assert (None, ["elsewhere"]) == (await outbox.claim(HERE), await show_all(outbox, "8"))
    due = await outbox.due(("telegram",))
    assert {HERE} == set(due)
    assert timedelta(seconds=50) < due[HERE] - datetime.now(UTC) < timedelta(seconds=61)


async def test_what_comes_to_a_place_that_rests_waits_with_it(
    outbox: SqlOutbox, threads: SqlThreads, other: SqlOutbox
) -> None:
    """Also for a copy that was told nothing: neither tries it, both see when it is due; a short rest ends no long."""
    await threads.close(ask("a", thread="t1"), reply("told to wait"))
    await threads.close(ask("b", thread="t2", minute=1), reply("told to wait, too"))
    first, second = await claimed(outbox), await claimed(outbox)
    await outbox.later(first, 60, "flood", whole_place=True)
    await outbox.later(second, 1, "flood", whole_place=True)
    await threads.close(ask("в", thread="t3", minute=2), reply("новое"))
    await threads.close(ask("d", place="8", minute=3), reply("elsewhere"))

    assert [None, None] == [await one.claim(HERE) for one in (outbox, other)]
    assert ["elsewhere"] == await show_all(other, "8")
    due = await other.due(("telegram",))
    assert timedelta(seconds=50) < due[HERE] - datetime.now(UTC) < timedelta(seconds=61)


async def test_a_rest_ends(outbox: SqlOutbox, threads: SqlThreads) -> None:
    """Then everything is shown, in order."""
    await threads.close(ask("a"), reply("one"))
    await outbox.later(await claimed(outbox), 0, "flood", whole_place=True)
    await threads.close(ask("b", minute=1), reply("two"))

    assert ["one", "two"] == await show_all(outbox)


async def test_due_says_of_each_place_when_there_is_something_to_do(
    outbox: SqlOutbox, threads: SqlThreads, other: SqlOutbox
) -> None:
    """A message behind one that is being sent, or has to wait, is nothing to be done yet."""
    await threads.close(ask("a"), reply("being sent", "behind it"))
    await threads.close(ask("b", place="8"), reply("now"))
    await threads.close(replace(ask("c", place="9"), id="slack:9:1", platform="slack"), reply("not ours"))
    claim = await claimed(other)

    due = await outbox.due(("telegram",))
    assert {("telegram", "8")} == set(due)
    assert due["telegram", "8"] <= datetime.now(UTC)
    assert await outbox.due(()) == {}
    await other.sent(claim, at(1))
    assert {HERE, ("telegram", "8"), ("slack", "9")} == set(await outbox.due(("telegram", "slack")))
