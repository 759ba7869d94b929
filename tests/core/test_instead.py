"""A follow-up that names another thing of a kind."""

import pytest

from core.conversation import Question
from core.entities import Entity, make_registry, resolve_entities
from core.followup import Carried, FollowUp, in_full
from core.instead import with_new_name
from core.ports import Knowledge
from tests.core.corpus import ASTON, EVERYBODY, NOON, RAG

KAFKA = Entity("kafka", "Kafka", "technology", ("Кафка",))
NAMES = make_registry((RAG, ASTON, KAFKA))


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
