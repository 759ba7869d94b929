"""When we ask back which one is meant, when not, and how the choice continues the question."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core.clarify import Looked, answers_of, ask_back, differ, doubtful, settled, typed
from core.conversation import AlreadyAnswered, Clarification, Pressed, Question, Reading, Thread, Turn
from core.delivery import Part as Message
from core.followup import Carried, FollowUp, Standalone, Unclear
from core.outside import Ports
from core.pipeline import answer_question, reply_to
from core.ports import Found, SearchQuery
from core.render import text_of
from core.reply import RenderedReply
from core.text import terms
from core.turn import TurnRecord
from tests.core.corpus import EVERYBODY, NOON
from tests.doubles.pages import Pages, page_of, ports_over


class Memory:
    """Threads in a list, as the storage gives them back."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.said: list[RenderedReply] = []

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        return Thread(question.thread, tuple(self.turns))

    async def close(self, question: Question, parts: Sequence[Message], record: TurnRecord | None = None) -> None:
        self.said += [part.body["reply"] for part in parts]
        if record is None:
            return
        decision = record.decision
        unclear = decision.clarification if isinstance(decision, Unclear) else None
        turn = Turn(question.text, decision.question, record.plan.entities, unclear is None, question.asked_at, unclear)
        self.turns.append(turn)


class Talk:
    """A conversation over the pages."""

    def __init__(self, pages: Pages | None = None) -> None:
        self.pages, self.memory, self.count = pages or Pages(), Memory(), 0

    @property
    def ports(self) -> Ports:
        return ports_over(self.pages, self.memory, lambda reply: (Message("answer-1", {"reply": reply}),))

    def question(self, text: str, **known: Any) -> Question:
        self.count += 1
        asked_at = NOON + timedelta(minutes=self.count)
        made = Question(f"q{self.count}", "console", "console:1", text, "U1", EVERYBODY, asked_at)
        return replace(made, **known)

    async def ask(self, text: str, **known: Any) -> TurnRecord:
        record = await answer_question(self.question(text, **known), self.ports)
        assert isinstance(record, TurnRecord)
        return record


def labels(record: TurnRecord) -> list[str]:
    """Return what can be chosen."""
    return [action.label for action in record.reply.actions]


def claims(record: TurnRecord) -> list[str]:
    """Return what the answer claims."""
    return [claim.text for claim in record.answer.claims]


# Asked


@pytest.mark.parametrize(
    ("text", "asked", "options"),
    [
        ("What does Dmitry do?", "Which one do you mean?", ["Dmitry Orlov", "Dmitry Petrov"]),
        ("За что отвечает Дмитрий?", "Что вы имеете в виду?", ["Дмитрий Орлов", "Дмитрий Петров"]),
        ("What is Alor?", "Which one do you mean?", ["Alor (company)", "Alor (project)"]),
    ],
)
async def test_a_name_that_two_go_by_is_asked_about(text: str, asked: str, options: list[str]) -> None:
    """One short question in the asker's language, a button for each: its name, and its kind where kinds differ."""
    record = await Talk().ask(text)

    assert isinstance(record.decision, Unclear)
    assert (asked, (), options) == (text_of(record.reply), record.reply.evidence, labels(record))
    assert {"choose"} == {action.kind for action in record.reply.actions}


@pytest.mark.parametrize(
    ("before", "text", "options"),
    [
        ("Compare Lantern and Beacon", "Who leads it?", ["Lantern", "Beacon"]),
        ("Compare Lantern and Beacon", "And who leads this project?", ["Lantern", "Beacon"]),
        ("Сравни Фонарь и Маяк", "А кто его ведёт?", ["Фонарь", "Маяк"]),
        ("Сравни Фонарь и Маяк", "А кто ведёт этот проект?", ["Фонарь", "Маяк"]),
    ],
)
async def test_a_pronoun_with_two_candidates_is_asked_about(before: str, text: str, options: list[str]) -> None:
    """Two things of one kind in the last turn: "it" and "this project" may be either."""
    talk = Talk()
    await talk.ask(before)

    assert options == labels(await talk.ask(text))


async def test_no_claim_and_no_plan_stand_in_what_is_asked_back() -> None:
    """The turn holds the decision with its reason, and nothing that would look like an answer."""
    record = await Talk().ask("What does Dmitry do?")

    assert ((), False, False) == (record.answer.claims, record.answer.is_refusal, record.payload.found)
    assert isinstance(record.decision, Unclear)
    assert "read in several ways" in record.decision.because


async def test_readings_are_compared_by_what_the_audience_may_read() -> None:
    """Nothing that somebody here may not read decides whether they are asked, or what is offered."""
    talk = Talk()
    await talk.ask("What does Dmitry do?")

    assert {EVERYBODY} == set(talk.pages.audiences)


# Not asked


