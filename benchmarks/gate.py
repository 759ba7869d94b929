"""How good the follow-up gate is on conversations that its weights were not fitted on, beside the ones it has.

python -m benchmarks.gate FILE [FILE …] [--folds 10] [--shuffles 5] [--switch 3] [--json]

The files hold labelled turns as `footnote evaluate followup` reads them; those in the repository are in
tests/suites/followup.jsonl. A fold holds whole conversations. `held out`: each turn is judged by weights fitted on the
other folds; `as it is`: by the gate's own. What words decide by themselves (a known name, "another question") is
decided in both, without documents and without a model. Fitted is by logistic regression, both labels weighing alike,
a topic switch `--switch` times, with an L2 penalty of 1.
"""

import argparse
import asyncio
import json
import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from adapters.embedding.universal import UniversalEmbedder
from benchmarks.figures import Figures, told
from bot.followup_cases import Case, read_cases
from core.followup import BASE, NEAR, SET_BY_HAND, SURELY_ALONE, WEIGHTS, Standalone, decide_follow_up, evidence_of
from core.leaning import signs_of
from core.looking import nearness_of

FITTED = [name for name in WEIGHTS if name not in SET_BY_HAND]
_STEPS = 50
_TURN = re.compile(r"-[^-]*$")


class Row(NamedTuple):
    """A turn as it is weighed; `given`: what the signs set by hand give, `alone`: it is new whatever else it shows."""

    file: str
    conversation: str
    is_switch: bool
    is_follow_up: bool
    alone: bool
    evidence: tuple[float, ...]
    given: float


Weights = np.ndarray


def main() -> None:
    """Print the figures for each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--shuffles", type=int, default=5)
    parser.add_argument("--switch", type=float, default=3.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [row for file in options.files for row in read(file)]
    own = np.array([BASE, *(WEIGHTS[name] for name in FITTED), NEAR])
    figures: Figures = {"as it is": shares(rows, [judged(row, own) for row in rows])}
    for shuffle in range(options.shuffles):
        figures[f"held out, shuffle {shuffle}"] = held_out(rows, options.folds, shuffle, options.switch)
    figures["fitted on all"] = dict(zip(["base", *FITTED, "near"], fitted(rows, options.switch).round(2), strict=True))
    print(json.dumps(figures, default=float) if options.json else "\n".join(told(figures)))


def read(file: Path) -> list[Row]:
    """Return the turns of a file."""
    embedder = UniversalEmbedder(1)
    cases, problems = read_cases(file)
    if problems:
        raise SystemExit("\n".join(problems))
    lines = (json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip())
    conversations = {line["id"]: line.get("conversation") or _TURN.sub("", line["id"]) for line in lines}
    return [asyncio.run(_row(case, str(file), conversations[case.id], embedder)) for case in cases]


async def _row(case: Case, file: str, conversation: str, embedder: UniversalEmbedder) -> Row:
    signs = signs_of(case.question, [case.question[match.start : match.end] for match in case.matches])
    evidence = evidence_of(signs, case.thread, case.asked_at)
    given = sum(WEIGHTS[name] * evidence[name] for name in SET_BY_HAND)
    odds = BASE + sum(WEIGHTS[name] * value for name, value in evidence.items())
    decision = decide_follow_up(case.question, case.matches, case.thread, case.asked_at)
    near = await nearness_of(case.question, case.thread, embedder) if case.thread.turns else 0.0
    # What is new although its odds are not low was decided by a name, or by a word for it.
    alone = isinstance(decision, Standalone) and odds > SURELY_ALONE
    row = (1.0, *(evidence[name] for name in FITTED), near)
    return Row(file, conversation, case.kind == "topic_switch", case.label == "follow_up", alone, row, given)


def held_out(rows: Sequence[Row], folds: int, shuffle: int, switch: float) -> Figures:
    """Return the shares of turns that are judged by weights of other conversations."""
    conversations = sorted({(row.file, row.conversation) for row in rows})
    random.Random(shuffle).shuffle(conversations)  # noqa: S311 - folds are no secret
    fold = {one: place % folds for place, one in enumerate(conversations)}
    of = [fold[row.file, row.conversation] for row in rows]
    weights = [fitted([row for row, at in zip(rows, of, strict=True) if at != n], switch) for n in range(folds)]
    return shares(rows, [judged(row, weights[at]) for row, at in zip(rows, of, strict=True)])


def fitted(rows: Sequence[Row], switch: float) -> Weights:
    """Return the weights that fit the turns best, by Newton's method."""
    open_ = [row for row in rows if not row.alone]
    given, label = np.array([row.given for row in open_]), np.array([float(row.is_follow_up) for row in open_])
    evidence = np.array([row.evidence for row in open_])
    share = np.where(label == 1, 0.5 / label.mean(), 0.5 / (1 - label.mean()))
    counts = share * np.array([switch if row.is_switch else 1.0 for row in open_])
    penalty = np.eye(evidence.shape[1])
    penalty[0, 0] = 0
    weights = np.zeros(evidence.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-(evidence @ weights + given)))
        slope = evidence.T @ (counts * (chance - label)) + penalty @ weights
        bend = (evidence * (counts * chance * (1 - chance))[:, None]).T @ evidence + penalty
        weights -= np.linalg.solve(bend, slope)
    return weights


def judged(row: Row, weights: Weights) -> bool:
    """Return whether the turn is taken for a follow-up."""
    return not row.alone and float(np.dot(row.evidence, weights)) + row.given > 0


def shares(rows: Sequence[Row], taken: Sequence[bool]) -> Figures:
    """Return for each file the balanced accuracy, and which share of the topic switches was carried over."""
    pairs = list(zip(rows, taken, strict=True))
    return {file: _shares_of([pair for pair in pairs if pair[0].file == file]) for file in {row.file for row in rows}}


def _shares_of(pairs: Sequence[tuple[Row, bool]]) -> Mapping[str, float]:
    follow, alone = ([taken for row, taken in pairs if row.is_follow_up is label] for label in (True, False))
    switches = [taken for row, taken in pairs if row.is_switch]
    return {
        "balanced": round((_mean(follow) + 1 - _mean(alone)) / 2, 4),
        "follow-ups found": round(_mean(follow), 4),
        "switches carried over": round(_mean(switches), 4),
    }


def _mean(marks: Sequence[bool]) -> float:
    return sum(marks) / len(marks) if marks else 0.0


if __name__ == "__main__":
    main()
