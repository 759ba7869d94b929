"""The day that a source gives, in whichever form it gives it."""

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime

_ISO = re.compile(r"\s*(\d{4}-\d{2}-\d{2})(?![0-9])")
# Seconds from here on are milliseconds: the year 5138.
_MILLISECONDS = 100_000_000_000


def day_of(value: object) -> str | None:
    """Return the day as YYYY-MM-DD: of a date, seconds or milliseconds since 1970, ISO 8601 or an HTTP date."""
    match value:
        case datetime() | date():
            return value.strftime("%Y-%m-%d") if value.year >= 1000 else None  # noqa: PLR2004 - four digits
        case bool():
            return None
        case int() | float():
            return _day_of_seconds(value)
        case str():
            return _day_of_text(value)
    return None


def _day_of_seconds(seconds: float) -> str | None:
    try:
        return day_of(datetime.fromtimestamp(seconds / 1000 if seconds >= _MILLISECONDS else seconds, UTC))
    except (ValueError, OverflowError, OSError):
        return None


def _day_of_text(text: str) -> str | None:
    found = _ISO.match(text)
    try:
        return day_of(date.fromisoformat(found[1]) if found else parsedate_to_datetime(text))
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
