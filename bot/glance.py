"""An answer at a glance: from what everybody may read, in the documents' own words, and kept nowhere."""

from collections.abc import Sequence
from dataclasses import replace

from bot.answering import Bot, Replaced
from core.conversation import AlreadyAnswered, Audience, Question, Thread
from core.delivery import Part
from core.errors import ModelError
from core.pipeline import answer_question
from core.ports import Clock, Completion, ModelRequest
from core.recall import Recall
from core.reply import RenderedReply
from core.turn import TurnRecord
from core.unanswered import unanswerable

# Guests of no workspace, in no group: a document that names any reader is not read to them.
EVERYBODY = Audience(tenant="telegram", guests=True)


async def tried(bot: Bot, question: Question) -> TurnRecord | None:
    """Return what a question would be answered, in the documents' own words; None without one. Raises PortError.

    No model is asked, and nothing is kept.
    """
    live = await bot.live()
    if live is None or unanswerable(question.text) is not None:
        return None
    ports = replace(live.ports, threads=_Nowhere(), model=_Nobody(), recall=Recall(), parts=lambda _: ())
    try:
        record = await answer_question(question, ports)
    except Replaced:
        # A newer index answers the next time.
        return None
    return None if isinstance(record, AlreadyAnswered) or record.answer.is_refusal else record


class Glancer:
    """Answers what may be shared anywhere."""

    def __init__(self, bot: Bot, clock: Clock) -> None:
        self._bot = bot
        self._clock = clock

    async def glance(self, words: str) -> RenderedReply | None:
        """Return the answer with its proof, or None when the public documents hold none. Raises PortError."""
        asked = Question("glance", "telegram", "glance", words, "", EVERYBODY, self._clock.now())
        record = await tried(self._bot, asked)
        # Buttons belong to a stored turn.
        return replace(record.reply, actions=()) if record and record.reply.evidence else None


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
