"""Every entry from outside, fed with what nobody should send: how many crashes, and how long the longest took.

python -m benchmarks.fuzz [--minutes 5] [--entry documents] [--seed 0] [--json]

What a strange input may do is to be passed over, or to end in one of our own errors. Anything else is a crash; a second
of the processor is a hang. The shapes are those of the tests of each entry; here they go on as long as they are let.
"""

import argparse
import asyncio
import json
import logging
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from adapters.slack.commands import slash_in
from adapters.slack.events import read_event
from adapters.telegram.arrivals import Arrivals
from adapters.telegram.errands import Errands
from adapters.telegram.events import Me
from adapters.telegram.inline import InlineAnswers
from core.answering import _parsed
from core.errors import BotError
from core.masking import blotted, masked, unmasked
from core.plan_check import check_plan
from core.press import read_button
from tests.adapters.loaders.made import inside
from tests.adapters.loaders.test_fuzz import NAMES, damaged
from tests.adapters.slack.test_events import BODIES, JSON
from tests.adapters.telegram.test_receiving import BOT, desk_for, updates
from tests.core.test_planner import ASKED, RULES

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
    while True:
        for name in entries:
            shapes, call = ENTRIES[name]
            _round(shapes, call, fed[name], begin, examples)
        begin += 1
        if time.monotonic() >= end:
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


def _telegram(raw: object) -> None:
    """Take an update as the bot does, over a desk that answers nobody."""

    async def taken() -> None:
        desk, errands = desk_for(), Errands()
        inline = InlineAnswers(BOT, desk, errands)
        await Arrivals(BOT, Me(1, "footnote_bot"), desk, errands, _unheard, inline).take(raw)
        await errands.close()
        for task in desk._work:  # noqa: SLF001 - what the double would go on with
            task.cancel()

    asyncio.run(taken())


async def _unheard(_: object) -> None:
    """Tell nobody."""


def _document(file: tuple[str, bytes]) -> None:
    for _ in inside(*file):
        pass


def _personal(text: str) -> None:
    hidden, originals = masked(text)
    assert unmasked(hidden, originals) == text
    blotted(text)


def _texts() -> Iterator[st.SearchStrategy[str]]:
    pieces = [
        "a@b.example",
        "+7 916 000-11-22",
        "EMAIL_1",
        "⟨PHONE_1⟩",
        "тел",
        " ",
        "8",
        "(",
        "-",
        "\u0000",
        "GB82 WEST",
    ]
    yield st.text(max_size=300)
    yield st.lists(st.sampled_from(pieces), max_size=60).map("".join)
    yield st.text(alphabet="0123456789 +-().@aа", max_size=400)


_SLASH = st.fixed_dictionaries(
    {"command": JSON, "team_id": JSON, "channel_id": JSON, "user_id": JSON}, optional={"text": JSON}
)
_SLASH_TEXT = st.fixed_dictionaries(
    {"command": st.just("/ask"), "team_id": st.text(), "channel_id": st.text(), "user_id": st.text()},
    optional={"text": st.text(max_size=200)},
)
_CLAIM = st.fixed_dictionaries(
    {}, optional={"text": JSON, "evidence": JSON, "group": JSON, "fact": JSON, "quote": JSON}
)
_DRAFT = st.fixed_dictionaries(
    {}, optional={"lead": JSON, "claims": st.lists(_CLAIM, max_size=3) | JSON, "abstain": JSON, "nearest": JSON}
)
_PLAN = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(("intents", "entities", "tool_calls", "fallback", "limits", "render_style"), JSON)
    | dict.fromkeys(("answer_style", "confidence", "shape", "exclude", "without"), JSON),
)
_REPLY = st.one_of(
    st.text(max_size=200), JSON.map(json.dumps), _DRAFT.map(json.dumps), _PLAN.map(json.dumps), st.just("[" * 100_000)
)

# What is fed, and what it is fed to.
ENTRIES: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any], object]]] = {
    "slack events": (BODIES, lambda body: read_event(body, "U0BOT")),
    "slash commands": (_SLASH | _SLASH_TEXT, slash_in),
    "telegram updates": (updates, _telegram),
    "presses": (st.text(max_size=300) | st.from_regex(r"(choose|more|why|show|vote)[:|].*"), read_button),
    "documents": (
        damaged() | st.tuples(NAMES, st.binary(max_size=600)) | st.tuples(NAMES, st.text(max_size=300).map(str.encode)),
        _document,
    ),
    "drafts of models": (_REPLY, lambda text: _parsed(text, "fuzzed", 1)),
    "plans of models": (_REPLY, lambda text: check_plan(text, RULES, ASKED)),
    "personal data": (st.one_of(*_texts()), _personal),
}


def _table(fed: dict[str, Fed]) -> str:
    rows = [
        f"| {name} | {one.inputs:,} | {one.crashes} | {one.hangs} | {one.longest * 1e3:.0f} |"
        for name, one in fed.items()
    ]
    where = [f"- {name}: {line}" for name, one in fed.items() for line in one.where]
    return "\n".join(["| entry | inputs | crashes | hangs | longest, ms |", "|---|---|---|---|---|", *rows, *where])


if __name__ == "__main__":
    main()