@pytest.mark.parametrize(
    "text",
    [
        "What does Dmitry Orlov do?",
        "What do both Dmitry and Ada do?",
        "Which Dmitry is here?",
        "Which of the Dmitrys is here?",
        "Who are the Dmitrys?",
        "Какие у нас есть Дмитрии?",
        "Что поручили Дмитриям?",
        "Чем занят каждый Дмитрий?",
        "What did the Alor project move?",
        "What did the project Alor move?",
        "Who leads Lantern?",
    ],
)
async def test_a_clear_question_is_not_asked_about(text: str) -> None:
    """The whole name, all of them, or the kind in the question: nothing is left to ask."""
    assert not isinstance((await Talk().ask(text)).decision, Unclear)


async def test_the_same_facts_for_each_reading_need_no_choice() -> None:
    """Where every reading finds the same words, the question is answered."""
    both = "Dmitry Orlov runs the payments team."
    pages = Pages([both])
    pages.find = lambda query, audience: _always(both, query)  # type: ignore[method-assign,assignment]

    assert [both] == claims(await Talk(pages).ask("What does Dmitry do?"))


async def _always(page: str, query: SearchQuery) -> Found:
    return Found((page_of(page),), dict.fromkeys(terms(query.text), 1.0))


async def test_the_only_one_with_facts_is_meant() -> None:
    """Where documents tell of one of them alone, that one is meant, and the reason says so."""
    record = await Talk(Pages(["Dmitry Petrov runs the warehouse."])).ask("What does Dmitry do?")

    assert isinstance(record.decision, Standalone)
    assert ["Dmitry Petrov runs the warehouse."] == claims(record)
    assert "Dmitry Petrov" in record.decision.because


async def test_who_the_thread_is_about_is_meant() -> None:
    """After a question about one of them the first name is that one."""
    talk = Talk()
    await talk.ask("What does Dmitry Petrov do?")
    record = await talk.ask("What team does Dmitry run?")

    assert ["Dmitry Petrov runs the warehouse."] == claims(record)


@pytest.mark.parametrize("text", ["Who leads them?", "А кто их ведёт?"])
async def test_they_are_both(text: str) -> None:
    """A plural needs no choice."""
    talk = Talk()
    await talk.ask("Compare Lantern and Beacon")

    assert not isinstance((await talk.ask(text)).decision, Unclear)


async def test_nobody_is_asked_twice_about_one_name() -> None:
    """Who ignores the question and asks on with the same name gets what there is."""
    talk = Talk()
    first = await talk.ask("What does Dmitry do?")
    again = await talk.ask("What does Dmitry run?")
    other = await talk.ask("What is Alor?")

    kinds = [isinstance(one.decision, Unclear) for one in (first, again, other)]
    assert [True, False, True] == kinds


@pytest.mark.parametrize("shared", [0, 1, 2])
def test_answers_differ_when_less_than_half_is_in_both(shared: int) -> None:
    """A few passages in common do not make two answers one."""
    one = frozenset(("a.md", str(n)) for n in range(4))
    other = frozenset(("a.md", str(n)) for n in range(4 - shared, 8 - shared))

    assert (shared < 2) == differ(one, other)


# The doubt whether a question leans on the one before


async def test_a_doubtful_follow_up_is_asked_about_when_both_readings_have_answers() -> None:
    """By itself it finds one page, with the question before another: both are offered."""
    known = Talk().ports.knowledge
    leans = FollowUp("Duration? (Who leads Lantern?)", Carried("Who leads Lantern?", ("lantern",)), "near")
    alone = Standalone("Duration?", "whole", rival=leans)
    doubt = doubtful(Talk().question("Duration?"), alone, (), Thread("t"), known)
    assert doubt is not None
    one, other, none = frozenset({("a", "1")}), frozenset({("b", "2")}), frozenset[tuple[str, str]]()

    asked = settled(alone, doubt, [one, other])
    assert isinstance(asked, Unclear)
    assert ("It is a new question", "It goes on from “Who leads Lantern?”") == asked.options
    assert ["Duration?", "Duration? (Who leads Lantern?)"] == [one.question for one in doubt.clarification.readings]
    assert [alone] * 3 == [settled(alone, doubt, pair) for pair in ([one, one], [one, none], [none, one])]


# The choice


CHOICES = ["2", "the second", "Petrov", "Dmitry Petrov", "второй"]


@pytest.mark.parametrize("text", CHOICES)
async def test_a_choice_in_words_continues_the_question(text: str) -> None:
    """A number, a place or the name: the first question is answered for the one that is meant."""
    talk = Talk()
    await talk.ask("What does Dmitry do?")
    record = await talk.ask(text)

    assert ["Dmitry Petrov runs the warehouse."] == claims(record)
    assert isinstance(record.decision, FollowUp)
    assert "What does Dmitry Petrov do?" == record.decision.question


