"""A message that a device has sent twice: one of the two is answered, and the other one stands in for it if that goes.

A copy has a row of its own, in the state `copy`, so that it is known, edited and deleted as any message is.
"""

from datetime import UTC, datetime

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database
from adapters.storage.offers import FORGOTTEN, forget_continued
from adapters.storage.parts import drop_parts
from adapters.storage.tables import turns
from adapters.storage.threads import asked
from core.conversation import Question


async def is_known(database: Database, connection: AsyncConnection, question: Question) -> bool:
    """Return whether the question is known by its id, or by its mark: then it is kept as a copy.

    False where the one with its mark has gone this very moment. What was only overheard has no need of a copy: nobody
    waits for an answer to it.
    """
    if question.resend:
        # Held until the copy is there: whoever takes the first one back sees it then.
        same = (turns.c.resend == question.resend, turns.c.question_id != question.id)
        first = await connection.scalar(select(turns.c.question_id).where(*same).with_for_update())
        if first is not None:
            row = asked(question) | {"resend": None, "state": "copy", "copy_of": first}
            if not question.overheard:
                await connection.execute(database.insert(turns).values(row).on_conflict_do_nothing())
            return True
    return await connection.scalar(select(turns.c.state).where(turns.c.question_id == question.id)) is not None


async def take_back(connection: AsyncConnection, question_id: str) -> bool:
    """Return whether there was a question to take back; its words and what was made of them go, and its copy is asked.

    Of several copies it is the first one, and the others are copies of that from then on.
    """
    ours = (turns.c.question_id == question_id, turns.c.state != "withdrawn")
    row = (await connection.execute(select(turns.c.resend).where(*ours).with_for_update())).one_or_none()
    if row is None:
        return False
    await connection.execute(update(turns).where(*ours).values(FORGOTTEN))
    await drop_parts(connection, question_id)
    await forget_continued(connection, question_id)
    if row.resend:
        await _let_stand_in(connection, question_id, row.resend)
    return True


async def _let_stand_in(connection: AsyncConnection, question_id: str, mark: str) -> None:
    copies = (turns.c.copy_of == question_id, turns.c.state == "copy")
    first = select(turns.c.question_id).where(*copies).order_by(turns.c.asked_at, turns.c.question_id).limit(1)
    heir = await connection.scalar(first.with_for_update())
    if heir is not None:
        waits = {"state": "waiting", "resend": mark, "arrived_at": datetime.now(UTC)}
        await connection.execute(update(turns).where(turns.c.question_id == heir).values(waits))
        await connection.execute(update(turns).where(*copies).values(copy_of=heir))


async def drop_copies(connection: AsyncConnection, question_id: str) -> None:
    """Forget the copies of a question that may not be answered."""
    await connection.execute(delete(turns).where(turns.c.copy_of == question_id, turns.c.state == "copy"))
