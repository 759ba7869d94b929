"""`footnote evaluate followup`: how often the gate is right on labelled turns, without documents."""

import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.table import Table

from bot.counting import counted
from bot.followup_cases import Case, Label, read_cases
from bot.settings import Settings, read_settings
from bot.wiring import make_embedder, make_model
from core.errors import ConfigError, ModelError
from core.followup import Doubt, FollowUp, Rewriting, decide_follow_up, settle
from core.looking import nearness_of
from core.ports import Completion, Embedder, LanguageModel, ModelRequest
from core.rewriting import rewrite

_MAX_SHOWN = 20
_SWITCH = "topic_switch"


@dataclass(frozen=True, slots=True)
class Judged:
    """A case, and what the gate made of it; `failure` is why the model could not be asked, `asked` whether it was."""

    case: Case
    is_follow_up: bool
    because: str
    question: str = ""
    asked: bool = False
    failure: str | None = None

    @property
    def is_right(self) -> bool:
        """Whether the gate says what the label does."""
        return self.is_follow_up == (self.case.label == "follow_up")


@dataclass(frozen=True, slots=True)
class Scores:
    """Shares from 0 to 1; `balanced` is the mean of the two labels', which no imbalance sways.

    `precision`: of those taken for follow-ups, how many are. `switches`: topic switches that were carried over.
    """

    turns: int
    balanced: float
    recall: float
    precision: float
    standalone: float
    switches: float
    by_kind: dict[str, float]
    by_language: dict[str, float]
    model_calls: int = 0


@dataclass(frozen=True, slots=True)
class Options:
    """What to report: `sample` turns of each label and language at most, `wrong` names each that is wrong."""

    as_json: bool = False
    wrong: bool = False
    model: bool = False
    sample: int | None = None


class Recorded:
    """A model that replies what is on file for the case."""

    def __init__(self, reply: str) -> None:
        self._reply = reply

    def offers(self, role: Literal["planner", "answer"]) -> bool:
        """Return whether it is asked to plan."""
        return role == "planner"

    async def complete(self, request: ModelRequest) -> Completion:  # noqa: ARG002 - it is on file, whatever is asked
        """Return the reply on file."""
        return Completion(self._reply, "recorded")


async def evaluate_followup_command(file: Path, options: Options) -> None:
    """Judge every turn of the file and print how often the gate is right. Raises ConfigError when there is none."""
    cases, problems = read_cases(file)
    cases = sampled(cases, options.sample) if options.sample else cases
    settings = read_settings()
    embedder = make_embedder(settings)
    await embedder.prepare()
    runs = {"without a model": [await judge(case, embedder) for case in cases]}
    if all(case.recorded for case in cases):
        runs["replies on file"] = [await judge(case, embedder, Recorded(case.recorded or "")) for case in cases]
    if options.model:
        async with _planner(settings) as model:
            runs[settings.planner_model[0]] = [await judge(case, embedder, model) for case in cases]
    if options.as_json:
        print(json.dumps(_plain(runs, problems), ensure_ascii=False))
    else:
        _print(runs, problems, every=options.wrong)


@asynccontextmanager
async def _planner(settings: Settings) -> AsyncIterator[LanguageModel]:
    if not settings.planner_model:
        raise ConfigError("--model asks the planner model: set PLANNER_MODEL, or leave --model out")
    model = make_model(settings)
    try:
        yield model
    finally:
        await model.aclose()


def sampled(cases: Sequence[Case], most: int) -> list[Case]:
    """Return at most so many cases of each label and language, always the same ones."""
    mixed = list(cases)
    random.Random(0).shuffle(mixed)  # noqa: S311 - a sample is no secret
    taken = Counter[tuple[Label, str]]()
    chosen: set[str] = set()
    for case in mixed:
        if taken[case.label, case.language] < most:
            taken[case.label, case.language] += 1
            chosen.add(case.id)
    return [case for case in cases if case.id in chosen]


async def judge(case: Case, embedder: Embedder, model: LanguageModel | None = None) -> Judged:
    """Return what the gate makes of the case when no document can be asked, and a model only where it is in doubt."""
    decision = decide_follow_up(case.question, case.matches, case.thread, case.asked_at)
    if not isinstance(decision, Doubt):
        return Judged(case, isinstance(decision, FollowUp), decision.because, decision.question)
    reading, failure = await _read(case, model) if model else (None, None)
    nearness = await nearness_of(case.question, case.thread, embedder)
    settled = settle(decision, nearness=nearness, is_known=False, reading=reading)
    return Judged(case, isinstance(settled, FollowUp), settled.because, settled.question, model is not None, failure)


async def _read(case: Case, model: LanguageModel) -> tuple[Rewriting | None, str | None]:
    try:
        return await rewrite(case.question, case.thread, model), None
    except ModelError as error:
        return None, str(error)


