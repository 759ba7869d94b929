"""How the tests of the outbox speak of messages."""

from sqlalchemy import select

from adapters.storage.database import Database
from adapters.storage.outbox import SqlOutbox
from adapters.storage.tables import outbox as table
from core.conversation import MessageRef
from core.delivery import Part
from core.work import Claim
from tests.adapters.storage.turns import part

HERE = ("telegram", "7")
BUTTON = {"text": "Может быть, ответ уже здесь.", "button": "Показать"}


def reply(*texts: str) -> list[Part]:
    """Return a reply of these messages."""
    return [part(text, f"answer-{n}") for n, text in enumerate(texts, 1)]


async def claimed(outbox: SqlOutbox, place: str = "7") -> Claim:
    """Return the next claim, which there is."""
    claim = await outbox.claim(("telegram", place))
    assert claim is not None
    return claim


def text_of(claim: Claim) -> str | None:
    """Return what a claimed message is to say, None when it is to go."""
    return None if claim.outgoing.body is None else str(claim.outgoing.body["text"])


def at(number: int | str) -> MessageRef:
    """Return a message of the chat."""
    return MessageRef("telegram", "7", str(number))


async def show_all(outbox: SqlOutbox, place: str = "7") -> list[str | None]:
    """Show all that is due; return what is said, None for each message that goes."""
    texts = []
    while claim := await outbox.claim(("telegram", place)):
        texts.append(text_of(claim))
        gone = claim.outgoing.body is None
        await outbox.sent(claim, None if gone else claim.outgoing.shown or at(f"m{claim.outgoing.id}"))
    return texts


async def states(database: Database) -> dict[str, str]:
    """Return the state of each part."""
    async with database.reading() as connection:
        rows = (await connection.execute(select(table.c.part, table.c.state))).all()
    return {row.part: row.state for row in rows}
