"""Slack and Telegram show the same claims, sources and refusals for the labelled questions of the examples.

Each third of them here; benchmarks/parity.py asks them all.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from core.conversation import Audience, PlatformName, Question
from core.pipeline import answer_question
from core.recall import Recall
from core.reply import Bullets, Evidence, Note, Paragraph, RenderedReply, Table, Text
from core.turn import TurnRecord
from tests.core.test_pipeline import Memory
from tests.corpora import Company
from tests.suites.parity import in_slack, in_telegram, words

pytestmark = pytest.mark.asyncio(loop_scope="session")

CORPORA = ["handbook", "portfolio"]
ASKED = 3
# One of these in so many is asked on both platforms, not only shown on both: nothing of an answer knows where it is.
EVERY = 10
WORKSPACES: dict[PlatformName, str] = {"slack": "T1", "telegram": "telegram"}


@dataclass(frozen=True, slots=True)
class Case:
    """A labelled question and the record of its answer."""

    id: str
    labels: dict[str, Any]
    record: TurnRecord


@pytest_asyncio.fixture(scope="module", loop_scope="session", params=CORPORA)
async def cases(request: pytest.FixtureRequest, handbook: Company, portfolio: Company) -> list[Case]:
    """Return questions of an example, each answered once."""
    company = {"handbook": handbook, "portfolio": portfolio}[request.param]
    return [Case(one["id"], one, await asked(company, one, "telegram")) for one in labelled(request.param)[::ASKED]]


def labelled(corpus: str) -> list[dict[str, Any]]:
    """Return all questions of an example, with their labels."""
    lines = (Path(__file__).parent / f"{corpus}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


async def asked(company: Company, labels: dict[str, Any], platform: PlatformName) -> TurnRecord:
    """Return the record of a question, asked after the one that it follows."""
    ports = await company.bot.ports()
    assert ports is not None
    given = replace(ports, threads=Memory(), recall=Recall())
    for text in filter(None, (labels["after"], labels["question"])):
        question = Question(text, platform, "t", text, "U1", Audience(WORKSPACES[platform]), datetime.now(UTC))
        record = await answer_question(question, given)
        assert isinstance(record, TurnRecord)
    return record


async def test_both_show_the_same(cases: list[Case]) -> None:
    """The same words of answer and evidence in the same order, the same links; Telegram as TDLib reads it."""
    replies = {one.id: bare(one.record.reply) for one in cases}

    assert [] == [id_ for id_, reply in replies.items() if in_slack(reply) != in_telegram(reply)]
    assert len(cases) > 40


async def test_every_claim_and_source_is_seen(cases: list[Case]) -> None:
    """All that was proven, with number, title, place and exact words of each source; a refusal shows no claim."""
    for case in cases:
        answer, reply = case.record.answer, case.record.reply
        for seen in (in_slack(reply), in_telegram(reply)):
            cells = [cell for claim in answer.claims for cell in claim.text.split(" | ")]
            names = [name for node in reply.nodes if isinstance(node, Table) for name in node.header[1:]]
            assert all(stands_in(words([cell]), seen.answer) for cell in (*cells, *names)), case.id
            assert all(stands_in(words(_told(entry)), seen.evidence) for entry in reply.evidence), case.id
    refused = [case for case in cases if case.record.answer.is_refusal]

    assert refused
    assert all(not case.record.answer.claims and case.record.reply.is_refusal for case in refused)


async def test_it_does_not_matter_where_it_is_asked(cases: list[Case], handbook: Company, portfolio: Company) -> None:
    """Asked on Slack, a question gets the reply that it got on Telegram."""
    company = handbook if cases[0].id.startswith("hb") else portfolio
    for case in cases[::EVERY]:
        assert (await asked(company, case.labels, "slack")).reply == case.record.reply, case.id


ENTRY = Evidence(1, "Leave policy", "Vacation", "28 days of paid leave.", "https://wiki.acme.org/leave")
BOTH = RenderedReply((Bullets(((Text("28 days"), Note(1)), (Text("5 carried over"), Note(1)))),), (ENTRY,), "en")


@pytest.mark.parametrize(
    "other",
    [
        replace(BOTH, nodes=(Bullets(((Text("28 days"), Note(1)),)),)),
        replace(BOTH, nodes=(Bullets(((Text("27 days"), Note(1)), (Text("5 carried over"), Note(1)))),)),
        replace(BOTH, nodes=(Bullets(((Text("28 days"), Note(2)), (Text("5 carried over"), Note(1)))),)),
        replace(BOTH, nodes=(Bullets(((Text("5 carried over"), Note(1)), (Text("28 days"), Note(1)))),)),
        replace(BOTH, evidence=()),
        replace(BOTH, evidence=(replace(ENTRY, quote="28 days of leave."),)),
        replace(BOTH, evidence=(replace(ENTRY, link="https://wiki.acme.org/trips"),)),
    ],
)
async def test_whatever_differs_would_be_seen(other: RenderedReply) -> None:
    """A claim, a number, a source, its words, a link or the order: each makes what is seen another."""
    assert in_slack(BOTH) == in_telegram(BOTH)
    assert in_slack(BOTH) != in_telegram(other)


async def test_tables_and_mentions_read_alike() -> None:
    """However differently the two draw them."""
    rows = tuple(((Text(name), Note(1)), (Text(days),)) for name, days in (("Лейден", "28"), ("@everyone", "/reindex")))
    wide = tuple(((Text("слово " * 9),), (Text("x" * 40),)) for _ in range(3))
    told = (Paragraph((Text("Дни:", "strong"),)), Table(("Офис", "Дней"), rows))
    reply = RenderedReply(told, (ENTRY,), "ru")

    assert in_slack(reply) == in_telegram(reply)
    assert set(in_slack(RenderedReply((Table(("A", "B"), wide),), (), "ru")).answer) >= {"слово", "x" * 40}


def bare(reply: RenderedReply) -> RenderedReply:
    """Return the reply with headless tables: where a phone cannot show one, Telegram names the cells of each row."""
    return replace(
        reply,
        nodes=tuple(
            replace(one, header=("",) * len(one.header)) if isinstance(one, Table) else one for one in reply.nodes
        ),
    )


def stands_in(few: Sequence[str], many: Sequence[str]) -> bool:
    """Return whether the words stand there, one after the other."""
    return f" {' '.join(few)} " in f" {' '.join(many)} "


def _told(entry: Evidence) -> list[str]:
    return [f"{entry.number} {entry.title}", *filter(None, (entry.place, entry.updated, entry.remark)), entry.quote]
