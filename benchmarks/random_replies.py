"""Lines and words of random replies, out of pieces that a platform may stumble over."""

import random
from collections.abc import Sequence

from core.reply import Evidence, Inline, Line, Note, Text, plain
from core.text import Untrusted

STYLES = ("plain", "plain", "strong", "code", "quiet")


def random_line(dice: random.Random, pieces: Sequence[str]) -> Line:
    """Return a line in some styles, with notes here and there."""
    parts: list[Inline] = []
    for _ in range(dice.randint(1, 4)):
        parts.append(Text(random_words(dice, pieces) + " ", dice.choice(STYLES)))  # type: ignore[arg-type] # of the styles
        if dice.random() < 0.3:
            parts += [Note(dice.randint(1, 12)) for _ in range(dice.randint(1, 2))]
    return tuple(parts)


def random_words(dice: random.Random, pieces: Sequence[str]) -> str:
    """Return a piece or two, now and then with signs of any script, as the core makes document text fit to be shown."""
    text = " ".join(dice.choice(pieces) for _ in range(dice.choice((1, 1, 2))))
    if dice.random() < 0.1:
        text += "".join(chr(dice.choice((dice.randint(32, 0x2FFF), dice.randint(0x1F300, 0x1FAFF)))) for _ in range(8))
    return plain(Untrusted(text))


def random_entry(
    dice: random.Random, pieces: Sequence[str], links: Sequence[str | None], number: int, most: int
) -> Evidence:
    """Return an entry of the evidence whose quote has up to so many runs of words."""
    quote = " ".join(random_words(dice, pieces) for _ in range(dice.choice((1, 3, most))))
    updated = dice.choice((None, "updated 2026-05-01"))
    title, place = random_words(dice, pieces), random_words(dice, pieces)
    link, remark = dice.choice(links), dice.choice((None, "old"))
    behind = filter(None, dice.choices(links, k=dice.choice((0, 0, 1, 3))))
    leads = tuple((random_words(dice, pieces)[:60], address) for address in behind)
    return Evidence(number, title, place, quote, link, updated, remark, leads=leads)
