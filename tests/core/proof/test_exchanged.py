"""What a sentence says of two things is not turned round: what depends on what, whose somebody is, what was and is."""

import pytest

from core.proof.gapped import in_full
from tests.core.test_one_word_exchanged import is_shown

Case = tuple[str, str, bool]

DEPENDING: list[Case] = [
    ("If the deposit is late, the booking is cancelled.", "If the booking is cancelled, the deposit is late.", False),
    ("The lift stops if the door is open.", "The door is open if the lift stops.", False),
    ("A fine is charged if a book is lost.", "If a fine is charged, a book is lost.", False),
    ("When the tank is empty, the pump stops.", "When the pump stops, the tank is empty.", False),
    (
        "Staff may work from home only if the team lead agrees.",
        "The team lead agrees only if staff may work from home.",
        False,
    ),
    (
        "The grant is paid provided that the report is filed.",
        "The report is filed provided that the grant is paid.",
        False,
    ),
    ("If the deposit is late, the booking is cancelled.", "The booking is cancelled if the deposit is late.", True),
    ("The lift stops if the door is open.", "When the door is open, the lift stops.", True),
    ("A fine is charged if a book is lost.", "If a book is lost, a fine is charged.", True),
    (
        "Staff may work from home only if the team lead agrees.",
        "Only if the team lead agrees may staff work from home.",
        True,
    ),
    ("If the tank is empty, the pump stops and a lamp lights up.", "A lamp lights up if the tank is empty.", True),
    ("If it rains or snows, the match is moved.", "The match is moved if it snows.", True),
    ("Если задаток опоздал, бронь отменяют.", "Если бронь отменяют, задаток опоздал.", False),
    ("Лифт останавливается, если дверь открыта.", "Дверь открыта, если лифт останавливается.", False),
    ("Штраф берут, если книга потеряна.", "Если берут штраф, книга потеряна.", False),
    ("Когда бак пуст, насос отключается.", "Когда насос отключается, бак пуст.", False),
    (
        "Работать из дома можно, только если согласен руководитель.",
        "Руководитель согласен, только если можно работать из дома.",
        False,
    ),
    ("Грант выплачивают при условии, что сдан отчёт.", "Отчёт сдан при условии, что выплачивают грант.", False),
    ("Если задаток опоздал, бронь отменяют.", "Бронь отменяют, если задаток опоздал.", True),
    ("Лифт останавливается, если дверь открыта.", "Когда дверь открыта, лифт останавливается.", True),
    ("Штраф берут, если книга потеряна.", "Если книга потеряна, берут штраф.", True),
    (
        "Работать из дома можно, только если согласен руководитель.",
        "Только если согласен руководитель, можно работать из дома.",
        True,
    ),
    ("Если бак пуст, насос отключается и загорается лампа.", "Лампа загорается, если бак пуст.", True),
    (
        "The batch was withdrawn because it was contaminated.",
        "The batch was contaminated because it was withdrawn.",
        False,
    ),
    ("Партию отозвали, потому что она загрязнена.", "Партия загрязнена, потому что её отозвали.", False),
    ("Results are published after the committee meets.", "The committee meets after results are published.", False),
    (
        "Результаты публикуют после того, как соберётся комиссия.",
        "Комиссия собирается после того, как опубликуют результаты.",
        False,
    ),
    (
        "If the alarm rings, the hoods are closed before leaving.",
        "If the hoods are closed, the alarm rings.",
        False,
    ),
    (
        "If the alarm rings, the hoods are closed before leaving.",
        "The hoods are closed before leaving if the alarm rings.",
        True,
    ),
    (
        "Если звучит сигнал, шкафы закрывают до ухода, чтобы не шёл дым.",
        "Если шкафы закрывают, звучит сигнал.",
        False,
    ),
]
ONLY: list[Case] = [
    ("Only tankers can use the jetty.", "Tankers can use only the jetty.", False),
    ("Guests may use only the side door.", "Only guests may use the side door.", False),
    ("The lab may be entered only by technicians.", "Technicians may enter only the lab.", False),
    ("Nurses give only vaccines.", "Only nurses give vaccines.", False),
    ("Only tankers can use the jetty.", "The jetty can be used only by tankers.", True),
    ("The pool is open only on Mondays.", "The pool is only open on Mondays.", True),
    ("Guests may use only the side door.", "Guests may only use the side door.", True),
    ("Only members get a key.", "A key is given only to members.", True),
    ("Только танкеры могут занимать пирс.", "Танкеры могут занимать только пирс.", False),
    ("Атласы могут брать только учителя.", "Учителя могут брать только атласы.", False),
    ("Гости входят только через двор.", "Только гости входят через двор.", False),
    ("Прививки делают только медсёстры.", "Медсёстры делают только прививки.", False),
    ("Только танкеры могут занимать пирс.", "Занимать пирс могут только танкеры.", True),
    ("Атласы могут брать только учителя.", "Только учителя могут брать атласы.", True),
    ("Бассейн открыт только по понедельникам.", "Только по понедельникам открыт бассейн.", True),
    ("Прививки делают только медсёстры.", "Только медсёстры делают прививки.", True),
    ("Only members of the guild may pilot tankers.", "Members of the guild may pilot only tankers.", False),
    ("Only members of the guild may pilot tankers.", "Only guild members may pilot tankers.", True),
    ("Танкеры могут проводить только лоцманы порта.", "Лоцманы порта могут проводить только танкеры.", False),
]
COUNTED: list[Case] = [
    ("The room costs 80 euros including breakfast.", "The room costs 80 euros without breakfast.", False),
    ("The ticket is 12 euros without the guide.", "The ticket is 12 euros including the guide.", False),
    ("All staff, including interns, get a pass.", "All staff, excluding interns, get a pass.", False),
    ("The kit comes with a charger.", "The kit comes without a charger.", False),
    ("The rent is 900 euros, heating included.", "The rent is 900 euros without heating.", False),
    ("The fee covers lunch as well as tea.", "The fee covers lunch but not tea.", False),
    ("The room costs 80 euros including breakfast.", "The room costs 80 euros with breakfast.", True),
    ("The room costs 80 euros including breakfast.", "Breakfast is included in the 80 euros for the room.", True),
    ("The ticket is 12 euros without the guide.", "The ticket is 12 euros, not including the guide.", True),
    ("The kit comes with a charger.", "The kit includes a charger.", True),
    ("Номер стоит 80 евро, включая завтрак.", "Номер стоит 80 евро без завтрака.", False),
    ("Билет стоит 12 евро без экскурсовода.", "Билет стоит 12 евро, включая экскурсовода.", False),
    ("Все сотрудники, включая стажёров, получают пропуск.", "Все сотрудники, кроме стажёров, получают пропуск.", False),
    ("Прибор продаётся с зарядным устройством.", "Прибор продаётся без зарядного устройства.", False),
    ("Аренда стоит 900 евро вместе с отоплением.", "Аренда стоит 900 евро без отопления.", False),
    ("Номер стоит 80 евро, включая завтрак.", "Номер с завтраком стоит 80 евро.", True),
    ("Номер стоит 80 евро, включая завтрак.", "Завтрак входит в 80 евро за номер.", True),
    ("The prices include VAT.", "The prices are without VAT.", False),
    ("All flights including charters are insured.", "All flights without charters are insured.", False),
    ("The total is 300 euros including delivery.", "The total without delivery is 300 euros.", False),
    ("Итог — 300 евро, включая доставку.", "Итог без доставки — 300 евро.", False),
]
WHOSE: list[Case] = [
    ("Tom is Anna's manager.", "Anna is Tom's manager.", False),
    ("Helen Price is the deputy of Mark Dunn.", "Mark Dunn is the deputy of Helen Price.", False),
    ("Ms Petrova's assistant is Tom Reyes.", "Tom Reyes's assistant is Ms Petrova.", False),
    ("Vega is a subsidiary of Orion.", "Orion is a subsidiary of Vega.", False),
    ("Tom is Anna's manager.", "Anna's manager is Tom.", True),
    ("Tom is Anna's manager.", "Tom is the manager of Anna.", True),
    ("Tom is Anna's manager.", "Tom manages Anna.", True),
    ("Ms Petrova's assistant is Tom Reyes.", "Tom Reyes assists Ms Petrova.", True),
    ("Ms Petrova's assistant is Tom Reyes.", "Tom Reyes is the assistant of Ms Petrova.", True),
    ("Том — руководитель Анны.", "Анна — руководитель Тома.", False),
    ("Елена Прайс — заместитель Марка Данна.", "Марк Данн — заместитель Елены Прайс.", False),
    ("Помощник Петровой — Роман Рейн.", "Помощник Романа Рейна — Петрова.", False),
    ("Сергей — наставник Игоря.", "Игорь — наставник Сергея.", False),
    ("Мария — сестра Павла Орлова.", "Павел Орлов — брат Марии.", False),
    ("Ольга работает под началом Дмитрия.", "Дмитрий работает под началом Ольги.", False),
    ("Том — руководитель Анны.", "Руководитель Анны — Том.", True),
    ("Том — руководитель Анны.", "Том руководит Анной.", True),
    ("Помощник Петровой — Роман Рейн.", "Роман Рейн — помощник Петровой.", True),
    ("Помощник Петровой — Роман Рейн.", "Роман Рейн помогает Петровой.", True),
    ("Сергей — наставник Игоря.", "Наставник Игоря — Сергей.", True),
    ("Ольга работает под началом Дмитрия.", "Под началом Дмитрия работает Ольга.", True),
    ("Ms Petrova's assistant is Tom Reyes.", "Ms Petrova assists Tom Reyes.", False),
    ("Судном командует Моро, его старший помощник — Инна Ткач.", "Моро — старший помощник Инны Ткач.", False),
    ("Судном командует Моро, его старший помощник — Инна Ткач.", "Старший помощник Моро — Инна Ткач.", True),
]
THEN: list[Case] = [
    (
        "Mr Lind used to run the club, which is now led by Ms Petrova.",
        "Ms Petrova used to run the club, which is now led by Mr Lind.",
        False,
    ),
    (
        "The archive was formerly in Bonn and is now in Mainz.",
        "The archive was formerly in Mainz and is now in Bonn.",
        False,
    ),
    ("Previously the fee was 20 euros; now it is 35 euros.", "Now the fee is 20 euros.", False),
    ("The shop first sold bread, later only cakes.", "The shop first sold cakes, later bread.", False),
    ("Earlier the tickets were printed, now they are sent by email.", "Now the tickets are printed.", False),
    ("Mr Lind used to run the club, which is now led by Ms Petrova.", "The club is now led by Ms Petrova.", True),
    ("Mr Lind used to run the club, which is now led by Ms Petrova.", "The club was formerly run by Mr Lind.", True),
    ("Previously the fee was 20 euros; now it is 35 euros.", "The fee is now 35 euros.", True),
    ("The archive was formerly in Bonn and is now in Mainz.", "The archive used to be in Bonn.", True),
    ("Раньше кружок вёл Линд, теперь его ведёт Петрова.", "Раньше кружок вела Петрова, теперь его ведёт Линд.", False),
    ("Раньше архив был в Бонне, теперь он в Майнце.", "Теперь архив в Бонне.", False),
    ("Прежде сбор составлял 20 евро, сейчас — 35 евро.", "Сейчас сбор составляет 20 евро.", False),
    ("Сначала магазин торговал хлебом, потом — тортами.", "Сначала магазин торговал тортами, потом — хлебом.", False),
    ("Раньше билеты печатали, теперь их присылают.", "Теперь билеты печатают.", False),
    ("Раньше кружок вёл Линд, теперь его ведёт Петрова.", "Теперь кружок ведёт Петрова.", True),
    ("Раньше кружок вёл Линд, теперь его ведёт Петрова.", "Прежде кружок вёл Линд.", True),
    ("Прежде сбор составлял 20 евро, сейчас — 35 евро.", "Сейчас сбор составляет 35 евро.", True),
]
SIDES: list[Case] = [
    ("The switch is within reach of the driver.", "The switch is out of reach of the driver.", False),
    ("Spare parts are in stock.", "Spare parts are out of stock.", False),
    ("Lift 2 is out of service.", "Lift 2 is in service.", False),
    ("The guard is on duty at night.", "The guard is off duty at night.", False),
    ("Smoking is allowed outside the building.", "Smoking is allowed inside the building.", False),
    ("The pump works within its limits.", "The pump works beyond its limits.", False),
    ("The meeting is held on site.", "The meeting is held off site.", False),
    ("The switch is within reach of the driver.", "The driver has the switch within reach.", True),
    ("Spare parts are in stock.", "Spare parts are available in stock.", True),
    ("Smoking is allowed outside the building.", "You may smoke outside the building.", True),
    (
        "Кнопка находится в пределах досягаемости водителя.",
        "Кнопка находится вне пределов досягаемости водителя.",
        False,
    ),
    ("Запчасти есть в наличии.", "Запчастей нет в наличии.", False),
    ("Курить можно за пределами здания.", "Курить можно в здании.", False),
    ("Ветеранов принимают вне очереди.", "Ветеранов принимают в порядке очереди.", False),
    ("Стоянка находится на территории завода.", "Стоянка находится за территорией завода.", False),
    ("Датчик стоит внутри корпуса.", "Датчик стоит снаружи корпуса.", False),
    ("Кнопка находится в пределах досягаемости водителя.", "В пределах досягаемости водителя находится кнопка.", True),
    ("Курить можно за пределами здания.", "Курить разрешено за пределами здания.", True),
    ("Датчик стоит внутри корпуса.", "Датчик находится внутри корпуса.", True),
    ("Tows within the basin are free; tows beyond it cost 300 pounds.", "Tows beyond the basin are free.", False),
    ("Tows within the basin are free; tows beyond it cost 300 pounds.", "Tows beyond the basin cost 300 pounds.", True),
    ("В пределах бухты буксировка бесплатна.", "За пределами бухты буксировка бесплатна.", False),
]
TWINS: list[Case] = [
    ("The server in Porto backs up the server in Lyon.", "The server in Lyon backs up the server in Porto.", False),
    ("The team of Ivan replaced the team of Oleg.", "The team of Oleg replaced the team of Ivan.", False),
    (
        "The sales department audits the purchasing department.",
        "The purchasing department audits the sales department.",
        False,
    ),
    ("Camera 1 watches camera 2.", "Camera 2 watches camera 1.", False),
    ("The red valve feeds the blue valve.", "The blue valve feeds the red valve.", False),
    (
        "The clinic on Mill Street refers patients to the clinic on Park Road.",
        "The clinic on Park Road refers patients to the clinic on Mill Street.",
        False,
    ),
    (
        "The server in Porto backs up the server in Lyon.",
        "The server in Lyon is backed up by the server in Porto.",
        True,
    ),
    ("The server in Porto backs up the server in Lyon.", "The server in Lyon is backed up by the one in Porto.", True),
    (
        "The sales department audits the purchasing department.",
        "The purchasing department is audited by the sales department.",
        True,
    ),
    ("The red valve feeds the blue valve.", "The blue valve is fed by the red valve.", True),
    ("Сервер в Порту копирует сервер в Лионе.", "Сервер в Лионе копирует сервер в Порту.", False),
    ("Отдел продаж проверяет отдел закупок.", "Отдел закупок проверяет отдел продаж.", False),
    ("Команда Ивана сменила команду Олега.", "Команда Олега сменила команду Ивана.", False),
    ("Красный клапан питает синий клапан.", "Синий клапан питает красный клапан.", False),
    ("Филиал в Казани подчиняется филиалу в Москве.", "Филиал в Москве подчиняется филиалу в Казани.", False),
    ("Сервер в Порту копирует сервер в Лионе.", "Сервер в Лионе копируется сервером в Порту.", True),
    ("Команда Ивана сменила команду Олега.", "Команду Олега сменила команда Ивана.", True),
    ("Отдел продаж проверяет отдел закупок.", "Отдел закупок проверяется отделом продаж.", True),
    ("Филиал в Казани подчиняется филиалу в Москве.", "Филиалу в Москве подчиняется филиал в Казани.", True),
]
GAPPED: list[Case] = [
    ("Room A seats 10 people and room B 30.", "Room A seats 30 people.", False),
    ("Room A seats 10 people and room B 30.", "Room B seats 10 people.", False),
    ("Room A seats 10 people and room B 30.", "Room A seats 30 people and room B 10.", False),
    ("Line 1 makes 400 cans an hour and line 2 250.", "Line 2 makes 400 cans an hour.", False),
    ("Anna speaks Greek and Boris Dutch.", "Anna speaks Dutch.", False),
    (
        "Visible damage must be reported at once; hidden damage, within a week.",
        "Hidden damage must be reported at once.",
        False,
    ),
    ("The bosun keeps the log; the second mate keeps the keys.", "The second mate keeps the log.", False),
    ("Room A seats 10 people and room B 30.", "Room B seats 30 people.", True),
    ("Line 1 makes 400 cans an hour and line 2 250.", "Line 2 makes 250 cans an hour.", True),
    (
        "Visible damage must be reported at once; hidden damage, within a week.",
        "Hidden damage must be reported within a week.",
        True,
    ),
    ("The bosun keeps the log; the second mate keeps the keys.", "The second mate keeps the keys.", True),
    ("The bosun keeps the log; the second mate keeps the keys.", "The log is kept by the bosun.", True),
    ("Зал А вмещает 10 человек, а зал Б — 30.", "Зал А вмещает 30 человек.", False),
    ("Зал А вмещает 10 человек, а зал Б — 30.", "Зал Б вмещает 10 человек.", False),
    ("Линия 1 выпускает 400 банок в час, линия 2 — 250.", "Линия 2 выпускает 400 банок в час.", False),
    ("Анна говорит по-гречески, а Борис — по-голландски.", "Анна говорит по-голландски.", False),
    (
        "О видимых повреждениях сообщают сразу, о скрытых — в течение недели.",
        "О скрытых повреждениях сообщают сразу.",
        False,
    ),
    ("Журнал ведёт боцман, ключи хранит второй помощник.", "Журнал ведёт второй помощник.", False),
    ("Зал А вмещает 10 человек, а зал Б — 30.", "Зал Б вмещает 30 человек.", True),
    ("Линия 1 выпускает 400 банок в час, линия 2 — 250.", "Линия 2 выпускает 250 банок в час.", True),
    (
        "О видимых повреждениях сообщают сразу, о скрытых — в течение недели.",
        "О скрытых повреждениях сообщают в течение недели.",
        True,
    ),
    ("Журнал ведёт боцман, ключи хранит второй помощник.", "Ключи хранит второй помощник.", True),
    ("Журнал ведёт боцман, ключи хранит второй помощник.", "Боцман ведёт журнал.", True),
]


