"""Messages as JSON, which is how they are stored until they are shown."""

from collections.abc import Collection, Sequence

from adapters.slack import rich_text
from adapters.slack.buttons import button as button_element
from adapters.slack.buttons import in_usual_buttons
from adapters.slack.format import answer_messages, evidence_messages
from adapters.slack.novelties import ALL, Novelty, novelties_in, without
from adapters.slack.packing import SlackMessage
from adapters.slack.plan import planned
from adapters.slack.rich_text import Json, whole
from core.delivery import Body, Part
from core.reply import RenderedReply, Tasks

# docs.slack.dev/reference/methods/chat.postMessage: what is longer is cut by Slack.
TEXT_CHARS = 40_000


def parts_of(reply: RenderedReply) -> tuple[Part, ...]:
    """Return the reply as messages: answer-1, answer-2, …, evidence-1, …; none when there is nothing to see in it."""
    return _named("answer", answer_messages(reply)) + _named("evidence", evidence_messages(reply))


def with_button(said: str | Tasks, button: str, label: str) -> Body:
    """Return a message of one sentence, or of what is being done, over a button, whose press brings `button` back."""
    pressed = {"type": "actions", "elements": [button_element("button", label, button)]}
    if isinstance(said, Tasks):
        return _body(SlackMessage((*planned(said), pressed), said.line))
    sentence = {"type": "rich_text", "elements": [rich_text.section(rich_text.text(said))]}
    return _body(SlackMessage((sentence, pressed), said))


def new_in(body: Body) -> frozenset[Novelty]:
    """Return what in the message only the newest Slack takes."""
    return novelties_in(body["blocks"])


def in_blocks(body: Body, lacking: Collection[Novelty] = ()) -> Json:
    """Return the message as Slack's methods take it, with the familiar form of what is lacking."""
    return {"text": body["text"], "blocks": without(body["blocks"], lacking) if lacking else body["blocks"]}


def in_familiar_blocks(body: Body) -> Json:
    """Return the message as every Slack takes it: sources as links alone, tasks as lines."""
    return in_blocks(body, ALL)


def in_usual_blocks(body: Body) -> Json | None:
    """Return the familiar form without a table and Slack's own pair of buttons, None where it has neither.

    Ordinary buttons stand in place of the pair, lines of text in place of a table.
    """
    familiar = in_familiar_blocks(body)["blocks"]
    blocks = [_in_lines(block) if block["type"] == "table" else block for block in in_usual_buttons(familiar)]
    return {"text": body["text"], "blocks": blocks} if blocks != familiar else None


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
