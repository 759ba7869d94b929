"""What a reply offers, on each database: kept with the turn, pressed once, taken back with its question."""

from dataclasses import replace

from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.threads import SqlThreads
from core.conversation import Clarification, MessageRef, Pressed, Question, Reading, Thread
from core.delivery import Body
from core.followup import Unclear
from core.press import Offer
from core.reply import Action
from core.turn import TurnRecord
from tests.adapters.storage.turns import ask, finish, part

ASKED = ask("За что отвечает Дмитрий?", minute=1)
READINGS = (Reading("За что отвечает Дмитрий Орлов?", "Орлов", ("orlov",)), Reading("… Petrov?", "Petrov", ("petrov",)))
BACK = Clarification("дмитр", READINGS)
ACTIONS = (Action("choose", "Орлов", "1.ab"), Action("choose", "Petrov", "2.ab"))
STANDS = MessageRef("telegram", "7", "101")
PRESSED = replace(
    ask("За что отвечает Дмитрий Орлов?", minute=2),
    id=f"{STANDS}!choose:1.ab",
    pressed=Pressed("choose", "1.ab", ASKED.id, ("orlov",)),
)


def asked_back(question: Question = ASKED) -> TurnRecord:
    """Return the record of a question that was answered by asking back."""
    record = finish(question)
    reply = replace(record.reply, actions=ACTIONS)
    return replace(record, decision=Unclear(question.text, BACK, "two of them"), reply=reply)


async def _offer(inbox: SqlInbox, threads: SqlThreads, outbox: SqlOutbox) -> None:
    """Ask back, and let it stand in the chat."""
    await inbox.record(ASKED)
    await threads.close(ASKED, [part("Что вы имеете в виду?")], asked_back())
    claim = await outbox.claim(("telegram", "7"))
    assert claim is not None
    await outbox.sent(claim, STANDS)


async def test_what_was_asked_back_is_part_of_the_thread(inbox: SqlInbox, threads: SqlThreads) -> None:
    """The next message may be the choice, so the thread gives the readings back; that turn was not answered."""
    await inbox.record(ASKED)
    await threads.close(ASKED, [part("Что вы имеете в виду?")], asked_back())
    thread = await threads.open(ask("2", minute=3))

    assert isinstance(thread, Thread)
    assert thread.last is not None
    assert (BACK, False) == (thread.last.unclear, thread.last.answered)


async def test_a_message_leads_to_what_its_reply_offers(
    inbox: SqlInbox, threads: SqlThreads, outbox: SqlOutbox
) -> None:
    """The question, its thread, the actions and the readings; nothing for another message."""
    await _offer(inbox, threads, outbox)

    assert Offer(ASKED.id, ASKED.thread, None, ASKED.text, ACTIONS, BACK, ASKED.text) == await threads.offered(STANDS)
    assert await threads.offered(MessageRef("telegram", "7", "102")) is None


async def test_while_it_is_made_anew_a_reply_offers_nothing(
    inbox: SqlInbox, threads: SqlThreads, outbox: SqlOutbox
) -> None:
    """The question was edited: the buttons that still stand there belong to its old words."""
    await _offer(inbox, threads, outbox)
    await inbox.edit(replace(ASKED, text="Кто такой Дмитрий Орлов?", version=1))

    assert await threads.offered(STANDS) is None


async def test_a_pressed_question_says_what_was_pressed(inbox: SqlInbox) -> None:
    """It is recorded once, and whoever takes it knows which action of which reply asked it."""
    known = [await inbox.record(PRESSED), await inbox.record(PRESSED)]

    assert [True, False] == known
    assert [PRESSED] == await inbox.take(2, "one", ("telegram",))


async def test_an_edit_or_a_deletion_takes_back_what_buttons_asked(
    inbox: SqlInbox, threads: SqlThreads, outbox: SqlOutbox
) -> None:
    """So with the choice, and with what a button under the answer to the choice asked in turn."""
    await _offer(inbox, threads, outbox)
    more = replace(
        ask("Ещё 12", minute=3), id="telegram:7:102!more:10", pressed=Pressed("more", "10", PRESSED.id), thread="t2"
    )
    for question in (PRESSED, more):
        await inbox.record(question)
    await inbox.withdraw(MessageRef("telegram", "7", "1"))

    assert [] == await inbox.take(5, "one", ("telegram",))


async def test_a_message_that_stands_there_is_shown_again_as_changed(
    inbox: SqlInbox, threads: SqlThreads, outbox: SqlOutbox
) -> None:
    """It is the same message that says something else; a change that changes nothing shows nothing."""
    await _offer(inbox, threads, outbox)

    def chosen(body: Body) -> Body:
        return {"text": "✓ Орлов"}

    changed = [await outbox.rewrite(STANDS, chosen), await outbox.rewrite(STANDS, chosen)]
    claim = await outbox.claim(("telegram", "7"))

    assert claim is not None
    assert ([True, False], {"text": "✓ Орлов"}, STANDS) == (changed, claim.outgoing.body, claim.outgoing.shown)
    assert await outbox.rewrite(MessageRef("telegram", "7", "no message"), chosen) is False
