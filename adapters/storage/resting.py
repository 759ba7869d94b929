"""Until when nothing can be shown in a place, as its platform told one of the copies that share the database."""

from collections.abc import Collection
from datetime import UTC, datetime
from functools import cache

from sqlalchemy import BindParameter, ColumnElement, Float, Insert, Table, bindparam, case, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database, insert_in
from adapters.storage.rates import used_of
from adapters.storage.tables import rates
from core.work import Place

# Seconds: no pause is longer; one that is told to be is asked about again then.
LONGEST = 86_400.0
_REST = "rest "


async def rest(database: Database, connection: AsyncConnection, place: Place, until: datetime) -> None:
    """Let a place rest, also for messages that are still to come; a longer rest stays."""
    given = {"its_key": rest_of(place), "at": until.timestamp()}
    await connection.execute(_rested(database.dialect), given)


async def rests_of(connection: AsyncConnection, places: Collection[Place]) -> dict[Place, datetime]:
    """Return until when each place rests; one that does not is missing, or its time has passed."""
    if not places:
        return {}
    keys = {rest_of(place): place for place in places}
    far = datetime.now(UTC).timestamp() + LONGEST
    found = (await used_of(connection, keys)).items()
    return {keys[key]: datetime.fromtimestamp(at, UTC) for key, at in found if at <= far}


async def rests_now(database: Database, place: Place) -> bool:
    """Return whether nothing can be shown in a place just now."""
    async with database.reading() as connection:
        until = (await rests_of(connection, [place])).get(place)
    return until is not None and until > datetime.now(UTC)


def is_resting() -> ColumnElement[bool]:
    """Return whether a place rests; given are then its `rest`, as `rest_of` names it, and `seconds`, now since 1970."""
    return select(rates.c.key).where(rates.c.key == bindparam("rest"), *_goes_on()).exists()


def rests_at(table: Table) -> ColumnElement[bool]:
    """Return whether the place of a table's row rests; given are then `seconds`, now since 1970."""
    named = _REST + table.c.platform + " " + table.c.place
    return select(rates.c.key).where(rates.c.key == named, *_goes_on()).correlate(table).exists()


def _goes_on() -> tuple[ColumnElement[bool], ...]:
    now: BindParameter[float] = bindparam("seconds", type_=Float)
    return rates.c.until > now, rates.c.until <= now + LONGEST


def rest_of(place: Place) -> str:
    """Return the name of a place's rest."""
    return f"{_REST}{place[0]} {place[1]}"


@cache
def _rested(dialect: str) -> Insert:
    at = bindparam("at", type_=Float)
    new = insert_in(dialect, rates).values(key=bindparam("its_key"), until=at)
    longer = case((rates.c.until > new.excluded.until, rates.c.until), else_=new.excluded.until)
    return new.on_conflict_do_update(index_elements=["key"], set_={"until": longer})
