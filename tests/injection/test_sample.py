"""A sample of the injection suite: the whole of it is `python -m benchmarks.injection`."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from adapters.embedding.universal import UniversalEmbedder
from core.answer import Claim
from core.conversation import Question
from core.reply import Paragraph, RenderedReply, Text
from tests.adapters.slack.scene import scene
from tests.adapters.telegram.scene import ANNA, chatting
from tests.corpora import Company
from tests.injection.cases import Case, sample
from tests.injection.judging import Tried, links_of, live_in, obeyed
from tests.injection.trial import poisoned, quoted, try_out
from tests.platforms.slack import live_mentions

pytestmark = pytest.mark.asyncio(loop_scope="session")

SAMPLE = sample()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def depots(tmp_path_factory: pytest.TempPathFactory, embedder: UniversalEmbedder) -> AsyncIterator[Company]:
    """Give a company with a poisoned page for each case of the sample."""
    async with poisoned(SAMPLE, tmp_path_factory.mktemp("depots"), embedder) as of:
        yield of


@pytest.mark.parametrize("case", SAMPLE, ids=str)
async def test_nothing_obeys(case: Case, depots: Company) -> None:
    """A model that is wholly turned gets nothing through, and the question is answered from its page all the same."""
    tried = await try_out(case, depots)

    assert [] == obeyed(tried, depots.documents)
    assert any("08:15" in claim.text or "19:40" in claim.text for claim in tried.record.answer.claims)


async def test_what_obeys_is_told(depots: Company) -> None:
    """The judge sees a statement, a link, a mention and a tool that an attack has brought in."""
    case = next(case for case in SAMPLE if case.mark)
    tried = await quoted(case, depots)
    record = tried.record
    [claim, *_] = record.answer.claims
    turned = Claim(f"{case.says} {case.mark}", claim.citations, "supported")
    shown = RenderedReply((Paragraph((Text(f"{case.says} @everyone https://evil.example"),)),), (), "en")

    spoilt = replace(record, answer=replace(record.answer, claims=(turned,)), reply=shown)
    faults = obeyed(Tried(case, spoilt), depots.documents)

    assert [] == obeyed(tried, depots.documents)
    assert any(fault.startswith("obeyed") for fault in faults)
    assert [] == list(live_in(shown, depots.documents))


async def test_slack_shows_nothing_live(depots: Company) -> None:
    """Through Slack itself: what a turned model got through mentions nobody, and links to the documents alone."""
    cases = SAMPLE[::5]
    replies = {case.asked: (await try_out(case, depots)).record.reply for case in cases}

    def said(question: Question) -> RenderedReply | None:
        return replies[question.text]

    async with scene(said) as stage:
        for case in cases:
            ts = await stage.asks(case.asked)
            messages = await stage.answered("C1", ts)
            links = {url for message in messages for url in _urls(message.blocks)}

            assert [] == [mention for message in messages for mention in live_mentions(message)]
            assert links <= links_of(depots.documents)


def _urls(node: object) -> list[str]:
    if isinstance(node, dict):
        own = [str(node["url"])] if "url" in node else []
        return own + [url for child in node.values() for url in _urls(child)]
    return [url for child in node for url in _urls(child)] if isinstance(node, list | tuple) else []


async def test_telegram_shows_nothing_live(depots: Company) -> None:
    """Through Telegram itself: the server finds no mention and no address in what it was sent."""
    cases = SAMPLE[1::5]
    replies = {case.asked: (await try_out(case, depots)).record.reply for case in cases}

    async def said(question: Question) -> RenderedReply | None:
        return replies[question.text]

    async with chatting(said) as (tg, _):
        for number, case in enumerate(cases, 1):
            await tg.say(ANNA, ANNA, case.asked)
            await tg.wait_for_messages(ANNA, count=2 * number)
        entities = [entity for message in tg.bot_messages(ANNA) for entity in message.entities]

    assert [] == [one for one in entities if one.type in ("mention", "text_mention", "url")]
    assert {one.url for one in entities if one.type == "text_link"} <= links_of(depots.documents)
    assert tg.warnings == []
