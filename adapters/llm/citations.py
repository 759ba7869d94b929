"""Providers whose models cite documents by themselves: how they are asked, and where their replies say what is cited.

Anthropic: document blocks with `citations: {"enabled": true}`; a text block comes back with the blocks that it cites
(platform.claude.com/docs/en/build-with-claude/citations). It refuses a schema beside them. Cohere: `documents`, and
places in the reply with the ids that they cite (docs.cohere.com/docs/rag-citations). LiteLLM gives the one as
`provider_specific_fields`, the other as `annotations`, and neither whole when a reply is streamed.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.citable import Stretch, drafted
from core.ports import AsDocuments, Citable

_PLACES = ("document_index", "start_block_index", "end_block_index")
_PART = re.compile(r"source:(\d+)\.(\d+)")


@dataclass(frozen=True, slots=True)
class Way:
    """How a provider is asked with documents, and how its message tells what is from where."""

    asked: Callable[[AsDocuments], dict[str, Any]]
    cited: Callable[[Any, str], Iterator[Stretch]]


def way_of(provider: str) -> Way | None:
    """Return how the provider's models cite by themselves, or None when they do not."""
    return _WAYS.get(provider)


def as_json(way: Way, given: AsDocuments, message: Any) -> str | None:
    """Return a message as JSON in the form that was asked for, or None when it cites nothing and abstains not."""
    text = message.content or ""
    draft = drafted(text, list(way.cited(message, text)), given.documents)
    return None if draft is None else json.dumps(draft, ensure_ascii=False)


def _with_blocks(given: AsDocuments) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [
        {
            "type": "document",
            "source": {"type": "content", "content": [{"type": "text", "text": part} for part in one.parts]},
            "title": one.title,
            **({"context": one.place} if one.place else {}),
            "citations": {"enabled": True},
        }
        for one in given.documents
    ]
    blocks.append({"type": "text", "text": given.user})
    return {"messages": [{"role": "system", "content": given.system}, {"role": "user", "content": blocks}]}


def _of_blocks(message: Any, text: str) -> Iterator[Stretch]:
    """Yield what each cited block is from; LiteLLM joins the blocks, so each is looked for after the one before it."""
    end = 0
    for block in (getattr(message, "provider_specific_fields", None) or {}).get("citations") or ():
        said = next((str(one.get("supported_text") or "") for one in block), "")
        start = text.find(said, end) if said else -1
        if start < 0:
            continue
        end = start + len(said)
        for one in block:
            document, first, last = (one.get(name) for name in _PLACES)
            if isinstance(document, int) and isinstance(first, int) and isinstance(last, int):
                yield from (Stretch(start, end, document, part) for part in range(first, last))


def _with_documents(given: AsDocuments) -> dict[str, Any]:
    documents = [
        {"id": f"{place}.{part}", "data": {"title": _titled(one), "snippet": words}}
        for place, one in enumerate(given.documents)
        for part, words in enumerate(one.parts)
    ]
    messages = [{"role": "system", "content": given.system}, {"role": "user", "content": given.user}]
    return {"messages": messages, "documents": documents}


def _titled(one: Citable) -> str:
    return " — ".join(filter(None, (one.title, one.place)))


def _of_annotations(message: Any, text: str) -> Iterator[Stretch]:
    for one in getattr(message, "annotations", None) or ():
        cited = one.get("url_citation") or {}
        start, end = cited.get("start_index"), cited.get("end_index")
        part = _PART.fullmatch(str(cited.get("url")))
        if part and isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(text):
            yield Stretch(start, end, int(part[1]), int(part[2]))


_BY_BLOCKS, _BY_DOCUMENTS = Way(_with_blocks, _of_blocks), Way(_with_documents, _of_annotations)
_WAYS: Mapping[str, Way] = {"anthropic": _BY_BLOCKS, "cohere": _BY_DOCUMENTS, "cohere_chat": _BY_DOCUMENTS}
