"""One question through the ten steps, over ports that do as a test says; the real ones: tests/conversations."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from core.answer import Answer
from core.answering import room_for
from core.conversation import AlreadyAnswered, Audience, Question, Thread, Turn
from core.delivery import Part as Message
from core.errors import ModelError, ModelTimeout, PortError, SearchError, StorageError
from core.facts import Fact, Part, Span
from core.followup import FollowUp, Standalone
from core.outside import Options, Ports
from core.phrases import phrase
from core.pipeline import answer_question, reply_to
from core.plan import GENERAL, GraphQuery, Intent
from core.planner import IntentIndex, index_intents
from core.ports import Found, Knowledge, LanguageModel, SearchQuery
from core.render import text_of
from core.reply import RenderedReply
from core.text import language_of, terms
from core.turn import TurnRecord
from core.unanswered import MAX_QUESTION
from tests.core.corpus import ASTON, EVERYBODY, LOTSMAN, NOON, RAG, fact, intent, registry
from tests.core.scenes import context
from tests.doubles.models import ScriptedModel, json_values

USAGE = intent("USAGE", "mentions", of=("technology",), examples=("Where is RAG used?",))
GENERIC = intent(GENERAL)
LOOK_UP = {"tool": "graph_query", "intent": "USAGE", "entity_id": "rag"}


def told(text: str, **known: Any) -> Fact:
    """Return a fact of the graph that is one sentence."""
    return fact(text, structural=True, parts=(Part(Span(0, len(text)), "paragraph"),), **known)


IN_LOTSMAN = told("Lotsman answers support questions with RAG.")
IN_SUFLER = told("Sufler finds the instruction with RAG.", doc="b.md")


class Memory:
    """Threads in lists; `failing` names the step that storage fails at."""

    def __init__(self, failing: str | None = None, thread: Thread | None = None) -> None:
        self.failing = failing
        self.thread = thread
        self.closed: dict[str, TurnRecord] = {}
        self.said: list[RenderedReply] = []

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        self._fail("open")
        if question.id in self.closed:
            return AlreadyAnswered(question.id)
        return self.thread or Thread(question.thread, tuple(_turn(one) for one in self.closed.values()))

    async def close(self, question: Question, parts: Sequence[Message], record: TurnRecord | None = None) -> None:
        self._fail("close")
        self.said += [part.body["reply"] for part in parts]
        if record:
            self.closed[question.id] = record

    def _fail(self, step: str) -> None:
        if step == self.failing:
            raise StorageError(f"{step} failed")


def _turn(record: TurnRecord) -> Turn:
    asked, plan = record.question, record.plan
    return Turn(asked.text, record.decision.question, plan.entities, True, asked.asked_at, listed=record.listed)


class Shelf:
    """A graph and a search over a few facts, and an encoder for which all texts mean the same."""

    id, dimension = "shelf", 1

    def __init__(self, structural: Sequence[Fact] = (), passages: Sequence[Fact] = (), failing: str = "") -> None:
        self.structural, self.passages, self.failing = tuple(structural), tuple(passages), failing
        self.looked_up: list[GraphQuery] = []
        self.searched: list[tuple[SearchQuery, Audience]] = []
        self.weights: dict[str, float] = {}

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        self.looked_up.append(call)
        return self.structural

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        if self.failing:
            raise SearchError(self.failing)
        self.searched.append((query, audience))
        return Found(self.passages, self.weights)

    async def embed(self, texts: Sequence[str], purpose: str = "passage") -> list[list[float]]:
        return [[1.0] for _ in texts]


class Ticking:
    """A clock on which every look takes a second."""

    def __init__(self) -> None:
        self._seconds = 0.0

    def now(self) -> datetime:
        return NOON + timedelta(minutes=5)

    def elapsed(self) -> float:
        self._seconds += 1.0
        return self._seconds


NO_MODEL = ScriptedModel(roles=())


def ports(
    shelf: Shelf | None = None,
    model: LanguageModel = NO_MODEL,
    memory: Memory | None = None,
    **options: Any,
) -> Ports:
    """Return ports over a shelf of facts: by default one fact of the graph, and no model."""
    shelf = shelf or Shelf([IN_LOTSMAN])
    memory = memory or Memory()
    intents = (USAGE, GENERIC)
    names = registry(RAG, ASTON, LOTSMAN)

    async def index() -> IntentIndex:
        return await index_intents(intents, names, shelf)

    return Ports(
        threads=memory,
        search=shelf,
        graph=shelf,
        model=model,
        embedder=shelf,
        clock=Ticking(),
        new_marker=lambda: "marker",
        knowledge=Knowledge(names, intents, "Tests"),
        intents=index,
        options=replace(Options(), **options),
        parts=lambda reply: (Message("answer-1", {"reply": reply}),),
    )


def question(text: str = "Where is RAG used?", number: int = 1) -> Question:
    """Return a question, a minute after the one before."""
    return Question(f"q{number}", "console", "console:1", text, "U1", EVERYBODY, NOON + timedelta(minutes=number))


async def ask(given: Ports, asked: Question | None = None) -> TurnRecord:
    """Return the record of a question that is answered."""
    record = await answer_question(asked or question(), given)
    assert isinstance(record, TurnRecord)
    return record


async def replied(
    given: Ports, asked: Question | None = None, note: Callable[[str], None] | None = None
) -> RenderedReply | None:
    """Return the reply that was stored to be shown, or None when there was none."""
    memory = given.threads
    assert isinstance(memory, Memory)
    before = len(memory.said)
    await reply_to(asked or question(), given, _reference, note or _unheard)
    return memory.said[-1] if len(memory.said) > before else None


def said(answer: Answer) -> list[str]:
    """Return what an answer claims."""
    return [claim.text for claim in answer.claims]


def planned(*calls: dict[str, Any], **known: Any) -> str:
    """Return a plan as a model writes it."""
    return json.dumps({"intents": ["USAGE"], "tool_calls": calls or [LOOK_UP], **known})


def claimed(*claims: tuple[str, str], lead: str | None = None, fact: int = 1) -> str:
    """Return an answer as a model writes it: each claim and its quote, all from one fact."""
    made = [{"text": text, "evidence": [{"fact": fact, "quote": quote}]} for text, quote in claims]
    return json.dumps({"lead": lead, "claims": made, "abstain": not made})


TRUE = ("RAG is used in Lotsman.", "Lotsman answers support questions with RAG")
FALSE = ("Lotsman saved 40 million.", "Lotsman answers support questions with RAG")
ALSO_FALSE = ("Sufler saved 40 million.", "Sufler finds the instruction with RAG")
MADE_UP = ("Nobody knows.", "these words stand nowhere")


# Once only


async def test_a_question_is_answered_once() -> None:
    """The same question again is known as answered, and nothing is stored for it a second time."""
    memory = Memory()
    given = ports(memory=memory)
    await ask(given)

    assert AlreadyAnswered("q1") == await answer_question(question(), given)
    assert 1 == len(memory.said)


async def test_the_second_reply_to_a_question_is_none() -> None:
    """A question that comes twice is replied to once."""
    given = ports()
    replies = [await replied(given) for _ in range(2)]

    assert [False, True] == [reply is None for reply in replies]


async def test_a_question_that_failed_can_be_asked_again() -> None:
    """What could not be answered is not counted as answered: the same question, come again, gets its answer."""
    memory = Memory()
    await replied(ports(Shelf(failing="gone"), memory=memory))

    assert ["Lotsman answers support questions with RAG."] == said((await ask(ports(memory=memory))).answer)


# One visible reply, whatever fails


def _unheard(problem: str) -> None:
    """Take note of nothing."""


def _reference(failure: PortError) -> str:
    return f"REF-{failure.port}"


FAILING: dict[str, Callable[[], Ports]] = {
    "search": lambda: ports(Shelf(failing="the index could not be read")),
    "storage": lambda: ports(memory=Memory(failing="open")),
}


@pytest.mark.parametrize("port", FAILING)
@pytest.mark.parametrize("text", ["What is our budget?", "Какой у нас бюджет?"])
async def test_a_failure_is_one_sentence_with_a_reference(port: str, text: str) -> None:
    """Whatever fails, the reader is told so in their language, with a reference and without its inner reason."""
    reply = await replied(FAILING[port](), question(text))

    assert reply is not None
    assert phrase("failed", language_of(text), reference=f"REF-{port.partition(',')[0]}") == text_of(reply)
    assert () == reply.evidence


async def test_a_reply_that_cannot_be_stored_is_a_failure() -> None:
    """What was not stored was not said: the caller hears of it, and may try again."""
    with pytest.raises(StorageError):
        await replied(ports(memory=Memory(failing="close")))


async def test_an_answer_is_its_reply() -> None:
    """What the record holds is what is shown."""
    reply = await replied(ports())

    assert (await ask(ports())).reply == reply


@pytest.mark.parametrize(("text", "name"), [("", "empty"), (" \n\t", "empty"), ("?! 42 🦔", "empty"), ("ы", "empty")])
async def test_an_empty_message_is_helped_on(text: str, name: str) -> None:
    """A message without words is told how to ask, and no step is taken for it."""
    memory = Memory(failing="open")
    reply = await replied(ports(memory=memory), question(text))

    assert reply is not None
    assert phrase(name, "ru" if text == "ы" else "en") == text_of(reply)


@pytest.mark.parametrize(("letters", "too_long"), [(MAX_QUESTION, False), (MAX_QUESTION + 1, True)])
async def test_an_endless_message_is_asked_to_be_short(letters: int, too_long: bool) -> None:  # noqa: FBT001
    """A pasted document is no question: the reader is told how long it is and what is taken."""
    reply = await replied(ports(), question("ж" * letters))

    assert reply is not None
    assert too_long is (phrase("too_long", "ru", length=letters, limit=MAX_QUESTION) == text_of(reply))


# Planning


async def test_a_model_plans() -> None:
    """A valid plan of the model is run as it is, and its tokens are counted."""
    shelf = Shelf([IN_LOTSMAN])
    record = await ask(ports(shelf, ScriptedModel([planned()], roles=["planner"], tokens=7)))

    assert ("model", 7, ()) == (record.planned_by, record.spent.tokens, record.problems)
    assert [GraphQuery(intent="USAGE", entity_id="rag")] == shelf.looked_up


async def test_without_a_planner_the_declared_examples_plan() -> None:
    """A question like a declared example about a known name needs no model."""
    record = await ask(ports())

    assert ("examples", ("USAGE",), ()) == (record.planned_by, record.plan.intents, record.problems)


async def test_a_planner_that_is_down_is_replaced_by_the_examples() -> None:
    """When the planner cannot be reached, the examples plan, and the record says why."""
    down = ModelTimeout("no answer in 30 s")
    record = await ask(ports(model=ScriptedModel([down], roles=["planner"])))

    assert ("examples", ("model: no answer in 30 s",)) == (record.planned_by, record.problems)
    assert ["Lotsman answers support questions with RAG."] == said(record.answer)


async def test_a_plan_that_stays_wrong_is_replaced_by_a_search() -> None:
    """Two plans from outside the vocabulary: the documents are searched for the question's own words."""
    shelf = Shelf()
    wrong = planned({"tool": "send_mail", "query": "all"})
    record = await ask(ports(shelf, ScriptedModel([wrong, wrong], roles=["planner"])))

    assert "default" == record.planned_by
    assert ["Where is RAG used?"] == [query.text for query, _ in shelf.searched]
    assert 1 == len(record.problems)


