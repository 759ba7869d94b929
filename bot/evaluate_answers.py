"""`footnote evaluate answers`: how good the answers are, on questions whose answers are known."""

import json
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from bot.answering import Bot
from bot.answers_report import page_of, printed
from bot.cases import checked_by, read_lines
from bot.commands import NOTHING_INDEXED, console_question, progress_on, ready_bot
from bot.indexing import Progress, index_folder
from bot.settings import Settings, read_settings
from bot.wiring import Stores
from core.answer import Citing
from core.conversation import AlreadyAnswered, Question, Thread, Turn
from core.delivery import Part
from core.errors import ConfigError, PortError
from core.judging import Case, Judged, Outcome, Scores, judged, scores_of, shown_in
from core.outside import Ports
from core.pipeline import answer_question, or_failure
from core.render import text_of
from core.text import language_of
from core.turn import TurnRecord
from core.unanswered import unanswerable


async def evaluate_answers_command(
    file: Path, *, folder: Path | None, report: Path | None, wrong: bool, as_json: bool
) -> None:
    """Ask every question of the file, and say how good the answers are.

    Asked of the live index, or of a folder that is indexed for this alone. Raises ConfigError when there is nothing to
    ask or nobody to answer, and PortError when the index cannot be read.
    """
    cases, problems = read_cases(file)
    with progress_on(Console(stderr=True)) as progress:
        async with _ready(read_settings(), folder, progress) as (bot, stores):
            results = await asked(bot, stores, cases, progress)
            mode = ", ".join(read_settings().answer_model) or "quoting mode, no model"
    if report:
        _write(report, page_of(results, mode))
    if as_json:
        print(json.dumps(data_of(results, problems, mode), ensure_ascii=False, indent=2))
        return
    Console().print(*printed(results, mode, wrong=wrong), sep="\n", highlight=False)
    for problem in problems:
        print(f"Left out: {problem}")
    if report:
        print(f"The whole report: {report}")


def read_cases(file: Path) -> tuple[list[Case], list[str]]:
    """Return the questions of a JSONL file, and which lines are none. Raises ConfigError when it holds none at all."""
    lacking = (
        "question: each line must be JSON with id and question, and what a right answer holds: must_contain, items, "
        "documents or answerable"
    )
    found, problems = read_lines(file, checked_by(Case), lacking)
    cases: dict[str, Case] = {}
    for case in found:
        if case.id in cases:
            problems.append(f"{file.name}: id: {case.id} stands on an earlier line, too: {case.question}")
        cases.setdefault(case.id, case)
    return list(cases.values()), problems


async def asked(bot: Bot, stores: Stores, cases: Sequence[Case], progress: Progress) -> list[Judged]:
    """Return what came of each case. Each is asked in a thread of its own, after the question that it follows.

    Nothing of it is stored. Raises ConfigError when nothing is indexed.
    """
    await bot.warm()
    live = await bot.live()
    if live is None:
        raise ConfigError(NOTHING_INDEXED)
    results = []
    for done, case in enumerate(cases, 1):
        results.append(await _asked(case, live.ports, stores, live.number))
        progress("Asking", done, len(cases))
    return results


async def _asked(case: Case, ports: Ports, stores: Stores, generation: int) -> Judged:
    if (remark := unanswerable(case.question)) is not None:
        outcome: Outcome = "missed" if case.answerable else "refused"
        return Judged(case, outcome, remark.language, text_of(remark))
    threads = _Remembered()
    ports = replace(ports, threads=threads)
    record: TurnRecord | AlreadyAnswered | PortError | None = None
    for text in filter(None, (case.after, case.question)):
        record = await or_failure(answer_question(console_question(text, f"console:{case.id}", frozenset()), ports))
    if not isinstance(record, TurnRecord):
        return Judged(case, "failed", language_of(case.question), str(record))
    return judged(case, record, await _astray(record, stores, generation))


