"""The benchmark of the load: it runs to its end, and its numbers are those of what happened."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from benchmarks import cost, load
from benchmarks.cost import Diary, Span, costs, stretches
from benchmarks.crowd import BUSY, Crowd, Told, lost, out_of_order, overtaken, twice
from benchmarks.figures import longest_gap, percentile, told
from benchmarks.usage import children, cpu_seconds, cpu_seconds_of_family, resident_mib
from core.delivery import FIRST
from core.phrases import phrase
from tests.doubles.little import tells
from tests.platforms.slack import SlackStandIn

LITTLE = "--questions 12 --threads 4 --channels 4 --latency 0.05 --concurrency 4 --database sqlite --only load"


async def test_a_run_is_accounted_for(tmp_path: Path) -> None:
    """Every question of a small run has its answer, and the figures, which JSON can carry, say so."""
    measured = await load.measure(load._options([*LITTLE.split(), "--folder", str(tmp_path)]))

    figures = json.loads(json.dumps(measured))["load"]["sqlite"]
    promises = figures["promises"]
    kept = ("lost", "answered twice", "out of order in a thread", "errors in the logs", "broken rules of Slack's")
    assert dict.fromkeys(kept, 0) == {name: promises[name] for name in kept}
    # Of each thread's questions the planner also reads all but the first: nobody but it knows what they lean on.
    assert (12, round((4 * 2 + 8 * 3) / 12, 3)) == (promises["questions"], promises["model calls for a question"])
    assert 0 == promises["replicas that did not end well"]
    assert 12 == figures["shares"]["answers by replica 1"]
    assert pytest.approx(4 / (32 / 12 * 0.05)) == figures["throughput"]["questions a second that the model allows"]
    assert 0 < figures["throughput"]["ratio"] <= 1
    assert 1 <= figures["throughput"]["model calls at once, at most"] <= 4
    assert 0 < figures["CPU"]["seconds for a question, replica 1"] < 5
    waits = figures["seconds that people wait"]
    # Each question is told of twice, as a mention and as a message.
    assert 24 <= waits["acknowledgements"]
    assert 0 < waits["acknowledgement, p50"] <= waits["acknowledgement, longest"]
    assert 0 < waits["first visible sign, p50"] <= waits["answer, p50"]
    assert any("answered twice" in line for line in told(measured))


async def test_the_cost_is_told_by_its_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts of a question's way make up the whole, also of a thread's second, which takes a call more."""
    monkeypatch.setattr(cost, "_THREADS", 2)
    figures = await costs(tmp_path, questions=3, warm_up=1)

    whole = figures["from asked until the reply is stored, without settling"]
    assert 3 == figures["questions"]
    assert 0 < figures["the same pipeline in memory"] < whole
    assert pytest.approx(whole - figures["the same pipeline in memory"]) == figures["recording and checkpoints add"]
    assert all(value >= 0 for value in figures["medians of the parts"].values())


def test_the_stretches_follow_one_another() -> None:
    """The time in which a question settles is left out, and each part is what its call took."""
    spans = {
        "Reception.asked": [(None, 0, 10, None)],
        "SqlInbox.take": [(1, 11, 12, []), (1, 110, 115, ["one"])],
        "Line.answered": [(None, 120, 200, None)],
        "SqlThreads.open": [(None, 124, 125, None)],
        "ToldModel.complete": [(None, 132, 133, None), (None, 142, 144, None)],
        "CheckpointedModel.complete": [(None, 131, 137, None), (None, 141, 147, None)],
        "SqlThreads.close": [(None, 153, 160, None)],
        "Stage.show": [(_Part(FIRST), 20, 30, None), (_Part(FIRST), 161, 165, None), (_Part("e"), 166, 170, None)],
    }
    diary = Diary({name: [Span(*span) for span in found] for name, found in spans.items()})

    found = stretches(diary)

    assert (60, 100) == (found["from asked until the reply is stored"], found["settling in the line"])
    assert (5, 5) == (found["handing out: taken"], found["handing out: run started"])
    # Twice six, less the one and the two that the model took.
    assert 9 == found["recording what the models said"]
    # 10 + 5 + 5 + 1 + 9 + 7 are told of the 60.
    assert 23 == found["everything else: the pipeline itself"]
    assert (5, 10) == (found["from stored until the answer is shown"], found["from stored until all is shown"])


def test_what_is_wrong_is_counted() -> None:
    """A question without an answer, one answered twice, and two in the wrong order are told apart."""
    good = _told("K1", answered=1.0, answers={"a"})
    missing = _told("K2")
    double = _told("K3", answered=5.0, answers={"b", "c"})
    early = _told("K4", answered=4.0, answers={"d"}, follows=frozenset({"K3"}))
    rash = _told("K5", answered=0.5, answers={"e"})

    all_ = [good, missing, double, early, rash]

    assert (2, 1) == (lost(all_), twice(all_))
    assert (1, 3) == (out_of_order(all_), overtaken(all_))


async def test_only_the_right_answer_in_its_thread_counts() -> None:
    """An answer to another question, or under another message, answers nothing."""
    slack = SlackStandIn()
    slack.add_user("U1")
    slack.add_channel("C1", members=["U1", slack.bot_user_id])
    async with slack:
        crowd = Crowd(slack, 2, ("C1",), ("U1",))
        one, other = await crowd.ask(0), await crowd.ask(1)
        for text, root in ((tells("K1"), other.ts), ("The key K1 is nowhere.", one.ts), (tells("K2"), other.ts)):
            await slack.post_as(slack.bot_user_id, "C1", text, thread_ts=root)
        crowd.look()

        assert (1, 1) == (lost(crowd.told), crowd.answered)
        assert (None, 1) == (one.answered, len(other.standing))


def test_a_busy_notice_is_known() -> None:
    """The notice is told from the sign that somebody looks, in both languages."""
    assert all(BUSY.fullmatch(phrase("busy", language, number=12)) for language in ("en", "ru"))
    assert not BUSY.fullmatch(phrase("looking", "en"))


def test_numbers_are_computed() -> None:
    """Percentiles are values that occurred, and pauses count from the beginning to the end of the span."""
    values = [float(number) for number in range(1, 101)]

    assert (50.0, 99.0, 100.0) == tuple(percentile(values, share) for share in (0.5, 0.99, 1.0))
    assert (4.0, 10.0) == (longest_gap([1.0, 2.0, 6.0, 9.0, 20.0], 0.0, 10.0), longest_gap([], 0.0, 10.0))


def test_a_process_is_measured() -> None:
    """This process has used the processor and holds memory; one that does not exist has not."""
    assert cpu_seconds(os.getpid()) > 0
    assert cpu_seconds(os.getpid()) <= cpu_seconds_of_family(os.getpid())
    assert os.getpid() in children(os.getppid())
    assert resident_mib(os.getpid()) > 1
    assert (0.0, 0.0) == (cpu_seconds(2**30), resident_mib(2**30))


class _Part:
    def __init__(self, part: str) -> None:
        self.part = part


def _told(key: str, *, answers: set[str] | None = None, **known: Any) -> Told:
    made = Told(key, 0, "C1", "1.0", key, 0.0, **known)
    made.answers = answers or set()
    made.standing = set(made.answers)
    return made
