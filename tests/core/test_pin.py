"""Checked answers: which can be kept, whom they are given to, and when they fall."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.conversation import Audience, Question
from core.facts import FactsPayload, Place, Span
from core.followup import FollowUpDecision, Standalone
from core.ingest.document import Block, Document
from core.pin import Again, Fallen, NotForThem, Pin, checked, cited_in, fault_of, given_again, is_of_today, pin_of
from core.plan import Style, default_plan
from core.render import render, text_of
from core.result import result_of
from core.text import Untrusted
from core.turn import TurnRecord
from core.verify import cited_again
from tests.core.scenes import answered, stated

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
TEXTS = {"leave.md": "Leave\nEveryone has 27 days of leave.\n", "отпуск.md": "Отпуск\nПять дней переносятся.\n"}
QUOTES = {"leave.md": "Everyone has 27 days of leave.", "отпуск.md": "Пять дней переносятся."}
ASKED = "How many days of leave do I get?"
EVERYBODY = Audience("acme")


def document(id_: str, text: str | None = None, **known: Any) -> Document:
    """Return a document of one line under its title."""
    said = TEXTS[id_] if text is None else text
    headings = known.pop("headings", ("Days",))
    return Document(id_, id_.partition(".")[0], said, (Block("paragraph", 0, len(said), headings),), **known)


def documents(**changed: Document) -> dict[str, Document]:
    """Return the two documents, one of them perhaps another."""
    held = {id_: document(id_) for id_ in TEXTS}
    return held | {one.id: one for one in changed.values()}


def result(text: str = ASKED, decision: FollowUpDecision | None = None, **known: Any) -> dict[str, Any]:
    """Return the contract of an answer of two statements, one from each document."""
    claims = []
    for id_, quote in QUOTES.items():
        start = TEXTS[id_].index(quote)
        span, place = Span(start, start + len(quote)), Place((Untrusted("Days"),), 3)
        citation = cited_again(document(id_), span, quote, f"{id_}-0", place)
        assert citation is not None
        claims.append(stated(quote, citation))
    answer = replace(answered(*claims), lead="Here is what the documents say:")
    record = TurnRecord(
        question=Question("q", "slack", "t", text, "U1", EVERYBODY, NOON),
        decision=decision or Standalone(text, "first"),
        plan=default_plan(text),
        planned_by="model",
        payload=FactsPayload(coverage=1.0),
        answer=answer,
        reply=render(answer, Style.BULLETS),
        seconds=1.0,
        finished_at=NOON,
    )
    read = {"sources": list(TEXTS)}
    made = result_of(replace(record, **known))
    return made | {"facts": made["facts"] | read}


def pin(said: dict[str, Any] | None = None) -> Pin | None:
    """Return the answer as it is kept, if it can be."""
    return pin_of(said or result(), documents(), question="q", version=0, tenant="acme", by="slack:T1:U1", at=NOON)


def kept() -> Pin:
    """Return the usual answer, which can be kept."""
    made = pin()
    assert made is not None
    return made


def test_it_is_given_again_as_it_was() -> None:
    """The same statements, in the same words, with the same quotes at the same places."""
    again = given_again(kept(), documents(), EVERYBODY)

    assert isinstance(again, Again)
    reply, before = render(again.answer, again.plan.render_style), result()
    assert before["answer"] == text_of(reply)
    assert list(QUOTES.values()) == [entry.quote for entry in reply.evidence]
    assert "Days › page 3" == reply.evidence[0].place


def test_what_was_read_besides_is_not_kept() -> None:
    """Only the statements, their quotes and what found them."""
    said = result() | {"raw_context_used": [{"text": "The board meets in secret."}]}
    made = pin(said)

    assert made is not None
    assert "in secret" not in str(made.result)


@pytest.mark.parametrize("changed", list(TEXTS))
@pytest.mark.parametrize("how", ["words", "place", "heading", "gone", "replaced"])
def test_a_changed_source_lets_it_fall(changed: str, how: str) -> None:
    """Other words at the span, the same words elsewhere, other words over them, no document, or a newer one."""
    held = documents()
    match how:
        case "words":
            held[changed] = document(changed, TEXTS[changed].replace("days", "hours").replace("Пять", "Шесть"))
        case "place":
            held[changed] = document(changed, f"Newer. {TEXTS[changed]}")
        case "heading":
            held[changed] = document(changed, headings=("Not for all",))
        case "gone":
            del held[changed]
        case _:
            held[changed] = document(changed, superseded=True)

    fallen = given_again(kept(), held, EVERYBODY)
    assert isinstance(fallen, Fallen)
    assert changed.partition(".")[0] in fallen.because
    assert fallen.because == fault_of(kept(), held)


def with_more(id_: str, more: str, *headings: str) -> Document:
    """Return a document with one paragraph more at its end, under these headings."""
    said = f"{TEXTS[id_]}{more}\n"
    first = document(id_).blocks[0]
    return replace(document(id_), text=said, blocks=(first, Block("paragraph", first.end, len(said), headings)))


@pytest.mark.parametrize("headings", [("Days",), ("Days", "Exceptions")])
@pytest.mark.parametrize(
    ("changed", "more"), [("leave.md", "Trainees get none of them."), ("отпуск.md", "Стажёрам это не положено.")]
)
def test_an_addition_to_the_section_lets_it_fall(changed: str, more: str, headings: tuple[str, ...]) -> None:
    """A new sentence beside the cited one, or below it, may say otherwise: nobody has checked the answer against it."""
    held = documents() | {changed: with_more(changed, more, *headings)}

    fallen = given_again(kept(), held, EVERYBODY)
    assert isinstance(fallen, Fallen)
    assert f"{changed.partition('.')[0]} has changed" == fallen.because == fault_of(kept(), held)


@pytest.mark.parametrize("headings", [("Sick leave",), ()])
@pytest.mark.parametrize("changed", list(TEXTS))
def test_what_changes_elsewhere_lets_it_stand(changed: str, headings: tuple[str, ...]) -> None:
    """What is added to another section of the page was not looked at for the answer either; nor is white space."""
    held = documents() | {changed: with_more(changed, "Something else. Нечто иное.", *headings)}

    assert fault_of(kept(), held) is None
    assert isinstance(given_again(kept(), held, EVERYBODY), Again)


def test_a_page_without_headings_is_one_section() -> None:
    """An addition to it lets the answer fall, and one to a section below it does not."""
    bare = {id_: document(id_, headings=()) for id_ in TEXTS}
    said = result()
    for one in said["citations"]:
        one["headings"] = []
    made = pin_of(said, bare, question="q", version=0, tenant="acme", by="slack:T1:U1", at=NOON)
    assert made is not None
    more = {headings: replace(with_more("leave.md", "More.", *headings)) for headings in ((), ("Days",))}
    more = {key: replace(one, blocks=(replace(one.blocks[0], headings=()), one.blocks[1])) for key, one in more.items()}

    assert fault_of(made, bare | {"leave.md": more["Days",]}) is None
    assert fault_of(made, bare | {"leave.md": more[()]})


def test_what_is_shared_was_checked_by_nobody() -> None:
    """It is given as it was said, as long as its quotes stand."""
    held = documents() | {"leave.md": with_more("leave.md", "Trainees get none of them.", "Days")}
    shared = Pin("acme", ASKED, "q", 0, result(), "", NOON)

    assert isinstance(given_again(shared, held, EVERYBODY), Again)


@pytest.mark.parametrize("hidden", list(TEXTS))
def test_nobody_gets_it_who_may_not_read_a_source(hidden: str) -> None:
    """Also when it has changed: that is nothing that they may learn. Who may read it gets it."""
    secret = document(hidden, readers=frozenset({"people"}))
    member = Audience("acme", frozenset({"people"}))

    assert isinstance(given_again(kept(), documents(one=secret), EVERYBODY), NotForThem)
    assert isinstance(given_again(kept(), documents(one=replace(secret, text="other")), EVERYBODY), NotForThem)
    assert isinstance(given_again(kept(), documents(one=secret), member), Again)


def test_the_introduction_goes_where_something_else_was_read_that_they_may_not() -> None:
    """It may tell of whatever was read; the statements tell of their own sources alone."""
    said = result()
    said["facts"]["sources"] = [*TEXTS, "salaries.md"]
    made = pin(said)
    assert made is not None
    again = given_again(made, documents(), EVERYBODY)

    assert isinstance(again, Again)
    assert (None, 2) == (again.answer.lead, len(again.answer.claims))


@pytest.mark.parametrize(
    "text",
    ["Who was on duty last week?", "Что сделали вчера?", "What shipped in March?", "Кто дежурил в прошлом месяце?"],
)
def test_what_means_other_days_tomorrow_is_not_kept(text: str) -> None:
    """Its answer is right on the day alone."""
    assert is_of_today(text, NOON)
    assert is_of_today(text, NOON.replace(month=2))
    assert pin(result(text)) is None


@pytest.mark.parametrize(
    "text", [ASKED, "Где применяли RAG в 2024 году?", "Что изменилось с 2024-05-01 по 2024-06-01?"]
)
def test_what_means_the_same_always_is_kept(text: str) -> None:
    """A year is the same year whenever it is named."""
    assert pin(result(text)) is not None


def test_what_leans_on_more_than_its_words_is_not_kept() -> None:
    """A question that was understood as another one, a refusal, an answer without statements, a contract of before."""
    asked = result("And for Aston?", Standalone("How many days of leave are there at Aston?", "it leans"))

    assert pin(asked) is None
    assert pin(result() | {"is_refusal": True}) is None
    assert pin(result() | {"claims": []}) is None
    assert pin({name: value for name, value in result().items() if name != "claims"}) is None


NAMES = st.sampled_from(["citations", "claims", "plan", "facts", "lead", "confidence", "policy_flags", "question"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9) | NAMES, inner, max_size=3),
)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(strange=st.dictionaries(NAMES, JSON, max_size=3), removed=st.booleans())
def test_a_strange_record_never_breaks_an_answer(*, strange: dict[str, Any], removed: bool) -> None:
    """What another version has stored is given again as a whole, or has fallen; its quotes stand in the documents."""
    said = {name: value for name, value in result().items() if name not in strange} | ({} if removed else strange)
    made = replace(kept(), result=said)
    again = given_again(made, documents(), EVERYBODY)

    cited_in(made)
    if isinstance(again, Again):
        cited = [citation for claim in again.answer.claims for citation in claim.citations]
        assert all(one.span.within(TEXTS[one.source.doc_id]) == one.quote for one in cited)


@pytest.mark.parametrize(("text", "said"), [(ASKED, "A person checked"), ("Сколько дней?", "проверил человек")])
def test_that_a_person_checked_it_is_said_in_the_askers_language(text: str, said: str) -> None:
    """With the day on which it was."""
    question = Question("q2", "slack", "t", text, "U2", EVERYBODY, NOON + timedelta(days=9))

    assert said in checked(kept(), question)
    assert "2026-03-02" in checked(kept(), question)
