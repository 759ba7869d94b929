"""What the fuzzing feeds, entry by entry: whatever comes from outside, with what reads it.

People: their words, presses, commands. Platforms: events, updates, requests to our doors. Models: plans, drafts, second
readings. Documents and sites: files, pages, sitemaps, addresses. Operators: the files they write by hand.
"""

import asyncio
import hashlib
import hmac
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import yarl
from hypothesis import strategies as st
from pydantic import ValidationError

from adapters.slack.commands import slash_in
from adapters.slack.door import Door
from adapters.slack.events import Post, aside_of, question_of, read_event
from adapters.slack.format import answer_messages, evidence_messages
from adapters.slack.shortcuts import chosen_in
from adapters.sources.addresses import joined, may_be_read
from adapters.sources.dates import day_of
from adapters.sources.git_address import remote_of
from adapters.sources.names import page_name
from adapters.sources.signs import orders_in, signs_of
from adapters.sources.sitemap import sitemap_of
from adapters.telegram.arrivals import Arrivals
from adapters.telegram.errands import Errands
from adapters.telegram.events import Me
from adapters.telegram.format import answer_parts, evidence_parts
from adapters.telegram.inline import InlineAnswers
from adapters.telegram.links import Links
from bot.cases import checked_by, read_lines
from bot.declared import read_declared
from bot.groups import read_import
from core.addressed import is_small_talk, odds_of
from core.answer import Draft, DraftClaim, Pointer
from core.answering import _parsed
from core.asked import read_question
from core.commands import spoken_in, verb_in
from core.context import AnswerContext
from core.conversation import Thread, Turn
from core.counting import counted_thing
from core.entities import resolve_entities, unknown_names
from core.errors import BotError
from core.facts import Fact, Place, Source, Span
from core.followup import decide_follow_up
from core.ingest.domain import read_domain
from core.ingest.domains import merged
from core.ingest.proposals import proposals_in
from core.judging import Case
from core.masking import blotted, masked, unmasked
from core.plan import Style
from core.plan_check import check_plan
from core.press import read_button
from core.prompts import answer_user, planner_user
from core.reply import Bullets, Evidence, Note, Paragraph, RenderedReply, Table, Text, plain
from core.rewriting import Said, proven
from core.streaming import ClaimReader
from core.text import Untrusted, language_of, sentences
from core.unanswered import unanswerable
from core.verify import verify
from tests.adapters.loaders.made import inside
from tests.adapters.loaders.test_fuzz import NAMES, damaged
from tests.adapters.slack.test_events import BODIES, JSON
from tests.adapters.telegram.scene import desk_for
from tests.adapters.telegram.test_receiving import BOT, updates
from tests.core.test_planner import ASKED, RULES

Call = Callable[[Any], object]

_NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)
_REGISTRY = RULES.registry
_SIGNING = "fuzzed"

# What has tripped readers of words: look-alikes, marks, joined emoji, other directions, half formats, long rows.
_PIECES = [
    *"""
    Who which кто сколько and и кроме except not не without before до 31.02.2026 2026-13-40 1,000.50 1e999 ½ ٣ INC-2041
    v2.3.1 C++ ** ` ``` [a](b) <@U1|x> <!here> <#C1|y> &lt; || | > - « ” { " \\ 👨‍👩‍👧 🇷🇺 مرحبا 日本語 ИИИ ß İ ﬁ
    @everyone a@b.example https://x.example/a_(b) tg://user?id=1 README.md say: скажи: it его RAG /why $5 five пять
    every all only
    """.split(),
    *("last week", "на прошлой неделе", "№ 7", "10 %", "at least", "не менее", "/forget 3"),
    *("\n", "\t", " ", "\u00a0", "\u200b", "\u202e", "\u0301", "\ufeff", "\u2028", "a" * 300, "?" * 50),
]
words = st.one_of(
    st.text(max_size=300),
    st.lists(st.sampled_from(_PIECES), max_size=40).map(" ".join),
    st.lists(st.sampled_from(_PIECES), max_size=60).map("".join),
    st.sampled_from(_PIECES).flatmap(lambda piece: st.integers(1, 1_000).map(lambda times: (piece * times)[:4_000])),
)


