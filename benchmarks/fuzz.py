"""Every entry from outside, fed with what nobody should send: how many crashes, and how long the longest took.

python -m benchmarks.fuzz [--minutes 5] [--entry documents] [--seed 0] [--json]

What a strange input may do is to be passed over, or to end in one of our own errors. Anything else is a crash; a second
of the processor is a hang. The shapes are those of the tests of each entry; here they go on as long as they are let.
"""

import argparse
import json
import logging
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from benchmarks.fuzz_entries import ENTRIES
from core.errors import BotError

HANG = 1.0
_ROUND = 200
_ALIKE = 5


@dataclass
class Fed:
    """What came of an entry's inputs: how many, the longest in seconds, and where it crashed, by the line."""

    inputs: int = 0
    longest: float = 0.0
    hangs: int = 0
    crashes: int = 0
    where: tuple[str, ...] = ()


def main() -> None:
    """Feed the entries in turn until the time is up; status 1 when one crashed or hung."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--entry", choices=sorted(ENTRIES))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    logging.disable()
    entries = [options.entry] if options.entry else list(ENTRIES)
    fed = fuzz(entries, options.minutes * 60, options.seed)
    told = {name: vars(one) for name, one in fed.items()}
    print(json.dumps(told, ensure_ascii=False, indent=2) if options.json else _table(fed))
    raise SystemExit(any(one.crashes or one.hangs for one in fed.values()))


def fuzz(entries: list[str], seconds: float, begin: int = 0, examples: int = _ROUND) -> dict[str, Fed]:
    """Return what came of each entry's inputs in so many seconds, or after one round of each, whichever is longer."""
    fed = {name: Fed() for name in entries}
    end = time.monotonic() + seconds
    for number, name in enumerate(cycle(entries)):
        if number >= len(entries) and time.monotonic() >= end:
            break
        shapes, call = ENTRIES[name]
        _round(shapes, call, fed[name], begin + number // len(entries), examples)
    return fed


def _round(shapes: st.SearchStrategy[Any], call: Callable[[Any], object], fed: Fed, begin: int, examples: int) -> None:
    @seed(begin)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(shapes)
    def feed(value: Any) -> None:
        began = time.process_time()
        try:
            call(value)
        except BotError:
            pass
        except Exception as error:  # noqa: BLE001 - whatever it is, that is what is looked for
            _note(fed, error, value)
        took = time.process_time() - began
        fed.inputs += 1
        fed.longest = max(fed.longest, took)
        fed.hangs += took > HANG

    feed()


def _note(fed: Fed, error: Exception, value: object) -> None:
    fed.crashes += 1
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{type(error).__name__} at {last.name}:{last.lineno}: {str(error)[:80]} <- {value!r:.300}"
    if len(fed.where) < _ALIKE:
        fed.where += (where,)


def _table(fed: dict[str, Fed]) -> str:
    rows = [
        f"| {name} | {one.inputs:,} | {one.crashes} | {one.hangs} | {one.longest * 1e3:.0f} |"
        for name, one in fed.items()
    ]
    where = [f"- {name}: {line}" for name, one in fed.items() for line in one.where]
    return "\n".join(["| entry | inputs | crashes | hangs | longest, ms |", "|---|---|---|---|---|", *rows, *where])


if __name__ == "__main__":
    main()
