"""The outside as one question needs it, and the settings that shape its answer."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from core.delivery import Part
from core.entailing import THRESHOLD
from core.planner import IntentIndex
from core.ports import Clock, Embedder, Entailment, Graph, Knowledge, LanguageModel, Search, Threads
from core.recall import NoPins, Pins, Recall
from core.reply import RenderedReply
from core.telling import Tell, nobody


@dataclass(frozen=True, slots=True)
class Options:
    """The settings that shape an answer (R-28); `zone` is where its days and years are told."""

    plan_confidence: float = 0.5
    max_tool_calls: int = 5
    tool_seconds: float = 30.0
    planner_max_tokens: int = 600
    factual_max_tokens: int = 500
    summary_max_tokens: int = 1_000
    hierarchical: bool = False
    entailment_threshold: float = THRESHOLD
    zone: tzinfo = UTC


@dataclass(frozen=True, slots=True)
class Ports:
    """The outside, as one question needs it."""

    threads: Threads
    search: Search
    graph: Graph
    model: LanguageModel
    embedder: Embedder
    clock: Clock
    new_marker: Callable[[], str]
    knowledge: Knowledge
    intents: Callable[[], Awaitable[IntentIndex]]
    options: Options = Options()
    # The messages in which the reply will be seen; nothing is to be sent where it is printed.
    parts: Callable[[RenderedReply], tuple[Part, ...]] = lambda _: ()
    recall: Recall = field(default_factory=Recall)
    tell: Tell = nobody
    pins: Pins = field(default_factory=NoPins)
    entailment: Entailment | None = None
