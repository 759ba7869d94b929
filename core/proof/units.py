"""Units: what a number counts in, one name for all the words that mean it, in both languages."""

from functools import lru_cache

# A word, or its beginning where it ends in an asterisk.
_UNITS = """
€: € eur euro euros евро
$: $ usd dollar dollars доллар* aud cad hkd nzd sgd twd
£: £ gbp pound pounds фунт* egp
₽: ₽ byn rub rouble roubles ruble rubles руб рублей рубля рубль рублях рублям рублями рублем рублю р
¥: ¥ jpy yen иен*
yuan: cny yuan юан*
zloty: pln zloty zlotys zlotych zł злот*
rupee: inr pkr lkr npr rupee rupees рупи*
krona: sek nok dkk czk isk krona kronor krone kroner koruna korunas крон крона кроны кронах кронам
franc: chf franc francs франк*
hryvnia: uah hryvnia hryvnias hryvnya гривн* гривен
tenge: kzt tenge тенге
lira: lira liras lire лир лиры лирах
peso: mxn ars clp peso pesos песо
rand: zar rand rands рэнд*
shekel: ils shekel shekels шекел*
dirham: aed dirham dirhams дирхам*
forint: huf forint forints форинт*
leu: mdl lei леев леи
lev: bgn leva левов
lari: gel lari laris лари
dram: amd drams драм драмов драма драмах
som: uzs kgs soums сумов сомов
manat: azn tmt manat manats манат*
dinar: rsd kwd dinar dinars динар*
baht: thb baht батов
dong: vnd донг*
ringgit: myr ringgit ringgits ринггит*
won: krw вон воны вонах
riyal: qar riyal riyals риал*
cent: cents pence penny цент цента центов центах копе*
%: % percent percentage pct процент*
millisecond: ms millisecond milliseconds мс миллисекунд*
second: sec secs s second seconds сек секунд*
minute: min mins minute minutes мин минут*
hour: h hr hrs hour hours hourly час часа часу часом часе часы часов часам часами часах часовой часовая часовую часового ежечасн*
day: d day days daily день дня дню днем дне дни дней дням днями днях сутки суток сутках суткам ежедневн* дневный дневной дневная дневного дневное дневную
night: night nights nightly overnight ночь ночи ночей ночам ночами ночах ночью ночевк* ночевок
week: week weeks weekly недел* еженедельн* недельн*
fortnight: fortnight fortnightly
month: month months monthly месяц* ежемесячн* мес месячн*
quarter: quarter quarters quarterly квартал*  ежеквартальн*
half-year: полугоди* полгода
year: year years yr yrs yearly annual annually год года году годом годе годы годов годам годами годах лет ежегодн* годовой годовая годового годовую годовые годовых
decade: decade decades десятилети*
kilometre: km kilometre kilometres kilometer kilometers км километр*
metre: m metre metres meter meters метр метра метров метре метрах метры м
nanometre: nm nanometre nanometres nanometer nanometers нм нанометр*
micron: micron microns micrometre micrometres мкм микрон*
yard: yard yards yd ярд*
foot: ft feet фут фута футов футах футы
inch: inch inches дюйм*
acre: acre acres акр акра акров акрах
hectare: ha hectare hectares га гектар*
are: соток сотки
centimetre: cm centimetre centimetres centimeter centimeters см сантиметр*
millimetre: mm millimetre millimetres мм миллиметр*
mile: mile miles миль мили миля
square metre: m2 sqm м2
kilogram: kg kilogram kilograms кг килограмм*
gram: gram grams г гр грамм грамма граммов граммах
milligram: mg milligram milligrams мг миллиграмм*
microgram: mcg ug μg microgram micrograms мкг микрограмм*
quintal: quintal quintals центнер*
ounce: oz ounce ounces унци*
pound weight: lb lbs
tonne: tonne tonnes ton tons тонн*
litre: litre litres liter liters литр*
millilitre: ml millilitre millilitres milliliter milliliters мл миллилитр*
gallon: gal gallon gallons галлон*
pint: pint pints пинт*
barrel: barrel barrels баррел*
cubic metre: m3 м3 кубометр*
per mille: permille промилле
kibibyte: kib
mebibyte: mib
gibibyte: gib
tebibyte: tib
kilobyte: kb kilobyte kilobytes кб килобайт* кбайт*
megabyte: mb megabyte megabytes мб мегабайт* мбайт*
gigabyte: gb gigabyte gigabytes гб гигабайт* гбайт*
terabyte: tb terabyte terabytes тб терабайт* тбайт*
megabit: mbit mbps мбит
gigabit: gbit gbps гбит
degree: degree degrees градус* celsius fahrenheit цельси* фаренгейт*
kelvin: kelvin kelvins кельвин*
kilowatt: kw kilowatt kilowatts квт киловатт*
megawatt: mw megawatt megawatts мвт мегаватт*
kilowatt-hour: kwh
watt: watt watts вт ватт*
hertz: hz гц герц*
kilohertz: khz кгц
megahertz: mhz мгц
gigahertz: ghz ггц
volt: volt volts вольт*
ampere: amp amps ampere amperes ампер*
kilovolt: kv kilovolt kilovolts киловольт*
calorie: calorie calories калори*
kilocalorie: kcal ккал килокалори*
joule: joule joules джоул*
kilojoule: kj кдж килоджоул*
bar: бар бара баров бары
pascal: pa pascal pascals паскал*
kilopascal: kpa кпа килопаскал*
megapascal: mpa мпа мегапаскал*
psi: psi
decibel: db decibel decibels дб децибел*
knot: knots узлов
mph: mph
"""
# Factors: what follows a number and belongs to its value.
FACTORS = {
    **dict.fromkeys("k thousand thousands тыс тысяча тысячи тысяч тысячу тысячам тысячами тысячах".split(), 10**3),
    **dict.fromkeys("mn mln million millions млн миллион миллиона миллионов миллионам миллионах".split(), 10**6),
    **dict.fromkeys("bn billion billions млрд миллиард миллиарда миллиардов миллиардах".split(), 10**9),
    **dict.fromkeys("trillion trillions трлн триллион триллиона триллионов".split(), 10**12),
}
MONEY = frozenset("€$£₽¥") | frozenset(
    "yuan zloty rupee krona franc hryvnia tenge lira peso rand shekel dirham forint leu lev lari dram som manat dinar baht"
    " dong ringgit won riyal cent".split()
)
# Spans of time: what happens per month does not happen per year.
PERIODS = frozenset(
    "millisecond second minute hour day night week fortnight month quarter half-year year decade".split()
)
# Whose money it is, where several countries give theirs one name; what goes without saying is empty.
_NATIONS = """
: usd american us gbp british sterling rub russian rur американск* сша британск* стерлинг* российск*
au: aud australian австралийск*
ca: cad canadian канадск*
hk: hkd hong гонконг*
nz: nzd zealand новозеландск*
sg: sgd singapore сингапур*
tw: twd taiwan тайван*
eg: egp egyptian египетск*
by: byn belarusian белорусск* беларусск*
se: sek swedish шведск*
no: nok norwegian норвежск*
dk: dkk danish датск*
cz: czk czech чешск*
is: isk icelandic исландск*
ch: chf swiss швейцарск*
in: inr indian индийск*
pk: pkr pakistani пакистанск*
lk: lkr
np: npr nepalese непальск*
mx: mxn mexican мексиканск*
ar: ars argentine argentinian аргентинск*
cl: clp chilean чилийск*
ae: aed uae оаэ
uz: uzs uzbek узбекск*
kg: kgs kyrgyz киргизск* кыргызск*
az: azn azerbaijani азербайджанск*
tm: tmt turkmen туркменск*
rs: rsd serbian сербск*
kw: kwd kuwaiti кувейтск*
"""
# Of these, one that names no country is its best known one.
_OF_ONE_COUNTRY = frozenset("$£₽")
# Money by its code alone, where it has no name above.
_CODES = frozenset(
    "USD EUR GBP JPY CHF CNY RUB RUR AUD CAD HKD NZD SGD TWD EGP BYN PLN INR PKR LKR NPR SEK NOK DKK CZK ISK UAH KZT TRY MXN"
    " ARS CLP COP PHP BRL PEN UYU ZAR ILS AED SAR QAR KWD BHD OMR JOD MAD TND DZD HUF RON MDL BGN GEL AMD UZS KGS TJS AZN"
    " TMT RSD MKD BAM THB VND MYR IDR KRW KPW MNT LAK KHR MMK BDT AFN IRR IQD SYP LBP NGN GHS KES TZS UGX ETB RWF XOF XAF"
    " XPF XCD JMD TTD BBD BSD BZD HTG DOP CRC GTQ HNL NIO PAB PYG BOB VES SRD GYD FJD PGK WST SBD VUV MUR SCR MGA MZN"
    " ZMW BWP NAD LSL SZL MWK AOA CDF GNF SLE LRD GMD CVE MOP BND MVR BTN SDG SSP DJF ERN KMF BIF".split()
)
# Days of one kind are not days of another.
_KINDS = """
working: working business workday workdays weekday weekdays рабоч* будн*
calendar: calendar календарн*
gross: gross
net: net
"""


