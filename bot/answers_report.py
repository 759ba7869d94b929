"""The report on answers for people: tables in a terminal, and a page with plots."""

from collections.abc import Iterator, Sequence
from html import escape

from rich.table import Table
from rich.text import Text

from core.judging import GOOD, OUTCOMES, Judged, Outcome, Scores, scores_of
from core.phrases import tongue

_MAX_SHOWN = 20
_COLOURS: dict[Outcome, str] = {
    "right": "#2e7d5b",
    "refused": "#7fb89a",
    "partial": "#d9b44a",
    "missed": "#b8b8b8",
    "wrong": "#c8553d",
    "invented": "#8c1c13",
    "failed": "#444444",
    "unreviewed": "#7a6fb0",
}
_MEANING: dict[Outcome, str] = {
    "right": "holds all that was asked for",
    "refused": "rightly says that the documents do not hold it",
    "partial": "holds some of it",
    "missed": "says that it is not there, though it is",
    "wrong": "holds none of it",
    "invented": "answers what the documents do not hold",
    "failed": "no answer came",
    "unreviewed": "says something else than what did not help; a person must say whether it is right",
}


def printed(results: Sequence[Judged], mode: str, *, wrong: bool) -> Iterator[str | Table | Text]:
    """Yield the findings for a terminal; with `wrong`, every question that went wrong."""
    yield f"{len(results):,} questions, answered by {mode}"
    yield ""
    yield _table(results)
    yield ""
    yield from _sentences(scores_of(results))
    bad = [one for one in results if one.outcome not in GOOD or one.obeyed or one.residue or one.astray or one.bare]
    if not bad:
        return
    yield ""
    for one in bad if wrong else bad[:_MAX_SHOWN]:
        yield Text(f"{one.outcome:9} {one.case.id}  {one.case.question}")
        if wrong:
            yield Text("\n".join(f"          {line}" for line in one.said.splitlines()), style="dim")
    if not wrong:
        more = f"…and {len(bad) - _MAX_SHOWN:,} more. " if len(bad) > _MAX_SHOWN else ""
        yield Text(f"{more}See what was said with --wrong.", style="dim")


def _table(results: Sequence[Judged]) -> Table:
    table = Table(box=None, pad_edge=False)
    used = [name for name in OUTCOMES if any(one.outcome == name for one in results)]
    for name in ("questions", *used, "lists", "p50 ms"):
        table.add_column(name, justify="left" if name == "questions" else "right")
    for label, some in _slices(results):
        scores = scores_of(some)
        counts = (str(scores.outcomes[name] or "") for name in used)
        table.add_row(f"{label} ({scores.count})", *counts, _share(scores.complete), f"{scores.p50 * 1e3:.0f}")
    return table


def _slices(results: Sequence[Judged]) -> Iterator[tuple[str, Sequence[Judged]]]:
    """Yield all results, then those of each kind and each language, where there are several."""
    yield "all", results
    for kind in sorted({one.case.kind for one in results if one.case.kind}):
        yield kind, [one for one in results if one.case.kind == kind]
    languages = sorted({one.language for one in results})
    for language in languages if len(languages) > 1 else ():
        yield tongue(language).name, [one for one in results if one.language == language]


def _sentences(scores: Scores) -> Iterator[str]:
    if scores.right is not None:
        yield f"Right: {scores.right:.1%} of the questions that have an answer"
    if scores.refused is not None:
        yield f"Rightly refused: {scores.refused:.1%} of those that have none"
    if scores.precision is not None and scores.recall is not None:
        yield (
            f"Documents cited: {scores.precision:.1%} of them hold the answer (precision), "
            f"{scores.recall:.1%} of those that hold it are cited (recall)"
        )
    if (drafted := scores.citing).claims:
        yield (
            f"Drafts, before anybody saw them: {drafted.recall:.1%} of {drafted.claims:,} claims were proven by what "
            f"they cite (recall), {drafted.precision:.1%} of {drafted.pointers:,} citations were needed for that "
            f"(precision), {drafted.dangling:,} led nowhere"
        )
    yield (
        f"Claims without a citation: {scores.bare}; quotes that do not stand in the documents: {scores.astray}; "
        f"answers with something technical in them: {scores.residue}; forbidden words shown: {scores.obeyed}"
    )
    cost = f", ${scores.cost:.4f}" if scores.cost else ""
    yield f"Models: {scores.calls:.2f} calls a question, {scores.tokens:,} tokens in all{cost}"
    yield f"Time: {scores.p50 * 1e3:.0f} ms for half of the questions, {scores.p95 * 1e3:.0f} ms for 95 of 100"


def page_of(results: Sequence[Judged], mode: str) -> str:
    """Return the report as one HTML page that needs nothing else: outcomes by kind, times, every answer."""
    rows = "".join(f"<tr><th>{escape(label)}</th><td>{_bar(some)}</td></tr>" for label, some in _slices(results))
    sentences = "".join(f"<li>{escape(one)}</li>" for one in _sentences(scores_of(results)))
    key = "".join(
        f'<span><i style="background:{_COLOURS[name]}"></i>{name}: {_MEANING[name]}</span>'
        for name in OUTCOMES
        if any(one.outcome == name for one in results)
    )
    answers = "".join(_answer(one) for one in sorted(results, key=lambda one: one.outcome in GOOD))
    return _PAGE.format(mode=escape(mode), count=len(results), sentences=sentences, rows=rows, key=key) + (
        f"<h2>How long it took</h2>{_times(results)}<h2>Every answer, those that went wrong first</h2>{answers}"
        "</main></body></html>\n"
    )


