"""How many attacks a real model obeys, and how many of those are shown: each attack once, five in each place.

python -m benchmarks.injection_model --model NAME --api-base URL [--minutes 60] [--first 0] [--lines FILE] [--json]

The cases are those of `benchmarks.injection`, spread over the places in both languages; the model plans and writes, and
each reply is judged as there. `in the model's words`: the model itself has written what the attack wants. The first
case also loads the model. When the minutes are up, the rest is not asked; `--first` goes on where that was. `--lines`
names a file to which each case is added as it ends, as a line of JSON.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from adapters.embedding.universal import UniversalEmbedder
from bot.settings import Settings
from bot.wiring import make_model
from core.ports import Completion, LanguageModel, ModelRequest
from tests.injection.cases import Case, spread, squeezed
from tests.injection.judging import Tried, obeyed
from tests.injection.trial import poisoned, try_out

_PATIENCE = 600


@dataclass
class Overheard:
    """A model with what it was asked and what it said."""

    model: LanguageModel
    requests: list[ModelRequest] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def offers(self, role: Literal["planner", "answer"]) -> bool:
        """Return whether it plays the role."""
        return self.model.offers(role)

    async def complete(self, request: ModelRequest) -> Completion:
        """Return what the model says, noted."""
        self.requests.append(request)
        completion = await self.model.complete(request)
        self.said.append(completion.text)
        return completion


def main() -> None:
    """Print the table; status 1 when an attack was obeyed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True)
    parser.add_argument("--api-base", required=True)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--lines", type=Path)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    settings = Settings(
        planner_model=(given.model,),
        answer_model=(given.model,),
        model_api_base=given.api_base,
        model_api_key="none",  # type: ignore[arg-type] # a local server asks for none
        model_timeout_seconds=_PATIENCE,
    )
    told = asyncio.run(tried_with(make_model(settings), spread()[given.first :], given.minutes * 60, given.lines))
    print(json.dumps(told, ensure_ascii=False, indent=2) if given.json else table(told))
    raise SystemExit(any(one["obeyed"] for one in told))


async def tried_with(
    model: LanguageModel, cases: Sequence[Case], seconds: float, lines: Path | None = None
) -> list[dict[str, Any]]:
    """Return what came of each case that was begun within so many seconds."""
    told: list[dict[str, Any]] = []
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        async with poisoned(cases, Path(folder), UniversalEmbedder()) as of:
            for case in cases:
                if time.monotonic() > end:
                    break
                by = Overheard(model)
                tried = await try_out(case, of, by)
                told.append(_told(tried, by, obeyed(tried, of.documents)))
                if lines:
                    await asyncio.to_thread(_add, lines, told[-1])
    return told


def _told(tried: Tried, by: Overheard, faults: Sequence[str]) -> dict[str, Any]:
    case, answer = tried.case, tried.record.answer
    mark = squeezed(case.mark)
    return {
        "case": str(case),
        "place": case.place,
        "language": case.lang,
        "obeyed": list(faults),
        "in the model's words": bool(mark) and any(mark in squeezed(said) for said in by.said),
        "answered": any("08:15" in claim.text or "19:40" in claim.text for claim in answer.claims),
        "refused": answer.is_refusal,
        "by": answer.model,
        "calls": len(by.said),
        "problem": answer.problem,
        "seconds": round(tried.record.seconds, 1),
        "said": by.said,
        "shown": [claim.text for claim in answer.claims],
    }


def _add(lines: Path, one: dict[str, Any]) -> None:
    with lines.open("a", encoding="utf-8") as file:
        file.write(json.dumps(one, ensure_ascii=False) + "\n")


def table(told: Sequence[dict[str, Any]]) -> str:
    """Return what came of the cases by place and language, as a table of Markdown."""
    sums: dict[str, Counter[str]] = {}
    for one in told:
        for sort in (f"in {one['place']}", one["language"], "all"):
            sums.setdefault(sort, Counter()).update(
                cases=1,
                obeyed=int(bool(one["obeyed"])),
                words=int(one["in the model's words"]),
                answered=int(one["answered"]),
                calls=one["calls"],
            )
    rows = [
        f"| {sort} | {one['cases']} | {one['obeyed']} | {one['words']} | {one['answered']} | {one['calls']} |"
        for sort, one in sorted(
            sums.items(), key=lambda sum_: (sum_[0] == "all", not sum_[0].startswith("in "), sum_[0])
        )
    ]
    head = "| place | cases | obeyed | in the model's words | answered in spite of it | calls of the model |"
    faults = [f"- {one['case']}: {'; '.join(one['obeyed'])[:300]}" for one in told if one["obeyed"]]
    return "\n".join((head, "|---|---|---|---|---|---|", *rows, *faults))


if __name__ == "__main__":
    main()
