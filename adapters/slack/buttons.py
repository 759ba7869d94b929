"""Buttons in Slack: of an action, of a note, and what becomes of a message when one of them was pressed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adapters.slack.packing import Unit
from adapters.slack.rich_text import Json
from core.buttons import told
from core.delivery import Body
from core.feedback import SIGNS
from core.phrases import phrase
from core.press import button_of
from core.reply import Action, RenderedReply
from core.text import Language, language_of

# What the ids of all our buttons begin with.
ACTION = "footnote_"
# docs.slack.dev/reference/block-kit/block-elements/button-element: characters of the text on it.
BUTTON_CHARS = 75
_CUT = "…"
_PAIR = 2
_ABOUT = "about:"
_TS = re.compile(r"[0-9]{1,10}\.[0-9]{6}")
# Buttons that stay when they are pressed.
_STAYING = ("judge:", "reason:", "why:")


def button(name: str, label: str, value: str) -> Json:
    """Return a button; `name` tells it from the others in its block."""
    shown = label if len(label) <= BUTTON_CHARS else label[: BUTTON_CHARS - 1] + _CUT
    return {
        "type": "button",
        "action_id": f"{ACTION}{name}",
        "text": {"type": "plain_text", "text": shown, "emoji": False},
        "value": value,
    }


def action_units(reply: RenderedReply, groups: Iterator[int]) -> list[Unit]:
    """Return the reply's actions as blocks; who hears the message instead of seeing it hears the options.

    What judges the answer is Slack's own pair of buttons, in a block of its own kind.
    """
    verdicts = [action for action in reply.actions if action.kind == "judge"]
    others = [action for action in reply.actions if action.kind != "judge"]
    units = [Unit(next(groups), ({"type": "actions", "elements": _buttons(others)},), told(reply))] if others else []
    if len(verdicts) == _PAIR:
        pair = {"type": "context_actions", "elements": [_pair(verdicts, reply.language)]}
        units.append(Unit(next(groups), (pair,), ""))
    return units


def about(blocks: Sequence[Json], ts: str) -> list[Json]:
    """Return the blocks so that a press in them, of which Slack does not say it, tells what message it is about."""
    return [{**block, "block_id": f"{_ABOUT}{ts}"} if block["type"] == "actions" else block for block in blocks]


def about_in(block_id: str) -> str:
    """Return which message the buttons of a block are about, "" when that is no message."""
    ts = block_id.removeprefix(_ABOUT) if block_id.startswith(_ABOUT) else ""
    return ts if _TS.fullmatch(ts) else ""


def without_buttons(body: Body) -> Body:
    """Return the message without what can be pressed."""
    return {**body, "blocks": [one for one in body["blocks"] if one["type"] not in ("actions", "context_actions")]}


def in_usual_buttons(blocks: Sequence[Json]) -> list[Json]:
    """Return the blocks with ordinary buttons in place of Slack's own pair, which not every Slack shows."""
    return [_usual(block) if block["type"] == "context_actions" else block for block in blocks]


def _buttons(actions: Sequence[Action]) -> list[Json]:
    return [
        button(f"{action.kind}_{number}", action.label, button_of(action)) for number, action in enumerate(actions, 1)
    ]


def _pair(verdicts: Sequence[Action], language: Language) -> Json:
    """Return docs.slack.dev/reference/block-kit/block-elements/feedback-buttons-element: a thumb up, a thumb down."""
    ratings = [
        {"text": {"type": "plain_text", "text": said}, "value": button_of(action), "accessibility_label": said}
        for action in verdicts
        if (said := phrase(f"judge_{action.value.partition('.')[0]}", language))
    ]
    positive, negative = ratings
    return {
        "type": "feedback_buttons",
        "action_id": f"{ACTION}judge",
        "positive_button": positive,
        "negative_button": negative,
    }


def _usual(block: Json) -> Json:
    [pair] = block["elements"]
    ratings = (pair["positive_button"], pair["negative_button"])
    signs = zip(SIGNS.values(), ratings, strict=True)
    return {
        "type": "actions",
        "elements": [
            button(f"judge_{number}", sign, rating["value"]) | {"accessibility_label": rating["accessibility_label"]}
            for number, (sign, rating) in enumerate(signs, 1)
        ],
    }


def after(body: Body, pressed: str) -> Body:
    """Return the message without the buttons of the pressed one's kind, and with the choice that was made by it.

    An answer that was judged stays as it is: what was pressed is nobody else's business.
    """
    kind = f"{pressed.partition(':')[0]}:"
    if kind in _STAYING:
        return body
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
