"""Bounds of numbers: at most, at least, about, exactly; “no more than” is a bound, not a denial."""

import re
from functools import lru_cache
from typing import Literal

from core.proof.numbers import amounts
from core.proof.words import Reading

Bound = Literal["most", "least", "about", "exactly"]

# What bounds the number that follows, first as a claim may say it, then what else backs that.
_MOST = (
    r"at (?:the )?most|up to|as many as|as much as|maximum(?: of)?|a maximum of|max|upper limit of|capped at|limit of"
    r"|(?:no|not|never|nor|cannot be|can't be)(?: be| take| last| exceed)? (?:more|later|longer|greater|higher|larger|over|above|beyond)(?: than)?"
    r"|(?:not|cannot|never|no|may not|must not) (?:to )?exceed(?:ing)?|limit is|limited to|not exceeding|not over|less than|fewer than|under|below|lower than"
    r"|не (?:более|больше|позднее|позже|дольше|свыше|выше|старше|дороже)(?: чем)?|максимум|меньше|менее|ниже|дешевле|короче|младше|не (?:должн\w+ )?превыша\w+"
    r"|не превысит|в пределах|предел(?:ом)? в|лимит в|лимит"
)
_LEAST = (
    r"at (?:the )?least|minimum(?: of)?|a minimum of|min|(?:more|longer|greater|higher|larger) than|over|above|exceed(?:s|ing)?|beyond|upwards of"
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
    return re.compile(rf"\b(?:{words}){_GAP}")


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
    ("least", re.compile(r"\+|\s(?:[^\W\d]\w{0,30} ){0,2}(?:or|and) (?:more|above|over|older|longer|higher)\b|\s(?:[^\W\d]\w{0,30} ){0,2}(?:и|или) (?:более|больше|выше|дольше|старше)\b|\s(?:[^\W\d]\w{0,30} ){0,3}(?:minimum|at least|at the least|минимум|as a minimum)\b")),
    ("most", re.compile(r"\s(?:[^\W\d]\w{0,30} ){0,2}(?:or|and) (?:less|fewer|under|below|younger|shorter|earlier)\b|\s(?:[^\W\d]\w{0,30} ){0,2}(?:и|или) (?:менее|меньше|ниже|раньше)\b|\s(?:[^\W\d]\w{0,30} ){0,3}(?:maximum|at most|at the latest|at the most|максимум|max|limit)\b")),
    ("about", re.compile(r"\s(?:[^\W\d]\w{0,30} ){0,2}or so\b")),
)  # fmt: skip
# A second statement on the same number: “up to €500 … above that amount”.
_BEYOND = re.compile(
    r"\b(?:above|over|beyond|more than|below|under|up to|after|less than) (?:that|this|it)\b|\b(?:anything|those|anyone) (?:more|above|over)|more \w+ (?:must|may|are|is)"
    r"|\blater \w+s\b|\bпоздн\w+|\bпозже\b|\b(?:выше|больше|свыше|дороже|менее|ниже|сверх|после) (?:этой|этого|этих)\b|\bболее (?:дорог|поздн|крупн|ранн)\w+|остальн\w+|\botherwise\b|\bin (?:all )?other cases\b|\bв противном случае\b|\bиначе\b"
)
# What may be had or done is a bound by itself.
_CAPPED = re.compile(
    r"\b(?:may|can|could|limit\w*|cap|quota|allow\w*|budget|maximum|seats?|holds?|capacity)\b|\b(?:может|могут|можно|лимит\w*|предел\w*|квота|разреш\w+|вмеща\w+|объем|принимает)\b"
)
_WINDOW = 44
# Until a stretch of time before a thing is at least so long before it: “up to 24 hours in advance”.
_UNTIL = _ends(r"up to|until|till|(?:no|not) later than|at the latest|не (?:позднее|позже)(?: чем)?")
_FROM = _ends(r"(?:no|not) (?:earlier|sooner) than|at the earliest|не (?:ранее|раньше)(?: чем)?")
_ALREADY = re.compile(r"не (?:позднее|позже)(?: чем)? за\s$")
_AHEAD = re.compile(r" (?:[^\W\d]\w{0,30} ){1,2}(?:in advance|beforehand|before|ahead|earlier|до|заранее)\b")
_FACING = {"most": {"least"}, "least": {"most"}, "exactly": {"most", "least", "about"}}
_ANY = re.compile(
    rf"\b(?:{_MOST}|{_LEAST}|not only|not just|не только|no later than|not later than)\b(?= [^.]{{0,40}}\d| only| just| |$)"
)
# What a Russian bound of time may speak of, by how it begins.
_DATED = (
    "понедельник|вторник|сред[уы]|пятниц|суббот|воскресен|январ|феврал|март|апрел|ма[яй]|июн|июл|август|сентябр|октябр|ноябр|декабр"
    "|сегодня|завтра|полудн|полуноч|вечер|конц|начал"
)
_NEGATED = re.compile(
    r"\b(?:(?:no|not|never) (?:more|later|longer|greater|higher|larger|less|fewer|earlier|shorter|lower)(?: than)(?! any| the| one another)"
    r"|(?:not|never|cannot|no|may not|must not) (?:be )?(?:more(?= than\b| [€$£₽]?\d)|over|above|under|below|exceed|exceeding)\b(?: than)?|not only|not just|не только|not merely|no less"
    r"|не (?:более|больше|позднее|позже|дольше|свыше|выше|старше|менее|меньше|ранее|раньше|ниже|короче|младше|превыша\w+|превысит|дороже|далее|долж\w+ превышать)"
    r"(?: чем)?(?! не )(?=[^.;]{0,40}(?:\d|дв|тр|чет|пят|шест|сем|вос|дев|дес|од|половин|сто|месяц|недел|год|день|час|кварт|сут|минут"
    rf"|{_DATED}))"
    r"|no (?:more|less|fewer|later) than|no sooner|not until|whether or not|а не только)",
    re.IGNORECASE,
)


