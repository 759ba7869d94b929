"""How whole random replies reach Telegram, judged by TDLib's own parser, beside HTML cut every 4,096 characters.

python -m benchmarks.telegram_rendering [--replies 20000] [--seed 1] [--json]
"""

import argparse
import html
import json
import random
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from adapters.telegram.format import answer_parts, evidence_parts
from adapters.telegram.richtext import Part
from adapters.telegram.split import MAX_ENTITIES, MAX_TEXT
from adapters.telegram.table import aligned
from benchmarks.random_replies import random_entry, random_line, random_words
from core.reply import (
    Bullets,
    Inline,
    Node,
    Note,
    Paragraph,
    RenderedReply,
    Table,
    Text,
    words_of,
)
from tests.platforms.telegram.errors import Refusal
from tests.platforms.telegram.params import Params
from tests.platforms.telegram.richtext import read_rich, read_text

# What documents hold that has broken other bots: reference cases, and each script's own trouble.
PIECES = (
    "Every employee has 28 days of paid leave.",
    "Каждому сотруднику положено 28 дней отпуска.",
    "**bold** _and_ `code` [a](http://b.c)",
    "[`f`](https://docs.acme.org)",
    "<b>& </span> <!channel> List<String> x",
    "👨‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇷🇺🇬🇧",
    "مرحبا بالعالم \u200f123 שלום",
    "日本語のテキスト。中文。",
    "e\u0301a\u0308о\u0301" * 8,
    "@boris_b and hr@company.com, #tag $USD /reindex",
    "t.me/x https://evil.example/a_(b) README.md",
    "+7 999 123-45-67 4111 1111 1111 1111",
    "def f(x):\n    return x[0]  # *not* _marked_",
    "слово" * 40,
    "x" * 300,
    "  padded\u00a0 \u200b ",
    "| a | b |\n|---|---|",
    "> quoted\n> again",
    "1. first\n  - nested\n    * deeper",
    "||spoiler|| ~~gone~~ __init__ my_var_name",
)
LINKS = (
    None,
    "https://wiki.acme.org/a",
    "https://docs.acme.org/x?y=(1)&z=%20",
    "http://wiki/page",
    "https://intranet/x",
    "docs/leave.md",
    "../leave.md#days",
    "#top",
    "mailto:hr@company.com",
    "file:///srv/leave.md",
    "http://localhost:8000/x",
    "https://пример.рф/путь",
    "https://a.b/" + "p" * 3_000,
    "javascript:alert(1)",
    "tg://user?id=42",
)

_STRUCK_OUT = dict.fromkeys(map(ord, "\u030a\u0333\u033f"))
_SPACE = re.compile(r"\s")


@dataclass
class Verdicts:
    """What became of the replies; every count but the first two is a defect."""

    replies: int = 0
    messages: int = 0
    refused: int = 0
    changed: int = 0
    lost: int = 0
    over: int = 0
    pinged: int = 0
    broken: int = 0
    examples: list[str] = field(default_factory=list)

    @property
    def defects(self) -> int:
        """How many there are of all kinds."""
        return self.refused + self.changed + self.lost + self.over + self.pinged + self.broken


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replies", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0, help="other replies, so that many can be judged side by side")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    began = time.process_time()
    ours = judged(replies(options.replies, seed=options.seed))
    seconds = time.process_time() - began
    plain = naive(replies(options.replies, seed=options.seed))
    figures = {
        "replies": ours.replies,
        "messages": ours.messages,
        "refused": ours.refused,
        "changed in silence": ours.changed,
        "replies with lost words": ours.lost,
        "over a limit": ours.over,
        "live mentions and commands": ours.pinged,
        "characters or table rows cut": ours.broken,
        "seconds of CPU, with the judging": round(seconds, 1),
        "HTML cut every 4,096: messages": plain["messages"],
        "HTML cut every 4,096: refused": plain["refused"],
    }
    print(json.dumps(figures) if options.json else "\n".join(f"{name:34} {value}" for name, value in figures.items()))
    for example in ours.examples[:5]:
        print(example)


def replies(count: int, *, large: bool = True, seed: int = 0) -> Iterator[RenderedReply]:
    """Yield so many random replies, the same for a seed; some go over many messages if they may be `large`."""
    dice = random.Random(seed or count)  # noqa: S311 - nothing is secret here
    for _ in range(count):
        yield _reply(dice, large=large)


def judged(many: Iterable[RenderedReply]) -> Verdicts:
    """Return what Telegram makes of the replies."""
    verdicts = Verdicts()
    for reply in many:
        verdicts.replies += 1
        answer, proof = answer_parts(reply), evidence_parts(reply)
        for part in (*answer, *proof):
            verdicts.messages += 1
            _judge(part, verdicts)
        if not _is_whole(reply, answer, proof):
            verdicts.lost += 1
            verdicts.examples.append(f"lost: {reply!r}"[:400])
        verdicts.broken += _cut_rows(reply, answer) + sum(_starts_inside(part.text) for part in (*answer, *proof))
    return verdicts


def naive(many: Iterable[RenderedReply]) -> Counter[str]:
    """Return how many messages are refused of the same replies as HTML, cut every 4,096 characters."""
    told: Counter[str] = Counter()
    for reply in many:
        markup = "\n".join(_html(node) for node in reply.nodes)
        for start in range(0, len(markup), MAX_TEXT):
            told["messages"] += 1
            try:
                read_rich(markup[start : start + MAX_TEXT], "HTML", None, lambda _: None)
            except Refusal:
                told["refused"] += 1
    return told


