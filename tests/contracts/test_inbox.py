"""The line of questions, on each database: recorded once, handed out in order, changed and taken back."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine, text
from sqlalchemy.event import listens_for

from adapters.storage.database import Database, open_database
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.tables import turns
from adapters.storage.threads import SqlThreads, asked
from core.conversation import MessageRef, Question
from core.rates import keys_of
from core.work import Waiting, Welcome
from tests.adapters.storage.turns import ask, part, refused, signed

HERE = ("telegram",)


@pytest.fixture
def inbox(database: Database) -> SqlInbox:
    """Return an empty line."""
    return SqlInbox(database)


@pytest.fixture
def threads(database: Database) -> SqlThreads:
    """Return the threads of the same database."""
    return SqlThreads(database, 3)


@pytest.fixture
async def replicas(place: str) -> AsyncIterator[list[SqlInbox]]:
    """Give four lines on one database, each with connections of its own."""
    databases = [open_database(place) for _ in range(4)]
    yield [SqlInbox(database) for database in databases]
    for database in databases:
        await database.close()


async def _record(inbox: SqlInbox, *questions: Question) -> None:
    for question in questions:
        assert await inbox.record(question)


async def _line(inbox: SqlInbox, question: Question) -> Waiting:
    """Return how long the line is when the question comes."""
    heard: list[Waiting] = []

    def welcome(line: Waiting) -> Welcome:
        heard.append(line)
        return Welcome()

    await inbox.record(question, welcome)
    return heard[0]


async def _take(inbox: SqlInbox, limit: int = 10, replica: str = "one") -> list[str]:
    return [taken.id for taken in await inbox.take(limit, replica, HERE)]


async def _shown(database: Database) -> list[str]:
    outbox, texts = SqlOutbox(database, "one"), []
    while claim := await outbox.claim(("telegram", "7")):
        texts.append(str((claim.outgoing.body or {}).get("text")))
        await outbox.sent(claim, MessageRef("telegram", "7", f"sent-{claim.outgoing.id}"))
    return texts


async def test_a_question_is_recorded_once(inbox: SqlInbox) -> None:
    """The second delivery of one message is known, whatever became of it since."""
    question = ask("Where is RAG used?")
    known = [await inbox.record(question), await inbox.record(question)]
    await inbox.take(1, "one", HERE)

    assert [True, False, False] == [*known, await inbox.record(question)]
    assert (0, 1) == await inbox.counts()


async def test_what_a_message_asked_is_known_after_its_answer(inbox: SqlInbox, threads: SqlThreads) -> None:
    """Whatever became of it, unless it was taken back."""
    waiting, done, gone = (ask("Где?", minute=n, message=str(n)) for n in (1, 2, 3))
    await _record(inbox, waiting, done, gone)
    await threads.close(done, [part("Там.")])
    await inbox.withdraw(MessageRef("telegram", "7", "3"))
    found = await inbox.known([MessageRef("telegram", "7", str(n)) for n in range(5)])

    assert [waiting, done] == sorted(found, key=lambda one: one.id)
    assert [] == await inbox.known([])


async def test_what_still_wants_an_answer_in_a_chat(inbox: SqlInbox, threads: SqlThreads) -> None:
    """What waits and what is worked on, the earliest first; nothing of other chats, of what is done or overheard."""
    wanted = [ask("Где RAG?", minute=1, message="1"), ask("Где?", minute=2, message="2", asker="U2", version=3)]
    others = [ask("Где?", message="1", place="8"), ask("Где?", message="3"), ask("Где?", message="4")]
    await _record(inbox, *reversed(wanted), *others, ask("Где?", message="5", overheard=True))
    await inbox.take(1, "one", HERE)
    await threads.close(others[1], [part("Там.")])
    await inbox.withdraw(MessageRef("telegram", "7", "4"))
    found = await inbox.unanswered(("telegram", "7"))

    assert [(one.id, one.asker, one.version) for one in wanted] == [(one.id, one.asker, one.version) for one in found]


async def test_a_message_sent_twice_by_a_device_is_recorded_once(inbox: SqlInbox) -> None:
    """A device that had no reply sends again, as another message with the same mark."""
    first, again, other = (ask("Где RAG?", message=n, resend=mark) for n, mark in (("1", "a"), ("2", "a"), ("3", "b")))

    assert [True, False, True] == [await inbox.record(question) for question in (first, again, other)]


async def test_messages_without_a_mark_are_all_different(inbox: SqlInbox) -> None:
    """No mark is not a mark that others have too."""
    assert [True, True] == [await inbox.record(ask("Где RAG?", message=n)) for n in ("1", "2")]


async def test_of_many_deliveries_at_once_one_is_new(replicas: list[SqlInbox]) -> None:
    """However many deliveries of a message arrive together, at several replicas, one of them is to be answered."""
    question = ask("Where is RAG used?", resend="a")
    new = await asyncio.gather(*(replicas[n % 4].record(question, signed(part("…"))) for n in range(50)))

    assert new.count(True) == 1
    assert (1, 0) == await replicas[0].counts()


async def test_of_many_resends_at_once_one_is_new(replicas: list[SqlInbox]) -> None:
    """The same holds for many messages with one mark."""
    copies = [ask("Где применял RAG?", message=str(n), resend="a") for n in range(50)]
    new = await asyncio.gather(*(replicas[n % 4].record(copy, signed(part("…"))) for n, copy in enumerate(copies)))

    assert new.count(True) == 1


async def test_a_question_comes_back_as_it_was_asked(inbox: SqlInbox) -> None:
    """Nothing of a question is lost on its way through the line."""
    question = ask(
        "Где применял RAG? 🦔\n«ёж»",
        thread="telegram:7:5",
        message="12",
        root="5",
        resend="a",
        groups=frozenset({"eng", "финансы"}),
    )
    await _record(inbox, question)

    assert question == await inbox.question(question.id, 0)


async def test_a_refused_question_is_done_at_once(inbox: SqlInbox, database: Database) -> None:
    """Its refusal is shown, it waits for nothing, and a second delivery of it is known."""
    question = ask("Where is RAG used?")
    recorded = [await inbox.record(question, refused(part("Слишком много вопросов."))), await inbox.record(question)]

    assert ([True, False], (0, 0)) == (recorded, await inbox.counts())
    assert await _shown(database) == ["Слишком много вопросов."]


async def test_a_question_known_already_shows_nothing(inbox: SqlInbox, database: Database) -> None:
    """Neither a second sign nor a refusal of what was taken on."""
    question = ask("Where is RAG used?")
    await inbox.record(question, signed(part("…")))
    await inbox.record(question, signed(part("again")))
    await inbox.record(question, refused(part("no")))

    assert await _shown(database) == ["…"]


async def test_a_thread_is_handed_out_in_the_order_of_asking(inbox: SqlInbox, threads: SqlThreads) -> None:
    """By when they were asked, then by when they arrived; never two at a time."""
    late, early, same = ask("c", minute=2), ask("a", minute=1, message="9"), ask("b", minute=1, message="8")
    await _record(inbox, late, early, same)

    order = []
    while taken := await _take(inbox):
        assert await _take(inbox, replica="two") == []
        order += taken
        question = await inbox.question(taken[0], 0)
        assert question is not None
        await threads.close(question, [])
    assert [early.id, same.id, late.id] == order


async def test_what_is_given_back_comes_before_the_rest_of_its_thread(inbox: SqlInbox) -> None:
    """A question that could not be answered now does not lose its place."""
    first, second = ask("a", minute=1), ask("b", minute=2)
    await _record(inbox, first, second)
    await _take(inbox)
    await inbox.give_back(first.id, 0, "another")
    assert [] == await _take(inbox)
    await inbox.give_back(first.id, 0, "one")

    assert [first.id] == await _take(inbox)


async def test_only_the_asked_platforms_are_served(inbox: SqlInbox) -> None:
    """A replica takes no question that it could not answer where it was asked."""
    there = replace(ask("Where?"), id="slack:C1:1", platform="slack", thread="slack:C1")
    here = ask("Где?")
    await _record(inbox, there, here)

    assert [here.id] == await _take(inbox)
    assert [there] == await inbox.take(1, "one", ("slack",))


async def test_a_busy_place_does_not_hold_up_a_quiet_one(inbox: SqlInbox, threads: SqlThreads) -> None:
    """A hundred questions of one channel were there first; the one of another is next but one."""
    crowd = [ask(f"вопрос {n}", place="busy", thread=f"busy:{n}", minute=n / 100) for n in range(100)]
    quiet = ask("a single question", place="quiet", minute=50)
    await _record(inbox, *crowd, quiet)

    first = await _take(inbox, 2)
    assert quiet.id in first
    assert len(first) == 2
    await threads.close(quiet, [])
    again = ask("one more", place="quiet", minute=60)
    await _record(inbox, again)
    assert [again.id] == await _take(inbox, 1)
    assert set(await _take(inbox, 1)) < {question.id for question in crowd}


async def test_what_is_worked_on_counts_for_its_place(inbox: SqlInbox) -> None:
    """A place that has all hands at work already comes after one that has none, however early it asked."""
    await _record(inbox, *(ask("early", place="busy", thread=f"busy:{n}", minute=n) for n in range(4)))
    await _take(inbox, 3)
    quiet = ask("late", place="quiet", minute=9)
    await _record(inbox, quiet)

    assert [quiet.id] == await _take(inbox, 1)


_NUMBERS = iter(range(1_000_000))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)
@given(asked=st.lists(st.sampled_from("abc"), max_size=12), late=st.lists(st.sampled_from("bcd"), max_size=4))
async def test_places_take_turns(inbox: SqlInbox, threads: SqlThreads, asked: list[str], late: list[str]) -> None:
    """While two places have questions in the line, neither is ahead by more than one answer, whoever came when."""
    waiting = await _asked_in(inbox, asked)
    served: Counter[str] = Counter()
    while waiting:
        [taken] = await _take(inbox, 1)
        [question] = [q for q in waiting if q.id == taken]
        waiting.remove(question)
        served[question.place] += 1
        still = {q.place for q in waiting} & set(asked) - set(late)
        assert max((served[p] for p in still), default=0) - min((served[p] for p in still), default=0) <= 1
        if late:
            waiting += await _asked_in(inbox, [late.pop()])
        await threads.close(question, [])


async def _asked_in(inbox: SqlInbox, places: list[str]) -> list[Question]:
    """Return a question asked in each place, each in a thread of its own, one after the other."""
    made = [ask("?", place=p, thread=f"{p}{n}", minute=n % 60, message=str(n)) for p, n in zip(places, _NUMBERS)]  # noqa: B905
    await _record(inbox, *made)
    return made


async def test_a_question_settles_before_it_is_taken(inbox: SqlInbox) -> None:
    """Of two questions of a thread that come the wrong way round within that time, the earlier one is first."""
    later, earlier = ask("second", minute=1), ask("первый", minute=0)
    await _record(inbox, later)
    at_once = await inbox.take(1, "one", HERE, settle=60)
    await _record(inbox, earlier)
    await asyncio.sleep(0.2)

    assert at_once == []
    assert [earlier.id] == [taken.id for taken in await inbox.take(1, "one", HERE, settle=0.15)]


async def test_a_question_may_be_gone_before_it_is_heard_of(inbox: SqlInbox) -> None:
    """A deletion that overtakes its question keeps it from ever being asked, and keeps none of its words."""
    question = ask("Где применял RAG?", minute=3)
    ref = MessageRef("telegram", question.place, question.message)

    assert not await inbox.withdraw(ref, question)
    assert not await inbox.record(question)
    assert [] == await _take(inbox)
    assert await inbox.edit(replace(question, text="Where?", version=9)) == "same"


async def test_an_edit_lets_a_question_wait_again(inbox: SqlInbox, threads: SqlThreads) -> None:
    """Whether it waits, is worked on or is answered, the new words want a new answer, and are heard once."""
    for minute, stage in enumerate(("waiting", "working", "done")):
        question = ask("Где применял RAG?", minute=minute, place=stage)
        edited = replace(question, text=f"Где применял графы, {stage}?", version=5)
        await _record(inbox, question)
        if stage != "waiting":
            await _take(inbox)
        if stage == "done":
            await threads.close(question, [])

        assert ["changed", "same"] == [await inbox.edit(edited), await inbox.edit(edited)], stage
        assert edited == await inbox.question(question.id, 5), stage
        assert await inbox.question(question.id, 0) is None, stage
        assert [question.id] == await _take(inbox), stage
        await threads.close(edited, [])


async def test_an_edit_without_news_changes_nothing(inbox: SqlInbox, threads: SqlThreads) -> None:
    """The same words, an older version, a question that was taken back or was never asked."""
    question = ask("Где применял RAG?", message="5", version=3)
    await _record(inbox, question)
    await threads.close(question, [])
    heard = [
        await inbox.edit(replace(question, version=4)),
        await inbox.edit(replace(question, text="older words", version=2)),
        await inbox.edit(replace(question, text="same version", version=3)),
        await inbox.edit(ask("unheard of", message="6", version=4)),
    ]
    await inbox.withdraw(MessageRef("telegram", "7", "5"))
    heard.append(await inbox.edit(replace(question, text="too late", version=9)))

    assert ["same", "same", "same", "unknown", "same"] == heard
    assert (0, 0) == await inbox.counts()


@pytest.mark.parametrize(("said", "between"), [("Где применял RAG?", "Где графы?"), ("Where is RAG used?", "Where?")])
async def test_an_edit_there_and_back_ends_with_the_newest_words(
    inbox: SqlInbox, threads: SqlThreads, said: str, between: str
) -> None:
    """The edit back may be told of first: it says nothing new, and the older words that come after it are no news."""
    question = ask(said)
    await _record(inbox, question)
    back = await inbox.edit(replace(question, version=2))
    there = await inbox.edit(replace(question, text=between, version=1))

    assert ("same", "same") == (back, there)
    assert question == await inbox.question(question.id, 0)
    await threads.close(question, [])
    assert (0, 0) == await inbox.counts()
    assert "changed" == await inbox.edit(replace(question, text=between, version=3))


async def test_newer_words_are_heard_however_often_older_ones_said_nothing_new(inbox: SqlInbox) -> None:
    """What said nothing new lets an answer under way stand, and hides nothing that is newer than itself."""
    question = ask("Где применял RAG?")
    await _record(inbox, question)
    same = [await inbox.edit(replace(question, version=version)) for version in (4, 2, 4)]
    older = await inbox.edit(replace(question, text="Где графы?", version=3))
    newer = await inbox.edit(replace(question, text="Где графы?", version=5))
    same.append(await inbox.edit(replace(question, text="Где графы?", version=7)))
    older_again = await inbox.edit(replace(question, version=6))

    assert ["same"] * 4 == same
    assert ("same", "changed", "same") == (older, newer, older_again)
    assert replace(question, text="Где графы?", version=5) == await inbox.question(question.id, 5)


@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
async def test_an_edit_is_news_while_its_question_is_being_recorded(database: Database, place: str) -> None:
    """One that is recorded between two statements of the edit is not taken for one that says so already.

    SQLite lets one in.
    """
    question = ask("Где применял RAG?")
    row = asked(question) | {"state": "waiting", "turn": 0}
    appearing = create_engine(place)

    @listens_for(database._engine.sync_engine, "after_cursor_execute", once=True)
    def recorded(*_: object) -> None:
        with appearing.begin() as connection:
            connection.execute(turns.insert().values(row))

    assert await SqlInbox(database).edit(replace(question, text="Где применял графы?", version=5)) == "unknown"
    assert await SqlInbox(database).edit(replace(question, text="Где применял графы?", version=5)) == "changed"
    appearing.dispose()


async def test_of_edits_at_once_the_newest_stays(replicas: list[SqlInbox]) -> None:
    """In whatever order the versions of a text arrive."""
    question = ask("v0")
    await replicas[0].record(question)
    versions = [replace(question, text=f"v{n}", version=n) for n in (3, 8, 1, 7, 2, 6, 5, 4)]
    await asyncio.gather(*(replicas[n % 4].edit(edited) for n, edited in enumerate(versions)))

    assert versions[1] == await replicas[0].question(question.id, 8)


async def test_a_withdrawal_ends_a_question_in_every_state(inbox: SqlInbox, threads: SqlThreads) -> None:
    """Waiting, worked on or answered, it is gone; what comes after it in its thread is next."""
    for minute, stage in enumerate(("waiting", "working", "done")):
        question = ask("Где применял RAG?", message=stage, minute=minute)
        await _record(inbox, question)
        if stage != "waiting":
            assert [question.id] == await _take(inbox)
        if stage == "done":
            await threads.close(question, [])
        message = MessageRef("telegram", "7", stage)

        assert [True, False] == [await inbox.withdraw(message), await inbox.withdraw(message)], stage
        assert await inbox.question(question.id, 0) is None, stage
        assert (0, 0) == await inbox.counts(), stage
    await _record(inbox, ask("next", message="next"))
    assert ["telegram:7:next"] == await _take(inbox)


async def test_a_message_that_asked_nothing_cannot_be_withdrawn(inbox: SqlInbox) -> None:
    """People delete other messages too."""
    assert await inbox.withdraw(MessageRef("telegram", "7", "5")) is False


async def test_replicas_never_take_the_same(replicas: list[SqlInbox], place: str) -> None:
    """Each question once and of each thread one at a time, in order, with many hands at work on several replicas."""
    questions = [ask(f"{n}", place=f"{n % 3}", thread=f"t{n % 7}", minute=n / 100) for n in range(28)]
    threads = [SqlThreads(inbox._database, 1) for inbox in replicas]
    await asyncio.gather(*(replicas[n % 4].record(question) for n, question in enumerate(questions)))
    under_way: Counter[str] = Counter()
    order: dict[str, list[str]] = {f"t{n}": [] for n in range(7)}

    async def work(number: int) -> None:
        while any(await replicas[number].counts()):
            await asyncio.sleep(0.01)
            for taken in await replicas[number].take(2, str(number), HERE):
                under_way[taken.thread] += 1
                assert under_way[taken.thread] == 1
                order[taken.thread].append(taken.id)
                await asyncio.sleep(0)
                under_way[taken.thread] -= 1
                question = await replicas[number].question(taken.id, taken.version)
                assert question is not None
                await threads[number].close(question, [])

    await asyncio.gather(*(work(n % 4) for n in range(8)))
    assert {f"t{n}": [q.id for q in questions if q.thread == f"t{n}"] for n in range(7)} == order


@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
async def test_two_that_choose_at_once_do_not_both_work_in_a_thread(
    replicas: list[SqlInbox], database: Database
) -> None:
    """One has chosen and is held up when an earlier question arrives for another to choose. SQLite lets one in."""
    late, early = ask("late", minute=9), ask("early", minute=1)
    await replicas[0].record(late)
    async with database.writing() as connection:
        await connection.execute(text("UPDATE turns SET text = text"))
        first = asyncio.create_task(replicas[1].take(5, "one", HERE))
        await asyncio.sleep(0.2)
        await replicas[0].record(early)
        second = asyncio.create_task(replicas[2].take(5, "two", HERE))
        await asyncio.sleep(0.2)

    assert [[late.id], []] == [[taken.id for taken in await one] for one in (first, second)]


async def test_what_a_dead_replica_had_taken_waits_again(inbox: SqlInbox) -> None:
    """Its questions and no others, however often they are taken over."""
    await _record(inbox, *(ask("?", thread=f"t{n}", minute=n) for n in range(3)))
    await inbox.take(2, "dead", HERE)
    await inbox.take(1, "alive", HERE)
    left = sorted(taken.thread for taken in await inbox.working("dead"))

    assert (["t0", "t1"], [2, 0]) == (left, [await inbox.take_over("dead"), await inbox.take_over("dead")])
    assert (2, 1) == await inbox.counts()
    assert await inbox.working("dead") == []


async def test_what_goes_on_of_a_dead_replica_keeps_its_thread(inbox: SqlInbox) -> None:
    """An earlier question of the thread that came late waits for it: it would change what the later one leans on."""
    late, other = ask("Где применял RAG?", minute=9), ask("?", thread="t2", minute=2)
    await _record(inbox, late, other)
    await inbox.take(2, "dead", HERE)
    early = ask("Кто это?", minute=1)
    await _record(inbox, early)
    given_back = await inbox.take_over("dead", "me", [(late.id, 0), ("gone", 3)])

    assert (1, [late.id]) == (given_back, [taken.id for taken in await inbox.working("me")])
    assert [other.id] == [taken.id for taken in await inbox.take(5, "me", HERE)]
    assert 0 == await inbox.take_over("dead", "me", [(late.id, 0)])


async def test_giving_back_concerns_the_version_that_was_taken(inbox: SqlInbox) -> None:
    """Who worked on older words has nothing to give back any more."""
    question = ask("Где применял RAG?")
    await _record(inbox, question)
    await _take(inbox)
    await inbox.edit(replace(question, text="Где применял графы?", version=1))
    await _take(inbox, replica="two")
    await inbox.give_back(question.id, 0, "one")

    assert (0, 1) == await inbox.counts()


async def test_the_line_counts_what_is_unanswered(inbox: SqlInbox, threads: SqlThreads) -> None:
    """All that waits, and of the asker and of the place also what is worked on; the question itself is not counted."""
    mine, here = ask("a", asker="U1", place="8"), ask("b", asker="U2", minute=1)
    elsewhere, done = ask("c", asker="U2", place="9", minute=2), ask("d", asker="U1", minute=3)
    now = ask("e", asker="U1", minute=4)
    await _record(inbox, mine, here, elsewhere, done, now)
    await threads.close(done, [])
    await _take(inbox, 1)

    assert Waiting(waiting=2, of_asker=1, of_place=1) == await _line(inbox, now)


async def test_people_with_one_name_on_two_platforms_are_two(inbox: SqlInbox) -> None:
    """Ids of one platform mean nothing on another."""
    await _record(inbox, replace(ask("a"), id="slack:7:1", platform="slack"))

    assert Waiting(waiting=1, of_asker=0, of_place=0) == await _line(inbox, ask("b", minute=1))


async def test_an_edit_joins_the_line_like_a_new_question(inbox: SqlInbox, threads: SqlThreads) -> None:
    """One that had its answer waits again, counted among those of its asker and its place; one that waits stays."""
    first, second = ask("Где применял RAG?", message="1"), ask("How many days?", message="2")
    await _record(inbox, first, second)
    await threads.close(first, [part("В Aston.")])
    heard: list[Waiting] = []

    def welcome(line: Waiting) -> Welcome:
        heard.append(line)
        return Welcome()

    assert "changed" == await inbox.edit(replace(second, text="How many weeks?", version=1), welcome)
    assert "changed" == await inbox.edit(replace(first, text="Где применял графы?", version=1), welcome)

    assert [Waiting(0, 0, 0), Waiting(1, 1, 1)] == heard


async def test_an_edit_of_what_is_worked_on_uses_what_a_question_uses(inbox: SqlInbox) -> None:
    """Its place in the line it keeps, so that nobody counts before it; while it waits, an edit costs nothing."""
    question = ask("Где применял RAG?")
    await _record(inbox, question, ask("How many days?", minute=1))
    heard: list[Waiting] = []

    def welcome(line: Waiting) -> Welcome:
        heard.append(line)
        return Welcome(uses={keys_of(question)["place"]: 3600.0})

    await inbox.edit(replace(question, text="Где применял графы?", version=1), welcome)
    await _take(inbox, 1)
    for version in (2, 3):
        await inbox.edit(replace(question, text=f"Где применял графы {version}?", version=version), welcome)
        await _take(inbox, 1)

    assert [(0, 0, 0)] * 3 == [(line.waiting, line.of_asker, line.of_place) for line in heard]
    assert [0, 0, 1] == [len(line.used) for line in heard]


async def test_an_edit_lets_go_what_waits_only_if_it_asks_nothing_more(inbox: SqlInbox) -> None:
    """One that waits has been welcomed: it is not refused for the length of the line, and silence alone keeps it."""
    question = ask("Где применял RAG?")
    await _record(inbox, question)
    said = (
        Welcome(refusal=(part("Слишком много вопросов."),)),
        Welcome(silence=True),
        Welcome(silence=True, dropped=True),
    )

    def welcome(_: Waiting) -> Welcome:
        return said[edited.version - 1]

    outcomes = []
    for version in (1, 2, 3):
        edited = replace(question, text=f"Где применял графы {version}?", version=version)
        outcomes.append(await inbox.edit(edited, welcome))

    assert ["changed", "changed", "refused"] == outcomes
    assert [] == await _take(inbox)


async def test_a_refused_edit_of_what_is_worked_on_ends_the_work(inbox: SqlInbox) -> None:
    """The next one of its thread is handed out, and what is brought again is no news."""
    question, second = ask("Где применял RAG?", thread="t"), ask("How many days?", thread="t", minute=1)
    await _record(inbox, question, second)
    await _take(inbox)
    edited = replace(question, text="Где применял графы?", version=1)
    outcomes = [await inbox.edit(edited, refused(part("Слишком много вопросов."))) for _ in range(2)]

    assert ["refused", "same"] == outcomes
    assert [second.id] == await _take(inbox)


async def test_a_refused_edit_costs_nothing(inbox: SqlInbox, threads: SqlThreads, database: Database) -> None:
    """The refusal stands where the old answer stood, and nobody works on it; when it is brought again it is no news."""
    question = ask("Где применял RAG?", message="1")
    await _record(inbox, question)
    await threads.close(question, [part("В Aston.")])
    edited = replace(question, text="Где применял графы?", version=1)
    outcomes = [await inbox.edit(edited, refused(part("Слишком много вопросов."))) for _ in range(2)]
    claim = await SqlOutbox(database, "one").claim(("telegram", "7"))

    assert ["refused", "same"] == outcomes
    assert (0, 0) == await inbox.counts()
    assert claim is not None
    assert {"text": "Слишком много вопросов."} == claim.outgoing.body
    again = replace(question, text="Где применял RAG и графы?", version=2)
    assert "changed" == await inbox.edit(again)
    assert [again.text] == [one.text for one in await inbox.take(5, "one", HERE)]
