"""What the form of a question says: how many, beside each other, all but, not, and its parts; in both languages."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.asked import Asked, read_question
from core.counting import counted_thing, counts_all
from core.entities import Entity, resolve_entities
from core.plan import Shape
from core.text import terms
from tests.core.corpus import ASTON, DMITRY, LOTSMAN, NOON, RAG, registry

KAFKA = Entity("kafka", "Kafka", "technology", ("Кафка",))
SUFLER = Entity("sufler", "Суфлёр", "project", ("Sufler",))
KNOWN = registry(RAG, ASTON, LOTSMAN, DMITRY, KAFKA, SUFLER)


def asked(question: str) -> Asked:
    """Return what the form of a question says."""
    return read_question(question, resolve_entities(question, KNOWN), NOON)


@pytest.mark.parametrize(
    ("question", "shape"),
    [
        ("Сколько проектов использует RAG?", Shape.COUNT),
        ("Во скольких проектах есть Кафка?", Shape.COUNT),
        ("How many projects use Kafka?", Shape.COUNT),
        ("The number of projects with RAG", Shape.COUNT),
        ("What is the total number of projects?", Shape.COUNT),
        ("What's the count of projects at Aston?", Shape.COUNT),
        ("Сколько всего проектов?", Shape.COUNT),
        ("Каково количество проектов в Aston?", Shape.COUNT),
        ("В каком количестве проектов есть Кафка?", Shape.COUNT),
        ("Назови общее число проектов", Shape.COUNT),
        ("Какого числа запустили Лоцман?", Shape.PLAIN),
        ("The number of our projects", Shape.COUNT),
        ("The number of the people in Aston", Shape.COUNT),
        ("What is the number of Kafka projects?", Shape.COUNT),
        ("What is the number of Aston?", Shape.PLAIN),
        ("What is the number of the Leeds office?", Shape.PLAIN),
        ("What is the number of the office in Leeds?", Shape.PLAIN),
        ("What is the number of the travel policy?", Shape.PLAIN),
        ("Сколько составляет ставка?", Shape.PLAIN),
        ("Сколько действует предложение?", Shape.PLAIN),
        ("Сколько существует проектов?", Shape.COUNT),
        ("Сколько действий в RAG?", Shape.COUNT),
        ("Кто против RAG?", Shape.PLAIN),
        ("RAG против Кафки", Shape.COMPARE),
        ("Какие проекты, в том числе Лоцман, на RAG?", Shape.LIST),
        ("How many vacation days do I get?", Shape.PLAIN),
        ("Сколько дней отпуска положено?", Shape.PLAIN),
        ("Сколько стоит аудит?", Shape.PLAIN),
        ("Сколько он длится?", Shape.PLAIN),
        ("How many of these are there?", Shape.PLAIN),
        ("How many of the projects use Kafka?", Shape.COUNT),
        ("How many of our projects used RAG?", Shape.COUNT),
        ("Сколько из наших проектов на Кафке?", Shape.COUNT),
        ("What is the difference between RAG and Kafka?", Shape.COMPARE),
        ("Чем RAG отличается от Kafka?", Shape.COMPARE),
        ("Сравни стек Лоцмана и Суфлёра", Shape.COMPARE),
        ("RAG или Kafka?", Shape.COMPARE),
        ("What is faster, RAG or Kafka?", Shape.COMPARE),
        ("Is Kafka better than RAG?", Shape.COMPARE),
        ("What changed between Lotsman and Sufler?", Shape.COMPARE),
        ("Где применялись RAG или Kafka?", Shape.PLAIN),
        ("Where was RAG used, at Aston or elsewhere?", Shape.PLAIN),
        ("Which technologies does Lotsman use?", Shape.LIST),
        ("Какие технологии в Лоцмане?", Shape.LIST),
        ("Перечисли все проекты", Shape.LIST),
        ("Which project is the oldest?", Shape.PLAIN),
        ("Какая технология главная?", Shape.PLAIN),
        ("Who leads Lotsman?", Shape.PLAIN),
    ],
)
def test_the_shape_is_told_by_words_of_a_closed_class(question: str, shape: Shape) -> None:
    """An amount is no count, and "or" between two things compares them only when nothing else is asked of them."""
    assert shape == asked(question).shape


@pytest.mark.parametrize(
    ("question", "exclude", "about"),
    [
        ("Все проекты, кроме Лоцмана", ["lotsman"], []),
        ("All projects except Lotsman", ["lotsman"], []),
        ("All but Lotsman", ["lotsman"], []),
        ("List all projects but Lotsman", ["lotsman"], []),
        ("List all projects but not Lotsman", ["lotsman"], []),
        ("Все проекты, но не Лоцман", ["lotsman"], []),
        ("All projects with RAG but not Kafka", [], ["rag", "kafka"]),
        ("Где применял RAG, не считая Лоцмана и Суфлёра?", ["lotsman", "sufler"], ["rag"]),
        ("Apart from Lotsman, which projects use RAG?", ["lotsman"], ["rag"]),
        ("В каких проектах, кроме Лоцмана, применялся RAG?", ["lotsman"], ["rag"]),
        ("Which companies besides Aston?", ["aston"], []),
        ("Какие достижения в Aston, помимо проектов?", [], ["aston"]),
        ("Where was RAG used?", [], ["rag"]),
    ],
)
def test_all_but(question: str, exclude: list[str], about: list[str]) -> None:
    """What is left out is told apart from what is asked about."""
    found = asked(question)

    assert (exclude, about) == (list(found.exclude), [match.entity.id for match in found.about])


@pytest.mark.parametrize(
    ("question", "without"),
    [
        ("Which projects did not use RAG?", ["rag"]),
        ("Which projects don't use RAG or Kafka?", ["rag", "kafka"]),
        ("Which projects were built without Kafka?", ["kafka"]),
        ("В каких проектах не использовался RAG?", ["rag"]),
        ("Какие проекты обошлись без Кафки?", ["kafka"]),
        ("Где Дмитрий не применял RAG?", ["rag"]),
        ("Where was RAG not used?", ["rag"]),
        ("Проекты без RAG", ["rag"]),
        ("Projects in Aston without Kafka", ["kafka"]),
        ("Which projects use RAG but not Kafka?", ["kafka"]),
        ("Which projects use neither Kafka nor RAG?", ["kafka", "rag"]),
        ("Какие проекты используют RAG, но не Kafka?", ["kafka"]),
        ("Какие проекты на RAG, а не на Kafka?", ["kafka"]),
        ("Какие проекты не используют ни Kafka, ни RAG?", ["kafka", "rag"]),
        ("Why do projects not use RAG?", []),
        ("Why not Kafka?", []),
        ("What was not done with RAG?", ["rag"]),
        ("Что не вошло в RAG?", ["rag"]),
        ("What happens if RAG does not work?", []),
        ("Что делать, если RAG не работает?", []),
        ("Что не так с RAG?", []),
        ("За какие проекты Дмитрий не берётся?", []),
        ("Which projects does Dmitry not take?", []),
        ("Which projects are not led by Dmitry?", ["dmitry"]),
        ("Почему проекты обходятся без RAG?", []),
        ("Where was not only RAG used?", []),
        ("Why does RAG not work?", []),
        ("Почему не подошёл RAG?", []),
        ("Где применял RAG?", []),
    ],
)
def test_not(question: str, without: list[str]) -> None:
    """Only a question that asks for a set can ask for what has nothing to do with something."""
    assert without == list(asked(question).without)


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("В скольких проектах использовался RAG?", "проектах"),
        ("How many different projects used RAG?", "projects"),
        ("Проекты без RAG", "проекты"),
        ("Покажи все крупные проекты с RAG", "проекты"),
        ("All the projects in Aston", "projects"),
        ("Kafka: which projects used it?", "projects"),
        ("What is not covered by RAG?", ""),
        ("What was never included in Aston?", ""),
        ("Which incidents had to do with Kafka?", "incidents"),
        ("Какие результаты дал RAG?", "результаты"),
        ("Что за проект Лоцман?", ""),
        ("Where was RAG used?", ""),
        ("Where are the offices?", "offices"),
        ("Где находятся наши офисы?", "офисы"),
        ("Где применял RAG?", ""),
        ("Расскажи о Лоцмане", ""),
    ],
)
def test_what_is_asked_for(question: str, thing: str) -> None:
    """The kind of thing stands near the beginning or behind "which"; one that introduces a name is not asked for."""
    assert thing == asked(question).thing


@pytest.mark.parametrize(
    ("question", "both"),
    [
        ("Which projects use both RAG and Kafka?", True),
        ("Which of them use Kafka?", True),
        ("Какие из них на Кафке?", True),
        ("Где есть и RAG, и Kafka?", True),
        ("Где применял RAG и Kafka?", False),
        ("Which projects use RAG or Kafka?", False),
    ],
)
def test_both_at_once(question: str, *, both: bool) -> None:
    """Two names that are but joined by "and" are asked about one after the other."""
    assert both is asked(question).both


@pytest.mark.parametrize(
    ("question", "times"),
    [
        ("Сколько раз применял RAG?", True),
        ("Как часто используется Kafka?", True),
        ("How often was RAG used?", True),
        ("How many times was Kafka used?", True),
        ("Сколько проектов на RAG?", False),
        ("How many projects use RAG?", False),
    ],
)
def test_how_often(question: str, *, times: bool) -> None:
    """How often is a count where it can be looked up; its words alone do not make it one."""
    found = asked(question)

    assert (times, not times) == (found.times, found.shape is Shape.COUNT)


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Контакты и опыт Дмитрия", ["контакты person", "опыт person"]),
        ("Contacts of Dmitry and where was RAG used?", ["contacts of person", "where was technology used?"]),
        ("Что такое RAG? Где он нужен?", ["что такое technology", "где он нужен? technology"]),
        ("Стек Лоцмана и Суфлёра", []),
        ("Лоцман, Суфлёр и Aston", []),
        ("Where was RAG used?", []),
    ],
)
def test_parts(question: str, parts: list[str]) -> None:
    """Two things that are asked for at once are two parts, each with its names or those of the whole."""
    assert parts == [part.text for part in asked(question).parts]


@pytest.mark.parametrize(
    ("question", "searches"),
    [
        (
            "Who leads Lotsman and what technologies does it use?",
            ("who leads Лоцман", "what technologies does it use? (Лоцман)"),
        ),
        ("Кто ведёт Лоцман? Когда он начался?", ("кто ведет Лоцман", "когда он начался? (Лоцман)")),
        ("Achievements of Lotsman and Sufler", ("achievements of Лоцман", "achievements of Суфлёр")),
        ("What is the policy on laptops and phones?", ()),
        ("Where is RAG and Kafka used at Aston?", ()),
        ("Which projects use both RAG and Kafka?", ()),
        ("Чем RAG отличается от Kafka?", ("RAG", "Kafka")),
        ("В чём разница между RAG и Kafka?", ("RAG", "Kafka")),
        ("RAG or Kafka?", ("RAG", "Kafka")),
        ("Which one has the better team, Lotsman or Sufler?", ()),
        ("What is the difference?", ()),
        ("Where was RAG used?", ()),
    ],
)
def test_what_is_searched_for_apart(question: str, searches: tuple[str, ...]) -> None:
    """Two questions in one, one about several things of a kind, and a bare comparison need a search for each."""
    assert searches == asked(question).searches


@pytest.mark.parametrize(
    ("question", "bare"),
    [
        ("Сколько проектов используют RAG?", "какие проектов используют technology?"),
        ("How many projects use RAG and Kafka?", "which projects use technology?"),
        ("Which projects did not use RAG?", "which projects use technology?"),
        ("Все проекты с RAG, кроме Лоцмана", "все проекты с technology,"),
        ("Чем RAG отличается от Kafka?", ""),
    ],
)
def test_the_form_is_taken_off(question: str, bare: str) -> None:
    """What is left is asked like any question, so that the declared examples need not hold every form."""
    assert bare == asked(question).bare


def test_a_period_is_no_name() -> None:
    """Dates are read from the words between the names, in the time of the question."""
    period = asked("Где применял RAG в 2024 году?").period

    assert period is not None
    assert ("2024-01-01", "2024-12-31") == (str(period.since), str(period.until))


@given(
    st.text(max_size=80)
    | st.lists(st.sampled_from(["RAG", "Лоцман", "or", "кроме", "not", ",", "и", "\ue000"])).map(" ".join)
)
@settings(derandomize=True, deadline=None)
def test_any_question_can_be_read(question: str) -> None:
    """Whatever is written, signs of our own too: nothing raises, and every name is one of the question's."""
    found = asked(question)

    named = {match.entity.id for match in resolve_entities(question, KNOWN)}
    assert {*found.exclude, *found.without, *(match.entity.id for match in found.about)} <= named
    assert len(found.texts) <= 5


