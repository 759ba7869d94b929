"""What a person reads in a message, and whom the message would notify."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from tests.platforms.slack.models import Message

MentionKind = Literal["user", "broadcast", "usergroup", "channel"]

TAG = re.compile(r"<([^<>\s][^<>]*)>")
TYPED_NAME = re.compile(r"(?<![\w<])@(channel|here|everyone)\b")
# What Slack makes a link of by itself: an address, with or without its scheme, and an e-mail address.
TYPED_LINK = re.compile(
    r"(?<![\w@.])(?:https?://[^\s<>]+|mailto:[^\s<>]+|(?:[\w-]+\.)+[a-z]{2,}\b|[\w.+-]+@[\w-]+\.\w+)"
)
RICH_MENTIONS: dict[str, tuple[MentionKind, str]] = {
    "user": ("user", "user_id"),
    "usergroup": ("usergroup", "usergroup_id"),
    "broadcast": ("broadcast", "range"),
    "channel": ("channel", "channel_id"),
}


@dataclass(frozen=True)
class Mention:
    """A live reference: a person, a group or a whole channel that the message points at."""

    kind: MentionKind
    target: str


def live_mentions(message: Message) -> list[Mention]:
    """Return every live mention, in the notification text first, then in the blocks.

    A mention in the notification text counts even when blocks are shown instead, and one inside
    backticks counts too: Slack resolves both. Text in `plain_text`, `raw_text` and rich_text
    `text` elements is literal and never counts.
    """
    found = list(_in_mrkdwn(message.text))
    if message.expands_names:
        found += [Mention("broadcast", name) for name in TYPED_NAME.findall(message.text)]
    return found + list(_in_blocks(message.blocks))


def live_links(message: Message) -> list[str]:
    """Return every address that a person could open from the message: those in its blocks, else those in its text.

    Slack makes links of addresses in a text by itself, unless it is told not to.
    """
    if message.blocks:
        return list(_links_in_blocks(message.blocks))
    return [*_links_in_mrkdwn(message.text), *(_typed_links(message.text) if message.links_addresses else ())]


def _links_in_mrkdwn(text: str) -> Iterator[str]:
    for tag in TAG.findall(text):
        if tag[0] not in "@#!":
            yield tag.split("|")[0]


def _typed_links(text: str) -> list[str]:
    return TYPED_LINK.findall(_decode(TAG.sub("", text)))


def _links_in_blocks(value: Any) -> Iterator[str]:
    if isinstance(value, list | tuple):
        for part in value:
            yield from _links_in_blocks(part)
    if not isinstance(value, dict):
        return
    match value.get("type"):
        case "mrkdwn" | "markdown":
            yield from _links_in_mrkdwn(value["text"])
            if not value.get("verbatim"):
                yield from _typed_links(value["text"])
        case _:
            if isinstance(value.get("url"), str):
                yield value["url"]
            yield from _links_in_blocks(list(value.values()))


def _in_mrkdwn(text: str) -> Iterator[Mention]:
    for tag in TAG.findall(text):
        target = tag.split("|")[0]
        if target.startswith("@"):
            yield Mention("user", target[1:])
        elif target.startswith("#"):
            yield Mention("channel", target[1:])
        elif target.startswith("!subteam^"):
            yield Mention("usergroup", target.removeprefix("!subteam^"))
        elif target in ("!channel", "!here", "!everyone"):
            yield Mention("broadcast", target[1:])


def _in_blocks(value: Any) -> Iterator[Mention]:
    if isinstance(value, list | tuple):
        for part in value:
            yield from _in_blocks(part)
    if not isinstance(value, dict):
        return
    kind = value.get("type")
    if kind in ("mrkdwn", "markdown"):
        yield from _in_mrkdwn(value["text"])
    elif kind in RICH_MENTIONS:
        name, key = RICH_MENTIONS[kind]
        yield Mention(name, value[key])
    else:
        yield from _in_blocks(list(value.values()))


def visible_text(message: Message) -> str:
    """Return the text a person sees: the blocks if there are any, else the message text.

    Escapes are decoded and links show their labels. Emphasis marks of mrkdwn and markdown stay as
    written. List items carry their bullet or number; table cells are joined by tabs.
    """
    if not message.blocks:
        return read_mrkdwn(message.text)
    return "\n".join(filter(None, (_read_block(block) for block in message.blocks)))


def read_mrkdwn(text: str) -> str:
    """Return mrkdwn with its `<…>` tags shown as people see them and its escapes decoded."""
    return _decode(TAG.sub(_read_tag, text))


def _decode(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _read_tag(match: re.Match[str]) -> str:
    target, _, label = match[1].partition("|")
    if target.startswith("!subteam^"):
        return label or "@" + target.removeprefix("!subteam^")
    if target.startswith("!date^"):
        return label
    if target.startswith("!"):
        return "@" + target[1:]
    if target.startswith("@"):
        return target
    return ("#" + (label or target[1:])) if target.startswith("#") else (label or target)


def _read_block(block: dict[str, Any]) -> str:
    reader = READERS.get(block["type"])
    return reader(block) if reader else ""


def _read_text(value: dict[str, Any]) -> str:
    text: str = value["text"]
    return read_mrkdwn(text) if value["type"] == "mrkdwn" else text


def _read_section(block: dict[str, Any]) -> str:
    texts = [block["text"]] if "text" in block else []
    accessory = block.get("accessory", {})
    shown = [_read_text(text) for text in [*texts, *block.get("fields", [])]]
    return "\n".join([*shown, _read_element(accessory)] if accessory else shown)


def _read_element(element: dict[str, Any]) -> str:
    if element["type"] in ("mrkdwn", "plain_text"):
        return _read_text(element)
    if element["type"] == "feedback_buttons":
        ratings = (element["positive_button"], element["negative_button"])
        return " ".join(_read_text(rating["text"]) for rating in ratings)
    if element["type"] == "overflow":
        return " ".join(_read_text(option["text"]) for option in element["options"])
    return _read_text(element["text"]) if "text" in element else str(element["alt_text"])


def _read_elements(block: dict[str, Any]) -> str:
    return " ".join(_read_element(element) for element in block["elements"])


def _read_rich_text(block: dict[str, Any]) -> str:
    return "\n".join(_read_part(part) for part in block["elements"])


def _read_part(part: dict[str, Any]) -> str:
    if part["type"] != "rich_text_list":
        return "".join(_read_inline(element) for element in part["elements"]).rstrip("\n")
    first = part.get("offset", 0) + 1
    pad = "    " * part.get("indent", 0)
    items = enumerate(map(_read_part, part["elements"]), first)
    bullet = part["style"] == "bullet"
    return "\n".join(f"{pad}{'•' if bullet else f'{number}.'} {text}" for number, text in items)


def _read_inline(element: dict[str, Any]) -> str:
    kind = element["type"]
    if kind in ("text", "link", "citation"):
        return str(element.get("text") or element.get("url"))
    if kind == "emoji":
        return f":{element['name']}:"
    if kind in RICH_MENTIONS:
        return ("#" if kind == "channel" else "@") + str(element[RICH_MENTIONS[kind][1]])
    return str(element.get("fallback") or element.get("value") or element.get("team_id") or "")


def _read_table(block: dict[str, Any]) -> str:
    return "\n".join("\t".join(map(_read_cell, row)) for row in block["rows"])


def _read_cell(cell: dict[str, Any]) -> str:
    if cell["type"] == "rich_text":
        return _read_rich_text(cell)
    return str(cell.get("text") or cell.get("value", ""))


def _read_plan(block: dict[str, Any]) -> str:
    return "\n".join([block["title"], *map(_read_task, block.get("tasks", ()))])


def _read_task(card: dict[str, Any]) -> str:
    inside = [_read_rich_text(card[name]) for name in ("details", "output") if name in card]
    return "\n".join([f"[{card['status']}] {card['title']}", *inside])


READERS: dict[str, Callable[[dict[str, Any]], str]] = {
    "section": _read_section,
    "plan": _read_plan,
    "task_card": _read_task,
    "header": lambda block: _read_text(block["text"]),
    "markdown": lambda block: _decode(block["text"]),
    "context": _read_elements,
    "actions": _read_elements,
    "context_actions": _read_elements,
    "image": lambda block: str(block["alt_text"]),
    "rich_text": _read_rich_text,
    "table": _read_table,
}
