"""The judgement over a message's blocks: every reason why Slack would refuse them."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.platforms.slack.elements import (
    ACCESSORY,
    ACTION,
    BLOCK_ID,
    CONTEXT_ACTION,
    IMAGE,
    any_text,
    plain_text,
)
from tests.platforms.slack.rich_text import RICH_TEXT_PARTS
from tests.platforms.slack.shapes import (
    Check,
    Problem,
    Problems,
    Shape,
    anything,
    boolean,
    by_type,
    link,
    list_of,
    number,
    one_of,
    string,
)

MARKDOWN_TOTAL = 12_000
TABLE_TOTAL = 10_000
BLOCK_COUNT = 50
TABLE_COUNT = 1

# Documented totals are far higher; bolt-js#2509 saw 13,172 pass and 13,297 fail, and each
# divider or header takes about a hundred characters of that room.
RENDERED_TOTAL = 13_200
FIXED_COST = {"header": 100, "divider": 100}
# The last three are on the card of a citation; whether Slack counts them is not documented.
WRITTEN = ("text", "url", "display_name", "title", "snippet")


def _block(required: dict[str, Check], optional: dict[str, Check] | None = None) -> Shape:
    return Shape({"type": anything, **required}, {"block_id": BLOCK_ID, **(optional or {})})


def _section(value: Any, at: str) -> Problems:
    yield from _SECTION(value, at)
    if "text" not in value and "fields" not in value:
        yield Problem("must define either `text` or `fields`", at)


_SECTION = _block(
    {},
    {
        "text": any_text(3000),
        "fields": list_of(any_text(2000), 1, 10),
        "accessory": ACCESSORY,
        "expand": boolean,
    },
)

RICH_TEXT = _block({"elements": RICH_TEXT_PARTS})

CELL = by_type(
    {
        "raw_text": Shape({"type": anything, "text": string()}),
        "raw_number": Shape({"type": anything, "value": number}, {"text": string()}),
        "rich_text": RICH_TEXT,
    }
)

COLUMN = Shape({}, {"align": one_of("left", "center", "right"), "is_wrapped": boolean})

CONTEXT_PART = by_type(
    {
        "image": IMAGE,
        "mrkdwn": any_text(3000),
        "plain_text": any_text(3000),
    }
)

# A title's length and how many tasks there may be are not documented.
TASK_CARD = Shape(
    {
        "type": one_of("task_card"),
        "task_id": string(1, 255),
        "title": string(1, 3000),
        "status": one_of("pending", "in_progress", "complete", "error"),
    },
    {"block_id": BLOCK_ID, "details": RICH_TEXT, "output": RICH_TEXT},
)

BLOCKS: dict[str, Check] = {
    "section": _section,
    "divider": _block({}),
    "header": _block({"text": plain_text(150)}),
    "context": _block({"elements": list_of(CONTEXT_PART, 1, 10)}),
    "actions": _block({"elements": list_of(ACTION, 1, 25)}),
    "context_actions": _block({"elements": list_of(CONTEXT_ACTION, 1, 5)}),
    "image": _block({"image_url": link(3000), "alt_text": string(1, 2000)}, {"title": plain_text(2000)}),
    "markdown": _block({"text": string(1, MARKDOWN_TOTAL)}),
    "rich_text": RICH_TEXT,
    "plan": _block({"title": string(1, 3000)}, {"tasks": list_of(TASK_CARD, 0, 50)}),
    "task_card": TASK_CARD,
    "table": _block(
        {"rows": list_of(list_of(CELL, 1, 20), 1, 100)},
        {"column_settings": list_of(COLUMN, 0, 20)},
    ),
}


def problems_of(blocks: Any, most: int = BLOCK_COUNT) -> list[Problem]:
    """Return every reason for refusing these blocks; an empty list means they are accepted."""
    problems = list(list_of(by_type(BLOCKS), 0, most)(blocks, "/blocks"))
    if problems:
        return problems
    return [*_duplicates(blocks), *_totals(blocks)]


def _duplicates(blocks: list[dict[str, Any]]) -> Problems:
    named = Counter(block["block_id"] for block in blocks if "block_id" in block)
    for name in (name for name, count in named.items() if count > 1):
        yield Problem(f"`block_id` {name} already exists", "/blocks")
    for index, block in enumerate(blocks):
        ids = Counter(part.get("action_id") for part in block.get("elements", []))
        for name in (name for name, count in ids.items() if name and count > 1):
            yield Problem(f"`action_id` {name} already exists", f"/blocks/{index}/elements")


def _totals(blocks: list[dict[str, Any]]) -> Problems:
    markdown = sum(len(block["text"]) for block in blocks if block["type"] == "markdown")
    if markdown > MARKDOWN_TOTAL:
        yield Problem(f"markdown must be less than {MARKDOWN_TOTAL + 1} characters", "/blocks")
    cells = [block["rows"] for block in blocks if block["type"] == "table"]
    if len(cells) > TABLE_COUNT:
        yield Problem("only one table allowed", "/blocks")
    if sum(map(len, written_strings(cells))) > TABLE_TOTAL:
        yield Problem(f"table cells must be less than {TABLE_TOTAL + 1} characters", "/blocks")


def rendered_length(blocks: list[dict[str, Any]]) -> int:
    """Return the room the blocks take of `RENDERED_TOTAL`."""
    fixed = sum(FIXED_COST.get(block["type"], 0) for block in blocks)
    return fixed + sum(map(len, written_strings(blocks)))


def written_strings(value: Any) -> Iterator[str]:
    """Yield every text and address found in the blocks, in order, and what is on the cards of citations."""
    if isinstance(value, list):
        for part in value:
            yield from written_strings(part)
    elif isinstance(value, dict):
        for name, part in value.items():
            if name in WRITTEN and isinstance(part, str):
                yield part
            elif isinstance(part, dict | list):
                yield from written_strings(part)