async def test_a_follow_up_brings_the_question_before_it() -> None:
    """The planner of a follow-up is told the question before it and the names of both, and no answer."""
    model = ScriptedModel(lambda _: planned(entities=["rag"]), roles=["planner"])
    given = ports(model=model)
    await ask(given)
    record = await ask(given, question("And at Aston?", 2))
    [asked] = json_values(model.requests[-1].user)

    assert isinstance(record.decision, FollowUp)
    assert "Where is RAG used?" == asked["earlier_question"]
    assert ["aston", "rag"] == [entity["id"] for entity in asked["entities"]]


AFTER_LEAVE = Thread(
    "console:1", (Turn("When does parental leave begin?", "When does parental leave begin?", (), True, NOON),)
)
DOUBTFUL = question("What are the main conditions?")


def read(text: str, about: str) -> str:
    """Return a model's reading of a message in its thread."""
    return json.dumps({"about": about, "question": text})


async def test_a_doubtful_message_is_read_by_the_model() -> None:
    """Its reading is what is planned and looked for, in one call more."""
    model = ScriptedModel(
        [read("What are the main conditions of parental leave?", "parental leave"), planned()], roles=("planner",)
    )
    record = await ask(ports(model=model, memory=Memory(thread=AFTER_LEAVE)), DOUBTFUL)

    assert isinstance(record.decision, FollowUp)
    assert "What are the main conditions of parental leave?" == record.decision.question
    assert 2 == len(model.requests)


