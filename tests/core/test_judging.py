"""What an answer is worth: judged by what it must hold, of lists, refusals, citations, and words nobody may see."""

from dataclasses import replace
from typing import Any

import pytest

from core.answer import Answer, Citation, Citing, Claim
from core.conversation import Audience, Question
from core.facts import FactsPayload, Place, Source, Span, ToolRun
from core.followup import Standalone
from core.judging import Case, Judged, judged, scores_of, shown_in
from core.plan import Style
from core.planner import default_plan
from core.render import render
from core.text import Untrusted, language_of
from core.turn import Spent, TurnRecord
from tests.core.test_result import NOON


def citation(quote: str, document: str = "leave.md") -> Citation:
    """Return a citation of the words."""
    return Citation(Source(document, "Leave"), Span(0, len(quote)), "leave.md#1", Untrusted(quote), Place())


def answer(*claims: str, document: str = "leave.md", **known: Any) -> Answer:
    """Return an answer of these claims, each proven by its own words; of none, a refusal."""
    made = tuple(Claim(text, (citation(text, document),), "quoted") for text in claims)
    return replace(Answer(made, language_of(" ".join(claims) or "none"), is_refusal=not claims), **known)


def outcome(case: dict[str, Any], given: Answer, **record: Any) -> Judged:
    """Return what the answer to the case is worth."""
    asked = Case.model_validate({"id": "1", "question": "How many days?"} | case)
    question = Question("q", "console", "t", asked.question, "U1", Audience("local"), NOON)
    known = TurnRecord(
        question=question,
        decision=Standalone(asked.question, ""),
        plan=default_plan(asked.question),
        planned_by="default",
        payload=FactsPayload(runs=(ToolRun("document_search", {}, 1),)),
        answer=given,
        reply=render(given, Style.BULLETS),
        seconds=0.25,
        finished_at=NOON,
    )
    return judged(asked, replace(known, **record), 0)


@pytest.mark.parametrize(
    ("case", "claims", "expected"),
    [
        ({"must_contain": ["27 working days"]}, ["You get 27 Working Days"], "right"),
        ({"must_contain": ["27", "31 March"]}, ["You get 27 days"], "partial"),
        ({"must_contain": ["27"]}, ["Ask for it two weeks ahead"], "wrong"),
        ({"must_contain": ["27"]}, [], "missed"),
        ({"must_contain": ["28 календарных дней"]}, ["Положено 28 Календарных дней"], "right"),
        ({"must_contain": ["ещё раз"]}, ["Подать еще раз"], "right"),
        ({"answerable": False}, [], "refused"),
        ({"answerable": False}, ["You get 27 days"], "invented"),
        ({"items": ["один", "два", "три"]}, ["один", "три"], "partial"),
        ({"items": ["один", "два", "три"], "limit": 2}, ["один", "три"], "right"),
    ],
)
def test_the_outcome_of_an_answer(case: dict[str, Any], claims: list[str], expected: str) -> None:
    """What is shown counts, by words, in either language; a refusal is right only where there is no answer."""
    assert expected == outcome(case, answer(*claims)).outcome


def test_a_list_is_as_complete_as_the_items_shown() -> None:
    """Two of three are two thirds, and more than the limit cannot be asked of one answer."""
    case = {"items": ["alpha", "beta", "gamma"]}

    assert 2 / 3 == outcome(case, answer("alpha", "gamma")).complete
    assert 1.0 == outcome(case | {"limit": 2}, answer("alpha", "gamma")).complete
    assert outcome({"must_contain": ["alpha"]}, answer("alpha")).complete is None


def test_words_in_the_evidence_count_as_shown() -> None:
    """A paraphrase is right when the quote under it holds the words."""
    claim = Claim("Roughly four weeks", (citation("27 working days"),), "supported")
    given = Answer((claim,), "en")

    assert "right" == outcome({"must_contain": ["27 working days"]}, given).outcome


@pytest.mark.parametrize(
    ("claim", "residue"),
    [
        ("See [1] for more", "a source marker"),
        ("It came from document_search", "the internal name document_search"),
        ("Ищите в document_search", "the internal name document_search"),
        ("27 days", None),
    ],
)
def test_what_is_technical_is_named(claim: str, residue: str | None) -> None:
    """A marker, or a name of our own, is nothing for a reader (R-16)."""
    assert residue == outcome({}, answer(claim)).residue


def test_words_nobody_may_be_shown_are_named() -> None:
    """An injection that was obeyed is found in the answer and in its evidence."""
    found = outcome({"must_not_contain": ["PWNED", "evil.example"]}, answer("you are pwned"))

    assert ("PWNED",) == found.obeyed


def test_scores_are_shares_of_what_can_be_counted() -> None:
    """Answerable and unanswerable questions count apart; precision and recall are of documents."""
    wanted = {"must_contain": ["27"], "documents": ["leave.md", "faq.md"]}
    scores = scores_of(
        [
            outcome(wanted, answer("27 days"), spent=Spent(2, 30, 0.25)),
            outcome(wanted, answer("27 days", document="old.md"), spent=Spent(4, 10, 0.5)),
            outcome(wanted, answer()),
            outcome({"answerable": False}, answer()),
            outcome({"answerable": False}, answer("27"), seconds=4.0),
        ]
    )

    assert (2 / 3, 0.5) == (scores.right, scores.refused)
    assert (0.5, 0.25) == (scores.precision, scores.recall)
    assert (6 / 5, 40, 0.75) == (scores.calls, scores.tokens, scores.cost)
    assert (0.25, 4.0) == (scores.p50, scores.p95)
    assert {"right": 2, "missed": 1, "refused": 1, "invented": 1} == {k: v for k, v in scores.outcomes.items() if v}


def test_how_the_drafts_cited_is_added_up() -> None:
    """Over all questions, and not as a mean of shares: a long answer counts for more."""
    drafts = [Citing(4, 3, 5, 3, 1), Citing(1, 1, 1, 1)]
    results = [outcome({}, replace(answer("27"), citing=citing)) for citing in drafts]

    assert Citing(5, 4, 6, 4, 1) == scores_of(results).citing


def test_claims_without_a_citation_are_counted() -> None:
    """A claim that nothing proves is a defect, however right it sounds."""
    assert 1 == outcome({}, Answer((Claim("27 days", (), "supported"),), "en")).bare


def test_every_citation_is_shown_once() -> None:
    """Those of the claims, then the nearest things of a refusal."""
    one, other = citation("27"), citation("31 March")

    claims = (Claim("a", (one,), "quoted"), Claim("b", (one,), "quoted"))
    assert (one, other) == shown_in(Answer(claims, "en", nearest=(other,)))
