"""What people say of answers: everybody's latest word on each version, and what is no answer."""

from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.storage.audit import SqlAudit
from adapters.storage.database import Database
from adapters.storage.feedback import SqlFeedback
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.threads import SqlThreads
from core.audited import Wanted
from core.conversation import MessageRef, Question
from core.feedback import Deed, Judgement, Verdict, Way
from tests.adapters.storage.turns import NOON, ask, finish, part, signed

TEXT = "Где применял RAG?"
ANNA, BORIS = "telegram:1", "telegram:2"


@pytest.fixture
def feedback(database: Database) -> SqlFeedback:
    """Return what nobody has said anything to."""
    return SqlFeedback(database)


class Office:
    """An answer to a question, in two messages and its evidence."""

    def __init__(self, threads: SqlThreads, outbox: SqlOutbox) -> None:
        self.threads, self.outbox = threads, outbox

    async def answer(self, question: Question, **known: bool) -> None:
        """Answer the question and show what is to be shown, each part as the message of its name."""
        record = finish(question)
        parts = [part("There.", "answer-1"), part("And there.", "answer-2"), part("“There”", "evidence-1")]
        await self.threads.close(question, parts, replace(record, planned_by="nobody") if known else record)
        await self.show()

    async def show(self) -> None:
        """Show what waits."""
        while claim := await self.outbox.claim(("telegram", "7")):
            await self.outbox.sent(claim, MessageRef("telegram", "7", claim.outgoing.part))


@pytest.fixture
async def office(threads: SqlThreads, outbox: SqlOutbox) -> Office:
    """Return the office in which a question has been answered."""
    made = Office(threads, outbox)
    await made.answer(ask(TEXT))
    return made


def deed(way: Way, verdict: Verdict = "down", minute: int = 1, **known: object) -> Deed:
    """Return what Anna does to the answer; each deed of another minute has an id of its own."""
    at = NOON + timedelta(minutes=minute)
    usual = Deed(MessageRef("telegram", "7", "answer-2"), ANNA, f"d{minute}", way, verdict, at)
    return replace(usual, **known)  # type: ignore[arg-type]


async def latest(feedback: SqlFeedback) -> list[tuple[str, int, Judgement]]:
    """Return who says what of which version, the latest first."""
    return [(word.person, word.version, word.judgement) for word in await feedback.words()]


async def test_everybody_has_one_word(feedback: SqlFeedback, office: Office) -> None:
    """With its reason; the latest person first, and with it what was answered."""
    await feedback.judge(deed("reason", reason="wrong", version=0))
    said = await feedback.judge(deed("press", "up", 2, by=BORIS, version=0))

    assert [(BORIS, 0, Judgement("up")), (ANNA, 0, Judgement("down", "wrong"))] == await latest(feedback)
    assert said is not None
    assert (TEXT, "acme", Judgement(), True) == (said.text, said.tenant, said.before, said.is_news)
    [word, _] = await feedback.words()
    assert word.result is not None
    assert "It is there." == word.result["answer"]


async def test_pressed_again_it_is_taken_back_and_changed(feedback: SqlFeedback, office: Office) -> None:
    """The same once more is nothing; the other one takes its place, and the reason goes with it."""
    await feedback.judge(deed("press", "down", 1))
    await feedback.judge(deed("reason", "down", 2, reason="outdated"))
    await feedback.judge(deed("press", "up", 3))
    changed = await latest(feedback)
    await feedback.judge(deed("press", "up", 4))

    assert [(ANNA, 0, Judgement("up"))] == changed
    assert [] == await latest(feedback)


@pytest.mark.parametrize("order", ["1 1", "1 2 1", "1 2 1 2", "1 2 3 1 3 2"])
async def test_a_deed_that_is_told_of_twice_counts_once(feedback: SqlFeedback, office: Office, order: str) -> None:
    """Also when another one came between, so that a repeated delivery takes nothing back."""
    verdicts: dict[int, Verdict] = {1: "down", 2: "up", 3: "up"}
    for minute in map(int, order.split()):
        await feedback.judge(deed("press", verdicts[minute], minute))

    expected = {1: [Judgement("down")], 2: [Judgement("up")], 3: []}[max(map(int, order.split()))]
    assert expected == [judgement for _, _, judgement in await latest(feedback)]


async def test_each_change_is_a_line_of_the_log(feedback: SqlFeedback, office: Office, database: Database) -> None:
    """Who, what, why and what before; a repeated deed is none, and the log is found by the person."""
    for one in (deed("press", minute=1), deed("press", minute=1), deed("reason", minute=2, reason="wrong")):
        await feedback.judge(one)

    entries = await SqlAudit(database).search(Wanted("telegram:1"), 5)
    told = [entry.record["feedback"] for entry in entries if "feedback" in entry.record]
    assert [("down", "wrong", "down"), ("down", None, None)] == [
        (one["verdict"], one["reason"], one["before"]) for one in told
    ]
    assert {(ask(TEXT).id, 0, ANNA)} == {(one["of"], one["version"], one["person"]) for one in told}


