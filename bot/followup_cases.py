"""Labelled turns to judge the gate by: what was asked before, the message, and whether it is a follow-up."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from bot.cases import fault_of, read_lines
from core.conversation import Thread, Turn
from core.entities import Entity, EntityMatch, make_registry, resolve_entities
from core.text import Language, language_of

Label = Literal["follow_up", "standalone"]
# When turns that do not say were asked.
_NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled turn. `recorded` is what a model once replied, if that is on file; `wanted`: the words to carry."""

    id: str
    kind: str
    language: Language
    label: Label
    question: str
    asked_at: datetime
    matches: tuple[EntityMatch, ...]
    thread: Thread
    wanted: tuple[str, ...] = ()
    recorded: str | None = None


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True)

    id: str
    kind: str = ""


class _Before(BaseModel):
    question: str
    standalone: str | None = None
    entities: tuple[str, ...] = ()
    asked_at: AwareDatetime


class _Full(_Line):
    """A line that tells of each turn before it when it was asked and what it named."""

    language: Language
    history: tuple[_Before, ...]
    question: str = Field(min_length=1)
    entities: tuple[str, ...] = ()
    asked_at: AwareDatetime
    label: Label
    answers: int | None = None
    carried: tuple[str, ...] = ()
    recorded: str | None = None

    def case(self) -> Case:
        names = dict.fromkeys([*self.entities, *(name for turn in self.history for name in turn.entities)])
        registry = make_registry([Entity(name, name, "page") for name in names])
        turns = tuple(
            Turn(turn.question, turn.standalone or turn.question, turn.entities, answered=True, asked_at=turn.asked_at)
            for turn in self.history
        )
        answers = None if self.answers is None else turns[self.answers]
        matches = resolve_entities(self.question, registry)
        thread = Thread(self.id, turns, answers)
        return Case(
            self.id, self.kind, self.language, self.label, self.question, self.asked_at, matches, thread,
            self.carried, self.recorded,
        )  # fmt: skip


class _Said(BaseModel):
    role: Literal["user", "assistant"]
    text: str


class _Plain(_Line):
    """A line of roles and texts, as TREC CAsT's turns are kept."""

    history: tuple[_Said, ...]
    message: str = Field(min_length=1)
    label: Literal["followup", "independent"]

    def case(self) -> Case:
        before = [said.text for said in self.history if said.role == "user"]
        turns = tuple(Turn(text, text, (), answered=True, asked_at=_NOON) for text in before)
        label: Label = "follow_up" if self.label == "followup" else "standalone"
        language, at = language_of(self.message), _NOON + timedelta(minutes=1)
        return Case(self.id, self.kind, language, label, self.message, at, (), Thread(self.id, turns))


def read_cases(file: Path) -> tuple[list[Case], list[str]]:
    """Return the cases of a JSONL file, and which lines are none. Raises ConfigError when the file holds no case."""
    lacking = (
        "labelled turn: each line must be JSON with id, history, message and label (followup or independent), or id, "
        "language, history, question, asked_at and label (follow_up or standalone)"
    )
    return read_lines(file, _case, lacking)


def _case(line: str) -> Case | str:
    """Return the case of a line, or what is wrong with it."""
    try:
        said: Any = json.loads(line)
        shape: type[_Plain | _Full] = _Plain if isinstance(said, Mapping) and "message" in said else _Full
        return shape.model_validate(said).case()
    except ValidationError as error:
        return fault_of(error)
    except (ValueError, RecursionError):
        return "line: this is not JSON"
    except IndexError:
        return "answers: there is no such turn in history"
