"""How whole random replies reach Slack, judged by the stand-in, slackblocks and the SDK, beside cut sections of mrkdwn.

python -m benchmarks.slack_rendering [--replies 10000] [--json]
"""

import argparse
import json
import random
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from adapters.slack.buttons import about
from adapters.slack.parts import in_blocks, in_familiar_blocks, in_plain_text, in_usual_blocks, parts_of
from benchmarks.random_replies import random_entry, random_line, random_words
from core.delivery import Body, Part
from core.reply import (
    Action,
    Bullets,
    Line,
    Node,
    Paragraph,
    RenderedReply,
    Table,
    Text,
)
from tests.platforms.slack import Message, live_links, live_mentions, visible_text
from tests.platforms.slack.content import Content, posted_content, updated_content
from tests.platforms.slack.models import Json, Refused
from tests.platforms.slack.second_opinion import objections

# What documents hold that has broken other bots: reference cases, look-alikes of Slack's markup, each script's trouble.
PIECES = (
    "Every employee has 28 days of paid leave.",
    "Каждому сотруднику положено 28 дней отпуска.",
    "<!channel> <!here|here> <!everyone> @here @channel @everyone",
    "<@U1> <@W2|ada> <!subteam^S1|@ops> <#C1|general> #general @ada",
    "<https://evil.example|click here> https://evil.example/a_(b)?c=d&e=<f>|g evil.example README.md",
    "<mailto:a@evil.example|write> hr@company.com <tel:+7999> ftp://evil.example",
    "[a](https://evil.example) ![i](https://evil.example/i.png) <b>& </span> List<String> x &lt;@U1&gt; &amp;lt;",
    "*bold* _and_ ~struck~ `code` ```fence``` > quote\n>>> all",
    ":tada: :skin-tone-3: :no_such_emoji: 👨‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇷🇺🇬🇧",
    "مرحبا بالعالم \u200f123 שלום \u202eevil\u202c",
    "日本語のテキスト。中文。한국어 문장.",
    "e\u0301a\u0308о\u0301" * 8,
    "def f(x):\n    return x[0]  # *not* _marked_\n",
    "```\nlong = 1\n" + "line of code\n" * 40 + "```",
    "слово" * 40,
    "x" * 300,
    "  padded\u00a0 \u200b ",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "1. first\n  - nested\n    * deeper\n      • deepest",
    "\0 \x07 \x85 \u2028\u2029 \ud83d",
)
LINKS = (
    None,
    "https://wiki.acme.org/a",
    "https://docs.acme.org/x?y=(1)&z=%20|<3>",
    "http://wiki/page",
    "docs/leave.md",
    "mailto:hr@company.com",
    "file:///srv/leave.md",
    "https://пример.рф/путь",
    "https://a.b/" + "p" * 2_900,
    "https://a.b/" + "p" * 3_000,
    "https://a.b/\nc",
    "javascript:alert(1)",
    "slack://user?id=U1",
)
# Those in which a message may be sent, the best first.
FORMS = ("blocks", "links", "usual", "plain")
# How many of the replies go over many messages.
LARGE = 0.05
# docs.slack.dev/reference/block-kit/composition-objects/text-object: characters of a section, cut there by others.
SECTION = 3_000


@dataclass
class Verdicts:
    """What became of the replies; every count but the first two is a defect."""

    replies: int = 0
    messages: int = 0
    refused: int = 0
    objected: int = 0
    lost: int = 0
    alive: int = 0
    linked: int = 0
    examples: list[str] = field(default_factory=list)

    @property
    def defects(self) -> int:
        """How many there are of all kinds."""
        return self.refused + self.objected + self.lost + self.alive + self.linked


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replies", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    began = time.process_time()
    ours = judged(replies(options.replies))
    seconds = time.process_time() - began
    sections = naive(replies(options.replies))
    figures = {
        "replies": ours.replies,
        "messages": ours.messages,
        "refused by the stand-in": ours.refused,
        "refused or changed by slackblocks or the SDK": ours.objected,
        "replies with lost words": ours.lost,
        "live mentions": ours.alive,
        "links that are no source's": ours.linked,
        "seconds of CPU, with the judging": round(seconds, 1),
        "mrkdwn cut every 3,000: messages": sections["messages"],
        "mrkdwn cut every 3,000: refused": sections["refused"],
        "mrkdwn cut every 3,000: live mentions": sections["alive"],
        "mrkdwn cut every 3,000: links": sections["linked"],
    }
    print(json.dumps(figures) if options.json else "\n".join(f"{name:46} {value}" for name, value in figures.items()))
    for example in ours.examples[:5]:
        print(example)


