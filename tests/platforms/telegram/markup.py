"""What the server accepts as a keyboard, a link preview choice or a reaction."""

from __future__ import annotations

from telegram.constants import ReactionEmoji

from .errors import bad_request
from .model import Json
from .params import Params

MAX_CALLBACK_BYTES = 64
MAX_BUTTONS = 100

_ACTIONS = ("url", "callback_data", "switch_inline_query", "switch_inline_query_current_chat")
_EMOJI = frozenset(each.value for each in ReactionEmoji)


def read_keyboard(params: Params) -> Json | None:
    """Return the inline keyboard, None when there is none; other keyboards are not shown."""
    markup = params.structure("reply_markup", "reply keyboard markup")
    if markup is None:
        return None
    if not isinstance(markup, dict):
        raise bad_request("Object expected as reply markup")
    rows = markup.get("inline_keyboard")
    if not rows:
        return None
    _check_rows(rows)
    return {"inline_keyboard": rows}


def button_data(keyboard: Json | None) -> list[str]:
    """Return the `callback_data` of every button, in order."""
    rows = (keyboard or {}).get("inline_keyboard")
    if not isinstance(rows, list):
        return []
    return [button["callback_data"] for row in rows for button in row if "callback_data" in button]


def read_preview(params: Params) -> Json | None:
    """Return the link preview choice of a message, None when it leaves that to the server."""
    options = params.structure("link_preview_options", "link preview options")
    if options is None:
        return {"is_disabled": True} if params.flag("disable_web_page_preview") else None
    if not isinstance(options, dict):
        raise bad_request("Object expected as link preview options")
    return options


def read_reaction(params: Params) -> str:
    """Return the one emoji a bot may set, empty to take it back."""
    reactions = params.structure("reaction", "reaction types")
    if reactions is None:
        return ""
    if not isinstance(reactions, list):
        raise bad_request("Expected an Array of ReactionType")
    if len(reactions) > 1:
        raise bad_request("REACTIONS_TOO_MANY")
    return _emoji(reactions[0]) if reactions else ""


def _emoji(reaction: object) -> str:
    if not isinstance(reaction, dict) or reaction.get("type") != "emoji":
        raise bad_request("Can't parse ReactionType: invalid reaction type specified")
    emoji = str(reaction.get("emoji"))
    if emoji not in _EMOJI:
        raise bad_request("REACTION_INVALID")
    return emoji


def _check_rows(rows: object) -> None:
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        field = 'Field "inline_keyboard" of the InlineKeyboardMarkup'
        raise bad_request(f"{field} must be an Array of Arrays")
    buttons = [button for row in rows for button in row]
    if len(buttons) > MAX_BUTTONS:
        raise bad_request("REPLY_MARKUP_TOO_LONG")
    for button in buttons:
        _check_button(button)


def _check_button(button: object) -> None:
    if not isinstance(button, dict):
        reason = "InlineKeyboardButton must be an Object"
        raise bad_request(f"Can't parse inline keyboard button: {reason}")
    if not str(button.get("text") or "").strip():
        raise bad_request("Can't parse inline keyboard button: Can't find field \"text\"")
    if not any(button.get(action) for action in _ACTIONS):
        reason = "Text buttons are unallowed in the inline keyboard"
        raise bad_request(f"Can't parse inline keyboard button: {reason}")
    if len(str(button.get("callback_data") or "").encode()) > MAX_CALLBACK_BYTES:
        raise bad_request("BUTTON_DATA_INVALID")
