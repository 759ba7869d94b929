"""The query plan: what to look up and how to show it, from a closed vocabulary."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

GENERAL = "GENERAL_UNSTRUCTURED"
# What a document is that says nothing else of itself.
NO_KIND = "page"
# The look-up of all pages of the kind asked for: made by code alone, no corpus declares it and no planner names it.
ALL_PAGES = "ALL_PAGES"
# And that of every page that has to do with an entity, for what is to have nothing to do with it.
TIES = "TIES"
# And that of all that the page of an entity says.
WHOLE = "WHOLE"


class Style(StrEnum):
    """How an answer is laid out."""

    BULLETS = "BULLETS"
    GROUPED_BULLETS = "GROUPED_BULLETS"
    SHORT = "SHORT"
    TABLE = "TABLE"


class Shape(StrEnum):
    """What form of answer a question asks for: any, all of something, how many there are, one thing beside another."""

    PLAIN = "PLAIN"
    LIST = "LIST"
    COUNT = "COUNT"
    COMPARE = "COMPARE"


Finder = Literal["section", "mentions", "overview", "field", "pages", "search"]


@dataclass(frozen=True, slots=True)
class Intent:
    """A kind of question, declared as data: what it is asked about and how the graph answers it.

    `find`: the blocks under `headings` of the entity's page · the sentences that mention the entity in documents of
    the kinds `within` · the opening of its page · the fields `keys` of its page · how all pages of the kinds
    `within` open that name it · plain document search. `rather`: of mentions those on pages of these kinds alone, where
    there are any. Code alone asks for `ties`: every page that has to do with the entity, and for `whole`: all that its
    own page says.
    """

    name: str
    description: str
    examples: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    find: Finder | Literal["ties", "whole"] = "search"
    headings: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    rather: tuple[str, ...] = ()
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


class Period(_Strict):
    """The days that a question is about, both included; without one of them it is open on that side."""

    since: date | None = None
    until: date | None = None

    @model_validator(mode="after")
    def _has_days(self) -> Self:
        if self.since is None and self.until is None:
            raise ValueError("a period needs since or until")
        if self.since and self.until and self.since > self.until:
            raise ValueError("since is after until")
        return self


class QueryPlan(_Strict):
    """What the planner decides, and nothing else (R-4).

    `exclude`: entities that are left out of what is found ("all projects except X"). `among`: the kind of thing that is
    asked for; what mentions an entity is narrowed to its pages. `without`: entities that what is found must have
    nothing to do with ("which projects did not use X"): of what else is found, or of everything of that kind, what the
    tools do not find for these. `period`: the days asked about; a wish, as few documents say when they hold.
    """

    intents: tuple[str, ...] = Field(min_length=1, max_length=3)
    entities: tuple[str, ...] = Field(default=(), max_length=6)
    tool_calls: tuple[ToolCall, ...] = Field(min_length=1, max_length=5)
    fallback: Fallback = Fallback()
    limits: Limits = Limits()
    render_style: Style = Style.BULLETS
    answer_style: Literal["factual", "compare", "summary"] = "factual"
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)
    shape: Shape = Shape.PLAIN
    exclude: tuple[str, ...] = Field(default=(), max_length=6)
    without: tuple[str, ...] = Field(default=(), max_length=6)
    among: str | None = Field(default=None, max_length=30)
    period: Period | None = None


def default_plan(question: str) -> QueryPlan:
    """Return the plan that always works: search the documents for the question's own words."""
    return QueryPlan(intents=(GENERAL,), tool_calls=(DocumentSearch(query=question[:500] or "?"),), confidence=0.5)
