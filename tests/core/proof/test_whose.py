"""Whose the cited words are: what a page says of one thing is not told of another because that is asked about."""

from dataclasses import replace

import pytest

from core.answer import Draft, DraftClaim, Pointer
from core.proof.whose import Named
from core.verify import verify
from tests.core.scenes import context, facts_of

# The title of a page, its words, the quote, the question and the claim.
OF_ANOTHER = [
    (
        "Lyon office",
        "The Lyon office opens at 9:00.",
        "",
        "When does the Porto office open?",
        "The Porto office opens at 9:00.",
    ),
    (
        "Depots",
        "The Tampa depot is big. It closes at 21:30.",
        "It closes at 21:30.",
        "When does the Omaha depot close?",
        "The Omaha depot closes at 21:30.",
    ),
    (
        "Clinics",
        "The Bristol clinic treats children. The Exeter clinic has 12 beds.",
        "The Exeter clinic has 12 beds.",
        "How many beds has the Bristol clinic?",
        "The Bristol clinic has 12 beds.",
    ),
    (
        "Bristol clinic",
        "Unlike us, the Exeter clinic has 12 beds.",
        "the Exeter clinic has 12 beds",
        "How many beds has the Bristol clinic?",
        "The Bristol clinic has 12 beds.",
    ),
    (
        "Ghent",
        "Ghent ships 300 parcels a day.",
        "",
        "how many parcels does lille ship a day?",
        "Lille ships 300 parcels a day.",
    ),
    (
        "Tom Reeve",
        "Tom Reeve speaks Danish.",
        "",
        "Which languages does Tom Hollis speak?",
        "Tom Hollis speaks Danish.",
    ),
    (
        "Team",
        "Nadia Petit runs logistics. She joined in 2018.",
        "She joined in 2018.",
        "When did Colin Marsh join?",
        "Colin Marsh joined in 2018.",
    ),
    (
        "Офис в Туле",
        "Офис в Туле открывается в 9:00.",
        "",
        "Когда открывается офис в Казани?",
        "Офис в Казани открывается в 9:00.",
    ),
    (
        "Проект Вега",
        "Проект Вега начался в мае 2024 года.",
        "",
        "Когда начался проект Заря?",
        "Проект Заря начался в мае 2024 года.",
    ),
    ("Тарифы", "Тариф «Старт» стоит 100 рублей.", "", "Сколько стоит тариф «Про»?", "Тариф «Про» стоит 100 рублей."),
    (
        "Курск",
        "Курск отправляет 300 посылок в день.",
        "",
        "сколько посылок в день отправляет липецк?",
        "Липецк отправляет 300 посылок в день.",
    ),
    (
        "MariaDB",
        "MariaDB хранит копии 30 дней.",
        "",
        "Сколько хранит копии Cassandra?",
        "Копии Cassandra хранятся 30 дней.",
    ),
    ("Иван Рогов", "Иван Рогов знает датский.", "", "Какие языки знает Иван Лосев?", "Иван Лосев знает датский."),
]
OF_ITSELF = [
    (
        "Depots",
        "The Tampa depot is big. It closes at 21:30.",
        "It closes at 21:30.",
        "When does the Tampa depot close?",
        "The Tampa depot closes at 21:30.",
    ),
    (
        "Silver card",
        "The card costs 45 euros a year.",
        "",
        "What does the Silver card cost?",
        "The Silver card costs 45 euros a year.",
    ),
    (
        "Ghent warehouse",
        "The warehouse ships 300 parcels a day.",
        "",
        "how many parcels does ghent ship a day?",
        "Ghent ships 300 parcels a day.",
    ),
    (
        "Tom Reeve",
        "He speaks Danish and Dutch.",
        "",
        "Which languages does Tom Reeve speak?",
        "Tom Reeve speaks Danish and Dutch.",
    ),
    (
        "Releases",
        "Release Atlas ships in March. Its owner is Priya Nair.",
        "Its owner is Priya Nair.",
        "Who owns release Atlas?",
        "Priya Nair owns release Atlas.",
    ),
    (
        "Склад в Твери",
        "Склад в Твери хранит шины. Он закрывается в 21:30.",
        "Он закрывается в 21:30.",
        "Когда закрывается склад в Твери?",
        "Склад в Твери закрывается в 21:30.",
    ),
    (
        "Карта «Серебро»",
        "Карта стоит 900 рублей в год.",
        "",
        "Сколько стоит карта «Серебро»?",
        "Карта «Серебро» стоит 900 рублей в год.",
    ),
    (
        "Иван Рогов",
        "Он знает датский и голландский.",
        "",
        "Какие языки знает Иван Рогов?",
        "Иван Рогов знает датский и голландский.",
    ),
    (
        "Выпуски",
        "Выпуск Атлас выходит в марте. Его ведёт Нина Орлова.",
        "Его ведёт Нина Орлова.",
        "Кто ведёт выпуск Атлас?",
        "Выпуск Атлас ведёт Нина Орлова.",
    ),
]


def holds(title: str, text: str, quote: str, question: str, claim: str, *named: Named) -> bool:
    """Return whether the claim is shown in its own words."""
    facts = facts_of("page.md", f"# {title}\n\n{text}\n")
    asked = replace(context(*facts, question=question), named=named)
    answer = verify(Draft((DraftClaim(claim, (Pointer(1, quote or text),)),)), asked, last=False)
    return any(one.verdict == "supported" for one in answer.claims)


@pytest.mark.parametrize(("title", "text", "quote", "question", "claim"), OF_ANOTHER)
def test_what_is_said_of_another_is_not_told_of_the_one_that_is_asked_about(
    title: str, text: str, quote: str, question: str, claim: str
) -> None:
    """However well the one that is asked about is known elsewhere."""
    assert not holds(title, text, quote, question, claim)


@pytest.mark.parametrize(("title", "text", "quote", "question", "claim"), OF_ITSELF)
def test_a_name_counts_where_the_passage_knows_it(title: str, text: str, quote: str, question: str, claim: str) -> None:
    """In the cited words, over them, or in what they go on about."""
    assert holds(title, text, quote, question, claim)


@pytest.mark.parametrize(
    ("named", "kept"),
    [
        (Named("Porto", ("Lisbon branch", "Porto"), "page.md"), True),
        (Named("Porto", ("Lisbon branch", "Porto"), "porto.md"), False),
        (Named("Porto", ("Northern branch", "Porto"), "porto.md"), True),
    ],
)
def test_a_known_thing_counts_by_its_page_and_by_each_of_its_names(named: Named, *, kept: bool) -> None:
    """What the passage calls the Northern branch may be asked for as Porto."""
    claim = "Porto has a roof terrace."

    assert kept == holds("Places", "The Northern branch has a roof terrace.", "", "What does Porto have?", claim, named)


@pytest.mark.parametrize(
    ("text", "kept"),
    [("Alves joined in 2015.", True), ("Anna Alves joined in 2015.", False), ("Rui joined in 2015.", False)],
)
def test_a_last_name_by_itself_is_that_person(text: str, *, kept: bool) -> None:
    """Of two with one last name the first name tells who is meant."""
    named = Named("Rui Alves", ("Rui Alves",), "rui.md", is_person=True)

    assert kept == holds("Joined", text, "", "When did Rui Alves join?", "Rui Alves joined in 2015.", named)