LABELLED: list[Case] = [
    ("Calculators are allowed in part B only.", "Calculators are allowed in part A only.", False),
    ("Calculators are allowed in part B only.", "Only in part B are calculators allowed.", True),
    ("Coats are left in room 12 of the school.", "Coats are left in room 14 of the school.", False),
    ("Калькулятор разрешён только в части Б.", "Калькулятор разрешён только в части А.", False),
    ("Калькулятор разрешён только в части Б.", "Только в части Б разрешён калькулятор.", True),
]
DENIED: list[Case] = [
    ("Lunch is included, dinner is not.", "Dinner is included, lunch is not.", False),
    ("Lunch is included, dinner is not.", "Lunch is included, but dinner is not.", True),
    ("Обед включён, ужин — нет.", "Ужин включён, обед — нет.", False),
    ("Обед включён, ужин — нет.", "Обед включён, а ужин — нет.", True),
]
APART: list[Case] = [
    ("The officer trains the guards once a year; the guards train the cadets.", "The guards train the officer.", False),
    ("The officer trains the guards once a year; the guards train the cadets.", "The guards train the cadets.", True),
    ("Раз в год инженер обучает лаборантов; лаборанты обучают студентов.", "Лаборанты обучают инженера.", False),
    ("Раз в год инженер обучает лаборантов; лаборанты обучают студентов.", "Лаборанты обучают студентов.", True),
]


