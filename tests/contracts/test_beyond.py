"""What was offered before the turns that are read of a thread holds, on each database."""

from dataclasses import replace

import pytest

from adapters.storage.database import Database
from adapters.storage.inbox import SqlInbox
from adapters.storage.threads import SqlThreads
from core.conversation import Listed, MessageRef, Pressed, Target, Thread, Turn
from core.followup import FollowUp, Unclear
from core.listing import going_on
from core.outside import Ports
from core.plan import default_plan
from core.turn import TurnRecord
from tests.adapters.storage.turns import ask, finish
from tests.contracts.test_offers import ASKED, BACK, asked_back
from tests.core.test_clarify import Talk, claims
from tests.doubles.pages import PAGES, ports_over

WINDOW = 2
LISTED = Listed("k1", "RAG?", "Where is RAG used?", default_plan("RAG?"), ("a", "b"), 4)


class StoredTalk(Talk):
    """A conversation that a database keeps."""

    def __init__(self, threads: SqlThreads) -> None:
        super().__init__()
        self.threads = threads

    @property
    def ports(self) -> Ports:
        return ports_over(self.pages, self.threads, lambda _: ())

    async def after(self, *texts: str) -> TurnRecord:
        """Return the record of the last of these."""
        records = [await self.ask(text) for text in texts]
        return records[-1]


async def _others(threads: SqlThreads, first: int, count: int = 5) -> None:
    for minute in range(first, first + count):
        question = ask(f"question {minute}", minute=minute)
        await threads.close(question, [], finish(question))


async def _thread(threads: SqlThreads, minute: int, more_of: str | None = None) -> Thread:
    pressed = Pressed("more", more_of, "q", ()) if more_of else None
    thread = await threads.open(replace(ask("what comes now", minute=minute), pressed=pressed))
    assert isinstance(thread, Thread)
    return thread


def _before(thread: Thread) -> list[str]:
    return [turn.question for turn in thread.before]


async def test_what_was_asked_back_and_chosen_is_known_however_long_ago(database: Database) -> None:
    """Nothing leans on these turns, so that they stand apart; all others are left where they are."""
    threads = SqlThreads(database, WINDOW)
    await threads.close(ASKED, [], asked_back())
    chosen = ask("1", minute=2)
    await threads.close(chosen, [], finish(chosen, standalone=BACK.readings[0].question))
    await _others(threads, 3)
    thread = await _thread(threads, 20)

    assert [ASKED.text, "1"] == _before(thread)
    assert BACK == thread.before[0].unclear
    assert ["question 6", "question 7"] == [turn.question for turn in thread.turns]


async def test_what_stands_in_the_window_is_not_told_twice(database: Database) -> None:
    """A short thread has nothing before it."""
    threads = SqlThreads(database, WINDOW)
    await threads.close(ASKED, [], asked_back())
    await _others(threads, 2, 1)

    assert () == (await _thread(threads, 20)).before


async def test_a_question_that_was_taken_back_offers_nothing(database: Database) -> None:
    """Its readings are forgotten with it."""
    threads, inbox = SqlThreads(database, WINDOW), SqlInbox(database)
    await inbox.record(ASKED)
    await threads.close(ASKED, [], asked_back())
    await _others(threads, 3)
    await inbox.withdraw(MessageRef("telegram", ASKED.place, ASKED.message))

    assert () == (await _thread(threads, 20)).before


async def test_a_list_goes_on_however_long_ago_it_was_shown(database: Database) -> None:
    """By the key that its button holds, or by a reply to it, and as far as it has been shown since."""
    threads = SqlThreads(database, WINDOW)
    further = replace(LISTED, seen=("a", "b", "c"), remaining=3)
    for minute, listed in ((1, LISTED), (2, further), (3, replace(LISTED, key="k2"))):
        question = ask(f"list {minute}", minute=minute)
        await threads.close(question, [], replace(finish(question), listed=listed))
    await _others(threads, 4)
    first = MessageRef("telegram", "7", "1")
    replied = await threads.open(replace(ask("more", minute=20), answers=Target(first)))
    assert isinstance(replied, Thread)

    assert further == going_on("", await _thread(threads, 20, "k1"), "k1")
    assert further == going_on("more", replied)
    assert going_on("", await _thread(threads, 20, "k3"), "k3") is None
    assert () == (await _thread(threads, 20)).before


async def test_without_a_window_only_the_last_turn_is_known_apart(database: Database) -> None:
    """No question leans on it, but it may have asked back, or left something of a list."""
    threads = SqlThreads(database, 0)
    await _others(threads, 2, 2)
    await threads.close(replace(ASKED, asked_at=ask("", minute=5).asked_at), [], asked_back())
    question = ask("list", minute=6)
    await threads.close(question, [], replace(finish(question), listed=LISTED))
    thread = await _thread(threads, 20)

    assert ((), [ASKED.text, "list"]) == (thread.turns, _before(thread))
    assert LISTED == going_on("more", thread) == going_on("", await _thread(threads, 20, "k1"), "k1")


BOTH = [page for page in PAGES if "Dmitry" in page or "Дмитрий" in page]
OTHERS = ["Who leads Lantern?", "Who leads Beacon?", "Кто ведёт Фонарь?", "Кто ведёт Маяк?", "Who leads Lantern?"]


@pytest.mark.parametrize("window", [0, WINDOW])
@pytest.mark.parametrize(
    ("text", "choice", "page"),
    [
        ("What does Dmitry do?", "Petrov", "Dmitry Petrov runs the warehouse."),
        ("За что отвечает Дмитрий?", "1", "Дмитрий Орлов отвечает за платежи."),
    ],
)
async def test_after_many_other_questions_nobody_is_asked_again(
    database: Database, window: int, text: str, choice: str, page: str
) -> None:
    """The choice is understood, and holds at the end of a long conversation."""
    talk = StoredTalk(SqlThreads(database, window))
    asked, chosen = await talk.ask(text), await talk.ask(choice)
    again = await talk.after(*OTHERS, text)

    assert isinstance(asked.decision, Unclear)
    assert isinstance(chosen.decision, FollowUp)
    assert [[page]] * 2 == [[one for one in claims(record) if one in BOTH] for record in (chosen, again)]


@pytest.mark.parametrize("text", ["What does Dmitry do?", "За что отвечает Дмитрий?"])
async def test_who_did_not_choose_long_ago_is_not_asked_again_either(database: Database, text: str) -> None:
    """It is asked once in a thread, however much is talked of in between."""
    talk = StoredTalk(SqlThreads(database, WINDOW))
    first, last = await talk.ask(text), await talk.after(*OTHERS, text)

    assert [True, False] == [isinstance(one.decision, Unclear) for one in (first, last)]
    assert len(claims(last)) > 1


def test_what_was_said_long_ago_is_leant_on_by_nothing() -> None:
    """The turns before the window are no last turn."""
    turn = Turn("q", "q", (), answered=True, asked_at=ASKED.asked_at, unclear=BACK)
    thread = Thread("t", before=(turn,))

    assert (None, (turn,)) == (thread.last, thread.offered)