async def test_a_reading_is_one_sign_among_others() -> None:
    """That a new subject is named makes a new question of a short one; without the reading it is carried over."""
    model = ScriptedModel([read("Is the canteen open?", "the canteen"), planned()], roles=("planner",))
    short = question("Is the canteen open?")

    record = await ask(ports(model=model, memory=Memory(thread=AFTER_LEAVE)), short)
    unread = await ask(ports(memory=Memory(thread=AFTER_LEAVE)), short)

    assert isinstance(record.decision, Standalone)
    assert isinstance(unread.decision, FollowUp)


UNUSABLE = [read("How much is a hotel in Porto?", "Porto"), "no JSON", ModelTimeout("slow")]


@pytest.mark.parametrize("reading", UNUSABLE)
async def test_a_reading_that_does_not_hold_leaves_it_to_the_words(reading: str | ModelError) -> None:
    """A message without a subject of its own, and near to the one before, follows it."""
    model = ScriptedModel([reading, planned()], roles=("planner",))
    record = await ask(ports(model=model, memory=Memory(thread=AFTER_LEAVE)), DOUBTFUL)

    assert isinstance(record.decision, FollowUp)
    assert "What are the main conditions? (When does parental leave begin?)" == record.decision.question


async def test_a_model_that_cannot_be_asked_for_a_reading_is_noted() -> None:
    """The record says so, although the question is answered; a reading that merely does not hold is no failure."""
    silent, useless = ([one, planned()] for one in (ModelTimeout("slow"), "no JSON"))
    given = [
        await ask(ports(model=ScriptedModel(script, roles=("planner",)), memory=Memory(thread=AFTER_LEAVE)), DOUBTFUL)
        for script in (silent, useless)
    ]

    assert [("model: slow",), ()] == [record.problems for record in given]


