"""An answer at a glance: from what everybody may read, in the documents' own words, and kept nowhere."""

from collections.abc import Sequence
from dataclasses import replace

from bot.answering import Bot, Replaced
from core.conversation import AlreadyAnswered, Audience, Question, Thread
from core.delivery import Part
from core.errors import ModelError
from core.pipeline import answer_question, unanswerable
from core.ports import Clock, Completion, ModelRequest
from core.recall import Recall
from core.reply import RenderedReply
from core.turn import TurnRecord

# Guests of no workspace, in no group: a document that names any reader is not read to them.
EVERYBODY = Audience(tenant="telegram", guests=True)


class Glancer:
    """Answers what may be shared anywhere."""

    def __init__(self, bot: Bot, clock: Clock) -> None:
        self._bot = bot
        self._clock = clock

    async def glance(self, words: str) -> RenderedReply | None:
        """Return the answer with its proof, or None when the public documents hold none. Raises PortError."""
        live = await self._bot.live()
        if live is None or unanswerable(words) is not None:
            return None
        ports = replace(live.ports, threads=_Nowhere(), model=_Nobody(), recall=Recall(), parts=lambda _: ())
        asked = Question("glance", "telegram", "glance", words, "", EVERYBODY, self._clock.now())
        try:
            record = await answer_question(asked, ports)
        except Replaced:
            # A newer index answers the next letter that is typed.
            return None
        return _shared(record)


def _shared(record: TurnRecord | AlreadyAnswered) -> RenderedReply | None:
    if isinstance(record, AlreadyAnswered) or record.answer.is_refusal or not record.reply.evidence:
        return None
    # Buttons belong to a stored turn.
    return replace(record.reply, actions=())


class _Nowhere:
    """The port `Threads` where nothing was said before, and nothing is kept."""

    async def open(self, question: Question) -> Thread:
        return Thread(question.thread)

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        del question, parts, record


class _Nobody:
    """The port `LanguageModel` without models."""

    def offers(self, role: str) -> bool:
        del role
        return False

    async def complete(self, request: ModelRequest) -> Completion:
        raise ModelError(f"there is no model for {request.role}", retry=False)
