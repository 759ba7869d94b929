"""What a thread has offered before the turns that are read of it: a promise made there holds, however long ago."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, bindparam
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.offers import read_unclear
from adapters.storage.tables import turns

# Of one thread; nobody is asked back about so many things.
_MOST = 200


async def offered_before(
    connection: AsyncConnection, finished: Select[*tuple[Any, ...]], given: dict[str, Any], key: str | None
) -> Sequence[Row[Any]]:
    """Return the turns, the latest first, that asked back, took up what was offered, or showed last the list of a key.

    `finished` selects the finished turns of the thread, `given` are its values.
    """
    asked = (await connection.execute(_asked_back(finished), given)).all()
    readings = [one.question for row in asked if (back := read_unclear(row.unclear)) for one in back.readings]
    chosen = (await connection.execute(_chosen(finished), given | {"readings": readings})).all() if readings else ()
    listed = (await connection.execute(_listed(finished), given | {"list_key": key})).all() if key else ()
    found = {row.question_id: row for row in (*asked, *chosen, *listed)}
    return sorted(found.values(), key=lambda row: (row.asked_at, row.finished_at), reverse=True)


@cache
def _asked_back(finished: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    # What asked back has no answer: only of such turns the wide columns are read.
    return _latest(finished, turns.c.answered.is_(False), turns.c.unclear.is_not(None), most=_MOST)


@cache
def _chosen(finished: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    return _latest(finished, turns.c.standalone.in_(bindparam("readings", expanding=True)), most=_MOST)


@cache
def _listed(finished: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    return _latest(finished, turns.c.listed["key"].as_string() == bindparam("list_key"), most=1)


def _latest(finished: Select[*tuple[Any, ...]], *which: ColumnElement[bool], most: int) -> Select[*tuple[Any, ...]]:
    return finished.where(*which).order_by(turns.c.asked_at.desc(), turns.c.finished_at.desc()).limit(most)