async def test_a_follow_up_carries_what_the_turn_named_that_it_leans_on() -> None:
    """The entities are those of the turn that the model's words come from, not of the last one."""
    turns = (
        Turn("Where is RAG used?", "Where is RAG used?", ("rag",), True, NOON),
        Turn("Who runs the canteen?", "Who runs the canteen?", ("aston",), True, NOON),
    )
    model = ScriptedModel([read("What are the main conditions of RAG?", "RAG"), planned()], roles=("planner",))
    record = await ask(ports(model=model, memory=Memory(thread=Thread("console:1", turns))), DOUBTFUL)

    assert isinstance(record.decision, FollowUp)
    assert ("Where is RAG used?", ("rag",)) == (record.decision.carried.question, record.decision.carried.entities)


async def test_what_the_documents_have_a_place_for_needs_no_subject() -> None:
    """A question whose words head just one document is one of its own, and no model is asked about it."""
    known = fact("Write to us.", around=frozenset(terms("main conditions")), parts=(Part(Span(0, 12), "paragraph"),))
    shelf = Shelf([IN_LOTSMAN], [known])
    shelf.weights = dict.fromkeys(terms("main conditions"), 2.0)
    model = ScriptedModel([planned()], roles=("planner",))
    record = await ask(ports(shelf, model, Memory(thread=AFTER_LEAVE)), DOUBTFUL)

    assert isinstance(record.decision, Standalone)
    assert 1 == len(model.requests)


