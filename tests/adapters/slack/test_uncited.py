"""Sources with citations, and without them where Slack refuses those: in one attempt each, and for how long."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from adapters.slack.app import SlackPlatform
from adapters.slack.novelties import BELIEVED, Novelties
from adapters.slack.parts import in_blocks
from core.conversation import MessageRef
from core.delivery import Doubtful, Found, Outgoing, Refused, Shown
from core.reply import RenderedReply
from tests.adapters.slack.scene import Scene, outgoing, workspace
from tests.adapters.slack.scene import settings as leading_to
from tests.adapters.slack.test_citations import BOTH, IN_ENGLISH, IN_RUSSIAN, WIKI, cited_in, evidence_of, taken
from tests.adapters.slack.test_members import Time
from tests.platforms.slack import Message, SlackStandIn, live_links, visible_text
from tests.platforms.slack.content import holds_citation
from tests.platforms.slack.waiting import until
from tests.suites.parity import in_telegram, words

POST, UPDATE = "chat.postMessage", "chat.update"
STRANGE = ["invalid_blocks", "invalid_blocks_format", "invalid_arguments"]


def test_each_workspace_is_believed_for_some_hours() -> None:
    """What one does not take another may; after a while it is tried again."""
    time = Time()
    novelties = Novelties(time)
    novelties.were_refused_in("T1", {"citation"})
    time.now = BELIEVED - 1
    before = [novelties.refused_in(team) for team in ("T1", "T2")]
    time.now = BELIEVED

    assert [{"citation"}, set()] == before
    assert not novelties.refused_in("T1")


@dataclass
class Chat:
    """A question in a channel, the platform that shows its evidence, and what time it is for it."""

    slack: SlackStandIn
    platform: SlackPlatform
    asked: str
    time: Time

    def evidence(self, reply: RenderedReply = IN_ENGLISH, shown: MessageRef | None = None) -> Outgoing:
        """Return the evidence of a reply, in place of what is shown."""
        [part] = [part for part in self.platform.parts(reply) if part.name == "evidence-1"]
        return outgoing(self.asked, part, shown=shown)

    async def shows(self, reply: RenderedReply = IN_ENGLISH, shown: MessageRef | None = None) -> MessageRef:
        """Show the evidence; return which message it is."""
        outcome = await self.platform.show(self.evidence(reply, shown))
        assert isinstance(outcome, Shown)
        assert outcome.message
        return outcome.message

    def forms(self, method: str = POST) -> list[str]:
        """Return in which form each call of the method was made."""
        return [form_of(call.arguments.get("blocks")) for call in self.slack.calls_to(method)]

    @property
    def latest(self) -> Message:
        """The message that was posted last."""
        return self.slack.answers("C1", self.asked)[-1]


def form_of(blocks: Any) -> str:
    """Return the name of a form."""
    return "words" if not blocks else "citations" if holds_citation(blocks) else "links"


@pytest.fixture
async def chat() -> AsyncIterator[Chat]:
    """A question, and a connection over which it can be answered."""
    async with workspace() as slack:
        asked, time = await slack.post_as("U1", "C1", "<@U0BOT> How many days?"), Time()
        platform = SlackPlatform(leading_to(slack), time)
        async with platform.connected():
            yield Chat(slack, platform, asked, time)


@BOTH
async def test_what_slack_gets_is_what_was_made(chat: Chat, reply: RenderedReply) -> None:
    """Posted and changed in one call each, nothing of it lost on the way, and nothing unfolds."""
    ref = await chat.shows(reply)
    assert await chat.shows(reply, ref) == ref
    [post], [change] = chat.slack.calls_to(POST), chat.slack.calls_to(UPDATE)

    assert [evidence_of(reply)["blocks"]] * 2 == [post.arguments["blocks"], change.arguments["blocks"]]
    assert evidence_of(reply)["text"] == post.arguments["text"]
    assert (False, False) == (bool(post.arguments["unfurl_links"]), bool(post.arguments["unfurl_media"]))
    assert 1 == len(cited_in(chat.latest.blocks))


@BOTH
@pytest.mark.parametrize("code", STRANGE)
@pytest.mark.parametrize("method", [POST, UPDATE])
async def test_where_citations_are_refused_sources_are_links(
    chat: Chat, reply: RenderedReply, code: str, method: str
) -> None:
    """In the same attempt, with the same words, links and mark, and in no plainer form than needed."""
    ref = await chat.shows(reply) if method == UPDATE else None
    chat.slack.refuse_citations(code)
    shown = await chat.shows(reply, ref)

    assert ["citations", "links"] == chat.forms(method)
    assert ref in (None, shown)
    assert visible_text(taken(in_blocks(evidence_of(reply)))) == visible_text(chat.latest)
    assert [WIKI] == live_links(chat.latest)
    assert (chat.latest.metadata or {})["event_payload"]["part"] == "evidence-1"


async def test_a_refusal_is_remembered_for_hours(chat: Chat, caplog: pytest.LogCaptureFixture) -> None:
    """One call for each message from then on, posted or changed; after some hours citations are tried again.

    The operator reads of it each time that it is learnt, and of nothing that a message says.
    """
    caplog.set_level("INFO")
    chat.slack.refuse_citations()
    ref = await chat.shows()
    await chat.shows(IN_RUSSIAN, ref)
    await chat.shows()
    remembered = [*chat.forms(), *chat.forms(UPDATE)]
    chat.time.now += BELIEVED
    await chat.shows()
    again = chat.forms()
    chat.slack.refuse_citations(None)
    chat.time.now += BELIEVED
    await chat.shows()
    await chat.shows()

    told = [line for line in caplog.messages if "citations" in line]
    assert ["Slack: workspace T0TEAM takes no citations: sources are links there for 6 hours"] * 2 == told
    assert ["citations", "links", "links", "links"] == remembered
    assert [*remembered[:3], "citations", "links"] == again
    assert ["citations", "citations"] == chat.forms()[len(again) :]


@pytest.mark.parametrize("code", ["msg_too_long", "msg_blocks_too_long", "invalid_attachments"])
async def test_what_says_nothing_of_citations_is_not_remembered(chat: Chat, code: str) -> None:
    """A message that was too long with them is shown without them, and the next one has them again."""
    chat.slack.fail_next(POST, error=code)
    await chat.shows()
    await chat.shows()

    assert ["citations", "links", "citations"] == chat.forms()


async def test_blocks_that_are_refused_for_something_else_are_not_remembered(chat: Chat) -> None:
    """When the links are refused as well it was not the citations: the words are shown, and the next has them again."""
    chat.slack.fail_next(POST, error="invalid_blocks", times=2)
    await chat.shows()
    said = visible_text(chat.latest)
    await chat.shows()

    assert ["citations", "links", "words", "citations"] == chat.forms()
    assert words([said]) == in_telegram(IN_ENGLISH).evidence
    assert "citation" == chat.latest.blocks[1]["elements"][0]["elements"][0]["type"]


async def test_arguments_that_are_wrong_in_every_form_are_told(chat: Chat) -> None:
    """It is refused as ever, with Slack's word for it."""
    chat.slack.fail_next(POST, error="invalid_arguments", times=3)
    outcome = await chat.platform.show(chat.evidence())

    assert isinstance(outcome, Refused)
    assert "invalid_arguments" in outcome.reason
    assert ["citations", "links", "words"] == chat.forms()


