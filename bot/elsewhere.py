"""An answer that cannot be shown where it was asked for: whoever asked gets it where nobody else sees it."""

from collections.abc import Mapping
from typing import Protocol

from core.delivery import Outcome, Refused
from core.running import Platform
from core.turn import Told
from core.visiting import ReachesAskers
from core.work import Claim


class Records(Protocol):
    """What is stored of finished turns."""

    async def told_of(self, question_id: str) -> tuple[Told, str, bool] | None:
        """Return what is stored of a question that is done, who asked it, and whether its reply is for them alone.

        Raises StorageError.
        """


class Elsewhere:
    """Shows answers to who asked where the place does not take them: it is shut, or the platform does not say why."""

    def __init__(self, records: Records, platforms: Mapping[str, Platform]) -> None:
        self._records = records
        self._platforms = platforms

    async def shown(self, claim: Claim, why: Refused) -> Outcome:
        """Return what came of showing it to the asker alone, `why` where that cannot be. Raises StorageError."""
        platform = self._platforms[claim.outgoing.platform]
        if not (why.is_for_the_asker and claim.final and isinstance(platform, ReachesAskers)):
            return why
        found = await self._records.told_of(claim.outgoing.question)
        return await platform.show_directly(claim.outgoing, found[1], why) if found else why
