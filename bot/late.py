"""An answer that could not be shown for a while: before it is, it is looked up again who reads there by now."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Protocol

from bot.answering import Bot
from bot.audiences import Audiences
from bot.viewing import shows_only
from core.conversation import Audience, Question
from core.delivery import FIRST, Outgoing, Refused
from core.phrases import phrase
from core.render import say
from core.running import Platform
from core.text import language_of
from core.turn import Told
from core.work import Claim

# Who reads was looked up right before the answer was stored; so much later it may be others.
AFTER = timedelta(minutes=1)


class Records(Protocol):
    """What is stored of finished turns."""

    async def told_of(self, question_id: str) -> tuple[Told, str, bool] | None:
        """Return what is stored of a question that is done, who asked it, and whether its reply is for them alone.

        Raises StorageError.
        """


class LateLook:
    """Lets a late answer be shown to those who may read all that it was made from."""

    def __init__(self, records: Records, bot: Bot, audiences: Audiences, platforms: Mapping[str, Platform]) -> None:
        self._records = records
        self._bot = bot
        self._audiences = audiences
        self._platforms = platforms

    async def may_show(self, claim: Claim) -> Outgoing | Refused:
        """Return the message as it may be shown: a sentence in place of an answer that is not for all who read now.

        One that is on time, or was tried before in this very form, is shown as it is. Raises PortError.
        """
        message = claim.outgoing
        is_late = claim.final and claim.tried < claim.version and datetime.now(UTC) - claim.waiting_since > AFTER
        if not is_late or message.body is None:
            return message
        live = await self._bot.live()
        knowledge = live.ports.knowledge if live else None
        found = await self._records.told_of(message.question)
        if found is None or found[0].result is None or (knowledge and not knowledge.closed):
            return message
        told, asker, private = found
        now = await self._audiences.of(_asked(message, told, asker, private=private), fresh=True)
        # Without an index nobody can tell for whom its documents are.
        if knowledge and shows_only(told.result or {}, knowledge, now):
            return message
        return self._instead(message, told)

    def _instead(self, message: Outgoing, told: Told) -> Outgoing | Refused:
        if message.part != FIRST:
            return Refused("others read there by now, who may not read all that it was made from", withheld=True)
        language = language_of(told.question)
        [said, *_] = self._platforms[message.platform].parts(say(phrase("readers_changed", language), language))
        return replace(message, body=said.body)


def _asked(message: Outgoing, told: Told, asker: str, *, private: bool) -> Question:
    """Return the question as far as it says where it was asked, and by whom."""
    known = Audience(told.audience.tenant, guests=True)
    asked = Question(message.question, message.platform, "", "", asker, known, datetime.now(UTC))
    return replace(asked, place=message.asked.place, private=private)