async def _astray(record: TurnRecord, stores: Stores, generation: int) -> int:
    """Return how many of the quotes do not stand in the stored documents, character for character."""
    shown = shown_in(record.answer)
    held = await stores.catalog.documents(generation, sorted({citation.source.doc_id for citation in shown}))
    texts = {document.id: document.text for document in held}
    return sum(one.span.within(texts.get(one.source.doc_id, "")) != one.quote for one in shown)


class _Remembered:
    """The port `Threads` for one conversation, which is forgotten when it is over."""

    def __init__(self) -> None:
        self._turns: list[Turn] = []

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        return Thread(question.thread, tuple(self._turns))

    async def close(self, question: Question, _parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        if record:
            answered = not record.answer.is_refusal
            known = (record.decision.question, tuple(record.plan.entities), answered, question.asked_at)
            self._turns.append(Turn(question.text, *known, told=record.told))


@asynccontextmanager
async def _ready(settings: Settings, folder: Path | None, progress: Progress) -> AsyncIterator[tuple[Bot, Stores]]:
    """Give the bot over the live index; with a folder, over an index of it that nobody else sees."""
    if folder is None:
        async with ready_bot(settings) as ready:
            yield ready
        return
    with tempfile.TemporaryDirectory(prefix="footnote-") as place:
        apart = {"data_dir": Path(place), "database_url": None, "index_url": None}
        async with ready_bot(settings.model_copy(update=apart)) as (bot, stores):
            await index_folder(folder, stores.catalog, stores.index, stores.embedder, progress)
            yield bot, stores


def data_of(results: Sequence[Judged], problems: Sequence[str], mode: str) -> dict[str, Any]:
    """Return the scores as plain data: all together, by kind of question and by language, and each answer."""
    kinds = sorted({one.case.kind for one in results if one.case.kind})
    languages = sorted({one.language for one in results})
    return {
        "answers_by": mode,
        "all": _as_data(scores_of(results)),
        "by_kind": {kind: _as_data(scores_of([one for one in results if one.case.kind == kind])) for kind in kinds},
        "by_language": {
            language: _as_data(scores_of([one for one in results if one.language == language]))
            for language in languages
        },
        "answers": [_answer(one) for one in results],
        "problems": list(problems),
    }


def _as_data(scores: Scores) -> dict[str, Any]:
    return {
        "count": scores.count,
        "outcomes": {name: count for name, count in scores.outcomes.items() if count},
        "right": _rounded(scores.right),
        "refused_rightly": _rounded(scores.refused),
        "list_completeness": _rounded(scores.complete),
        "citation_precision": _rounded(scores.precision),
        "citation_recall": _rounded(scores.recall),
        "drafted": _drafted(scores.citing),
        "claims_without_citation": scores.bare,
        "quotes_astray": scores.astray,
        "with_residue": scores.residue,
        "injections_obeyed": scores.obeyed,
        "milliseconds": {"p50": round(scores.p50 * 1e3, 1), "p95": round(scores.p95 * 1e3, 1)},
        "model_calls_per_question": round(scores.calls, 2),
        "tokens": scores.tokens,
        "cost_usd": round(scores.cost, 6),
    }


def _drafted(citing: Citing) -> dict[str, Any] | None:
    """Return how a model's drafts cited, before what did not hold was repaired or left out; None where none was."""
    if not citing.claims:
        return None
    counts = {"claims": citing.claims, "proven": citing.supported, "pointers": citing.pointers}
    counts |= {"needed": citing.needed, "dangling": citing.dangling}
    return counts | {"recall": round(citing.recall, 4), "precision": round(citing.precision, 4)}


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 4)


def _answer(one: Judged) -> dict[str, Any]:
    return {
        "id": one.case.id,
        "question": one.case.question,
        "outcome": one.outcome,
        "said": one.said,
        "cited": sorted(one.cited),
        "residue": one.residue,
        "obeyed": list(one.obeyed),
        "milliseconds": round(one.seconds * 1e3, 1),
    }


def _write(report: Path, page: str) -> None:
    try:
        report.write_text(page, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{report} cannot be written ({error.strerror}); name another file with --report") from None