@lru_cache(maxsize=1_024)
def goes_beyond(reading: Reading) -> bool:
    """Return whether a text says something of what lies beyond its own bounds too."""
    return _BEYOND.search(reading.low) is not None


def without_bounds(low: str) -> str:
    """Return the text with the bounds that look like denials taken out."""
    return _NEGATED.sub(" ", low)


@lru_cache(maxsize=1_024)
def bounds(reading: Reading) -> dict[str, frozenset[str]]:
    """Return for each number of the text how it is bounded, in any of the ways that its words may be read."""
    found: dict[str, frozenset[str]] = {}
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
        names = {name for name in (own, too) if name}
        found[amount.value] = found.get(amount.value, frozenset()) | (names or {""})
    return found


def fault_of_bounds(claim: Reading, known: Reading) -> str | None:
    """Return which number the claim bounds in a way that its quotes do not."""
    said, held = bounds(claim), bounds(known)
    beyond, capped = goes_beyond(known), _CAPPED.search(known.low)
    for value, names in said.items():
        backing = held.get(value)
        if backing is None:
            continue
        if {names, backing} == {frozenset(["least?"]), frozenset(["most?"])} and not beyond:
            return f"it bounds {value} from the other side than its quotes"
        for name in names & {"most", "least", "exactly"}:
            facing = _FACING[name]
            backed = backing & {name, f"{name}?"}
            if (beyond and backing & {*facing, *(f"{one}?" for one in facing)}) or (
                name == "most" and capped and not backing & facing
            ):
                continue
            if not backed and (backing & facing or name != "exactly"):
                shown = next((one for one in ("most", "least", "about") if one in backing), None)
                quote = f"the quotes say “at {shown} {value}”" if shown else f"the quotes say {value}"
                return f"{quote}, the claim “{'exactly' if name == 'exactly' else 'at ' + name} {value}”"
    return None
