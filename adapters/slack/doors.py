"""The other ways in, beside messages and presses: `/ask`, the shortcut on a message, and the bot's own place.

What is asked is stored first. Where Slack must be asked who asks, or who reads there, that is done after.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.agent import Hall, visit_in
from adapters.slack.channels import Channels
from adapters.slack.commands import respond
from adapters.slack.greeting import Greeter, invited_in
from adapters.slack.parts import in_familiar_blocks, parts_of
from adapters.slack.people import Kept, People
from adapters.slack.porter import Porter
from adapters.slack.private import ask_in, response_url_of
from adapters.slack.shortcuts import Chosen, chosen_in
from adapters.slack.workspaces import Workspace, Workspaces
from core.around import has_words
from core.commands import FORGET
from core.conversation import Command, MessageRef, Question
from core.errors import DeliveryError
from core.phrases import DEFAULT, phrase
from core.render import say
from core.reply import RenderedReply
from core.running import Intake
from core.text import Language

# Seconds for which Slack takes words at the address that came with a command or a shortcut.
_ADDRESS_SECONDS = 1800.0
# Seconds after which a private question is looked at that may wait still. An answer that comes sooner needs no sign,
# which nobody could take away; and within a second there is one (docs/slack.md).
_PAUSES = (0.6, *(1.0,) * 30)

Respond = Callable[[str, RenderedReply], Awaitable[None]]
Errand = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Entered:
    """What an acknowledgement says to the person alone, and what is to be done after it."""

    body: str = ""
    errand: Errand | None = None


@dataclass(frozen=True, slots=True)
class Came:
    """How a question at the door came: where its asker alone can be told something, and whether by the shortcut."""

    response_url: str
    by_shortcut: bool = False


@dataclass(frozen=True, slots=True)
class Doors:
    """Brings in what is asked by a command or a shortcut; `came`: how, by the ids of questions at the door.

    `commanded`: where Slack takes words for who asked by a command, by the ids of their questions.
    """

    bot: str
    people: People
    channels: Channels
    porter: Porter
    hall: Hall
    greeter: Greeter
    respond: Respond
    came: Kept[str, Came] = field(default_factory=lambda: Kept(_ADDRESS_SECONDS))
    commanded: Kept[str, str] = field(default_factory=lambda: Kept(_ADDRESS_SECONDS))

    async def enter(self, body: dict[str, Any], intake: Intake) -> Entered | None:
        """Return what is said at once, after the question is stored; None when the payload asks nothing this way.

        Raises what the intake raises.
        """
        self.channels.note(body)
        if question := ask_in(body):
            return await self._asked(question, response_url_of(body), intake)
        if visit := visit_in(body):
            return Entered(errand=partial(self.hall.receive, visit, intake))
        if invited := invited_in(body, self.bot):
            return Entered(errand=partial(self.greeter.greet, invited, intake))
        if chosen := chosen_in(body, self.bot):
            name = await self._chosen(chosen, intake)
            return Entered(errand=partial(self._tell, chosen, name) if name else None)
        return None

    def met(self, question: Question) -> Question | str:
        """Return the question as it is to be stored, or the name of the sentence why it is not answered.

        It is at the door where Slack must be asked first.
        """
        try:
            if objection := self.porter.objection_known(question):
                return objection
        except DeliveryError:
            return replace(question, at_door=True)
        return replace(question, at_door=is_bare(question) and self.reader(question) is None)

    async def objection(
        self, place: str, user: str, *, alone: bool = False, language: Language = DEFAULT
    ) -> RenderedReply | None:
        """Return why this person is not served in a channel, or None. Raises DeliveryError.

        `alone`: nobody else reads what comes of it; `language`: that of their words, for who has chosen none.
        """
        team, _, channel = place.rpartition(":")
        name = await self.porter.objection(team, channel, user, alone=alone)
        if name is None:
            return None
        language = await self.chosen(place, user) or language
        return say(phrase(name, language), language)

    async def chosen(self, place: str, user: str) -> Language | None:
        """Return the language that somebody has chosen for Slack; None for English, which also those have who did not.

        Slack itself is not offered in every language that people write in: then their words tell more.
        """
        language = await self.people.language(place.rpartition(":")[0], user)
        return None if language == DEFAULT else language

    async def understood(self, command: Command) -> Command:
        """Return the command, to be answered in the language that its giver has chosen: its words are hardly any.

        Whom it names as people call them is named by their id.
        """
        if command.verb == FORGET.name and command.words.startswith("@"):
            user = await self.people.id_of(command.words.removeprefix("@"))
            team = command.place.rpartition(":")[0]
            command = replace(command, words=f"slack:{team}:{user}" if user else command.words)
        chosen = await self.chosen(command.place, command.asker)
        return replace(command, language=chosen) if chosen else command

    async def spoken(self, question: Question) -> Question:
        """Return the question, with the language that its asker reads where it has no words to show it."""
        if question.around is None or not is_bare(question):
            return question
        language = await self.chosen(question.place, question.asker) or question.around.spoken or DEFAULT
        return replace(question, around=replace(question.around, spoken=language))

    async def _asked(self, question: Question, url: str, intake: Intake) -> Entered:
        if not has_words(question.text):
            return await self._said(question, url, partial(self._how, question, intake))
        met = self.met(question)
        if isinstance(met, str):
            return await self._said(question, url, partial(self.porter.words, question, met, again=True))
        if met.at_door:
            self.came.put(question.id, Came(url))
        if url:
            self.commanded.put(question.id, url)
        await intake.asked(met)
        return Entered(errand=partial(self._look, met, url, intake))

    async def _look(self, question: Question, url: str, intake: Intake) -> None:
        """Say that the answer is looked for unless it is there soon: Slack lets nobody take the word away again.

        Who is not let in yet is told nothing.
        """
        for pause in _PAUSES:
            await asyncio.sleep(pause)
            waiting = await intake.waiting(question)
            if waiting is None:
                return
            if not waiting.at_door:
                await self.respond(url, looking(question))
                return

    async def _said(self, question: Question, url: str, words: Callable[[], Awaitable[RenderedReply]]) -> Entered:
        """Return words at once where their language is known, else what says them once it is."""
        if self.reader(question):
            return Entered(to_one(await words()))

        async def later() -> None:
            await self.respond(url, await words())

        return Entered(errand=later)

    async def _how(self, question: Question, intake: Intake) -> RenderedReply:
        chosen = await self.chosen(question.place, question.asker)
        language = chosen or await heard_in(intake, question.place, question.asker)
        return say(phrase("private_how", language), language)

    async def _chosen(self, chosen: Chosen, intake: Intake) -> str | None:
        """Store the message as a question, or return the name of what its chooser is told instead."""
        question = chosen.question
        if not has_words(question.text):
            return "shortcut_no_words"
        if await intake.thread_of(MessageRef("slack", question.place, question.message)):
            return "shortcut_known"
        self.came.put(question.id, Came(chosen.response_url, by_shortcut=True))
        await intake.asked(replace(question, overheard=False, at_door=True))
        return None

    async def _tell(self, chosen: Chosen, name: str) -> None:
        question = chosen.question
        language = await self.people.tongue(question.place.rpartition(":")[0], question.asker, question.text)
        await self.respond(chosen.response_url, say(phrase(name, language), language))

    def reader(self, question: Question) -> Language | None:
        """Return the language that the asker reads, if that is remembered."""
        person = self.people.known(question.place.rpartition(":")[0], question.asker)
        return person.language if person else None


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

    def stop(self) -> None:
        """Ask nothing of Slack any more."""
        for doors in self._known.values():
            doors.people.stop()
            doors.channels.stop()

    def forget(self, team: str) -> None:
        """Know nothing any more of the people and channels of a workspace that has left, or may have."""
        self._known = {key: doors for key, doors in self._known.items() if key[0] != team}


async def heard_in(intake: Intake, place: str, user: str) -> Language:
    """Return in which language somebody wrote there last, or else anybody; English where nobody has."""
    there = ("slack", place)
    return await intake.language_in(there, user) or await intake.language_in(there) or DEFAULT


async def read_by(question: Question, doors: Doors | None, intake: Intake) -> Language:
    """Return the language that the asker has chosen, where that is remembered, else in which they write here."""
    chosen = doors.reader(question) if doors else None
    return chosen if chosen and chosen != DEFAULT else await heard_in(intake, question.place, question.asker)


def is_bare(question: Question) -> bool:
    """Return whether it has no words, so that it is not seen in which language it is to be answered."""
    return question.around is not None and not has_words(question.text)


def looking(question: Question) -> RenderedReply:
    """Return what says to one person that their question has arrived."""
    language = question.language
    return say(phrase("private_looking", language), language)


def to_one(reply: RenderedReply) -> str:
    """Return the body of an acknowledgement that shows the reply to the person alone."""
    [first, *_] = parts_of(reply)
    return json.dumps({"response_type": "ephemeral", **in_familiar_blocks(first.body)})


def doors_for(client: AsyncWebClient, bot: str, lets_all_in: bool) -> Doors:  # noqa: FBT001 - a setting
    """Return the doors of a workspace."""
    people, channels = People(client), Channels(client)
    porter = Porter(people, channels, lets_all_in=lets_all_in)
    hall, greeter = Hall(client, bot, people, porter), Greeter(client, bot, people, porter)
    return Doors(bot, people, channels, porter, hall, greeter, respond)
