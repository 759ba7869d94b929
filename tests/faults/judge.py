"""The verdict on a round, from what could be seen in the chats, what the model heard and what the processes left."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.doubles.little import key_in
from tests.faults.model import ModelCall
from tests.faults.town import BUSY, NOTES, SIGNS, STOPPED, Asked, Sight, Sights

# What a log never says when all goes as planned, whatever the trouble outside.
_DEFECTS = re.compile(
    r"Traceback|a defect|never retrieved|never awaited|Exception ignored|INTERNAL ERROR", re.IGNORECASE
)

Findings = dict[str, list[str]]


@dataclass
class Evidence:
    """All that is known of a round at its end."""

    asked: Sequence[Asked]
    sights: Sights
    calls: Sequence[ModelCall]
    journal: Sequence[dict[str, Any]]
    logs: Sequence[str]
    complaints: Sequence[str]
    # Telegram: answers that may have been lost were offered again, and asked for by a press.
    pressed: bool = False
    # A question taken back stays answered where the platform does not tell of it.
    tells_of_deletions: bool = True
    # What was shown only in passing.
    drafts: Sights = field(default_factory=Sights)
    # Workers that stood still for longer than others waited for them, and then went on.
    thawed: Collection[int] = ()


def judged(case: Evidence) -> Findings:
    """Return what is wrong, by kind; nothing when every rule holds."""
    found: Findings = defaultdict(list)
    for kind, rule in RULES:
        found[kind].extend(rule(case))
    return {kind: said for kind, said in found.items() if said}


def _of(asked: Asked, sights: Iterable[Sight], *, evidence: bool) -> list[Sight]:
    return [s for s in sights if s.evidence == evidence and s.text and key_in(s.text) in asked.keys]


def _questions(case: Evidence) -> list[Asked]:
    return [asked for asked in case.asked if asked.copy_of is None]


def unanswered(case: Evidence) -> Iterator[str]:
    """Every question has an answer, with the right key in it, and its evidence."""
    now = case.sights.now()
    for asked in _questions(case):
        if asked.wanted is None or (asked.stopped and _sentences(asked, now)):
            continue
        for evidence in (False, True):
            seen = [key_in(s.text or "") for s in _of(asked, now, evidence=evidence)]
            if asked.wanted not in seen:
                what = "evidence" if evidence else "answer"
                yield f"question {asked.number} ({asked.wanted}): no {what}; seen: {seen}"


def twice(case: Evidence) -> Iterator[str]:
    """No question's answer or evidence was ever in two messages; a press may show what was there all along."""
    most = 2 if case.pressed else 1
    for asked in _questions(case):
        for evidence in (False, True):
            messages = {(s.place, s.message) for s in _of(asked, case.sights.all, evidence=evidence)}
            if len(messages) > (most if not asked.edited or not evidence else most + 1):
                what = "evidence" if evidence else "answer"
                yield f"question {asked.number} ({asked.keys}): {what} in {sorted(messages)}"


def stale(case: Evidence) -> Iterator[str]:
    """Nothing stands that is no longer true: signs, answers to a text that was changed or taken back."""
    wanted = {asked.wanted for asked in case.asked}
    stopped = [s for asked in case.asked if asked.stopped for s in _sentences(asked, case.sights.now())]
    for sight in case.sights.now():
        key = key_in(sight.text or "")
        if sight in stopped or _is_lost_sign(case, sight):
            continue
        if sight.text in SIGNS:
            yield f"a sign stands: {sight}"
        elif is_note(sight):
            yield f"a note stands: {sight}"
        elif (sight.text or "").rstrip().endswith("…"):
            yield f"an answer in the making stands: {sight}"
        elif key is None:
            yield f"neither answer nor evidence: {sight}"
        elif key not in wanted and (case.tells_of_deletions or key not in _deleted(case)):
            yield f"an answer to what is not asked any more: {sight}"


def stopped_and_answered(case: Evidence) -> Iterator[str]:
    """What its asker stops has the sentence that says so, in one message, or was answered: never both."""
    for asked in _questions(case):
        sentences = {s.message for s in _sentences(asked, case.sights.all)}
        answers = [s for evidence in (False, True) for s in _of(asked, case.sights.now(), evidence=evidence)]
        if sentences and (answers or len(sentences) > (2 if case.pressed else 1)):
            yield f"question {asked.number}: stopped in {sorted(sentences)}, and answered: {answers}"


def _is_lost_sign(case: Evidence, sight: Sight) -> bool:
    """Return whether it says how long the line is, and nobody can find out that it does: Telegram lets nobody look."""
    lost = f"Whether answer-1 of telegram:{sight.place}:{sight.asked} arrived cannot be found out"
    return (sight.text or "").startswith(BUSY) and any(lost in log for log in case.logs)


def _sentences(asked: Asked, sights: Iterable[Sight]) -> list[Sight]:
    here = (asked.place, asked.message)
    return [s for s in sights if s.text in STOPPED and (s.place, s.asked) == here]