@pytest.mark.parametrize("code", ["not_in_channel", "is_archived"])
async def test_what_is_no_matter_of_form_costs_one_call(chat: Chat, code: str) -> None:
    """A closed channel is closed to links as well."""
    chat.slack.fail_next(POST, error=code)

    assert isinstance(await chat.platform.show(chat.evidence()), Refused)
    assert ["citations"] == chat.forms()


async def test_a_lost_answer_is_no_refusal(chat: Chat) -> None:
    """Neither to the citations nor to the links after them: each is looked for, found, and never sent again unasked."""
    chat.slack.fail_next(POST, drop="after")
    first = await chat.platform.show(chat.evidence())
    found = await chat.platform.find(chat.evidence())
    chat.slack.refuse_citations()
    chat.slack.fail_next(POST)
    chat.slack.fail_next(POST, drop="after")
    other = replace(chat.evidence(), part="evidence-2")
    second, also = await chat.platform.show(other), await chat.platform.find(other)

    assert ["citations", "citations", "links"] == chat.forms()
    assert [Doubtful, Found] * 2 == [type(one) for one in (first, found, second, also)]
    assert 2 == len(chat.slack.answers("C1", chat.asked))


async def test_a_conversation_goes_on_in_links(stage: Scene) -> None:
    """Question, edit and follow-up: where citations are refused each is answered once, in place, and with its links."""
    stage.slack.refuse_citations()
    ts = await stage.asks("How many days?")
    before = await stage.answered("C1", ts)
    await stage.slack.edit_as("U1", "C1", ts, f"{stage.at_bot} How many days off?")
    after = await stage.answered("C1", ts)
    await stage.slack.post_as("U2", "C1", "And in Leeds?", thread_ts=ts)
    sent = await stage.answered("C1", ts, 4)

    assert [message.ts for message in before] == [message.ts for message in after]
    assert ["https://wiki.example/leave"] * 2 == [link for message in sent for link in live_links(message)]
    assert 1 == sum(call.error == "invalid_blocks" for call in stage.slack.calls)


@pytest.mark.parametrize("refused", [False, True])
async def test_a_private_answer_has_its_sources_too(stage: Scene, *, refused: bool) -> None:
    """What one person alone sees is cited like everything else, or linked."""
    stage.slack.refuse_citations("invalid_blocks" if refused else None)
    await stage.slack.command_as("U1", "C1", "/ask", "How many days?")
    await stage.quiet()
    evidence = stage.slack.ephemerals[-1]

    assert visible_text(evidence).startswith("Sources\n¹ Annual leave · Leave › Entitlement\n27 days of annual leave\n")
    assert (not refused) is holds_citation(evidence.blocks)
    assert {"https://wiki.example/leave"} == set(live_links(evidence))


@BOTH
async def test_what_a_command_shows_has_links(stage: Scene, reply: RenderedReply) -> None:
    """It is shown in one go, with nothing to try twice: as an answer to a slash command, and to one in a mention."""

    async def commanded(command: object) -> RenderedReply:
        return reply

    stage.desk.commanded = commanded  # type: ignore[method-assign]
    await stage.slack.command_as("U1", "C1", "/footnote", "why")
    await until(lambda: len(stage.slack.ephemerals) == 2, lambda: str(stage.slack.ephemerals), 8.0)
    await stage.slack.post_as("U1", "C1", f"{stage.at_bot} /why")
    await until(lambda: len(stage.slack.ephemerals) == 4, lambda: str(stage.slack.ephemerals), 8.0)
    forms = [(form_of(one.blocks), live_links(one)) for one in stage.slack.ephemerals]

    assert [("links", []), ("links", [WIKI])] * 2 == forms
