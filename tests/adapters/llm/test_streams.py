"""A reply is heard while it is written, and in the end is the same as if it had come at once."""

import json
from itertools import pairwise
from typing import Any

import pytest

from adapters.llm.replies import begun
from core.errors import ModelError
from tests.adapters.llm.test_litellm_router import Setting, by_model, opened, planning, server, setting
from tests.doubles.models import Served

pytestmark = pytest.mark.asyncio(loop_scope="module")

__all__ = ["opened", "server", "setting"]

REPLY = json.dumps({"lead": None, "claims": [{"text": "Дмитрий применял RAG в Aston 😀"}]}, ensure_ascii=False)


def answering(heard: list[str], **changes: Any) -> Any:
    """Return an answer's request of which every piece is heard."""
    return planning(role="answer", hear=heard.append, **changes)


async def test_a_reply_is_heard_as_it_grows(setting: Setting) -> None:
    """Always from its beginning, whole in the end, with its cost; on a planner nobody listens in."""
    setting.server.script = [Served(f"Sure!\n{REPLY}\n", tokens=41)]
    heard: list[str] = []

    completion = await setting.model().complete(answering(heard))

    assert all(later.startswith(earlier) for earlier, later in pairwise(heard))
    assert len(heard) > 10
    assert REPLY == heard[-1].strip()
    assert (REPLY, 41) == (completion.text, completion.tokens)
    assert {"include_usage": True} == setting.server.received[0].body["stream_options"]


async def test_a_reply_that_nobody_hears_comes_at_once(setting: Setting) -> None:
    """A stream costs twice the time of this machine."""
    await setting.model().complete(planning())

    assert "stream" not in setting.server.received[0].body


async def test_who_cannot_stream_is_asked_for_all_at_once(setting: Setting) -> None:
    """Once it is known, it is not tried again; the answer is the same."""
    setting.server.script = [Served(REPLY, streams=False)]
    heard: list[str] = []
    model = setting.model(timeout_seconds=30.0)
    texts = [(await model.complete(answering(heard))).text for _ in range(2)]

    assert ([REPLY, REPLY], []) == (texts, heard)
    assert [True, None, None] == [one.body.get("stream") for one in setting.server.received]


async def test_who_refuses_streams_is_asked_for_all_at_once(setting: Setting) -> None:
    """A refusal of the request may be one of its form alone."""
    setting.server.script = lambda body: Served(status=400) if body.get("stream") else Served(REPLY)
    heard: list[str] = []
    completion = await setting.model().complete(answering(heard))

    assert (REPLY, []) == (completion.text, heard)


async def test_a_stream_that_breaks_is_a_failure(setting: Setting) -> None:
    """The next model of the chain answers, and is heard from its beginning."""
    setting.server.script = by_model(a=Served(REPLY, breaks_after=40), b=Served('{"claims": []}'))
    heard: list[str] = []
    completion = await setting.model(answer=("openai/answer-a", "openai/answer-b")).complete(answering(heard))

    assert "openai/answer-b" == completion.model
    assert any(REPLY.startswith(one) and len(one) > 20 for one in heard)
    assert '{"claims": []}' == heard[-1]


async def test_a_stream_that_is_cut_off_is_refused(setting: Setting) -> None:
    """Of a reply that has no more room not even the whole part is taken for an answer."""
    setting.server.script = [Served(REPLY[:-4], finish="length")]
    with pytest.raises(ModelError, match="cut off"):
        await setting.model().complete(answering([]))


async def test_a_defect_of_who_hears_costs_no_reply(setting: Setting) -> None:
    """What is paid for is used."""
    setting.server.script = [REPLY]

    def broken(_: str) -> None:
        raise ZeroDivisionError

    assert REPLY == (await setting.model().complete(planning(role="answer", hear=broken))).text


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("", ""),
        ("Sure, here", ""),
        ("{", ""),
        ('{"a', '{"a'),
        ('```json\n{"a": [', '{"a": ['),
        ('<think>{"a": 1}', ""),
        ('<think>{"a": 1}</think>{"b": ', '{"b": '),
        ('Perhaps {"a": 1}?</think>{"b": ', '{"b": '),
        ('<Reasoning>{"a": 1}', ""),
        ('{"text": "<think> я думаю', '{"text": "<think> я думаю'),
    ],
)
async def test_only_the_object_is_heard(text: str, heard: str) -> None:
    """No prose before it, and nothing of what a model thinks."""
    assert heard == begun(text)