def test_hundreds_of_names_are_bounded() -> None:
    """A pasted list of names is read as far as names can be told apart."""
    assert 60 >= len(asked("RAG, Лоцман " * 200).about)


@pytest.mark.parametrize(
    "word", ["all ", "which ", "а", "not RAG ", "RAG, ", "how many ", "and a ", "все кроме ", "x-", "?"]
)
def test_hostile_questions_take_no_time(word: str) -> None:
    """The longest question that is read at all, of one word again and again, is read at once."""
    start = time.process_time()
    asked((word * 4_000)[:4_000])

    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How many goals of project Heron?", "goals Heron"),
        ("The number of offices in Leiden", "offices Leiden"),
        ("Сколько проектов было в Aston?", "проектов Aston"),
        ("В скольких проектах компании Aston?", "проектах Aston"),
        ("How many days of leave do I get?", ""),
        ("Сколько стоит аудит?", ""),
        ("Which offices are there?", ""),
    ],
)
def test_what_is_counted(question: str, words: str) -> None:
    """The thing that is counted and what else is said of it, without the kinds that names are introduced by."""
    assert frozenset(terms(words)) == counted_thing(question)


@pytest.mark.parametrize(
    ("question", "is_all"),
    [
        ("How many policies are there?", True),
        ("How many projects are there in total?", True),
        ("Сколько всего проектов?", True),
        ("How many projects are there in Aston?", False),
        ("How many projects?", False),
        ("Сколько проектов?", False),
        ("Сколько дней отпуска всего?", False),
        ("Which policies are there?", False),
    ],
)
def test_how_many_of_a_kind_there_are_at_all(question: str, *, is_all: bool) -> None:
    """Such a question says itself that it is about all of them, whatever was asked before."""
    assert is_all is counts_all(question)


@pytest.mark.parametrize("question", ["Where are our offices?", "Где находятся офисы?", "Где наши офисы?"])
def test_where_all_of_a_kind_are_says_nothing_but_the_kind(question: str) -> None:
    """Their pages tell where they are."""
    assert asked(question).bare_thing
