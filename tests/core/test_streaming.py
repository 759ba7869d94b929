"""Claims proven while a model is still writing: whatever it writes, what is told is proven, and stays."""

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.answer import Answer, Claim
from core.context import AnswerContext
from core.errors import ModelError
from core.outside import Ports
from core.pipeline import draft_answer, verify_answer
from core.streaming import ClaimReader
from core.telling import Checking, Proven, Reading, Step
from core.verify import claim_key
from tests.core.scenes import ENGLISH, RUSSIAN, context, holding
from tests.core.test_pipeline import ports
from tests.doubles.models import WritingModel

_QUIETLY = settings(max_examples=60, deadline=None, derandomize=True)
# Everything that JSON must escape, or may: quotes, backslashes, braces, Cyrillic, what is two units in UTF-16.
_WORDS = st.text(st.sampled_from('ab яЁ"\\/{}[],:\n\t\u0001😀𝄞\u2028'), max_size=12)
_CLAIMS = st.lists(
    st.fixed_dictionaries(
        {
            "evidence": st.lists(st.fixed_dictionaries({"fact": st.integers(1, 9), "quote": _WORDS}), max_size=2),
            "text": _WORDS,
            "group": st.none() | _WORDS,
        }
    ),
    max_size=5,
)
_SPLITS = st.lists(st.integers(0, 400), max_size=12)

TRUE = (
    ("A receipt is attached for every item above €15.", "Attach a receipt for every item above €15"),
    ("Claims are submitted within 60 days of the purchase.", "Submit a claim within 60 days of the purchase."),
    ("Hanneke Vroomans signs the gateway off on Tuesday.", "Hanneke Vroomans signs the gateway off on Tuesday."),
    ("Сотрудник получает 28 календарных дней отпуска в год.", "Сотрудник получает 28 календарных дней отпуска в год."),
    ("Больничный лист присылают в понедельник.", "Больничный лист присылают в понедельник."),
)
FALSE = (
    ("A receipt is attached for every item above €50.", "Attach a receipt for every item above €15"),
    ("Claims are submitted within 60 days.", "Submit a claim within 90 days of the purchase."),
    ("Сотрудник не получает 28 календарных дней отпуска.", "Сотрудник получает 28 календарных дней отпуска в год."),
    ("Больничный лист присылает Анна Ветрова.", "Больничный лист присылают в понедельник."),
)
EVERYTHING = context(*ENGLISH, *RUSSIAN)


def written(claims: Sequence[dict[str, Any]], *, ascii_only: bool = False, **more: Any) -> str:
    """Return a reply with these claims."""
    return json.dumps({"lead": None, "claims": claims, "abstain": False, "nearest": []} | more, ensure_ascii=ascii_only)


def claim(pair: tuple[str, str], group: str | None = None) -> dict[str, Any]:
    """Return a claim on a quote of the fact that it is from, or that it is said to be from."""
    text, quote = pair
    number = holding(quote) if any(quote in fact.text for fact in (*ENGLISH, *RUSSIAN)) else 1
    return {"evidence": [{"fact": number, "quote": quote}], "text": text, "group": group}


def read(pieces: Iterable[str]) -> list[str]:
    """Return the texts of the claims that are read as the pieces come in."""
    reader, sofar, found = ClaimReader(), "", []
    for piece in pieces:
        sofar += piece
        found += [one.text for one in reader.read(sofar)]
    return found


def split(text: str, places: Iterable[int]) -> list[str]:
    """Return the text in pieces."""
    ends = [0, *sorted(place for place in places if place < len(text)), len(text)]
    return [text[start:end] for start, end in pairwise(ends)]


@_QUIETLY
@given(claims=_CLAIMS, places=_SPLITS, ascii_only=st.booleans())
def test_any_split_of_a_reply_gives_its_claims(
    *, claims: list[dict[str, Any]], places: list[int], ascii_only: bool
) -> None:
    """Wherever a reply is torn, in a word, an escape or half of a character, its claims are read whole, once."""
    text = written(claims, ascii_only=ascii_only)

    assert [one["text"] for one in claims] == read(split(text, places)) == read(text)


@_QUIETLY
@given(claims=_CLAIMS, cut=st.integers(0, 300), junk=_WORDS, places=_SPLITS)
def test_a_broken_reply_gives_what_was_whole(
    claims: list[dict[str, Any]], cut: int, junk: str, places: list[int]
) -> None:
    """What breaks off or turns into something else gives the claims that were whole before, and never an error."""
    text = written(claims)
    found = read(split(text[:cut] + junk, places))

    assert len(read(text[:cut])) <= len(found)
    assert [one["text"] for one in claims][: len(read(text[:cut]))] == read(text[:cut])


