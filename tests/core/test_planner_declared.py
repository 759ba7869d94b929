"""Where a corpus declares where an answer stands, its own examples lead there."""

from datetime import UTC, datetime

import pytest
import yaml

from adapters.embedding.universal import UniversalEmbedder
from core.asked import read_question
from core.entities import Entity, make_registry, resolve_entities
from core.ingest.domain import read_domain
from core.planner import index_intents, plan_by_examples

DECLARED = """
intents:
  - name: PROJECT_RESULTS
    description: what a project achieved
    of: [project]
    examples: ["What were the results of Project Lantern?", "What did Lantern achieve?", "Чего достиг Фонарь?"]
    find: section
    headings: [Results]
  - name: PROJECT_TEAM
    description: who worked on a project
    of: [project]
    examples: ["Who worked on Lantern?", "Кто работал над Фонарь?"]
    find: section
    headings: [Team]
"""
REGISTRY = make_registry(
    (Entity("lantern", "Project Lantern", "project", ("Lantern",)), Entity("fonar", "Фонарь", "project"))
)
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("What did Lantern achieve?", "PROJECT_RESULTS"),
        ("What were the results of Project Lantern?", "PROJECT_RESULTS"),
        ("Чего достиг Фонарь?", "PROJECT_RESULTS"),
        ("Who worked on Lantern?", "PROJECT_TEAM"),
        ("Кто работал над Фонарь?", "PROJECT_TEAM"),
        ("Why was Project Lantern needed?", "GENERAL_UNSTRUCTURED"),
    ],
)
async def test_what_is_asked_as_declared_is_looked_up_there(
    question: str, intent: str, embedder: UniversalEmbedder
) -> None:
    """The general examples, some of which are the same sentences, do not make a declared one doubtful."""
    index = await index_intents(read_domain(yaml.safe_load(DECLARED)).intents, REGISTRY, embedder)
    asked = read_question(question, resolve_entities(question, REGISTRY), NOON)

    planned = plan_by_examples(asked, await embedder.embed(asked.texts, "query"), index)

    assert (intent,) == planned.plan.intents
