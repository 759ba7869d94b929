"""Bounds of numbers: at most, at least, about, exactly; “no more than” is a bound, not a denial."""

import re
from functools import lru_cache
from typing import Literal

from core.proof.measured import role_of
from core.proof.numbers import Amount, amounts
from core.proof.patterns import compiled
from core.proof.ranges import is_quantity, pairs_of
from core.proof.units import PERIODS
from core.proof.words import Reading

Bound = Literal["most", "least", "about", "exactly"]

# What bounds the number that follows, first as a claim may say it, then what else backs that.
_MOST = (
    r"at (?:the )?most|up to|as many as|as much as|maximum(?: of)?|a maximum of|max|upper limit of|capped at|limit of"
    r"|(?:no|not|never|nor|cannot be|can't be)(?: be| take| last| exceed)? (?:more|later|longer|greater|higher|larger|over|above|beyond)(?: than)?"
    r"|(?:not|cannot|never|no|may not|must not) (?:to )?exceed(?:ing)?|limit is|limited to|not exceeding|not over|less than|fewer than|under|below|(?:lower|younger|smaller|shorter|cheaper|lighter) than"
    r"|не (?:более|больше|позднее|позже|дольше|свыше|выше|старше|дороже)(?: чем)?|максимум|меньше|менее|ниже|дешевле|короче|младше|моложе|не (?:должн\w+ )?превыша\w+"
    r"|не превысит|в пределах|предел(?:ом)? в|лимит в|лимит"
)
_LEAST = (
    r"at (?:the )?least|minimum(?: of)?|a minimum of|min|(?:more|longer|greater|higher|larger|older|bigger|taller|heavier) than|over|above|exceed(?:s|ing)?|beyond|upwards of"
    r"|(?:no|not|never) (?:less|fewer|earlier|shorter|under|below|lower)(?: than)?"
    r"|не (?:менее|меньше|ранее|раньше|ниже|короче|младше)(?: чем)?|минимум|как минимум|по меньшей мере|хотя бы|более|больше|дороже|длиннее|крупнее|старше|тяжелее"
    r"|свыше|дольше|выше|превыша\w+|превысит"
)
_ABOUT = (
    r"about|approximately|around|roughly|nearly|almost|some|circa|примерно|около|приблизительно|почти|порядка|где-то"
)
_EXACTLY = r"exactly|precisely|ровно|в точности"
_MOST_TOO = r"within|until|till|before|by|to|the last|in|до|в течение|за|к|по|maximal|не дороже|не далее"
_LEAST_TOO = r"from|after|since|starting at|or more|and more|от|с|после|начиная с|выше"
_GAP = r"(?: (?:the|a|an|of|чем|на|за|в|the first|total)){0,2}\s?[€$£₽#]?\s?$"


def _ends(words: str) -> re.Pattern[str]:
    return compiled(rf"\b(?:{words}){_GAP}")