def replies(count: int, large: float = LARGE) -> Iterator[RenderedReply]:
    """Yield so many random replies, the same each time; this share of them goes over many messages."""
    dice = random.Random(count)  # noqa: S311 - nothing is secret here
    for _ in range(count):
        yield _reply(dice, large=dice.random() < large)


def judged(many: Iterable[RenderedReply]) -> Verdicts:
    """Return what Slack makes of the replies, in each form in which they may be sent."""
    verdicts = Verdicts()
    for reply in many:
        verdicts.replies += 1
        parts = parts_of(reply)
        for shown in ([_shown(part.body, form, verdicts) for part in parts] for form in FORMS):
            if not _is_whole(reply, parts, shown):
                _note(verdicts, "lost", reply)
            mentions = [mention for message in shown for mention in live_mentions(message)]
            links = [link for message in shown for link in live_links(message)]
            sources = {entry.link for entry in reply.evidence}
            if mentions:
                _note(verdicts, "alive", mentions)
            if not sources.issuperset(links):
                _note(verdicts, "linked", set(links) - sources)
    return verdicts


def naive(many: Iterable[RenderedReply]) -> Counter[str]:
    """Return what becomes of the same replies as sections of mrkdwn that are cut every 3,000 characters."""
    told: Counter[str] = Counter()
    for reply in many:
        words = "\n".join("".join(text for text in _texts([node])) for node in reply.nodes)
        cut = [words[start : start + SECTION] for start in range(0, len(words), SECTION)]
        sections: list[Json] = [{"type": "section", "text": {"type": "mrkdwn", "text": piece}} for piece in cut]
        told["messages"] += 1
        try:
            content = posted_content({"text": "An answer", "blocks": sections[:50]})
        except Refused:
            told["refused"] += 1
            continue
        shown = _message(content)
        told["alive"] += bool(live_mentions(shown))
        told["linked"] += bool(live_links(shown))
    return told


def _shown(body: Body, form: str, verdicts: Verdicts) -> Message:
    """Return the message as Slack shows it, posted and as a change; one that it refuses shows nothing."""
    verdicts.messages += form == "blocks"
    content = _in_form(body, form)
    blocks = content.get("blocks", ())
    try:
        posted = posted_content(content)
        if blocks:
            # Beside blocks, the text is short enough for a change, too.
            updated_content(content)
        if form == "blocks":
            # Shown to one person alone, the buttons say what they are about.
            posted_content({**content, "blocks": about(blocks, "1700000000.000100")})
    except Refused as refused:
        _note(verdicts, "refused", (refused, vars(refused), form, blocks))
        return Message("C1", "1.1", "U0BOT", "")
    if said := objections(blocks):
        _note(verdicts, "objected", said)
    return _message(posted)


def _in_form(body: Body, form: str) -> Json:
    match form:
        case "blocks":
            return in_blocks(body)
        case "links":
            return in_familiar_blocks(body)
        case "usual":
            return in_usual_blocks(body) or in_familiar_blocks(body)
        case _:
            return in_plain_text(body)


def _message(content: Content) -> Message:
    text, blocks = content.text or "", content.blocks or ()
    return Message("C1", "1.1", "U0BOT", text, blocks, links_addresses=content.links_addresses)


def _note(verdicts: Verdicts, kind: str, what: object) -> None:
    setattr(verdicts, kind, getattr(verdicts, kind) + 1)
    verdicts.examples.append(f"{kind}: {what!r}"[:600])


