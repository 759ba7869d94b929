"""What is drawn is what was sent: every word of it, and nothing that a browser would take for its own."""

import re
from html import unescape

import pytest

from tests.pictures import slack, telegram
from tests.platforms.slack import Message as SlackMessage
from tests.platforms.slack import visible_text
from tests.platforms.telegram import Entity
from tests.platforms.telegram import Message as TelegramMessage
from tests.platforms.telegram.model import RichText, User, utf16_length

_TAG = re.compile(r"<[^>]*>")


def words(drawn: str) -> list[str]:
    return unescape(_TAG.sub(" ", drawn)).split()


@pytest.mark.parametrize("said", ["<b>Leave</b> & tea", "Отпуск <script>alert(1)</script>"])
def test_slack_is_drawn_word_for_word(said: str) -> None:
    """In rich text, lists, tables and context alike, and unknown blocks stand out."""
    text = {"type": "text", "text": said}
    section = {"type": "rich_text_section", "elements": [text]}
    blocks = (
        {
            "type": "rich_text",
            "elements": [section, {"type": "rich_text_list", "style": "bullet", "elements": [section]}],
        },
        {"type": "table", "rows": [[{"type": "raw_text", "text": said}]]},
        {"type": "context", "elements": [{"type": "plain_text", "text": said}]},
        {"type": "plan", "title": said, "tasks": [{"type": "task_card", "title": said, "status": "complete"}]},
    )
    shown = SlackMessage("C1", "1.0", "U1", said, blocks)
    drawn = slack.message(shown, "Footnote")

    assert ["Footnote", *visible_text(shown).replace("• ", "").replace("[complete] ", "").split()] == words(drawn)
    assert "<script>" not in drawn
    assert "unknown" in slack.blocks([{"type": "carousel"}])


@pytest.mark.parametrize("said", ["Leave 👍 <i>27</i> days\nend", "Отпуск 👍 <i>27</i> дней\nконец"])
def test_telegram_is_drawn_word_for_word(said: str) -> None:
    """Entities count UTF-16 units, so that an emoji before them moves nothing."""
    at = utf16_length(said[: said.index("27")])
    entities = (Entity(0, utf16_length(said), "expandable_blockquote"), Entity(at, 2, "bold"))
    shown = TelegramMessage(1, 2, User(1, "Footnote"), 0, RichText(said, entities))
    drawn = telegram.message(shown, ours=True, who="Footnote", replied=None)

    assert "<b>27</b>" in drawn
    assert ["Footnote", *said.split()] == words(drawn.replace("<b>", "").replace("</b>", ""))