def scores_of(judged: Sequence[Judged]) -> Scores:
    """Return the shares that are right; a label or kind that no case has counts for nothing."""
    labels = _shares((one.case.label, one.is_right) for one in judged)
    taken = [one for one in judged if one.is_follow_up]
    switches = [one for one in judged if one.case.kind == _SWITCH]
    languages = {one.case.language for one in judged}
    return Scores(
        turns=len(judged),
        balanced=_balanced(judged),
        recall=labels.get("follow_up", 0.0),
        precision=_share(one.is_right for one in taken),
        standalone=labels.get("standalone", 0.0),
        switches=_share(one.is_follow_up for one in switches),
        by_kind=_shares((one.case.kind, one.is_right) for one in judged if one.case.kind),
        by_language={name: _balanced([one for one in judged if one.case.language == name]) for name in languages},
        model_calls=sum(one.asked for one in judged),
    )


def _balanced(judged: Sequence[Judged]) -> float:
    shares = _shares((one.case.label, one.is_right) for one in judged).values()
    return round(sum(shares) / len(shares), 4) if shares else 0.0


def _shares(marks: Iterable[tuple[str, bool]]) -> dict[str, float]:
    all_of, right = Counter[str](), Counter[str]()
    for name, is_right in marks:
        all_of[name] += 1
        right[name] += is_right
    return {name: round(right[name] / count, 4) for name, count in sorted(all_of.items())}


def _share(marks: Iterable[bool]) -> float:
    known = list(marks)
    return round(sum(known) / len(known), 4) if known else 0.0


def _plain(runs: dict[str, list[Judged]], problems: Sequence[str]) -> dict[str, object]:
    def plain(judged: Sequence[Judged]) -> dict[str, object]:
        wrong = [one for one in judged if not one.is_right]
        named = [{"id": one.case.id, "label": one.case.label, "because": one.because} for one in wrong]
        failures = sorted({one.failure for one in judged if one.failure})
        return asdict(scores_of(judged)) | {"wrong": named, "failures": failures}

    return {"runs": {name: plain(judged) for name, judged in runs.items()}, "problems": list(problems)}


def _print(runs: dict[str, list[Judged]], problems: Sequence[str], *, every: bool) -> None:
    console = Console()
    scores = {name: scores_of(judged) for name, judged in runs.items()}
    first = next(iter(scores.values()))
    table = Table("", "turns", *runs, box=None, header_style="bold")
    for row, count, shares in _rows(scores, next(iter(runs.values()))):
        table.add_row(row, str(count), *(f"{share:.1%}" if count else "–" for share in shares))
    console.print(table)
    calls = ", ".join(f"{name} {one.model_calls}" for name, one in scores.items() if one.model_calls)
    console.print(
        f"{counted(first.turns, 'turn')}. No documents were asked: what they know decides more.", highlight=False
    )
    if calls:
        console.print(f"Asked to read a doubtful message: {calls}.", highlight=False)
    for name, judged in runs.items():
        _print_wrong(console, name, judged, every=every)
        for failure in sorted({one.failure for one in judged if one.failure}):
            console.print(f"{name} failed: {failure}", highlight=False, markup=False, soft_wrap=True)
    for problem in problems:
        console.print(f"Left out: {problem}", highlight=False, markup=False, soft_wrap=True)


def _rows(scores: dict[str, Scores], judged: Sequence[Judged]) -> Iterable[tuple[str, int, list[float]]]:
    """Yield the name of each row of the table, how many turns it is about, and its share in each run."""
    of = list(scores.values())
    labels = Counter(one.case.label for one in judged)
    kinds = Counter(one.case.kind for one in judged if one.case.kind)
    languages = Counter(one.case.language for one in judged)
    yield "balanced accuracy", len(judged), [one.balanced for one in of]
    for language, count in sorted(languages.items()):
        yield f"  {language}", count, [one.by_language[language] for one in of]
    yield "follow-ups found", labels["follow_up"], [one.recall for one in of]
    carried = sum(one.is_follow_up for one in judged)
    yield "carried over, rightly so", carried, [one.precision for one in of]
    yield "new questions kept apart", labels["standalone"], [one.standalone for one in of]
    yield "topic switches carried over", kinds[_SWITCH], [one.switches for one in of]
    for kind, count in sorted(kinds.items()):
        yield f"  {kind.replace('_', ' ')}, right", count, [one.by_kind[kind] for one in of]


def _print_wrong(console: Console, name: str, judged: Sequence[Judged], *, every: bool) -> None:
    wrong = [one for one in judged if not one.is_right]
    shown = wrong if every else wrong[:_MAX_SHOWN]
    if wrong:
        console.print(f"\nWrong, {name}:", highlight=False, markup=False)
    for one in shown:
        last = one.case.thread.last
        read = "carried over" if one.is_follow_up else "not carried over"
        after = f", after: {last.standalone}" if last else ""
        line = f"  {read}: {one.case.question}{after}"
        console.print(line, style="dim", highlight=False, markup=False, soft_wrap=True)
    if len(wrong) > len(shown):
        console.print(f"  …and {len(wrong) - len(shown)} more; --wrong names them all", style="dim", highlight=False)
