"""Buttons in Slack: of an action, of a note, and what becomes of a message when one of them was pressed."""

from collections.abc import Mapping
from typing import Any

from adapters.slack.packing import Unit
from adapters.slack.rich_text import Json
from core.buttons import told
from core.delivery import Body
from core.phrases import phrase
from core.press import button_of
from core.reply import RenderedReply
from core.text import language_of

# What the ids of all our buttons begin with.
ACTION = "footnote_"
# docs.slack.dev/reference/block-kit/block-elements/button-element: characters of the text on it.
BUTTON_CHARS = 75
_CUT = "…"


def button(name: str, label: str, value: str) -> Json:
    """Return a button; `name` tells it from the others in its block."""
    shown = label if len(label) <= BUTTON_CHARS else label[: BUTTON_CHARS - 1] + _CUT
    return {
        "type": "button",
        "action_id": f"{ACTION}{name}",
        "text": {"type": "plain_text", "text": shown, "emoji": False},
        "value": value,
    }


def actions_unit(reply: RenderedReply, group: int) -> Unit:
    """Return the reply's actions as one block; who hears the message instead of seeing it hears the options."""
    elements = [
        button(f"{action.kind}_{number}", action.label, button_of(action))
        for number, action in enumerate(reply.actions, 1)
    ]
    return Unit(group, ({"type": "actions", "elements": elements},), told(reply))


def after(body: Body, pressed: str) -> Body:
    """Return the message without the buttons of the pressed one's kind, and with the choice that was made by it."""
    kind = f"{pressed.partition(':')[0]}:"
    blocks: list[Json] = []
    label: str | None = None
    for block in body["blocks"]:
        if block["type"] != "actions":
            blocks.append(block)
            continue
        label = next((each["text"]["text"] for each in block["elements"] if each.get("value") == pressed), label)
        left = [each for each in block["elements"] if not str(each.get("value", "")).startswith(kind)]
        blocks += [{**block, "elements": left}] if left else []
    if label is None:
        return body
    return {**body, "blocks": blocks} if kind != "choose:" else _chosen(body, blocks, label)


def _chosen(body: Body, blocks: list[Json], label: str) -> Mapping[str, Any]:
    """Return the message with the choice under its words, also where only plain text is shown."""
    said = phrase("chosen", language_of(label), label=label)
    context = {"type": "context", "elements": [{"type": "plain_text", "text": said, "emoji": False}]}
    lines = {name: f"{body[name].splitlines()[0]}\n{said}" if body[name] else said for name in ("text", "plain")}
    return {**body, **lines, "blocks": [*blocks, context]}
