"""The words that say a number, in both languages: cardinals, ordinals, parts, and what they are joined with."""

import re
from collections.abc import Iterator

_SMALL = """
0 zero ноль нуля нулю
1 one один одна одно одного одной одну одному одним
2 two два две двух двум двумя двое двоих вдвоем
3 three три трех трем тремя трое троих
4 four четыре четырех четырем четырьмя четверо четверых
5 five пять пяти пятью пятеро
6 six шесть шести шестью шестеро
7 seven семь семи семью семеро
8 eight восемь восьми восемью
9 nine девять девяти девятью
10 ten десять десяти десятью
11 eleven одиннадцать одиннадцати
12 twelve двенадцать двенадцати dozen дюжина
13 thirteen тринадцать тринадцати
14 fourteen четырнадцать четырнадцати
15 fifteen пятнадцать пятнадцати
16 sixteen шестнадцать шестнадцати
17 seventeen семнадцать семнадцати
18 eighteen восемнадцать восемнадцати
19 nineteen девятнадцать девятнадцати
20 twenty двадцать двадцати
30 thirty тридцать тридцати
40 forty сорок сорока
50 fifty пятьдесят пятидесяти
60 sixty шестьдесят шестидесяти
70 seventy семьдесят семидесяти
80 eighty восемьдесят восьмидесяти
90 ninety девяносто девяноста
100 сто ста
200 двести двухсот двумстам
300 триста трехсот
400 четыреста четырехсот
500 пятьсот пятисот
600 шестьсот шестисот
700 семьсот семисот
800 восемьсот восьмисот
900 девятьсот девятисот
0.5 half половина половину половины половиной halves
1.5 полтора полторы полутора
2 twice double вдвое дважды удвоенный удвоенная удвоенную двукратный двойной двойная двойную двойном
3 thrice triple втрое трижды
"""
_ORDINAL_STEMS = """
2 втор 4 четверт 5 пят 6 шест 7 седьм 8 восьм 9 девят 10 десят 11 одиннадцат 12 двенадцат 13 тринадцат 14 четырнадцат
15 пятнадцат 16 шестнадцат 17 семнадцат 18 восемнадцат 19 девятнадцат 20 двадцат 30 тридцат 40 сороков 50 пятидесят
""".split()
_ORDINALS = """
3 third 4 fourth 5 fifth 6 sixth 7 seventh 8 eighth 9 ninth 10 tenth 11 eleventh 12 twelfth 15 fifteenth 20 twentieth
3 третий 3 третья 3 третье 3 третьего 3 третьей 3 третьему 3 третьем 3 третью 3 третьи 3 третьих 3 третьим 3 третьими
""".split()
_COMPOUNDS = """
2 двух 3 трех 4 четырех 5 пяти 6 шести 7 семи 8 восьми 9 девяти 10 десяти 12 двенадцати 15 пятнадцати 20 двадцати
30 тридцати 40 сорока 50 пятидесяти 60 шестидесяти 90 девяносто
""".split()
_ENDINGS = "ый ой ая ое ого ому ым ом ую ые ых ыми".split()
# Two-week, двухнедельный: what a number is written together with.
JOINED = re.compile(
    rf"({'|'.join(sorted(_COMPOUNDS[1::2], key=len, reverse=True))})(недельн|дневн|месячн|часов|минутн|летн|кратн|процентн|разов)\w*"
)
JOINED_UNITS = dict(
    zip(
        "недельн дневн месячн часов минутн летн процентн".split(),
        "week day month hour minute year %".split(),
        strict=True,
    )
)
COMPOUND = dict(zip(_COMPOUNDS[1::2], _COMPOUNDS[0::2], strict=True))


def _small_words() -> Iterator[tuple[str, float]]:
    for line in _SMALL.strip().splitlines():
        value, *words = line.split()
        yield from ((word, float(value)) for word in words)
    for value, begin in zip(_ORDINAL_STEMS[0::2], _ORDINAL_STEMS[1::2], strict=True):
        yield from ((begin + ending, float(value)) for ending in _ENDINGS)
    yield from ((word, float(value)) for value, word in zip(_ORDINALS[0::2], _ORDINALS[1::2], strict=True))


VALUES = dict(_small_words())
# What says the how-manieth.
PLACES = frozenset([*_ORDINALS[1::2], *(begin + end for begin in _ORDINAL_STEMS[1::2] for end in _ENDINGS)])
