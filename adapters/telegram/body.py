"""A reply's messages as JSON, and back as the library sends them."""

import json
from collections.abc import Sequence
from typing import Any

from telegram import Bot, InlineKeyboardMarkup, MessageEntity

from adapters.telegram import richtext
from adapters.telegram.format import answer_parts, evidence_parts, said
from adapters.telegram.links import OPEN
from adapters.telegram.rich_message import rich_of
from adapters.telegram.richtext import whole
from adapters.telegram.split import MAX_TEXT
from core.buttons import spelled_out
from core.delivery import Body, Part
from core.feedback import reasons
from core.phrases import DEFAULT, TONGUES, phrase
from core.press import button_of
from core.reply import Action, RenderedReply, Tasks
from core.text import language_of

MAX_CALLBACK_BYTES = 64  # core.telegram.org/bots/api#inlinekeyboardbutton

_Rows = Sequence[Sequence[dict[str, str]]]
_JUDGING = ("judge:", "reason:")
_DOWN = "judge:down."
_SIDE_BY_SIDE = 2
# More rows than three would bury the sources under their buttons.
MOST_OPENED = 6

# Without entities a mention in a document would ping somebody: a word joiner after the sign keeps it text, and where
# that makes the message too long, the wide sign, which Telegram does not read.
_NO_MENTION, _NO_MENTION_SHORT = "@\u2060", "\uff20"


def parts_of(reply: RenderedReply, *, rich: bool = False) -> tuple[Part, ...]:
    """Return the reply's messages: `answer-1` and on, `evidence-1` and on. Raises ValueError without words.

    `rich`: an answer with a table that fits into one message has it as a rich message besides.
    """
    reply = spelled_out(reply)
    answer = _named("answer", answer_parts(reply))
    if not answer:
        raise ValueError("the reply has no words")
    if rich and len(answer) == 1 and (blocks := rich_of(reply)):
        answer[0] = Part(answer[0].name, {**answer[0].body, "rich": blocks})
    if reply.actions:
        answer[-1] = Part(answer[-1].name, {**answer[-1].body, "keyboard": _keyboard(reply.actions)})
    evidence = _named("evidence", evidence_parts(reply))
    if evidence:
        evidence[-1] = Part(evidence[-1].name, {**evidence[-1].body, "keyboard": _opening(reply)})
    return (*answer, *evidence)


def in_chat(body: Body, chat: int) -> Body:
    """Return the message as it is shown in a chat: in a private one there is nothing to open in private."""
    rows = body.get("keyboard", {}).get("inline_keyboard", ())
    return body if chat < 0 or not rows else _with_rows(body, _without(rows, OPEN))


def with_button(words: str | Tasks, button: str, label: str) -> Body:
    """Return a message with one button under it; what is being done is told in words."""
    return {
        **_body(richtext.part(said(words.line if isinstance(words, Tasks) else words))),
        "keyboard": {"inline_keyboard": [[_button(label, button)]]},
    }


def stoppable(body: Body, button: str, label: str) -> Body:
    """Return a message that stands for an answer with the one button that stops that."""
    return _with_rows(body, [[_button(label, button)]])


def after(body: Body, pressed: str) -> Body:
    """Return the message without the buttons of the pressed one's kind, and with the choice that was made by it.

    Who says that an answer did not help finds the reasons under it, until one is chosen or something else is said.
    """
    kind = f"{pressed.partition(':')[0]}:"
    if kind == "why:":
        return body
    rows = body.get("keyboard", {}).get("inline_keyboard", ())
    if kind in _JUDGING:
        return _judged(body, rows, pressed)
    label = next((button["text"] for row in rows for button in row if button["callback_data"] == pressed), None)
    if label is None:
        return body
    changed = _with_rows({name: value for name, value in body.items() if name != "rich"}, _without(rows, kind))
    if kind == "choose:":
        changed["text"] = f"{changed['text']}\n\n{phrase('chosen', language_of(label), label=label)}"
    return changed