@pytest.mark.parametrize(("quote", "claim", "kept"), DEPENDING)
def test_what_depends_on_what_is_not_turned_round(quote: str, claim: str, *, kept: bool) -> None:
    """That B is so if A is does not make A so if B is; in either order of the parts the same is said."""
    assert kept == is_shown(claim, quote)


@pytest.mark.parametrize(("quote", "claim", "kept"), ONLY)
def test_an_only_stays_with_its_word(quote: str, claim: str, *, kept: bool) -> None:
    """“Only teachers may borrow atlases” does not say that they may borrow only atlases."""
    assert kept == is_shown(claim, quote)


@pytest.mark.parametrize(("quote", "claim", "kept"), COUNTED)
def test_what_is_counted_in_is_not_left_out(quote: str, claim: str, *, kept: bool) -> None:
    """A sum that includes a thing is no sum without it."""
    assert kept == is_shown(claim, quote)


@pytest.mark.parametrize(("quote", "claim", "kept"), WHOSE)
def test_whose_somebody_is_is_not_turned_round(quote: str, claim: str, *, kept: bool) -> None:
    """Whoever is the manager of somebody is not managed by him, whatever the order and the cases of the names."""
    assert kept == is_shown(claim, quote)


@pytest.mark.parametrize(("quote", "claim", "kept"), THEN)
def test_what_was_is_not_what_is_now(quote: str, claim: str, *, kept: bool) -> None:
    """Of then and now, and of first and later, each keeps what is said of it."""
    assert kept == is_shown(claim, quote)