# Longer phrases first: “no more than” bounds from above although it ends like “more than”.
_SAID: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    ("least", _ends(r"(?:no|not|never) (?:less|fewer|earlier|shorter|under|below|lower)(?: than)?|не (?:менее|меньше|ранее|раньше|ниже|короче|младше)(?: чем)?")),
    ("most", _ends(_MOST)),
    ("least", _ends(_LEAST)),
    ("about", _ends(_ABOUT)),
    ("exactly", _ends(_EXACTLY)),
)  # fmt: skip
_TOO: tuple[tuple[Bound, re.Pattern[str]], ...] = (("most", _ends(_MOST_TOO)), ("least", _ends(_LEAST_TOO)))
_AFTER: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    ("least", compiled(r"\+|\s(?:[^\W\d]\w{0,30} ){0,3}(?:or|and) (?:more|above|over|older|longer|higher)\b|\s(?:[^\W\d]\w{0,30} ){0,3}(?:и|или) (?:более|больше|выше|дольше|старше)\b|\s(?:[^\W\d]\w{0,30} ){0,3}(?:minimum|at least|at the least|минимум|as a minimum)\b")),
    ("most", compiled(r"\s(?:[^\W\d]\w{0,30} ){0,2}(?:or|and) (?:less|fewer|under|below|younger|shorter|earlier)\b|\s(?:[^\W\d]\w{0,30} ){0,2}(?:и|или) (?:менее|меньше|ниже|раньше)\b|\s(?:[^\W\d]\w{0,30} ){0,3}(?:maximum|at most|at the latest|at the most|максимум|max|limit)\b")),
    ("about", compiled(r"\s(?:[^\W\d]\w{0,30} ){0,2}or so\b")),
)  # fmt: skip
# A second statement on the same number: “up to €500 … above that amount”.
_BEYOND = compiled(
    r"\b(?:above|over|beyond|more than|below|under|up to|after|less than) (?:that|this|it)\b|\b(?:anything|those|anyone) (?:more|above|over)|more \w+ (?:must|may|are|is)"
    r"|\blater \w+s\b|\bпоздн\w+|\bпозже\b|\b(?:выше|больше|свыше|дороже|менее|ниже|сверх|после) (?:этой|этого|этих)\b|\bболее (?:дорог|поздн|крупн|ранн)\w+|остальн\w+|\botherwise\b|\bin (?:all )?other cases\b|\bв противном случае\b|\bиначе\b"
)
# What may be had or done is a bound by itself.
_CAPPED = compiled(
    r"\b(?:may|can|could|limit\w*|cap|quota|allow\w*|budget|maxim\w+|seats?|holds?|capacity)\b|\b(?:может|могут|можно|лимит\w*|предел\w*|максим\w+|квота|разреш\w+|вмеща\w+|объем|принимает)\b"
)
_WINDOW = 44
# Until a stretch of time before a thing is at least so long before it: “up to 24 hours in advance”.
_UNTIL = _ends(r"up to|until|till|(?:no|not) later than|at the latest|не (?:позднее|позже)(?: чем)?")
_FROM = _ends(r"(?:no|not) (?:earlier|sooner) than|at the earliest|не (?:ранее|раньше)(?: чем)?")
_ALREADY = compiled(r"не (?:позднее|позже)(?: чем)? за\s$")
_AHEAD = compiled(r" (?:[^\W\d]\w{0,30} ){1,2}(?:in advance|beforehand|before|ahead|earlier|до|заранее)\b")
_UP_TO, _DOWN_TO = _ends(r"до"), _ends(r"from|от")
_ONWARD = compiled(r"[^.;,]{0,24}\b(?:to|до|по)\b|\s?[-–—]\s?\d")
_LEADS_TO = compiled(
    r"\b(?:с|со|от|from)\s(?:[^\s.;:]{1,24}\s){1,4}(?:до|to)\s|\b(?:вырос|вырас|упал|сниз|сниж|повы|увелич|уменьш|сокра|подорож|подешев|дорос|довел"
    r"|fell|fall|rose|grew|drop|cut|reduc|rais|increas|decreas)\w{0,20}\s(?:[^.;:]{1,44}\s)?(?:до|from|от)\s"
)
# What lets a bound be said by its number alone: a limit is 10, 3 are required, 14 days before.
_NEEDED = compiled(
    r"\b(?:requir\w*|need\w*|must|minimum|necessary|enough|suffic\w*|ha(?:s|ve) to|limit\w*|нужн\w*|нужен|треб\w+|необходим\w*|обяз\w+|долж\w+|достаточно"
    r"|минимальн\w*|минимум|максим\w+|предельн\w*)\b"
)
_MAXIMAL = compiled(r"максим|предельн|maxim|limit")
_FACING = {"most": {"least", "least~"}, "least": {"most", "most~"}, "exactly": {"most", "least", "about"}}
_ANY = compiled(
    rf"\b(?:{_MOST}|{_LEAST}|not only|not just|не только|no later than|not later than)\b(?= [^.]{{0,40}}\d| only| just| |$)"
)
# What a Russian bound of time may speak of, by how it begins.
_DATED = (
    "понедельник|вторник|сред[уы]|пятниц|суббот|воскресен|январ|феврал|март|апрел|ма[яй]|июн|июл|август|сентябр|октябр|ноябр|декабр"
    "|сегодня|завтра|полудн|полуноч|вечер|конц|начал"
)
_NEGATED = compiled(
    r"\b(?:(?:no|not|never) (?:more|later|longer|greater|higher|larger|less|fewer|earlier|shorter|lower)(?: than)(?! any| the| one another)"
    r"|(?:not|never|cannot|no|may not|must not) (?:be )?(?:more(?= than\b| [€$£₽]?\d)|over|above|under|below|exceed|exceeding)\b(?: than)?|not only|not just|не только|not merely|no less"
    r"|не (?:более|больше|позднее|позже|дольше|свыше|выше|старше|менее|меньше|ранее|раньше|ниже|короче|младше|превыша\w+|превысит|дороже|далее|долж\w+ превышать)"
    r"(?: чем)?(?! не )(?=[^.;]{0,40}(?:\d|дв|тр|чет|пят|шест|сем|вос|дев|дес|од|половин|сто|месяц|недел|год|день|час|кварт|сут|минут"
    rf"|{_DATED}))"
    r"|no (?:more|less|fewer|later) than|no sooner|not until|whether or not|а не только)",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def goes_beyond(reading: Reading) -> bool:
    """Return whether a text says something of what lies beyond its own bounds too."""
    return _BEYOND.search(reading.low) is not None


def without_bounds(low: str) -> str:
    """Return the text with the bounds that look like denials taken out."""
    return _NEGATED.sub(" ", low)


@lru_cache(maxsize=256)
def bounds(reading: Reading) -> dict[str, frozenset[str]]:
    """Return for each number of the text how it is bounded, in any of the ways that its words may be read."""
    found: dict[str, frozenset[str]] = {}
    ranged = _ranged(reading)
    for amount in amounts(reading):
        word = reading.words[amount.place]
        before = reading.low[max(0, word.start - _WINDOW) : word.start]
        after = reading.low[word.start + len(amount.shown) : word.start + len(amount.shown) + _WINDOW]
        own = next((name for name, pattern in _AFTER if pattern.match(after)), None) or next(
            (name for name, pattern in _SAID if pattern.search(before)), None
        )
        too = next((f"{name}?" for name, pattern in _TOO if pattern.search(before)), None)
        if _ALREADY.search(before) or (_AHEAD.match(after) and _UNTIL.search(before)):
            own, too = "least", None
        elif _AHEAD.match(after) and _FROM.search(before):
            own, too = "most", None
        if too and (amount.place in ranged or role_of(reading, amount) in {"date", "year"}):
            too = None
        if own is None and amount.place not in ranged:
            too = _up_or_down(amount, before, after) or too
        names = {name for name in (own, too, ranged.get(amount.place)) if name}
        found[amount.value] = found.get(amount.value, frozenset()) | (names or {""})
    return found


def _ranged(reading: Reading) -> dict[int, Bound]:
    """Return the ends of the ranges of a text by their places: neither end is how much there is."""
    ends: dict[int, Bound] = {}
    for pair in pairs_of(reading, amounts(reading)):
        if is_quantity(reading, pair):
            ends |= {pair.first.place: "least", pair.second.place: "most"}
    return ends


def _up_or_down(amount: Amount, before: str, after: str) -> str | None:
    """Return how “from 5 MB” and «до 10 %» bound a quantity; hours, dates and what a change leads to are no bounds.

    In a claim it is as good as no bound: a table of limits need not say “up to”.
    """
    if ":" in amount.value or ":" in amount.shown or not amount.unit or _LEADS_TO.search(before):
        return None
    if amount.unit == "hour" or _ONWARD.match(after):
        return None
    if _UP_TO.search(before):
        return "most~"
    return "least~" if amount.unit not in PERIODS and _DOWN_TO.search(before) else None


def fault_of_bounds(claim: Reading, known: Reading) -> str | None:
    """Return which number the claim bounds in a way that its quotes do not."""
    said, held = bounds(claim), bounds(known)
    beyond, capped = goes_beyond(known), _CAPPED.search(known.low)
    for value, names in said.items():
        backing = held.get(value)
        if backing is None:
            continue
        if names == {""} and (name := _dropped(backing, claim, capped=capped is not None)):
            return f"the quotes say “{'about' if name == 'about' else 'at ' + name} {value}”, the claim {value}"
        if not beyond and (_faces(names, backing) or _faces(backing, names)):
            return f"it bounds {value} from the other side than its quotes"
        for name in names & {"most", "least", "exactly"}:
            facing = _FACING[name]
            backed = backing & {name, f"{name}?", f"{name}~"}
            if (beyond and backing & {*facing, *(f"{one}?" for one in facing)}) or (
                name == "most" and capped and not backing & facing
            ):
                continue
            if not backed and (backing & facing or name != "exactly"):
                shown = next((one for one in ("most", "least", "about") if one in backing), None)
                quote = f"the quotes say “at {shown} {value}”" if shown else f"the quotes say {value}"
                return f"{quote}, the claim “{'exactly' if name == 'exactly' else 'at ' + name} {value}”"
    return None


def _faces(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether a number may be bounded from one side alone in the one text, and is from the other in the other."""
    if not one or not other:
        return False
    return (one <= {"least?", "least~"} and other <= {"most", "most?", "most~"}) or (
        one <= {"most~"} and other <= {"least", "least~"}
    )


def _dropped(backing: frozenset[str], claim: Reading, *, capped: bool) -> str | None:
    """Return the bound that every one of the quotes' numbers of a value has, where the claim says none in any word."""
    if "" in backing or any(name.endswith("?") for name in backing):
        return None
    if capped and _CAPPED.search(claim.low) and backing & {"most", "most~"}:
        return None
    if backing & {"least", "least~"} and (_NEEDED.search(claim.low) or _AHEAD.search(claim.low)):
        return None
    if backing & {"most", "most~"} and _MAXIMAL.search(claim.low):
        return None
    return next((name for name in ("most", "least") if backing & {name, f"{name}~"}), None)
