"""What a reader sees of a reply on each platform, read back from what the platform would show."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.slack.format import answer_messages, evidence_messages
from adapters.slack.packing import SlackMessage
from adapters.telegram.body import parts_of
from core.reply import RenderedReply
from tests.platforms.slack import Message, visible_text
from tests.platforms.slack.blocks import problems_of
from tests.platforms.telegram.model import RichText
from tests.platforms.telegram.params import Params
from tests.platforms.telegram.richtext import read_text

# Blocks that hold buttons, which Telegram keeps apart from the text (docs.slack.dev/reference/block-kit/blocks).
BUTTONS = ("actions", "context_actions")
_NOTES = re.compile("[¹²³⁴⁵⁶⁷⁸⁹⁰]+")
_DIGITS = str.maketrans("¹²³⁴⁵⁶⁷⁸⁹⁰", "1234567890")


@dataclass(frozen=True, slots=True)
class Seen:
    """The words of the answer and of its evidence, and the addresses of its links, in order."""

    answer: tuple[str, ...]
    evidence: tuple[str, ...]
    links: tuple[str, ...]


def in_slack(reply: RenderedReply) -> Seen:
    """Return what Slack shows; nothing of it may be what Slack refuses."""
    answer, evidence = answer_messages(reply), evidence_messages(reply)
    assert [] == [problem for one in (*answer, *evidence) for problem in problems_of(list(one.blocks))]
    links = tuple(str(url) for one in (*answer, *evidence) for url in urls_in(one.blocks))
    return Seen(words(map(_read, answer)), words(map(_read, evidence)), links)


def in_telegram(reply: RenderedReply) -> Seen:
    """Return what Telegram shows; it may refuse, drop or guess nothing."""
    warnings: list[str] = []
    shown: dict[str, list[RichText]] = {"answer": [], "evidence": []}
    for part in parts_of(reply):
        sent = Params({"text": part.body["text"], "entities": part.body["entities"]})
        shown[part.name.partition("-")[0]].append(read_text(sent, warnings.append))
    assert warnings == []
    links = tuple(each.url for texts in shown.values() for one in texts for each in one.entities if each.url)
    answer, evidence = ([one.text for one in texts] for texts in shown.values())
    return Seen(words(answer), words(evidence), links)


def words(texts: Iterable[str]) -> tuple[str, ...]:
    """Return what is said, without how a platform numbers, separates and points."""
    plain = _NOTES.sub(lambda note: f" {note[0].translate(_DIGITS)} ", "\n".join(texts))
    return tuple(re.findall(r"\w+", re.sub(r"^(\d+)\. ", r"\1 ", plain, flags=re.MULTILINE)))


def urls_in(value: object) -> Iterator[object]:
    """Yield the addresses of the links in blocks."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from urls_in(part)
    elif isinstance(value, dict):
        if value.get("type") == "link":
            yield value["url"]
        yield from urls_in(list(value.values()))


def without_buttons(blocks: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return the blocks that are read, and not pressed."""
    return tuple(block for block in blocks if block["type"] not in BUTTONS)


def _read(message: SlackMessage) -> str:
    return visible_text(Message("C1", "1.0", "B1", message.told, without_buttons(message.blocks)))