def test_a_claim_is_read_as_soon_as_it_is_whole() -> None:
    """Not one character later than its last brace."""
    text = written([claim(TRUE[0]), claim(TRUE[3])])
    first = text.index("}", text.index('"group"')) + 1

    assert ([], [TRUE[0][0]]) == (read([text[: first - 1]]), read([text[:first]]))


def test_another_reply_is_read_from_its_beginning() -> None:
    """When a model is asked anew, or another one is, the first one's words are forgotten."""
    reader = ClaimReader()
    reader.read(written([claim(TRUE[0])]))
    found = reader.read(written([claim(TRUE[1]), claim(TRUE[2])]))

    assert [TRUE[1][0], TRUE[2][0]] == [one.text for one in found]


def test_a_reply_of_braces_is_not_read_for_ever() -> None:
    """Reading stays cheap: what comes behind more braces than an answer can have is not told early."""
    assert [] == read([written([claim(TRUE[0])]).replace("null", json.dumps("}" * 700), 1)])


async def answered(model: WritingModel, given_context: AnswerContext = EVERYTHING) -> tuple[list[Step], Answer]:
    """Return what is told of an answer, and the answer."""
    told: list[Step] = []
    outside: Ports = replace(ports(model=model), tell=told.append)
    draft = await draft_answer(given_context, outside)
    return told, await verify_answer(draft, given_context, outside)


def proven(told: Iterable[Step]) -> list[tuple[Claim, ...]]:
    """Return all that was told to be proven, state by state."""
    return [step.claims for step in told if isinstance(step, Proven)]


def stands_in(told: Sequence[Claim], answer: Answer) -> bool:
    """Return whether the answer holds what was told, in its order."""
    left = iter([claim_key(one) for one in answer.claims])
    return all(claim_key(one) in left for one in told)


_REPLIES = st.lists(
    st.tuples(st.sampled_from(TRUE + FALSE), st.sampled_from((None, "General rules", "Сроки", "Nowhere"))), max_size=6
)


@_QUIETLY
@given(first=_REPLIES, second=_REPLIES, abstains=st.booleans(), breaks=st.booleans(), cut=st.integers(0, 900))
def test_what_is_told_is_proven_and_stays(
    *, first: list[Any], second: list[Any], abstains: bool, breaks: bool, cut: int
) -> None:
    """Whatever a model writes, thinks better of or breaks off, all that was told is true and part of the answer."""
    reply = written([claim(*one) for one in first], abstain=abstains)
    again = written([claim(*one) for one in second])
    lines = [(reply[:cut], ModelError("gone"))] if breaks else [reply, again]
    told, answer = asyncio.run(answered(WritingModel(lines, size=11)))

    for state in proven(told):
        assert {one.text for one in state} <= {text for text, _ in TRUE}
        assert stands_in(state, answer)


async def test_each_claim_is_told_when_it_is_whole() -> None:
    """A reader sees the first claim while the second is still being written; a false one never."""
    told, answer = await answered(WritingModel([written([claim(TRUE[0]), claim(FALSE[0]), claim(TRUE[3])]), "{}"]))

    assert [1, 2] == [len(state) for state in proven(told)]
    assert [TRUE[0][0], TRUE[3][0]] == [one.text for one in answer.claims][:2]
    assert [Reading, Proven, Proven, Checking] == [type(step) for step in told]


async def test_a_model_that_breaks_off_leaves_what_it_had_proven() -> None:
    """The answer begins with what was told; the documents' own words follow, as without it."""
    begun = written([claim(TRUE[0]), claim(TRUE[1])])
    _, answer = await answered(WritingModel([(begun[:-40], ModelError("the connection broke"))]))

    assert TRUE[0][0] == answer.claims[0].text
    assert not answer.is_refusal
    assert answer.problem == "model: the connection broke"


async def test_a_model_that_abstains_after_all_takes_nothing_back() -> None:
    """What was proven is true, whatever the model thinks of it at the end."""
    told, answer = await answered(WritingModel([written([claim(TRUE[3])], abstain=True)]))

    assert [(TRUE[3][0],)] == [tuple(one.text for one in state) for state in proven(told)]
    assert ([TRUE[3][0]], False) == ([one.text for one in answer.claims], answer.is_refusal)


@pytest.mark.parametrize("listed", [True, False])
async def test_lists_that_the_structure_completes_come_as_a_whole(*, listed: bool) -> None:
    """Their order is known only with their last item, so nothing of them is told early."""
    facts = tuple(replace(fact, structural=listed) for fact in (*ENGLISH, *RUSSIAN))
    told, _ = await answered(WritingModel([written([claim(TRUE[0])])]), context(*facts, lists=True))

    assert (not listed) == bool(proven(told))


async def test_nobody_hears_a_model_that_nobody_listens_to() -> None:
    """Where nothing is told, a model is asked as ever."""
    model = WritingModel([written([claim(TRUE[0])])])
    await draft_answer(EVERYTHING, ports(model=model))

    assert [None] == [request.hear for request in model.requests]
