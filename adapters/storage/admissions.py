"""Who was let in, who waits with a code, and who was told that they are not."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, func, or_, select, update

from adapters.storage.database import Database
from adapters.storage.tables import admissions
from core.access import Kept


class SqlAdmissions:
    """The port `Admissions` over a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, platform: str, who: str) -> Kept | None:
        """Return what is stored of somebody."""
        columns = (admissions.c.state, admissions.c.times, admissions.c.until, admissions.c.changed_at)
        async with self._database.reading() as connection:
            row = (await connection.execute(select(*columns).where(_is(platform, who)))).one_or_none()
        return Kept(row.state, row.times, row.until, row.changed_at) if row else None

    async def allowed(self, platform: str) -> dict[str, tuple[str, datetime]]:
        """Return who was let in, by whom and when."""
        query = select(admissions).where(admissions.c.platform == platform, admissions.c.state == "allowed")
        async with self._database.reading() as connection:
            rows = (await connection.execute(query.order_by(admissions.c.who))).all()
        return {row.who: (row.changed_by, row.changed_at) for row in rows}

    async def allow(self, platform: str, who: str, *, by: str, at: datetime) -> None:
        """Let somebody in; a code of theirs is used up."""
        await self._put(platform, who, state="allowed", code=None, times=0, until=None, changed_by=by, changed_at=at)

    async def remove(self, platform: str, who: str) -> bool:
        """Let somebody in no longer; False when nothing is stored of them."""
        async with self._database.writing() as connection:
            return bool((await connection.execute(delete(admissions).where(_is(platform, who)))).rowcount)

    async def tell(self, platform: str, who: str, *, at: datetime, anew: bool = False) -> int:
        """Count that somebody is told that they are not let in; return how often that is now, `anew`: from one."""
        row = {"platform": platform, "who": who, "state": "told", "times": 1, "changed_by": "", "changed_at": at}
        new = self._database.insert(admissions).values(row)
        times: Any = 1 if anew else admissions.c.times + 1
        # When it was told first counts; who has been let in meanwhile stays so.
        counted = {"times": times, "changed_at": at if anew else admissions.c.changed_at}
        told = new.on_conflict_do_update(index_elements=["platform", "who"], set_=counted)
        async with self._database.writing() as connection:
            return int(await connection.scalar(told.returning(admissions.c.times)) or 1)

    async def wait(  # noqa: PLR0913 - what a row holds, each given by name
        self, platform: str, who: str, code: str, *, until: datetime, at: datetime, most: int
    ) -> bool:
        """Let somebody wait with the digest of a code; False when so many wait already."""
        waits = and_(admissions.c.platform == platform, admissions.c.state == "pending", admissions.c.until > at)
        async with self._database.reading() as connection:
            waiting = await connection.scalar(select(func.count()).select_from(admissions).where(waits))
        if int(waiting or 0) >= most:
            return False
        await self._put(platform, who, state="pending", code=code, times=0, until=until, changed_by="", changed_at=at)
        return True

    async def redeem(self, platform: str, code: str, *, by: str, at: datetime) -> str | None:
        """Let in who waits with the code, which then is used up; of two who do it at once, one does."""
        here = (admissions.c.platform == platform, admissions.c.code == code)
        waits = (*here, admissions.c.state == "pending", admissions.c.until > at)
        allowed = {"state": "allowed", "code": None, "until": None, "times": 0, "changed_by": by, "changed_at": at}
        redeemed = update(admissions).where(*waits).values(allowed).returning(admissions.c.who)
        async with self._database.writing() as connection:
            who: str | None = await connection.scalar(redeemed)
        return who

    async def _put(self, platform: str, who: str, **columns: Any) -> None:
        new = self._database.insert(admissions).values({"platform": platform, "who": who} | columns)
        # Who has been let in meanwhile does not wait.
        changes = or_(admissions.c.state != "allowed", new.excluded.state == "allowed")
        put = new.on_conflict_do_update(
            index_elements=["platform", "who"], set_={name: new.excluded[name] for name in columns}, where=changes
        )
        async with self._database.writing() as connection:
            await connection.execute(put)


def _is(platform: str, who: str) -> ColumnElement[bool]:
    return and_(admissions.c.platform == platform, admissions.c.who == who)
