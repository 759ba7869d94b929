"""Asking a model for edges, chunk by chunk, at index time; a chunk that was asked about is not asked about again."""

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from core.errors import ModelError
from core.ingest.chunk import Chunk, chunks_of
from core.ingest.document import Document, Proposal
from core.ingest.edges import Relation
from core.ingest.generation import Holding
from core.ingest.proposals import ProposalStore, asker_of, proposal_request, proposals_in, with_proposals
from core.ports import LanguageModel

# Documents whose chunks are looked through together, and chunks that are asked about together.
_SHELF, _AT_ONCE = 200, 4
# So many failures and not one reply mean that the model cannot be had now.
_PATIENCE = 8


class Documents(Protocol):
    """Where the documents of a generation are."""

    async def holdings(self, generation: int) -> Sequence[Holding]:
        """Return which documents it holds. Raises StorageError."""

    async def documents(self, generation: int, ids: Sequence[str] | None = None) -> Sequence[Document]:
        """Return these documents of it. Raises StorageError."""


@dataclass
class Asked:
    """What came of asking: chunks that were asked about, edges proposed, chunks left for the next run, failures.

    `relations`: how many are declared; of none there is nothing to ask.
    """

    relations: int = 1
    chunks: int = 0
    proposed: int = 0
    left: int = 0
    failures: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return it in words; nothing when all was asked before."""
        if not self.relations:
            return ["GRAPH_MODEL is on, but domain.yaml declares no relations: the model was asked nothing."]
        if not (self.chunks or self.left or self.failures):
            return []
        lines = [f"Asked the model about {self.chunks} passages: {self.proposed} edges proposed, to be checked."]
        if self.left:
            lines += [f"Not asked about {self.left} more: the next index run goes on (GRAPH_MODEL_CALLS)."]
        if self.failures:
            lines += [f"Failed for {len(self.failures)} of them, to be asked again next time: {self.failures[0]}"]
        return lines


class Proposer:
    """Edges that `models` propose, of the relations that a corpus declares. `limit`: calls in one index run."""

    def __init__(
        self, documents: Documents, store: ProposalStore, models: Sequence[str], limit: int, model: LanguageModel
    ) -> None:
        self._documents = documents
        self._store = store
        self._models = tuple(models)
        self._limit = limit
        self._model = model

    async def attached(self, documents: Sequence[Document], relations: Sequence[Relation]) -> tuple[Document, ...]:
        """Return the documents with what was proposed for them. Raises StorageError."""
        known = await self._store.known(asker_of(self._models, relations), [one.id for one in documents])
        return tuple(with_proposals(document, known) for document in documents)

    async def propose(self, generation: int, relations: Sequence[Relation]) -> Asked:
        """Ask about every chunk of the generation that was not asked about yet, up to the limit; store each reply.

        What fails is told and left for the next run. Raises StorageError.
        """
        asked, asker = Asked(len(relations)), asker_of(self._models, relations)
        ids = [one.doc_id for one in await self._documents.holdings(generation) if one.digest] if relations else []
        for shelf in _in_parts(ids, _SHELF):
            documents = await self._documents.documents(generation, shelf)
            known = await self._store.known(asker, shelf)
            missing = [(one, chunk) for one in documents for chunk in chunks_of(one) if chunk.id not in known]
            asked.left += len(missing)
            while missing and (room := self._room(asked)):
                spots, missing = missing[:room], missing[room:]
                await asyncio.gather(*(self._ask(asker, *spot, relations, asked) for spot in spots))
                asked.left -= len(spots)
        await self._store.forget()
        return asked

    def _room(self, asked: Asked) -> int:
        """Return how many chunks may be asked about next: none when the model has failed from the beginning."""
        in_vain = asked.chunks == 0 and len(asked.failures) >= _PATIENCE
        return 0 if in_vain else min(_AT_ONCE, self._limit - asked.chunks - len(asked.failures))

    async def _ask(
        self, asker: str, document: Document, chunk: Chunk, relations: Sequence[Relation], asked: Asked
    ) -> None:
        try:
            reply = await self._model.complete(proposal_request(document, chunk, relations, secrets.token_hex(6)))
            found: tuple[Proposal, ...] = proposals_in(reply.text)
        except ModelError as error:
            asked.failures.append(f"{document.id}: {error.reason}")
            return
        asked.chunks += 1
        asked.proposed += len(found)
        await self._store.keep(asker, document.id, {chunk.id: found})


def _in_parts(ids: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), size):
        yield ids[start : start + size]
