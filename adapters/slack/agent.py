"""The agent's own surface: what to ask is offered where somebody opens it, threads get titles, and Home is drawn anew.

Nothing here is an answer, so nothing of it is stored: what fails is logged, and comes with the next visit.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.calls import Barred, Trouble, in_words, once
from adapters.slack.home import closed_view, home_view
from adapters.slack.people import People
from adapters.slack.porter import Porter
from adapters.slack.refusals import Refusal
from adapters.slack.rich_text import whole
from core.around import has_words
from core.conversation import Audience, Question
from core.phrases import DEFAULT, phrase
from core.running import Intake
from core.text import clean
from core.visiting import Caller

_log = logging.getLogger(__name__)

# docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts: at most four.
PROMPTS = 4
_TITLE_CHARS = 60
_CUT = "…"


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody opened the bot's own place; `thread_ts`: the thread of an assistant's pane, which older apps have."""

    team: str
    user: str
    channel: str
    shows: Literal["home", "prompts"]
    thread_ts: str | None = None


def visit_in(body: Mapping[str, Any]) -> Visit | None:
    """Return who has come to see the bot, or None for any other payload."""
    event = body.get("event")
    if not isinstance(event, Mapping):
        return None
    match event:
        case {"type": "app_home_opened", "user": str(user), "channel": str(channel)}:
            shows: Literal["home", "prompts"] = "prompts" if event.get("tab") == "messages" else "home"
            thread_ts = None
        case {
            "type": "assistant_thread_started" | "assistant_thread_context_changed",
            "assistant_thread": {"user_id": str(user), "channel_id": str(channel)} as thread,
        }:
            shows, given = "prompts", thread.get("thread_ts")
            thread_ts = given if isinstance(given, str) else None
        case _:
            return None
    team = body.get("team_id")
    return Visit(team, user, channel, shows, thread_ts) if isinstance(team, str) and team else None


@dataclass(frozen=True, slots=True)
class Hall:
    """Receives visitors; `bot` is the user that people mention."""

    client: AsyncWebClient
    bot: str
    people: People
    porter: Porter

    async def receive(self, visit: Visit, intake: Intake) -> None:
        """Show the caller what they came to see; outsiders that they are none to be answered. Raises PortError."""
        objection = await self.porter.objection(visit.team, visit.channel, visit.user)
        if objection and visit.shows != "home":
            return
        language = await self.people.language(visit.team, visit.user)
        if language == DEFAULT:
            there = ("slack", f"{visit.team}:{visit.channel}")
            language = await intake.language_in(there, visit.user) or DEFAULT
        if objection:
            view = closed_view(objection, language)
            _note(await once(self.client.views_publish(user_id=visit.user, view=view)), "Home")
            return
        # Only what everybody of the workspace may read: others look over a shoulder.
        caller = Caller("slack", f"slack:{visit.team}:{visit.user}", Audience(visit.team), language)
        shown = await intake.introduced(caller)
        if visit.shows == "home":
            view = home_view(shown, self.bot, language)
            _note(await once(self.client.views_publish(user_id=visit.user, view=view)), "Home")
        elif shown.questions:
            prompts = [{"title": each, "message": each} for each in whole(shown.questions[:PROMPTS])]
            title = phrase("prompts_title", language)
            call = self.client.assistant_threads_setSuggestedPrompts
            offered = call(channel_id=visit.channel, thread_ts=visit.thread_ts, title=title, prompts=prompts)
            _note(await once(offered), "what to ask")

    async def entitle(self, question: Question) -> None:
        """Name the thread that a question in a direct channel has begun by the question's own words."""
        channel = question.place.rpartition(":")[2]
        title = title_of(question)
        if title and channel.startswith("D") and question.root == question.message:
            call = self.client.assistant_threads_setTitle
            named = await once(call(channel_id=channel, thread_ts=question.message, title=title))
            _note(named, "the title of a thread")


def title_of(question: Question) -> str:
    """Return the question's first words in one line, nothing where it has none."""
    line = " ".join(whole(clean(question.text)).split())
    if not has_words(line):
        return ""
    return line if len(line) <= _TITLE_CHARS else line[: _TITLE_CHARS - 1].rsplit(" ", 1)[0] + _CUT


def _note(answer: Trouble | object, what: str) -> None:
    if isinstance(answer, Refusal | Barred):
        _log.warning("Slack: %s is not shown: %s", what, answer.reason)
    elif isinstance(answer, Trouble):
        _log.info("Slack: %s is not shown this time: %s", what, in_words(answer))
