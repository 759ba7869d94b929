"""What Slack accepts as text objects, buttons and images inside blocks."""

from collections.abc import Mapping

from tests.platforms.slack.shapes import (
    Check,
    Shape,
    anything,
    boolean,
    by_type,
    link,
    list_of,
    one_of,
    string,
)

ACTION_ID = string(1, 255)
BLOCK_ID = string(1, 255)


def plain_text(high: int) -> Check:
    """Return a check for a `plain_text` object of 1 to `high` characters."""
    shape = Shape({"type": anything, "text": string(1, high)}, {"emoji": boolean})
    return by_type({"plain_text": shape})


def any_text(high: int) -> Check:
    """Return a check for a `plain_text` or `mrkdwn` object of 1 to `high` characters."""
    required: Mapping[str, Check] = {"type": anything, "text": string(1, high)}
    return by_type(
        {
            "plain_text": Shape(required, {"emoji": boolean}),
            "mrkdwn": Shape(required, {"verbatim": boolean}),
        }
    )


CONFIRM = Shape(
    {
        "title": plain_text(100),
        "text": any_text(300),
        "confirm": plain_text(30),
        "deny": plain_text(30),
    },
    {"style": one_of("primary", "danger")},
)

BUTTON = Shape(
    {"type": anything, "text": plain_text(75)},
    {
        "action_id": ACTION_ID,
        "url": link(3000),
        "value": string(0, 2000),
        "style": one_of("primary", "danger"),
        "confirm": CONFIRM,
        "accessibility_label": string(1, 75),
    },
)

OPTION = Shape(
    {"text": plain_text(75)},
    {"value": string(0, 150), "description": plain_text(75), "url": link(3000)},
)

OVERFLOW = Shape(
    {"type": anything, "options": list_of(OPTION, 1, 5)},
    {"action_id": ACTION_ID, "confirm": CONFIRM},
)

RATING = Shape(
    {"text": plain_text(75), "value": string(0, 2000)},
    {"accessibility_label": string(1, 75)},
)

FEEDBACK_BUTTONS = Shape(
    {"type": anything, "positive_button": RATING, "negative_button": RATING},
    {"action_id": ACTION_ID},
)

ICON_BUTTON = Shape(
    {"type": anything, "icon": one_of("trash"), "text": plain_text(75)},
    {
        "action_id": ACTION_ID,
        "value": string(0, 2000),
        "confirm": CONFIRM,
        "accessibility_label": string(1, 75),
        "visible_to_user_ids": list_of(string(), 0, 10),
    },
)

IMAGE = Shape({"type": anything, "image_url": link(3000), "alt_text": string(1, 2000)})

ACCESSORY = by_type({"button": BUTTON, "overflow": OVERFLOW, "image": IMAGE})
ACTION = by_type({"button": BUTTON, "overflow": OVERFLOW})
CONTEXT_ACTION = by_type({"feedback_buttons": FEEDBACK_BUTTONS, "icon_button": ICON_BUTTON})
