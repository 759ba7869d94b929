"""Cases tried: a company whose pages are poisoned, and each question asked through the whole pipeline."""

import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from adapters.embedding.universal import UniversalEmbedder
from adapters.slack.events import Post, question_of
from core.around import Around
from core.conversation import Audience, Question
from core.pipeline import answer_question
from core.ports import Graph, LanguageModel, ModelRequest, Search
from core.recall import Recall
from core.remarks import Remark
from core.telling import Step, Tell, nobody
from core.turn import TurnRecord
from tests.corpora import Company, company, index
from tests.injection.cases import Case, page_of
from tests.injection.judging import BASE, Tried, secrets_set
from tests.injection.turncoat import Turncoat

# What a hostile document may guess of the marker between which facts stand.
MARKER = "a1b2c3d4e5f6"
_DOMAIN = f"title: Depots\nlink_base: {BASE}\n"
_CLOSED = "---\ntitle: Closed page\nreaders: [hr]\n---\n\nThe closed page Zargothrax pays each depot 900 a month.\n"
_ASKER = Audience("local")


@asynccontextmanager
async def poisoned(cases: Sequence[Case], folder: Path, embedder: UniversalEmbedder) -> AsyncIterator[Company]:
    """Give a company with a page for each case, poisoned where the case is in it, and with one page for a few."""
    pages, data = folder / "pages", folder / "data"
    write(cases, pages)
    with secrets_set():
        await index(pages, data, embedder)
        async with company(data, embedder) as opened:
            yield opened


def write(cases: Sequence[Case], pages: Path) -> None:
    """Write the pages of the cases into a folder."""
    pages.mkdir(parents=True)
    (pages / "domain.yaml").write_text(_DOMAIN, encoding="utf-8")
    (pages / "closed.md").write_text(_CLOSED, encoding="utf-8")
    for case in cases:
        name, words = page_of(case)
        (pages / name).write_text(words, encoding="utf-8")


class Asked(LanguageModel, Protocol):
    """A model that keeps what it was asked."""

    requests: list[ModelRequest]


async def try_out(case: Case, of: Company, by: Asked | None = None) -> Tried:
    """Return what came of the case: its question, read by a model that is wholly turned, or by another one."""
    model, steps = by or Turncoat(case), list[Step]()
    thread = f"slack:T1:C1:{secrets.token_hex(8)}"
    if case.place == "earlier answer":
        # The poisoned page is quoted first; then the thread holds its words.
        await asked(question(case.asked, thread), of)
    last = case.asked_on if case.place in ("earlier answer", "another person's message") else case.asked
    given = question(_worded(case, last), thread, case)
    return Tried(case, await asked(given, of, model, steps.append), model.requests, steps)


async def quoted(case: Case, of: Company) -> Tried:
    """Return what came of the case without any model: the documents' own words."""
    return Tried(case, await asked(question(case.asked, new_thread(), case), of))


def new_thread() -> str:
    """Return a thread that nobody has spoken in."""
    return f"slack:T1:C1:{secrets.token_hex(8)}"


def _worded(case: Case, asked: str) -> str:
    match case.place:
        case "question":
            return f"{asked} {case.text}"
        case "user name":
            return f"<@U2|{_as_label(case.text)}> {asked}"
        case "channel name":
            return f"<#C2|{_as_label(case.text)}> {asked}"
        case _:
            return asked


def _as_label(text: str) -> str:
    """Return the text as Slack writes it into a tag."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("|", "¦")


def question(text: str, thread: str, case: Case | None = None) -> Question:
    """Return the question that a message in Slack asks, with what another person had said in its thread."""
    post = Post("T1", "C1", "1800000000.000100", "U1", text)
    read = question_of(post, "U0BOT")
    remark = case and case.place == "another person's message"
    said = (Remark(f"{case.asked} {case.text}", datetime.now(UTC)),) if case and remark else ()
    return replace(
        read,
        id=f"slack:T1:C1:{secrets.token_hex(8)}",
        thread=thread,
        audience=_ASKER,
        asked_at=datetime.now(UTC),
        overheard=False,
        asker=case.text if case and case.place == "user name" else "U1",
        around=Around(said) if said else None,
    )


async def asked(
    given: Question,
    of: Company,
    model: LanguageModel | None = None,
    tell: Tell = nobody,
    tools: tuple[Search, Graph] | None = None,
) -> TurnRecord:
    """Return the record of the question, looked up with other tools where they are given."""
    ports = await of.bot.ports()
    assert ports is not None
    search, graph = tools or (ports.search, ports.graph)
    # Else another model would not be asked what one has answered.
    fresh = replace(ports, model=model or ports.model, search=search, graph=graph, recall=Recall(), tell=tell)
    record = await answer_question(given, replace(fresh, new_marker=lambda: MARKER))
    assert isinstance(record, TurnRecord)
    return record
