"""Dialogues as data, free of any platform, and the models that a dialogue may be held with."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict

from core.ports import ModelRequest
from tests.doubles.models import ScriptedModel, json_values

_HERE = Path(__file__).parent


class PlanScript(BaseModel):
    """What a planning model makes of a question: one look into the graph."""

    model_config = ConfigDict(extra="forbid")
    intent: str
    entity: str
    also: str | None = None
    items: int = 10
    style: str = "BULLETS"


class Turn(BaseModel):
    """One question and what must hold of its answer."""

    model_config = ConfigDict(extra="forbid")
    ask: str
    plan: PlanScript | None = None
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    count: int | None = None
    follows: bool | None = None
    refuses: bool = False
    headed: bool = False


class Dialogue(BaseModel):
    """A thread of questions."""

    model_config = ConfigDict(extra="forbid")
    name: str
    turns: tuple[Turn, ...]


def dialogues(corpus: str) -> list[Dialogue]:
    """Return the dialogues over a corpus."""
    found = yaml.safe_load((_HERE / f"{corpus}.yaml").read_text(encoding="utf-8"))
    return [Dialogue.model_validate(one) for one in found]


@dataclass(frozen=True, slots=True)
class Scene:
    """One turn of a dialogue over a corpus."""

    corpus: str
    dialogue: Dialogue
    turn: Turn

    def __str__(self) -> str:
        return f"{self.dialogue.name}-{self.turn.ask}"


def scenes(corpus: str) -> Iterator[Scene]:
    """Yield every turn of every dialogue over a corpus."""
    for dialogue in dialogues(corpus):
        for turn in dialogue.turns:
            yield Scene(corpus, dialogue, turn)


def well_behaved(dialogue: Dialogue) -> ScriptedModel:
    """Return a model that plans the dialogue's questions well and answers with the facts that it is given."""
    plans = {turn.ask: turn.plan for turn in dialogue.turns}

    def complete(request: ModelRequest) -> str:
        if request.name == "Rewriting":
            return "no reading of the message in its thread"
        reply = _planned(request.user, plans) if request.role == "planner" else _told(request.user)
        return json.dumps(reply, ensure_ascii=False)

    return ScriptedModel(complete, model="well-behaved")


def _planned(user: str, plans: dict[str, PlanScript | None]) -> dict[str, Any]:
    [asked] = json_values(user)
    script = next((plan for question, plan in plans.items() if asked["question"].startswith(question)), None)
    if script is None:
        return {
            "intents": ["GENERAL_UNSTRUCTURED"],
            "tool_calls": [{"tool": "document_search", "query": asked["question"]}],
            "confidence": 0.9,
        }
    call = {"tool": "graph_query", "intent": script.intent, "entity_id": script.entity, "also": script.also}
    return {
        "intents": [script.intent],
        "entities": [entity["id"] for entity in asked["entities"]],
        "tool_calls": [call],
        "limits": {"max_items": script.items},
        "render_style": script.style,
        "confidence": 0.9,
    }


def _told(user: str) -> dict[str, Any]:
    claims = [
        {"text": fact["text"], "group": fact["document"], "evidence": [{"fact": fact["fact"], "quote": fact["text"]}]}
        for fact in json_values(user)
    ]
    return {"lead": None, "claims": claims, "abstain": not claims}
