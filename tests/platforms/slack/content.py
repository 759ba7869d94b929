"""The rules for what a message may say: text, blocks, sizes, metadata."""

import re
import uuid
from dataclasses import dataclass, replace

from tests.platforms.slack.blocks import RENDERED_TOTAL, problems_of, rendered_length
from tests.platforms.slack.models import Json, Refused

POSTED_TEXT = 40_000
UPDATED_TEXT_BYTES = 4_000
TYPED_TAG = re.compile(r"(<@[^<>|]+(?:\|[^<>]*)?>)")
TYPED_BLOCK = re.compile(r"(```.*?```|(?:^&gt;[^\n]*(?:\n|\Z))+)", re.DOTALL | re.MULTILINE)
TYPED_CODE = re.compile(r"(`[^`\n]+`)")


@dataclass(frozen=True)
class Content:
    """What a call wants shown; `None` where the call did not speak of it."""

    text: str | None
    blocks: tuple[Json, ...] | None
    metadata: Json | None
    expands_names: bool
    links_addresses: bool = True
    warnings: tuple[str, ...] = ()


def posted_content(arguments: Json) -> Content:
    """Return the content of a new message, or refuse it as Slack would."""
    content = _content(arguments)
    if len(content.text or "") <= POSTED_TEXT:
        return content
    warnings = (*content.warnings, "message_truncated")
    text = (content.text or "")[:POSTED_TEXT]
    return replace(content, text=text, warnings=warnings)


def updated_content(arguments: Json) -> Content:
    """Return the content of an update; its text has a far smaller limit, counted in bytes."""
    content = _content(arguments)
    if len((content.text or "").encode()) > UPDATED_TEXT_BYTES:
        raise Refused("msg_too_long")
    return content


def _content(arguments: Json) -> Content:
    if arguments.get("attachments"):
        raise Refused("invalid_attachments", ("attachments are not covered by the stand-in",))
    text = _text(arguments)
    blocks = _blocks(arguments)
    if not (text or "").strip() and not blocks:
        raise Refused("no_text")
    is_silent = not text and "markdown_text" not in arguments
    warnings = ("missing_text_in_message",) if is_silent else ()
    expands = bool(arguments.get("link_names")) or arguments.get("parse") == "full"
    # docs.slack.dev/reference/methods/chat.postMessage: addresses in a text become links unless `parse` is none.
    links = arguments.get("parse") != "none"
    return Content(text, blocks, _metadata(arguments), expands, links, warnings)


def _text(arguments: Json) -> str | None:
    text = arguments.get("text")
    if text is not None and not isinstance(text, str):
        raise Refused("invalid_arguments", ("[ERROR] must provide a string [json-pointer:/text]",))
    return text


def _blocks(arguments: Json) -> tuple[Json, ...] | None:
    markdown = arguments.get("markdown_text")
    if markdown is not None:
        return _from_markdown(arguments, markdown)
    blocks = arguments.get("blocks")
    if blocks is None:
        return None
    if not isinstance(blocks, list):
        raise Refused("invalid_blocks_format")
    return _judged(blocks)


def _from_markdown(arguments: Json, markdown: str) -> tuple[Json, ...]:
    if arguments.get("text") or arguments.get("blocks"):
        raise Refused("markdown_text_conflict")
    return _judged([{"type": "markdown", "text": markdown}])


def holds_citation(value: object) -> bool:
    """Return whether a citation stands anywhere in the blocks."""
    return holds(value, "citation")


def holds(value: object, kind: str) -> bool:
    """Return whether something of this type stands anywhere in the blocks."""
    if isinstance(value, dict):
        return value.get("type") == kind or any(holds(part, kind) for part in value.values())
    return isinstance(value, list | tuple) and any(holds(part, kind) for part in value)


def _judged(blocks: list[Json]) -> tuple[Json, ...]:
    problems = problems_of(blocks)
    if problems:
        raise Refused("invalid_blocks", tuple(map(str, problems)))
    if rendered_length(blocks) > RENDERED_TOTAL:
        raise Refused("msg_blocks_too_long")
    return tuple(named(block) for block in blocks)


def named(block: Json) -> Json:
    """Return the block with the ids that Slack gives to whatever has none."""
    named = {"block_id": uuid.uuid4().hex[:5], **block}
    if block["type"] in ("actions", "context_actions"):
        elements = [{"action_id": uuid.uuid4().hex[:5], **part} for part in block["elements"]]
        named["elements"] = elements
    return named


def _metadata(arguments: Json) -> Json | None:
    metadata = arguments.get("metadata")
    if metadata is None:
        return None
    is_object = isinstance(metadata, dict)
    if not is_object or not isinstance(metadata.get("event_type"), str):
        raise Refused("invalid_metadata_format")
    if not isinstance(metadata.get("event_payload"), dict):
        raise Refused("invalid_metadata_format")
    return dict(metadata)


def typed_blocks(text: str) -> tuple[Json, ...]:
    """Return the rich_text block that Slack's own clients send along with typed text: its code and quotes apart."""
    elements = [element for piece in TYPED_BLOCK.split(text) if piece for element in _typed_block(piece)]
    block_id = uuid.uuid4().hex[:5]
    return ({"type": "rich_text", "block_id": block_id, "elements": elements},) if elements else ()


def _typed_block(piece: str) -> list[Json]:
    if piece.startswith("```") and piece.endswith("```"):
        return [{"type": "rich_text_preformatted", "elements": _typed_run(piece[3:-3].strip("\n"))}]
    if piece.startswith("&gt;"):
        said = "\n".join(line.removeprefix("&gt;").strip() for line in piece.splitlines())
        return [{"type": "rich_text_quote", "elements": _typed_run(said)}]
    return [{"type": "rich_text_section", "elements": _typed_run(piece)}]


def _typed_run(text: str) -> list[Json]:
    return [
        _typed(part, {"style": {"code": True}} if TYPED_CODE.fullmatch(run) else {})
        for run in TYPED_CODE.split(text)
        for part in TYPED_TAG.split(run[1:-1] if TYPED_CODE.fullmatch(run) else run)
        if part
    ]


def _typed(part: str, style: Json) -> Json:
    if TYPED_TAG.fullmatch(part):
        return {"type": "user", "user_id": part[2:-1].split("|", maxsplit=1)[0], **style}
    plain = part.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return {"type": "text", "text": plain, **style}