def _telegram(raw: object) -> None:
    """Take an update as the bot does, over a desk that answers nobody."""

    async def taken() -> None:
        desk, errands = desk_for(), Errands()
        inline = InlineAnswers(BOT, desk, errands)
        links = Links("1:token", "footnote_bot")
        await Arrivals(BOT, Me(1, "footnote_bot"), desk, errands, _unheard, inline, links).take(raw)
        await errands.close()
        for task in desk._work:  # noqa: SLF001 - what the double would go on with
            task.cancel()

    asyncio.run(taken())


async def _unheard(_: object) -> bool:
    """Tell nobody."""
    return True


def _slack_request(given: tuple[bytes, str, str | None, bool]) -> None:
    """Send a request to the door, signed as Slack does or as somebody else does."""
    body, kind, signature, is_slack = given
    at = str(int(time.time()))
    proof = hmac.new(_SIGNING.encode(), b":".join((b"v0", at.encode(), body)), hashlib.sha256).hexdigest()
    headers = {"X-Slack-Request-Timestamp": at, "X-Slack-Signature": f"v0={proof}" if is_slack else signature or ""}

    async def read() -> bytes:
        return body

    async def text() -> str:
        return body.decode(errors="replace")

    request = SimpleNamespace(
        content_type=kind, headers=headers, read=read, text=text, query_string="", query=yarl.URL("/").query
    )
    found = asyncio.run(Door(_SIGNING).read(request))  # type: ignore[arg-type] # what of a request it looks at
    assert isinstance(found, int) or is_slack, "a stranger was let in"


def _document(file: tuple[str, bytes]) -> None:
    for _ in inside(*file):
        pass


def _personal(text: str) -> None:
    hidden, originals = masked(text)
    assert unmasked(hidden, originals) == text
    blotted(text)


def _question(text: str) -> None:
    """Understand a message as far as that needs nobody else."""
    unanswerable(text)
    spoken_in(text), verb_in(text), is_small_talk(text), odds_of(text), counted_thing(text)
    matches = resolve_entities(text, _REGISTRY)
    unknown_names(text, matches)
    asked = read_question(text, matches, _NOW)
    earlier = Turn("Where is RAG used?", "Where is RAG used?", (), answered=True, asked_at=_NOW - timedelta(minutes=1))
    decide_follow_up(text, matches, Thread("t", (earlier,)), _NOW)
    json.loads(planner_user(replace(ASKED, question=asked.question, earlier_question=text)))


def _slack_words(text: str) -> None:
    """Read a message in Slack's markup."""
    post = Post("T1", "C1", "1800000000.000100", "U1", text, thread_ts="1800000000.000000")
    question_of(post, "U0BOT")
    aside_of(post, "U0BOT")


def _claims(given: tuple[str, str, str, str]) -> None:
    """Prove a claim on a quote of a document; what is cited must stand there."""
    document, claim, quote, question = given
    context = _context(document, question)
    drafted = DraftClaim(claim, (Pointer(1, quote), Pointer(2, claim)), quote or None)
    answer = verify(Draft((drafted,), lead=claim), context)
    for citation in (one for held in answer.claims for one in held.citations):
        assert citation.span.within(document) == citation.quote, "a quote that does not stand there"
    list(sentences(claim))
    assert answer_user(question, context, "c0ffee").count("c0ffee") == 2 + question.count("c0ffee")


def _context(document: str, question: str) -> AnswerContext:
    span = Span(0, len(document))
    fact = Fact(
        Untrusted(document), Source("a.md", document[:80] or "A", None), span, "a#1", Place((Untrusted(document[:40]),))
    )
    return AnswerContext(question, (fact,), language_of(question), Style.BULLETS, "factual", 10, 8, 3, 150)