@pytest.mark.parametrize(("quote", "claim", "kept"), SIDES)
def test_within_is_not_out_of(quote: str, claim: str, *, kept: bool) -> None:
    """A small word that puts a thing on the other side is another statement."""
    assert kept == is_shown(claim, quote)


@pytest.mark.parametrize(("quote", "claim", "kept"), TWINS)
def test_two_of_a_kind_do_not_change_places(quote: str, claim: str, *, kept: bool) -> None:
    """Two servers, departments or teams are told apart by what stands with the noun, in either voice."""
    assert kept == is_shown(claim, quote)


@pytest.mark.parametrize(("quote", "claim", "kept"), GAPPED)
def test_what_a_part_leaves_out_is_that_of_the_part_before(quote: str, claim: str, *, kept: bool) -> None:
    """“Room A seats 10 people and room B 30” says how many room B seats, and nothing else of room A."""
    assert kept == is_shown(claim, quote)


@pytest.mark.parametrize(("quote", "claim", "kept"), LABELLED)
def test_a_label_is_kept(quote: str, claim: str, *, kept: bool) -> None:
    """What a letter or a number tells apart is another thing with another one."""
    assert kept == is_shown(claim, quote)


@pytest.mark.parametrize(("quote", "claim", "kept"), DENIED)
def test_what_is_not_so_is_said_of_the_same_one(quote: str, claim: str, *, kept: bool) -> None:
    """Of two things of which one is and the other is not, neither takes the other's place."""
    assert kept == is_shown(claim, quote)


