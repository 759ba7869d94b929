"""Small work beside the questions: what is lost of it when the process ends is owed to nobody."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from core.errors import whereabouts

log = logging.getLogger(__name__)

# Each is a sentence to one person; who sends more at once is not reading them, and keeps nobody else from theirs.
MOST_OF_ONE = 10
MOST_ERRANDS = 500

Errand = Callable[[], Awaitable[None]]


class Errands:
    """Runs what is started in the background: at most `MOST_ERRANDS`, and `MOST_OF_ONE` for the same person or chat."""

    def __init__(self) -> None:
        self._running: dict[asyncio.Task[None], str] = {}

    def start(self, errand: Errand, of: str) -> bool:
        """Start the errand `of` a person or chat, unless too many run; return whether it was."""
        theirs = list(self._running.values()).count(of)
        if theirs >= MOST_OF_ONE or len(self._running) >= MOST_ERRANDS:
            log.warning("Telegram: a hint was left out, %d are on their way, %d to one", len(self._running), theirs)
            return False
        task = asyncio.create_task(_run(errand))
        self._running[task] = of
        task.add_done_callback(self._running.pop)
        return True

    async def close(self) -> None:
        """Return when nothing runs any more."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


async def _run(errand: Errand) -> None:
    try:
        await errand()
    except Exception as error:  # noqa: BLE001 - nobody waits for this task
        log.error("Telegram: a mistake of ours: %s", whereabouts(error))  # noqa: TRY400 - it may quote a message
