"""How many of a list there are, and which of it are so and so."""

from dataclasses import replace

import pytest

from core.followup import Carried, FollowUp, in_full
from core.of_them import of_the_list
from core.ports import Knowledge
from tests.core.corpus import NAMES

KNOWN = Knowledge(NAMES, (), "")


def read(earlier: str, text: str) -> FollowUp:
    """Return how the message is read after the question."""
    return of_the_list(FollowUp(in_full(text, earlier), Carried(earlier, ()), ""), text, KNOWN)


@pytest.mark.parametrize(
    ("earlier", "text", "asked"),
    [
        ("Which incidents were there?", "How many of them?", "How many incidents were there?"),
        ("List all projects", "And how many are there in total?", "How many projects?"),
        ("Перечисли проекты", "Сколько их?", "Сколько проектов?"),
        ("Какие проекты использовали Redis?", "А сколько таких всего?", "Сколько проектов использовали Redis?"),
        ("достижения года в Астоне", "Сколько?", "Сколько достижений года в Астоне?"),
        ("Какие крупные старые компании есть?", "Сколько их?", "Сколько крупных старых компаний есть?"),
        ("How many projects?", "How many exactly?", "How many projects?"),
        ("list projects (Aston)", "How many?", "How many projects? (Aston)"),
        ("Which projects? (Where is RAG used?)", "How many?", "How many projects? (RAG)"),
        ("And Severity 2? (Which incidents were it?)", "How many?", "How many incidents were it?"),
    ],
)
def test_a_number_is_asked_of_the_list_before(earlier: str, text: str, asked: str) -> None:
    """The earlier question is asked once more, for a number."""
    found = read(earlier, text)

    assert (asked, asked, text) == (found.question, found.instead, found.typed)


@pytest.mark.parametrize(
    ("earlier", "text", "asked"),
    [
        ("Which incidents were there?", "Which of them were Severity 1?", "Which incidents were Severity 1?"),
        ("List all projects", "Which of these are finished?", "Which projects are finished?"),
        ("Перечисли проекты", "Какие из них в Астоне?", "Какие проекты в Астоне?"),
        ("Какие инциденты были?", "А какие из них долгие?", "Какие инциденты долгие?"),
        ("Сколько проектов?", "Какие из них в Астоне?", "Какие проекты в Астоне?"),
    ],
)
def test_a_part_is_asked_of_all_things_of_the_kind(earlier: str, text: str, asked: str) -> None:
    """The word for them stands in place of "of them"."""
    assert asked == read(earlier, text).question


@pytest.mark.parametrize(
    ("earlier", "text"),
    [
        # What is asked for is more than the kind: both hold.
        ("Which projects used RAG?", "Which of them are finished?"),
        ("Какие проекты использовали RAG?", "Какие из них закончены?"),
        # Nobody knows the kind.
        ("Which lemons are there?", "Which of them are ripe?"),
        # The number of something else is asked for.
        ("Which projects are there?", "How many people work on them?"),
        ("Перечисли проекты", "Сколько человек в них?"),
        # No list was asked for, nor a number of things.
        ("Why did it fail?", "How many?"),
        ("Почему он упал?", "Сколько их?"),
        # Nobody knows how the word is declined.
        ("Какие кружки есть?", "Сколько их?"),
        ("итоги года", "Сколько их?"),
        ("Какие кружки компании есть?", "Сколько их?"),
        ("Какие новые?", "Сколько их?"),
        ("RAG", "How many?"),
        ("projects (Aston)", "How many?"),
    ],
)
def test_else_nothing_changes(earlier: str, text: str) -> None:
    """Then the follow-up leans on the whole question before, as any other."""
    assert in_full(text, earlier) == read(earlier, text).question


def test_what_a_model_or_somebody_else_said_stays() -> None:
    """A reading of a model is asked as it is, and so is what leans on somebody else's words."""
    earlier, text = "Which projects are there?", "How many?"
    read_by_model = FollowUp("How many projects at Aston?", Carried(earlier, ()), "")
    of_others = replace(FollowUp(in_full(text, earlier), Carried(earlier, ()), ""), own=text)

    assert read_by_model == of_the_list(read_by_model, text, KNOWN)
    assert of_others == of_the_list(of_others, text, KNOWN)
