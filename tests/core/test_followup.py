"""The strict follow-up gate (R-2)."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.conversation import Thread
from core.entities import resolve_entities
from core.followup import MEMORY, Carried, Doubt, FollowUp, FollowUpDecision, Standalone, decide_follow_up, settle
from core.text import language_of
from tests.core.corpus import NAMES, NOON, thread

AFTER_RAG = thread("Where was RAG used?", entities=("rag",))
AFTER_RAG_RU = thread("Где применял RAG?", entities=("rag",))


def decide(
    question: str, earlier: Thread = AFTER_RAG, *, nearness: float = 0.2, is_known: bool = False
) -> FollowUpDecision:
    """Return the decision for a question asked at noon, by default about something that the turns before are not."""
    decision = decide_follow_up(question, resolve_entities(question, NAMES), earlier, NOON)
    return settle(decision, nearness=nearness, is_known=is_known) if isinstance(decision, Doubt) else decision


@pytest.mark.parametrize(
    "question", ["And which projects at Aston?", "What about Lotsman?", "Why?", "And the results?"]
)
def test_a_clear_follow_up_carries_the_question_before(question: str) -> None:
    """It is asked in full: with the question and the entities of the turn before, and nothing else."""
    decision = decide(question)

    assert isinstance(decision, FollowUp)
    assert f"{question} (Where was RAG used?)" == decision.question
    assert Carried("Where was RAG used?", ("rag",)) == decision.carried


@pytest.mark.parametrize("question", ["А какие проекты в Aston?", "А в Лоцмане?", "Почему?", "Ну а Астон?"])
def test_a_clear_follow_up_in_russian(question: str) -> None:
    """The same holds in Russian."""
    decision = decide(question, AFTER_RAG_RU)

    assert isinstance(decision, FollowUp)
    assert f"{question} (Где применял RAG?)" == decision.question


@pytest.mark.parametrize(
    "question",
    [
        "Where does Dmitry work?",
        "Где работает Дмитрий?",
        "And now for something else: what is the limit for a hotel night in London on a business trip?",
        "А теперь о другом: какой лимит на гостиницу в Лондоне во время служебной поездки в этом году?",
    ],
)
def test_a_doubtful_one_is_a_new_question(question: str) -> None:
    """What names its own subject, or says much by itself, remembers nothing."""
    decision = decide(question)

    assert isinstance(decision, Standalone)
    assert question == decision.question


@pytest.mark.parametrize(
    "question",
    [
        "Who approves it?", "Who does he report to?", "Does it use Lotsman?",
        "Он использует Лоцман?", "What is their budget?", "How many people live there?",
        "Кто за это отвечает и где он сидит?", "Когда его закончили?", "Сколько их?", "Что там с этим проектом?",
    ],
)  # fmt: skip
def test_a_pronoun_leans_on_the_question_before(question: str) -> None:
    """A word that stands for something unnamed makes a follow-up."""
    assert isinstance(decide(question), FollowUp)


@pytest.mark.parametrize(
    "question",
    [
        "Is there a dress code?", "Are there parking spaces in the yard?", "There is a fire, where do I go?",
        "It is Friday evening, am I free to ship code?", "Is it possible to work from Spain?",
        "How much does it cost to buy the laptop?", "How do employees get their laptops?",
        "Who helps those who forgot the password?", "Что получает тот, кто приведёт друга?",
    ],
)  # fmt: skip
def test_a_pronoun_that_stands_for_nothing_said_before(question: str) -> None:
    """Existence, "it is … to", "тот, кто …" and an owner in the same sentence are no sign of a follow-up."""
    assert isinstance(decide(question), Standalone)


@pytest.mark.parametrize("question", ["Who leads IT?", "What is IT?", "What does the IT team do?", "Кто главный в ИТ?"])
def test_a_department_is_no_pronoun(question: str) -> None:
    """IT in capitals is a name, with or without an entity of that name."""
    assert isinstance(decide(question), Standalone)


def test_capitals_throughout_are_no_names() -> None:
    """Whoever shouts still says "it"."""
    assert isinstance(decide("WHO APPROVES IT?"), FollowUp)


def test_the_first_question_stands_alone() -> None:
    """There is nothing to lean on in a new thread."""
    assert isinstance(decide("And at Aston?", Thread("console:1")), Standalone)


def test_memory_ends() -> None:
    """A thread that was silent for too long starts afresh; until then it remembers."""
    minutes = int(MEMORY / timedelta(minutes=1))

    assert isinstance(decide("А в Aston?", thread("Где применял RAG?", minutes_ago=minutes)), FollowUp)
    assert isinstance(decide("А в Aston?", thread("Где применял RAG?", minutes_ago=minutes + 1)), Standalone)


@pytest.mark.parametrize("question", ["And at Aston?", "Why?", "Who approves it?", "What are the contacts?"])
@pytest.mark.parametrize("earlier", [AFTER_RAG, Thread("console:1"), thread("Where?", minutes_ago=10_000)])
def test_the_evidence_is_told_in_the_language_of_the_question(question: str, earlier: Thread) -> None:
    """Every decision says why, to an English question in English."""
    because = decide(question, earlier).because

    assert because
    assert "en" == language_of(because)


@pytest.mark.parametrize("question", ["А в Астоне?", "Почему?", "Кто его утверждает?", "Какие контакты?"])
@pytest.mark.parametrize("earlier", [AFTER_RAG_RU, Thread("console:1"), thread("Где?", minutes_ago=10_000)])
def test_the_evidence_is_told_in_russian(question: str, earlier: Thread) -> None:
    """Every decision says why, to a Russian question in Russian."""
    assert "ru" == language_of(decide(question, earlier).because)


def test_only_the_last_turn_is_carried() -> None:
    """The question before the last one is not carried."""
    decision = decide("And at Aston?", thread("Who is Dmitry?", "Where was RAG used?"))

    assert "And at Aston? (Where was RAG used?)" == decision.question


def test_what_is_carried_is_short() -> None:
    """A long question before is carried in part."""
    decision = decide("Почему?", thread("слово " * 500))

    assert isinstance(decision, FollowUp)
    assert 300 == len(decision.carried.question)
    assert len(decision.question) < 320


@given(st.text(max_size=200))
def test_the_users_words_are_kept(question: str) -> None:
    """Whatever is asked, there is a decision, and the question in it begins with the user's own words."""
    assert decide(question).question.strip().startswith(question.strip())
