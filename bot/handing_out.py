"""Files that are handed out: a record a line of JSON, whole or not there, for their owner's eyes alone."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from core.errors import ConfigError


async def written_as_lines(rows: AsyncIterator[Mapping[str, Any]], file: Path) -> int:
    """Write records to a file that is not there yet, as JSON lines; return how many. Raises ConfigError.

    Only its owner may read the file. Where that breaks off, none is left: half of it would look like all.
    """
    written = 0
    with _opened(file) as out:
        async for row in rows:
            line = json.dumps(row, ensure_ascii=False, separators=(",", ":"), default=datetime.isoformat)
            await asyncio.to_thread(out.write, line + "\n")
            written += 1
    return written


@contextmanager
def _opened(file: Path) -> Iterator[TextIO]:
    """Give a new file to write to; it is gone again when that breaks off. Raises ConfigError."""
    try:
        file.touch(mode=0o600, exist_ok=False)
    except FileExistsError:
        raise ConfigError(f"{file} is there already: give another name, or remove it") from None
    except OSError as error:
        raise _unwritable(file, error) from None
    try:
        with file.open("w", encoding="utf-8", newline="\n") as out:
            yield out
    except BaseException as error:
        file.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _unwritable(file, error) from None
        raise


def _unwritable(file: Path, error: OSError) -> ConfigError:
    return ConfigError(f"{file} cannot be written ({error.strerror}): give another name")
