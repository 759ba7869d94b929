"""Units: what a number counts in, one name for all the words that mean it, in both languages."""

from functools import lru_cache

# A word, or its beginning where it ends in an asterisk.
_UNITS = """
€: € eur euro euros евро
$: $ usd dollar dollars доллар*
£: £ gbp pound pounds фунт*
₽: ₽ rub rouble roubles ruble rubles руб рублей рубля рубль рублях рублям рублями рублем рублю р
¥: ¥ jpy yen иен*
yuan: cny yuan юан*
%: % percent percentage pct процент*
millisecond: ms millisecond milliseconds мс миллисекунд*
second: sec secs s second seconds сек секунд*
minute: min mins minute minutes мин минут*
hour: h hr hrs hour hours hourly час часа часу часом часе часы часов часам часами часах часовой часовая часовую часового ежечасн*
day: d day days daily день дня дню днем дне дни дней дням днями днях сутки суток сутках суткам ежедневн* дневный дневной дневная дневного дневное дневную
week: week weeks weekly недел* еженедельн* недельн*
fortnight: fortnight fortnightly
month: month months monthly месяц* ежемесячн* мес месячн*
quarter: quarter quarters quarterly квартал*  ежеквартальн*
half-year: полугоди* полгода
year: year years yearly annual annually год года году годом годе годы годов годам годами годах лет ежегодн* годовой годовая годового годовую годовые годовых
decade: decade decades десятилети*
kilometre: km kilometre kilometres kilometer kilometers км километр*
metre: metre metres meter meters метр метра метров метре метрах метры м
centimetre: cm centimetre centimetres centimeter centimeters см сантиметр*
millimetre: mm millimetre millimetres мм миллиметр*
mile: mile miles миль мили миля
square metre: m2 sqm м2
kilogram: kg kilogram kilograms кг килограмм*
gram: gram grams г грамм грамма граммов
tonne: tonne tonnes ton tons тонн*
litre: litre litres liter liters литр*
kilobyte: kb kilobyte kilobytes кб килобайт*
megabyte: mb megabyte megabytes мб мегабайт*
gigabyte: gb gigabyte gigabytes гб гигабайт*
terabyte: tb terabyte terabytes тб терабайт*
megabit: mbit mbps мбит
gigabit: gbit gbps гбит
degree: degree degrees градус*
kilowatt: kw квт
watt: watt watts вт ватт*
hertz: hz гц герц*
kilohertz: khz кгц
megahertz: mhz мгц
gigahertz: ghz ггц
volt: volt volts вольт*
"""
# Factors: what follows a number and belongs to its value.
FACTORS = {
    **dict.fromkeys("k thousand thousands тыс тысяча тысячи тысяч тысячу тысячам тысячами тысячах".split(), 10**3),
    **dict.fromkeys("mn mln million millions млн миллион миллиона миллионов миллионам миллионах".split(), 10**6),
    **dict.fromkeys("bn billion billions млрд миллиард миллиарда миллиардов миллиардах".split(), 10**9),
    **dict.fromkeys("trillion trillions трлн триллион триллиона триллионов".split(), 10**12),
}
MONEY = frozenset("€$£₽¥") | {"yuan"}
# Spans of time: what happens per month does not happen per year.
PERIODS = frozenset("millisecond second minute hour day week fortnight month quarter half-year year decade".split())
# Days of one kind are not days of another.
_KINDS = """
working: working business workday workdays weekday weekdays рабоч* будн*
calendar: calendar календарн*
gross: gross
net: net
"""


def _table(lines: str) -> tuple[dict[str, str], list[tuple[str, str]]]:
    whole: dict[str, str] = {}
    begun: list[tuple[str, str]] = []
    for line in filter(str.strip, lines.splitlines()):
        name, _, words = line.partition(": ")
        for word in words.split():
            if word.endswith("*"):
                begun.append((word[:-1], name))
            else:
                whole[word] = name
    return whole, begun


_WHOLE, _BEGUN = _table(_UNITS)
_KIND_WHOLE, _KIND_BEGUN = _table(_KINDS)


@lru_cache(maxsize=20_000)
def unit_of(low: str) -> str | None:
    """Return the unit that a folded word names."""
    return _WHOLE.get(low) or next((name for begin, name in _BEGUN if low.startswith(begin)), None)


@lru_cache(maxsize=20_000)
def kind_of_day(low: str) -> str | None:
    """Return which kind of days, or of money, a folded word speaks of."""
    return _KIND_WHOLE.get(low) or next((name for begin, name in _KIND_BEGUN if low.startswith(begin)), None)
