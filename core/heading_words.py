"""What people say who ask for what stands under a heading: “What is she responsible for?” asks for her duties.

Only to find a list by its heading. The words of a line mean the same nowhere else, and prove nothing.
"""

from functools import cache

from core.text import stem

# The word of a heading first, then the words that ask for it.
_ASKED_BY = """
duties responsible responsibility responsibilities charge
duty responsible responsibility charge
responsibilities responsible charge duties
highlights see seen view sights sight
sights see seen view highlights
ingredients made contain contains consist consists
contents contain contains consist consists inside
members belong belongs
services offer offers offered provide provides provided
courses teach teaches taught learn
hours open opens close closes
history happened happen past
directors director headed led run chief
heads led headed run
leaders led leads head
добраться доехать проехать попасть
проехать добраться доехать попасть
история произошло происходило случилось
директора директор руководил руководила руководили руководит возглавлял возглавляла
руководители руководил руководила руководили руководит возглавлял возглавляла
обязанности отвечает отвечают отвечаешь отвечать ответственный ответственна ответственность
ответственность отвечает отвечают обязанности
достопримечательности посмотреть увидеть смотреть
состав входит входят состоит содержит
участники участвует участвуют состоит
услуги предлагает предлагают оказывает оказывают
обучение учился училась учатся
"""


@cache
def asking_for(heading_word: str) -> frozenset[str]:
    """Return the stems of the words that ask for what a heading of this stem heads; none for most."""
    return _lines().get(heading_word, frozenset())


@cache
def _lines() -> dict[str, frozenset[str]]:
    lines = (line.split() for line in _ASKED_BY.strip().splitlines())
    return {stem(head): frozenset(map(stem, asks)) for head, *asks in lines}