def _is_whole(reply: RenderedReply, parts: Sequence[Part], shown: Sequence[Message]) -> bool:
    """Return whether all that the reply says is read in its messages, in order, and each claim in the answer's."""
    both = list(zip(parts, shown, strict=True))
    told, proven = (
        _letters(visible_text(message) for part, message in both if part.name.startswith(name))
        for name in ("answer", "evidence")
    )
    quotes = (
        text
        for entry in reply.evidence
        for text in (entry.title, entry.place, entry.remark or "", entry.quote, *chain.from_iterable(entry.leads))
    )
    return _in_order(told, _texts(reply.nodes)) and _in_order(proven, (*quotes, *reply.checks))


def _in_order(said: str, texts: Iterable[str]) -> bool:
    position = 0
    for text in texts:
        letters = _letters([text])
        position = said.find(letters, position)
        if position < 0:
            return False
        position += len(letters)
    return True


def _letters(texts: Iterable[str]) -> str:
    # Marks of lists and quotes stand between the pieces of a text that goes on in another message, and a half of a
    # character is shown as a question mark.
    return re.sub(r"[\s•>|—]", "", "".join(texts)).encode("utf-8", "replace").decode()


def _texts(nodes: Iterable[Node]) -> Iterator[str]:
    for node in nodes:
        match node:
            case Paragraph(line):
                yield from _words_in(line)
            case Bullets(items, heading):
                for line in (*((heading,) if heading else ()), *items):
                    yield from _words_in(line)
            case Table(header, rows):
                yield from header
                for row in rows:
                    for cell in row:
                        yield from _words_in(cell)


def _words_in(line: Line) -> Iterator[str]:
    return (part.text for part in line if isinstance(part, Text))


def _reply(dice: random.Random, *, large: bool) -> RenderedReply:
    numbers = range(1, dice.choice((2, 4, 9 if large else 4)))
    evidence = tuple(random_entry(dice, PIECES, LINKS, number, 60 if large else 3) for number in numbers)
    nodes = tuple(_node(dice, 30 if large else 1) for _ in range(dice.randint(1, 4)))
    checks = dice.choice(
        ((), (random_words(dice, PIECES),), ("5 of 5 statements confirmed.", random_words(dice, PIECES)))
    )
    return RenderedReply(nodes, evidence, dice.choice(("en", "ru")), _actions(dice), checks)


def _actions(dice: random.Random) -> tuple[Action, ...]:
    choices = tuple(Action("choose", random_words(dice, PIECES), f"{n}.ab") for n in range(dice.choice((0, 0, 2, 4))))
    thumbs = (Action("judge", "👍", "up.0"), Action("judge", "👎", "down.0"), Action("why", "Why?"))
    return (*choices, *dice.choice(((), thumbs)))


def _node(dice: random.Random, times: int) -> Node:
    match dice.randrange(5):
        case 0:
            return Paragraph(random_line(dice, PIECES))
        case 1:
            return Paragraph((Text(random_words(dice, PIECES), "quiet"),))
        case 2:
            items = tuple(random_line(dice, PIECES) for _ in range(dice.choice((1, 3, 5 * times))))
            return Bullets(items, dice.choice((None, random_line(dice, PIECES))))
        case 3:
            return _table(dice, ("Дни", "n"), times)
        case _:
            return _table(dice, tuple(random_words(dice, PIECES) for _ in range(dice.choice((1, 3, 22)))), times)


def _table(dice: random.Random, header: tuple[str, ...], times: int) -> Table:
    short = dice.random() < 0.5
    rows = tuple(
        tuple(
            ((Text(f"{dice.randint(1, 999)}"),) if short else random_line(dice, PIECES))
            for _ in header[: None if dice.random() < 0.9 else 1]
        )
        for _ in range(dice.choice((2, 6, (7 if short else 1) * times)))
    )
    return Table(header, rows)


if __name__ == "__main__":
    main()
