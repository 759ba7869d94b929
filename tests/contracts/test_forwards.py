"""What a forward of Telegram's belongs to, told by each database alone: nobody remembers the question before it."""

import pytest

from adapters.storage.inbox import SqlInbox
from adapters.storage.threads import SqlThreads
from adapters.telegram.forwards import Forwards, may_belong_to
from core.conversation import Question
from tests.adapters.storage.turns import ask, finish
from tests.contracts.letters import reply

COMMENTS = pytest.mark.parametrize("comment", ["Is it so?", "Это так?"])


def forwarded(number: int) -> Question:
    """Return a forward that comes within the same second as the comment."""
    return ask(f"words of {number}", message=str(number))


async def _joined(inbox: SqlInbox, forward: Question) -> Question | None:
    forwards = Forwards()
    known = await inbox.known(may_belong_to(forward))
    latest = max(known, key=lambda one: int(one.message))
    forwards.stored(latest, is_done=await inbox.question(latest.id, latest.version) is None)
    return forwards.joined(forward)


@COMMENTS
async def test_forwards_join_what_waits(inbox: SqlInbox, comment: str) -> None:
    """One after the other, each once: what has joined is no news, however late it comes again."""
    await inbox.record(ask(comment, message="600"))
    changes = []
    for number in (601, 602, 601, 602, 604):
        joined = await _joined(inbox, forwarded(number))
        changes.append(await inbox.edit(joined) if joined else None)
    [stored] = await inbox.known(may_belong_to(forwarded(602)))

    assert ["changed", "changed", "same", "same", None] == changes
    assert (comment, 2) == (stored.text, stored.version)
    assert stored.around
    assert "words of 601\nwords of 602" == stored.around.brought


@COMMENTS
async def test_forwards_join_what_was_answered_without_any(inbox: SqlInbox, threads: SqlThreads, comment: str) -> None:
    """It is answered anew in its place; what comes after that answer cannot be, as what it was about is not kept."""
    question = ask(comment, message="600")
    await inbox.record(question)
    await threads.close(question, reply("?"), finish(question))
    joined = await _joined(inbox, forwarded(601))
    assert joined
    assert "changed" == await inbox.edit(joined)
    await threads.close(joined, reply("Yes."), finish(joined))

    assert await _joined(inbox, forwarded(602)) is None
    again = await _joined(inbox, forwarded(601))
    assert again
    assert "same" == await inbox.edit(again)
    assert await inbox.question(question.id, 1) is None
