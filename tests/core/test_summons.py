"""What is said to us and asks nothing of documents: a call into a thread, a word about us, a question dropped."""

import pytest

from core.phrases import phrase
from core.render import text_of
from core.summons import beckons, drops_it, has_a_question, is_about_us
from core.unanswered import unanswerable
from tests.core.test_pipeline import Shelf, ports, question, replied

CALLS = [
    "do you know?",
    "any idea?",
    "help",
    "please answer",
    "can you tell?",
    "can you help here?",
    "thoughts?",
    "over to you",
    "@Lead any idea?",
    ":point_up: do you know",
    "подскажи",
    "а ты знаешь?",
    "что скажешь?",
    "ты в курсе?",
    "можешь ответить, пожалуйста?",
    "а ты?",
]
ABOUT_US = [
    "hi",
    "Hello there!",
    "good morning team",
    "hello?",
    "help",
    "what can you do?",
    "Hi, what can you do for me?",
    "who are you?",
    "are you a bot?",
    "how do I use this bot?",
    "test",
    "привет",
    "Привет всем!",
    "Добрый день, коллеги!",
    "что ты умеешь?",
    "чем ты можешь помочь?",
    "кто ты?",
    "как тобой пользоваться?",
    "тест",
]
DROPPED = [
    "never mind",
    "nvm, found it",
    "Sorry, wrong channel",
    "I found it, thanks",
    "ignore this please",
    "не надо, уже нашёл",
    "уже нашла, спасибо",
    "неважно",
    "вопрос снят",
    "уже не надо, разобрался сам",
]
QUESTIONS = [
    "what does it cost?",
    "why?",
    "is this true?",
    "and in Omsk?",
    "who knows Petra?",
    "help desk",
    "tell me about the garage",
    "what do you know about vans?",
    "who are your partners?",
    "test plan",
    "how does it work?",
    "Hi, when is the garage open?",
    "how do I cancel?",
    "cancel my leave",
    "where can keys be found?",
    "а в Омске?",
    "сколько это стоит?",
    "кто знает Петра?",
    "что умеет лифт?",
    "кто ты по договору?",
    "не надо ли подписать акт?",
    "как отменить отпуск?",
]


@pytest.mark.parametrize("text", CALLS)
def test_who_only_calls_us_asks_what_stands_above(text: str) -> None:
    """The words name nothing that could be looked for."""
    assert (True, False) == (beckons(text), has_a_question(text))


@pytest.mark.parametrize("text", ["", "^", "👆", "?", "@Lead", ":point_up:"])
def test_a_sign_alone_asks_what_stands_above(text: str) -> None:
    """As a mention alone does."""
    assert not has_a_question(text)


@pytest.mark.parametrize("text", QUESTIONS)
def test_questions_are_none_of_these(text: str) -> None:
    """One word that names a thing makes it a question about that."""
    assert (False, False, False) == (beckons(text), is_about_us(text), drops_it(text))
    assert has_a_question(text)
    assert unanswerable(text) is None


@pytest.mark.parametrize("text", [*ABOUT_US, *CALLS])
async def test_greetings_and_questions_about_us_are_answered_by_one_hint(text: str) -> None:
    """What we do, how to ask and where the commands are: nothing is looked up, and there is nothing to press."""
    shelf = Shelf()
    reply = await replied(ports(shelf), question(text))

    assert reply is not None
    assert phrase("about_us", reply.language) == text_of(reply)
    assert ((), (), []) == (reply.actions, reply.evidence, shelf.searched)
    assert reply.language == ("en" if any("a" <= char <= "z" for char in text.lower()) else "ru")


@pytest.mark.parametrize("text", DROPPED)
async def test_who_takes_a_question_back_gets_no_answer(text: str) -> None:
    """One word that it was understood."""
    shelf = Shelf()
    reply = await replied(ports(shelf), question(text))

    assert reply is not None
    assert (phrase("courtesy_ok", reply.language), []) == (text_of(reply), shelf.searched)
