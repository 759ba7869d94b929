"""Small documents for tests: Markdown in, a document out, and people to read them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from core.conversation import Audience, Thread, Turn
from core.entities import Entity, Registry, make_registry
from core.facts import Fact, Source, Span
from core.ingest.document import Document
from core.ingest.markdown import parse
from core.plan import Intent
from core.text import Untrusted

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
EVERYBODY = Audience("acme")

RAG = Entity("rag", "RAG", "technology", ("РАГ", "Retrieval-Augmented Generation"))
ASTON = Entity("aston", "Aston", "company", ("Астон",), page="companies/aston.md")
LOTSMAN = Entity("lotsman", "Лоцман", "project", ("Lotsman",), page="projects/lotsman.md")
DMITRY = Entity("dmitry", "Дмитрий Соколов", "person", ("Дмитрий", "Dmitry"))
NAMES = make_registry((RAG, ASTON, LOTSMAN, DMITRY))


def page(name: str, markdown: str, title: str | None = None, **known: Any) -> Document:
    """Return the Markdown as a document of a kind, for readers, superseded, and so on."""
    shown = title or name
    text, blocks = parse(markdown, shown)
    document = Document(id=name, title=shown, text=text, blocks=blocks, digest=sha256(markdown.encode()).hexdigest())
    return replace(document, **known)


def fact(text: str, *, doc: str = "a.md", superseded: bool = False, **known: Any) -> Fact:
    """Return a fact that is the whole text of a document."""
    source = Source(doc, doc, superseded=superseded)
    return replace(Fact(Untrusted(text), source, Span(0, len(text)), f"{doc}-0"), **known)


def thread(*questions: str, minutes_ago: int = 1, entities: tuple[str, ...] = ()) -> Thread:
    """Return a thread in which these were asked, the last so many minutes before noon."""
    asked_at = NOON - timedelta(minutes=minutes_ago)
    turns = tuple(Turn(text, text, entities, answered=True, asked_at=asked_at) for text in questions)
    return Thread("console:1", turns)


def intent(name: str, find: Any = "search", **known: Any) -> Intent:
    """Return an intent that is found in one way."""
    return replace(Intent(name, f"about {name}", find=find), **known)


def registry(*entities: Entity) -> Registry:
    """Return the registry of the entities."""
    return make_registry(entities)