def _reading(text: str) -> None:
    """Take a model's reply as the second reading of a question, as proposed edges and as one that is still written."""
    earlier = Turn("Where is RAG used?", "Where is RAG used?", (), answered=True, asked_at=_NOW)
    with suppress(ValidationError):
        proven(Said.model_validate_json(text), "And in Aston?", Thread("t", (earlier,)))
    reader = ClaimReader()
    for end in range(0, len(text), max(1, len(text) // 40)):
        reader.read(text[:end])
    proposals_in(text)


def _page(given: tuple[bytes, str, str]) -> None:
    """Read a page, or a sitemap, as a visit of a site does."""
    data, charset, text = given
    sitemap_of(data)
    found = signs_of(data, charset or None, "footnote")
    orders_in((text,), "footnote")
    day_of(text)
    base = yarl.URL("https://wiki.example/a/b")
    for link in (*found.links[:20], found.base, found.canonical or "", text):
        address = joined(base, link)
        if address is not None and may_be_read(address):
            assert ".." not in page_name(address, ".html").split("/"), "a name that leads out of its folder"


def _written(given: tuple[str, bytes]) -> None:
    """Read a file that an operator wrote by hand."""
    name, data = given
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_bytes(data)
        for read in (read_import, read_declared, lambda path: read_lines(path, checked_by(Case), "case")):
            with suppress(BotError):
                read(file)


def _domain(raw: Mapping[str, Any]) -> None:
    """Read what a corpus declares of itself."""
    with suppress(BotError):
        read_domain(raw)
    merged({}, {"a": raw, "b": raw})


def _shown(given: tuple[str, str, str, str | None]) -> None:
    """Write words of documents in both dialects."""
    said, title, quote, link = (plain(Untrusted(one[:1_000])) if one is not None else None for one in given)
    line = (Text(said or "", "plain"), Note(1), Text(title or "", "strong"), Text(quote or "", "code"))
    rows = ((line, line), (line, line))
    nodes = (Paragraph(line), Bullets((line, line), line), Table(("a", title or "b"), rows))
    reply = RenderedReply(nodes, (Evidence(1, title or "", said or "", quote or "", link),), "ru")
    for made in (answer_messages(reply), evidence_messages(reply), answer_parts(reply), evidence_parts(reply)):
        assert made, "nothing is shown"


def _address(text: str) -> None:
    with suppress(BotError):
        remote_of(text)


def _texts() -> Iterator[st.SearchStrategy[str]]:
    pieces = [
        "a@b.example",
        "+7 916 000-11-22",
        "EMAIL_1",
        "⟨PHONE_1⟩",
        "тел",
        " ",
        "8",
        "(",
        "-",
        "\u0000",
        "GB82 WEST",
    ]
    yield st.text(max_size=300)
    yield st.lists(st.sampled_from(pieces), max_size=60).map("".join)
    yield st.text(alphabet="0123456789 +-().@aа", max_size=400)


_SLASH = st.fixed_dictionaries(
    {"command": JSON, "team_id": JSON, "channel_id": JSON, "user_id": JSON}, optional={"text": JSON}
)
_SLASH_TEXT = st.fixed_dictionaries(
    {"command": st.just("/ask"), "team_id": st.text(), "channel_id": st.text(), "user_id": st.text()},
    optional={"text": words},
)
_SHORTCUT = st.fixed_dictionaries(
    {"type": st.just("message_action"), "callback_id": st.sampled_from(("answer_message", "ask", "footnote")) | JSON}
    | {key: st.fixed_dictionaries({"id": st.text(max_size=8) | JSON}) | JSON for key in ("team", "channel", "user")},
    optional={"message": st.fixed_dictionaries({"ts": st.just("1.000000") | JSON}, optional={"text": words}) | JSON},
)
_CLAIM = st.fixed_dictionaries(
    {}, optional={"text": JSON | words, "evidence": JSON, "group": JSON, "fact": JSON, "quote": JSON}
)
_DRAFT = st.fixed_dictionaries(
    {}, optional={"lead": JSON, "claims": st.lists(_CLAIM, max_size=3) | JSON, "abstain": JSON, "nearest": JSON}
)
_PLAN = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(("intents", "entities", "tool_calls", "fallback", "limits", "render_style"), JSON)
    | dict.fromkeys(("answer_style", "confidence", "shape", "exclude", "without"), JSON),
)
_SAID = st.fixed_dictionaries({"about": words | JSON, "question": words | JSON})
_EDGE = st.dictionaries(st.sampled_from(("subject", "relation", "object", "quote")), words)
_EDGES = st.fixed_dictionaries({"edges": st.lists(_EDGE) | JSON})
_REPLY = st.one_of(
    st.text(max_size=200),
    JSON.map(json.dumps),
    _DRAFT.map(json.dumps),
    _PLAN.map(json.dumps),
    _SAID.map(json.dumps),
    _EDGES.map(json.dumps),
    st.just("[" * 100_000),
    st.just('{"claims": [' + '{"text": "}' * 5_000),
)
_KINDS = st.sampled_from(("application/json", "application/x-www-form-urlencoded", "text/plain", ""))
_BODY = st.one_of(
    st.binary(max_size=300),
    JSON.map(json.dumps).map(str.encode),
    BODIES.map(json.dumps).map(str.encode),
    words.map(lambda text: f"payload={text}".encode(errors="ignore")),
)
_TAGS = st.sampled_from(
    (
        "<base href='",
        '<a href="',
        "<meta name=robots content=",
        "<link rel=canonical href=",
        "<urlset><url><loc>",
        "</a>",
    )
)
_MARKUP = st.lists(_TAGS | words, max_size=20).map(lambda parts: "".join(parts).encode(errors="replace"))
_FILE = st.tuples(
    st.sampled_from(("groups.csv", "groups.json", "sources.yaml", "cases.jsonl")),
    st.binary(max_size=300)
    | words.map(lambda text: text.encode(errors="replace"))
    | JSON.map(json.dumps).map(str.encode),
)
_DECLARED = st.dictionaries(
    st.sampled_from(("title", "entities", "intents", "relations", "link_base", "access", "other")),
    JSON
    | st.lists(st.dictionaries(st.sampled_from(("id", "name", "type", "aliases", "of", "find", "examples")), JSON)),
)

_AS_BYTES = words.map(lambda text: text.encode(errors="ignore"))
_CLAIMED = st.tuples(words, words, words, words) | words.map(lambda text: (text, text, text, text))

# What is fed, and what it is fed to.
ENTRIES: dict[str, tuple[st.SearchStrategy[Any], Call]] = {
    "questions": (words, _question),
    "slack events": (BODIES, lambda body: read_event(body, "U0BOT")),
    "slack words": (words, _slack_words),
    "slack requests": (st.tuples(_BODY, _KINDS, st.text(max_size=80) | st.none(), st.booleans()), _slack_request),
    "slash commands": (_SLASH | _SLASH_TEXT, slash_in),
    "shortcuts": (_SHORTCUT, lambda body: chosen_in(body, "U0BOT")),
    "telegram updates": (updates, _telegram),
    "links to sources": (words | st.from_regex(r"[A-Za-z0-9_=-]{20,60}"), Links("1:token", "footnote_bot").read),
    "presses": (st.text(max_size=300) | st.from_regex(r"(choose|more|why|show|vote)[:|].*"), read_button),
    "documents": (
        damaged() | st.tuples(NAMES, st.binary(max_size=600) | _AS_BYTES),
        _document,
    ),
    "pages of sites": (st.tuples(_MARKUP | st.binary(max_size=400), st.text(max_size=8), words), _page),
    "addresses of repositories": (words | st.from_regex(r"(https|ssh|file|ext)://.*|git@.*"), _address),
    "files of operators": (_FILE, _written),
    "declared domains": (_DECLARED, _domain),
    "drafts of models": (_REPLY, lambda text: _parsed(text, "fuzzed")),
    "plans of models": (_REPLY, lambda text: check_plan(text, RULES, ASKED)),
    "readings of models": (_REPLY, _reading),
    "claims of models": (_CLAIMED, _claims),
    "words that are shown": (st.tuples(words, words, words, st.none() | words), _shown),
    "personal data": (st.one_of(*_texts()), _personal),
}
