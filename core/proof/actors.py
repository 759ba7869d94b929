"""Who acts: a claim may not put the supplier where its quotes have the head of the shift, or speak of somebody of its own.

Nouns of people and of bodies that decide are few enough to be known; what they do is told by too many words to compare.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from core.proof.alongside import Beside, alongside
from core.proof.backing import Backing
from core.proof.denials import akin
from core.proof.patterns import compiled
from core.proof.words import Word, read
from core.text import stem

# Those who are spoken to or of in general: a document that names nobody may mean them.
_ANYBODY = """
employee worker staff colleague user customer client buyer visitor guest applicant resident
citizen patient student passenger reader newcomer child children adult holder team subscriber participant candidate owner household
сотрудник работник персонал коллега пользователь клиент покупатель посетитель гость заявитель житель
гражданин пациент студент пассажир читатель новичок ребенок дети взрослый держатель абонент кандидат владелец жилец
"""
_SOMEBODY = """
manager supervisor boss leader head director officer chief president chair chairman chairwoman secretary
supplier vendor seller dealer retailer merchant manufacturer producer landlord tenant lodger lessee lessor renter host
insurer insured bank lender borrower creditor debtor guarantor payer payee sender recipient courier carrier driver
conductor pilot captain crew doctor physician nurse dentist surgeon pharmacist teacher lecturer professor tutor dean rector
examiner librarian trainer coach referee judge lawyer attorney notary accountant auditor inspector administrator admin
developer engineer technician mechanic programmer designer analyst researcher editor author reviewer operator dispatcher
receptionist waiter waitress cook chef cleaner guard caretaker janitor contractor subcontractor employer trustee donor
sponsor investor shareholder founder committee council board jury court police department ministry authority agency
office desk parent mother father guardian spouse relative neighbour neighbor witness volunteer trainee intern apprentice
winner bidder consumer plumber electrician carpenter painter builder architect surveyor gardener baker butcher tailor farmer
fisherman sailor firefighter paramedic midwife therapist veterinarian translator interpreter journalist musician artist
actor treasurer broker agent clerk cashier packer loader porter warden ranger lifeguard instructor foreman deputy mayor
minister ambassador consul bosun mate steward stewardess skipper navigator purser stevedore docker forwarder shipper
consignee principal headteacher monitor curator lecturer technologist chemist biologist physicist statistician assistant
руководитель начальник директор глава заведующий управляющий председатель секретарь бригадир старшина староста
поставщик продавец дилер производитель арендодатель арендатор наниматель собственник страховщик страхователь банк кредитор
заемщик должник поручитель плательщик отправитель получатель курьер перевозчик водитель проводник кондуктор пилот капитан
экипаж врач доктор медсестра стоматолог хирург аптекарь фармацевт учитель преподаватель лектор профессор тьютор декан ректор
экзаменатор библиотекарь тренер судья юрист адвокат нотариус бухгалтер аудитор инспектор администратор разработчик инженер
техник механик программист дизайнер аналитик исследователь редактор автор рецензент оператор диспетчер официант повар
уборщик охранник сторож вахтер подрядчик работодатель жертвователь спонсор инвестор акционер учредитель комитет совет
комиссия правление жюри суд полиция отдел департамент министерство деканат ректорат бухгалтерия дирекция родитель мать отец
опекун супруг родственник сосед свидетель волонтер стажер практикант ученик победитель потребитель менеджер
кладовщик слесарь плотник маляр архитектор землемер садовник фермер рыбак моряк пожарный фельдшер акушер журналист фотограф
музыкант художник актер казначей агент кассир комендант инструктор прораб мэр министр посол консул боцман лоцман штурман стюард матрос кок докер стивидор экспедитор
грузоотправитель грузополучатель завуч вожатый куратор воспитатель лаборант ассистент аспирант магистрант химик биолог
физик технолог статистик канцелярия
"""
# What a page calls itself as often as somebody else: it acts in another's place only where it stands in that place.
_BODIES = frozenset(
    "company firm organisation organization business employer компания фирма организация предприятие работодатель".split()
)
_RU_AGENT = compiled(r"\b[а-я]{3,}(?:тел|щик|чик|олог|едател)(?:ь|я|ю|ем|е|и|ей|ям|ями|ях|а|у|ом|ов|ам|ами|ах|ки|ку)?")
_EN_AGENT = compiled(r"\b\w{3,}(?:ologist|ician|grapher|keeper)s?")
_NO_AGENT = compiled(
    r"(?:двигател|показател|выключател|включател|указател|предохранител|накопител|носител|очистител|счетчик|датчик|ящик|график|обязател|действител)"
)
_NOMINATIVE = compiled(r"[бвгджзйклмнпрстфхцчшщь]$")
_PRONOUNS = frozenset("he she they him them он она оно они им ему ей ним ними".split())
_LEADING = frozenset(
    "by from with to for of at in on against without via through от с со к ко у для из без против через перед".split()
)
_JOINING = frozenset("and or but и или а но".split())
# What makes a noun for who acts of a verb: руководитель of руководит, assistant of assists.
_ACTING = compiled(r"(?:ител|тел|ник|щик|чик|ant|ent|er|or)s?$")
_ROOT = 4
_REACH = 3


def doubt_of_actors(text: str, backing: Backing) -> str | None:
    """Return who does in the claim what its quotes say of somebody else, or of nobody, or None."""
    claim = read(text)
    told = _actors(claim.words) or [
        word for word in claim.words if word.low in _BODIES or (word.capital and _is_named(word))
    ]
    everybody = _actors(backing.quoted.words) if told else []
    if not everybody and not [word for word in backing.quoted.words if word.capital and _is_named(word)]:
        return None
    known = _actors((*backing.above.words, *backing.granted.words))
    for beside in alongside(claim, backing.quoted):
        theirs = _actors(beside.other)
        own = _actors(beside.own)
        for one in own:
            if any(_same(one, other) for other in (*theirs, *known)) or _is_told_by_verb(one, beside):
                continue
            if doubt := _of_another(one, own, theirs, everybody, beside):
                return doubt
        if doubt := _doing(beside, own, theirs):
            return doubt
    return None


def _is_told_by_verb(one: Word, beside: Beside) -> bool:
    """Return whether the sentence of the quotes tells by a verb what somebody is: «руководит кафедрой»."""
    root = _ACTING.sub("", one.stem)
    return len(root) >= _ROOT and any(word.stem.startswith(root) and word.stem != one.stem for word in beside.other)


def _of_another(
    one: Word, own: Sequence[Word], theirs: Sequence[Word], everybody: Sequence[Word], beside: Beside
) -> str | None:
    """Return that somebody whom the nearest sentence does not name stands in the place of whom it names."""
    refers = any(word.low in _PRONOUNS for word in beside.other)
    elsewhere = any(_same(one, other) for other in everybody)
    if refers and elsewhere:
        return None
    left = [
        other
        for other in (theirs if elsewhere or _is_anybody(one.low) else everybody)
        if not any(_same(other, mine) for mine in own)
    ]
    if left and not (_is_anybody(one.low) and all(_is_anybody(other.low) for other in left)):
        return f"it says of “{one.text}” what its quotes say of “{left[0].text}”"
    return None


def _doing(beside: Beside, own: Sequence[Word], theirs: Sequence[Word]) -> str | None:
    """Return who stands right beside a word in the claim, where another one stands right beside it in the quotes."""
    mentioned = [*own, *[word for word in beside.own if word.low in _BODIES or (word.capital and _is_named(word))]]
    theirs = [*theirs, *[word for word in beside.other if word.capital and _is_named(word)]]
    stems = [word.stem for word in beside.other]
    once = [(here, there) for here, there in beside.pairs if stems.count(stems[there]) == 1]
    sides = ((side, here, there) for here, there in once for side in (_before, _behind, _led_in))
    for side, here, there in sides:
        mine, other = side(here, beside.own, mentioned), side(there, beside.other, theirs)
        if mine is None or other is None or _same(mine, other) or _same(mine, beside.own[here]):
            continue
        is_body = mine.low in _BODIES and other.low not in _BODIES
        if (is_body or any(_same(mine, one) for one in theirs)) and not any(_same(other, one) for one in mentioned):
            return f"it says “{mine.text} … {beside.own[here].text}”, its quotes “{other.text} …”"
    return None


def _before(place: int, sentence: Sequence[Word], actors: Sequence[Word]) -> Word | None:
    """Return the one who acts right before a word, if no preposition leads him in."""
    for at in range(place - 1, max(-1, place - 1 - _REACH), -1):
        word = sentence[at]
        if word.clause != sentence[place].clause:
            return None
        if word in actors:
            led = any(one.low in _LEADING for one in sentence[max(0, at - 2) : at])
            return None if led else word
        # Behind an “and” another verb begins: “granted by the leader and withdrawn by …”.
        if word.says or word.low in _LEADING | _JOINING:
            return None
    return None


def _behind(place: int, sentence: Sequence[Word], actors: Sequence[Word]) -> Word | None:
    """Return who acts right behind a Russian verb, by the form of the noun: «проверяет врач», not «проверяет врача»."""
    word = sentence[place + 1] if place + 1 < len(sentence) else None
    acts = word is not None and word in actors and word.clause == sentence[place].clause
    return word if acts and word and (word.low in _BODIES or _NOMINATIVE.search(word.low)) else None


def _led_in(place: int, sentence: Sequence[Word], actors: Sequence[Word]) -> Word | None:
    """Return who acts behind an English passive: “fixed by Petra”."""
    behind = sentence[place + 1 : place + 4]
    at = 2 if len(behind) > 1 and behind[1].low in {"the", "a", "an"} else 1
    return behind[at] if len(behind) > at and behind[0].low == "by" and behind[at] in actors else None


def _is_named(word: Word) -> bool:
    """Return whether the word is a name within a sentence."""
    return word.kind == "word" and word.capital and not word.opens


def _same(one: Word, other: Word) -> bool:
    return akin(one.stem, other.stem)


def _actors(words: Iterable[Word]) -> list[Word]:
    return [word for word in words if word.kind == "word" and is_actor(word.low)]


@lru_cache(maxsize=4_096)
def is_actor(low: str) -> bool:
    """Return whether a word is for somebody, or for a body that decides."""
    if _is_anybody(low) or _form(low) in _forms(_SOMEBODY):
        return True
    if low.isascii():
        return _EN_AGENT.fullmatch(low) is not None
    return _RU_AGENT.fullmatch(low) is not None and _NO_AGENT.match(low) is None


@lru_cache(maxsize=4_096)
def _is_anybody(low: str) -> bool:
    return _form(low) in _forms(_ANYBODY)


def _form(low: str) -> str:
    """Return what the forms of a noun share: an English one keeps its ending, as “managing” is no manager."""
    return low if low.isascii() else stem(low)


@cache
def _forms(words: str) -> frozenset[str]:
    found = words.split()
    plural = (f"{word[:-1]}ies" if word.endswith("y") else f"{word}s" for word in found if word.isascii())
    return frozenset(map(_form, (*found, *plural)))
