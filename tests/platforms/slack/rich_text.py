"""What Slack accepts inside a `rich_text` block."""

from typing import Any

from tests.platforms.slack.shapes import (
    Check,
    Problems,
    Shape,
    anything,
    boolean,
    by_type,
    integer,
    link,
    list_of,
    number,
    one_of,
    string,
)

LINK = link(3000, ("http://", "https://", "mailto:"))


def _style(*names: str) -> Shape:
    return Shape({}, dict.fromkeys(names, boolean))


PLAIN = ("bold", "italic", "strike", "underline", "highlight", "client_highlight", "unlink")
TEXT_STYLE = _style(*PLAIN, "code")
NAME_STYLE = _style(*PLAIN)


def _element(required: dict[str, Check], optional: dict[str, Check], style: Check) -> Shape:
    return Shape({"type": anything, **required}, {**optional, "style": style})


TEXT = _element({"text": string()}, {}, TEXT_STYLE)
ANCHOR = _element(
    {"url": LINK},
    {"text": string(), "unsafe": boolean, "from_llm": boolean, "is_slack_url": boolean},
    TEXT_STYLE,
)
# docs.slack.dev/reference/block-kit/block-elements/citation-element: what may be told of a source of each kind.
CITED = {
    "file": ("descriptor", "file_id"),
    "external": ("app_name", "app_icon_url"),
    "web": ("display_name", "title", "snippet"),
    "message": ("channel", "message_ts"),
    "memory": ("memory_id",),
}
_DETAILS = {kind: Shape({"citation_type": one_of(kind)}, dict.fromkeys(told, string())) for kind, told in CITED.items()}


def _details(value: Any, at: str) -> Problems:
    kind = value.get("citation_type") if isinstance(value, dict) else None
    if kind not in CITED:
        yield from Shape({"citation_type": one_of(*CITED)})(value, at)
    else:
        yield from _DETAILS[kind](value, at)


CITATION = Shape(
    {
        "type": anything,
        "url": LINK,
        "text": string(),
        "index": number,
        "details": _details,
    },
    {"from_llm": boolean, "is_slack_url": boolean},
)

WITHIN = {
    "text": TEXT,
    "link": ANCHOR,
    "citation": CITATION,
    "emoji": _element({"name": string()}, {"unicode": string(), "skin_tone": integer(1, 6)}, NAME_STYLE),
    "user": _element({"user_id": string()}, {}, NAME_STYLE),
    "usergroup": _element({"usergroup_id": string()}, {}, NAME_STYLE),
    "channel": _element({"channel_id": string()}, {}, NAME_STYLE),
    "team": _element({"team_id": string()}, {}, NAME_STYLE),
    "broadcast": _element({"range": one_of("here", "channel", "everyone")}, {}, NAME_STYLE),
    "color": _element({"value": string()}, {}, NAME_STYLE),
    "date": _element(
        {"timestamp": integer(0), "format": string()},
        {"url": LINK, "fallback": string()},
        NAME_STYLE,
    ),
}

BORDER = integer(0, 1)
SECTION = Shape({"type": anything, "elements": list_of(by_type(WITHIN), 1)})
QUOTE = Shape(SECTION.required, {"border": BORDER})
PREFORMATTED = Shape(
    {"type": anything, "elements": list_of(by_type({"text": TEXT, "link": ANCHOR}), 1)},
    {"border": BORDER},
)
LIST = Shape(
    {
        "type": anything,
        "style": one_of("bullet", "ordered"),
        "elements": list_of(by_type({"rich_text_section": SECTION}), 1),
    },
    {"indent": integer(0, 8), "offset": integer(0), "border": BORDER},
)

RICH_TEXT_PARTS = list_of(
    by_type(
        {
            "rich_text_section": SECTION,
            "rich_text_quote": QUOTE,
            "rich_text_preformatted": PREFORMATTED,
            "rich_text_list": LIST,
        }
    ),
    1,
)
