"""`footnote audit replay`: what a logged answer was based on, and whether it still holds over those documents."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bot.settings import read_settings
from bot.wiring import Stores, audit_of, opened
from core.checks import fault_of
from core.errors import ConfigError
from core.ingest.document import Document
from core.masking import blotted
from core.proof.backing import Backing
from core.proof.names import vocabulary_of
from core.text import clean, normalise, sentences

Fate = Literal["stands", "moved", "changed", "gone"]
_FATES: Mapping[Fate, str] = {
    "stands": "stands there word for word",
    "moved": "stands in the document, at another place",
    "changed": "does not stand in the document any more",
    "gone": "the document is gone",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One quote of an answer: by its number there, and what has become of it."""

    number: int
    doc_id: str
    place: str
    quote: str
    fate: Fate


@dataclass(frozen=True, slots=True)
class Stated:
    """One statement of an answer; `fault`: why its quotes do not prove it now, None when they do."""

    text: str
    citations: tuple[int, ...]
    fault: str | None


@dataclass(frozen=True, slots=True)
class Replay:
    """A logged answer looked at again, over its own index (`generation`) or the live one (`over`) when that is gone."""

    question: str
    answer: str
    generation: int
    over: int | None
    evidence: tuple[Evidence, ...]
    claims: tuple[Stated, ...]

    @property
    def holds(self) -> bool:
        """Whether every quote stands where it stood and proves what was said."""
        return all(one.fate == "stands" for one in self.evidence) and not any(one.fault for one in self.claims)


async def replay_command(number: int, *, as_json: bool) -> bool:
    """Print what entry `number` was based on; return whether it holds. Raises BotError."""
    async with opened(read_settings()) as stores:
        entry = await audit_of(stores.database).entry(number)
        if entry is None:
            raise ConfigError(f"the audit log has no entry {number}; find one with: footnote audit")
        if entry.erased:
            raise ConfigError(f"the content of entry {number} was erased; only that it was there can still be shown")
        if not entry.record.get("citations") and not entry.record.get("claims"):
            raise ConfigError(f"entry {number} was not answered from documents; there is nothing to look at again")
        replay = await replayed(entry.record, stores)
    print(json.dumps(_as_data(replay), ensure_ascii=False, indent=2) if as_json else clean(in_words(replay)))
    return replay.holds


async def replayed(record: Mapping[str, Any], stores: Stores) -> Replay:
    """Return the answer of a log entry, looked at again without any model. Raises StorageError."""
    generation, over = int(record.get("generation", 0)), await _over(int(record.get("generation", 0)), stores)
    cited = [*record["citations"], *record.get("older", ()), *record.get("nearest", ())]
    wanted = sorted({one["doc_id"] for one in cited})
    found = await stores.catalog.documents(over, wanted) if over is not None else ()
    documents = {document.id: document for document in found}
    evidence = tuple(_evidence(one, documents.get(one["doc_id"])) for one in cited)
    claims = tuple(_stated(one, documents, record) for one in record.get("claims", ()))
    return Replay(record["question"], record["answer"], generation, over, evidence, claims)


async def _over(generation: int, stores: Stores) -> int | None:
    """Return the index to look into: the one that was answered from while it is kept, else the live one."""
    if generation and await stores.catalog.generation(generation):
        return generation
    live = await stores.catalog.live()
    return live.number if live else None


def _evidence(cited: Mapping[str, Any], document: Document | None) -> Evidence:
    quote = cited["text_snippet"]
    return Evidence(cited["number"], cited["doc_id"], cited["place"], quote, _fate(cited, document))


def _fate(cited: Mapping[str, Any], document: Document | None) -> Fate:
    if document is None:
        return "gone"
    here = document.text[cited["start"] : cited["end"]]
    if cited["text_snippet"] in (here, blotted(here)):
        return "stands"
    return "moved" if cited["text_snippet"] in document.text else "changed"


def _stated(
    claim: Mapping[str, Any],
    documents: Mapping[str, Document],
    record: Mapping[str, Any],
) -> Stated:
    """Return whether the words that stand in the documents now prove a statement, by the checks of every answer."""
    ours = [record["citations"][place] for place in claim["citations"]]
    numbers = tuple(one["number"] for one in ours)
    standing = [one for one in ours if _fate(one, documents.get(one["doc_id"])) in ("stands", "moved")]
    if not standing:
        return Stated(claim["text"], numbers, "none of its quotes stands in the documents any more")
    quotes = "\n".join(str(one["text_snippet"]) for one in standing)
    if claim["verdict"] == "quoted" or _is_said(claim["text"], quotes):
        missing = len(ours) - len(standing)
        return Stated(claim["text"], numbers, f"{missing} of its quotes are gone" if missing else None)
    around = "\n".join(f"{one['title']}\n{one['place']}\n{_near(one, documents)}" for one in standing)
    known = vocabulary_of([*(document.text for document in documents.values()), record["question"]])
    fault = fault_of(claim["text"], Backing(quotes, around, record["follow_up"]["question"], known))
    return Stated(claim["text"], numbers, fault)


def _near(cited: Mapping[str, Any], documents: Mapping[str, Document]) -> str:
    """Return the line before a quote, which may introduce its list."""
    text = documents[cited["doc_id"]].text
    at = text.find(cited["text_snippet"])
    return text[:at].rstrip().rpartition("\n")[2] if at > 0 else ""


def _is_said(text: str, quotes: str) -> bool:
    said = [*quotes.split("\n"), *(quotes[start:end] for start, end in sentences(quotes))]
    return normalise(text).strip(" .,;:!?•") in {normalise(one).strip(" .,;:!?•") for one in said}


def in_words(replay: Replay) -> str:
    """Return the answer with its evidence, and what has become of both."""
    lines = [
        f"Question: {replay.question}",
        "",
        replay.answer,
        "",
        f"Based on index {replay.generation or '?'}. {_index(replay)}",
    ]
    lines += [
        f"  {one.number}. {one.doc_id}{f' › {one.place}' if one.place else ''}: {_FATES[one.fate]}\n     “{one.quote}”"
        for one in replay.evidence
    ]
    lines += [f"  does not hold: {one.text} ({one.fault})" for one in replay.claims if one.fault]
    proven = sum(1 for one in replay.claims if not one.fault)
    lines.append(f"{proven} of {len(replay.claims)} statements hold." if replay.claims else "It makes no statement.")
    return "\n".join(lines)


def _index(replay: Replay) -> str:
    if replay.over is None:
        return "No index is there any more: nothing can be looked up."
    if replay.over != replay.generation:
        return f"That index is gone; this is what the live one, {replay.over}, says."
    return "It is still kept; these are its words."


def _as_data(replay: Replay) -> dict[str, Any]:
    evidence = [
        {"number": one.number, "doc_id": one.doc_id, "place": one.place, "quote": one.quote, "fate": one.fate}
        for one in replay.evidence
    ]
    claims = [{"text": one.text, "citations": list(one.citations), "fault": one.fault} for one in replay.claims]
    return {
        "question": replay.question,
        "answer": replay.answer,
        "generation": replay.generation,
        "over": replay.over,
        "holds": replay.holds,
        "evidence": evidence,
        "claims": claims,
    }
