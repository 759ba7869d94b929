"""We are invited to a channel: the workspace's people are told there, once, what we do."""

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.addresses import aloud
from adapters.slack.channels import Channel
from adapters.slack.events import audience_of, is_spoken
from adapters.slack.people import People, quickly
from adapters.slack.porter import Porter
from adapters.slack.shortcuts import hindrance
from adapters.slack.words import words_of
from core.around import has_words
from core.conversation import Question
from core.phrases import DEFAULT
from core.running import Intake
from core.text import Language, language_of

# What people said there last tells in which language they are greeted.
_LATEST = 20


@dataclass(frozen=True, slots=True)
class Invited:
    """We joined a channel; `inviter`: who let us in, if Slack says."""

    team: str
    channel: str
    inviter: str | None = None


def invited_in(body: Mapping[str, Any], bot: str) -> Invited | None:
    """Return where we have been invited to, or None for any other payload."""
    match body:
        case {
            "team_id": str(team),
            "event": {"type": "member_joined_channel", "user": str(user), "channel": str(channel)} as event,
        } if user == bot:
            inviter = event.get("inviter")
            return Invited(team, channel, inviter if isinstance(inviter, str) else None)
    return None


@dataclass(frozen=True, slots=True)
class Greeter:
    """Greets channels that we may speak in."""

    client: AsyncWebClient
    bot: str
    people: People
    porter: Porter

    async def greet(self, invited: Invited, intake: Intake) -> None:
        """Say hello, the first time only; nothing where outsiders read, or may. Raises PortError."""
        found = await self.porter.channels.look(invited.channel)
        if not isinstance(found, Channel) or hindrance(found):
            return
        if found.is_shared and not self.porter.lets_all_in:
            return
        place = f"{invited.team}:{invited.channel}"
        id_ = f"slack:{place}!hello"
        note = Question(
            id=id_,
            platform="slack",
            thread=id_,
            text="",
            asker=self.bot,
            audience=audience_of(invited.team, invited.channel),
            asked_at=datetime.now(UTC),
            place=place,
            message=aloud(f"{time.time():.6f}"),
        )
        await intake.invited(note, await self._language(invited))

    async def _language(self, invited: Invited) -> Language:
        """Return the language that most of the latest messages there are in, else the one that the inviter reads."""
        latest = await quickly(self.client.conversations_history(channel=invited.channel, limit=_LATEST))
        said = latest.get("messages") or () if isinstance(latest, AsyncSlackResponse) else ()
        if spoken := Counter(self._spoken(said)):
            return spoken.most_common(1)[0][0]
        return await self.people.language(invited.team, invited.inviter) if invited.inviter else DEFAULT

    def _spoken(self, messages: Iterable[Any]) -> Iterable[Language]:
        for message in messages:
            if isinstance(message, Mapping) and is_spoken(message, self.bot):
                words = words_of(str(message.get("text") or ""), self.bot)
                if has_words(words):
                    yield language_of(words)
