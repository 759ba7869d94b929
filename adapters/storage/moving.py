"""A chat that gets another name: what is stored under the old one is found under the new one."""

from sqlalchemy import ColumnElement, Table, and_, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.tables import admissions, channel_settings, outbox, turns, unsent
from core.work import Place


async def move_place(connection: AsyncConnection, old: Place, new: Place) -> None:
    """Let questions, messages that wait, settings and who is let in belong to the new name.

    Messages have other numbers there, so that nothing is shown as a reply to a number of the old place. What was shown
    keeps its place: the platform knows it by that alone. Done twice, it changes nothing more.
    """
    if old == new:
        return
    elsewhere = {"place": new[1], "message": ""}
    await connection.execute(update(turns).where(_at(turns, old)).values(elsewhere))
    await connection.execute(update(outbox).where(_at(outbox, old), unsent(outbox.c.state)).values(elsewhere))
    taken = select(channel_settings.c.place).where(_at(channel_settings, new))
    if (await connection.execute(taken)).first() is None:
        await connection.execute(update(channel_settings).where(_at(channel_settings, old)).values(place=new[1]))
    await connection.execute(delete(channel_settings).where(_at(channel_settings, old)))
    await _move_admission(connection, old, new)


async def _move_admission(connection: AsyncConnection, old: Place, new: Place) -> None:
    before, after = _is_chat(old), _is_chat(new)
    allowed = await connection.scalar(select(admissions.c.state).where(before)) == "allowed"
    known = await connection.scalar(select(admissions.c.state).where(after))
    if known is not None and allowed and known != "allowed":
        await connection.execute(delete(admissions).where(after))
    if known is None or (allowed and known != "allowed"):
        await connection.execute(update(admissions).where(before).values(who=f"chat:{new[1]}"))
    await connection.execute(delete(admissions).where(before))


def _at(table: Table, place: Place) -> ColumnElement[bool]:
    return and_(table.c.platform == place[0], table.c.place == place[1])


def _is_chat(place: Place) -> ColumnElement[bool]:
    return and_(admissions.c.platform == place[0], admissions.c.who == f"chat:{place[1]}")
