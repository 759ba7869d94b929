"""Words that say the same of some things, besides what else they mean: a shop is open, and works.

Unlike those of the lexicon they may stand in several lines, and are no substitutes: they only hold each other.
"""

from functools import cache, lru_cache

from core.text import stem

_NEAR = """
formerly previously earlier
now currently nowadays
раньше ранее прежде
теперь сейчас ныне
open work operate
работать открыт открыта открыто открыты открыть
appear release ship launch появиться выйти
появиться появится появился появилась выйти выйдет вышел вышла запустить
costs cost go goes
идти идет лежать лежит находиться хранить храниться
run last take continue
apply cover include extend
valid apply
reach available
publish appear issue released
switch start turn activate
repair service maintain overhaul
use valid usable
include belong part contain comprise consist
leave depart go start
warn remind alert
greet welcome receive
deliver bring supply hand
collect gather pick fetch
explain describe tell
order buy request
wait queue
announce publish inform tell
join attend participate
sign confirm
learn hear find
look see check view
add put enter
empty clear
empower allow enable
rest pause break
occupy fill take
host hold organise arrange
live store stored keep
meal lunch
write written wrote author
employer company
meal dinner
technology tech stack
damage harm
enough sufficient suffice
suitable fit
search look find
bear carry pay
mark grade assess
piece item article
worth cost amount
pay cost charge
платить платят стоить стоит обходиться обходится
call phone ring telephone
later afterwards subsequently
позже потом затем впоследствии позднее
назначить назначать назначают положен положена положено полагается
clean wash
guide lead
действовать действует распространяться распространяется применяться применяется касаться касается относиться относится покрывать покрывает
публиковать публикуют выходить выходит издавать появляться
включаться включается запускаться запускается стартовать срабатывать срабатывает
входить входит входят включать включен включена включены включено содержать содержит содержат
состоять состоит содержать
отходить отходит отправляться отправляется уезжать уходить уходит выезжать
ремонт ремонтировать отремонтировать чинить починить
подъем поднимать поднимается подниматься
начаться идти начинать
привозить привозят доставлять доставляют доставить доставка
забирать забрать получать получить
объяснять объяснить рассказать описать
напоминать напоминание предупреждать
вступать вступить участвовать
узнавать узнать получить услышать
посмотреть смотреть увидеть проверить видеть просматривать
достаточно хватать хватает хватит
подходить подходит годиться годится
искать найти поиск
нести платить оплачивать
занимать занимает уходить уходит требовать
проводить проводят проходить проходит состояться состоится идти
обращаться обратиться идти звонить писать
добавлять добавить вносить внести
оснащен снабжен иметь есть
возможно возможен возможна можно
расходы затраты траты
пускать пускают допускать допускают впускать впускают
брать берут берет принимать принимают
"""


@lru_cache(maxsize=4_096)
def near_to(one: str) -> frozenset[str]:
    """Return the stems that say the same as a stem of some things."""
    return _nearness().get(one, frozenset())


@cache
def _nearness() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _NEAR.strip().splitlines():
        stems = frozenset(stem(word) for word in line.split())
        for one in stems:
            found[one] = found.get(one, frozenset()) | stems
    return found
