"""What somebody could be told alone beyond what a channel was: looked for after the answer, and offered to them alone.

Whether there is more is known to nobody else: nothing of it is stored, said in the channel or counted.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from bot.audiences import Audiences, where_of
from bot.handoff import Cases
from core.conversation import Audience, MessageRef, Question
from core.errors import whereabouts
from core.phrases import phrase
from core.ports import Knowledge
from core.press import Heard, OutOfDate, Press, PressOutcome
from core.render import say
from core.reply import Action
from core.running import Inbox, Platform
from core.text import language_of
from core.turn import TurnRecord
from core.visiting import Case, SpeaksAlone
from core.work import Place, Welcome

log = logging.getLogger("footnote")

# Questions that are looked into after their answers at a time; when more are answered, it is not looked whether more
# could be said to who asked them.
_WAITING = 50
# Seconds after which nobody looks any more whether there is more, and between looks whether answers leave room for it.
_PATIENCE, _LOOK = 60.0, 0.2

# Returns what would be answered, without a model, stored nowhere; None where that cannot be told.
Tried = Callable[[Question], Awaitable[TurnRecord | None]]


class Beyond:
    """Offers an asker the rest of an answer: what not all who read it in the channel may read, but the asker may."""

    def __init__(  # noqa: PLR0913 - its parts, each given by name
        self,
        *,
        knowledge: Callable[[], Knowledge | None],
        audiences: Audiences,
        tried: Tried,
        cases: Cases,
        inbox: Inbox,
        platforms: Mapping[str, Platform],
        deliver: Callable[[Place], None],
        work: Callable[[], None],
        is_free: Callable[[], bool],
    ) -> None:
        self._knowledge = knowledge
        self._audiences = audiences
        self._tried = tried
        self._cases = cases
        self._inbox = inbox
        self._platforms = platforms
        self._deliver = deliver
        self._work = work
        self._is_free = is_free
        self._answered: asyncio.Queue[Question] = asyncio.Queue(_WAITING)

    def heed(self, question: Question) -> None:
        """Look by and by whether its asker could be told more, now that the question is answered where others read."""
        is_aloud = not (question.private or question.overheard or question.pressed or where_of(question).is_direct)
        knowledge = self._knowledge()
        speaks = isinstance(self._platforms[question.platform], SpeaksAlone)
        if is_aloud and speaks and knowledge and knowledge.closed and not self._answered.full():
            self._answered.put_nowait(question)

    async def run(self) -> None:
        """Look into one question after another until cancelled."""
        while True:
            question = await self._answered.get()
            try:
                async with asyncio.timeout(_PATIENCE):
                    # Answers first.
                    while not self._is_free():  # noqa: ASYNC110 - nobody tells when it is
                        await asyncio.sleep(_LOOK)
                    await self._look(question)
            except Exception as error:  # noqa: BLE001 - the answer stands; this would have been beyond it
                log.info("Whether more could be said to an asker alone was not found out: %s", whereabouts(error))

    async def pressed(self, press: Press) -> PressOutcome:
        """Ask the question once more, for who asked it alone. Raises StorageError."""
        case = await self._cases.by_message(press.message)
        if case is None or press.alone is None or case.private or case.asker != press.person:
            return OutOfDate()
        question = _alone(case, press, press.alone.message)
        if await self._inbox.record(question, lambda _: Welcome()):
            self._deliver((question.platform, question.place))
            self._work()
        language = press.reads or language_of(case.question)
        return Heard(say(phrase("private_looking", language), language))

    async def _look(self, question: Question) -> None:
        message = MessageRef(question.platform, question.place, question.message)
        case, platform = await self._cases.by_message(message), self._platforms[question.platform]
        if case is None or case.id != question.id or not isinstance(platform, SpeaksAlone):
            return
        if await self._is_more(replace(question, text=case.question)):
            language = language_of(case.question)
            offer = say(phrase("beyond", language), language)
            button = Action("alone", phrase("beyond_button", language))
            await platform.speak_alone(question, replace(offer, actions=(button,)))

    async def _is_more(self, question: Question) -> bool:
        """Return whether an answer to the asker alone would rest on what not all who read there may read."""
        knowledge = self._knowledge()
        there, alone = await self._audiences.of(question), replace(question, private=True)
        own = await self._audiences.of(alone)
        if knowledge is None or not _reads_more(own, there, knowledge):
            return False
        record = await self._tried(replace(alone, audience=own))
        claims = record.answer.claims if record else ()
        cited = {citation.source.doc_id for claim in claims for citation in claim.citations}
        return not knowledge.may_read(cited, there)


def _reads_more(own: Audience, there: Audience, knowledge: Knowledge) -> bool:
    return any(own.may_read(readers) and not there.may_read(readers) for readers in set(knowledge.closed.values()))


def _alone(case: Case, press: Press, message: str) -> Question:
    """Return the question of a case, to be answered to who asked it alone; the same however often it is pressed."""
    return Question(
        id=f"{case.id}!alone",
        platform=press.message.platform,
        thread=f"{case.id}!alone",
        text=case.question,
        asker=press.person,
        audience=press.audience,
        asked_at=datetime.now(UTC),
        place=press.message.place,
        message=message,
        private=True,
    )
