"""What asks is found within a message; what people say around it is no content that documents must hold."""

import time
from dataclasses import replace

import pytest

from core.conversation import Audience
from core.gist import gist, only_names
from core.ports import Found, SearchQuery
from core.result import result_of
from core.text import terms
from tests.core.scenes import facts_of
from tests.core.test_pipeline import Shelf, ask, ports, question

GARAGE = "# Garage\n\n## Opening hours\n\nThe garage is open from 6:00 to 23:00.\n"
PASS = "# Правила склада\n\n## Пропуск\n\nПропуск на склад выдаёт Ирина Соколова.\n"

ENGLISH = [
    "{} cc @Lead",
    "{} CC: @Lead, @Boss",
    "@Lead wants to know {}",
    "@Lead and @Boss are asking {}",
    "{} https://intra.example/x?y=1",
    "hello team, quick question: {} thanks a lot in advance",
    "hey folks, {} asking for a friend",
    "Good morning! I hope you are all well. {} Many thanks!",
    "{} :pray:",
    "Could you please tell me {}",
    "My manager asks: {} (no rush)",
    "Not sure if this is the right place, but {}",
    "I could not find it anywhere. {} Any idea?",
    "@channel {} 🙏",
    "{} I forgot to ask yesterday.",
]
RUSSIAN = [
    "подскажите, пожалуйста, {}",
    "коллеги, добрый день! {} заранее спасибо",
    "вопрос: {}",
    "@Лена спрашивает, {}",
    "Здравствуйте! Хотел бы узнать, {} Буду благодарен за ответ",
    "{} https://intra.example/склад",
    "Всем привет, кто-нибудь знает, {}",
    "меня спрашивают, {} @Пётр",
    "{} спрашиваю для друга",
    "Извините за глупый вопрос, {}",
]


class Searching(Shelf):
    """A shelf on which every word of the query weighs the same, and no passage is near by its meaning."""

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        found = await super().find(query, audience)
        return Found(found.facts, dict.fromkeys(terms(query.text), 1.0))


def _told(markdown: str) -> Searching:
    facts = facts_of("a.md", markdown)
    return Searching(
        passages=[replace(one, parts=tuple(replace(part, similarity=0.3) for part in one.parts)) for one in facts]
    )


@pytest.mark.parametrize(
    ("around", "asked"),
    [
        *((one, "when is the garage open?") for one in ENGLISH),
        *((one, "кто выдаёт пропуск на склад?") for one in RUSSIAN),
    ],
)
async def test_what_is_said_around_a_question_costs_no_answer(around: str, asked: str) -> None:
    """The question is answered as it is alone, searched for alone, and nothing of the rest is said to be missing."""
    shelf, holds = (_told(GARAGE), "6:00") if asked.isascii() else (_told(PASS), "Ирина")
    record = await ask(ports(shelf), question(around.format(asked)))

    assert [True] == [holds in claim.text for claim in record.answer.claims]
    assert {tuple(terms(asked))} == {tuple(terms(query.text)) for query, _ in shelf.searched}
    assert [] == result_of(record)["legend"]["missing"]


@pytest.mark.parametrize(
    "text",
    [
        "Who is @Lead?",
        "What does @Lead do?",
        "Where is @Lead?",
        "What is https://grafana.acme.org for?",
        "How do I open https://intra/x",
        "to whom do I send claims, claims@acme.org?",
        "Which colleagues, friends and family may use the garage?",
        "Hello World deploys how?",
        "Team lead bonus: how much is it?",
        "Thank you note template: where is it?",
        "What does FYI mean?",
        "What is ASAP?",
        "Where do I find help?",
        "people who work nights, what do they get?",
        "I am going to Tbilisi. What do I get a day there?",
        "ok, and for visitors?",
        "No, I meant the visitors",
        "help desk number",
        "Я завтра еду в Омск. Сколько стоит гостиница?",
        "И ещё вопрос: когда отпуск?",
        "hello",
        "Спасибо!",
        "",
    ],
)
def test_what_may_be_asked_about_stays(text: str) -> None:
    """People, addresses and courteous words are what some questions are about; and where all is courtesy, all stays."""
    assert text == gist(text)


def test_what_says_that_it_is_about_something_else_stays() -> None:
    """It tells that no earlier question is leant on."""
    assert "Another question: how many days off?" == gist("Thanks! Another question: how many days off?")
    assert "And what does it cost?" == gist("Good question! And what does it cost?")


@pytest.mark.parametrize(
    "text", ["hi, " * 500, "a, " * 600, "when " + "x " * 900 + "@a", "(" * 1_900, "@a " * 600, "my " * 600]
)
def test_no_message_takes_long(text: str) -> None:
    """However it is made."""
    began = time.perf_counter()
    gist(text)

    assert time.perf_counter() - began < 1.0


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What does a permit cost? cc @Lead", True),
        ("@Lead wants to know what a permit costs", True),
        ("@Лена спрашивает, сколько стоит пропуск", True),
        ("@Lead what does a permit cost?", False),
        ("What does a permit cost, @Lead?", False),
        ("What does a permit cost?", False),
    ],
)
def test_who_is_but_named_is_not_spoken_to(text: str, named: bool) -> None:  # noqa: FBT001 - a table
    """Who gets a copy, and for whom somebody asks, is not the one that is asked."""
    assert named is only_names(text)


@pytest.mark.parametrize(("text", "left"), [(":eyes: please", "please"), (":wave: пожалуйста", "пожалуйста")])
def test_an_emoji_by_its_name_is_never_what_is_asked(text: str, left: str) -> None:
    """Also where nothing but courtesy stands beside it."""
    assert left == gist(text)
