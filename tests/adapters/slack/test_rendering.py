"""Random replies in English, Russian and other scripts: benchmarks.slack_rendering judges ten thousand of them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from adapters.slack.parts import parts_of
from benchmarks import slack_rendering
from benchmarks.slack_rendering import judged, replies
from core.delivery import Part
from core.reply import Evidence, Paragraph, RenderedReply, Text

Change = Callable[[dict[str, Any]], dict[str, Any]]
SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "<!channel> see https://evil.example"}}
REPLY = RenderedReply(
    (Paragraph((Text("27 дней"),)),), (Evidence(1, "Leave", "p. 1", "27 дней", "https://wiki.example"),), "ru"
)


def test_random_replies_arrive_whole_and_dead() -> None:
    """None is refused by the stand-in, slackblocks or the SDK; none loses words, calls anybody or links anywhere."""
    found = judged(replies(40, large=0.0))

    assert [] == found.examples
    assert (40, 0) == (found.replies, found.defects)


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        (lambda body: body, ()),
        (lambda body: {**body, "blocks": [*body["blocks"], {"type": "hologram"}]}, ("refused", "lost")),
        (lambda body: {**body, "blocks": body["blocks"][:-1]}, ("lost",)),
        (lambda body: {**body, "plain": "27"}, ("lost",)),
        (lambda body: {**body, "blocks": [*body["blocks"], SECTION]}, ("alive", "linked", "objected")),
        (lambda body: {**body, "text": "<!here>"}, ("alive",)),
        (lambda body: {**body, "plain": body["plain"] + " <https://evil.example|a>"}, ("linked",)),
        (lambda body: {**body, "text": "я" * 3_000}, ("refused", "lost")),
    ],
)
def test_each_kind_of_defect_is_noticed(
    monkeypatch: pytest.MonkeyPatch, change: Change, kinds: tuple[str, ...]
) -> None:
    """A judge that found nothing wrong with anything would prove nothing."""

    def broken(reply: RenderedReply) -> tuple[Part, ...]:
        return tuple(replace(part, body=change(dict(part.body))) for part in parts_of(reply))

    monkeypatch.setattr(slack_rendering, "parts_of", broken)
    found = judged([REPLY])

    assert set(kinds) == {kind for kind in ("refused", "objected", "lost", "alive", "linked") if getattr(found, kind)}
