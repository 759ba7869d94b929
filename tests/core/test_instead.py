"""A follow-up that names another thing of a kind."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.conversation import Question
from core.entities import Entity, make_registry, resolve_entities
from core.followup import Carried, FollowUp, in_full
from core.instead import plainly, with_new_name
from core.ports import Knowledge
from tests.core.corpus import ASTON, EVERYBODY, NOON, RAG, intent

KAFKA = Entity("kafka", "Kafka", "technology", ("Кафка",))
NAMES = make_registry((RAG, ASTON, KAFKA))
ANY = intent("ANY", "overview")


def renamed(earlier: str, message: str, *entities: str) -> FollowUp:
    """Return the follow-up on an earlier question, with the new name in its place."""
    decision = FollowUp(in_full(message, earlier), Carried(earlier, entities), "")
    asked = Question("1", "console", "t", message, "U1", EVERYBODY, NOON)
    return with_new_name(decision, asked, resolve_entities(message, NAMES), Knowledge(NAMES, (), ""))


@pytest.mark.parametrize(
    ("earlier", "message", "instead"),
    [
        ("Where was RAG used?", "And Kafka?", "Where was Kafka used?"),
        ("Где применял RAG?", "А Кафка?", "Где применял Kafka?"),
    ],
)
def test_the_new_name_takes_the_place_of_the_old_one(earlier: str, message: str, instead: str) -> None:
    """The old one is neither asked of nor carried any more."""
    decision = renamed(earlier, message, "rag", "aston")

    assert (instead, f"{message} ({instead})") == (decision.instead, decision.question)
    assert Carried(earlier, ("aston",)) == decision.carried


@pytest.mark.parametrize(
    ("earlier", "message", "instead"),
    [
        ("What is the rate in Berlin?", "And Porto?", "What is the rate in Porto?"),
        ("Какая ставка в Берлине?", "А в Казани?", "Какая ставка в Казани?"),
        ("What is the rate in Berlin?", "And Kafka?", "What is the rate in Kafka?"),
        ("Which incidents were Severity 1?", "And Severity 2?", "Which incidents were Severity 2?"),
        ("Что умеет Лантерн 3.1?", "А Маяк?", "Что умеет Маяк?"),
    ],
)
def test_a_name_that_nobody_knows_is_replaced_too(earlier: str, message: str, instead: str) -> None:
    """The only other name of the question before gives way to a message that is nothing but a name."""
    assert instead == renamed(earlier, message).instead


@pytest.mark.parametrize(
    ("earlier", "message"),
    [
        ("How do Berlin and Porto differ?", "And Kazan?"),
        ("What is the rate in Berlin?", "And London and Porto?"),
        ("What is the rate in Berlin?", "And the allowance?"),
        ("Чем отличаются ставки в Берлине и Порту?", "А Казань?"),
    ],
)
def test_of_several_names_none_gives_way(earlier: str, message: str) -> None:
    """Nor does one where the message is more than a name, or several."""
    assert renamed(earlier, message).instead is None


@pytest.mark.parametrize(
    ("earlier", "message", "instead"),
    [
        ("Where was RAG used?", "No, not RAG but Kafka", "Where was Kafka used?"),
        ("Где применял RAG?", "Нет, не RAG, а Кафка", "Где применял Kafka?"),
    ],
)
def test_what_is_denied_gives_way_to_what_is_meant(earlier: str, message: str, instead: str) -> None:
    """The denied name is no second one that is asked of."""
    assert renamed(earlier, message).question.endswith(f"({instead})")


@pytest.mark.parametrize(
    ("earlier", "message"),
    [
        ("Где применял RAG?", "А какие проекты в Aston?"),
        ("Where was RAG used?", "And does it need Kafka?"),
        ("Where was RAG used?", "And compared to Kafka?"),
        ("Where were RAG and Kafka used?", "And RAG?"),
    ],
)
def test_else_both_names_are_asked_of(earlier: str, message: str) -> None:
    """Nothing takes the place of another kind, of what "it" stands for, of what it is compared to, or of two."""
    decision = renamed(earlier, message, "rag")

    assert (None, in_full(message, earlier)) == (decision.instead, decision.question)
    assert Carried(earlier, ("rag",)) == decision.carried


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("And the results? (Which tools did Aston use?)", "And the results? (Aston)"),
        ("А результаты? (Какие технологии были в Астоне?)", "А результаты? (Aston)"),
        ("Which ones? (Where was RAG used?)", "Where was RAG used?"),
        ("Какие именно? (Сколько проектов на RAG?)", "Сколько проектов на RAG?"),
        ("And Kafka? (Where was Kafka used?)", "Where was Kafka used?"),
        ("нет, в Aston (А результаты? (Какие технологии были в Aston?))", "А результаты? (Aston)"),
        ("And at Aston? (And Kafka? (Where was Kafka used?))", "And at Aston? (Where was Kafka used?)"),
        ("Где? (Сколько проектов на RAG?)", "Где? (Сколько проектов на RAG?)"),
        ("Где именно? (Сколько проектов на RAG?)", "Сколько проектов на RAG?"),
        ("Why? (Where was RAG used?)", "Why? (Where was RAG used?)"),
        ("Which projects at Aston? (Where was RAG used?)", "Which projects at Aston? (Where was RAG used?)"),
        ("Part-time? (How many days do I get?)", "Part-time? (How many days do I get?)"),
        ("Where was RAG used (in short)?", "Where was RAG used (in short)?"),
        ("Where was RAG used? (", "Where was RAG used? ("),
    ],
)
def test_what_was_asked_before_is_left_where_the_words_say_all(question: str, plain: str) -> None:
    """What a message asks of the names before it is no longer what was asked of them; a bare list is as before."""
    assert plain == plainly(question, Knowledge(NAMES, (ANY,), ""))


@given(st.text(max_size=60) | st.lists(st.sampled_from(["RAG", "(", ")", "why", "ones", "А"])).map(" ".join))
@settings(derandomize=True, deadline=None)
def test_any_question_can_be_made_plain(question: str) -> None:
    """However the brackets stand, nothing raises, and making it plain again changes nothing."""
    plain = plainly(question, Knowledge(NAMES, (ANY,), ""))

    assert plain == plainly(plain, Knowledge(NAMES, (ANY,), ""))
