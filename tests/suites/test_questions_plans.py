"""Plans of labelled questions over the examples: as many are right as were, and no planner narrows a search."""

import json
from pathlib import Path

import pytest

from adapters.embedding.universal import UniversalEmbedder
from bot.evaluate_plans import judge, read_cases, read_corpus, scores_of
from bot.settings import Settings
from tests.corpora import Company
from tests.doubles.models import ScriptedModel

pytestmark = pytest.mark.asyncio(loop_scope="session")

_SUITE = Path(__file__).with_name("questions_plans.jsonl")
_FLOORS = {"intents": 0.89, "entities": 1.0, "shape": 1.0, "period": 0.99, "left out": 1.0, "all": 0.88}


async def test_plans_are_right_as_often_as_before(embedder: UniversalEmbedder) -> None:
    """Without a model the names, the form and what is left out are read right; most intents are found."""
    cases, problems = read_cases(_SUITE)
    settings = Settings(_env_file=None)
    corpora = {
        one: await read_corpus(_SUITE.parent / one, embedder, settings) for one in {case.corpus for case in cases}
    }
    scores = scores_of([await judge(case, corpora[case.corpus]) for case in cases])

    assert [] == problems
    assert {} == {name: scores[name] for name, floor in _FLOORS.items() if scores[name] < floor}


@pytest.mark.parametrize("question", ["What is the hotel limit in Leiden?", "How early do I book travel?"])
async def test_a_narrow_plan_finds_what_is_asked(handbook: Company, question: str) -> None:
    """A plan that looks at one passage of the pages of people does not hide the policy."""
    narrow = {
        "intents": ["GENERAL_UNSTRUCTURED"],
        "tool_calls": [{"tool": "document_search", "query": question, "doc_types": ["person"], "top_k": 1}],
        "fallback": {"enabled": False},
        "limits": {"max_items": 1},
        "confidence": 0.9,
    }
    record = await handbook.ask(question, model=ScriptedModel([json.dumps(narrow)], roles=("planner",)))

    assert "model" == record.planned_by
    assert "policies/travel.md" in {fact.source.doc_id for fact in record.payload.facts}
