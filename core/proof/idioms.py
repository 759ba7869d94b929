"""Phrases that say what one plain word says: “free of charge” is free, “nobody” is “no one”."""

import re

from core.proof.patterns import compiled

_IDIOMS = {
    "free": r"free of (?:any )?charge|at no (?:extra |additional )?(?:cost|charge)|without (?:any )?(?:charge|payment|paying|fees?|cost)",
    "is free": r"costs? nothing|(?:do|does)(?: not|n't) cost anything",
    "are free": r"(?:do|does)(?: not|n't) (?:need|have) to pay(?: anything)?|need(?: not|n't) pay(?: anything)?"
    r"|(?:do|does)(?: not|n't) pay anything",
    "at any time": r"at any hour|at all (?:hours|times)|around the clock|day and night|24/7"
    r"|whenever (?:you|they|he|she|it|we) (?:likes?|wants?|wish|wishes)",
    "immediately": r"right away|straight ?away|without delay|on the spot|instantly",
    "by phone": r"by (?:calling|phoning|ringing|telephone)|(?:over|on) the (?:tele)?phone",
    "before": r"prior to",
    "can": r"(?:is|are) able to",
    "nobody": r"no one",
    "бесплатно": r"даром|безвозмездно|без (?:оплаты|доплаты|платы)|не взимая платы|ничего не стоит|не стоит ничего"
    r"|не (?:нужно|надо|требуется) платить|платить не (?:нужно|надо|требуется|придется)",
    "в любое время": r"круглосуточно|в любой (?:момент|час)|когда угодно|днем и ночью",
    "немедленно": r"сразу же|тут же|без промедления|незамедлительно|мгновенно|тотчас",
    "никто": r"ни один (?:человек|сотрудник|работник)",
}
_PLAIN = tuple(_IDIOMS)
_FOUND = re.compile(rf"\b(?:{'|'.join(f'({said})' for said in _IDIOMS.values())})\b", re.IGNORECASE)
# Words without which none of them stands in a text.
_SIGNS = compiled(
    r"(?:free of|at no |without|nothing|anything|pay|hour|all times|clock|night|24/7|whenever|away|on the|instantly|calling|phon"
    r"|ringing|prior|able|no one|даром|безвозм|плат|стоит|круглосут|в любой|угодно|ночью|сразу же|тут же|промедл|замедл"
    r"|мгновен|тотчас|ни один)"
)


def plainly(text: str) -> str:
    """Return the folded text with each such phrase said in its plain word; a capital at its beginning stays."""
    return _FOUND.sub(_said_plainly, text) if _SIGNS.search(text.lower()) else text


def _said_plainly(found: re.Match[str]) -> str:
    plain = _PLAIN[(found.lastindex or 1) - 1]
    return plain[0].upper() + plain[1:] if found.group()[0].isupper() else plain
