"""Forms of one word that no stemmer brings together: took and take, нашёл and найти, вернуть and возврат."""

from functools import cache

from core.text import stem

_FORMS = """
beat beaten
begin began begun
break broke broken
bring brought
build built
buy bought
catch caught
choose chose chosen
come came
draw drew drawn
drive drove driven
eat ate eaten
fall fell fallen
feel felt
find found
fly flew flown flight
forget forgot forgotten
get got gotten
give gave given
go went gone
grow grew grown growth
hear heard
hide hid hidden
hold held
keep kept
know knew known knowledge
lead led
leave left
lend lent
lose lost loss
make made
mean meant
meet met
pay paid
rise rose risen
run ran
say said
see saw seen
sell sold sale sales
send sent
shut closed close
sit sat
speak spoke spoken speech
spend spent
stand stood
steal stole stolen theft
take took taken
teach taught
tell told
think thought
throw threw thrown
understand understood
wear wore worn
win won
write wrote written
arrive arrival
remove removal
refuse refusal
decide decision
receive receipt
choose choice
live life
long length
high height
deep depth
wide width
able ability
late later latest
early earlier earliest
sign signature
enter entry entrance
succeed success
advise advice
weigh weight
die died death
describe description
complain complaint
behave behaviour
fail failure
найти нашел нашла нашли нашло найден найдена найдены найдено находка
идти шел шла шли шло
прийти пришел пришла пришли приходить приход
уйти ушел ушла ушли уходить уход
выйти вышел вышла вышли выходить выход
войти вошел вошла вошли входить вход
перейти перешел перешла перешли переходить переход
ехать ездить поездка
взять взял взяла берут берет брать
вернуть возвращать возврат возвращение вернут возвращают
лечь лежать лежит лежат
сесть сидеть сидит
начать начнет начнут
расти вырос рост
послать посылать пошлют отослать
дать даст дадут
ждать ожидать ожидание
звать вызвать вызывать вызов вызовут
ошибиться ошибка ошибаться
помочь помощь помогать поможет
везти возить привезти привозить привезут
вести водить ведет ведут
нести носить принести приносить принесут
собрать собирать сбор соберут
выбрать выбирать выбор выберут
умереть смерть
жить житель живет
поздний поздние позже позднее поздно
ранний ранние раньше ранее рано
принять принимать принимает принимают принял прием приемный
сдать сдавать сдает сдают сдача
разобрать разбирать разбирал разбирает разбор
курировать курирует куратор
убрать убирать убирает убирают уборка
приехать приезжать приезжает приезд
переехать переезжать переезжает переезд
обедать обедает обедают обед
отдыхать отдыхает отдых
просить просьба
отозвать отзывать отзыв
лечить лечит лечат лечение
"""


@cache
def forms() -> tuple[tuple[str, ...], ...]:
    """Return the stems of each such word."""
    return tuple(tuple(dict.fromkeys(map(stem, line.split()))) for line in _FORMS.strip().splitlines())