def _judge(part: Part, verdicts: Verdicts) -> None:
    warnings: list[str] = []
    entities = [entity.to_dict() for entity in part.entities]
    try:
        seen = read_text(Params({"text": part.text, "entities": entities}), warnings.append)
    except Refusal as refusal:
        verdicts.refused += 1
        verdicts.examples.append(f"refused: {refusal!r} {part.text!r}"[:400])
        return
    verdicts.changed += bool(warnings) or _shown(seen.text) != _shown(part.text)
    if warnings:
        verdicts.examples.append(f"changed: {warnings} {part.text!r}"[:400])
    live = ("mention", "text_mention", "bot_command")
    verdicts.pinged += any(entity.type in live for entity in seen.entities)
    units = part.text.encode("utf-16-le")
    verdicts.over += len(units) // 2 > MAX_TEXT or len(part.entities) > MAX_ENTITIES
    verdicts.broken += any(not _whole_characters(units, one.offset, one.length) for one in part.entities)


def _shown(text: str) -> str:
    """Return the text without the marks that Telegram strikes out of every message, and nobody can show there."""
    return text.translate(_STRUCK_OUT).strip()


def _whole_characters(units: bytes, offset: int, length: int) -> bool:
    """Return whether a range of UTF-16 units lies in the text and cuts no pair."""
    covered = units[2 * offset : 2 * (offset + length)]
    try:
        covered.decode("utf-16-le")
    except UnicodeDecodeError:
        return False
    return 0 <= offset and len(covered) == 2 * length


def _is_whole(reply: RenderedReply, answer: Sequence[Part], proof: Sequence[Part]) -> bool:
    told, proven = _letters(part.text for part in answer), _letters(part.text for part in proof)
    claims = (inline.text for node in reply.nodes for inline in _inlines(node) if isinstance(inline, Text))
    quotes = (text for one in reply.evidence for text in (one.title, one.quote, *chain.from_iterable(one.leads)))
    return all(_letters([text]) in told for text in claims) and all(_letters([text]) in proven for text in quotes)


def _letters(texts: Iterable[str]) -> str:
    return _SPACE.sub("", unicodedata.normalize("NFC", "".join(texts)))


def _cut_rows(reply: RenderedReply, answer: Sequence[Part]) -> int:
    """Return how many lines of aligned tables do not stand whole in a message."""
    shown = {line.rstrip() for part in answer for line in part.text.splitlines()}
    tables = (node for node in reply.nodes if isinstance(node, Table))
    grids = (aligned([list(one.header), *([words_of(cell) for cell in row] for row in one.rows)]) for one in tables)
    return sum(line.rstrip() not in shown for grid in grids if grid for line in grid.splitlines() if line.strip())


def _starts_inside(text: str) -> bool:
    """Return whether a message begins within what a reader takes for one character."""
    first = text[:1]
    return (
        first == "\u200d" or unicodedata.category(first or "a").startswith("M") or "\U0001f3fb" <= first <= "\U0001f3ff"
    )


def _reply(dice: random.Random, *, large: bool) -> RenderedReply:
    numbers = range(1, dice.choice((2, 4, 9 if large else 4)))
    evidence = tuple(random_entry(dice, PIECES, LINKS, number, 60 if large else 3) for number in numbers)
    nodes = tuple(_node(dice, 30 if large else 1) for _ in range(dice.randint(1, 4)))
    return RenderedReply(nodes, evidence, dice.choice(("en", "ru")))


def _node(dice: random.Random, times: int) -> Node:
    match dice.randrange(4):
        case 0:
            return Paragraph(random_line(dice, PIECES))
        case 1:
            items = tuple(random_line(dice, PIECES) for _ in range(dice.choice((1, 3, 5 * times))))
            return Bullets(items, dice.choice((None, random_line(dice, PIECES))))
        case 2:
            return _table(dice, ("Дни", "n"), times)
        case _:
            return _table(dice, tuple(random_words(dice, PIECES) for _ in range(3)), times)


def _table(dice: random.Random, header: tuple[str, ...], times: int) -> Table:
    short = dice.random() < 0.5
    rows = tuple(
        tuple(((Text(f"{dice.randint(1, 999)}"),) if short else random_line(dice, PIECES)) for _ in header)
        for _ in range(dice.choice((2, 6, (10 if short else 1) * times)))
    )
    return Table(header, rows)


def _inlines(node: Node) -> Iterator[Inline]:
    match node:
        case Paragraph(line):
            yield from line
        case Bullets(items, heading):
            for line in (*((heading,) if heading else ()), *items):
                yield from line
        case Table(_, rows):
            for row in rows:
                for cell in row:
                    yield from cell


def _html(node: Node) -> str:
    tags = {"strong": "b", "quiet": "i", "code": "code"}
    told = ""
    for inline in _inlines(node):
        if isinstance(inline, Note):
            continue
        tag, words = tags.get(inline.style), html.escape(inline.text, quote=False)
        told += f"<{tag}>{words}</{tag}>" if tag else words
    return told


if __name__ == "__main__":
    main()
