"""`footnote evaluate followup`: how often the gate is right on labelled turns, without documents."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from rich.console import Console
from rich.table import Table

from bot.settings import read_settings
from bot.wiring import make_embedder
from core.conversation import Thread, Turn
from core.errors import ConfigError
from core.followup import Doubt, FollowUp, decide_follow_up, settle
from core.pipeline import nearness_of
from core.ports import Embedder

_MAX_SHOWN = 20


class _Said(BaseModel):
    model_config = ConfigDict(frozen=True)

    role: Literal["user", "assistant"]
    text: str


class Case(BaseModel):
    """One labelled turn: what was said before it, the message, and whether it is a follow-up."""

    model_config = ConfigDict(frozen=True)

    id: str
    history: tuple[_Said, ...]
    message: str = Field(min_length=1)
    label: Literal["followup", "independent"]
    kind: str = ""

    @property
    def asked(self) -> tuple[str, ...]:
        """What the user had said before, oldest first."""
        return tuple(said.text for said in self.history if said.role == "user")


@dataclass(frozen=True, slots=True)
class Judged:
    """A case, and what the gate made of it."""

    case: Case
    is_follow_up: bool
    because: str

    @property
    def is_right(self) -> bool:
        """Whether the gate says what the label does."""
        return self.is_follow_up == (self.case.label == "followup")


@dataclass(frozen=True, slots=True)
class Scores:
    """Shares from 0 to 1, by label and by kind; `balanced` is the mean of the two labels', which no imbalance sways."""

    balanced: float
    by_label: dict[str, float]
    by_kind: dict[str, float]
    counts: dict[str, int]


async def evaluate_followup_command(file: Path, *, as_json: bool) -> None:
    """Judge every turn of the file and print how often the gate is right. Raises ConfigError when there is none."""
    cases, problems = read_cases(file)
    embedder = make_embedder(read_settings())
    await embedder.prepare()
    judged = [await judge(case, embedder) for case in cases]
    scores = scores_of(judged)
    if as_json:
        wrong = [{"id": one.case.id, "label": one.case.label, "because": one.because} for one in _wrong(judged)]
        said: dict[str, Any] = {
            "balanced_accuracy": scores.balanced,
            "recall": scores.by_label,
            "by_kind": scores.by_kind,
        }
        print(json.dumps(said | {"counts": scores.counts, "wrong": wrong, "problems": problems}, ensure_ascii=False))
        return
    _print(scores, judged, problems)


def read_cases(file: Path) -> tuple[list[Case], list[str]]:
    """Return the cases of a JSONL file, and which lines are none. Raises ConfigError when the file holds no case."""
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} cannot be read ({type(error).__name__}): name a JSONL file in UTF-8") from None
    cases: list[Case] = []
    problems: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            cases.append(Case.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            problems.append(f"{file.name}:{number}: {'.'.join(map(str, first['loc'])) or 'line'}: {first['msg']}")
    if not cases:
        raise ConfigError(
            f"{file} holds no labelled turn: each line must be JSON with id, history, message and label "
            f"(followup or independent){'; ' + problems[0] if problems else ''}"
        )
    return cases, problems


async def judge(case: Case, embedder: Embedder) -> Judged:
    """Return what the gate makes of the case when no document can be asked."""
    now = datetime.now(UTC)
    turns = tuple(Turn(text, text, (), answered=True, asked_at=now) for text in case.asked)
    thread = Thread("evaluation", turns)
    decision = decide_follow_up(case.message, (), thread, now)
    if isinstance(decision, Doubt):
        nearness = await nearness_of(case.message, thread, embedder)
        decision = settle(decision, nearness=nearness, is_known=False)
    return Judged(case, isinstance(decision, FollowUp), decision.because)


def scores_of(judged: Sequence[Judged]) -> Scores:
    """Return the share that is right of each label and kind; a label that no case has counts for nothing."""
    by_label = _shares((one.case.label, one.is_right) for one in judged)
    kinds = [one for one in judged if one.case.kind]
    counts = Counter(one.case.label for one in judged) + Counter(one.case.kind for one in kinds)
    return Scores(
        balanced=round(sum(by_label.values()) / len(by_label), 4) if by_label else 0.0,
        by_label=by_label,
        by_kind=_shares((one.case.kind, one.is_right) for one in kinds),
        counts=dict(counts),
    )


def _shares(marks: Iterable[tuple[str, bool]]) -> dict[str, float]:
    all_of, right = Counter[str](), Counter[str]()
    for name, is_right in marks:
        all_of[name] += 1
        right[name] += is_right
    return {name: round(right[name] / count, 4) for name, count in sorted(all_of.items())}


def _wrong(judged: Iterable[Judged]) -> list[Judged]:
    return [one for one in judged if not one.is_right]


def _print(scores: Scores, judged: Sequence[Judged], problems: Sequence[str]) -> None:
    console = Console()
    table = Table("Turns", "right", "of", box=None, header_style="bold")
    for name, share in (scores.by_label | scores.by_kind).items():
        table.add_row(name, f"{share:.1%}", str(scores.counts[name]))
    console.print(table)
    console.print(f"Balanced accuracy: {scores.balanced:.3f}. No documents were asked: what they know decides more.")
    wrong = _wrong(judged)
    for one in wrong[:_MAX_SHOWN]:
        read = "carried over" if one.is_follow_up else "not carried over"
        console.print(f"  {read}: {one.case.message}", style="dim", highlight=False, markup=False, soft_wrap=True)
    if len(wrong) > _MAX_SHOWN:
        console.print(f"  …and {len(wrong) - _MAX_SHOWN} more; --json names them all", style="dim", highlight=False)
    for problem in problems:
        console.print(f"Left out: {problem}", highlight=False, markup=False, soft_wrap=True)
