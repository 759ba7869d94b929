"""Words of which only one can be true of the same thing."""

from functools import cache, lru_cache

from core.text import stem

_OPPOSITE = """
allowed allow permitted | forbidden prohibited banned disallowed
include included including includes | exclude excluded excluding excludes
increase increased rise rose grew grow raised growth | decrease decreased fall fell dropped drop reduced reduce declined lowered cut shrank
open opened opens | close closed closes shut shuts
work works worked succeed passed pass passes | fail failed fails crashed
right correct correctly | wrong incorrect incorrectly wrongly
never | sometimes often usually always occasionally
nothing free gratis | pay pays paid charge charged cost costs
accept accepted approve approved approves | reject rejected refuse refused decline declined
enable enabled | disable disabled
minimum | maximum
first | last
start starts begin begins began started | end ends finish ended
mandatory required compulsory must obligatory obliged forced | optional voluntary
public | private confidential
internal | external
always | never sometimes rarely seldom
higher | lower
above over exceeding | below under
more | less fewer
same | different
early | late
win won | lose lost
sell sold | buy bought
manual manually | automatic automatically
temporary temporarily | permanent permanently
weekday weekdays | weekend weekends
full-time | part-time
inbound incoming | outbound outgoing
success succeeded successful | failure failed
faster quicker | slower
longer | shorter
cheaper | dearer pricier
present | absent
gross | net
yes | no
add added adds | deduct deducted deducts subtract removed
keep kept | delete deleted discard
paid | unpaid
new | old
largest biggest most | smallest least
oldest | newest youngest
half | double twice
primary | secondary
improved better | worsened worse
hot | cold
day | night
online | offline
gain profit | loss
full fully complete completely | partial partially partly
полный полное полная полностью | частичный частичное частичная частично
lend | borrow
import | export
encrypted | unencrypted
all every everyone everybody each | some several few certain
voluntarily | obligatorily
consider considered accept accepts accepted | ignore ignored ignores disregarded
remain remains remained persist persists stay stays | disappear disappears disappeared vanish vanished gone
остаться остается остался осталась осталось остались | исчезнуть исчез исчезла исчезло исчезли пропасть пропал пропала пропало
разрешить разрешено разрешается можно допускается позволено | запретить запрещено запрещается нельзя недопустимо
включить включая включает включен | исключить исключая исключает исключен
увеличить увеличил вырос выросла выросло вырасти рост повысить повысил повышение повысили поднялся увеличение увеличилась увеличился повысился повысилась | уменьшить уменьшил снизить снизил снижение упал упасть сократить сократил сокращение уменьшение уменьшилась снизилась снизился сократилась сократился упала
открыть открыт открывается | закрыть закрыт закрывается
принять принят одобрить одобрен одобряет | отклонить отклонен отказать отвергнуть отклоняет
включить | отключить выключить
минимум минимальный | максимум максимальный
первый | последний
начать начаться начинается начало начался | закончить закончиться заканчивается конец окончание закончился завершился
обязательный обязательно обязательна обязан обязаны обязана | необязательный необязателен необязательна добровольный желательный необязательно добровольно добровольна
открытый публичный | закрытый
внутренний | внешний
всегда | никогда иногда редко
выше | ниже
больше более | меньше менее
раньше ранее | позже позднее
вручную ручной | автоматически автоматический
временный временно | постоянный постоянно
будни будний | выходной выходные
входящий | исходящий
успешно успех | неудачно неудача
быстрее | медленнее
дольше | короче
дешевле | дороже
новый | старый
основной основная | резервный запасной резервная
лучше улучшил улучшилась | хуже ухудшил ухудшилась
днем дневной | ночью ночной
прибыль | убыток
импорт | экспорт
платный платит платят платить оплачивают стоит | бесплатный бесплатно
включают включает включить включена включено включили включен | отключают отключает отключить отключено отключили отключена отключен выключают
хранят хранить хранится сохраняют сохраняется сохраняет | удаляют удалять удалить удаляется удаляются уничтожают стирают
верно правильно верный | неверно неправильно неверный
работает работают | закрыт закрыта закрыто
прибавляются добавляются добавляется прибавить | вычитаются вычитается вычесть удерживается
купить | продать
самый | наименее
половина | двойной вдвое удвоенный
все всем всех всеми каждый | некоторые некоторым несколько отдельные часть
повысить повысили повысил повышен | понизить понизили понизил понижен снизить снизили
ускорить ускорил | замедлить замедлил
"""


@lru_cache(maxsize=4_096)
def opposites(one: str) -> frozenset[str]:
    """Return the stems that mean the opposite of a stem."""
    return _opposites().get(one, frozenset())


@cache
def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _OPPOSITE.strip().splitlines():
        left, right = ([stem(word) for word in side.split()] for side in line.split("|"))
        for own, other in ((left, right), (right, left)):
            for one in own:
                found[one] = found.get(one, frozenset()) | frozenset(other)
    return found