async def test_a_word_belongs_to_the_version_that_was_judged(
    feedback: SqlFeedback, office: Office, inbox: SqlInbox
) -> None:
    """An edited question has another answer: buttons say which they mean, an emoji means what stands there."""
    await feedback.judge(deed("press", minute=1, version=0))
    edited = ask("Где применял графы?", version=5)
    await inbox.edit(edited)
    while_made_anew = await feedback.judge(deed("given", "up", 2, by=BORIS))
    await office.answer(edited)
    await feedback.judge(deed("press", "up", 3, version=5))
    await feedback.judge(deed("given", "up", 4, by=BORIS))
    late = await feedback.judge(deed("reason", "down", 5, version=0, reason="wrong"))

    assert while_made_anew is not None
    assert late is not None
    assert (0, TEXT, 0, TEXT) == (while_made_anew.version, while_made_anew.text, late.version, late.text)
    assert [(ANNA, 0, "down"), (BORIS, 5, "up"), (ANNA, 5, "up"), (BORIS, 0, "up")] == [
        (person, version, judgement.verdict) for person, version, judgement in await latest(feedback)
    ]


async def test_an_emoji_on_the_evidence_judges_the_answer(feedback: SqlFeedback, office: Office) -> None:
    """It stands under the answer and shows what that is made from: whoever judges it judges the answer."""
    said = await feedback.judge(deed("given", message=MessageRef("telegram", "7", "evidence-1")))

    assert said is not None
    assert (0, TEXT, "down") == (said.version, said.text, said.now.verdict)
    assert [(ANNA, 0, "down")] == [
        (person, version, judgement.verdict) for person, version, judgement in await latest(feedback)
    ]


@pytest.mark.parametrize("message", ["0", "somebody else's"])
async def test_what_is_no_answer_cannot_be_judged(feedback: SqlFeedback, office: Office, message: str) -> None:
    """The question itself, a message of others."""
    ref = MessageRef("telegram", "7", message)

    assert await feedback.judge(deed("given", message=ref)) is None
    assert await feedback.answer_in(ref) is None
    assert [] == await latest(feedback)


async def test_a_version_that_was_never_answered_cannot_be_judged(feedback: SqlFeedback, office: Office) -> None:
    """A button of nobody's making means nothing, however large its number."""
    assert await feedback.judge(deed("press", version=10**18 - 1)) is None
    assert (ask(TEXT).id, 0) == await feedback.answer_in(deed("press").message)


async def test_signs_and_what_we_ask_back_cannot_be_judged(
    feedback: SqlFeedback, inbox: SqlInbox, threads: SqlThreads, outbox: SqlOutbox
) -> None:
    """Nothing was looked up for them."""
    office = Office(threads, outbox)
    await inbox.record(ask(TEXT), signed(part("Смотрю…", "answer-2")))
    await office.show()
    sign = await feedback.judge(deed("given"))
    await office.answer(ask(TEXT), asked_back=True)

    assert sign is None
    assert await feedback.judge(deed("given")) is None


async def test_of_a_question_that_was_taken_back_nothing_is_told(
    feedback: SqlFeedback, office: Office, inbox: SqlInbox
) -> None:
    """What was said of its answer is not shown, and no more can be said."""
    await feedback.judge(deed("press"))
    await inbox.withdraw(MessageRef("telegram", "7", "0"))

    assert [] == await latest(feedback)
    assert await feedback.judge(deed("press", "up", 2)) is None


async def test_words_are_counted_and_chosen(feedback: SqlFeedback, office: Office) -> None:
    """Since a moment, and by verdict."""
    await feedback.judge(deed("press", "down", 1))
    await feedback.judge(deed("press", "up", 5, by=BORIS))

    assert {"up": 1, "down": 1} == await feedback.counts(NOON)
    assert {"up": 1, "down": 0} == await feedback.counts(NOON + timedelta(minutes=2))
    assert [BORIS] == [word.person for word in await feedback.words(1)]
    assert [ANNA] == [word.person for word in await feedback.words(verdict="down")]
    assert [] == list(await feedback.words(since=NOON + timedelta(minutes=2), verdict="down"))


async def test_an_answer_of_the_terminal_is_judged_by_its_question(feedback: SqlFeedback, office: Office) -> None:
    """No message shows it; the words are the person's own."""
    said = await feedback.judge_answer(deed("reason", reason="Не тот проект 🦔", by="console"), ask(TEXT).id)

    assert said is not None
    assert Judgement("down", "Не тот проект 🦔") == said.now
    assert await feedback.judge_answer(deed("press"), "console:nothing") is None
