"""What an index run did, or would do, in words and as data for scripts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.counting import counted
from bot.indexing import IndexReport
from core.errors import IngestError, Pageless, Unread, Unused
from core.ingest.identity import identity_of, still_same
from core.ingest.sync import Changes

_MAX_SHOWN = 20
# A source that loses more than half of so many documents has more likely failed than been tidied up.
_MANY = 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a command: the words for a person, and the same as data. `problems`: what could not be read."""

    lines: tuple[str, ...]
    data: Mapping[str, Any]
    problems: tuple[IngestError, ...]


def of_run(report: IndexReport, identity: str, before: str | None) -> Outcome:
    """Return what an index run did; `before` is the identity of what was indexed until then."""
    counts = report.counts
    warnings = _warnings(report.changes, _lasting(identity, before), planned=False)
    data = {
        "status": "indexed" if report.rebuilt else "unchanged",
        "title": report.title,
        "source": identity_of(identity).shown,
        "rules": identity_of(identity).rules,
        "documents": counts.get("documents", 0),
        "passages": counts.get("chunks", 0),
        "sentences": counts.get("passages", 0),
        "embedded": report.embedded,
        **_data(report.changes, report.problems, warnings),
    }
    return Outcome((*report_lines(report), *_ruled(identity), *warnings), data, report.problems)


def of_plan(
    found: tuple[Changes, tuple[IngestError, ...], tuple[str, ...]], identity: str, before: str | None
) -> Outcome:
    """Return what an index run would do; `before` as above."""
    changes, problems, opened = found
    warnings = (*_warnings(changes, _lasting(identity, before), planned=True), *opened)
    source = identity_of(identity).shown
    data = {
        "status": "plan",
        "source": source,
        "rules": identity_of(identity).rules,
        **_data(changes, problems, warnings),
    }
    return Outcome((*plan_lines(changes), *_ruled(identity), *warnings, *problem_lines(problems)), data, problems)


def report_lines(report: IndexReport) -> list[str]:
    """Return an index run in words."""
    changes = report.changes
    counts = report.counts
    made = (
        f"{report.title}: {counted(counts['documents'], 'document')}, {counted(counts['chunks'], 'passage')}, "
        f"{counted(counts['passages'], 'sentence')}."
    )
    changed = (
        f"Added {len(changes.added)}, changed {len(changes.changed)}, removed {len(changes.removed)}, "
        f"unchanged {len(changes.unchanged)}."
    )
    lines = [made, changed if report.rebuilt else "Nothing has changed since the last time."]
    return [*lines, *report.remarks, *problem_lines(report.problems)]


def plan_lines(changes: Changes) -> list[str]:
    """Return in words what an index run would do."""
    if not changes.any:
        return [f"Nothing has changed: {len(changes.unchanged)} documents are as they were."]
    lines = []
    for words, ids in (("Added", changes.added), ("Changed", changes.changed), ("Removed", changes.removed)):
        lines += [f"{words} ({len(ids)}):", *_shown(ids)] if ids else []
    return [*lines, f"Unchanged: {len(changes.unchanged)}. Nothing was done: run it without --plan."]


def problem_lines(problems: Sequence[IngestError]) -> list[str]:
    """Return in words what could not be read, and what of that stays in the index."""
    unread = [one for one in problems if isinstance(one, Unread)]
    unused = [one.reason for one in problems if isinstance(one, Unused)]
    pageless = [one.reason for one in problems if isinstance(one, Pageless)]
    broken = [one for one in problems if not isinstance(one, Unread | Unused | Pageless)]
    lines = [f"Could not be read ({len(broken)}), the rest is indexed:", *_shown(broken)] if broken else []
    kept = f"Could not be had this time ({len(unread)}); what is indexed of it stays:"
    lines += [kept, *_shown(unread)] if unread else []
    lines += [f"Rules on who may read what that fit nothing ({len(unused)}):", *_shown(unused)] if unused else []
    return lines + (
        [f"Names in domain.yaml without their page ({len(pageless)}):", *_shown(pageless)] if pageless else []
    )


def _ruled(identity: str) -> list[str]:
    rules = identity_of(identity).rules
    return [f"Who may read what is said by {rules}."] if rules else []


def _lasting(identity: str, before: str | None) -> list[str]:
    """Return the names of the sources that were indexed before, too; a source by itself has none."""
    return still_same(before, identity, identity_of(identity).parts) if before is not None else []


def _warnings(changes: Changes, names: Sequence[str], *, planned: bool) -> tuple[str, ...]:
    """Return a warning for each of these sources that loses most of its documents."""
    lost = Counter(_source(id_, names) for id_ in changes.removed)
    had = lost + Counter(_source(id_, names) for id_ in (*changes.changed, *changes.unchanged))
    loses = "would lose" if planned else "has lost"
    advice = "" if planned else " If that is not right, footnote reindex --rollback goes back."
    return tuple(
        f"Careful: {name or 'the source'} {loses} {lost[name]} of {had[name]} documents.{advice}"
        for name in names
        if had[name] >= _MANY and 2 * lost[name] > had[name]
    )


def _source(id_: str, names: Sequence[str]) -> str:
    first = id_.partition("/")[0]
    return first if first in names else ""


def _shown(ones: Sequence[object]) -> list[str]:
    more = [f"  …and {len(ones) - _MAX_SHOWN} more"] if len(ones) > _MAX_SHOWN else []
    return [*(f"  {one}" for one in ones[:_MAX_SHOWN]), *more]


def _data(changes: Changes, problems: Sequence[IngestError], warnings: Sequence[str]) -> dict[str, Any]:
    return {
        "added": list(changes.added),
        "changed": list(changes.changed),
        "removed": list(changes.removed),
        "unchanged": len(changes.unchanged),
        "problems": [{"path": one.path, "reason": one.reason, "kept": isinstance(one, Unread)} for one in problems],
        "warnings": list(warnings),
    }
