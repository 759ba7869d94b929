"""What the stand-in accepts as blocks, and how it reads them."""

from collections.abc import Callable
from typing import Any

import pytest
from slack_sdk.web.async_client import AsyncWebClient
from slackblocks import _limits

from tests.platforms.slack import (
    Mention,
    Message,
    SlackStandIn,
    live_mentions,
    visible_text,
)
from tests.platforms.slack.blocks import problems_of
from tests.platforms.slack.driving import (
    actions,
    button,
    error_of,
    plain,
    refusal,
    rich,
    section,
)

Json = dict[str, Any]
CITATION = {
    "type": "citation",
    "url": "https://example.org/a",
    "text": "Report",
    "index": 1,
    "details": {"citation_type": "web", "title": "Report"},
}
REFUSED_BLOCKS = [
    pytest.param([section("x" * 3001)], "must be less than 3001 characters", id="long section"),
    pytest.param([section("")], "must be more than 0 characters", id="empty section"),
    pytest.param([{"type": "section"}], "must define either", id="section of nothing"),
    pytest.param([{"type": "divider"}] * 51, "no more than 50 items", id="51 blocks"),
    pytest.param([{"type": "hologram"}], "unsupported type: hologram", id="unknown block"),
    pytest.param(
        [{"type": "header", "text": {"type": "mrkdwn", "text": "a"}}],
        "unsupported type: mrkdwn",
        id="header in mrkdwn",
    ),
    pytest.param(
        [{"type": "header", "text": {"type": "plain_text", "text": "x" * 151}}],
        "must be less than 151",
        id="long header",
    ),
    pytest.param(
        [{"type": "context", "elements": [{"type": "mrkdwn", "text": "a"}] * 11}],
        "no more than 10 items",
        id="long context",
    ),
    pytest.param([{"type": "markdown", "text": "x" * 6001}] * 2, "less than 12001", id="markdown in total"),
    pytest.param(
        [{"type": "table", "rows": [[{"type": "raw_text", "text": "x"}]] * 101}],
        "no more than 100 items",
        id="table rows",
    ),
    pytest.param(
        [{"type": "table", "rows": [[{"type": "raw_text", "text": "x"}] * 21]}],
        "no more than 20 items",
        id="table columns",
    ),
    pytest.param(
        [{"type": "table", "rows": [[{"type": "raw_text", "text": ""}]]}],
        "must be more than 0",
        id="empty cell",
    ),
    pytest.param([actions(button(value="x" * 2001))], "less than 2001", id="long value"),
    pytest.param([actions(button(action_id="x" * 256))], "less than 256", id="long action_id"),
    pytest.param(
        [actions(button(text={"type": "plain_text", "text": "x" * 76}))],
        "less than 76",
        id="long button",
    ),
    pytest.param(
        [actions(button(action_id="a"), button(action_id="a"))],
        "`action_id` a already exists",
        id="same action_id",
    ),
    pytest.param([{**section("a"), "block_id": "b"}] * 2, "`block_id` b already exists", id="same block_id"),
    pytest.param([rich({"type": "text", "text": ""})], "more than 0", id="empty rich text"),
    pytest.param([rich()], "missing element", id="rich text of nothing"),
    pytest.param(
        [rich({"type": "text", "text": "a", "style": {"bold": "yes"}})],
        "must provide a boolean",
        id="style",
    ),
    pytest.param(
        [rich({"type": "user", "user_id": "U1", "style": {"code": True}})],
        "invalid additional property: code",
        id="style of a user",
    ),
    pytest.param([rich({"type": "link", "url": "javascript:alert(1)"})], "valid url", id="link scheme"),
    pytest.param([rich({"type": "user"})], "missing required field: user_id", id="nobody"),
    pytest.param([rich({"type": "broadcast", "range": "all"})], "must be one of", id="range"),
    *(
        pytest.param([rich({**CITATION, **change})], reason, id=f"citation: {reason}")
        for change, reason in (
            ({"details": {}}, "missing required field: citation_type"),
            ({"details": {"citation_type": "page"}}, "must be one of: file, external, web, message, memory"),
            ({"details": {"citation_type": "web", "file_id": "F1"}}, "invalid additional property: file_id"),
            ({"details": {"citation_type": "web", "title": ""}}, "must be more than 0"),
            ({"style": {"bold": True}}, "invalid additional property: style"),
            ({"index": "1"}, "must provide a number"),
            ({"text": ""}, "must be more than 0"),
            ({"url": "slack://user"}, "valid url"),
            ({"from_llm": "no"}, "must provide a boolean"),
        )
    ),
    pytest.param(
        [rich({name: part for name, part in CITATION.items() if name != "details"})],
        "missing required field: details",
        id="citation of nothing",
    ),
    pytest.param(
        [{"type": "rich_text", "elements": [{"type": "rich_text_preformatted", "elements": [CITATION]}]}],
        "unsupported type: citation",
        id="citation in code",
    ),
    pytest.param(
        [{"type": "rich_text", "elements": [{"type": "text", "text": "a"}]}],
        "unsupported type: text",
        id="text outside a section",
    ),
]


