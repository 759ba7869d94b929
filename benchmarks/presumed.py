"""How many statements that a question takes for granted are shown though their quote speaks of something else.

python -m benchmarks.presumed --data ../shared/data/retrieval-xquad [--misses] [--json]

Each question of XQuAD that begins with who, what or how many is turned into a statement by putting an answer in the
place of that word: its own with the sentence that holds it, which is to be kept, and that of another question of the
same sort on the same passage with the sentence that holds that one, which is to be refused. Statements are put together
word for word, so that some are no good grammar, and a sentence alone may not say enough: what is kept is a lower bound.
To compare with: the same if the words of the question stood behind a claim like those of its quotes.
"""

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from core.checks import doubt_of, fault_of
from core.proof.asked import fault_of_asking
from core.proof.backing import Backing
from core.proof.names import vocabulary_of
from core.text import sentences

# What of a question stays behind its answer; one with an auxiliary verb would have to be turned round.
FORMS = {
    "en": (
        r"Who ((?!did |does |do |else )\w.*)\?",
        r"How many ((?!.*\b(?:did|does|do)\b).*)\?",
        r"What ((?:is|was|are|were) .*)\?",
    ),
    "ru": (r"Кто (.*)\?", r"Сколько (.*)\?", r"Что ((?!делает|делал).*)\?"),
}


class Asked(NamedTuple):
    """A question, its answer, the sentence that holds that, and what a statement has after the answer."""

    question: str
    answer: str
    sentence: str
    rest: str


class Tried(NamedTuple):
    """A statement, whether it is true of its quote, and why it would not be shown."""

    question: str
    quote: str
    claim: str
    good: bool
    fault: str | None
    before: str | None


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder with XQuAD in BEIR's layout, by language")
    parser.add_argument("--misses", action="store_true", help="print every statement that was judged wrongly")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures: dict[str, Any] = {}
    for lang in FORMS:
        found = list(tried(options.data / lang, lang))
        for one in found if options.misses else ():
            if (one.fault is None) != one.good:
                print(f"{one.fault or 'passed'}\n  Q {one.question}\n  S {one.quote}\n  C {one.claim}")
        figures[lang] = shares(found)
    print(json.dumps(figures) if options.json else _table(figures))


def tried(folder: Path, lang: str) -> Iterator[Tried]:
    """Yield the statements that are true of their quotes, and those that are true of another question."""
    for those in asked(folder, lang):
        for one in those:
            yield _judged(one, one, good=True)
            for other in those:
                if _differ(one, other):
                    yield _judged(one, other, good=False)


def asked(folder: Path, lang: str) -> Iterator[list[Asked]]:
    """Yield the questions of one sort on one passage."""
    corpus = {one["_id"]: one["text"] for one in _lines(folder / "corpus.jsonl")}
    passages = dict(line.split("\t")[:2] for line in (folder / "qrels/test.tsv").read_text("utf-8").splitlines()[1:])
    found: dict[tuple[str, int], list[Asked]] = defaultdict(list)
    for query in _lines(folder / "queries.jsonl"):
        passage, answer = corpus[passages[query["_id"]]], query["metadata"]["answers"][0]
        spans = (passage[start:end] for start, end in sentences(passage))
        sentence = next((one for one in spans if answer in one), None)
        forms = ((number, re.fullmatch(form, query["text"])) for number, form in enumerate(FORMS[lang]))
        said = next(((number, match[1]) for number, match in forms if match), None)
        if sentence and said:
            found[passages[query["_id"]], said[0]].append(Asked(query["text"], answer, sentence, said[1]))
    yield from found.values()


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, path.read_text("utf-8").splitlines())


def _differ(one: Asked, other: Asked) -> bool:
    apart = other.answer not in one.sentence and one.answer not in other.sentence
    return one.answer != other.answer and apart and other.answer.lower() not in one.question.lower()


def _judged(one: Asked, other: Asked, *, good: bool) -> Tried:
    claim = f"{other.answer[0].upper()}{other.answer[1:]} {one.rest}."
    backing = Backing(other.sentence, "", one.question, vocabulary_of([other.sentence, one.question]))
    before = fault_of(claim, backing)
    fault = before or fault_of_asking(claim, backing) or doubt_of(claim, backing)
    return Tried(one.question, other.sentence, claim, good, fault, before)


def shares(found: list[Tried]) -> dict[str, float]:
    """Return the shares that are judged rightly, also if the question's words proved what they say."""
    true, false = ([one for one in found if one.good == good] for good in (True, False))
    return {
        f"kept of {len(true)}": sum(one.fault is None for one in true) / len(true),
        f"refused of {len(false)}": sum(one.fault is not None for one in false) / len(false),
        "kept if asking proved it": sum(one.before is None for one in true) / len(true),
        "refused if asking proved it": sum(one.before is not None for one in false) / len(false),
    }


def _table(figures: dict[str, dict[str, float]]) -> str:
    return "\n".join(f"{lang} {name}: {share:.3f}" for lang, shown in figures.items() for name, share in shown.items())


if __name__ == "__main__":
    main()
