"""Words that are a month, a day of the week or a part of a year, in both languages, in each of their forms."""

_MONTH_WORDS = """
jan january янв январь января январе январю январем
feb february фев февраль февраля феврале февралю февралем
mar march март марта марте марту мартом
apr april апр апрель апреля апреле апрелю апрелем
may май мая мае маю маем
jun june июн июнь июня июне июню июнем
jul july июл июль июля июле июлю июлем
aug august авг август августа августе августу августом
sep sept september сен сентябрь сентября сентябре сентябрю сентябрем
oct october окт октябрь октября октябре октябрю октябрем
nov november ноя ноябрь ноября ноябре ноябрю ноябрем
dec december дек декабрь декабря декабре декабрю декабрем
"""
_DAY_WORDS = """
monday mondays mon понедельник понедельника понедельнику понедельником понедельникам понедельники
tuesday tuesdays tue вторник вторника вторнику вторником вторникам вторники
wednesday wednesdays wed среду средам среды среда среде
thursday thursdays thu четверг четверга четвергу четвергам четверги
friday fridays fri пятница пятницу пятницы пятнице пятницам
saturday saturdays sat суббота субботу субботы субботе субботам
sunday sundays sun воскресенье воскресенья воскресеньям воскресенью
"""
_RELATIVE_WORDS = """
yesterday вчера
tomorrow завтра
"""


def _numbered(lines: str) -> dict[str, int]:
    return {word: number for number, line in enumerate(lines.strip().splitlines(), 1) for word in line.split()}


MONTHS, DAYS, RELATIVE = _numbered(_MONTH_WORDS), _numbered(_DAY_WORDS), _numbered(_RELATIVE_WORDS)
QUARTERS = {"q1": 1, "q2": 2, "q3": 3, "q4": 4, "h1": 11, "h2": 12}
DATE_WORDS = frozenset([*MONTHS, *DAYS, *QUARTERS])
