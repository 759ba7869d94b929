"""The other ways in, beside messages and presses: `/ask`, the shortcut on a message, and the bot's own place."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.agent import Hall, visit_in
from adapters.slack.channels import Channels
from adapters.slack.commands import respond
from adapters.slack.parts import in_blocks, parts_of
from adapters.slack.people import People
from adapters.slack.porter import Porter
from adapters.slack.private import ask_in
from adapters.slack.shortcuts import Chosen, chosen_in, hindrance
from adapters.slack.workspaces import Workspace, Workspaces
from core.around import has_words, language_for
from core.conversation import MessageRef, Question
from core.phrases import DEFAULT, phrase
from core.render import say
from core.reply import RenderedReply
from core.running import Intake
from core.text import Language

Respond = Callable[[str, RenderedReply], Awaitable[None]]
Errand = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Entered:
    """What an acknowledgement says to the person alone, and what is to be done after it."""

    body: str = ""
    errand: Errand | None = None


@dataclass(frozen=True, slots=True)
class Doors:
    """Brings in what is asked by a command or a shortcut, once it is known that it may be answered."""

    bot: str
    people: People
    channels: Channels
    porter: Porter
    hall: Hall
    respond: Respond

    async def enter(self, body: dict[str, Any], intake: Intake) -> Entered | None:
        """Return what is said at once, after the question is stored; None when the payload asks nothing this way.

        Raises what the intake raises, and DeliveryError when it cannot be told now whether outsiders read there.
        """
        self.channels.note(body)
        if question := ask_in(body):
            return Entered(to_one(await self._asked(question, intake)))
        if visit := visit_in(body):
            return Entered(errand=partial(self.hall.receive, visit, intake))
        if chosen := chosen_in(body, self.bot):
            reply = await self._chosen(chosen, intake)
            return Entered(errand=partial(self.respond, chosen.response_url, reply) if reply.nodes else None)
        return None

    async def objection(self, place: str, user: str, *, alone: bool = False) -> RenderedReply | None:
        """Return why this person is not served in a channel, or None. Raises DeliveryError.

        `alone`: nobody else reads what comes of it.
        """
        team, _, channel = place.rpartition(":")
        name = await self.porter.objection(team, channel, user, alone=alone)
        if name is None:
            return None
        language = await self.people.language(team, user)
        return say(phrase(name, language), language)

    async def chosen(self, place: str, user: str) -> Language | None:
        """Return the language that somebody has chosen for Slack; None for English, which also those have who did not.

        Slack itself is not offered in every language that people write in: then their words tell more.
        """
        language = await self.people.language(place.rpartition(":")[0], user)
        return None if language == DEFAULT else language

    async def spoken(self, question: Question) -> Question:
        """Return the question, with the language that its asker reads where it has no words to show it."""
        if question.around is None or has_words(question.text):
            return question
        language = await self.people.language(question.place.rpartition(":")[0], question.asker)
        return replace(question, around=replace(question.around, spoken=language))

    async def _asked(self, question: Question, intake: Intake) -> RenderedReply:
        team, _, _ = question.place.rpartition(":")
        if not has_words(question.text):
            language = await self.people.language(team, question.asker)
            return say(phrase("private_how", language), language)
        language = language_for(question)
        if kept_out := await self.porter.words_for(question, again=True):
            return kept_out
        await intake.asked(question)
        return say(phrase("private_looking", language), language)

    async def _chosen(self, chosen: Chosen, intake: Intake) -> RenderedReply:
        """Store the message as a question, and return what its chooser is told: nothing where the thread says it."""
        question = chosen.question
        team, _, channel = question.place.rpartition(":")
        language = await self.people.language(team, question.asker)
        if not has_words(question.text):
            return say(phrase("shortcut_no_words", language), language)
        is_direct = channel.startswith("D")
        if name := None if is_direct else hindrance(await self.channels.look(channel)):
            return say(phrase(name, language), language)
        if kept_out := await self.porter.words_for(question, again=True):
            return kept_out
        if await intake.thread_of(MessageRef("slack", question.place, question.message)):
            return say(phrase("shortcut_known", language), language)
        await intake.asked(replace(question, overheard=False))
        return RenderedReply((), (), language)


class AllDoors:
    """The doors of each workspace, made when they are first needed: they remember people and channels."""

    def __init__(self, workspaces: Workspaces, *, lets_all_in: bool) -> None:
        self._workspaces = workspaces
        self._lets_all_in = lets_all_in
        self._known: dict[tuple[str, str], Doors] = {}

    def of(self, workspace: Workspace) -> Doors:
        """Return the doors of the workspace."""
        key = (workspace.me.team, workspace.me.user)
        if key not in self._known:
            client = self._workspaces.client(workspace.me.team)
            self._known[key] = doors_for(client, workspace.me.user, self._lets_all_in)
        return self._known[key]

    def forget(self, team: str) -> None:
        """Know nothing any more of the people and channels of a workspace that has left, or may have."""
        self._known = {key: doors for key, doors in self._known.items() if key[0] != team}


def to_one(reply: RenderedReply) -> str:
    """Return the body of an acknowledgement that shows the reply to the person alone."""
    [first, *_] = parts_of(reply)
    return json.dumps({"response_type": "ephemeral", **in_blocks(first.body)})


def doors_for(client: AsyncWebClient, bot: str, lets_all_in: bool) -> Doors:  # noqa: FBT001 - a setting
    """Return the doors of a workspace."""
    people, channels = People(client), Channels(client)
    porter = Porter(people, channels, lets_all_in=lets_all_in)
    return Doors(bot, people, channels, porter, Hall(client, bot, people, porter), respond)
