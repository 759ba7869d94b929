"""What others who know Slack's blocks think of ours: slackblocks builds them anew, the SDK reads and checks them."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import slackblocks as theirs
from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block
from slackblocks.errors import InvalidUsageError

from tests.platforms.slack.models import Json

_STYLES = ("bold", "italic", "strike", "code")


def objections(blocks: Sequence[Json]) -> list[str]:
    """Return why slackblocks or Slack's own SDK would not send these blocks, or would send something else.

    Neither knows citations: they are asked of the bare number in the place of each. Plans of tasks the SDK alone knows.
    """
    return [said for block in map(_familiar, blocks) for said in (*_of_slackblocks(block), *_of_the_sdk(block))]


def _familiar(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_familiar(part) for part in value]
    if not isinstance(value, dict):
        return value
    if value.get("type") == "citation":
        return {"type": "text", "text": value["text"]}
    return {name: _familiar(part) for name, part in value.items()}


def _of_slackblocks(block: Json) -> list[str]:
    if block["type"] == "plan":
        return []
    try:
        rebuilt = _BLOCKS[block["type"]](block)._resolve()
    except (InvalidUsageError, KeyError) as error:
        return [f"slackblocks: {type(error).__name__}: {error}"]
    # It names every block that has no name.
    given = {"block_id": rebuilt["block_id"]} | block
    return (
        []
        if _bare(rebuilt) == _bare(given)
        else [f"slackblocks makes {json.dumps(rebuilt)[:200]} of {json.dumps(block)[:200]}"]
    )


def _of_the_sdk(block: Json) -> list[str]:
    parsed = Block.parse(block)
    if parsed is None:
        return [f"the SDK knows no {block['type']}"]
    try:
        parsed.validate_json()
        lost = _bare(parsed.to_dict()) != _bare(block)
    except SlackObjectFormationError as error:
        return [f"the SDK: {error}"]
    return [f"the SDK loses something of {json.dumps(block)[:200]}"] if lost else []


def _bare(value: Any) -> Any:
    """Return the value without what says no more than nothing does."""
    if isinstance(value, dict):
        return {name: _bare(part) for name, part in value.items() if part is not None and part is not False}
    return [_bare(part) for part in value] if isinstance(value, list | tuple) else value


def _inline(element: Json) -> Any:
    style = {name: element.get("style", {}).get(name) for name in _STYLES}
    if element["type"] == "link":
        return theirs.RichTextLink(element["url"], element["text"], **style)
    if element["type"] != "text" or not element["text"]:
        raise KeyError(f"a {element['type']} {element.get('text')!r}")
    return theirs.RichText(element["text"], **style)


def _part(part: Json) -> Any:
    inside = part["elements"]
    match part["type"]:
        case "rich_text_list":
            return theirs.RichTextList(part["style"], [_part(one) for one in inside], offset=None, border=None)
        case "rich_text_section":
            return theirs.RichTextSection([_inline(one) for one in inside])
        case "rich_text_quote":
            return theirs.RichTextQuote([_inline(one) for one in inside])
        case "rich_text_preformatted":
            return theirs.RichTextCodeBlock([_inline(one) for one in inside])
    raise KeyError(part["type"])


def _cell(cell: Json) -> Any:
    if cell["type"] == "rich_text":
        [part] = cell["elements"]
        return _part(part)
    return theirs.RawText(cell["text"])


def _plain(text: Json) -> Any:
    return theirs.PlainText(text["text"], emoji=text.get("emoji", False))


def _button(button: Json) -> Any:
    label = button.get("accessibility_label")
    return theirs.Button(_plain(button["text"]), button["action_id"], None, button["value"], accessibility_label=label)


def _rating(button: Json) -> Any:
    return theirs.FeedbackButton(_plain(button["text"]), button["value"], button["accessibility_label"])


def _ratings(element: Json) -> Any:
    positive, negative = _rating(element["positive_button"]), _rating(element["negative_button"])
    return theirs.FeedbackButtons(positive, negative, element["action_id"])


def _table(block: Json) -> Any:
    return theirs.TableBlock([[_cell(cell) for cell in row] for row in block["rows"]], block_id=block.get("block_id"))


def _of(made: Callable[..., Any], inside: Callable[[Json], Any]) -> Callable[[Json], Any]:
    return lambda block: made([inside(one) for one in block["elements"]], block_id=block.get("block_id"))


_BLOCKS: dict[str, Callable[[Json], Any]] = {
    "rich_text": _of(theirs.RichTextBlock, _part),
    "context": _of(theirs.ContextBlock, _plain),
    "actions": _of(theirs.ActionsBlock, _button),
    "context_actions": _of(theirs.ContextActionsBlock, _ratings),
    "table": _table,
}
