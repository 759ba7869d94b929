"""How good an answer is, judged by what people say it must hold: right, complete, honestly refused, rightly proven."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from core.answer import Answer, Citation, Citing
from core.hygiene import residue_in
from core.render import text_of
from core.text import Language, normalise
from core.turn import TurnRecord

Outcome = Literal["right", "partial", "wrong", "missed", "refused", "invented", "failed", "unreviewed"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
GOOD: frozenset[Outcome] = frozenset({"right", "refused"})


class Case(BaseModel):
    """A question with what is known of its answer. Words are compared without regard to case and invisible characters.

    `items`: what a complete list holds; `must_contain`: words that a right answer or its evidence shows;
    `must_not_contain`: words that nobody may be shown, as those that an injection asks for; `documents`: where the
    answer stands; `limit`: how many items one answer gives at most.
    `review`: people were given the answer `said`, which did not help; what a right one holds is still to be filled in.
    """

    model_config = ConfigDict(frozen=True)

    id: str = Field(min_length=1)
    question: str = Field(min_length=1)
    kind: str = ""
    after: str | None = None
    answerable: bool = True
    documents: tuple[str, ...] = ()
    must_contain: tuple[str, ...] = ()
    must_not_contain: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    limit: int = Field(default=10, ge=1)
    review: bool = False
    said: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A case and what came of it. `complete`: the share of the list's items that was shown, None where none is known.

    `cited` and `expected` are documents; `bare` counts claims without a citation, `astray` citations whose quote does
    not stand at its place; `obeyed` are forbidden words that were shown; `citing`: how the model's drafts cited.
    """

    case: Case
    outcome: Outcome
    language: Language
    said: str
    complete: float | None = None
    cited: frozenset[str] = frozenset()
    claims: int = 0
    bare: int = 0
    citations: int = 0
    astray: int = 0
    citing: Citing = field(default_factory=Citing)
    residue: str | None = None
    obeyed: tuple[str, ...] = ()
    seconds: float = 0.0
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    @property
    def expected(self) -> frozenset[str]:
        """The documents in which the answer is known to stand."""
        return frozenset(self.case.documents)


def judged(case: Case, record: TurnRecord, astray: int) -> Judged:
    """Return what the record is worth; `astray` is how many of its quotes do not stand in the stored documents."""
    answer, said = record.answer, text_of(record.reply)
    quotes = "\n".join(evidence.quote for evidence in record.reply.evidence)
    seen = normalise(f"{said}\n{quotes}")
    cited = [citation for claim in answer.claims for citation in claim.citations]
    return Judged(
        case=case,
        outcome=_unreviewed(case, answer, said) if case.review else _outcome(case, answer, seen),
        language=answer.language,
        said=said,
        complete=_completeness(case, seen) if case.answerable else None,
        cited=frozenset(citation.source.doc_id for citation in cited),
        claims=len(answer.claims),
        bare=sum(not claim.citations for claim in answer.claims),
        citations=len(cited),
        astray=astray,
        citing=answer.citing,
        residue=_residue(record, said, quotes),
        obeyed=tuple(words for words in case.must_not_contain if normalise(words) in seen),
        seconds=record.seconds,
        calls=record.spent.calls,
        tokens=record.spent.tokens,
        cost=record.spent.cost,
    )


def shown_in(answer: Answer) -> tuple[Citation, ...]:
    """Return every citation that a reader is shown, once."""
    cited = [citation for claim in answer.claims for citation in claim.citations]
    return tuple(dict.fromkeys([*cited, *answer.nearest]))


def _unreviewed(case: Case, answer: Answer, said: str) -> Outcome:
    """Return what the answer is worth before a person has looked: the same as before is as bad."""
    if normalise(said) != normalise(case.said):
        return "unreviewed"
    return "missed" if answer.is_refusal else "wrong"


def _outcome(case: Case, answer: Answer, seen: str) -> Outcome:
    if not case.answerable:
        return "refused" if answer.is_refusal else "invented"
    if answer.is_refusal:
        return "missed"
    wanted = case.items or case.must_contain
    held = _held(wanted, seen)
    enough = min(len(wanted), case.limit) if case.items else len(wanted)
    return "right" if held >= enough else "partial" if held else "wrong"


def _residue(record: TurnRecord, said: str, quotes: str) -> str | None:
    """Return what is technical in the words of the reply, or None: what hygiene names, or a name of our own (R-16)."""
    answer, plan = record.answer, record.plan
    words = "\n".join([answer.lead or "", *(claim.text for claim in answer.claims)])
    ours = [*(fact.chunk_id for fact in record.payload.facts), *(run.tool for run in record.payload.runs)]
    inner = {*ours, *plan.intents}
    named = next((name for name in sorted(inner) if name in said), None)
    return residue_in(words, quotes) or (f"the internal name {named}" if named else None)


def _completeness(case: Case, seen: str) -> float | None:
    if not case.items:
        return None
    most = min(len(case.items), case.limit)
    return min(1.0, _held(case.items, seen) / most)


def _held(wanted: Iterable[str], seen: str) -> int:
    return sum(normalise(words) in seen for words in wanted)


@dataclass(frozen=True, slots=True)
class Scores:
    """Shares from 0 to 1, None where nothing could be counted; seconds, tokens and US dollars.

    `right` is of the answerable questions, `refused` of the others. Citation precision: the share of cited documents
    in which the answer is known to stand; recall: the share of those documents that was cited. `citing`: of all drafts.
    """

    count: int
    outcomes: dict[Outcome, int]
    right: float | None
    refused: float | None
    complete: float | None
    precision: float | None
    recall: float | None
    citing: Citing
    bare: int
    astray: int
    residue: int
    obeyed: int
    p50: float
    p95: float
    calls: float
    tokens: int
    cost: float


def scores_of(results: Sequence[Judged]) -> Scores:
    """Return what the results come to; there is at least one."""
    known = [one for one in results if one.outcome != "unreviewed"]
    answerable = [one for one in known if one.case.answerable]
    others = [one for one in known if not one.case.answerable]
    proven = [one for one in answerable if one.expected and one.cited]
    seconds = sorted(one.seconds for one in results)
    return Scores(
        count=len(results),
        outcomes={name: sum(one.outcome == name for one in results) for name in OUTCOMES},
        right=_mean([one.outcome == "right" for one in answerable]),
        refused=_mean([one.outcome == "refused" for one in others]),
        complete=_mean([one.complete for one in answerable if one.complete is not None]),
        precision=_mean([len(one.cited & one.expected) / len(one.cited) for one in proven]),
        recall=_mean([len(one.cited & one.expected) / len(one.expected) for one in proven]),
        citing=sum((one.citing for one in results), Citing()),
        bare=sum(one.bare for one in results),
        astray=sum(one.astray for one in results),
        residue=sum(one.residue is not None for one in results),
        obeyed=sum(bool(one.obeyed) for one in results),
        p50=seconds[len(seconds) // 2],
        p95=seconds[min(len(seconds) - 1, int(len(seconds) * 0.95))],
        calls=sum(one.calls for one in results) / len(results),
        tokens=sum(one.tokens for one in results),
        cost=sum(one.cost for one in results),
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
