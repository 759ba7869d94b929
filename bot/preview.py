"""A reply as Slack and Telegram would show it, made from the very messages that would be sent there."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from adapters.slack import format as slack
from adapters.telegram import format as telegram
from adapters.telegram.body import parts_of as telegram_parts
from core.buttons import spelled_out
from core.feedback import SIGNS
from core.reply import RenderedReply

_TELEGRAM_STYLES = {"bold": "bold", "italic": "italic", "code": "cyan", "pre": "cyan", "expandable_blockquote": "dim"}


def slack_preview(question: str, reply: RenderedReply) -> RenderableType:
    """Return the thread as Slack shows it: the question, the answer under it, and the evidence as the next reply."""
    messages = (*slack.answer_messages(reply), *slack.evidence_messages(reply))
    parts: list[RenderableType] = [_said("you", Text(f"@footnote {question}"))]
    parts += [Padding(_said("footnote", Group(*map(_block, message.blocks))), (0, 0, 0, 2)) for message in messages]
    return Panel(Group(*parts), title="Slack", title_align="left", border_style="magenta")


def telegram_preview(question: str, reply: RenderedReply) -> RenderableType:
    """Return the chat as Telegram shows it: the answer as a reply to the question, the evidence as a reply to it."""
    answer, evidence = telegram.answer_parts(spelled_out(reply)), telegram.evidence_parts(reply)
    shown: list[RenderableType] = [_said("you", Text(question))]
    shown += [_said("footnote, replying to you", _entities(part.text, part.entities)) for part in answer]
    shown += [Text("  ".join(f"[ {label} ]" for label in row), style="bold") for row in _rows(reply)]
    shown += [_said("footnote, replying to its answer", _entities(part.text, part.entities)) for part in evidence]
    return Panel(Group(*shown), title="Telegram", title_align="left", border_style="blue")


def _rows(reply: RenderedReply) -> list[list[str]]:
    """Return what stands on the buttons under the answer, row by row; those under its evidence are for groups alone."""
    answers = [part.body for part in telegram_parts(reply) if part.name.startswith("answer")]
    keyboards = [body["keyboard"] for body in answers if "keyboard" in body]
    return [[button["text"] for button in row] for keyboard in keyboards for row in keyboard["inline_keyboard"]]


def _said(who: str, what: RenderableType) -> RenderableType:
    return Group(Text(who, style="bold green" if who == "you" else "bold yellow"), what)


def _block(block: Mapping[str, Any]) -> RenderableType:
    match block["type"]:
        case "rich_text":
            return Group(*map(_rich_part, block["elements"]))
        case "table":
            return _table(block["rows"])
        case "actions":
            return Text("  ".join(f"[ {element['text']['text']} ]" for element in block["elements"]), style="bold")
        case "context_actions":
            return Text("  ".join(f"[ {sign} ]" for sign in SIGNS.values()), style="bold")
        case _:
            return Text(" ".join(element["text"] for element in block["elements"]), style="dim italic")


def _rich_part(part: Mapping[str, Any]) -> RenderableType:
    match part["type"]:
        case "rich_text_list":
            return Group(*(_bullet(item["elements"]) for item in part["elements"]))
        case "rich_text_quote":
            return Padding(_runs(part["elements"], style="dim"), (0, 0, 0, 2))
        case _:
            return _runs(part["elements"])


def _bullet(elements: Iterable[Mapping[str, Any]]) -> RenderableType:
    grid = Table.grid(padding=(0, 1))
    grid.add_row("•", _runs(elements))
    return grid


def _runs(elements: Iterable[Mapping[str, Any]], style: str = "") -> Text:
    text = Text(style=style)
    for element in elements:
        styles = [name for name, on in element.get("style", {}).items() if on and name in ("bold", "italic")]
        linked = ["underline"] if element["type"] in ("link", "citation") else []
        text.append(element.get("text") or element.get("url", ""), style=" ".join((*styles, *linked)))
    return text


def _table(rows: list[list[Mapping[str, Any]]]) -> RenderableType:
    header, *body = rows
    table = Table(show_edge=False)
    for name in header:
        table.add_column(_cell(name))
    for row in body:
        table.add_row(*map(_cell, row))
    return table


def _cell(cell: Mapping[str, Any]) -> Text:
    if cell["type"] == "raw_text":
        return Text(cell["text"])
    return _runs(element for part in cell["elements"] for element in part["elements"])


def _entities(text: str, entities: Iterable[Any]) -> Text:
    """Return the text with Telegram's entities, whose offsets count UTF-16 units."""
    units = text.encode("utf-16-le")
    shown = Text(text)
    for entity in entities:
        start = len(units[: entity.offset * 2].decode("utf-16-le"))
        end = len(units[: (entity.offset + entity.length) * 2].decode("utf-16-le"))
        shown.stylize("underline" if entity.type == "text_link" else _TELEGRAM_STYLES.get(entity.type, ""), start, end)
    return shown
