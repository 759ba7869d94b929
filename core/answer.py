"""What is claimed and on what evidence: drafts come in, verified answers go out."""

from dataclasses import dataclass, field
from typing import Literal

from core.facts import Link, Place, Source, Span
from core.outward import told
from core.text import Language, Untrusted

Level = Literal["high", "medium", "low"]
Flag = Literal["no_context", "pii_referenced", "confidential", "uncertain"]


@dataclass(frozen=True, slots=True)
class Pointer:
    """A draft's reference: the number of a fact and the words it takes from it."""

    fact: int
    quote: str


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """One statement as it was drafted. `verbatim`: the document's own words; `columns`: it is a table row of these."""

    text: str
    evidence: tuple[Pointer, ...]
    group: str | None = None
    verbatim: bool = False
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Abstain:
    """The facts do not hold the answer; `nearest` are the facts to offer instead."""

    nearest: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """What the answer model, or the quoting mode, proposes. `remaining`: items found beyond the limit.

    `failure`: why no model wrote it, though one was asked. `told`: what was proven and told while it was written.
    `unread`: how many of the facts the model was not shown, because its window does not hold them. `again`: it is the
    second that was asked for.
    """

    claims: tuple[DraftClaim, ...] = ()
    lead: str | None = None
    abstain: Abstain | None = None
    remaining: int = 0
    model: str = "quotes"
    failure: str | None = None
    told: "tuple[Claim, ...]" = ()
    unread: int = 0
    again: bool = False


@dataclass(frozen=True, slots=True)
class Citation:
    """A claim's evidence: words that stand at this span of this document. Made by `verify` alone.

    `is_code`: by the document's structure they are code, to be shown as it stands. `links`: those in the words that
    lead out of the documents. `columns`: they are a table row of these.
    """

    source: Source
    span: Span
    chunk_id: str
    quote: Untrusted
    place: Place
    is_code: bool = field(default=False, compare=False)
    links: tuple[Link, ...] = field(default=(), compare=False)
    columns: tuple[Untrusted, ...] = field(default=(), compare=False)

    @property
    def leads(self) -> tuple[tuple[str, str], ...]:
        """The words of each link in the quote, and the address behind them."""
        return told((link, self._on(link)) for link in self.links)

    def _on(self, link: Link) -> Untrusted:
        start = max(link.span.start - self.span.start, 0)
        return Untrusted(self.quote[start : link.span.end - self.span.start])


Verdict = Literal["supported", "quoted"]


@dataclass(frozen=True, slots=True)
class Claim:
    """One verified statement: its own words, or (`quoted`) the document's."""

    text: str
    citations: tuple[Citation, ...]
    verdict: Verdict
    group: str | None = None
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a drafted claim was not kept, in words for the repair call and for the audit."""

    claim: str
    reason: str


@dataclass(frozen=True, slots=True)
class Citing:
    """How a draft cited, after ALCE (arXiv 2305.14627), spans as the unit and pointers that lead nowhere counted.

    `claims` drafted in words of their own and how many are `supported`; `pointers` drafted, and how many of them are
    `needed` for a claim that holds, or `dangling`: no fact has the number, or not these words.
    """

    claims: int = 0
    supported: int = 0
    pointers: int = 0
    needed: int = 0
    dangling: int = 0

    def __add__(self, other: "Citing") -> "Citing":
        """Return how two drafts cited, taken together."""
        return Citing(
            self.claims + other.claims,
            self.supported + other.supported,
            self.pointers + other.pointers,
            self.needed + other.needed,
            self.dangling + other.dangling,
        )

    @property
    def recall(self) -> float:
        """Return the share of the claims whose citations together prove them; 1 when there are none."""
        return self.supported / self.claims if self.claims else 1.0

    @property
    def precision(self) -> float:
        """Return the share of the pointers that a claim needs; 1 when there are none."""
        return self.needed / self.pointers if self.pointers else 1.0


@dataclass(frozen=True, slots=True)
class Answer:
    """Verified claims, ready for policy and rendering. `nearest` is offered when it is a refusal.

    `older`: what an older version of a cited page says otherwise. `not_entailed`: claims that the rules let through and
    an entailment model refused. `beside`: statements that hold and were left out, as they answer another question.
    `over`: how many more hold and answer than the plan lets be told. `unread`: facts that the model was not shown.
    """

    claims: tuple[Claim, ...]
    language: Language
    lead: str | None = None
    is_refusal: bool = False
    nearest: tuple[Citation, ...] = ()
    older: tuple[Citation, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    remaining: int = 0
    confidence: float = 0.0
    level: Level = "low"
    flags: frozenset[Flag] = frozenset()
    model: str = "quotes"
    notice: str | None = None
    problem: str | None = None
    citing: Citing = Citing()
    not_entailed: int = 0
    beside: tuple[str, ...] = ()
    over: int = 0
    unread: int = 0
