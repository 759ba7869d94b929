"""What `footnote inspect` shows, as plain data."""

from dataclasses import asdict
from typing import Any

from core.conclusion import conclusion
from core.ingest.chunk import passages_in
from core.ingest.generation import Generation
from core.ingest.portrait import Portrait
from core.standing import Candidate, Why


def document_data(one: Portrait, generation: Generation) -> dict[str, Any]:
    """Return all that the generation holds of a document."""
    known = one.document
    return {
        "document": {
            "id": known.id,
            "title": known.title,
            "kind": known.kind,
            "language": one.language,
            "updated": known.updated,
            "superseded": known.superseded,
            "replaced_by": known.replaced_by,
            "readers": sorted(known.readers),
            "labels": sorted(known.labels),
            "aliases": known.aliases,
            "fields": dict(known.fields),
            "link": known.link,
            "source": generation.make.source,
            "generation": generation.number,
        },
        "text": known.text,
        "chunks": [
            {
                "id": chunk.id,
                "headings": chunk.headings,
                "start": chunk.start,
                "end": chunk.end,
                "passages": [asdict(span) for span in passages_in(chunk, known)],
            }
            for chunk in one.chunks
        ],
        "entities": [
            {
                "id": named.entity.id,
                "name": named.entity.name,
                "type": named.entity.type,
                "words": named.words,
                "how": named.how,
                "confidence": named.confidence,
                "places": [asdict(span) for span in named.places],
            }
            for named in one.named
        ],
        "edges": [
            {
                "relation": tie.edge.relation,
                "source": tie.edge.source,
                "target": tie.edge.target,
                "subject": tie.subject,
                "object": tie.object,
                "label": tie.edge.label,
                "headings": tie.edge.headings,
                **asdict(tie.edge.span),
                "proof": tie.proof,
            }
            for tie in one.ties
        ],
        "links": [{"words": way.words, "target": way.target, "lost": way.lost, **asdict(way.span)} for way in one.ways],
    }


def why_data(why: Why) -> dict[str, Any]:
    """Return why the question finds what it finds, its conclusion first."""
    standing = why.standing
    return {
        "conclusion": conclusion(why),
        "document": why.document.id if why.document else None,
        "words": [
            {"words": word.words, "terms": word.terms, "entity": word.match.entity.id if word.match else None}
            for word in why.asked
        ],
        "terms": [asdict(term) for term in standing.terms],
        "plan": why.planned.plan.model_dump(mode="json"),
        "planned_by": why.planned.by,
        "runs": [asdict(run) for run in why.payload.runs],
        "facts": [{"doc_id": fact.source.doc_id, "chunk_id": fact.chunk_id} for fact in why.payload.facts],
        "matched": standing.matched,
        "candidates": [_candidate(one) for one in standing.best],
        "own": [_candidate(one) for one in standing.own],
    }


def _candidate(one: Candidate) -> dict[str, Any]:
    return asdict(one) | {"terms": sorted(one.terms)}
