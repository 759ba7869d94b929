"""Words that compare: on which scale, and which way: dearer and cheaper, выше and ниже."""

from collections.abc import Iterable
from functools import cache, lru_cache

from core.proof.lexicon import meaning
from core.text import stem

MORE, LESS, ALIKE = ">", "<", "="
# Each scale with what is up on it and what is down; a word may be on several.
_SCALES = """
amount: more high great large big much many numerous | less fewer few low small little
price: more dear costly expensive pricey high | less cheap inexpensive low
frequency: more often frequent | less rare seldom
speed: fast quick rapid swift | slow
length: long tall | short brief
age: old elder | young new
time: late | early soon
heat: warm hot | cool cold chilly
weight: heavy | light
quality: good better well superior | bad worse poor inferior
strength: strong powerful | weak
trouble: hard difficult tough complex complicated | easy simple
firmness: hard firm | soft
width: wide broad | narrow
thickness: thick | thin
depth: deep | shallow
noise: loud noisy | quiet silent
light: bright | dark dim
wealth: rich wealthy | poor
distance: far distant further farther | near close
danger: dangerous risky unsafe | safe
wetness: wet humid damp | dry
dirt: dirty | clean
amount: больше более выше крупнее многочисленнее высокий большой высок велик | меньше менее ниже мельче низкий маленький низок мал
price: больше дороже выше дорогой дорог | меньше дешевле ниже дешевый дешев
frequency: больше чаще часто частый | меньше реже редко редкий
speed: быстрее скорее быстрый быстро | медленнее медленный медленно
length: длиннее дольше длинный долгий долго | короче короткий коротко краткий
age: старше старее старый | младше моложе новее молодой новый
time: позже позднее поздний поздно | раньше ранее ранний рано
heat: теплее жарче горячее теплый жаркий горячий | холоднее прохладнее холодный прохладный
weight: тяжелее тяжелый | легче легкий
quality: лучше качественнее хороший хорошо | хуже плохой плохо
strength: сильнее крепче прочнее сильный прочный крепкий | слабее слабый
trouble: сложнее труднее сложный трудный | проще легче простой легкий
firmness: тверже жестче твердый жесткий | мягче мягкий
width: шире широкий | узкий
thickness: толще толстый | тоньше тонкий
depth: глубже глубокий | мельче мелкий
noise: громче громкий | тише тихий
light: ярче светлее яркий светлый | темнее тусклее темный тусклый
wealth: богаче богатый | беднее бедный
distance: дальше далекий далеко | ближе близкий близко
danger: опаснее опасный | безопаснее безопасный
wetness: влажнее мокрее влажный мокрый | суше сухой
dirt: грязнее грязный | чище чистый
strictness: строже строгий | мягче мягкий
steepness: круче крутой
sweetness: слаще сладкий
tightness: туже тугой гуще густой
simplicity: проще простой
"""
# Forms that no rule makes, each under the word that it is a form of.
_IRREGULAR = {"better": "good", "worse": "bad", "further": "far", "farther": "far", "best": "good", "worst": "bad"}
_DEGREES = {"more": MORE, "less": LESS, "fewer": LESS, "более": MORE, "менее": LESS}
# A neuter adjective, no comparative: синее, последнее, хорошее.
_NEUTER = (
    "шнее шее щее жее чее синее среднее последнее верхнее нижнее крайнее заднее переднее утреннее вечернее зимнее летнее"
    " весеннее осеннее древнее искреннее постороннее соседнее дальнее ближнее давнее двустороннее многолетнее"
).split()
_MIN_COMPARATIVE = 5
_TURNED = {MORE: LESS, LESS: MORE, ALIKE: ALIKE, ">=": "<=", "<=": ">="}
_DENIED = {MORE: "<=", LESS: ">=", ALIKE: LESS, ">=": LESS, "<=": MORE}

Scales = frozenset[tuple[str, str]]


def turned(relation: str) -> str:
    """Return the relation seen from the other side: A above B is B below A."""
    return _TURNED[relation]


def denied(relation: str) -> str:
    """Return what is left when a relation is denied: not above is at most."""
    return _DENIED[relation]


def scales_of(low: str) -> Scales:
    """Return on which scales a plain or compared word stands, each with its way on it."""
    return _scales().get(low) or _scales().get(_base(low), frozenset())


@lru_cache(maxsize=4_096)
def compares(low: str) -> bool:
    """Return whether the form of a word compares by itself: cheaper, дешевле; not dear, дорогой."""
    if low in _DEGREES or low in _IRREGULAR or low in _ru_comparatives():
        return low not in {"best", "worst"}
    if low.isascii():
        return low.endswith("er") and bool(scales_of(low))
    return len(low) >= _MIN_COMPARATIVE and low.endswith("ее") and not low.endswith(tuple(_NEUTER))


@lru_cache(maxsize=4_096)
def is_utmost(low: str) -> bool:
    """Return whether the form of a word is that of what goes beyond all the others: fastest, быстрейший."""
    if low in {"best", "worst"}:
        return True
    if low.isascii():
        return low.endswith("est") and bool(_scales().get(_of_est(low)))
    return any(part in low for part in ("ейш", "айш")) and len(low) > _MIN_COMPARATIVE


def degree_of(low: str) -> str | None:
    """Return which way “more” and “less” go."""
    return _DEGREES.get(low)


@lru_cache(maxsize=4_096)
def key_of(low: str) -> str:
    """Return one key for a word that is on no scale in all its degrees: accurate, точнее, точный."""
    if low.isascii():
        return meaning(stem(low.removesuffix("er")))
    return meaning(stem(f"{low[:-2]}ый") if low.endswith("ее") else stem(low))


@cache
def _scales() -> dict[str, Scales]:
    found: dict[str, Scales] = {}
    for line in _SCALES.strip().splitlines():
        name, _, words = line.partition(":")
        for way, side in zip((MORE, LESS), words.split("|"), strict=False):
            for word in _forms_of(side.split()):
                found[word] = found.get(word, frozenset()) | {(name, way)}
    return found


def _forms_of(words: Iterable[str]) -> Iterable[str]:
    for word in words:
        yield word
        if not word.isascii():
            yield stem(word)


@cache
def _ru_comparatives() -> frozenset[str]:
    words = [word for line in _SCALES.strip().splitlines() for word in line.split() if not word.isascii()]
    return frozenset(word for word in words if word.endswith("е") and not word.endswith(("ое", "ые")))


@lru_cache(maxsize=4_096)
def _base(low: str) -> str:
    """Return the plain form of a compared word: big of bigger, dear of dearest; the stem of a Russian one."""
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if not low.isascii():
        return stem(f"{low[:-2]}ый") if low.endswith("ее") else stem(low)
    if low.endswith("est"):
        return _of_est(low)
    return _plain(low[:-2]) if low.endswith("er") else low


def _of_est(low: str) -> str:
    return _plain(low[:-3])


def _plain(bare: str) -> str:
    """Return the word of which an ending was taken: larg → large, bigg → big, heav(i) → heavy."""
    candidates = (bare, f"{bare}e", bare[:-1], f"{bare[:-1]}y" if bare.endswith("i") else "")
    return next((one for one in candidates if one in _scales()), bare)
