"""Words that mean the same, and words that say little.

Kept small on purpose: words of work and of policies. Two words stand in one line only if exchanging them changes no fact.
"""

from functools import cache, lru_cache

from core.proof.forms import forms
from core.proof.opposites import opposites
from core.text import stem

_SAME = """
employee worker staff colleague personnel workforce employees person people individual anyone anybody everyone everybody someone somebody whoever
manager supervisor boss
begin start commence launch kick starting started began begun onset
end finish complete conclude ends ended final close closed closing over
get receive obtain gain earn entitle entitled entitlement grant granted given give award awarded got receives
approve approval sign signs authorise authorize authorisation sanction approves signature okay agree agreement consent
ask request apply application applied requested requests ask seek
submit file hand send sent submitted submission filed deliver sending email mail mailed
pay paid payment reimburse reimbursed reimbursement refund cover covered compensate compensation payout payable pays
cost price charge fee costs costing priced charged
achieve achieved achievement achievements accomplish accomplished accomplishment attain attained
permit allow allowed permission permitted authorised may let lets
require need needs required necessary requirement demand must mandatory obligatory compulsory obliged
holiday vacation leave
sick ill illness sickness
salary pay wage wages remuneration pays
purchase buy bought acquire acquisition buying procure
use used utilise utilize usage employ using uses spend spent spending
make create produce build built made created creates develop developed builds
change modify alter edit amend modification adjust
delete remove erase deleted removed wipe removal purge
keep retain store stored kept retention hold held storage preserve holds
inform notify tell told report alert notification notice informed
answer reply respond response replies react
choose pick select
check verify review examine inspect audit inspected verification
repair fix mend fixed resolve resolved resolution
fail failure fault failing crash crashed outage
cause reason due because caused causing root trigger triggered
happen occur occurred took place
meet meeting meetings
work job working works
lead head leads run runs headed led headed chief directs oversees charge
own owner owns responsible responsibility
show display shown displays appear
help support assist assistance
area region territory
office site location premises
client customer
company firm organisation organization business
contract agreement
doc document documentation paper paperwork
phone telephone mobile cellphone
laptop computer notebook
picture photo image photograph
fast quick rapid quickly swiftly speed faster
big large huge largest biggest
small little tiny smallest
more additional extra further additionally another
besides also plus addition top
total overall altogether sum
about approximately roughly around circa
last latest recent
join joined hire hired recruit joins recruited
depart leave quit resign resignation left
move transfer relocate moved migrate migration migrated transferred
travel trip journey travelling
train training course education
team group squad crew
goal aim target objective
raise increase grow grew grown rise rose risen climb growth increased
reduce decrease lower cut shrink drop fell fallen decline reduction dropped decreased lowered shrank shortened shorten
improve better improvement
incident accident
error mistake bug
user account
data information info
guest visitor
limit cap ceiling maximum capped
minimum least
deadline due
deduct subtract deducted withheld
expire lapse expiry expires expired lost forfeit forfeited
carry carried rollover roll transferred
share split divide
test trial pilot
release version ship shipped rollout
host hosted hosts located based sits
notice advance ahead beforehand
late delay delayed overdue belated
money fund funds cash
car vehicle
accommodation hotel lodging
flight plane air
meal meals food
receipt invoice
certificate note proof attestation
valid good
write written wrote
talk speak presentation lecture
bring brings brought
swap exchange
visit visits visited
protect protected secure security safe safety
password passphrase
contact reach
twice two
once one
half-year six
kid child children
mum mother
dad father
doctor physician medical medic
night overnight
free gratis
whole entire full
only solely exclusively merely
undo revert rollback
yearly annual annually year
monthly month
weekly week
daily day
hourly hour
quarterly quarter
birth born
signed sign
renew renewal extend extension prolong
cancel cancelled call off terminate termination terminated
switch replace replaced substitute replacement
provide supply offer offers provides supplied
handle process manage deal treat treated
count counts considered regarded
want wish like
live reside
store shop
choose decide decision
install installation deploy deployed deployment rolled
block blocked lock locked suspend suspended
open opened opening opens
restore recover recovery restored recovered back
attach enclose attached accompany accompanied
per each every
person head
сотрудник работник персонал коллега сотрудница человек люди каждый любой штат служащий коллектив
руководитель начальник шеф
начать начаться начало старт стартовать запустить запуск начинаться приступить начинать стартовал стартует начался начались начинается
закончить окончание завершить завершение конец закончиться завершиться заканчиваться завершил завершена завершился закрыть закрытие
получать получить положен положено полагаться давать дать дают предоставлять предоставляться предоставить выдать выдавать выдача начислять начислить выделять получает полагается полагаются предоставляют предоставляют предоставляется положены выдают дается даются
достичь достигнуть достиг достигла достигли добиться добился добилась добились достижение достижения достигнуто
согласовать согласование согласует одобрить одобрять одобрение утвердить утверждать утверждение подписать подписывать утверждает одобряет согласовывать согласовывает согласия согласие подписывает
подать подавать подача направить отправить отправлять прислать присылать сдать сдавать передать подают подается присылают отправляют направляют отправляет направляет передавать посылать
заявление заявка запрос обращение
просить попросить запросить запрашивать
платить оплатить оплата оплачивать оплачиваться возмещать возмещение возместить компенсировать компенсация выплата выплачивать выплатить оплачивается возмещается возмещаются покрывать платят компенсируют возмещает выплачивают компенсируется
стоимость цена стоить обойтись стоит обходится
разрешать разрешить разрешение позволять позволить можно мочь допускать допускаться может могут вправе разрешено разрешается разрешен допускается
нужный нужно необходимый необходимо требоваться требовать обязательный обязательно обязать обязан должный должен должны следует нужна нужен нужны требуется понадобиться обязаны
отпуск каникулы отпускной
болеть больничный болезнь нетрудоспособность
зарплата оклад жалованье заработок зарплату
купить покупать покупка приобрести приобретение закупить закупать
использовать применять применить пользоваться использование применение задействовать использует применяет пользуются применялся
создать создавать сделать делать разработать разработка построить собрать написать разработал создал сделал построен
менять изменить изменять изменение поменять сменить меняют
удалить удалять удаление стереть уничтожить стирать
хранить сохранить хранение сохранять храниться хранят хранится
сообщить сообщать уведомить уведомлять уведомление предупредить известить оповестить извещать предупреждать оповещать
ответить отвечать ответ отреагировать реагировать
выбрать выбирать выбор
проверить проверять проверка контролировать контроль
починить исправить чинить исправление устранить устранение устранена
сбой отказ авария падение инцидент поломка
причина вызвать обусловить вызвал вызван привести
случиться произойти случилось произошло происходить
встреча совещание созвон
работать работа трудиться работал
руководить возглавлять управлять вести возглавил руководит возглавляет ведет курировать
отвечать ответственный ответственность
показать показывать отображать демонстрировать
помочь помогать помощь поддержка
место площадка офис
клиент заказчик покупатель
компания фирма организация
договор контракт соглашение
документ бумага документация
быстро скорость быстрый
большой крупный
маленький небольшой малый
дополнительный дополнительно добавочный еще сверх вдобавок плюс
всего итого общий сумма
примерно около приблизительно
последний свежий
нанять принять прийти устроиться нанимать прием
уволиться уйти увольнение покинуть уходить
перенести перевести переехать переносить перенос перевод мигрировать миграция перевел перевод переведен перенес
командировка поездка
обучение курс учеба учить учиться обучать
команда группа коллектив
цель задача
увеличить вырасти повысить рост увеличение поднять расти возрасти повышение увеличил вырос поднялся выросла подняли увеличилась
уменьшить снизить сократить снижение сокращение упасть уменьшение снизился сократил снизилось сократилось уменьшил упала ужать сократился снизилась
улучшить улучшение
ошибка баг дефект
данные информация сведения
гость посетитель
лимит предел ограничение потолок максимум
срок дедлайн
сгорать пропадать истекать аннулировать сгореть сгорают истечь пропадают аннулируются
делить разделить
тест испытание пилот
выпуск релиз версия выпустить вышел выйти
заранее предварительно
деньги средства
машина автомобиль
гостиница отель проживание
еда питание обед
чек квитанция
писать написать
доклад выступление выступить рассказать
обменять поменяться
защитить защита безопасность
пароль
связаться контакт
вдвое два дважды
ребенок дети
врач медицинский
ночь ночной
бесплатно бесплатный
весь целый полный полностью
год ежегодно ежегодный годовой
месяц ежемесячно ежемесячный
неделя еженедельно еженедельный
день ежедневно ежедневный сутки
час ежечасно
квартал ежеквартально ежеквартальный
родиться рождение
продлить продление продлевать
отменить отмена отменять расторгнуть расторжение
заменить замена заменять
обработать обрабатывать обработка
считать считаться признаваться являться
установить установка устанавливать развернуть внедрить внедрение поставить
блокировать заблокировать блокировка
открыть открывать открытие открыт открываться
восстановить восстановление вернуть
приложить прикрепить прилагать прикладывать прикрепить приложен
закупать закупка
удаленно дистанционно удаленный дистанционный удаленка
бухгалтерия бухгалтер
превышать превысить свыше
длиться продолжаться продлиться занять занимать длился продолжался шел занял заняло
составить составлять равняться
находиться располагаться размещаться расположен находится стоять размещен
только лишь исключительно
обязанность
квартира жилье
машинный
разработчик программист инженер
ускорить ускорение
экономить сэкономить экономия
происходить
забронировать бронировать бронь бронирование
отвечает
"""
_LIGHT = """
have make do take give get provide carry happen place way thing case kind sort part use according document policy rule rules
state stated say says said specify describe mention list listed note concern regard regarding relate apply applies applicable
following follow include order possible able available general generally usually current currently same different certain
time number amount value level type set go come become remain stay keep put whole such own based respective
over off back through under during before after since until within without between whatever whoever whichever among around upon along across up down
out again ahead anyone whoever she he while whether either neither above below
через после перед около более менее между среди пока
system service project company team page section fact quote total simply just even still yet already
документ правило политика согласно указать указано говорится сказано описано следующий случай вид часть порядок раз
являться быть иметь делать время число количество значение уровень тип свой данный самый также например именно просто
система сервис проект компания команда раздел страница общий всего уже только
составлять составлять составляет происходить рамка счет сторона основа помощь течение
предусмотреть предусмотрен предусмотрено предусмотрена предусмотрены иметься имеется имеются существовать существует
"""


def _lines(text: str) -> list[str]:
    return [line for line in text.strip().splitlines() if line.strip()]


@cache
def _meanings() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _lines(_SAME):
        stems = [stem(word.replace("ё", "е")) for word in line.split()]
        name = next((found[one] for one in stems[:1] if one in found), stems[0])
        for one in stems:
            found.setdefault(one, name)
    for stems in map(list, forms()):
        name = next((found[one] for one in stems if one in found), stems[0])
        for one in stems:
            found.setdefault(one, name)
    return found


@cache
def light() -> frozenset[str]:
    """Return the stems of words that say little by themselves."""
    return frozenset(stem(word) for word in _LIGHT.split())


@lru_cache(maxsize=4_096)
def meaning(one: str) -> str:
    """Return one stem for all the stems that mean the same."""
    return _meanings().get(one, one)


@lru_cache(maxsize=4_096)
def is_known(one: str) -> bool:
    """Return whether the stem is of a plain word that the lists here hold."""
    return one in _meanings() or one in light() or bool(opposites(one))