@pytest.mark.parametrize("text", ["No, the other one", "нет, другой", "no, Petrov", "2"])
async def test_a_choice_can_be_taken_back(text: str) -> None:
    """Right after its answer, by what was not chosen, by a name or by its number."""
    talk = Talk()
    await talk.ask("What does Dmitry do?")
    await talk.ask("1")
    record = await talk.ask(text)

    assert ["Dmitry Petrov runs the warehouse."] == claims(record)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("neither", "Then tell me in your own words"),
        ("None of them.", "Then tell me in your own words"),
        ("ни тот ни другой", "Тогда напишите своими словами"),
        ("нет", "Тогда напишите своими словами"),
    ],
)
async def test_neither_is_no_question(text: str, said: str) -> None:
    """It is asked for other words, nothing is looked up, and the thread stays about the question."""
    talk = Talk()
    await talk.ask("What does Dmitry do?")
    record = await talk.ask(text)

    assert text_of(record.reply).startswith(said)
    assert ((), "nobody") == (record.payload.runs, record.planned_by)
    assert ["Dmitry Petrov runs the warehouse."] == claims(await talk.ask("Dmitry Petrov"))


async def test_the_answer_speaks_the_language_of_the_question() -> None:
    """A bare number has no language; the question that it continues has."""
    talk = Talk()
    await talk.ask("За что отвечает Дмитрий?")
    record = await talk.ask("1")

    assert ("ru", ["Дмитрий Орлов отвечает за платежи."]) == (record.reply.language, claims(record))


async def test_a_pressed_choice_is_the_same() -> None:
    """A question that a button asked is answered for the entity that the button named, also where names are equal."""
    talk = Talk()
    asked = await talk.ask("What is Alor?")
    assert isinstance(asked.decision, Unclear)
    answers = []
    for reading in asked.decision.clarification.readings:
        pressed = Pressed("choose", "1", "q1", reading.entities)
        answers.append(claims(await talk.ask(reading.question, pressed=pressed)))

    assert [["The company Alor is a broker in Leiden."], ["The project Alor moved 14 services."]] == answers


@pytest.mark.parametrize(("before", "text"), [("What does Dmitry do?", "2"), ("За что отвечает Дмитрий?", "1")])
async def test_a_bare_number_is_no_empty_message_after_options(before: str, text: str) -> None:
    """After options a number chooses; in a thread without any it is helped on as an empty message is."""
    talk = Talk()
    await reply_to(talk.question(text), talk.ports, str, print)
    await talk.ask(before)
    await reply_to(talk.question(text), talk.ports, str, print)

    helped, _, answer = talk.memory.said
    assert (True, True) == ("Ask me a question" in text_of(helped), bool(answer.evidence))


async def test_something_else_is_a_new_question() -> None:
    """Who asks something else instead of choosing is answered that."""
    talk = Talk()
    await talk.ask("What does Dmitry do?")

    assert ["Ada leads Lantern."] == claims(await talk.ask("Who leads Lantern?"))


@pytest.mark.parametrize("text", ["What does he run?", "What does Dmitry run?"])
async def test_after_a_choice_the_thread_is_about_the_chosen(text: str) -> None:
    """The next "he", and the same first name, are the one that was chosen, and nobody is asked again."""
    talk = Talk()
    await talk.ask("What does Dmitry do?")
    await talk.ask("2")
    record = await talk.ask(text)

    assert ["Dmitry Petrov runs the warehouse."] == claims(record)


def test_the_values_of_two_versions_differ() -> None:
    """A button of an earlier version of the question is not taken for one of the newer."""
    unclear = Unclear("x", Clarification("a", (Reading("x a", "a"), Reading("x b", "b"))), "")
    question = Talk().question("x")
    values = {a.value for n in (0, 1) for a in ask_back(replace(question, version=n), unclear).actions}

    assert 4 == len(values)


async def test_typed_words_choose_the_action_of_a_reply() -> None:
    """Where no buttons can be pressed, the number or the words press them."""
    record = await Talk().ask("What does Dmitry do?")

    assert [record.reply.actions[1], None] == [typed(text, record.reply) for text in ("2", "Who leads Lantern?")]


@pytest.mark.parametrize(
    ("found", "kept"),
    [
        ((True, False), (True, False)),
        ((True, None), (True, True)),
        ((False, False), (True, True)),
        ((None, False), (True, True)),
        ((True, True), (True, True)),
    ],
)
def test_what_the_structure_lacks_is_no_rival_to_what_it_has(
    found: tuple[bool | None, ...], kept: tuple[bool, ...]
) -> None:
    """Only one of two that share a name has what is asked for: that one is meant, whatever a search brings."""
    evidence = frozenset({("a.md", "words")})

    assert [evidence if one else frozenset() for one in kept] == answers_of([Looked(evidence, one) for one in found])
