"""How long a question takes from its names to its facts without any model, and that names cost the same in any crowd.

python -m benchmarks.understanding [--entities 500 5000 50000] [--questions 300] [--json]

Each entity has two names, so there are twice as many aliases. Beside it stands rapidfuzz's scan of all aliases for the
same misspelt word. `steps 2 to 6` are names, follow-up, plan by examples, tools and context over a graph
and a search that answer at once: what these cost is measured by benchmarks/retrieval.
"""

import argparse
import asyncio
import json
import random
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from rapidfuzz import process

from benchmarks.figures import Figures, percentile, told
from core.asked import read_question
from core.calling import Tools
from core.context import build_context
from core.conversation import Audience, Thread, Turn
from core.entities import Entity, Registry, Unknown, make_registry, resolve_entities, unknown_names
from core.executor import run_plan
from core.facts import Fact, Part, Source, Span
from core.followup import Doubt, decide_follow_up, settle
from core.plan import GraphQuery, Intent
from core.planner import IntentIndex, plan_by_examples
from core.ports import Found, SearchQuery
from core.text import Untrusted, terms

_LATIN = "ba ce di fo gu ka le mi no pu ra se ti vo zu bran kel mor tis vand".split()
_CYRILLIC = "ба ве ди жо гу ка ле ми но пу ра се ти во зу бран кел мор тис ванд".split()
_FRAMES = ("Where was {} used last year?", "Какие проекты делали с {} в прошлом году?", "And {}?", "А что с {}?")
_SCANS = 40
_NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
_INTENT = Intent("USAGE", "where it is used", find="mentions")


class Asked(NamedTuple):
    """A question, the misspelt name in it, and the entity that is meant."""

    text: str
    name: str
    entity: str


def main() -> None:
    """Print the figures for each number of entities."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, nargs="+", default=[500, 5_000, 50_000])
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = {f"{size} entities": measured(size, options.questions) for size in options.entities}
    print(json.dumps(figures) if options.json else "\n".join(told(figures)))


def measured(size: int, questions: int) -> Figures:
    """Return the figures of one registry, in milliseconds."""
    chance = random.Random(size)  # noqa: S311 - nobody is to be kept from guessing it
    entities = [_entity(number, chance) for number in range(size)]
    registry = make_registry(entities)
    asked = [_question(chance.choice(entities), number, chance) for number in range(questions)]
    resolve_entities(asked[0].text, registry)
    names = [_timed(partial(resolve_entities, one.text, registry)) for one in asked]
    aliases = [name for entity in entities for name in entity.names]
    scans = [_timed(partial(process.extract, one.name, aliases, limit=5)) for one in asked[:_SCANS]]
    return {
        "aliases": len(aliases),
        "names found %": 100 * sum(_is_found(one, registry) for one in asked) / len(asked),
        "names": _spread(names),
        "rapidfuzz over all aliases": _spread(scans),
        "rapidfuzz / ours, medians": percentile(scans, 0.5) / percentile(names, 0.5),
        "steps 2 to 6": _spread([_timed(partial(_at_once, one.text, registry)) for one in asked]),
    }


def _entity(number: int, chance: random.Random) -> Entity:
    syllables = _CYRILLIC if number % 2 else _LATIN
    first, last = ("".join(chance.choices(syllables, k=4)).capitalize() for _ in range(2))
    return Entity(f"e{number}", f"{first} {last}", "technology", (f"{last}{first.lower()}",))


def _question(entity: Entity, number: int, chance: random.Random) -> Asked:
    """Return a question with two neighbouring letters of the alias swapped."""
    name = entity.aliases[0]
    place = chance.randrange(2, len(name) - 2)
    slipped = name[:place] + name[place + 1] + name[place] + name[place + 2 :]
    return Asked(_FRAMES[number % len(_FRAMES)].format(slipped), slipped, entity.id)


def _is_found(asked: Asked, registry: Registry) -> bool:
    return asked.entity in [match.entity.id for match in resolve_entities(asked.text, registry)]


class _AtOnce:
    """A graph and a search that answer at once, the one with thirty sentences, the other with eight passages."""

    def __init__(self) -> None:
        sentences = [
            f"Sentence {number} says that the depot has used it since {2000 + number}." for number in range(30)
        ]
        self._facts = tuple(_fact(text, number, structural=True) for number, text in enumerate(sentences))
        passages = [" ".join(sentences[start : start + 10]) for start in range(0, 16, 2)]
        self._found = Found(
            tuple(_fact(text, number) for number, text in enumerate(passages)), {"depot": 2.0, "use": 1.0}
        )

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        del call, intent, audience
        return self._facts

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        del query, audience
        return self._found


def _fact(text: str, number: int, *, structural: bool = False) -> Fact:
    span = Span(0, len(text))
    part = Part(span, "paragraph", similarity=0.5, terms=frozenset(terms(text)))
    source = Source(f"{number}.md", f"Page {number}")
    return Fact(Untrusted(text), source, span, f"{number}-0", parts=(part,), score=0.9, structural=structural)


def _at_once(text: str, registry: Registry) -> None:
    asyncio.run(_understood(text, registry))


async def _understood(text: str, registry: Registry) -> None:
    """Do the steps 2 to 6 of one question in a thread."""
    outside, last = _AT_ONCE, Turn("Where is it?", "Where is it?", ("e1",), answered=True, asked_at=_NOON)
    matches = resolve_entities(text, registry)
    decision = decide_follow_up(text, matches, Thread("t", (last,)), _NOON)
    if isinstance(decision, Doubt):
        decision = settle(decision, nearness=0.5, is_known=False)
    read = read_question(decision.question, matches, _NOON)
    planned = plan_by_examples(read, [[1.0, 0.0] for _ in read.texts], _INDEX)
    tools = Tools(outside, outside, {_INTENT.name: _INTENT}, Audience("local"), entities=registry.entities)
    payload = await run_plan(planned.plan, decision.question, tools)
    names = unknown_names(text, matches)
    build_context(decision.question, text, payload, planned.plan, Unknown(names, names))


_AT_ONCE = _AtOnce()
_INDEX = IntentIndex((_INTENT,), ((_INTENT, (1.0, 0.0), 1.0),))


def _timed(call: Callable[[], object]) -> float:
    """Return how many milliseconds the call took."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e3


def _spread(taken: Sequence[float]) -> Figures:
    return {"p50": percentile(taken, 0.5), "p95": percentile(taken, 0.95)}


if __name__ == "__main__":
    main()
