"""A cell of a spreadsheet as a person sees it: dates, percentages, money and plain numbers."""

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from operator import eq, ge, gt, le, lt, ne
from typing import Any, Final

from core.ingest.pieces import one_line
from core.ingest.raised import lowered, raised

# Excel's own short date: shown in the order of the reader's country, so it is written in the order nobody misreads.
_BY_COUNTRY: Final = frozenset(("mm-dd-yy", "m/d/yy", "m/d/yy h:mm"))
_CONDITION = re.compile(r"\[(?!\$)[^\]]*\]")
_WHEN = re.compile(r"\[([<>=]{1,2})\s*(-?\d+(?:\.\d+)?)\]")
_HOLDS: Final = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "<>": ne}
_CURRENCY = re.compile(r"\[\$([^\]-]*)(?:-[0-9A-Fa-f]+)?\]")
_QUOTED = re.compile(r'"([^"]*)"|\\(.)|_.|\*.')
_DIGITS = re.compile(r"[#0?](?:[#0?,. ]*[#0?])?")
# Commas behind the digits: each stands for three that are not shown.
_SCALED = re.compile(r",+(?=\.)|^,+")
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
            return one_line("".join(_runs(value)) if isinstance(value, list) else str(value))


def _runs(rich: list[Any]) -> Iterator[str]:
    """Yield the words of a cell set in several ways: none that are struck out, raised and lowered digits told apart."""
    known = [(str(run), run if isinstance(run, str) else run.font) for run in rich]
    shown = ""
    for place, (text, font) in enumerate(known):
        if isinstance(font, str) or not (font.strike or font.vertAlign in ("superscript", "subscript")):
            read = text
        elif font.strike:
            read = ""
        elif font.vertAlign == "subscript":
            read = lowered(text, shown)
        else:
            read = raised(text, shown, "".join(after for after, _ in known[place + 1 :]))
        shown += read
        yield read


def _date(value: datetime | date | time, number_format: str) -> str:
    pattern = _plain(number_format)
    if isinstance(value, time):
        if _CLOCK.fullmatch(pattern):
            return _by_pattern(datetime.combine(date.min, value), pattern)
        return value.isoformat("seconds" if value.second else "minutes")
    if isinstance(value, datetime) and number_format not in _BY_COUNTRY and _NUMERIC_DATE.fullmatch(pattern):
        return _by_pattern(value, pattern)
    if isinstance(value, datetime) and "mmm" in pattern.lower() and not re.search(r"[dhs]", pattern, re.IGNORECASE):
        return f"{value:%Y-%m}"
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
    bare = _CONDITION.sub("", _QUOTED.sub("\0", _CURRENCY.sub("\0", section)))
    pattern = _DIGITS.search(bare)
    if not section and ";" in number_format:
        return ""
    if pattern is None or number_format == "General" or re.search(r"[Ee][+-]|/|@", section):
        return _general(value)
    digits, rest = pattern[0], bare[pattern.end() :]
    if _DIGITS.search(rest):
        return _masked(value, _plain(section))
    scale = sum(len(commas) for part in (digits, rest) for commas in _SCALED.findall(part))
    value = value / 1_000**scale
    decimals = sum(char in "0#?" for char in digits.partition(".")[2])
    percent = "%" in section
    grouped = "," if re.search(r"[#0?],[#0?]", digits) else ""
    whole = digits.partition(".")[0].count("0")
    text = f"{abs(value) * (100 if percent else 1):{grouped}.{decimals}f}"
    if "." in text and "0" not in digits.partition(".")[2]:
        text = text.rstrip("0").rstrip(".")
    before, _, after = _plain(section).partition(digits)
    sign = "-" if value < 0 and text.strip("0.,") else ""
    missing = "0" * (whole - len(text.partition(".")[0]))
    return one_line(f"{sign}{before.strip(' -()')}{missing}{text}{after.lstrip(',').rstrip(' ()')}")


def _masked(value: float, mask: str) -> str:
    """Return a number with signs between its digits, such as a telephone number; one with a fraction plainly."""
    if not float(value).is_integer() or "." in mask:
        return _general(value)
    left, out = list(str(abs(int(value)))), []
    places = [place for place, sign in enumerate(mask) if sign in "#0?"]
    for place in range(len(mask) - 1, -1, -1):
        if place not in places:
            out.append(mask[place])
            continue
        out.append(left.pop() if left else "0" if mask[place] == "0" else "")
        if place == places[0]:
            out += reversed(left)
    return one_line("-" * (value < 0) + "".join(reversed(out)))


def _section(value: float, number_format: str) -> str:
    """Return the part of the format that is for such a number: whose condition holds, or positive; negative; zero."""
    sections = number_format.split(";")
    stated = [(section, _WHEN.search(section)) for section in sections]
    if any(found for _, found in stated):
        return next(
            (one for one, found in stated if not found or _HOLDS[found[1]](value, float(found[2]))), sections[0]
        )
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
