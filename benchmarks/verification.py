"""How many planted errors verification catches, how many true claims it keeps, and how long twelve claims take.

python -m benchmarks.verification [--half held-out|tuned|all] [--asked] [--misses] [--json]

The suite is tests/suites/planted.jsonl. The rules were tuned on the bases with an odd number; the others were held out
at first, and have been looked at since.
With `--asked` the question itself asks whether each claim is true, as somebody asks whom a model wants to please: that
the claim stands in the question must prove nothing. Each name in it stands for something known, which has a page of its
own, as with `--unknown` it does not.
"""

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.figures import Figures, percentile, told
from core.answer import Draft, DraftClaim, Pointer
from core.context import AnswerContext
from core.entities import unknown_names
from core.facts import Fact, Part, Place, Source, Span
from core.plan import Style
from core.proof.whose import Named
from core.text import STOP_WORDS, Untrusted, language_of, normalise
from core.verify import verify

SUITE = Path("tests/suites/planted.jsonl")
QUESTION = {"en": "What do the documents say?", "ru": "Что говорится в документах?"}
WHETHER = {"en": "Is it true that {}?", "ru": "Правда ли, что {}?"}
CLAIMS = 12


class Trial(NamedTuple):
    """One claim on one quote, and why it was refused if it was."""

    id: str
    lang: str
    kind: str
    good: bool
    quote: str
    claim: str
    fault: str | None


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("held-out", "tuned", "all"), default="held-out")
    parser.add_argument("--asked", action="store_true", help="let the question ask whether the claim is true")
    parser.add_argument("--unknown", action="store_true", help="let nothing be known that the question names")
    parser.add_argument("--misses", action="store_true", help="print every claim that was judged wrongly")
    parser.add_argument("--kind", help="only misses of this kind")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    times = taken()
    found = list(tried(cases_of(options.half), asked=options.asked or options.unknown, known=not options.unknown))
    for trial in found if options.misses else ():
        if (trial.fault is None) != trial.good and options.kind in {None, trial.kind}:
            print(f"{trial.id} {trial.kind}\n  Q {trial.quote}\n  C {trial.claim}\n  {trial.fault or ''}")
    figures = {**shares(found), "12 claims, ms of CPU": times}
    print(json.dumps(figures) if options.json else "\n".join(told(figures)))


def cases_of(half: str) -> list[dict[str, Any]]:
    """Return the bases of a half, told apart by their number."""
    cases = [json.loads(line) for line in SUITE.read_text("utf-8").splitlines()]
    return [case for case in cases if half == "all" or (half == "tuned") == bool(int(case["id"][3:]) % 2)]


def tried(cases: Iterable[dict[str, Any]], *, asked: bool = False, known: bool = True) -> Iterator[Trial]:
    """Yield each claim of the bases with its fault; `asked`: the question asks for it, by names that are `known`."""
    for case in cases:
        context = context_of([case])
        claims = [*((kind, claim, True) for kind, claim in case["good"].items())]
        claims += [(kind, claim, False) for kind, claim in case["planted"]]
        for kind, claim, good in claims:
            if asked:
                question = WHETHER[case["lang"]].format(claim.rstrip("."))
                names = tuple(name for name in unknown_names(question, ()) if normalise(name) not in STOP_WORDS)
                named = tuple(Named(name, (name,), f"{name}.md") for name in names)
                said: dict[str, Any] = {"named": named} if known else {"strange": names}
                context = replace(context, question=question, **said)
            draft = Draft((DraftClaim(claim, (Pointer(1, case["quote"]),)),))
            answer = verify(draft, context, last=False)
            fault = None if any(one.verdict == "supported" for one in answer.claims) else "its quote stands for it"
            if not fault and kind in {"reply", "answered"} and answer.claims[0].text != claim:
                fault = "its yes or no is left out"
            fault = answer.rejected[0].reason if answer.rejected else fault
            yield Trial(case["id"], case["lang"], kind, good, case["quote"], claim, fault)


def context_of(cases: list[dict[str, Any]]) -> AnswerContext:
    """Return the facts of the bases, each a document, under the question of the first or one that supports nothing."""
    facts = tuple(_fact(case) for case in cases)
    question = cases[0].get("question") or QUESTION[cases[0]["lang"]]
    return AnswerContext(question, facts, language_of(question), Style.BULLETS, "factual", 20, 8, 3, 150)


def _fact(case: dict[str, Any]) -> Fact:
    text = Untrusted(case["quote"])
    span = Span(0, len(text))
    place = Place((Untrusted(case["heading"]),))
    return Fact(text, Source(case["id"], case["title"]), span, f"{case['id']}-0", place, (Part(span, "paragraph"),))


def shares(found: Iterable[Trial]) -> Figures:
    """Return the share judged right, by kind and language."""
    right: dict[str, Counter[str]] = defaultdict(Counter)
    every: dict[str, Counter[str]] = defaultdict(Counter)
    for trial in found:
        name = ("kept " if trial.good else "caught ") + trial.kind
        for column in (trial.lang, "both"):
            every[name][column] += 1
            right[name][column] += (trial.fault is None) == trial.good
    return {
        name: {f"{lang} of {of[lang]}": right[name][lang] / of[lang] for lang in ("en", "ru", "both") if of[lang]}
        for name, of in sorted(every.items())
    }


def taken() -> Figures:
    """Return what it takes to verify twelve claims on twelve facts: of texts that are new, and again.

    The process is warm: it has verified the other half of the suite, so that word lists and patterns are ready.
    """
    new: list[float] = []
    again: list[float] = []
    list(tried(cases_of("tuned")))
    cases = cases_of("held-out")
    for start in range(0, len(cases) - CLAIMS, CLAIMS):
        batch = cases[start : start + CLAIMS]
        context = context_of(batch)
        claims = tuple(DraftClaim(one["good"]["free"], (Pointer(n, one["quote"]),)) for n, one in enumerate(batch, 1))
        for times in (new, again):
            begun = time.process_time()
            verify(Draft(claims), context, last=False)
            times.append((time.process_time() - begun) * 1e3)
    return {
        "new p50": percentile(new, 0.5),
        "new p95": percentile(new, 0.95),
        "again p50": percentile(again, 0.5),
        "again p95": percentile(again, 0.95),
    }


if __name__ == "__main__":
    main()
