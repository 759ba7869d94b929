"""Waiting for what there is no substitute for: a database that is away."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from core.errors import PortError

log = logging.getLogger("footnote")

# Seconds between tries.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 3.0

T = TypeVar("T")


async def patiently(call: Callable[[], Awaitable[T]]) -> T:
    """Return what the call gives, tried again for as long as its failure may pass. Raises PortError else."""
    pause = _FIRST_PAUSE
    while True:
        try:
            return await call()
        except PortError as error:
            if not error.retry:
                raise
            (log.info if pause == _FIRST_PAUSE else log.warning)("%s; next try in %g s", error, pause)
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)
