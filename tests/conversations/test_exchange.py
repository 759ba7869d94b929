"""Conversations as people hold them, over two small firms and with the real encoder, without a model."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio

from adapters.embedding.universal import UniversalEmbedder
from core.render import text_of
from core.unanswered import unanswerable
from tests.conversations.firms import STORES, WORKSHOPS
from tests.corpora import Company, company, index, new_thread

pytestmark = pytest.mark.asyncio(loop_scope="session")

LAST_YEAR = datetime.now(UTC).year - 1


@dataclass(frozen=True, slots=True)
class Said:
    """A message, what the reply to it says, and what it never says."""

    ask: str
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


def said(ask: str, *says: str, never: tuple[str, ...] = ()) -> Said:
    """Return the message with what is expected of its reply."""
    return Said(ask, says, never)


REFUSED = ("could not find", "Не удалось найти")
ENGLISH = {
    "more of what was all": [
        said("What protective equipment is worn at a bench?", "safety glasses", "steel-toe shoes"),
        said("more", "That was the whole list: 3 of 3.", never=("gloves",)),
        said("show me more please", "That was the whole list: 3 of 3."),
        said("where is that written?", "This is where it is written, word for word:", "nitrile gloves"),
        said("are you sure?", "Yes, the documents say so word for word:", "nitrile gloves"),
        said("in Russian please", "Из документа", "Цитаты остаются на языке своих документов."),
        said("What forbidden things are there?", "smoking", "open flames", never=("gloves",)),
    ],
    "more of one statement": [
        said("How much may a hotel cost?", "€130"),
        said("more", "That was all that I found on it.", never=("€130",)),
        said("source?", "word for word", "€130"),
        said("no", "I am sorry that this was not it.", never=REFUSED),
        said("What is the name of the moon cat?", "could not find"),
        said("more", "I found nothing on that"),
    ],
    "nothing to go on with": [said("more", "There is nothing to go on with yet.", never=REFUSED)],
    "a heading of several pages": [
        said("How much may a hotel cost?", "€130"),
        said("What are the contacts?", "Berlin workshop", "+49 30", "Lyon workshop", "+33 4", never=("€130",)),
        said("the Lyon ones", "+33 4", never=("+49 30",)),
    ],
    "each question of its own page": [
        said("What are the contacts of the Berlin workshop?", "+49 30", never=("+33 4",)),
        said("and the prices?", "€85", never=("+49 30", "€79")),
        said("and in Lyon?", "€79", never=("+33 4", "€85")),
    ],
    "staff": [said("who has more leave, mechanics or office staff?", "28 days", "25 days", never=REFUSED)],
    "plans": [said("which is cheaper, the Starter plan or the Fleet plan?", "€19", "€240", never=("notice period",))],
    "places": [said("Where is a brake overhaul cheaper, in Berlin or in Lyon?", "€140", "€155")],
    "years": [
        said("How many complaints were there in 2024?", "148", never=("212", "95 complaints")),
        said("and in 2023?", "212", never=("148", "95 complaints")),
        said("What was the revenue in 2019?", "I found nothing on this for 2019.", never=("workshop",)),
    ],
}
RUSSIAN = {
    "больше ничего": [
        said("Какие средства защиты носят на складе?", "каску", "жилет"),
        said("ещё", "Это был весь список: 3 из 3.", never=("каску",)),
        said("откуда это?", "Вот где это написано, дословно:", "каску"),
        said("точно?", "Да, так сказано в документах", "каску"),
        said("а что запрещено?", "курить на рампе", never=("каску",)),
        said("нет, не то", "Жаль, что это не то.", never=REFUSED),
        said("что ещё?", "Это был весь список: 2 из 2."),
    ],
    "заголовок нескольких страниц": [
        said("Сколько стоит гостиница?", "6 500"),
        said("Какие контакты?", "Склад в Казани", "+7 843", "Склад в Твери", "+7 4822", never=("6 500",)),
        said("у Твери", "+7 4822", never=("+7 843",)),
    ],
    "каждый вопрос о своём": [
        said("Какие контакты у склада в Твери?", "+7 4822", never=("+7 843",)),
        said("а часы работы?", "с 8:00 до 20:00"),
        said("а в Казани?", "с 7:00 до 21:00", never=("+7 843",)),
        said("а контакты?", "+7 843", never=("+7 4822",)),
    ],
    "отпуск": [said("у кого больше отпуск — у пилотов или техников?", "56 дней", "35 дней", never=REFUSED)],
    "тарифы": [said("что дешевле, Базовый или Корпоративный?", "1 900", "24 000", never=REFUSED)],
    "склады": [said("Где дешевле хранение паллеты, в Казани или в Твери?", "45 рублей", "38 рублей")],
    "годы": [
        said("Сколько жалоб было в 2024 году?", "71 жалоба", never=("96 жалоб", "58 жалоб")),
        said("а в 2023?", "96 жалоб", never=("71 жалоба", "58 жалоб")),
        said("Какая выручка была в 2019 году?", "За 2019 об этом ничего не нашлось."),
    ],
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def firms(
    tmp_path_factory: pytest.TempPathFactory, embedder: UniversalEmbedder
) -> AsyncIterator[dict[str, Company]]:
    """Give both firms by their language."""
    english, russian = [
        await _indexed(tmp_path_factory.mktemp("firm"), pages, embedder) for pages in (WORKSHOPS, STORES)
    ]
    async with company(english, embedder) as en, company(russian, embedder) as ru:
        yield {"en": en, "ru": ru}


async def _indexed(home: Path, pages: dict[str, str], embedder: UniversalEmbedder) -> Path:
    for name, text in pages.items():
        (home / "pages" / name).parent.mkdir(parents=True, exist_ok=True)
        (home / "pages" / name).write_text(text, "utf-8")
    await index(home / "pages", home / "data", embedder)
    return home / "data"


@pytest.mark.parametrize(
    ("language", "name"), [*(("en", name) for name in ENGLISH), *(("ru", name) for name in RUSSIAN)]
)
async def test_a_conversation_goes_as_a_person_expects(language: str, name: str, firms: dict[str, Company]) -> None:
    """Each reply says what it should and nothing else, whatever was said before."""
    thread, wrong = new_thread(), {}
    for turn in (ENGLISH if language == "en" else RUSSIAN)[name]:
        reply = text_of((await firms[language].ask(turn.ask, thread=thread)).reply)
        left, added = [one for one in turn.says if one not in reply], [one for one in turn.never if one in reply]
        if left or added:
            wrong[turn.ask] = (left, added, reply)

    assert {} == wrong


@pytest.mark.parametrize(
    ("language", "asked", "year"),
    [
        ("en", "What was the revenue last year?", "Revenue in"),
        ("ru", "Какая выручка была в прошлом году?", "Выручка в"),
    ],
)
async def test_last_year_is_a_year(language: str, asked: str, year: str, firms: dict[str, Company]) -> None:
    """It is looked for by its number, and no other year answers: this one's report, or that there is none."""
    record = await firms[language].ask(asked)
    reply, known = text_of(record.reply), LAST_YEAR in (2023, 2024, 2025)

    assert [str(LAST_YEAR) in run.arguments["query"] for run in record.payload.runs] == [True] * len(
        record.payload.runs
    )
    assert known is not record.answer.is_refusal
    assert f"{year} {LAST_YEAR}" in reply or not known
    assert not known or f"{year} {LAST_YEAR - 1}" not in reply


@pytest.mark.parametrize(
    "thanks", ["Thanks!", "ok", "👍", "Great, that helped.", "спасибо большое", "Ок, понятно", "🙏🙏"]
)
async def test_courtesy_is_answered_in_kind(thanks: str) -> None:
    """A short friendly word, and no search: the thread stays where it was."""
    reply = unanswerable(thanks)

    assert reply is not None
    assert len(text_of(reply)) < 60
    assert not any(words in text_of(reply) for words in REFUSED)
