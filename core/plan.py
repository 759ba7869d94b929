"""The query plan: what to look up and how to show it, from a closed vocabulary."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

GENERAL = "GENERAL_UNSTRUCTURED"


class Style(StrEnum):
    """How an answer is laid out."""

    BULLETS = "BULLETS"
    GROUPED_BULLETS = "GROUPED_BULLETS"
    SHORT = "SHORT"
    TABLE = "TABLE"


Finder = Literal["section", "mentions", "overview", "field", "search"]


@dataclass(frozen=True, slots=True)
class Intent:
    """A kind of question, declared as data: what it is asked about and how the graph answers it.

    `find`: the blocks under `headings` of the entity's page · the sentences that mention the entity in documents of
    the kinds `within` · the opening of its page · the fields `keys` of its page · plain document search.
    """

    name: str
    description: str
    examples: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    find: Finder = "search"
    headings: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    style: Style = Style.BULLETS
    limit: int = 10


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class GraphQuery(_Strict):
    """Look up what the documents' structure says of an entity; `also` keeps only what concerns a second entity."""

    tool: Literal["graph_query"] = "graph_query"
    intent: str = Field(max_length=60)
    entity_id: str = Field(max_length=80)
    also: str | None = Field(default=None, max_length=80)


class DocumentSearch(_Strict):
    """Search all documents by meaning and by words."""

    tool: Literal["document_search"] = "document_search"
    query: str = Field(min_length=1, max_length=500)
    doc_types: tuple[str, ...] = Field(default=(), max_length=5)
    top_k: int = Field(default=8, ge=1, le=20)


ToolCall = Annotated[GraphQuery | DocumentSearch, Field(discriminator="tool")]


class Fallback(_Strict):
    """What to do when the tools find nothing, or too little."""

    enabled: bool = True
    tool: Literal["document_search"] = "document_search"
    when: Literal["NO_RESULTS", "LOW_COVERAGE"] = "LOW_COVERAGE"


class Limits(_Strict):
    """How much an answer may hold. Defaults: R-7."""

    max_items: int = Field(default=10, ge=1, le=25)
    max_groups: int = Field(default=8, ge=1, le=12)
    max_paragraphs: int = Field(default=3, ge=1, le=4)


class QueryPlan(_Strict):
    """What the planner decides, and nothing else (R-4)."""

    intents: tuple[str, ...] = Field(min_length=1, max_length=3)
    entities: tuple[str, ...] = Field(default=(), max_length=6)
    tool_calls: tuple[ToolCall, ...] = Field(min_length=1, max_length=5)
    fallback: Fallback = Fallback()
    limits: Limits = Limits()
    render_style: Style = Style.BULLETS
    answer_style: Literal["factual", "compare", "summary"] = "factual"
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)


def default_plan(question: str) -> QueryPlan:
    """Return the plan that always works: search the documents for the question's own words."""
    return QueryPlan(intents=(GENERAL,), tool_calls=(DocumentSearch(query=question[:500] or "?"),), confidence=0.5)