def _table(lines: str) -> tuple[dict[str, str], dict[str, list[tuple[str, str]]]]:
    """Return what whole words mean, and what beginnings of words do, by their first letter."""
    whole: dict[str, str] = {}
    begun: dict[str, list[tuple[str, str]]] = {}
    for line in filter(str.strip, lines.splitlines()):
        name, _, words = line.partition(": ")
        for word in words.split():
            if word.endswith("*"):
                begun.setdefault(word[0], []).append((word[:-1], name))
            else:
                whole[word] = name
    return whole, begun


_WHOLE, _BEGUN = _table(_UNITS)
_KIND_WHOLE, _KIND_BEGUN = _table(_KINDS)
_NATION_WHOLE, _NATION_BEGUN = _table(_NATIONS)


@lru_cache(maxsize=4_096)
def unit_of(low: str) -> str | None:
    """Return the unit that a folded word names."""
    begun = _BEGUN.get(low[:1], ())
    return _WHOLE.get(low) or next((name for begin, name in begun if low.startswith(begin)), None)


@lru_cache(maxsize=4_096)
def kind_of_day(low: str) -> str | None:
    """Return which kind of days, or of money, a folded word speaks of."""
    begun = _KIND_BEGUN.get(low[:1], ())
    return _KIND_WHOLE.get(low) or next((name for begin, name in begun if low.startswith(begin)), None)


@lru_cache(maxsize=4_096)
def nation_of(low: str) -> str | None:
    """Return the country whose money a folded word tells of; empty is the best known one of that name."""
    begun = _NATION_BEGUN.get(low[:1], ())
    return _NATION_WHOLE.get(low, next((name for begin, name in begun if low.startswith(begin)), None))


def code_of(text: str) -> str | None:
    """Return the unit that a word names as a code of money: it is in capitals."""
    return (unit_of(text.lower()) or text) if text in _CODES else None


def one_sort(unit: str | None, own: str, other: str) -> bool:
    """Return whether amounts of one unit may be of one sort: a kind of days, square metres, a country's dollars."""
    if own == other or "any" in {own, other}:
        return True
    if unit in {"degree", "metre"} and not (own and other):
        return unit == "degree"
    return unit in MONEY and unit not in _OF_ONE_COUNTRY and not (own and other)
