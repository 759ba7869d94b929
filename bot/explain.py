"""How a question was understood and answered, told where it was asked: `footnote explain`, `/why` and its button."""

import json
import secrets
from collections.abc import Callable, Sequence
from typing import Protocol

from rich.console import Console

from bot.asking_as import asked_as
from bot.audiences import Where, platform_of
from bot.commands import NOTHING_INDEXED, console_question, ready_bot
from bot.settings import read_settings
from bot.viewing import Viewing
from core.conversation import Audience, MessageRef
from core.errors import ConfigError
from core.explaining import explanation
from core.phrases import phrase
from core.pipeline import or_failure
from core.render import say, text_of
from core.reply import RenderedReply
from core.result import result_of
from core.text import Language, language_of
from core.turn import Told, TurnRecord
from core.unanswered import unanswerable
from core.work import Place

# Whether an audience may read a document now, by its id.
MayRead = Callable[[str, Audience], bool]


class Records(Protocol):
    """What is stored of finished turns."""

    async def told_by(self, message: MessageRef) -> Told | None:
        """Return what is stored of the question that the message asks or answers."""

    async def told_last(self, thread: str) -> Told | None:
        """Return what is stored of the question that was answered last in the thread."""

    async def told_latest(self, place: Place, asker: str) -> Told | None:
        """Return what is stored of the question that somebody asked last in a channel or chat."""


class Explainer:
    """Tells from stored records how questions were answered. Whoever sees a message may read what it was made from."""

    def __init__(self, records: Records, may_read: MayRead, viewing: Viewing | None = None) -> None:
        self._records = records
        self._may_read = may_read
        self._viewing = viewing

    async def why(self, message: MessageRef, presser: str = "") -> RenderedReply:
        """Return how the question was answered that the message asks or answers. Raises StorageError.

        Documents that the question's place may not read any more are not named, and nothing is told to somebody
        (`presser`, by the id that they have there) who may not read all that it was made from.
        """
        viewer = Where(message.platform, message.place, presser)
        return await self._told(await self._records.told_by(message), "why_unknown", "en", viewer)

    async def why_last(self, thread: str, language: Language, viewer: Where) -> RenderedReply:
        """Return how the latest question of the thread was answered. Raises StorageError."""
        return await self._told(await self._records.told_last(thread), "why_nothing", language, viewer)

    async def why_latest(self, place: Place, asker: str, language: Language) -> RenderedReply:
        """Return how somebody's latest question in a channel or chat was answered. Raises StorageError."""
        viewer = Where(platform_of(place), place[1], asker)
        return await self._told(await self._records.told_latest(place, asker), "why_nothing", language, viewer)

    async def _told(self, told: Told | None, otherwise: str, language: Language, viewer: Where) -> RenderedReply:
        if told is None:
            return say(phrase(otherwise, language), language)
        if told.result is None:
            language = language_of(told.question)
            return say(phrase("why_unknown", language), language)
        if self._viewing and not await self._viewing.may_know(told.result, told.audience, viewer):
            language = language_of(told.question)
            return say(phrase("why_withheld", language), language)
        return explanation(told.result, lambda doc_id: self._may_read(doc_id, told.audience))


async def explain_command(question: str, after: Sequence[str], groups: frozenset[str], *, as_json: bool) -> None:
    """Ask the question, after those before it in one thread, and print how it was understood and answered.

    Raises BotError.
    """
    if (remark := unanswerable(question)) is not None:
        raise ConfigError(text_of(remark))
    thread = f"console:{secrets.token_hex(8)}"
    async with ready_bot(read_settings()) as (bot, stores):
        record, groups = None, await asked_as(groups, stores)
        # What is told of the time is the question's own, as it is of a bot that runs.
        await or_failure(stores.embedder.prepare())
        for text in (*after, question):
            record = await bot.explain(console_question(text, thread, groups))
    if not isinstance(record, TurnRecord):
        raise ConfigError(NOTHING_INDEXED)
    if as_json:
        print(json.dumps(result_of(record), ensure_ascii=False, indent=2))
        return
    Console().print(explained(record), highlight=False, markup=False, soft_wrap=True)


def explained(record: TurnRecord) -> str:
    """Return for a terminal how the question was understood and answered."""
    return text_of(explanation(result_of(record)))
