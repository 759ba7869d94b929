"""What a page says of the right thing beside the point is no answer; of one value, whoever says otherwise is heard."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from adapters.embedding.universal import UniversalEmbedder
from core.render import text_of
from tests.corpora import Company, company, index

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGES = {
    "lyon": "# Lyon office\n\nThe Lyon office opens at 9:00 and closes at 18:00. Guests leave cars in the yard.\n",
    "porto": "# Porto office\n\nThe Porto office was opened in 2019. It has a roof terrace and a gym.\n",
    "delta": "# Delta project\n\nAnna Kern leads the Delta project. Delta ends in June 2027. It uses Kafka.\n",
    "sigma": "# Sigma project\n\nRui Alves leads Sigma. Sigma started in May 2024. The team meets on Mondays.\n",
    "aurora": "# Ferry Aurora\n\nThe ferry Aurora leaves Oslo at 7:40. It was built in 1998 and has a restaurant.\n",
    "borea": "# Ferry Borea\n\nThe ferry Borea arrives in Kiel at 19:15. Borea was bought in 2011.\n",
    "library": "# Library\n\nThe reading room was founded in 1911.\n",
    "outage": "# Mail outage\n\nThe mail outage began at 9:40. Mail was restored at 14:20 by the network team.\n",
    "club": "# Yacht club\n\nThe last boat of the yacht club was bought in 2021. It has two masts.\n",
    "tula": "# Офис в Туле\n\nОфис в Туле открывается в 9:00. Аренда стоит 200 тысяч рублей в месяц.\n",
    "kazan": "# Офис в Казани\n\nОфис в Казани открыли в 2019 году. В нём есть терраса и спортзал.\n",
    "vega": "# Проект Вега\n\nПроект Вега ведёт Игорь Власов. Проект начался в мае 2024 года.\n",
    "course": "# Курс вязания\n\nКурс вязания заканчивается 30 мая. На занятиях используют шерсть и хлопок.\n",
    "buran": "# Теплоход Буран\n\nТеплоход Буран отправляется из Самары в 8:20. Его построили в 1984 году.\n",
    "museum": "# Museum\n\n- Shop: open at 11:00 on Sundays\n- Talks: at 17:00 on Sundays\n",
    "snow": "# Теплоход Снег\n\nТеплоход Снег прибывает в Казань в 20:10. На борту есть кафе.\n",
}
DIFFERING = {
    "policy": "---\nauthority: 2\n---\n# Travel policy\n\nThe daily allowance is 85 euros. Taxis need a receipt.\n",
    "note": "# Note\n\nThe daily allowance is 500 euros. Everybody knows that.\n",
    "rules": "---\nupdated: 2026-02-01\n---\n# Правила командировок\n\nСуточные составляют 2500 рублей.\n",
    "east": "# East plant\n\nThe yearly rent is 900 euros. It has two halls.\n",
    "west": "# West plant\n\nThe yearly rent is 700 euros.\n",
    "remark": "---\nupdated: 2024-02-01\n---\n# Заметка\n\nСуточные составляют 9000 рублей. Это все знают.\n",
}


async def _opened(root: Path, pages: dict[str, str], embedder: UniversalEmbedder) -> Path:
    (root / "pages").mkdir()
    for name, text in pages.items():
        (root / "pages" / f"{name}.md").write_text(text, "utf-8")
    await index(root / "pages", root / "data", embedder)
    return root / "data"


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def things(tmp_path_factory: pytest.TempPathFactory, embedder: UniversalEmbedder) -> AsyncIterator[Company]:
    """Give pages of things of a few kinds, each of which says something of its own."""
    data = await _opened(tmp_path_factory.mktemp("things"), PAGES, embedder)
    async with company(data, embedder) as found:
        yield found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def differing(tmp_path_factory: pytest.TempPathFactory, embedder: UniversalEmbedder) -> AsyncIterator[Company]:
    """Give pages of more and of less authority, and newer and older ones, that differ in a value."""
    data = await _opened(tmp_path_factory.mktemp("differing"), DIFFERING, embedder)
    async with company(data, embedder) as found:
        yield found


@pytest.mark.parametrize(
    "question",
    [
        # The opposite turn of it.
        "When did Delta start?",
        "When does Sigma end?",
        "When does the ferry Aurora arrive?",
        "When does the ferry Borea leave?",
        "When does the Delta team meet?",
        "When was the first boat of the yacht club bought?",
        "Когда начинается курс вязания?",
        "Когда закончился проект Вега?",
        "Когда прибывает теплоход Буран?",
        "Когда отправляется теплоход Снег?",
        # A year is no hour, and an hour no day.
        "When does the Porto office open?",
        "When does the Porto office close?",
        "When was the Lyon office opened?",
        "Когда открывается офис в Казани?",
        "Когда открыли офис в Туле?",
        "How many people does the Porto office seat?",
        # What is asked to be there.
        "Does the Lyon office have a gym?",
        "Does the ferry Borea have a restaurant?",
        "Is there a sauna in the Lyon office?",
        "Есть ли спортзал в офисе в Туле?",
        "Есть ли на теплоходе Буран кафе?",
        "Какой бюджет у проекта Вега?",
        # What is done.
        "What does the Sigma team use?",
    ],
)
async def test_something_else_of_the_same_thing_is_no_answer(things: Company, question: str) -> None:
    """What the page says is offered as what is nearest, and not as the answer."""
    assert (await things.ask(question)).answer.is_refusal


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("When did Sigma start?", "May 2024"),
        ("When was Sigma launched?", "May 2024"),
        ("When does Delta end?", "June 2027"),
        ("When does the ferry Aurora depart?", "7:40"),
        ("When does the ferry Borea arrive?", "19:15"),
        ("When does the Lyon office open?", "9:00"),
        ("When does the Lyon office close?", "18:00"),
        ("When was the Porto office opened?", "2019"),
        ("When was the reading room founded?", "1911"),
        ("When does the Sigma team meet?", "Mondays"),
        ("When did the mail outage end?", "14:20"),
        ("When do the talks in the museum start?", "17:00"),
        ("Who leads Sigma?", "Rui Alves"),
        ("Does the Porto office have a gym?", "gym"),
        ("Is there a restaurant on the ferry Aurora?", "restaurant"),
        ("Is there parking for guests of the Lyon office?", "yard"),
        ("What does Delta use?", "Kafka"),
        ("Когда открывается офис в Туле?", "9:00"),
        ("Когда открыли офис в Казани?", "2019"),
        ("Когда начался проект Вега?", "2024"),
        ("Когда завершится курс вязания?", "30 мая"),
        ("Когда отправляется теплоход Буран?", "8:20"),
        ("Когда прибывает теплоход Снег?", "20:10"),
        ("Есть ли в офисе в Казани спортзал?", "спортзал"),
        ("Есть ли кафе на теплоходе Снег?", "кафе"),
    ],
)
async def test_what_is_said_of_it_is_still_found(things: Company, question: str, said: str) -> None:
    """By the same word, or by another of the same meaning."""
    record = await things.ask(question)

    assert not record.answer.is_refusal
    assert said in text_of(record.reply)


@pytest.mark.parametrize(
    ("question", "first", "second", "named"),
    [
        ("Is the daily allowance 500 euros?", "85 euros", "500 euros", "The documents differ"),
        ("Is the daily allowance 85 euros?", "85 euros", "500 euros", "The documents differ"),
        ("Суточные составляют 9000 рублей?", "2500 рублей", "9000 рублей", "говорят об этом разное"),
        ("Правда ли, что суточные составляют 9000 рублей?", "2500 рублей", "9000 рублей", "говорят об этом разное"),
    ],
)
async def test_who_says_otherwise_is_heard_where_a_value_is_supposed(
    differing: Company, question: str, first: str, second: str, named: str
) -> None:
    """The page of more authority comes first, of one authority the newer one, and that they differ is said."""
    told = text_of((await differing.ask(question)).reply)

    assert named in told
    assert 0 <= told.find(first) < told.find(second)


async def test_pages_of_one_kind_do_not_differ(differing: Company) -> None:
    """What is said of another plant stands beside, and contradicts nothing."""
    told = text_of((await differing.ask("Is the yearly rent 900 euros?")).reply)

    assert "900 euros" in told
    assert "The documents differ" not in told


async def test_nobody_differs_where_a_value_stands_alone(differing: Company) -> None:
    """A value that one page says is told from there."""
    told = text_of((await differing.ask("Does the East plant have two halls?")).reply)

    assert "two halls" in told
    assert "The documents differ" not in told
