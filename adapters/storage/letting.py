"""What becomes of a question at the door, once it is known who asks."""

from dataclasses import replace

from sqlalchemy import ColumnElement, delete, null, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.copies import drop_copies
from adapters.storage.offers import FORGOTTEN, forget_continued
from adapters.storage.parts import drop_held, drop_parts, show_held
from adapters.storage.setting import once_done, read_door, setting_column
from adapters.storage.tables import turns
from adapters.storage.threads import ACTIVE
from core.conversation import Question

# What was made of the words that a question had before.
NOTHING_MADE = dict.fromkeys(("standalone", "entities", "answered", "result", "unclear", "listed"), null())


async def let_in(connection: AsyncConnection, question: Question) -> bool:
    """Return whether the question is to be answered, and let be seen what was said to it."""
    current = _standing(question)
    # Two copies may learn it at once, and what the first one lets be seen must not come twice.
    row = (await connection.execute(select(turns.c.setting).where(*current).with_for_update())).one_or_none()
    door = read_door(row.setting) if row else None
    if row is None or door is None:
        return row is not None
    welcome = setting_column(replace(question, at_door=False))
    refused = {"state": "done", "taken_by": None} | once_done(question) | NOTHING_MADE
    await connection.execute(update(turns).where(*current).values(welcome if door == "asked" else refused))
    await show_held(connection, question.id)
    return door == "asked"


async def turn_away(connection: AsyncConnection, question: Question) -> None:
    """Forget the question with its copies, or take it back if it was answered before it was edited."""
    current = _standing(question)
    found = await connection.execute(select(turns.c.question_id).where(*current).with_for_update())
    if found.one_or_none() is None:
        return
    await drop_copies(connection, question.id)
    if await drop_held(connection, question.id):
        await connection.execute(update(turns).where(*current).values(FORGOTTEN))
        await drop_parts(connection, question.id)
        await forget_continued(connection, question.id)
    else:
        await connection.execute(delete(turns).where(*current))


def _standing(question: Question) -> tuple[ColumnElement[bool], ...]:
    return (turns.c.question_id == question.id, turns.c.version == question.version, turns.c.state.in_(ACTIVE))