async def test_a_question_costs_four_calls_at_most() -> None:
    """One to read it, one to plan, and two to write: after a reading, a wrong plan is not asked for again."""
    model = ScriptedModel(["no JSON", "no plan", claimed(FALSE), claimed(FALSE)])
    await ask(ports(Shelf([IN_LOTSMAN], [IN_LOTSMAN]), model, Memory(thread=AFTER_LEAVE)), DOUBTFUL)

    assert ["planner", "planner", "answer", "answer"] == [request.role for request in model.requests]


async def test_what_was_overheard_has_cost_one_call_already() -> None:
    """Whether it was for us a model may have been asked, so that neither a reading nor a second plan is."""
    model = ScriptedModel(["no plan", claimed(FALSE), claimed(FALSE)])
    overheard = replace(DOUBTFUL, overheard=True)
    await ask(ports(Shelf([IN_LOTSMAN], [IN_LOTSMAN]), model, Memory(thread=AFTER_LEAVE)), overheard)

    assert ["planner", "answer", "answer"] == [request.role for request in model.requests]


async def test_a_name_that_is_gone_is_not_carried_on() -> None:
    """An entity of an earlier turn that the index no longer knows is left out."""
    earlier = Turn("Where is RAG used?", "Where is RAG used?", ("rag", "gone"), True, NOON)
    model = ScriptedModel([planned()], roles=["planner"])
    await ask(ports(model=model, memory=Memory(thread=Thread("console:1", (earlier,)))), question("And there?", 2))
    [asked] = json_values(model.requests[-1].user)

    assert ["rag"] == [entity["id"] for entity in asked["entities"]]


async def test_a_search_is_for_the_askers_audience() -> None:
    """Everything is looked up for those who can read the reply, with the passage's section when that is wanted."""
    shelf = Shelf()
    audience = Audience("acme", frozenset({"hr"}))
    await ask(ports(shelf, hierarchical=True), replace(question("What is our budget?"), audience=audience))

    assert [(True, audience)] == [(query.hierarchical, whom) for query, whom in shelf.searched]


# Answering


@pytest.mark.parametrize(
    ("text", "reply"), [("Where is RAG used?", TRUE), ("Где применяется RAG?", ("RAG: Lotsman.", TRUE[1]))]
)
async def test_the_same_question_is_not_paid_for_again(text: str, reply: tuple[str, str]) -> None:
    """Somebody else's same question has the same reply, stored as theirs, and no model is asked."""
    model = ScriptedModel([claimed(reply)], roles=["answer"], tokens=9)
    given = ports(model=model)
    first = await ask(given, question(text))
    second = await ask(given, replace(question(text, 2), asker="U2", thread="console:2"))

    assert (1, 9, 0) == (len(model.requests), first.spent.tokens, second.spent.tokens)
    assert (first.reply, "U2") == (second.reply, second.question.asker)
    assert ["understand"] == [name for name, _ in second.timings]


async def test_a_model_writes_what_its_quotes_support() -> None:
    """A claim that its quote supports is shown in the model's own words."""
    record = await ask(ports(model=ScriptedModel([claimed(TRUE)], roles=["answer"], tokens=9)))

    assert [TRUE[0]] == said(record.answer)
    assert ("scripted", 9, "high") == (record.answer.model, record.spent.tokens, record.answer.level)


