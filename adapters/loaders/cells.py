"""A cell of a spreadsheet as a person sees it: dates, percentages, money and plain numbers."""

import re
from datetime import date, datetime, time, timedelta
from typing import Final

from core.ingest.pieces import one_line

# Excel's own short date: shown in the order of the reader's country, so it is written in the order nobody misreads.
_BY_COUNTRY: Final = frozenset(("mm-dd-yy", "m/d/yy", "m/d/yy h:mm"))
_CONDITION = re.compile(r"\[(?!\$)[^\]]*\]")
_CURRENCY = re.compile(r"\[\$([^\]-]*)(?:-[0-9A-Fa-f]+)?\]")
_QUOTED = re.compile(r'"([^"]*)"|\\(.)|_.|\*.')
_DIGITS = re.compile(r"[#0?](?:[#0?,. ]*[#0?])?")
_DATE_PART = re.compile(r"y+|m+|d+|h+|s+|[^a-z]+", re.IGNORECASE)
_NUMERIC_DATE = re.compile(r"(?!.*(?:m{3}|d{3}|h{3}|s{3}))(?:y{4}|y{2}|[mdhs]|[-./: ,])+", re.IGNORECASE)
_CLOCK = re.compile(r"h{1,2}:m{2}(?::s{2})?", re.IGNORECASE)


def shown(value: object, number_format: str = "General") -> str:
    """Return the value as its cell shows it. A date in words is given as YYYY-MM-DD, a number of an odd form plainly.

    Number formats: ECMA-376 part 1, 18.8.31. Thousands are parted by a comma, as the format writes it.
    """
    match value:
        case None:
            return ""
        case bool():
            return str(value).upper()
        case datetime() | date() | time():
            return _date(value, number_format)
        case timedelta():
            return _duration(value)
        case int() | float():
            return _number(value, number_format)
        case _:
            return one_line(str(value))


def _date(value: datetime | date | time, number_format: str) -> str:
    pattern = _plain(number_format)
    if isinstance(value, time):
        if _CLOCK.fullmatch(pattern):
            return _by_pattern(datetime.combine(date.min, value), pattern)
        return value.isoformat("seconds" if value.second else "minutes")
    if isinstance(value, datetime) and number_format not in _BY_COUNTRY and _NUMERIC_DATE.fullmatch(pattern):
        return _by_pattern(value, pattern)
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    return value.isoformat(" ", "minutes") if isinstance(value, datetime) else value.isoformat()


def _by_pattern(value: datetime, pattern: str) -> str:
    """Return the date by a pattern of numbers such as dd.mm.yyyy; an m after hours or before seconds means minutes."""
    parts = _DATE_PART.findall(pattern)
    letters = [part[0].lower() for part in parts if part[0].isalpha()]
    out, place = [], 0
    for part in parts:
        if not part[0].isalpha():
            out.append(part)
            continue
        near = letters[max(0, place - 1)] == "h" or letters[place + 1 : place + 2] == ["s"]
        out.append(_date_part(value, part.lower(), is_minute=near))
        place += 1
    return "".join(out)


def _date_part(value: datetime, part: str, *, is_minute: bool) -> str:
    number = {
        "y": value.year if len(part) > 2 else value.year % 100,  # noqa: PLR2004 - yyyy against yy
        "m": value.minute if is_minute else value.month,
        "d": value.day,
        "h": value.hour,
        "s": value.second,
    }[part[0]]
    return str(number).zfill(len(part))


def _duration(value: timedelta) -> str:
    minutes, seconds = divmod(round(value.total_seconds()), 60)
    return f"{minutes // 60}:{minutes % 60:02}" + (f":{seconds:02}" if seconds else "")


def _number(value: float, number_format: str) -> str:
    section = _section(value, number_format)
    pattern = _DIGITS.search(_QUOTED.sub("", _CURRENCY.sub("", section)))
    if pattern is None or number_format == "General" or re.search(r"[Ee][+-]|/|@", section):
        return _general(value)
    digits = pattern[0]
    decimals = sum(char in "0#?" for char in digits.partition(".")[2])
    percent = "%" in section
    grouped = "," if re.search(r"[#0?],[#0?]", digits) else ""
    text = f"{abs(value) * (100 if percent else 1):{grouped}.{decimals}f}"
    if "." in text and "0" not in digits.partition(".")[2]:
        text = text.rstrip("0").rstrip(".")
    before, _, after = _plain(section).partition(digits)
    sign = "-" if value < 0 and text.strip("0.,") else ""
    return one_line(f"{sign}{before.strip(' -()')}{text}{after.rstrip(' ()')}")


def _section(value: float, number_format: str) -> str:
    """Return the part of the format that is for such a number: positive; negative; zero."""
    sections = number_format.split(";")
    if value < 0 and len(sections) > 1:
        return sections[1] or sections[0]
    return sections[2] if value == 0 and len(sections) > 2 and _DIGITS.search(sections[2]) else sections[0]  # noqa: PLR2004


def _plain(pattern: str) -> str:
    """Return the format with what it quotes as it is shown, without colours, conditions and languages."""
    pattern = _CURRENCY.sub(r"\1", _CONDITION.sub("", pattern.partition(";")[0]))
    return _QUOTED.sub(lambda found: found[1] or found[2] or "", pattern)


def _general(value: float) -> str:
    """Return a number without a format: whole numbers whole, others as far as Excel keeps them (15 digits)."""
    return str(value) if isinstance(value, int) else f"{value:.15g}"
