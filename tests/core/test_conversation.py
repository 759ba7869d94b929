"""Who may read what, and what a thread remembers."""

import pytest

from core.conversation import Audience, MessageRef, Question, Thread, in_its_language
from core.text import Language
from tests.core.corpus import EVERYBODY, NOON, thread


@pytest.mark.parametrize(
    ("readers", "groups", "expected"),
    [
        (set(), set(), True),
        (set(), {"hr"}, True),
        ({"hr"}, set(), False),
        ({"hr"}, {"hr", "all"}, True),
        ({"hr", "board"}, {"board"}, True),
        ({"hr"}, {"HR"}, False),
        ({"Кадры"}, {"Кадры"}, True),
        ({"Кадры"}, {"Продажи"}, False),
    ],
)
def test_a_document_is_for_its_readers(readers: set[str], groups: set[str], *, expected: bool) -> None:
    """A document without readers is for everybody; one with readers is for who shares a group with them."""
    assert expected == Audience("acme", frozenset(groups)).may_read(frozenset(readers))


def test_a_message_is_named_in_one_line() -> None:
    """The reference holds platform, place and message."""
    assert "slack:C1:17.5" == str(MessageRef("slack", "C1", "17.5"))


def test_a_new_thread_has_no_last_turn() -> None:
    """Nothing has been said in an empty thread."""
    assert Thread("console:1").last is None


def test_the_last_turn_is_the_latest() -> None:
    """Turns are kept oldest first."""
    last = thread("Where was RAG used?", "Контакты?").last

    assert last is not None
    assert "Контакты?" == last.question


@pytest.mark.parametrize(
    ("earlier", "message", "language"),
    [
        (("Где применял Redis?",), "RAG?", "ru"),
        (("Где применял Redis?", "Kafka?"), "RAG?", "ru"),
        (("Where was Redis used?",), "RAG?", "en"),
        (("Где применял Redis?",), "Where is it used?", "en"),
        ((), "RAG?", "en"),
    ],
)
def test_a_name_alone_is_in_the_language_of_its_thread(
    earlier: tuple[str, ...], message: str, language: Language
) -> None:
    """That of the latest question whose words tell it; words that tell one themselves are in that."""
    asked = Question("1", "console", "t", message, "U1", EVERYBODY, NOON)

    assert language == in_its_language(asked, thread(*earlier)).language