@pytest.mark.parametrize(
    ("kind", "lists", "items", "tokens"),
    [
        ("factual", False, 10, 111),
        ("compare", False, 10, 111),
        ("summary", False, 10, 900),
        ("factual", True, 1, 111),
        ("factual", True, 6, 600),
        ("factual", True, 50, 900),
    ],
)
def test_a_summary_and_a_list_may_be_longer(kind: str, *, lists: bool, items: int, tokens: int) -> None:
    """The budget of an answer follows the kind of question: each item of a list takes its room."""
    asked = replace(context(), kind=kind, lists=lists, max_items=items)

    assert tokens == room_for(asked, 111, 900)


async def test_a_model_is_not_asked_about_nothing() -> None:
    """Without a single fact there is nothing to write: the reply is a refusal."""
    record = await ask(ports(Shelf(), ScriptedModel([], roles=["answer"])))

    assert record.answer.is_refusal
    assert frozenset({"no_context"}) == record.answer.flags


@pytest.mark.parametrize("failure", [ModelTimeout("no answer in 30 s"), ModelError("the connection broke")])
async def test_a_model_that_is_down_leaves_the_documents_own_words(failure: ModelError) -> None:
    """When no model answers, the quotes do, the reader is told, and the record says why."""
    record = await ask(ports(model=ScriptedModel([failure], roles=["answer"])))

    assert ["Lotsman answers support questions with RAG."] == said(record.answer)
    assert (str(failure),) == record.problems
    assert phrase("quotes_only", "en") in text_of(record.reply)


async def test_a_model_that_babbles_leaves_the_documents_own_words() -> None:
    """An answer that is not in the asked form is none."""
    record = await ask(ports(model=ScriptedModel(["Sure! Here you go:"], roles=["answer"])))

    assert ("quotes", ["Lotsman answers support questions with RAG."]) == (record.answer.model, said(record.answer))


async def test_a_failing_claim_is_written_again_once() -> None:
    """The model sees why its claim was refused, and what it writes then stands beside what held at once."""
    better = ("Lotsman answers questions.", TRUE[1])
    model = ScriptedModel([claimed(TRUE, FALSE), claimed(better)], roles=["answer"], tokens=9)
    record = await ask(ports(model=model))

    assert [TRUE[0], better[0]] == said(record.answer)
    assert ((), 18, 2) == (record.answer.rejected, record.spent.tokens, len(model.requests))
    assert "the number 40 million does not stand in its quotes" in model.requests[-1].user


async def test_how_both_drafts_cited_is_counted() -> None:
    """The claims of the first draft and of the repair are counted together, refused ones too."""
    better = ("Lotsman answers questions.", TRUE[1])
    record = await ask(ports(model=ScriptedModel([claimed(TRUE, FALSE), claimed(better)], roles=["answer"])))

    assert (3, 2, 3) == (record.answer.citing.claims, record.answer.citing.supported, record.answer.citing.pointers)


async def test_a_repair_that_repeats_a_claim_adds_nothing() -> None:
    """What held already is not told twice."""
    record = await ask(ports(model=ScriptedModel([claimed(TRUE, FALSE), claimed(TRUE)], roles=["answer"])))

    assert [TRUE[0]] == said(record.answer)


STUBBORN: dict[str, str | ModelError] = {
    "the same again": claimed(ALSO_FALSE, fact=2),
    "nothing": claimed(),
    "no model": ModelTimeout("no answer in 30 s"),
    "another invention": claimed(MADE_UP),
}


@pytest.mark.parametrize("second", STUBBORN)
async def test_a_claim_that_stays_wrong_becomes_its_quote(second: str) -> None:
    """After one more try the words of the document stand in for the claim: there is no third."""
    both = {"claims": [*json.loads(claimed(TRUE))["claims"], *json.loads(claimed(ALSO_FALSE, fact=2))["claims"]]}
    first = json.dumps({"lead": None, "abstain": False, **both})
    model = ScriptedModel([first, STUBBORN[second]], roles=["answer"])
    record = await ask(ports(Shelf([IN_LOTSMAN, IN_SUFLER]), model))

    assert [TRUE[0], "Sufler finds the instruction with RAG."] == said(record.answer)
    assert ["supported", "quoted"] == [claim.verdict for claim in record.answer.claims]


