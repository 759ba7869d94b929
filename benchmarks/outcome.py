"""What a run of the fleet shows, in numbers."""

import math

from benchmarks.crowd import lost, out_of_order, overtaken, twice
from benchmarks.figures import Figures, longest_gap, percentile
from benchmarks.fleet import Run
from benchmarks.usage import cores
from tests.faults.judge import journal_of

# Of the questions; memory is told after each.
_SHARES = (0.1, 0.5, 1.0)


def figures_of(run: Run) -> Figures:
    """Return all that is known of a run that is over."""
    return {
        "replicas": run.load.replicas,
        "promises": _promises(run),
        "seconds that people wait": _waits(run),
        "throughput": _throughput(run),
        "CPU": _cpu(run),
        "memory of each replica, MiB": _memory(run),
        "shares": _shares(run),
    }


def _promises(run: Run) -> Figures:
    told, slack = run.crowd.told, run.crowd.slack
    logs = [path.read_text(errors="replace") for path in run.place.folder.glob("log-*")]
    return {
        "questions": len(told),
        "lost": lost(told) + run.load.questions - len(told),
        "answered twice": twice(told),
        "out of order in a thread": out_of_order(told),
        "came at once and were answered the other way round": overtaken(told),
        "busy notices": sum(one.was_busy for one in told),
        "events sent again because no acknowledgement came": sum(one.retry_num for one in slack.deliveries),
        "broken rules of Slack's": len(slack.violations),
        "model calls for a question": round(_calls(run), 3),
        "errors in the logs": sum(line.split()[1:2] == ["ERROR"] for log in logs for line in log.splitlines()),
        "replicas that did not end well": run.unclean,
    }


def _calls(run: Run) -> float:
    return len(run.model.calls) / max(1, len(run.crowd.told))


def _waits(run: Run) -> Figures:
    told = run.crowd.told
    signs = [one.first_sign - one.asked for one in told if one.first_sign]
    answers = [one.answered - one.asked for one in told if one.answered]
    acks = run.crowd.acknowledgements
    return {
        "acknowledgements": len(acks),
        "acknowledgement, p50": percentile(acks, 0.5),
        "acknowledgement, p99": percentile(acks, 0.99),
        "acknowledgement, longest": percentile(acks, 1.0),
        "first visible sign, p50": percentile(signs, 0.5),
        "first visible sign, p99": percentile(signs, 0.99),
        "answer, p50": percentile(answers, 0.5),
        "answer, p99": percentile(answers, 0.99),
    }


def _throughput(run: Run) -> Figures:
    told = run.crowd.told
    ends = sorted(one.answered for one in told if one.answered)
    begun = min((one.asked for one in told), default=0.0)
    rate = len(ends) / (ends[-1] - begun) if ends else 0.0
    low, high = (ends[int(share * (len(ends) - 1))] for share in (0.1, 0.9)) if ends else (0.0, 1.0)
    steady = sum(low < end <= high for end in ends) / max(high - low, 1e-9)
    # In a thread the model may be asked what a question leans on, besides for its plan and its answer.
    allowed = run.load.allowed(_calls(run))
    return {
        "questions a second": rate,
        "questions a second that the model allows": allowed,
        "ratio": rate / allowed,
        "ratio between the first and the last tenth of the answers": steady / allowed,
        "model calls at once, at most": run.model.busiest,
    }


def _cpu(run: Run) -> Figures:
    used = dict(run.used)
    seconds, machine, answered = used.pop("seconds"), used.pop("whole machine"), max(1, run.crowd.answered)
    ours = sum(used.values())
    each = {f"seconds for a question, {name}": value / answered for name, value in used.items()}
    shares = {f"cores in use, {name}": value / seconds for name, value in used.items()}
    # What others took of the cores was not ours to use.
    others = max(0.0, machine - ours) / seconds
    most = (cores() - others) * answered / ours
    whole = {"cores in use, others on the machine": others, "cores in use, all together": machine / seconds}
    return {**each, **shares, **whole, "cores": cores(), "questions a second that the cores allow": most}


def _memory(run: Run) -> Figures:
    marks = {}
    for share in _SHARES:
        wanted = share * run.load.questions
        sample = next((one for one in run.samples if one.answered >= wanted), run.samples[-1])
        marks[f"after {share:.0%} of the questions"] = " ".join(f"{value:.1f}" for value in sample.memory)
    return marks


def _shares(run: Run) -> Figures:
    """Return how the work was shared, and whether one replica kept another from it."""
    done: dict[int, list[float]] = {worker.pid: [] for worker in run.workers}
    for line in journal_of(run.journal):
        if line["kind"] == "recorded" and line["step"] == "answer" and line["pid"] in done:
            done[line["pid"]].append(line["t"] / 1e9)
    times = sorted(time for found in done.values() for time in found)
    begin, end = (times[len(times) // 10], times[-len(times) // 10]) if len(times) > 1 else (0.0, math.inf)
    counts = {f"answers by replica {n}": len(found) for n, found in enumerate(done.values(), 1)}
    gaps = {
        f"longest pause of replica {n}, seconds": longest_gap(found, begin, end)
        for n, found in enumerate(done.values(), 1)
    }
    waiting = sum(sample.waiting_for_locks for sample in run.samples) / max(1, len(run.samples))
    rate = run.crowd.answered / run.used["seconds"]
    return {**counts, **gaps, "seconds a question waits for locks of the database": waiting / rate if rate else 0.0}