def _bar(results: Sequence[Judged]) -> str:
    """Return the outcomes as one bar of 100 %, with their numbers."""
    left, parts = 0.0, []
    for name in OUTCOMES:
        count = sum(one.outcome == name for one in results)
        width = 600 * count / len(results)
        if count:
            parts.append(
                f'<rect x="{left:.1f}" width="{width:.1f}" height="22" fill="{_COLOURS[name]}">'
                f"<title>{name}: {count}</title></rect>"
            )
            if width > 24:  # noqa: PLR2004 - narrower than its number
                parts.append(f'<text x="{left + width / 2:.1f}" y="15">{count}</text>')
        left += width
    return f'<svg viewBox="0 0 600 22" role="img" aria-label="{_said(results)}">{"".join(parts)}</svg>'


def _said(results: Sequence[Judged]) -> str:
    counts = ((name, sum(one.outcome == name for one in results)) for name in OUTCOMES)
    return ", ".join(f"{name} {count}" for name, count in counts if count)


def _times(results: Sequence[Judged]) -> str:
    """Return how many questions took how long, as columns over times that double."""
    bounds = [0.0125 * 2**power for power in range(14)]
    counts = [0] * (len(bounds) + 1)
    for one in results:
        counts[next((place for place, bound in enumerate(bounds) if one.seconds <= bound), len(bounds))] += 1
    first = next(place for place, count in enumerate(counts) if count)
    last = max(place for place, count in enumerate(counts) if count)
    most, parts = max(counts), []
    for place in range(first, last + 1):
        x, height = 60 * (place - first), 100 * counts[place] / most
        name = f"≤ {_seconds(bounds[place])}" if place < len(bounds) else f"> {_seconds(bounds[-1])}"
        parts.append(f'<rect x="{x + 6}" y="{116 - height:.1f}" width="48" height="{height:.1f}" fill="#4a6fa5"/>')
        parts.append(f'<text x="{x + 30}" y="{112 - height:.1f}" class="dark">{counts[place] or ""}</text>')
        parts.append(f'<text x="{x + 30}" y="132" class="dark">{name}</text>')
    width = 60 * (last - first + 1)
    return f'<svg viewBox="0 0 {width} 140" style="width:{width}px" role="img">{"".join(parts)}</svg>'


def _seconds(value: float) -> str:
    return f"{value * 1e3:g} ms" if value < 1 else f"{value:.3g} s"


def _answer(one: Judged) -> str:
    remarks = [
        *([f"shows what nobody may be shown: {', '.join(one.obeyed)}"] if one.obeyed else []),
        *([f"holds {one.residue}"] if one.residue else []),
        *([f"{one.bare} claims without a citation"] if one.bare else []),
        *([f"{one.astray} quotes that do not stand in the documents"] if one.astray else []),
    ]
    wanted = one.case.items or one.case.must_contain
    expected = f"<p><b>Expected:</b> {escape('; '.join(wanted))}</p>" if wanted and one.outcome not in GOOD else ""
    return (
        f'<details{"" if one.outcome in GOOD else " open"}><summary><i style="background:{_COLOURS[one.outcome]}"></i>'
        f"<b>{escape(one.case.question)}</b> <small>{escape(one.case.id)}, {one.outcome}, "
        f"{one.seconds * 1e3:.0f} ms</small></summary><pre>{escape(one.said)}</pre>{expected}"
        + "".join(f"<p><b>{escape(remark)}</b></p>" for remark in remarks)
        + "</details>"
    )


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.0%}"


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>How good the answers are</title><style>
body {{ font: 16px/1.5 system-ui, sans-serif; color: #222; margin: 0 }}
main {{ max-width: 900px; margin: 2rem auto; padding: 0 1rem }}
th {{ text-align: left; font-weight: 500; padding-right: 1rem; white-space: nowrap }}
table {{ width: 100% }} td {{ width: 100% }}
svg {{ width: 100%; display: block; max-width: 100% }}
svg text {{ font: 11px system-ui, sans-serif; fill: #fff; text-anchor: middle }} svg text.dark {{ fill: #222 }}
i {{ display: inline-block; width: .8em; height: .8em; margin-right: .4em; border-radius: 2px }}
.key span {{ display: block; font-size: 14px }}
pre {{ white-space: pre-wrap; background: #f6f6f4; padding: .7rem; font: 14px/1.45 ui-monospace, monospace }}
details {{ margin: .4rem 0 }} small {{ color: #666 }}
</style></head><body><main>
<h1>How good the answers are</h1>
<p>{count} questions, answered by {mode}.</p>
<ul>{sentences}</ul>
<h2>What came of the questions</h2>
<table>{rows}</table><p class="key">{key}</p>
"""
