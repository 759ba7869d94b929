"""Words that point back to what an answer told."""

from dataclasses import replace

import pytest

from core.answer import Answer
from core.conversation import Reading
from core.entities import Entity, make_registry, resolve_entities
from core.followup import Carried, FollowUp, Standalone, in_full
from core.ports import Knowledge
from core.referring import reading_of_the_only_person, readings_of_what_was_told, told_in
from tests.core.corpus import ASTON, DMITRY, LOTSMAN, NAMES, RAG
from tests.core.scenes import stated

ANNA = Entity("anna", "Анна Кривец", "person", ("Анна", "Anna Krivets"))
HERON = Entity("heron", "Heron", "project")
KNOWN = Knowledge(make_registry((RAG, ASTON, LOTSMAN, HERON, DMITRY, ANNA)), (), "")


def meant(earlier: str, message: str, *told: tuple[str, ...], known: Knowledge = KNOWN) -> list[Reading]:
    """Return how the message may be read after an answer whose statements named these, the last list by its pages."""
    carried = Carried(earlier, tuple(one.entity.id for one in resolve_entities(earlier, known.registry)), told)
    decision = FollowUp(in_full(message, earlier), carried, "")
    found = readings_of_what_was_told(message, decision, resolve_entities(message, known.registry), known)
    return list(found.readings) if found else []


@pytest.mark.parametrize(
    ("earlier", "message", "told", "asked"),
    [
        ("Who leads Lotsman?", "When did she join?", "anna", "When did Anna Krivets join?"),
        ("Who leads Lotsman?", "What is her role?", "anna", "What is Anna Krivets’s role?"),
        ("Где он работает?", "А какие там достижения?", "aston", "А какие там достижения? (Астон)"),
        ("Кто ведёт Лоцман?", "Расскажи о ней", "anna", "Расскажи о ней (Анна Кривец)"),
        (
            "Which project uses RAG?",
            "How much did that project cost?",
            "lotsman",
            "How much did that project cost? (Lotsman)",
        ),
    ],
)
def test_what_was_asked_for_and_told_is_meant(earlier: str, message: str, told: str, asked: str) -> None:
    """The one that the answer told of the kind that was asked for stands for the word."""
    assert asked in [one.question for one in meant(earlier, message, (told,), ())]


@pytest.mark.parametrize(
    ("earlier", "message", "told"),
    [
        # The word does not fit what was told.
        ("Who leads Lotsman?", "How big is it?", ("anna",)),
        ("Which project uses RAG?", "How large is that company?", ("lotsman",)),
        # What was told is of no kind that was asked for.
        ("Где он работает?", "А какое у него образование?", ("rag",)),
        # The word stands for nothing at all.
        ("Where does he work?", "Is there a dress code?", ("aston",)),
        # What was told is what was asked of.
        ("Which project is Lotsman?", "Who leads it?", ("lotsman",)),
        # The message names another of the kind itself.
        ("Who leads Lotsman?", "Did she work with Dmitry?", ("anna",)),
        # Nothing points back.
        ("Who leads Lotsman?", "And the budget?", ("anna",)),
        # What the question before named is spoken of, and its words do not ask for a kind of thing.
        ("Что такое RAG?", "А где он его применял?", ("dmitry",)),
    ],
)
def test_else_nothing_of_the_answer_is_meant(earlier: str, message: str, told: tuple[str, ...]) -> None:
    """Then the follow-up leans on the question alone, as any other."""
    assert [] == meant(earlier, message, told, ())


@pytest.mark.parametrize("message", ["What is its stack?", "Какой там стек?"])
def test_a_list_has_no_one_thing_in_focus(message: str) -> None:
    """Of several things that were asked for, none is the one that is meant."""
    assert [] == meant("Which projects are there?", message, ("lotsman",), ("heron",), ())
    assert [] == meant("Tell me all", message, ("lotsman",), (), (), ())


def test_nothing_that_is_not_known_here_is_meant() -> None:
    """An entity that whoever reads here does not know is none, whatever the stored answer named."""
    assert [] == meant(
        "Who leads Lotsman?", "When did she join?", ("anna",), (), known=Knowledge(make_registry([LOTSMAN]), (), "")
    )


@pytest.mark.parametrize(
    ("question", "asked"),
    [("Где он работает?", "Где он работает? (Дмитрий Соколов)"), ("Where does he work?", "Where does Dmitry work?")],
)
def test_the_only_person_is_meant_by_him(question: str, asked: str) -> None:
    """Where the documents know one person; of several, nobody is guessed, nor where the question names somebody."""
    one = Knowledge(make_registry([DMITRY, ASTON]), (), "")
    alone = reading_of_the_only_person(question, Standalone(question, ""), (), one)

    assert alone
    assert [Reading(asked, DMITRY.name if "Где" in question else "Dmitry", ("dmitry",))] == list(alone.readings)
    assert reading_of_the_only_person(question, Standalone(question, ""), (), KNOWN) is None
    assert reading_of_the_only_person("Где работа?", Standalone("Где работа?", ""), (), one) is None
    for other in (Standalone(question, "", unplanned=True), FollowUp(question, Carried("", ()), "")):
        assert reading_of_the_only_person(question, other, (), one) is None
    assert reading_of_the_only_person(question, Standalone(question, ""), resolve_entities("Aston", NAMES), one) is None


def test_what_an_answer_told_is_names_alone() -> None:
    """The entities that each statement names, and at the end those whose pages it quotes; nothing of a refusal."""
    answer = Answer((stated("Анна ведёт Лоцман"), stated("Бюджет велик")), "ru")

    assert (("anna", "lotsman"), (), ()) == told_in(answer, KNOWN)
    assert () == told_in(replace(answer, is_refusal=True), KNOWN)
    assert () == told_in(Answer((stated("Бюджет велик"),), "ru"), KNOWN)


def test_of_a_statement_that_which_is_of_the_kind_asked_for_is_meant() -> None:
    """Whatever else it names before."""
    assert ["anna"] == [one.entities[0] for one in meant("Who leads it?", "When did she join?", ("aston", "anna"), ())]


def test_nothing_is_meant_by_the_words_of_others() -> None:
    """Nor in a question that leans on none."""
    carried, known = Carried("Who leads Lotsman?", (), (("anna",), ())), KNOWN
    message = "When did she join?"
    own = FollowUp(in_full(message, carried.question), carried, "", own=message)

    assert readings_of_what_was_told(message, own, (), known) is None
    assert readings_of_what_was_told(message, Standalone(message, ""), (), known) is None
    assert readings_of_what_was_told(message, replace(own, own=None), (), known)


@pytest.mark.parametrize("message", ["And the allowance there?", "А сколько там платят?"])
def test_a_page_is_not_spoken_of(message: str) -> None:
    """What the quoted page is about is meant only where a thing of its kind was asked for."""
    assert [] == meant("How much is it?", message, (), ("lotsman",))
    assert ["lotsman"] == [one.entities[0] for one in meant("Which project is the newest?", message, (), ("lotsman",))]
