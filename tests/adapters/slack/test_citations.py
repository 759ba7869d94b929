"""Sources as Slack's own citations: what they say, what stands beside them, and how much they hold."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.slack import citations as ours
from adapters.slack.citations import ADDRESS_CHARS
from adapters.slack.format import evidence_messages
from adapters.slack.packing import MESSAGE_CHARS
from adapters.slack.parts import in_blocks, in_familiar_blocks, in_usual_blocks, parts_of
from core.delivery import Body
from core.reply import Evidence, RenderedReply
from tests.adapters.slack.scene import DAYS, DNI
from tests.adapters.slack.test_format import EVIDENCE, bare, seen
from tests.platforms.slack import Message, live_links, live_mentions, read_mrkdwn, visible_text
from tests.platforms.slack.blocks import rendered_length
from tests.platforms.slack.content import holds_citation, posted_content, updated_content
from tests.platforms.slack.models import Json
from tests.suites.parity import in_telegram, words

WIKI = "https://wiki.example/отпуск?a=1&b=2"
LEAVE = Evidence(1, "Annual leave", "Leave › Entitlement", "27 days of annual leave", WIKI, "updated 2025-01-07")
OTPUSK = Evidence(1, "Отпуск", "Сколько дней", "27 дней отпуска", WIKI, "обновлено 2025-01-07", "устарело")
PAPER = Evidence(2, "Carry-over", "page 3", "Up to five days carry over.", updated="updated 2025-01-07")
IN_ENGLISH = replace(DAYS, evidence=(LEAVE, PAPER), checks=("2 of 2 statements confirmed.",))
IN_RUSSIAN = replace(DNI, evidence=(OTPUSK,), checks=("Подтверждено утверждений: 1 из 1.",))
BOTH = pytest.mark.parametrize("reply", [IN_ENGLISH, IN_RUSSIAN], ids=["en", "ru"])
LONG = WIKI + "a" * (ADDRESS_CHARS - len(WIKI))
ENTRIES = st.builds(replace, EVIDENCE, link=st.sampled_from([None, WIKI, LONG, "file:///etc"]))


def evidence_of(reply: RenderedReply) -> Body:
    """Return the one message of the evidence."""
    [body] = [part.body for part in parts_of(reply) if part.name == "evidence-1"]
    return body


def cited_in(blocks: Any) -> list[Json]:
    """Return the citations in blocks, in order."""
    if isinstance(blocks, dict):
        return [blocks] if blocks.get("type") == "citation" else cited_in(list(blocks.values()))
    return [one for part in blocks for one in cited_in(part)] if isinstance(blocks, list | tuple) else []


def taken(content: Json) -> Message:
    """Return the message as Slack shows it, new and as a change."""
    updated_content(content)
    posted = posted_content(content)
    return Message("C1", "1.1", "U0BOT", posted.text or "", posted.blocks or ())


@BOTH
def test_a_source_with_an_address_is_cited(reply: RenderedReply) -> None:
    """Number, address, title, site and the beginning of the quote, and that no model made it up."""
    [citation] = cited_in(evidence_of(reply)["blocks"])
    entry = reply.evidence[0]

    assert citation == {
        "type": "citation",
        "url": WIKI,
        "text": "¹",
        "index": 1,
        "details": {
            "citation_type": "web",
            "display_name": "wiki.example",
            "title": entry.title,
            "snippet": entry.quote,
        },
        "from_llm": False,
        "is_slack_url": False,
    }


@BOTH
def test_nothing_is_left_to_the_citation_alone(reply: RenderedReply) -> None:
    """Title with its link, place, date, remark and quote stand beside it: seen whatever Slack draws of a citation."""
    [_, said, *_] = evidence_of(reply)["blocks"]
    head, quote = said["elements"]
    citation, blank, title, remarks = head["elements"]
    entry = reply.evidence[0]

    assert ("citation", " ") == (citation["type"], blank["text"])
    assert {"type": "link", "text": entry.title, "url": WIKI, "style": {"bold": True}} == title
    beside = [part for part in (entry.place, entry.updated, entry.remark) if part]
    assert "".join(f" · {part}" for part in beside) == remarks["text"]
    assert entry.quote == quote["elements"][0]["text"]


@BOTH
def test_every_form_says_what_telegram_says(reply: RenderedReply) -> None:
    """The same words in the same order, with citations and without, and for who hears the message; the same links."""
    body, told = evidence_of(reply), in_telegram(reply)
    forms = [taken(content) for content in (in_blocks(body), in_familiar_blocks(body))]
    heard = [read_mrkdwn(text.replace("> ", "")) for text in (body["plain"], body["text"])]

    assert [told.evidence] * 4 == [words([text]) for text in (*map(visible_text, forms), *heard)]
    assert [{WIKI}] * 3 == [set(links) for links in (told.links, *map(live_links, forms))]
    assert [1, 0] == [len(cited_in(form.blocks)) for form in forms]
    assert in_usual_blocks(body) is None


@pytest.mark.parametrize(
    ("address", "site"),
    [
        ("https://wiki.example/a|b>c(d)&e", "wiki.example"),
        ("HTTPS://Wiki.Example:8443", "wiki.example"),
        ("https://пример.рф/путь", "пример.рф"),
        ("https://wiki.example/" + "a" * (ADDRESS_CHARS - 21), "wiki.example"),
        ("https://wiki.example/" + "a" * (ADDRESS_CHARS - 20), None),
        ("https://<!channel>/a", None),
        ("https://[::1]/a", None),
        ("http://", None),
        ("mailto:hr@wiki.example", None),
        ("javascript:alert(1)", None),
        ("docs/leave.md", None),
        (None, None),
    ],
)
def test_only_what_a_browser_opens_is_cited(address: str | None, site: str | None) -> None:
    """Everything else keeps its number as text, and its title as a link where that is one."""
    body = evidence_of(RenderedReply((), (replace(LEAVE, link=address),), "en"))

    assert ([site] if site else []) == [one["details"]["display_name"] for one in cited_in(body["blocks"])]
    assert visible_text(taken(in_blocks(body))).splitlines()[1].startswith("¹ Annual leave · ")


@pytest.mark.parametrize(
    ("address", "is_slack"),
    [
        ("https://acme.slack.com/archives/C1/p1", True),
        ("https://slack.com/a", True),
        ("https://notslack.com/a", False),
        ("https://slack.com.evil.example/a", False),
    ],
)
def test_addresses_of_slack_are_named_as_such(address: str, *, is_slack: bool) -> None:
    """By the whole name of the host."""
    [citation] = cited_in(evidence_of(RenderedReply((), (replace(LEAVE, link=address),), "en"))["blocks"])

    assert citation["is_slack_url"] is is_slack


def test_a_card_holds_little_and_nothing_alive() -> None:
    """Long titles and quotes are cut there, and what Slack might read as its markup is not markup."""
    said = "<!channel> see <https://evil.example|a>\n" + "слово " * 2_000
    [body] = [
        part.body
        for part in parts_of(RenderedReply((), (replace(LEAVE, title=said[:900], quote=said),), "ru"))
        if holds_citation(part.body["blocks"])
    ]
    [citation] = cited_in(body["blocks"])
    details = citation["details"]

    assert [ours.TITLE_CHARS, ours.SNIPPET_CHARS] >= [len(details["title"]), len(details["snippet"])]
    assert details["snippet"].startswith("‹!channel› see ‹https://evil.example|a› слово")
    assert details["snippet"].endswith("…")
    blank = cited_in(evidence_of(RenderedReply((), (replace(LEAVE, title=" ", quote=" \n"),), "en"))["blocks"])
    assert [{"citation_type": "web", "display_name": "wiki.example"}] == [one["details"] for one in blank]


@settings(max_examples=25, deadline=None)
@given(st.lists(ENTRIES, min_size=1, max_size=30), st.sampled_from(["en", "ru"]))
def test_random_evidence_is_taken_in_each_form(evidence: list[Evidence], language: Any) -> None:
    """With citations and without: the same words, within Slack's ceilings, each address cited once with its number."""
    reply = RenderedReply((), tuple(evidence), language)
    bodies = [part.body for part in parts_of(reply)]
    for body in bodies:
        cited, linked = taken(in_blocks(body)), taken(in_familiar_blocks(body))
        assert visible_text(cited) == visible_text(linked)
        assert [] == [*live_mentions(cited), *live_mentions(linked)]
        assert set(live_links(cited)) == set(live_links(linked)) <= {WIKI, LONG}
        assert rendered_length(in_blocks(body)["blocks"]) <= MESSAGE_CHARS
        assert not holds_citation(linked.blocks)
    citations = [one for body in bodies for one in cited_in(body["blocks"])]

    assert [(one.number, one.link) for one in evidence if one.link in (WIKI, LONG)] == [
        (one["index"], one["url"]) for one in citations
    ]
    assert all(bare(entry.quote) in seen(evidence_messages(reply)) for entry in evidence)


@pytest.mark.parametrize("word", ["days ", "дней "])
def test_what_is_on_the_cards_is_counted(word: str) -> None:
    """Many sources go over several messages, none above the ceiling with its cards, and none torn from its quote."""
    entry = replace(LEAVE, title=word * 25, quote=word * 40)
    entries = tuple(replace(entry, number=number) for number in range(1, 61))
    messages = evidence_messages(RenderedReply((), entries, "en"))
    lengths = [rendered_length(list(message.blocks)) for message in messages]

    assert max(lengths) <= MESSAGE_CHARS
    assert min(lengths[:-1]) > 0.9 * MESSAGE_CHARS
    assert all(len(cited_in(block)) == 1 for one in messages for block in one.blocks if len(block["elements"]) > 1)
    assert list(range(1, 61)) == [one["index"] for message in messages for one in cited_in(message.blocks)]
