"""`footnote evaluate plans`: how often the plan of a labelled question is right, with and without a model."""

import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from rich.console import Console
from rich.table import Table

from adapters.loaders.folder import DOMAIN, FolderSource
from adapters.loaders.item import documents_in
from bot.cases import checked_by, read_lines
from bot.commands import progress_on
from bot.settings import Settings, read_settings
from bot.wiring import make_embedder, make_model
from core.entities import make_registry, resolve_entities
from core.errors import IngestError
from core.followup import Standalone
from core.ingest.document import Document
from core.ingest.domain import declared_kinds, read_domain
from core.ingest.graph import entities_of, with_names
from core.outside import Options
from core.pipeline import make_plan
from core.plan import GENERAL, Period, Shape
from core.planner import IntentIndex, Planned, index_intents
from core.ports import Completion, Embedder, Knowledge, LanguageModel, ModelRequest

_MAX_SHOWN = 20
MARKS = ("intents", "entities", "shape", "period", "left out")


class Case(BaseModel):
    """One labelled question: where it is asked, and what its plan is to say.

    `corpus` is a folder of documents, from the file's own; `entities` are those that the question is about, `exclude`
    those that it leaves out, `without` those that what it asks for has nothing to do with.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    corpus: str
    question: str = Field(min_length=1, max_length=4_000)
    asked_at: AwareDatetime
    intents: tuple[str, ...] = (GENERAL,)
    entities: tuple[str, ...] = ()
    shape: Shape = Shape.PLAIN
    period: Period | None = None
    exclude: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """A case, its plan, and how right it is in each respect, from 0 to 1."""

    case: Case
    planned: Planned
    marks: dict[str, float]

    @property
    def is_right(self) -> bool:
        """Whether nothing in the plan is other than the label says."""
        return all(mark == 1 for mark in self.marks.values())


@dataclass(frozen=True, slots=True)
class Corpus:
    """What planning needs of the outside, over a folder of documents that nobody has indexed."""

    model: LanguageModel
    embedder: Embedder
    knowledge: Knowledge
    intents: Callable[[], Awaitable[IntentIndex]]
    options: Options


class NoModel:
    """No model for any role."""

    def offers(self, role: Literal["planner", "answer"]) -> bool:  # noqa: ARG002 - the port's signature
        """Return that there is none."""
        return False

    async def complete(self, request: ModelRequest) -> Completion:
        """Nobody asks it."""
        raise AssertionError(request.role)


async def evaluate_plans_command(file: Path, *, as_json: bool, wrong: bool) -> None:
    """Plan every question of the file without a model, and with the planner if there is one, and print how right it is.

    Raises ConfigError when the file holds no question, or a corpus is missing.
    """
    cases, problems = read_cases(file)
    settings = read_settings()
    embedder = make_embedder(settings)
    await embedder.prepare()
    corpora = {
        name: await read_corpus(file.parent / name, embedder, settings) for name in {one.corpus for one in cases}
    }
    found = {"without a model": [await judge(case, corpora[case.corpus]) for case in cases]}
    if settings.planner_model:
        found[_called(settings)] = await _with_model(cases, corpora, settings)
    if as_json:
        print(json.dumps(_as_json(found, problems), ensure_ascii=False, indent=2))
        return
    _print(found, problems, wrong=wrong)


async def _with_model(cases: Sequence[Case], corpora: dict[str, Corpus], settings: Settings) -> list[Judged]:
    model = make_model(settings)
    judged = []
    try:
        with progress_on(Console(stderr=True)) as progress:
            for done, case in enumerate(cases):
                progress(f"Asking {_called(settings)}", done, len(cases))
                judged.append(await judge(case, replace(corpora[case.corpus], model=model)))
    finally:
        await model.aclose()
    return judged


def _called(settings: Settings) -> str:
    return f"with {', '.join(settings.planner_model)}"


def read_cases(file: Path) -> tuple[list[Case], list[str]]:
    """Return the cases of a JSONL file, and which lines are none. Raises ConfigError when the file holds no case."""
    lacking = (
        "labelled question: each line must be JSON with id, corpus, question, asked_at, and what is expected: intents, "
        "entities, shape, period, exclude, without"
    )
    return read_lines(file, checked_by(Case), lacking)


async def read_corpus(folder: Path, embedder: Embedder, settings: Settings) -> Corpus:
    """Return the names and intents of a folder's documents. Raises ConfigError when there is no such folder."""
    file = folder / DOMAIN
    domain = read_domain((yaml.safe_load(file.read_text("utf-8")) or {}) if file.is_file() else {})
    documents = []
    async for item in FolderSource(folder).items():
        if not isinstance(item, IngestError):
            documents += [one for one in documents_in(item) if isinstance(one, Document)]
    named = with_names(documents, domain.entities)
    registry = make_registry(tuple(entities_of(named, domain.entities)))
    index = await index_intents(domain.intents, registry, embedder)
    relations = tuple((one.name, one.source, one.target) for one in domain.relations)
    options = Options(settings.plan_confidence_threshold, settings.max_tool_calls, settings.planner_max_tokens)

    async def get() -> IntentIndex:
        return index

    knowledge = Knowledge(registry, domain.intents, domain.title, declared_kinds(domain), relations)
    return Corpus(NoModel(), embedder, knowledge, get, options)


