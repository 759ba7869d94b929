"""A message as Slack draws it: its blocks as HTML, in which text is only ever text."""

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any

from tests.platforms.slack import Message
from tests.platforms.slack.reading import read_mrkdwn

Json = Mapping[str, Any]
_STYLES = {"bold": "b", "italic": "i", "strike": "s", "code": "code"}


def message(shown: Message, who: str) -> str:
    """Return the message under its writer's name; one that only one person sees says so."""
    private = '<div class="private">Only visible to you</div>' if shown.only_for else ""
    edited = ' <span class="quiet">(edited)</span>' if shown.edited else ""
    said = blocks(shown.blocks) if shown.blocks else f"<p>{_lines(read_mrkdwn(shown.text))}{edited}</p>"
    return f'<div class="message">{private}<div class="who">{escape(who)}</div>{said}</div>'


def blocks(shown: Iterable[Json]) -> str:
    """Return the blocks, one under the other; one of a kind that is not known here stands out."""
    return "".join(_BLOCKS.get(block["type"], _unknown)(block) for block in shown)


def _unknown(block: Json) -> str:
    return f'<p class="unknown">{escape(str(block))}</p>'


def _lines(said: str) -> str:
    return escape(said).replace("\n", "<br>")


def _text(value: Json) -> str:
    return _lines(read_mrkdwn(value["text"]) if value["type"] == "mrkdwn" else value["text"])


def _section(block: Json) -> str:
    texts = [*([block["text"]] if "text" in block else []), *block.get("fields", [])]
    accessory = _element(block["accessory"]) if "accessory" in block else ""
    return "".join(f"<p>{_text(text)}</p>" for text in texts) + accessory


def _row(block: Json) -> str:
    return f'<div class="row">{"".join(map(_element, block["elements"]))}</div>'


def _context(block: Json) -> str:
    return f'<div class="context">{" ".join(map(_element, block["elements"]))}</div>'


def _element(element: Json) -> str:
    match element["type"]:
        case "button":
            return f'<span class="button {element.get("style", "")}">{_text(element["text"])}</span>'
        case "feedback_buttons":
            return '<span class="icon">👍</span><span class="icon">👎</span>'
        case "plain_text" | "mrkdwn":
            return f"<span>{_text(element)}</span>"
        case "overflow":
            return '<span class="button">⋯</span>'
        case _:
            return _unknown(element)


def _rich(block: Json) -> str:
    return "".join(map(_part, block["elements"]))


def _part(part: Json) -> str:
    match part["type"]:
        case "rich_text_list":
            tag = "ul" if part["style"] == "bullet" else "ol"
            items = "".join(f"<li>{_inlines(item['elements'])}</li>" for item in part["elements"])
            return f'<{tag} style="margin-left: {1.8 * part.get("indent", 0)}em">{items}</{tag}>'
        case "rich_text_quote":
            return f"<blockquote>{_inlines(part['elements'])}</blockquote>"
        case "rich_text_preformatted":
            return f"<pre>{_inlines(part['elements'])}</pre>"
        case _:
            return f"<p>{_inlines(part['elements'])}</p>"


def _inlines(elements: Iterable[Json]) -> str:
    return "".join(map(_inline, elements))


def _inline(element: Json) -> str:
    match element["type"]:
        case "text":
            said = _lines(element["text"])
        case "link":
            said = f'<a title="{escape(element["url"])}">{_lines(element.get("text") or element["url"])}</a>'
        case "citation":
            said = f'<a class="citation" title="{escape(element["url"])}">{_lines(element["text"])}</a>'
        case "user" | "channel" | "usergroup" | "broadcast" as kind:
            sign = "#" if kind == "channel" else "@"
            name = element.get(f"{kind}_id") or element.get("range")
            said = f'<span class="mention">{sign}{escape(str(name))}</span>'
        case "emoji":
            said = f":{escape(element['name'])}:"
        case _:
            return _unknown(element)
    for name, tag in _STYLES.items():
        if element.get("style", {}).get(name):
            said = f"<{tag}>{said}</{tag}>"
    return said


def _table(block: Json) -> str:
    rows = "".join(f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>" for row in block["rows"])
    return f"<table>{rows}</table>"


def _plan(block: Json) -> str:
    tasks = "".join(f"<li>{_task(task)}</li>" for task in block["tasks"])
    return f'<div class="plan"><b>{_lines(block["title"])}</b><ul>{tasks}</ul></div>'


def _task(task: Json) -> str:
    more = "".join(_rich(task[part]) for part in ("details", "output") if part in task)
    return f'<span class="sign {task["status"]}"></span> {_lines(task["title"])}{more}'


def _cell(cell: Json) -> str:
    return _rich(cell) if cell["type"] == "rich_text" else _lines(str(cell.get("text") or cell.get("value", "")))


_BLOCKS: dict[str, Callable[[Json], str]] = {
    "section": _section,
    "header": lambda block: f"<h2>{_text(block['text'])}</h2>",
    "divider": lambda _: "<hr>",
    "context": _context,
    "actions": _row,
    "context_actions": _row,
    "rich_text": _rich,
    "table": _table,
    "plan": _plan,
}
