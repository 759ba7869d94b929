"""Edges that a model proposes: what it is asked for a chunk, what it may say, and the check that lets an edge in.

The text is untrusted and so is the reply. A page that tells the model to propose something gains nothing: an edge
enters only with a quote that stands in that very chunk, in which both its ends stand, and it is cited to that page.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.entities import resolve_entities
from core.errors import BadModelOutput
from core.facts import Span
from core.ingest.chunk import Chunk, chunks_of
from core.ingest.document import Document, Proposal
from core.ingest.edges import Edge, Known, Relation
from core.ports import ModelRequest
from core.prompts import proposal_system, proposal_user
from core.proof.quotes import find_quote
from core.text import normalise, words

# Part of what stored replies are known by: a new number asks every chunk again.
PROMPT_VERSION = "1"
# The label of an edge that a model proposed.
PROPOSED = "proposed by a model"
# Edges of one chunk, and characters of a name and of a quote.
_MOST, _NAME, _QUOTE = 12, 120, 400
_TOKENS = 900


class _Edge(BaseModel):
    model_config = ConfigDict(extra="forbid")
    subject: str = Field(max_length=_NAME)
    relation: str = Field(max_length=60)
    object: str = Field(max_length=_NAME)
    quote: str = Field(max_length=_QUOTE)


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")
    edges: list[_Edge] = Field(max_length=_MOST)


class ProposalStore(Protocol):
    """What models replied, by chunk and by who was asked what; everything raises StorageError."""

    async def known(self, asker: str, doc_ids: Sequence[str]) -> Mapping[str, tuple[Proposal, ...]]:
        """Return the replies for chunks of these documents, by the ids of the chunks."""

    async def keep(self, asker: str, doc_id: str, replies: Mapping[str, Sequence[Proposal]]) -> None:
        """Store the replies for chunks of a document."""

    async def forget(self) -> None:
        """Forget the replies for documents that no generation holds any more."""


def asker_of(models: Sequence[str], relations: Sequence[Relation]) -> str:
    """Return what replies depend on besides the chunk: the models, the declared relations, the prompt."""
    return sha256(repr((PROMPT_VERSION, tuple(models), tuple(relations))).encode()).hexdigest()[:24]


def proposal_request(document: Document, chunk: Chunk, relations: Sequence[Relation], marker: str) -> ModelRequest:
    """Return the question for one chunk; `marker` is new for each request."""
    text = document.text[chunk.start : chunk.end]
    return ModelRequest(
        role="planner",
        system=proposal_system([(one.name, one.source, one.target) for one in relations]),
        user=proposal_user(document.title, chunk.headings, text, marker),
        schema=_schema(relations),
        max_tokens=_TOKENS,
        name="Edges",
    )


def _schema(relations: Sequence[Relation]) -> dict[str, Any]:
    edge = {
        "subject": {"type": "string", "maxLength": _NAME},
        "relation": {"type": "string", "enum": [one.name for one in relations]},
        "object": {"type": "string", "maxLength": _NAME},
        "quote": {"type": "string", "maxLength": _QUOTE},
    }
    item = {"type": "object", "properties": edge, "required": list(edge), "additionalProperties": False}
    edges = {"type": "array", "items": item, "maxItems": _MOST}
    return {"type": "object", "properties": {"edges": edges}, "required": ["edges"], "additionalProperties": False}


def proposals_in(reply: str) -> tuple[Proposal, ...]:
    """Return what the model proposes, unchecked. Raises BadModelOutput when it is not in the asked form."""
    try:
        read = _Reply.model_validate_json(reply)
    except ValidationError as error:
        raise BadModelOutput(f"the proposed edges are not in the asked form ({error.error_count()} faults)") from error
    return tuple(Proposal(one.subject, one.relation, one.object, one.quote) for one in read.edges)


def with_proposals(document: Document, replies: Mapping[str, Sequence[Proposal]]) -> Document:
    """Return the document with the replies for its chunks, by the chunks' ids, each in its chunk's place."""
    found = tuple(
        replace(one, within=Span(chunk.start, chunk.end))
        for chunk in chunks_of(document)
        for one in replies.get(chunk.id, ())
    )
    return replace(document, proposals=found)


def proposed_edges(document: Document, known: Known) -> Iterator[Edge]:
    """Yield an edge for each of the document's proposals that proves true; the others are passed over.

    Its quote stands in the chunk, in one block, but for how it is written; the relation is declared; both ends stand
    in the quote, as names that are known or in these words; and they are of the kinds that the relation declares.
    """
    relations = {relation.name: relation for relation in known.relations}
    for proposal in document.proposals:
        relation = relations.get(proposal.relation)
        place = _place(proposal, document) if relation else None
        if relation and place:
            yield from _edge(proposal, relation, document, known, place)


def _place(proposal: Proposal, document: Document) -> tuple[int, Span] | None:
    """Return the block that the quote stands in, and where it stands there."""
    within = proposal.within
    found = find_quote(proposal.quote, within.within(document.text)) if within else None
    if found is None or within is None:
        return None
    span = Span(within.start + found.start, within.start + found.end)
    block = next((n for n, one in enumerate(document.blocks) if one.span.contains(span)), None)
    return None if block is None or document.blocks[block].kind == "heading" else (block, span)


def _edge(
    proposal: Proposal, relation: Relation, document: Document, known: Known, place: tuple[int, Span]
) -> Iterator[Edge]:
    n, span = place
    block = document.blocks[n]
    around = resolve_entities(block.span.within(document.text), known.registry, typos=False)
    named = {one.entity.id for one in around if span.contains(Span(block.start + one.start, block.start + one.end))}
    quote = span.within(document.text)
    source, target = (_end(name, quote, named, known) for name in (proposal.subject, proposal.object))
    if source is None or target is None or source == target:
        return
    if _is_of(source, relation.source, known, named=True) and _is_of(target, relation.target, known, named=False):
        yield Edge(relation.name, source, target, document.id, n, span, PROPOSED, block.headings)


def _end(name: str, quote: str, named: Collection[str], known: Known) -> str | None:
    """Return the entity so called, if it is `named` in the quote, else the words as they stand in it; or None."""
    entity = known.named(name)
    if entity:
        return entity if entity in named else None
    wanted, said = words(normalise(name)), words(normalise(quote))
    stands = bool(wanted) and any(said[n : n + len(wanted)] == wanted for n in range(len(said)))
    return " ".join(name.split()) if stands else None


def _is_of(end: str, kind: str, known: Known, *, named: bool) -> bool:
    """Return whether the end is of the kind; words have none, and will do unless it must be something `named`."""
    entity = known.registry.entities.get(end)
    return not kind or (entity.type == kind if entity else not named)