def out_of_order(case: Evidence) -> Iterator[str]:
    """A question's answer comes after those of its thread that had been taken before it was asked."""
    for earlier, later in _inversions(case):
        if earlier.number in later.follows:
            yield f"thread {later.thread}: question {later.number} was answered before {earlier.number}"


def overtaken(case: Evidence) -> int:
    """Return how many questions came at once with one of their thread that was asked later and answered earlier."""
    return sum(earlier.number not in later.follows for earlier, later in _inversions(case))


def _inversions(case: Evidence) -> Iterator[tuple[Asked, Asked]]:
    first: dict[int, int] = {}
    for asked in _questions(case):
        seen = _of(asked, case.sights.all, evidence=False)
        if seen and not asked.edited and asked.wanted and not _is_doubtful(case, asked):
            first[asked.number] = seen[0].at
    known = [asked for asked in _questions(case) if asked.number in first]
    for place, earlier in enumerate(known):
        for later in known[place + 1 :]:
            if later.thread == earlier.thread and first[later.number] < first[earlier.number]:
                yield earlier, later


def _is_doubtful(case: Evidence, asked: Asked) -> bool:
    """Return whether the answer was first seen where a note had stood."""
    noted = {(s.place, s.message) for s in case.sights.all if is_note(s)}
    return any((s.place, s.message) in noted for s in _of(asked, case.sights.all, evidence=False))


def is_note(sight: Sight) -> bool:
    """Return whether it says that an answer may have been lost."""
    return any(note in (sight.text or "") for note in NOTES)


def told_late(case: Evidence) -> Iterator[str]:
    """Nothing is told of an answer in the making once the answer was seen."""
    for asked in _questions(case):
        whole = [s for s in _of(asked, case.sights.all, evidence=False) if not (s.text or "").rstrip().endswith("…")]
        told = [s for s in case.sights.all if s not in whole and not s.evidence]
        for key in asked.keys:
            answered = next((s for s in whole if key_in(s.text or "") == key), None)
            late = [s for s in (*told, *case.drafts.all) if answered and s.at > answered.at and _tells(s, key)]
            yield from (f"question {asked.number}: told after its answer: {sight}" for sight in late)


def _tells(sight: Sight, key: str) -> bool:
    return key_in(sight.text or "") == key and (sight.text or "").rstrip().endswith("…")


def paid_twice(case: Evidence) -> Iterator[str]:
    """No call is made again once what it gave was recorded, save by who cannot know: a worker that stood still.

    Where an earlier question of its thread was changed or taken back, a run may have another question to ask.
    """
    recorded: dict[tuple[str, str], int] = {}
    for line in case.journal:
        if line["kind"] == "recorded":
            for known in (line["step"], line["asked"]):
                recorded.setdefault((line["run"], known), line["t"])
    for call in case.calls:
        at = recorded.get((call.run, call.asked if _may_ask_otherwise(case, call.run) else call.role))
        if at is not None and call.at > at and call.pid not in case.thawed:
            yield f"{call.role} of {call.run} was asked again"
    runs = Counter((call.role, call.key) for call in case.calls if not call.run)
    for (role, key), number in runs.items():
        yield f"{role} of {key} was asked {number} times outside a run"


def _may_ask_otherwise(case: Evidence, run: str) -> bool:
    """Return whether an earlier question of the run's thread is not what it was when the run began, perhaps."""
    [asked, *_] = [one for one in case.asked if f":{one.place}:{one.message}#" in run] or [None]
    return asked is not None and any(
        one.thread == asked.thread and one.number < asked.number and (one.edited or one.wanted is None)
        for one in case.asked
    )


def moved(case: Evidence) -> Iterator[str]:
    """An edited question's answer changes in its place."""
    for asked in _questions(case):
        if asked.edited:
            messages = {(s.place, s.message) for s in _of(asked, case.sights.all, evidence=False)}
            if len(messages) > (2 if case.pressed else 1):
                yield f"question {asked.number}: answers in {sorted(messages)}"


def logged(case: Evidence) -> Iterator[str]:
    """No process says that it has met something that nobody thought of."""
    for log in case.logs:
        lines = log.splitlines()
        for number, line in enumerate(lines):
            if _DEFECTS.search(line):
                yield " | ".join(lines[max(0, number - 2) : number + 60])
                break


def complained(case: Evidence) -> Iterator[str]:
    """The platform has nothing to complain of."""
    yield from case.complaints


def _deleted(case: Evidence) -> set[str]:
    return {key for asked in case.asked if asked.wanted is None for key in asked.keys}


RULES = (
    ("unanswered", unanswered),
    ("answered twice", twice),
    ("stale", stale),
    ("stopped and answered", stopped_and_answered),
    ("out of order", out_of_order),
    ("told late", told_late),
    ("paid twice", paid_twice),
    ("moved", moved),
    ("logged", logged),
    ("complained", complained),
)


def journal_of(path: Path) -> list[dict[str, Any]]:
    """Return the lines that the processes left; one that a full disk cut short is left out."""
    lines = []
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            lines.append(json.loads(line))
        except ValueError:
            continue
    return lines
