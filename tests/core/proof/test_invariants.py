"""What holds of every claim and every text, whatever they say."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.verification import cases_of, context_of
from core.answer import Citing, Draft, DraftClaim, Pointer
from core.checks import fault_of
from core.facts import Fact, Source, Span
from core.proof.backing import Backing
from core.proof.quotes import find_quote
from core.proof.words import read
from core.text import Untrusted
from core.verify import verify
from tests.core.scenes import ENGLISH, context, drafted, judged

CASES = cases_of("all")
SOME = CASES[::9]
ANYTHING = st.text(
    st.sampled_from(list("не нет no not and и, . 0123456789 €$%–-«»\"'@:/ aAбБ\n\u00ad\u0301½№"))
    | st.characters(codec="utf-8"),
    max_size=80,
)


@given(ANYTHING, ANYTHING, ANYTHING, ANYTHING)
@settings(derandomize=True, max_examples=300, deadline=None)
def test_no_text_breaks_verification(claim: str, quote: str, around: str, question: str) -> None:
    """Whatever stands in a claim, a document, a heading or a question: there is a verdict."""
    fault = fault_of(claim, Backing(quote, around, question))

    assert fault is None or fault


@given(st.lists(ANYTHING.filter(lambda line: "\n" not in line), max_size=4))
@settings(derandomize=True, max_examples=200, deadline=None)
def test_a_line_is_read_alike_alone_and_among_others(lines: list[str]) -> None:
    """Lines under each other have the words that each of them has, each at its place."""
    whole = read("\n".join(lines))

    assert [word.text for line in lines for word in read(line).words] == [word.text for word in whole.words]
    assert all(word.text == whole.text[word.start : word.end] for word in whole.words if "'" not in whole.text)
    assert list(whole.words) == sorted(whole.words, key=lambda word: (word.start, word.clause, word.sentence))


ENDLESS = [
    "1" * 6_000,
    "May " + "1" * 6_000,
    "1" + ",000" * 2_000,
    "9 million billion " * 30,
    "12:" + "3" * 6_000,
    "twenty " * 500,
]


@pytest.mark.parametrize("text", ENDLESS, ids=lambda text: repr(text[:12]))
def test_endless_numbers_are_only_numbers(text: str) -> None:
    """A number too long to be one is judged like any other text."""
    fault = fault_of(text, Backing("5 days", "", text))

    assert fault


@pytest.mark.parametrize("case", SOME, ids=lambda case: case["id"])
def test_a_claim_that_is_its_quote_always_holds(case: dict[str, str]) -> None:
    """What the document says word for word is not refused, in capitals or without its full stop either."""
    for claim in (case["quote"], case["quote"].upper(), case["quote"].rstrip(".")):
        draft = Draft((DraftClaim(claim, (Pointer(1, case["quote"]),)),))

        assert () == verify(draft, context_of([case]), last=False).rejected


@pytest.mark.parametrize("case", SOME, ids=lambda case: case["id"])
def test_without_the_cited_fact_the_claim_is_gone(case: dict[str, dict[str, str]]) -> None:
    """A claim lives by its evidence: other facts in the place of the cited one do not carry it."""
    others = context_of([other for other in CASES if other is not case and other["lang"] == case["lang"]][:40])
    for claim in case["good"].values():
        draft = Draft((DraftClaim(claim, tuple(Pointer(n, str(case["quote"])) for n in range(1, 41))),))

        assert () == verify(draft, others).claims


def test_the_order_of_claims_changes_no_verdict() -> None:
    """Each claim is judged by itself."""
    cases = CASES[:12]
    claims = [
        DraftClaim(error, (Pointer(n, case["quote"]),))
        for n, case in enumerate(cases, 1)
        for _, error in case["planted"][:2]
    ]
    claims += [DraftClaim(case["good"]["free"], (Pointer(n, case["quote"]),)) for n, case in enumerate(cases, 1)]

    one = verify(Draft(tuple(claims)), context_of(cases), last=False)
    other = verify(Draft(tuple(reversed(claims))), context_of(cases), last=False)

    assert set(one.rejected) == set(other.rejected)
    assert {claim.text for claim in one.claims} == {claim.text for claim in other.claims}


STORED = st.text(st.sampled_from(list("abcЖжйё09.,;«»“”'–- \n\t\u00a0\u00ad\u200b…ﬁ•*")), min_size=2, max_size=120)


@given(STORED, st.data())
@settings(derandomize=True, max_examples=1_000, deadline=None)
def test_a_shown_quote_is_what_stands_at_its_offsets(text: str, data: st.DataObject) -> None:
    """Every citation reads exactly what the document holds at its span, however the quote was copied.

    Ten of the stretches of each text are tried, ten thousand in all.
    """
    shift = data.draw(st.integers(0, 1_000))
    fact = Fact(Untrusted(text), Source("a", "A"), Span(shift, shift + len(text)), "a-0")
    document = "·" * shift + text
    for _ in range(10):
        start = data.draw(st.integers(0, len(text) - 1))
        quote = text[start : data.draw(st.integers(start, len(text)))].replace("«", '"').replace("\n", " ")
        answer = verify(Draft((DraftClaim("x", (Pointer(1, quote),), verbatim=True),)), context(fact))
        for claim in answer.claims:
            for citation in claim.citations:
                assert citation.quote == document[citation.span.start : citation.span.end]


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        ("team meals; books", "We pay:\n- team meals;\n- books", "team meals;\n- books"),
        ("1. ask\n2. wait", "We say:\nask\nwait", "ask\nwait"),
        ("• обеды\n• книги", "Платим:\nобеды\nкниги", "обеды\nкниги"),
        ("обеды книги", "* обеды\n* книги", "обеды\n* книги"),
    ],
)
def test_the_signs_of_a_list_do_not_matter(quote: str, text: str, expected: str) -> None:
    """A list may be copied with its markers, with others or without."""
    found = find_quote(quote, text)

    assert expected == (found and found.within(text))


def test_a_quote_does_not_run_across_facts() -> None:
    """The end of one fact and the beginning of the next are no quote."""
    first, second = ENGLISH[0], ENGLISH[1]
    quote = f"{first.text[-20:]} {second.text[:20]}"

    assert () == verify(Draft((DraftClaim("A year at most.", (Pointer(1, quote),)),)), context(first, second)).claims


def test_a_citation_too_many_is_left_out() -> None:
    """A quote that proves nothing of the claim is not shown beside the one that proves it."""
    wanted = drafted(
        "Carried days lapse on 31 March.", "lapse on 31 March", "Attach a receipt for every item above €15"
    )

    [claim] = judged(wanted).claims

    assert ["At most 5 days may be carried into the next year, and they lapse on 31 March."] == [
        citation.quote for citation in claim.citations
    ]


def test_two_citations_that_only_together_prove_a_claim_stay() -> None:
    """A claim that takes from two documents cites both."""
    text = "Carried days lapse on 31 March, and fines and parking tickets are not paid."

    [claim] = judged(drafted(text, "lapse on 31 March", "fines and parking tickets")).claims

    assert 2 == len(claim.citations)


def test_how_a_draft_cites_is_counted() -> None:
    """Recall is the share of claims that their citations prove; pointers that dangle or are spare lower precision."""
    good = drafted("Carried days lapse on 31 March.", "lapse on 31 March", "Attach a receipt for every item").claims[0]
    dangling = replace(good, text="Дни сгорают 31 марта.", evidence=(Pointer(99, "31 марта"),))

    citing = judged(Draft((good, dangling))).citing

    assert Citing(claims=2, supported=1, pointers=3, needed=1, dangling=1) == citing
    assert (0.5, 1 / 3) == (citing.recall, citing.precision)
    assert (1.0, 1.0) == (Citing().recall, Citing().precision)
    assert Citing() == judged(Draft()).citing