@pytest.mark.parametrize("second", STUBBORN)
@pytest.mark.parametrize(
    ("fact_", "right", "wrong"),
    [
        ("Lotsman answers support questions with RAG.", "RAG is used in Lotsman.", "Lotsman saved 40 million."),
        ("Пропуск стоит 35 евро в месяц.", "Пропуск стоит 35 евро в месяц.", "Пропуск для фургона стоит 99 евро."),
        ("A permit costs 35 euros a month.", "A permit costs 35 euros.", "A permit costs 99 euros for vans."),
    ],
)
async def test_a_claim_whose_quote_is_told_already_is_left_out(fact_: str, right: str, wrong: str, second: str) -> None:
    """No statement comes twice, and the count says that one could not be confirmed."""
    stays = {"the same again": claimed((wrong, fact_))}.get(second, STUBBORN[second])
    model = ScriptedModel([claimed((right, fact_), (wrong, fact_)), stays], roles=["answer"])
    language = language_of(fact_)
    asked = question("Где используется RAG?" if language == "ru" else "Where is RAG used?")
    record = await ask(ports(Shelf([told(fact_)]), model), asked)

    assert [right] == said(record.answer)
    assert 1 == len(record.answer.rejected)
    assert phrase("unconfirmed", language) in text_of(record.reply)
    assert (phrase("confirmed_but_one", language, kept=1, all=2, left=1),) == record.reply.checks


async def test_a_claim_without_a_quote_is_dropped() -> None:
    """What no document says is left out; the reader is told that something was, and the answer is marked."""
    record = await ask(ports(model=ScriptedModel([claimed(TRUE, MADE_UP), claimed(MADE_UP)], roles=["answer"])))

    assert [TRUE[0]] == said(record.answer)
    assert phrase("unconfirmed", "en") in text_of(record.reply)
    assert frozenset({"uncertain"}) == record.answer.flags


async def test_when_nothing_written_holds_the_quotes_answer() -> None:
    """Not a word of the model can be proven: all of what was found is quoted instead."""
    model = ScriptedModel([claimed(MADE_UP), claimed(MADE_UP)], roles=["answer"], tokens=9)
    record = await ask(ports(Shelf([IN_LOTSMAN, IN_SUFLER]), model))

    assert [str(IN_LOTSMAN.text), str(IN_SUFLER.text)] == said(record.answer)
    assert ("quotes", 18) == (record.answer.model, record.spent.tokens)


async def test_a_model_may_refuse() -> None:
    """When the model says that the facts do not hold the answer, no quote is forced upon the reader."""
    record = await ask(ports(model=ScriptedModel([claimed()], roles=["answer"])))

    assert record.answer.is_refusal
    assert phrase("refusal", "en") in text_of(record.reply)


async def test_quotes_are_not_sent_for_repair() -> None:
    """What a model did not write it is not asked to write again: while it is down, it is asked once."""
    model = ScriptedModel([ModelTimeout("no answer in 30 s")], roles=["answer"])
    record = await ask(ports(Shelf([IN_LOTSMAN, told("A", doc="b.md")]), model))

    assert "Lotsman answers support questions with RAG." in said(record.answer)
    assert 1 == len(model.requests)


# The record


async def test_the_record_holds_how_long_each_step_took() -> None:
    """Every step has its time, and the total is the time between the first and the last look at the clock."""
    record = await ask(ports())

    assert ["understand", "plan", "search", "draft", "verify", "render"] == [name for name, _ in record.timings]
    assert ({1.0}, 7.0) == ({seconds for _, seconds in record.timings}, record.seconds)
    assert NOON + timedelta(minutes=5) == record.finished_at


async def test_the_turn_is_stored() -> None:
    """The finished turn is in the thread as the record that is returned."""
    memory = Memory()
    record = await ask(ports(memory=memory))

    assert {"q1": record} == memory.closed