def _judged(body: Body, rows: _Rows, pressed: str) -> Body:
    down = next((button for row in rows for button in row if button["callback_data"].startswith(_DOWN)), None)
    if down is None:
        return body
    left = _without(rows, "reason:")
    return _with_rows(body, [*left, *_reasons(down["callback_data"], rows)] if pressed.startswith(_DOWN) else left)


def _reasons(down: str, rows: _Rows) -> list[list[dict[str, str]]]:
    """Return the reasons in the language of the other buttons, two in a row."""
    labels = {button["text"] for row in rows for button in row}
    language = next((one for one in reversed(TONGUES) if phrase("why_button", one) in labels), DEFAULT)
    buttons = [_button(each.label, button_of(each)) for each in reasons(int(down.removeprefix(_DOWN)), language)]
    return [buttons[at : at + _SIDE_BY_SIDE] for at in range(0, len(buttons), _SIDE_BY_SIDE)]


def _without(rows: _Rows, kind: str) -> list[list[dict[str, str]]]:
    left = [[button for button in row if not button["callback_data"].startswith(kind)] for row in rows]
    return [row for row in left if row]


def _with_rows(body: Body, rows: _Rows) -> dict[str, Any]:
    without = {name: value for name, value in body.items() if name != "keyboard"}
    return without | ({"keyboard": {"inline_keyboard": rows}} if rows else {})


def _keyboard(actions: Sequence[Action]) -> dict[str, Any]:
    """Return the actions as buttons, each on a line of its own: side by side a phone cuts their words.

    The thumbs and why are short, and stand in one line.
    """
    short = [action for action in actions if action.kind in ("judge", "why")]
    rows = [*([action] for action in actions if action not in short), *([short] if short else [])]
    return {"inline_keyboard": [[_button(action.label, button_of(action)) for action in row] for row in rows]}


def _opening(reply: RenderedReply) -> dict[str, Any]:
    """Return a button for each of the first sources that opens it in the private chat."""
    label, numbers = phrase("in_private", reply.language), [entry.number for entry in reply.evidence[:MOST_OPENED]]
    labels = [label] if len(numbers) == 1 else [f"{label} ({number})" for number in numbers]
    buttons = [_button(told, f"{OPEN}{number}") for told, number in zip(labels, numbers, strict=True)]
    return {"inline_keyboard": [buttons[at : at + _SIDE_BY_SIDE] for at in range(0, len(buttons), _SIDE_BY_SIDE)]}


def _button(label: str, pressed: str) -> dict[str, str]:
    assert 1 <= len(pressed.encode()) <= MAX_CALLBACK_BYTES
    return {"text": whole(label), "callback_data": pressed}


def entities_of(body: Body, bot: Bot) -> tuple[MessageEntity, ...]:
    """Return the formatting of a message."""
    return MessageEntity.de_list([dict(entity) for entity in body["entities"]], bot)


def keyboard_of(body: Body, bot: Bot) -> InlineKeyboardMarkup | None:
    """Return the buttons of a message."""
    keyboard = body.get("keyboard")
    return InlineKeyboardMarkup.de_json(dict(keyboard), bot) if keyboard else None


def unformatted(body: Body) -> Body:
    """Return the same words without formatting; a mention among them still pings nobody."""
    text = body["text"].replace("@", _NO_MENTION)
    if len(text.encode("utf-16-le")) // 2 > MAX_TEXT:
        text = body["text"].replace("@", _NO_MENTION_SHORT)
    return {**body, "text": text, "entities": []}


def _named(kind: str, parts: Sequence[richtext.Part]) -> list[Part]:
    return [Part(f"{kind}-{number}", _body(part)) for number, part in enumerate(parts, 1)]


def _body(part: richtext.Part) -> dict[str, Any]:
    return {"text": part.text, "entities": [json.loads(entity.to_json()) for entity in part.entities]}