@pytest.mark.parametrize(("quote", "claim", "kept"), APART)
def test_each_side_of_a_semicolon_has_its_doer(quote: str, claim: str, *, kept: bool) -> None:
    """Whoever is acted upon on one side of a semicolon, and acts on the other, does not do both."""
    assert kept == is_shown(claim, quote)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Room A seats 10 people and room B 30.", "Room A seats 10 people. Room B seats 30 people."),
        (
            "Visible damage must be reported at once; hidden damage, within a week.",
            "Visible damage must be reported at once. Hidden damage must be reported within a week.",
        ),
        ("Окунева преподаёт химию, Линд — музыку.", "Окунева преподаёт химию. Линд преподаёт музыку."),
        (
            "О видимых повреждениях сообщают сразу, о скрытых — в течение недели.",
            "О видимых повреждениях сообщают сразу. О скрытых повреждениях сообщают в течение недели.",
        ),
        (
            "Приложение для Android выйдет в мае, для iPhone — в ноябре.",
            "Приложение для Android выйдет в мае. Приложение для iPhone выйдет в ноябре.",
        ),
        ("Судном командует Моро, его помощник — Ткач.", "Судном командует Моро, его помощник — Ткач."),
        ("Обед включён, ужин — нет.", "Обед включён, ужин — нет."),
        ("Директор — Петров, заместитель — Орлов.", "Директор — Петров, заместитель — Орлов."),
        ("If it rains, we stay; if not, we go.", "If it rains, we stay; if not, we go."),
    ],
)
def test_a_part_without_its_verb_is_said_in_full(text: str, told: str) -> None:
    """Only where it is plain what is left out is it said; a denial, a mere “is” and a condition stay as they stand."""
    assert told == in_full(text)
