"""Folders in which one process may do something at a time."""

from collections.abc import Iterator
from contextlib import contextmanager

from filelock import FileLock, Timeout

from bot.settings import Settings
from bot.wiring import make_data_dir
from core.errors import ConfigError


@contextmanager
def locked(settings: Settings, name: str, busy: str) -> Iterator[None]:
    """Hold a file in the data folder. Raises ConfigError with `busy` when another process does, or when nobody can."""
    make_data_dir(settings)
    lock = FileLock(settings.data_dir / name)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ConfigError(busy) from None
    except OSError as error:
        raise ConfigError(
            f"`FOOTNOTE_DATA_DIR`: {settings.data_dir} cannot be written to ({error.strerror}): name another folder "
            "that Footnote may read and write"
        ) from None
    try:
        yield
    finally:
        lock.release()
