"""A comparison of two things, known or not, as a plain question about each: both figures are told side by side."""

import re
from collections.abc import Mapping
from typing import Literal

from core.text import Language, language_of, normalise, terms, words

_Figure = Literal["money", "duration", "moment", "number"]
_COMPARED: Mapping[_Figure, str] = {
    "money": r"cheaper|cheapest|more expensive|less expensive|pricier|costs? (?:more|less)|дешевле|дороже",
    "duration": r"longer|shorter|faster|slower|quicker|дольше|длиннее|короче|быстрее|медленнее",
    "moment": r"earlier|later|older|newer|first|раньше|позже|старше|новее|моложе",
    "number": r"more|less|fewer|most|fewest|higher|lower|larger|bigger|smaller|greater|больше|меньше|выше|ниже|крупнее",
}
_WORD = {figure: re.compile(rf"\b(?:{said})\b", re.IGNORECASE) for figure, said in _COMPARED.items()}
# "Who has more leave, pilots or technicians?", «Где дешевле хранение — в Казани или в Твери?»
_SIDES = re.compile(
    r"^(?P<base>.{3,150}?)(?:,|:|\s[—–-])\s*(?P<one>[^,;:?()]{2,50}?)\s*,?\s+(?:or|или)\s+(?P<other>[^,;:?()]{2,50}?)[\s?!.]*$",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"^(?:(?:and|so|а|и|ну)\s+)*(?:(?:у кого|для кого|у каких|в каком|в какой|на каком|кто|кому|кого|где|что|чей|чья|"
    r"чье|какой|какая|какое|какие|когда|who|whose|which|what|where|when|is|are|has|have|had|does|do|did|gets?|got|was|"
    r"were|one|of the two)\b\s*)+",
    re.IGNORECASE,
)
_LINKS = re.compile(r"\b(?:is|are|has|have|gets?|does|do|was|were)\b", re.IGNORECASE)
_PLAIN: Mapping[Language, Mapping[_Figure, str]] = {
    "en": {
        "money": "Price: how much does {} cost?",
        "duration": "How long {}?",
        "moment": "When {}?",
        "number": "How many {}?",
    },
    "ru": {
        "money": "Цена: сколько стоит {}?",
        "duration": "Как долго {}?",
        "moment": "Когда {}?",
        "number": "Сколько {}?",
    },
}


def sides_of(question: str) -> tuple[str, ...]:
    """Return a plain question about each of the two things that the question compares by a figure; none elsewhere."""
    text = " ".join(question.split())
    found = _SIDES.match(text)
    figure = next((one for one, said in _WORD.items() if found and said.search(found["base"])), None)
    plain = _PLAIN.get(language_of(text))
    if found is None or figure is None or plain is None:
        return ()
    rest = _LINKS.sub(" ", _ASKING.sub("", _WORD[figure].sub(" ", found["base"]).strip()))
    sides = [" ".join(f"{rest} {side}".split()) for side in _alike(found["one"], found["other"])]
    return tuple(plain[figure].format(side) for side in sides) if all(map(terms, sides)) else ()


def _alike(one: str, other: str) -> tuple[str, str]:
    """Return both sides, each with what only the other says for both: "the Starter or the Fleet plan"."""
    first, second = words(one), words(other)
    shared = second[-1] if len(second) > 1 and len(first) < len(second) and normalise(second[-1]) == second[-1] else ""
    is_plain = shared and len(first) == len(second) - 1 and normalise(first[-1]) != first[-1]
    return (f"{one} {shared}" if is_plain else one), other