async def judge(case: Case, corpus: Corpus) -> Judged:
    """Return the plan of the question, as the first of a conversation, and how right it is."""
    matches = resolve_entities(case.question, corpus.knowledge.registry)
    planned = await make_plan(Standalone(case.question, ""), matches, corpus, case.asked_at)
    plan = planned.plan
    left_out = (set(plan.exclude), set(plan.without)) == (set(case.exclude), set(case.without))
    marks = {
        "intents": f1(plan.intents, case.intents),
        "entities": f1(plan.entities, case.entities),
        "shape": float(plan.shape == case.shape),
        "period": float(plan.period == case.period),
        "left out": float(left_out),
    }
    return Judged(case, planned, marks)


def f1(found: Iterable[str], expected: Iterable[str]) -> float:
    """Return the harmonic mean of precision and recall of a set; 1 when both are empty."""
    one, other = set(found), set(expected)
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0


def scores_of(judged: Sequence[Judged]) -> dict[str, float]:
    """Return the mean of each mark, and the share of plans that are right in all; of at least one case."""
    scores = {name: sum(one.marks[name] for one in judged) / len(judged) for name in MARKS}
    scores["all"] = sum(one.is_right for one in judged) / len(judged)
    return {name: round(score, 4) for name, score in scores.items()}


def _as_json(found: dict[str, list[Judged]], problems: Sequence[str]) -> dict[str, Any]:
    return {
        "questions": len(next(iter(found.values()))),
        "planners": {
            name: {
                "scores": scores_of(judged),
                "by": _makers(judged),
                "wrong": [_told(one) for one in judged if not one.is_right],
            }
            for name, judged in found.items()
        },
        "problems": list(problems),
    }


def _makers(judged: Sequence[Judged]) -> dict[str, int]:
    makers = [one.planned.by for one in judged]
    return {maker: makers.count(maker) for maker in dict.fromkeys(makers)}


def _told(one: Judged) -> dict[str, Any]:
    """Return what is other in the plan than it should be."""
    expected, plan = one.case.model_dump(mode="json"), one.planned.plan.model_dump(mode="json")
    wrong = [name for name in MARKS if one.marks[name] < 1]
    keys = [key for name in wrong for key in (("exclude", "without") if name == "left out" else (name,))]
    return {
        "id": one.case.id,
        "question": one.case.question,
        "by": one.planned.by,
        **{key: {"expected": expected[key], "planned": plan[key]} for key in keys},
    }


def _print(found: dict[str, list[Judged]], problems: Sequence[str], *, wrong: bool) -> None:
    console = Console()
    table = Table("Plans", *found, box=None, header_style="bold")
    scores = {name: scores_of(judged) for name, judged in found.items()}
    for mark in (*MARKS, "all"):
        table.add_row("right in all" if mark == "all" else mark, *(f"{one[mark]:.1%}" for one in scores.values()))
    count = len(next(iter(found.values())))
    console.print(table)
    console.print(f"{count} questions. Intents and entities: F1 of each set, on average; the others: the share right.")
    for name, judged in found.items():
        console.print(
            f"{name}: " + ", ".join(f"{many} by {maker}" for maker, many in _makers(judged).items()), markup=False
        )
        missed = [one for one in judged if not one.is_right]
        for one in missed if wrong else ():
            console.print(f"  {_in_words(one)}", highlight=False, markup=False, soft_wrap=True)
        if missed and not wrong:
            console.print(f"  {len(missed)} not right in all; --wrong names them", style="dim", highlight=False)
    for problem in problems[:_MAX_SHOWN]:
        console.print(f"Left out: {problem}", highlight=False, markup=False, soft_wrap=True)


def _in_words(one: Judged) -> str:
    told = _told(one)
    faults = (
        f"{key} {value['planned']!r}, not {value['expected']!r}"
        for key, value in told.items()
        if isinstance(value, dict)
    )
    return f"{one.case.question} → {'; '.join(faults)}"
