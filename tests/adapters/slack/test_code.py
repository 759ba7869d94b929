"""Code keeps its form from the document to both platforms, and its words are the document's to the letter."""

from dataclasses import replace

import pytest

from adapters.slack.parts import parts_of
from adapters.telegram.format import answer_parts, evidence_parts
from core.answer import Claim
from core.plan import Style
from core.render import render
from core.reply import Bullets, Paragraph, RenderedReply, Text
from tests.core.scenes import answered, cited, stated
from tests.platforms.slack.blocks import problems_of

LINES = "git pull\n  ./heron build; ./heron ship;"


def coded(text: str) -> Claim:
    """Return code of a document as a claim of its own words."""
    return stated(text, replace(cited(text, "code.md"), is_code=True), verdict="quoted")


def reply_of(*claims: Claim, style: Style = Style.BULLETS) -> RenderedReply:
    """Return the reply with these claims."""
    return render(answered(*claims), style)


@pytest.mark.parametrize("style", [Style.BULLETS, Style.SHORT])
def test_code_is_a_block_of_its_own(style: Style) -> None:
    """Beside statements, which are what they were; nothing at its end is taken away."""
    reply = reply_of(stated("Run this"), coded(LINES), stated("Then wait"), style=style)
    kinds = [type(node) for node in reply.nodes]

    assert kinds == ([Bullets, Paragraph, Bullets] if style is Style.BULLETS else [Paragraph] * 3)
    node = reply.nodes[1]
    assert isinstance(node, Paragraph)
    assert Text(LINES, "code") == node.line[0]


def test_what_stands_between_backticks_is_code() -> None:
    """In a sentence of a document or of a model; two backticks, or none that closes, are only words."""
    reply = reply_of(stated("Run `heron ship` twice, not ``x`` or `y"))
    [node] = reply.nodes
    assert isinstance(node, Bullets)

    assert [("Run ", "plain"), ("heron ship", "code"), (" twice, not ``x`` or `y", "plain")] == [
        (part.text, part.style) for part in node.items[0] if isinstance(part, Text)
    ]


@pytest.mark.parametrize("text", [LINES, "make all\nsudo !! <@U1> @channel", "строка\n\tещё `одна`"])
def test_slack_shows_it_preformatted(text: str) -> None:
    """In the answer and in its evidence; Slack reads no markup in it."""
    answer, evidence = parts_of(reply_of(stated("Run this"), coded(text)))
    code = [
        element["elements"][0]["text"]
        for part in (answer, evidence)
        for block in part.body["blocks"]
        for element in block.get("elements", ())
        if element.get("type") == "rich_text_preformatted"
    ]

    assert [text, text] == code
    assert [[], []] == [problems_of(part.body["blocks"]) for part in (answer, evidence)]


def test_telegram_shows_it_as_a_block_of_code() -> None:
    """With `pre`, which nothing else stands in; its evidence is no quotation then."""
    reply = reply_of(stated("Run this"), coded(LINES))
    [answer], [evidence] = answer_parts(reply), evidence_parts(reply)

    for part in (answer, evidence):
        [block] = [one for one in part.entities if one.type == "pre"]
        assert LINES == part.text[block.offset : block.offset + block.length]


def test_code_of_one_line_is_code_in_a_line() -> None:
    """It needs no block."""
    [answer, _] = parts_of(reply_of(coded("make all")))

    assert str({"type": "text", "text": "make all", "style": {"code": True}}) in str(answer.body["blocks"])