@pytest.mark.parametrize(("blocks", "reason"), REFUSED_BLOCKS)
async def test_blocks_are_judged_as_slack_judges_them(client: AsyncWebClient, blocks: list[Json], reason: str) -> None:
    """Blocks outside the rules are refused, with the reason and its place."""
    refused = await refusal(client.chat_postMessage(channel="C1", text="a", blocks=blocks))

    assert "invalid_blocks" == refused.response["error"]
    (first, *_) = refused.response["response_metadata"]["messages"]
    assert reason in first
    assert "[json-pointer:/blocks" in first


LIMITS = [
    (_limits.SECTION_TEXT_MAX_LENGTH, lambda size: [section("x" * size)]),
    (_limits.HEADER_TEXT_MAX_LENGTH, lambda n: [{"type": "header", "text": plain("x" * n)}]),
    (_limits.MESSAGE_BLOCKS_MAX_ITEMS, lambda size: [{"type": "divider"}] * size),
    (_limits.BUTTON_TEXT_MAX_LENGTH, lambda n: [actions(button(text=plain("x" * n)))]),
    (_limits.BUTTON_VALUE_MAX_LENGTH, lambda size: [actions(button(value="x" * size))]),
    (_limits.ACTION_ID_MAX_LENGTH, lambda size: [actions(button(action_id="x" * size))]),
    (_limits.BLOCK_ID_MAX_LENGTH, lambda n: [{**section("a"), "block_id": "x" * n}]),
    (_limits.ACTIONS_ELEMENTS_MAX_ITEMS, lambda size: [actions(*[button()] * size)]),
    (_limits.MARKDOWN_TOTAL_TEXT_MAX_LENGTH, lambda n: [{"type": "markdown", "text": "x" * n}]),
    (
        _limits.CONTEXT_ELEMENTS_MAX_ITEMS,
        lambda size: [{"type": "context", "elements": [plain("x")] * size}],
    ),
]


@pytest.mark.parametrize(("limit", "build"), LIMITS)
def test_limits_agree_with_a_second_source(limit: int, build: Callable[[int], list[Json]]) -> None:
    """Each limit holds exactly: the size itself passes, one more does not."""
    assert [] == problems_of(build(limit))
    assert [] != problems_of(build(limit + 1))


async def test_every_covered_block_is_accepted(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """One message with each kind of block passes and reads in order."""
    text = {"type": "plain_text", "text": "Title"}
    items = [{"type": "rich_text_section", "elements": [{"type": "text", "text": word}]} for word in ("one", "two")]
    blocks = [
        {"type": "header", "text": text},
        section("a &lt;b&gt; <https://example.org|link>"),
        {"type": "divider"},
        {
            "type": "rich_text",
            "elements": [
                {"type": "rich_text_list", "style": "ordered", "offset": 1, "elements": items},
                {"type": "rich_text_quote", "elements": [CITATION]},
            ],
        },
        {"type": "table", "rows": [[{"type": "raw_text", "text": w} for w in "xy"]]},
        actions(button(action_id="why", value="7")),
    ]

    posted = await client.chat_postMessage(channel="C1", text="t", blocks=blocks)

    (message,) = slack.thread("C1", posted["ts"])
    expected = ["Title", "a <b> link", "2. one", "3. two", "Report", "x\ty", "Why"]
    assert expected == visible_text(message).splitlines()


async def test_a_slack_without_citations_takes_everything_else(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """It refuses them wherever they stand, new and as a change, until it takes them again."""
    posted = await client.chat_postMessage(channel="C1", text="a", blocks=[section("a")])
    slack.refuse_citations()
    for call in (client.chat_postMessage(channel="C1", text="a", blocks=[rich(CITATION)]),
                 client.chat_postEphemeral(channel="C1", user="U1", text="a", blocks=[rich(CITATION)]),
                 client.chat_update(channel="C1", ts=posted["ts"], text="a", blocks=[rich(CITATION)])):  # fmt: skip
        refused = await refusal(call)
        assert "invalid_blocks" == refused.response["error"]
        assert "unsupported type: citation" in refused.response["response_metadata"]["messages"][0]
    await client.chat_update(channel="C1", ts=posted["ts"], text="a", blocks=[rich({"type": "text", "text": "a"})])
    slack.refuse_citations(None)

    await client.chat_update(channel="C1", ts=posted["ts"], text="a", blocks=[rich(CITATION)])


async def test_the_whole_message_has_a_ceiling_of_its_own(client: AsyncWebClient) -> None:
    """Blocks that are each within bounds are refused together above 13,200 characters."""
    blocks = [section("x" * 2_700) for _ in range(5)]

    assert "msg_blocks_too_long" == await error_of(client.chat_postMessage(channel="C1", text="a", blocks=blocks))


def test_live_mentions_are_told_from_literal_ones() -> None:
    """Mentions count in mrkdwn and as rich_text elements, not as escaped or literal text."""
    blocks = (
        section("&lt;!channel&gt; <!here> <!subteam^S1|@team> <#C9|x>"),
        rich({"type": "text", "text": "<@U1>"}, {"type": "broadcast", "range": "channel"}),
        {"type": "header", "text": {"type": "plain_text", "text": "<!everyone>"}},
    )

    found = live_mentions(Message("C1", "1.0", "U0BOT", "<@U1|Ada> &lt;@U2&gt;", blocks))

    expected = [
        Mention("user", "U1"),
        Mention("broadcast", "here"),
        Mention("usergroup", "S1"),
        Mention("channel", "C9"),
        Mention("broadcast", "channel"),
    ]
    assert expected == found
