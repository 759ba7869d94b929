"""The porter: says to whom, and where, nothing is answered, because people of other organisations are or read there."""

import logging
from dataclasses import dataclass, field

from adapters.slack.calls import Barred, Busy, Trouble, Unknown, Unsent
from adapters.slack.channels import Channels
from adapters.slack.people import PATIENT, Kept, People, Person
from adapters.slack.refusals import Refusal
from core.conversation import Question
from core.errors import DeliveryError
from core.phrases import phrase
from core.render import say
from core.reply import RenderedReply

_log = logging.getLogger(__name__)

# Seconds for which somebody who was told stays told, in a channel.
_TOLD_SECONDS = 3600.0
_NOT_ASKED = Unknown("Slack was not asked")
# Whether outsiders read a channel, or why that is not known.
Shared = bool | Trouble
# What Slack says of a private channel that the bot is not in, whoever else reads there.
_HIDDEN = ("channel_not_found", "not_in_channel")
_UNKNOWN_PERSON = ("user_not_found", "user_not_visible", "users_not_found")


@dataclass(slots=True)
class Porter:
    """Keeps outsiders out, and what is answered out of their sight, unless the operator lets them in (`lets_all_in`).

    What cannot be found out counts as outside: then nothing is answered, and whoever asked is told why.
    """

    people: People
    channels: Channels
    lets_all_in: bool = False
    _told: Kept[tuple[str, str], bool] = field(default_factory=lambda: Kept(_TOLD_SECONDS))

    async def objection(
        self, team: str, channel: str, user: str, *, alone: bool = False, within: float | None = None
    ) -> str | None:
        """Return the name of the sentence why this person is not answered in this channel, or None if they are.

        `alone`: nobody else reads what they are answered; then a member is answered also in a channel that Slack does
        not let the bot look into, for who reads there does not matter. `within`: the seconds that a look-up gets.

        Raises DeliveryError when that can be told in a moment, but not now.
        """
        if self.lets_all_in:
            return None
        shared = await self.channels.is_shared(channel, within)
        if shared is True:
            return "outside_channel"
        return _judged(shared, await self.people.person(team, user, within), alone=alone)

    def objection_known(self, question: Question) -> str | None:
        """Return what `objection` does, from what is remembered. Raises DeliveryError when Slack must be asked."""
        team, _, channel = question.place.rpartition(":")
        shared = self.channels.known(channel)
        if self.lets_all_in:
            return None
        if shared:
            return "outside_channel"
        person = self.people.known(team, question.asker) or _NOT_ASKED
        return _judged(_NOT_ASKED if shared is None else shared, person, alone=question.private)

    async def words_for(self, question: Question, *, again: bool = False) -> RenderedReply | None:
        """Return why the question is not answered, None if it is, however long Slack takes to tell.

        Raises DeliveryError when that cannot be told now.
        """
        team, _, channel = question.place.rpartition(":")
        objection = await self.objection(team, channel, question.asker, alone=question.private, within=PATIENT)
        return None if objection is None else await self.words(question, objection, again=again)

    async def words(self, question: Question, objection: str, *, again: bool = False) -> RenderedReply:
        """Return the sentence in the asker's language, with nothing in it when that was said to them lately.

        `again`: whoever asks waits for words, so they are said once more. Who has not spoken to us is told nothing.
        """
        team, _, channel = question.place.rpartition(":")
        language = await self.people.tongue(team, question.asker, question.text)
        spoke_to_us = not (question.overheard or question.unasked)
        is_new = spoke_to_us and self._told.get((channel, question.asker)) is None
        if is_new:
            self._told.put((channel, question.asker), value=True)
        is_said = is_new or again
        return say(phrase(objection, language), language) if is_said else RenderedReply((), (), language)


def _judged(shared: Shared, person: Person | Trouble, *, alone: bool) -> str | None:
    """Return why somebody is not answered in a channel, None if they are. Raises DeliveryError."""
    if isinstance(person, Person) and not person.is_guest:
        if isinstance(shared, bool):
            return "outside_channel" if shared else None
        return None if alone and _is_hidden(shared) else _doubt(shared)
    if isinstance(person, Person):
        return "outside_person"
    if isinstance(person, Refusal) and person.code in _UNKNOWN_PERSON:
        return "outside_person"
    return _doubt(person)


def _is_hidden(answer: Trouble) -> bool:
    return isinstance(answer, Refusal) and answer.code in _HIDDEN


def _doubt(answer: Trouble) -> str:
    match answer:
        case Busy() | Unsent() | Unknown():
            raise DeliveryError("whether outsiders read here cannot be told now", retry=True)
        case Refusal(reason=reason) | Barred(reason):
            _log.warning("Slack: nobody is answered where it is not known whether outsiders read: %s", reason)
            return "outside_unknown"
