"""Messages as JSON, which is how they are stored until they are shown."""

from collections.abc import Sequence

from adapters.slack import rich_text
from adapters.slack.buttons import button as button_element
from adapters.slack.buttons import in_usual_buttons
from adapters.slack.citations import uncited
from adapters.slack.format import answer_messages, evidence_messages
from adapters.slack.packing import SlackMessage
from adapters.slack.rich_text import Json, whole
from core.delivery import Body, Part
from core.reply import RenderedReply

# docs.slack.dev/reference/methods/chat.postMessage: what is longer is cut by Slack.
TEXT_CHARS = 40_000


def parts_of(reply: RenderedReply) -> tuple[Part, ...]:
    """Return the reply as messages: answer-1, answer-2, …, evidence-1, …; none when there is nothing to see in it."""
    return _named("answer", answer_messages(reply)) + _named("evidence", evidence_messages(reply))


def with_button(text: str, button: str, label: str) -> Body:
    """Return a message of one sentence over one button, whose press brings `button` back."""
    sentence = {"type": "rich_text", "elements": [rich_text.section(rich_text.text(text))]}
    pressed = {"type": "actions", "elements": [button_element("button", label, button)]}
    return _body(SlackMessage((sentence, pressed), text))


def in_blocks(body: Body) -> Json:
    """Return the message as Slack's methods take it."""
    return {"text": body["text"], "blocks": body["blocks"]}


def in_links(body: Body) -> Json:
    """Return the message with its sources as links alone, without Slack's own citations."""
    return {"text": body["text"], "blocks": uncited(body["blocks"])}


def in_usual_blocks(body: Body) -> Json | None:
    """Return the message without what not every Slack takes, None where nothing but citations is of that kind.

    Ordinary buttons stand in place of Slack's own pair, lines of text in place of a table, links in place of citations.
    """
    linked = in_links(body)["blocks"]
    blocks = [_in_lines(block) if block["type"] == "table" else block for block in in_usual_buttons(linked)]
    return {"text": body["text"], "blocks": blocks} if blocks != linked else None


def _in_lines(table: Json) -> Json:
    lines = [" | ".join(rich_text.words(cell) for cell in row) for row in table["rows"]]
    return {"type": "rich_text", "elements": [rich_text.preformatted("\n".join(lines))]}


def in_plain_text(body: Body) -> Json:
    """Return the same words without form; no address in them becomes a link, which Slack makes unless told not to."""
    return {"text": str(body["plain"])[:TEXT_CHARS], "parse": "none"}


def _named(name: str, messages: Sequence[SlackMessage]) -> tuple[Part, ...]:
    return tuple(Part(f"{name}-{number}", _body(message)) for number, message in enumerate(messages, 1))


def _body(message: SlackMessage) -> Body:
    body: Body = whole({"text": message.notification, "blocks": list(message.blocks), "plain": message.plain})
    return body
